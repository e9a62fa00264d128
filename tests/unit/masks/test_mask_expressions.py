"""The expression language against plain Python, row by row, with None for a missing cell."""

from __future__ import annotations

import datetime
import math
from decimal import ROUND_HALF_UP, Decimal
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import CelosiaError, ColumnNotFoundError, InputError, OptionError
from celosia.masks.base import sheet_of
from celosia.masks.expressions import Expression


def worked_out(text, decimal=".", **columns):
    return Expression(text).evaluate(sheet_of(pl.DataFrame(columns), decimal=decimal))


def cells(text, decimal=".", **columns):
    return worked_out(text, decimal, **columns).values.to_list()


def codes(outcome):
    return {finding.code: finding.values.get("count") for finding in outcome.findings}


# Numbers and logic: random expressions beside their plain meaning.


def plain_and(a, b):
    return False if a is False or b is False else None if a is None or b is None else True


def plain_or(a, b):
    return True if a is True or b is True else None if a is None or b is None else False


def both(work):
    return lambda a, b: None if a is None or b is None else work(a, b)


def unless_zero(work):
    return lambda a, b: None if a is None or b is None or b == 0 else work(a, b)


ARITHMETIC = {
    "+": both(lambda a, b: a + b),
    "-": both(lambda a, b: a - b),
    "*": both(lambda a, b: a * b),
    "/": unless_zero(lambda a, b: a / b),
    "//": unless_zero(lambda a, b: math.floor(a / b)),
    "%": unless_zero(lambda a, b: a - b * math.floor(a / b)),
}
COMPARISONS = {
    "==": both(lambda a, b: a == b),
    "!=": both(lambda a, b: a != b),
    "<": both(lambda a, b: a < b),
    "<=": both(lambda a, b: a <= b),
    ">": both(lambda a, b: a > b),
    ">=": both(lambda a, b: a >= b),
}


def joined(signs):
    """A strategy that joins two (text, meaning) pairs by one of the signs."""

    def join(parts):
        (left, this), (right, that), sign = parts
        work = signs[sign]
        return f"({left} {sign} {right})", lambda row: work(this(row), that(row))

    return join


leaves = st.one_of(
    st.sampled_from(["a", "b", "`c d`"]).map(lambda name: (name, lambda row: row[name.strip("`")])),
    st.integers(0, 9).map(lambda number: (str(number), lambda row: number)),
)
numbers = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner, st.sampled_from([*ARITHMETIC])).map(joined(ARITHMETIC)),
        inner.map(lambda one: (f"-{one[0]}", lambda row: None if one[1](row) is None else -one[1](row))),
        inner.map(lambda one: (f"abs({one[0]})", lambda row: None if one[1](row) is None else abs(one[1](row)))),
        st.tuples(inner, inner).map(
            lambda two: (
                f"max({two[0][0]}, {two[1][0]})",
                lambda row: both(max)(two[0][1](row), two[1][1](row)),
            )
        ),
        st.tuples(inner, inner).map(
            lambda two: (
                f"coalesce({two[0][0]}, {two[1][0]})",
                lambda row: two[1][1](row) if two[0][1](row) is None else two[0][1](row),
            )
        ),
    ),
    max_leaves=6,
)
compared = st.tuples(numbers, numbers, st.sampled_from([*COMPARISONS])).map(joined(COMPARISONS))
conditions = st.recursive(
    st.one_of(
        compared,
        numbers.map(lambda one: (f"is_missing({one[0]})", lambda row: one[1](row) is None)),
        numbers.map(
            lambda one: (
                f"{one[0]} in [1, 2, 3.5]",
                lambda row: None if one[1](row) is None else one[1](row) in (1, 2, 3.5),
            )
        ),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, inner, st.just("and")).map(joined({"and": plain_and})),
        st.tuples(inner, inner, st.just("or")).map(joined({"or": plain_or})),
        inner.map(lambda one: (f"(not {one[0]})", lambda row: None if one[1](row) is None else not one[1](row))),
    ),
    max_leaves=5,
)
rows = st.lists(
    st.fixed_dictionaries({name: st.none() | st.integers(-5, 5) for name in ("a", "b", "c d")}), min_size=1, max_size=6
)


