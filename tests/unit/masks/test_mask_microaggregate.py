"""Microaggregation against plain definitions: groups, centres, gaps, strata, and what is refused."""

from __future__ import annotations

import datetime
import statistics
from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.chance import Randomness
from celosia.base.errors import ColumnNotFoundError, InputError, OptionError, UnreachableError
from celosia.masks.aggregating.grouped import PART
from celosia.masks.base import sheet_of
from celosia.masks.microaggregate import Microaggregate

ORDER = ["fail", "pass", "notable", "outstanding"]


def masked(frame, seed=1, **options):
    return Microaggregate(**options).mask(sheet_of(frame, Randomness(seed=seed)))


def random_frame(draws, n_rows, with_gaps=False):
    frame = pl.DataFrame(
        {
            "age": draws.integers(20, 26, n_rows),
            "salary": np.round(draws.normal(2000, 500, n_rows), 2),
            "mark": draws.choice(ORDER, n_rows),
            "town": draws.choice(["a", "b", "c"], n_rows),
        }
    )
    if with_gaps:
        frame = frame.with_columns(
            pl.when(pl.Series(draws.random(n_rows) < 0.9)).then(pl.col(name)).alias(name) for name in ("age", "town")
        )
    return frame


def exact(value):
    return Fraction(str(value))


@tries(60)
@given(
    n_rows=st.integers(7, 120), k=st.integers(2, 7), by=st.sampled_from(["mean", "median"]), seed=st.integers(0, 999)
)
def test_published_values_are_centres_of_groups_of_k_rows(n_rows, k, by, seed):
    frame = random_frame(np.random.default_rng(seed), n_rows).with_row_index()
    options = {"columns": ["age", "salary", "mark", "town"], "k": k, "numbers": by, "orders": {"mark": ORDER}}
    result = masked(frame, **options).frame
    assert result.columns == frame.columns
    assert result.schema == frame.schema
    assert result["index"].equals(frame["index"])
    tuples = result.select(options["columns"]).rows()
    counts = Counter(tuples)
    assert min(counts.values()) >= k
    centre = statistics.mean if by == "mean" else statistics.median
    for published, count in counts.items():
        rows = frame.filter(pl.Series([row == published for row in tuples]))
        if count >= 2 * k:  # several groups have the same centre
            continue
        assert abs(centre([Fraction(age) for age in rows["age"]]) - published[0]) <= Fraction(1, 2)
        assert abs(centre([exact(salary) for salary in rows["salary"]]) - exact(published[1])) <= Fraction(1, 200)
        ranks = sorted(ORDER.index(mark) for mark in rows["mark"])
        assert published[2] == ORDER[statistics.median_low(ranks)]
        towns = Counter(rows["town"])
        assert published[3] == min(towns, key=lambda town: (-towns[town], town))


@tries(40)
@given(n_rows=st.integers(6, 80), k=st.integers(2, 6), seed=st.integers(0, 999))
def test_the_order_of_rows_does_not_matter(n_rows, k, seed):
    draws = np.random.default_rng(seed)
    frame = random_frame(draws, n_rows)
    order = draws.permutation(n_rows)
    options = {"columns": frame.columns, "k": k}
    one = masked(frame, seed=1, **options).frame
    other = masked(frame[order], seed=2, **options).frame
    assert sorted(one.rows()) == sorted(other.rows())
    # Rows with equal values may change places with each other, by chance; published rows as a whole do not.
    together = [
        sorted(zip(before.rows(), after.rows(), strict=True)) for before, after in ((frame, one), (frame[order], other))
    ]
    assert together[0] == together[1]


@pytest.mark.parametrize("by", ["mean", "median"])
def test_nothing_changes_where_work_is_done_in_several_parts(by):
    draws = np.random.default_rng(5)
    n_rows = 3 * PART + 11
    frame = random_frame(draws, n_rows).with_columns(broken=pl.Series(draws.random(n_rows)))
    order = draws.permutation(n_rows)
    options = {"columns": ["age", "broken", "mark"], "k": 4, "numbers": by}
    sheet = masked(frame, seed=1, **options)
    assert sheet.frame[order].equals(masked(frame[order], seed=2, **options).frame)
    counts = sheet.frame.group_by(options["columns"]).len()["len"]
    assert counts.min() >= 4
    assert sheet.findings[0].values["groups"] == n_rows // 4
    if by == "mean":
        assert sheet.frame["broken"].sum() == pytest.approx(frame["broken"].sum())


