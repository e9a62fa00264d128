"""k-anonymity: every published row is equal to at least k - 1 others on all quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import OptionError, UnreachableError
from celosia.base.fields import Demand
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.models.base import Monotone, Need
from celosia.models.people import demand_people, people_word


@dataclass(frozen=True)
class KAnonymity(Demand):
    """Every class has at least k people: k rows, or k distinct subjects where the schema names a subject column.

    Parameters
    ----------
    k
        A whole number from 2.

    Guarantee
    ---------
    Whoever knows a person's quasi-identifiers, and nothing else, links that person to the right row with a chance of
    at most 1 / k. It holds against linking on the declared quasi-identifiers only. It does not hide a secret that all
    rows of a class share, does not protect against a second release of the same rows, and drops to 1 / (k - c) where
    c people of a class pool their own rows.

    Raises
    ------
    OptionError
        k is not a whole number from 2.

    References
    ----------
    Sweeney, L. (2002). k-anonymity: a model for protecting privacy.

    Examples
    --------
    >>> KAnonymity(5).to_dict()
    {'k': 5}
    """

    k: int
    name: ClassVar[str] = "k_anonymity"
    needs: ClassVar[tuple[Need, ...]] = ()
    monotone: ClassVar[Monotone] = Monotone(generalising=True, merging=True, suppressing=True)
    """More rows never hold fewer people."""

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, Integral) or self.k < 2:
            raise OptionError(
                "k must be a whole number from 2.", hint="k = 1 hides nobody; 3 to 10 is usual, more for public data."
            )
        object.__setattr__(self, "k", int(self.k))

    @property
    def smallest_class(self) -> int:
        """The least number of people a class may have: k."""
        return self.k

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Raise ``UnreachableError`` if the table is about fewer than k people; suppressing rows does not help."""
        if table.n_units < self.k:
            raise UnreachableError(
                f"{self.k}-anonymity needs at least {self.k} {people_word(table)}; {table.name} has {table.n_units}.",
                hint="lower k, or gather more rows. Nothing was written."
                if table.n_units >= 2
                else "a table of fewer than two people cannot be anonymised. Nothing was written.",
            )

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand k rows of a class, or k distinct subjects."""
        demand_people(demands, table, rows, self.k)

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes with fewer than k people."""
        return np.flatnonzero(classes.units(table.subjects) < self.k)
