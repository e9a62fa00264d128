"""How likely it is that two people get one keyed code, and the length that makes it unlikely."""

from __future__ import annotations

import math

from celosia.masks.vault.codes import CodeSpace

RARE = 1e-6
"""The chance of a collision below which nobody need think of it."""

GROWTH = 10
"""Later data sets may hold so many times as many people as this one."""

_LONGEST = 64


def collision_chance(n: int, size: int) -> float:
    """Return the chance that two of ``n`` random codes are equal: 1 - exp(-n (n - 1) / (2 size)).

    Examples
    --------
    >>> round(collision_chance(23, 365), 2)
    0.5
    """
    return -math.expm1(-n * (n - 1) / (2 * size))


def enough_length(n: int, space: CodeSpace) -> int | None:
    """Return the least length at which that is rare for ``GROWTH`` times ``n`` people; ``None`` if no length will do.

    Examples
    --------
    >>> enough_length(2000, CodeSpace("digits", 6))
    15
    """
    base = len(space.characters)
    fits = (length for length in range(1, _LONGEST + 1) if collision_chance(GROWTH * n, base**length) < RARE)
    return next(fits, None)
