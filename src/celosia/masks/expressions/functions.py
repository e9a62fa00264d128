"""The functions of the expression language."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from celosia.base.errors import nearest
from celosia.masks.expressions.moments import ages, is_zone, spelt_durations, to_utc
from celosia.masks.expressions.syntax import Call, Constant
from celosia.masks.expressions.values import Kind, Scope, Value, spread

_UNITS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}
_SECOND = 1_000_000
_DIGITS = 9
_ORDERED: tuple[Kind, ...] = ("number", "date", "moment", "time", "raw")


Run = Callable[[Scope, Call, Sequence[Value], dict[str, Value]], Value]
"""What works a function out, given the scope, the call, and the values of arguments and of options."""


@dataclass(frozen=True)
class Function:
    """A function: what works it out, how many arguments it takes, and which options."""

    run: Run
    least: int = 1
    most: int | None = 1
    options: tuple[str, ...] = ()


def check_call(call: Call, refuse: Callable[..., None]) -> None:
    """Refuse a call of anything that is no function of the language, or with arguments that it does not take."""
    if call.name not in FUNCTIONS:
        refuse(call.position, f"'{call.name}' is no function.", nearest(call.name, FUNCTIONS))
    function = FUNCTIONS[call.name]
    n = len(call.arguments)
    if n < function.least or (function.most is not None and n > function.most):
        if function.least == function.most:
            allowed = str(function.least)
        else:
            allowed = f"{function.least} or more" if function.most is None else f"{function.least} to {function.most}"
        refuse(call.position, f"{call.name} takes {allowed} arguments; it has {n}.")
    for name, node in call.options:
        if name not in function.options:
            hint = nearest(name, function.options) if function.options else f"{call.name} takes no options."
            refuse(node.position, f"{call.name} has no option '{name}'.", hint)
        if name != "on" and not isinstance(node, Constant):
            refuse(node.position, f"{name} must be a constant.")
        if name == "unit" and str(node.value) not in (*_UNITS, "text"):  # type: ignore[union-attr]
            refuse(node.position, "this is no unit.", f"allowed: {', '.join(_UNITS)}, text.")
        if name == "zone" and not (isinstance(node.value, str) and is_zone(node.value)):  # type: ignore[union-attr]
            refuse(node.position, "this is no time zone.", 'write zone="Europe/Madrid".')
        if name == "over_midnight" and not isinstance(node.value, bool):  # type: ignore[union-attr]
            refuse(node.position, "over_midnight is true or false.")
    if call.name == "round" and n == 2:
        digits = call.arguments[1]
        is_whole = isinstance(digits, Constant) and type(digits.value) is int
        if not is_whole or not -_DIGITS <= digits.value <= _DIGITS:  # type: ignore[union-attr, operator]
            refuse(digits.position, f"the digits of round are a whole number from -{_DIGITS} to {_DIGITS}.")


def _made(kind: Kind, data: pl.Series, call: Call, values: Sequence[Value]) -> Value:
    return Value(kind, data, call.position, is_constant=all(value.is_constant for value in values))


def turnable(numbers: pl.Series) -> pl.Series:
    """Return numbers whose opposites can be told: the least of 64 bits has none there, and would stay as it is.

    Examples
    --------
    >>> (-turnable(pl.Series([-(2**63), 5]))).to_list()
    [9.223372036854776e+18, -5.0]
    """
    return numbers.cast(pl.Float64) if numbers.dtype.is_integer() and numbers.min() == -(2**63) else numbers


def _abs(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    kind: Kind = "duration" if values[0].kind == "duration" else "number"
    data = scope.series(values[0], kind)
    return _made(kind, (turnable(data) if kind == "number" else data).abs(), call, values)


def _round(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    """Round half away from zero, judged by the number as it is spelt: 2.675 to 2 digits is 2.68."""
    numbers = scope.series(values[0], "number")
    digits = int(values[1].data[0]) if len(values) > 1 else 0
    if numbers.dtype.is_integer() and digits >= 0:
        return _made("number", numbers, call, values[:1])
    scaled = (numbers.cast(pl.Float64).abs() * 10.0**digits).round_sig_figs(15)
    # Beyond 2 ** 52 a float has no digits behind the point, and adding a half would make it another number.
    whole = (scaled + 0.5).floor().zip_with(scaled < 2.0**52, scaled)
    size = _divided(whole, 10.0**digits) if digits >= 0 else whole * 10.0**-digits
    rounded = (-size).zip_with(numbers < 0, size)
    return _made("number", _whole(rounded) if digits <= 0 else rounded, call, values[:1])


def _divided(numbers: pl.Series, divisor: float) -> pl.Series:
    """Divide cell by cell: by a lone number Polars multiplies by its inverse, and 3 / 10 is 0.30000000000000004."""
    return numbers.cast(pl.Float64) / pl.Series([float(divisor)]).new_from_index(0, len(numbers))


def _floor(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    return _made("number", _whole(scope.series(values[0], "number").floor()), call, values)


def _ceil(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    return _made("number", _whole(scope.series(values[0], "number").ceil()), call, values)


def _whole(numbers: pl.Series) -> pl.Series:
    """Return whole numbers as such where 64 bits hold them all."""
    if numbers.dtype.is_integer() or (numbers.abs() >= 2.0**63).any():
        return numbers
    return numbers.cast(pl.Int64)


def _extreme(pick: Callable[..., pl.Expr]) -> Run:
    def run(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
        kind = scope.common_kind(values, *_ORDERED)
        frame = pl.DataFrame({str(place): one for place, one in enumerate(scope.together(values, kind))})
        is_missing = pl.any_horizontal(pl.all().is_null())
        picked = pl.when(is_missing).then(None).otherwise(pick(pl.all()))
        return _made(kind, frame.select(picked.alias("value")).to_series(), call, values)

    return run


def _coalesce(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    kind = scope.common_kind(values, "raw")
    frame = pl.DataFrame({str(place): one for place, one in enumerate(scope.together(values, kind))})
    return _made(kind, frame.select(pl.coalesce(pl.all()).alias("value")).to_series(), call, values)


def _is_missing(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    return _made("condition", values[0].data.is_null(), call, values)


def _if(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    kind = scope.common_kind(values[1:], "raw")
    condition = scope.series(values[0], "condition").fill_null(False)
    chosen, this, that = spread([condition, *scope.together(values[1:], kind)])
    frame = pl.DataFrame({"chosen": chosen, "this": this, "that": that})
    picked = pl.when(pl.col("chosen")).then(pl.col("this")).otherwise(pl.col("that"))
    return _made(kind, frame.select(picked.alias("value")).to_series(), call, values)


def _text(work: Callable[[pl.Series], pl.Series], kind: Kind) -> Run:
    def run(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
        return _made(kind, work(scope.series(values[0], "text")), call, values)

    return run


def _part(work: Callable[[pl.Series], pl.Series], *tried: Kind) -> Run:
    """Return a function of a part of a date or a time, whichever of the kinds its argument is or reads as."""

    def run(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
        value = values[0]
        kind = next((kind for kind in tried if scope.reads_as(value, kind)), tried[0])
        data = scope.by_the_clock(value) if kind == "moment" else scope.series(value, kind)
        return _made("number", work(data).cast(pl.Int64), call, values)

    return run


def _date(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    value = values[0]
    if not scope.reads_as(value, "date") and scope.reads_as(value, "moment"):
        return _made("date", scope.by_the_clock(value).dt.date(), call, values)
    return _made("date", scope.series(value, "date"), call, values)


def _datetime(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    return _made("moment", scope.series(values[0], "moment"), call, values)


def _age(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    if "on" in options:
        day = options["on"]
    else:
        day = Value("date", pl.Series([datetime.date.today()]), call.position, is_constant=True)
        scope.counts["age_today"] = 1
    births, days = spread([_date(scope, call, [one], {}).data for one in (values[0], day)])
    years = ages(births, days)
    scope.counts["negative_age"] += int((days < births).sum())
    return _made("number", years, call, [values[0], day])


def _duration(scope: Scope, call: Call, values: Sequence[Value], options: dict[str, Value]) -> Value:
    unit = str(options["unit"].data[0]) if "unit" in options else "minutes"
    zone = str(options["zone"].data[0]) if "zone" in options else None
    has_cells = any(value.data.null_count() < len(value.data) for value in values)
    is_typed = any(value.kind == "time" for value in values)
    if (has_cells or is_typed) and all(scope.reads_as(value, "time") for value in values):
        if zone is not None:
            scope.refuse(options["zone"].position, "a zone needs dates as well; these are times alone.")
        over_midnight = bool(options["over_midnight"].data[0]) if "over_midnight" in options else True
        length = _between_times(scope, values, over_midnight)
    else:
        length = _between_moments(scope, values, zone)
    scope.counts["negative_duration"] += int((length < 0).sum())
    if unit == "text":
        return _made("text", spelt_durations(length.cast(pl.Duration("us"))), call, values)
    size = _UNITS[unit] * _SECOND
    is_whole = not (length % size != 0).any()
    return _made("number", length // size if is_whole else _divided(length, size), call, values)


def _between_times(scope: Scope, values: Sequence[Value], over_midnight: bool) -> pl.Series:
    """Return microseconds from one time of the day to another, on the next day if that is earlier."""
    entry, leaving = (one.to_physical() // 1000 for one in scope.together(values, "time"))
    length = leaving - entry
    return (length + 24 * 3600 * _SECOND).zip_with(length < 0, length) if over_midnight else length


def _between_moments(scope: Scope, values: Sequence[Value], zone: str | None) -> pl.Series:
    """Return microseconds between date-times: in UTC where they have a zone, by the clock where not."""
    entry, leaving = spread([scope.series(value, "moment") for value in values])
    is_local = [one.dtype == pl.Datetime("us") for one in (entry, leaving)]
    if zone is None:
        if is_local[0] != is_local[1]:
            scope.refuse(
                values[1].position,
                "a date-time with a time zone meets one without.",
                'say which zone the other is of: zone="Europe/Madrid".',
            )
        return leaving.to_physical() - entry.to_physical()
    if is_local[0]:
        entry = _in_utc(scope, entry, zone, None)
    if is_local[1]:
        leaving = _in_utc(scope, leaving, zone, entry)
    return leaving.to_physical() - entry.to_physical()


def _in_utc(scope: Scope, moments: pl.Series, zone: str, entry: pl.Series | None) -> pl.Series:
    """Return local times in UTC: of two readings the earlier, unless that is before the entry."""
    utc, twice, never = to_utc(moments, zone, "earliest")
    scope.counts["ambiguous_hour"] += int(twice.sum())
    scope.counts["skipped_hour"] += int(never.sum())
    if entry is None:
        return utc
    too_early = (twice & (utc.to_physical() < entry.to_physical())).fill_null(False)
    if not too_early.any():
        return utc
    later, _, _ = to_utc(moments, zone, "latest")
    return later.zip_with(too_early, utc)


FUNCTIONS: dict[str, Function] = {
    "abs": Function(_abs),
    "age": Function(_age, options=("on",)),
    "ceil": Function(_ceil),
    "coalesce": Function(_coalesce, 2, None),
    "date": Function(_date),
    "datetime": Function(_datetime),
    "day": Function(_part(lambda days: days.dt.day(), "date", "moment")),
    "duration": Function(_duration, 2, 2, ("unit", "zone", "over_midnight")),
    "floor": Function(_floor),
    "hour": Function(_part(lambda times: times.dt.hour(), "time", "moment")),
    "if_": Function(_if, 3, 3),
    "is_missing": Function(_is_missing),
    "length": Function(_text(lambda texts: texts.str.len_chars().cast(pl.Int64), "number")),
    "lower": Function(_text(lambda texts: texts.str.to_lowercase(), "text")),
    "max": Function(_extreme(pl.max_horizontal), 2, None),
    "min": Function(_extreme(pl.min_horizontal), 2, None),
    "month": Function(_part(lambda days: days.dt.month(), "date", "moment")),
    "round": Function(_round, 1, 2),
    "upper": Function(_text(lambda texts: texts.str.to_uppercase(), "text")),
    "weekday": Function(_part(lambda days: days.dt.weekday(), "date", "moment")),
    "year": Function(_part(lambda days: days.dt.year(), "date", "moment")),
}
"""By name; ``weekday`` is 1 on Mondays and 7 on Sundays."""
