"""Check digits of masked numbers, against counts of all numbers that fit."""

from __future__ import annotations

from itertools import product

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.data.schema.detectors.check_digits import is_dni_or_nie, is_iban, is_nit, passes_luhn
from celosia.measure.traps import Published
from celosia.measure.traps.check_digits import check_digits, residual


def findings(values, name="id", **options):
    return check_digits(Published(pl.DataFrame({name: values}, schema={name: pl.String}), **options))


def filled(masked: str):
    """Give every number that has the visible digits."""
    places = [place for place, sign in enumerate(masked) if sign == "*"]
    for digits in product("0123456789", repeat=len(places)):
        number = list(masked)
        for place, digit in zip(places, digits, strict=True):
            number[place] = digit
        yield "".join(number)


def test_the_checked_numbers_of_the_specification():
    assert {residual(f"****123{letter}").candidates for letter in "TRWAGMYFPDXBNJZSQVHLCKE"} == {4347, 4348}
    assert {residual(f"****123{letter}").space for letter in "TRW"} == {100_000}
    assert residual("*****678Z").candidates == 4348
    left = [residual(f"***4567*{letter}").candidates for letter in "TRWAGMYFPDXBNJZSQVHLCKE"]
    assert (min(left), max(left), sum(left)) == (434, 436, 10_000)
    assert (residual("4111111*11111111").candidates, residual("4111111*11111111").space) == (1, 10)


@tries(30)
@given(
    st.lists(st.sampled_from("0123456789"), min_size=8, max_size=8),
    st.sets(st.integers(0, 7), min_size=1, max_size=3),
    st.sampled_from("TRWAGMYFPDXBNJZSQVHLCKE"),
)
def test_identity_numbers_are_counted_one_by_one(digits, hidden, letter):
    masked = "".join("*" if place in hidden else digit for place, digit in enumerate(digits)) + letter
    fitting = [number for number in filled(masked) if is_dni_or_nie(number)]
    found = residual(masked)
    assert (found.candidates, found.space) == (len(fitting), 10 ** len(hidden))


@pytest.mark.parametrize(
    ("masked", "check"),
    [
        ("X**34567L", is_dni_or_nie),
        ("4111 11** 11*1 1111", passes_luhn),
        ("ES91 21** 0418 45*2 0005 1332", is_iban),
        ("ES91 2100 0418 4502 0005 1*32", is_iban),
    ],
)
def test_other_schemes_are_counted_one_by_one(masked, check):
    fitting = [number for number in filled(masked) if check(number)]
    found = residual(masked)
    assert (found.candidates, found.space) == (len(fitting), 10 ** masked.count("*"))


def test_columns_tell_scheme_rows_and_candidates():
    (found,) = findings(["*****678Z"] * 3 + ["*****000T", None, "unknown"])
    assert (found.code, found.severity, found.n_rows) == ("MASK_CHECK_DIGIT", "warning", 4)
    assert (found.values["scheme"], found.values["candidates"], found.values["space"]) == ("DNI/NIE", 4348, 100_000)
    (found,) = findings(["4111111*11111111", "550000000000000*"], "card")
    assert found.n_rows == 2
    assert "computed" in found.message
    (found,) = findings(["8001972**4", "8903212**1"], "nit")
    assert found.values["scheme"] == "NIT"
    assert found.values["candidates"] == sum(is_nit(number) for number in filled("8001972**4"))


def test_other_signs_of_hiding():
    assert findings(["XXXXX678X", "XXXXX000T"])[0].values["candidates"] == residual("*****678X").candidates
    assert findings(["#####678Z", "•••••678Z"])[0].n_rows == 2
    assert residual("***4567*X").space == 10_000


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (["***4567**", "***1234**"], "dni"),
        (["****456", "****123"], "id"),
        (["10XXXXXXXX", "36XXXXXXXX"], "cedula"),
        (["4111 1111 1111 ****", "5500 0000 0000 ****"], "card"),
        (["8001972**4", "8903212**1"], "code"),
        (["*****67I", "*****67O"], "code"),
        (["J***", "A***"], "name"),
        (["12345678Z", "00000000T"], "dni"),
        ([], "dni"),
    ],
)
def test_nothing_leaks(values, name):
    assert findings(values, name) == []


def test_a_column_that_is_removed_is_not_looked_at():
    assert findings(["*****678Z"] * 2, identifiers=["id"]) == []
    assert findings(["*****678Z"] * 2, quasi_identifiers=["id"]) != []


def test_many_values_are_counted_in_full():
    values = [f"****{number:04d}Z" for number in range(3000)]
    assert findings(values)[0].n_rows == 3000
