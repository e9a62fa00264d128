"""Rare values and rare pairs: against a plain count of people, with a planted and a clean table for each."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.measure.traps.base import Published, Values
from celosia.measure.traps.rare_pairs import rare_pairs
from celosia.measure.traps.rare_values import rare_values

CELLS = st.sampled_from(["a", "b", "c", "d", " a", "", None, "*", "***"])


def told(value: str | None) -> str | None:
    """What a cell tells, if anything."""
    text = (value or "").strip()
    return None if text.strip("*") == "" else text


def people(
    rows: list[dict[str, Any]], columns: tuple[str, ...], subject: str | None
) -> dict[tuple[str, ...], set[Any]]:
    """Who holds each combination of told values."""
    held = defaultdict(set)
    for number, row in enumerate(rows):
        key = tuple(told(row[column]) for column in columns)
        if None not in key:
            held[key].add(number if subject is None else row[subject])
    return held


@st.composite
def tables(draw) -> tuple[list[dict[str, Any]], str | None, int]:
    n_rows = draw(st.integers(1, 30))
    row = st.fixed_dictionaries(
        {"one": CELLS, "two": CELLS, "three": CELLS, "who": st.one_of(st.none(), st.integers(0, 6).map(str))}
    )
    rows = draw(st.lists(row, min_size=n_rows, max_size=n_rows))
    return rows, draw(st.sampled_from([None, "who"])), draw(st.integers(2, 5))


def frame_of(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"one": pl.String, "two": pl.String, "three": pl.String, "who": pl.String})


@given(tables())
@tries(150)
def test_rare_values_are_those_of_too_few_people(case):
    rows, subject, k = case
    frame = frame_of(rows) if subject else frame_of(rows).drop("who")
    found = rare_values(Published(frame, ("one",), ("three",), subject=subject, k=k))
    expected = {}
    for column in ("one", "two", "three"):
        rare = {key for key, held in people(rows, (column,), subject).items() if len(held) < k}
        if rare:
            expected[column] = (len(rare), sum((told(row[column]),) in rare for row in rows))
    assert {one.column: (one.values["n_values"], one.n_rows) for one in found} == expected
    assert all(one.severity == ("note" if one.column == "three" else "warning") for one in found)


@given(tables())
@tries(150)
def test_rare_pairs_are_common_apart_and_rare_together(case):
    rows, subject, k = case
    frame = frame_of(rows) if subject else frame_of(rows).drop("who")
    found = rare_pairs(Published(frame, ("one", "two"), subject=subject, k=k))
    concerned, pairs = set(), []
    for pair in combinations(("one", "two", "three"), 2):
        if pair == ("one", "two"):
            continue
        common = [{key for key, held in people(rows, (column,), subject).items() if len(held) >= k} for column in pair]
        rare = {
            key
            for key, held in people(rows, pair, subject).items()
            if len(held) < k and (key[0],) in common[0] and (key[1],) in common[1]
        }
        if rare:
            pairs.append(pair)
            concerned |= {n for n, row in enumerate(rows) if tuple(told(row[column]) for column in pair) in rare}
    assert [(one.values["n_pairs"], one.n_rows) for one in found] == ([(len(pairs), len(concerned))] if pairs else [])


def test_a_value_of_two_rows_of_one_person_is_rare():
    frame = pl.DataFrame({"who": ["a", "a", "b", "c"], "job": ["pope", "pope", "nurse", "nurse"]})
    assert rare_values(Published(frame.drop("who"), k=2)) == []
    (found,) = rare_values(Published(frame, subject="who", k=2))
    assert (found.code, found.column, found.n_rows) == ("RARE_VALUES", "job", 2)
    assert "pope" not in found.message


@pytest.mark.parametrize("n_values", [20, 300])
def test_the_values_of_a_secret_amount_are_rare_by_nature(n_values):
    pay = np.random.default_rng(1).permutation(np.arange(n_values) * 37.5 + 900).tolist()
    frame = pl.DataFrame({"pay": pay, "as_text": [f"{one}" for one in pay]})
    assert rare_values(Published(frame, (), ("pay", "as_text"), k=3)) == []
    assert {one.severity for one in rare_values(Published(frame, k=3))} == {"warning"}


def test_a_secret_word_that_few_have_is_a_note_and_a_common_one_nothing():
    frame = pl.DataFrame({"ill": ["flu"] * 9 + ["leprosy"], "sex": [*"MF"] * 5})
    (found,) = rare_values(Published(frame, ("sex",), ("ill",), k=3))
    assert (found.severity, found.column, found.n_rows, found.values["n_values"]) == ("note", "ill", 1, 1)
    assert rare_values(Published(frame.head(9), ("sex",), ("ill",), k=3)) == []


def test_a_secret_that_others_know_is_a_quasi_identifier_first():
    frame = pl.DataFrame({"mark": ["5"] * 5 + ["10"]})
    (found,) = rare_values(Published(frame, ("mark",), ("mark",), k=3))
    assert found.severity == "warning"


def test_identifiers_people_and_untrue_columns_are_not_looked_at():
    frame = pl.DataFrame({"dni": ["1", "2"], "who": ["a", "b"], "code": ["x", "y"]})
    assert rare_values(Published(frame, identifiers=("dni",), subject="who", untrue=("code",))) == []
    assert rare_pairs(Published(frame, identifiers=("dni",), subject="who", untrue=("code",))) == []


def test_pairs_of_quasi_identifiers_and_pairs_with_secrets_are_left_to_others():
    frame = pl.DataFrame({"sex": [*"MMMFFFF"], "shift": [*"dddnnnd"]})
    assert rare_pairs(Published(frame, ("sex", "shift"), k=2)) == []
    assert rare_pairs(Published(frame, ("sex",), ("shift",), k=2)) == []
    (found,) = rare_pairs(Published(frame, ("sex",), k=2))
    assert (found.code, found.severity, found.n_rows) == ("RARE_PAIRS", "note", 1)
    assert found.values["columns"] == "sex, shift"


def test_an_empty_table_and_a_table_of_nothing_have_no_findings():
    for frame in (pl.DataFrame({"a": pl.Series([], dtype=pl.String)}), pl.DataFrame({"a": [None, None]})):
        assert rare_values(Published(frame)) == rare_pairs(Published(frame)) == []


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(["b ", " b", "a", None, "", " ", "b"]),
        pl.Series([1.0, None, float("nan"), 0.0, -0.0, 5.5, 1.0]),
        pl.Series([3, 1, 3, None], dtype=pl.UInt8),
        pl.Series([True, None, False]),
        pl.Series(["x", "y", "x", None]).cast(pl.Categorical),
        pl.Series([], dtype=pl.String),
        pl.Series([None, None]),
    ],
    ids=lambda column: str(column.dtype),
)
def test_values_are_counted_as_a_plain_dict_would(column):
    plain: dict[str, int] = {}
    for cell in column.to_list():
        text = None if cell is None or cell != cell else str(cell + 0 if isinstance(cell, float) else cell)
        text = {"True": "true", "False": "false"}.get(text, text)
        text = text and text.removesuffix(".0").strip()
        if text:
            plain[text] = plain.get(text, 0) + 1
    values = Values.of(column)
    assert dict(zip(values.texts.to_list(), values.counts.tolist(), strict=True)) == plain
    assert list(values.texts) == list(plain)
    assert np.bincount(values.codes[values.codes >= 0], minlength=len(plain)).tolist() == list(plain.values())
