"""The digests of a column, ready to be looked for among those of candidates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
        self._last_slot = np.uint32(n_slots - 1)
        self._slots = np.zeros(n_slots, dtype=np.bool_)
        self._slots[_first_words(digests) & self._last_slot] = True

    def __len__(self) -> int:
        return len(self._digests)

    @property
    def n_bytes(self) -> int:
        """How long a digest is."""
        return int(self._digests.shape[1])

    def hits(self, digests: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the places of the candidates that hit, and which target each of them hits."""
        candidates = np.flatnonzero(self._slots.take(_first_words(digests) & self._last_slot))
        hitting = digests[candidates]
        places = np.minimum(np.searchsorted(self._keys, _keys(hitting)), len(self) - 1)
        found = self._order[places]
        equal = (self._digests[found] == hitting).all(axis=1)
        return candidates[equal], found[equal]


def _first_words(digests: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return the first four bytes of each digest as a number, without a copy: every length is a multiple of four."""
    words: NDArray[np.uint32] = digests.reshape(-1).view(np.uint32)[:: digests.shape[1] // 4]
    return words


def _keys(digests: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the first bytes of each digest as a number, for the order."""
    size = min(8, digests.shape[1])
    return np.ascontiguousarray(digests[:, :size]).view(f"u{size}").reshape(len(digests)).astype(np.uint64)
