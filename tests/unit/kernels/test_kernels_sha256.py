"""SHA-256 and HMAC-SHA-256 of many rows, against the standard library."""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from trying import tries
from unit.kernels.kernel_bytes import packed

from celosia import kernels
from celosia.kernels import _kernels

# Where the padding needs another block, and where a block is full.
LENGTHS = [0, 1, 31, 32, 33, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 127, 128, 129, 183, 184, 1000]


@pytest.fixture(params=_kernels.instruction_sets(), autouse=True)
def instruction_set(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each instruction set that this machine has."""
    _kernels.use_instruction_set(request.param)
    yield request.param
    _kernels.use_instruction_set(_kernels.instruction_sets()[-1])


def plain_sha256(rows: Sequence[bytes]) -> list[bytes]:
    """The definition."""
    return [hashlib.sha256(row).digest() for row in rows]


def plain_hmac(key: bytes, rows: Sequence[bytes]) -> list[bytes]:
    """The definition."""
    return [hmac.digest(key, row, "sha256") for row in rows]


def digests(found: NDArray[np.uint8]) -> list[bytes]:
    """The rows of what a kernel gave, as bytes."""
    assert found.dtype == np.uint8
    assert found.shape[1:] == (32,)
    return [row.tobytes() for row in found]


# Lengths near a block's end are common, not lucky.
ROWS = st.lists(
    st.one_of(st.binary(max_size=200), st.sampled_from([(bytes(range(256)) * 4)[:n] for n in LENGTHS])), max_size=20
)


@tries(100)
@given(rows=ROWS, key=st.binary(min_size=1, max_size=200))
def test_any_rows_and_any_key(rows: list[bytes], key: bytes) -> None:
    assert digests(kernels.sha256(*packed(rows))) == plain_sha256(rows)
    assert digests(kernels.hmac_sha256(key, *packed(rows))) == plain_hmac(key, rows)


def test_every_length_up_to_three_blocks() -> None:
    rows = [bytes(np.random.default_rng(n).integers(0, 256, n, dtype=np.uint8)) for n in range(200)]
    assert digests(kernels.sha256(*packed(rows))) == plain_sha256(rows)
    for n_key in (1, 63, 64, 65, 200):
        key = bytes(range(1, 201))[:n_key]
        assert digests(kernels.hmac_sha256(key, *packed(rows))) == plain_hmac(key, rows)


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_many_rows_on_several_threads(threads: int) -> None:
    rows = [str(number).encode() * (number % 13) for number in range(10_001)]
    assert digests(kernels.sha256(*packed(rows), threads)) == plain_sha256(rows)
    assert digests(kernels.hmac_sha256(b"k", *packed(rows), threads)) == plain_hmac(b"k", rows)


def test_calls_at_once_do_not_disturb_each_other() -> None:
    rows = [str(number).encode() for number in range(20_000)]
    expected, found = plain_hmac(b"key", rows), []
    callers = [
        threading.Thread(target=lambda: found.append(digests(kernels.hmac_sha256(b"key", *packed(rows))) == expected))
        for _ in range(4)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == [True] * 4


@pytest.mark.parametrize(
    ("key", "message", "expected"),
    [
        (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        (bytes(range(1, 26)), b"\xcd" * 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        (
            b"\xaa" * 131,
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
        (
            b"\xaa" * 131,
            b"This is a test using a larger than block-size key and a larger than block-size data. "
            b"The key needs to be hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
        ),
    ],
)
def test_the_vectors_of_rfc_4231(key: bytes, message: bytes, expected: str) -> None:
    assert kernels.hmac_sha256(key, *packed([message]))[0].tobytes().hex() == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
        (b"a" * 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ],
)
def test_the_vectors_of_fips_180(message: bytes, expected: str) -> None:
    assert kernels.sha256(*packed([message]))[0].tobytes().hex() == expected


def test_no_rows_and_rows_in_the_middle_of_the_data() -> None:
    data = np.frombuffer(b"xxabcyy", dtype=np.uint8)
    assert kernels.sha256(data, np.array([3])).shape == (0, 32)
    assert digests(kernels.sha256(data, np.array([2, 2, 5]))) == plain_sha256([b"", b"abc"])
    nothing = np.zeros(0, dtype=np.uint8)
    assert digests(kernels.hmac_sha256(b"k", nothing, np.zeros(3, dtype=np.int64))) == plain_hmac(b"k", [b"", b""])


@pytest.mark.parametrize("offsets", [[], [-1, 2], [0, 2, 1], [0, 7], [5, 7], [0, 2**62], [0, -(2**62)]])
def test_offsets_outside_of_the_data_are_refused(offsets: list[int]) -> None:
    data, places = np.frombuffer(b"secret", dtype=np.uint8), np.array(offsets, dtype=np.int64)
    with pytest.raises(ValueError, match="offsets") as plain:
        kernels.sha256(data, places)
    with pytest.raises(ValueError, match="offsets") as keyed:
        kernels.hmac_sha256(b"key", data, places)
    assert "secret" not in str(plain.value) + str(keyed.value)


def test_an_empty_key_and_wrong_types_are_refused() -> None:
    data, offsets = packed([b"secret"])
    with pytest.raises(ValueError, match="key is empty"):
        kernels.hmac_sha256(b"", data, offsets)
    with pytest.raises(ValueError, match="threads is negative"):
        kernels.sha256(data, offsets, -1)
    for wrong_data, wrong_offsets in [
        (data.astype(np.int8), offsets),
        (data, offsets.astype(np.int32)),
        (data[::2], offsets),
        (data.reshape(1, -1), offsets),
    ]:
        with pytest.raises(TypeError):
            kernels.sha256(wrong_data, wrong_offsets)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        kernels.hmac_sha256("key", data, offsets)  # type: ignore[arg-type]
