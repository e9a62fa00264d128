from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl

labels = st.lists(st.integers(0, 6), min_size=1, max_size=40)


@given(labels, st.fractions(min_value="1/20", max_value=1))
def test_against_the_definition(rows, threshold):
    sizes = [rows.count(label) for label in rows]
    found = cl.risk.prosecutor(cl.Classes(rows), threshold)
    assert found.max == float(Fraction(1, min(sizes)))
    assert found.mean == pytest.approx(float(sum(Fraction(1, size) for size in sizes) / len(rows)))
    assert found.share_at_risk == sum(Fraction(1, size) > threshold for size in sizes) / len(rows)


def test_the_agency_note_table_6():
    found = cl.risk.prosecutor(cl.Classes([0, 1, 2, 2, 0, 1, 3]))
    assert (found.max, found.share_at_risk) == (1.0, 1.0)
    assert found.mean == pytest.approx(4 / 7)


def test_a_class_of_exactly_five_is_not_at_risk_at_one_fifth():
    assert cl.risk.prosecutor(cl.Classes([0] * 5), "0.2").share_at_risk == 0.0
    assert cl.risk.prosecutor(cl.Classes([0] * 4), "0.2").share_at_risk == 1.0


def test_subjects_count_as_people():
    frame = pl.DataFrame({"who": ["a", "a", "b"], "age": [40, 40, 40]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    assert cl.risk.prosecutor(table).max == 0.5


def test_an_empty_table_has_no_risk_figure():
    assert cl.risk.prosecutor(cl.Classes([])).max is None


@pytest.mark.parametrize("threshold", [0, 2, -1, "1.5"])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(cl.OptionError):
        cl.risk.prosecutor(cl.Classes([0]), threshold)


def test_something_else_is_refused():
    with pytest.raises(cl.InputError):
        cl.risk.prosecutor("data.csv")
