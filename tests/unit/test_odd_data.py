"""Data that an outside checker broke the first version with."""

from __future__ import annotations

import datetime as dt
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import celosia as cl

FORMATS = ["csv", "csv-es", "parquet", "xlsx", "arrow"]


def run(frame, kinds, folder=None, format="csv", **roles):
    table = cl.Table(frame, cl.Schema(quasi_identifiers=kinds, **roles))
    release = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(table)
    if folder is not None:
        release.write(folder, format=format)
    return release


def test_values_that_a_tree_does_not_know_are_told_apart_in_risk():
    tree = cl.Tree([["x", "g"], ["y", "g"]], on_missing="suppress")
    table = cl.Table(pl.DataFrame({"j": ["x", "x", "q", "w"]}), cl.Schema(quasi_identifiers={"j": tree}))
    found = cl.risk.prosecutor(table)
    assert (found.max, found.mean) == (1.0, 0.75)


@pytest.mark.parametrize("seed", range(8))
def test_rows_of_only_missing_values_reach_a_workbook(tmp_path, seed):
    frame = pl.DataFrame({"z": ["a", "a", None, None], "y": [1, 2, None, None]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"z": "category", "y": "number"}))
    cl.Plan(models=[cl.KAnonymity(2)], seed=seed).run(table).write(tmp_path / "out", format="xlsx")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("text", ["a\r\nb", "a\rb", "_x0041_", "_x005F_", "a\tb", "\x01", '"=1', "x" * 5000, "ñ😀ع"])
def test_odd_texts_in_every_format(tmp_path, format, text):
    frame = pl.DataFrame({"x": [1, 2], "note": [text, "plain"]})
    run(frame, {"x": "number"}, tmp_path / "out", format, insensitive=["note"])


def test_a_set_longer_than_the_csv_modules_own_limit(tmp_path):
    frame = pl.DataFrame({"city": [f"{'c' * 4000}{number}" for number in range(40)]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"city": "category"}))
    cl.Plan(models=[cl.KAnonymity(40)]).run(table).write(tmp_path / "out")


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Int8, pl.UInt64, pl.Decimal(10, 2)])
def test_numbers_of_every_width(dtype):
    frame = pl.DataFrame({"x": pl.Series([1, 2, 3, 7]).cast(dtype)})
    assert run(frame, {"x": "number"}).k == 2


def test_single_precision_keeps_its_decimals():
    for frame in (
        pl.DataFrame({"x": pl.Series([0.1, 0.2], dtype=pl.Float32)}),
        pd.DataFrame({"x": np.array([0.1, 0.2], dtype=np.float32)}),
    ):
        assert list(run(frame, {"x": "number"}).frame["x"]) == ["[0.1, 0.2]"] * 2


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "values",
    [
        [dt.timedelta(hours=1), dt.timedelta(minutes=2, microseconds=3)],
        [dt.time(10, 0, 0, 1), dt.time(11)],
        [dt.datetime(2020, 1, 1, 10, 0, 0, 1), dt.datetime(2021, 1, 1)],
        [dt.date(2020, 1, 1), None],
        [True, False],
    ],
)
def test_other_types_as_secret_and_as_category(tmp_path, format, values):
    frame = pl.DataFrame({"x": [1, 2], "y": values, "z": values})
    run(frame, {"x": "number", "y": "category"}, tmp_path / "out", format, sensitive=["z"])


@pytest.mark.parametrize(
    "texts",
    [
        ["2020-01-01T10:00:00", "2020-02-01T11:30:00"],
        ["2020-01-01 10:00", "2020-02-01 09:00"],
        ["01/01/2020 10:00:01", "01/02/2020 11:00:00"],
    ],
)
def test_moments_are_read_as_their_day(texts):
    table = cl.Table(pl.DataFrame({"x": texts}), cl.Schema(quasi_identifiers={"x": "dates"}))
    assert list(table.quasi_identifiers[0].domain.values) == [dt.date(2020, 1, 1), dt.date(2020, 2, 1)]


