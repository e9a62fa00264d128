from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import factorial

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.measure.risk.suda import suda

cells = st.one_of(st.none(), st.integers(0, 2))


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    names = "abcde"[: draw(st.integers(1, 5))]
    n_rows = draw(st.integers(0, 12))
    columns = {name: draw(st.lists(cells, min_size=n_rows, max_size=n_rows)) for name in names}
    return pl.DataFrame(columns, schema=dict.fromkeys(names, pl.Int64))


def table_of(frame: pl.DataFrame, subject: str | None = None, **kinds: str) -> cl.Table:
    names = [name for name in frame.columns if name != subject]
    known = {name: kinds.get(name, "number") for name in names}
    return cl.Table(frame, cl.Schema(quasi_identifiers=known, subject=subject))


def minimal_uniques(frame: pl.DataFrame, people: list[int]) -> list[list[tuple[str, ...]]]:
    """Return each row's MSUs by the definition: a missing cell is in none, and only other people count against it."""
    found = []
    for row, who in enumerate(people):
        unique = []
        for size in range(1, frame.width + 1):
            for chosen in combinations(frame.columns, size):
                values = frame.select(chosen).rows()
                others = [one for one, other in zip(values, people, strict=True) if other != who]
                if None not in values[row] and values[row] not in others:
                    unique.append(chosen)
        found.append([one for one in unique if not any(set(other) < set(one) for other in unique)])
    return found


@tries(100)
@given(frames(), st.data())
def test_against_the_definition(frame, data):
    people = data.draw(st.lists(st.integers(0, 5), min_size=frame.height, max_size=frame.height))
    is_about_people = data.draw(st.booleans())
    if is_about_people:
        table = table_of(frame.with_columns(pl.Series("who", people, dtype=pl.Int64)), subject="who")
    else:
        table, people = table_of(frame), list(range(frame.height))
    sets = minimal_uniques(frame, people)
    found = suda(table)
    weigh = {one: factorial(frame.width - len(one)) for own in sets for one in own}
    assert found.max_size == frame.width
    assert found.scores.tolist() == [sum(weigh[one] for one in own) for own in sets]
    every = [one for own in sets for one in own]
    assert found.n_minimal_uniques == {
        size: sum(len(one) == size for one in every) for size in range(1, frame.width + 1)
    }
    assert found.n_rows_unique == sum(bool(own) for own in sets)
    assert found.n_rows_special == sum(any(len(one) < frame.width for one in own) for own in sets)
    total = sum(weigh[one] for one in every)
    for name in frame.columns:
        share = sum(weigh[one] for one in every if name in one) / total if total else None
        assert found.contributions[name] == (share if share is None else pytest.approx(share))
    for size in range(1, frame.width + 1):
        part = suda(table, size)
        assert part.scores.tolist() == [sum(weigh[one] for one in own if len(one) <= size) for own in sets]


def test_the_example_that_sdcmicro_tests():
    found = suda(table_of(pl.DataFrame({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]})))
    assert found.contributions == {"a": 0.5, "b": 0.375, "c": 0.375}


def test_one_column_and_two():
    assert suda(table_of(pl.DataFrame({"a": [1, 1, 2]}))).scores.tolist() == [0, 0, 1]
    two = suda(table_of(pl.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 2]})))
    assert (two.scores.tolist(), two.n_minimal_uniques) == ([1, 1, 1, 1], {1: 0, 2: 4})
    assert (two.n_rows_unique, two.n_rows_special) == (4, 0)


def test_a_missing_cell_is_in_no_unique_set_and_hides_nobody():
    found = suda(table_of(pl.DataFrame({"a": [1, None, None], "b": [5, 5, 5]})))
    assert found.scores.tolist() == [1, 0, 0]
    assert found.n_minimal_uniques == {1: 1, 2: 0}


def test_dis_is_the_formula_in_exact_numbers():
    frame = pl.DataFrame({"a": [1, 2, 3, 3, 4, 4, 5, 5, 5]})  # two alone, two pairs
    expected = Fraction(2) * Fraction(1, 10) / (2 * Fraction(1, 10) + 2 * 2 * Fraction(9, 10))
    found = suda(table_of(frame), sampling_fraction=0.1)
    assert (found.dis, found.sampling_fraction) == (float(expected), 0.1)
    assert suda(table_of(frame), sampling_fraction="1").dis == 1.0
    assert suda(table_of(frame)).dis is None
    assert suda(table_of(pl.DataFrame({"a": [5, 5, 5]})), sampling_fraction=0.1).dis is None
    assert suda(table_of(pl.DataFrame({"a": [5, 5]})), sampling_fraction=0.1).dis == 0.0
    assert suda(table_of(pl.DataFrame({"a": [5, 5]})), sampling_fraction=1).dis is None


