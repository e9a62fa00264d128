"""Values inside an expression: their kinds, and text cells read as the kind that is needed."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn

import polars as pl

from celosia.base.errors import InputError, OptionError
from celosia.data.io import parse_numbers
from celosia.data.schema.columns import as_text
from celosia.masks.base import Sheet
from celosia.masks.expressions.moments import read_dates, read_durations, read_moments, read_times, without_offsets

Kind = Literal["number", "text", "raw", "condition", "date", "time", "moment", "duration"]
"""``raw`` is text that nothing has yet needed as another kind: a column of a CSV file, a text in quotes."""

Issue = Literal[
    "division_by_zero", "too_large", "negative_duration", "ambiguous_hour", "skipped_hour", "negative_age", "age_today"
]
"""What is counted while an expression is worked out."""

_SAID: dict[Kind, str] = {
    "number": "a number",
    "text": "a text",
    "raw": "a text",
    "condition": "a condition",
    "date": "a date",
    "time": "a time",
    "moment": "a date-time",
    "duration": "a duration",
}
_SAMPLE = 500


@dataclass(frozen=True, eq=False)
class Value:
    """What a part of an expression comes to.

    Attributes
    ----------
    kind
        What its cells are.
    data
        One cell per row, or a single one if it is a constant.
    position
        Where it stands in the text, from 1.
    column
        The column it is, if it is one and nothing else.
    is_constant
        Whether it is the same for all rows.
    """

    kind: Kind
    data: pl.Series
    position: int
    column: str | None = None
    is_constant: bool = False


def spread(values: Sequence[pl.Series]) -> list[pl.Series]:
    """Return series of one length: constants repeated as often as the columns have rows.

    Examples
    --------
    >>> [one.to_list() for one in spread([pl.Series([1, 2]), pl.Series([5])])]
    [[1, 2], [5, 5]]
    """
    lengths = {len(one) for one in values} - {1}
    n = lengths.pop() if lengths else 1
    return [one if len(one) == n else one.new_from_index(0, n) for one in values]


class Scope:
    """The sheet that an expression is worked out on, and what is counted meanwhile."""

    def __init__(self, sheet: Sheet, mask: str, option: str) -> None:
        self.sheet, self.mask, self.option = sheet, mask, option
        self.counts: Counter[Issue] = Counter()
        self._read: dict[tuple[str, Kind], pl.Series] = {}

    def refuse(self, position: int, what: str, hint: str | None = None) -> NoReturn:
        """Raise ``OptionError`` with the position."""
        raise OptionError(f"{self.mask}: {self.option}, position {position}: {what}", hint=hint, about=self.option)

    def column(self, name: str, position: int) -> Value:
        """Return a column as it is; text stays raw."""
        data = self.sheet.column(name, self.mask)
        kind: Kind
        if data.dtype.is_numeric():
            kind, data = "number", self.sheet.numbers(name, self.mask)
        elif isinstance(data.dtype, pl.Datetime):
            kind, data = "moment", data.cast(pl.Datetime("us", data.dtype.time_zone))
        elif data.dtype == pl.Duration:
            kind, data = "duration", data.cast(pl.Duration("us"))
        elif data.dtype in (pl.Date, pl.Time, pl.Boolean):
            kind = "date" if data.dtype == pl.Date else "time" if data.dtype == pl.Time else "condition"
        else:
            kind, data = "raw", as_text(data)
        return Value(kind, data, position, name)

    def constant(self, value: int | float | str | bool, position: int) -> Value:
        """Return a constant; a text is raw."""
        if isinstance(value, bool):
            return Value("condition", pl.Series([value]), position, is_constant=True)
        if isinstance(value, str):
            text = unicodedata.normalize("NFC", value)
            return Value("raw", pl.Series([text], dtype=pl.String), position, is_constant=True)
        dtype = pl.Int64 if isinstance(value, int) else pl.Float64
        return Value("number", pl.Series([value], dtype=dtype), position, is_constant=True)

    def series(self, value: Value, kind: Kind) -> pl.Series:
        """Return the cells as a kind; raw text is read.

        Raises
        ------
        OptionError
            The value is of another kind, or a text in quotes does not read as this one.
        InputError
            Cells of a column do not read as this kind; the message gives their number.
        """
        if value.kind == kind or (value.kind == "raw" and kind == "text"):
            return value.data
        if value.kind == "date" and kind == "moment":
            return value.data.cast(pl.Datetime("us"))
        if value.kind != "raw" or kind == "condition":
            self.refuse(value.position, f"{_SAID[kind]} is needed, but this is {_SAID[value.kind]}.")
        read = self._reading(value, kind)
        n_failed = read.null_count() - value.data.null_count()
        if n_failed:
            self._refuse_cells(value, kind, n_failed)
        return read

    def _refuse_cells(self, value: Value, kind: Kind, n_failed: int) -> NoReturn:
        if value.is_constant:
            self.refuse(
                value.position,
                f"{_SAID[kind]} is needed, but this text does not read as one.",
                "write 2026-01-31, 08:30 or 2026-01-31 08:30 in quotes, and numbers without quotes.",
            )
        where = f"'{value.column}'" if value.column is not None else f"what stands at position {value.position}"
        raise InputError(
            f"{self.mask}: {where} must hold {_SAID[kind].split(' ', 1)[1]}s, but {n_failed} of its {len(value.data)} "
            "cells do not read as such.",
            hint="list its texts for 'no value' under missing in the schema, or use another column.",
            about=self.option,
        )

    def _reading(self, value: Value, kind: Kind) -> pl.Series:
        """Read raw text once per column and kind; what cannot be read is missing."""
        if value.column is None:
            return self._readers[kind](value.data)
        key = (value.column, kind)
        if key not in self._read:
            self._read[key] = self._readers[kind](value.data)
        return self._read[key]

    @property
    def _readers(self) -> dict[Kind, Callable[[pl.Series], pl.Series]]:
        return {
            "number": lambda texts: parse_numbers(texts, self.sheet.decimal)[0],
            "date": read_dates,
            "time": read_times,
            "moment": read_moments,
            "duration": read_durations,
        }

    def reads_as(self, value: Value, kind: Kind) -> bool:
        """Whether all cells are of a kind or read as it."""
        if value.kind != "raw":
            return value.kind == kind or (value.kind == "date" and kind == "moment")
        first = value.data.drop_nulls().head(_SAMPLE)
        if self._readers[kind](first).null_count():
            return False
        return self._reading(value, kind).null_count() == value.data.null_count()

    def common_kind(self, values: Sequence[Value], *tried: Kind) -> Kind:
        """Return the kind under which values can be taken together.

        It is that of the values whose kind is known (dates and date-times together: date-times). Where all are raw, it
        is the first of ``tried`` as which all of them read; if none, the first as which one of them reads, so that the
        cells of the others that do not are told; else the last.
        """
        known = {value.kind for value in values} - {"raw"}
        if known == {"date", "moment"}:
            known = {"moment"}
        if len(known) > 1:
            first = next(value for value in values if value.kind != "raw")
            other = next(value for value in values if value.kind not in ("raw", first.kind))
            self.refuse(other.position, f"{_SAID[first.kind]} is needed here as well, but this is {_SAID[other.kind]}.")
        raw = [value for value in values if value.kind == "raw"]
        if known == {"date"} and not all(self.reads_as(value, "date") for value in raw):
            return "moment" if all(self.reads_as(value, "moment") for value in raw) else "date"
        if known:
            return known.pop()
        filled = [value for value in raw if value.data.null_count() < len(value.data)]
        for enough in (all, any):
            for kind in tried[:-1]:
                if filled and enough(self.reads_as(value, kind) for value in filled):
                    return kind
        return tried[-1]

    def together(self, values: Sequence[Value], kind: Kind) -> list[pl.Series]:
        """Return values as one kind, at one length; date-times with and without a zone do not mix."""
        data = spread([self.series(value, kind) for value in values])
        return self.one_zone(data, values[-1].position) if kind == "moment" else data

    def one_zone(self, moments: Sequence[pl.Series], position: int) -> list[pl.Series]:
        """Return date-times of one zone as they are, of several in UTC; with and without a zone they do not mix."""
        zones = {one.dtype.time_zone for one in moments}  # type: ignore[attr-defined]
        if len(zones) == 1:
            return list(moments)
        if None in zones:
            self.refuse(
                position,
                "a date-time with a time zone meets one without.",
                'use duration(entry, exit, zone="Europe/Madrid") for a difference.',
            )
        return [one.dt.convert_time_zone("UTC") for one in moments]

    def by_the_clock(self, value: Value) -> pl.Series:
        """Return date-times as a clock shows them where they are written: without their zone or offset."""
        moments = self.series(value, "moment")
        if moments.dtype == pl.Datetime("us"):
            return moments
        if value.kind == "raw":
            return read_moments(without_offsets(value.data))
        return moments.dt.replace_time_zone(None)
