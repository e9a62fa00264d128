"""SQLite: cells have types of their own, and columns only declare one."""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from celosia.base.errors import FormatError, InputError
from celosia.data.io.spelling import cell_text, spell
from celosia.data.io.sql.database import CHUNK, Database, Moment, parse_moments, refuse_cells, spell_moments

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection

_LARGEST_EXACT_INTEGER = 2**53
_SCALE = re.compile(r"\(\s*[0-9]+\s*,\s*0*[1-9]")


def open_sqlite(place: URL, writing: bool) -> Database:
    """Open a SQLite file; for writing, one that is not there is made."""
    import sqlalchemy

    if not place.database or place.database.startswith((":memory:", "file:")):
        raise FormatError("the address names no SQLite file.", hint="write sqlite:///school.db.")
    path = Path(place.database)
    is_new = not path.exists()
    if is_new and not (writing and path.parent.is_dir()):
        raise InputError(f"there is no SQLite file {path.name}.", hint="check the path of the address.")

    def connect() -> sqlite3.Connection:
        mode = "rwc" if writing else "ro"
        # Without an isolation level Python begins and ends no transaction of its own.
        return sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)

    engine = sqlalchemy.create_engine("sqlite://", creator=connect, poolclass=sqlalchemy.NullPool, hide_parameters=True)
    return SqliteDatabase(engine.connect(), writing=writing, made=path if is_new else None)


class SqliteDatabase(Database):
    """A connection to a SQLite file.

    Parameters
    ----------
    connection
        SQLAlchemy's connection.
    writing
        Whether the file is open for writing.
    made
        The file, where it was not there before: it goes again unless something is committed.
    """

    def __init__(self, connection: Connection, *, writing: bool, made: Path | None) -> None:
        super().__init__(connection)
        self._writing = writing
        self._made = made

    def begin(self) -> None:
        """Begin the transaction."""
        # A dropped table's cells stay in the file unless they are overwritten.
        self.execute("PRAGMA secure_delete = ON" if self._writing else "PRAGMA temp_store = MEMORY")
        self.execute("BEGIN IMMEDIATE" if self._writing else "BEGIN")

    def commit(self) -> None:
        """Make everything done so far last, a new file included."""
        super().commit()
        self._made = None

    def close(self) -> None:
        """Undo what was not committed and close the file."""
        super().close()
        if self._made is not None:
            self._made.unlink(missing_ok=True)

    def columns(self, statement: str, what: str) -> list[pl.Series]:
        """Return the columns of a SELECT: by the type that all cells of a column share, dates as declared."""
        declared = self._declared(statement)
        if not self._writing:
            self.execute("PRAGMA query_only = ON")
        cursor = self.driver.cursor()
        cursor.execute(statement)
        names = [name for name, *_ in cursor.description]
        pieces: list[list[pl.Series]] = [[] for _ in names]
        while rows := cursor.fetchmany(CHUNK):
            for name, column, cells in zip(names, pieces, zip(*rows, strict=True), strict=True):
                column.append(_piece(name, cells, what))
        return [
            _typed(_joined(name, column, what), kind)
            for name, column, kind in zip(names, pieces, declared, strict=True)
        ]

    def _declared(self, statement: str) -> list[str]:
        """Ask through a view what types the columns were declared with; only a single SELECT can be a view."""
        view = self.quoted(f"celosia_{secrets.token_hex(8)}")
        self.execute(f"CREATE TEMP VIEW {view} AS {statement}")
        rows = self.driver.cursor().execute(f"PRAGMA temp.table_info({view})").fetchall()
        self.execute(f"DROP VIEW temp.{view}")
        return [str(row[2]).upper() for row in rows]

    def stored(self, column: pl.Series) -> pl.Series:
        """Return the column; moments with a zone become text, since SQLite has no type for them."""
        is_zoned = isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone
        return spell(column.to_frame(), decimal=".").to_series() if is_zoned else column

    def check_names(self, names: list[str]) -> None:
        """Refuse names that SQLite takes for equal: it does not tell ``age`` from ``Age``."""
        if len({name.lower() for name in names}) < len(names):
            raise FormatError(
                "two column names differ only in capital letters, which SQLite takes for one.", hint="rename one."
            )

    def fill(self, name: str, schema: str | None, frame: pl.DataFrame) -> None:
        """Insert the rows, with dates and times as text in ISO 8601."""
        spelt = frame.select(spell_moments(column) if column.dtype.is_temporal() else column for column in frame)
        marks = ", ".join("?" * frame.width)
        for rows in spelt.iter_slices(CHUNK):
            self.driver.cursor().executemany(
                f"INSERT INTO {self.quoted(name, schema)} VALUES ({marks})", rows.iter_rows()
            )


