"""Columns of plain cells: no categories, no nesting, no index, no NaN; and no value that hides under a missing cell."""

from __future__ import annotations

import io
import re

import polars as pl

from celosia.base.errors import FormatError

_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def plain_columns(frame: pl.DataFrame, source: str) -> pl.DataFrame:
    """Return the frame with categories as text, NaN as missing and pandas' stored index dropped.

    A categorical column keeps every category it ever had, also those of rows that are gone; plain text does not.

    Parameters
    ----------
    frame
        Any frame.
    source
        What to call it in messages.

    Raises
    ------
    FormatError
        When a column holds lists, structures, bytes or Python objects.

    Examples
    --------
    >>> frame = pl.DataFrame({"job": pl.Series(["clerk"], dtype=pl.Categorical), "__index_level_0__": [7]})
    >>> dict(plain_columns(frame, "people.parquet").schema)
    {'job': String}
    """
    kept = [name for name in frame.columns if not _PANDAS_INDEX.fullmatch(name)]
    columns: list[pl.Series] = []
    for name in kept:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise FormatError(
                f"a column of {source} has a name that would be read as a pattern ('*', or '^' to '$').",
                hint="rename it.",
            )
        dtype = frame.schema[name]
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            raise FormatError(
                f"column '{name}' of {source} holds {str(dtype).partition('(')[0].lower()} cells; "
                "allowed: text, numbers, truth values, dates and times.",
                hint="split it into plain columns, or leave it out.",
            )
        if dtype in (pl.Categorical, pl.Enum, pl.Null):
            columns.append(frame[name].cast(pl.String))
        elif dtype.is_float():
            columns.append(without_nan(frame[name]))
        elif dtype == pl.Int128:
            columns.append(_in_64_bits(frame[name]))
        else:
            columns.append(frame[name])
    return frame.select(columns)


def _in_64_bits(column: pl.Series) -> pl.Series:
    """Return whole numbers of 128 bits in 64, or as text where they do not fit."""
    narrow = column.cast(pl.Int64, strict=False)
    return narrow if narrow.null_count() == column.null_count() else column.cast(pl.String)


def without_nan(column: pl.Series) -> pl.Series:
    """Return a column of floats with NaN as missing; one that has none comes back itself, without a copy.

    Examples
    --------
    >>> without_nan(pl.Series([39.0, float("nan")])).to_list()
    [39.0, None]
    """
    return column.fill_nan(None) if column.is_nan().any() else column


def scrub(frame: pl.DataFrame) -> pl.DataFrame:
    """Return an equal frame whose memory holds nothing but its visible cells.

    A cell that was blanked is only *marked* missing: its old value stays in the buffer below, and Arrow files,
    Arrow tables and pickles copy the buffer whole. Parquet has no room for values under missing cells, so each
    column goes through an uncompressed Parquet image in memory and comes back clean.

    Guarantee: the buffers hold no value that is not a visible cell of the frame. Python copies of the old frame that
    somebody else holds are not touched.

    Examples
    --------
    >>> blanked = pl.DataFrame({"salary": [1, 2]}).select(pl.when(pl.col("salary") > 1).then("salary"))
    >>> scrub(blanked)["salary"].to_list()
    [None, 2]
    """
    return pl.DataFrame([_scrubbed(column) for column in frame.get_columns()])


def _scrubbed(column: pl.Series) -> pl.Series:
    image = io.BytesIO()
    column.to_frame().write_parquet(image, compression="uncompressed", statistics=False)
    image.seek(0)
    return pl.read_parquet(image, rechunk=True).to_series()


def refuse_where(column: pl.Series, wrong: pl.Series, what: str, hint: str) -> None:
    """Refuse a column with cells that the file cannot hold; the message counts them and says what they are.

    Raises
    ------
    FormatError
        A cell is wrong.

    Examples
    --------
    >>> refuse_where(pl.Series("age", [39]), pl.Series([False]), "ages that are too great.", "leave it out.")
    """
    n_wrong = int(wrong.sum())
    if n_wrong:
        raise FormatError(f"column '{column.name}' has {n_wrong} {what}", hint=hint)
