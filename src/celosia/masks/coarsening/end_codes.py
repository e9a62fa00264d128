"""What top coding and bottom coding share: numbers beyond a threshold are published as one value."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from celosia.data.hierarchies.options import check_number, given
from celosia.data.hierarchies.ranges import parse_range
from celosia.data.hierarchies.text import clean_label
from celosia.data.masked import Change
from celosia.masks.base import Sheet, Technique, spelt_numbers
from celosia.masks.options import named_columns


@dataclass(frozen=True)
class EndCode(Technique):
    """Coding of one end of a column; ``TopCode`` and ``BottomCode`` say which end and give the words."""

    name: ClassVar[str]
    end: ClassVar[Literal["top", "bottom"]]
    no_effect: ClassVar[Said]
    few: ClassVar[Said]

    column: str | None = None
    columns: Sequence[str] = ()
    at: float | None = None
    share: float | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns(self.name, self.column, self.columns))
        object.__setattr__(self, "column", None)
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

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it codes."""
        return tuple(self.columns)

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the end of each column coded."""
        for column in self.columns:
            sheet = self._code(sheet, column)
        return sheet

    def to_dict(self) -> dict[str, Any]:
        """Return the options that are given."""
        options = {name: getattr(self, name) for name in ("columns", "at", "share", "label")}
        return given(options, {"at": None, "share": None, "label": None})

    def _check_label(self) -> None:
        label = clean_label(self.label, f"{self.name}: label")
        if label in ("", ANYTHING):
            raise OptionError(
                f"{self.name}: the label is empty or '{ANYTHING}'.", hint="write what it means, such as '>=90'."
            )
        object.__setattr__(self, "label", label)
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

    def _code(self, sheet: Sheet, column: str) -> Sheet:
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
