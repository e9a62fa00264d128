from __future__ import annotations

import io
import zipfile
from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.data.hierarchies import Category
from celosia.data.io import write
from celosia.data.masked import Change
from celosia.masks.base import Mask, sheet_of
from celosia.masks.blank import Blank
from celosia.masks.drop import Drop

NAMES = ["Luis", "Eduardo", "Tatiana", "Pedro", "Amparo"]
CLASS = pl.DataFrame(
    {
        "Estudiante": [*NAMES[:4], "Amparo "],
        "Profesor": ["Milena", "Milena", "Milena", "José", "José "],
        "Resultado": ["4.5", "3.5", "3.8", "2.5", "5.0 "],
    }
)


def all_bytes(path):
    data = path.read_bytes()
    if path.suffix == ".parquet":
        return data + repr(pl.read_parquet(path).rows()).encode()  # its pages may be compressed
    if path.suffix != ".xlsx":
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"".join([name.encode() + archive.read(name) for name in archive.namelist()])


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet", "arrow"])
def test_the_scan_of_bytes_finds_names_that_are_there(tmp_path, suffix):
    write(CLASS, tmp_path / f"out.{suffix}", format=suffix)
    found = all_bytes(tmp_path / f"out.{suffix}")
    assert all(name.encode() in found for name in NAMES)


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet", "arrow"])
@pytest.mark.parametrize("given_as", [CLASS, CLASS.with_columns(pl.col("Estudiante").cast(pl.Categorical))])
@pytest.mark.parametrize(
    "mask",
    [
        Drop(column="Estudiante"),
        Blank(column="Estudiante"),
        Blank(column="Estudiante", header=True),
        Blank(column="Estudiante", symbol="*"),
    ],
)
def test_no_student_is_in_the_bytes_of_the_output(tmp_path, suffix, given_as, mask):
    made = mask.apply(given_as)
    write(made, tmp_path / f"out.{suffix}", format=suffix)
    found = all_bytes(tmp_path / f"out.{suffix}")
    assert not [name for name in NAMES if name.encode() in found]
    assert made.height == 5
    assert made["Profesor"].to_list() == ["Milena"] * 3 + ["José"] * 2
    assert made["Resultado"].to_list() == ["4.5", "3.5", "3.8", "2.5", "5.0"]


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet", "arrow"])
def test_cells_that_were_emptied_are_in_no_bytes_either(tmp_path, suffix):
    write(Blank(column="Estudiante", where="Resultado < 3").apply(CLASS), tmp_path / f"out.{suffix}", format=suffix)
    found = all_bytes(tmp_path / f"out.{suffix}")
    assert b"Pedro" not in found
    assert b"Tatiana" in found


def test_dropping_leaves_two_columns_and_blanking_three():
    assert Drop(column="Estudiante").apply(CLASS).columns == ["Profesor", "Resultado"]
    blanked = Blank(column="Estudiante").apply(CLASS)
    assert blanked.columns == CLASS.columns
    assert blanked["Estudiante"].to_list() == [None] * 5


def test_headers_are_blanked_in_place_and_stay_different():
    frame = pl.DataFrame({"a": [1], "b": ["x"], "c": [date(2026, 1, 31)]})
    sheet = Blank(columns=["c", "a"], header=True).mask(sheet_of(frame))
    assert sheet.frame.columns == ["  ", "b", " "]
    assert sheet.frame.row(0) == (None, "x", None)
    assert sheet.changes == (
        *(Change("c", "removed"), Change(" ", "blanked")),
        *(Change("a", "removed"), Change("  ", "blanked")),
    )
    again = Blank(column="b", header=True).mask(sheet)
    assert again.frame.columns == ["  ", "   ", " "]


def test_types_stay_where_cells_are_missing():
    frame = pl.DataFrame({"n": [1, 2], "d": [date(2026, 1, 31)] * 2, "f": [0.5, 1.5], "b": [True, False]})
    blanked = Blank(columns=frame.columns, where="n == 1").apply(frame)
    assert blanked.schema == frame.schema
    assert blanked.rows() == [(None, None, None, None), frame.row(1)]
    whole = Blank(columns=frame.columns).apply(frame)
    assert whole.schema == frame.schema
    assert whole.null_count().row(0) == (2, 2, 2, 2)


def test_a_symbol_makes_labels():
    frame = pl.DataFrame({"n": [1, 2, None], "f": [0.5, 2.0, None]})
    sheet = Blank(columns=["n", "f"], where="n == 1", symbol="*").mask(sheet_of(frame, decimal=","))
    assert sheet.frame.rows() == [("*", "*"), ("2", "2"), (None, None)]
    assert [change.kind for change in sheet.changes] == [Category(), Category()]
    assert Blank(column="f", values=[2], symbol="*").mask(sheet_of(frame, decimal=",")).frame["f"].to_list() == [
        "0,5",
        "*",
        None,
    ]


