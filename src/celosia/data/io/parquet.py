"""Parquet: typed as stored, and written without statistics or foreign metadata."""

from __future__ import annotations

import io
from typing import IO, Literal

import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.plain import plain_columns

_COMPRESSION: Literal["zstd"] = "zstd"


def read_parquet(data: bytes, file: str) -> pl.DataFrame:
    """Return the columns of a Parquet file as plain columns.

    Raises
    ------
    FormatError
        When the file is broken, or a column is nested.

    Examples
    --------
    >>> image = io.BytesIO()
    >>> write_parquet(pl.DataFrame({"age": [39]}), image)
    >>> read_parquet(image.getvalue(), "people.parquet").rows()
    [(39,)]
    """
    try:
        frame = pl.read_parquet(io.BytesIO(data), rechunk=True)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        frame = None
    if frame is None:
        raise FormatError(
            f"{file} is not a readable Parquet file.",
            hint="write it anew, or say the right format; it may be cut short.",
        )
    return plain_columns(frame, file)


def write_parquet(frame: pl.DataFrame, file: IO[bytes]) -> None:
    """Write a frame as Parquet, with names and types as its only metadata.

    Examples
    --------
    >>> write_parquet(pl.DataFrame({"age": [39]}), io.BytesIO())
    """
    frame.write_parquet(file, compression=_COMPRESSION, statistics=False)