def frame_of(some_rows, as_text):
    columns = {name: [row[name] for row in some_rows] for name in some_rows[0]}
    typed = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Int64))
    return typed.with_columns(pl.all().cast(pl.String)) if as_text else typed


def alike(got, wanted):
    return got == wanted or (
        got is not None and wanted is not None and math.isclose(got, wanted, rel_tol=1e-12, abs_tol=1e-12)
    )


@tries(150)
@given(numbers, rows, st.booleans())
def test_numbers_are_those_of_plain_python(pair, some_rows, as_text):
    text, meaning = pair
    try:
        wanted = [meaning(row) for row in some_rows]
    except OverflowError:
        return
    got = Expression(text).evaluate(sheet_of(frame_of(some_rows, as_text)))
    # A column that nothing needs as a number stays text.
    values = got.values.cast(pl.Float64) if got.kind == "raw" else got.values
    assert all(alike(*two) for two in zip(values.to_list(), wanted, strict=True))


@tries(150)
@given(conditions, rows, st.booleans())
def test_conditions_have_three_values(pair, some_rows, as_text):
    text, meaning = pair
    # Two columns of text are equal as they are spelt; whole numbers are spelt in one way.
    sheet = sheet_of(frame_of(some_rows, as_text))
    wanted = [meaning(row) for row in some_rows]
    assert Expression(text).evaluate(sheet).values.to_list() == wanted
    assert Expression(text).holds(sheet)[0].to_list() == [value is True for value in wanted]


def test_comparisons_in_a_row():
    assert cells("1 < a <= 3", a=[1, 2, 3, 4, None]) == [False, True, True, False, None]
    assert cells("a < b > c", a=[1, 1], b=[2, 2], c=[1, 3]) == [True, False]


def test_divisions_by_zero_are_missing_and_counted():
    outcome = worked_out("a / b + a // b", a=[1, 1, None, 4], b=[0, 2, 0, None])
    assert outcome.values.to_list() == [None, 0.5, None, None]
    assert codes(outcome) == {"DIVISION_BY_ZERO": 2}
    assert codes(worked_out("a / b", a=[1], b=[2])) == {}


def test_whole_numbers_do_not_wrap_round():
    most = 2**63 - 1
    assert cells("a + a", a=[most]) == [2.0 * most]
    assert cells("a * a", a=[2**40]) == [2.0**80]
    assert cells("a - b", a=[-most], b=[most]) == [-2.0 * most]
    assert cells("a + 1", a=[most - 1]) == [most]
    outcome = worked_out("a * a", a=[1e200, 2.0])
    assert outcome.values.to_list() == [None, 4.0]
    assert codes(outcome) == {"TOO_LARGE": 1}


@given(st.decimals(-1000, 1000, places=4), st.integers(-3, 4))
def test_rounding_is_half_away_from_zero_as_the_number_is_spelt(number, digits):
    wanted = number.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    assert cells(f"round(a, {digits})", a=[float(number)]) == [float(wanted)]


def test_rounding_floor_and_ceil():
    assert cells("round(a, 2)", a=[2.675, 1.005, -2.675, None]) == [2.68, 1.01, -2.68, None]
    assert cells("round(a)", a=[2.5, -2.5, 3.49]) == [3, -3, 3]
    assert cells("round(a, -2)", a=[149, 150, -150]) == [100, 200, -200]
    assert cells("round(a)", a=["7", "8"]) == [7, 8]
    assert cells("floor(a) + ceil(b)", a=[1.9, -1.1], b=[1.1, -1.9]) == [3, -3]
    assert worked_out("floor(a)", a=[1.9]).values.dtype == pl.Int64
    assert cells("floor(a)", a=[1e300]) == [1e300]


# Text columns are typed by what is needed.


def test_numbers_by_the_decimal_mark_of_the_sheet():
    assert cells("a * 2", decimal=",", a=["1,5", "2", None]) == [3.0, 4.0, None]
    assert cells("a * 2", a=["1.5", "2", None]) == [3.0, 4.0, None]