def test_dis_counts_people():
    frame = pl.DataFrame({"a": [1, 1, 2, 2], "who": ["x", "x", "y", "z"]})
    found = suda(table_of(frame, subject="who"), sampling_fraction="0.5")
    assert found.dis == pytest.approx(1 / 3)  # x is alone, y and z are a pair


def test_other_columns_may_be_looked_at():
    frame = pl.DataFrame({"a": [1, 1, 2, 2], "town": ["Lugo", "Lugo ", "Soria", None]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"a": "number"}, insensitive=["town"]))
    assert suda(table).scores.tolist() == [0, 0, 0, 0]
    found = suda(table, columns=["a", "town"])
    assert (found.scores.tolist(), list(found.contributions)) == ([0, 0, 1, 0], ["a", "town"])
    assert suda(table, columns="town").contributions == {"town": 1.0}


def test_an_empty_table():
    found = suda(table_of(pl.DataFrame({"a": []}, schema={"a": pl.Int64})), sampling_fraction=0.5)
    assert (len(found.scores), found.dis, found.contributions) == (0, None, {"a": None})


def test_many_columns_are_searched_up_to_three_unless_told():
    draw = np.random.default_rng(1)
    frame = pl.DataFrame({f"c{i}": draw.integers(0, 4, 200) for i in range(64)})
    found = suda(table_of(frame.select(frame.columns[:13])))
    assert found.max_size == 3
    assert suda(table_of(frame.select(frame.columns[:12]))).max_size == 12
    widest = suda(table_of(frame), 2)
    assert np.isfinite(widest.scores).all()
    assert set(widest.n_minimal_uniques) == {1, 2}


def test_to_dict_has_figures_and_no_row():
    found = suda(table_of(pl.DataFrame({"a": [1, 1, 2]})), sampling_fraction=0.1).to_dict()
    assert found == {
        "n_rows": 3,
        "n_rows_unique": 1,
        "n_rows_special": 0,
        "n_minimal_uniques": {"1": 1},
        "contributions": {"a": 1.0},
        "dis": pytest.approx(0.1 / (0.1 + 2 * 0.9)),
        "sampling_fraction": 0.1,
        "max_size": 1,
    }


def test_progress_is_shown():
    class Heard:
        def __init__(self) -> None:
            self.stages: list[str] = []
            self.shares: list[float] = []

        def stage(self, name: str) -> None:
            self.stages.append(name)

        def advance(self, share: float) -> None:
            self.shares.append(share)

        def found(self, loss: float) -> None: ...

    heard = Heard()
    suda(table_of(pl.DataFrame({"a": [1, 1, 2]})), progress=heard)
    assert (heard.stages, heard.shares[-1]) == (["suda"], 1.0)


@pytest.mark.parametrize("max_size", [0, 3, -1, 1.5, "2", True])
def test_max_size_is_a_number_of_columns(max_size):
    with pytest.raises(cl.OptionError, match="from 1 to 2"):
        suda(table_of(pl.DataFrame({"a": [1], "b": [1]})), max_size)


@pytest.mark.parametrize("fraction", [0, 1.1, -0.5, "much"])
def test_a_sampling_fraction_is_a_share(fraction):
    with pytest.raises(cl.OptionError, match="sampling_fraction"):
        suda(table_of(pl.DataFrame({"a": [1]})), sampling_fraction=fraction)


def test_other_wrong_input():
    table = table_of(pl.DataFrame({"a": [1], "b": [2]}))
    with pytest.raises(cl.InputError, match="needs a Table"):
        suda(cl.Classes([0]))
    with pytest.raises(cl.ColumnNotFoundError, match="'c' is not a column"):
        suda(table, columns=["c"])
    for columns in ([], ["a", "a"]):
        with pytest.raises(cl.OptionError, match="1 to 64 columns"):
            suda(table, columns=columns)
    with pytest.raises(cl.OptionError, match="1 to 64 columns"):
        suda(cl.Table(pl.DataFrame({"a": [1]}), cl.Schema(insensitive=["a"])))
    wide = pl.DataFrame({f"c{i}": [1] for i in range(65)})
    with pytest.raises(cl.OptionError, match="got 65"):
        suda(table_of(wide))
