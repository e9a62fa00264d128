"""Table: rows and their schema, cleaned and encoded once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import InputError
from celosia.data.io import Dialect, Labels, Source, read, to_polars
from celosia.data.io.hidden import Hidden
from celosia.data.schema.columns import QuasiIdentifier, cleaned, codes_of, encoded
from celosia.data.schema.schema import Schema

_DERIVED = ("quasi_identifiers", "subjects", "unplaced")


class Table:
    """A frame with its schema.

    Text is trimmed and normalised, so that ``"José "`` and ``"José"`` are one value; missing values are a value of
    their own. The frame given is never changed.

    Parameters
    ----------
    frame
        A pandas, Polars or Arrow table. Releases come back as the same kind.
    schema
        The roles of its columns.
    name
        What to call the table in messages.
    decimal
        The decimal mark that prevails in its text columns, ``.`` or ``,``.

    Raises
    ------
    ColumnNotFoundError
        The schema names a column that the frame lacks.
    InputError
        A value does not fit its column's kind.

    Examples
    --------
    >>> import polars as pl
    >>> table = Table(pl.DataFrame({"age": ["40", " 44"]}), Schema(quasi_identifiers={"age": "number"}))
    >>> table.n_rows, dict(table.n_trimmed)
    (2, {'age': 1})
    """

    def __init__(self, frame: Any, schema: Schema, *, name: str = "the table", decimal: str = ".") -> None:
        native, self.kind = to_polars(frame)
        _refuse_unwritable(native, name)
        native = native.rename(dict(zip(native.columns, schema.named(native.columns, name), strict=True)))
        schema.check_columns(native.columns, name)
        self.name = name
        self.schema = schema
        self.decimal = decimal
        self.hidden: tuple[Hidden, ...] = ()
        self.labels: Labels | None = None
        self.dialect: Dialect | None = None
        columns = [cleaned(column, schema.missing) for column in native.get_columns()]
        self.frame = pl.DataFrame([column for column, _ in columns])
        self.n_trimmed: Mapping[str, int] = {column.name: n for column, n in columns if n}

    @classmethod
    def read(cls, path: str | Path, schema: Schema, **options: Any) -> Table:
        """Read a file of any format that ``celosia.io.read`` knows, or a table of a database, and type it by a schema.

        ``options`` are those of ``celosia.io.read``: format, delimiter, encoding, decimal, sheet, labels.
        """
        return cls.of_source(read(path, **options), schema)

    @classmethod
    def of_source(cls, source: Source, schema: Schema) -> Table:
        """Return what was read as a table."""
        table = cls(source.frame, schema, name=source.name, decimal=source.dialect.decimal if source.dialect else ".")
        table.hidden, table.labels, table.dialect = source.hidden, source.labels, source.dialect
        return table

    def with_frame(self, frame: pl.DataFrame, schema: Schema | None = None, changed: Collection[str] = ()) -> Table:
        """Return a table of the same name and kind over other rows or columns of this one; its cells are clean already.

        Parameters
        ----------
        schema
            Another schema, where roles or kinds have changed; by default columns that the frame lacks leave it.
        changed
            Columns whose cells may not be clean: a mask made or changed them.
        """
        other = copy(self)
        other.schema = schema or self.schema.without(set(self.frame.columns) - set(frame.columns))
        other.schema.check_columns(frame.columns, self.name)
        other.frame = frame.with_columns(
            cleaned(frame[column], self.schema.missing)[0] for column in changed if column in frame.columns
        )
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Copy and pickle what was given alone: columns are encoded anew where they are needed."""
        return {name: value for name, value in self.__dict__.items() if name not in _DERIVED}

    def __repr__(self) -> str:
        return f"Table({self.n_rows} rows, {len(self.quasi_identifiers)} quasi-identifiers)"

    @property
    def n_rows(self) -> int:
        """How many rows the table has."""
        return self.frame.height

    @cached_property
    def quasi_identifiers(self) -> tuple[QuasiIdentifier, ...]:
        """The quasi-identifiers, typed and encoded, in the schema's order."""
        return tuple(
            encoded(self.frame[column], hierarchy, float(self.schema.weights.get(column, 1.0)), self.decimal)
            for column, hierarchy in self.schema.quasi_identifiers.items()
        )

    @cached_property
    def subjects(self) -> NDArray[np.int32] | None:
        """A code per row for the person it is about; ``None`` where rows are people.

        All rows without a subject count as one person, since nothing shows that they are several.
        """
        if self.schema.subject is None:
            return None
        codes, values = codes_of(self.frame[self.schema.subject])
        return np.where(codes < 0, np.int32(len(values)), codes)

    @property
    def n_units(self) -> int:
        """How many people the table is about: distinct subjects, or rows where rows are people."""
        return self.n_rows if self.subjects is None else len(np.unique(self.subjects))

    @cached_property
    def unplaced(self) -> NDArray[np.bool_]:
        """Rows with a value that its hierarchy does not know; they cannot be published."""
        result = np.zeros(self.n_rows, dtype=np.bool_)
        for column in self.quasi_identifiers:
            result |= column.codes < -1
        return result


def _refuse_unwritable(frame: pl.DataFrame, name: str) -> None:
    """Refuse what no text file can hold: columns without a name, NUL characters."""
    for position, column in enumerate(frame.get_columns(), start=1):
        if not column.name.strip():
            raise InputError(f"column {position} of {name} has no name.", hint="give every column a name.")
        if column.dtype == pl.String and (n_cells := int(column.str.contains("\0", literal=True).sum())):
            raise InputError(
                f"{n_cells} cells of '{column.name}' hold NUL characters.", hint="remove them first.", about=column.name
            )
