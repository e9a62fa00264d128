"""Arrow IPC and Feather: typed as stored, and written from scrubbed memory."""

from __future__ import annotations

import io
from typing import IO

import polars as pl

from celosia.errors import FormatError
from celosia.io.plain import plain_columns
from celosia.io.scrub import scrub

__all__ = ["read_arrow", "write_arrow"]

_FILE_MAGIC = b"ARROW1"


def read_arrow(data: bytes, file: str) -> pl.DataFrame:
    """Return the columns of an Arrow IPC file, Arrow stream or Feather (version 2) file as plain columns.

    Raises
    ------
    FormatError
        When the file is broken, or a column is nested.

    Examples
    --------
    >>> image = io.BytesIO()
    >>> write_arrow(pl.DataFrame({"age": [39]}), image)
    >>> read_arrow(image.getvalue(), "people.arrow").rows()
    [(39,)]
    """
    try:
        if data.startswith(_FILE_MAGIC):
            frame = pl.read_ipc(io.BytesIO(data), memory_map=False)
        else:
            frame = pl.read_ipc_stream(io.BytesIO(data))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        frame = None
    if frame is None:
        raise FormatError(
            f"{file} is not a readable Arrow or Feather file.",
            hint="write it anew (Feather version 1 is not read), or say the right format; it may be cut short.",
        )
    return plain_columns(frame, file)


def write_arrow(frame: pl.DataFrame, file: IO[bytes]) -> None:
    """Write a frame as an Arrow IPC file, with names and types as its only metadata.

    Examples
    --------
    >>> write_arrow(pl.DataFrame({"age": [39]}), io.BytesIO())
    """
    scrub(frame).write_ipc(file, compression="uncompressed", compat_level=pl.CompatLevel.oldest())