def test_a_seed_repeats_which_of_equal_rows_go_where():
    frame = pl.DataFrame({"x": [1] * 7 + [2] * 6 + [9] * 4})
    results = [masked(frame, seed=seed, column="x", k=5).frame["x"].to_list() for seed in (1, 1, 2, 3, 4)]
    assert results[0] == results[1]
    assert len({tuple(result) for result in results}) > 1


@tries(40)
@given(n_rows=st.integers(10, 100), k=st.integers(2, 6), seed=st.integers(0, 999))
def test_means_are_kept_within_rounding(n_rows, k, seed):
    values = np.random.default_rng(seed).integers(-(10**6), 10**6, n_rows)
    frame = pl.DataFrame({"x": values})
    fine = masked(frame, column="x", k=k, decimals=12).frame["x"]
    assert fine.sum() == pytest.approx(values.sum(), abs=1e-6 * n_rows)
    own = masked(frame, column="x", k=k).frame["x"]
    assert own.dtype == pl.Int64
    assert abs(own.sum() - values.sum()) <= n_rows / 2


def test_halves_are_rounded_to_even_and_decimals_are_the_columns_own():
    frame = pl.DataFrame({"x": [1, 2, 101, 104, 201, 202], "y": ["0,1", "0,2", "7,1", "7,2", "9,3", "9,3"]})
    sheet = sheet_of(frame, Randomness(seed=1), decimal=",")
    result = Microaggregate(columns=["x", "y"], k=2).mask(sheet).frame
    assert result["x"].to_list() == [2, 2, 102, 102, 202, 202]
    assert result["y"].to_list() == ["0,2", "0,2", "7,2", "7,2", "9,3", "9,3"]
    result = Microaggregate(columns=["x", "y"], k=2, decimals=2).mask(sheet).frame
    assert result["x"].to_list() == [1.5, 1.5, 102.5, 102.5, 201.5, 201.5]
    assert result["y"].to_list() == ["0,15", "0,15", "7,15", "7,15", "9,3", "9,3"]
    assert [change.verb for change in Microaggregate(column="x", k=2).mask(sheet).changes] == ["perturbed"]


def test_types_stay_and_odd_numbers_do_no_harm():
    day = datetime.date
    frame = pl.DataFrame(
        {
            "small": pl.Series([1, 2, 250, 255], dtype=pl.UInt8),
            "single": pl.Series([0.1, 0.3, 8.1, 8.3], dtype=pl.Float32),
            "day": [day(2020, 1, 1), day(2020, 1, 3), day(2021, 5, 1), day(2021, 5, 1)],
            "huge": [2**62, 2**62 + 2, -(2**62), -(2**62)],
            "broken": [1e200, 1e200, -1 / 3, 1e-300],
            "flag": [True, True, False, False],
            "kind": pl.Series(["a", "a", "b", "c"], dtype=pl.Categorical),
        }
    )
    result = masked(frame, columns=frame.columns, k=2).frame
    assert result["small"].to_list() == [2, 2, 252, 252]
    assert result["single"].dtype == pl.Float32
    assert result["single"].cast(pl.String).to_list() == ["0.2", "0.2", "8.2", "8.2"]
    assert result["day"].to_list() == [day(2020, 1, 2)] * 2 + [day(2021, 5, 1)] * 2
    assert result["huge"].to_list() == [2**62] * 2 + [-(2**62)] * 2
    assert result["broken"].to_list() == [1e200, 1e200, -1 / 6, -1 / 6]
    assert result["flag"].to_list() == [True, True, False, False]
    assert result["kind"].to_list() == ["a", "a", "b", "b"]
    assert result["kind"].dtype == pl.String


def test_postcodes_are_categories_and_kinds_overrule():
    frame = pl.DataFrame({"code": ["01001", "01001", "01003", "28001"]})
    assert masked(frame, column="code", k=4).frame["code"].to_list() == ["01001"] * 4
    assert masked(frame, column="code", k=4, kinds={"code": "number"}).frame["code"].to_list() == ["7752"] * 4
    grades = pl.DataFrame({"grade": ["1", "1", "2", "9"]})
    assert masked(grades, column="grade", k=4).frame["grade"].to_list() == ["3"] * 4
    assert masked(grades, column="grade", k=4, kinds={"grade": "category"}).frame["grade"].to_list() == ["1"] * 4
    assert masked(grades, column="grade", k=4, orders={"grade": [1, 2, 9]}).frame["grade"].to_list() == ["1"] * 4


