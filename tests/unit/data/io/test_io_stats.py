"""SPSS, Stata and SAS files: what is read from foreign ones, and what comes back of what was written."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.audit import AuditInputError, read_columns, verify
from celosia.base.errors import FormatError
from celosia.data.io import Labels, described, read, write

WRITTEN = ["sav", "zsav", "dta", "xpt"]
SAS7BDAT = (
    r"c-muNK!8K98WT2)2%g_NiGzXjxM7ckynvvw5`(cZBa<N`M2QFk12ZFvxG|%$F@uN*g90-n%$#7yU<Ef%A6FO05XWHG5CvR-fdByMhpF>l@?_GQ"
    r"qWg|88bh%F1T&%uTk08@7#RAR`ef#nRv?KR>lqs88R!}sni=RB8tNIM8&_dr7H?*P;DhXCe%1XQhSAl}*mdV0vO5_@!6+C7qhJ(_f>AIEM!_f;"
    r"1*2dTjDkS~W<vX|=pdOD%3u;?-~&=OcpzL2W>j?tpyCo}`ZKs7bOaNs_!mwHT>=w;cGy=y#eLAkb)e!kXyR`;AhZLT_!@L^D9FJfu7gAT4Lf%6"
    r"H8{j`2#BLO69O8Xp~`>QgQ-JTfqaL_ZtL$r#t&w#aWF76FffFTm0bK$&wy+VjE_Vg-k6w|a(EX+{XR5#h7bGE<C)m8m{BkaM!_f;1>}Q&zyE^)"
    r"x;O_8^)U=AMClj7p+5l4WL)|=ap?CT(tb+)&x1p~4OQ&dVBm%6hiLz=1LdngX*LFSV7<%+Yw$4q0ow5QKO+MxTnqyKK=o%}i$4}dcxc1;8Yp}w"
    r"@Dv5IyaXCw0gaCgpjQ94fQzUwK$>C}P}%`XyFf$D2TDhvg(Apr5RibBgwW?^z;ibtt^tYZsSK$pi75)Hc?yY#H|7@u6&EB{GB~*ghg4-2FeK#{"
    r"<pI^Y7N@3y=@3s}*NptqA`p!&@L*vFa}zs_@){32YMe2`;~KRc#)cLqjA-sd=l@4j$BL$o6)mkXqWKe@4^7ep)ATPQ)&2ZWSsoo~;2RJi$0H1U"
    r"2Lf=57s?kvlNU5l0@DUiJ~IyU(anXG8KMl>4VFhsC;vxSe9)>tN-AK4m*%K^UNk;G8eb5N&p|Vvav+t<B1rb|fY~xc+ROrUDI<{NMG*~wvzT!Q"
    r"4Hy6b=XNxI"
)
"""Three rows of a SAS file, packed: age with .A, pay, zip, born, seen, hour."""


def back(frame: pl.DataFrame, format: str, labels: Labels | None = None, style: str | None = None) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"data.{format}")
        write(frame, path, labels=labels)
        assert [found.name for found in Path(folder).iterdir()] == [path.name]
        return read(path, labels=style)


PEOPLE = pl.DataFrame(
    {
        "age": [39, None, -5],
        "big": [2**53, -(2**53), None],
        "pay": [1.5, None, 2.0],
        "zip": ["01001", "ñandú €", None],
        "born": [dt.date(1582, 10, 15), None, dt.date(9999, 12, 31)],
        "seen": [dt.datetime(2020, 1, 5, 10, 11, 12, 123_000), None, dt.datetime(1901, 3, 4)],
        "hour": [dt.time(23, 59, 59, 999_000), None, dt.time(0)],
    }
)


@pytest.mark.parametrize("format", WRITTEN)
def test_types_zeros_dates_missing_cells_and_accents_come_back(format: str) -> None:
    assert back(PEOPLE, format).frame.equals(PEOPLE)
    assert back(PEOPLE, format).frame.schema == PEOPLE.schema


@pytest.mark.parametrize("format", WRITTEN)
@pytest.mark.parametrize("n_rows", [0, 1])
def test_tables_of_no_row_and_of_one(format: str, n_rows: int) -> None:
    few = PEOPLE.head(n_rows)
    assert back(few, format).frame.equals(few)
    assert back(few, format).frame.schema == few.schema


@pytest.mark.parametrize("format", WRITTEN)
def test_columns_without_any_value(format: str) -> None:
    empty = pl.DataFrame([pl.Series(name, [None, None], dtype=dtype) for name, dtype in PEOPLE.schema.items()])
    assert back(empty, format).frame.equals(empty)
    assert back(empty, format).frame.schema == empty.schema
    assert back(pl.DataFrame({"x": [None, None]}), format).frame.schema == {"x": pl.String}


@pytest.mark.parametrize("format", WRITTEN)
def test_other_types_are_written_as_what_the_formats_know(format: str) -> None:
    hour = dt.timedelta(hours=26, minutes=30)
    frame = pl.DataFrame(
        {
            "truth": [True, False, None],
            "small": pl.Series([1, 2, None], dtype=pl.UInt8),
            "single": pl.Series([0.1, 2.5, None], dtype=pl.Float32),
            "price": pl.Series(["1.10", "2", None]).cast(pl.Decimal(10, 2)),
            "length": [hour, None, None],
            "zoned": pl.Series([dt.datetime(2020, 1, 5, 10), None, None]).dt.replace_time_zone("Europe/Madrid"),
            "nano": pl.Series([dt.datetime(2020, 1, 5, 10, 11), None, None], dtype=pl.Datetime("ns")),
        }
    )
    assert back(frame, format).frame.to_dict(as_series=False) == {
        "truth": ["true", "false", None],
        "small": [1, 2, None],
        "single": [0.1, 2.5, None],
        "price": [1.1, 2.0, None],
        "length": ["P1DT2H30M", None, None],
        "zoned": ["2020-01-05T10:00:00+01:00", None, None],
        "nano": [dt.datetime(2020, 1, 5, 10, 11), None, None],
    }


@pytest.mark.parametrize("format", WRITTEN)
def test_blanks_and_empty_texts(format: str) -> None:
    """Where texts are padded by blanks, blanks at their end cannot be told from the padding."""
    frame = pl.DataFrame({"note": ["", " ", "end  ", "  start", "a\nb\tc", "=1+1", None]})
    ends = [" ", "end  "] if format == "dta" else [None, "end"]
    assert back(frame, format).frame["note"].to_list() == [None, *ends, "  start", "a\nb\tc", "=1+1", None]


@pytest.mark.parametrize("format", WRITTEN)
@pytest.mark.parametrize("length", [8, 9, 255, 256, 2044, 2045, 2046, 32_767])
def test_long_texts(format: str, length: int) -> None:
    frame = pl.DataFrame({"a": ["x" * length, None, "ñ" * (length // 2)], "b": [None, "None", "y" * length]})
    assert back(frame, format).frame.equals(frame)


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    n_rows = draw(st.integers(0, 6))
    size = st.floats(1e-70, 1e70)
    milliseconds = st.integers(0, 86_399_999).map(
        lambda count: (dt.datetime(2000, 1, 1) + dt.timedelta(milliseconds=count)).time()
    )
    moments = st.builds(dt.datetime.combine, st.dates(dt.date(1600, 1, 1), dt.date(2120, 1, 1)), milliseconds)
    texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=300)
    kinds: list[tuple[st.SearchStrategy[Any], Any]] = [
        (st.integers(-(2**53), 2**53), pl.Int64),
        (st.integers(-100, 100), pl.Int64),
        (size | size.map(lambda number: -number) | st.just(0.0), pl.Float64),
        (texts, pl.String),
        (st.dates(dt.date(1582, 10, 15)), pl.Date),
        (moments, pl.Datetime("us")),
        (milliseconds, pl.Time),
    ]
    columns = []
    for place, (cells, dtype) in enumerate(draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))):
        values = draw(st.lists(st.none() | cells, min_size=n_rows, max_size=n_rows))
        columns.append(pl.Series(f"column_{place}", values, dtype=dtype))
    return pl.DataFrame(columns)


@pytest.mark.parametrize("format", WRITTEN)
@given(frame=frames())
@tries(60)
def test_random_tables_come_back(format: str, frame: pl.DataFrame) -> None:
    def expected(cell: Any) -> Any:
        return (cell if format == "dta" else cell.rstrip(" ")) or None if isinstance(cell, str) else cell

    found = back(frame, format).frame
    assert found.schema == frame.schema
    assert found.rows() == [tuple(map(expected, row)) for row in frame.rows()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"data.{format}")
        write(frame, path)
        texts = read_columns(path, format=format)
    assert {name: [cell is None for cell in column] for name, column in texts.items()} == {
        column.name: column.is_null().to_list() for column in found
    }
    for column in found:
        if column.dtype in (pl.Date, pl.Datetime("us"), pl.Time):
            spelt = [
                None if cell is None else str(cell)
                for cell in column.cast(pl.Time if column.dtype == pl.Time else pl.Datetime("us")).to_list()
            ]
            read_back = [
                None
                if cell is None
                else str(dt.time.fromisoformat(cell) if column.dtype == pl.Time else dt.datetime.fromisoformat(cell))
                for cell in texts[column.name]
            ]
            assert read_back == spelt
        elif column.dtype != pl.String:
            assert [None if cell is None else float(cell) for cell in texts[column.name]] == column.cast(
                pl.Float64
            ).to_list()


LABELS = Labels(
    columns={"sex": "Sexo al nacer (años)", "gone": "CANARY-column"},
    values={
        "sex": {1: "varón", 2: "mujer", 3: "CANARY-code"},
        "word": {"m": "mañana", "t": "CANARY-word"},
        "gone": {1: "x"},
    },
    missing={"sex": {9: 4}},
)


@pytest.mark.parametrize("format", WRITTEN)
def test_labels_of_what_is_there_come_back_and_no_other(tmp_path: Path, format: str) -> None:
    frame = pl.DataFrame({"sex": [1, 2, None], "word": ["m", None, "m"], "age": [1.5, 2.5, 3.5]})
    path = tmp_path / f"data.{format}"
    write(frame, path, labels=LABELS)
    assert read(path).frame.equals(frame)
    kept = {"sex": {1: "varón", 2: "mujer"}, "word": {"m": "mañana"}}
    if format == "dta":
        del kept["word"]
    assert read(path).labels == Labels({"sex": "Sexo al nacer (años)"}, {} if format == "xpt" else kept)
    assert b"CANARY" not in path.read_bytes()


@pytest.mark.parametrize("format", ["sav", "dta"])
def test_labels_of_numbers_are_not_written_for_texts_and_the_other_way_round(format: str) -> None:
    frame = pl.DataFrame({"sex": ["1", "2 / 1"], "word": [1, 2], "when": [dt.date(2020, 1, 1), None]})
    labels = Labels(values={"sex": {1: "male"}, "word": {"1": "x"}, "when": {1: "y"}})
    assert back(frame, format, labels).labels == Labels()


def test_labels_as_texts() -> None:
    frame = pl.DataFrame({"sex": [1, 2, 3, None], "pay": [1.5, 2.0, 9.0, None], "age": [1, 2, 3, 4]})
    labels = Labels({"age": "Age"}, {"sex": {1: "male", 2: "female"}, "pay": {1.5: "low"}})
    for format in ("sav", "zsav", "dta"):
        found = back(frame, format, labels, "texts")
        assert found.frame["sex"].to_list() == ["male", "female", "3", None]
        assert found.frame["pay"].to_list() == (["low", "2", "9", None] if format != "dta" else [1.5, 2.0, 9.0, None])
        assert found.labels == Labels({"age": "Age"})
        assert back(frame, format, labels, "codes").frame.equals(frame)


def test_values_that_spss_declares_missing(tmp_path: Path) -> None:
    path = tmp_path / "people.sav"
    pyreadstat.write_sav(
        pl.DataFrame({"age": [39.0, -9.0, 99.0, 98.0, 98.0, None], "word": ["a", "NA", "b", "", "NA", "c"]}),
        path,
        missing_ranges={"age": [-9, {"lo": 97, "hi": 99}], "word": ["NA"]},
        variable_value_labels={"age": {-9.0: "refused", 99.0: "unknown"}},
        variable_format={"age": "F8.0"},
    )
    source = read(path)
    assert source.frame.to_dict(as_series=False) == {
        "age": [39, None, None, None, None, None],
        "word": ["a", None, "b", None, None, "c"],
    }
    assert source.labels is not None
    assert source.labels.missing == {"age": {-9: 1, 98: 2, 99: 1}, "word": {"NA": 2}}
    assert source.labels.values == {"age": {-9: "refused", 99: "unknown"}}
    # Labels of missing values alone make no text of the ages.
    assert read(path, labels="texts").frame["age"].to_list() == [39, None, None, None, None, None]
    published = read_columns(path, format="sav")
    assert published["age"] == ["39", "-9", "99", "98", "98", None]
    assert read_columns(path, format="sav", is_original=True)["age"] == ["39", None, None, None, None, None]


def test_extended_missing_values_of_stata_and_sas(tmp_path: Path) -> None:
    path = tmp_path / "people.dta"
    pyreadstat.write_dta(
        pl.DataFrame({"age": pl.Series([39, "a", "b", "b", None], dtype=pl.Object)}),
        path,
        missing_user_values={"age": ["a", "b"]},
        variable_value_labels={"age": {"a": "refused"}},
    )
    source = read(path)
    assert source.frame["age"].to_list() == [39, None, None, None, None]
    assert source.labels == Labels({}, {"age": {"a": "refused"}}, {"age": {"a": 1, "b": 2}})
    assert read_columns(path, format="dta")["age"] == ["39", "a", "b", "b", None]
    assert read_columns(path, format="dta", is_original=True)["age"] == ["39", None, None, None, None]


def test_a_file_of_sas(tmp_path: Path) -> None:
    path = tmp_path / "people.sas7bdat"
    path.write_bytes(zlib.decompress(base64.b85decode(SAS7BDAT)))
    source = read(path)
    assert source.frame.to_dict(as_series=False) == {
        "age": [39, None, None],
        "pay": [1.5, 2.0, None],
        "zip": ["01001", "ñandú", None],
        "born": [dt.date(2020, 12, 31), None, dt.date(1959, 12, 31)],
        "seen": [dt.datetime(2020, 12, 31, 1, 1, 1), None, dt.datetime(1960, 1, 1)],
        "hour": [dt.time(1, 1, 1), None, dt.time(0)],
    }
    assert source.labels == Labels({"age": "edad en años"}, {}, {"age": {"A": 1}})
    assert source.format == "sas7bdat"
    texts = read_columns(path, format="sas7bdat", is_original=True)
    assert [column[0] for column in texts.values()] == [
        *("39", "1.5", "01001", "2020-12-31", "2020-12-31T01:01:01", "01:01:01"),
    ]


def test_a_portable_file(tmp_path: Path) -> None:
    path = tmp_path / "people.por"
    pyreadstat.write_por(
        pl.DataFrame({"AGE": [39.0, None], "ZIP": ["01001", ""]}), path, variable_format={"AGE": "F8.0"}
    )
    assert read(path).frame.to_dict(as_series=False) == {"AGE": [39, None], "ZIP": ["01001", None]}


@pytest.mark.parametrize(
    ("format", "number", "expected"),
    [
        ("F8.0", 7.0, 7),
        ("F8.2", 7.0, 7.0),
        ("F8.0", 7.5, 7.5),
        ("EDATE10", 12_219_379_200.0, dt.date(1970, 1, 1)),
        ("DATE11", 12_219_379_201.0, dt.datetime(1970, 1, 1, 0, 0, 1)),
        ("DATETIME23.2", 12_219_379_200.25, dt.datetime(1970, 1, 1, 0, 0, 0, 250_000)),
        ("TIME8", 86_399.5, dt.time(23, 59, 59, 500_000)),
        ("TIME8", 90_000.0, dt.timedelta(hours=25)),
        ("TIME8", -60.0, dt.timedelta(minutes=-1)),
        ("DATE11", 1e15, 1e15),
    ],
)
def test_numbers_of_spss_by_their_formats(tmp_path: Path, format: str, number: float, expected: object) -> None:
    path = tmp_path / "people.sav"
    pyreadstat.write_sav(pl.DataFrame({"x": [number, None]}), path, variable_format={"x": format})
    found = read(path).frame["x"].to_list()
    assert found == [expected, None]
    assert type(found[0]) is type(expected)


@pytest.mark.parametrize(
    ("format", "number", "expected"),
    [
        ("%10.0g", 7.0, 7.0),
        ("%12.0f", 7.0, 7),
        ("%tdCCYY-NN-DD", 3653.0, dt.date(1970, 1, 1)),
        ("%tcDDmonCCYY_HH:MM:SS", 3653.0 * 86_400_000, dt.datetime(1970, 1, 1)),
        ("%tchh:MM_am", 3_600_000.0, dt.time(1)),
        ("%tm", 120.0, 120.0),
        ("%tC", 3653.0 * 86_400_000, 3653.0 * 86_400_000),
    ],
)
def test_numbers_of_stata_by_their_formats(tmp_path: Path, format: str, number: float, expected: object) -> None:
    path = tmp_path / "people.dta"
    pyreadstat.write_dta(pl.DataFrame({"x": [number, None]}), path, variable_format={"x": format})
    found = read(path).frame["x"].to_list()
    assert found == [expected, None]
    assert type(found[0]) is type(expected)


@pytest.mark.parametrize(
    ("format", "number", "expected"),
    [
        (None, 7.0, 7),
        ("8.", 7.0, 7),
        ("BEST12.", 7.0, 7.0),
        ("F8.2", 7.0, 7.0),
        (None, 7.5, 7.5),
        ("DDMMYYS10.", 3653.0, dt.date(1970, 1, 1)),
        ("E8601DT26.6", 315_619_200.0, dt.datetime(1970, 1, 1)),
        ("HHMM5.", 60.0, dt.time(0, 1)),
    ],
)
def test_numbers_of_sas_by_their_formats(tmp_path: Path, format: str | None, number: float, expected: object) -> None:
    path = tmp_path / "people.xpt"
    pyreadstat.write_xport(
        pl.DataFrame({"x": [number, None]}), path, variable_format={} if format is None else {"x": format}
    )
    found = read(path).frame["x"].to_list()
    assert found == [expected, None]
    assert type(found[0]) is type(expected)


def test_stata_files_of_pandas_old_and_new(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "single": pd.Series([0.1, 2.0], dtype="float32"),
            "age": pd.Series([1, 2], dtype="int8"),
            "zip": ["01001", "ñ"],
        }
    )
    for version in (114, 118):
        path = tmp_path / "people.dta"
        frame.to_stata(path, write_index=False, version=version)
        found = read(path).frame
        assert found.schema == {"single": pl.Float32, "age": pl.Int64, "zip": pl.String}
        assert found["zip"].to_list() == ["01001", "ñ"]
        assert read_columns(path, format="dta", is_original=True)["single"] == ["0.1", "2"]
    frame.to_stata(path, write_index=False, version=114)
    assert read(path, encoding="cp1251").frame["zip"].to_list() == ["01001", "\u0441"]


@pytest.mark.parametrize("format", WRITTEN)
def test_what_is_written_is_read_by_others_too(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"data.{format}"
    write(pl.DataFrame({"zip": ["01001", "ñ"], "pay": [1.5, 2.5], "born": [dt.date(2020, 1, 5)] * 2}), path)
    readers = {"dta": lambda: pd.read_stata(path), "xpt": lambda: pyreadstat.read_xport(path)[0]}
    found = readers.get(format, lambda: pyreadstat.read_sav(path)[0])()
    assert found["zip"].tolist() == ["01001", "ñ"]
    assert found["pay"].tolist() == [1.5, 2.5]
    assert pd.to_datetime(found["born"]).tolist() == [pd.Timestamp(2020, 1, 5)] * 2


CLAIM: dict[str, Any] = {
    "celosia": "claim",
    "version": 1,
    "models": [{"k_anonymity": {"k": 2}}],
    "columns": [
        {"name": "age", "role": "quasi_identifier", "kind": "number", "style": "label"},
        {"name": "zip", "role": "quasi_identifier", "kind": "prefix", "style": "label"},
        {"name": "year", "role": "quasi_identifier", "kind": "number", "style": "label"},
        {"name": "seen", "role": "insensitive"},
        {"name": "pay", "role": "sensitive"},
        {"name": "married", "role": "insensitive"},
        {"name": "hour", "role": "insensitive"},
    ],
    "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
}
PUBLISHED = pl.DataFrame(
    {
        "age": ["[39, 41]", "[39, 41]", None, None],
        "zip": ["010**", "010**", "*****", "*****"],
        "year": [2020, 2020, 2021, 2021],
        "seen": [dt.datetime(2020, 1, 5, 10, 11, 12, 123_000), None, dt.datetime(2021, 1, 5), dt.datetime(1901, 3, 4)],
        "pay": [0.1, 2.0, None, 1e9],
        "married": [True, False, None, True],
        "hour": [dt.time(1, 2, 3, 500_000), None, dt.time(0), dt.time(23, 59, 59)],
    }
)
ORIGINAL = {
    "age": ["39", "41", None, None],
    "zip": ["01001", "01002", "37001", "28001"],
    "year": ["2020", "2020", "2021", "2021"],
    "seen": ["2020-01-05T10:11:12.123", None, "2021-01-05T00:00:00", "1901-03-04T00:00:00"],
    "pay": ["0.1", "2", None, "1000000000"],
    "married": ["true", "false", None, "true"],
    "hour": ["01:02:03.500", None, "00:00:00", "23:59:59"],
}


@pytest.mark.parametrize("format", WRITTEN)
def test_a_release_verifies_and_a_spoilt_one_does_not(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"data.{format}"
    write(PUBLISHED, path)
    facts = described(path, format, 4)
    assert facts["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (facts["format"], facts["neutralised"]) == (format, False)
    order = base64.b64encode(zlib.compress(bytes([0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]))).decode()
    record = {"order": order, "n_original": 4, "n_suppressed": 0}
    verdict = verify(path, CLAIM | {"data": facts}, original=ORIGINAL, record=record)
    assert verdict.holds, verdict
    for column, cell in (("pay", "0.2"), ("seen", None), ("hour", "01:02:03"), ("married", "false")):
        wrong = ORIGINAL | {column: [cell, *ORIGINAL[column][1:]]}
        assert not verify(path, CLAIM | {"data": facts}, original=wrong, record=record).holds
    write(PUBLISHED.with_columns(year=pl.Series([2020, 2020, 2021, 2022])), path)
    assert not verify(path, CLAIM | {"data": described(path, format, 4)}).holds
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(AuditInputError, match="or it is broken"):
        read_columns(path, format=format)


def test_an_original_in_spss(tmp_path: Path) -> None:
    path, released = tmp_path / "people.sav", tmp_path / "data.csv"
    write(pl.DataFrame({"age": [39, 41]}), path)
    write(pl.DataFrame({"age": ["[39, 41]", "[39, 41]"]}), released)
    claim = CLAIM | {"columns": CLAIM["columns"][:1], "data": described(released, "csv", 2)}
    assert verify(released, claim, original=path).holds


def test_neither_pandas_nor_pyreadstat_is_needed_before_it_is_used(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["pandas"] = None
import polars as pl
from celosia.data.io import read, write
assert "pyreadstat" not in sys.modules
for format in ("sav", "zsav", "dta", "xpt"):
    write(pl.DataFrame({"zip": ["01001", None], "age": [39, None]}), f"{sys.argv[1]}/data.{format}")
    assert read(f"{sys.argv[1]}/data.{format}").frame.rows() == [("01001", 39), (None, None)]
assert "pyreadstat" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)


def test_without_pyreadstat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.sav"
    write(pl.DataFrame({"age": [39]}), path)
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    for attempt in (lambda: read(path), lambda: write(pl.DataFrame({"age": [39]}), tmp_path / "x.dta")):
        with pytest.raises(FormatError, match="pyreadstat") as caught:
            attempt()
        assert caught.value.hint == 'pip install "celosia[stats]"'
    assert not (tmp_path / "x.dta").exists()
    with pytest.raises(AuditInputError, match="pip install pyreadstat"):
        read_columns(path, format="sav")
