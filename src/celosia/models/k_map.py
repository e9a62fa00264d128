"""k-map: every published row fits at least k people of the population that the table was drawn from."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import ceil
from numbers import Integral
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import InputError, OptionError, UnreachableError
from celosia.base.numbers import checked_whole
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.models.base import Monotone, Need
from celosia.models.people import demand_people, exact_share, n_placed_people, people_word
from celosia.models.population import Crowd, Population

_DIGITS = 40
"""More digits than a sum of so many Poisson terms can lose."""


@dataclass(frozen=True)
class KMap:
    """Every class fits at least k people of a population, most of whom the table may not hold.

    With a population table it holds just if ``min_j F_j >= k``, where ``F_j`` counts the people of the population whose
    quasi-identifiers all lie inside what class j publishes: between the ends of a range, in a set, under a node. ``*``
    contains everything; a class that publishes a missing value fits people whose value is missing. Values that a
    hierarchy does not know fit ``*`` only, and a centroid stands for the range or set of its class.

    With the size N of a population it estimates: the n rows are taken as drawn at random, so that a class of k people
    of the population holds X of the table's, X about Poisson with mean ``k * n / N``. It holds just if every class has
    at least ``min(k, k')`` people, where k' is the least number with ``P(X >= k') <= significance``.

    Parameters
    ----------
    k
        A whole number from 2.
    population
        A pandas, Polars or Arrow table with every quasi-identifier, one row per person (or with the table's subject
        column), that holds everybody in the table; or the path of such a file; or the number of people N.
    significance
        A number above 0 and below 1: how often a class may seem to fit k people by chance. It goes with N alone.

    Guarantee
    ---------
    Whoever knows the quasi-identifiers of people of the population, but not who of them is in the table, and nothing
    else, links a person to the right row with a chance of at most 1 / k. It does not hold against anybody who knows
    that a person is in the table: against them demand k-anonymity. With N it is an estimate that stands on random
    sampling, and says nothing where rows were chosen. It does not hide a secret that all rows of a class share, and
    does not protect against a second release of the same rows.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        The population cannot be read.

    References
    ----------
    Sweeney, L. (2001). Computational disclosure control: a primer on data privacy protection.
    El Emam, K. & Dankar, F. K. (2008). Protecting privacy using k-anonymity.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [30, 33, 70]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> people = pl.DataFrame({"age": [30, 31, 32, 33, 69, 70]})
    >>> KMap(3, population=people).broken(Classes([0, 0, 1]), table).tolist()
    [1]
    >>> KMap(3, population=1000).broken(Classes([0, 0, 1]), table).tolist()
    []
    """

    k: int
    population: Any
    significance: float = 0.05
    _crowds: WeakKeyDictionary[Table, Crowd] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )
    name: ClassVar[str] = "k_map"
    needs: ClassVar[tuple[Need, ...]] = ("population",)
    monotone: ClassVar[Monotone] = Monotone(generalising=True, merging=True, suppressing=True)
    smallest_class: ClassVar[int] = 1
    """The least number of people a class may have: 1, since the population's are counted and not the table's."""

    def __post_init__(self) -> None:
        k = checked_whole("k", self.k, 2, "k = 1 hides nobody; 3 to 10 is usual, more for public data.")
        object.__setattr__(self, "k", k)
        exact_share("significance", self.significance, hint="0.05 is usual.")
        size = self.population
        if isinstance(size, Integral) and not isinstance(size, bool):
            if size < 1:
                raise OptionError(
                    "a population of people must be at least 1.", hint="write population: 100000.", about="population"
                )
            object.__setattr__(self, "population", int(size))
        else:
            object.__setattr__(self, "population", Population.of(size))
        object.__setattr__(self, "significance", float(self.significance))

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Raise ``UnreachableError`` if even all rows as one class, which fits the most people, fit fewer than k.

        Suppressing rows only narrows what that class publishes, so that ``n_spare`` is of no help.
        """
        if isinstance(self.population, int):
            self._check_sample(table)
            return
        n_people = int(self.n_people(Classes(np.where(table.unplaced, -1, 0)), table).max(initial=0))
        if n_people < self.k:
            raise UnreachableError(
                f"{self.k}-map needs at least {self.k} people of {self.population.name} in every class; all rows of "
                f"{table.name} that can be published, as one class, fit {n_people} of its {self.population.n_rows}.",
                hint=f"k = {n_people} is the most that can be met. Nothing was written."
                if n_people >= 2
                else "check that the population has the same columns, spelt the same way. Nothing was written.",
                about="models",
            )

    def n_people(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return how many people of the population table each class fits.

        Raises
        ------
        ColumnNotFoundError
            The population lacks a quasi-identifier.
        InputError
            A class holds more people than it fits, so that the population does not hold everybody in the table; or
            the population is a number.
        """
        if isinstance(self.population, int):
            raise InputError("a number of people does not tell how many of them each class fits.")
        n_fitting, box = self._crowd(table).count(classes)
        published = Classes(np.append(box, -1)[classes.labels])  # equal boxes are one class to anybody outside
        n_wrong = int((n_fitting < published.units(table.subjects)[box]).sum())
        if n_wrong:
            raise InputError(
                f"{n_wrong} of {classes.n_classes} classes hold more people than {self.population.name} has in them: "
                f"it does not hold everybody in {table.name}.",
                hint="k_map needs the population that the rows were drawn from, its values spelt the same way.",
                about="models",
            )
        return n_fitting

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes that fit fewer than k people, or with N have too few of the table's.

        Raises
        ------
        ColumnNotFoundError, InputError
            As ``n_people``; or the table has more people than N.
        """
        if isinstance(self.population, int):
            return np.flatnonzero(classes.units(table.subjects) < self._least(table, self.population))
        return np.flatnonzero(self.n_people(classes, table) < self.k)

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand as many people as make a class fit k people of the population on average, or with N have to be there.

        A class fits at least as many people as it has, so that k would be enough, and far too much for a small sample
        of a large population. How many a class really fits hangs on all its rows together, which kernels cannot see:
        the classes that then fit too few are left to be merged.
        """
        if isinstance(self.population, int):
            least = self._least(table, self.population)
        else:
            n_all = max(self._crowd(table).n_people, 1)
            least = min(self.k, ceil(Fraction(self.k * n_placed_people(table), n_all)))
        if least > 1:
            demand_people(demands, table, rows, least)

    def evidence(self) -> dict[str, Any]:
        """Return what a verifier needs besides the options: the population table as text columns, if there is one."""
        return {
            "population": None if isinstance(self.population, int) else self.population.texts(),
            "hierarchy": None,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"k": k, "population": "given"}``, or with N that number and the significance."""
        if isinstance(self.population, int):
            return {"k": self.k, "population": self.population, "significance": self.significance}
        return {"k": self.k, "population": "given"}

    def _crowd(self, table: Table) -> Crowd:
        """Return the population as the table's columns see it; kept, since a search asks again and again."""
        if table not in self._crowds:
            self._crowds[table] = Crowd(self.population, table)
        return self._crowds[table]

    def _least(self, table: Table, size: int) -> int:
        """Return how many people of the table a class needs; ``InputError`` if there are more than N."""
        if size < table.n_units:
            raise InputError(
                f"k_map says that the population has {size} people, but {table.name} has {table.n_units} "
                f"{people_word(table)}.",
                hint="give the size of the population that the rows were drawn from.",
                about="models",
            )
        # Where people have several rows the sample seems larger than it is, which only makes the demand stricter.
        return _least_in_sample(self.k, table.n_rows, size, str(self.significance))

    def _check_sample(self, table: Table) -> None:
        least, n_people = self._least(table, int(self.population)), n_placed_people(table)
        if n_people < least:
            raise UnreachableError(
                f"{self.k}-map in a population of {self.population} people needs at least {least} "
                f"{people_word(table)} in every class; the rows of {table.name} that can be published have {n_people}.",
                hint="lower k, or gather more rows. Nothing was written.",
                about="models",
            )


@lru_cache
def _least_in_sample(k: int, n_rows: int, size: int, significance: str) -> int:
    """Return min(k, k'): k' is the least with P(X >= k') <= significance, X Poisson with mean k * n_rows / size."""
    if n_rows >= size:
        return k
    most = Decimal(significance)
    with localcontext() as context:
        context.prec = _DIGITS - most.adjusted()  # as many more as the difference from 1 takes away
        context.Emin, context.Emax = MIN_EMIN, MAX_EMAX
        mean = Decimal(k * n_rows) / size
        term = (-mean).exp()
        tail, least = 1 - term, 1
        while tail > most and least < k:
            term = term * mean / least
            tail -= term
            least += 1
    return least