@tries(60)
@given(n_rows=st.integers(7, 100), k=st.integers(2, 5), seed=st.integers(0, 999))
def test_gaps_are_values_of_their_own(n_rows, k, seed):
    frame = random_frame(np.random.default_rng(seed), n_rows, with_gaps=True)
    columns = ["age", "town"]
    gaps = Counter(zip(frame["age"].is_null(), frame["town"].is_null(), strict=True))
    if min(gaps.values()) < k:
        with pytest.raises(UnreachableError, match="gaps") as error:
            masked(frame, columns=columns, k=k)
        assert f" {sum(count for count in gaps.values() if count < k)} row(s)" in error.value.message
    else:
        result = masked(frame, columns=columns, k=k).frame
        assert result.select(pl.col(columns).is_null()).equals(frame.select(pl.col(columns).is_null()))
    sheet = masked(frame, columns=columns, k=k, missing="blank")
    counts = Counter(sheet.frame.select(columns).rows())
    assert min(counts.values()) >= k
    is_blanked = sheet.frame["age"].is_null() & sheet.frame["town"].is_null()
    was_blank = frame["age"].is_null() & frame["town"].is_null()
    assert not (was_blank & ~is_blanked).any()
    kept = frame.filter(~is_blanked)
    after = sheet.frame.filter(~is_blanked)
    assert after.select(pl.col(columns).is_null()).equals(kept.select(pl.col(columns).is_null()))
    n_new = int((is_blanked & ~was_blank).sum())
    blanked = [finding for finding in sheet.findings if finding.code == "MICROAGGREGATION_BLANKED"]
    assert [finding.values["count"] for finding in blanked] == ([n_new] if n_new else [])
    if min(gaps.values()) >= k:
        assert n_new == 0


def test_one_gap_is_joined_by_just_as_many_rows_as_it_takes():
    frame = pl.DataFrame({"x": [None, *range(20)]})
    assert masked(frame, column="x", k=3, missing="blank").frame["x"].null_count() == 3
    assert masked(frame.head(4), column="x", k=3, missing="blank").frame["x"].null_count() == 4


@tries(30)
@given(n_rows=st.integers(9, 100), k=st.integers(2, 4), seed=st.integers(0, 999))
def test_groups_stay_within_their_stratum(n_rows, k, seed):
    draws = np.random.default_rng(seed)
    frame = random_frame(draws, n_rows).with_columns(course=pl.Series(draws.integers(0, 3, n_rows)))
    options = {"columns": ["age", "salary"], "k": k, "within": "course"}
    if frame["course"].value_counts()["count"].min() < k:
        with pytest.raises(UnreachableError, match="strata"):
            masked(frame, **options)
        return
    result = masked(frame, **options).frame
    counts = Counter(result.select("course", "age", "salary").rows())
    assert min(counts.values()) >= k
    assert sum(result["salary"]) == pytest.approx(sum(frame["salary"]), abs=0.01 * n_rows)
    for _, part in result.with_columns(true=frame["salary"]).group_by("course"):
        assert part["salary"].mean() == pytest.approx(part["true"].mean(), abs=0.01)


def test_the_finding_tells_groups_and_the_share_of_variance_lost():
    frame = pl.DataFrame({"x": [0, 0, 10, 10, 4, 6], "c": ["a", "a", "b", "b", "a", "b"]})
    sheet = masked(frame, columns=["x", "c"], k=2)
    found = sheet.findings[0]
    values = np.array(frame["x"])
    groups = sheet.frame["x"].to_numpy()
    lost = ((values - groups) ** 2).sum() / values.var() + (frame["c"] != sheet.frame["c"]).sum()
    total = len(values) + 3  # b is less frequent than, or as frequent as, a
    assert found.code == "MICROAGGREGATED"
    assert found.severity == "note"
    assert found.values["groups"] == 3
    assert found.values["share"] == f"{100 * lost / total:.1f}"
    assert float(found.values["share"]) > 0
    constant = masked(pl.DataFrame({"x": [5, 5, 5, 5]}), column="x", k=2)
    assert constant.findings[0].values["share"] == "0.0"
    assert constant.frame["x"].to_list() == [5, 5, 5, 5]


