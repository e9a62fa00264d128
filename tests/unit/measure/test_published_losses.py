"""Where what is published loses more than classes by themselves, nothing is called the best possible by mistake."""

from __future__ import annotations

import polars as pl
import pytest

import celosia as cl
from celosia.data.recode import loses_as_grouped

# A is a leaf, and a label above two others that it is not above.
TWICE = [["A", "X", "*"], ["B", "X", "*"], ["C", "A", "*"], ["D", "A", "*"], ["E", "E", "*"], ["G", "X", "*"]]
# The same label along a path: it stands for the lower node, or for all under the upper one.
NESTED = [["A", "A", "*"], ["B", "A", "*"], ["C", "C", "*"]]
PLAIN = [["A", "X", "*"], ["B", "X", "*"], ["C", "C", "*"]]

HOLDS = [
    ([4, 9, 11, 16, 0, 20], "number", True),
    ([4, 9, 11, 16, 0, 20], cl.Number(publish="pair"), True),
    ([4, 9, 11, 16, 0, 20], cl.Number(grid=10), False),
    ([1, 1, 5, 2, 4, 4], cl.Number(publish="centroid"), False),
    (list("aaabbb"), "category", True),
    (list("aaabbb"), cl.Category(publish="centroid"), False),
    ([20, 21, 33, 34, 50, 51], cl.Intervals(width=5, levels=3), True),
    (list("ABCABC"), cl.Tree(PLAIN), True),
    (list("ABCABC"), cl.Tree(NESTED), False),
    (list("ABCDEG"), cl.Tree(TWICE), False),
]


def table_of(values, kind):
    return cl.Table(pl.DataFrame({"x": values}), cl.Schema(quasi_identifiers={"x": kind}))


@pytest.mark.parametrize(("values", "kind", "holds"), HOLDS)
def test_the_best_is_named_only_where_it_is_known(values, kind, holds):
    table = table_of(values, kind)
    assert [loses_as_grouped(column) for column in table.quasi_identifiers] == [holds]
    bound = cl.utility.gcp_lower_bound(table, 2, time_limit=2)
    release = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Exact(), seed=1).run(table)
    assert bound <= release.loss.gcp
    assert release.proof.is_optimal == holds
    assert (release.proof.lower_bound is not None) == holds
    if not holds:
        assert bound.kind == "bound"
        assert release.bound is None or release.bound.kind == "bound"
        woven = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(table)
        assert woven.bound is None or woven.bound.kind == "bound"


def test_a_label_of_several_nodes_loses_all_that_it_stands_for():
    table = table_of(list("AACDBGE"), cl.Tree(TWICE))
    assert cl.utility.gcp(table, [0, 0, 1, 1, 2, 2, 3]) == pytest.approx((4 * 2 / 5 + 2 * 2 / 5) / 7)


def test_a_label_above_itself_loses_what_the_upper_node_does():
    table = table_of(list("AAABCC"), cl.Tree(NESTED))
    assert cl.utility.gcp(table, [0, 0, 1, 1, 2, 2]) == pytest.approx((4 * 1 / 2) / 6)
