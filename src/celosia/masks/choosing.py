"""Cells chosen by a list of values, as masks take it."""

from __future__ import annotations

import datetime
import unicodedata
from collections.abc import Sequence

import polars as pl

from celosia.base.errors import OptionError
from celosia.data.hierarchies.options import check_list
from celosia.data.io import parse_numbers
from celosia.masks.base import Sheet

Listed = str | int | float | bool
"""An entry of a list of values."""


def checked_values(mask: str, values: object) -> tuple[Listed, ...]:
    """Return a list of texts, numbers and truth values; dates as plan files read them become text.

    Raises
    ------
    OptionError
        It is no list, it is empty, or an entry is of another kind; the message says which, not what it holds.

    Examples
    --------
    >>> checked_values("drop_rows", ["Soria ", 13])
    ('Soria', 13)
    """
    checked: list[Listed] = []
    for place, value in enumerate(check_list(f"{mask}: values", values), start=1):
        if isinstance(value, str):
            checked.append(unicodedata.normalize("NFC", value.strip()))
        elif isinstance(value, datetime.date):
            checked.append(value.isoformat())
        elif isinstance(value, bool | int) or (isinstance(value, float) and abs(value) < float("inf")):
            checked.append(value)
        else:
            raise OptionError(
                f"{mask}: entry {place} of values is of type {type(value).__name__}; allowed: texts and numbers.",
                hint='for cells without a value write where: "is_missing(column)".',
                about="values",
            )
    return tuple(checked)


def holds(sheet: Sheet, column: str, values: Sequence[Listed], mask: str) -> pl.Series:
    """Return in which rows a column holds one of the values; missing cells hold none.

    A text is held by cells that are spelt so, a number by cells that read as that number (``5``, ``5.0``).

    Examples
    --------
    >>> from celosia.masks.base import sheet_of
    >>> holds(sheet_of(pl.DataFrame({"age": ["13", "13.0", "n/a", None]})), "age", [13, "n/a"], "blank").to_list()
    [True, True, True, False]
    """
    texts = sheet.texts(column, mask)
    words = [str(value).lower() if isinstance(value, bool) else value for value in values]
    found = texts.is_in([word for word in words if isinstance(word, str)]).fill_null(False)
    numbers = [word for word in words if not isinstance(word, str) and abs(word) < 2**63]
    if numbers:
        column_cells = sheet.column(column, mask)
        cells, _ = parse_numbers(column_cells if column_cells.dtype.is_numeric() else texts, sheet.decimal)
        # Whole numbers are compared as such: beyond 2 ** 53 two of them may be one float.
        is_whole = cells.dtype.is_integer() and all(isinstance(number, int) for number in numbers)
        dtype = pl.Int64 if is_whole else pl.Float64
        found = found | cells.cast(dtype).is_in(pl.Series(numbers, dtype=dtype, strict=False)).fill_null(False)
    return found
