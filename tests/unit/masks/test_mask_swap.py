"""Swapping, against plain definitions: multisets of columns and of rows, by Python's own counters."""

from __future__ import annotations

from collections import Counter
from math import factorial

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.chance import Randomness
from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.masks.base import Mask, sheet_of
from celosia.masks.swap import Swap, SwapEffect, swap_effect

# Section 9.6 of the manual, to the letter (blanks at the ends included).
BEFORE = pl.DataFrame(
    {
        "Estudiante": ["Luis", "Eduardo", "Tatiana", "Pedro", "Amparo "],
        "Grado": [8, 9, 9, 10, 11],
        "Resultado": [4.5, 3.5, 3.8, 2.5, 5.0],
    }
)
AFTER = pl.DataFrame(
    {
        "Estudiante": ["Eduardo", "Tatiana", "Luis", "Amparo ", "Pedro"],
        "Grado": [9, 9, 8, 11, 10],
        "Resultado": [3.5, 3.8, 4.5, 5.0, 2.5],
    }
)
COLUMNS = BEFORE.columns


def rows_of(frame):
    return Counter(frame.rows())


def masked(mask, frame, seed=1, k=2):
    return mask.mask(sheet_of(frame, Randomness(seed=seed), k=k))


def codes_found(sheet):
    return [finding.code for finding in sheet.findings]


def test_the_manuals_own_example_has_no_effect():
    assert swap_effect(BEFORE, AFTER, ["Estudiante"]) == SwapEffect(rows_changed=False, share_fixed=0.0)
    assert swap_effect(BEFORE, AFTER, COLUMNS).rows_changed is False


def test_what_the_manual_meant_has_one():
    meant = BEFORE.with_columns(AFTER["Estudiante"])
    assert swap_effect(BEFORE, meant, ["Estudiante"]) == SwapEffect(rows_changed=True, share_fixed=0.0)


def test_moving_whole_rows_is_refused():
    with pytest.raises(InputError, match=r"^SWAP_NO_EFFECT: .*whole rows moved") as caught:
        masked(Swap(columns=COLUMNS, joint=True), BEFORE)
    assert "joint: false" in str(caught.value)


def test_the_manuals_students_are_swapped_for_good():
    for seed in range(200):
        made = masked(Swap(column="Estudiante"), BEFORE, seed)
        assert sorted(made.frame["Estudiante"]) == ["Amparo", "Eduardo", "Luis", "Pedro", "Tatiana"]
        assert made.frame["Grado"].equals(BEFORE["Grado"])
        assert rows_of(made.frame) != rows_of(sheet_of(BEFORE).frame)
        assert [(change.column, change.verb) for change in made.changes] == [("Estudiante", "moved")]


@pytest.mark.parametrize(
    ("frame", "options", "why"),
    [
        (pl.DataFrame({"a": [1], "b": [2]}), {"column": "a"}, "no row has another one"),
        (pl.DataFrame({"a": [], "b": []}), {"column": "a"}, "no row has another one"),
        (pl.DataFrame({"a": [1, 1, 1], "b": [1, 2, 3]}), {"column": "a"}, "equal ones"),
        (pl.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}), {"column": "a", "within": "b"}, "no row has another"),
        (pl.DataFrame({"a": [1, 1, 2], "b": ["x", "x", "y"]}), {"column": "a", "within": "b"}, "equal ones"),
        (pl.DataFrame({"a": [1, 2, 3]}), {"column": "a"}, "whole rows"),
        (pl.DataFrame({"a": [1, 2, 3], "b": [5, 5, 5]}), {"column": "a"}, "whole rows"),
        (pl.DataFrame({"a": [1, None, None], "b": [1, 2, 3]}), {"column": "a"}, "no row has another one"),
        (pl.DataFrame({"a": [None, None], "b": [1, 2]}), {"column": "a"}, "no row has another one"),
        (pl.DataFrame({"stratum": [1, 1], "b": [5, 6]}), {"columns": ["stratum", "b"], "joint": True}, "whole rows"),
        (pl.DataFrame({"stratum": [1, 1], "b": [5, 6]}), {"column": "stratum"}, "equal ones"),
    ],
)
def test_a_swap_without_effect_is_refused_and_says_why(frame, options, why):
    with pytest.raises(InputError, match=rf"^SWAP_NO_EFFECT: .*{why}") as caught:
        masked(Swap(**options), frame)
    assert caught.value.hint


def test_a_long_table_that_cannot_change_is_refused_too():
    frame = pl.DataFrame({"a": range(20_000), "b": [1] * 20_000})
    with pytest.raises(InputError, match="SWAP_NO_EFFECT"):
        masked(Swap(column="a"), frame)


def test_two_rows_are_always_exchanged():
    """Half of all permutations of two rows change nothing: they are drawn again, not refused."""
    frame = pl.DataFrame({"a": [1, 2], "b": [3, 4]})
    for seed in range(50):
        assert masked(Swap(column="a"), frame, seed).frame.rows() == [(2, 3), (1, 4)]