def test_pandas_moments_with_a_time_zone():
    frame = pd.DataFrame({"x": pd.to_datetime(["2020-01-01 10:00", "2020-02-01 10:00"]).tz_localize("UTC")})
    assert run(frame, {"x": "dates"}).k == 2


def test_years_of_two_digits_are_refused():
    with pytest.raises(cl.InputError, match="dates"):
        run(pl.DataFrame({"x": ["01/02/20", "03/04/21"]}), {"x": "dates"})


@pytest.mark.parametrize(
    "frame", [pl.DataFrame({"x": ["a\0b", "c"]}), pl.DataFrame({" ": ["a", "b"], "x": ["a", "b"]})]
)
def test_what_no_text_file_can_hold_is_refused(frame):
    with pytest.raises(cl.InputError):
        run(frame, {"x": "category"})


def test_half_characters_are_refused():
    with pytest.raises(cl.InputError):
        run(pd.DataFrame({"x": pd.Series(["\ud800", "b"], dtype=object)}), {"x": "category"})


def test_a_schema_can_be_pickled():
    schema = cl.Schema(quasi_identifiers={"x": cl.Prefix(keep=[2, 1])}, weights={"x": 2})
    assert pickle.loads(pickle.dumps(schema)) == schema


def test_check_without_quasi_identifiers_sees_one_class():
    found = cl.check(pl.DataFrame({"x": [1, 2, 3]}), [])
    assert (found.k, found.figures["n_rows"]) == (3, 3)
    assert [finding.code for finding in found.findings] == ["NO_QUASI_IDENTIFIERS", "RARE_VALUES", "EXTREMES"]
    table = cl.Table(pl.DataFrame({"x": [1, 2]}), cl.Schema(insensitive=["x"]))
    assert cl.risk.prosecutor(table).max == 0.5


def test_anything_costs_all_in_every_variant():
    table = cl.Table(pl.DataFrame({"x": ["a", None]}), cl.Schema(quasi_identifiers={"x": "category"}))
    for variant in ("paper", "xu", "arx"):
        assert cl.utility.gcp(table, [0, 0], variant) == 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: cl.Plan(models=[cl.KAnonymity]),
        lambda: cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.KMembers),
        lambda: cl.Plan(models=[cl.KAnonymity(2)], masks=None),
        lambda: cl.Schema(quasi_identifiers={"a": cl.Number}),
        lambda: cl.Schema(quasi_identifiers={0: "number"}),
        lambda: cl.Schema(identifiers=None),
        lambda: cl.Schema(subject=5),
        lambda: cl.Schema(quasi_identifiers={"a": "number"}, weights=[1]),
        lambda: cl.Schema(quasi_identifiers={"a": "number"}, weights={"a": 1e308}),
        lambda: cl.Plan(models=[cl.KAnonymity(2)]).run(pl.DataFrame({"a": [1]})),
        lambda: cl.check(pl.DataFrame({"a": [1]}), [0]),
        lambda: cl.check(pl.DataFrame({"a": [1]}), ["a"], models=["k"]),
        lambda: cl.risk.prosecutor(cl.Classes([0]), threshold="abc"),
        lambda: cl.risk.prosecutor(cl.Classes([0]), threshold=float("nan")),
    ],
)
def test_wrong_types_are_typed_errors(wrong):
    with pytest.raises(cl.InputError):
        wrong()


def test_a_whole_number_of_numpy_is_a_whole_number():
    assert cl.KAnonymity(np.int64(3)) == cl.KAnonymity(3)


@pytest.mark.parametrize("name", ["*", "^x.*$"])
def test_names_that_polars_reads_as_patterns_are_refused(name):
    frame = pl.DataFrame({name: [1, 2], "x1": [3, 4]})
    with pytest.raises(cl.FormatError, match="pattern"):
        run(frame, {name: "number", "x1": "number"})
    with pytest.raises(cl.FormatError, match="pattern"):
        cl.check(frame, ["x1"])
