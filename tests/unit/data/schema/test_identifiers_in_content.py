"""Every identifier that content can show, planted under a header that says nothing, and numbers that look alike."""

from __future__ import annotations

import datetime
import random

import polars as pl
import pytest

from celosia.data.schema import Role
from celosia.data.schema.detectors import find_births, find_identifier, find_person_names, find_postcodes, look_at
from celosia.data.schema.detectors.identifiers import has_machine_readable_line
from celosia.jobs.suggest import suggest

N = 60
LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NIT_WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43]


def with_luhn(body: str) -> str:
    for last in "0123456789":
        digits = [int(digit) for digit in body + last][::-1]
        if (sum(digits[::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])) % 10 == 0:
            return body + last
    raise AssertionError


def nit(number: int) -> str:
    residue = sum(int(digit) * weight for digit, weight in zip(str(number)[::-1], NIT_WEIGHTS, strict=False)) % 11
    return f"{number}-{residue if residue < 2 else 11 - residue}"


def dni(chance):
    number = chance.randrange(10**8)
    return f"{number:08d}{LETTERS[number % 23]}"


def nie(chance):
    number = chance.randrange(10**7)
    return f"X{number:07d}{LETTERS[number % 23]}"


def dotted_nit(chance):
    text = nit(chance.randrange(10**8, 10**9))
    return f"{text[:3]}.{text[3:6]}.{text[6:]}"


def cedula(chance):
    return with_luhn(f"{chance.randrange(1, 25):02d}{chance.randrange(6)}{chance.randrange(10**6):06d}")


def passport(chance):
    return "".join(chance.choice(CAPITALS) for _ in range(3)) + f"{chance.randrange(10**6):06d}"


def french_passport(chance):
    letters = chance.choice(CAPITALS) + chance.choice(CAPITALS)
    return f"{chance.randrange(10, 99)}{letters}{chance.randrange(10**5):05d}"


def machine_line(chance):
    def check(field):
        return sum((7, 3, 1)[i % 3] * (0 if sign == "<" else int(sign, 36)) for i, sign in enumerate(field)) % 10

    number, birth, expiry = passport(chance), "740812", "120415"
    return f"{number}{check(number)}ESP{birth}{check(birth)}F{expiry}{check(expiry)}{'<' * 14}00"


def iban(chance):
    account = chance.randrange(10**18)
    return f"ES{98 - int(f'{account:020d}142800') % 97:02d}{account:020d}"


PLANTED = {
    "dni": (dni, "check letter"),
    "nie": (nie, "check letter"),
    "nit": (lambda chance: nit(chance.randrange(10**8, 10**9)), "NIT"),
    "dotted nit": (dotted_nit, "NIT"),
    "bare nit": (lambda chance: nit(chance.randrange(10**8, 10**9)).replace("-", ""), "NIT"),
    "cédula": (cedula, "cédula"),
    "passport": (passport, "passport"),
    "french passport": (french_passport, "passport"),
    "machine line": (machine_line, "machine-readable"),
    "e-mail": (lambda chance: f"p{chance.randrange(10**6)}@example.org", "e-mail"),
    "spanish mobile": (lambda chance: f"6{chance.randrange(10**8):08d}", "telephone"),
    "spanish landline": (lambda chance: f"923 {chance.randrange(100):02d} {chance.randrange(100):02d} 07", "telephone"),
    "colombian mobile": (
        lambda chance: f"{chance.choice([300, 305, 311, 324, 350])}{chance.randrange(10**7):07d}",
        "telephone",
    ),
    "colombian, spaced": (
        lambda chance: f"310 {chance.randrange(1000):03d} {chance.randrange(10**4):04d}",
        "telephone",
    ),
    "with country": (lambda chance: f"+57 31{chance.randrange(10**8):08d}", "telephone"),
    "with zeros": (lambda chance: f"00346{chance.randrange(10**8):08d}", "telephone"),
    "iban": (iban, "IBAN"),
    "card": (lambda chance: with_luhn(f"4{chance.randrange(10**14):014d}"), "Luhn"),
}


