"""Isolation: k-anonymity does not keep a predicate from singling somebody out."""

from __future__ import annotations

from fractions import Fraction

from celosia.measure.risk.reading import whole


def isolation(n_people: int) -> float:
    """Return how likely a predicate that needs no more than the release singles out one person of a class.

    "In this class, and a hash of the person falls into a share 1 / f of all hashes" holds for exactly one of f people
    with the chance ``(1 - 1 / f)^(f - 1)``, which falls towards 1 / e and never below. The general answer that
    k-anonymity excludes singling out (WP29, Opinion 05/2014) is contested for that reason.

    Parameters
    ----------
    n_people
        The people of the class, f, from 1.

    Raises
    ------
    OptionError
        It is no whole number from 1.

    References
    ----------
    Cohen, A. & Nissim, K. (2020). Towards formalizing the GDPR's notion of singling out.

    Examples
    --------
    >>> [round(isolation(f), 3) for f in (2, 3, 5)]
    [0.5, 0.444, 0.41]
    """
    people = whole(n_people, "n_people", least=1)
    return (1 - 1 / people) ** (people - 1) if people > 1000 else float((1 - Fraction(1, people)) ** (people - 1))
