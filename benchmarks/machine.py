"""What the figures were measured on: never the machine's name."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import celosia as cl

__all__ = ["n_cores", "statement"]


def statement() -> dict[str, Any]:
    """Return processor, cores, memory, versions and date."""
    return {
        "processor": _processor(),
        "cores": n_cores(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": platform.system(),
        "python": platform.python_version(),
        "celosia": cl.__version__,
        "numpy": np.__version__,
        "polars": pl.__version__,
        "date": datetime.now(UTC).date().isoformat(),
    }


def n_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
