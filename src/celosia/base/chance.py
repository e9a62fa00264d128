"""Where chance comes from: the operating system's secure generator, or a seed for tests.

Without a seed every draw comes from ``secrets``, so that nobody can rebuild the order of the output or the first row
of a search. With a seed everything repeats; the result is then marked, because a known seed lets an attacker undo
the shuffle.
"""

from __future__ import annotations

import hashlib
import secrets

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError


class Randomness:
    """A source of random permutations and integers.

    Parameters
    ----------
    seed
        ``None`` for the operating system's secure generator, or a whole number from 0 for repeatable draws.

    Examples
    --------
    >>> Randomness(seed=1).permutation(4).tolist() == Randomness(seed=1).permutation(4).tolist()
    True
    >>> sorted(Randomness().permutation(3).tolist())
    [0, 1, 2]
    """

    def __init__(self, seed: int | None = None) -> None:
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
            raise OptionError(
                "seed must be a whole number from 0.", hint="leave it out for secure randomness.", about="seed"
            )
        self.seed = seed
        self._generator = None if seed is None else np.random.Generator(np.random.PCG64(seed))

    def apart(self, purpose: str) -> Randomness:
        """Return a source for another purpose: with a seed it repeats too, and has no draw in common with this one.

        Two shuffles by the same draws would undo each other.

        Examples
        --------
        >>> one, other = Randomness(1), Randomness(1).apart("files")
        >>> one.permutation(9).tolist() == other.permutation(9).tolist()
        False
        """
        if self.seed is None:
            return Randomness()
        return Randomness(int.from_bytes(hashlib.sha256(f"{self.seed} {purpose}".encode()).digest()[:8]))

    def _words(self, n: int) -> NDArray[np.uint64]:
        if self._generator is not None:
            return self._generator.integers(0, 2**64, size=n, dtype=np.uint64)
        return np.frombuffer(secrets.token_bytes(8 * n), dtype=np.uint64)

    def keys(self, n: int) -> NDArray[np.uint64]:
        """Return ``n`` random 64-bit keys, for breaking ties between equal rows."""
        return self._words(n)

    def permutation(self, n: int) -> NDArray[np.intp]:
        """Return the numbers 0 .. n-1 in random order, by sorting 64-bit keys."""
        return np.argsort(self._words(n), kind="stable")

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to ``limit`` - 1."""
        if self._generator is not None:
            return int(self._generator.integers(limit))
        return secrets.randbelow(limit)
