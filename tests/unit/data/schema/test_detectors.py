"""What each detector sees, and what it must not see."""

from __future__ import annotations

import datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.data.schema import Role
from celosia.data.schema.detectors import (
    find_code,
    find_dates,
    find_decorated_numbers,
    find_free_text,
    find_identifier,
    find_near_unique,
    find_numbers,
    find_order,
    find_person_names,
    find_postcodes,
    find_unread_dates,
    look_at,
    n_alike,
    percent,
    read_header,
)
from celosia.data.schema.detectors.check_digits import is_dni_or_nie, is_iban, passes_luhn
from celosia.data.schema.detectors.vocabulary import CONCEPTS


def look(*cells, name="x", decimal=".", dtype=None):
    return look_at(pl.Series(name, cells, dtype=dtype), decimal)


def edits(one: str, other: str) -> int:
    """The number of letters to change, add or leave out, by its definition."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        above, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (left != right))
    return row[-1]


class TestCheckDigits:
    @given(st.integers(0, 99_999_999), st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    def test_a_dni_has_one_right_letter(self, number, letter):
        assert is_dni_or_nie(f"{number:08d}{letter}") == ("TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] == letter)

    @given(st.sampled_from("XYZ"), st.integers(0, 9_999_999))
    def test_a_nie_counts_its_first_letter_as_a_digit(self, first, number):
        letter = "TRWAGMYFPDXBNJZSQVHLCKE"[(10_000_000 * "XYZ".index(first) + number) % 23]
        assert is_dni_or_nie(f"{first}{number:07d}-{letter.lower()}")
        assert not is_dni_or_nie(f"{first}{number:07d}-{'T' if letter != 'T' else 'R'}")

    @given(st.integers(10**12, 10**17))
    def test_one_last_digit_in_ten_passes_luhn(self, number):
        assert sum(passes_luhn(f"{number}{last}") for last in range(10)) == 1

    @given(st.integers(0, 10**20 - 1))
    def test_one_pair_of_check_digits_makes_an_iban(self, account):
        right = [check for check in range(2, 99) if is_iban(f"ES{check:02d}{account:020d}")]
        assert len(right) == 1

    @pytest.mark.parametrize("text", ["", "1", "ES", "12345678", "GB82WEST", "4111", "é" * 20])
    def test_other_texts_do_not(self, text):
        assert not is_dni_or_nie(text)
        assert not is_iban(text)
        assert not passes_luhn(text)


class TestLook:
    def test_counts_are_of_all_rows(self):
        column = pl.Series("x", [str(i % 30_000) for i in range(50_000)] + [None, " "])
        seen = look_at(column)
        assert (seen.n_rows, seen.n_missing, seen.n_distinct, seen.n_single) == (50_002, 2, 30_000, 10_000)
        assert int(seen.counts.sum()) == 20_000

    def test_few_values_are_seen_whole(self):
        seen = look_at(pl.Series("x", ["a"] * 99_999 + ["somebody@example.org"]))
        assert int(seen.counts.sum()) == 100_000
        assert find_identifier(seen).reason == "0.1 % of cells hold an e-mail address"

    def test_nothing(self):
        seen = look_at(pl.Series("x", [None, None], dtype=pl.String))
        assert (seen.n_known, seen.n_distinct, seen.single_share) == (0, 0, 0.0)
        assert find_identifier(seen) is None

    @given(st.floats(0, 1))
    def test_percent_says_all_and_nothing_only_where_it_is_true(self, share):
        assert (percent(share) == "100 %") == (share == 1)
        assert (percent(share) == "0 %") == (share == 0)


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        (["ana@example.org", "red"], "e-mail"),
        (["12345678Z", "red"], "check letter"),
        (["call 12345678Z today", "red"], "like a DNI"),
        (["ES91 2100 0418 4502 0005 1332", "red"], "IBAN"),
        (["4111111111111111", "5500-0000-0000-0004"], "card number"),
        (["+34 612 345 678", "0034 912345678"], "telephone"),
        (["612345678", "712 34 56 78"], "telephone"),
        (["(212) 555-0123", "555-123-4567"], "telephone"),
        (["123-45-6789"], "social security"),
        (["192.168.0.1", "10.0.0.7"], "network"),
        (["https://example.org/ana", "@ana"], "web address"),
        (["1234 BCD", "9876-XYZ"], "number plate"),
        (["PAB123456", "XDC654321"], "passport"),
        (["Calle Mayor 3", "Avda. del Sol 7"], "street"),
        (["12 Main Street", "7 High Rd"], "street"),
        (["123e4567-e89b-12d3-a456-426614174000"], "random code"),
        (["****456", "12345***"], "hidden"),
    ],
)
def test_forms_of_identifiers(cells, what):
    assert what in find_identifier(look(*cells)).reason


@pytest.mark.parametrize(
    "cells",
    [
        ["red", "blue"],
        ["3.5", "4,5"],
        ["2020-01-31", "1999-12-31"],
        ["01001", "37003"],
        ["40-49", "50-59"],
        ["87654321", "12345678"],
        ["C50.9", "J45.0"],
    ],
)
def test_forms_that_name_nobody(cells):
    assert find_identifier(look(*cells)) is None


def test_whole_floats_are_looked_at_as_whole_numbers():
    assert find_identifier(look(612345678.0, None, 712345678.0)) is not None
    assert find_identifier(look(0.5, 612345678.0)) is None
    assert find_identifier(look("612345678.0", "712345678.0")) is not None


class TestNames:
    def test_names(self):
        assert find_person_names(look("Ana García", "PÉREZ, LUIS", "José-María")) is not None
        assert find_person_names(look("Smith", "Johnson")) is not None

    @pytest.mark.parametrize(
        "cells",
        [
            ["Lunes", "Martes", "Domingo"],
            ["January", "April", "June"],
            ["Spain", "Georgia", "Jordan"],
            ["rosa", "blanca", "azul"],
            ["Ana 1", "Luis 2"],
        ],
    )
    def test_other_words(self, cells):
        assert find_person_names(look(*cells)) is None

    def test_numbers(self):
        assert find_person_names(look(1, 2)) is None


def test_free_text():
    said = [f"I was there on day {i} and saw them all" for i in range(30)]
    assert "free text can hold anything" in find_free_text(look(*said)).reason
    chosen = ["I agree with all of this", "I do not agree with any of this"] * 30
    assert find_free_text(look(*chosen)) is None
    assert find_free_text(look("red", "blue")) is None


class TestCodes:
    def test_row_numbers(self):
        assert "without a gap" in find_code(look("7", "5", "6")).reason
        assert find_code(look("7", "5", "8")) is None
        assert find_code(look("7", "5", "6", "6")) is None

    def test_numbers_that_do_not_repeat(self):
        assert find_code(look(*[str(i * i) for i in range(20)])) is not None
        assert find_code(look(*[str(i * i) for i in range(19)])) is None
        assert find_code(look(*[str(i * i) for i in range(20)]), is_measured=True) is None
        assert find_code(look(*[i + 0.5 for i in range(50)])) is None

    def test_long_codes(self):
        assert find_code(look("AB-001", "AB-002", "AB-003", "AB-003")) is not None
        assert find_code(look("AB-001", "AB-001", "AB-001", "AB-003", "AB-003")) is None
        assert find_code(look("123.45", "543.21", "999.99")) is None
        assert find_code(look("10000001", "20000003", "30000009"), is_measured=True) is not None

    def test_texts_close_to_one_per_row(self):
        texts = [f"text {letter}" for letter in "abcdef"]
        assert find_near_unique(look(*texts)) is not None
        assert find_near_unique(look(*texts, *texts)) is None
        assert find_near_unique(look(*texts, "same", "same"), 0.9) is None


class TestNumbers:
    def test_numbers(self):
        assert find_numbers(look("1", "2", "3")).reason == "whole numbers"
        assert find_numbers(look("1,5", "2,5", "3,5", decimal=",")).reason == "numbers"
        assert find_numbers(look("1", "2", "N/A", "3")).missing == ("N/A",)
        assert find_numbers(look(1.5, 2.5, None, 3.5)).missing == ()

    @pytest.mark.parametrize(
        "cells", [["0", "1"], ["01", "02", "03"], ["1", "2", "x"], ["1.234,5", "7,1", "2"], [True, False], ["n/a"]]
    )
    def test_others(self, cells):
        assert find_numbers(look(*cells)) is None

    def test_whole_numbers_beyond_64_bits(self):
        assert look(2**64 - 1, 5, dtype=pl.UInt64).numbers is None
        assert look(str(10**30), "5").numbers is None

    def test_numbers_that_people_read(self):
        assert find_decorated_numbers(look("1.234,50", "12.000,00")) is not None
        assert find_decorated_numbers(look("12 %", "7 %")) is not None
        assert find_decorated_numbers(look("12", "7")) is None
        assert find_decorated_numbers(look("red", "7")) is None


class TestDates:
    @pytest.mark.parametrize("form", ["%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%m/%d/%Y", "%Y%m%d", "%Y-%m-%d %H:%M:%S"])
    def test_spellings(self, form):
        days = [datetime.datetime(2001, 2, 3) + datetime.timedelta(37 * i) for i in range(30)]
        assert find_dates(look(*[day.strftime(form) for day in days])) is not None
        assert find_dates(look(*days)) is not None

    @pytest.mark.parametrize(
        "cells",
        [
            ["01/02/85", "03/04/86"],
            ["12345678", "87654321"],
            ["2020-01-01", "31/12/2020"],
            ["2020-13-01"],
            ["01/02/0085"],
            ["0085-02-01"],
            ["12.5", "13.5"],
            ["n/a"],
            [20200101.0],
        ],
    )
    def test_others(self, cells):
        assert find_dates(look(*cells)) is None

    def test_words_for_no_value(self):
        assert find_dates(look("2020-01-01", "unknown")).missing == ("unknown",)

    def test_dates_that_people_read(self):
        assert find_unread_dates(look("01/02/85", "3 mar 2020", "March 3, 2020")) is not None
        assert find_unread_dates(look("red", "blue")) is None


class TestPostcodes:
    def test_by_form(self):
        assert find_postcodes(look("01001", "28013")).kind.keep == (5, 3, 2, 1)
        assert find_postcodes(look("11001", "28013")) is None
        assert find_postcodes(look("0", "1")) is None

    def test_by_name(self):
        assert find_postcodes(look("11001", "28013"), is_named_so=True) is not None
        assert find_postcodes(look("SW1A 1AA", "E1 6AN"), is_named_so=True).kind.keep == (8, 3, 2, 1)
        assert "leading zeros lost" in find_postcodes(look("1001", "28013"), is_named_so=True).reason
        assert find_postcodes(look("see * above", "28013"), is_named_so=True) is None


class TestOrders:
    def test_spelling_of_the_data_is_kept(self):
        assert find_order(look("ALTO", "Medio", "bajo")).kind.values == ("bajo", "Medio", "ALTO")
        assert find_order(look("A", "C", "B")).kind.values == ("C", "B", "A")

    def test_none_is_a_rank_before_it_is_no_value(self):
        assert find_order(look("none", "low", "high")).kind.values == ("none", "low", "high")
        found = find_order(look("fail", "pass", "good", "n/a"))
        assert found.kind.values == ("fail", "pass", "good")
        assert found.missing == ("n/a",)

    @pytest.mark.parametrize(
        "cells", [["low", "high"], ["Low", "low", "high"], ["low", "medium", "red"], ["1", "2", "3"]]
    )
    def test_others(self, cells):
        assert find_order(look(*cells)) is None


@given(st.lists(st.text("abc", min_size=4, max_size=6), max_size=8, unique=True))
def test_spelling_variants_are_those_one_edit_apart(words):
    expected = sum(edits(one, other) <= 1 for i, one in enumerate(words) for other in words[:i])
    assert n_alike(words) == expected


def test_case_and_accents_are_variants_and_numbers_are_not():
    assert n_alike(["José", "jose"]) == 1
    assert n_alike(["room 1", "room 2", "abc", "abd"]) == 0


class TestHeaders:
    @pytest.mark.parametrize(
        ("name", "role"),
        [
            ("D.N.I.", Role.IDENTIFIER),
            ("Apellidos", Role.IDENTIFIER),
            ("NombreCompleto", Role.IDENTIFIER),
            ("¿Cuál es tu nombre?", Role.IDENTIFIER),
            ("student_id", Role.IDENTIFIER),
            ("Dirección de correo electrónico", Role.IDENTIFIER),
            ("num_historia_clinica", Role.IDENTIFIER),
            ("Nº", Role.IDENTIFIER),
            ("health card number", Role.IDENTIFIER),
            ("birthDate", Role.QUASI_IDENTIFIER),
            ("fechanacimiento", Role.QUASI_IDENTIFIER),
            ("C.P.", Role.QUASI_IDENTIFIER),
            ("cod_municipio", Role.QUASI_IDENTIFIER),
            ("estudios_padre", Role.QUASI_IDENTIFIER),
            ("Profesores", Role.QUASI_IDENTIFIER),
            ("group_id", Role.QUASI_IDENTIFIER),
            ("código de la clase", Role.QUASI_IDENTIFIER),
            ("Number of children", Role.QUASI_IDENTIFIER),
            ("Grado", Role.QUASI_IDENTIFIER),
            ("Promedio", Role.QUASI_IDENTIFIER),
            ("salary-class", Role.SENSITIVE),
            ("Orientación sexual", Role.SENSITIVE),
            ("Antecedentes penales", Role.SENSITIVE),
            ("ingresos", Role.SENSITIVE),
        ],
    )
    def test_roles(self, name, role):
        assert read_header(name).concept.role == role

    @pytest.mark.parametrize("name", ["x7", "", "***", "numero de faltas", "日本"])
    def test_names_that_say_nothing(self, name):
        assert read_header(name) is None

    def test_words_are_whole(self):
        assert read_header("village").word == "village"
        assert read_header("language").concept.name != "age"

    def test_every_phrase_of_the_vocabulary_is_found_again(self):
        for concept in CONCEPTS:
            for phrase in concept.words:
                assert read_header(phrase.title()) is not None, phrase


def test_words_for_no_value_may_repeat_among_numbers_that_do_not() -> None:
    numbers = [str(10_000_019 + 7919 * row * row) for row in range(60)]
    clue = find_code(look_at(pl.Series("x", [*numbers, "n/a", "n/a", "?", None])))
    assert clue is not None
    assert clue.reason == "whole numbers of which none repeats"
    assert find_code(look_at(pl.Series("x", [*numbers, numbers[0], "n/a", "n/a"]))) is None


def test_codes_of_things_name_no_people() -> None:
    assert read_header("código producto").concept.role == Role.QUASI_IDENTIFIER
    assert read_header("código").concept.role == Role.IDENTIFIER