def test_text_is_compared_as_it_is_spelt():
    assert cells('zip == "01001"', zip=["01001", "1001", None]) == [True, False, None]
    assert cells("zip == 1001", zip=["01001", "1001", None]) == [True, True, None]
    assert cells('zip in ["01001", "x"]', zip=["01001", "1001", None]) == [True, False, None]
    assert cells('zip not in ["01001"]', zip=["01001", "1001", None]) == [False, True, None]
    assert cells("a == b", a=["5", "5"], b=["5", "5.0"]) == [True, False]
    assert cells('town < "M"', town=["Ávila", "Lugo", "Soria"]) == [False, True, False]


def test_columns_by_any_name():
    assert cells("`fecha de alta` + 1", **{"fecha de alta": [1]}) == [2]
    assert cells("año + `and`", **{"año": [1], "and": [2]}) == [3]
    assert Expression("b + a + `x y` + b").columns == ("b", "a", "x y")
    assert cells('`min` + min(`min`, 3) + length("min")', min=[5]) == [11]


def test_texts_and_their_quotes():
    assert cells("""name == 'O''Brien' or name == "a""b" """, name=["O'Brien", 'a"b', "x"]) == [True, True, False]
    # The same letters, composed or not.
    assert cells('name == "Jose\u0301"', name=["José"]) == [True]


def test_functions_of_text():
    assert cells("length(t)", t=["año", None]) == [3, None]
    assert cells("lower(t)", t=["ÁB"]) == ["áb"]
    assert cells("upper(t)", t=["áb"]) == ["ÁB"]
    assert cells('if_(upper(t) == "SI", "yes", "no")', t=["si", "no", None]) == ["yes", "no", "no"]
    assert cells('coalesce(t, "none")', t=["x", None]) == ["x", "none"]
    assert cells("if_(c, a, 0)", c=[True, False, None], a=["1", "2", "3"]) == [1, 0, 0]


DAYS = ["2026-01-31", "31/01/2026", "31-1-2026", "31.01.2026", "2026/1/31"]


@pytest.mark.parametrize("day", DAYS)
def test_dates_are_read(day):
    assert cells("date(d)", d=[day, None]) == [datetime.date(2026, 1, 31), None]
    assert cells('d == date("2026-01-31")', d=[day]) == [True]
    assert cells("year(d) * 10000 + month(d) * 100 + day(d)", d=[day]) == [20260131]
    assert cells("weekday(d)", d=[day]) == [6]
    assert cells("datetime(d)", d=[day]) == [datetime.datetime(2026, 1, 31)]


@pytest.mark.parametrize("day", DAYS)
@pytest.mark.parametrize("time", ["8:05", "08:05", "08:05:00", "8:05:00.0"])
@pytest.mark.parametrize("mark", [" ", "T", "  "])
def test_date_times_are_read(day, time, mark):
    assert cells("datetime(m)", m=[f"{day}{mark}{time}"]) == [datetime.datetime(2026, 1, 31, 8, 5)]


def test_date_times_with_an_offset_are_in_utc():
    utc = datetime.datetime(2026, 1, 31, 7, 0, tzinfo=datetime.UTC)
    assert (
        cells("datetime(m)", m=["2026-01-31T08:00+01:00", "2026-01-31 07:00Z", "2026-01-31T02:00:00-0500"]) == [utc] * 3
    )
    with pytest.raises(InputError, match="1 of its 2 cells"):
        cells("datetime(m)", m=["2026-01-31T08:00+01:00", "2026-01-31T08:00"])


@pytest.mark.parametrize(
    "cell", ["31/02/2026", "31/01/26", "01/31/2026", "no date", "2026-01-31 25:00", "2026-01-31 8", "2026-01-31x"]
)
def test_what_is_no_date_is_counted(cell):
    with pytest.raises(
        InputError, match=r"'m' must hold date-times, but 1 of its 2 cells do not read as such"
    ) as caught:
        cells("datetime(m)", m=["2026-01-31", cell])
    assert cell not in str(caught.value)


@pytest.mark.parametrize("cell", ["24:00", "8:60", "8:5", "08:00:60", "8", "x"])
def test_what_is_no_time_is_no_time(cell):
    with pytest.raises(InputError, match="1 of its 2 cells"):
        cells("hour(t)", t=["08:00", cell])


