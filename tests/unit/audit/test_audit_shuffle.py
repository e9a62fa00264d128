"""The order of published rows must not tell the order of the originals, unless that is declared."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.audit import verify_columns

CLAIM = {
    "celosia": "claim",
    "version": 1,
    "models": [{"k_anonymity": {"k": 2}}],
    "columns": [{"name": "x", "role": "quasi_identifier", "kind": "number"}],
    "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
}


def shuffle_status(order: list[int], *, fast: bool = False, **options: Any) -> str:
    columns: Any = {"x": ["[1, 2]"] * len(order)}
    originals: Any = {"x": ["1"] * (max(order) + 1)}
    if fast:
        columns, originals = pl.DataFrame(columns), pl.DataFrame(originals)
    verdict = verify_columns(columns, CLAIM, original_columns=originals, order=order, **options)
    return next(check.status for check in verdict.checks if check.name == "shuffle")


KEPT = {
    "as it was": list(range(14)),
    "backwards": list(range(20))[::-1],
    "with rows left out": [3 * row for row in range(60)],
    "turned around a place": [*range(30, 60), *range(30)],
    "neighbours swapped": [row ^ 1 for row in range(200)],
    "blocks of classes in the order of the input": [row for start in range(4) for row in range(start, 100, 4)],
    "every second row shuffled": [row if row % 2 else (row * 37) % 400 for row in range(400)],
    "half sorted": [*random.Random(3).sample(range(200), 200), *range(200, 400)],
}


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("order", KEPT.values(), ids=KEPT)
def test_an_order_that_tells_is_refused(order, fast):
    if len(set(order)) < len(order):
        order = list(dict.fromkeys(order))
    assert shuffle_status(order, fast=fast) == "failed"
    assert shuffle_status(order, fast=fast, keeps_order=True) == "not applicable"


@given(st.integers(14, 300), st.integers(0, 2**31))
def test_a_shuffle_passes_and_both_paths_agree(n, seed):
    order = random.Random(seed).sample(range(2 * n), n)
    assert shuffle_status(order) == shuffle_status(order, fast=True) == "passed"


def test_few_rows_cannot_be_judged():
    assert shuffle_status(list(range(13))) == "not applicable"


def test_thousands_of_shuffles_of_every_small_size_never_fail():
    draw = random.Random(7)
    for n in range(14, 64):
        for _ in range(60):
            assert shuffle_status(draw.sample(range(n), n)) == "passed"
