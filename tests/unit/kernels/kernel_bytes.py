"""Rows of bytes as kernels take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def packed(rows: Sequence[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Rows one after the other, and where each begins."""
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.frombuffer(b"".join(rows), dtype=np.uint8), offsets
