"""What traps look at: a table as its readers have it, the roles of its columns, and which values few people share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import ColumnNotFoundError, nearest_column
from celosia.base.findings import Finding
from celosia.data.classes import Classes
from celosia.data.schema.columns import as_text, cleaned, codes_of
from celosia.measure.traps.amounts import Amounts, amounts_of


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
        """Count the values of a column, blanks around texts trimmed.

        Only distinct cells are spelt and trimmed: a long column mostly holds few.
        """
        numbers = _numbered(column)
        firsts, codes = _by_appearance(numbers)
        texts = as_text(cleaned(column.gather(firsts))[0]).alias("text")
        known = texts.drop_nulls().unique(maintain_order=True)
        if len(known) < len(texts):  # cells that differ in blanks alone, or hold nothing else
            places = texts.to_frame().join(known.to_frame().with_row_index("place"), on="text", how="left")["place"]
            codes = np.append(places.cast(pl.Int64).fill_null(-1).to_numpy(), -1)[codes]
        return cls(known, np.bincount(codes[codes >= 0], minlength=len(known)).astype(np.int64), codes)

    def rows_where(self, holds: NDArray[np.bool_]) -> int:
        """Return how many rows hold a value for which a mask over ``texts`` holds."""
        return int(self.counts[holds].sum())


def _numbered(column: pl.Series) -> NDArray[np.int64]:
    """Return a number per cell, equal just for equal cells; -1 where it is missing."""
    if column.dtype.is_numeric() or column.dtype == pl.Date:
        return codes_of(cleaned(column)[0])[0].astype(np.int64)
    return as_text(column).cast(pl.Categorical).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()


def _by_appearance(numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each number but -1 first appears, in that order, and the rank of every cell's number in it."""
    first = np.full(numbers.max(initial=-1) + 2, -1, dtype=np.int64)  # the last place is for -1
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)  # of equal numbers the last to be written is the first
    first[-1] = -1
    firsts = np.sort(first[first >= 0])
    rank = np.full(len(first), -1, dtype=np.int64)
    rank[numbers[firsts]] = np.arange(len(firsts))
    return firsts, rank[numbers]


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
    untrue
        Columns whose cells say nothing true of their row: pseudonyms, values perturbed or given to other rows.

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
    untrue: Sequence[str] = ()
    _known: dict[str, Values] = field(default_factory=dict, init=False, repr=False)
    _amounts: dict[str, Amounts | None] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        subject = [] if self.subject is None else [self.subject]
        for column in [*self.quasi_identifiers, *self.sensitive, *self.identifiers, *self.untrue, *subject]:
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

    def amounts(self, column: str) -> Amounts | None:
        """Return where the values of a column lie on a line; ``None`` where they are no amounts. They are read once."""
        if column not in self._amounts:
            texts, dtype = self.values(column).texts, self.frame.schema[column]
            self._amounts[column] = amounts_of(texts, dtype, self.decimal)
        return self._amounts[column]

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


def looked_at(published: Published) -> list[str]:
    """Return the columns whose values mean something to a reader: those kept, but not who it is, nor untrue ones.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({"who": ["a", "b"], "age": ["40", "40"], "code": ["x7", "k2"]})
    >>> looked_at(Published(table, ("age",), subject="who", untrue=("code",)))
    ['age']
    """
    return [name for name in published.kept if name != published.subject and name not in published.untrue]


def is_secret(published: Published, column: str) -> bool:
    """Tell whether a column is published for its secret alone, so that others are not taken to know its values."""
    return column in published.sensitive and column not in published.quasi_identifiers


def held_by_few(published: Published, codes: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which values fewer than ``k`` people hold, though some do.

    Parameters
    ----------
    codes
        The value of each row; -1 where it has none.
    counts
        How many rows hold each value.

    Examples
    --------
    >>> import polars as pl
    >>> table = Published(pl.DataFrame({"who": [1, 1, 1, 2, 3, 4]}), subject="who", k=3)
    >>> held_by_few(table, np.array([0, 0, 0, 1, 1, 1]), np.array([3, 3])).tolist()
    [True, False]
    """
    few: NDArray[np.bool_] = (counts > 0) & (counts < published.k)
    if published.subject is None:
        return few
    subjects = published.values(published.subject)
    n_missing = published.n_rows - int(subjects.counts.sum())  # rows of nobody are taken for one person's
    most = max(int(subjects.counts.max(initial=0)), n_missing)
    doubtful = (counts >= published.k) & (counts <= (published.k - 1) * most)
    if not doubtful.any():
        return few
    rows = np.flatnonzero((codes >= 0) & np.append(doubtful, False)[codes])
    width = len(subjects.texts) + 1
    pairs = np.sort(codes[rows] * width + subjects.codes[rows] + 1)
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    people = np.bincount(pairs // width, minlength=len(counts))
    return few | (doubtful & (people < published.k))


def n_people(published: Published, rows: NDArray[np.intp]) -> int:
    """Return how many people some rows, given by their numbers, are about.

    Examples
    --------
    >>> import polars as pl
    >>> n_people(Published(pl.DataFrame({"who": ["a", "a", "b"]}), subject="who"), np.array([0, 1]))
    1
    """
    return len(rows) if published.subject is None else len(np.unique(published.values(published.subject).codes[rows]))