def test_ordering_reads_dates_and_times_or_says_that_it_cannot():
    assert cells('d < "2026-02-01"', d=["31/01/2026", "01/02/2026", None]) == [True, False, None]
    assert cells('"8:30" <= t < "10:00"', t=["08:30", "9:59", "10:00"]) == [True, True, False]
    assert cells("a < b", a=["9", "10"], b=["10", "9"]) == [True, False]
    # A cell that is no date must not turn the comparison into one of letters.
    with pytest.raises(InputError, match="1 of its 2 cells"):
        cells('d < "2026-02-01"', d=["31/01/2026", "unknown"])


def test_differences_and_sums_of_times():
    hour = datetime.timedelta(hours=1)
    assert cells("b - a", a=["08:00"], b=["10:30"]) == [2.5 * hour]
    assert cells("b - a", a=["2026-01-31"], b=["02/02/2026"]) == [48 * hour]
    assert cells("b - a", a=["2026-01-31 23:00"], b=["2026-02-01 01:00"]) == [2 * hour]
    assert cells('b - a > "2:00"', a=["08:00", "9:00"], b=["10:30", "10:00"]) == [True, False]
    assert cells('datetime(a) + "24:00"', a=["2026-01-31"]) == [datetime.datetime(2026, 2, 1)]
    assert cells("(b - a) / (b - a) + (b - a) / (-(b - a))", a=["08:00"], b=["10:30"]) == [0.0]
    assert cells("(b - a) * 2 - abs(a - b)", a=["08:00"], b=["10:30"]) == [2.5 * hour]
    assert cells("max(a, b)", a=["8:00", None], b=["10:30", "1:00"]) == [datetime.time(10, 30), None]
    assert cells("hour(m)", m=[datetime.datetime(2026, 1, 31, 8)]) == [8]


# Durations and ages.


def test_the_acceptance_example_of_durations():
    assert cells("duration(entry, exit)", entry=["08:00"], exit=["10:30"]) == [150]
    assert cells('duration(entry, exit, unit="text")', entry=["08:00"], exit=["10:30"]) == ["2:30"]


times = st.times().map(lambda time: time.replace(microsecond=0))


@given(st.lists(st.tuples(st.none() | times, st.none() | times), min_size=1, max_size=5), st.booleans(), st.booleans())
def test_durations_of_times_go_over_midnight(pairs, over_midnight, as_text):
    def plain(entry, leaving):
        if entry is None or leaving is None:
            return None
        seconds = [time.hour * 3600 + time.minute * 60 + time.second for time in (entry, leaving)]
        length = seconds[1] - seconds[0]
        return length + 86400 if length < 0 and over_midnight else length

    columns = {"a": [a for a, _ in pairs], "b": [b for _, b in pairs]}
    frame = pl.DataFrame(columns, schema={"a": pl.Time, "b": pl.Time})
    if as_text:
        frame = frame.with_columns(pl.all().dt.to_string("%H:%M:%S"))
    wanted = [plain(*pair) for pair in pairs]
    text = f'duration(a, b, unit="seconds", over_midnight={str(over_midnight).lower()})'
    outcome = Expression(text).evaluate(sheet_of(frame))
    assert outcome.values.to_list() == wanted
    n_negative = sum(length is not None and length < 0 for length in wanted)
    assert codes(outcome) == ({"NEGATIVE_DURATION": n_negative} if n_negative else {})


def plain_utc(local, zone, not_before=None):
    """The instant of a local time: the earlier of two, unless it is too early; a skipped one by the clock before."""
    early, late = (local.replace(tzinfo=zone, fold=fold).astimezone(datetime.UTC) for fold in (0, 1))
    is_twice = early < late
    return late if is_twice and not_before is not None and early < not_before else early


near_changes = st.one_of(
    st.datetimes(datetime.datetime(2026, 3, 28, 20), datetime.datetime(2026, 3, 29, 6)),
    st.datetimes(datetime.datetime(2026, 10, 24, 20), datetime.datetime(2026, 10, 25, 6)),
    st.datetimes(datetime.datetime(2026, 3, 29, 1), datetime.datetime(2026, 3, 29, 3, 30)),
    st.datetimes(datetime.datetime(2026, 10, 25, 1), datetime.datetime(2026, 10, 25, 3, 30)),
).map(lambda moment: moment.replace(second=0, microsecond=0))


