"""Graphs: the same rooms as for tables. Vertices are people, edges are what links them."""

from __future__ import annotations

from celosia.graphs.files import read, to_frame, to_matrix, to_networkx, write
from celosia.graphs.graph import Adjacency, Graph

__all__ = ["Adjacency", "Graph", "read", "to_frame", "to_matrix", "to_networkx", "write"]
