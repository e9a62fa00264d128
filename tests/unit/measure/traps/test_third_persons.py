"""Names of people that stay in a table."""

from __future__ import annotations

import polars as pl
import pytest

from celosia.measure.traps import Published
from celosia.measure.traps.third_persons import members, third_persons


def columns(frame, **options) -> dict[str, int | None]:
    return {finding.column: finding.n_rows for finding in third_persons(Published(pl.DataFrame(frame), **options))}


def test_the_manuals_lecturers_and_students():
    table = {
        "Estudiante": ["Luis", "Eduardo", "Tatiana", "Pedro", "Amparo "],
        "Profesor": ["Milena", "Milena", "Milena", "José", "José"],
        "Nota": ["4.5", "3.5", "3.8", "2.5", "5.0"],
    }
    assert columns(table) == {"Estudiante": 5, "Profesor": 5}
    assert columns(table, identifiers=["Estudiante"]) == {"Profesor": 5}
    for role in ("quasi_identifiers", "sensitive"):
        assert columns(table, identifiers=["Estudiante"], **{role: ["Profesor"]}) == {"Profesor": 5}


@pytest.mark.parametrize("separator", [" / ", " | ", " ; ", " + "])
def test_names_in_published_sets(separator):
    table = {"prof": [f"Jana Doe{separator}Richard Roe"] * 5 + ["John Doe", None]}
    assert columns(table, quasi_identifiers=["prof"]) == {"prof": 6}


def test_a_header_that_speaks_of_people_needs_fewer_known_names():
    names = ["Zsófia Nagy", "Bence Kocsis", "Levente Halász", "Réka Juhász", "Dorottya Vass", "Anna Szűcs"]
    assert columns({"lecturer": names * 3}) == {"lecturer": 18}
    assert columns({"centre": names * 3}) == {}


@pytest.mark.parametrize(
    "values",
    [
        ["flu", "cold", "asthma"],
        ["Soria", "Cádiz", "Jaén"],
        ["prof1", "prof2", "prof3"],
        ["J***", "R***"],
        ["30-39", "40-49"],
        ["Yes", "No"],
        [None, None],
        [],
        [1, 2],
    ],
)
def test_columns_without_names(values):
    assert columns({"lecturer": values}) == {}


def test_a_long_column_is_looked_at_in_part_and_counted_whole():
    names = [f"Luis {chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}" for n in range(5000)]
    assert columns({"x": [*names, *["unknown 1"] * 10]}) == {"x": 5010}


def test_members_keep_their_place():
    assert members(pl.Series(["a / b", "c", "d | e / f"])).rows() == [
        (0, "a"),
        (0, "b"),
        (1, "c"),
        (2, "d"),
        (2, "e"),
        (2, "f"),
    ]
