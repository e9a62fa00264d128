"""Which columns look like digests, and what their bytes are."""

from __future__ import annotations

import base64
import hashlib
import uuid
import zlib
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.measure.unhashing.shapes import decoded, shape_of

WORDS = [f"word {number}".encode() for number in range(300)]
ALGORITHMS = {"MD5": "md5", "SHA-1": "sha1", "SHA-224": "sha224", "SHA-256": "sha256"}
ALGORITHMS |= {"SHA-384": "sha384", "SHA-512": "sha512"}
SPELLINGS: dict[str, Callable[[bytes], str]] = {
    "hex": lambda digest: digest.hex(),
    "upper": lambda digest: digest.hex().upper(),
    "named": lambda digest: "sha256:" + digest.hex(),
    "braces": lambda digest: "{SHA-1}" + digest.hex(),
    "0x": lambda digest: "0x" + digest.hex(),
    "blanks": lambda digest: f"  {digest.hex()} ",
    "base64": lambda digest: base64.b64encode(digest).decode(),
    "bare base64": lambda digest: base64.b64encode(digest).decode().rstrip("="),
    "url base64": lambda digest: base64.urlsafe_b64encode(digest).decode(),
    "named base64": lambda digest: "md5=" + base64.b64encode(digest).decode(),
}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_digests_of_every_algorithm_and_spelling(algorithm: str, spelling: str) -> None:
    digests = [hashlib.new(ALGORITHMS[algorithm], word).digest() for word in WORDS]
    column = pl.Series("x", [SPELLINGS[spelling](digest) for digest in digests])
    shape = shape_of(column)
    assert shape is not None
    assert shape.algorithm == algorithm
    cells, found = decoded(shape, column)
    assert len(cells) == len(found) == len(WORDS)
    assert {row.tobytes() for row in found} == set(digests)


@pytest.mark.parametrize("spell", [lambda sum_: f"{sum_:08x}", lambda sum_: f"0x{sum_:08X}", str, int])
def test_checksums_as_hex_as_text_and_as_numbers(spell: object) -> None:
    sums = [zlib.crc32(word) for word in WORDS]
    column = pl.Series("x", [spell(sum_) for sum_ in sums])  # type: ignore[operator]
    shape = shape_of(column)
    assert shape is not None
    assert shape.algorithm == "CRC32"
    assert {int.from_bytes(row.tobytes(), "big") for row in decoded(shape, column)[1]} == set(sums)


def test_some_cells_may_be_missing_or_something_else() -> None:
    digests: list[str | None] = [hashlib.sha256(word).hexdigest() for word in WORDS]
    shape = shape_of(pl.Series("x", [*digests, *[None] * 5000, "", "unknown", "n/a"]))
    assert shape is not None
    assert len(decoded(shape, pl.Series("x", [*digests, "unknown"]))[0]) == len(WORDS)
    assert shape_of(pl.Series("x", [*digests, *["unknown"] * 60])) is None
    few = pl.Series("x", [None] * 99_990 + digests[:10])
    assert shape_of(few) is not None


def test_cells_that_differ_in_case_are_one_digest() -> None:
    digest = hashlib.md5(b"a").hexdigest()
    column = pl.Series("x", [digest, digest.upper()])
    assert len(decoded(shape_of(column), column)[0]) == 1  # type: ignore[arg-type]


NUMBERS = np.random.default_rng(5)
ORDINARY = {
    "colours": [f"#{number:06x}" for number in NUMBERS.integers(0, 2**24, 300)],
    "colours without #": [f"{number:06x}" for number in NUMBERS.integers(0, 2**24, 300)],
    "uuids": [str(uuid.UUID(int=int(number), version=4)) for number in NUMBERS.integers(0, 2**62, 300)],
    "uuids without dashes": [uuid.UUID(bytes=NUMBERS.bytes(16), version=4).hex for _ in range(300)],
    "days": [f"2024{month:02d}{day:02d}" for month in range(1, 13) for day in range(1, 29)],
    "eight digits": [f"{number:08d}" for number in NUMBERS.integers(0, 10**8, 300)],
    "dni": [f"{number:08d}Z" for number in NUMBERS.integers(0, 10**8, 300)],
    "phones": [str(number) for number in NUMBERS.integers(6 * 10**8, 8 * 10**8, 300)],
    "ten digits": [str(number) for number in NUMBERS.integers(10**9, 12 * 10**8, 300)],
    "moments": list(range(1_700_000_000, 1_700_300_000, 1000)),
    "small numbers": list(range(300)),
    "many digits": ["1" * 32] * 300,
    "floats": [number / 7 for number in range(300)],
    "words": ["abracadabra and much more of it"] * 300,
    "long words": ["antidisestablishmentarianism"[:22]] * 300,
    "names of 22 letters": [f"Juan-Garcia_Martinez{number:02d}" for number in range(100)],
    "names of 27 letters": [f"AnaGarciaLopezMartinezRu{number:03d}" for number in range(300)],
    "random letters, 22": ["".join(NUMBERS.choice(list("ABCDEFabcdef0123"), 22)) for _ in range(300)],
    "nothing": [None] * 300,
    "empty": [""] * 300,
    "none at all": [],
    "booleans": [True, False] * 150,
}


@pytest.mark.parametrize("kind", ORDINARY)
def test_ordinary_columns_do_not_look_like_digests(kind: str) -> None:
    assert shape_of(pl.Series("x", ORDINARY[kind])) is None


@tries(200)
@given(st.lists(st.one_of(st.none(), st.text(max_size=70), st.sampled_from(["{md5}", "0x", "sha256:", "=" * 24]))))
def test_no_text_is_too_odd(cells: list[str | None]) -> None:
    column = pl.Series("x", cells, dtype=pl.String)
    shape = shape_of(column)
    if shape is not None:
        texts, digests = decoded(shape, column)
        assert len(texts) == len(digests)


def test_other_types_are_looked_at_or_left_alone() -> None:
    digests = [hashlib.sha256(word).hexdigest() for word in WORDS]
    assert shape_of(pl.Series("x", digests, dtype=pl.Categorical)) is not None
    assert shape_of(pl.Series("x", [digests])) is None
    assert shape_of(pl.Series("x", [b"abc"])) is None
    assert shape_of(pl.Series("x", [2**63, 5], dtype=pl.UInt64)) is None
