"""Expressions over columns: a small safe language, worked out on whole columns.

The text is parsed by an own grammar (``syntax``) and its tree is worked out node by node; nothing of it is ever handed
to Python. What the language has is a list: what is not on it is refused.
"""

from __future__ import annotations

import datetime
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import eq, ge, gt, le, lt, ne
from typing import NoReturn

import polars as pl

from celosia.base.errors import OptionError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.masks.base import Sheet
from celosia.masks.expressions.functions import FUNCTIONS, check_call, turnable
from celosia.masks.expressions.syntax import (
    Call,
    Chain,
    Column,
    Comparison,
    Constant,
    Listed,
    Logic,
    Negated,
    Node,
    parse,
    walk,
)
from celosia.masks.expressions.values import Issue, Kind, Scope, Value, spread

_ORDERED: tuple[Kind, ...] = ("number", "date", "moment", "time", "raw")
_MOST = 2**63 - 1
_COMPARED: dict[str, Callable[..., pl.Series]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_CALCULATED: dict[str, Callable[..., pl.Series]] = {
    **{"+": operator.add, "-": operator.sub, "*": operator.mul},
    **{"/": operator.truediv, "//": operator.floordiv, "%": operator.mod},
}
_DURATIONS = (-9.2e18, 9.2e18)
"""The shortest and the longest duration in microseconds: almost all that 64 bits hold."""
_MOMENTS = (-62_135_596_800e6, 253_402_300_799e6)
"""The years 1 to 9999 in microseconds since 1970: no other can be written down as a date."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an expression comes to.

    Attributes
    ----------
    kind
        ``number``, ``text``, ``raw`` (text that came as it is), ``condition``, ``date``, ``time``, ``moment`` or
        ``duration``.
    values
        One cell per row.
    findings
        What was counted meanwhile: divisions by zero, negative durations, hours that happened twice or never.
    """

    kind: Kind
    values: pl.Series
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Expression:
    """An expression over columns, such as ``duration(entry, exit) > 120 and town in ["Soria", "Teruel"]``.

    Columns stand by their names, in backticks where these are no plain words. Text cells are read as what is needed:
    numbers, dates, times. Logic has three values: what compares with a missing cell is missing, and a condition that
    is missing is not true.

    Parameters
    ----------
    text
        The expression, at most 2000 characters.
    mask, option
        Whose it is, for messages.

    Raises
    ------
    OptionError
        The text is no expression of the language; with the position.

    Examples
    --------
    >>> from celosia.masks.base import sheet_of
    >>> visits = sheet_of(pl.DataFrame({"entry": ["08:00", "22:00"], "exit": ["10:30", "01:00"]}))
    >>> Expression("duration(entry, exit)").evaluate(visits).values.to_list()
    [150, 180]
    >>> Expression("duration(entry, exit) / 60 >= 3").holds(visits)[0].to_list()
    [False, True]
    """

    text: str
    mask: str = "expression"
    option: str = "text"

    def __post_init__(self) -> None:
        for node in walk(self._tree):
            if isinstance(node, Call):
                check_call(node, self._refuse)

    @cached_property
    def _tree(self) -> Node:
        return parse(self.text, self.mask, self.option)

    def _refuse(self, position: int, what: str, hint: str | None = None) -> NoReturn:
        raise OptionError(f"{self.mask}: {self.option}, position {position}: {what}", hint=hint, about=self.option)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads, once each."""
        return tuple(dict.fromkeys(node.name for node in walk(self._tree) if isinstance(node, Column)))

    def evaluate(self, sheet: Sheet) -> Outcome:
        """Return what the expression comes to in each row.

        Raises
        ------
        ColumnNotFoundError
            It names a column that is not there.
        OptionError
            Kinds do not go together, such as a text and a number; with the position.
        InputError
            Cells of a column do not read as what is needed; with their number, never with a cell.
        """
        scope = Scope(sheet, self.mask, self.option)
        value = _value(self._tree, scope)
        data = value.data.new_from_index(0, sheet.n_rows) if value.is_constant else value.data
        return Outcome(value.kind, data, _findings(scope))

    def holds(self, sheet: Sheet) -> tuple[pl.Series, tuple[Finding, ...]]:
        """Return in which rows the condition is true (a missing one is not), and what was found.

        Raises
        ------
        OptionError
            The expression is no condition.
        """
        outcome = self.evaluate(sheet)
        if outcome.kind != "condition":
            self._refuse(1, "this is no condition.", 'compare something: age >= 18, town == "Soria".')
        return outcome.values.fill_null(False), outcome.findings


def _value(node: Node, scope: Scope) -> Value:
    match node:
        case Constant():
            return scope.constant(node.value, node.position)
        case Column():
            return scope.column(node.name, node.position)
        case Call():
            arguments = [_value(argument, scope) for argument in node.arguments]
            options = {name: _value(option, scope) for name, option in node.options}
            return FUNCTIONS[node.name].run(scope, node, arguments, options)
        case Negated():
            return _negated(node, scope)
        case Logic():
            return _logic(node, scope)
        case Comparison():
            return _comparison(node, scope)
        case Chain():
            value = _value(node.first, scope)
            for sign, part in node.rest:
                value = _arithmetic(sign, value, _value(part, scope), scope)
            return value
        case Listed():
            raise AssertionError("a list stands only to the right of in")


def _negated(node: Negated, scope: Scope) -> Value:
    part = _value(node.part, scope)
    if node.sign == "not":
        return Value("condition", ~scope.series(part, "condition"), node.position, is_constant=part.is_constant)
    kind: Kind = "duration" if part.kind == "duration" else "number"
    data = scope.series(part, kind)
    opposite = (-data.to_physical()).cast(data.dtype) if kind == "duration" else -turnable(data)
    return Value(kind, opposite, node.position, is_constant=part.is_constant)


def _logic(node: Logic, scope: Scope) -> Value:
    """Join conditions; a missing one decides nothing: ``false and missing`` is false, ``true or missing`` is true."""
    parts = [_value(part, scope) for part in node.parts]
    joined, *others = spread([scope.series(part, "condition") for part in parts])
    for other in others:
        joined = joined & other if node.word == "and" else joined | other
    return Value("condition", joined, node.position, is_constant=all(part.is_constant for part in parts))


def _comparison(node: Comparison, scope: Scope) -> Value:
    left = _value(node.first, scope)
    is_constant = left.is_constant
    results: list[pl.Series] = []
    for sign, part in node.rest:
        if isinstance(part, Listed):
            results.append(_membership(sign, left, part, scope))
            left = Value("condition", results[-1], node.position)
            continue
        right = _value(part, scope)
        results.append(_compared(sign, left, right, scope))
        is_constant = is_constant and right.is_constant
        left = right
    joined, *others = spread(results)
    for other in others:
        joined = joined & other
    return Value("condition", joined, node.position, is_constant=is_constant)


def _compared(sign: str, left: Value, right: Value, scope: Scope) -> pl.Series:
    is_equality = sign in ("==", "!=")
    kind = scope.common_kind([left, right], *(("text",) if is_equality else _ORDERED))
    if kind == "condition" and not is_equality:
        scope.refuse(left.position, "conditions have no order.", "join them by and, or.")
    this, that = scope.together([left, right], kind)
    return _COMPARED[sign](this, that)


def _membership(sign: str, left: Value, part: Listed, scope: Scope) -> pl.Series:
    entries = [_value(entry, scope) for entry in part.entries]
    for entry in entries:
        if not entry.is_constant:
            scope.refuse(
                entry.position, "the list to the right of in holds constants alone.", "join comparisons by or."
            )
    kind = scope.common_kind([left, *entries], "text")
    cells, listed = scope.series(left, kind), [scope.series(entry, kind) for entry in entries]
    if kind == "number":
        dtype = pl.Float64 if any(one.dtype.is_float() for one in (cells, *listed)) else pl.Int64
        cells, listed = cells.cast(dtype), [one.cast(dtype) for one in listed]
    elif kind == "moment":
        cells, *listed = scope.one_zone([cells, *listed], part.position)
    inside = cells.is_in(pl.concat(listed))
    return inside if sign == "in" else ~inside


def _arithmetic(sign: str, left: Value, right: Value, scope: Scope) -> Value:
    kind, data = _calculated(sign, left, right, scope)
    return Value(kind, data, left.position, is_constant=left.is_constant and right.is_constant)


def _calculated(sign: str, left: Value, right: Value, scope: Scope) -> tuple[Kind, pl.Series]:
    kinds = {left.kind, right.kind}
    if sign in "+-" and kinds & {"date", "moment", "time", "duration"}:
        return _shifted(sign, left, right, scope)
    if sign == "-" and kinds == {"raw"}:
        kind = scope.common_kind([left, right], "number", "date", "moment", "time", "number")
        if kind != "number":
            return "duration", _difference(left, right, kind, scope)
    if sign in "*/" and "duration" in kinds:
        return _scaled(sign, left, right, scope)
    this, that = spread([scope.series(left, "number"), scope.series(right, "number")])
    return "number", _numbers(sign, this, that, scope)


def _shifted(sign: str, left: Value, right: Value, scope: Scope) -> tuple[Kind, pl.Series]:
    """Add or subtract where dates, times or durations take part."""
    left, right = (_known(value, other, scope) for value, other in ((left, right), (right, left)))
    if left.kind == right.kind == "duration":
        this, that = spread([left.data.to_physical(), right.data.to_physical()])
        return "duration", _summed(sign, this, that, _DURATIONS, scope).cast(pl.Duration("us"))
    if sign == "-" and "duration" not in (left.kind, right.kind):
        return "duration", _difference(left, right, scope.common_kind([left, right], "moment"), scope)
    if sign == "+" and left.kind == "duration":
        left, right = right, left
    moments = scope.series(left, "moment")
    when, length = spread([moments.to_physical(), scope.series(right, "duration").to_physical()])
    return "moment", _summed(sign, when, length, _MOMENTS, scope).cast(moments.dtype)


def _summed(sign: str, this: pl.Series, that: pl.Series, ends: tuple[float, float], scope: Scope) -> pl.Series:
    """Add or subtract microseconds; what lies beyond the ends is missing, and counted."""
    about = this.cast(pl.Float64) + that.cast(pl.Float64) * (1 if sign == "+" else -1)
    is_odd = ((about < ends[0]) | (about > ends[1])).fill_null(False)
    scope.counts["too_large"] += int(is_odd.sum())
    result = this + that if sign == "+" else this - that
    return result.set(is_odd, None) if is_odd.any() else result


def _known(value: Value, other: Value, scope: Scope) -> Value:
    """Decide what raw text beside a date, a time or a duration is."""
    if value.kind != "raw":
        return value
    tried: tuple[Kind, ...] = ("moment", "duration") if other.kind == "duration" else ("date", "moment", "duration")
    if other.kind == "time":
        tried = ("time", "duration")
    kind = next((kind for kind in tried if scope.reads_as(value, kind)), tried[0])
    return Value(kind, scope.series(value, kind), value.position, is_constant=value.is_constant)


def _difference(left: Value, right: Value, kind: Kind, scope: Scope) -> pl.Series:
    this, that = scope.together([left, right], kind)
    if kind == "date":
        this, that = this.cast(pl.Datetime("us")), that.cast(pl.Datetime("us"))
    length = this.to_physical() - that.to_physical()
    return (length // 1000 if kind == "time" else length).cast(pl.Duration("us"))


def _scaled(sign: str, left: Value, right: Value, scope: Scope) -> tuple[Kind, pl.Series]:
    """Multiply or divide a duration by a number, or divide it by a duration."""
    if sign == "*" and left.kind != "duration":
        left, right = right, left
    length = scope.series(left, "duration").to_physical().cast(pl.Float64)
    if sign == "/" and right.kind == "duration":
        this, that = spread([length, right.data.to_physical().cast(pl.Float64)])
        return "number", _numbers("/", this, that, scope)
    this, that = spread([length, scope.series(right, "number").cast(pl.Float64)])
    size = _numbers(sign, this, that, scope).round(0)
    microseconds = size.cast(pl.Int64, strict=False)
    scope.counts["too_large"] += microseconds.null_count() - size.null_count()
    return "duration", microseconds.cast(pl.Duration("us"))


def _numbers(sign: str, this: pl.Series, that: pl.Series, scope: Scope) -> pl.Series:
    """Calculate; a division by zero is missing, and so is what no 64-bit number can hold; both are counted."""
    if this.dtype.is_integer() and that.dtype.is_integer() and not _fits(sign, this, that):
        this, that = this.cast(pl.Float64), that.cast(pl.Float64)
    if sign in ("/", "//", "%"):
        is_zero = (that == 0).fill_null(False)
        scope.counts["division_by_zero"] += int((is_zero & this.is_not_null()).sum())
        that = that.set(is_zero, None) if is_zero.any() else that
    result = _CALCULATED[sign](this.cast(pl.Float64) if sign == "/" else this, that)
    if result.dtype.is_float():
        is_odd = ~result.is_finite().fill_null(True)
        scope.counts["too_large"] += int(is_odd.sum())
        result = result.set(is_odd, None) if is_odd.any() else result
    return result


def _fits(sign: str, this: pl.Series, that: pl.Series) -> bool:
    """Whether no result can pass 64 bits, which would wrap round without a word."""
    ends = [[int(end) for end in (one.min(), one.max()) if isinstance(end, int)] for one in (this, that)]
    sizes = [max((abs(end) for end in both), default=0) for both in ends]
    return (sizes[0] * sizes[1] if sign == "*" else sum(sizes)) <= _MOST


_SENTENCES: dict[Issue, tuple[str, str]] = {
    "division_by_zero": ("note", Said("{mask}: {count} divisions by zero; their results are missing.")),
    "too_large": ("warning", Said("{mask}: {count} results are too large to be numbers; they are missing.")),
    "negative_duration": ("warning", Said("{mask}: {count} durations are negative: the exit is before the entry.")),
    "ambiguous_hour": (
        "note",
        Said(
            "{mask}: {count} local times happened twice, in the hour that daylight saving repeats; the earlier is "
            "taken, but for an exit the later one where the earlier would be before the entry."
        ),
    ),
    "skipped_hour": (
        "note",
        Said(
            "{mask}: {count} local times never happened, in the hour that daylight saving skips; they are taken as if "
            "the clock had not moved."
        ),
    ),
    "negative_age": ("warning", Said("{mask}: {count} ages are negative: the birth is after the day of the age.")),
    "age_today": (
        "note",
        Said("{mask}: ages are those of {day}, the day of the run; name a day by on= to repeat them."),
    ),
}


def _findings(scope: Scope) -> tuple[Finding, ...]:
    found = []
    for issue, (severity, template) in _SENTENCES.items():
        if count := scope.counts[issue]:
            values: dict[str, int | str] = {"mask": scope.mask, "count": count}
            if issue == "age_today":
                values = {"mask": scope.mask, "day": datetime.date.today().isoformat()}
            found.append(Finding(issue.upper(), severity, template, values=values))  # type: ignore[arg-type]
    return tuple(found)
