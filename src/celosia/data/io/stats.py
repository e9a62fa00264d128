"""SPSS, Stata and SAS files, read through pyreadstat, which the extra ``stats`` installs."""

from __future__ import annotations

import codecs
import importlib
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import polars as pl

from celosia.base.errors import FormatError, OptionError, nearest
from celosia.data.io.hidden import Hidden
from celosia.data.io.labels import Code, Labels, as_texts
from celosia.data.io.moments import Program, moment_kind, moments
from celosia.data.io.names import check_names
from celosia.data.io.stats_limits import LARGEST_WHOLE

_READERS: Mapping[str, tuple[str, Program]] = {
    "sav": ("read_sav", "spss"),
    "zsav": ("read_sav", "spss"),
    "por": ("read_por", "spss"),
    "dta": ("read_dta", "stata"),
    "xpt": ("read_xport", "sas"),
    "sas7bdat": ("read_sas7bdat", "sas"),
}
_WITHOUT_ENCODING, _WITHOUT_REASONS = ("por",), ("por", "xpt")
"""Where pyreadstat takes no encoding, and where it does not tell why a cell is missing."""

_N_ROWS = re.compile(rb"HEADER RECORD\*{7}OBSV8   HEADER RECORD!{7} *([0-9]+)")
"""How many rows a transport file says to have; pyreadstat does not miss those that were cut off."""

_WHOLE: Mapping[Program, re.Pattern[str]] = {
    "spss": re.compile(r"(F|N|COMMA|DOT)[0-9]+(\.0)?"),
    "stata": re.compile(r"%[-0]?[0-9]+[.,]0fc?"),
    "sas": re.compile(r"(F|Z|COMMA)?[0-9]*(\.0?)?"),
}
"""Formats that show no decimals; in SAS also none at all."""


def read_stats(
    data: bytes, file: str, kind: str, *, labels: str | None = None, encoding: str | None = None
) -> tuple[pl.DataFrame, Labels, tuple[Hidden, ...]]:
    """Return the columns of an SPSS, Stata or SAS file, typed, the labels that it holds, and what it holds beside them.

    Numbers are whole where all of them are and the format shows no decimals; dates and times are such. Declared
    missing values are missing, and counted in the labels. Blanks that fill a text up are cut; a text without
    characters is missing.

    Parameters
    ----------
    data
        The bytes of the file.
    file
        Its name, for messages.
    kind
        ``sav``, ``zsav``, ``por``, ``dta``, ``xpt`` or ``sas7bdat``.
    labels
        ``codes`` (the default): cells as they are. ``texts``: the label instead of its code, where a column has
        labels of values that are not missing.
    encoding
        For old files that do not name theirs; not for ``por``.

    Raises
    ------
    FormatError
        When the file is broken, or pyreadstat is not installed.
    OptionError
        When an option is not allowed.

    Examples
    --------
    >>> import tempfile
    >>> from celosia.data.io.stats_writing import write_stats
    >>> file = open(f"{tempfile.mkdtemp()}/people.sav", "w+b")
    >>> write_stats(pl.DataFrame({"sex": [1, None]}), file, "sav", Labels(values={"sex": {1: "male"}}))
    >>> _ = file.seek(0)
    >>> data = file.read()
    >>> frame, labels, hidden = read_stats(data, "people.sav", "sav")
    >>> frame.rows(), labels.values
    ([(1,), (None,)], {'sex': {1: 'male'}})
    >>> read_stats(data, "people.sav", "sav", labels="texts")[0].rows()
    [('male',), (None,)]
    >>> file.close()
    """
    if labels not in (None, "codes", "texts"):
        raise OptionError(f"'{labels}' is not a way to read labels.", hint=nearest(labels, ("codes", "texts")))
    cells, facts = _parsed(data, file, kind, encoding)
    names = check_names(list(cells), file)
    columns: list[pl.Series] = []
    meanings: dict[str, str] = {}
    codes: dict[str, Mapping[Code, str]] = {}
    missing: dict[str, Mapping[Code, int]] = {}
    n_unused = 0
    for name, (stored, values) in zip(names, cells.items(), strict=True):
        column, reasons = _column(values, stored, facts, _READERS[kind][1])
        found = _codes(facts.variable_value_labels.get(stored, {}), column)
        shown = column
        if labels == "texts":
            shown = as_texts(column, found, _missing_codes(found, facts.missing_ranges.get(stored, ())))
        columns.append(shown.alias(name))
        if label := facts.column_names_to_labels.get(stored):
            meanings[name] = label
        if found and shown is column:
            codes[name] = found
        if reasons:
            missing[name] = reasons
        n_unused += len(set(found) - set(column.unique().to_list()) - set(reasons))
    return pl.DataFrame(columns), Labels(meanings, codes, missing), _hidden(facts, n_unused)


def _hidden(facts: Any, n_unused: int) -> tuple[Hidden, ...]:
    """Count notes and titles of a file, and labels of codes that no cell has."""
    n_notes = len(facts.notes or ()) + bool((facts.file_label or "").strip())
    counts = {"notes": n_notes, "unused_labels": n_unused}
    return tuple(Hidden(kind, count) for kind, count in counts.items() if count)