@tries(200)
@given(near_changes, near_changes, st.sampled_from(["Europe/Madrid", "Atlantic/Canary", "UTC"]), st.booleans())
def test_durations_in_a_zone_are_taken_in_utc(entry, leaving, zone, as_text):
    start = plain_utc(entry, ZoneInfo(zone))
    wanted = (plain_utc(leaving, ZoneInfo(zone), start) - start) // datetime.timedelta(minutes=1)
    spelt = [moment.isoformat(" ", "minutes") if as_text else moment for moment in (entry, leaving)]
    outcome = worked_out(f'duration(entry, exit, zone="{zone}")', entry=[spelt[0]], exit=[spelt[1]])
    assert outcome.values.to_list() == [wanted]
    assert codes(outcome).get("NEGATIVE_DURATION", 0) == (wanted < 0)


def test_nights_on_which_the_clock_moves():
    def night(entry, leaving):
        return worked_out('duration(entry, exit, zone="Europe/Madrid")', entry=[entry], exit=[leaving])

    assert night("2026-03-28 23:00", "2026-03-29 07:00").values.to_list() == [7 * 60]
    assert night("2026-10-24 23:00", "2026-10-25 07:00").values.to_list() == [9 * 60]
    # By the clock alone, without a zone, both are eight hours.
    assert cells("duration(a, b)", a=["2026-03-28 23:00"], b=["2026-03-29 07:00"]) == [8 * 60]
    twice = night("2026-10-25 02:50", "2026-10-25 02:10")
    assert twice.values.to_list() == [20]
    assert codes(twice) == {"AMBIGUOUS_HOUR": 2}
    skipped = night("2026-03-29 01:30", "2026-03-29 02:30")
    assert skipped.values.to_list() == [60]
    assert codes(skipped) == {"SKIPPED_HOUR": 1}
    assert codes(night("2026-01-01 01:00", "2026-01-01 02:00")) == {}


def test_negative_durations_are_kept_and_told():
    outcome = worked_out("duration(a, b)", a=["2026-01-02 08:00", "2026-01-01 08:00"], b=["2026-01-01 08:00"] * 2)
    assert outcome.values.to_list() == [-1440, 0]
    assert codes(outcome) == {"NEGATIVE_DURATION": 1}
    assert outcome.findings[0].severity == "warning"


def test_units_of_durations():
    columns = {"a": ["2026-01-01 08:00", None], "b": ["2026-01-02 20:00", None]}
    for unit, wanted in {"seconds": 129600, "minutes": 2160, "hours": 36, "days": 1.5, "text": "36:00"}.items():
        assert cells(f'duration(a, b, unit="{unit}")', **columns) == [wanted, None]
    assert cells('duration(a, b, unit="text")', a=["8:00", "8:00"], b=["8:30", "8:00:05"]) == ["0:30:00", "0:00:05"]
    assert cells('duration(b, a, unit="text", over_midnight=false)', a=["8:00"], b=["8:30"]) == ["-0:30"]


def test_dates_with_and_without_a_zone():
    aware = pl.Series("a", [datetime.datetime(2026, 1, 1, 7)]).dt.replace_time_zone("UTC")
    frame = pl.DataFrame([aware]).with_columns(b=pl.lit("2026-01-01 09:00"))
    assert Expression('duration(a, b, zone="Europe/Madrid")').evaluate(sheet_of(frame)).values.to_list() == [60]
    with pytest.raises(OptionError, match="position 13: a date-time with a time zone meets one without"):
        Expression("duration(a, b)").evaluate(sheet_of(frame))
    with pytest.raises(OptionError, match="with a time zone meets one without"):
        Expression("a < datetime(b)").evaluate(sheet_of(frame))
    with pytest.raises(OptionError, match="a zone needs dates"):
        cells('duration(a, b, zone="Europe/Madrid")', a=["08:00"], b=["09:00"])


