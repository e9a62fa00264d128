"""Candidates that a check digit leaves, against trying every one of them."""

from __future__ import annotations

from collections import Counter
from itertools import product

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.data.schema.detectors.check_digits import SCHEMES
from celosia.masks.base import sheet_of
from celosia.masks.characters.check_digits import Residual, n_candidates, scheme_of
from celosia.masks.mask_characters import MaskCharacters

BY_NAME = {scheme.name: scheme for scheme in SCHEMES}
DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def dni(number: int) -> str:
    return f"{number:08d}" + "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]


def iban(account: str, country: str = "ES") -> str:
    body = "".join(str(int(sign, 36)) for sign in account + country + "00")
    return f"{country}{98 - int(body) % 97:02d}{account}"


def luhn(body: str) -> str:
    total = 0
    for place, digit in enumerate(reversed(body)):
        doubled = int(digit) * 2 if place % 2 == 0 else int(digit)
        total += sum(map(int, str(doubled)))
    return body + str((10 - total % 10) % 10)


def nit(body: str) -> str:
    total = sum(int(d) * w for d, w in zip(reversed(body), [3, 7, 13, 17, 19, 23, 29, 37, 41, 43], strict=False))
    return body + "-" + str(total % 11 if total % 11 < 2 else 11 - total % 11)


def isbn_10(body: str) -> str:
    total = sum(int(digit) * (10 - place) for place, digit in enumerate(body))
    return body + "0123456789X"[-total % 11]


def isbn_13(body: str) -> str:
    return body + str(-sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body)) % 10)


def alphabet(name: str, text: str, place: int) -> str:
    """What may stand in a place for whoever knows the form of the number."""
    sign = text[place]
    if name == "DNI/NIE" and place == 0 and sign.isalpha():
        return "XYZ"
    if (name == "IBAN" and place < 2) or (name == "ISBN-13" and place < 3) or not sign.isalnum():
        return sign
    if name == "ISBN-10" and place == 9:
        return DIGITS + "X"
    return DIGITS if sign.isdigit() else LETTERS


def tried(name: str, text: str, hidden: set[int]) -> tuple[int, int]:
    """Try everything: how many right numbers fit the visible characters, and how many bodies do without the check."""
    options = [alphabet(name, text, place) if place in hidden else text[place] for place in range(len(text))]
    numbers = ("".join(signs) for signs in product(*options))
    n_right = sum(BY_NAME[name].fits(number) for number in numbers)
    check = {2, 3} if name == "IBAN" else {len(text) - 1}
    space = 1
    for place in hidden - check:
        space *= len(alphabet(name, text, place))
    return n_right, space


digits = st.text(DIGITS, min_size=30, max_size=30)
numbers = st.one_of(
    st.integers(0, 99_999_999).map(lambda number: ("DNI/NIE", dni(number))),
    st.tuples(st.sampled_from("XYZ"), st.integers(0, 9_999_999)).map(
        lambda pair: ("DNI/NIE", pair[0] + dni("XYZ".index(pair[0]) * 10**7 + pair[1])[1:])
    ),
    digits.map(lambda text: ("IBAN", iban(text[:20]))),
    digits.map(lambda text: ("IBAN", iban("WEST" + text[:14], "GB"))),
    st.tuples(digits, st.integers(12, 18)).map(lambda pair: ("Luhn", luhn(pair[0][: pair[1]]))),
    st.tuples(digits, st.integers(8, 10)).map(lambda pair: ("NIT", nit(pair[0][: pair[1]]))),
    digits.map(lambda text: ("ISBN-10", isbn_10(text[:9]))),
    digits.map(lambda text: ("ISBN-13", isbn_13("978" + text[:9]))),
)


@given(numbers, st.sets(st.integers(0, 30), min_size=1, max_size=3), st.booleans())
@tries(60)
def test_counting_equals_trying_everything(number, places, with_check):
    name, text = number
    hidden = {place % len(text) for place in places}
    if with_check:
        hidden = hidden | {len(text) - 1}
    reading = BY_NAME[name].read(text)
    assert reading.is_right
    seen = [place not in hidden for place in range(len(text))]
    counted = n_candidates(BY_NAME[name], reading, seen)
    assert (counted.candidates, counted.space) == tried(name, text, hidden)


class TestTheFiguresOfTheSpecification:
    @pytest.mark.parametrize("number", range(0, 100_000_000, 7_654_321))
    def test_the_last_three_digits_and_the_letter(self, number):
        scheme, text = BY_NAME["DNI/NIE"], dni(number)
        left = n_candidates(scheme, scheme.read(text), [False] * 5 + [True] * 4)
        wanted = sum((body * 1000 + number % 1000) % 23 == number % 23 for body in range(100_000))
        assert left == Residual(wanted, 100_000)
        assert wanted in (4347, 4348)

    def test_both_figures_occur(self):
        scheme = BY_NAME["DNI/NIE"]

        def left(number, shown):
            seen = [place in shown for place in range(9)]
            return n_candidates(scheme, scheme.read(dni(number)), seen).candidates

        assert {left(number, {5, 6, 7, 8}) for number in range(123, 10**8, 10**6)} == {4347, 4348}
        ways = Counter((first * 100_000 + last) % 23 for first in range(1000) for last in range(10))
        assert {left(number, {3, 4, 5, 6, 8}) for number in range(45670, 10**8, 10**6)} == set(ways.values())
        assert min(ways.values()) == 434
        assert {left(number, {3, 4, 5, 6, 7, 8}) for number in range(45678, 10**8, 10**6)} == {43, 44}

    @pytest.mark.parametrize("place", range(16))
    def test_luhn_with_one_hidden_digit_has_one_candidate(self, place):
        scheme = BY_NAME["Luhn"]
        reading = scheme.read("4111111111111111")
        assert n_candidates(scheme, reading, [at != place for at in range(16)]).candidates == 1


