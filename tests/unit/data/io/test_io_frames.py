from __future__ import annotations

import datetime
import decimal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import celosia.data.io.frames
from celosia.base.errors import FormatError, InputError
from celosia.data.io import from_polars, to_polars

SOURCE_ROOT = str(Path(celosia.data.io.frames.__file__).parents[3])


def column(values: Any, **options: Any) -> pl.Series:
    return to_polars(pd.DataFrame({"x": pd.Series(values, **options)}))[0]["x"]


@pytest.mark.parametrize(
    ("values", "options", "dtype", "expected"),
    [
        ([1, 2], {}, pl.Int64, [1, 2]),
        ([1, None], {}, pl.Float64, [1.0, None]),
        ([1, None], {"dtype": "Int64"}, pl.Int64, [1, None]),
        ([1.5, float("nan")], {"dtype": "Float64"}, pl.Float64, [1.5, None]),
        ([True, False], {}, pl.Boolean, [True, False]),
        ([True, None], {"dtype": "boolean"}, pl.Boolean, [True, None]),
        (["01001", None, float("nan"), pd.NA], {"dtype": object}, pl.String, ["01001", None, None, None]),
        (["á", None], {"dtype": "string"}, pl.String, ["á", None]),
        (["b", None, "a"], {"dtype": "category"}, pl.String, ["b", None, "a"]),
        ([3, 1, 3], {"dtype": "category"}, pl.Int64, [3, 1, 3]),
        ([5, "n/a", 5.0, 2.5, True, None], {"dtype": object}, pl.String, ["5", "n/a", "5", "2.5", "TRUE", None]),
        ([1, 2.5, None], {"dtype": object}, pl.Float64, [1.0, 2.5, None]),
        ([np.int64(1), 2], {"dtype": object}, pl.Int64, [1, 2]),
        ([2**70, 1], {"dtype": object}, pl.String, [str(2**70), "1"]),
        ([decimal.Decimal("1.5"), 2], {"dtype": object}, pl.Float64, [1.5, 2.0]),
        ([datetime.date(2024, 5, 1), None], {"dtype": object}, pl.Date, [datetime.date(2024, 5, 1), None]),
        ([None, None], {"dtype": object}, pl.String, [None, None]),
        (np.array([1, 2], dtype=">i4"), {}, pl.Int32, [1, 2]),
        (np.array([1, 2], dtype=np.float16), {}, pl.Float64, [1.0, 2.0]),
    ],
)
def test_columns_of_pandas(values: Any, options: dict[str, Any], dtype: pl.DataType, expected: list[Any]) -> None:
    found = column(values, **options)
    assert (found.dtype, found.to_list()) == (dtype, expected)


def test_times_of_pandas() -> None:
    moment = datetime.datetime(2024, 5, 1, 0, 30)
    assert column([moment, None]).to_list() == [moment, None]
    assert column([moment, None]).dtype == pl.Datetime("us")
    zoned = pd.Series([moment]).dt.tz_localize("Europe/Madrid")
    assert column(zoned).to_list() == ["2024-05-01T00:30:00+02:00"]
    assert column([pd.Timedelta(hours=2)]).to_list() == [datetime.timedelta(hours=2)]
    assert column(pd.period_range("2024-01", periods=2, freq="M")).to_list() == ["2024-01", "2024-02"]


def test_the_index_is_dropped_and_names_become_text() -> None:
    frame = pd.DataFrame([[1, 2]], columns=[0, "b"], index=["Ana"])
    polars, kind = to_polars(frame)
    assert (polars.to_dict(as_series=False), kind) == ({"0": [1], "b": [2]}, "pandas")


def test_the_frame_given_is_not_changed() -> None:
    frame = pd.DataFrame({"x": pd.Categorical(["a", "b"]), "y": [1.0, None]}, index=[7, 8])
    before = frame.copy(deep=True)
    to_polars(frame)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    "value", [[1], {"a": 1}, (1, 2), {1}, b"x", np.array([1])], ids=lambda value: type(value).__name__
)
def test_nested_cells_of_pandas_are_refused(value: object) -> None:
    series = pd.Series([None, None], dtype=object)
    series.iat[0] = value
    with pytest.raises(FormatError, match="'x' of the frame"):
        to_polars(pd.DataFrame({"x": series}))


