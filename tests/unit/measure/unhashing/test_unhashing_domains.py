"""Candidates: spelt as people spell them, every one once."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.data.schema.detectors.check_digits import is_dni_or_nie
from celosia.measure.unhashing import Domain, dates, dni, nie, numbers, phones, texts, usual_domains, whole_numbers
from celosia.measure.unhashing.candidates import Candidates


def all_of(domain: Domain) -> list[str]:
    """Every value, in the order of trying."""
    return [value.decode() for value in domain.spell(domain.places(0, domain.size)).values]


@pytest.mark.parametrize("size", [1, 2, 3, 10, 131, 1000, 4096, 47_847])
def test_every_place_is_visited_once_also_in_pieces(size: int) -> None:
    domain = Domain("number", size, lambda at: Candidates.of([b""] * len(at)))
    assert sorted(domain.places(0, size).tolist()) == list(range(size))
    pieces = [domain.places(begin, begin + 7) for begin in range(0, size, 7)]
    assert np.concatenate(pieces).tolist() == domain.places(0, size).tolist()


@pytest.mark.parametrize("size", [10**8, 3 * 10**7, 2 * 10**8, 10**9, 10**10])
def test_a_part_of_a_large_domain_lies_evenly_over_it(size: int) -> None:
    domain = Domain("number", size, lambda at: Candidates.of([b""] * len(at)))
    for begin in (0, size // 3):
        places = domain.places(begin, begin + 10_000)
        assert len(set(places.tolist())) == 10_000
        assert 0 <= places.min() <= places.max() < size
        tenths = np.bincount(places * 10 // size, minlength=10)
        assert tenths.min() > 900


@given(st.integers(0, 10**8 - 1))
def test_dni_and_nie_have_the_right_letter(number: int) -> None:
    at = np.array([number])
    upper = dni().spell(at).values[0].decode()
    assert upper[:8] == f"{number:08d}"
    assert is_dni_or_nie(upper)
    assert dni(lower=True).spell(at).values[0].decode() == upper.lower()
    assert dni(mark=b"-").spell(at).values[0].decode() == f"{upper[:8]}-{upper[8]}"
    assert dni(mark=b" ").spell(at).values[0].decode() == f"{upper[:8]} {upper[8]}"
    dotted = f"{upper[:2]}.{upper[2:5]}.{upper[5:8]}"
    assert dni(dots=True).spell(at).values[0].decode() == dotted + upper[8]
    assert dni(dots=True, mark=b"-").spell(at).values[0].decode() == f"{dotted}-{upper[8]}"
    foreign = nie().spell(at % (3 * 10**7)).values[0].decode()
    assert foreign[0] in "XYZ"
    assert is_dni_or_nie(foreign)
    assert nie(lower=True).spell(at % (3 * 10**7)).values[0].decode() == foreign.lower()
    parted = f"{foreign[0]}-{foreign[1:8]}-{foreign[8]}"
    assert nie(mark=b"-").spell(at % (3 * 10**7)).values[0].decode() == parted


def test_numbers_with_and_without_leading_zeros() -> None:
    assert sorted(all_of(numbers(3))) == [f"{number:03d}" for number in range(1000)]
    for n_numbers in (1, 9, 10, 11, 50, 100, 12_345):
        assert sorted(all_of(whole_numbers(n_numbers))) == sorted(map(str, range(n_numbers)))
    assert sorted(all_of(numbers(4, first=1900, last=2030, kind="year"))) == [str(year) for year in range(1900, 2031)]
    for width in range(1, 11):
        assert numbers(width).spell(np.array([10**width - 1, 0])).values == [b"9" * width, b"0" * width]


def test_phones() -> None:
    at = np.array([0, 12345678, 10**8 - 1])
    assert phones(6).size == 10**8
    assert phones(6).spell(at).values == [b"600000000", b"612345678", b"699999999"]
    assert phones(9, b"+34").spell(at).values == [b"+34900000000", b"+34912345678", b"+34999999999"]
    assert phones(7, groups=(3, 2, 2, 2)).spell(at).values == [b"700 00 00 00", b"712 34 56 78", b"799 99 99 99"]
    assert phones(6, b"+34 ", groups=(3, 3, 3)).spell(at[1:2]).values == [b"+34 612 345 678"]


def test_dates_against_the_calendar_of_python() -> None:
    days = [date(1900, 1, 1) + timedelta(days=n) for n in range((date(2030, 12, 31) - date(1900, 1, 1)).days + 1)]
    expected = [
        *("%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%Y%m%d", "%d%m%Y", "%d.%m.%Y", "%Y/%m/%d", "%m/%d/%Y", "%d/%m/%y"),
        *("%Y-%m-%d 00:00:00", "%Y-%m-%dT00:00:00"),
    ]
    assert len(dates()) == len(expected) + 1
    places = np.arange(0, len(days), 37)
    for domain, spelling in zip(dates()[:-1], expected, strict=True):
        assert domain.size == len(days)
        assert domain.spell(places).values == [days[at].strftime(spelling).encode() for at in places]
    spelt = [f"{day.day}/{day.month}/{day.year}".encode() for day in days]
    assert dates()[-1].spell(np.arange(len(days))).values == spelt


def test_texts_are_tried_in_all_cases_and_no_spelling_twice() -> None:
    tried = [value for domain in texts(["Ana@X.es ", "ana@x.es", "", "Ñu"], "roster") for value in all_of(domain)]
    assert len(tried) == len(set(tried))
    assert {"Ana@X.es ", "Ana@X.es", "ana@x.es", "ANA@X.ES", "Ñu", "ñu", "ÑU"} <= set(tried)
    assert "" not in tried
    assert texts([], "roster") == []


def test_every_usual_domain_spells_its_first_and_last_value() -> None:
    for domain in usual_domains():
        first, last = domain.spell(np.array([0, domain.size - 1])).values
        assert first != last
        assert first.isascii()


def test_no_usual_value_is_tried_in_two_domains_of_one_size() -> None:
    large = [domain for domain in usual_domains() if domain.size > 10**6]
    seen: set[bytes] = set()
    for domain in large:
        some = set(domain.spell(np.arange(0, domain.size, domain.size // 997)).values)
        if domain.size < 10**9:  # those of ten digits hold the identity cards, which are tried sooner
            assert not some & seen
        seen |= some


@given(st.sampled_from(usual_domains()), st.data())
def test_one_value_is_read_as_all_are(domain: Domain, data: st.DataObject) -> None:
    at = data.draw(st.lists(st.integers(0, domain.size - 1), min_size=1, max_size=20))
    spelt = domain.spell(np.array(at))
    assert [spelt.value(place) for place in range(len(spelt))] == spelt.values
    assert [domain.spell(np.array([place])).values[0] for place in at] == spelt.values
