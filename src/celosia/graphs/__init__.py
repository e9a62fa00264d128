"""Graphs: the same rooms as for tables. Vertices are people, edges are what links them."""

from __future__ import annotations

from celosia.graphs.graph import Adjacency, Graph

__all__ = ["Adjacency", "Graph"]
