"""Acquaintance: the chance that whoever receives the data knows somebody in them."""

from __future__ import annotations

import math
from fractions import Fraction

from celosia.base.errors import OptionError
from celosia.measure.risk.reading import whole

DUNBAR = 150
"""How many people a person knows well enough to recognise, unless told otherwise (Dunbar's number)."""

_MANKIND = 10**10
"""More people than there are."""


def acquaintance(q: float | str | Fraction, m: int = DUNBAR) -> float:
    """Return ``1 - (1 - q)^m``: the chance that at least one of m acquaintances is in the data.

    It stands for P(attempt) where a person is recognised inadvertently. It is computed as ``-expm1(m * log1p(-q))``,
    which keeps its digits where q is small.

    Parameters
    ----------
    q
        The share of the reference population that is in the data (or has the trait by which one is recognised), in
        [0, 1]. With 0 nobody can be recognised.
    m
        How many people the recipient knows, from 0 to 10**10.

    Raises
    ------
    OptionError
        ``q`` is no share, or ``m`` no whole number from 0 to 10**10.

    References
    ----------
    Dunbar, R. (1992). Neocortex size as a constraint on group size in primates.

    Examples
    --------
    >>> [round(acquaintance(q), 4) for q in (0.01, 0.001, 0.0001)]
    [0.7785, 0.1394, 0.0149]
    """
    share, known = float(exact_share(q)), known_people(m)
    if share == 1:
        return 1.0 if known else 0.0
    return -math.expm1(known * math.log1p(-share)) + 0.0  # no -0.0


def known_people(m: object) -> int:
    """Return how many people somebody knows, or raise ``OptionError``: no more than there are.

    Examples
    --------
    >>> known_people(150)
    150
    """
    return whole(m, "m", least=0, most=_MANKIND)


def exact_share(q: float | str | Fraction) -> Fraction:
    """Return a share in [0, 1] as the exact number that its decimal text says.

    Examples
    --------
    >>> exact_share(0.001), exact_share(0)
    (Fraction(1, 1000), Fraction(0, 1))
    """
    try:
        exact = q if isinstance(q, Fraction) else Fraction(-1 if isinstance(q, bool) else str(q))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if not 0 <= exact <= 1:
        raise OptionError(
            "q must lie in [0, 1]: it is the share of the population that is in the data.",
            hint="0.001 is one person in a thousand.",
            about="q",
        )
    return exact
