"""Rank swapping: the bound on ranks, pairs and multisets by plain definitions."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.chance import Randomness
from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.masks.base import Mask, sheet_of
from celosia.masks.rank_swap import RankSwap, _block_sizes, _paired


def masked(mask, frame, seed=1, **options):
    return mask.mask(sheet_of(frame, Randomness(seed=seed), **options))


def codes_found(sheet):
    return [finding.code for finding in sheet.findings]


@given(n=st.integers(2, 80), most=st.integers(2, 90), seed=st.integers(0, 99))
def test_blocks(n, most, seed):
    sizes = _block_sizes(Randomness(seed), n, most).tolist()
    assert sum(sizes) == n
    assert max(sizes) <= most
    assert n <= most or min(sizes) >= most // 2


@given(n=st.integers(0, 80), reach=st.integers(0, 90), seed=st.integers(0, 99))
def test_pairs(n, reach, seed):
    partners = _paired(Randomness(seed), n, reach).tolist()
    assert all(partners[partners[rank]] == rank for rank in range(n))
    assert all(abs(partners[rank] - rank) <= reach for rank in range(n))
    n_blocks = len(_block_sizes(Randomness(seed), n, reach + 1)) if reach and n > 1 else n
    assert sum(partners[rank] == rank for rank in range(n)) <= n_blocks


def test_all_pairings_of_a_block_are_equally_likely():
    randomness = Randomness(seed=2)
    drawn = Counter(tuple(_paired(randomness, 4, 3).tolist()) for _ in range(900))
    assert set(drawn) == {(1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)}
    assert sum((count - 300) ** 2 / 300 for count in drawn.values()) < 18.4  # the 0.9999 quantile of 2 degrees
    odd = Counter(tuple(_paired(randomness, 3, 2).tolist()) for _ in range(900))
    assert set(odd) == {(1, 0, 2), (2, 1, 0), (0, 2, 1)}
    assert sum((count - 300) ** 2 / 300 for count in odd.values()) < 18.4


def test_the_borders_of_blocks_are_drawn():
    """Every two neighbours are partners in some draw: no border is in the same place always."""
    randomness = Randomness(seed=3)
    met = set()
    for _ in range(400):
        met |= set(enumerate(_paired(randomness, 30, 4).tolist()))
    assert all((rank, rank + 1) in met for rank in range(29))
    assert all((rank, rank + 4) in met for rank in range(5, 21))


def nearest_ranks(values, one, other):
    """How far two values are in rank, at least, however equal values are ordered."""
    ranks = {value: [i for i, v in enumerate(sorted(values)) if v == value] for value in (one, other)}
    return min(abs(a - b) for a in ranks[one] for b in ranks[other])


@given(
    cells=st.lists(st.one_of(st.none(), st.integers(-20, 20)), min_size=2, max_size=40),
    percent=st.integers(1, 100),
    as_days=st.booleans(),
    seed=st.integers(0, 99),
)
def test_ranks_differ_by_the_window_at_most(cells, percent, as_days, seed):
    frame = pl.DataFrame({"a": pl.Series(cells, dtype=pl.Int64), "row": range(len(cells))})
    if as_days:
        frame = frame.with_columns(pl.lit(date(2020, 1, 1)) + pl.duration(days=pl.col("a")))
        frame = frame.rename({"literal": "b"}).select(pl.col("b").alias("a"), "row")
    known = frame["a"].drop_nulls().to_list()
    reach = Fraction(percent, 100) * len(known)
    mask = RankSwap("a", window=percent / 100)
    if len(set(known)) < 2 or reach < 1:
        with pytest.raises(InputError):
            masked(mask, frame)
        return
    try:
        made = masked(mask, frame, seed).frame
    except InputError as error:
        # Ties can leave no two different values in one block.
        if reach >= len(known) - 1 or not error.message.startswith("SWAP_NO_EFFECT"):
            raise
        return
    assert sorted(made["a"].drop_nulls()) == sorted(known)
    assert made["a"].is_null().equals(frame["a"].is_null())
    assert made["row"].equals(frame["row"])
    for one, other in zip(frame["a"], made["a"], strict=True):
        assert one is None or nearest_ranks(known, one, other) <= reach


def test_each_row_is_exchanged_once_at_most():
    frame = pl.DataFrame({"a": Randomness(4).permutation(1000), "row": range(1000)})
    made = masked(RankSwap("a"), frame).frame["a"].to_numpy()
    true = frame["a"].to_numpy()
    owner = np.argsort(true)
    assert (np.abs(made - true) <= 50).all()
    assert (made[owner[made]] == true).all()
    moved = np.abs(made - true)
    assert (moved == 0).mean() < 0.05
    assert 12 < moved.mean() < 18  # about a third of the window of 50 ranks, a bit less at the ends


def test_the_window_is_taken_at_its_word():
    """0.29 of 100 rows are 29 ranks, though 0.29 * 100 is below 29 in floating point."""
    assert RankSwap("a", window=0.29)._reach(pl.Series(range(100))) == 29


def test_text_is_ranked_as_numbers_or_dates_and_keeps_its_spelling():
    numbers = pl.DataFrame({"a": ["9", "10", "8,5", "011", None], "row": range(5)})
    days = pl.DataFrame({"a": ["2/1/2020", "01/02/2020", "31/12/2019", "2020-03-01"], "row": range(4)})
    for frame, order, decimal in (
        (numbers, ["8,5", "9", "10", "011"], ","),
        (days, ["31/12/2019", "2/1/2020", "01/02/2020", "2020-03-01"], "."),
    ):
        for seed in range(20):
            made = masked(RankSwap("a", window=0.25), frame, seed, decimal=decimal).frame["a"].to_list()
            assert sorted(filter(None, made)) == sorted(order)
            for one, other in zip(frame["a"], made, strict=True):
                assert one is other is None or abs(order.index(one) - order.index(other)) <= 1


def test_every_type_that_has_an_order():
    start = datetime(2020, 1, 1, 8)
    frame = pl.DataFrame(
        {
            "small": pl.Series(range(12), dtype=pl.UInt8),
            "float": [row / 4 for row in range(12)],
            "day": [(start + timedelta(days=row)).date() for row in range(12)],
            "moment": [start + timedelta(hours=row) for row in range(12)],
            "time": [(start + timedelta(hours=row)).time() for row in range(12)],
            "price": pl.Series([row / 4 for row in range(12)], dtype=pl.Decimal(10, 2)),
            "row": range(12),
        }
    )
    columns = frame.columns[:-1]
    made = masked(RankSwap(columns=columns, window=0.25), frame).frame
    assert made.schema == frame.schema
    for name in columns:
        places = [frame[name].to_list().index(value) for value in made[name]]
        assert sorted(places) == list(range(12))
        assert max(abs(place - row) for row, place in enumerate(places)) <= 3
    assert made["small"].to_list() != made["float"].to_list()


def test_findings():
    frame = pl.DataFrame({"a": range(40), "row": range(40)})
    [kept] = masked(RankSwap("a", window=0.5), frame, k=5).findings
    assert (kept.code, kept.severity) == ("SWAP_FIXED_POINTS", "note")
    found = masked(RankSwap("a", window=0.1), frame, k=5).findings
    assert [finding.code for finding in found] == ["SWAP_FIXED_POINTS", "RANK_SWAP_NARROW"]
    assert (found[1].severity, found[1].values) == ("warning", {"count": 4, "k": 5})
    ties = pl.DataFrame({"a": [0] * 60 + [1] * 40, "row": range(100)})
    assert masked(RankSwap("a", window=0.9), ties).findings[0].severity in ("note", "warning")


def test_what_it_says_of_itself():
    made = masked(RankSwap(columns=["a", "b"], window=0.5), pl.DataFrame({"a": range(8), "b": range(8), "c": range(8)}))
    assert [(change.column, change.verb) for change in made.changes] == [("a", "moved"), ("b", "moved")]


@pytest.mark.parametrize(
    ("frame", "window", "words"),
    [
        ({"a": [1, 1, 1], "b": [1, 2, 3]}, 1, "SWAP_NO_EFFECT"),
        ({"a": [1, 2, 3]}, 1, "SWAP_NO_EFFECT"),
        ({"a": [1], "b": [1]}, 1, "SWAP_NO_EFFECT"),
        ({"a": [None, None], "b": [1, 2]}, 1, "SWAP_NO_EFFECT"),
        ({"a": [1, 2, 3], "b": [1, 2, 3]}, 0.3, "reaches no other row"),
        ({"a": ["1", "CANARY", "CANARY"], "b": [1, 2, 3]}, 1, "3 of its 3 cells"),
        ({"a": ["2020-01-01", "CANARY", "x"], "b": [1, 2, 3]}, 1, "2 of its 3 cells"),
        ({"a": [True, False, True], "b": [1, 2, 3]}, 1, "holds Boolean"),
    ],
)
def test_columns_that_cannot_be_swapped(frame, window, words):
    with pytest.raises(InputError, match=words) as caught:
        masked(RankSwap("a", window=window), pl.DataFrame(frame))
    assert "CANARY" not in str(caught.value)
    assert caught.value.hint


def test_a_column_that_is_not_there():
    with pytest.raises(ColumnNotFoundError):
        RankSwap("b").apply(pl.DataFrame({"a": [1, 2]}))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"column": "a", "columns": ["a"]},
        {"column": "a", "window": 0},
        {"column": "a", "window": 1.1},
        {"column": "a", "window": -0.1},
        {"column": "a", "window": "5 %"},
        {"column": "a", "window": float("nan")},
        {"column": "a", "window": True},
    ],
)
def test_wrong_options(options):
    with pytest.raises(OptionError):
        RankSwap(**options)


@pytest.mark.parametrize("plain", [{"columns": ["a"]}, {"columns": ["a", "b"], "window": 0.2}])
def test_options_as_in_a_plan_file(plain):
    mask = RankSwap(**plain)
    assert isinstance(mask, Mask)
    assert mask.to_dict() == plain
    assert RankSwap(**mask.to_dict()) == mask
    assert hash(RankSwap(**mask.to_dict())) == hash(mask)
    assert mask.uses == tuple(plain["columns"])
