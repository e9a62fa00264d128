"""Schemes of check digits that detectors and masks share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.data.schema.detectors.check_digits import (
    SCHEMES,
    is_cedula,
    is_dni_or_nie,
    is_iban,
    is_isbn,
    is_nit,
    passes_luhn,
)

RIGHT = {
    "DNI/NIE": ["12345678Z", "12.345.678-z", "X1234567L", "y-1234567-x", "1234567L"],
    "IBAN": ["ES91 2100 0418 4502 0005 1332", "GB82WEST12345698765432", "mt84malt011000012345mtlcast001s"],
    "Luhn": ["4111 1111 1111 1111", "490154203237518", "5500-0000-0000-0004"],
    "cédula": ["1710034065", "171003406-5", "0926687856", "3050000003"],
    "NIT": ["800.197.268-4", "899999090-2", "8600029644"],
    "ISBN-10": ["0-306-40615-2", "84-376-0494-X", "080442957x"],
    "ISBN-13": ["978-0-306-40615-7", "9791034304042"],
}


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_known_numbers(scheme):
    assert all(scheme.fits(text) for text in RIGHT[scheme.name])


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_every_residue_has_check_characters_and_one_wrong_character_is_seen(scheme):
    assert len(scheme.checks) == scheme.modulus
    for text in RIGHT[scheme.name]:
        for place in scheme.read(text).parts.places:
            others = set("0123456789") - {text[place]} if text[place].isdigit() else set()
            n_right = sum(scheme.fits(text[:place] + other + text[place + 1 :]) for other in others)
            # The two residues of a NIT that share the check digit 1 are the only ones that it cannot tell apart.
            assert n_right <= (scheme.name == "NIT" and text.endswith("1"))


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
@pytest.mark.parametrize("text", ["", "-", "1", "٣" * 13, "²" * 10, "12345678Ž", "x" * 13, "ſ" * 9])
def test_other_texts(scheme, text):
    assert scheme.read(text) is None
    assert not scheme.fits(text)


@given(st.integers(10**7, 10**10 - 1))
def test_a_nit_has_one_right_digit(number):
    assert sum(is_nit(f"{number}-{check}") for check in range(10)) == 1


@given(st.integers(1, 24), st.integers(0, 5), st.integers(0, 10**6 - 1))
def test_a_cedula_has_one_right_digit(province, third, rest):
    body = f"{province:02d}{third}{rest:06d}"
    doubled = [int(digit) * (2 if place % 2 == 0 else 1) for place, digit in enumerate(body)]
    check = -sum(value - 9 if value > 9 else value for value in doubled) % 10  # the registry's own rule
    assert [digit for digit in range(10) if is_cedula(f"{body}{digit}")] == [check]
    assert not is_cedula(f"25{body[2:]}{check}")
    assert not is_cedula(f"{body[:2]}6{body[3:]}{check}")


@given(st.integers(0, 10**9 - 1))
def test_an_isbn_has_one_right_character(number):
    assert sum(is_isbn(f"{number:09d}{check}") for check in "0123456789X") == 1
    assert sum(is_isbn(f"978{number:09d}{check}") for check in range(10)) == 1
    assert not is_isbn(f"977{number:09d}1")


def test_places_count_marks():
    reading = SCHEMES[0].read("12.345.678-Z")
    assert reading.parts.places == (0, 1, 3, 4, 5, 7, 8, 9)
    assert reading.parts.check == (11,)
    assert (reading.check, reading.is_right) == ("Z", True)


def test_check_digits_of_an_iban_lie_between_02_and_98():
    wrong = ["ES" + check + "0" * 20 for check in ("00", "01", "99")]
    assert not any(is_iban(text) for text in wrong)


def test_the_short_questions_ask_their_scheme():
    assert is_dni_or_nie(RIGHT["DNI/NIE"][0])
    assert passes_luhn(RIGHT["Luhn"][0])
    assert is_isbn(RIGHT["ISBN-13"][1])