def load_pyreadstat(kind: str) -> ModuleType:
    """Return pyreadstat, which files of that kind need.

    Raises
    ------
    FormatError
        When it is not installed.

    Examples
    --------
    >>> load_pyreadstat("sav").__name__
    'pyreadstat'
    """
    try:
        return importlib.import_module("pyreadstat")
    except ImportError:
        pass
    raise FormatError(f"{kind} files need pyreadstat, which is not installed.", hint='pip install "celosia[stats]"')


def _parsed(data: bytes, file: str, kind: str, encoding: str | None) -> tuple[Mapping[str, list[Any]], Any]:
    """Return the cells as they are stored, and what the file says about them."""
    pyreadstat = load_pyreadstat(kind)
    options: dict[str, Any] = {} if kind in _WITHOUT_REASONS else {"user_missing": True}
    if encoding is not None:
        options["encoding"] = _checked_encoding(encoding, kind)
    reader = getattr(pyreadstat, _READERS[kind][0])
    try:
        # Dates stay numbers: pyreadstat rounds their seconds down, and fails on those beyond Python's years.
        cells, facts = reader(io.BytesIO(data), output_format="dict", disable_datetime_conversion=True, **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, ArithmeticError, IndexError, MemoryError):
        cells, facts = {}, None
    promised = _N_ROWS.search(data) if kind == "xpt" else None
    n_rows = min((len(values) for values in cells.values()), default=0)
    if facts is None or (promised is not None and int(promised[1]) > n_rows):
        raise FormatError(
            f"{file} is not a readable {kind} file.",
            hint="write it anew, or say the right format or encoding; it may be cut short or locked with a password.",
        )
    if not cells:
        raise FormatError(f"{file} has no columns.", hint="write it anew.")
    return cells, facts


def _checked_encoding(encoding: str, kind: str) -> str:
    if kind in _WITHOUT_ENCODING:
        raise OptionError(f"the option 'encoding' is of no use for {kind} files.", hint="leave it out.")
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        pass
    raise OptionError(f"'{encoding}' is not a text encoding.", hint="use utf-8, latin-1 or windows-1252.")


def _column(values: list[Any], stored: str, facts: Any, program: Program) -> tuple[pl.Series, dict[Code, int]]:
    """Return a typed column, and how many cells each code of a missing value makes missing."""
    ranges = facts.missing_ranges.get(stored, ())
    if facts.readstat_variable_types[stored] == "string":
        texts = pl.Series(values, dtype=pl.String)
        if program != "stata":  # whose texts end where they end
            texts = texts.str.strip_chars_end(" ")
        column, declared = _without_missing(texts, ranges)
        return column.set(column == "", None), declared
    reasons: dict[Code, int] = {}
    if stored in facts.missing_user_values:
        reasons = dict(sorted(Counter(value for value in values if isinstance(value, str)).items()))
        values = [None if isinstance(value, str) else value for value in values]
    numbers = pl.Series(values, dtype=pl.Float64, strict=False).fill_nan(None)
    column, declared = _without_missing(numbers, ranges)
    typed = _typed(column, facts.readstat_variable_types[stored], facts.original_variable_types[stored], program)
    return typed, reasons | declared


def _without_missing(column: pl.Series, ranges: Sequence[Mapping[str, Any]]) -> tuple[pl.Series, dict[Code, int]]:
    """Make cells within the declared ranges of missing values missing, and count them by value."""
    is_missing = pl.Series([False] * len(column), dtype=pl.Boolean)
    for bounds in ranges:
        low, high = bounds["lo"], bounds["hi"]
        within = column == low.rstrip(" ") if isinstance(low, str) else (column >= low) & (column <= high)
        is_missing |= within.fill_null(False)
    if not is_missing.any():
        return column, {}
    counts = Counter(column.filter(is_missing).to_list())
    return column.set(is_missing, None), {_whole(code): counts[code] for code in sorted(counts)}


def _typed(numbers: pl.Series, storage: str, format: str | None, program: Program) -> pl.Series:
    kind = moment_kind(program, format)
    if kind is not None:
        return moments(numbers, program, kind)
    is_whole_type = storage.startswith("int") or _WHOLE[program].fullmatch(format or ("" if program == "sas" else "?"))
    if is_whole_type and ((numbers % 1 == 0) & (numbers.abs() <= LARGEST_WHOLE)).all():
        return numbers.cast(pl.Int64)
    return numbers.cast(pl.Float32) if storage == "float" else numbers


def _codes(labels: Mapping[Code, str], column: pl.Series) -> dict[Code, str]:
    """Return the labels by codes as the column spells them."""
    if column.dtype == pl.String:
        return {str(code).rstrip(" "): label for code, label in labels.items()}
    return {_whole(code): label for code, label in labels.items()}


def _whole(code: Code) -> Code:
    return int(code) if isinstance(code, float) and code.is_integer() else code


def _missing_codes(codes: Mapping[Code, str], ranges: Sequence[Mapping[str, Any]]) -> list[Code]:
    return [code for code in codes if any(_lies_in(code, bounds) for bounds in ranges)]


def _lies_in(code: Code, bounds: Mapping[str, Any]) -> bool:
    if isinstance(code, str):
        return isinstance(bounds["lo"], str) and code == bounds["lo"].rstrip(" ")
    return not isinstance(bounds["lo"], str) and bounds["lo"] <= code <= bounds["hi"]
