from __future__ import annotations

import polars as pl
import pytest

import celosia as cl
from celosia.measure.traps import Published
from celosia.measure.traps.kept_identifiers import kept_identifiers

LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
NUMBERS = [10_000_000 + 77_777 * place for place in range(40)]
NAMING = {
    "DNI": [f"{number}{LETTERS[number % 23]}" for number in NUMBERS],
    "e-mail": [f"p{number}@example.org" for number in NUMBERS],
    "telephone": [f"+34 6{number % 10**8:08d}" for number in NUMBERS],
    "IBAN": ["ES9121000418450200051332"] * 40,
}
ORDINARY = {
    "marks": [str(number % 11) for number in NUMBERS],
    "ranges": ["[30, 39]", "[40, 49]"] * 20,
    "years": [str(1990 + number % 30) for number in NUMBERS],
    "postcodes": [f"37{number % 10:03d}" for number in NUMBERS],
    "codes": [f"A-{number % 7}" for number in NUMBERS],
    "masked": [f"***{number % 100:02d}**" for number in NUMBERS],
}


@pytest.mark.parametrize("kind", NAMING)
def test_what_names_people_is_found(kind):
    table = pl.DataFrame({"x": NAMING[kind], "y": ORDINARY["marks"]})
    (found,) = kept_identifiers(Published(table))
    assert (found.code, found.severity, found.column, found.n_rows) == ("IDENTIFIER_KEPT", "warning", "x", 40)
    assert not any(value in found.message for value in NAMING[kind])


@pytest.mark.parametrize("kind", ORDINARY)
def test_what_does_not_is_left_alone(kind):
    assert kept_identifiers(Published(pl.DataFrame({"x": ORDINARY[kind]}))) == []


def test_rows_are_counted_by_their_form():
    table = pl.DataFrame({"x": [*NAMING["e-mail"][:3], *["none"] * 37]})
    assert [one.n_rows for one in kept_identifiers(Published(table))] == [3]


def test_identifiers_that_go_and_pseudonyms_are_no_matter():
    table = pl.DataFrame({"x": NAMING["DNI"]})
    assert kept_identifiers(Published(table, identifiers=["x"])) == []
    assert kept_identifiers(Published(table, untrue=["x"])) == []


def test_a_release_that_keeps_one_says_so():
    frame = pl.DataFrame({"age": [30, 31] * 20, "mail": NAMING["e-mail"], "dni": NAMING["DNI"]})
    schema = cl.Schema(identifiers=["dni"], quasi_identifiers={"age": "number"}, insensitive=["mail"])
    found = cl.Plan(models=[cl.KAnonymity(5)]).run(cl.Table(frame, schema)).findings
    assert [one.column for one in found if one.code == "IDENTIFIER_KEPT"] == ["mail"]


def test_numbers_and_dates_as_they_are():
    table = pl.DataFrame({"pay": [1000.5, 2000.25], "born": [None, None]}).with_columns(pl.col("born").cast(pl.Date))
    assert kept_identifiers(Published(table)) == []
