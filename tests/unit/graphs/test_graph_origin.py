"""A graph that was made from another knows which vertex is which, and never tells when it is stored."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import polars as pl

from celosia.graphs.graph import Graph
from celosia.graphs.utility.matching import matched


def test_vertices_are_matched_by_their_origin_before_their_names() -> None:
    before = Graph.of_edges([0, 1], [1, 2])
    after = replace(Graph.of_edges([0, 1], [1, 2]), origin=pl.Series([2, 0, 1]))
    places, how = matched(before, after)
    assert places is not None
    assert places.tolist() == [1, 2, 0]
    assert how == "given"


def test_the_origin_of_another_graph_says_nothing() -> None:
    before = Graph.of_edges([0, 1], [1, 2])
    after = replace(Graph.of_edges([0, 1], [1, 2]), origin=pl.Series(["ana", "eva", "luis"]))
    assert matched(before, after)[1] == "order"


def test_the_origin_is_left_behind_when_a_graph_is_stored() -> None:
    after = replace(Graph.of_edges([0, 1], [1, 2]), origin=pl.Series([2, 0, 1]))
    assert after.out.degrees.tolist() == [1, 2, 1]
    assert pickle.loads(pickle.dumps(after)).origin is None
    assert copy.copy(after).origin is None
    assert pickle.loads(pickle.dumps(after)).source.tolist() == [0, 1]
