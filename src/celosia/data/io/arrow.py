"""Arrow IPC and Feather: typed as stored, and written from scrubbed memory."""

from __future__ import annotations

import io
from typing import IO

import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.arrow_tables import from_arrow_table
from celosia.data.io.plain import plain_columns
from celosia.data.io.scrub import scrub

_FILE_MAGIC = b"ARROW1"
_MISSING_CATEGORY = "dictionary key must fit"


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
    frame = _read_frame(data)
    if frame is None:
        raise FormatError(
            f"{file} is not a readable Arrow or Feather file.",
            hint="write it anew (Feather version 1 is not read), or say the right format; it may be cut short.",
        )
    return plain_columns(frame, file)


def _read_frame(data: bytes) -> pl.DataFrame | None:
    if not data.startswith(_FILE_MAGIC):
        try:
            return pl.read_ipc_stream(io.BytesIO(data))
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
            return None
    try:
        return pl.read_ipc(io.BytesIO(data), memory_map=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        # Only for this one complaint, since pyarrow does not guard itself against damaged files.
        return _read_with_pyarrow(data) if _MISSING_CATEGORY in str(error) else None


def _read_with_pyarrow(data: bytes) -> pl.DataFrame | None:
    """Read categories of pandas with missing cells, which Polars refuses; who made them has pyarrow."""
    try:
        import pyarrow
    except ImportError:
        return None
    try:
        table = pyarrow.ipc.open_file(pyarrow.BufferReader(data)).read_all()
        table.validate(full=True)
    except (pyarrow.ArrowException, OSError):
        return None
    return from_arrow_table(table)


def write_arrow(frame: pl.DataFrame, file: IO[bytes]) -> None:
    """Write a frame as an Arrow IPC file, with names and types as its only metadata.

    Examples
    --------
    >>> write_arrow(pl.DataFrame({"age": [39]}), io.BytesIO())
    """
    scrub(frame).write_ipc(file, compression="uncompressed", compat_level=pl.CompatLevel.oldest())