CELLS = st.one_of(st.none(), st.integers(0, 3))
FRAMES = st.lists(st.tuples(CELLS, CELLS, CELLS, CELLS), min_size=1, max_size=8).map(
    lambda rows: pl.DataFrame(rows, schema=dict.fromkeys("abcd", pl.Int64), orient="row")
)


def can_change(frame, units, strata):
    """Some exchange within a stratum changes the rows: the two differ in what moves, and in what stays."""
    for unit in units:
        rest = [name for name in frame.columns if name not in unit]
        rows = frame.filter(pl.any_horizontal(pl.col(unit).is_not_null())).to_dicts()
        for one in rows:
            for other in rows:
                together = all(one[name] == other[name] for name in strata)
                if together and all(any(one[n] != other[n] for n in names) for names in (unit, rest)):
                    return True
    return False


@given(
    frame=FRAMES,
    joint=st.booleans(),
    within=st.lists(st.sampled_from("cd"), unique=True),
    no_fixed_points=st.booleans(),
    seed=st.integers(0, 99),
)
@tries(40)
def test_what_a_swap_keeps(frame, joint, within, no_fixed_points, seed):
    mask = Swap(columns=["a", "b"], joint=joint, within=within, no_fixed_points=no_fixed_points)
    units = [["a", "b"]] if joint else [["a"], ["b"]]
    if not can_change(frame, units, within):
        with pytest.raises(InputError, match=r"^SWAP_NO_EFFECT"):
            masked(mask, frame, seed)
        return
    try:
        made = masked(mask, frame, seed).frame
    except InputError:
        if no_fixed_points:  # every derangement may leave the rows as they are, where a permutation need not
            return
        raise
    assert rows_of(made) != rows_of(frame)
    assert made.select("c", "d").equals(frame.select("c", "d"))
    for unit in units:
        assert rows_of(made.select(unit + within)) == rows_of(frame.select(unit + within))
        is_empty = [set(row) == {None} for row in frame.select(unit).rows()]
        assert [set(row) == {None} for row in made.select(unit).rows()] == is_empty


@given(frame=FRAMES, columns=st.lists(st.sampled_from("abcd"), min_size=1, unique=True), seed=st.integers(0, 99))
def test_the_effect_by_definition(frame, columns, seed):
    order = Randomness(seed).permutation(frame.height)
    for after in (frame[order], frame.with_columns(frame[order].select(columns))):
        effect = swap_effect(frame, after, columns)
        assert effect.rows_changed == (rows_of(frame) != rows_of(after))
        kept = [one == other for one, other in zip(frame[columns].rows(), after[columns].rows(), strict=True)]
        assert effect.share_fixed == pytest.approx(sum(kept) / frame.height)


def test_all_permutations_that_change_the_rows_are_equally_likely():
    frame = pl.DataFrame({"a": [0, 1, 2, 3], "b": [0, 1, 2, 3]})
    n_outcomes = factorial(4) - 1
    n_draws = 100 * n_outcomes
    randomness = Randomness(seed=11)
    drawn = Counter(tuple(Swap("a").mask(sheet_of(frame, randomness)).frame["a"]) for _ in range(n_draws))
    assert len(drawn) == n_outcomes
    assert (0, 1, 2, 3) not in drawn
    assert sum((count - 100) ** 2 / 100 for count in drawn.values()) < 60  # the 0.9999 quantile of 22 degrees


def test_columns_are_permuted_on_their_own_or_together():
    frame = pl.DataFrame({"a": range(30), "b": range(30), "c": range(30)})
    alone = masked(Swap(columns=["a", "b"]), frame).frame
    assert (alone["a"] != alone["b"]).any()
    together = masked(Swap(columns=["a", "b"], joint=True), frame).frame
    assert (together["a"] == together["b"]).all()
    assert (together["a"] != together["c"]).any()


def test_no_fixed_points():
    frame = pl.DataFrame({"a": range(9), "b": range(9), "c": [0, 0, 0, 0, 1, 1, 1, None, None]})
    for seed in range(30):
        made = masked(Swap("a", within="c", no_fixed_points=True), frame, seed).frame
        assert (made["a"] != frame["a"]).all()
        assert made["a"][7:].to_list() == [8, 7]


def test_every_kind_of_cell_moves():
    frame = pl.DataFrame(
        {
            "text": ["01", "02", "ñandú"],
            "flag": [True, False, True],
            "day": pl.Series(["2020-01-01", "2020-01-02", "2020-01-03"]).str.to_date(),
            "number": [0.5, None, 1.5],
            "row": [1, 2, 3],
        }
    )
    made = masked(Swap(columns=["text", "flag", "day", "number"], joint=True), frame).frame
    assert made.schema == frame.schema
    assert rows_of(made.drop("row")) == rows_of(frame.drop("row"))


def test_the_same_kind_of_frame_comes_back():
    for frame in (BEFORE.to_pandas(), BEFORE.to_arrow()):
        made = Swap(column="Estudiante").apply(frame, Randomness(seed=1))
        assert isinstance(made, pd.DataFrame | pa.Table)
        assert type(made) is type(frame)


