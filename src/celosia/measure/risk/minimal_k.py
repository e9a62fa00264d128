"""The smallest k that keeps the risk of re-identification at a threshold."""

from __future__ import annotations

import math
from fractions import Fraction

from celosia.measure.risk.base import exact_probability
from celosia.measure.risk.reading import flag, whole


def minimal_k(
    threshold: float | str | Fraction, attempt: float | str | Fraction, *, strict: bool = False, floor: int = 3
) -> int:
    """Return the smallest k with ``attempt / k <= threshold``, but never less than the floor.

    The risk of re-identification is the chance that somebody tries, times the chance 1 / k that they find the row.
    Decimal texts are taken as they are written, so that a quotient that is whole is one: with floating point 3 of the
    30 cells of the manual's table come out wrong under ``strict``.

    Parameters
    ----------
    threshold
        The risk that is accepted, in (0, 1].
    attempt
        The chance that somebody tries, in (0, 1].
    strict
        Whether the risk must lie below the threshold; at the threshold is enough otherwise.
    floor
        What is never gone below, from 1 on. Where an attempt is improbable enough the formula alone gives k = 1, and
        a class of one names its person to whoever tries; the tool never takes less than 2 by itself.

    Raises
    ------
    OptionError
        An option is not in its range. A threshold of 2 is none: it is a probability.

    Examples
    --------
    >>> minimal_k(threshold=0.1, attempt=0.3), minimal_k(threshold=0.1, attempt=0.3, strict=True)
    (3, 4)
    >>> minimal_k(threshold=0.2, attempt=0.03), minimal_k(threshold=0.2, attempt=0.03, floor=1)
    (3, 1)
    """
    least = whole(floor, "floor", least=1)
    accepted = exact_probability(threshold)
    tried = exact_probability(attempt, "attempt", hint="0.25 is one chance in four; 1 is certain, as in the open.")
    return max(least, smallest_people(accepted, tried, strict=flag(strict, "strict")))


def smallest_people(threshold: Fraction, attempt: Fraction, *, strict: bool) -> int:
    """Return how many people a class needs for ``attempt / people`` to be accepted; at least 1.

    Examples
    --------
    >>> smallest_people(Fraction(1, 5), Fraction(1), strict=True)
    6
    """
    quotient = attempt / threshold
    return max(1, math.floor(quotient) + 1 if strict else math.ceil(quotient))
