"""Frontiers: what protection costs, over k, algorithm and suppression."""

from __future__ import annotations

from celosia.frontiers.point import Point
from celosia.frontiers.result import Frontier
from celosia.frontiers.searching import frontier

__all__ = ["Frontier", "Point", "frontier"]