def test_the_share_of_rows_that_kept_their_value_is_by_value():
    frame = pl.DataFrame({"sex": ["f"] * 90 + ["m"] * 10, "row": range(100)})
    made = masked(Swap("sex", no_fixed_points=True), frame)
    kept = sum(one == other for one, other in zip(made.frame["sex"], frame["sex"], strict=True))
    [finding] = [finding for finding in made.findings if finding.code == "SWAP_FIXED_POINTS"]
    assert (finding.severity, finding.values["share"]) == ("warning", f"{kept}.0%")


def test_few_kept_values_are_a_note_and_missing_cells_do_not_count():
    frame = pl.DataFrame({"a": [1, 2, 3, None, None, None], "b": range(6)})
    made = masked(Swap("a", no_fixed_points=True), frame)
    [finding] = made.findings
    assert (finding.code, finding.severity, finding.values["share"]) == ("SWAP_FIXED_POINTS", "note", "0.0%")
    assert made.frame["a"].is_null().to_list() == [False] * 3 + [True] * 3


def test_small_strata_are_reported():
    frame = pl.DataFrame({"a": range(9), "b": ["x"] * 4 + ["y"] * 3 + ["z"] + [None], "c": range(9)})
    found = {finding.code: finding for finding in masked(Swap("a", within="b"), frame, k=4).findings}
    assert found["SWAP_SMALL_STRATA"].severity == "warning"
    assert found["SWAP_SMALL_STRATA"].values == {"rows": 5, "k": 4, "count": 3}
    assert "SWAP_SMALL_STRATA" not in codes_found(masked(Swap("a", within="b"), frame[:7], k=3))
    assert "SWAP_SMALL_STRATA" in codes_found(masked(Swap("a"), frame[:3], k=4))


def test_a_known_exchange_is_reported():
    frame = pl.DataFrame({"a": range(5), "b": ["x", "x", "y", "y", "y"], "c": range(5)})
    found = {f.code: f for f in masked(Swap("a", within="b", no_fixed_points=True), frame).findings}
    assert found["SWAP_KNOWN_EXCHANGE"].severity == "warning"
    assert found["SWAP_KNOWN_EXCHANGE"].values == {"rows": 2}
    assert "SWAP_KNOWN_EXCHANGE" not in codes_found(masked(Swap("a", within="b"), frame))
    assert "SWAP_KNOWN_EXCHANGE" not in codes_found(masked(Swap("a", no_fixed_points=True), frame))


def test_nothing_that_is_said_holds_a_cell():
    frame = pl.DataFrame(
        {"a": [f"CANARY{row}" for row in range(6)], "b": ["SECRET"] * 2 + ["QUIET"] * 4, "c": range(6)}
    )
    made = masked(Swap("a", within="b", no_fixed_points=True), frame, k=5)
    said = "".join(finding.message for finding in made.findings)
    with pytest.raises(InputError) as caught:
        masked(Swap("a"), frame.select("a"))
    said += str(caught.value)
    assert len(made.findings) == 3
    assert not any(word in said for word in ("CANARY", "SECRET", "QUIET"))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"column": 3},
        {"columns": []},
        {"columns": ["a", "a"]},
        {"column": "a", "columns": ["b"]},
        {"column": "a", "joint": "yes"},
        {"column": "a", "no_fixed_points": 1},
        {"column": "a", "within": "a"},
        {"column": "a", "within": 3},
        {"column": "a", "within": ["b", "b"]},
        {"column": "a", "within": ["b", None]},
    ],
)
def test_wrong_options(options):
    with pytest.raises(OptionError) as caught:
        Swap(**options)
    assert caught.value.hint


@pytest.mark.parametrize("options", [{"column": "grado"}, {"column": "Grado", "within": "Curso"}])
def test_a_column_that_is_not_there(options):
    with pytest.raises(ColumnNotFoundError):
        Swap(**options).apply(BEFORE)


@pytest.mark.parametrize("columns", [["Grado"], ["Grado", "other"]])
def test_frames_that_cannot_be_compared(columns):
    with pytest.raises(InputError):
        swap_effect(BEFORE, BEFORE[:3] if columns == ["Grado"] else BEFORE, columns)


@pytest.mark.parametrize(
    ("mask", "plain"),
    [
        (Swap("a"), {"columns": ["a"]}),
        (
            Swap(columns=["a", "b"], joint=True, within="c", no_fixed_points=True),
            {"columns": ["a", "b"], "joint": True, "within": ["c"], "no_fixed_points": True},
        ),
    ],
)
def test_options_as_in_a_plan_file(mask, plain):
    assert isinstance(mask, Mask)
    assert mask.to_dict() == plain
    assert Swap(**plain) == mask
    assert hash(Swap(**plain)) == hash(mask)
    assert mask.uses == tuple(plain["columns"] + plain.get("within", []))


def test_one_pair_in_a_long_table_is_never_taken_for_none():
    n = 150_001  # one stratum of two rows, which a draw leaves as it was every other time
    frame = pl.DataFrame({"value": range(n), "stratum": [0, *range(n - 1)], "other": range(n)})
    for seed in range(6):
        swapped = Swap(column="value", within="stratum").apply(frame, Randomness(seed=seed))
        assert swapped["value"][:2].to_list() == [1, 0]
