"""What traps look at: a table as its readers have it, with the roles of its columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.classes import Classes
from celosia.errors import ColumnNotFoundError, nearest_column
from celosia.findings import Finding
from celosia.schema.columns import as_text, cleaned

__all__ = ["Published", "Trap", "Values"]


@dataclass(frozen=True, eq=False)
class Values:
    """The values of one column as text, each once.

    Attributes
    ----------
    texts
        Every distinct value, in the order in which they first appear.
    counts
        How many rows hold each.
    codes
        The place of each row's value among ``texts``; -1 where it is missing.
    """

    texts: pl.Series = field(repr=False)
    counts: NDArray[np.int64] = field(repr=False)
    codes: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, column: pl.Series) -> Values:
        """Count the values of a column, blanks around texts trimmed."""
        text = as_text(cleaned(column)[0]).alias("text")
        firsts = text.drop_nulls().unique(maintain_order=True)
        places = text.to_frame().join(firsts.to_frame().with_row_index("place"), on="text", how="left")["place"]
        codes = places.cast(pl.Int64).fill_null(-1).to_numpy()
        return cls(firsts, np.bincount(codes[codes >= 0], minlength=len(firsts)).astype(np.int64), codes)

    def rows_where(self, holds: NDArray[np.bool_]) -> int:
        """Return how many rows hold a value for which a mask over ``texts`` holds."""
        return int(self.counts[holds].sum())


@dataclass(frozen=True, eq=False)
class Published:
    """A table as whoever reads it has it.

    Attributes
    ----------
    frame
        Its columns, its rows in the order of the file.
    quasi_identifiers, sensitive, identifiers
        Roles of columns; every other one is published as it is.
    subject
        The column that tells whose row it is.
    k
        What fewer people than this share stands out.
    decimal
        The decimal mark of its texts.

    Examples
    --------
    >>> table = Published(pl.DataFrame({"age": ["30-39", "30-39", "40"]}), ("age",))
    >>> table.values("age").counts.tolist(), table.classes.sizes.tolist()
    ([2, 1], [2, 1])
    """

    frame: pl.DataFrame = field(repr=False)
    quasi_identifiers: Sequence[str] = ()
    sensitive: Sequence[str] = ()
    identifiers: Sequence[str] = ()
    subject: str | None = None
    k: int = 3
    decimal: str = "."
    _known: dict[str, Values] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        subject = [] if self.subject is None else [self.subject]
        for column in [*self.quasi_identifiers, *self.sensitive, *self.identifiers, *subject]:
            if column not in self.frame.columns:
                raise ColumnNotFoundError(
                    f"'{column}' is not a column of the table ({self.frame.width} columns).",
                    hint=nearest_column(column, self.frame.columns),
                )

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.frame.height

    @property
    def kept(self) -> list[str]:
        """The columns that stay in what is published: all but identifiers."""
        return [name for name in self.frame.columns if name not in self.identifiers]

    def values(self, column: str) -> Values:
        """Return the values of a column; they are counted once."""
        if column not in self._known:
            self._known[column] = Values.of(self.frame[column])
        return self._known[column]

    @cached_property
    def classes(self) -> Classes:
        """The classes of equal quasi-identifiers; all rows are one where there are none."""
        codes = [self.values(column).codes for column in self.quasi_identifiers]
        return Classes.of(codes) if codes else Classes(np.zeros(self.n_rows, dtype=np.int64))

    @cached_property
    def people(self) -> NDArray[np.int64]:
        """How many people each class holds."""
        return self.classes.units(None if self.subject is None else self.values(self.subject).codes)


Trap = Callable[[Published], list[Finding]]
"""What each file of this room offers: a function from a published table to what it gives away."""
