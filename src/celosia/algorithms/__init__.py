"""Searches for classes: one file each."""

from __future__ import annotations

from celosia.algorithms.k_members import KMembers
from celosia.algorithms.l_greedy import LGreedy
from celosia.algorithms.mondrian import Mondrian

__all__ = ["KMembers", "LGreedy", "Mondrian"]
