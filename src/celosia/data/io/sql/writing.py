"""Writing a frame as a table of a database, whole or not at all."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

import polars as pl

from celosia.base.errors import FormatError, InputError, OptionError
from celosia.data.io.plain import plain_columns
from celosia.data.io.spelling import spell
from celosia.data.io.sql.database import Database, guarded, is_new_file, open_database


def write_sql(frame: pl.DataFrame, url: str, table: str, *, schema: str | None = None, replace: bool = False) -> None:
    """Write a frame as a new table of a SQLite or PostgreSQL database: names, types and cells, and nothing else.

    All in one transaction the table is made under a passing name, filled, read back and compared with the frame cell
    by cell, and renamed into place; on any failure everything is rolled back and an earlier table stays as it was.
    Types: text, bigint, double precision, boolean, date, time, timestamp; moments with a zone are kept in UTC by
    PostgreSQL and as text by SQLite; durations are text. There is no index, key, default or comment.

    An SQLite file that does not exist is made. Rights that were granted on a replaced table are lost, and a server
    keeps its old rows in logs and copies: give releases a database of their own.

    Parameters
    ----------
    frame
        Plain columns; NaN is written as missing.
    url
        ``sqlite:///release.db``, or ``postgresql+psycopg://user:password@host/base``.
    table
        The table's name, kept exactly; quoted, never pasted.
    schema
        A schema that exists; the database's own default where not given.
    replace
        Whether an existing table of this name is dropped once the new one is complete.

    Raises
    ------
    FormatError
        When a package is missing, the address is wrong, or a column does not fit.
    InputError
        When the table exists already, or the database refuses.

    Examples
    --------
    >>> import tempfile
    >>> from celosia.data.io.sql.reading import read_sql
    >>> url = f"sqlite:///{tempfile.mkdtemp()}/release.db"
    >>> write_sql(pl.DataFrame({"zip": ["01001"], "age": [39]}), url, "exams")
    >>> read_sql(url, table="exams").frame.rows()
    [('01001', 39)]
    """
    if not table:
        raise OptionError("the name of the table is empty.", hint="say which table to write.", about="table")
    if not frame.width:
        raise FormatError(f"there is no column to write to {table}.", hint="publish at least one column.")
    plain = plain_columns(frame, "the frame")

    def write() -> None:
        with open_database(url, writing=True) as database:
            names = [table, *([schema] if schema else [])]
            database.check_names(plain.columns)
            for name in (*names, *plain.columns):
                _check_name(database, name)
            if not replace and database.has_table(table, schema):
                raise table_exists(table)
            _exchange(database, plain, table, schema)
            database.commit()

    guarded(f"cannot write the table '{table}'", write)


def table_exists(table: str) -> InputError:
    """Return the error for a table that must not be replaced."""
    return InputError(f"the table '{table}' exists already.", hint="choose another name, or replace it (--overwrite).")


def _check_name(database: Database, name: str) -> None:
    if not name or "\0" in name:
        raise FormatError("a name is empty or holds the character NUL.", hint="rename the table or the column.")
    database.check_names([name])


def _exchange(database: Database, plain: pl.DataFrame, table: str, schema: str | None) -> None:
    """Make, fill and compare the new table, drop the old one and rename."""
    passing = f"celosia_{secrets.token_hex(8)}"
    stored = plain.select(database.stored(_of_a_known_type(column)) for column in plain)
    database.create(passing, schema, stored.get_columns())
    database.fill(passing, schema, stored)
    back = database.columns(f"SELECT * FROM {database.quoted(passing, schema)}", table)
    _compare(stored.get_columns(), back, table)
    if database.has_table(table, schema):
        database.execute(f"DROP TABLE {database.quoted(table, schema)}")
    database.execute(f"ALTER TABLE {database.quoted(passing, schema)} RENAME TO {database.quoted(table)}")


def _of_a_known_type(column: pl.Series) -> pl.Series:
    """Return the column as one of the types that databases keep, or refuse it where that would change a cell."""
    dtype = column.dtype
    if dtype == pl.Duration:
        return spell(column.to_frame(), decimal=".").to_series()
    if dtype.is_integer():
        kept = column.cast(pl.Int64, strict=False)
    elif dtype.is_float() or dtype.is_decimal():
        kept = column.cast(pl.Float64)
    elif isinstance(dtype, pl.Datetime):
        kept = column.cast(pl.Datetime("us", dtype.time_zone))
    else:
        return column
    n_changed = int(kept.cast(dtype, strict=False).ne_missing(column).sum())
    if n_changed:
        raise _changed(column.name, n_changed, "the table")
    return kept


def _compare(wanted: list[pl.Series], found: list[pl.Series], table: str) -> None:
    if [column.name for column in found] != [column.name for column in wanted]:
        raise FormatError(
            f"the columns of '{table}' came back under other names; nothing was written.", hint="rename them."
        )
    for before, after in zip(wanted, found, strict=True):
        if len(after) != len(before) or after.dtype != before.dtype:
            raise _changed(before.name, len(before), f"'{table}'")
        n_changed = int(after.ne_missing(before).sum())
        if n_changed:
            raise _changed(before.name, n_changed, f"'{table}'")


def _changed(column: str, n_changed: int, table: str) -> FormatError:
    return FormatError(
        f"the database would change {n_changed} cells of column '{column}' of {table}; nothing was written.",
        hint="write the column as text, or with fewer digits; or write a file.",
    )


@dataclass(frozen=True)
class SqlTarget:
    """A table of a database to be written.

    Parameters
    ----------
    url
        The database's address; it may hold a password and is never shown.
    table
        The table's name.
    schema
        A schema that exists; the database's own default where not given.

    Raises
    ------
    OptionError
        A part is no text.

    Examples
    --------
    >>> SqlTarget("sqlite:///release.db", "exams")
    SqlTarget(table='exams', schema=None)
    """

    url: str = field(repr=False)
    table: str = ""
    schema: str | None = None

    def __post_init__(self) -> None:
        is_text = isinstance(self.url, str) and isinstance(self.table, str) and isinstance(self.schema, str | None)
        if not is_text or not self.url or not self.table:
            raise OptionError("a table of a database needs url and table, both texts.", about="database")

    def check(self, *, replace: bool = False) -> None:
        """Refuse before any work is done: a database that cannot be reached, a table that must not be replaced.

        Raises
        ------
        FormatError
            A package is missing, or the address is wrong.
        InputError
            The database does not open, or has the table already.
        """
        if is_new_file(self.url):
            return

        def look() -> None:
            with open_database(self.url, writing=False) as database:
                if not replace and database.has_table(self.table, self.schema):
                    raise table_exists(self.table)

        guarded(f"cannot reach the table '{self.table}'", look)

    def write(self, frame: pl.DataFrame, *, replace: bool = False) -> None:
        """Write a frame as the table, whole or not at all; with ``replace`` an earlier table goes."""
        write_sql(frame, self.url, self.table, schema=self.schema, replace=replace)
