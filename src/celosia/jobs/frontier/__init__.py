"""Frontiers: what protection costs, over k, algorithm and suppression."""

from __future__ import annotations

from celosia.jobs.frontier.point import Point
from celosia.jobs.frontier.result import Frontier
from celosia.jobs.frontier.searching import frontier

__all__ = ["Frontier", "Point", "frontier"]
