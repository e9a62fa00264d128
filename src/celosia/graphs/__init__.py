"""Graphs: the same rooms as for tables. Vertices are people, edges are what links them."""

from __future__ import annotations

from celosia.graphs.attributes import masked
from celosia.graphs.checking import Result, check
from celosia.graphs.files import read, to_frame, to_matrix, to_networkx, write
from celosia.graphs.graph import Adjacency, Graph
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.quotient import Quotient
from celosia.graphs.risk import GraphRisk, KnowledgeRisk, LinkRisk, risk
from celosia.graphs.utility import GraphUtility, utility

__all__ = [
    "Adjacency",
    "ClosedTwinAnonymity",
    "DegreeAnonymity",
    "Graph",
    "GraphRisk",
    "GraphUtility",
    "KLAnonymity",
    "KnowledgeRisk",
    "LinkRisk",
    "NeighbourhoodAnonymity",
    "Quotient",
    "Result",
    "check",
    "masked",
    "read",
    "risk",
    "to_frame",
    "to_matrix",
    "to_networkx",
    "utility",
    "write",
]
