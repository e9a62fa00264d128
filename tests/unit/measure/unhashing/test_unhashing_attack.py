"""The attack: unkeyed digests are reversed, keyed and salted ones are not."""

from __future__ import annotations

import base64
import hashlib
import math
import os
import secrets
import time
import uuid
import zlib
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from celosia import kernels
from celosia.base.findings import Finding
from celosia.measure.unhashing import Reversal, dates, dni, phones, reverse, unkeyed_hashes, whole_numbers
from celosia.measure.unhashing.candidates import Candidates

LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
DRAW = np.random.default_rng(11)
MANY = 10**5
"""The domain of the acceptance, shrunk from 10^8."""
PATIENT = 600.0
"""No limit of time: what is found must not depend on the machine."""


def dni_numbers(numbers: list[int]) -> list[str]:
    """Spell DNI numbers by the definition: the letter is the number modulo 23."""
    return [f"{number:08d}{LETTERS[number % 23]}" for number in numbers]


def hashed(algorithm: str, values: list[str], name: str = "x") -> pl.Series:
    """Digests in hex."""
    return pl.Series(name, [hashlib.new(algorithm, value.encode()).hexdigest() for value in values])


def attacked(column: pl.Series, n_numbers: int = MANY) -> Reversal:
    """The attack on a domain of that many DNI numbers."""
    shown = reverse(column, domains=[dni(n_numbers)], seconds=PATIENT)
    assert shown is not None
    return shown


def codes(findings: list[Finding]) -> list[str]:
    """The codes of findings."""
    return [finding.code for finding in findings]


def test_all_of_a_hundred_thousand_dni_are_found_without_a_key_and_none_with_one() -> None:
    people = dni_numbers(DRAW.permutation(MANY).tolist())
    plain = attacked(hashed("sha256", people))
    assert (plain.n_digests, plain.n_found) == (MANY, MANY)
    assert set(plain.values.values()) == set(people)
    assert plain.domain is not None
    assert plain.domain.kind == "dni"
    packed = Candidates.of([person.encode() for person in people])
    keyed = kernels.hmac_sha256(secrets.token_bytes(32), packed.data, packed.offsets)
    shown = attacked(pl.Series("x", [row.tobytes().hex() for row in keyed]))
    assert (shown.n_digests, shown.n_found, shown.n_tried, shown.domain) == (MANY, 0, MANY, None)
    assert shown.values == {}


def test_what_is_found_is_right_and_hidden() -> None:
    people = dni_numbers([7, 12345, 99999])
    column = hashed("sha256", people)
    shown = attacked(column)
    assert shown.values == dict(zip(column.to_list(), people, strict=True))
    for person in people:
        assert person not in repr(shown)
        assert person[:8] not in repr(shown)


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"])
@pytest.mark.parametrize(
    "spell", [bytes.hex, lambda raw: raw.hex().upper(), lambda raw: base64.b64encode(raw).decode()]
)
def test_every_algorithm_and_spelling(algorithm: str, spell: Callable[[bytes], str]) -> None:
    people = dni_numbers(DRAW.choice(10**4, 200, replace=False).tolist())
    column = pl.Series("x", [spell(hashlib.new(algorithm, person.encode()).digest()) for person in people])
    shown = attacked(column, 10**4)
    assert (shown.n_found, shown.n_digests) == (200, 200)
    assert set(shown.values.values()) == set(people)


def test_salted_digests_are_not_found() -> None:
    salt = os.urandom(16).hex()
    people = dni_numbers(list(range(300)))
    assert attacked(hashed("sha256", [salt + person for person in people])).n_found == 0
    each = [os.urandom(8).hex() + person for person in people]
    assert attacked(hashed("md5", each), 10**4).n_found == 0


DAYS = [f"{1 + n % 28:02d}/{1 + n % 12:02d}/{1950 + n % 60}" for n in range(400)]
USUAL = {
    "date": DAYS,
    "year": [str(year) for year in range(1950, 2010)],
    "postcode": [f"{number:05d}" for number in range(50001, 50021)] + [f"{number:05d}" for number in range(8001, 8041)],
    "number": [str(number) for number in range(1, 400)],
    "phone": [str(6 * 10**8 + number) for number in DRAW.choice(10**8, 30_000, replace=False).tolist()],
    "dni": dni_numbers(DRAW.choice(10**8, 30_000, replace=False).tolist()),
    "nie": [f"X{number:07d}{LETTERS[number % 23]}" for number in DRAW.choice(10**7, 30_000, replace=False).tolist()],
}


