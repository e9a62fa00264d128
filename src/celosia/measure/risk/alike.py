"""Columns of any role as an attacker may know them, and the groups of rows that they leave alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import ColumnNotFoundError, OptionError, nearest_column
from celosia.data.io import to_polars
from celosia.data.schema import Table
from celosia.data.schema.columns import cleaned, codes_of

_WIDEST_KEY = 2**62


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as whole numbers from 0: equal numbers just where the cells are equal; missing is a value of its own.

    Attributes
    ----------
    name
        The column's name.
    codes
        A number per row.
    n_codes
        One more than the largest number.
    """

    name: str
    codes: NDArray[np.int32]
    n_codes: int


@dataclass(frozen=True, eq=False)
class Alike:
    """The rows that columns do not tell from all others, in groups of rows that are equal in every column.

    Rows that are unique already stay so with every further column, so that only the others are looked at again.

    Attributes
    ----------
    n_rows
        All rows, unique ones included.
    rows, labels
        The rows that are not unique, and the group of each; ``rows`` is ``None`` while it is all of them in order.
    n_groups
        How many groups there are.

    Examples
    --------
    >>> colour = Coded("colour", np.array([0, 0, 1, 2], dtype=np.int32), 3)
    >>> alike = Alike.whole(4).split([colour])
    >>> alike.n_unique, alike.n_distinct, alike.sizes.tolist()
    (2, 3, [2])
    """

    n_rows: int
    rows: NDArray[np.int64] | None
    labels: NDArray[np.int64]
    n_groups: int

    @classmethod
    def whole(cls, n_rows: int) -> Alike:
        """Return the groups that no column makes: one of all rows; none where there are fewer than two."""
        if n_rows < 2:
            empty = np.zeros(0, dtype=np.int64)
            return cls(n_rows, empty, empty, 0)
        return cls(n_rows, None, np.zeros(n_rows, dtype=np.int64), 1)

    @property
    def n_unique(self) -> int:
        """How many rows are alike to no other."""
        return self.n_rows - len(self.labels)

    @property
    def n_distinct(self) -> int:
        """How many different tuples the columns hold."""
        return self.n_unique + self.n_groups

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each group has."""
        return np.bincount(self.labels, minlength=self.n_groups).astype(np.int64)

    def split(self, columns: Sequence[Coded]) -> Alike:
        """Return the groups that are left when these columns are known too."""
        alike, key, width = self._keyed(columns)
        return alike._by(key, width)

    def n_unique_with(self, columns: Sequence[Coded]) -> int:
        """Return how many rows are unique when these columns are known too; sooner than ``split`` does."""
        alike, key, width = self._keyed(columns)
        if _is_short(width, len(key)):
            return alike.n_unique + int((np.bincount(key) == 1).sum())
        ascending = np.sort(key)
        bounds = np.ones(len(key) + 1, dtype=np.bool_)
        np.not_equal(ascending[1:], ascending[:-1], out=bounds[1:-1])
        return alike.n_unique + int((bounds[1:] & bounds[:-1]).sum())

    def _keyed(self, columns: Sequence[Coded]) -> tuple[Alike, NDArray[np.int64], int]:
        """Return a number per row of a group, equal just for rows of one group that are equal in these columns.

        Where the numbers would overflow 62 bits the groups are split first: they are returned with their numbers.
        """
        alike, key, width = self, self.labels, max(self.n_groups, 1)
        for column in columns:
            if width > _WIDEST_KEY // column.n_codes:
                alike = alike._by(key, width)
                key, width = alike.labels, max(alike.n_groups, 1)
            own = column.codes if alike.rows is None else column.codes[alike.rows]
            key, width = key * column.n_codes + own, width * column.n_codes
        return alike, key, width

    def _by(self, key: NDArray[np.int64], width: int) -> Alike:
        """Return the groups of rows with equal keys, each key lying below ``width``."""
        if _is_short(width, len(key)):
            counts = np.bincount(key, minlength=width)
            repeats = counts > 1
            kept = np.flatnonzero(repeats[key])
            labels = (np.cumsum(repeats) - 1)[key[kept]]
        else:
            order = np.argsort(key)
            ascending = key[order]
            is_new = np.ones(len(key), dtype=np.bool_)
            np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
            starts = np.flatnonzero(is_new)
            lengths = np.diff(starts, append=len(key))
            labels = np.repeat(np.arange(int((lengths > 1).sum())), lengths[lengths > 1])
            kept = order[np.repeat(lengths > 1, lengths)]
        rows = kept if self.rows is None else self.rows[kept]
        return Alike(self.n_rows, rows, labels, int(labels.max(initial=-1)) + 1)


def _is_short(width: int, n_keys: int) -> bool:
    """Tell whether a table of all possible keys is smaller than a sort is long."""
    return width <= 4 * n_keys + 1024


def rows_of(source: Any) -> pl.DataFrame:
    """Return the rows of a table or frame."""
    return source.frame if isinstance(source, Table) else to_polars(source)[0]


def coded(source: Any, columns: Sequence[str] | None = None) -> list[Coded]:
    """Return columns of a table or frame as numbers, equal just where the cells are equal.

    Quasi-identifiers of a table are compared as its schema types them (``40`` and ``40.0`` are one number); other
    columns are compared as they are, texts without blanks around them.

    Parameters
    ----------
    source
        A ``Table``, or a pandas, Polars or Arrow frame.
    columns
        Their names, of any role; by default all of a frame, and all of a table that are not identifiers.

    Raises
    ------
    ColumnNotFoundError
        The table lacks a column.
    OptionError
        No column is named, or one twice.

    Examples
    --------
    >>> [column.codes.tolist() for column in coded(pl.DataFrame({"town": ["Lugo", "Soria", "Lugo ", None]}))]
    [[1, 2, 1, 0]]
    """
    frame = rows_of(source)
    if isinstance(source, Table) and columns is None:
        columns = [name for name in frame.columns if name not in source.schema.identifiers]
    names = _checked(columns, frame)
    typed = {one.name: one.codes for one in source.quasi_identifiers} if isinstance(source, Table) else {}
    return [_packed(name, typed[name] if name in typed else _codes(frame[name])) for name in names]


def _checked(columns: Sequence[str] | None, frame: pl.DataFrame) -> list[str]:
    names = frame.columns if columns is None else [columns] if isinstance(columns, str) else list(columns)
    for name in names:
        if name not in frame.columns:
            raise ColumnNotFoundError(
                f"'{name}' is not a column of the table ({frame.width} columns).",
                hint=nearest_column(name, frame.columns),
            )
    if not names or len(set(names)) < len(names):
        raise OptionError(
            "columns must name at least one column, and none twice." if names else "there is no column to look at.",
            hint="name the columns that an attacker may know.",
            about="columns",
        )
    return names


def _packed(name: str, codes: NDArray[np.int32]) -> Coded:
    least = int(codes.min(initial=0))
    from_zero = codes - np.int32(least) if least else codes
    return Coded(name, from_zero, int(from_zero.max(initial=0)) + 1)


def _codes(column: pl.Series) -> NDArray[np.int32]:
    """Return a number per row, -1 where the cell is missing."""
    if column.dtype == pl.String:
        distinct = column.unique().drop_nulls()
        places = column.cast(pl.Enum(distinct)).to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
        clean, _ = cleaned(distinct)  # few texts to clean, many rows
        return places if clean is distinct else np.append(codes_of(clean)[0], np.int32(-1)).take(places)
    if column.dtype.is_integer() and column.dtype != pl.UInt64:
        least, most = column.min(), column.max()
        if isinstance(least, int) and isinstance(most, int) and most - least <= 4 * len(column) + 1024:
            return (column.cast(pl.Int64) - least).cast(pl.Int32).fill_null(-1).to_numpy()
    return codes_of(cleaned(column)[0])[0]
