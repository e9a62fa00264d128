"""Bars against their plain definition: who stands behind each, and what the published cells say."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tables import Case, cases
from trying import tries

import celosia as cl
from celosia.report.bins import MOST_BARS, merged, round_edges
from celosia.report.crowd import Crowd
from celosia.report.facts import Facts

NUMBERS = ("number", "intervals")


def facts_of(case: Case, k: int) -> Facts | None:
    plan = cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Mondrian(), max_suppression=0.3, keep_order=True, seed=1)
    try:
        return Facts.of(plan.run(case.table()))
    except cl.UnreachableError:
        return None


def people(case: Case, rows: list[int]) -> int:
    return len(rows) if case.subject is None else len({case.subject[row] for row in rows})


def bar_of(case: Case, name: str, bars, value) -> int | None:
    """The bar of an original value; None where it is not drawn."""
    for place, bar in enumerate(bars):
        if value is None:
            if bar.kind == "missing":
                return place
            continue
        if bar.kind == "range":
            low, high = bar.low, bar.high
            if (low is None or value >= low) and (high is None or value < high):
                return place
        if bar.kind == "value" and case.contains(name, bar.text, value):
            return place
    return next((place for place, bar in enumerate(bars) if bar.kind == "other"), None)


def check_people(case: Case, name: str, bars, k: int) -> list[int | None]:
    drawn = [bar_of(case, name, bars, value) for value in case.columns[name]]
    if len(bars) > 1:
        for place in range(len(bars)):
            assert people(case, [row for row, bar in enumerate(drawn) if bar == place]) >= k
    return drawn


def shares(places: list[int | None], n_bars: int) -> list[float]:
    counts = Counter(place for place in places if place is not None)
    total = sum(counts.values())
    return [counts[place] / total if total else 0.0 for place in range(n_bars)]


@given(case=cases(min_rows=8, max_rows=40), k=st.integers(2, 4))
@tries(150)
def test_before_and_kept_are_plain_shares_and_no_bar_is_about_fewer_than_k(case, k):
    facts = facts_of(case, k)
    if facts is None:
        return
    suppressed = facts.classes.suppressed
    for found in facts.distributions:
        assert len(found.bars) <= MOST_BARS + 1
        drawn = check_people(case, found.column, found.bars, k)
        kept = [place for place, gone in zip(drawn, suppressed, strict=True) if not gone]
        assert [bar.before for bar in found.bars] == pytest.approx(shares(drawn, len(found.bars)))
        assert [bar.kept for bar in found.bars] == pytest.approx(shares(kept, len(found.bars)))
        for place, bar in enumerate(found.bars):
            gone = [row for row, one in enumerate(drawn) if one == place and suppressed[row]]
            left = [row for row, one in enumerate(drawn) if one == place and not suppressed[row]]
            told = people(case, gone) >= k and (not left or people(case, left) >= k)
            expected = len(gone) / drawn.count(place) if told else None
            assert bar.lost == (None if expected is None else pytest.approx(expected))


def spread_over_values(case: Case, name: str, bars, cell: str | None) -> dict[int, Fraction]:
    if cell is None:
        return {place: Fraction(1) for place, bar in enumerate(bars) if bar.kind in ("missing",)} or rest(bars)
    held = {value for value in case.columns[name] if value is not None}
    covered = [value for value in held if case.contains(name, cell, value)]
    parts: dict[int, Fraction] = {}
    for value in covered:
        place = bar_of(case, name, bars, value)
        parts[place] = parts.get(place, Fraction(0)) + Fraction(1, len(covered))
    return parts


def rest(bars) -> dict[int, Fraction]:
    return {place: Fraction(1) for place, bar in enumerate(bars) if bar.kind == "other"}


@given(case=cases(min_rows=8, max_rows=40, kinds=("category", "order", "prefix", "dates", "tree")), k=st.integers(2, 4))
@tries(150)
def test_after_spreads_sets_and_groups_evenly_over_their_values(case, k):
    facts = facts_of(case, k)
    if facts is None:
        return
    rows = facts.release.rows
    for found in facts.distributions:
        total = [Fraction(0)] * len(found.bars)
        for cell in rows[found.column]:
            for place, part in spread_over_values(case, found.column, found.bars, cell).items():
                total[place] += part
        whole = sum(total)
        expected = [float(part / whole) if whole else 0.0 for part in total]
        assert [bar.after for bar in found.bars] == pytest.approx(expected)


@given(case=cases(min_rows=8, max_rows=40), k=st.integers(2, 4))
@tries(150)
def test_a_value_is_named_only_where_a_published_cell_spells_it(case, k):
    facts = facts_of(case, k)
    if facts is None:
        return
    for found in facts.distributions:
        held = {value.isoformat() if isinstance(value, dt.date) else value for value in case.columns[found.column]}
        cells = [cell for cell in facts.release.rows[found.column] if cell is not None]
        spelt = {word for cell in cells for word in (cell, *cell.split(" / "))}
        for bar in found.bars:
            assert bar.kind != "value" or bar.text not in held or bar.text in spelt


def range_parts(cell: str, edges: list[float], whole: bool) -> list[Fraction]:
    """Spread one published range: over its whole numbers, or over its width."""
    outer = [Fraction(repr(edge)) for edge in edges]
    if not cell.strip("*"):
        low, high = outer[0], outer[-1]
    elif cell.startswith("["):
        low, high = (Fraction(end) for end in cell[1:-1].split(", "))
        high += whole and cell.endswith("]")
    else:
        low = Fraction(cell)
        high = low + whole
    if low == high:
        inside = [place for place in range(len(outer) - 1) if outer[place] <= low]
        return [Fraction(place == inside[-1]) for place in range(len(outer) - 1)]
    low, high = max(low, outer[0]), min(high, outer[-1])
    return [max(Fraction(0), min(high, last) - max(low, first)) / (high - low) for first, last in pairwise(outer)]


@given(case=cases(min_rows=8, max_rows=40, kinds=NUMBERS), k=st.integers(2, 4))
@tries(150)
def test_after_spreads_ranges_evenly_over_their_width(case, k):
    facts = facts_of(case, k)
    if facts is None:
        return
    for found in facts.distributions:
        if not found.edges:
            continue
        whole = all(float(value).is_integer() for value in case.columns[found.column] if value is not None)
        n_bins = len(found.edges) - 1
        total = [Fraction(0)] * len(found.bars)
        for cell in facts.release.rows[found.column]:
            if cell is None:
                if len(found.bars) > n_bins:
                    total[n_bins] += 1
                continue
            for place, part in enumerate(range_parts(cell, list(found.edges), whole)):
                total[place] += part
        whole_mass = sum(total)
        expected = [float(part / whole_mass) if whole_mass else 0.0 for part in total]
        assert [bar.after for bar in found.bars] == pytest.approx(expected, abs=1e-9)


@given(
    low=st.floats(-1e6, 1e6),
    width=st.one_of(st.just(0.0), st.floats(1e-3, 1e9)),
    whole=st.booleans(),
)
@example(low=0.0, width=0.6, whole=False)
def test_edges_are_round_few_and_cover_the_range(low, width, whole):
    high = low + width
    if whole:
        low, high = float(int(low)), float(int(high))
    edges = round_edges(low, high, whole=whole)
    assert 2 <= len(edges) <= MOST_BARS + 1
    step = edges[1] - edges[0]
    assert edges[0] <= low + 1e-6 * step
    assert high < edges[-1] + 1e-6 * step
    digits = f"{step:.3e}".split("e")[0].rstrip("0").rstrip(".")
    assert digits in ("1", "2", "5")
    assert not whole or step >= 1


@given(
    groups=st.lists(st.integers(0, 5), min_size=1, max_size=40),
    least=st.integers(1, 6),
    subjects=st.booleans(),
)
def test_merged_bins_hold_enough_people(groups, least, subjects):
    who = np.arange(len(groups)) % 7 if subjects else None
    edges = np.arange(7.0)
    kept = merged(edges, Crowd(np.array(groups), 6, who), least)
    assert kept[0] == 0
    assert kept[-1] == 6
    for low, high in pairwise(kept):
        inside = [row for row, group in enumerate(groups) if low <= group < high]
        n_people = len(inside) if who is None else len({int(who[row]) for row in inside})
        assert n_people >= least or len(kept) == 2


def test_ends_of_numbers_are_open_and_never_an_extreme():
    ages = [17.25, *np.linspace(20, 60, 200), 98.75]
    table = cl.Table(pl.DataFrame({"age": ages}), cl.Schema(quasi_identifiers={"age": "number"}))
    facts = Facts.of(cl.Plan(models=[cl.KAnonymity(5)], seed=1).run(table))
    (found,) = facts.distributions
    assert found.bars[0].low is None
    assert found.bars[-1].high is None
    assert all(float(edge / 10).is_integer() for edge in found.edges)


def test_a_grid_and_a_mean_are_spread_where_they_are_published():
    ages = pl.DataFrame({"grid": [1, 4, 12, 13, 27, 29], "mean": [1, 3, 11, 13, 21, 27]})
    schema = cl.Schema(quasi_identifiers={"grid": cl.Number(grid=10), "mean": cl.Number(publish="centroid")})
    release = cl.Plan(models=[cl.KAnonymity(2)], keep_order=True, seed=1).run(cl.Table(ages, schema))
    assert release.rows["grid"].to_list() == ["[0, 10]"] * 2 + ["[10, 20]"] * 2 + ["[20, 30]"] * 2
    assert release.rows["mean"].to_list() == ["2"] * 2 + ["12"] * 2 + ["24"] * 2
    grid, mean = Facts.of(release).distributions
    assert sum(bar.after for bar in grid.bars) == pytest.approx(1)
    for bar in mean.bars:
        inside = [n for n in (2, 12, 24) if (bar.low or 0) <= n < (bar.high or 100)]
        assert bar.after == pytest.approx(len(inside) / 3)
