"""Average risk: the mean chance that a row is linked to its person stays within a limit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import UnreachableError
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.models.people import JudgesTogether, exact_share, fewest_people, n_placed_people, people_word


@dataclass(frozen=True)
class AverageRisk(JudgesTogether):
    """The mean over the published rows of 1 / people in the row's class is at most a limit.

    It holds just if ``(1/n) * sum_j rows_j / people_j <= limit``; where rows are people that is ``J / n``, the number
    of classes over the number of rows. It is decided exactly.

    Parameters
    ----------
    limit
        A number above 0 and below 1.

    Guarantee
    ---------
    Whoever knows the quasi-identifiers of everybody in the release, and nothing else, and links each row to one of the
    people of its class by chance, is right on average for at most this share of the rows. It bounds no single row:
    one person may stand alone in a class as long as others make up for it. Demand k-anonymity beside it. It does not
    hide a secret that all rows of a class share, and does not protect against a second release of the same rows.

    Raises
    ------
    OptionError
        The limit is not a number above 0 and below 1.

    References
    ----------
    El Emam, K. (2013). Guide to the de-identification of personal health information.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [30, 31, 32, 70]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> classes = Classes([0, 0, 0, 1])
    >>> AverageRisk(0.5).broken(classes, table).tolist(), AverageRisk(0.4).broken(classes, table).tolist()
    ([], [1])
    """

    limit: float
    name: ClassVar[str] = "average_risk"
    _is_mean: ClassVar[bool] = True

    def __post_init__(self) -> None:
        exact_share("limit", self.limit, hint="0.1 allows the risk of classes of ten people, on average.")
        object.__setattr__(self, "limit", float(self.limit))

    @property
    def _most(self) -> Fraction:
        return exact_share("limit", self.limit)

    @property
    def _least(self) -> int:
        return fewest_people(self._most)

    def mean(self, classes: Classes, table: Table) -> Fraction | None:
        """Return the mean risk of the published rows; ``None`` where nothing is published."""
        if not classes.n_classes:
            return None
        people, place = np.unique(classes.units(table.subjects), return_inverse=True)
        n_rows = np.zeros(len(people), dtype=np.int64)
        np.add.at(n_rows, place.reshape(-1), classes.sizes)
        return sum(map(Fraction, n_rows.tolist(), people.tolist()), Fraction(0)) / classes.n_published

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Raise ``UnreachableError`` if all rows in one class, the least risk there is, are above the limit.

        Suppressing rows leaves that class fewer people, so that ``n_spare`` is of no help.
        """
        n_people, least = n_placed_people(table), self._least
        if n_people < least:
            raise UnreachableError(
                f"an average risk of at most {self.limit:g} needs at least {least} {people_word(table)}, even if all "
                f"rows were one class; the rows of {table.name} that can be published have {n_people}.",
                hint="raise the limit, or gather more rows. Nothing was written.",
                about="models",
            )

    def _exceeds(self, classes: Classes, table: Table, small: NDArray[np.int64]) -> bool:
        mean = self.mean(classes, table)
        return mean is not None and mean > self._most
