"""A connection to a database: what reading and writing need of it, how it is opened, and how complaints are told.

The messages of SQLAlchemy and of the drivers hold statements, parameters (cells) and addresses (passwords): no word of
theirs is repeated.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import polars as pl

from celosia.base.errors import FormatError, InputError, nearest

_Result = TypeVar("_Result")

# From the longest code to the shortest: the first that begins a driver's code tells.
_REASONS: Mapping[str, tuple[str, str]] = {
    "25006": ("the query tries to write", "only a SELECT is run."),
    "2BP01": (
        "something else in the database depends on the table",
        "drop that first, or choose another name.",
    ),
    "42501": ("the user lacks the right to it", "ask the database's owner for the right, or use another user."),
    "42601": ("the query is not one SELECT that the database understands", "try it in the database's own client."),
    "42701": ("two columns have one name, or a name that the database keeps for itself", "rename the columns."),
    "42703": ("the query names a column that does not exist", "check its columns."),
    "42809": ("what has this name is not a table", "choose another name."),
    "42P01": ("there is no such table", "check the table's name and its schema."),
    "42P07": ("the table exists already", "choose another name, or replace it (--overwrite)."),
    "3D": ("there is no such database on the server", "check the address."),
    "3F": ("there is no such schema in the database", "check the schema."),
    "08": ("the connection failed", "check the address, and that the server is running."),
    "22": ("a value does not fit", "check the query's conversions."),
    "28": ("the server refused the user or the password", "check the address."),
    "53": ("the server has no room left", "free some, or write a file."),
    "57": ("the server broke off", "try again."),
    "SQLITE_BUSY": ("another program has locked the database", "close it and try again."),
    "SQLITE_LOCKED": ("another program has locked the database", "close it and try again."),
    "SQLITE_CANTOPEN": ("the file cannot be opened", "check the path and the permissions."),
    "SQLITE_CORRUPT": ("the file is damaged", "restore it from a copy."),
    "SQLITE_FULL": ("the disk is full", "make room."),
    "SQLITE_NOTADB": ("the file is not a SQLite database", "check the path."),
    "SQLITE_READONLY": ("the database may only be read", "check the query and the file's permissions."),
    "SQLITE_ERROR": (
        "the database does not understand the statement, or lacks a table or column",
        "try the query in the database's own client.",
    ),
}


def guarded(doing: str, action: Callable[[], _Result]) -> _Result:
    """Return what an action gives; where a database complains, say what failed and nothing of what it said.

    The error is raised after the database's own is gone, so that no traceback, however detailed, can show it.

    Parameters
    ----------
    doing
        The beginning of the message, such as ``cannot read the table 'exams'``.
    action
        What talks to the database.

    Raises
    ------
    InputError
        When SQLAlchemy, a driver, the system or a conversion raises.

    Examples
    --------
    >>> guarded("cannot count", lambda: 3)
    3
    """
    try:
        return action()
    except _complaints() as error:
        reason, hint = _reason(error)
    raise InputError(f"{doing}: {reason}.", hint=hint)


def missing_package(name: str) -> FormatError:
    """Return the error that says which package is not installed.

    Examples
    --------
    >>> print(missing_package("sqlalchemy"))
    databases need the package sqlalchemy, which is not installed.
      Hint: pip install "celosia[sql]"
    """
    return FormatError(f"databases need the package {name}, which is not installed.", hint='pip install "celosia[sql]"')


def _complaints() -> tuple[type[Exception], ...]:
    from sqlalchemy.exc import SQLAlchemyError

    common = (SQLAlchemyError, sqlite3.Error, sqlite3.Warning, ValueError, OSError, pl.exceptions.PolarsError)
    try:
        import psycopg
    except ImportError:
        return common
    return (*common, psycopg.Error)


def _reason(error: Exception) -> tuple[str, str]:
    origin = getattr(error, "orig", None) or error
    code = getattr(origin, "sqlstate", None) or getattr(origin, "sqlite_errorname", None)
    if isinstance(code, str):
        for beginning, told in _REASONS.items():
            if code.startswith(beginning):
                return told
        return f"the database refused (code {code})", "look the code up in the database's manual."
    if isinstance(error, UnicodeError) or "decode" in str(origin):
        return "a text of the database is not UTF-8", "convert it in the database."
    if isinstance(origin, sqlite3.Error | sqlite3.Warning):
        return "the query is not one SELECT that the database understands", "try it in the database's own client."
    if type(origin).__name__ == "OperationalError":
        return (
            "the server does not answer or refused",
            "check the address, the password and that the server is running.",
        )
    return f"the driver refused ({type(origin).__name__})", "check the address and the query."


if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Dialect
    from sqlalchemy.types import TypeEngine

CHUNK = 10_000
"""How many rows pass at a time."""


class Database(ABC):
    """An open connection and its one transaction, of which nothing lasts without a commit.

    Statements and rows go through the driver itself, not through SQLAlchemy, which logs rows wherever the logging of
    the host program is set to debug. SQLAlchemy opens the connection, quotes names and spells types.

    Parameters
    ----------
    connection
        SQLAlchemy's connection.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        # This style of parameters leaves "%" alone in names.
        dialect: Any = type(connection.dialect)
        self._dialect: Dialect = dialect(paramstyle="named")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Undo what was not committed and close the connection."""
        self._connection.close()

    @property
    def driver(self) -> Any:
        """The driver's own connection."""
        return self._connection.connection.driver_connection

    def quoted(self, name: str, schema: str | None = None) -> str:
        """Return a name as it stands in a statement, always in quotes."""
        quote = self._dialect.identifier_preparer.quote_identifier
        return quote(name) if schema is None else f"{quote(schema)}.{quote(name)}"

    def execute(self, statement: str) -> None:
        """Run a statement without parameters or result."""
        self.driver.cursor().execute(statement)

    def has_table(self, name: str, schema: str | None) -> bool:
        """Return whether a table or view of this name is there."""
        import sqlalchemy

        return bool(sqlalchemy.inspect(self._connection).has_table(name, schema=schema))

    def check_table(self, name: str, schema: str | None) -> None:
        """Refuse a table that is not there, with the nearest name as the hint."""
        import sqlalchemy

        if self.has_table(name, schema):
            return
        inspector = sqlalchemy.inspect(self._connection)
        known = [*inspector.get_table_names(schema=schema), *inspector.get_view_names(schema=schema)]
        raise InputError(f"the database has no table '{name}' ({len(known)} tables).", hint=nearest(name, known))

    def create(self, name: str, schema: str | None, columns: list[pl.Series]) -> None:
        """Create a table with the columns' names and types and nothing else."""
        spelt = (f"{self.quoted(column.name)} {self._type_name(column.dtype)}" for column in columns)
        self.execute(f"CREATE TABLE {self.quoted(name, schema)} ({', '.join(spelt)})")

    def _type_name(self, dtype: pl.DataType) -> str:
        kind: TypeEngine[Any] = _types()[dtype.base_type()]
        if isinstance(dtype, pl.Datetime) and dtype.time_zone:
            import sqlalchemy

            kind = sqlalchemy.DateTime(timezone=True)
        return str(kind.compile(dialect=self._dialect))

    def commit(self) -> None:
        """Make everything done so far last."""
        self._connection.connection.commit()

    @abstractmethod
    def begin(self) -> None:
        """Begin the transaction."""

    @abstractmethod
    def columns(self, statement: str, what: str) -> list[pl.Series]:
        """Return the columns of a SELECT, typed by the database; ``what`` names it in messages."""

    @abstractmethod
    def stored(self, column: pl.Series) -> pl.Series:
        """Return a column as this database keeps it, or refuse it."""

    @abstractmethod
    def check_names(self, names: list[str]) -> None:
        """Refuse names of tables or columns that this database would change."""

    @abstractmethod
    def fill(self, name: str, schema: str | None, frame: pl.DataFrame) -> None:
        """Put the rows of a frame into a table of its columns."""