def finding(mask, values, **options):
    sheet = mask.mask(sheet_of(pl.DataFrame({"id": values}), **options))
    return next((found for found in sheet.findings if found.code == "MASK_CHECK_DIGIT"), None)


class TestFindings:
    def test_the_letter_of_a_dni(self):
        found = finding(MaskCharacters("id", keep_last=4), [dni(12345678)])
        assert found.severity == "warning"
        assert found.values == {"scheme": "DNI/NIE", "candidates": 4348, "space": 100_000}

    def test_the_row_with_fewest_candidates_is_told(self):
        values = [dni(number) for number in range(123, 10**8, 10**6)]
        assert finding(MaskCharacters("id", keep_last=4), values).values["candidates"] == 4347

    def test_four_digits_and_the_letter(self):
        found = finding(MaskCharacters("id", positions=["4-7", -1]), [dni(12345678), dni(45678), dni(87654321)])
        ways = Counter((first * 100_000 + last) % 23 for first in range(1000) for last in range(10))
        fewest = min(ways[(number - number // 10 % 10_000 * 10) % 23] for number in (12345678, 45678, 87654321))
        assert (found.values["candidates"], found.values["space"]) == (fewest, 10_000)

    def test_a_hidden_letter_gives_nothing_away(self):
        assert finding(MaskCharacters("id", positions=["4-7"]), [dni(12345678), "X1234567L"]) is None
        assert finding(MaskCharacters("id", keep_first=2), [luhn("411111111111111")]) is None

    @pytest.mark.parametrize("mask", [{"keep_first": 15}, {"keep_last": 15}, {"positions": ["1-7", "9-16"]}])
    def test_a_card_with_one_hidden_digit_can_be_computed(self, mask):
        found = finding(MaskCharacters("id", **mask), [luhn("411111111111111"), luhn("550000000000000"), None])
        assert found.values == {"scheme": "Luhn", "count": 2, "checked": 2}
        assert "single candidate" in found.message

    def test_numbers_with_marks(self):
        values = ["12.345.678-Z", "00.000.000-T"]
        assert finding(MaskCharacters("id", keep_last=5), values).values["space"] == 100_000
        found = finding(MaskCharacters("id", pattern="[0-9]{2}(\\.).*"), values)
        assert found is None  # no letter or digit would be hidden, so all are

    def test_a_fixed_length_does_not_help(self):
        mask = MaskCharacters("id", keep_last=4, length=12)
        assert finding(mask, [dni(12345678)]).values["candidates"] == 4348

    def test_numbers_that_came_as_numbers(self):
        values = [int(luhn("411111111111111")), int(luhn("550000000000000"))]
        assert finding(MaskCharacters("id", keep_last=4), values).values == {
            "scheme": "Luhn",
            "candidates": 10**11,
            "space": 10**12,
        }

    @pytest.mark.parametrize(
        ("values", "name"),
        [
            ([iban("21000418450200051332")], "IBAN"),
            (["800.197.268-4", "899.999.090-2"], "NIT"),
            ([isbn_10("843760494"), isbn_10("030640615")], "ISBN-10"),
            ([isbn_13("978843760494")], "ISBN-13"),
            ([dni(1), "passport AAA", dni(2)], "DNI/NIE"),
        ],
    )
    def test_schemes_are_found(self, values, name):
        assert scheme_of(values).name == name
        mask = MaskCharacters("id", positions=["3-4", "-3--1"])
        assert finding(mask, values).values["scheme"] == name

    @pytest.mark.parametrize(
        "values",
        [
            [],
            ["1026457389", "3647382919", "1028374622", "2845143827", "2647281923"],
            [dni(number)[:8] + "A" for number in range(1, 23) if dni(number)[8] != "A"],
            [luhn("411111111111111"), "4111111111111112", "4111111111111113"],
            ["Ana", "Luis"],
            ["8001972684"],
        ],
    )
    def test_other_columns_follow_none(self, values):
        assert scheme_of(values) is None
        assert finding(MaskCharacters("id", keep_last=4), pl.Series(values, dtype=pl.String)) is None

    def test_long_columns_are_sampled(self):
        values = [dni(number * 7919 % 10**8) for number in range(30_000)]
        assert finding(MaskCharacters("id", keep_last=4), values).values["candidates"] == 4347

    def test_of_many_forms_those_with_the_least_space_are_counted(self):
        values = [
            iban("".join(LETTERS[row % 26] if row >> place & 1 else DIGITS[row % 10] for place in range(12)), "MT")
            for row in range(2, 400)
        ]
        found = finding(MaskCharacters("id", keep_first=4), values)
        spaces = [26 ** sum(map(str.isalpha, text[4:])) * 10 ** sum(map(str.isdigit, text[4:])) for text in values]
        assert found.values["space"] == min(spaces)
