"""The peak memory of this process. Standard library only: it also runs in the peers' environments."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

__all__ = ["peak_mb"]

_STATUS = Path("/proc/self/status")


def peak_mb() -> float:
    """Return the most memory (resident set, MB of 10^6 bytes) that this process has held so far.

    Linux starts ``ru_maxrss`` of a new process at its parent's peak; the kernel's own mark of the address space
    (``VmHWM``) begins at nothing and is taken where it exists.
    """
    if _STATUS.exists():
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
