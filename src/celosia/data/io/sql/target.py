"""Where published rows go in a database."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from celosia.base.errors import OptionError
from celosia.data.io.sql.writing import write_sql


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

    def write(self, frame: pl.DataFrame, *, replace: bool = False) -> None:
        """Write a frame as the table, whole or not at all; with ``replace`` an earlier table goes."""
        write_sql(frame, self.url, self.table, schema=self.schema, replace=replace)