def plain_age(birth, day):
    years = 0
    while True:
        try:
            birthday = birth.replace(year=birth.year + years + 1)
        except ValueError:
            birthday = datetime.date(birth.year + years + 1, 3, 1)
        if birthday > day:
            return years
        years += 1


@given(
    st.dates(datetime.date(1900, 1, 1), datetime.date(2000, 1, 1)),
    st.dates(datetime.date(2000, 1, 2), datetime.date(2030, 1, 1)),
)
def test_ages_count_birthdays(birth, day):
    assert cells(f'age(birth, on="{day}")', birth=[birth.isoformat()]) == [plain_age(birth, day)]
    assert cells("age(birth, on=day)", birth=[birth], day=[day]) == [plain_age(birth, day)]


def test_ages_at_the_edges():
    assert cells('age(b, on="2022-02-28")', b=["29/02/2004"]) == [17]
    assert cells('age(b, on="2022-03-01")', b=["29/02/2004", None]) == [18, None]
    early = worked_out('age(b, on="2000-01-01")', b=["2001-06-01", "1999-01-01"])
    assert codes(early) == {"NEGATIVE_AGE": 1}
    today = worked_out("age(b)", b=[datetime.date.today().isoformat()])
    assert (today.values.to_list(), [finding.code for finding in today.findings]) == ([0], ["AGE_TODAY"])


# What is refused.

REFUSED = {
    "a.b": 2,
    "a.__class__": 2,
    "__class__": 1,
    "__import__('os')": 1,
    "open('x')": 1,
    "eval('1')": 1,
    "lambda x: x": 9,
    "[a for a in b]": 1,
    "a[0]": 2,
    "f'{a}'": 2,
    "a ** 9": 3,
    "9 ** 9 ** 9": 3,
    "a = 1": 3,
    "a := 1": 3,
    "a if b else 1": 3,
    "a is None": 3,
    "{'a': 1}": 1,
    "(a, b)": 3,
    "a; b": 2,
    "a \\ b": 3,
    "a @ b": 3,
    "~a": 1,
    "a << 70": 4,
    "a | b": 3,
    "1_000": 1,
    "1.": 1,
    "1abc": 1,
    "0x10": 1,
    "1e999": 1,
    "9" * 20: 1,
    "(a": 3,
    "a)": 2,
    "a b": 3,
    "a +": 4,
    "'a": 1,
    "`a": 1,
    "a in 5": 6,
    "a in []": 6,
    "a in [b": 8,
    "not": 4,
    "import os": 1,
    "min(a)": 1,
    "abs(a, b)": 1,
    "abs(a, key=1)": 12,
    "duration(a, b, unit='weeks')": 21,
    "duration(a, b, unit=c)": 21,
    "duration(a, b, zone='Mars/Base')": 21,
    "duration(a, b, zone='')": 21,
    "duration(a, b, over_midnight=1)": 30,
    "duration(unit='text', a)": 23,
    "age(a, on=b, on=c)": 14,
    "round(a, 99)": 10,
    "round(a, b)": 10,
    "a(b)": 1,
    "min": None,
    "a\0b": 2,
}


@pytest.mark.parametrize(("text", "position"), REFUSED.items())
def test_what_is_not_on_the_list_is_refused_with_its_position(text, position):
    if position is None:
        with pytest.raises(ColumnNotFoundError):
            cells(text, a=[1])
        return
    with pytest.raises(OptionError, match=f"position {position}:"):
        Expression(text)


@pytest.mark.parametrize("text", [None, 5, "", "  ", b"a", ["a"]])
def test_an_expression_is_a_text(text):
    with pytest.raises(OptionError, match="must be an expression"):
        Expression(text)


def test_limits_of_length_and_depth():
    assert cells("+".join(["a"] * 1000), a=[1]) == [1000]
    assert cells(" and ".join(["a > 0"] * 200), a=[1]) == [True]
    with pytest.raises(OptionError, match="2001 characters; 2000 are the most"):
        Expression("a" * 2001)
    for nested in ("(" * 900 + "a" + ")" * 900, "-" * 1500 + "a", "not " * 400 + "a", "abs(" * 300 + "a" + ")" * 300):
        with pytest.raises(OptionError, match="nested more than 30 deep"):
            Expression(nested)
    assert cells("(" * 30 + "a" + ")" * 30, a=[1]) == [1]


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("t + 1 and a", 1),
        ("lower(a)", 7),
        ("a < lower(t)", 5),
        ("not a", 5),
        ("c < c", 1),
        ("-t == lower(t)", None),
        ("c + 1", 1),
    ],
)
def test_kinds_that_do_not_go_together(text, position):
    with pytest.raises((OptionError, InputError)) as caught:
        cells(text, a=[1], t=["x"], c=[True])
    assert (
        position is None or f"position {position}:" in str(caught.value) or "'t' must hold numbers" in str(caught.value)
    )