def column(make, seed=1, n=N):
    chance = random.Random(seed)
    return pl.Series("x", [make(chance) for _ in range(n)])


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("seed", [1, 2])
def test_planted_identifiers_are_found_and_named(name, seed):
    make, what = PLANTED[name]
    cells = column(make, seed)
    clue = find_identifier(look_at(cells))
    assert clue is not None
    assert what in clue.reason
    assert clue.reason.startswith("100 %")
    assert not any(cell in clue.reason for cell in cells)
    (found,) = suggest(cells.to_frame())
    assert found.role == Role.IDENTIFIER


@pytest.mark.parametrize("name", ["dni", "nie", "e-mail", "iban", "machine line"])
def test_a_single_cell_is_enough_where_chance_has_no_part(name):
    cells = pl.Series("x", ["red", "green", "blue"] * 30 + [PLANTED[name][0](random.Random(3))])
    assert find_identifier(look_at(cells)) is not None


# Numbers and codes that repeat, as amounts and codes of things do: nobody is named by them.
ALIKE = {
    "marks": lambda chance: f"{chance.gauss(6, 2):.1f}",
    "years": lambda chance: str(chance.randrange(1950, 2024)),
    "years of nine digits": lambda chance: f"{chance.randrange(1950, 1990)}12345",
    "sales": lambda chance: str(500 * chance.randrange(100)),
    "large amounts": lambda chance: str(10**8 * chance.randrange(1, 10) + 5000 * chance.randrange(4)),
    "amounts with blanks": lambda chance: f"{chance.randrange(10, 30)} {chance.randrange(3)}50 000",
    "ten digits": lambda chance: str(1_000_000_000 + 250_000_000 * chance.randrange(30)),
    "eleven digits": lambda chance: str(10**10 + 7 * chance.randrange(20)),
    "thirteen digits": lambda chance: str(1_600_000_000_000 + 86_400_000 * chance.randrange(20)),
    "orders in turn": lambda chance: str(700_000_000 + chance.randrange(25)),
    "orders of ten digits": lambda chance: str(3_100_000_000 + chance.randrange(25)),
    "padded orders": lambda chance: f"{12_345_600 + chance.randrange(20):010d}",
    "products of one series": lambda chance: f"ART{chance.randrange(20):06d}",
    "products of three series": lambda chance: f"{chance.choice(['AB', 'CD', 'EF'])}{7919 * chance.randrange(20):06d}",
    "codes of a disease": lambda chance: f"{chance.choice('CJ')}{chance.randrange(9)}.{chance.randrange(4)}",
    "books": lambda chance: f"97884376{chance.randrange(15):05d}",
    "ranges": lambda chance: f"{10 * chance.randrange(9)}-{10 * chance.randrange(9) + 9}",
    "times": lambda chance: f"{chance.randrange(24):02d}:{chance.randrange(4) * 15:02d}",
    "phases": lambda chance: f"phase-{chance.randrange(4)}",
    "texts in capitals": lambda chance: chance.choice(["Z" * 30, "HTTP<<ERROR" * 3, "Y" * 44]),
}


@pytest.mark.parametrize("name", ALIKE)
@pytest.mark.parametrize("seed", [1, 2])
def test_numbers_that_look_alike_name_nobody(name, seed):
    cells = column(ALIKE[name], seed, 200)
    assert find_identifier(look_at(cells)) is None
    (found,) = suggest(cells.to_frame())
    assert found.role != Role.IDENTIFIER


@pytest.mark.parametrize("header", ["ventas", "importe", "precio de venta", "salary", "medición", "nota"])
def test_amounts_under_their_name_are_no_telephones(header):
    amounts = pl.Series(header, [600_000_000 + 7_919_003 * i for i in range(N)] * 2)
    (found,) = suggest(amounts.to_frame())
    assert found.role != Role.IDENTIFIER
    (unnamed,) = suggest(amounts.alias("x").to_frame())
    assert "telephone" in " ".join(unnamed.reasons)


