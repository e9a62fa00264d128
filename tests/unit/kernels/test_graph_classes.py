"""The kernel that compares vertices."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import kernels

Rows = tuple[np.ndarray, np.ndarray, np.ndarray | None]


def rows_of(lists: list[list[tuple[int, int]]]) -> Rows:
    """Rows of (neighbour, entry)."""
    starts = np.cumsum([0] + [len(own) for own in lists])
    flat = [pair for own in lists for pair in sorted(own)]
    indices = np.array([neighbour for neighbour, _ in flat], dtype=np.int32)
    return starts, indices, np.array([entry for _, entry in flat], dtype=np.int64)


@st.composite
def looks(draw: st.DrawFn) -> dict[str, Any]:
    n = draw(st.integers(0, 9))
    n_kinds = draw(st.integers(0, 2))
    neighbours = st.integers(0, max(n - 1, 0))
    entries = st.sampled_from([1, 2, -(2**62)])
    kinds = [
        [sorted(draw(st.dictionaries(neighbours, entries, max_size=3 if n else 0)).items()) for _ in range(n)]
        for _ in range(n_kinds)
    ]
    colour = st.lists(st.sampled_from([0, 1, -5, 2**31 - 1]), min_size=n, max_size=n)
    return {
        "n": n,
        "kinds": kinds,
        "colours": draw(st.none() | colour),
        "before": draw(st.none() | colour),
    }


def numbered(keys: list[Any]) -> list[int]:
    number: dict[Any, int] = {}
    return [number.setdefault(key, len(number)) for key in keys]


def codes(given: list[int] | None) -> np.ndarray | None:
    return None if given is None else np.array(given, dtype=np.int32)


@tries(300)
@given(look=looks(), seed=st.integers(0, 2**64 - 1), threads=st.integers(0, 3), hash_bits=st.sampled_from([0, 1, 64]))
def test_against_the_definition(look: dict[str, Any], seed: int, threads: int, hash_bits: int) -> None:
    colours, before = look["colours"], look["before"]

    def key(v: int) -> Any:
        seen = [
            frozenset(Counter((u if colours is None else colours[u], entry) for u, entry in kind[v]).items())
            for kind in look["kinds"]
        ]
        return None if before is None else before[v], tuple(seen)

    labels = kernels.graph_classes(
        [rows_of(kind) for kind in look["kinds"]],
        look["n"],
        codes(colours),
        codes(before),
        seed,
        None,
        threads,
        hash_bits=hash_bits,
    )
    assert labels.dtype == np.int32
    assert labels.tolist() == numbered([key(v) for v in range(look["n"])])


def test_many_vertices_on_any_number_of_threads() -> None:
    draw = np.random.default_rng(1)
    n, degree = 50_000, 3
    indices = np.sort(draw.integers(0, 12, (n, degree)), axis=1).astype(np.int32)
    starts = np.arange(n + 1) * degree
    expected = numbered([tuple(row) for row in indices.tolist()])
    for threads in (1, 2, 5):
        for hash_bits in (4, 64):
            found = kernels.graph_classes(
                [(starts, indices.ravel(), None)], n, None, None, 7, None, threads, hash_bits=hash_bits
            )
            assert found.tolist() == expected


def test_wrong_input() -> None:
    starts, indices = np.array([0, 1, 2]), np.array([1, 0], dtype=np.int32)

    def run(starts: Any = starts, indices: Any = indices, entries: Any = None, **options: Any) -> Any:
        given: dict[str, Any] = {"n_vertices": 2, "colours": None, "before": None, "seed": 1} | options
        return kernels.graph_classes([(starts, indices, entries)], **given)

    assert run().tolist() == [0, 1]
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"starts": np.array([0, 1])}, "starts has 2 entries"),
        ({"starts": np.array([0, 2, 1])}, "starts must"),
        ({"starts": np.array([1, 1, 2])}, "starts must"),
        ({"indices": np.array([2, 0], dtype=np.int32), "colours": indices}, "no vertex"),
        ({"indices": np.array([-1, 0], dtype=np.int32), "colours": indices}, "no vertex"),
        ({"entries": np.array([1])}, "entries has 1"),
        ({"colours": indices[:1]}, "colours has 1"),
        ({"before": indices[:1]}, "before has 1"),
        ({"n_vertices": -1}, "n_vertices"),
        ({"hash_bits": -1}, "hash_bits"),
        ({"threads": -1}, "threads"),
    ]
    for options, message in wrong:
        with pytest.raises(ValueError, match=message):
            run(**options)
    with pytest.raises(TypeError):
        run(indices=indices.astype(np.int64))


def test_a_stopped_pulse_ends_it() -> None:
    pulse = kernels.Pulse()
    pulse.stop()
    with pytest.raises(kernels.Interrupted):
        kernels.graph_classes([], 5, None, None, 1, pulse)


def test_other_threads_go_on_meanwhile() -> None:
    n = 300_000
    indices = np.random.default_rng(2).integers(0, n, 10 * n).astype(np.int32)
    rows = (np.arange(n + 1) * 10, indices, None)
    ended = threading.Event()
    worker = threading.Thread(
        target=lambda: (kernels.graph_classes([rows], n, indices[:n], None, 1, None, 1), ended.set())
    )
    worker.start()
    n_turns = 0
    while not ended.is_set():
        n_turns += 1
    worker.join()
    assert n_turns > 10
