"""The shifted negative binomial: population uniques of a population whose class sizes follow it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from celosia.base.wording import Said
from celosia.measure.risk.uniqueness import PopulationUniqueness, Sample, bisected, sample_of

_ENDS = (-36.0, 700.0)
"""The range of log((1 - b) / b): wider, b would be 0 or 1 in floating point."""


def snb(table_or_release: Any, population_size: int) -> PopulationUniqueness:
    """Estimate the population uniques of a population whose class sizes follow a shifted negative binomial.

    A population class has ``1 + Y`` people, ``P(Y = y) = C(a + y - 1, y) b^a (1 - b)^y``. Of each class a share
    ``pi = n / N`` is drawn, so that with ``d = (1 - pi)(1 - b)`` a sample of K population classes is expected to have

    ``s_1 = K pi (b / (1 - d))^a (1 + a d / (1 - d))`` classes of one person and
    ``s_2 = K a b^a pi^2 (1 - b) (2 - (1 - a) d) / (2 (1 - d)^(a + 2))`` of two.

    K is estimated from all class sizes (Haas and Stokes' third form of Shlosser's estimator), a and b solve the two
    equations, and the estimate is ``K b^a``. It is never above ``s_1 / pi``.

    Parameters
    ----------
    table_or_release
        A table, a release or classes. Where the schema names a subject, people are counted and not rows.
    population_size
        N, a whole number, at least the people of the table.

    Guarantee
    ---------
    None: it is an estimate, for people drawn with equal chances from a population whose class sizes follow the model.
    Where the equations have no solution with ``a > 0`` and ``0 < b < 1`` it is undefined, and ``reason`` says why.

    Raises
    ------
    InputError
        ``population_size`` is no whole number, or the table has more people.

    References
    ----------
    Chen, G. & Keller-McNulty, S. (1998). Estimation of identification disclosure risk in microdata.
    Haas, P. J. & Stokes, L. (1998). Estimating the number of classes in a finite population.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> found = snb(Classes([0, 1, 2, 3, 4, 5, 6, 7] + [8, 9, 10] * 2 + [11] * 9), population_size=60)
    >>> round(found.uniques, 3), {name: round(value, 4) for name, value in found.parameters.items()}
    (9.351, {'a': 0.5676, 'b': 0.2149, 'n_classes': 22.383})
    """
    return snb_of(sample_of(table_or_release, population_size))


def snb_of(sample: Sample) -> PopulationUniqueness:
    """Return the shifted negative binomial's estimate from a histogram of class sizes.

    Examples
    --------
    >>> snb_of(Sample(np.array([1]), np.array([3]), 30)).uniques is None
    True
    """
    if (settled := sample.settled("snb")) is not None:
        return settled
    n_alone, n_pairs = sample.n_classes_of(1), sample.n_classes_of(2)
    if not n_pairs:
        reason = Said("no class has just two people, which leaves the shifted negative binomial without a solution.")
        return sample.undefined("snb", reason)
    n_classes = _n_population_classes(sample)
    drawn = sample.n_people / sample.population_size
    model = _Model(drawn, (sample.population_size - sample.n_people) / sample.population_size, 2 * n_pairs / n_alone)
    target = math.log(n_alone) - math.log(n_classes * drawn)

    def beyond(odds: float) -> float:
        return model.log_alone(odds) - target

    if beyond(_ENDS[0]) <= 0 or beyond(_ENDS[1]) > 0:
        reason = Said("the shifted negative binomial has no solution with a above 0 and b between 0 and 1.")
        return sample.undefined("snb", reason, n_classes=n_classes)
    odds = bisected(beyond, *_ENDS)
    a, b = model.a(odds), 1 / (1 + math.exp(odds))
    return sample.estimated("snb", n_classes * math.exp(-a * _softplus(odds)), a=a, b=b, n_classes=n_classes)


def _n_population_classes(sample: Sample) -> float:
    """Return the estimated number of population classes, K."""
    sizes, counts = sample.sizes.astype(np.float64), sample.n_of_size
    drawn = sample.n_people / sample.population_size
    log_left = math.log((sample.population_size - sample.n_people) / sample.population_size)
    log_more = math.log1p(drawn)
    once = float(np.exp((sizes - 1) * (log_left + log_more)) * sizes @ counts) * drawn**2
    seen = float(np.exp(sizes * (log_left + log_more)) * -np.expm1(-sizes * log_more) @ counts)
    unseen = float(np.exp(sizes * log_left) @ counts)
    alone = float(np.exp((sizes - 1) * log_left) * sizes @ counts) * drawn
    return sample.n_classes + sample.n_classes_of(1) * (once / seen) * (unseen / alone) ** 2


class _Model:
    """The two equations, of which the ratio gives ``a`` for each b and the first then falls as b does.

    With ``w = 1 - d`` and ``rho = 2 s_2 / (pi s_1)`` the ratio says ``(1 - b) d a^2 + ((1 - b)(2 - d) - rho d w) a =
    rho w^2``: its constant is negative, so that just one solution is positive. b is carried as the logarithm of its
    odds, ``log((1 - b) / b)``, which keeps every digit of b and of 1 - b.
    """

    def __init__(self, drawn: float, left: float, pairs_over_alone: float) -> None:
        self._drawn = drawn
        self._left = left
        self._ratio = pairs_over_alone / drawn

    def _parts(self, odds: float) -> tuple[float, float, float]:
        """Return 1 - b, d and 1 - d."""
        rest = math.exp(-_softplus(-odds))
        return rest, self._left * rest, self._drawn + self._left * math.exp(-_softplus(odds))

    def a(self, odds: float) -> float:
        """Return the only positive a that makes the ratio of the equations right."""
        rest, d, w = self._parts(odds)
        linear, constant = rest * (2 - d) - self._ratio * d * w, self._ratio * w * w
        root = math.sqrt(linear * linear + 4 * rest * d * constant)
        return 2 * constant / (linear + root) if linear >= 0 else (root - linear) / (2 * rest * d)

    def log_alone(self, odds: float) -> float:
        """Return log(s_1 / (K pi)): it falls from that of 1 + a Poisson number to minus infinity."""
        rest, d, w = self._parts(odds)
        lost = self._drawn * rest / w
        log_kept = math.log1p(-lost) if lost < 0.5 else -_softplus(odds) - math.log(w)
        a = self.a(odds)
        return a * log_kept + math.log1p(a * d / w)


def _softplus(x: float) -> float:
    """Return log(1 + exp(x)), which is -log(b) at the log odds x."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))