def _piece(name: str, cells: Sequence[Any], what: str) -> pl.Series:
    """Give some cells of one column the narrowest type that keeps them all."""
    kinds = set(map(type, cells)) - {type(None)}
    if bytes in kinds:
        raise refuse_cells(name, what, "bytes", "leave it out, or cast it in a query.")
    if not kinds:
        return pl.Series(name, [None] * len(cells), dtype=pl.Null)
    if kinds == {int}:
        return pl.Series(name, cells, dtype=pl.Int64)
    if kinds == {str}:
        return pl.Series(name, cells, dtype=pl.String)
    if str not in kinds:
        _refuse_inexact(name, max(abs(cell) for cell in cells if isinstance(cell, int)) if int in kinds else 0, what)
        return pl.Series(name, [None if cell is None else float(cell) for cell in cells], dtype=pl.Float64)
    return pl.Series(name, [None if cell is None else _text(cell) for cell in cells], dtype=pl.String)


def _joined(name: str, pieces: list[pl.Series], what: str) -> pl.Series:
    """Put the pieces of a column together: text where any is text, else fractions where any has some."""
    found = {piece.dtype.base_type() for piece in pieces}
    if pl.String in found:
        texts = [piece if piece.dtype in (pl.String, pl.Null) else _as_text(piece) for piece in pieces]
        return pl.concat([piece.cast(pl.String) for piece in texts], rechunk=True)
    if pl.Float64 in found:
        return pl.concat([_as_float(piece, what) for piece in pieces], rechunk=True)
    if pl.Int64 in found:
        return pl.concat([piece.cast(pl.Int64) for piece in pieces], rechunk=True)
    return pl.Series(name, [None] * sum(map(len, pieces)), dtype=pl.Null)


def _typed(column: pl.Series, declared: str) -> pl.Series:
    """Read a column as the type it was declared with, if all its cells agree; else leave it."""
    base = declared.partition("(")[0].strip()
    is_fraction = any(part in base for part in ("REAL", "FLOA", "DOUB")) or _SCALE.search(declared) is not None
    if column.dtype == pl.Null:
        column = column.cast(_empty_type(base, is_fraction))
    moment: Moment | None = {"DATE": "date", "TIME": "time"}.get(base)  # type: ignore[assignment]
    if "DATETIME" in base or "TIMESTAMP" in base:
        moment = "timestamp"
    if moment and column.dtype == pl.String:
        moments, n_other = parse_moments(column, moment)
        return column if n_other else moments
    if column.dtype != pl.Int64:
        return column
    if "BOOL" in base and column.drop_nulls().is_in([0, 1]).all():
        return column.cast(pl.Boolean)
    is_exact = not column.drop_nulls().is_between(-_LARGEST_EXACT_INTEGER, _LARGEST_EXACT_INTEGER).not_().any()
    return column.cast(pl.Float64) if is_fraction and is_exact else column


def _empty_type(base: str, is_fraction: bool) -> Any:
    """Tell the type of a column without a cell by the rules by which SQLite reads declared types."""
    if "INT" in base or "BOOL" in base:
        return pl.Int64
    if is_fraction:
        return pl.Float64
    return pl.Int64 if base in ("NUMERIC", "DECIMAL") else pl.String


def _text(cell: str | int | float) -> str:
    return cell if isinstance(cell, str) else cell_text(cell) or ""


def _as_text(numbers: pl.Series) -> pl.Series:
    return pl.Series(numbers.name, [cell_text(cell) for cell in numbers.to_list()], dtype=pl.String)


def _as_float(piece: pl.Series, what: str) -> pl.Series:
    if piece.dtype == pl.Int64:
        largest = max(abs(cell) for cell in (piece.min(), piece.max()) if isinstance(cell, int))
        _refuse_inexact(piece.name, largest, what)
    return piece.cast(pl.Float64)


def _refuse_inexact(name: str, largest: int, what: str) -> None:
    if largest > _LARGEST_EXACT_INTEGER:
        raise refuse_cells(
            name,
            what,
            "fractions beside whole numbers beyond 2^53, which no one type keeps",
            "cast it to text in a query.",
        )
