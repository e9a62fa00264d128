"""PostgreSQL: columns have types, and every cell comes as the server's own text."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.plain import refuse_where
from celosia.data.io.sql.database import CHUNK, Database, Moment, missing_package, parse_moments, refuse_cells

if TYPE_CHECKING:
    from sqlalchemy import URL

_LONGEST_NAME = 63
_SURE_DIGITS = 15
# With these the server spells dates, moments and floats in one way, and reads a table from its beginning.
_SETTINGS = (
    "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL extra_float_digits = 1; "
    "SET LOCAL synchronize_seqscans = off"
)
_KINDS: Mapping[str, str] = {
    "bool": "boolean",
    "int2": "integer",
    "int4": "integer",
    "int8": "integer",
    "float4": "float",
    "float8": "float",
    "numeric": "numeric",
    "bpchar": "padded",
    "uuid": "text",
    "date": "date",
    "time": "time",
    "timestamp": "timestamp",
    "timestamptz": "zoned",
}
_HINT = "cast it in a query, such as SELECT name::text AS name, or leave it out."


def open_postgresql(place: URL, writing: bool) -> Database:
    """Open a connection to a PostgreSQL server."""
    import sqlalchemy

    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise missing_package("psycopg") from None
    arguments: dict[str, Any] = {"client_encoding": "utf8"}
    if "connect_timeout" not in place.query:
        arguments["connect_timeout"] = 15
    engine = sqlalchemy.create_engine(
        place.set(drivername="postgresql+psycopg"),
        poolclass=sqlalchemy.NullPool,
        hide_parameters=True,
        connect_args=arguments,
    )
    return PostgresqlDatabase(engine.connect().execution_options(postgresql_readonly=not writing))


class PostgresqlDatabase(Database):
    """A connection to a PostgreSQL server."""

    def begin(self) -> None:
        """Begin the transaction."""
        self.execute(_SETTINGS)

    def columns(self, statement: str, what: str) -> list[pl.Series]:
        """Return the columns of a SELECT through a cursor of the server, which takes a single SELECT only."""
        self._read_as_text()
        with self.driver.cursor(name="celosia") as cursor:
            cursor.execute(statement)
            description = cursor.description
            kinds = self._kinds([(column.name, column.type_code) for column in description], what)
            pieces: list[list[pl.Series]] = [[] for _ in description]
            while rows := cursor.fetchmany(CHUNK):
                for column, cells in zip(pieces, zip(*rows, strict=True), strict=True):
                    column.append(pl.Series(cells, dtype=pl.String))
        columns = []
        for place, kind in enumerate(kinds):
            text = pl.concat([pl.Series([], dtype=pl.String), *pieces[place]], rechunk=True)
            pieces[place] = []
            columns.append(_typed(text.alias(description[place].name), kind, description[place].scale, what))
        return columns

    def _read_as_text(self) -> None:
        """Have the driver give the server's texts: its own values fail with a cell in the message."""
        from psycopg.types.string import TextLoader

        for name in _KINDS:
            self.driver.adapters.register_loader(name, TextLoader)

    def _kinds(self, columns: list[tuple[str, int]], what: str) -> list[str]:
        codes = [code for _, code in columns]
        rows = self.driver.execute(
            "SELECT oid::bigint, typname, typtype = 'e' OR typcategory = 'S' FROM pg_type WHERE oid = ANY(%s)", [codes]
        ).fetchall()
        # Enumerations and all string types, those of extensions included, come as text.
        known = {int(code): _KINDS.get(name) or ("text" if is_text == "t" else None) for code, name, is_text in rows}
        names = {int(code): name for code, name, _ in rows}
        for name, code in columns:
            if known.get(code) is None:
                raise refuse_cells(name, what, f"cells of the type {names.get(code, 'record')}", _HINT)
        return [known[code] or "text" for code in codes]

    def stored(self, column: pl.Series) -> pl.Series:
        """Return the column, with zoned moments in UTC, which is all that the server keeps of a zone."""
        if column.dtype == pl.String:
            what = "cells with the character NUL, which PostgreSQL has no room for."
            refuse_where(
                column, column.str.contains("\0", literal=True), what, "remove the character, or write a file."
            )
        is_zoned = isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone
        return column.dt.convert_time_zone("UTC") if is_zoned else column

    def check_names(self, names: list[str]) -> None:
        """Refuse names that PostgreSQL would cut."""
        n_long = sum(1 for name in names if len(name.encode()) > _LONGEST_NAME)
        if n_long:
            raise FormatError(
                f"{n_long} names have more than {_LONGEST_NAME} bytes; PostgreSQL would cut them.", hint="shorten them."
            )

    def fill(self, name: str, schema: str | None, frame: pl.DataFrame) -> None:
        """Copy the rows in as CSV, in which quotes tell an empty text from a missing cell."""
        with self.driver.cursor().copy(f"COPY {self.quoted(name, schema)} FROM STDIN WITH (FORMAT csv)") as copy:
            for rows in frame.iter_slices(CHUNK):
                copy.write(rows.write_csv(include_header=False, quote_style="non_numeric"))


def _typed(text: pl.Series, kind: str, scale: int | None, what: str) -> pl.Series:
    if kind == "text":
        return text
    if kind == "padded":
        return text.str.strip_chars_end(" ")
    if kind == "boolean":
        return text == "t"
    if kind == "integer":
        return text.cast(pl.Int64)
    if kind == "float":
        return text.cast(pl.Float64)
    if kind == "numeric":
        return _number(text, scale, what)
    if kind == "zoned":
        moments, n_other = parse_moments(text.str.strip_suffix("+00"), "timestamp")
        moments = moments.dt.replace_time_zone("UTC")
    else:
        moment: Moment = kind  # type: ignore[assignment]
        moments, n_other = parse_moments(text, moment)
    if n_other:
        raise refuse_cells(
            text.name, what, f"{n_other} moments outside the years 1 to 9999 (or infinite, or 24:00)", _HINT
        )
    return moments


def _number(text: pl.Series, scale: int | None, what: str) -> pl.Series:
    """Return exact numbers as whole ones where all are, else as floats that spell the same number."""
    is_whole = scale == 0 or not text.str.contains(r"[^0-9-]").any()
    numbers = text.cast(pl.Int64 if is_whole else pl.Float64, strict=False)
    n_lost = numbers.null_count() - text.null_count()
    if not is_whole:
        digits = text.str.replace(r"^-?0*\.?0*", "").str.replace_all(".", "", literal=True).str.len_chars()
        n_lost = sum(1 for cell in text.filter(digits > _SURE_DIGITS) if not _is_kept(cell))
    if n_lost:
        raise refuse_cells(
            text.name,
            what,
            f"{n_lost} numbers of more digits than 64 bits keep",
            "cast it to text, or round it, in a query.",
        )
    return numbers


def _is_kept(cell: str) -> bool:
    return Decimal(repr(float(cell))) == Decimal(cell)
