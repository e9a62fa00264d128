"""Share at risk: few rows stand in classes so small that their risk is above a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from celosia.base.errors import UnreachableError
from celosia.data.schema import Table
from celosia.models.people import JudgesTogether, exact_share, fewest_people, n_placed_people, people_word


@dataclass(frozen=True)
class ShareAtRisk(JudgesTogether):
    """At most a share of the published rows has a risk of 1 / people in the class above a threshold.

    It holds just if ``(1/n) * sum of rows_j over the classes j with 1 / people_j > threshold`` is at most ``share``. A
    risk at the threshold is not above it. It is decided exactly.

    Parameters
    ----------
    share
        A number from 0 and below 1.
    threshold
        A number above 0 and up to 1.

    Guarantee
    ---------
    Whoever knows a person's quasi-identifiers, and nothing else, links that person to the right row with a chance of
    at most the threshold, but for people in at most this share of the rows. Those few have no protection at all: they
    may stand alone in their classes. With a share of 0 it is k-anonymity with k = 1 / threshold, rounded up. It does
    not hide a secret that all rows of a class share, and does not protect against a second release of the same rows.

    Raises
    ------
    OptionError
        An option is not a number in its range.

    References
    ----------
    El Emam, K. (2013). Guide to the de-identification of personal health information.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> from celosia.data.classes import Classes
    >>> table = cl.Table(pl.DataFrame({"age": [30, 31, 32, 70]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> classes = Classes([0, 0, 0, 1])
    >>> ShareAtRisk(0.25, threshold=0.5).broken(classes, table).tolist()
    []
    >>> ShareAtRisk(0.2, threshold=0.5).broken(classes, table).tolist()
    [1]
    """

    share: float
    threshold: float = 0.2
    name: ClassVar[str] = "share_at_risk"

    def __post_init__(self) -> None:
        exact_share("share", self.share, zero=True, hint="0.05 lets 5 % of the rows be at risk, 0 none.")
        exact_share("threshold", self.threshold, one=True, hint="0.2 is the risk of a class of five people.")
        object.__setattr__(self, "share", float(self.share))
        object.__setattr__(self, "threshold", float(self.threshold))

    @property
    def _least(self) -> int:
        """The least number of people of a class whose rows are not at risk."""
        return fewest_people(exact_share("threshold", self.threshold, one=True))

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Raise ``UnreachableError`` if all rows in one class, the least risk there is, are at risk.

        Then every row of every grouping is. Suppressing rows leaves fewer people, so that ``n_spare`` is of no help.
        """
        n_people = n_placed_people(table)
        if n_people < self._least:
            raise UnreachableError(
                f"a risk of at most {self.threshold:g} needs at least {self._least} {people_word(table)}: the rows of "
                f"{table.name} that can be published have {n_people}, so that all of them are at risk even as one "
                f"class; share_at_risk allows {self.share:.1%}.",
                hint="raise the threshold, or gather more rows. Nothing was written.",
                about="models",
            )
