"""MD5, SHA-1 and SHA-512 of many rows, against the standard library."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries
from unit.kernels.kernel_bytes import packed

from celosia import kernels
from celosia.kernels import _kernels

KERNELS = {"md5": kernels.md5, "sha1": kernels.sha1, "sha512": kernels.sha512}
# Where the padding needs another block, and where a block is full, for blocks of 64 and of 128 bytes.
LENGTHS = [0, 1, 54, 55, 56, 57, 63, 64, 65, 110, 111, 112, 113, 119, 120, 127, 128, 129, 239, 240, 255, 256, 1000]


@pytest.fixture(params=_kernels.instruction_sets(), autouse=True)
def instruction_set(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each instruction set that this machine has."""
    _kernels.use_instruction_set(request.param)
    yield request.param
    _kernels.use_instruction_set(_kernels.instruction_sets()[-1])


def assert_right(name: str, rows: Sequence[bytes], threads: int = 0) -> None:
    """Compare every digest with the definition."""
    found = KERNELS[name](*packed(rows), threads)
    assert found.dtype == np.uint8
    assert found.shape == (len(rows), hashlib.new(name).digest_size)
    assert [row.tobytes() for row in found] == [hashlib.new(name, row).digest() for row in rows]


# Rows of one length come in runs, so that they are hashed side by side, and long ones among them break the runs.
ROWS = st.lists(
    st.one_of(
        st.lists(st.binary(max_size=30), min_size=8, max_size=20),
        st.lists(st.binary(max_size=300), max_size=3),
        st.lists(st.sampled_from([(bytes(range(256)) * 4)[:n] for n in LENGTHS]), max_size=10),
    ),
    max_size=4,
).map(lambda runs: [row for run in runs for row in run])


@pytest.mark.parametrize("name", KERNELS)
@tries(60)
@given(rows=ROWS)
def test_any_rows(name: str, rows: list[bytes]) -> None:
    assert_right(name, rows)


@pytest.mark.parametrize("name", KERNELS)
def test_every_length_up_to_three_blocks_alone_and_side_by_side(name: str) -> None:
    draw = np.random.default_rng(7)
    assert_right(name, [draw.bytes(n) for n in range(400)])
    assert_right(name, [draw.bytes(n // 8) for n in range(8 * 130)])


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_many_rows_on_several_threads(name: str, threads: int) -> None:
    assert_right(name, [str(number).encode() * (number % 13) for number in range(10_001)], threads)


@pytest.mark.parametrize("name", KERNELS)
def test_a_long_row(name: str) -> None:
    assert_right(name, [b"a" * 1_000_000, b"short"])


@pytest.mark.parametrize("name", KERNELS)
def test_calls_at_once_do_not_disturb_each_other(name: str) -> None:
    rows = [str(number).encode() for number in range(20_000)]
    expected, found = KERNELS[name](*packed(rows)), []
    callers = [
        threading.Thread(target=lambda: found.append(np.array_equal(KERNELS[name](*packed(rows), 1), expected)))
        for _ in range(4)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == [True] * 4


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("md5", "900150983cd24fb0d6963f7d28e17f72"),
        ("sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "sha512",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ),
    ],
)
def test_the_vectors_of_the_standards(name: str, expected: str) -> None:
    assert KERNELS[name](*packed([b"abc"]))[0].tobytes().hex() == expected


@pytest.mark.parametrize("name", KERNELS)
def test_no_rows_and_rows_in_the_middle_of_the_data(name: str) -> None:
    data = np.frombuffer(b"xxabcyy", dtype=np.uint8)
    assert KERNELS[name](data, np.array([3])).shape == (0, hashlib.new(name).digest_size)
    found = KERNELS[name](data, np.array([2, 2, 5]))
    assert [row.tobytes() for row in found] == [hashlib.new(name, row).digest() for row in (b"", b"abc")]


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("offsets", [[], [-1, 2], [0, 2, 1], [0, 7], [5, 7], [0, 2**62], [0, -(2**62)]])
def test_offsets_outside_of_the_data_are_refused(name: str, offsets: list[int]) -> None:
    data, places = np.frombuffer(b"secret", dtype=np.uint8), np.array(offsets, dtype=np.int64)
    with pytest.raises(ValueError, match="offsets") as refused:
        KERNELS[name](data, places)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("name", KERNELS)
def test_wrong_types_are_refused(name: str) -> None:
    data, offsets = packed([b"secret"])
    with pytest.raises(ValueError, match="threads is negative"):
        KERNELS[name](data, offsets, -1)
    for wrong_data, wrong_offsets in [(data.astype(np.int8), offsets), (data, offsets.astype(np.int32))]:
        with pytest.raises(TypeError):
            KERNELS[name](wrong_data, wrong_offsets)  # type: ignore[arg-type]
