"""Graphs: the same rooms as for tables. Vertices are people, edges are what links them.

Names are loaded when they are first used, as those of ``celosia`` are.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from celosia.graphs.alternatives import Alternative, alternatives
    from celosia.graphs.attributes import masked
    from celosia.graphs.checking import Result, check
    from celosia.graphs.files import read, to_frame, to_matrix, to_networkx, write
    from celosia.graphs.graph import Adjacency, Graph
    from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
    from celosia.graphs.perturbation import perturbed
    from celosia.graphs.quotient import Quotient
    from celosia.graphs.release import GraphRelease
    from celosia.graphs.risk import GraphRisk, KnowledgeRisk, LinkRisk, risk
    from celosia.graphs.running import run
    from celosia.graphs.super_graphs import super_graph
    from celosia.graphs.super_release import SuperGraph
    from celosia.graphs.utility import GraphUtility, utility

__all__ = [
    "Adjacency",
    "Alternative",
    "ClosedTwinAnonymity",
    "DegreeAnonymity",
    "Graph",
    "GraphRelease",
    "GraphRisk",
    "GraphUtility",
    "KLAnonymity",
    "KnowledgeRisk",
    "LinkRisk",
    "NeighbourhoodAnonymity",
    "Quotient",
    "Result",
    "SuperGraph",
    "alternatives",
    "check",
    "masked",
    "perturbed",
    "read",
    "risk",
    "run",
    "super_graph",
    "to_frame",
    "to_matrix",
    "to_networkx",
    "utility",
    "write",
]

_ROOM_OF = {
    "Adjacency": "graph",
    "Alternative": "alternatives",
    "ClosedTwinAnonymity": "models",
    "DegreeAnonymity": "models",
    "Graph": "graph",
    "GraphRelease": "release",
    "GraphRisk": "risk",
    "GraphUtility": "utility",
    "KLAnonymity": "models",
    "KnowledgeRisk": "risk",
    "LinkRisk": "risk",
    "NeighbourhoodAnonymity": "models",
    "Quotient": "quotient",
    "Result": "checking",
    "SuperGraph": "super_release",
    "alternatives": "alternatives",
    "check": "checking",
    "masked": "attributes",
    "perturbed": "perturbation",
    "read": "files",
    "risk": "risk",
    "run": "running",
    "super_graph": "super_graphs",
    "to_frame": "files",
    "to_matrix": "files",
    "to_networkx": "files",
    "utility": "utility",
    "write": "files",
}


class _Graphs(ModuleType):
    """The package; ``risk``, ``utility`` and ``alternatives`` are functions in it, though rooms are called so too."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _ROOM_OF or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Graphs


def __getattr__(name: str) -> Any:
    """Load a public name from its room."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'celosia.graphs' has no attribute '{name}'")
    found = getattr(import_module(f"celosia.graphs.{_ROOM_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names."""
    return list(__all__)
