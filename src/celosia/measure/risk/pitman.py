"""Pitman's model: population uniques where classes keep appearing as the sample grows."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.wording import Said
from celosia.measure.risk.uniqueness import PopulationUniqueness, Sample, bisected, sample_of

_Number = TypeVar("_Number", float, NDArray[np.float64])

_FAR = 20
"""From here on the asymptotic series of digamma is as exact as floats are."""

_MOST_ODDS = 25
"""The range of log(alpha / (1 - alpha)), on both sides of 0."""


def pitman(table_or_release: Any, population_size: int) -> PopulationUniqueness:
    """Estimate the population uniques under Pitman's two-parameter model of a sampled partition.

    With u classes of n people, s_j of them of j people, theta and alpha are the most likely ones: they solve

    ``sum_{i=1}^{u-1} 1 / (theta + i alpha) = sum_{i=1}^{n-1} 1 / (theta + i)`` and
    ``sum_{i=1}^{u-1} i / (theta + i alpha) = sum_{j>=2} s_j sum_{i=1}^{j-1} 1 / (i - alpha)``.

    The estimate is ``Gamma(theta + 1) / Gamma(theta + alpha) * N^alpha``.

    Parameters
    ----------
    table_or_release
        A table, a release or classes. Where the schema names a subject, people are counted and not rows.
    population_size
        N, a whole number, at least the people of the table.

    Guarantee
    ---------
    None: it is an estimate, for people drawn with equal chances from a population that follows the model. It is
    undefined, and ``reason`` says why, unless ``0 < alpha < 1``, ``theta > -alpha`` and the estimate is at most N. Its
    formula is that of a population much larger than theta.

    Raises
    ------
    InputError
        ``population_size`` is no whole number, or the table has more people.

    References
    ----------
    Pitman, J. (1996). Random discrete distributions invariant under size-biased permutation.
    Hoshino, N. (2001). Applying Pitman's sampling formula to microdata disclosure risk assessment.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> found = pitman(Classes([0, 1, 2, 3, 4, 5, 6, 7] + [8, 9, 10] * 2 + [11] * 9), population_size=10_000)
    >>> round(found.uniques, 3), {name: round(value, 4) for name, value in found.parameters.items()}
    (197.195, {'theta': 2.8082, 'alpha': 0.5145})
    """
    return pitman_of(sample_of(table_or_release, population_size))


def pitman_of(sample: Sample) -> PopulationUniqueness:
    """Return the estimate under Pitman's model from a histogram of class sizes.

    Examples
    --------
    >>> pitman_of(Sample(np.array([1]), np.array([3]), 30)).uniques is None
    True
    """
    if (settled := sample.settled("pitman")) is not None:
        return settled
    if sample.n_classes == sample.n_people:
        reason = Said("nobody shares a class with anybody, which leaves Pitman's equations without a solution.")
        return sample.undefined("pitman", reason)
    odds = _most_likely(sample)
    if odds is None:
        reason = Said("Pitman's equations have no solution with alpha between 0 and 1.")
        return sample.undefined("pitman", reason)
    alpha, rest = _shares(odds)
    above = _theta_above(sample, alpha, rest)
    theta = above - alpha
    uniques = math.exp(_log_gamma_ratio(above, rest) + alpha * math.log(sample.population_size))
    if uniques > sample.population_size:
        reason = Said("Pitman's formula gives more uniques than the population has people: it is too small for it.")
        return sample.undefined("pitman", reason, theta=theta, alpha=alpha)
    return sample.estimated("pitman", uniques, theta=theta, alpha=alpha)


def _shares(odds: float) -> tuple[float, float]:
    """Return alpha and 1 - alpha, each with all its digits, at a logarithm of alpha's odds."""
    return 1 / (1 + math.exp(-odds)), 1 / (1 + math.exp(odds))


def _most_likely(sample: Sample) -> float | None:
    """Return log(alpha / (1 - alpha)) at the likelihood's highest point; ``None`` where it only falls with alpha.

    The slope is that of the likelihood at the best theta for each alpha. It ends at minus infinity, so that the last
    place where it is positive is followed by the maximum.
    """

    def slope(odds: float) -> float:
        alpha, rest = _shares(odds)
        above = _theta_above(sample, alpha, rest)
        return rank_sum(above / alpha, sample.n_classes - 1) / alpha - _sum_within(sample, rest)

    for odds in range(_MOST_ODDS - 1, -_MOST_ODDS - 1, -1):
        if slope(float(odds)) > 0:
            return bisected(slope, float(odds), float(odds + 1))
    return None


