"""Searches for classes: one file each. Read ``base.py`` first, then ``task.py``."""

from __future__ import annotations

from celosia.search.datafly import Datafly
from celosia.search.exact import Exact
from celosia.search.genetic import Genetic
from celosia.search.hilbert_order import HilbertOrder
from celosia.search.k_members import KMembers
from celosia.search.l_greedy import LGreedy
from celosia.search.lattice import Lattice
from celosia.search.mondrian import Mondrian
from celosia.search.reference_order import ReferenceOrder
from celosia.search.top_down import TopDown
from celosia.search.weave import Weave

__all__ = [
    "Datafly",
    "Exact",
    "Genetic",
    "HilbertOrder",
    "KMembers",
    "LGreedy",
    "Lattice",
    "Mondrian",
    "ReferenceOrder",
    "TopDown",
    "Weave",
]