def _types() -> dict[Any, TypeEngine[Any]]:
    import sqlalchemy

    return {
        pl.String: sqlalchemy.Text(),
        pl.Int64: sqlalchemy.BigInteger(),
        pl.Float64: sqlalchemy.Double(),
        pl.Boolean: sqlalchemy.Boolean(),
        pl.Date: sqlalchemy.Date(),
        pl.Datetime: sqlalchemy.DateTime(),
        pl.Time: sqlalchemy.Time(),
    }


def open_database(url: str, *, writing: bool) -> Database:
    """Open a database for one transaction.

    Parameters
    ----------
    url
        An address of SQLite or PostgreSQL.
    writing
        ``False`` opens a transaction that the database itself keeps from writing.

    Raises
    ------
    FormatError
        When a package is missing, or the address is not one of these databases.
    InputError
        When the database does not open. The message names no table: in a broken address a part of the password may
        stand in its place.

    Examples
    --------
    >>> import tempfile
    >>> with open_database(f"sqlite:///{tempfile.mkdtemp()}/new.db", writing=True) as database:
    ...     database.quoted("order")
    '"order"'
    """
    place = _parsed(url)
    if place.get_backend_name() == "sqlite":
        from celosia.data.io.sql.sqlite import open_sqlite as opener
    else:
        from celosia.data.io.sql.postgresql import open_postgresql as opener

    def begun() -> Database:
        database = opener(place, writing)
        try:
            database.begin()
        except BaseException:
            database.close()
            raise
        return database

    return guarded("cannot open the database", begun)


