"""The digests of a column, ready to be looked for among those of candidates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Targets"]

_FEWEST_SLOTS, _MOST_SLOTS = 2**16, 2**26
_SLOTS_PER_DIGEST = 16


class Targets:
    """Distinct digests, a row each.

    Nearly every candidate hits nothing: one look into a table of a bit per digest tells so, and the few others are
    sought by halving and compared in full.

    Examples
    --------
    >>> targets = Targets(np.array([[1, 2, 3, 4], [9, 9, 9, 9]], dtype=np.uint8))
    >>> candidates, found = targets.hits(np.array([[0, 0, 0, 0], [9, 9, 9, 9]], dtype=np.uint8))
    >>> candidates.tolist(), found.tolist()
    ([1], [1])
    """

    def __init__(self, digests: NDArray[np.uint8]) -> None:
        keys = _keys(digests)
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        self._digests = digests
        wanted = len(digests) * _SLOTS_PER_DIGEST
        n_slots = min(max(1 << max(wanted - 1, 1).bit_length(), _FEWEST_SLOTS), _MOST_SLOTS)
        self._last_slot = np.uint64(n_slots - 1)
        self._slots = np.zeros(n_slots, dtype=np.bool_)
        self._slots[keys & self._last_slot] = True

    def __len__(self) -> int:
        return len(self._digests)

    @property
    def n_bytes(self) -> int:
        """How long a digest is."""
        return int(self._digests.shape[1])

    def hits(self, digests: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the places of the candidates that hit, and which target each of them hits."""
        keys = _keys(digests)
        candidates = np.flatnonzero(self._slots.take((keys & self._last_slot).view(np.int64)))
        places = np.minimum(np.searchsorted(self._keys, keys[candidates]), len(self) - 1)
        found = self._order[places]
        equal = (self._digests[found] == digests[candidates]).all(axis=1)
        return candidates[equal], found[equal]


def _keys(digests: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the first bytes of each digest as a number."""
    n, width = digests.shape
    if width % 8 == 0:  # nothing has to be copied
        first: NDArray[np.uint64] = digests.reshape(-1).view(np.uint64)[:: width // 8]
        return first
    size = min(8, width)
    return np.ascontiguousarray(digests[:, :size]).view(f"u{size}").reshape(n).astype(np.uint64)
