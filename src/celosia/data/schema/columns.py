"""Cleaning and typing of columns: text first, then what the schema says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import CelosiaError, InputError
from celosia.data.hierarchies.base import Hierarchy, ValueType
from celosia.data.hierarchies.domains import Domain
from celosia.data.hierarchies.packed import PackedNumbers
from celosia.data.io.numbers import parse_numbers
from celosia.data.io.plain import without_nan
from celosia.data.io.spelling import spell

_PACKED = frozenset({pl.Float64, pl.Int64, pl.Int32, pl.Int16, pl.Int8, pl.UInt64, pl.UInt32, pl.UInt16, pl.UInt8})
"""Types whose distinct values stay in an array."""

_DATE_FORMATS = ("%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y", "%Y/%m/%d", "%m/%d/%Y", "%Y%m%d")
"""Tried in this order: where a column reads both ways the day comes before the month."""


@dataclass(frozen=True, eq=False)
class QuasiIdentifier:
    """A quasi-identifier as the search sees it.

    Attributes
    ----------
    values
        The column, cleaned and typed as its hierarchy wants it.
    codes
        int32 per row: the position of the row's value in ``domain.values``; -1 where it is missing; from -2 down, one
        code per value, where the hierarchy does not know it (such rows must be suppressed).
    """

    name: str
    hierarchy: Hierarchy
    domain: Domain
    values: pl.Series
    codes: NDArray[np.int32]
    weight: float


def cleaned(column: pl.Series, missing: Sequence[str] = ()) -> tuple[pl.Series, int]:
    """Trim blanks and normalise Unicode (NFC) of a text column; return it and how many cells were trimmed.

    Empty cells, ``missing`` texts and not-a-number become null. Other types come back as they are.
    """
    if column.dtype.is_float():
        return without_nan(column), 0
    if column.dtype != pl.String:
        return column, 0
    # A column that is clean already comes back itself: a copy of a long one costs more than the look at it.
    n_trimmed = int(column.str.contains(r"^\s|\s$").sum())
    result = column.str.strip_chars() if n_trimmed else column
    if (result.str.len_bytes() != result.str.len_chars()).any():  # all of ASCII is in normal form
        result = result.str.normalize("NFC")
    is_missing = result.is_in(["", *missing])
    return result.set(is_missing, None) if is_missing.any() else result, n_trimmed


def encoded(column: pl.Series, hierarchy: Hierarchy, weight: float, decimal: str = ".") -> QuasiIdentifier:
    """Type a cleaned column as its hierarchy wants it and fit the hierarchy to its values.

    Raises
    ------
    InputError
        A value is not of the hierarchy's type; the message gives column, count and first row.
    HierarchyError
        The hierarchy does not fit the values.
    """
    try:
        typed = _typed(column, hierarchy.value_type, decimal)
        codes, distinct = codes_of(typed)
        domain = hierarchy.fit(distinct, column.name)
    except CelosiaError as error:
        error.about = column.name
        raise
    if domain.values is not distinct and domain.values != distinct:
        codes = _placed(distinct, domain.values)[codes]
    return QuasiIdentifier(column.name, hierarchy, domain, typed, codes, weight)


def _placed(distinct: Sequence[Any], values: Sequence[Any]) -> NDArray[np.int32]:
    """Return the code of each distinct value: its place in the domain, from -2 down where it has none. -1 ends it."""
    place = {value: position for position, value in enumerate(values)}
    return np.array([place.get(value, -2 - rank) for rank, value in enumerate(distinct)] + [-1], dtype=np.int32)


def codes_of(column: pl.Series) -> tuple[NDArray[np.int32], Sequence[Any]]:
    """Return each row's position among the sorted distinct values (-1 = missing), and those values."""
    if column.dtype in _PACKED and not (column.dtype.is_float() and column.is_nan().any()):
        return _number_codes(column)
    distinct = column.unique().drop_nulls().sort()  # few values: the nulls of many rows go last
    if column.dtype == pl.String:
        ranks = column.cast(pl.Enum(distinct)).to_physical().cast(pl.Int32)
    else:
        ranks = (column.rank("dense").cast(pl.Int32)) - 1
    return ranks.fill_null(-1).to_numpy(), distinct.to_list()


