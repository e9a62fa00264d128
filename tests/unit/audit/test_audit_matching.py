"""Two files without the record: a perfect matching, against brute force."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import audit
from celosia.audit import AuditInputError, contains, truthful_without_order

SPECS = [
    {"name": "exam", "role": "quasi_identifier", "kind": "number", "style": "dash"},
    {"name": "job", "role": "quasi_identifier", "kind": "category", "style": "set"},
    {"name": "ill", "role": "sensitive"},
]

published_rows = st.lists(
    st.tuples(
        st.sampled_from(["1-2", "2-3", "1-3", "3-1", "2", "*", None, "[1, 3)", "<2", ">=2", ">2", "<=2"]),
        st.sampled_from(["a", "a / b", "*"]),
        st.sampled_from(["S", "N"]),
    ),
    min_size=1,
    max_size=5,
)
original_rows = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "2.0", "3", None, "x"]), st.sampled_from(["a", "b"]), st.sampled_from(["S", "N"])
    ),
    min_size=1,
    max_size=6,
)

Row = tuple[str | None, ...]


def columns_of(rows: list[Row]) -> dict[str, list[str | None]]:
    return {name: [row[i] for row in rows] for i, name in enumerate(("exam", "job", "ill"))}


def fits(published: Row, original: Row) -> bool:
    kinds = ("number", "category", None)
    return all(contains(p, o, kind) for p, o, kind in zip(published, original, kinds, strict=True))


def most_matched(published: list[Row], originals: list[Row]) -> int:
    """Try every way to deal originals (or nothing) out to published rows."""
    pool = [*range(len(originals)), *([None] * len(published))]
    return max(
        sum(source is not None and fits(row, originals[source]) for row, source in zip(published, dealt, strict=True))
        for dealt in set(permutations(pool, len(published)))
    )


@given(published_rows.filter(lambda rows: len(rows) <= 3), original_rows.filter(lambda rows: len(rows) <= 4))
@tries(150)
def test_largest_matching_against_brute_force(published: list[Row], originals: list[Row]) -> None:
    found = truthful_without_order(columns_of(published), columns_of(originals), SPECS)
    assert found.n_published == len(published)
    assert found.n_matched == most_matched(published, originals)
    assert found.n_fit_nothing == sum(not any(fits(row, one) for one in originals) for row in published)
    assert found.perfect is (found.n_matched == len(published))


def plain_matching(edges: list[list[int]]) -> int:
    """Kuhn's algorithm, row by row."""
    owner: dict[int, int] = {}

    def place(left: int, seen: set[int]) -> bool:
        for right in edges[left]:
            if right not in seen:
                seen.add(right)
                if right not in owner or place(owner[right], seen):
                    owner[right] = left
                    return True
        return False

    return sum(place(left, set()) for left in range(len(edges)))


@given(published_rows, original_rows, st.integers(1, 4))
def test_repeated_rows_are_matched_as_often(published: list[Row], originals: list[Row], times: int) -> None:
    many, sources = published * times, originals * 2
    edges = [[j for j, source in enumerate(sources) if fits(row, source)] for row in many]
    found = truthful_without_order(columns_of(many), columns_of(sources), SPECS)
    assert found.n_matched == plain_matching(edges)


@given(st.data())
@tries(200)
def test_flow_on_random_graphs(data: st.DataObject) -> None:
    n_left, n_right = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 8))
    supply = data.draw(st.lists(st.integers(1, 4), min_size=n_left, max_size=n_left))
    demand = data.draw(st.lists(st.integers(1, 4), min_size=n_right, max_size=n_right))
    bits = data.draw(st.lists(st.integers(0, 2**n_right - 1), min_size=n_left, max_size=n_left))
    left = [i for i, n in enumerate(supply) for _ in range(n)]
    right = [j for j, n in enumerate(demand) for _ in range(n)]
    edges = [[place for place, j in enumerate(right) if bits[i] >> j & 1] for i in left]
    assert audit._flow(supply, demand, bits) == plain_matching(edges)


def test_greedy_choice_is_undone() -> None:
    """Row 1 takes original 1 first; only by moving it on can row 2 be placed, and so on down the chain."""
    n = 60
    published: dict[str, list[str | None]] = {"exam": [f"{i}-{i + 1}" for i in range(n)]}
    originals: dict[str, list[str | None]] = {"exam": [str(i) for i in range(1, n + 1)]}
    assert truthful_without_order(published, originals, SPECS[:1]).perfect
    originals["exam"][-1] = "1"
    assert truthful_without_order(published, originals, SPECS[:1]).perfect
    originals["exam"][-1] = "100"
    assert truthful_without_order(published, originals, SPECS[:1]).n_matched == n - 1


def test_first_row_that_fits_nothing_is_named() -> None:
    found = truthful_without_order({"exam": ["1-2", "7-9", "7-9"]}, {"exam": ["1", "2", "3"]}, SPECS[:1])
    assert (found.n_fit_nothing, found.first_row, found.n_matched) == (2, 2, 1)


def test_more_rows_than_originals_cannot_be_matched() -> None:
    assert truthful_without_order({"exam": ["*", "*"]}, {"exam": ["1"]}, SPECS[:1]).n_matched == 1
    assert truthful_without_order({"exam": ["1", "1"]}, {"exam": ["1"]}, []).n_matched == 1


def test_trees_are_matched_with_their_mapping() -> None:
    spec = [{"name": "city", "role": "quasi_identifier", "kind": "tree"}]
    mapping = {"city": {"Oslo": ["north"], "Rome": ["south"]}}
    published, original = {"city": ["north", "south"]}, {"city": ["Rome", "Oslo"]}
    assert truthful_without_order(published, original, spec, hierarchies=mapping).perfect
    assert truthful_without_order(published, original, spec).n_matched == 0


def test_months_come_first_only_where_days_cannot() -> None:
    spec = [{"name": "day", "role": "quasi_identifier", "kind": "dates"}]
    published = {"day": ["2020-03", "2020-12"]}
    assert truthful_without_order(published, {"day": ["03/04/2020", "12/31/2020"]}, spec).perfect
    assert not truthful_without_order(published, {"day": ["03/04/2020", "12/12/2020"]}, spec).perfect


def test_wrong_specs_and_columns_are_refused() -> None:
    with pytest.raises(AuditInputError, match="no column 'job'"):
        truthful_without_order({"exam": ["1"]}, {"exam": ["1"]}, SPECS)
    with pytest.raises(AuditInputError, match="kind"):
        truthful_without_order({"exam": ["1"]}, {"exam": ["1"]}, [{**SPECS[0], "kind": "colour"}])


def test_files_too_large_to_match_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as small:
        small.setattr(audit, "_MATCHING_BITS", 3)
        with pytest.raises(AuditInputError, match="without the record"):
            truthful_without_order({"exam": ["1", "2"]}, {"exam": ["1", "2"]}, SPECS[:1])
        small.setattr(audit, "_MATCHING_BITS", 8)
        with pytest.raises(AuditInputError, match="without the record"):
            truthful_without_order({"exam": ["1"]}, {"exam": ["1", "2", "3"]}, SPECS[:1])
    monkeypatch.setattr(audit, "_MATCHING_TESTS", 3)
    with pytest.raises(AuditInputError, match="without the record"):
        truthful_without_order({"job": ["a", "b"]}, {"job": ["a", "b"]}, SPECS[1:2])
    assert truthful_without_order({"exam": ["1", "2"]}, {"exam": ["1", "2"]}, SPECS[:1]).perfect
