"""Where published rows go in a database."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from celosia.base.errors import OptionError
from celosia.data.io.sql.database import is_new_file, open_database
from celosia.data.io.sql.failures import guarded
from celosia.data.io.sql.writing import table_exists, write_sql


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
