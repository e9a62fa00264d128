"""Zayatz's estimator of population uniques: how likely classes of each size shrink to one person in the sample."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.measure.risk.uniqueness import PopulationUniqueness, Sample, sample_of


def zayatz(table_or_release: Any, population_size: int) -> PopulationUniqueness:
    """Estimate the population uniques by Zayatz's method, which takes the sample's class sizes for the population's.

    A sample unique is a population unique with the chance ``P = s_1 h_1 / sum_i s_i h_i``, where s_i is the number of
    classes of i people and ``h_i = i C(N - i, n - 1) / C(N, n)`` the chance that just one of i marked people is among
    n drawn of N. The estimate is ``s_1 P N / n``, from 0 to N.

    Parameters
    ----------
    table_or_release
        A table, a release or classes. Where the schema names a subject, people are counted and not rows.
    population_size
        N, a whole number, at least the people of the table.

    Guarantee
    ---------
    None: it is an estimate, for people drawn with equal chances. Sample classes are smaller than those of the
    population, so that it tends to be too high where the sample is small. It is always defined, unless nobody is in the
    table.

    Raises
    ------
    InputError
        ``population_size`` is no whole number, or the table has more people.

    References
    ----------
    Zayatz, L. (1991). Estimation of the percent of unique population elements on a microdata file using the sample.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> found = zayatz(Classes([0, 1, 2, 3] + [4, 5, 6] * 2 + [7, 8] * 5), population_size=100)
    >>> round(found.uniques, 4), round(found.parameters["probability"], 6), found.sample_uniques
    (6.1303, 0.306515, 4)
    """
    return zayatz_of(sample_of(table_or_release, population_size))


def zayatz_of(sample: Sample) -> PopulationUniqueness:
    """Return Zayatz's estimate from a histogram of class sizes.

    Examples
    --------
    >>> zayatz_of(Sample(np.array([1]), np.array([3]), 30)).uniques
    30.0
    """
    if (settled := sample.settled("zayatz")) is not None:
        return settled
    n_alone, n, size = sample.n_classes_of(1), sample.n_people, sample.population_size
    weighed = _chances_of_one(sample.sizes, n, size) * sample.n_of_size
    probability = n_alone / math.fsum(weighed.tolist())
    return sample.estimated("zayatz", min(n_alone * probability * size / n, float(size)), probability=probability)


def _chances_of_one(sizes: NDArray[np.int64], n: int, size: int) -> NDArray[np.float64]:
    """Return h_i / h_1 for each class size i, ``i * prod_{t=0}^{i-2} (N - n - t) / (N - 1 - t)``.

    Differences of log-gamma would lose every digit for a large N: their values grow as N log N while the ratio stays
    near 1. Each factor is a ratio of whole numbers that floats hold, so that the logarithms can simply be summed.
    """
    n_factors = min(int(sizes[-1]) - 1, size - n)
    steps = np.arange(n_factors, dtype=np.float64)
    left, of = (size - n) - steps, (size - 1) - steps
    logs = np.where(2 * left < of, np.log(left / of), np.log1p(-np.minimum((n - 1) / of, 0.75)))
    product = np.concatenate([[0.0], np.cumsum(logs), [-np.inf]])
    chances: NDArray[np.float64] = sizes * np.exp(product[np.minimum(sizes - 1, n_factors + 1)])
    return chances
