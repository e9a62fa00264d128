"""The results of a run as one JSON file, and how they are looked up again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Results"]

_REFERENCE_K = 10


@dataclass
class Results:
    """Everything that was measured.

    Attributes
    ----------
    machine
        Processor, cores, memory, versions, date.
    tables
        Title, rows and columns of each table by its name.
    runs, peers
        A dict per measurement, ours and the peers'; those that failed have ``error`` instead of figures.
    """

    machine: dict[str, Any]
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    runs: list[dict[str, Any]] = field(default_factory=list)
    peers: list[dict[str, Any]] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Write the whole file anew; an interrupted run leaves the last whole one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        unfinished.write_text(json.dumps(vars(self), indent=1, allow_nan=False) + "\n", encoding="utf-8")
        unfinished.replace(path)

    @classmethod
    def read(cls, path: Path) -> Results:
        """Read a file that ``write`` wrote."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def ks(self, table: str) -> list[int]:
        """Return the values of k that were measured on a table."""
        return sorted({run["k"] for run in self.runs if run["table"] == table})

    def reference_k(self, table: str) -> int:
        """Return the k at which a table's searches are shown side by side: 10, or the nearest there is."""
        return min(self.ks(table), key=lambda k: abs(k - _REFERENCE_K))

    def done(self, table: str, k: int | None = None) -> list[dict[str, Any]]:
        """Return our measurements of a table (at one k) that did not fail."""
        return list(_done(self.runs, table, k))

    def peers_done(self, table: str, k: int | None = None) -> list[dict[str, Any]]:
        """Return the peers' measurements of a table (at one k) that did not fail."""
        return list(_done(self.peers, table, k))


def _done(measurements: Iterable[dict[str, Any]], table: str, k: int | None) -> Iterable[dict[str, Any]]:
    return (one for one in measurements if one["table"] == table and k in (None, one["k"]) and "error" not in one)
