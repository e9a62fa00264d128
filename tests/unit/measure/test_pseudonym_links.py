"""Pseudonyms that link rows: the groups of people whose rows lie in the same classes, against a plain definition."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.masks import Pseudonymise
from celosia.measure.release_findings import linked_groups


def plain_groups(codes, labels) -> list[int]:
    """Return how many people share each multiset of classes; nothing where everybody has one row."""
    classes_of: dict[int, Counter] = {}
    for code, label in zip(codes, labels, strict=True):
        if code >= 0 and label >= 0:
            classes_of.setdefault(code, Counter())[label] += 1
    if all(sum(one.values()) == 1 for one in classes_of.values()):
        return []
    return sorted(Counter(frozenset(one.items()) for one in classes_of.values()).values())


@tries(300)
@given(st.lists(st.tuples(st.integers(-1, 8), st.integers(-1, 4)), max_size=60))
def test_groups_are_those_of_the_definition(rows):
    codes = np.array([code for code, _ in rows], dtype=np.int32)
    labels = np.array([label for _, label in rows], dtype=np.int64)
    assert sorted(linked_groups(codes, labels).tolist()) == plain_groups(codes.tolist(), labels.tolist())


def test_groups_of_many_rows_are_found_in_time():
    draw = np.random.default_rng(1)
    n_rows = 400_000
    codes, labels = draw.integers(0, n_rows // 2, n_rows), draw.integers(0, n_rows // 10, n_rows)
    sizes = linked_groups(codes, labels)
    assert sizes.sum() == len(np.unique(codes))
    one_person = linked_groups(np.zeros(3000, dtype=np.int64), np.arange(3000))
    assert one_person.tolist() == [1]


def release(people, classes, k=2, masks=None, **roles) -> cl.Release:
    """Return a release whose classes are those given: one value of the only quasi-identifier each."""
    frame = pl.DataFrame({"who": people, "group": classes, "mark": list(range(len(people)))})
    options = {"identifiers": ["who"], "quasi_identifiers": {"group": "category"}, "insensitive": ["mark"]}
    masks = [Pseudonymise("who")] if masks is None else masks
    return cl.Plan(models=[cl.KAnonymity(k)], masks=masks).run(cl.Table(frame, cl.Schema(**{**options, **roles})))


def linked(found) -> list[dict]:
    return [dict(one.values) for one in found.findings if one.code == "PSEUDONYMS_LINK_ROWS"]


def test_a_person_in_two_classes_stands_alone():
    # Ana alone has a row in both; four others have one each.
    found = release(["Ana", "Ana", "Eva", "Luis", "Pilar", "Iván"], list("ababab"), k=3)
    assert linked(found) == [{"count": 5, "n_pseudonyms": 5, "k": 3, "smallest": 1}]
    (said,) = [one for one in found.findings if one.code == "PSEUDONYMS_LINK_ROWS"]
    assert (said.severity, said.column) == ("warning", "who")


def test_people_whose_rows_lie_in_the_same_classes_hide_each_other():
    assert linked(release(["Ana", "Ana", "Eva", "Eva"], list("abab"), k=2)) == []
    assert linked(release(["Ana", "Ana", "Eva", "Eva", "Luis", "Luis"], list("ababaa"), k=2)) == [
        {"count": 1, "n_pseudonyms": 3, "k": 2, "smallest": 1}
    ]


def test_rows_of_one_person_in_one_class_are_linked_too():
    found = release(["Ana", "Ana", "Ana", "Eva", "Luis"], list("aaaaa"), k=4)
    assert linked(found) == [{"count": 3, "n_pseudonyms": 3, "k": 4, "smallest": 1}]


def test_one_row_each_links_nothing_and_missing_codes_are_nobody():
    assert linked(release(["Ana", "Eva", "Luis", "Pilar"], list("aabb"), k=2)) == []
    assert linked(release([None, None, "Luis", "Pilar"], list("abab"), k=2)) == []


def test_rows_that_are_not_published_link_nothing():
    people, classes = ["Ana", "Eva", "Luis", "Ana"], list("aaab")
    masks = [Pseudonymise("who"), cl.DropRows(where="group == 'b'")]
    assert linked(release(people, classes, masks=masks)) == []
    assert linked(release([*people, "Iván"], [*classes, "b"])) != []


@pytest.mark.parametrize("masks", [[], [cl.Swap(column="who")]])
def test_codes_on_the_rows_of_others_link_nobody(masks):
    people, classes = ["Ana", "Ana", "Eva", "Luis", "Pilar", "Iván"], list("ababab")
    assert len(linked(release(people, classes, masks=[Pseudonymise("who"), *masks]))) == 1 - len(masks)
    assert len(linked(release(people, classes, masks=[*masks, Pseudonymise("who")]))) == 1 - len(masks)


def test_people_of_a_subject_column_are_linked_by_their_codes():
    people, classes = ["Ana", "Ana", "Eva", "Luis", "Pilar", "Iván"], list("ababab")
    found = release(people, classes, k=3, identifiers=[], subject="who")
    assert linked(found)[0]["smallest"] == 1
    assert linked(release(people, classes, k=3, identifiers=[], subject="who", masks=[])) == []


def test_pseudonyms_that_are_quasi_identifiers_form_classes_instead():
    people, classes = ["Ana", "Ana", "Eva", "Luis", "Pilar", "Iván"], list("ababab")
    kinds = {"group": "category", "who": "category"}
    assert linked(release(people, classes, identifiers=[], quasi_identifiers=kinds)) == []


@pytest.mark.parametrize("swap", [cl.Swap(columns=["who", "group"], joint=True), cl.Swap("who", within="group")])
def test_codes_that_move_with_their_classes_or_within_them_link_as_before(swap):
    # Ana alone has a row in both classes; a joint swap moves code and class together, one within classes keeps both.
    people, classes = ["1", "1", "2", "3", "4", "5"], list("ababab")
    masks = [Pseudonymise("who", form="digits"), swap]
    for order in (masks, masks[::-1]):
        assert [one["smallest"] for one in linked(release(people, classes, masks=order, k=3))] == [1]


def test_a_column_worked_out_from_codes_links_and_is_told_of_as_they_are():
    people, classes = ["Ana", "Ana", "Eva", "Luis", "Pilar", "Iván"], list("ababab")
    coded = Pseudonymise("who", key=bytes(range(32)))
    for copied in ("who", "lower(who)"):
        made = cl.Derive("copy", copied, role="insensitive", drop=True)
        found = release(people, classes, masks=[coded, made])
        told = {one.code: one.column for one in found.findings}
        for code in ("IDENTIFIER_PSEUDONYMISED", "PSEUDONYMS_LINK_ROWS", "PSEUDONYMS_PERSIST"):
            assert told[code] == "copy", copied
    assert found.masked.pseudonyms == {"copy"}


def test_repeated_pseudonyms_without_a_subject_show_that_rows_are_not_people():
    def repeats(people, **options):
        found = release(people, list("aabbaa"), **options)
        return [one.values for one in found.findings if one.code == "PSEUDONYMS_REPEAT"]

    twice, once = ["Ana", "Ana", "Eva", "Luis", "Pilar", "Iván"], ["Ana", "Bea", "Eva", "Luis", "Pilar", "Iván"]
    assert repeats(twice) == [{"n_rows": 6, "n_people": 5}]
    assert repeats([None, None, *once[2:]]) == []
    assert repeats(once) == []
    assert repeats(twice, identifiers=[], subject="who") == []
    assert repeats(twice, masks=[]) == []