@pytest.mark.parametrize("kind", USUAL)
def test_the_usual_domains_are_recognised_among_all(kind: str) -> None:
    shown = reverse(hashed("sha256", USUAL[kind]), seconds=3.0)
    assert shown is not None
    assert shown.domain is not None
    assert shown.domain.kind == kind
    assert set(shown.values.values()) <= set(USUAL[kind])
    assert shown.n_found == len(shown.values) > 0
    if kind in ("date", "year", "postcode", "number"):
        assert shown.n_found == len(set(USUAL[kind]))


def test_the_header_says_what_is_tried_most() -> None:
    tried = dni(2 * 10**6)
    last = tried.spell(tried.places(1_900_000, 1_900_001)).values[0].decode()
    n_tried = {}
    for name in ("x", "dni_hash"):
        shown = reverse(hashed("sha256", [last], name), domains=[phones(6, weight=4), tried], seconds=PATIENT)
        assert shown is not None
        assert shown.n_found == 1
        n_tried[name] = shown.n_tried
    assert 3 * n_tried["dni_hash"] < n_tried["x"]


SPELT: dict[str, Callable[[list[int]], list[str]]] = {
    "dni": dni_numbers,
    "nif": lambda numbers: [f"{'XYZ'[n % 3]}{n // 10:07d}{LETTERS[(n // 10 + n % 3 * 10**7) % 23]}" for n in numbers],
    "telefono": lambda numbers: [str(6 * 10**8 + number) for number in numbers],
    "movil": lambda numbers: [f"+34{6 * 10**8 + number}" for number in numbers],
}


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256", "sha512"])
@pytest.mark.parametrize("name", SPELT)
def test_a_thousand_people_of_the_whole_domain(algorithm: str, name: str) -> None:
    people = SPELT[name](DRAW.choice(10**8, 1000, replace=False).tolist())
    # The first hit ends it. 2 million candidates of the right spelling miss a thousand people with probability 10^-9.
    shown = reverse(hashed(algorithm, people, name), seconds=60.0, after_proof=0.0)
    assert shown is not None
    assert 0 < shown.n_found < 1000
    assert set(shown.values.values()) <= set(people)
    assert shown.domain is not None
    assert shown.domain.kind == {"dni": "dni", "nif": "nie"}.get(name, "phone")
    assert shown.seconds < 60


def test_a_proof_ends_the_attack_soon_and_not_at_all_if_so_wished() -> None:
    people = dni_numbers(DRAW.choice(4 * 10**6, 2000, replace=False).tolist())
    column = hashed("md5", people)
    some = reverse(column, domains=[dni(4 * 10**6)], seconds=PATIENT, after_proof=0.0)
    every = reverse(column, domains=[dni(4 * 10**6)], seconds=PATIENT, after_proof=math.inf)
    assert some is not None
    assert every is not None
    assert 0 < some.n_found < every.n_found == 2000
    assert some.n_tried < 4 * 10**6


def test_small_domains_come_first_and_whole_and_a_hit_in_them_hides_nothing() -> None:
    large = dni(2 * 10**6)
    days = reverse(hashed("sha1", DAYS), domains=[large, *dates()], seconds=PATIENT)
    assert days is not None
    assert (days.n_found, days.n_digests) == (len(set(DAYS)), len(set(DAYS)))
    assert days.n_tried <= sum(domain.size for domain in dates())
    people = dni_numbers(DRAW.choice(2 * 10**6, 50, replace=False).tolist())
    shown = reverse(
        hashed("sha1", [*people, "0"]), domains=[whole_numbers(), large], seconds=PATIENT, after_proof=PATIENT
    )
    assert shown is not None
    assert (shown.n_found, shown.n_digests) == (51, 51)
    assert shown.domain is not None
    assert shown.domain.kind == "dni"


@pytest.mark.parametrize(
    "name", ["dni", "NIF", "nie_hash", "Teléfono", "tel_md5", "móvil", "fecha nacimiento", "correo"]
)
def test_a_header_that_names_a_small_kind_makes_it_a_warning(name: str) -> None:
    cells = [secrets.token_hex(16) for _ in range(50)]
    named, other = unkeyed_hashes(pl.DataFrame({name: cells, "code": cells[::-1]}), seconds=0.1)
    assert (named.code, named.severity, named.column) == ("LOOKS_HASHED", "warning", name)
    assert "whoever tries longer finds them" in named.message
    assert (other.code, other.severity, other.column) == ("LOOKS_HASHED", "note", "code")


