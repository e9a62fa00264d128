"""``celosia graph``: what a graph gives away, how to make it anonymous, and what is kept; one file per command."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from celosia.cli.graph.check import check
from celosia.cli.graph.compare import compare
from celosia.cli.graph.run import run

__all__ = ["COMMANDS"]

COMMANDS: Mapping[str, Callable[..., None]] = {"check": check, "run": run, "compare": compare}
"""The commands by their names, in the order of ``--help``."""
