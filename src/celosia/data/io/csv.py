"""CSV: every cell read as text, and a file that a spreadsheet opens without running it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import IO, Literal

import polars as pl

from celosia.base.errors import FormatError, OptionError
from celosia.data.io.base import DIALECTS, Dialect, OutputDialect
from celosia.data.io.encodings import decode
from celosia.data.io.formulas import neutralised
from celosia.data.io.names import check_names, refuse_data_as_names
from celosia.data.io.records import (
    careful_records,
    first_record,
    n_regular_records,
    sample_records,
    sniff_decimal,
    sniff_delimiter,
)
from celosia.data.io.spelling import spell


@dataclass(frozen=True)
class CsvTable:
    """The cells of a CSV text, and how they were spelt."""

    frame: pl.DataFrame
    dialect: Dialect


def read_csv(
    data: bytes, file: str, *, delimiter: str | None = None, encoding: str | None = None, decimal: str | None = None
) -> CsvTable:
    r"""Return the cells of a CSV text as text; an empty cell is missing, quoted or not.

    Parameters
    ----------
    data
        The bytes of the file.
    file
        Its name, for messages.
    delimiter, encoding, decimal
        Found from the data where not given.

    Raises
    ------
    FormatError
        When the text is broken: empty, ragged, an open quote, bad names, NUL or undecodable bytes.
    OptionError
        When an option is not allowed.

    Examples
    --------
    >>> table = read_csv(b"zip;mark\n01001;3,5\n01002;n/a\n", "marks.csv")
    >>> table.frame.rows(), table.dialect.decimal
    ([('01001', '3,5'), ('01002', 'n/a')], ',')
    """
    _check_options(delimiter, decimal)
    text = decode(data, file, encoding)
    content = text.data.rstrip(b"\r\n")
    if not content.strip():
        raise FormatError(
            f"{file} is empty.", hint="the first line must hold the column names, each further line a row."
        )
    delimiter = delimiter or sniff_delimiter(content)
    header, n_bytes = first_record(content, delimiter, file)
    names = check_names(header, file)
    refuse_data_as_names(names, sample_records(content, delimiter, 1000)[1:], file)
    frame = _read_cells(content, n_bytes, delimiter, names, file)
    frame = frame.select(column.set(column == "", None) if (column == "").any() else column for column in frame)
    mark = decimal or sniff_decimal(frame, delimiter)
    return CsvTable(frame, Dialect(delimiter, text.encoding, mark, text.has_bom))


def _check_options(delimiter: str | None, decimal: str | None) -> None:
    if delimiter is not None and (
        len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in '"\r\n\0 '
    ):
        raise OptionError(
            "the delimiter must be one ASCII character, no letter, digit, blank, quote or line end.",
            hint="use , ; tab or |, or leave it out to have it found.",
        )
    if decimal not in (None, ".", ","):
        raise OptionError("the decimal mark must be '.' or ','.", hint="leave it out to have it found.")


def _read_cells(content: bytes, n_header_bytes: int, delimiter: str, names: list[str], file: str) -> pl.DataFrame:
    schema = dict.fromkeys(names, pl.String)
    body = content[n_header_bytes:]
    if not body:
        return pl.DataFrame(schema=schema)
    n_records = n_regular_records(body, delimiter, len(names))
    if n_records is not None:
        frame = _read_regular(body, delimiter, schema)
        # Two counts of one text: should Polars ever see other records than the look before, the csv module decides.
        if frame is not None and frame.height == n_records:
            return frame
    records = careful_records(content, delimiter, len(names), file)
    next(records)
    return pl.DataFrame(list(records), schema=schema, orient="row")


def _read_regular(body: bytes, delimiter: str, schema: dict[str, type[pl.String]]) -> pl.DataFrame | None:
    try:
        return pl.read_csv(body, has_header=False, separator=delimiter, schema=schema, infer_schema=False)
    except pl.exceptions.PolarsError:
        return None


def write_csv(
    frame: pl.DataFrame, file: IO[bytes], *, dialect: OutputDialect = "csv", numbers: Collection[str] = ()
) -> None:
    r"""Write a frame as UTF-8 CSV with LF line ends.

    Text and names that a spreadsheet would run get an apostrophe in front (see ``celosia.io.formulas``).

    Parameters
    ----------
    frame
        Plain columns.
    file
        An empty binary file.
    dialect
        ``csv`` (commas) or ``csv-es`` (``;``, decimal comma, byte order mark).
    numbers
        Text columns that hold numbers; their decimal marks follow the dialect.

    Raises
    ------
    OptionError
        When the dialect is unknown.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> write_csv(pl.DataFrame({"mark": [3.5], "note": ["=1+1"]}), file, dialect="csv-es")
    >>> file.getvalue().decode("utf-8-sig")
    "mark;note\n3,5;'=1+1\n"
    """
    if dialect not in DIALECTS:
        raise OptionError(f"'{dialect}' is not an output dialect.", hint=f"allowed: {', '.join(DIALECTS)}.")
    spelling = DIALECTS[dialect]
    safe = neutralised(spell(frame, decimal=spelling.decimal, numbers=numbers))
    # In a table of one column a missing cell would be a blank line, which readers skip, and a comma in a cell would
    # pass for the delimiter, which the file never shows: quotes keep both.
    quotes: Literal["always", "necessary"] = "always" if safe.width == 1 else "necessary"
    safe.write_csv(
        file,
        separator=spelling.delimiter,
        include_bom=spelling.has_bom,
        line_terminator="\n",
        quote_style=quotes,
    )