def test_a_member_who_knows_the_others_finds_the_last():
    """Attack A20: what `leaves` warns of does happen."""
    marks = [4.1, 5.2, 6.6]
    published = masked(pl.DataFrame({"mark": marks}), column="mark", k=3, decimals=6).frame["mark"][0]
    assert 3 * published - marks[0] - marks[1] == pytest.approx(marks[2])


def test_too_few_rows_are_unreachable():
    for frame in (pl.DataFrame({"x": [1, 2]}), pl.DataFrame({"x": pl.Series([], dtype=pl.Int64)})):
        with pytest.raises(UnreachableError, match="groups need 3 rows"):
            masked(frame, column="x", k=3)
    with pytest.raises(UnreachableError, match="groups need 3 rows"):
        masked(pl.DataFrame({"x": [None, None], "y": [1, 2]}), columns=["x", "y"], k=3, missing="blank")


def test_a_column_without_values_stays_so():
    frame = pl.DataFrame({"x": pl.Series([None] * 4, dtype=pl.String), "y": [1, 2, 3, 4]})
    assert masked(frame, columns=["x", "y"], k=2).frame["x"].to_list() == [None] * 4
    assert masked(frame, column="x", k=2).frame["x"].to_list() == [None] * 4


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"columns": []},
        {"columns": "x"},
        {"column": "x"},
        {"column": "x", "k": 1},
        {"column": "x", "k": True},
        {"column": "x", "k": 2.0},
        {"column": "x", "k": 2, "numbers": "mode"},
        {"column": "x", "k": 2, "missing": "drop"},
        {"column": "x", "k": 2, "decimals": -1},
        {"column": "x", "k": 2, "decimals": 13},
        {"column": "x", "k": 2, "decimals": 1.5},
        {"column": "x", "k": 2, "within": "x"},
        {"column": "x", "k": 2, "orders": {"y": ["a"]}},
        {"column": "x", "k": 2, "orders": {"x": []}},
        {"column": "x", "k": 2, "orders": {"x": ["a", "a"]}},
        {"column": "x", "k": 2, "orders": ["x"]},
        {"column": "x", "k": 2, "kinds": {"x": "date"}},
        {"column": "x", "k": 2, "kinds": "number"},
        {"column": "x", "k": 2, "kinds": {"x": "number"}, "orders": {"x": ["a"]}},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(OptionError):
        Microaggregate(**options)


def test_wrong_cells_are_refused_without_showing_them():
    frame = pl.DataFrame({"x": ["1", "secret", "3"]})
    with pytest.raises(InputError, match="1 of its 3 cells") as error:
        masked(frame, column="x", k=2, kinds={"x": "number"})
    assert "secret" not in str(error.value)
    with pytest.raises(InputError, match="1 of 3 cells") as error:
        masked(frame, column="x", k=2, orders={"x": ["1", "3"]})
    assert "secret" not in str(error.value)
    with pytest.raises(ColumnNotFoundError):
        masked(frame, column="y", k=2)
    with pytest.raises(ColumnNotFoundError):
        masked(frame, column="x", k=2, within="y")


def test_options_survive_a_plan_file():
    mask = Microaggregate(
        columns=["x", "y", "z"],
        k=3,
        numbers="median",
        orders={"y": ["low", "high"]},
        kinds={"z": "category"},
        within=["w"],
        decimals=1,
        missing="blank",
    )
    assert Microaggregate(**mask.to_dict()) == mask
    assert hash(Microaggregate(**mask.to_dict())) == hash(mask)
    assert mask.to_dict()["orders"] == {"y": ["low", "high"]}
    assert Microaggregate(column="x", k=3).to_dict() == {"columns": ["x"], "k": 3}
    assert mask.uses == ("x", "y", "z", "w")


@pytest.mark.parametrize("option", ["orders", "kinds"])
def test_pairs_that_are_none_are_refused(option):
    with pytest.raises(OptionError, match=option):
        Microaggregate(column="x", k=2, **{option: (1, 2)})


def test_decimals_with_gaps_are_blanked_too():
    column = pl.Series("x", ["1.5", "1", "2", None]).cast(pl.Decimal(10, 2))
    centred = Microaggregate(column="x", k=2, missing="blank").apply(pl.DataFrame([column]))["x"]
    assert centred.dtype == pl.Decimal(10, 2)
    assert centred.null_count() == 2
