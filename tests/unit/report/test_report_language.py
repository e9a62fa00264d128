"""Numbers and dates as each language writes them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from celosia.report.language import Language

ENGLISH, SPANISH = Language("en"), Language("es")


@pytest.mark.parametrize(
    ("share", "english", "spanish"),
    [
        (0.0, "0%", "0\xa0%"),
        (0.025, "2.5%", "2,5\xa0%"),
        (1 / 3, "33.3%", "33,3\xa0%"),
        (1.0, "100%", "100\xa0%"),
        (0.99996, "> 99.9%", "> 99,9\xa0%"),
        (0.0000001, "< 0.001%", "< 0,001\xa0%"),
        (0.00046, "0.046%", "0,046\xa0%"),
    ],
)
def test_percentages(share, english, spanish):
    assert (ENGLISH.percent(share), SPANISH.percent(share)) == (english, spanish)


@pytest.mark.parametrize(
    ("number", "english", "spanish"),
    [
        (7, "7", "7"),
        (2079, "2,079", "2079"),
        (30162, "30,162", "30\xa0162"),
        (-1234567, "-1,234,567", "-1\xa0234\xa0567"),
    ],
)
def test_whole_numbers(number, english, spanish):
    assert (ENGLISH.whole(number), SPANISH.whole(number)) == (english, spanish)


@pytest.mark.parametrize(
    ("number", "english", "spanish"),
    [(2018, "2018", "2018"), (0.5, "0.5", "0,5"), (20000.0, "20,000", "20\xa0000"), (1e300, "1e+300", "1e+300")],
)
def test_edges(number, english, spanish):
    assert (ENGLISH.number(number), SPANISH.number(number)) == (english, spanish)


@pytest.mark.parametrize(
    ("people", "spelt"), [(2, "1/2 = 50%"), (3, "1/3 ≈ 33.3%"), (40, "1/40 = 2.5%"), (7, "1/7 ≈ 14.3%")]
)
def test_chances_say_whether_they_are_exact(people, spelt):
    assert ENGLISH.chance(people).replace("\xa0", " ") == spelt


def test_dates():
    moment = datetime(2024, 8, 3, tzinfo=UTC)
    assert ENGLISH.date(moment) == "3 August 2024"
    assert SPANISH.date(moment) == "3 de agosto de 2024"


def test_lists():
    assert ENGLISH.listed([]) == ""
    assert ENGLISH.listed(["a"]) == "a"
    assert ENGLISH.listed(["a", "b", "c"]) == "a, b and c"
    assert SPANISH.listed(["a", "b"]) == "a y b"
    assert SPANISH.listed(["a", "ingresos"]) == "a e ingresos"
    assert SPANISH.listed(["a", "hielo"]) == "a y hielo"


def test_plurals():
    assert [SPANISH.plural("{n} row", "{n} rows", n) for n in (0, 1, 2)] == ["0 filas", "1 fila", "2 filas"]
