"""SPSS, Stata and SAS files, written through pyreadstat: cells, names, types and the labels of what is still there."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.labels import Code, Labels
from celosia.data.io.moments import MomentKind, Program, moments, numbers_of
from celosia.data.io.plain import refuse_where
from celosia.data.io.spelling import spell
from celosia.data.io.stats import load_pyreadstat
from celosia.data.io.stats_limits import (
    ELSEWHERE,
    LIMITS,
    StatsFormat,
    check_dates,
    check_labels,
    check_numbers,
    check_stats_names,
    check_texts,
)

_STATA_LONG = (-2_147_483_647, 2_147_483_620)
_MOMENT_FORMATS: Mapping[Program, Mapping[MomentKind, str]] = {
    "spss": {"date": "DATE11", "moment": "DATETIME20", "time": "TIME8"},
    "stata": {"date": "%td", "moment": "%tc", "time": "%tcHH:MM:SS"},
    "sas": {"date": "DATE9", "moment": "DATETIME20", "time": "TIME8"},
}
_WHOLE_FORMATS: Mapping[Program, tuple[str, str]] = {
    "spss": ("F8.0", "F17.0"),
    "stata": ("%12.0f", "%18.0f"),
    "sas": ("F8.0", "F17.0"),
}
_STATA_VERSION, _XPORT_VERSION = 14, 8
_DATED: Mapping[Program, tuple[int, int, re.Pattern[bytes], bytes]] = {
    "spss": (109, 1, re.compile(rb"\d\d [A-Z][a-z]{2} \d\d\d\d:\d\d:\d\d"), b"01 Jan 0000:00:00"),
    "stata": (160, 1, re.compile(rb"\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d"), b"01 Jan 2000 00:00"),
    "sas": (496, 4, re.compile(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d"), b"01JAN00:00:00:00"),
}
"""How long the header is before anything of the table, how often and how it tells the time, and what it shall say."""


def write_stats(frame: pl.DataFrame, file: IO[bytes], kind: StatsFormat, labels: Labels | None = None) -> None:
    """Write a frame as an SPSS, Stata (14 or later) or SAS transport (version 8) file.

    Whole numbers, numbers, dates, date-times and times keep their types; truth values, durations and date-times with
    a time zone become text. Texts are UTF-8 and not neutralised: no such program runs a cell. The time of writing is
    2000-01-01.

    Parameters
    ----------
    frame
        Plain columns.
    file
        An empty file on the disk; beside it a private folder is made and removed.
    kind
        ``sav``, ``zsav`` (compressed), ``dta`` or ``xpt``.
    labels
        Those of columns that are there and of values that cells hold are written, no other. Stata has labels for
        whole numbers only, transport files for columns only.

    Raises
    ------
    FormatError
        When a name, cell or label does not fit into the format.

    Examples
    --------
    >>> with open(f"{tempfile.mkdtemp()}/people.dta", "w+b") as file:
    ...     write_stats(pl.DataFrame({"zip": ["01001"], "age": [39]}), file, "dta")
    """
    pyreadstat = load_pyreadstat(kind)
    limits = LIMITS[kind]
    check_stats_names(frame.columns, kind)
    shown = _writable(labels or Labels(), frame, kind)
    check_labels(shown, kind)
    formats: dict[str, str] = {}
    columns: list[pl.Series] = []
    for column in frame.get_columns():
        stored, format = _stored(column, kind)
        columns.append(stored)
        if format is not None:
            formats[column.name] = format
    options: dict[str, Any] = {"column_labels": dict(shown.columns), "variable_format": formats}
    if kind != "xpt":
        options["variable_value_labels"] = {name: dict(codes) for name, codes in shown.values.items()}
    with tempfile.TemporaryDirectory(prefix=".celosia-", dir=Path(file.name).parent) as folder:
        # pyreadstat opens a path of its own; the system's temporary folder would be read by others.
        path = Path(folder, "data")
        failure = _call(pyreadstat, pl.DataFrame(columns), path, kind, options)
        if failure is not None:
            raise FormatError(f"the table cannot be written as a {kind} file{failure}.", hint=ELSEWHERE)
        with open(path, "rb") as written:
            file.write(_undated(written.read(_DATED[limits.program][0]), kind))
            shutil.copyfileobj(written, file)


def _call(
    pyreadstat: Any, frame: pl.DataFrame, path: Path, kind: StatsFormat, options: Mapping[str, Any]
) -> str | None:
    """Have the file written; return why it could not be."""
    try:
        if kind == "dta":
            pyreadstat.write_dta(frame, path, version=_STATA_VERSION, **options)
        elif kind == "xpt":
            pyreadstat.write_xport(frame, path, file_format_version=_XPORT_VERSION, **options)
        else:
            pyreadstat.write_sav(frame, path, compress=kind == "zsav", **options)
    except pyreadstat.ReadstatError as error:
        return f": {str(error)[:1].lower()}{str(error)[1:]}"
    except pyreadstat.PyreadstatError:
        return ""  # its message may hold a cell
    return None


def _writable(labels: Labels, frame: pl.DataFrame, kind: StatsFormat) -> Labels:
    """Return the labels of what is there, as far as the format has such labels."""
    shown = labels.shown_by(frame)
    if kind == "xpt":
        return Labels(shown.columns)
    if kind != "dta":
        return shown
    low, high = _STATA_LONG
    values: dict[str, Mapping[Code, str]] = {}
    for name, codes in shown.values.items():
        kept: dict[Code, str] = {
            int(code): text
            for code, text in codes.items()
            if not isinstance(code, str) and low <= code <= high and code == int(code)
        }
        if kept:
            values[name] = kept
    return Labels(shown.columns, values)


def _stored(column: pl.Series, kind: StatsFormat) -> tuple[pl.Series, str | None]:
    """Return a column as the format keeps it, and the format by which it is shown."""
    dtype = column.dtype
    program = LIMITS[kind].program
    if dtype.is_integer():
        return _whole_numbers(column, kind)
    if dtype.is_float() or dtype.is_decimal():
        numbers = _floats(column)
        check_numbers(numbers, kind)
        return numbers, "BEST12" if program == "sas" else None
    moment: MomentKind | None = None
    if dtype == pl.Date:
        moment = "date"
    elif isinstance(dtype, pl.Datetime) and dtype.time_zone is None:
        moment = "moment"
    elif dtype == pl.Time:
        moment = "time"
    if moment is not None:
        return _counted(column, kind, moment), _MOMENT_FORMATS[program][moment]
    texts = column if dtype == pl.String else spell(column.to_frame(), decimal=".").to_series()
    check_texts(texts, kind)
    # These formats know no missing text, and pyreadstat writes some as the text None.
    return texts.fill_null(""), None


def _whole_numbers(column: pl.Series, kind: StatsFormat) -> tuple[pl.Series, str | None]:
    check_numbers(column, kind)
    numbers = column.cast(pl.Int64)
    low, high = _STATA_LONG
    if kind == "dta" and numbers.is_between(low, high).all():
        return numbers.cast(pl.Int32), "%12.0g"
    narrow, wide = _WHOLE_FORMATS[LIMITS[kind].program]
    return numbers.cast(pl.Float64), narrow if numbers.is_between(-999_999, 9_999_999).all() else wide


def _floats(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Float32:
        return column.cast(pl.String).cast(pl.Float64)  # 0.1 stays 0.1, where a plain cast gives 0.10000000149
    numbers = column.cast(pl.Float64)
    if column.dtype.is_decimal():
        _refuse_inexact(column, numbers.cast(column.dtype), "decimal numbers of more than 15 digits")
    return numbers


def _counted(column: pl.Series, kind: StatsFormat, moment: MomentKind) -> pl.Series:
    if moment != "time":
        check_dates(column, kind)
    program = LIMITS[kind].program
    numbers = numbers_of(column, program, moment)
    _refuse_inexact(column, moments(numbers, program, moment).cast(column.dtype), "times that are too fine")
    return numbers.alias(column.name)


def _refuse_inexact(column: pl.Series, kept: pl.Series, what: str) -> None:
    hint = f"round them first, or {ELSEWHERE}"
    refuse_where(column, column != kept, f"{what}, which the file cannot keep.", hint)


def _undated(header: bytes, kind: StatsFormat) -> bytes:
    """Return the header with a neutral time of writing."""
    _, n_expected, pattern, neutral = _DATED[LIMITS[kind].program]
    undated, n_found = pattern.subn(neutral, header)
    if n_found != n_expected:
        raise FormatError(
            f"pyreadstat wrote a {kind} file whose header is not the expected one, so that its time cannot be removed.",
            hint="please report it with the version of pyreadstat; write csv, parquet or arrow until then.",
        )
    return undated
