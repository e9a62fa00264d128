"""Dates, times, date-times and durations read from text; local times of a zone turned into UTC; ages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Literal

import polars as pl

_YEAR = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
"""0001 to 9999: there is no year 0."""
_DATES = (
    (rf"^{_YEAR}-[0-9]{{1,2}}-[0-9]{{1,2}}$", "%Y-%m-%d"),
    (rf"^[0-9]{{1,2}}/[0-9]{{1,2}}/{_YEAR}$", "%d/%m/%Y"),
    (rf"^[0-9]{{1,2}}-[0-9]{{1,2}}-{_YEAR}$", "%d-%m-%Y"),
    (rf"^[0-9]{{1,2}}\.[0-9]{{1,2}}\.{_YEAR}$", "%d.%m.%Y"),
    (rf"^{_YEAR}/[0-9]{{1,2}}/[0-9]{{1,2}}$", "%Y/%m/%d"),
)
"""ISO, and the day before the month as in Spain; years of four digits, so that none is guessed."""

_TIMES = (
    (r"^[0-9]{1,2}:[0-9]{2}$", "%H:%M"),
    (r"^[0-9]{1,2}:[0-9]{2}:[0-5][0-9](?:\.[0-9]{1,6})?$", "%H:%M:%S%.f"),
)
_MOMENTS = tuple(
    (day[:-1] + " +" + time[1:], f"{day_form} {time_form}") for day, day_form in _DATES for time, time_form in _TIMES
)
_OFFSET = r"^([0-9 ./:-]+:[0-9.]+) ?(Z|[+-](?:0[0-9]|1[0-9]|2[0-3]):?[0-5][0-9])$"
"""Behind a time, so that the end of 31-01-2026 is none; below a day."""
_DURATION = r"^(?<sign>-?)(?<hours>[0-9]{1,6}):(?<minutes>[0-5][0-9])(?::(?<seconds>[0-5][0-9]))?$"
_SECOND = 1_000_000
"""In microseconds, as are all numbers of durations here."""


def read_dates(texts: pl.Series) -> pl.Series:
    """Read dates such as ``2026-01-31``, ``31/01/2026``, ``31-1-2026`` or ``31.01.2026``; what is none is missing.

    Examples
    --------
    >>> [str(day) for day in read_dates(pl.Series(["2026-01-31", "31/01/2026", "31/01/26"]))]
    ['2026-01-31', '2026-01-31', 'None']
    """
    return _by_forms(texts, _DATES, lambda cells, form: cells.str.to_date(form, strict=False), pl.Date)


def read_times(texts: pl.Series) -> pl.Series:
    """Read times of the day from ``0:00`` to ``23:59:59`` such as ``8:30`` or ``08:30:15``; what is none is missing.

    Examples
    --------
    >>> [str(time) for time in read_times(pl.Series(["8:30", "08:30:15", "24:00"]))]
    ['08:30:00', '08:30:15', 'None']
    """
    return _by_forms(texts, _TIMES, lambda cells, form: cells.str.to_time(form, strict=False), pl.Time)


def _by_forms(
    texts: pl.Series,
    forms: Sequence[tuple[str, str]],
    read: Callable[[pl.Series, str], pl.Series],
    dtype: type[pl.DataType] | pl.DataType,
) -> pl.Series:
    """Read each cell by the one form whose pattern it has, the most frequent form of the first cells first."""
    result = pl.repeat(None, len(texts), dtype=dtype, eager=True).alias(texts.name)
    n_left = len(texts) - texts.null_count()
    first = texts.drop_nulls().head(100)
    for pattern, form in sorted(forms, key=lambda one: -int(first.str.contains(one[0]).sum())):
        if not n_left:
            break
        fits = texts.str.contains(pattern).fill_null(False)
        n_fitting = int(fits.sum())
        if n_fitting:
            cells = texts if n_fitting == n_left else _only(texts, fits)
            result = read(cells, form).cast(dtype).zip_with(fits, result)
        n_left -= n_fitting
    return result


def _only(values: pl.Series, is_kept: pl.Series) -> pl.Series:
    return values.zip_with(is_kept, values.clear(len(values)))


def read_moments(texts: pl.Series) -> pl.Series:
    """Read date-times such as ``2026-01-31T08:00``, ``31/1/2026 8:00:15`` or ``2026-01-31T08:00Z``.

    A date alone is its midnight. Where a cell says its offset from UTC the column comes in UTC, and cells that say none
    are missing; what is no date-time is missing as well.

    Examples
    --------
    >>> [str(moment) for moment in read_moments(pl.Series(["31/1/2026 8:00", "2026-01-31"]))]
    ['2026-01-31 08:00:00', '2026-01-31 00:00:00']
    """
    spaced = _spaced(texts)
    has_offset = bool(spaced.str.contains(_OFFSET).any())
    local = without_offsets(spaced) if has_offset else spaced
    moments = _by_forms(
        local, _MOMENTS, lambda cells, form: cells.str.to_datetime(form, strict=False), pl.Datetime("us")
    )
    if moments.null_count() > texts.null_count():
        midnights = read_dates(_only(local, moments.is_null())).cast(pl.Datetime("us"))
        moments = moments.zip_with(moments.is_not_null(), midnights)
    return _less_offset(moments, spaced.str.extract(_OFFSET, 2)) if has_offset else moments


def _spaced(texts: pl.Series) -> pl.Series:
    """Return texts with a blank for the first ``T``."""
    has_t = texts.str.contains("T", literal=True).any()
    return texts.str.replace("T", " ", literal=True) if has_t else texts


def without_offsets(texts: pl.Series) -> pl.Series:
    """Return date-times that are spelt with their offset from UTC without it: what the clock showed there.

    Examples
    --------
    >>> without_offsets(pl.Series(["2026-07-01T00:30+02:00", "2026-07-01 00:30Z"])).to_list()
    ['2026-07-01 00:30', '2026-07-01 00:30']
    """
    return _spaced(texts).str.replace(_OFFSET, "$1")


def _less_offset(moments: pl.Series, offset: pl.Series) -> pl.Series:
    digits = offset.str.replace("Z", "+0000", literal=True).str.replace(":", "", literal=True)
    frame = pl.DataFrame({"moment": moments, "digits": digits})
    sign = pl.when(pl.col("digits").str.starts_with("-")).then(-1).otherwise(1)
    hours, minutes = (pl.col("digits").str.slice(place, 2).cast(pl.Int64) for place in (1, 3))
    length = (sign * (hours * 60 + minutes) * 60 * _SECOND).cast(pl.Duration("us"))
    return frame.select((pl.col("moment") - length).dt.replace_time_zone("UTC").alias(moments.name)).to_series()


def read_durations(texts: pl.Series) -> pl.Series:
    """Read durations in hours and minutes, such as ``2:30``, ``-0:05:00`` or ``36:00``; what is none is missing.

    Examples
    --------
    >>> [str(length) for length in read_durations(pl.Series(["2:30", "36:00"]))]
    ['2:30:00', '1 day, 12:00:00']
    """
    parts = texts.str.extract_groups(_DURATION).struct
    hours, minutes = (parts.field(name).cast(pl.Int64) for name in ("hours", "minutes"))
    seconds = (hours * 60 + minutes) * 60 + parts.field("seconds").fill_null("0").cast(pl.Int64)
    sign = (parts.field("sign") == "-").replace_strict({True: -1, False: 1}, return_dtype=pl.Int64)
    return (seconds * sign * _SECOND).cast(pl.Duration("us")).alias(texts.name)


def spelt_durations(lengths: pl.Series) -> pl.Series:
    """Spell durations as ``2:30`` (hours and minutes), or all as ``2:30:15`` where one has seconds; parts of them go.

    Examples
    --------
    >>> from datetime import timedelta
    >>> spelt_durations(pl.Series([timedelta(hours=2.5), timedelta(days=1), -timedelta(minutes=5)])).to_list()
    ['2:30', '24:00', '-0:05']
    """
    seconds = lengths.cast(pl.Duration("us")).dt.total_seconds()
    size = seconds.abs()
    has_seconds = bool((size % 60 != 0).any())
    frame = pl.DataFrame({"sign": seconds < 0, "size": size})
    hours, minutes, rest = pl.col("size") // 3600, pl.col("size") // 60 % 60, pl.col("size") % 60
    parts = [hours.cast(pl.String), *(part.cast(pl.String).str.zfill(2) for part in (minutes, rest)[: 1 + has_seconds])]
    sign = pl.when(pl.col("sign")).then(pl.lit("-")).otherwise(pl.lit(""))
    return frame.select(pl.concat_str(sign, pl.concat_str(parts, separator=":")).alias(lengths.name)).to_series()


def is_zone(name: str) -> bool:
    """Whether a name is one of a time zone, such as ``Europe/Madrid``."""
    if not name:
        return False
    try:
        pl.Series([0]).cast(pl.Datetime("us")).dt.replace_time_zone(name)
    except pl.exceptions.PolarsError:
        return False
    return True


def to_utc(
    moments: pl.Series, zone: str, ambiguous: Literal["earliest", "latest"]
) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Return local times of a zone in UTC, which of them happened twice, and which never happened.

    A time that the clock skips is counted on as if the clock had not moved: 02:30 on a night that skips from 02:00 to
    03:00 is 03:30.

    Examples
    --------
    >>> from datetime import datetime
    >>> nights = pl.Series([datetime(2026, 10, 25, 2, 30), datetime(2026, 3, 29, 2, 30)])
    >>> utc, twice, never = to_utc(nights, "Europe/Madrid", "earliest")
    >>> [moment.hour for moment in utc], twice.to_list(), never.to_list()
    ([0, 1], [True, False], [False, True])
    """
    once = moments.dt.replace_time_zone(zone, ambiguous="null", non_existent="null")
    utc = once.dt.convert_time_zone("UTC")
    odd = moments.is_not_null() & once.is_null()
    if not odd.any():
        return utc, odd, odd
    places = odd.arg_true()
    local = moments.gather(places)
    chosen = local.dt.replace_time_zone(zone, ambiguous=ambiguous, non_existent="null")
    day = timedelta(days=1)
    before = (local - day).dt.replace_time_zone(zone, ambiguous="latest", non_existent="null")
    shifted = before.dt.convert_time_zone("UTC") + day
    settled = chosen.dt.convert_time_zone("UTC").zip_with(chosen.is_not_null(), shifted)
    never = odd.clone().scatter(places, chosen.is_null())
    return utc.to_physical().scatter(places, settled.to_physical()).cast(utc.dtype), odd & ~never, never


def ages(births: pl.Series, days: pl.Series) -> pl.Series:
    """Return whole years from birth to a day; who was born on 29 February has a birthday on 1 March in other years.

    years = year(day) - year(birth) - [(month, day of the month) of the day < those of the birth]

    Examples
    --------
    >>> from datetime import date
    >>> leap = pl.Series([date(2004, 2, 29)] * 3)
    >>> ages(leap, pl.Series([date(2022, 2, 28), date(2022, 3, 1), date(2024, 2, 29)])).to_list()
    [17, 18, 20]
    """
    in_year = [column.dt.month().cast(pl.Int32) * 32 + column.dt.day() for column in (births, days)]
    return (days.dt.year() - births.dt.year() - (in_year[1] < in_year[0]).cast(pl.Int32)).cast(pl.Int64)
