"""Population uniqueness: what its estimators stand on.

Somebody unique in a sample need not be unique in the population that it was drawn from. Estimators of the number of
population uniques read nothing but the histogram of the class sizes and the size of the population.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import InputError, OptionError
from celosia.base.fields import Result
from celosia.base.wording import Said
from celosia.measure.risk.base import class_counts

_MOST_PEOPLE = 2**53
"""The greatest number up to which floating point holds every whole number."""


@dataclass(frozen=True)
class PopulationUniqueness(Result):
    """How many people are estimated to be unique in the population that a table was drawn from.

    Attributes
    ----------
    estimator
        The one that gave the figure: ``zayatz``, ``pitman`` or ``snb``.
    uniques
        The estimated number of population uniques, from 0 to ``population_size``; ``None`` where there is no estimate.
    reason
        Why there is none; ``None`` where there is one.
    population_size
        How many people the population has.
    n_people
        How many people the table has: the sizes of its classes, summed.
    sample_uniques
        How many of them are alone in their class.
    parameters
        What the estimator solved for, by name; empty where nothing had to be solved.

    Examples
    --------
    >>> PopulationUniqueness("zayatz", 12.0, None, 48, 6, 3).share
    0.25
    """

    estimator: str
    uniques: float | None
    reason: str | None
    population_size: int
    n_people: int
    sample_uniques: int
    parameters: Mapping[str, float] = field(default_factory=dict)

    shown = ("estimator", "uniques", "share", "reason", "population_size", "n_people", "sample_uniques", "parameters")

    @property
    def share(self) -> float | None:
        """The estimated share of the population that is unique; ``None`` where there is no estimate."""
        return None if self.uniques is None else self.uniques / self.population_size


@dataclass(frozen=True, eq=False)
class Sample:
    """The histogram of class sizes, in people, of a table drawn from a population.

    Attributes
    ----------
    sizes
        The sizes that classes have, ascending.
    n_of_size
        How many classes have each of them: s_i.
    population_size
        N, at least ``n_people``.

    Examples
    --------
    >>> sample = Sample(np.array([1, 2, 5]), np.array([4, 3, 2]), 100)
    >>> sample.n_people, sample.n_classes, sample.n_classes_of(1), sample.n_classes_of(3)
    (20, 9, 4, 0)
    """

    sizes: NDArray[np.int64]
    n_of_size: NDArray[np.int64]
    population_size: int

    @cached_property
    def n_people(self) -> int:
        """The people of the sample, n."""
        return int(self.sizes @ self.n_of_size)

    @cached_property
    def n_classes(self) -> int:
        """The classes of the sample, u."""
        return int(self.n_of_size.sum())

    def n_classes_of(self, size: int) -> int:
        """Return how many classes have so many people."""
        return int(self.n_of_size[self.sizes == size].sum())

    def settled(self, estimator: str) -> PopulationUniqueness | None:
        """Return what needs no estimator: nobody in the sample, nobody unique in it, everybody in it; else ``None``."""
        if not self.n_people:
            return self.undefined(estimator, Said("the table holds nobody, so that nothing can be estimated."))
        n_alone = self.n_classes_of(1)
        if not n_alone or self.n_people == self.population_size:
            return self.estimated(estimator, float(n_alone))
        return None

    def estimated(self, estimator: str, uniques: float, **parameters: float) -> PopulationUniqueness:
        """Return an estimate."""
        return PopulationUniqueness(
            estimator, uniques, None, self.population_size, self.n_people, self.n_classes_of(1), parameters
        )

    def undefined(self, estimator: str, reason: str, **parameters: float) -> PopulationUniqueness:
        """Return that there is no estimate, and why: undefined is not zero, which reads as "nobody is unique"."""
        return PopulationUniqueness(
            estimator, None, reason, self.population_size, self.n_people, self.n_classes_of(1), parameters
        )


def sample_of(table_or_release: Any, population_size: int) -> Sample:
    """Return the class sizes of a table, a release or classes as a sample of a population.

    Raises
    ------
    InputError
        ``population_size`` is no whole number, or below the people of the classes; or the source is none of the three.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> sample_of(Classes([0, 0, 1, 2]), 50).n_classes_of(1)
    2
    """
    if isinstance(population_size, bool) or not isinstance(population_size, Integral):
        raise OptionError(
            "population_size must be a whole number of people.",
            hint="write the number in full: population_size=47000000.",
            about="population_size",
        )
    sizes, n_of_size = np.unique(class_counts(table_or_release).people, return_counts=True)
    sample = Sample(sizes.astype(np.int64), n_of_size.astype(np.int64), int(population_size))
    if not max(sample.n_people, 1) <= population_size <= _MOST_PEOPLE:
        raise InputError(
            f"population_size is {population_size}, but the classes hold {sample.n_people} people and no population "
            f"has more than {_MOST_PEOPLE}.",
            hint="give the size of the population that the rows were drawn from; whoever is in several classes counts "
            "in each.",
            about="population_size",
        )
    return sample


def bisected(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function that is positive at ``low`` and not at ``high`` changes its sign, as near as floats go.

    Examples
    --------
    >>> bisected(lambda x: 2 - x * x, 1.0, 2.0)
    1.4142135623730951
    """
    while low < (middle := low + (high - low) / 2) < high:
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return high