def is_new_file(url: str) -> bool:
    """Whether an address is that of an SQLite file that does not exist yet, in a folder that does.

    Examples
    --------
    >>> import tempfile
    >>> is_new_file(f"sqlite:///{tempfile.mkdtemp()}/new.db")
    True
    """
    place = _parsed(url)
    if place.get_backend_name() != "sqlite" or not place.database or place.database == ":memory:":
        return False
    file = Path(place.database)
    return file.parent.is_dir() and not file.exists()


def _parsed(url: str) -> URL:
    try:
        from sqlalchemy import make_url
        from sqlalchemy.exc import ArgumentError
    except ImportError:
        raise missing_package("sqlalchemy") from None
    try:
        place = make_url(url)
    except (ArgumentError, ValueError):
        place = None
    if place is None or place.drivername not in ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg"):
        raise FormatError(
            "the address is not that of a database that is read here; allowed: SQLite and PostgreSQL.",
            hint="write sqlite:///school.db, or postgresql+psycopg://user:password@host/base with '@', ':', '/' and "
            "'#' of a password as %40, %3A, %2F and %23.",
        )
    return place


def refuse_cells(name: str, what: str, holds: str, hint: str) -> FormatError:
    """Return the error for a column that cannot be read, by its name."""
    return FormatError(f"column '{name}' of {what} holds {holds}.", hint=hint)


Moment = Literal["date", "time", "timestamp"]
"""What a text may be read as."""

_CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_SHAPES: dict[Moment, str] = {"date": f"^{_DAY}$", "time": f"^{_CLOCK}$", "timestamp": f"^{_DAY}[ T]{_CLOCK}$"}


def parse_moments(text: pl.Series, kind: Moment) -> tuple[pl.Series, int]:
    """Return the moments that a text column spells (``None`` where it spells none), and how many cells spell none.

    Examples
    --------
    >>> parse_moments(pl.Series(["2024-05-01", "May", None]), "date")[1]
    1
    """
    shaped = text.set(~text.str.contains(_SHAPES[kind]).fill_null(True), None)
    if kind == "date":
        moments = shaped.str.to_date("%Y-%m-%d", strict=False)
    elif kind == "time":
        moments = shaped.str.to_time("%H:%M:%S%.f", strict=False)
    else:
        shaped = shaped.str.replace("T", " ", literal=True)
        moments = shaped.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False)
    return moments, moments.null_count() - text.null_count()


def spell_moments(column: pl.Series) -> pl.Series:
    """Return a column of dates, times or timestamps as text of six decimals, as SQLAlchemy spells them for SQLite.

    Examples
    --------
    >>> import datetime
    >>> spell_moments(pl.Series([datetime.datetime(2024, 5, 1, 10, 30)])).to_list()
    ['2024-05-01 10:30:00.000000']
    """
    if column.dtype == pl.Date:
        return column.dt.to_string("%Y-%m-%d")
    if column.dtype == pl.Time:
        return column.dt.to_string("%H:%M:%S.%6f")
    return column.dt.to_string("%Y-%m-%d %H:%M:%S.%6f")
