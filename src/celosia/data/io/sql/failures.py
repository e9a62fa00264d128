"""What a database or its driver complains about, told without its own words.

The messages of SQLAlchemy and of the drivers hold statements, parameters (cells) and addresses (passwords).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import TypeVar

import polars as pl

from celosia.base.errors import FormatError, InputError

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