def test_values_by_spelling_or_as_numbers():
    frame = pl.DataFrame({"a": ["13", "13.0", "013", "n/a", None, "José"]})
    assert Blank(column="a", values=["13"]).apply(frame)["a"].to_list() == [None, "13.0", "013", "n/a", None, "José"]
    assert Blank(column="a", values=[13]).apply(frame)["a"].to_list() == [None, None, None, "n/a", None, "José"]
    assert Blank(column="a", values=["Jose\u0301 ", "n/a"]).apply(frame)["a"].to_list() == [
        "13",
        "13.0",
        "013",
        None,
        None,
        None,
    ]
    big = pl.DataFrame({"a": [2**53, 2**53 + 1]})
    assert Blank(column="a", values=[2**53 + 1]).apply(big)["a"].to_list() == [2**53, None]
    assert Blank(column="a", values=[2**70]).apply(big)["a"].to_list() == big["a"].to_list()
    assert Blank(column="a", values=[True]).apply(pl.DataFrame({"a": [True, False]}))["a"].to_list() == [None, False]
    assert Blank(column="a", values=[date(2026, 1, 31)]).apply(pl.DataFrame({"a": [date(2026, 1, 31)]}))[
        "a"
    ].to_list() == [None]


@given(
    st.lists(st.tuples(st.none() | st.integers(0, 3), st.none() | st.sampled_from("xyz")), min_size=1, max_size=8),
    st.booleans(),
)
def test_a_condition_chooses_cells(rows, with_symbol):
    frame = pl.DataFrame(rows, schema={"n": pl.Int64, "t": pl.String}, orient="row")
    instead = "*" if with_symbol else None
    made = Blank(columns=["t"], where='n > 1 or t == "x"', symbol=instead).apply(frame)

    def plain(number, text):
        return instead if text is not None and ((number is not None and number > 1) or text == "x") else text

    assert made["t"].to_list() == [plain(*row) for row in rows]
    assert made["n"].to_list() == [number for number, _ in rows]


def test_a_condition_sees_the_cells_as_they_were():
    frame = pl.DataFrame({"a": [1, 2], "b": [1, 2]})
    assert Blank(columns=["a", "b"], where="a == 1 and b == 1").apply(frame).rows() == [(None, None), (2, 2)]


def test_what_is_found_and_changed():
    sheet = Blank(column="t", where="1 / n > 0.4").mask(
        sheet_of(pl.DataFrame({"n": [0, 1, 2, 3], "t": ["a", None, "c", "d"]}))
    )
    assert [(one.code, one.severity, one.message) for one in sheet.findings] == [
        ("DIVISION_BY_ZERO", "note", "blank: 1 divisions by zero; their results are missing."),
        ("CELLS_BLANKED", "note", "1 of 3 cells of 't' were emptied."),
    ]
    assert sheet.changes == (Change("t", "hidden", sources=("n",)),)
    assert Blank(column="t").mask(sheet_of(pl.DataFrame({"t": ["a"]}))).findings == ()


@pytest.mark.parametrize(
    "mask",
    [
        Blank(column="a"),
        Blank(columns=["a", "b"], header=True),
        Blank(column="a", where="b == 'x'", symbol="*"),
        Blank(column="a", values=["x", 5, 1.5, True]),
    ],
)
def test_a_plan_file_gives_it_back(mask):
    assert isinstance(mask, Mask)
    assert Blank(**mask.to_dict()) == mask
    assert hash(Blank(**mask.to_dict())) == hash(mask)
    assert mask.is_whole is (mask.where is None and mask.values is None)


def test_what_it_uses():
    assert Blank(column="a", where="b + a > c").uses == ("a", "b", "c")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"column": "a", "columns": ["b"]},
        {"column": "a", "where": "b > 1", "values": [1]},
        {"column": "a", "where": "b >"},
        {"column": "a", "where": 5},
        {"column": "a", "values": []},
        {"column": "a", "values": "x"},
        {"column": "a", "values": [None]},
        {"column": "a", "values": [float("nan")]},
        {"column": "a", "values": [[1]]},
        {"column": "a", "header": "yes"},
        {"column": "a", "header": True, "where": "b > 1"},
        {"column": "a", "symbol": ""},
        {"column": "a", "symbol": 5},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(OptionError):
        Blank(**options)


def test_wrong_columns_and_conditions():
    frame = pl.DataFrame({"age": [1], "town": ["CANARY"]})
    with pytest.raises(ColumnNotFoundError, match="did you mean 'age'"):
        Blank(column="agee").apply(frame)
    with pytest.raises(ColumnNotFoundError, match="did you mean 'age'"):
        Blank(column="age", where="agee > 1").apply(frame)
    with pytest.raises(OptionError, match="no condition"):
        Blank(column="age", where="age + 1").apply(frame)
    with pytest.raises(InputError, match="1 of its 1 cells") as caught:
        Blank(column="age", where="town > 1").apply(frame)
    assert "CANARY" not in str(caught.value)
