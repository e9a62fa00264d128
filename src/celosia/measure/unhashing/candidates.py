"""Candidate values as bytes, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

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
        return cls(rows.reshape(-1), _even_offsets(n, width), width)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def value(self, place: int) -> bytes:
        """Return one value."""
        return self.data[self.offsets[place] : self.offsets[place + 1]].tobytes()

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
    for end in range(width, 0, -_GROUP):
        begin = max(0, end - _GROUP)
        above = rest // rest.dtype.type(_N_PER_GROUP)
        _put(rows, begin, _groups(end - begin).take(rest - above * rest.dtype.type(_N_PER_GROUP), axis=0))
        rest = above
    return rows


def stripped(numbers: NDArray[np.int64], width: int) -> Candidates:
    """Spell numbers of at most ``width`` digits in decimal without leading zeros.

    Examples
    --------
    >>> stripped(np.array([0, 7, 120]), 4).values
    [b'0', b'7', b'120']
    """
    lengths = np.searchsorted(10 ** np.arange(1, width), numbers, side="right") + 1
    is_kept = np.arange(width) >= (width - lengths)[:, None]
    return Candidates(digits(numbers, width)[is_kept], np.concatenate([[0], np.cumsum(lengths)]))


def beside(*parts: bytes | NDArray[np.uint8]) -> Candidates:
    """Join parts of one length side by side; bytes stand in every value.

    Examples
    --------
    >>> beside(b"+34", digits(np.array([600000001, 700000002]), 9)).values
    [b'+34600000001', b'+34700000002']
    """
    n = next(len(part) for part in parts if not isinstance(part, bytes))
    widths = [len(part) if isinstance(part, bytes) else part.shape[1] for part in parts]
    rows = np.empty((n, sum(widths)), dtype=np.uint8)
    begin = 0
    for part, width in zip(parts, widths, strict=True):
        if isinstance(part, bytes):
            rows[:, begin : begin + width] = np.frombuffer(part, dtype=np.uint8)
        else:
            _put(rows, begin, part)
        begin += width
    return Candidates.of_rows(rows)


def _put(rows: NDArray[np.uint8], begin: int, part: NDArray[np.uint8]) -> None:
    """Copy a part into rows, up to eight bytes of a row at a time: a copy byte by byte takes several times as long."""
    done, width = 0, part.shape[1]
    for size in (8, 4, 2, 1):
        while width - done >= size:
            to = rows[:, begin + done : begin + done + size].view(f"u{size}")
            to[...] = part[:, done : done + size].view(f"u{size}")
            done += size


@lru_cache(maxsize=32)
def _even_offsets(n: int, width: int) -> NDArray[np.int64]:
    return np.arange(n + 1, dtype=np.int64) * width


@cache
def _groups(width: int) -> NDArray[np.uint8]:
    """Return the last digits of 0000 to 9999, so many of them."""
    text = "".join(f"{number:04d}" for number in range(_N_PER_GROUP)).encode()
    return np.ascontiguousarray(np.frombuffer(text, dtype=np.uint8).reshape(-1, _GROUP)[:, _GROUP - width :])
