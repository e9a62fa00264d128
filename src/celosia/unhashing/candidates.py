"""Candidate values as bytes, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["Candidates", "beside", "digits"]

_GROUP = 4
_N_PER_GROUP = 10**_GROUP


@dataclass(frozen=True, eq=False)
class Candidates:
    """Values one after the other in one array of bytes, as the kernels take them.

    Attributes
    ----------
    data, offsets
        Value i is ``data[offsets[i]:offsets[i + 1]]``.
    width
        How many bytes every value has; 0 if they differ.

    Examples
    --------
    >>> Candidates.of([b"a", b"bc"]).values
    [b'a', b'bc']
    """

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    width: int = 0

    @classmethod
    def of(cls, values: Sequence[bytes]) -> Candidates:
        """Put values of any lengths together."""
        offsets = np.cumsum([0, *map(len, values)], dtype=np.int64)
        return cls(np.frombuffer(b"".join(values), dtype=np.uint8), offsets)

    @classmethod
    def of_rows(cls, rows: NDArray[np.uint8]) -> Candidates:
        """Take values of one length, a row each."""
        n, width = rows.shape
        return cls(rows.reshape(-1), np.arange(n + 1, dtype=np.int64) * width, width)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def values(self) -> list[bytes]:
        """All values, each as an object of its own."""
        if self.width:  # no value made of digits and letters ends in a zero byte, which this way of reading would cut
            rows: list[bytes] = self.data.view(f"S{self.width}").tolist()
            return rows
        joined = self.data.tobytes()
        return [joined[begin:end] for begin, end in pairwise(self.offsets.tolist())]


def digits(numbers: NDArray[np.int64], width: int) -> NDArray[np.uint8]:
    """Spell numbers in decimal with leading zeros, a row each.

    Examples
    --------
    >>> digits(np.array([7, 1234567]), 8).tobytes()
    b'0000000701234567'
    """
    rows = np.empty((len(numbers), width), dtype=np.uint8)
    # Divisions of 32 bits take half the time.
    rest: NDArray[np.int64] | NDArray[np.uint32] = numbers.astype(np.uint32) if width <= 9 else numbers
    end = width
    while end > 0:
        rest, group = np.divmod(rest, np.asarray(_N_PER_GROUP, dtype=rest.dtype))
        begin = max(0, end - _GROUP)
        rows[:, begin:end] = _groups()[group][:, _GROUP - (end - begin) :]
        end = begin
    return rows


def beside(*parts: bytes | NDArray[np.uint8]) -> Candidates:
    """Join parts of one length side by side; bytes stand in every value.

    Examples
    --------
    >>> beside(b"+34", digits(np.array([600000001, 700000002]), 9)).values
    [b'+34600000001', b'+34700000002']
    """
    n = next(len(part) for part in parts if not isinstance(part, bytes))
    blocks = [
        np.broadcast_to(np.frombuffer(part, dtype=np.uint8), (n, len(part))) if isinstance(part, bytes) else part
        for part in parts
    ]
    return Candidates.of_rows(np.concatenate(blocks, axis=1))


@cache
def _groups() -> NDArray[np.uint8]:
    """Return the spellings of 0000 to 9999."""
    text = "".join(f"{number:04d}" for number in range(_N_PER_GROUP)).encode()
    return np.frombuffer(text, dtype=np.uint8).reshape(-1, _GROUP)
