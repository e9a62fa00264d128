"""Measures against slow definitions written from the formulas, and the checked numbers of the specification."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import audit
from celosia.audit import AuditInputError, class_sizes, classes, measure

Rows = list[list[str | None]]


def by_class(quasi: Rows, secret: list[str | None]) -> list[list[str | None]]:
    """The secrets of each class, row by row."""
    keys = list(zip(*quasi, strict=True)) if quasi else [()] * len(secret)
    return [[s for key, s in zip(keys, secret, strict=True) if key == wanted] for wanted in dict.fromkeys(keys)]


def share(rows: list[Any], value: Any) -> Fraction:
    return Fraction(sum(row == value for row in rows), len(rows))


def slow_entropy_l(groups: list[list[str | None]]) -> float:
    entropies = []
    for group in groups:
        shares = [share(group, value) for value in set(group)]
        entropies.append(-sum(float(p) * math.log(float(p)) for p in shares))
    return math.exp(min(entropies))


def slow_recursive(groups: list[list[str | None]], length: int) -> float:
    worst = 0.0
    for group in groups:
        counts = sorted(Counter(group).values(), reverse=True)
        tail = sum(counts[length - 1 :])
        worst = max(worst, counts[0] / tail if tail else math.inf)
    return worst


def slow_t(groups: list[list[str | None]], ranked: list[Any], steps: list[Fraction]) -> float:
    everything = [value for group in groups for value in group]
    worst = Fraction(0)
    for group in groups:
        distance = Fraction(0)
        for i, step in enumerate(steps):
            below = ranked[: i + 1]
            distance += step * abs(sum(share(group, v) - share(everything, v) for v in below))
        worst = max(worst, distance)
    return float(worst / sum(steps)) if sum(steps) else 0.0


def slow_delta(groups: list[list[str | None]], *, strict: bool) -> float:
    everything = [value for group in groups for value in group]
    worst = 0.0
    for group in groups:
        for value in set(everything):
            q, p = share(group, value), share(everything, value)
            if q:
                worst = max(worst, abs(math.log(q / p)))
            elif strict:
                return math.inf
    return worst


def slow_beta(groups: list[list[str | None]]) -> tuple[float, float]:
    everything = [value for group in groups for value in group]
    basic, possible = Fraction(0), True
    for group in groups:
        for value in set(everything):
            q, p = share(group, value), share(everything, value)
            if q > p:
                gain = (q - p) / p
                basic = max(basic, gain)
                possible = possible and gain <= -math.log(p)
    return float(basic), float(basic) if possible else math.inf


def number(value: float | str) -> float:
    return math.inf if value == "inf" else float(value)


cells = st.sampled_from(["1", "2", "3.5", "10", None])
tables = st.integers(1, 14).flatmap(
    lambda n: st.tuples(
        st.lists(cells, min_size=n, max_size=n),
        st.lists(st.sampled_from(["a", "b", None]), min_size=n, max_size=n),
        st.lists(cells, min_size=n, max_size=n),
    )
)


@given(tables)
@tries(300)
def test_every_measure_against_its_definition(table: tuple[list[str | None], ...]) -> None:
    first, second, secret = table
    result = measure({"x": first, "y": second, "s": secret}, ["x", "y"], ["s"])
    groups = by_class([first, second], secret)
    found = result["sensitive"]["s"]
    everything = set(secret)
    assert result["k"] == min(map(len, groups))
    assert result["n_classes"] == len(groups)
    assert result["n_rows"] == len(secret)
    assert found["alpha"] == float(max(share(group, value) for group in groups for value in group))
    assert found["l_distinct"] == min(len(set(group) - {None}) for group in groups)
    assert found["l_entropy"] == pytest.approx(slow_entropy_l(groups), abs=1e-12)
    lengths = [str(length) for length in range(2, len(everything) + 1)]
    assert list(found["l_recursive"]) == lengths
    for length in lengths:
        assert number(found["l_recursive"][length]) == slow_recursive(groups, int(length))
    equal = max(sum((abs(share(group, v) - share(secret, v)) for v in everything), Fraction(0)) / 2 for group in groups)
    assert found["t_equal"] == float(equal)
    ranked: list[Any] = sorted(everything - {None}, key=lambda v: Fraction(str(v)))
    with_missing = ([None] if None in everything else []) + ranked
    assert found["t_ordered"] == slow_t(groups, with_missing, [Fraction(1)] * (len(with_missing) - 1))
    places = [Fraction(value) for value in ranked]
    steps = [high - low for low, high in pairwise(places)]
    if None in everything:
        assert found["t_numeric"] is None
    else:
        assert found["t_numeric"] == slow_t(groups, ranked, steps)
    assert number(found["delta_strict"]) == pytest.approx(slow_delta(groups, strict=True))
    assert found["delta_present"] == pytest.approx(slow_delta(groups, strict=False))
    assert (number(found["beta_basic"]), number(found["beta_enhanced"])) == slow_beta(groups)
    risk = result["risk"]["prosecutor"]
    at_risk = sum(len(group) for group in groups if Fraction(1, len(group)) > Fraction(1, 5))
    assert risk["max"] == 1 / min(map(len, groups))
    assert risk["mean"] == float(Fraction(len(groups), len(secret)))
    assert risk["share_at_risk"] == float(Fraction(at_risk, len(secret)))


untidy = st.sampled_from(["1", " 1", "1.0", "", " ", "e\u0301", "é", "x", None])


@given(tables, st.lists(untidy, min_size=14, max_size=14))
def test_polars_gives_the_same(table: tuple[list[str | None], ...], cells: list[str | None]) -> None:
    columns = {"x": cells[: len(table[0])], "y": table[1], "s": table[2]}
    frame = pl.DataFrame(columns, schema=dict.fromkeys("xys", pl.String))
    for kinds in ({}, {"x": "number", "s": "number"}):
        plain = measure(columns, ["x", "y"], ["s"], kinds=kinds)
        assert measure(frame, ["x", "y"], ["s"], kinds=kinds) == plain
        assert class_sizes(frame, ["x", "y"], kinds=kinds) == class_sizes(columns, ["x", "y"], kinds=kinds)
        assert classes(frame, ["x", "y"], kinds=kinds) == classes(columns, ["x", "y"], kinds=kinds)


def test_large_mappings_go_through_polars_and_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    n = audit._FAST_FROM
    columns: dict[str, list[str | None]] = {
        "x": [str(i % 7) for i in range(n)],
        "s": [None if i % 11 == 0 else str(i % 5) for i in range(n)],
    }
    fast = measure(columns, ["x"], ["s"])
    monkeypatch.setattr(audit, "_polars", lambda: None)
    assert measure(columns, ["x"], ["s"]) == fast


@given(tables)
def test_classes_are_the_rows_that_are_equal(table: tuple[list[str | None], ...]) -> None:
    first, second, _ = table
    labels = classes({"x": first, "y": second}, ["x", "y"])
    rows = list(zip(first, second, strict=True))
    for i in range(len(rows)):
        for j in range(len(rows)):
            assert (labels[i] == labels[j]) is (rows[i] == rows[j])
    assert labels == [list(dict.fromkeys(labels)).index(label) for label in labels]
    assert class_sizes({"x": first, "y": second}, ["x", "y"]) == sorted(Counter(labels).values())


def one_class(counts: list[int]) -> dict[str, list[str | None]]:
    return {"s": [str(value) for value, n in enumerate(counts) for _ in range(n)]}


def test_recursive_of_the_specification() -> None:
    found = measure(one_class([6, 3, 1]), [], ["s"])["sensitive"]["s"]
    assert found["l_recursive"] == {"2": 1.5, "3": 6.0}


def test_recursive_stops_at_ten() -> None:
    found = measure(one_class([1] * 12), [], ["s"])["sensitive"]["s"]
    assert list(found["l_recursive"]) == [str(length) for length in range(2, 11)]
    assert measure(one_class([4]), [], ["s"])["sensitive"]["s"]["l_recursive"] == {}


@pytest.mark.parametrize("n_values", [2, 3, 4, 6, 7, 8, 10])
def test_entropy_of_a_uniform_class_is_whole(n_values: int) -> None:
    assert measure(one_class([5] * n_values), [], ["s"])["sensitive"]["s"]["l_entropy"] == n_values


def test_entropy_that_is_whole_without_being_uniform() -> None:
    assert measure(one_class([4, 1, 1, 1, 1]), [], ["s"])["sensitive"]["s"]["l_entropy"] == 4.0


def test_entropy_close_to_whole_stays_what_it_is() -> None:
    found = measure(one_class([5000, 5001]), [], ["s"])["sensitive"]["s"]["l_entropy"]
    assert 2 - 1e-7 < found < 2


SALARIES = ["3", "4", "5", "6", "8", "11", "7", "9", "10"]


@pytest.mark.parametrize(("members", "expected"), [(("3", "4", "5"), 0.375), (("6", "8", "11"), 1 / 6)])
def test_ordered_t_of_the_specification(members: tuple[str, ...], expected: float) -> None:
    """One class of three salaries among 3 ... 11 thousand; the rest is one class too and lies nearer."""
    quasi: list[str | None] = ["A" if value in members else "B" for value in SALARIES]
    found = measure({"q": quasi, "s": list[str | None](SALARIES)}, ["q"], ["s"])["sensitive"]["s"]
    assert found["t_ordered"] == pytest.approx(expected, abs=1e-15)
    assert found["t_numeric"] == pytest.approx(expected, abs=1e-15)


def test_numeric_t_differs_from_rank_for_uneven_gaps() -> None:
    table = {"q": ["a", "a", "b", "b"], "s": ["0", "1", "1", "100"]}
    found = measure(table, ["q"], ["s"])["sensitive"]["s"]
    assert found["t_ordered"] == pytest.approx(0.25)
    assert found["t_numeric"] == pytest.approx((0.25 * 1 + 0.25 * 99) / 100)


def test_numbers_are_ranked_as_numbers_and_text_as_text() -> None:
    numeric = measure({"q": ["a", "a", "b"], "s": ["9", "10", "100"]}, ["q"], ["s"])["sensitive"]["s"]
    assert numeric["t_ordered"] == pytest.approx((abs(0 - 1 / 3) + abs(0 - 2 / 3)) / 2)
    text = measure({"q": ["a", "a", "b"], "s": ["x9", "x10", "x100"]}, ["q"], ["s"])["sensitive"]["s"]
    assert text["t_numeric"] is None
    assert text["t_ordered"] == pytest.approx((abs(0 - 1 / 3) + abs(1 - 2 / 3)) / 2)


def test_decimal_comma_is_a_number_only_on_request() -> None:
    table = {"q": ["a", "b"], "s": ["1,5", "2"]}
    assert measure(table, ["q"], ["s"])["sensitive"]["s"]["t_numeric"] is None
    assert measure(table, ["q"], ["s"], decimal=",")["sensitive"]["s"]["t_numeric"] == 0.5


def test_one_category_is_at_distance_zero() -> None:
    found = measure({"q": ["a", "b"], "s": ["x", "x"]}, ["q"], ["s"])["sensitive"]["s"]
    expected = {"t_equal": 0.0, "t_ordered": 0.0, "delta_strict": 0.0, "beta_basic": 0.0, "beta_enhanced": 0.0}
    assert {name: found[name] for name in expected} == expected
    assert found["t_numeric"] is None


def test_a_rare_value_made_frequent() -> None:
    """1 % prior, 50 % in a class: beta is 49 although the class is 2-diverse."""
    quasi: list[str | None] = ["a"] * 2 + ["b"] * 98
    secret: list[str | None] = ["rare", "common"] + ["common"] * 98
    found = measure({"q": quasi, "s": secret}, ["q"], ["s"])["sensitive"]["s"]
    assert found["beta_basic"] == 49
    assert found["beta_enhanced"] == "inf"
    assert found["delta_strict"] == "inf"


def test_enhanced_beta_is_finite_where_gains_are_small() -> None:
    secret: list[str | None] = ["x"] * 3 + ["y"] * 2 + ["x"] * 2 + ["y"] * 3
    found = measure({"q": ["a"] * 5 + ["b"] * 5, "s": secret}, ["q"], ["s"])["sensitive"]["s"]
    assert found["beta_enhanced"] == found["beta_basic"] == pytest.approx(0.2)


def test_subjects_are_counted_instead_of_rows() -> None:
    table = {"age": ["40", "40", "50", "50", "50"], "who": ["p", "p", "q", "r", None]}
    result = measure(table, ["age"], subject="who")
    assert (result["k"], result["k_rows"]) == (1, 2)
    risk = result["risk"]["prosecutor"]
    assert risk["max"] == 1
    assert risk["mean"] == pytest.approx((2 * 1 + 3 / 3) / 5)


def test_rows_without_a_subject_are_one_person() -> None:
    table = {"age": ["40", "40"], "who": [None, " "]}
    assert measure(table, ["age"], subject="who")["k"] == 1


def test_a_secret_that_is_a_quasi_identifier_is_judged_over_the_others() -> None:
    table = {"year": ["1", "1", "2", "2"], "mark": ["5", "6", "5", "5"]}
    found = measure(table, ["year", "mark"], ["mark"])["sensitive"]["mark"]
    assert found == measure(table, ["year"], ["mark"])["sensitive"]["mark"]
    assert found["l_distinct"] == 1


def test_spelling_of_values() -> None:
    table = {"age": ["40", " 40", "40.0"], "name": ["José", "Jose\u0301", "José "]}
    assert class_sizes(table, ["name"]) == [3]
    assert class_sizes(table, ["age"]) == [1, 2]
    assert class_sizes(table, ["age"], kinds={"age": "number"}) == [3]


def test_missing_is_a_value_and_empty_is_missing() -> None:
    assert class_sizes({"age": [None, "", " ", "40"]}, ["age"]) == [1, 3]
    found = measure({"s": [None, None, "x"]}, [], ["s"])["sensitive"]["s"]
    assert (found["l_distinct"], found["alpha"]) == (1, pytest.approx(2 / 3))
    assert measure({"s": [None, None]}, [], ["s"])["sensitive"]["s"]["l_distinct"] == 0


def test_an_empty_table_is_undefined() -> None:
    result = measure({"age": [], "s": []}, ["age"], ["s"])
    assert result["k"] is None
    assert result["n_classes"] == 0
    found = result["sensitive"]["s"]
    assert found.pop("homogeneous") == {"n_classes": 0, "n_rows": 0, "classes": []}
    assert {key: value for key, value in found.items() if value} == {}
    assert set(result["risk"]["prosecutor"].values()) == {None}


def test_without_quasi_identifiers_there_is_one_class() -> None:
    assert measure({"s": ["a", "b"]}, [], ["s"])["k"] == 2
    assert classes({"s": ["a", "b"]}, []) == [0, 0]


@pytest.mark.parametrize(("threshold", "expected"), [("0.5", 0.0), ("0.49", 1.0), ("1/2", 0.0)])
def test_share_at_risk_is_strictly_above(threshold: str, expected: float) -> None:
    table = {"age": ["40", "40"]}
    assert measure(table, ["age"], threshold=threshold)["risk"]["prosecutor"]["share_at_risk"] == expected


@pytest.mark.parametrize("threshold", ["0", "2", "-1", "many", "1/0"])
def test_thresholds_are_probabilities(threshold: str) -> None:
    with pytest.raises(AuditInputError, match="threshold"):
        measure({"age": ["40"]}, ["age"], threshold=threshold)


def test_wrong_tables_are_refused_without_telling_their_cells() -> None:
    with pytest.raises(AuditInputError, match="not equally long"):
        measure({"a": ["canary"], "b": []}, ["a"])
    with pytest.raises(AuditInputError, match="no column 'zip'"):
        measure({"a": ["canary"]}, ["a"], ["zip"])
    with pytest.raises(AuditInputError, match="something else than text") as caught:
        measure({"a": [4242]}, ["a"])
    assert "4242" not in str(caught.value)


def test_long_lists_of_secrets_cost_no_more_than_their_rows() -> None:
    """20,000 distinct secrets in 4,000 classes: the plain double sum would take 80 million steps."""
    n = 20_000
    secret: list[str | None] = [str(i * 7919 % n) for i in range(n)]
    found = measure({"q": [str(i // 5) for i in range(n)], "s": secret}, ["q"], ["s"])["sensitive"]["s"]
    assert 0 < found["t_ordered"] < 1
    assert found["t_numeric"] == pytest.approx(found["t_ordered"])
