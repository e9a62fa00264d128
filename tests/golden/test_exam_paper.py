"""The exam paper's Table 1 and the figures of its Tables 2 and 3, as the specification recomputed them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.data.recode import recode

PARTICIPATION = [6, 10, 5, 4, 5, 5, 4, 5, 5]
EXAM = [8, 3, 6, 4, 7, 6, 4, 7, 6]
PRACTICALS = [5, 5, 8, 10, 9, 8, 10, 9, 6]
YEAR = [2022, 2021, 2022, 2020, 2018, 2022, 2020, 2018, 2022]
LECTURER = ["Jana Doe"] * 3 + ["John Doe"] * 3 + ["Richard Roe"] * 3
TABLE_2 = [0, 0, 0, 1, 1, 1, 2, 2, 2]
TABLE_3 = [0, 0, 1, 2, 2, 2, 1, 1, 0]


@pytest.fixture
def table():
    frame = pl.DataFrame(
        {
            "participation": PARTICIPATION,
            "exam": EXAM,
            "practicals": PRACTICALS,
            "year": YEAR,
            "lecturer": LECTURER,
        }
    )
    kinds = dict.fromkeys(("participation", "exam", "practicals", "year"), "number") | {"lecturer": "category"}
    return cl.Table(frame, cl.Schema(quasi_identifiers=kinds))


def rational(value):
    found = Fraction(value).limit_denominator(10_000)
    assert abs(found - Fraction(value)) < Fraction(1, 10**14)
    return found


def column_loss(table, labels, column, row):
    cells = next(cells for cells in recode(table, cl.Classes(labels)).cells if cells.column.name == column)
    return rational(cells.share[cells.of_class[labels[row]]])


def test_gcp_of_both_groupings_is_exact(table):
    assert rational(cl.utility.gcp(table, TABLE_2)) == Fraction(89, 180)
    assert rational(cl.utility.gcp(table, TABLE_3)) == Fraction(457, 900)


def test_row_losses_of_both_groupings(table):
    assert [rational(one) for one in cl.utility.ncp(table, TABLE_2)[[0, 3, 6]]] == [
        Fraction(161, 60),
        Fraction(13, 6),
        Fraction(77, 30),
    ]
    assert cl.utility.ncp(table, TABLE_3)[[0, 2, 3]] == pytest.approx([2.783333333, 2.666666667, 2.166666667])


def test_table_3_is_better_on_practicals_and_worse_overall(table):
    second, third = cl.utility.loss(table, TABLE_2), cl.utility.loss(table, TABLE_3)
    assert column_loss(table, TABLE_2, "practicals", 1) == Fraction(3, 5)
    assert column_loss(table, TABLE_3, "practicals", 1) == Fraction(1, 5)
    assert column_loss(table, TABLE_3, "lecturer", 1) == Fraction(1, 2)
    assert third.columns["practicals"] < second.columns["practicals"]
    assert third.gcp > second.gcp


def partitions_of_nine():
    rows = set(range(9))
    for first in combinations(sorted(rows - {0}), 2):
        left = rows - {0, *first}
        lead = min(left)
        for second in combinations(sorted(left - {lead}), 2):
            labels = np.full(9, 2)
            labels[[0, *first]] = 0
            labels[[lead, *second]] = 1
            yield labels


def test_the_best_partition_of_all_280(table):
    found = sorted((cl.utility.gcp(table, labels), labels.tolist()) for labels in partitions_of_nine())
    assert len(found) == 280
    assert rational(found[0][0]) == Fraction(133, 300)
    assert found[0][1] == [0, 0, 1, 2, 1, 1, 2, 2, 0]


@pytest.mark.parametrize("algorithm", [cl.KMembers(), cl.LGreedy(), cl.Mondrian()])
def test_every_search_is_at_or_above_the_best(table, algorithm):
    release = cl.Plan(models=[cl.KAnonymity(3)], algorithm=algorithm, seed=1).run(table)
    assert release.k >= 3
    assert release.loss.gcp >= 133 / 300 - 1e-12


def test_the_bound_on_re_identification():
    for k, bound in ((2, 0.5), (3, 1 / 3), (40, 0.025)):
        assert cl.risk.prosecutor(cl.Classes([0] * k)).max == bound


def test_lecturers_under_departments_and_marks_under_words():
    """R-P7: the hierarchies that the paper gives as examples."""
    departments = cl.Tree(
        [
            ["Jana Doe", "informatics", "*"],
            ["John Doe", "informatics", "*"],
            ["Richard Roe", "statistics", "*"],
        ]
    )
    words = cl.Intervals(ranges=["[0, 5)", "[5, 7)", "[7, 9)", "[9, 10]"])
    frame = pl.DataFrame(
        {"exam": [3.5, 4.9, 8.0, 7.5], "lecturer": ["Jana Doe", "John Doe", "Richard Roe", "Richard Roe"]}
    )
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"exam": words, "lecturer": departments}))
    release = cl.Plan(models=[cl.KAnonymity(2)], keep_order=True).run(table)
    assert release.frame.rows() == [("[0, 5)", "informatics")] * 2 + [("[7, 9)", "Richard Roe")] * 2


def test_one_mark_in_two_ranges():
    """R-P10: local recoding may publish two equal marks by different ranges."""
    table = cl.Table(pl.DataFrame({"exam": [4, 6, 6, 10]}), cl.Schema(quasi_identifiers={"exam": "number"}))
    made = recode(table, cl.Classes([0, 0, 1, 1])).frame()
    assert made["exam"].to_list() == ["[4, 6]", "[4, 6]", "[6, 10]", "[6, 10]"]
