"""Sample uniqueness: few rows stand alone in their class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import UnreachableError
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.models.base import Monotone, Need
from celosia.models.people import beyond_share, demand_overall, demand_people, exact_share, n_placed_people, people_word


@dataclass(frozen=True)
class SampleUniqueness:
    """At most a share of the published rows is in a class of one person.

    It holds just if ``(1/n) * sum of rows_j over the classes j with people_j = 1`` is at most ``share``. It is decided
    exactly.

    Parameters
    ----------
    share
        A number from 0 and below 1.

    Guarantee
    ---------
    At most this share of the rows is singled out by the quasi-identifiers within the release. Everybody else shares a
    class with at least one more person, which leaves a chance of up to 1 / 2 of linking a person to the right row. It
    says nothing of who is unique in the population that the rows were drawn from, does not hide a secret that all rows
    of a class share, and does not protect against a second release of the same rows.

    Raises
    ------
    OptionError
        The share is not a number from 0 and below 1.

    References
    ----------
    Skinner, C. J. & Elliot, M. J. (2002). A measure of disclosure risk for microdata.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [30, 31, 32, 70]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> classes = Classes([0, 0, 0, 1])
    >>> SampleUniqueness(0.25).broken(classes, table).tolist(), SampleUniqueness(0.1).broken(classes, table).tolist()
    ([], [1])
    """

    share: float
    name: ClassVar[str] = "sample_uniqueness"
    needs: ClassVar[tuple[Need, ...]] = ()
    monotone: ClassVar[Monotone] = Monotone(generalising=True, merging=True, suppressing=False)

    def __post_init__(self) -> None:
        exact_share("share", self.share, zero=True, hint="0.05 lets 5 % of the rows stand alone, 0 none.")
        object.__setattr__(self, "share", float(self.share))

    @property
    def smallest_class(self) -> int:
        """The least number of people a class may have: 1, since some may stand alone."""
        return 1

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Raise ``UnreachableError`` if the rows that can be published are about fewer than two people."""
        n_people = n_placed_people(table)
        if n_people < 2:
            raise UnreachableError(
                f"nobody stands alone only among at least 2 {people_word(table)}: the rows of {table.name} that can be "
                f"published have {n_people}; sample_uniqueness allows {self.share:.1%} of the rows.",
                hint="a table of fewer than two people cannot be anonymised. Nothing was written.",
                about="models",
            )

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand two people of every class, so that nobody stands alone."""
        demand_people(demands, table, rows, 2)

    def add_overall(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand of all classes together what the model says."""
        demand_overall(demands, table, rows, 2, exact_share("share", self.share, zero=True))

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes of one person, if they hold more than the share of the rows; else none."""
        alone = np.flatnonzero(classes.units(table.subjects) == 1)
        return beyond_share(classes, alone, exact_share("share", self.share, zero=True))

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"share": share}``."""
        return {"share": self.share}
