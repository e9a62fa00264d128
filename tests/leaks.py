"""A scan for what must not be there: secrets in files, bytes, texts, frames and exceptions, in every form they take.

It looks for identifiers, dropped columns and originals that no published value spells out; which these are is for the
test to say. A secret is a text, a number of at least seven digits (a shorter one would be found by accident), a date,
or bytes such as a key.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import datetime
import html
import io
import math
import pickle
import re
import sqlite3
import struct
import sys
import tempfile
import traceback
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

Secret = str | int | float | datetime.date | bytes

_FEWEST_DIGITS, _FEWEST_CHARACTERS = 7, 4
_DEEPEST = 5
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{16,}={0,2}")
_ESCAPE = re.compile(rb"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_STREAMS = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18")
_IN_ANY_CASE = frozenset({"utf-8 NFC", "utf-8 NFD", "hexadecimal NFC", "hexadecimal NFD", "hexadecimal"})
_DAY_ZERO = datetime.date(1970, 1, 1)


def leaks(thing: Any, secrets: Iterable[Secret]) -> list[str]:
    """Return where any of the secrets is found, each place once; an empty list is a clean bill.

    Parameters
    ----------
    thing
        A folder or file (``Path``), bytes, a text, an exception (with those it came from, suppressed or not), or a
        pandas, Polars or Arrow frame, whose memory is read rather than its cells.
    secrets
        What to look for.
    """
    wanted = [(secret, *_forms(secret)) for secret in dict.fromkeys(secrets)]
    found: dict[str, None] = {}
    seen: set[bytes] = set()
    for place, data in _pieces(thing):
        if data in seen or len(data) < _FEWEST_CHARACTERS:
            continue
        seen.add(data)
        lowered = data.lower()
        for secret, texts, patterns in wanted:
            if form := _found(data, lowered, texts, patterns):
                found[f"{place}: {secret!r} as {form}"] = None
    return list(found)


# The forms of a secret ------------------------------------------------------------------------------------------------


def _forms(secret: Secret) -> tuple[dict[str, bytes], dict[str, re.Pattern[bytes]]]:
    """Return what to look for as it is, and what to look for by a pattern, each by the name of the form."""
    if isinstance(secret, datetime.date):
        return _forms_of_date(secret)
    if isinstance(secret, bytes):
        return _forms_of_bytes(secret), {}
    if isinstance(secret, str):
        if len(secret) < _FEWEST_CHARACTERS:
            raise ValueError(f"a secret of {len(secret)} characters would be found by accident.")
        return _forms_of_text(secret), {}
    return _forms_of_number(secret)


def _forms_of_text(secret: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for normal in ("NFC", "NFD"):
        text = unicodedata.normalize(normal, secret)
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "latin-1"):
            with contextlib.suppress(UnicodeEncodeError):
                found[f"{encoding} {normal}"] = text.encode(encoding)
        raw = text.encode()
        found[f"utf-8 {normal}"] = raw.lower()
        found[f"hexadecimal {normal}"] = raw.hex().encode()
        found |= {f"{form} {normal}": kept for form, kept in _base64_forms(raw)}
    return {form: data for place, (form, data) in enumerate(found.items()) if data not in list(found.values())[:place]}


def _forms_of_bytes(secret: bytes) -> dict[str, bytes]:
    """Return bytes as they are, in hexadecimal, base64, and as Python shows bytes and lists of them."""
    numbers = ", ".join(map(str, secret)).encode()
    shown = {"bytes": secret, "hexadecimal": secret.hex().encode(), "Python": repr(secret)[2:-1].encode()}
    return shown | {"numbers": numbers, "spaced": secret.hex(" ").encode()} | dict(_base64_forms(secret))


def _base64_forms(raw: bytes) -> Iterator[tuple[str, bytes]]:
    for shift in range(3):  # of whatever stands before it
        code = base64.b64encode(b"\0" * shift + raw)
        kept = code[(8 * shift + 5) // 6 : (8 * (shift + len(raw))) // 6]
        yield f"base64 {shift}", kept
        yield f"base64 for addresses {shift}", kept.translate(bytes.maketrans(b"+/", b"-_"))


def _forms_of_number(secret: float) -> tuple[dict[str, bytes], dict[str, re.Pattern[bytes]]]:
    spelt = np.format_float_positional(secret, trim="-") if isinstance(secret, float) else str(secret)
    if sum(one.isdigit() for one in spelt.strip("0.-")) < _FEWEST_DIGITS:
        raise ValueError("a number of so few digits would be found by accident.")
    whole, _, part = spelt.lstrip("-").partition(".")
    groups = re.escape(f"{int(whole):,}").replace(",", r"(?:[,.' ]|\xc2\xa0|\xe2\x80\xaf)?").encode()
    digits = groups + (rb"[.,]" + part.encode() if part else b"") + rb"(?![0-9])"
    patterns = {"decimal text": re.compile(rb"(?<![0-9])" + digits)}
    texts = {"float64": struct.pack("<d", secret), "big-endian float64": struct.pack(">d", secret)}
    if math.isfinite(secret):
        texts["IBM float of SAS"] = _ibm(float(secret))
    if not isinstance(secret, float) or secret.is_integer():
        exact = int(secret)
        least = exact.bit_length() // 8 + 1
        for n_bytes in {least, 4, 6, 8}:
            if least <= n_bytes:
                texts[f"int{8 * n_bytes}"] = exact.to_bytes(n_bytes, "little", signed=True)
                texts[f"big-endian int{8 * n_bytes}"] = exact.to_bytes(n_bytes, "big", signed=True)
    return texts, patterns


def _forms_of_date(secret: datetime.date) -> tuple[dict[str, bytes], dict[str, re.Pattern[bytes]]]:
    days = (secret - _DAY_ZERO).days
    texts = {form: secret.strftime(form).encode() for form in ("%Y-%m-%d", "%d/%m/%Y", "%Y%m%d", "%d-%b-%Y", "%d%b%Y")}
    for unit, name in ((10**3, "milliseconds"), (10**6, "microseconds"), (10**9, "nanoseconds")):
        texts[name] = struct.pack("<q", days * 86_400 * unit)
    texts["seconds of SPSS"] = struct.pack("<d", (days + 141_428) * 86_400)
    return texts, {}


def _ibm(number: float) -> bytes:
    """Spell a number as transport files do: base 16, excess 64, a fraction of 56 bits."""
    if not number:
        return b"\0" * 8
    mantissa, power = math.frexp(abs(number))
    exponent = -(-power // 4)
    fraction = int(mantissa * 2 ** (power - 4 * exponent) * 2**56)
    return bytes([(128 if number < 0 else 0) | (exponent + 64)]) + fraction.to_bytes(7, "big")


def _found(data: bytes, lowered: bytes, texts: dict[str, bytes], patterns: dict[str, re.Pattern[bytes]]) -> str | None:
    for form, text in texts.items():
        if text in (lowered if form in _IN_ANY_CASE else data):
            return form
    return next((form for form, pattern in patterns.items() if pattern.search(data)), None)


# The pieces of a thing ------------------------------------------------------------------------------------------------


def _pieces(thing: Any) -> Iterator[tuple[str, bytes]]:
    """Return every stretch of bytes that the thing holds, unpacked, by the name of its place."""
    if isinstance(thing, Path):
        yield from _of_path(thing)
    elif isinstance(thing, bytes | bytearray | memoryview):
        yield from _of_bytes("bytes", bytes(thing))
    elif isinstance(thing, str):
        yield from _of_bytes("text", thing.encode("utf-8", "surrogatepass"))
    elif isinstance(thing, BaseException):
        yield type(thing).__name__, said(thing).encode("utf-8", "surrogatepass")
    elif isinstance(thing, dict | list | tuple):
        yield from _of_bytes("value", repr(thing).encode())
        yield from _of_bytes("pickled value", pickle.dumps(thing))
    else:
        yield from _of_frame(thing)


def _of_path(path: Path) -> Iterator[tuple[str, bytes]]:
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    for file in files:
        name = str(file.relative_to(path)) if path.is_dir() else file.name
        yield f"{name} (its name)", name.encode()
        yield from _of_bytes(name, file.read_bytes())


def said(error: BaseException) -> str:
    """Return all that an error says, and those in whose handling it was raised, even where that is suppressed."""
    seen: set[int] = set()
    left, texts = [error], []
    while left:
        one = left.pop()
        if id(one) not in seen:
            seen.add(id(one))
            texts += [str(one), repr(one), repr(one.args), repr(vars(one)), *traceback.format_exception(one)]
            left += [other for other in (one.__cause__, one.__context__) if other is not None]
    return "\n".join(texts)


def _of_bytes(place: str, data: bytes, depth: int = 0) -> Iterator[tuple[str, bytes]]:
    yield place, data
    if depth == _DEEPEST or not data:
        return
    for view, content in (*_unescaped(data), *_decoded(data)):
        yield f"{place} > {view}", content
    for name, content in (*_members(data), *_streams(data), *_base64(data), *_structured(data)):
        yield from _of_bytes(f"{place} > {name}", content, depth + 1)


def _unescaped(data: bytes) -> Iterator[tuple[str, bytes]]:
    if b"\\" in data:
        yield "unescaped", _ESCAPE.sub(lambda one: chr(int(one[1] or one[2], 16)).encode("utf-8", "replace"), data)
    if b"&" in data:
        yield "without entities", html.unescape(data.decode("utf-8", "replace")).encode("utf-8", "replace")
    if b"%" in data:
        yield "without percents", unquote_to_bytes(data)


def _decoded(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Return the texts of files with odd spaces in them, so that a secret that was broken by line ends is found."""
    if b"\n" in data and len(data) < 10**6:
        yield "in one line", re.sub(rb"[\r\n]+[ \t]*", b"", data)


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield "comment", archive.comment
        for one in archive.infolist():
            yield one.filename, archive.read(one)
            yield f"{one.filename} (entry)", one.filename.encode() + b"\n" + one.comment + b"\n" + one.extra