def test_amounts_that_differ_in_every_row_may_name_rows():
    sales = pl.Series("x", [1_000_000_000 + 7_919_003 * i for i in range(N)])
    assert suggest(sales.to_frame())[0].role == Role.IDENTIFIER
    assert suggest(sales.alias("ventas").to_frame())[0].role == Role.IDENTIFIER  # codes of one length that never repeat
    assert suggest((sales // 10**6).alias("ventas").to_frame())[0].role == Role.QUASI_IDENTIFIER


@pytest.mark.parametrize("header", ["cédula", "Cédula de ciudadanía", "C.C. Cédula", "No. documento", "Documento"])
def test_a_colombian_cedula_is_known_by_its_header(header):
    numbers = pl.Series(header, [str(79_000_000 + 7919 * (i // 2)) for i in range(N)])
    (found,) = suggest(numbers.to_frame())
    assert found.role == Role.IDENTIFIER
    assert "header word" in found.reasons[0]
    assert find_identifier(look_at(numbers)) is None


def test_a_type_of_document_is_none():
    (found,) = suggest(pl.DataFrame({"Tipo de documento": ["CC", "TI", "CE"] * 20}))
    assert found.role == Role.QUASI_IDENTIFIER


class TestMachineReadableLines:
    # The specimens of ICAO Doc 9303.
    @pytest.mark.parametrize(
        "text",
        [
            "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
            "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
            "D231458907UTO7408122F1204159<<<<<<<6",
            "7408122F1204159UTO<<<<<<<<<<<6",
            "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
            "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10",
        ],
    )
    def test_specimens(self, text):
        assert has_machine_readable_line(text)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "L898902C36UTO7408123F1204159ZE184226B<<<<<10",
            "L898902C36UTO7408122F1204158ZE184226B<<<<<10",
            "7408122F1204150UTO<<<<<<<<<<<6",
            "<" * 30,
            "P<UTOERIKSSONANNAMARIA<<<<<<<<<<<<<<<<<<<<<<",
            "l898902c36uto7408122f1204159ze184226b<<<<<10",
        ],
    )
    def test_others(self, text):
        assert not has_machine_readable_line(text)


class TestNames:
    def test_towns_that_are_named_after_people(self):
        towns = ["San José", "Santa Marta", "San Juan", "Santo Domingo", "Puerto Montt", "Villa María", "Lugo"]
        assert find_person_names(look_at(pl.Series("x", towns))) is None
        assert find_person_names(look_at(pl.Series("x", ["San Juan, Luis", "Gil, Ana"]))) is not None


class TestPostcodes:
    def test_spanish_ones_are_called_so(self):
        assert "Spanish province" in find_postcodes(look_at(pl.Series("x", ["01001", "52001", "28013"]))).reason
        for codes in (["01001", "53001"], ["00123", "28013"]):
            assert "Spanish" not in find_postcodes(look_at(pl.Series("x", codes))).reason

    def test_salaries_are_none(self):
        assert find_postcodes(look_at(pl.Series("x", ["15000", "28013", "41000"]))) is None

    def test_they_are_quasi_identifiers(self):
        (found,) = suggest(pl.DataFrame({"x": [f"{1000 + 997 * (i % 50):05d}" for i in range(200)]}))
        assert (found.role, found.kind.name) == (Role.QUASI_IDENTIFIER, "prefix")


class TestBirths:
    today = datetime.date(2024, 5, 1)

    def births(self, n=N, first=1935, days=24_000):
        chance = random.Random(4)
        return [datetime.date(first, 1, 1) + datetime.timedelta(chance.randrange(days)) for _ in range(n)]

    def test_by_their_ages(self):
        for cells in (self.births(), [str(day) for day in self.births()], [f"{day:%d/%m/%Y}" for day in self.births()]):
            assert "as dates of birth do" in find_births(look_at(pl.Series("x", cells)), self.today)

    @pytest.mark.parametrize(
        "cells",
        [
            [datetime.date(2015, 1, 1) + datetime.timedelta(37 * i) for i in range(60)],
            [datetime.date(1990 + i, 1, 1) for i in range(60)],
            [datetime.date(1860 + i, 1, 1) for i in range(60)],
            [datetime.date(1990, 1, 1)],
            ["red", "blue"],
        ],
    )
    def test_other_dates(self, cells):
        assert find_births(look_at(pl.Series("x", cells)), self.today) is None

    def test_they_are_quasi_identifiers_with_the_reason(self):
        by_form, by_name = suggest(pl.DataFrame({"x": self.births(), "fecha nac.": self.births(days=700)}))
        assert by_form.role == by_name.role == Role.QUASI_IDENTIFIER
        assert "they lie decades apart and back, as dates of birth do, which others may well know" in by_form.reasons
        assert "dates of birth are what others know best" in by_name.reasons
