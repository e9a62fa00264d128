"""Graphs in and out: one file per format, and the objects of other libraries."""

from __future__ import annotations

from celosia.graphs.files.formats import GraphFormat
from celosia.graphs.files.objects import to_frame, to_matrix, to_networkx
from celosia.graphs.files.reading import read
from celosia.graphs.files.writing import write

__all__ = ["GraphFormat", "read", "to_frame", "to_matrix", "to_networkx", "write"]
