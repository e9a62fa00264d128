"""NCP and GCP against the plain definition."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import numpy as np
import plain
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import GRADES, JOBS, cases
from trying import tries

import celosia as cl


def tree_loss(values, column):
    under = {row[0] for row in JOBS}
    paths = [next(row for row in JOBS if row[0] == value) for value in values]
    for level in range(len(paths[0])):
        if len({path[level] for path in paths}) == 1:
            n_under = sum(row[level] == paths[0][level] for row in JOBS)
            return Fraction(n_under - 1, len(under) - 1)
    raise AssertionError("trees have a root")


def order_loss(values, column):
    ranks = [GRADES.index(value) for value in values]
    return Fraction(max(ranks) - min(ranks), len(GRADES) - 1)


PLAIN = {"number": plain.number_loss, "category": plain.set_loss, "tree": tree_loss, "order": order_loss}


@given(case=cases(kinds=("number", "category", "tree", "order")), data=st.data())
@tries(200)
def test_gcp_against_the_definition(case, data):
    for name, kind in case.kinds.items():
        if kind == "order":
            case.hierarchies[name] = cl.Order(values=GRADES)
    labels = data.draw(st.lists(st.integers(-1, 3), min_size=case.n_rows, max_size=case.n_rows))
    columns = {name: [None if v is None else v for v in values] for name, values in case.columns.items()}
    for name, kind in case.kinds.items():
        if kind == "number" and any(isinstance(value, float) for value in columns[name]):
            columns[name] = [None if value is None else float(value) for value in columns[name]]
    losses = {name: PLAIN[kind] for name, kind in case.kinds.items()}
    weights = {name: Fraction(case.weights.get(name, 1.0)) for name in columns}
    expected = plain.gcp(columns, losses, labels, weights)
    table = case.table()
    assert cl.utility.gcp(table, labels) == pytest.approx(float(expected), abs=1e-12)
    rows = cl.utility.ncp(table, labels)
    assert rows.sum() == pytest.approx(float(expected * len(labels) * sum(weights.values())), abs=1e-9)


@given(st.lists(st.dates(dt.date(1995, 1, 1), dt.date(2015, 1, 1)), min_size=2, max_size=12))
def test_dates_lose_the_days_of_their_period_within_the_data(days):
    table = cl.Table(_frame(days), cl.Schema(quasi_identifiers={"day": "dates"}))
    span = (max(days) - min(days)).days
    expected = Fraction(0)
    if span:
        expected = Fraction(1)
        for periods in zip(*(plain.nodes_of_date(day) for day in days), strict=True):
            if len(set(periods)) == 1:
                low, high = max(periods[0][0], min(days)), min(periods[0][1], max(days))
                expected = Fraction((high - low).days, span)
                break
    assert cl.utility.gcp(table, [0] * len(days)) == pytest.approx(float(expected))


def _frame(days):
    return pl.DataFrame({"day": days})


def test_three_variants_of_a_category():
    table = cl.Table(pl.DataFrame({"job": ["a", "b", "c", "d"]}), cl.Schema(quasi_identifiers={"job": "category"}))
    labels = np.array([0, 0, 1, 2])
    assert cl.utility.gcp(table, labels, "paper") == pytest.approx(1 / 3 * 2 / 4)
    assert cl.utility.gcp(table, labels, "xu") == pytest.approx(1 / 2 * 2 / 4)
    assert cl.utility.gcp(table, labels, "arx") == pytest.approx((1 / 2 * 2 + 1 / 4 * 2) / 4)


def test_one_category_loses_nothing_in_any_variant():
    table = cl.Table(pl.DataFrame({"job": ["a", "a"]}), cl.Schema(quasi_identifiers={"job": "category"}))
    for variant in ("paper", "xu", "arx"):
        assert cl.utility.gcp(table, [0, 0], variant) == 0.0


def test_an_unknown_variant_is_refused():
    table = cl.Table(pl.DataFrame({"job": ["a", "a"]}), cl.Schema(quasi_identifiers={"job": "category"}))
    with pytest.raises(cl.OptionError):
        cl.utility.gcp(table, [0, 0], "best")


def test_a_range_wider_than_the_data_is_cut():
    """Ages 37 to 44 published as 40-49 cost 4/7, not 9/7."""
    schema = cl.Schema(quasi_identifiers={"age": cl.Intervals(width=10)})
    table = cl.Table(pl.DataFrame({"age": [37, 44, 40]}), schema)
    assert cl.utility.ncp(table, [0, 1, 1])[1] == pytest.approx(4 / 7)