def test_repeated_names_are_refused() -> None:
    with pytest.raises(FormatError, match="columns 1 and 3"):
        to_polars(pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]))
    with pytest.raises(FormatError, match="columns 1 and 2"):
        to_polars(pd.DataFrame([[1, 2]], columns=[1, "1"]))
    with pytest.raises(FormatError, match="several levels"):
        to_polars(pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])))
    with pytest.raises(FormatError, match="columns 1 and 2"):
        to_polars(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]))


def test_frames_of_polars_and_arrow() -> None:
    frame = pl.DataFrame({"job": pl.Series(["a", None], dtype=pl.Categorical), "n": [1.0, float("nan")]})
    expected = {"job": ["a", None], "n": [1.0, None]}
    for given, kind in ((frame, "polars"), (frame.lazy(), "polars"), (frame.to_arrow(), "arrow")):
        found, found_kind = to_polars(given)
        assert (found.to_dict(as_series=False), found_kind) == (expected, kind)
        assert found.schema["job"] == pl.String
    gaps = pa.Table.from_pandas(pd.DataFrame({"job": pd.Categorical(["a", None], categories=["b", "a"])}))
    assert to_polars(gaps)[0]["job"].to_list() == ["a", None]
    indexed = pa.Table.from_pandas(pd.DataFrame({"n": [1]}, index=["Ana"]))
    assert "__index_level_0__" in indexed.column_names
    assert to_polars(indexed)[0].columns == ["n"]


@pytest.mark.parametrize("thing", [{"a": [1]}, [1, 2], "people.csv", None, np.zeros(3), pd.Series([1]), pl.Series([1])])
def test_other_things_are_refused(thing: object) -> None:
    with pytest.raises(InputError, match=r"pandas\.DataFrame, polars\.DataFrame, polars\.LazyFrame, pyarrow\.Table"):
        to_polars(thing)


def released() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": ["[30, 40]", None],
            "n": [1, 2],
            "m": [1, None],
            "r": [1.5, None],
            "flag": [True, None],
            "day": [datetime.date(1890, 1, 1), None],
            "moment": [datetime.datetime(2024, 5, 1), None],
        }
    )


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_the_same_kind_comes_back(kind: Any) -> None:
    frame = from_polars(released(), kind)
    again, found_kind = to_polars(frame)
    assert found_kind == kind
    assert again.equals(released())
    assert again.schema == released().schema


def test_a_frame_of_pandas_has_a_fresh_index() -> None:
    frame = from_polars(released().head(0), "pandas")
    assert (len(frame), list(frame.columns)) == (0, released().columns)
    assert isinstance(from_polars(released(), "pandas").index, pd.RangeIndex)


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {SOURCE_ROOT!r})\n{code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_neither_pandas_nor_pyarrow_is_imported_for_polars() -> None:
    code = "import celosia.data.io as io, polars as pl\nio.to_polars(pl.DataFrame({'a': [1]}))\n"
    assert run(code + "print('pandas' in sys.modules, 'pyarrow' in sys.modules)") == "False False"


def test_pandas_works_without_pyarrow() -> None:
    code = (
        "sys.modules['pyarrow'] = None\n"
        "import pandas as pd, celosia.data.io as io\n"
        "days = pd.to_datetime(['2024-05-01'] * 2)\n"
        "frame = pd.DataFrame({'s': ['á', None], 'c': pd.Categorical(['x', 'y']), 'n': [1, 2], 'd': days})\n"
        "polars, kind = io.to_polars(frame)\n"
        "back = io.from_polars(polars, kind)\n"
        "print(polars['s'].to_list(), polars['c'].to_list(), back['n'].tolist(), back['s'].isna().tolist())"
    )
    assert run(code) == "['á', None] ['x', 'y'] [1, 2] [False, True]"


def test_whole_numbers_of_128_bits_are_narrowed_or_become_text() -> None:
    frame, _ = to_polars(pl.DataFrame({"x": pl.Series([7, None], dtype=pl.Int128)}))
    assert frame["x"].dtype == pl.Int64
    frame, _ = to_polars(pl.DataFrame({"x": pl.Series([2**100, None], dtype=pl.Int128)}))
    assert frame["x"].to_list() == [str(2**100), None]
