"""Masked values, against counts by hand and a plain definition."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.measure.traps import Published
from celosia.measure.traps.masked_values import masked_columns, masked_values, spaced


def table(values, k=3, **options) -> Published:
    return Published(pl.DataFrame({"id": values}, schema={"id": pl.String}), k=k, **options)


def rows(published) -> dict[str, int | None]:
    return {finding.code: finding.n_rows for finding in masked_values(published)}


def test_the_manuals_prefixes_leave_three_of_five_rows_alone():
    ids = [f"{prefix}XXXXXXXX" for prefix in (10, 10, 36, 28, 26)]
    assert rows(table(ids, k=2)) == {"MASK_SINGLES_OUT": 3}
    assert rows(table([f"{prefix}********" for prefix in (10, 10, 36, 28, 26)], k=2)) == {"MASK_SINGLES_OUT": 3}


def test_names_masked_character_by_character_tell_their_length():
    assert rows(table(["J***"] * 3 + ["J" + "*" * 9])) == {"MASK_SINGLES_OUT": 1, "MASK_LENGTH": 1}
    assert rows(table(["****"] * 3 + ["*********"])) == {"MASK_LENGTH": 1}
    assert rows(table(["****"] * 4)) == {}


@pytest.mark.parametrize(
    "values",
    [
        ["10XXXXXX", "36XXXXXX"],
        ["***4567**", "***1234**"],
        ["4111 11** **** 1111", "5500 00** **** 0004"],
        ["j***@uni.es", "a***@uni.es"],
        ["XXX-XX-1234", "XXX-XX-9876"],
        ["##34", "##35"],
        ["••••12", "••••13"],
        ["****", "*****"],
    ],
)
def test_forms_of_masks(values):
    assert masked_columns(table(values)) == ["id"]


@pytest.mark.parametrize(
    "values",
    [
        ["*", "Soria"],
        ["*", "*"],
        ["XXL", "XL"],
        ["XXX", "XXI"],
        ["Felix", "Xara"],
        ["24700", "37003"],
        ["5 * 3", "4 * 2"],
        ["Bonus: " + "*" * 60 + " " * 3 + "x", "plain"],
        ["37***", "24700", "28001"],
        [None, None],
        [],
    ],
)
def test_forms_of_other_columns(values):
    assert masked_columns(table(values)) == []
    assert rows(table(values)) == {}


def test_quasi_identifiers_are_in_the_classes():
    assert rows(table(["37***", "28***"], quasi_identifiers=["id"])) == {}
    assert rows(table(["37***", "28***"], identifiers=["id"])) == {}
    assert rows(table(["37***", "28***"])) == {"MASK_SINGLES_OUT": 2}


def test_rows_of_one_person_hide_nobody():
    frame = pl.DataFrame({"id": ["10****"] * 4 + ["36****"] * 4, "who": [1, 1, 1, 1, 2, 3, 4, 5]})
    assert rows(Published(frame, subject="who", k=3)) == {"MASK_SINGLES_OUT": 4}
    assert rows(Published(frame, k=3)) == {}


def test_numbers_are_not_looked_at():
    assert masked_columns(Published(pl.DataFrame({"n": [1, 2], "x": [0.5, None]}))) == []


@tries(60)
@given(st.lists(st.tuples(st.sampled_from("JAM"), st.integers(2, 5)), max_size=30), st.integers(2, 4))
def test_counts_are_those_of_the_definition(cells, k):
    values = [first + "*" * length for first, length in cells]
    by_value, by_length = Counter(values), Counter(map(len, values))
    alone = sum(by_value[value] < k for value in values)
    by_its_length = sum(by_length[len(value)] < k for value in values) if len(by_length) > 1 else 0
    expected = {"MASK_SINGLES_OUT": alone, "MASK_LENGTH": by_its_length}
    assert rows(table(values, k)) == {code: count for code, count in expected.items() if count}


@given(st.integers(0, 40), st.integers(1, 12))
def test_spaced_texts_are_few_and_in_order(n_texts, most):
    texts = pl.Series([f"{n:02d}" for n in range(n_texts)], dtype=pl.String)
    drawn = spaced(texts, most)
    assert len(drawn) <= most
    assert drawn.to_list() == sorted(set(drawn.to_list()))
    assert len(drawn) == n_texts or n_texts > most
