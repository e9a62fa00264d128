"""What a Parquet or Arrow file holds beyond the cells: unused categories, an index of pandas, metadata.

An Arrow file begins with its schema as a FlatBuffers message, and so does the entry ``ARROW:schema`` of a Parquet file.
Of FlatBuffers only three rules are needed: a table starts with the distance back to its list of fields; that list gives
for each field how far behind the start it lies (0: it is not there); a vector or text starts with its length.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl

from celosia.data.io.hidden import HIDDEN_WORDS, Hidden

_FILE_MAGIC = b"ARROW1\0\0"
_ARROW_SCHEMA = "ARROW:schema"
_PROGRAMS = re.compile(
    r"pandas|_PL_.*|ARROW:.*|PARQUET:.*|org\.apache\..*|parquet\..*|iceberg\..*|spark\..*|writer\..*|geo|huggingface"
)
"""Entries that programs write of their own accord."""
_QUIET = re.compile(r"_PL_.*|ARROW:.*|PARQUET:.*")
"""Those that say what type a column has, as the columns themselves do."""
_STORED_INDEX = re.compile(r"__index_level_\d+__")
_FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def hidden_in_parquet(data: bytes, frame: pl.DataFrame) -> tuple[Hidden, ...]:
    """Return what a Parquet file holds beyond its cells.

    Unused categories are told by the lists of Polars and by the counts in the metadata of pandas; those of a file that
    pyarrow wrote without pandas do not show.

    Parameters
    ----------
    data
        The bytes of the file.
    frame
        What was read from it, as plain columns.

    Examples
    --------
    >>> image = io.BytesIO()
    >>> ill = pl.Series("ill", ["flu", "cold"], dtype=pl.Enum(["flu", "cold", "cancer"]))
    >>> ill.to_frame().write_parquet(image)
    >>> hidden_in_parquet(image.getvalue(), pl.DataFrame({"ill": ["flu", "cold"]}))
    (Hidden(kind='unused_categories', count=1),)
    """
    entries = dict(pl.read_parquet_metadata(io.BytesIO(data)))
    try:
        message = base64.b64decode(entries.pop(_ARROW_SCHEMA, ""), validate=True)
    except binascii.Error:
        message = b""
    entries |= dict(schema_entries(message) or ())
    stored = pl.read_parquet(io.BytesIO(data), n_rows=0)  # the schema alone lacks the categories
    sizes = {name: len(dtype.categories) for name, dtype in stored.schema.items() if isinstance(dtype, pl.Enum)}
    return _found(entries, sizes, stored.columns, frame)


def hidden_in_arrow(data: bytes, frame: pl.DataFrame) -> tuple[Hidden, ...]:
    """Return what an Arrow or Feather file holds beyond its cells.

    Parameters
    ----------
    data
        The bytes of the file.
    frame
        What was read from it, as plain columns.

    Examples
    --------
    >>> import pyarrow, pyarrow.feather
    >>> image = io.BytesIO()
    >>> table = pyarrow.table({"age": [40]}).replace_schema_metadata({"study": "7"})
    >>> pyarrow.feather.write_feather(table, image)
    >>> hidden_in_arrow(image.getvalue(), pl.DataFrame({"age": [40]}))
    (Hidden(kind='added_metadata', count=1),)
    """
    entries = dict(schema_entries(data.removeprefix(_FILE_MAGIC)) or ())
    try:
        stored = (
            pl.read_ipc(io.BytesIO(data), memory_map=False)
            if data.startswith(_FILE_MAGIC)
            else pl.read_ipc_stream(io.BytesIO(data))
        )
    except _FAILURES:  # Polars refuses categories of pandas with missing cells; the metadata tell how many there are
        stored = pl.DataFrame()
    listed = [column for column in stored.get_columns() if isinstance(column.dtype, pl.Categorical | pl.Enum)]
    sizes = {column.name: len(column.cat.get_categories()) for column in listed}
    return _found(entries, sizes, stored.columns, frame)


def _found(
    entries: Mapping[str, str], sizes: Mapping[str, int], stored: Iterable[str], frame: pl.DataFrame
) -> tuple[Hidden, ...]:
    """Count what metadata, lists of categories (given by their sizes) and stored columns hold beyond the cells."""
    pandas = _pandas(entries)
    counts: Counter[str] = Counter()
    known = {column: max(sizes.get(column, 0), pandas.get(column, 0)) for column in {*sizes, *pandas}}
    for column, size in known.items():
        if column in frame.columns:
            counts["unused_categories"] += max(0, size - frame[column].drop_nulls().n_unique())
    counts["stored_index"] = sum(_STORED_INDEX.fullmatch(column) is not None for column in stored)
    for key in entries:
        if not _QUIET.fullmatch(key):
            counts["program_metadata" if _PROGRAMS.fullmatch(key) else "added_metadata"] += 1
    return tuple(Hidden(kind, counts[kind]) for kind in HIDDEN_WORDS if counts[kind] > 0)


def _pandas(entries: Mapping[str, str]) -> dict[str, int]:
    """Return how many categories the metadata of pandas give to columns."""
    try:
        told = json.loads(entries.get("pandas", "{}"))
    except ValueError:
        told = {}
    columns = told.get("columns", []) if isinstance(told, dict) else []
    return {name: size for column in columns if isinstance(column, dict) for name, size in _categories(column)}


def _categories(column: dict[str, Any]) -> Iterable[tuple[str, int]]:
    told = column.get("metadata")
    size = told.get("num_categories") if isinstance(told, dict) else None
    name = column.get("field_name", column.get("name"))
    return [(name, size)] if isinstance(name, str) and isinstance(size, int) else []


_CONTINUED = b"\xff\xff\xff\xff"
_MESSAGE_HEADER, _SCHEMA_FIELDS, _SCHEMA_ENTRIES, _FIELD_ENTRIES = 2, 1, 2, 6
_KEY, _VALUE = 0, 1


def schema_entries(message: bytes) -> list[tuple[str, str]] | None:
    """Return the entries of a schema message, those of its columns after its own; ``None`` where it is none.

    Examples
    --------
    >>> import pyarrow
    >>> schema = pyarrow.schema([("age", pyarrow.int64())], metadata={"study": "7"})
    >>> schema_entries(schema.serialize().to_pybytes())
    [('study', '7')]
    >>> schema_entries(b"no message") is None
    True
    """
    start = 8 if message.startswith(_CONTINUED) else 4
    try:
        schema = _field(message, _place(message, start), _MESSAGE_HEADER)
        if schema is None:
            return None
        tables = [
            (schema, _SCHEMA_ENTRIES),
            *((one, _FIELD_ENTRIES) for one in _listed(message, schema, _SCHEMA_FIELDS)),
        ]
        return [entry for table, field in tables for entry in _entries(message, table, field)]
    except (struct.error, UnicodeDecodeError):
        return None


def _entries(message: bytes, table: int, field: int) -> Iterator[tuple[str, str]]:
    for entry in _listed(message, table, field):
        yield _text(message, entry, _KEY), _text(message, entry, _VALUE)


def _listed(message: bytes, table: int, field: int) -> Iterator[int]:
    """Give the tables that a field lists."""
    vector = _field(message, table, field)
    if vector is not None:
        for place in range(_number(message, vector)):
            yield _place(message, vector + 4 + 4 * place)


def _field(message: bytes, table: int, field: int) -> int | None:
    """Return where a field's table, vector or text lies; ``None`` where the table lacks it."""
    fields = table - struct.unpack_from("<i", message, table)[0]
    (length,) = struct.unpack_from("<H", message, fields)
    if 4 + 2 * field >= length:
        return None
    (behind,) = struct.unpack_from("<H", message, fields + 4 + 2 * field)
    return _place(message, table + behind) if behind else None


def _text(message: bytes, table: int, field: int) -> str:
    place = _field(message, table, field)
    if place is None:
        return ""
    (text,) = struct.unpack_from(f"<{_number(message, place)}s", message, place + 4)
    return str(text, "utf-8")


def _place(message: bytes, at: int) -> int:
    return at + _number(message, at)


def _number(message: bytes, at: int) -> int:
    number: int = struct.unpack_from("<I", message, at)[0]
    return number
