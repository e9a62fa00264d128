"""Arrow, Feather and Parquet: typed as stored, and written from scrubbed memory without foreign metadata."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import IO, Any, Literal

import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.plain import plain_columns, scrub

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


def from_arrow_table(table: Any) -> pl.DataFrame:
    """Return a ``pyarrow.Table`` as a Polars frame, with dictionaries as their values.

    pandas stores a missing category as key -1, which Polars takes for damage: pyarrow itself decodes the keys.

    Raises
    ------
    FormatError
        When two columns have one name.

    Examples
    --------
    >>> import pyarrow
    >>> from_arrow_table(pyarrow.table({"age": [39]})).rows()
    [(39,)]
    """
    refuse_repeated(table.column_names)
    for place, field in enumerate(table.schema):
        if hasattr(field.type, "value_type") and hasattr(field.type, "index_type"):
            table = table.set_column(place, field.name, table.column(place).cast(field.type.value_type))
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame


def refuse_repeated(names: Sequence[str]) -> None:
    """Refuse a frame in which two columns have one name; the message says where, not which.

    Raises
    ------
    FormatError
        With the positions of the two columns.

    Examples
    --------
    >>> refuse_repeated(["age", "zip"])
    """
    for position, name in enumerate(names, start=1):
        first = names.index(name) + 1
        if first != position:
            raise FormatError(
                f"columns {first} and {position} of the frame have the same name.",
                hint="give each column a name of its own.",
            )
