"""Noise: the domain, decimals and means exactly; spreads and correlations by generous bounds under fixed seeds."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.chance import Randomness
from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.masks.add_noise import AddNoise, _reflected
from celosia.masks.base import Mask, sheet_of
from celosia.masks.decimals import as_column, shown_decimals

N = 20_000


def masked(mask, frame, seed=1, **options):
    return mask.mask(sheet_of(frame, Randomness(seed=seed), **options))


def marks(n=N, seed=0):
    """Marks of an exam from 0 to 10, with one decimal; one in ten is the best mark."""
    numbers = np.clip(np.random.default_rng(seed).normal(6.5, 2.5, n), 0, 10)
    return pl.DataFrame({"mark": np.round(numbers, 1)})


def codes_found(sheet):
    return [finding.code for finding in sheet.findings]


@pytest.mark.parametrize("options", [{}, {"within": [0, 10]}])
@pytest.mark.parametrize("distribution", ["normal", "uniform", "laplace"])
@pytest.mark.parametrize("sd", [0.3, 1, 2])
def test_marks_stay_marks_and_their_mean_stays(options, distribution, sd):
    frame = marks()
    made = masked(AddNoise("mark", sd=sd, distribution=distribution, **options), frame).frame["mark"]
    assert made.is_between(0, 10).all()
    assert (made.round(1) == made).all()
    assert made.mean() == pytest.approx(frame["mark"].mean(), abs=0.005)


def reflected_slowly(value, low, high):
    while not low <= value <= high:
        value = 2 * low - value if value < low else 2 * high - value
    return value


@given(values=st.lists(st.integers(-60, 60), min_size=1, max_size=20), low=st.integers(-5, 5), width=st.integers(1, 10))
def test_reflection_by_definition(values, low, width):
    expected = [reflected_slowly(value, low, low + width) for value in values]
    assert _reflected(np.array(values, dtype=float), low, low + width).tolist() == expected
    assert _reflected(np.array(values, dtype=float), low, math.inf).tolist() == [
        reflected_slowly(value, low, math.inf) for value in values
    ]
    assert _reflected(np.array(values, dtype=float), -math.inf, low).tolist() == [
        reflected_slowly(value, -math.inf, low) for value in values
    ]
    assert _reflected(np.array(values, dtype=float), -math.inf, math.inf).tolist() == values


@given(
    numbers=st.lists(st.one_of(st.none(), st.integers(-50, 50)), min_size=2, max_size=30),
    decimals=st.integers(0, 3),
    kind=st.sampled_from(["additive", "multiplicative"]),
    bound=st.booleans(),
    text=st.sampled_from([None, ".", ","]),
    seed=st.integers(0, 50),
)
def test_domain_decimals_and_missing_cells(numbers, decimals, kind, bound, text, seed):
    known = [number / 10**decimals for number in numbers if number is not None]
    cells = [None if number is None else number / 10**decimals for number in numbers]
    frame = pl.DataFrame({"a": pl.Series(cells, dtype=pl.Float64)})
    decimal = text or "."
    if text is not None:
        frame = frame.select(pl.col("a").cast(pl.String).str.replace(".", decimal, literal=True))
    mask = AddNoise("a", kind=kind, share=0.5, within=[-60, 61] if bound else None)
    if len(set(known)) == 0:
        assert masked(mask, frame).frame["a"].null_count() == len(numbers)
        return
    if len(known) == 1 or (len(set(known)) == 1 and (kind == "additive" or not bound)):
        with pytest.raises(InputError, match=r"^NOISE_NO_EFFECT"):
            masked(mask, frame)
        return
    made = masked(mask, frame, seed, decimal=decimal).frame["a"]
    assert made.dtype == frame["a"].dtype
    assert made.is_null().to_list() == [cell is None for cell in cells]
    if text is not None:
        made = made.str.replace(decimal, ".", literal=True).cast(pl.Float64)
    low, high = (-60, 61) if bound else (min(known), max(known))
    assert all(low <= number <= high for number in made.drop_nulls())
    assert all(round(number, decimals) == number for number in made.drop_nulls())


def test_whole_numbers_stay_whole_and_of_their_type():
    for dtype in (pl.UInt8, pl.Int16, pl.Int64):
        frame = pl.DataFrame({"age": pl.Series(range(18, 90), dtype=dtype)})
        made = masked(AddNoise("age", sd=3), frame).frame["age"]
        assert made.dtype == dtype
        assert made.is_between(18, 89).all()
    texts = frame.select(pl.col("age").cast(pl.String))
    assert masked(AddNoise("age", sd=3), texts).frame["age"].str.contains("^[0-9]+$").all()


def test_a_type_that_cannot_hold_the_result_gives_way():
    frame = pl.DataFrame({"a": pl.Series([0, 200, 255] * 50, dtype=pl.UInt8)})
    made = masked(AddNoise("a", sd=50, within=[0, 400]), frame).frame["a"]
    assert made.dtype == pl.Int64
    assert made.max() > 255
    assert masked(AddNoise("a", sd=50, decimals=2), frame).frame["a"].dtype == pl.Float64


def test_single_precision_and_long_whole_numbers():
    frame = pl.DataFrame({"a": pl.Series([0.1, 0.7, 1.3], dtype=pl.Float32), "b": [2**63 - 1, -(2**63), 5]})
    made = masked(AddNoise(columns=["a", "b"], share=0.5), frame).frame
    assert made.schema == frame.schema
    assert (made["a"].round(1) == made["a"]).all()
    assert made["b"].null_count() == 0


@pytest.mark.parametrize(("distribution", "farthest"), [("normal", None), ("uniform", math.sqrt(3)), ("laplace", None)])
def test_the_noise_has_the_spread_that_was_asked(distribution, farthest):
    frame = pl.DataFrame({"a": np.random.default_rng(0).normal(0, 100, N)})
    mask = AddNoise("a", sd=7, distribution=distribution, within=[-1e9, None])
    noise = (masked(mask, frame).frame["a"] - frame["a"]).to_numpy()
    assert abs(noise.mean()) < 1e-9
    assert noise.std() == pytest.approx(7, rel=0.03)
    fourth = {"normal": 3, "uniform": 1.8, "laplace": 6}[distribution]
    assert ((noise / noise.std()) ** 4).mean() == pytest.approx(fourth, rel=0.1)
    if farthest:
        assert np.abs(noise).max() <= 7 * farthest + 0.2  # centring shifts all by the mean of the draws


def test_a_share_is_of_the_columns_standard_deviation():
    frame = pl.DataFrame({"a": np.random.default_rng(0).normal(0, 100, N)})
    for share, options in ((0.1, {}), (0.4, {"share": 0.4})):
        noise = masked(AddNoise("a", within=[-1e9, None], **options), frame).frame["a"] - frame["a"]
        assert noise.std() == pytest.approx(share * frame["a"].std(), rel=0.03)


def test_multiplicative_noise_is_in_proportion():
    frame = pl.DataFrame({"a": np.repeat([0.0, 10.0, 1000.0], N)})
    made = masked(AddNoise("a", kind="multiplicative", share=0.2, within=[0, None], decimals=6), frame).frame["a"]
    parts = made.to_numpy().reshape(3, N)
    assert (parts[0] == 0).all()
    assert parts[1].std() == pytest.approx(2, rel=0.03)
    assert parts[2].std() == pytest.approx(200, rel=0.03)
    assert parts[2].mean() == pytest.approx(1000, rel=0.01)
    assert (parts >= 0).all()


def covariance_of(frame):
    return np.cov(frame.to_numpy(), rowvar=False)


def three_columns(n=N):
    draws = np.random.default_rng(3).normal(size=(n, 3))
    mix = np.array([[10, 0, 0], [8, 4, 0], [-2, 1, 0.5]])
    return pl.DataFrame(draws @ mix.T, schema=["a", "b", "c"], orient="row")


def test_correlated_noise_has_the_covariances_of_the_data():
    frame = three_columns()
    mask = AddNoise(columns=frame.columns, share=0.5, correlated=True, within=[-1e9, None])
    made = masked(mask, frame).frame
    noise = made.with_columns(pl.col(name) - frame[name] for name in frame.columns)
    wanted = 0.25 * covariance_of(frame)
    spreads = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    assert (np.abs(covariance_of(noise) - wanted) / spreads).max() < 0.04
    assert np.abs(noise.to_numpy().mean(axis=0)).max() < 1e-9
    before, after = (np.corrcoef(one.to_numpy(), rowvar=False) for one in (frame, made))
    assert np.abs(before - after).max() < 0.02
    alone = masked(AddNoise(columns=frame.columns, share=0.5, within=[-1e9, None]), frame).frame
    weaker = np.corrcoef(alone.to_numpy(), rowvar=False)
    assert weaker[0, 1] == pytest.approx(before[0, 1] / 1.25, abs=0.02)


def test_correlated_noise_where_a_column_is_another_one():
    frame = three_columns(500).with_columns(d=pl.col("a") * 2 - 1)
    mask = AddNoise(columns=["a", "d"], correlated=True, within=[-1e9, None], decimals=9)
    made = masked(mask, frame).frame
    assert (made["d"] - (made["a"] * 2 - 1)).abs().max() < 1e-6


def test_correlated_noise_with_missing_cells():
    frame = three_columns(400).with_columns(b=pl.when(pl.arange(0, 400) % 3 == 0).then(None).otherwise(pl.col("b")))
    made = masked(AddNoise(columns=["a", "b"], correlated=True), frame).frame
    assert made["b"].is_null().equals(frame["b"].is_null())
    assert made["a"].null_count() == 0
    assert (made["a"] != frame["a"]).all()
    apart = pl.DataFrame({"a": [1.0, 2.0, None], "b": [None, None, 3.0]})
    with pytest.raises(InputError, match=r"^NOISE_NO_EFFECT"):
        masked(AddNoise(columns=["a", "b"], correlated=True), apart)


def test_noise_too_small_to_see_is_reported():
    frame = pl.DataFrame({"age": list(range(20, 80)) * 10})
    small = masked(AddNoise("age", sd=0.2, within=[0, 120]), frame)
    [finding] = small.findings
    same = (small.frame["age"] == frame["age"]).mean()
    assert (finding.code, finding.severity) == ("NOISE_SMALL", "warning")
    assert same > 0.5
    assert finding.values == {"share": f"{same:.1%}"}
    assert codes_found(masked(AddNoise("age", sd=5, within=[0, 120]), frame)) == []


def test_without_a_domain_there_is_a_note():
    assert codes_found(masked(AddNoise("mark", sd=1), marks())) == ["NOISE_RANGE"]
    assert codes_found(masked(AddNoise("mark", sd=1, within=[0, 10]), marks())) == []


def test_a_mean_that_the_domain_forbids_is_reported():
    """Nearly all numbers are at the lower end: noise can only raise them."""
    frame = pl.DataFrame({"gain": [0.0] * 990 + [1.0] * 10})
    made = masked(AddNoise("gain", sd=0.5, within=[0, 5], decimals=3), frame)
    assert codes_found(made) == ["NOISE_MEAN"]
    assert (made.frame["gain"] > 0).sum() > 900  # the noise is not taken back for the sake of the mean


def test_values_do_not_pile_up_at_the_ends():
    frame = pl.DataFrame({"mark": [10.0] * 5000 + [0.0] * 5000})
    made = masked(AddNoise("mark", sd=1, within=[0, 10], decimals=1), frame).frame["mark"]
    assert made.is_in([0, 10]).mean() < 0.1
    assert made.mean() == pytest.approx(5, abs=0.01)


def test_a_domain_between_two_decimals():
    frame = pl.DataFrame({"a": list(range(1, 10)) * 20})
    made = masked(AddNoise("a", sd=3, within=[0.5, 9.9]), frame).frame["a"]
    assert (made.min(), made.max()) == (1, 9)


def test_values_out_of_the_domain_are_refused_with_a_count():
    frame = pl.DataFrame({"mark": [-1.25, 5.0, 10.75, 11.0]})
    with pytest.raises(InputError, match=r"3 of the 4 numbers of 'mark'") as caught:
        masked(AddNoise("mark", within=[0, 10]), frame)
    assert not any(cell in str(caught.value) for cell in ("1.25", "10.75", "11"))


@pytest.mark.parametrize(
    ("cells", "options"),
    [
        ([5.0], {"sd": 1, "within": [0, 10]}),
        ([5.0, 5.0], {}),
        ([5.0, 5.0], {"sd": 1}),
        ([5.1, 5.2], {"decimals": 0}),
        ([None, 5.0], {}),
    ],
)
def test_a_column_without_room_is_refused(cells, options):
    with pytest.raises(InputError, match=r"^NOISE_NO_EFFECT: 'a'"):
        masked(AddNoise("a", **options), pl.DataFrame({"a": cells}))


def test_a_constant_column_takes_noise_of_a_given_size():
    made = masked(AddNoise("a", sd=1, within=[0, 10], decimals=2), pl.DataFrame({"a": [5] * 100})).frame["a"]
    assert made.n_unique() > 50
    assert made.mean() == pytest.approx(5, abs=0.01)


def test_text_is_refused_without_being_shown():
    with pytest.raises(InputError) as caught:
        masked(AddNoise("a"), pl.DataFrame({"a": ["1", "CANARY"]}))
    assert "CANARY" not in str(caught.value)
    with pytest.raises(ColumnNotFoundError):
        masked(AddNoise("b"), pl.DataFrame({"a": [1]}))


def test_what_it_says_of_itself():
    made = masked(AddNoise(columns=["a", "b"]), pl.DataFrame({"a": [1, 2], "b": [1.5, 2.5], "c": [0, 0]}))
    assert [(change.column, change.verb, change.kind) for change in made.changes] == [
        ("a", "perturbed", None),
        ("b", "perturbed", None),
    ]
    assert made.frame["c"].to_list() == [0, 0]


def test_a_seed_repeats_and_no_seed_does_not():
    frame, mask = marks(500), AddNoise("mark", sd=1)
    assert mask.apply(frame, Randomness(seed=3)).equals(mask.apply(frame, Randomness(seed=3)))
    assert not mask.apply(frame).equals(mask.apply(frame))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"column": "a", "columns": ["b"]},
        {"column": "a", "kind": "both"},
        {"column": "a", "sd": 0},
        {"column": "a", "sd": "1"},
        {"column": "a", "share": -0.1},
        {"column": "a", "share": float("inf")},
        {"column": "a", "sd": 1, "share": 0.1},
        {"column": "a", "sd": 1, "kind": "multiplicative"},
        {"column": "a", "distribution": "cauchy"},
        {"column": "a", "correlated": True},
        {"column": "a", "correlated": "yes"},
        {"columns": ["a", "b"], "correlated": True, "distribution": "uniform"},
        {"column": "a", "within": 5},
        {"column": "a", "within": [0]},
        {"column": "a", "within": [None, None]},
        {"column": "a", "within": [10, 0]},
        {"column": "a", "within": [5, 5]},
        {"column": "a", "within": [0, "10"]},
        {"column": "a", "within": [0, float("nan")]},
        {"column": "a", "decimals": -1},
        {"column": "a", "decimals": 1.5},
    ],
)
def test_wrong_options(options):
    with pytest.raises(OptionError):
        AddNoise(**options)


@pytest.mark.parametrize(
    "plain",
    [
        {"columns": ["a"]},
        {"columns": ["a"], "sd": 2},
        {"columns": ["a"], "share": 0.2, "kind": "multiplicative"},
        {"columns": ["a", "b"], "share": 0.3, "correlated": True, "within": [0, None], "decimals": 2},
        {"columns": ["a"], "sd": 1, "distribution": "laplace", "within": [0, 10]},
    ],
)
def test_options_as_in_a_plan_file(plain):
    mask = AddNoise(**plain)
    assert isinstance(mask, Mask)
    assert mask.to_dict() == plain
    assert AddNoise(**mask.to_dict()) == mask
    assert hash(AddNoise(**mask.to_dict())) == hash(mask)
    assert mask.uses == tuple(plain["columns"])
    assert AddNoise("a", share=0.1).to_dict() == {"columns": ["a"]}


@given(st.lists(st.one_of(st.none(), st.decimals(-9999, 9999, places=4)), min_size=1))
def test_decimals_by_their_spelling(numbers):
    texts = [format(number.normalize(), "f") for number in numbers if number is not None]
    column = pl.Series([None if number is None else float(number) for number in numbers], dtype=pl.Float64)
    assert shown_decimals(column, column) == max([len(text.partition(".")[2]) for text in texts], default=0)


def test_decimals_of_divisions():
    column = pl.Series([1 / 3, 2 / 3])
    assert shown_decimals(column, column) is None
    assert as_column(np.array([0.25, 0.5]), column, None, False).to_list() == [0.25, 0.5]


@pytest.mark.parametrize(
    "options",
    [
        {"sd": 1e308},
        {"share": 1e308},
        {"share": 1e308, "kind": "multiplicative"},
        {"sd": 1e308, "within": [0, None]},
        {"sd": 1, "within": [-1e308, 1e308]},
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_cannot_be_calculated_is_refused_instead_of_published(options):
    with pytest.raises(OptionError, match="too large to be calculated"):
        masked(AddNoise(column="mark", **options), marks(50))


def test_decimals_have_a_bound():
    assert AddNoise(column="mark", decimals=12).decimals == 12
    with pytest.raises(OptionError, match="0 to 12"):
        AddNoise(column="mark", decimals=10**30)


def test_columns_of_decimals_with_gaps():
    prices = pl.Series("price", ["1.10", None, "2.25", "9.75"]).cast(pl.Decimal(10, 2))
    made = masked(AddNoise(column="price", share=1), prices.to_frame()).frame["price"]
    assert made.dtype == pl.Decimal(10, 2)
    assert made.is_null().to_list() == [False, True, False, False]
    assert made.drop_nulls().cast(pl.Float64).is_between(1.1, 9.75).all()
