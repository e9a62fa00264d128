"""Row numbers and row order: what a file's order tells, and what it does not."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.measure.traps import Published
from celosia.measure.traps.kept_order import kept_order
from celosia.measure.traps.row_numbers import row_numbers
from celosia.measure.traps.row_order import is_sorted_by_what_shows, row_order, spearman

N = 400


def people(n_rows=N, seed=1) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": draw.choice(["20-29", "30-39", "40-49", "50-59"], n_rows),
            "town": draw.choice([f"town {letter}" for letter in "abcdefghijklmnopqrst"], n_rows),
            "income": draw.integers(900, 9000, n_rows),
            "illness": draw.choice(["flu", "cold", "asthma"], n_rows),
        }
    )


def codes(frame, **options) -> list[tuple[str, str | None]]:
    published = Published(frame, ["age", "town"], ["illness"], **options)
    return [(finding.code, finding.column) for finding in [*row_numbers(published), *row_order(published)]]


@pytest.mark.parametrize("seed", range(20))
def test_a_shuffled_table_tells_nothing(seed):
    assert codes(people(seed=seed)) == []


@pytest.mark.parametrize(
    "numbers",
    [
        range(N),
        range(1, N + 1),
        range(N, 0, -1),
        np.random.default_rng(1).permutation(N),
        np.random.default_rng(1).permutation(N + N // 5)[:N] + 1000,
    ],
    ids=["from 0", "from 1", "downwards", "shuffled", "with gaps"],
)
def test_running_numbers_are_found(numbers):
    frame = people().with_columns(n=pl.Series(list(numbers)))
    (found,) = row_numbers(Published(frame))
    assert (found.code, found.severity, found.column, found.n_rows) == ("ROW_NUMBERS", "warning", "n", N)
    is_in_order = bool(frame["n"].is_sorted() or frame["n"].is_sorted(descending=True))
    assert ("in another order" in found.message) is not is_in_order
    assert row_numbers(Published(frame.cast({"n": pl.String})))[0].message == found.message
    assert row_numbers(Published(frame, identifiers=["n"])) == []


@pytest.mark.parametrize(
    "numbers",
    [
        [2018, 2019, 2020, 2021, 2022],
        list(range(1900, 1990)),
        [30, 31, 32, 33, 34, 35],
        [1, 2, 3, 4],
        [1, 2, 3, 3, 4, 5],
        [1, 2, 3, 4, None],
        list(range(0, 400, 2)),
        ["1", "2", "3", "4", "five"],
        [],
    ],
)
def test_other_numbers_are_none(numbers):
    assert row_numbers(Published(pl.DataFrame({"x": numbers}))) == []


def test_an_index_that_pandas_stored_counts_whatever_its_gaps():
    for name in ("__index_level_0__", "Unnamed: 0"):
        assert len(row_numbers(Published(pl.DataFrame({name: [3, 90, 12, 700, 41]})))) == 1
    assert row_numbers(Published(pl.DataFrame({"index": [3, 90, 12, 700, 41]}))) == []


def test_rows_in_blocks_are_found_unless_all_that_shows_sorts_them():
    frame = people()
    assert codes(frame.sort("age", maintain_order=True)) == [("ROW_ORDER", "age")]
    assert codes(frame.sort("age", descending=True, maintain_order=True)) == [("ROW_ORDER", "age")]
    for columns in (frame.columns, frame.columns[::-1], ["town", "age", "illness", "income"]):
        assert codes(frame.sort(columns)) == []
        assert codes(frame.sort(columns, descending=True)) == []


def test_the_order_of_a_value_before_it_was_made_coarser_is_found():
    draw = np.random.default_rng(4)
    years = draw.integers(20, 60, N)
    frame = people().with_columns(years=years).sort("years", maintain_order=True)
    coarse = frame.with_columns(age=(pl.col("years") // 10 * 10).cast(pl.String)).drop("years")
    assert codes(coarse) == [("ROW_ORDER", "age")]


def test_classes_that_stand_in_blocks_are_found():
    frame = people()
    block = frame.group_by("age", "town", maintain_order=True).agg(pl.all()).explode("income", "illness")
    assert codes(block) == [("ROW_ORDER", None)]


def test_a_column_that_rises_is_found():
    draw = np.random.default_rng(9)
    frame = people().with_columns(year=pl.Series(np.arange(N) // 4 + draw.integers(0, 40, N)))
    assert codes(frame) == [("ROW_ORDER", "year")]


def test_pseudonyms_explain_no_order():
    pseudonyms = [f"{(7919 * row) % 100_000:05d}" for row in range(N)]
    assert codes(people().sort("age", maintain_order=True).with_columns(code=pl.Series(pseudonyms))) == [
        ("ROW_ORDER", "age")
    ]


def test_an_order_that_people_know_is_an_order():
    frame = people().with_columns(level=pl.Series(np.random.default_rng(3).choice(["low", "medium", "high"], N)))
    frame = frame.sort(pl.col("level").cast(pl.Enum(["low", "medium", "high"])), "town", "age", "income", "illness")
    assert codes(frame) == []
    accents = people().with_columns(pl.col("town").str.replace("town", "").str.strip_chars())
    accents = accents.with_columns(pl.col("town").replace({"b": "á"})).sort(
        pl.col("town").replace({"á": "a"}), "age", "income", "illness", maintain_order=True
    )
    assert is_sorted_by_what_shows(Published(accents.filter(pl.col("town") != "a")))


@pytest.mark.parametrize("frame", [people(3), people(0), people(30).with_columns(age=pl.lit("x"), town=pl.lit(None))])
def test_little_or_nothing_to_see(frame):
    assert codes(frame) == []


@tries(60)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=40))
def test_spearman_is_pearson_of_mean_ranks(pairs):
    left, right = (np.array(side) for side in zip(*pairs, strict=True))

    def mean_ranks(numbers):
        return np.array([(numbers < own).sum() + ((numbers == own).sum() + 1) / 2 for own in numbers])

    a, b = mean_ranks(left), mean_ranks(right)
    expected = 0.0 if a.std() == 0 or b.std() == 0 else float(np.corrcoef(a, b)[0, 1])
    assert spearman(left, right) == pytest.approx(expected, abs=1e-9)


@tries(80)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=14))
def test_small_tables_are_sorted_just_if_some_order_of_columns_and_directions_sorts_them(cells):
    from itertools import permutations, product

    frame = pl.DataFrame(cells, schema=["a", "b", "c"], orient="row")
    expected = any(
        cells == sorted(cells, key=lambda row, p=places, s=signs: [s[at] * row[at] for at in p])
        for places in permutations(range(3))
        for signs in product((1, -1), repeat=3)
    )
    assert is_sorted_by_what_shows(Published(frame)) or not expected


def original(n_rows=N) -> pl.DataFrame:
    draw = np.random.default_rng(6)
    return people(n_rows).with_columns(
        age=pl.Series(draw.integers(20, 60, n_rows)), code=pl.Series(draw.permutation(n_rows) * 7 + 3)
    )


def release(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(age=pl.lit("20-59"), town=pl.lit("*"))


def judged(published: pl.DataFrame, before: pl.DataFrame) -> list[str]:
    return [finding.code for finding in kept_order(Published(published, ["age", "town"]), before)]


@pytest.mark.parametrize("n_rows", [8, 17, 18, N])
def test_the_order_of_the_original_is_found(n_rows):
    before = original(n_rows)
    assert judged(release(before), before) == ["ROW_ORDER_KEPT"]
    assert judged(release(before).reverse(), before) == ["ROW_ORDER_KEPT"]


def test_the_order_is_found_where_rows_are_gone():
    before = original()
    kept = release(before)[[row for row in range(N) if row % 5]]
    (found,) = kept_order(Published(kept, ["age", "town"]), before)
    assert found.n_rows == len(kept)


@pytest.mark.parametrize("seed", range(20))
def test_a_shuffle_is_not_taken_for_the_order(seed):
    before = original()
    assert judged(release(before).sample(fraction=1, shuffle=True, seed=seed), before) == []


def test_a_sort_by_what_is_published_tells_nothing_of_the_original():
    before = original().sort("code")
    assert judged(release(before).sort("code"), before) == []


def test_equal_rows_are_compared_place_by_place():
    before = people().select("age", "illness").with_columns(visits=pl.Series([row % 7 % 3 for row in range(N)]))
    kept = before.with_columns(age=pl.lit("*"))
    assert judged_by(kept, before) == ["ROW_ORDER_KEPT"]
    assert judged_by(kept.reverse(), before) == ["ROW_ORDER_KEPT"]
    shuffled = [judged_by(kept.sample(fraction=1, shuffle=True, seed=seed), before) for seed in range(20)]
    assert set(map(tuple, shuffled)) == {("ROW_ORDER_NOT_JUDGED",)}


def judged_by(published: pl.DataFrame, before: pl.DataFrame) -> list[str]:
    return [finding.code for finding in kept_order(Published(published, ["age"]), before)]


def test_what_cannot_be_judged_is_said():
    before = people().select("age", "town")
    after = before.with_columns(age=pl.lit("*"), town=pl.lit("*")).with_columns(
        x=pl.Series([n * n % 97 for n in range(N)])
    )
    (found,) = kept_order(Published(after, ["age", "town"]), before)
    assert (found.code, found.severity, found.n_rows) == ("ROW_ORDER_NOT_JUDGED", "note", 0)
    (found,) = kept_order(Published(after.select("x")), before)
    assert found.code == "ROW_ORDER_NOT_JUDGED"