def _number_codes(column: pl.Series) -> tuple[NDArray[np.int32], PackedNumbers]:
    """Do the same for numbers by one sort, without an object per distinct number."""
    known = np.flatnonzero(column.is_not_null().to_numpy()) if column.null_count() else slice(None)
    numbers = column.drop_nulls().to_numpy()
    order = np.argsort(numbers)
    ascending = numbers[order]
    is_new = np.ones(len(numbers), dtype=np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
    ranks = np.empty(len(numbers), dtype=np.int32)
    ranks[order] = np.cumsum(is_new, dtype=np.int32) - 1
    codes = np.full(len(column), -1, dtype=np.int32)
    codes[known] = ranks
    return codes, PackedNumbers(ascending[is_new] + 0)  # -0.0 and 0.0 are one value: 0.0


def _typed(column: pl.Series, value_type: ValueType, decimal: str) -> pl.Series:
    if value_type == "number":
        return _numbers(column, decimal)
    if value_type == "date":
        return _dates(column)
    return as_text(column)


def _numbers(column: pl.Series, decimal: str) -> pl.Series:
    if column.dtype == pl.Null:
        return column.cast(pl.Int64)
    if column.dtype == pl.String:
        parsed, n_failed = parse_numbers(column, decimal)
        if n_failed:
            raise _wrong_type(column, parsed, "numbers", "'category', or list its texts for 'no value' under missing")
    elif column.dtype == pl.Float32:
        parsed = column.cast(pl.String).cast(pl.Float64)  # 0.1 stays 0.1, where a plain cast gives 0.10000000149
    elif column.dtype.is_numeric():
        parsed = column
    else:
        raise InputError(
            f"quasi-identifier '{column.name}' is declared a number but holds {column.dtype}.",
            hint="declare it 'category' or 'dates'.",
        )
    if parsed.dtype.is_float() and parsed.is_infinite().any():
        raise InputError(f"quasi-identifier '{column.name}' holds infinite numbers.", hint="make them missing first.")
    return parsed


def _dates(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Null or column.dtype == pl.Date:
        return column.cast(pl.Date)
    if column.dtype == pl.Datetime:
        return column.dt.date()
    texts = as_text(column)
    days = texts.str.replace(r"[T ][0-9]{1,2}:[0-9]{2}.*$", "")
    days = days.set(~days.str.contains("[0-9]{4}"), None)  # a year of two digits would be read as the first century
    attempts = [days.str.to_date(form, strict=False) for form in _DATE_FORMATS]
    best = min(attempts, key=lambda parsed: parsed.null_count())
    if best.null_count() > texts.null_count():
        raise _wrong_type(texts, best, "dates", "'category', or write them as year-month-day")
    return best


def as_text(column: pl.Series) -> pl.Series:
    """Spell a column as text; whole numbers carry no decimal point, so that 5 and 5.0 are one value."""
    if column.dtype == pl.String:
        return column
    if column.dtype.is_float():
        return column.cast(pl.String).str.replace(r"\.0$", "")
    return spell(column.to_frame(), decimal=".").to_series()


def _wrong_type(column: pl.Series, parsed: pl.Series, wanted: str, otherwise: str) -> InputError:
    failed = column.is_not_null() & parsed.is_null()
    first = int(failed.arg_max() or 0) + 1
    return InputError(
        f"quasi-identifier '{column.name}' should hold {wanted}, but {int(failed.sum())} of its {len(column)} values "
        f"do not read as such (first in data row {first}).",
        hint=f"declare it {otherwise}.",
    )
