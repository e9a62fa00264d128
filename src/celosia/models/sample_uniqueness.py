"""Sample uniqueness: few rows stand alone in their class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from celosia.base.errors import UnreachableError
from celosia.data.schema import Table
from celosia.models.people import JudgesTogether, exact_share, n_placed_people, people_word


@dataclass(frozen=True)
class SampleUniqueness(JudgesTogether):
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
    >>> from celosia.data.classes import Classes
    >>> table = cl.Table(pl.DataFrame({"age": [30, 31, 32, 70]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> classes = Classes([0, 0, 0, 1])
    >>> SampleUniqueness(0.25).broken(classes, table).tolist(), SampleUniqueness(0.1).broken(classes, table).tolist()
    ([], [1])
    """

    share: float
    name: ClassVar[str] = "sample_uniqueness"
    _least: ClassVar[int] = 2

    def __post_init__(self) -> None:
        exact_share("share", self.share, zero=True, hint="0.05 lets 5 % of the rows stand alone, 0 none.")
        object.__setattr__(self, "share", float(self.share))

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