def test_unknown_columns_have_a_nearest_name():
    with pytest.raises(ColumnNotFoundError, match="did you mean 'entry'"):
        cells("duration(entri, exit)", entry=["8:00"], exit=["9:00"])


def test_a_condition_is_needed_where_rows_are_chosen():
    with pytest.raises(OptionError, match="no condition"):
        Expression("a + 1", "drop_rows", "where").holds(sheet_of(pl.DataFrame({"a": [1]})))


CANARY = "CANARY"


@pytest.mark.parametrize(
    "text",
    [
        f"'{CANARY}",
        f"a '{CANARY}'",
        f"a == '{CANARY}' '{CANARY}'",
        f"a + '{CANARY}'",
        f"date('{CANARY}')",
        f"duration(a, b, unit='{CANARY}')",
        f"duration(a, b, zone='{CANARY}')",
        f"n < '{CANARY}'",
        "a + 1",
        "year(a)",
        "hour(a)",
        "duration(a, b)",
        "age(a)",
        "n + a",
        "a and n == 1",
        "a < date('2020-01-01')",
    ],
)
def test_no_message_holds_a_cell_or_a_constant(text):
    frame = pl.DataFrame({"a": [CANARY, "1"], "b": [CANARY, "08:00"], "n": [1, 2]})
    with pytest.raises(CelosiaError) as caught:
        Expression(text).evaluate(sheet_of(frame))
    error = caught.value
    while error is not None:
        assert CANARY not in str(error)
        error = error.__cause__


def test_constants_alone_fill_the_column_and_empty_sheets_stay_empty():
    assert cells("1 + 1", a=[1, 2]) == [2, 2]
    empty = {"a": pl.Series([], dtype=pl.String), "b": pl.Series([], dtype=pl.String)}
    for text in ("a + 1", "duration(a, b)", "a == 'x'", "1 + 1", "age(a)", "if_(a > 1, a, b)", "max(a, b)", "a in [1]"):
        assert cells(text, **empty) == []
    missing = {"a": [None, None], "b": [None, None]}
    for text in (
        "a + 1",
        "duration(a, b)",
        'duration(a, b, zone="Europe/Madrid")',
        "age(a, on=b)",
        "max(a, b)",
        "a - b",
    ):
        assert cells(text, **missing) == [None, None]


def test_every_type_of_column():
    day = datetime.datetime(2026, 1, 31, 8)
    typed = {"date": [day.date()], "time": [day.time()], "moment": [day], "length": [datetime.timedelta(hours=1)]}
    assert cells('date == date("31/01/2026") and moment > date and time == hour_of', **typed, hour_of=["08:00"]) == [
        True
    ]
    assert cells('length < "1:30" and moment - length < moment', **typed) == [True]
    assert cells("date(moment)", **typed) == [day.date()]
    small = pl.Series("n", [200], dtype=pl.UInt8)
    assert cells("n + n", n=small) == [400]
    assert cells("c == true and not (c != True)", c=[True, False, None]) == [True, False, None]


PIECES = [
    "a",
    "t",
    "d",
    "c",
    "n",
    "`a`",
    "1",
    "0",
    "2.5",
    "'x'",
    "'08:00'",
    "'2026-01-31'",
    "true",
    "(",
    ")",
    "[",
    "]",
    ",",
    "=",
]
PIECES += [
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "<",
    "==",
    "in",
    "not",
    "and",
    "or",
    "unit=",
    "duration(",
    "age(",
    "if_(",
    "max(",
]
PIECES += ["round(", "date(", "hour(", "coalesce(", "length(", "is_missing(", "**", ".", "lambda", "\u0660", "é"]


