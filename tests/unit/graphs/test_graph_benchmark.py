"""The benchmark of graphs: what it plants, what it runs, and how a row reads."""

from __future__ import annotations

from benchmarks.graphs import Case, cases, graphs, large_cases, measured, planted, seeds_row
from celosia.graphs.models import NeighbourhoodAnonymity


def test_a_blow_up_is_anonymous_until_edges_are_flipped():
    assert NeighbourhoodAnonymity(5).judge(planted(20, 5, 30, 0.0)).satisfied
    flipped = planted(20, 5, 30, 0.1)
    assert not NeighbourhoodAnonymity(5).judge(flipped).satisfied
    assert abs(flipped.n_edges - 30 * 25) <= 0.05 * 30 * 25 + 1


def test_every_case_has_its_graph_and_the_prototype_stands_beside():
    made = graphs()
    found = [*cases(), *large_cases()]
    assert {case.graph for case in found} <= set(made)
    assert Case("degree", "karate", 3).prototype == 10.3
    assert Case("degree", "Florentine", 10).prototype is None
    assert Case("(k, 2), rows", "karate", 3).prototype is None
    assert made["Davis"]().sides is not None
    assert made["Davis, one mode"]().sides is None


def test_a_row_tells_edits_share_and_time():
    row = measured(Case("degree", "Florentine", 2), graphs()["Florentine"](), seconds=1.0)
    assert row[:5] == ("degree", "Florentine", "2", "2", "10")
    assert (row[6], len(row)) == ("10", 9)
    assert float(row[8]) < 10


def test_a_row_of_several_seeds_tells_two_ratios():
    row = seeds_row(60, 2, [1, 2], 1.0)
    assert (row[:3], len(row)) == (("degree, ten seeds", "BA 60", "2"), 9)
    over_half, over_bound = (float(cell.split()[0]) for cell in row[4:6])
    assert over_half >= over_bound >= 1


def test_a_demand_out_of_reach_is_told():
    assert measured(Case("degree", "Florentine", 16), graphs()["Florentine"](), 1.0)[3] == "cannot be met"
