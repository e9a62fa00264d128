"""The metadata in an Arrow schema: keys and values that programs and people put beside the columns.

An Arrow file begins with its schema as a FlatBuffers message, and so does the entry ``ARROW:schema`` of a Parquet file.
Of FlatBuffers only three rules are needed: a table starts with the distance back to its list of fields; that list gives
for each field how far behind the start it lies (0: it is not there); a vector or text starts with its length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

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