@tries(400)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map(" ".join), st.booleans())
def test_whatever_is_written_gives_a_column_or_an_error_of_the_house(text, has_rows):
    frame = pl.DataFrame(
        {"a": [1, None], "t": ["08:00", None], "d": ["31/01/2026", "x"], "c": [True, None], "n": ["1,5", None]}
    )
    frame = frame if has_rows else frame.head(0)
    try:
        outcome = Expression(text).evaluate(sheet_of(frame))
    except InputError:
        return
    assert len(outcome.values) == frame.height


@tries(200)
@given(st.text(max_size=30))
def test_any_text_at_all(text):
    try:
        outcome = Expression(text).evaluate(sheet_of(pl.DataFrame({"a": [1]})))
    except InputError:
        return
    assert len(outcome.values) == 1


# Ends of the 64 bits, of the calendar and of the clocks.


def test_the_least_whole_number_has_its_opposite():
    column = [-(2**63), -5, None]
    assert cells("-x", x=column) == [2.0**63, 5.0, None]
    assert cells("abs(x)", x=column) == [2.0**63, 5.0, None]
    assert cells("-x", x=[-5, 2**63 - 1]) == [5, -(2**63 - 1)]


@pytest.mark.parametrize(
    ("text", "n_left"), [("x + x", 0), ("x - -x", 0), ("x * 10", 0), ("day + x", 0), ("day - x", 0), ("x - x", 2)]
)
def test_durations_that_no_clock_holds_are_missing_and_counted(text, n_left):
    long = pl.Series([datetime.timedelta(days=90_000_000), datetime.timedelta(days=80_000_000), None])
    outcome = worked_out(text, x=long, day=pl.Series([datetime.date(2026, 1, 31)] * 3))
    assert 3 - outcome.values.null_count() == n_left
    assert codes(outcome) == ({} if n_left else {"TOO_LARGE": 2})


def test_the_years_1_to_9999_are_all_there_are():
    days = [datetime.date(9999, 12, 31), datetime.date(1, 1, 1)]
    outcome = worked_out('x + "24:00"', x=days)
    assert outcome.values.to_list() == [None, datetime.datetime(1, 1, 2)]
    assert codes(outcome) == {"TOO_LARGE": 1}
    for text in ("0000-01-01", "1/1/0000", "2026-01-01T08:00+25:00", "2026-01-01T08:00+01:60"):
        with pytest.raises(InputError):
            cells("datetime(x)", x=[text])


CLOCKS = ["2026-07-01T00:30+02:00", "2026-07-01T23:30-05:00", None]


def test_parts_of_date_times_with_an_offset_are_those_of_their_clock():
    assert cells("hour(x)", x=CLOCKS) == [0, 23, None]
    assert cells("day(x)", x=CLOCKS) == [1, 1, None]
    assert cells("date(x)", x=CLOCKS) == [datetime.date(2026, 7, 1)] * 2 + [None]
    assert cells('age(x, on="2027-07-01")', x=CLOCKS) == [1, 1, None]
    assert cells("duration(x, y)", x=CLOCKS[:1], y=CLOCKS[1:2]) == [30 * 60]


def test_parts_of_date_times_with_a_zone_are_those_of_its_clocks():
    night = datetime.datetime(2026, 7, 1, 0, 30)
    madrid = pl.Series([night]).dt.replace_time_zone("Europe/Madrid")
    bogota = madrid.dt.convert_time_zone("America/Bogota")
    assert cells("hour(x)", x=madrid) == [0]
    assert cells("weekday(x)", x=madrid) == [3]
    assert cells("date(x)", x=bogota) == [datetime.date(2026, 6, 30)]
    assert cells("x == y", x=madrid, y=bogota) == [True]
    assert cells("max(x, y) - x", x=madrid, y=bogota) == [datetime.timedelta(0)]
    assert cells('x in ["2026-06-30T22:30Z"]', x=madrid) == [True]
    assert worked_out("x", x=madrid).values.dtype == pl.Datetime("us", "Europe/Madrid")
    assert cells("duration(x, y, zone='Europe/Madrid')", x=bogota, y=[night]) == [0]
