"""What the models that count people share: shares read exactly, people counted, people demanded of a search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import OptionError
from celosia.base.fields import Demand
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.models.base import Monotone, Need


def exact_share(
    option: str, got: object, *, zero: bool = False, one: bool = False, hint: str | None = None
) -> Fraction:
    """Return a share between 0 and 1 as its decimal text spells it; ``zero`` and ``one`` allow the ends.

    Raises
    ------
    OptionError
        It is no such number.

    Examples
    --------
    >>> exact_share("limit", 0.1)
    Fraction(1, 10)
    """
    if isinstance(got, int | float) and not isinstance(got, bool) and 0 <= got <= 1:
        share = Fraction(str(got))
        if (share > 0 or zero) and (share < 1 or one):
            return share
    low, high = "from 0" if zero else "above 0", "up to 1" if one else "below 1"
    raise OptionError(f"{option} must be a number {low} and {high}.", hint=hint or None, about=option.split()[-1])


def fewest_people(risk: Fraction) -> int:
    """Return the least number of people f of a class with 1 / f at or below a risk.

    Examples
    --------
    >>> fewest_people(Fraction("0.2")), fewest_people(Fraction("0.19"))
    (5, 6)
    """
    return ceil(1 / risk)


def people_word(table: Table) -> str:
    """Return what people are counted as in a table: rows, or distinct subjects."""
    return "rows" if table.subjects is None else "distinct subjects"


def n_placed_people(table: Table) -> int:
    """Return how many people the rows are about that can be published."""
    placed = ~table.unplaced
    return int(placed.sum()) if table.subjects is None else len(np.unique(table.subjects[placed]))


def demand_people(demands: kernels.Demands, table: Table, rows: NDArray[np.intp], least: int) -> None:
    """Tell the kernels that a class needs so many rows, or so many distinct subjects."""
    if table.subjects is None:
        demands.add_rows(least)
    else:
        demands.add_distinct(np.ascontiguousarray(table.subjects[rows], dtype=np.int32), least)


class JudgesTogether(Demand, ABC):
    """A model about all classes together: it bounds what the small ones among them weigh.

    To demand it of each of them, as ``add_demand`` does, is enough, and more than it asks.
    """

    needs: ClassVar[tuple[Need, ...]] = ()
    monotone: ClassVar[Monotone] = Monotone(generalising=True, merging=True, suppressing=False)
    share: float
    _is_mean: ClassVar[bool] = False
    """Whether it bounds the mean risk of all rows, and not the share of rows in small classes."""

    smallest_class: ClassVar[int] = 1
    """The least number of people a class may have: 1, since larger classes can make up for it."""

    @property
    @abstractmethod
    def _least(self) -> int:
        """The least number of people of a class that is not small."""

    @property
    def _most(self) -> Fraction:
        """The greatest share, or mean risk, that is allowed."""
        return exact_share("share", self.share, zero=True)

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand that no class is small, which is enough for all of them together."""
        demand_people(demands, table, rows, self._least)

    def add_overall(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Tell a search that recodes whole columns what all classes of these rows must hold together."""
        people = None if table.subjects is None else np.ascontiguousarray(table.subjects[rows], dtype=np.int32)
        demands.add_overall(self._is_mean, self._least, float(self._most), people)

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the small classes, if together they weigh more than is allowed; else none."""
        small = np.flatnonzero(classes.units(table.subjects) < self._least)
        return small if self._exceeds(classes, table, small) else small[:0]

    def _exceeds(self, classes: Classes, table: Table, small: NDArray[np.int64]) -> bool:
        """Whether small classes hold more than the share of the published rows."""
        return bool(int(classes.sizes[small].sum()) > self._most * classes.n_published)
