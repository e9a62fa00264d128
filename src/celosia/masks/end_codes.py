"""What top coding and bottom coding share: numbers beyond a threshold are published as one value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import HierarchyError, OptionError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.data.hierarchies.category import Category
from celosia.data.hierarchies.domains import ANYTHING
from celosia.data.hierarchies.exact import exact
from celosia.data.hierarchies.options import check_number
from celosia.data.hierarchies.ranges import parse_range
from celosia.data.hierarchies.text import clean_label
from celosia.data.masked import Change
from celosia.masks.base import Leaves, Sheet, spelt_numbers
from celosia.masks.options import OnEachColumn


@dataclass(frozen=True)
class EndCode(OnEachColumn):
    """Coding of one end of a column; ``TopCode`` and ``BottomCode`` say which end and give the words."""

    end: ClassVar[Literal["top", "bottom"]]
    no_effect: ClassVar[Said]
    few: ClassVar[Said]

    at: float | None = None
    share: float | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.at is None) == (self.share is None):
            got = "none of them" if self.at is None else "both"
            raise OptionError(
                f"{self.name}: got {got}; exactly one of at and share is allowed.",
                hint=f"write {{{self.name}: {{column: age, at: 90}}}}.",
            )
        if self.at is not None:
            check_number(f"{self.name}: at", self.at)
        if self.share is not None:
            check_number(f"{self.name}: share", self.share, positive=True)
            if self.share >= 1:
                raise OptionError(f"{self.name}: share is {self.share!r}; it must be above 0 and below 1.")
        if self.label is not None:
            self._check_label()

    def _check_label(self) -> None:
        label = clean_label(self.label, f"{self.name}: label")
        if label in ("", ANYTHING):
            raise OptionError(
                f"{self.name}: the label is empty or '{ANYTHING}'.", hint="write what it means, such as '>=90'."
            )
        self._set(label=label)
        self._reads_open()

    def _reads_open(self) -> bool:
        """Whether the label reads as a range that leaves the threshold itself out, such as ``>90``.

        Raises
        ------
        OptionError
            The label reads as a range, but not as the one that is coded.
        """
        try:
            read = parse_range(self.label or "")
        except HierarchyError:
            return False
        inner, outer = (read.low, read.high) if self.end == "top" else (read.high, read.low)
        if self.at is None or inner != exact(self.at) or outer is not None:
            sign = ">=" if self.end == "top" else "<="
            raise OptionError(
                f"{self.name}: the label reads as a range, but not as the one that it stands for.",
                hint="with share choose a word." if self.at is None else f"write '{sign}{self.at}'.",
                about="label",
            )
        return read.low_open if self.end == "top" else read.high_open

    def _masked(self, sheet: Sheet, column: str) -> Sheet:
        numbers = sheet.numbers(column, self.name)
        values = numbers.drop_nulls().to_numpy()
        at = self._threshold(values, sheet.k) if self.at is None else _plain(self.at)
        is_coded = self._beyond(values, at, is_open=self.label is not None and self._reads_open())
        n_coded = int(is_coded.sum())
        n_changed = n_coded if self.label is not None else int(self._beyond(values, at, is_open=True).sum())
        in_rows = np.zeros(len(numbers), dtype=np.bool_)
        in_rows[numbers.is_not_null().to_numpy()] = is_coded
        sheet = self._published(sheet, numbers, pl.Series(column, in_rows), at)
        if not n_changed:
            return sheet.noting(self._finding("NO_EFFECT", self.no_effect, column))
        if n_coded < sheet.k:
            return sheet.noting(self._finding("FEW", self.few, column, count=n_coded, k=sheet.k))
        return sheet

    def _threshold(self, values: NDArray[Any], k: int) -> float:
        """Return the value that at least the share, and at least k of the values, are at or beyond."""
        if not len(values):
            return 0
        n_wanted = max(math.ceil(exact(self.share or 0) * len(values)), k)
        place = min(n_wanted, len(values)) - 1
        if self.end == "top":
            place = len(values) - 1 - place
        found: float = np.partition(values, place)[place].item()
        return found

    def _beyond(self, values: NDArray[Any], at: float, *, is_open: bool) -> NDArray[np.bool_]:
        """Return whether each value lies beyond the threshold, or at it unless ``is_open``."""
        if self.end == "top":
            return values > at if is_open else values >= at
        return values < at if is_open else values <= at

    def _published(self, sheet: Sheet, numbers: pl.Series, is_coded: pl.Series, at: float) -> Sheet:
        column = is_coded.name
        if self.label is None:
            if is_coded.any():
                if not isinstance(at, int) or abs(at) >= 2**63:  # whole numbers beyond 64 bits are floats as well
                    numbers, at = numbers.cast(pl.Float64), float(at)
                numbers = numbers.set(is_coded, at)
            return sheet.with_numbers(numbers, Change(column, "perturbed"))
        came_as_text = sheet.frame.schema[column] == pl.String
        texts = sheet.texts(column, self.name) if came_as_text else spelt_numbers(numbers, sheet.decimal)
        return sheet.with_column(texts.set(is_coded, self.label), Change(column, "coarsened", Category()))

    def _finding(self, ending: str, template: str, column: str, **values: int) -> Finding:
        return Finding(f"{self.name.upper()}_{ending}", "warning", template, column, values)


def _plain(number: float) -> float:
    """Return a whole number as ``int``, so that whole columns stay whole."""
    return int(number) if float(number).is_integer() else number


@dataclass(frozen=True)
class TopCode(EndCode):
    """Publish numbers above a threshold t as one value: x becomes min(x, t), or a label where x >= t.

    Parameters
    ----------
    column, columns
        The column, or several, each coded alone; one of the two. Missing cells stay missing.
    at
        The threshold, a number. One of ``at`` and ``share``.
    share
        Above 0 and below 1: the threshold is the greatest value that leaves at least this share of the known cells, and
        at least k of them (as many as must share a value: that of the plan, 2 elsewhere), at or above it. It appears in
        no message.
    label
        What to publish instead of the number, such as ``>=90``. Values at the threshold get it as well, unless it reads
        as a range without it (``>90``); the column then holds text.

    Guarantee
    ---------
    Nothing in the column tells how far above the threshold a number was, to anybody who sees this column alone. With
    ``share`` at least k rows publish the coded value, if the column has so many. A number in place of a label is not
    true of the rows it was given to, and is declared so. How many rows were coded is plain to see.

    Raises
    ------
    OptionError
        An option has a value that is not allowed, or the label reads as another range than the one it stands for.
    InputError
        A cell is no number.

    Examples
    --------
    >>> import polars as pl
    >>> ages = pl.DataFrame({"age": [34, 90, 97, None]})
    >>> TopCode(column="age", at=90).apply(ages)["age"].to_list()
    [34, 90, 90, None]
    >>> TopCode(column="age", at=90, label=">=90").apply(ages)["age"].to_list()
    ['34', '>=90', '>=90', None]
    """

    name: ClassVar[str] = "top_code"
    leaves: ClassVar[Leaves] = Leaves(
        "generalised",
        "Numbers below the threshold remain as they are, and "
        "the rows with the highest ones are known to be among the coded.",
    )
    end: ClassVar[Literal["top", "bottom"]] = "top"
    no_effect: ClassVar[str] = Said("No number of '{column}' lies above the threshold: nothing was coded.")
    few: ClassVar[str] = Said(
        "Only {count} rows of '{column}' hold the top code, fewer than {k}: they stand out by it. Lower the threshold."
    )


@dataclass(frozen=True)
class BottomCode(EndCode):
    """Publish numbers below a threshold t as one value: x becomes max(x, t), or a label where x <= t.

    Parameters
    ----------
    column, columns
        The column, or several, each coded alone; one of the two. Missing cells stay missing.
    at
        The threshold, a number. One of ``at`` and ``share``.
    share
        Above 0 and below 1: the threshold is the least value that leaves at least this share of the known cells, and at
        least k of them (as many as must share a value: that of the plan, 2 elsewhere), at or below it. It appears in no
        message.
    label
        What to publish instead of the number, such as ``<=16``. Values at the threshold get it as well, unless it reads
        as a range without it (``<16``); the column then holds text.

    Guarantee
    ---------
    Nothing in the column tells how far below the threshold a number was, to anybody who sees this column alone. With
    ``share`` at least k rows publish the coded value, if the column has so many. A number in place of a label is not
    true of the rows it was given to, and is declared so. How many rows were coded is plain to see.

    Raises
    ------
    OptionError
        An option has a value that is not allowed, or the label reads as another range than the one it stands for.
    InputError
        A cell is no number.

    Examples
    --------
    >>> import polars as pl
    >>> ages = pl.DataFrame({"age": [34, 16, 12, None]})
    >>> BottomCode(column="age", at=16).apply(ages)["age"].to_list()
    [34, 16, 16, None]
    >>> BottomCode(column="age", at=16, label="<=16").apply(ages)["age"].to_list()
    ['34', '<=16', '<=16', None]
    """

    name: ClassVar[str] = "bottom_code"
    leaves: ClassVar[Leaves] = Leaves(
        "generalised",
        "Numbers above the threshold remain as they are, and "
        "the rows with the lowest ones are known to be among the coded.",
    )
    end: ClassVar[Literal["top", "bottom"]] = "bottom"
    no_effect: ClassVar[str] = Said("No number of '{column}' lies below the threshold: nothing was coded.")
    few: ClassVar[str] = Said(
        "Only {count} rows of '{column}' hold the bottom code, fewer than {k}: they stand out by it. "
        "Raise the threshold."
    )