def test_emails_of_a_roster_in_any_case() -> None:
    roster = [f"Persona.{number}@Unizar.es " for number in range(500)]
    sent = [entry.strip().lower() for entry in roster[:100]]
    frame = pl.DataFrame({"who": hashed("sha1", sent), "mark": range(100)})
    found = unkeyed_hashes(frame, roster=roster)
    assert codes(found) == ["UNKEYED_HASH"]
    assert "100 of 100" in found[0].message
    assert "roster" in found[0].message
    assert not any(entry in found[0].message for entry in [*sent, *roster])


def test_values_of_another_column_of_the_same_table() -> None:
    names = [f"Nombre{number} Apellido" for number in range(50)]
    frame = pl.DataFrame({"name": names, "code": hashed("md5", [name.upper() for name in names])})
    found = unkeyed_hashes(frame)
    assert codes(found) == ["UNKEYED_HASH"]
    assert found[0].column == "code"
    assert "of 'name': 50 of 50" in found[0].message
    assert "Apellido" not in found[0].message


def test_checksums_need_more_hits_than_chance_brings() -> None:
    people = dni_numbers(DRAW.choice(10**5, 2000, replace=False).tolist())
    sums = [zlib.crc32(person.encode()) for person in people]
    for column in (pl.Series("x", [f"{sum_:08x}" for sum_ in sums]), pl.Series("x", sums)):
        shown = attacked(column)
        assert shown.algorithm == "CRC32"
        assert shown.n_found == shown.n_digests
        assert len(set(shown.values.values()) & set(people)) > 0.99 * len(people)
    chance = DRAW.choice(2**32, 50_000, replace=False)
    shown = attacked(pl.Series("x", [f"{number:08x}" for number in chance]), 10**6)
    by_luck = set(chance.tolist()) & {zlib.crc32(person.encode()) for person in dni_numbers(list(range(10**6)))}
    assert len(by_luck) >= 3
    assert (shown.n_found, shown.domain, shown.values) == (0, None, {})


ORDINARY = {
    "git": [hashlib.sha1(os.urandom(20)).hexdigest() for _ in range(500)],
    "colours": [f"{number:06x}" for number in DRAW.integers(0, 2**24, 500)],
    "short git": [os.urandom(4).hex() for _ in range(500)],
    "uuid": [str(uuid.uuid4()) for _ in range(500)],
    "uuid hex": [uuid.uuid4().hex for _ in range(500)],
    "random": [secrets.token_hex(32) for _ in range(500)],
    "token": [secrets.token_urlsafe(32) for _ in range(500)],
    "ids": [f"{number:08d}" for number in DRAW.integers(0, 10**8, 500)],
    "numbers": DRAW.integers(0, 2**32, 500).tolist(),
    "floats": DRAW.random(500).tolist(),
}


def test_ordinary_columns_are_never_called_unkeyed() -> None:
    found = unkeyed_hashes(pl.DataFrame(ORDINARY), seconds=0.3)
    assert {finding.code for finding in found} == {"LOOKS_HASHED"}
    assert {finding.column for finding in found} == {"git", "random", "token"}
    assert all(finding.severity == "note" for finding in found)
    assert "proves nothing" in found[0].message


def test_the_time_is_bounded_for_a_column_and_for_all() -> None:
    columns = {f"c{number}": [secrets.token_hex(32) for _ in range(50)] for number in range(12)}
    shown = reverse(pl.Series("x", columns["c0"]), seconds=0.2)
    assert shown is not None
    assert 0.2 <= shown.seconds < 2
    started = time.perf_counter()
    found = unkeyed_hashes(pl.DataFrame(columns), seconds=0.5)
    assert time.perf_counter() - started < 5  # 1 s together; one by one it would be 6 s
    assert codes(found) == ["LOOKS_HASHED"] * 12


def test_an_exhausted_attack_gives_the_same_every_time() -> None:
    column = hashed("sha256", dni_numbers(list(range(0, 20_000, 3))))
    one, other = attacked(column, 10**4), attacked(column, 10**4)
    assert one.values == other.values
    assert (one.n_tried, one.n_found) == (other.n_tried, other.n_found) == (10**4, 3334)
