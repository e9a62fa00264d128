"""Draws that several masks need: numbers in [0, 1), standard normals, permutations within groups.

All are made of the 64-bit keys of ``Randomness``: secure without a seed, repeatable with one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness

_AT_ONCE = 1 << 17
"""How many numbers are made in one go: more would only take memory."""


def uniforms(randomness: Randomness, n: int) -> NDArray[np.float64]:
    """Return ``n`` numbers from [0, 1), each a multiple of 2^-53: the upper 53 bits of a key.

    Examples
    --------
    >>> made = uniforms(Randomness(seed=1), 1000)
    >>> bool(made.min() >= 0), bool(made.max() < 1)
    (True, True)
    """
    made = np.empty(n)
    for start in range(0, n, _AT_ONCE):
        part = made[start : start + _AT_ONCE]
        np.multiply(randomness.keys(len(part)) >> np.uint64(11), 2.0**-53, out=part)
    return made


def normals(randomness: Randomness, n: int) -> NDArray[np.float64]:
    """Return ``n`` independent standard normal numbers.

    By Box and Muller: with u in (0, 1] and v in [0, 1) uniform, sqrt(-2 ln u) cos(2 pi v) and sqrt(-2 ln u) sin(2 pi v)
    are two of them. As u has 53 bits, nothing lies beyond 8.6 standard deviations (a chance of 10^-17).

    Examples
    --------
    >>> made = normals(Randomness(seed=1), 10_000)
    >>> bool(abs(made.mean()) < 0.05), bool(abs(made.std() - 1) < 0.05)
    (True, True)
    """
    made = np.empty(n)
    for start in range(0, n, _AT_ONCE):
        part = made[start : start + _AT_ONCE]
        n_pairs = -(-len(part) // 2)
        radius = np.sqrt(-2 * np.log(1 - uniforms(randomness, n_pairs)))
        angle = 2 * np.pi * uniforms(randomness, n_pairs)
        part[:n_pairs] = radius * np.cos(angle)
        part[n_pairs:] = (radius * np.sin(angle))[: len(part) - n_pairs]
    return made


def within_groups(randomness: Randomness, codes: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Return for each row the row whose value it takes: a permutation that leaves every group's rows in the group.

    All such permutations are equally likely: rows are sorted by (code, random key), and the sorted rows of a group are
    handed to its rows in their order.

    Parameters
    ----------
    codes
        The group of each row.

    Examples
    --------
    >>> codes = np.array([7, 3, 7, 3, 7])
    >>> source = within_groups(Randomness(seed=1), codes)
    >>> sorted(source.tolist()), codes[source].tolist()
    ([0, 1, 2, 3, 4], [7, 3, 7, 3, 7])
    """
    if len(codes) == 0 or codes.min() == codes.max():
        return randomness.permutation(len(codes))
    groups = _narrowed(codes)
    shuffled = randomness.permutation(len(codes))
    shuffled = shuffled[np.argsort(groups[shuffled], kind="stable")]
    source = np.empty(len(codes), dtype=np.intp)
    source[np.argsort(groups, kind="stable")] = shuffled
    return source


def deranged_within_groups(randomness: Randomness, codes: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Do the same such that no row takes its own value; the row of a group of one keeps its place.

    All such permutations are equally likely: a group with a row in its own place is drawn again as a whole. As at least
    a third of the permutations of two rows or more (1/e of many) leave none in place, a few rounds are enough.

    Examples
    --------
    >>> source = deranged_within_groups(Randomness(seed=1), np.array([7, 7, 7, 3]))
    >>> source[3], bool((source[:3] == np.arange(3)).any())
    (np.int64(3), False)
    """
    if len(codes) > 1 and codes.min() == codes.max():
        return _deranged(randomness, len(codes))
    source = within_groups(randomness, codes)
    fixed = np.flatnonzero(source == np.arange(len(codes)))
    if not len(fixed):
        return source
    groups = _narrowed(codes)
    sizes = np.bincount(groups)
    while len(again := np.unique(groups[fixed[sizes[groups[fixed]] > 1]])):
        is_again = np.zeros(len(sizes), dtype=np.bool_)
        is_again[again] = True
        rows = np.flatnonzero(is_again[groups])
        source[rows] = rows[within_groups(randomness, groups[rows])]
        fixed = rows[source[rows] == rows]
    return source


def _deranged(randomness: Randomness, n: int) -> NDArray[np.intp]:
    """Do so for one group of two rows or more."""
    while True:
        source = randomness.permutation(n)
        if not (source == np.arange(n)).any():
            return source
        del source  # before the next one is drawn: both at once would take twice the memory


def _narrowed(codes: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    """Return codes from 0 on that are equal where ``codes`` are; of 16 bits where these do, since they sort fastest."""
    least, greatest = int(codes.min()), int(codes.max())
    if greatest - least > 4 * len(codes) + 2**16:
        ranks: NDArray[np.integer[Any]] = np.unique(codes, return_inverse=True)[1]
        return ranks
    shifted: NDArray[np.integer[Any]] = np.subtract(codes, least, dtype=np.int64)
    return shifted.astype(np.uint16) if greatest - least < 2**16 else shifted