def _theta_above(sample: Sample, alpha: float, rest: float) -> float:
    """Return theta + alpha, above 0, from the first equation: for each alpha just one theta solves it.

    Each of the left side's u - 1 terms is above the right side's of the same place, and the right side has more terms.
    So where the sums are equal the left side's squares sum to more, and the difference crosses 0 downwards: once only.
    """
    n_left, n_right = sample.n_classes - 1, sample.n_people - 1

    def difference(log_above: float) -> float:
        above = math.exp(log_above)
        return reciprocal_sum(above / alpha, n_left) / alpha - reciprocal_sum(above + rest, n_right)

    low = -math.log(2 * reciprocal_sum(rest, n_right))
    high = max(low, 0.0) + 1
    while difference(high) > 0:
        high += 2
    return math.exp(bisected(difference, low, high))


def _sum_within(sample: Sample, rest: float) -> float:
    """Return the right side of the second equation, ``sum_{j>=2} s_j sum_{i=1}^{j-1} 1 / (i - alpha)``."""
    n_terms = sample.sizes - 1
    heads = np.concatenate([[0.0], np.cumsum(1 / (rest + np.arange(_FAR)))])
    start = rest + _FAR - 0.5
    end = start + np.maximum(n_terms - _FAR, 0)
    tails = np.log1p((end - start) / start) + (_series(end) - _series(start))
    return float((heads[np.minimum(n_terms, _FAR)] + tails) @ sample.n_of_size)


def reciprocal_sum(first: float, n_terms: int) -> float:
    """Return ``sum_{i=0}^{n_terms-1} 1 / (first + i)`` for a ``first`` above 0, in constant time.

    Examples
    --------
    >>> round(reciprocal_sum(1.0, 4), 12) == round(1 + 1 / 2 + 1 / 3 + 1 / 4, 12)
    True
    """
    n_heads = _n_heads(first, n_terms)
    return sum(1 / (first + i) for i in range(n_heads)) + _reciprocal_tail(first + n_heads, n_terms - n_heads)


def rank_sum(first: float, n_terms: int) -> float:
    """Return ``sum_{i=0}^{n_terms-1} (i + 1) / (first + i)`` for a ``first`` above 0, in constant time.

    Examples
    --------
    >>> round(rank_sum(1.0, 4), 12), round(rank_sum(2.0, 4), 12) == round(1 / 2 + 2 / 3 + 3 / 4 + 4 / 5, 12)
    (4.0, True)
    """
    n_heads = _n_heads(first, n_terms)
    heads = sum((i + 1) / (first + i) for i in range(n_heads))
    start, n_tail = first + n_heads, n_terms - n_heads
    return heads + n_heads * _reciprocal_tail(start, n_tail) + _rank_tail(start, n_tail)


def _n_heads(first: float, n_terms: int) -> int:
    """Return how many terms are summed one by one, before the series is exact."""
    return min(n_terms, max(0, math.ceil(_FAR - first)))


def _reciprocal_tail(first: float, n_terms: int) -> float:
    """Return the sum of reciprocals from a number at least ``_FAR`` on: digamma(first + n_terms) - digamma(first)."""
    start = first - 0.5
    return math.log1p(n_terms / start) + (_series(start + n_terms) - _series(start))


def _rank_tail(first: float, n_terms: int) -> float:
    """Return the sum of ranks over numbers, ``n_terms - (first - 1) * _reciprocal_tail``, where nothing cancels."""
    start = first - 0.5
    share = n_terms / start
    correction = (first - 1) * (_series(start) - _series(start + n_terms))
    return start * _beyond_log(share) + math.log1p(share) / 2 + correction


def _beyond_log(x: float) -> float:
    """Return x - log(1 + x) for an x from 0, with all its digits where x is small."""
    if x > 0.03:
        return x - math.log1p(x)
    return sum((-x) ** power / power for power in range(11, 1, -1))


def _series(z: _Number) -> _Number:
    """Return digamma(z + 1/2) - log(z), from z = ``_FAR`` on."""
    square = 1 / (z * z)
    return square * (1 / 24 + square * (-7 / 960 + square * (31 / 8064 - square * 127 / 30720)))


def _log_gamma_ratio(low: float, step: float) -> float:
    """Return log(Gamma(low + step) / Gamma(low)) for a step from 0 to 1, where two large numbers would cancel."""
    if low < 100:
        return math.lgamma(low + step) - math.lgamma(low)
    high = low + step
    stirling = (1 / high - 1 / low) / 12 - (high**-3 - low**-3) / 360
    return (low - 0.5) * math.log1p(step / low) + step * math.log(high) - step + stirling
