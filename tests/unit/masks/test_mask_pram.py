"""PRAM: matrices by exact algebra, draws by chi-square under fixed seeds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.chance import Randomness
from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.masks.base import Mask, sheet_of
from celosia.masks.pram import Pram

FREQUENCIES = st.dictionaries(st.text(min_size=1, max_size=3), st.integers(1, 50), min_size=1, max_size=6)
MATRIX = {"a": {"a": 0.7, "b": 0.2, "c": 0.1}, "b": {"b": 0.5, "c": 0.5}, "c": {"a": 0, "b": 0, "c": 1}}


def masked(mask, frame, seed=1, k=2):
    return mask.mask(sheet_of(frame, Randomness(seed=seed), k=k))


def chi_square_bound(d):
    """The 0.9999 quantile, by Wilson and Hilferty."""
    return d * (1 - 2 / (9 * d) + 3.72 * sqrt(2 / (9 * d))) ** 3


def check_draws(column, made, matrix):
    """Whether published values are as frequent as the matrix says, for every true one."""
    pairs = Counter(zip(column, made, strict=True))
    for true, row in matrix.items():
        n = sum(count for (one, _), count in pairs.items() if one == true)
        assert all(row.get(value, 0) > 0 for (one, value) in pairs if one == true)
        cells = [(pairs[true, value], n * float(chance)) for value, chance in row.items() if chance]
        assert n == 0 or min(expected for _, expected in cells) > 5
        if len(cells) > 1 and n:
            assert sum((got - expected) ** 2 / expected for got, expected in cells) < chi_square_bound(len(cells) - 1)


@given(frequencies=FREQUENCIES, keep=st.integers(0, 99), invariant=st.booleans())
def test_matrices_by_algebra(frequencies, keep, invariant):
    matrix = Pram("a", keep=keep / 100, invariant=invariant).matrix_of(frequencies)
    assert list(matrix) == list(frequencies)
    for true, row in matrix.items():
        assert sum(row.values()) == 1
        assert all(chance >= 0 for chance in row.values())
        assert row[true] >= Fraction(keep, 100)
        if not invariant and len(matrix) > 1:
            assert row[true] == Fraction(keep, 100)
            assert len({chance for value, chance in row.items() if value != true}) == 1
    if invariant:
        expected = {
            value: sum(frequencies[true] * matrix[true][value] for true in frequencies) for value in frequencies
        }
        assert expected == frequencies


@pytest.mark.parametrize("invariant", [True, False])
@pytest.mark.parametrize("keep", [0, 0.3, 0.8])
def test_draws_follow_the_matrix(keep, invariant):
    counts = {"a": 6000, "b": 2500, "c": 1500}
    column = [value for value, count in counts.items() for _ in range(count)]
    mask = Pram("x", keep=keep, invariant=invariant)
    made = masked(mask, pl.DataFrame({"x": column})).frame["x"].to_list()
    check_draws(column, made, mask.matrix_of(counts))


@pytest.mark.parametrize("invariant", [True, False])
def test_draws_within_strata_follow_the_matrix_of_each(invariant):
    counts = {"s": {"a": 4000, "b": 1000}, "t": {"b": 500, "c": 2000, "d": 2500}, None: {"a": 30}}
    rows = [(value, stratum) for stratum, own in counts.items() for value, n in own.items() for _ in range(n)]
    frame = pl.DataFrame(rows, schema=["x", "s"], orient="row")[Randomness(5).permutation(len(rows))]
    mask = Pram("x", keep=0.4, invariant=invariant, within="s")
    made = masked(mask, frame).frame
    for stratum, own in counts.items():
        in_it = frame["s"].eq_missing(stratum)
        check_draws(frame["x"].filter(in_it), made["x"].filter(in_it), mask.matrix_of(own))
    assert made["s"].equals(frame["s"])


def test_a_matrix_is_used_as_it_stands():
    column = ["a"] * 3000 + ["b"] * 2000 + ["c"] * 1000
    mask = Pram("x", matrix=MATRIX)
    assert mask.matrix_of({"a": 1})["a"] == {"a": Fraction(7, 10), "b": Fraction(1, 5), "c": Fraction(1, 10)}
    made = masked(mask, pl.DataFrame({"x": column})).frame["x"].to_list()
    check_draws(column, made, mask.matrix_of({}))
    assert made[5000:] == ["c"] * 1000


@given(
    cells=st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=30),
    strata=st.booleans(),
    invariant=st.booleans(),
    keep=st.sampled_from([0, 0.5]),
    seed=st.integers(0, 50),
)
def test_values_come_from_the_stratum_and_missing_cells_stay(cells, strata, invariant, keep, seed):
    frame = pl.DataFrame({"x": cells, "s": [i % 3 for i in range(len(cells))]}, schema_overrides={"x": pl.String})
    groups = frame["s"].to_list() if strata else [0] * len(cells)
    held = {group: {c for c, g in zip(cells, groups, strict=True) if g == group and c} for group in groups}
    mask = Pram("x", keep=keep, invariant=invariant, within="s" if strata else None)
    if any(cells) and max(len(values) for values in held.values()) < 2:
        with pytest.raises(InputError, match=r"^PRAM_NO_EFFECT"):
            masked(mask, frame, seed)
        return
    made = masked(mask, frame, seed).frame["x"].to_list()
    for true, value, group in zip(cells, made, groups, strict=True):
        assert (value is None) == (true is None)
        assert true is None or value in held[group]
        if keep == 0 and not invariant and true is not None:
            assert (value == true) == (len(held[group]) == 1)


def test_every_type_keeps_its_type():
    frame = pl.DataFrame(
        {
            "number": [1, 2, 3, None] * 20,
            "float": [1.0, 2.5, None, 1.0] * 20,
            "flag": [True, False, None, True] * 20,
            "day": pl.Series(["2020-01-01", "2020-01-02", None, "2020-01-03"] * 20).str.to_date(),
        }
    )
    made = masked(Pram(columns=frame.columns, keep=0.2), frame).frame
    assert made.schema == frame.schema
    for name in frame.columns:
        assert made[name].is_null().equals(frame[name].is_null())
        assert set(made[name]) <= set(frame[name])
        assert (made[name] != frame[name]).any()
    flags = {True: {True: 0.5, False: 0.5}, False: {False: 1}}
    assert masked(Pram("flag", matrix=flags), frame).frame["flag"].dtype == pl.Boolean
    numbers = {1.0: {1: 0.5, 2.5: 0.5}, 2.5: {2.5: 1}}
    assert set(masked(Pram("float", matrix=numbers), frame).frame["float"].drop_nulls()) <= {1.0, 2.5}


def test_a_matrix_may_lead_to_values_that_a_text_column_does_not_hold_yet():
    frame = pl.DataFrame({"x": ["a", "b"] * 50})
    made = masked(Pram("x", matrix=MATRIX), frame).frame["x"]
    assert "c" in made
    numbers = frame.with_columns(x=pl.Series([1, 2] * 50))
    with pytest.raises(InputError, match="1 values of the matrix are not in 'x'"):
        masked(Pram("x", matrix={1: {3: 1}, 2: {2: 1}, 3: {3: 1}}), numbers)


def test_values_out_of_the_matrix_are_refused_with_counts():
    frame = pl.DataFrame({"x": ["a", "CANARY1", "CANARY2", "CANARY2", None]})
    with pytest.raises(InputError, match="3 of the 4 cells of 'x' hold 2 values") as caught:
        masked(Pram("x", matrix=MATRIX), frame)
    assert "CANARY" not in str(caught.value)


def test_rare_categories_that_stay_are_reported():
    frame = pl.DataFrame({"x": ["a"] * 500 + ["b"] * 3 + ["c"] * 4})
    made = masked(Pram("x", keep=0.9), frame, k=4)
    stayed = int((made.frame["x"][500:503] == "b").sum())
    assert stayed
    [finding] = made.findings
    assert (finding.code, finding.severity, finding.column) == ("PRAM_RARE", "warning", "x")
    assert finding.values == {"rows": stayed, "k": 4}
    assert masked(Pram("x", keep=0.9), frame, k=3).findings == ()
    leaving = {"a": {"a": 1}, "b": {"a": 1}, "c": {"c": 1}}
    assert masked(Pram("x", matrix=leaving), frame, k=4).findings == ()


def test_the_matrix_and_the_cells_are_in_no_finding():
    frame = pl.DataFrame({"x": ["CANARY"] * 3 + ["other"] * 50})
    said = "".join(finding.message for finding in masked(Pram("x", keep=0.99), frame, k=5).findings)
    assert said
    assert not any(word in said for word in ("CANARY", "other", "0.99"))


def test_one_category_is_refused():
    for frame, options in (
        ({"x": ["a", "a", None]}, {}),
        ({"x": ["a", "b"], "s": [1, 2]}, {"within": "s"}),
    ):
        with pytest.raises(InputError, match=r"^PRAM_NO_EFFECT"):
            masked(Pram("x", **options), pl.DataFrame(frame))


def test_nothing_to_change():
    assert masked(Pram("x"), pl.DataFrame({"x": [None, None]})).frame["x"].null_count() == 2
    assert masked(Pram("x"), pl.DataFrame({"x": pl.Series([], dtype=pl.String)})).n_rows == 0
    with pytest.raises(ColumnNotFoundError):
        Pram("y").apply(pl.DataFrame({"x": ["a", "b"]}))


def test_what_it_says_of_itself():
    made = masked(Pram(columns=["x", "y"]), pl.DataFrame({"x": ["a", "b"], "y": [1, 2]}))
    assert [(change.column, change.verb, change.kind) for change in made.changes] == [
        ("x", "perturbed", None),
        ("y", "perturbed", None),
    ]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"column": "x", "keep": 1},
        {"column": "x", "keep": -0.1},
        {"column": "x", "keep": "0.5"},
        {"column": "x", "keep": float("nan")},
        {"column": "x", "invariant": "yes"},
        {"column": "x", "within": "x"},
        {"column": "x", "matrix": {}},
        {"column": "x", "matrix": [["a", 1]]},
        {"column": "x", "matrix": {"a": 1}},
        {"column": "x", "matrix": {"a": {}}},
        {"column": "x", "matrix": {"a": {"a": 0.33, "b": 0.66}, "b": {"b": 1}}},
        {"column": "x", "matrix": {"a": {"a": 0.5, "b": 0.5}}},
        {"column": "x", "matrix": {"a": {"a": 1.5, "b": -0.5}, "b": {"b": 1}}},
        {"column": "x", "matrix": {"a": {"a": "1"}}},
        {"column": "x", "matrix": {"a": {"a": 1}, "b": {"b": 1}}},
        {"column": "x", "matrix": MATRIX, "keep": 0.5},
        {"column": "x", "matrix": MATRIX, "invariant": True},
        {"column": "x", "matrix": MATRIX, "within": "y"},
    ],
)
def test_wrong_options(options):
    with pytest.raises(OptionError):
        Pram(**options)


def test_rows_sum_in_decimals_not_in_floating_point():
    assert sum([0.1] * 10) != 1
    values = [f"v{i}" for i in range(10)]
    matrix = {value: dict.fromkeys(values, 0.1) for value in values}
    assert Pram("x", matrix=matrix).matrix_of({})["v0"]["v9"] == Fraction(1, 10)


@pytest.mark.parametrize(
    "plain",
    [
        {"columns": ["x"]},
        {"columns": ["x", "y"], "keep": 0.5, "invariant": False, "within": ["z"]},
        {"columns": ["x"], "matrix": MATRIX},
    ],
)
def test_options_as_in_a_plan_file(plain):
    mask = Pram(**plain)
    assert isinstance(mask, Mask)
    assert mask.to_dict() == plain
    assert Pram(**mask.to_dict()) == mask
    assert hash(Pram(**mask.to_dict())) == hash(mask)
    assert mask.uses == tuple(plain["columns"] + plain.get("within", []))
