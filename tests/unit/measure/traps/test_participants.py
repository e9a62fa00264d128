"""Participants: whoever is in a class of two learns the other's row (A18, T-M13)."""

from __future__ import annotations

from collections import defaultdict

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from celosia.measure.traps.base import Published
from celosia.measure.traps.participants import participants

MARKS = pl.DataFrame(
    {"lecturer": ["Milena"] * 3 + ["José", "José "], "mark": [4.5, 3.5, 3.8, 2.5, 5.0]}
)  # the manual, 9.1


def test_the_class_of_two_of_the_manual():
    (found,) = participants(Published(MARKS, ("lecturer",), ("mark",)))
    assert (found.code, found.severity, found.n_rows) == ("PARTICIPANT_LEARNS", "warning", 2)
    assert found.values["n_classes"] == 1
    assert "José" not in found.message


def test_what_is_not_secret_is_learnt_as_well():
    (found,) = participants(Published(MARKS, ("lecturer",)))
    assert found.n_rows == 2


def test_classes_of_three_and_of_one_and_tables_that_tell_nothing_else_are_no_matter():
    assert participants(Published(MARKS.head(3), ("lecturer",), ("mark",))) == []
    assert participants(Published(MARKS.head(4), ("lecturer",), ("mark",))) == []
    assert participants(Published(MARKS.select("lecturer"), ("lecturer",))) == []
    assert participants(Published(MARKS.head(2), (), ("mark",))) == []
    assert participants(Published(MARKS, ("lecturer",), untrue=("mark",))) == []
    assert participants(Published(MARKS, ("lecturer",), identifiers=("mark",))) == []


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["x", "y", None]), st.integers(0, 5)), max_size=20))
def test_people_of_classes_are_counted_plainly(rows):
    frame = pl.DataFrame(rows, schema={"a": pl.String, "b": pl.String, "who": pl.Int64}, orient="row").with_columns(
        ill=pl.lit("flu")
    )
    held = defaultdict(list)
    for a, b, who in rows:
        held[a, b].append(who)
    pairs = [members for members in held.values() if len(set(members)) == 2]
    found = participants(Published(frame, ("a", "b"), ("ill",), subject="who"))
    expected = [(len(pairs), sum(map(len, pairs)))] if pairs else []
    assert [(one.values["n_classes"], one.n_rows) for one in found] == expected
