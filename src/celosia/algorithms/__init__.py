"""Searches for classes: one file each."""

from __future__ import annotations

from celosia.algorithms.datafly import Datafly
from celosia.algorithms.exact import Exact
from celosia.algorithms.genetic import Genetic
from celosia.algorithms.hilbert_order import HilbertOrder
from celosia.algorithms.k_members import KMembers
from celosia.algorithms.l_greedy import LGreedy
from celosia.algorithms.lattice import Lattice
from celosia.algorithms.mondrian import Mondrian
from celosia.algorithms.reference_order import ReferenceOrder
from celosia.algorithms.top_down import TopDown
from celosia.algorithms.weave import Weave

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
