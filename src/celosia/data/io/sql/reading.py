"""Reading a table or a query of a database."""

from __future__ import annotations

import re

import polars as pl

from celosia.base.errors import OptionError
from celosia.data.io.base import Source
from celosia.data.io.names import check_names
from celosia.data.io.plain import plain_columns
from celosia.data.io.sql.database import guarded, open_database

_SELECT = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*(?:SELECT|WITH)\b", re.IGNORECASE | re.DOTALL)


def read_sql(url: str, *, table: str | None = None, query: str | None = None, schema: str | None = None) -> Source:
    """Read a table, a view or a query of a SQLite or PostgreSQL database, typed as the database types it.

    Text stays text, so that ``01001`` survives; NULL is missing. Exact numbers (NUMERIC) become whole numbers where
    all of them are whole, else floats, and are refused where a float would change one; moments with a zone come in
    UTC; texts padded by CHAR(n) lose the padding; enumerations and UUIDs are text. Bytes, JSON, arrays, intervals
    and other types are refused by the column's name. SQLite has no types for columns: a column gets the type that
    all its cells share, dates, times and truth values where it was declared so and all cells agree; mixed cells are
    text.

    Guarantee: nothing is written. The transaction is read-only (PostgreSQL: ``READ ONLY``; SQLite: the file is opened
    for reading and ``query_only`` is set), and what is not a single SELECT is refused by the database. A function that
    acts outside of the database, such as PostgreSQL's ``dblink``, is not held back: use a user without such rights.
    No message, log or traceback holds the address, the query or a cell.

    Parameters
    ----------
    url
        ``sqlite:///school.db``, or ``postgresql+psycopg://user:password@host/base``.
    table
        The name of a table or view, exactly as the database has it; quoted, never pasted.
    query
        A single statement that begins with SELECT or WITH. Exactly one of table and query is given.
    schema
        The schema of the table; the database's own default where not given.

    Raises
    ------
    OptionError
        When not exactly one of table and query is given, or the query is no SELECT.
    FormatError
        When a package is missing, the address is wrong, or a column is of a type that is not read.
    InputError
        When the database refuses.

    Examples
    --------
    >>> import sqlite3, tempfile
    >>> path = f"{tempfile.mkdtemp()}/school.db"
    >>> connection = sqlite3.connect(path)
    >>> _ = connection.execute("CREATE TABLE exams (zip TEXT, mark REAL)")
    >>> _ = connection.execute("INSERT INTO exams VALUES ('01001', 3.5), (NULL, 4)")
    >>> connection.commit(); connection.close()
    >>> read_sql(f"sqlite:///{path}", table="exams").frame.rows()
    [('01001', 3.5), (None, 4.0)]
    """
    if (table is None) == (query is None):
        raise OptionError("exactly one of table and query must be given.", hint="say what to read.", about="table")
    if query is not None:
        return _source(url, _single_select(query), "the query", None)
    if not table:
        raise OptionError("the name of the table is empty.", hint="say which table to read.", about="table")
    return _source(url, "", table, schema)


def _source(url: str, query: str, name: str, schema: str | None) -> Source:
    def fetch() -> list[pl.Series]:
        with open_database(url, writing=False) as database:
            if query:
                return database.columns(query, name)
            database.check_table(name, schema)
            return database.columns(f"SELECT * FROM {database.quoted(name, schema)}", name)

    columns = guarded("cannot read the query" if query else f"cannot read the table '{name}'", fetch)
    names = check_names([column.name for column in columns], name)
    frame = pl.DataFrame([column.alias(each) for column, each in zip(columns, names, strict=True)])
    return Source(plain_columns(frame, name), None, name, "sql")


def _single_select(query: str) -> str:
    if not _SELECT.match(query):
        raise OptionError(
            "the query does not begin with SELECT or WITH; nothing else is run.",
            hint="write a single SELECT.",
            about="query",
        )
    return query.strip().rstrip(";")
