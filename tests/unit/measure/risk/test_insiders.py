from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.measure.risk.insiders import insiders
from celosia.measure.risk.prosecutor import prosecutor


def worst_guess(row, rows, joined):
    """The best guess at a row's person by any coalition of up to so many others, who leave out their own rows."""
    others = [place for place, label in enumerate(rows) if label == rows[row] and place != row]
    sizes = [
        len(others) + 1 - len(coalition)
        for n in range(min(joined, len(others)) + 1)
        for coalition in combinations(others, n)
    ]
    return Fraction(1, min(sizes))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=9), st.integers(0, 4), st.fractions("1/9", 1))
def test_against_every_coalition(rows, joined, threshold):
    risks = [worst_guess(row, rows, joined) for row in range(len(rows))]
    found = insiders(cl.Classes(rows), joined, threshold)
    assert found.risk.max == float(max(risks))
    assert found.risk.mean == float(sum(risks) / len(rows))
    assert found.risk.share_at_risk == float(Fraction(sum(risk > threshold for risk in risks), len(rows)))
    assert found.effective_k == 1 / max(risks)
    assert found.n_rows_certain == risks.count(1)
    assert found.n_classes_certain == len({rows[row] for row, risk in enumerate(risks) if risk == 1})
    assert found.n_rows_alone == sum(rows.count(label) == 1 for label in rows)
    assert found.risk == prosecutor(cl.Classes(rows), threshold, insiders=joined)


def test_the_lecturer_with_two_students():
    frame = pl.DataFrame(
        {"lecturer": ["Milena", "Milena", "Milena", "José", "José"], "mark": [4.5, 3.5, 3.8, 2.5, 5.0]}
    )
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"lecturer": "category"}, sensitive=["mark"]))
    assert insiders(table).to_dict() == {
        "coalition": 1,
        "effective_k": 1,
        "n_classes_certain": 1,
        "n_rows_certain": 2,
        "n_rows_alone": 0,
        "max": 1.0,
        "mean": 0.7,
        "share_at_risk": 1.0,
    }
    assert insiders(table, 2).n_rows_certain == 5
    assert (insiders(table, 0).effective_k, insiders(table, 0).n_rows_certain) == (2, 0)


def test_effective_k_is_the_smallest_class_less_the_coalition():
    assert insiders(cl.Classes([0] * 7 + [1] * 5), 2).effective_k == 3
    assert insiders(cl.Classes([0] * 7 + [1] * 5), 2).n_classes_certain == 0
    assert insiders(cl.Classes([0] * 7 + [1] * 5), 4).n_classes_certain == 1


def test_who_is_alone_needs_no_insider():
    found = insiders(cl.Classes([0, 1, 1, 2, 2, 2]), 1)
    assert (found.effective_k, found.n_classes_certain, found.n_rows_certain, found.n_rows_alone) == (1, 2, 3, 1)


def test_people_are_counted_and_rows_reported():
    frame = pl.DataFrame({"who": ["a", "a", "b", "c", "d", "e"], "age": [40, 40, 40, 50, 50, 50]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    found = insiders(table)
    assert (found.effective_k, found.n_classes_certain, found.n_rows_certain, found.n_rows_alone) == (1, 1, 3, 0)
    alone = table.with_frame(frame.head(2))
    assert (insiders(alone).n_rows_certain, insiders(alone).n_rows_alone) == (2, 2)


def test_an_empty_table():
    found = insiders(cl.Classes([]))
    assert (found.effective_k, found.n_rows_certain, found.risk.max) == (None, 0, None)


@pytest.mark.parametrize("coalition", [-1, 1.5, True, "2", None])
def test_a_coalition_is_a_whole_number(coalition):
    with pytest.raises(cl.OptionError, match="coalition must be a whole number from 0") as error:
        insiders(cl.Classes([0]), coalition)
    assert error.value.about == "coalition"


def test_a_threshold_is_a_probability():
    with pytest.raises(cl.OptionError, match="threshold"):
        insiders(cl.Classes([0]), 1, 0)
