"""Dankar's rule: which estimator of population uniques to trust, by the share of the population that was drawn."""

from __future__ import annotations

from typing import Any

from celosia.measure.risk.pitman import pitman_of
from celosia.measure.risk.snb import snb_of
from celosia.measure.risk.uniqueness import PopulationUniqueness, sample_of
from celosia.measure.risk.zayatz import zayatz_of


def dankar(table_or_release: Any, population_size: int) -> PopulationUniqueness:
    """Estimate the population uniques by the estimator that Dankar's rule chooses.

    With ``n / N <= 0.1`` it is Pitman's, or Zayatz's where Pitman's is undefined. With more it is the lower one of
    Zayatz's and the shifted negative binomial's, or Zayatz's where that is undefined. ``estimator`` says which one.

    Parameters
    ----------
    table_or_release
        A table, a release or classes. Where the schema names a subject, people are counted and not rows.
    population_size
        N, a whole number, at least the people of the table.

    Guarantee
    ---------
    None: it is an estimate, for people drawn with equal chances. The rule was found on clinical data; on other tables
    another estimator may be nearer.

    Raises
    ------
    InputError
        ``population_size`` is no whole number, or the table has more people.

    References
    ----------
    Dankar, F. K., El Emam, K., Neisa, A. & Roffey, T. (2012). Estimating the re-identification risk of clinical data
    sets. BMC Medical Informatics and Decision Making 12.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> classes = Classes([0, 1, 2, 3, 4, 5, 6, 7] + [8, 9, 10] * 2 + [11] * 9)
    >>> [dankar(classes, population_size=size).estimator for size in (60, 10_000)]
    ['snb', 'pitman']
    """
    sample = sample_of(table_or_release, population_size)
    if 10 * sample.n_people <= sample.population_size:
        found = pitman_of(sample)
        return zayatz_of(sample) if found.uniques is None else found
    upper, found = zayatz_of(sample), snb_of(sample)
    if upper.uniques is None or found.uniques is None or upper.uniques <= found.uniques:
        return upper
    return found
