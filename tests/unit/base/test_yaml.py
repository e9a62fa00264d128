"""YAML: one reader that tells lines, one writer; what is written is read as it was."""

from __future__ import annotations

import pytest

from celosia.base.errors import OptionError, PlanError
from celosia.base.yaml import Section, in_lines, in_one_line, loaded, parsed, piece, telling

ODD = ["a", "x: y", "?0", None, 3, 1.5, True, "", [], {}, ["a", "b: c"], {"a": [1, {"b": "yes"}]}, "\u0085", "k" * 2000]


@pytest.mark.parametrize("value", ODD)
def test_what_is_written_is_read_as_it_was(value):
    assert loaded(f"x: {in_one_line(value)}\n") == {"x": value}
    for levels in (0, 1, 3):
        for width in (88, 2**30):
            assert loaded(in_lines({"x": {"y": value}}, levels, width=width, spells_null=True)) == {"x": {"y": value}}


def test_one_line_is_one_line():
    assert "\n" not in in_one_line({"a": ["b " * 200, {"c": "d\ne"}]})


def test_an_error_tells_the_line(tmp_path):
    (tmp_path / "plan.yaml").write_text("a: 1\nb: [\n")
    with pytest.raises(PlanError) as raised:
        parsed(tmp_path / "plan.yaml")
    assert raised.value.where == "plan.yaml:3"
    assert raised.value.message.startswith("this is not valid YAML: ")


def test_what_makes_ruamel_itself_stumble_is_no_yaml_either():
    with pytest.raises(PlanError, match="is not valid YAML"), telling("plan.yaml"):
        loaded("a: 2020-13-45\n")
    refused = OptionError("a mask is written otherwise.")
    with pytest.raises(OptionError, match="otherwise"):
        piece("2020-13-45", refused)


def test_what_is_told_of_an_error_is_the_callers_choice():
    with pytest.raises(PlanError, match="it cannot be parsed") as raised, telling("p", told=lambda problem: ""):
        loaded("a: [")
    assert raised.value.hint == "check indentation and colons."


def test_a_value_of_another_kind_is_refused_with_its_line():
    section = Section(loaded("graph:\n  directed: 3\n"), "plan.yaml").section("graph")
    assert section.typed("weight", str, "a text") is None
    with pytest.raises(PlanError) as raised:
        section.typed("directed", bool, "true or false", of="graph")
    assert str(raised.value) == "'directed' of 'graph' must be true or false. (plan.yaml:2)"
