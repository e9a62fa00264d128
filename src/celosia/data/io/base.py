"""What a file gives: a frame of cells, where it came from, and how it was spelt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from celosia.base.errors import FormatError, OptionError, nearest
from celosia.data.io.hidden import Hidden
from celosia.data.io.labels import Labels

Format = Literal["csv", "parquet", "xlsx", "arrow", "sav", "zsav", "dta", "xpt", "por", "sas7bdat"]
"""The name of a format, which is also the suffix that a release gives its data file."""

OutputDialect = Literal["csv", "csv-es"]
"""How a CSV file is spelt: comma and decimal point, or semicolon and decimal comma."""

SUFFIXES: Mapping[Format, tuple[str, ...]] = {
    "csv": (".csv", ".tsv", ".txt", ".data"),
    "parquet": (".parquet", ".pq"),
    "xlsx": (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "sav": (".sav",),
    "zsav": (".zsav",),
    "dta": (".dta",),
    "xpt": (".xpt", ".xport"),
    "por": (".por",),
    "sas7bdat": (".sas7bdat",),
}
"""The file suffixes of each format that can be read."""

STATS_FORMATS: frozenset[Format] = frozenset({"sav", "zsav", "dta", "xpt", "por", "sas7bdat"})
"""The formats of SPSS, Stata and SAS, which need the extra ``stats``."""

READ_ONLY: frozenset[Format] = frozenset({"por", "sas7bdat"})
"""The formats that can be read but not written."""


@dataclass(frozen=True)
class Dialect:
    """How a CSV file spells its cells.

    Parameters
    ----------
    delimiter
        One of ``,`` ``;`` tab ``|`` when sniffed, any single character when given.
    encoding
        ``utf-8``, ``utf-16``, ``latin-1`` or ``windows-1252`` when sniffed.
    decimal
        The decimal mark that prevails, ``.`` or ``,``.
    has_bom
        Whether the file starts with a byte order mark.

    Examples
    --------
    >>> Dialect(delimiter=";", encoding="utf-8", decimal=",", has_bom=True).decimal
    ','
    """

    delimiter: str
    encoding: str
    decimal: str
    has_bom: bool


DIALECTS: Mapping[OutputDialect, Dialect] = {
    "csv": Dialect(delimiter=",", encoding="utf-8", decimal=".", has_bom=False),
    "csv-es": Dialect(delimiter=";", encoding="utf-8", decimal=",", has_bom=True),
}
"""How each dialect is written; with the byte order mark spreadsheets open the second one as what it is."""


@dataclass(frozen=True)
class Source:
    """A table that was read from a file or a database.

    Parameters
    ----------
    frame
        The cells: all of them text from CSV and Excel, typed as stored from all others.
    path
        The file; ``None`` for a database.
    name
        The name of the file or the database's table, for messages.
    format
        ``csv``, ``parquet``, ``xlsx``, ``arrow``, ``sav``, ``zsav``, ``por``, ``dta``, ``xpt``, ``sas7bdat`` or
        ``sql``.
    dialect
        How the cells were spelt; only for CSV.
    hidden
        What the file holds beyond the cells that were read.
    labels
        What columns and codes mean, and how many cells are missing by which code; only from SPSS, Stata and SAS.

    Examples
    --------
    >>> Source(pl.DataFrame({"age": ["39"]}), Path("people.csv"), "people.csv", "csv").frame.height
    1
    """

    frame: pl.DataFrame
    path: Path | None
    name: str
    format: Format | Literal["sql"]
    dialect: Dialect | None = None
    hidden: tuple[Hidden, ...] = ()
    labels: Labels | None = None


def format_of(path: Path, given: str | None = None) -> Format:
    """Return the format of a file: the given one, or the one its suffix names.

    Raises
    ------
    OptionError
        When the given format is none of those in ``Format``.
    FormatError
        When no format is given and the suffix is unknown.

    Examples
    --------
    >>> format_of(Path("people.TSV"))
    'csv'
    >>> format_of(Path("people.dat"), "csv")
    'csv'
    """
    formats: tuple[Format, ...] = get_args(Format)
    if given is not None:
        for known in formats:
            if given == known:
                return known
        raise OptionError(f"'{given}' is not a file format.", hint=nearest(given, formats))
    for known, suffixes in SUFFIXES.items():
        if path.suffix.lower() in suffixes:
            return known
    allowed = ", ".join(suffix for suffixes in SUFFIXES.values() for suffix in suffixes)
    raise FormatError(
        f"the suffix '{path.suffix}' of {path.name} names no known format; allowed: {allowed}.",
        hint=f"rename the file, or say the format: {', '.join(formats)}.",
    )
