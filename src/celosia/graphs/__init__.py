"""Graphs: the same rooms as for tables. Vertices are people, edges are what links them.

Read ``graph.py`` first.
Names are loaded when they are first used, as those of ``celosia`` are.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from celosia.base.lazy import lazy

if TYPE_CHECKING:
    from celosia.graphs.alternatives import *
    from celosia.graphs.attributes import *
    from celosia.graphs.checking import *
    from celosia.graphs.files import *
    from celosia.graphs.graph import *
    from celosia.graphs.models import *
    from celosia.graphs.quotient import *
    from celosia.graphs.risk import *
    from celosia.graphs.utility import *

# fmt: off
_NAMES_IN = {
    "graphs.alternatives": ["Alternative", "alternatives"],
    "graphs.attributes": ["masked"],
    "graphs.checking": ["Result", "check"],
    "graphs.files": ["read", "to_frame", "to_matrix", "to_networkx", "write"],
    "graphs.graph": ["Adjacency", "Graph"],
    "graphs.models": ["ClosedTwinAnonymity", "DegreeAnonymity", "KLAnonymity", "NeighbourhoodAnonymity"],
    "graphs.quotient": ["Quotient"],
    "graphs.risk": ["GraphRisk", "KnowledgeRisk", "LinkRisk", "risk"],
    "graphs.utility": ["GraphUtility", "utility"],
    # What makes releases lies with the way of the work; it is offered here because users look for it here.
    "jobs.graphs.perturbation": ["perturbed"],
    "jobs.graphs.release": ["GraphRelease"],
    "jobs.graphs.running": ["run"],
    "jobs.graphs.super_graphs": ["super_graph"],
    "jobs.graphs.super_release": ["SuperGraph"],
}
# fmt: on


class _Graphs(ModuleType):
    """The package; ``risk``, ``utility`` and ``alternatives`` are functions in it, though rooms are called so too."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in __all__ or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Graphs
__getattr__, __dir__, __all__ = lazy(__name__, _NAMES_IN)
