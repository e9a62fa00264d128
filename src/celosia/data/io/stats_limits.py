"""What the files of SPSS, Stata and SAS can hold; the rest is refused, never cut, rounded or renamed."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.labels import Labels
from celosia.data.io.moments import Program
from celosia.data.io.plain import refuse_where

StatsFormat = Literal["sav", "zsav", "dta", "xpt"]

LARGEST_WHOLE = 2**53
"""All these programs keep numbers as doubles, which hold whole numbers up to here."""

_FIRST_DAY = datetime.date(1582, 10, 15)
"""Of the calendar as we know it; SPSS and SAS show nothing before it."""

ELSEWHERE = "write csv, parquet or arrow."


@dataclass(frozen=True)
class Limits:
    """What a format allows; lengths in bytes of UTF-8, those of Stata's names and labels in characters.

    Examples
    --------
    >>> LIMITS["dta"].name_length
    32
    """

    program: Program
    name: re.Pattern[str]
    allowed: str
    name_length: int
    reserved: frozenset[str]
    value_label_length: int
    largest: float
    is_case_blind: bool = True
    counts_characters: bool = False
    text_length: int | None = 32_767
    label_length: int = 256
    smallest: float = 0.0

    def length(self, text: str) -> int:
        """Return the length of a name or label as the format counts it."""
        return len(text) if self.counts_characters else len(text.encode())


_SPSS = Limits(
    program="spss",
    name=re.compile(r"[^\W\d_][\w.$#@]*(?<!\.)"),
    allowed="a letter, then letters, digits or _ . $ # @ with no point at the end, 64 bytes, no word of its language",
    name_length=64,
    reserved=frozenset({"all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"}),
    value_label_length=120,
    largest=1e308,
)

LIMITS: Mapping[StatsFormat, Limits] = {
    "sav": _SPSS,
    "zsav": _SPSS,
    "dta": Limits(
        program="stata",
        name=re.compile(r"[^\W\d]\w*"),
        allowed="a letter or _, then letters, digits or _, 32 characters, no word of its language",
        name_length=32,
        reserved=frozenset(
            {
                *("_all", "_b", "byte", "_coef", "_cons", "double", "float", "if", "in", "int", "long", "_n", "_N"),
                *("_pi", "_pred", "_rc", "_skip", "str", "strL", "using", "with"),
            }
        ),
        is_case_blind=False,
        counts_characters=True,
        text_length=None,
        label_length=80,
        value_label_length=32_000,
        largest=8.9e307,
    ),
    "xpt": Limits(
        program="sas",
        name=re.compile(r"[A-Za-z_][A-Za-z0-9_]*"),
        allowed="a letter from A to Z or _, then such letters, digits or _, 32 characters, no word of its language",
        name_length=32,
        reserved=frozenset(
            {"_all_", "_character_", "_error_", "_infile_", "_iorc_", "_msg_", "_n_", "_null_", "_numeric_"}
        ),
        value_label_length=0,
        smallest=1e-77,
        largest=1e75,
    ),
}
"""The limits of each format that is written."""


def check_stats_names(names: Sequence[str], kind: StatsFormat) -> None:
    """Refuse names of columns that the format does not allow.

    Raises
    ------
    FormatError
        With the names and what is allowed.

    Examples
    --------
    >>> check_stats_names(["age", "año_2"], "dta")
    """
    limits = LIMITS[kind]
    wrong = [name for name in names if not _is_name(name, limits)]
    if wrong:
        raise FormatError(
            f"{_listed(wrong)} cannot be the name of a column in {kind} files; allowed: {limits.allowed}.",
            hint="rename the columns; they are never renamed silently.",
        )
    if limits.is_case_blind:
        counts = Counter(name.lower() for name in names)
        twins = [name for name in names if counts[name.lower()] > 1]
        if twins:
            raise FormatError(
                f"{_listed(twins)} differ only in case, which {kind} files do not tell apart.",
                hint="rename the columns.",
            )


def _is_name(name: str, limits: Limits) -> bool:
    word = name.lower() if limits.is_case_blind else name
    is_type = limits.program == "stata" and re.fullmatch("str[0-9]+", name)
    is_spelt_well = limits.name.fullmatch(name) is not None and all(sign.isascii() or sign.isalpha() for sign in name)
    return is_spelt_well and limits.length(name) <= limits.name_length and word not in limits.reserved and not is_type


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:5]) + (f" and {len(names) - 5} others" if len(names) > 5 else "")


def check_texts(column: pl.Series, kind: StatsFormat) -> None:
    r"""Refuse texts that are too long, or that hold a NUL character, at which these programs stop reading.

    Raises
    ------
    FormatError
        With the count of such cells.

    Examples
    --------
    >>> check_texts(pl.Series("note", ["ñ" * 16_384]), "sav")
    Traceback (most recent call last):
    celosia.base.errors.FormatError: column 'note' has 1 cells of more than 32767 bytes, too long for sav files.
      Hint: write csv, parquet or arrow.
    """
    longest = LIMITS[kind].text_length
    if longest is not None:
        too_long = f"cells of more than {longest} bytes, too long for {kind} files."
        refuse_where(column, column.str.len_bytes() > longest, too_long, ELSEWHERE)
    with_nul = f"cells with a NUL character, which {kind} files cannot hold."
    refuse_where(column, column.str.contains("\0", literal=True), with_nul, f"remove it, or {ELSEWHERE}")


def check_numbers(column: pl.Series, kind: StatsFormat) -> None:
    """Refuse numbers (whole ones or Float64) that the format cannot hold exactly.

    Raises
    ------
    FormatError
        With the count of such cells.

    Examples
    --------
    >>> check_numbers(pl.Series("id", [2**53, -(2**53)]), "sav")
    """
    limits = LIMITS[kind]
    if column.dtype.is_integer():
        wide = column.cast(pl.Int128)
        wrong = (wide > LARGEST_WHOLE) | (wide < -LARGEST_WHOLE)
        allowed = "whole numbers up to 2^53"
    else:
        size = column.abs()
        wrong = (size > limits.largest) | ((size > 0) & (size < limits.smallest)) | column.is_nan()
        smallest = f"of at least {limits.smallest:g} and " if limits.smallest else ""
        allowed = f"numbers {smallest}at most {limits.largest:g}"
    what = f"numbers that {kind} files cannot hold; allowed: {allowed}."
    refuse_where(column, wrong, what, f"make them text, or {ELSEWHERE}")


def check_dates(column: pl.Series, kind: StatsFormat) -> None:
    """Refuse dates and date-times before 1582-10-15 or after the year 9999.

    Raises
    ------
    FormatError
        With the count of such cells.

    Examples
    --------
    >>> check_dates(pl.Series("born", [datetime.date(1582, 10, 15)]), "sav")
    """
    days = column.cast(pl.Date)
    what = f"dates that {kind} files cannot hold; allowed: {_FIRST_DAY} to {datetime.date.max}."
    refuse_where(column, (days < _FIRST_DAY) | (days > datetime.date.max), what, f"make them text, or {ELSEWHERE}")


def check_labels(labels: Labels, kind: StatsFormat) -> None:
    """Refuse labels that are too long for the format.

    Raises
    ------
    FormatError
        With the column.

    Examples
    --------
    >>> check_labels(Labels(columns={"age": "Age in years"}), "dta")
    """
    limits = LIMITS[kind]
    for name, label in labels.columns.items():
        _check_length(f"the label of column '{name}'", [label], limits.label_length, limits, kind)
    # pyreadstat names a set of labels after its column and a number, within the limit of a column's name.
    longest = limits.name_length - len(str(len(labels.values)))
    for name, codes in labels.values.items():
        _check_length(f"a value label of column '{name}'", codes.values(), limits.value_label_length, limits, kind)
        if kind == "dta" and len(name) > longest:
            raise FormatError(
                f"column '{name}' has value labels, and then its name may have {longest} characters in dta files.",
                hint="rename it, or leave its value labels out.",
            )


def _check_length(what: str, texts: Iterable[str], allowed: int, limits: Limits, kind: StatsFormat) -> None:
    longest = max(map(limits.length, texts))
    if longest > allowed:
        unit = "characters" if limits.counts_characters else "bytes"
        raise FormatError(
            f"{what} has {longest} {unit}; {kind} files allow {allowed}.", hint="shorten it, or leave it out."
        )
