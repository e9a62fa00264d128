"""The records of a CSV text: a fast look whether all is regular, and a careful reading where it is not.

Polars fills a short row with missing cells and splits stray quotes its own way; a shifted row is a privacy hazard. So
Polars only gets text whose structure was seen to be regular; all else goes through the csv module, which also finds the
line of a fault.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.base.errors import FormatError

_CHUNK = 1 << 23
_NEWLINE, _QUOTE = ord("\n"), ord('"')
_Mask = npt.NDArray[np.bool_]
_Bytes = npt.NDArray[np.uint8]


def n_regular_records(body: bytes, delimiter: str, n_columns: int) -> int | None:
    r"""Return the number of records if each has exactly ``n_columns`` fields and every quote is in place, else None.

    Outside quotes the delimiters and line ends must come in the rhythm of ``n_columns - 1`` delimiters, one line end.
    A quote opens only at the start of a field and closes only at its end; ``""`` inside is one quote.

    Parameters
    ----------
    body
        UTF-8 text without header, without line ends at its end.
    delimiter
        One ASCII character.
    n_columns
        At least 1.

    Examples
    --------
    >>> n_regular_records(b'1,"a,b"\n2,c', ",", 2), n_regular_records(b"1,a\n2", ",", 2)
    (2, None)
    """
    if body.count(b"\r") != body.count(b"\r\n"):
        return None
    has_quotes = b'"' in body
    data = np.frombuffer(body, dtype=np.uint8)
    n_marks, n_records, is_inside = 0, 0, False
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        marks = (chunk == _NEWLINE) | (chunk == ord(delimiter))
        if has_quotes:
            inside = _inside_quotes(chunk, is_inside)
            if not _quotes_in_place(data, start, inside, delimiter):
                return None
            marks &= ~inside
            is_inside = bool(inside[-1])
        ends = chunk[np.flatnonzero(marks)] == _NEWLINE
        expected = (np.arange(n_marks, n_marks + len(ends)) + 1) % n_columns == 0
        if not np.array_equal(ends, expected):
            return None
        n_marks += len(ends)
        n_records += int(ends.sum())
    if is_inside or (n_marks + 1) % n_columns:
        return None
    return n_records + 1


def _inside_quotes(chunk: _Bytes, is_inside: bool) -> _Mask:
    """Say for each byte whether an odd number of quotes stands at or before it: inside, opening quote included."""
    parity = np.bitwise_xor.accumulate(chunk == _QUOTE)
    return ~parity if is_inside else parity


def _quotes_in_place(data: _Bytes, start: int, inside: _Mask, delimiter: str) -> bool:
    chunk = data[start : start + len(inside)]
    quotes = np.flatnonzero(chunk == _QUOTE)
    opens = inside[quotes]
    separators = np.array([ord(delimiter), _NEWLINE, _QUOTE], dtype=np.uint8)
    before = quotes[opens] + start - 1
    after = quotes[~opens] + start + 1
    before = before[before >= 0]
    after = after[after < len(data)]
    return bool(
        np.isin(data[before], separators).all() and np.isin(data[after], np.append(separators, ord("\r"))).all()
    )


def first_record(data: bytes, delimiter: str, file: str) -> tuple[list[str], int]:
    r"""Return the first record and how many bytes of the text it takes, line end included.

    Raises
    ------
    FormatError
        When a quote in it is never closed, or is followed by text.

    Examples
    --------
    >>> first_record(b"a,b\r\n1,2", ",", "people.csv")
    (['a', 'b'], 5)
    """
    n_bytes = 0

    def lines() -> Iterator[str]:
        nonlocal n_bytes
        for line in _lines(data):
            n_bytes += len(line.encode("utf-8"))
            yield line

    _, record = next(_parse(lines(), delimiter, file))
    return record, n_bytes


def careful_records(data: bytes, delimiter: str, n_columns: int, file: str) -> Iterator[list[str]]:
    r"""Yield all records, header included, and refuse the first that is broken.

    A quote inside an unquoted cell is part of the cell. Blanks before a quoted cell are no part of it.

    Raises
    ------
    FormatError
        With line and counts, when a record has too few or too many fields, is blank, or its quotes are broken.

    Examples
    --------
    >>> list(careful_records(b'size,n\n5" pipe, 3', ",", 2, "pipes.csv"))
    [['size', 'n'], ['5" pipe', '3']]
    """
    for line, record in _parse(_lines(data), delimiter, file):
        if len(record) == n_columns:
            yield record
        elif not record and n_columns == 1:
            yield [""]
        elif not record:
            raise FormatError(
                f"line {line} of {file} is blank; {n_columns} fields were expected.", hint="delete the blank line."
            )
        else:
            raise FormatError(
                f"line {line} of {file} has {len(record)} fields; the header has {n_columns}.",
                hint="put cells that hold the delimiter or a line end in quotes, or say another delimiter.",
            )


def _lines(data: bytes) -> Iterator[str]:
    return iter(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline=""))


def _parse(lines: Iterator[str], delimiter: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the number of the line it starts in."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    while True:
        line = reader.line_num + 1
        fault = None
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            fault = str(error)
        if fault is not None:
            raise _quote_error(fault, line, reader.line_num, file)
        yield line, record


def _quote_error(fault: str, line: int, last_line: int, file: str) -> FormatError:
    if "expected after" in fault:
        return FormatError(
            f"line {last_line} of {file} has text after a closing quote.",
            hint='write a quote inside a quoted cell twice ("").',
        )
    reached = "the end of the file" if "end of data" in fault else "131072 characters"
    return FormatError(
        f"a quote in the record that starts in line {line} of {file} is not closed before {reached}.",
        hint="close the quote, or delete it.",
    )


_CANDIDATES = (";", "\t", "|", ",")  # the comma last: it also stands in decimals and in running text
_SAMPLE_BYTES = 120_000  # below the csv module's limit of 131072 characters in a field
_SAMPLE_ROWS = 1000


def sample_records(data: bytes, delimiter: str, n_records: int) -> list[list[str]]:
    r"""Return the first records of UTF-8 text, as many as fit into 120 kB; blank lines are left out.

    Examples
    --------
    >>> sample_records(b"a;b\n1;2\n", ";", 100)
    [['a', 'b'], ['1', '2']]
    """
    is_cut = len(data) > _SAMPLE_BYTES
    text = data[:_SAMPLE_BYTES].decode("utf-8", errors="ignore")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    records = list(islice(reader, n_records + 1))
    if is_cut and len(records) <= n_records and len(records) > 1:
        records.pop()
    return [record for record in records[:n_records] if record]


def sniff_delimiter(data: bytes) -> str:
    r"""Return the delimiter of UTF-8 text: the one that cuts most of the first 100 records like the header.

    Only delimiters that occur in the header count, so that the decimal commas of a ``;`` file do not. Among equals
    the one with most fields wins, then ``;``, tab, ``|``, comma. A file of one column has the comma.

    Examples
    --------
    >>> sniff_delimiter(b"name;mark\nAna;3,5\nLuis;4,5\n")
    ';'
    """
    best, best_score = ",", (0.0, 0)
    for delimiter in _CANDIDATES:
        n_fields = [len(record) for record in sample_records(data, delimiter, 100)]
        if n_fields and n_fields[0] > 1:
            score = (n_fields.count(n_fields[0]) / len(n_fields), n_fields[0])
            if score > best_score:
                best, best_score = delimiter, score
    return best


def sniff_decimal(frame: pl.DataFrame, delimiter: str) -> str:
    """Return the decimal mark of text cells: the comma only where it does not delimit and prevails in the first rows.

    Examples
    --------
    >>> sniff_decimal(pl.DataFrame({"mark": ["3,5", "4,5", "1.0"]}), ";")
    ','
    """
    if delimiter == "," or not frame.width:
        return "."
    head = frame.head(_SAMPLE_ROWS)
    n_commas, n_points = (
        sum(int(column.str.contains(rf"^\s*[+-]?[0-9]+[{mark}][0-9]+\s*$").sum()) for column in head) for mark in ",."
    )
    return "," if n_commas > n_points else "."
