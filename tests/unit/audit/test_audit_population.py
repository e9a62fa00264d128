"""The audit of k-map: people of a population, counted or estimated."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from audited import Cell, holds
from hypothesis import given
from hypothesis import strategies as st

from celosia import audit
from celosia.audit import measure, verify_columns


def poisson_tail(least: int, mean: Fraction) -> float:
    """P(X >= least) by direct summation."""
    return 1 - math.fsum(math.exp(-mean) * float(mean) ** i / math.factorial(i) for i in range(least))


@given(st.integers(2, 40), st.integers(1, 50), st.integers(1, 500), st.sampled_from([0.01, 0.05, 0.1, 0.5]))
def test_the_least_class_of_a_sample_is_minimal(k: int, n: int, others: int, significance: float) -> None:
    fraction = Fraction(n, n + others)
    least = audit._poisson_least(k, fraction, Fraction(str(significance)), 10**9)
    assert 1 <= least <= k
    if least < k:
        assert poisson_tail(least, fraction * k) <= significance
    assert poisson_tail(least - 1, fraction * k) > significance


def test_k_map_of_a_number_of_people() -> None:
    classes = [0, 0, 0, 1, 1]
    table = classes, ["x"] * 5

    def verdict(k: int, population: int) -> bool | None:
        return holds({"k_map": {"k": k, "population": population, "significance": 0.05}}, *table)

    assert verdict(2, 5) is True
    assert verdict(3, 5) is False
    assert verdict(50, 1000) is True  # P(X >= 2 | 0.25) = 0.027
    assert verdict(3, 4) is False
    assert verdict(10**30, 10**40) is True
    assert verdict(10**30, 10**31) is False


def test_k_map_counts_people_where_it_can() -> None:
    """Three rows of one person are one person, in the table as in the population."""
    table = {"age": ["40", "40", "40", "50", "50"], "who": ["p", "p", "p", "q", "r"]}
    people = {"age": ["40", "40", "40", "40", "50", "50"], "who": ["p", "p", "p", "s", "q", "r"]}

    def verdict(k: int, population: Any) -> Any:
        model = {"k_map": {"k": k, "population": "given"}}
        return measure(table, ["age"], subject="who", models=[model], population=population)["models"][0]

    assert verdict(2, people)["holds"] is True
    assert verdict(3, people)["n_classes"] == 2
    assert verdict(2, {"age": people["age"]})["holds"] is True
    assert verdict(2, {"age": ["40", "50", "50"]})["classes"] == [{"first_row": 1, "n_rows": 3}]
    nobody = {"age": people["age"], "who": ["p", "p", "p", "p", "q", "q"]}
    assert "no superset" in verdict(2, nobody)["reason"]
    for population, holds_ in ((2, False), (3, False), (5, False), (10**6, True)):
        model = {"k_map": {"k": 2, "population": population, "significance": 0.05}}
        (found,) = measure(table, ["age"], subject="who", models=[model])["models"]
        assert found["holds"] is holds_


POPULATION = {"age": ["40", "41", "42", "50", "51"], "zip": ["37003", "37001", "28001", "37001", "28001"]}


def test_k_map_of_a_population() -> None:
    table = {"age": ["[40, 41]", "[40, 41]", "[42, 51]"], "zip": ["37***", "37***", "28001"]}

    def verdict(k: int, population: Any) -> Any:
        model = {"k_map": {"k": k, "population": "given"}}
        return measure(table, ["age", "zip"], models=[model], population=population)["models"][0]

    assert verdict(2, POPULATION)["holds"] is True
    assert verdict(3, POPULATION)["holds"] is False
    assert verdict(3, POPULATION)["n_classes"] == 2
    assert verdict(2, None)["holds"] is None
    assert verdict(2, {"age": ["40"]})["holds"] is None
    small = verdict(2, {name: column[1:] for name, column in POPULATION.items()})
    assert small["holds"] is False
    assert "no superset" in small["reason"]
    assert small["classes"] == [{"first_row": 1, "n_rows": 2}]


ages = st.lists(st.integers(0, 12), min_size=1, max_size=12)


@given(ages, ages, st.integers(1, 4), st.booleans(), st.sampled_from(["bracket", "pair"]))
def test_people_inside_published_values(rows: list[int], more: list[int], k: int, overlap: bool, style: str) -> None:
    """Classes are ranges around each row, overlapping or not; the population is counted one by one."""
    width = 3
    ends = [(row, row + width) if overlap else (row // width * width, row // width * width + width - 1) for row in rows]
    jobs: list[Cell] = [["law", "art", None][row % 3] for row in rows]
    population = {
        "age": [str(one) for one in rows + more],
        "job": jobs + [["law", None, "art"][one % 3] for one in more],
    }
    cells = {"age": [f"[{low}, {high}]" for low, high in ends]}
    column: dict[str, Any] = {"name": "age", "role": "quasi_identifier", "kind": "number", "style": style}
    if style == "pair":
        cells = {"lo": [str(low) for low, _ in ends], "hi": [str(high) for _, high in ends]}
        column["columns"] = ["lo", "hi"]
    job = {"name": "job", "role": "quasi_identifier", "kind": "category", "style": "set"}
    published = {**cells, "job": ["*" if row % 4 == 0 else job for row, job in zip(rows, jobs, strict=True)]}
    people = list(zip([int(one or 0) for one in population["age"]], population["job"], strict=True))
    inside = [
        sum(low <= age <= high and shown in ("*", job) for age, job in people)
        for (low, high), shown in zip(ends, published["job"], strict=True)
    ]
    claim = {
        "celosia": "claim",
        "version": 1,
        "models": [{"k_map": {"k": k + 1, "population": "given"}}],
        "columns": [column, job],
        "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
    }
    with pytest.MonkeyPatch.context() as patch:
        for fast_from in (10**9, 0):
            patch.setattr(audit, "_FAST_FROM", fast_from)
            verdict = verify_columns(published, claim, population=population)
            assert verdict.holds is (min(inside) > k)


def test_a_population_that_cannot_be_compared() -> None:
    claim = {
        "celosia": "claim",
        "version": 1,
        "models": [{"k_map": {"k": 2, "population": "given"}}],
        "columns": [{"name": "x", "role": "quasi_identifier", "kind": "tree", "style": "label"}],
        "policies": {"missing": "own", "suppressed": "deleted", "subject": None, "reference": "published"},
    }
    table, people = {"x": ["north"] * 2}, {"x": ["Ana", "Eva"]}
    statuses = {check.name: check.status for check in verify_columns(table, claim, population=people).checks}
    assert statuses["k_map"] == "could not run"
    trees = {"x": {"Ana": ["north"], "Eva": ["north"]}}
    assert verify_columns(table, claim, population=people, hierarchies=trees).holds
    claim["columns"] = [{"name": "x", "role": "quasi_identifier", "kind": "category", "style": "centroid"}]
    statuses = {check.name: check.status for check in verify_columns(table, claim, population=people).checks}
    assert statuses["k_map"] == "could not run"
    assert not verify_columns(table, claim).holds
