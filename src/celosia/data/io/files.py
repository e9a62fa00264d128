"""Reading and writing a table file of any known format, and what a claim says about one."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import polars as pl

from celosia.base.errors import CelosiaError, FormatError, OptionError
from celosia.data.io.arrow import read_arrow, read_parquet, write_arrow, write_parquet
from celosia.data.io.base import DIALECTS, READ_ONLY, STATS_FORMATS, SUFFIXES, OutputDialect, Source, format_of
from celosia.data.io.csv import read_csv, write_csv
from celosia.data.io.durable import content_of, fresh_file
from celosia.data.io.excel import read_excel, write_excel
from celosia.data.io.hidden import hidden_parts
from celosia.data.io.hidden_arrow import hidden_in_arrow, hidden_in_parquet
from celosia.data.io.labels import Labels
from celosia.data.io.names import check_names
from celosia.data.io.plain import plain_columns
from celosia.data.io.sql import is_address, read_sql, split_address
from celosia.data.io.stats import read_stats
from celosia.data.io.stats_writing import write_stats

_HEAD = 1 << 18
"""So many bytes of a CSV file tell its columns."""


def read(
    path: Path | str,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
    labels: str | None = None,
) -> Source:
    r"""Read a table file.

    CSV and Excel cells come as text, so that ``01001`` and ``n/a`` survive; Parquet and Arrow come typed as stored,
    with categories as text, and so do files of SPSS, Stata and SAS, with their labels beside. Names are trimmed, cells
    are not; an empty cell is missing.

    Parameters
    ----------
    path
        The file; or a database's address and table as text, such as ``sqlite:///school.db#exams``.
    format
        ``csv``, ``parquet``, ``xlsx``, ``arrow``, ``sav``, ``zsav``, ``por``, ``dta``, ``xpt`` or ``sas7bdat``; by the
        suffix where not given.
    delimiter, encoding, decimal
        For CSV; found from the data where not given. The encoding also for old files of SPSS, Stata and SAS that do
        not name theirs.
    sheet
        For workbooks; the first visible sheet where not given.
    labels
        For SPSS, Stata and SAS: ``codes`` (the default), or ``texts`` to have the label of a code instead of the code.

    Raises
    ------
    InputError
        When the file is missing or not readable.
    FormatError
        When its content is broken; with file, line and counts, never with a cell.
    OptionError
        When an option is not allowed, or is of no use for the format.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "people.csv")
    >>> _ = path.write_text("zip;mark\n01001;3,5\n01002;n/a\n")
    >>> source = read(path)
    >>> source.frame.rows(), source.dialect.delimiter
    ([('01001', '3,5'), ('01002', 'n/a')], ';')
    """
    if isinstance(path, str) and is_address(path):
        _refuse_useless("sql", sheet, labels, {"delimiter": delimiter, "encoding": encoding, "decimal": decimal})
        return _read_database(path, format)
    path = Path(path)
    kind = format_of(path, format)
    _refuse_useless(kind, sheet, labels, {"delimiter": delimiter, "encoding": encoding, "decimal": decimal})
    data = content_of(path)
    if not data:
        raise FormatError(f"{path.name} is empty.", hint="the file has no bytes; write it anew.")
    if kind == "csv":
        table = read_csv(data, path.name, delimiter=delimiter, encoding=encoding, decimal=decimal)
        return Source(table.frame, path, path.name, kind, table.dialect)
    if kind in STATS_FORMATS:
        frame, found, hidden = read_stats(data, path.name, kind, labels=labels, encoding=encoding)
        return Source(frame, path, path.name, kind, hidden=hidden, labels=found)
    if kind == "xlsx":
        frame = read_excel(data, path.name, sheet)
        return Source(frame, path, path.name, kind, hidden=hidden_parts(data, path.name, sheet))
    frame = read_parquet(data, path.name) if kind == "parquet" else read_arrow(data, path.name)
    hidden = hidden_in_parquet(data, frame) if kind == "parquet" else hidden_in_arrow(data, frame)
    frame.columns = check_names(frame.columns, path.name)
    return Source(frame, path, path.name, kind, hidden=hidden)


def column_names(path: Path | str, **options: Any) -> list[str] | None:
    r"""Return the names of a file's columns where they can be told without reading all of it, else ``None``.

    Parameters
    ----------
    options
        Those of ``read``; one that is of no use for the format is refused.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "people.csv")
    >>> _ = path.write_text("zip;mark\n01001;3,5\n01002;n/a\n")
    >>> column_names(path)
    ['zip', 'mark']
    """
    path = Path(path)
    kind = format_of(path, options.get("format"))
    csv_options = {name: options.get(name) for name in ("delimiter", "encoding", "decimal")}
    _refuse_useless(kind, options.get("sheet"), options.get("labels"), csv_options)
    if kind in STATS_FORMATS or kind == "xlsx":
        return None
    try:
        if kind == "csv":
            with path.open("rb") as file:
                start = file.read(_HEAD)
            lines = start if len(start) < _HEAD else start[: start.rfind(b"\n") + 1]
            return read_csv(lines, path.name, **csv_options).frame.columns if lines else None
        names = list((pl.read_parquet_schema if kind == "parquet" else pl.read_ipc_schema)(path))
        return check_names(names, path.name)
    except (CelosiaError, OSError, pl.exceptions.PolarsError):  # whoever reads all of it tells what is wrong
        return None


def _read_database(address: str, format: str | None) -> Source:
    if format is not None:
        raise OptionError("the option 'format' is for files, not for databases.", hint="leave it out.")
    url, table = split_address(address)
    return read_sql(url, table=table)


def _refuse_useless(kind: str, sheet: str | None, labels: str | None, csv_options: dict[str, str | None]) -> None:
    if sheet is not None and kind != "xlsx":
        raise OptionError(f"the option 'sheet' is for workbooks, not for {kind} files.", hint="leave it out.")
    if labels is not None and kind not in STATS_FORMATS:
        raise OptionError(
            f"the option 'labels' is for files of SPSS, Stata and SAS, not for {kind} files.", hint="leave it out."
        )
    for name, value in csv_options.items():
        if value is not None and kind != "csv" and not (name == "encoding" and kind in STATS_FORMATS):
            raise OptionError(f"the option '{name}' is for csv files, not for {kind} files.", hint="leave it out.")


def write(
    frame: pl.DataFrame,
    path: Path | str,
    *,
    format: str | None = None,
    dialect: OutputDialect = "csv",
    numbers: Collection[str] = (),
    labels: Labels | None = None,
) -> None:
    r"""Write a table from an empty file: cells, names and types, and nothing else.

    No author, time, index, statistics, unused category or value under a missing cell goes out. In CSV and workbooks
    text that a spreadsheet would run gets an apostrophe in front (see ``celosia.io.formulas``); files of SPSS, Stata
    and SAS are no spreadsheets. The file takes its place once it is complete and on the disk; on failure an earlier
    file stays as it was.

    Parameters
    ----------
    frame
        Plain columns; NaN is written as missing.
    path
        The file; its folder must exist.
    format
        ``csv``, ``csv-es``, ``parquet``, ``xlsx``, ``arrow``, ``sav``, ``zsav``, ``dta`` or ``xpt``; by the suffix
        where not given.
    dialect
        ``csv`` (commas) or ``csv-es`` (``;``, decimal comma, byte order mark); only for CSV. The format ``csv-es``
        implies it.
    numbers
        Text columns that hold numbers: number cells in workbooks, decimal commas in ``csv-es``.
    labels
        For SPSS, Stata and SAS, whose files alone have labels: written for columns of the frame and for values that
        its cells hold, for no other.

    Raises
    ------
    FormatError
        When the frame has no column, a nested column, or does not fit into the format.
    InputError
        When the system refuses to write.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "data.csv")
    >>> write(pl.DataFrame({"zip": ["01001"], "note": ["=1+1"]}), path, format="csv")
    >>> path.read_text()
    "zip,note\n01001,'=1+1\n"
    """
    path = Path(path)
    if format == "csv-es":
        format, dialect = "csv", "csv-es"
    kind = format_of(path, format)
    if not frame.width:
        raise FormatError(f"there is no column to write to {path.name}.", hint="publish at least one column.")
    if kind in READ_ONLY:
        raise FormatError(f"{kind} files can be read, but not written.", hint="write sav, dta or xpt.")
    if kind == "csv" and path.suffix.lower() == ".tsv":
        raise FormatError("tsv files can be read, but not written.", hint="write csv.")
    if kind == "xlsx" and path.suffix.lower() in SUFFIXES["xlsx"][1:]:
        raise FormatError(f"{path.suffix[1:]} files can be read, but not written.", hint="write xlsx.")
    plain = plain_columns(frame, path.name)
    with fresh_file(path) as file:
        if kind == "csv":
            write_csv(plain, file, dialect=dialect, numbers=numbers)
        elif kind == "xlsx":
            write_excel(plain, file, numbers=numbers)
        elif kind == "parquet":
            write_parquet(plain, file)
        elif kind == "sav" or kind == "zsav" or kind == "dta" or kind == "xpt":
            write_stats(plain, file, kind, labels)
        else:
            write_arrow(plain, file)


def described(path: Path, format: str, n_rows: int) -> dict[str, Any]:
    r"""Return how to read a written data file, how many rows it has, and its SHA-256: the claim's part ``data``.

    Parameters
    ----------
    path
        The file as ``write`` left it.
    format
        ``csv``, ``csv-es``, ``parquet``, ``xlsx``, ``arrow``, ``sav``, ``zsav``, ``dta`` or ``xpt``.
    n_rows
        The number of published rows.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "data.csv")
    >>> _ = path.write_bytes(b"age\n39\n")
    >>> facts = described(path, "csv", 1)
    >>> facts["delimiter"], facts["neutralised"], facts["sha256"][:8]
    (',', True, '7723e48e')
    """
    dialect: OutputDialect = "csv-es" if format == "csv-es" else "csv"
    kind = format_of(path, "csv" if format == "csv-es" else format)
    facts: dict[str, Any] = {"format": kind, "neutralised": kind in ("csv", "xlsx")}
    if kind == "csv":
        spelling = DIALECTS[dialect]
        facts |= {"delimiter": spelling.delimiter, "decimal": spelling.decimal, "encoding": spelling.encoding}
    return facts | {"n_rows": n_rows, "sha256": sha256_of(path)}


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's content.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "data.csv")
    >>> _ = path.write_bytes(b"")
    >>> sha256_of(path)[:8]
    'e3b0c442'
    """
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
