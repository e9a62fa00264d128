from __future__ import annotations

import polars as pl
import pytest

from celosia.base.errors import ColumnNotFoundError, OptionError
from celosia.data.hierarchies import Category, Dates, Intervals, Number, Tree
from celosia.data.masked import Change
from celosia.data.schema.roles import Role
from celosia.masks.base import Mask, sheet_of
from celosia.masks.derive import Derive

VISITS = pl.DataFrame({"entry": ["08:00", "22:30", None], "exit": ["10:30", "01:00", "09:00"], "ward": ["a", "b", "c"]})


def test_the_acceptance_example():
    one = VISITS.head(1)
    assert Derive("minutes", "duration(entry, exit)").apply(one)["minutes"].to_list() == [150]
    assert Derive("stay", "duration(entry, exit, unit='text')").apply(one)["stay"].to_list() == ["2:30"]


def test_the_new_column_stands_at_the_end_and_sources_stay():
    made = Derive("minutes", "duration(entry, exit)").apply(VISITS)
    assert made.columns == ["entry", "exit", "ward", "minutes"]
    assert made["minutes"].to_list() == [150, 150, None]
    assert made.drop("minutes").equals(VISITS)


def test_sources_can_be_dropped():
    sheet = Derive("minutes", "duration(entry, exit)", drop=True).mask(sheet_of(VISITS))
    assert sheet.frame.columns == ["ward", "minutes"]
    assert sheet.changes == (
        Change("minutes", "made", Number(), Role.QUASI_IDENTIFIER, ("entry", "exit")),
        Change("entry", "removed"),
        Change("exit", "removed"),
    )


@pytest.mark.parametrize(
    ("options", "role", "kind"),
    [
        ({}, Role.QUASI_IDENTIFIER, Number()),
        ({"kind": "number"}, Role.QUASI_IDENTIFIER, Number()),
        ({"kind": "category"}, Role.QUASI_IDENTIFIER, Category()),
        ({"kind": {"intervals": {"width": 5}}}, Role.QUASI_IDENTIFIER, Intervals(width=5)),
        ({"kind": Intervals(width=5)}, Role.QUASI_IDENTIFIER, Intervals(width=5)),
        ({"role": "sensible"}, Role.SENSITIVE, None),
        ({"role": "insensitive"}, Role.INSENSITIVE, None),
        ({"role": "identificador"}, Role.IDENTIFIER, None),
        ({"role": "cuasi-identificador"}, Role.QUASI_IDENTIFIER, Number()),
    ],
)
def test_role_and_kind(options, role, kind):
    (change,) = Derive("m", "duration(entry, exit)", **options).mask(sheet_of(VISITS)).changes
    assert (change.verb, change.role, change.kind) == ("made", role, kind)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [("upper(ward)", Category()), ("ward", Category()), ("ward == 'a'", Category()), ("date('2026-01-31')", Dates())],
)
def test_the_kind_follows_from_what_comes_out(expression, kind):
    mask = Derive("new", f"if_(is_missing(ward), {expression}, {expression})")
    assert mask.mask(sheet_of(VISITS)).changes[0].kind == kind


@pytest.mark.parametrize(
    "mask",
    [
        Derive("m", "duration(entry, exit)"),
        Derive("m", "duration(entry, exit)", role="sensible", drop=True),
        Derive("m", "a + 1", kind="number"),
        Derive("m", "a + 1", kind=Intervals(width=5)),
        Derive("m", "lower(a)", kind=Tree(rows=[["a", "*"], ["b", "*"]])),
    ],
)
def test_a_plan_file_gives_it_back(mask):
    assert isinstance(mask, Mask)
    again = Derive(**mask.to_dict())
    assert again == mask
    assert hash(again) == hash(mask)


def test_to_dict_leaves_defaults_out():
    assert Derive("m", "a + 1", kind="number").to_dict() == {"column": "m", "expression": "a + 1", "kind": "number"}


def test_what_it_uses():
    assert Derive("m", "duration(entry, exit)").uses == ("entry", "exit", "m")


def test_findings_name_the_new_column():
    found = Derive("m", "1 / a").mask(sheet_of(pl.DataFrame({"a": [0, 1]}))).findings
    assert [(finding.code, finding.column, finding.severity) for finding in found] == [
        ("DIVISION_BY_ZERO", "m", "note")
    ]
    late = pl.DataFrame({"a": ["2026-01-02"], "b": ["2026-01-01"]})
    (negative,) = Derive("m", "duration(a, b)").mask(sheet_of(late)).findings
    assert (negative.code, negative.severity) == ("NEGATIVE_DURATION", "warning")
    assert negative.message == "derive: 1 durations are negative: the exit is before the entry."


@pytest.mark.parametrize(
    "options",
    [
        {"column": 5, "expression": "a"},
        {"column": "", "expression": "a"},
        {"column": "m", "expression": "1 + 1"},
        {"column": "m", "expression": "a +"},
        {"column": "m", "expression": None},
        {"column": "m", "expression": "a", "role": "nonsense"},
        {"column": "m", "expression": "a", "role": 5},
        {"column": "m", "expression": "a", "kind": "nonsense"},
        {"column": "m", "expression": "a", "kind": 5},
        {"column": "m", "expression": "a", "kind": {"nonsense": {}}},
        {"column": "m", "expression": "a", "kind": {"intervals": {"nonsense": 1}}},
        {"column": "m", "expression": "a", "kind": {"intervals": 5}},
        {"column": "m", "expression": "a", "kind": Intervals},
        {"column": "m", "expression": "a", "kind": "number", "role": "sensitive"},
        {"column": "m", "expression": "a", "drop": "yes"},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(OptionError):
        Derive(**options)


def test_a_name_that_is_taken_and_a_source_that_is_not_there():
    with pytest.raises(OptionError, match="there is a column 'ward' already"):
        Derive("ward", "duration(entry, exit)").apply(VISITS)
    with pytest.raises(ColumnNotFoundError, match="did you mean 'entry'"):
        Derive("m", "duration(entri, exit)").apply(VISITS)


def test_it_works_on_pandas_and_arrow():
    mask = Derive("minutes", "duration(entry, exit)", drop=True)
    assert mask.apply(VISITS.head(2).to_arrow())["minutes"].to_pylist() == [150, 150]
    assert mask.apply(VISITS.head(2).to_pandas())["minutes"].tolist() == [150, 150]
