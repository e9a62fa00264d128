"""What the options of masks have in common: the columns they name, their strata, their lists of values."""

from __future__ import annotations

import datetime
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.data.classes import group
from celosia.data.hierarchies.options import check_list, given
from celosia.data.io import parse_numbers
from celosia.data.schema.columns import codes_of
from celosia.masks.base import Sheet, Technique

Listed = str | int | float | bool
"""An entry of a list of values."""


def named_columns(mask: str, column: object, columns: object) -> tuple[str, ...]:
    """Return the columns that ``column`` or ``columns`` names, one of the two.

    Raises
    ------
    OptionError
        None or both are given, or they are no texts.

    Examples
    --------
    >>> named_columns("drop", "name", ()), named_columns("drop", None, ["a", "b"])
    (('name',), ('a', 'b'))
    """
    is_list = isinstance(columns, Sequence) and not isinstance(columns, str)
    named = list(columns) if column is None and is_list else [column]  # type: ignore[call-overload]
    is_double = column is not None and bool(columns)
    if is_double or not is_list or not named or not all(isinstance(one, str) for one in named):
        raise OptionError(
            f"{mask} needs a column, or a list of columns.", hint=f"write {{{mask}: {{columns: [name]}}}}."
        )
    if len(set(named)) < len(named):
        raise OptionError(f"{mask} names a column twice.", hint="name each column once.")
    return tuple(named)


@dataclass(frozen=True)
class OnColumns(Technique):
    """A technique on one column or several: its first two options are ``column`` and ``columns``, one of the two."""

    name: ClassVar[str]

    column: str | None = None
    columns: Sequence[str] = ()

    def __post_init__(self) -> None:
        self._set(columns=named_columns(self.name, self.column, self.columns), column=None)

    def _set(self, **options: Any) -> None:
        """Store options in the form in which they can be compared and hashed."""
        for option, value in options.items():
            object.__setattr__(self, option, value)

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it changes."""
        return tuple(self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        return told(self)


class OnEachColumn(OnColumns, ABC):
    """A technique on one column after the other."""

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the technique applied to one column after the other."""
        for column in self.columns:
            sheet = self._masked(sheet, column)
        return sheet

    @abstractmethod
    def _masked(self, sheet: Sheet, column: str) -> Sheet:
        """Return the sheet with one of the columns changed."""


def told(mask: Any, **usual: Any) -> dict[str, Any]:
    """Return the options of a mask as they stand in a plan file: those that differ from their defaults.

    Parameters
    ----------
    usual
        What the constructor puts in place of an option that is not given.

    Examples
    --------
    >>> from celosia.masks import Swap
    >>> told(Swap("age", within="town"))
    {'columns': ['age'], 'within': ['town']}
    """
    defaults = {option.name: option.default for option in fields(mask)} | usual
    options = {option: getattr(mask, option) for option in defaults}
    return given({option: value for option, value in options.items() if value not in (None, ())}, defaults)


def one_column(mask: str, column: object) -> str:
    """Return the name of the one column that a mask works on.

    Examples
    --------
    >>> one_column("round", "salary")
    'salary'
    """
    if not isinstance(column, str):
        raise OptionError(f"{mask} needs a column.", hint=f"write {{{mask}: {{column: name}}}}.", about="column")
    return column


def check_flag(option: str, got: object) -> None:
    """Raise ``OptionError`` unless ``got`` is true or false.

    Examples
    --------
    >>> check_flag("swap: joint", True)
    """
    if not isinstance(got, bool):
        raise OptionError(
            f"{option} is of type {type(got).__name__}; allowed: true, false.",
            hint="write true or false.",
            about=option.rpartition(" ")[2],
        )


def strata_columns(mask: str, within: object, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that an option ``within`` names: one, several, or none.

    Raises
    ------
    OptionError
        ``within`` names no columns, one of them twice, or one that the mask changes.

    Examples
    --------
    >>> strata_columns("swap", "town", ["age"]), strata_columns("swap", None, ["age"])
    (('town',), ())
    """
    if within is None:
        return ()
    named = [within] if isinstance(within, str) else list(within) if isinstance(within, list | tuple) else [None]
    if not all(isinstance(name, str) for name in named):
        raise OptionError(
            f"{mask}: within must be the name of a column or a list of names.",
            hint=f"write {{{mask}: {{column: name, within: [name]}}}}, or leave it out.",
            about="within",
        )
    if len(set(named)) < len(named) or set(named) & set(columns):
        raise OptionError(
            f"{mask}: within names a column twice, or one that {mask} changes.",
            hint="name other columns under within.",
            about="within",
        )
    return tuple(named)


def strata_of(sheet: Sheet, within: Sequence[str], mask: str) -> NDArray[np.int32]:
    """Return the stratum of each row, 0, 1, ...: rows equal in all columns of ``within``; missing is a value.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.masks.base import sheet_of
    >>> strata_of(sheet_of(pl.DataFrame({"town": ["b", None, "b", "a"]})), ["town"], "swap").tolist()
    [2, 0, 2, 1]
    """
    if not within:
        return np.zeros(sheet.n_rows, dtype=np.int32)
    return group([codes_of(sheet.column(name, mask))[0] for name in within]).astype(np.int32)


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
