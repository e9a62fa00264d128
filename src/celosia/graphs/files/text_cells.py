"""The cells of a text file of edges or of a matrix: delimited or separated by blanks, with comments left out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from celosia.base.errors import FormatError, OptionError
from celosia.base.findings import Finding
from celosia.data.io.encodings import decode
from celosia.data.io.records import n_regular_records, sniff_delimiter

BLANKS = " "
"""The delimiter of files whose cells are separated by any number of blanks and tabs."""

_MARKS = (b"#", b"%")
_SAMPLE = 1 << 17


@dataclass(frozen=True)
class TextCells:
    """The records of a text file.

    Attributes
    ----------
    frame
        A row per record, the first line included, all cells text; an empty cell is missing.
    lines
        The line of the file in which each record starts; ``None`` where records are longer than a line.
    delimiter
        One character, or ``BLANKS``.
    comment
        The cells of the last comment line before the first record.
    findings
        Lines that were taken for comments further down.
    """

    frame: pl.DataFrame
    lines: Sequence[int] | None
    delimiter: str
    comment: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def read_cells(
    data: bytes,
    file: str,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    may_be_blanks: bool = True,
    n_least: int = 2,
) -> TextCells:
    r"""Return the cells of a text.

    Comment lines start with ``#`` or ``%``: any such line where blanks separate; at the top of a delimited file those
    where a blank follows the sign, or that hold no delimiter, so that ``#a,#b`` is a record.

    Parameters
    ----------
    data
        The bytes of the file, unpacked.
    file
        Its name, for messages.
    delimiter, encoding
        Found from the data where not given.
    may_be_blanks
        Whether blanks count as delimiters where none is given.
    n_least
        The fewest cells that a record may have: 2 for edges, 1 for matrices.

    Raises
    ------
    FormatError
        The text is empty, ragged, has an open quote, or is no text.
    OptionError
        The delimiter or the encoding is not allowed.

    Examples
    --------
    >>> cells = read_cells(b"# FromNodeId\tToNodeId\n007\t8\n8\t9\n", "edges.txt")
    >>> cells.frame.rows(), cells.comment, list(cells.lines)
    ([('007', '8'), ('8', '9')], ('FromNodeId', 'ToNodeId'), [2, 3])
    """
    _check_delimiter(delimiter)
    content = decode(data, file, encoding).data.rstrip(b"\r\n")
    sample = _without_comments(content[:_SAMPLE])
    delimiter = delimiter or _found_delimiter(sample, may_be_blanks)
    start, first_line, comment = _top(content, delimiter)
    body = content[start:]
    if not body.strip():
        raise _empty(file)
    regular = _regular(body, first_line, delimiter)
    frame, lines, n_comments = regular or _careful(body, first_line, delimiter, file, n_least)
    frame = frame.select(column.set(column == "", None) if (column == "").any() else column for column in frame)
    findings = () if not n_comments else (_comments(n_comments),)
    return TextCells(frame, lines, delimiter, comment, findings)


def _check_delimiter(delimiter: str | None) -> None:
    if delimiter is not None and (
        len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in '"\r\n\0#'
    ):
        raise OptionError(
            "the delimiter must be one ASCII character, no letter, digit, quote, # or line end.",
            hint="use , ; tab | or a blank (for any number of blanks), or leave it out to have it found.",
            about="delimiter",
        )


def _without_comments(sample: bytes) -> bytes:
    lines = [line for line in sample.splitlines() if line.strip()]
    return b"\n".join([line for line in lines if not line.startswith(_MARKS)] or lines)


def _found_delimiter(sample: bytes, may_be_blanks: bool) -> str:
    first = sample.split(b"\n", 1)[0]
    found = sniff_delimiter(sample)
    if not may_be_blanks or found != ",":
        return found
    words = first.split()
    is_decimal_comma = len(words) > 2 and all(word.isdigit() for word in words[:2])  # 1 2 3,5
    return BLANKS if b"," not in first or is_decimal_comma else ","


def _top(content: bytes, delimiter: str) -> tuple[int, int, tuple[str, ...]]:
    """Return where the first record starts, in which line, and the cells of the last comment before it."""
    start, line, comment = 0, 1, b""
    while start < len(content):
        end = content.find(b"\n", start)
        text = content[start : end if end >= 0 else len(content)].strip(b"\r")
        if _is_comment(text, delimiter):
            comment = text
        elif text.strip():
            break
        if end < 0:
            start = len(content)
            break
        start, line = end + 1, line + 1
    words = comment.lstrip(b"#% \t").decode("utf-8", errors="replace")
    cells = words.split() if delimiter == BLANKS else words.split(delimiter)
    return start, line, tuple(cell.strip() for cell in cells)


def _is_comment(line: bytes, delimiter: str) -> bool:
    if not line.startswith(_MARKS):
        return False
    return delimiter == BLANKS or line[1:2] in (b"", b" ", b"\t", b"#", b"%") or delimiter.encode() not in line


def _regular(body: bytes, first_line: int, delimiter: str) -> tuple[pl.DataFrame, Sequence[int] | None, int] | None:
    """Return the cells if all records have as many as the first one; by Polars, and only after a look at the text."""
    if delimiter == BLANKS:
        if b'"' in body or any(b"\n" + mark in body for mark in _MARKS):
            return None
        body = _single_blanks(body)
    try:
        _, first = next(_records(body, delimiter, 1))
    except csv.Error:
        return None
    n_columns = len(first)
    if n_columns < 2:
        return None
    n_records = n_regular_records(body, delimiter, n_columns)
    if n_records is None:
        return None
    schema = {str(place + 1): pl.String for place in range(n_columns)}
    try:
        frame = pl.read_csv(body, has_header=False, separator=delimiter, schema=schema, infer_schema=False)
    except pl.exceptions.PolarsError:
        return None
    if frame.height != n_records:
        return None
    has_line_each = b'"' not in body or body.count(b"\n") == n_records - 1
    return frame, range(first_line, first_line + n_records) if has_line_each else None, 0


def _single_blanks(body: bytes) -> bytes:
    for old, new in ((b"\t", b" "), (b"\r\n", b"\n")):
        body = body.replace(old, new) if old in body else body
    while b"  " in body:
        body = body.replace(b"  ", b" ")
    for old, new in ((b" \n", b"\n"), (b"\n ", b"\n")):
        body = body.replace(old, new) if old in body else body
    return body.strip(b" ")


def _careful(
    body: bytes, first_line: int, delimiter: str, file: str, n_least: int
) -> tuple[pl.DataFrame, Sequence[int] | None, int]:
    """Return the cells record by record, and refuse the first record that is broken."""
    records: list[list[str]] = []
    lines: list[int] = []
    n_comments = 0
    for line, record, is_comment in _checked_records(body, first_line, delimiter, file):
        if is_comment:
            n_comments += 1
        elif record:
            if len(record) != len(records[0] if records else record) or len(record) < n_least:
                raise _ragged(line, len(record), len(records[0]) if records else 0, delimiter, file)
            records.append(record)
            lines.append(line)
    if not records:
        raise _empty(file)
    schema = {str(place + 1): pl.String for place in range(len(records[0]))}
    return pl.DataFrame(records, schema=schema, orient="row"), lines, n_comments


def _checked_records(body: bytes, first_line: int, delimiter: str, file: str) -> Iterator[tuple[int, list[str], bool]]:
    records = _records(body, delimiter, first_line)
    line = first_line - 1
    while True:
        try:
            line, record = next(records)
        except StopIteration:
            return
        except csv.Error:
            record = None
        if record is None:
            raise FormatError(
                f"a quote is broken in line {line + 1} of {file} or below it, or a cell has more than "
                f"{csv.field_size_limit()} characters.",
                hint='close every quote; inside a quoted cell write it twice ("").',
            )
        is_comment = delimiter == BLANKS and bool(record) and record[0].startswith(("#", "%"))
        yield line, record, is_comment


def _records(body: bytes, delimiter: str, first_line: int) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the line it starts in; blank lines are empty records."""
    text = io.TextIOWrapper(io.BytesIO(body), encoding="utf-8", newline="")
    if delimiter == BLANKS:
        for place, line in enumerate(text):
            words = line.split()
            if '"' in line:
                words = next(csv.reader([line.replace("\t", " ").strip()], delimiter=" ", skipinitialspace=True))
            yield first_line + place, words
        return
    # Only where a quote follows a blank does the blank have to go: elsewhere it is part of the cell, as for Polars.
    skips = re.search(re.escape(delimiter.encode()) + b' +"', body) is not None
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=skips, strict=True)
    while True:
        line_number = first_line + reader.line_num
        try:
            record = next(reader)
        except StopIteration:
            return
        yield line_number, record if len(record) > 1 or "".join(record).strip() else []


def _ragged(line: int, n_cells: int, n_expected: int, delimiter: str, file: str) -> FormatError:
    if n_cells == 1:
        hint = "write both ends, or say the delimiter: , ; tab | or a blank."
        return FormatError(f"line {line} of {file} has one cell; an edge has two ends.", hint=hint)
    named = "blanks" if delimiter == BLANKS else "the delimiter"
    return FormatError(
        f"line {line} of {file} has {n_cells} cells; the lines before have {n_expected}.",
        hint=f"put cells that hold {named} in quotes, or say another delimiter.",
    )


def _empty(file: str) -> FormatError:
    return FormatError(f"{file} is empty: it has no edge.", hint="write an edge per line: its two ends.")


def _comments(n_lines: int) -> Finding:
    return Finding(
        "COMMENT_LINES",
        "note",
        "{n_lines} lines below the first edge start with # or % and were taken for comments.",
        values={"n_lines": n_lines},
    )