def _streams(data: bytes) -> Iterator[tuple[str, bytes]]:
    for start in (match.start() for match in _STREAMS.finditer(data)):
        content = _inflated(data[start:])
        if content:
            yield f"stream at {start}", content


def _inflated(data: bytes) -> bytes:
    """Return what a gzip, zlib, zstd or LZ4 stream holds, as far as it goes; nothing if it is none."""
    if data[:2] == b"\x1f\x8b" or data[0] == 0x78:
        unpacking = zlib.decompressobj(31 if data[0] == 0x1F else 15)
        pieces = []
        try:
            for start in range(0, len(data), 1024):
                pieces.append(unpacking.decompress(data[start : start + 1024]))
                if unpacking.eof:
                    break
        except zlib.error:
            pass
        return b"".join(pieces)
    codec = "zstd" if data[0] == 0x28 else "lz4"
    pieces = []
    try:
        with pa.CompressedInputStream(pa.BufferReader(data), codec) as stream:
            while piece := stream.read(4096):
                pieces.append(piece)
    except (OSError, pa.ArrowException):
        pass  # a stream of one page is followed by other bytes
    return b"".join(pieces)


def _base64(data: bytes) -> Iterator[tuple[str, bytes]]:
    for match in _BASE64.finditer(data):
        run = match[0].rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
        for shift in range(4):
            kept = run[shift:]
            try:
                yield (
                    f"base64 at {match.start()}",
                    base64.b64decode(kept[: len(kept) // 4 * 4] if shift else kept + b"=="),
                )
            except binascii.Error:
                continue


def _structured(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Return what the readers of a format see: values, statistics, categories, labels, metadata."""
    if data[:4] == b"PAR1":
        yield from _of_parquet(data)
    elif data[:6] == b"ARROW1":
        table = pa.ipc.open_file(pa.BufferReader(data)).read_all()
        yield from _of_arrow(table)
    elif data[:15] == b"SQLite format 3":
        yield from _of_sqlite(data)
    elif data[:4] in (b"$FL2", b"$FL3"):
        yield from _of_stats(data, "sav")
    elif data[:11] == b"<stata_dta>":
        yield from _of_stats(data, "dta")
    elif data[:20] == b"HEADER RECORD*******":
        yield from _of_stats(data, "xport")


def _of_parquet(data: bytes) -> Iterator[tuple[str, bytes]]:
    file = pq.ParquetFile(io.BytesIO(data))
    facts = file.metadata
    yield "metadata", repr((facts.metadata, facts.created_by)).encode() + b"\n".join((facts.metadata or {}).values())
    for group in range(facts.num_row_groups):
        for place in range(facts.num_columns):
            column = facts.row_group(group).column(place)
            if column.compression not in ("UNCOMPRESSED", "ZSTD", "GZIP"):
                raise ValueError(f"pages packed by {column.compression} cannot be looked into.")
            if column.is_stats_set:
                shown = column.statistics
                yield f"statistics of {column.path_in_schema}", repr((shown.min, shown.max)).encode()
    yield from _of_arrow(file.read())


def _of_sqlite(data: bytes) -> Iterator[tuple[str, bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "copy.db")
        path.write_bytes(data)
        connection = sqlite3.connect(path)
        try:
            for (script,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall():
                yield "definition", script.encode()
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                name = table.replace('"', '""')
                yield f"table {table}", repr(connection.execute(f'SELECT * FROM "{name}"').fetchall()).encode()
        finally:
            connection.close()


def _of_stats(data: bytes, kind: str) -> Iterator[tuple[str, bytes]]:
    pyreadstat = __import__("pyreadstat")
    cells, facts = getattr(pyreadstat, f"read_{kind}")(io.BytesIO(data), output_format="dict")
    yield "cells", repr({name: list(values) for name, values in cells.items()}).encode()
    yield "labels and notes", repr(vars(facts)).encode()


def _of_frame(frame: Any) -> Iterator[tuple[str, bytes]]:
    """Return the memory of a frame: buffers whole, with what lies under missing cells and beyond slices."""
    if isinstance(frame, pl.Series):
        frame = frame.to_frame()
    if isinstance(frame, pl.DataFrame):
        yield "pickle", pickle.dumps(frame)
        for level in (pl.CompatLevel.newest(), pl.CompatLevel.oldest()):
            yield from _of_arrow(frame.to_arrow(compat_level=level))
        for column in frame.get_columns():
            if isinstance(column.dtype, pl.Enum | pl.Categorical):
                yield f"categories of {column.name}", repr(column.cat.get_categories().to_list()).encode()
    elif isinstance(frame, pa.Table):
        yield from _of_arrow(frame)
    elif "pandas" in sys.modules and isinstance(frame, sys.modules["pandas"].DataFrame):
        yield from _of_pandas(frame)
    else:
        raise TypeError(f"an object of type {type(frame).__name__} cannot be looked into.")


def _of_arrow(table: pa.Table) -> Iterator[tuple[str, bytes]]:
    yield "schema", repr((table.schema.names, table.schema.metadata)).encode()
    yield "schema as written", table.schema.serialize().to_pybytes()
    for field, column in zip(table.schema, table.columns, strict=True):
        yield f"field {field.name}", repr(field.metadata).encode()
        for chunk in column.chunks:
            for name, buffer in _buffers(chunk):
                yield f"{name} of {field.name}", buffer
        yield f"cells of {field.name}", repr(column.to_pylist()).encode()


def _buffers(array: pa.Array) -> Iterator[tuple[str, bytes]]:
    for buffer in array.buffers():
        if buffer is not None:
            yield "buffer", buffer.to_pybytes()
    if isinstance(array, pa.DictionaryArray):
        for _, buffer in _buffers(array.dictionary):
            yield "dictionary", buffer


def _of_pandas(frame: Any) -> Iterator[tuple[str, bytes]]:
    yield "pickle", pickle.dumps(frame)
    yield (
        "names, index and attributes",
        repr((list(frame.columns), frame.columns.names, frame.index.tolist(), frame.index.names, frame.attrs)).encode(),
    )
    for place, name in enumerate(frame.columns):
        column = frame.iloc[:, place]
        yield f"attributes of {name}", repr((column.attrs, getattr(column.dtype, "categories", None))).encode()
        for values in (column.array, getattr(column.array, "_ndarray", None), getattr(column.array, "_data", None)):
            yield from _memory(f"memory of {name}", values)


def _memory(place: str, values: Any) -> Iterator[tuple[str, bytes]]:
    """Return the bytes of an array and of those that it is a view of."""
    while isinstance(values, np.ndarray):
        if values.dtype == object:
            yield place, repr(values.tolist()).encode()
        else:
            yield place, np.ascontiguousarray(values).tobytes()
        values = values.base
    if isinstance(values, pa.Array | pa.ChunkedArray):
        for chunk in values.chunks if isinstance(values, pa.ChunkedArray) else [values]:
            for _, buffer in _buffers(chunk):
                yield place, buffer
