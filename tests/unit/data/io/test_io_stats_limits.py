"""SPSS, Stata and SAS files: what they cannot hold is refused, and nothing goes out but the table."""

from __future__ import annotations

import datetime as dt
import struct
import time
import traceback
import zlib
from pathlib import Path

import polars as pl
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import CelosiaError, FormatError, OptionError
from celosia.data.io import Labels, read, write

WRITTEN = ["sav", "zsav", "dta", "xpt"]
READERS = {
    "sav": pyreadstat.read_sav,
    "zsav": pyreadstat.read_sav,
    "dta": pyreadstat.read_dta,
    "xpt": pyreadstat.read_xport,
}
CANARY = "CANARY-Amparo-7391"
NUMBER = 987_654_321_012_345


def unpacked(path: Path) -> bytes:
    """Return the bytes of a file, and behind them those that a zsav file packs."""
    data = path.read_bytes()
    if path.suffix != ".zsav":
        return data
    found, start = data, data.index(b"\x78\x9c")
    while data[start : start + 2] == b"\x78\x9c":
        block = zlib.decompressobj()
        found += block.decompress(data[start:])
        start = len(data) - len(block.unused_data)
    return found


def holds(data: bytes, canary: str | int) -> bool:
    if isinstance(canary, str):
        return canary.encode() in data
    ibm = struct.pack(">Q", (64 + 13) << 56 | canary << 4)
    return any(spelling in data for spelling in (struct.pack("<d", canary), struct.pack("<q", canary), ibm))


def tainted() -> pl.DataFrame:
    """A frame whose rows and cells with canaries were dropped or blanked, as a release's are."""
    frame = pl.DataFrame(
        {
            "name": [f"{CANARY}-{row}" if row < 40 else f"visible-{row}" for row in range(50)],
            "salary": [NUMBER if row < 40 else row for row in range(50)],
            "ratio": [float(NUMBER) if row < 40 else float(row) for row in range(50)],
            "row": range(50),
            "gone": [CANARY] * 50,
        }
    )
    keep = pl.col("row") >= 40
    blanked = frame.with_columns(
        pl.when(keep).then(pl.col(name)).otherwise(None).alias(name) for name in ("name", "salary", "ratio")
    )
    return blanked.filter(pl.col("row") >= 20).drop("gone")


@pytest.mark.parametrize("format", WRITTEN)
def test_dropped_and_blanked_cells_are_in_no_byte(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"data.{format}"
    labels = Labels(
        columns={"gone": CANARY},
        values={"salary": {NUMBER: CANARY}, "name": {f"{CANARY}-3": "x"}, "gone": {CANARY: "x"}},
        missing={"salary": {NUMBER: 3}},
    )
    write(tainted(), path, labels=labels)
    data = unpacked(path)
    assert holds(data, "visible-45")
    assert not holds(data, CANARY)
    assert not holds(data, NUMBER)


@pytest.mark.parametrize("format", WRITTEN)
def test_the_scan_would_find_them(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"data.{format}"
    write(pl.DataFrame({"name": [CANARY], "salary": [NUMBER]}), path)
    assert holds(unpacked(path), CANARY)
    assert holds(unpacked(path), NUMBER)


@pytest.mark.parametrize("format", WRITTEN)
def test_categories_that_no_cell_has_are_in_no_byte(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"data.{format}"
    write(pl.DataFrame({"job": pl.Series(["clerk"], dtype=pl.Enum([CANARY, "clerk"]))}), path)
    assert holds(unpacked(path), "clerk")
    assert not holds(unpacked(path), CANARY)


@pytest.mark.parametrize("format", WRITTEN)
def test_the_header_tells_neither_time_nor_place(tmp_path: Path, format: str) -> None:
    frame = pl.DataFrame({"age": [39, None], "zip": ["01001", None]})
    path, other = tmp_path / f"data.{format}", tmp_path / f"{CANARY}.{format}"
    write(frame, path)
    time.sleep(1.1)
    write(frame, other)
    assert path.read_bytes() == other.read_bytes()
    _, facts = READERS[format](path, output_format="dict")
    assert facts.creation_time.date() == facts.modification_time.date() == dt.date(2000, 1, 1)
    assert not facts.file_label
    assert not facts.notes
    data = path.read_bytes()
    for word in (str(tmp_path), "pytest", "root", str(dt.date.today().year), "celosia"):
        assert word.encode() not in data


@pytest.mark.parametrize("format", WRITTEN)
def test_an_unknown_header_is_refused(tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = {"dta": "stata", "xpt": "sas"}.get(format, "spss")
    from celosia.data.io import stats_writing

    length, n_times, pattern, neutral = stats_writing._DATED[program]
    monkeypatch.setitem(stats_writing._DATED, program, (length, n_times + 1, pattern, neutral))
    with pytest.raises(FormatError, match="header is not the expected one"):
        write(pl.DataFrame({"age": [39]}), tmp_path / f"data.{format}")
    assert list(tmp_path.iterdir()) == []


def refused(frame: pl.DataFrame, path: Path, labels: Labels | None = None) -> str:
    """Return the message of the refusal, which leaves nothing behind and holds no cell."""
    with pytest.raises(CelosiaError) as caught:
        write(frame, path, labels=labels)
    assert list(path.parent.iterdir()) == []
    assert CANARY not in "".join(traceback.format_exception(caught.value))
    assert caught.value.hint
    return str(caught.value)


SPSS_WRONG = ["²", "a b", "1a", "_a", "#a", "a.", "a-b", "a=b", "ñ" * 33, "a" * 65, "ALL", "with", "a😀", "a\n", ""]
STATA_WRONG = ["²", "a²", "a b", "1a", "a.b", "a" * 33, "int", "str5", "_n", "using", "a$", "a😀", "a\n"]
SAS_WRONG = ["a b", "1a", "año", "a.b", "a" * 33, "_N_", "_n_", "a\n"]


@pytest.mark.parametrize(
    ("format", "name"),
    [
        *(("sav", name) for name in SPSS_WRONG),
        *(("zsav", name) for name in SPSS_WRONG),
        *(("dta", name) for name in STATA_WRONG),
        *(("xpt", name) for name in SAS_WRONG),
    ],
)
def test_names_that_a_format_does_not_allow(tmp_path: Path, format: str, name: str) -> None:
    message = refused(pl.DataFrame({"age": [1], name: [2]}), tmp_path / f"data.{format}")
    assert f"'{name}' cannot be the name" in message
    assert "allowed: a letter" in message


@pytest.mark.parametrize(
    ("format", "names"),
    [
        ("sav", ["a.b", "ñ" * 32, "a" * 64, "a$#@_", "int"]),
        ("dta", ["_a", "ñ" * 32, "all", "A", "a", "strange"]),
        ("xpt", ["_a", "a" * 32, "int", "a1"]),
    ],
)
def test_names_that_a_format_allows(tmp_path: Path, format: str, names: list[str]) -> None:
    frame = pl.DataFrame({name: [place] for place, name in enumerate(names)})
    write(frame, tmp_path / f"data.{format}")
    assert read(tmp_path / f"data.{format}").frame.equals(frame)


@pytest.mark.parametrize("format", ["sav", "zsav", "xpt"])
def test_names_that_differ_in_case_only(tmp_path: Path, format: str) -> None:
    assert "'age', 'AGE' differ only in case" in refused(
        pl.DataFrame({"age": [1], "AGE": [2], "b": [3]}), tmp_path / f"data.{format}"
    )


@given(name=st.text(st.characters(max_codepoint=0x2FF), min_size=1, max_size=40))
@tries(100)
@pytest.mark.parametrize("format", ["sav", "dta", "xpt"])
def test_a_name_is_refused_or_comes_back(tmp_path_factory: pytest.TempPathFactory, format: str, name: str) -> None:
    path = tmp_path_factory.mktemp("names") / f"data.{format}"
    message = None
    try:
        write(pl.DataFrame({name: [1]}), path)
    except FormatError as error:
        message = error.message
    if message is None:
        assert read(path).frame.columns == [name]
    else:
        assert "cannot be the name" in message or "would be read as a pattern" in message


@pytest.mark.parametrize("format", WRITTEN)
@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (pl.Series([1, 2**53 + 1]), "1 numbers that"),
        (pl.Series([1, 2**64 - 1], dtype=pl.UInt64), "1 numbers that"),
        (pl.Series([1.0, float("inf"), float("-inf")]), "2 numbers that"),
        (pl.Series([1.0, 1.7e308]), "1 numbers that"),
        (pl.Series([dt.date(1582, 10, 14), dt.date(1, 1, 1)]), "2 dates that"),
        (pl.Series([dt.datetime(1582, 10, 14, 23)]), "1 dates that"),
        (pl.Series([1], dtype=pl.Int64).cast(pl.Datetime("ns")), "1 times that are too fine"),
        (pl.Series([1_001], dtype=pl.Int64).cast(pl.Time), "1 times that are too fine"),
        (pl.Series(["12345678901234567890.12"]).cast(pl.Decimal(24, 2)), "1 decimal numbers"),
        (pl.Series([f"{CANARY}\0", "b"]), "1 cells with a NUL"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value.dtype),
)
def test_cells_that_do_not_fit(tmp_path: Path, format: str, column: pl.Series, reason: str) -> None:
    message = refused(pl.DataFrame([column.alias("some")]), tmp_path / f"data.{format}")
    assert "column 'some' has" in message
    assert reason in message


@pytest.mark.parametrize("format", ["sav", "zsav", "xpt"])
def test_texts_that_are_too_long(tmp_path: Path, format: str) -> None:
    frame = pl.DataFrame({"note": ["ñ" * 16_384, "a"]})
    assert "1 cells of more than 32767 bytes" in refused(frame, tmp_path / f"data.{format}")
    write(frame, tmp_path / "data.dta")
    assert read(tmp_path / "data.dta").frame.equals(frame)


@pytest.mark.parametrize("number", [1e76, -1e76, 1e-78, -1e-300])
def test_numbers_beyond_transport_files(tmp_path: Path, number: float) -> None:
    assert "at least 1e-77" in refused(pl.DataFrame({"x": [number, 0.0]}), tmp_path / "data.xpt")


@pytest.mark.parametrize(
    ("format", "n_column", "n_value"), [("sav", 256, 120), ("zsav", 256, 120), ("dta", 80, 32_000), ("xpt", 256, 0)]
)
def test_labels_that_are_too_long(tmp_path: Path, format: str, n_column: int, n_value: int) -> None:
    path = tmp_path / f"data.{format}"
    frame = pl.DataFrame({"age": [1, 2]})
    assert "the label of column 'age' has" in refused(frame, path, Labels({"age": "x" * (n_column + 1)}))
    if format != "dta":
        assert "bytes" in refused(frame, path, Labels({"age": "ñ" * (n_column // 2 + 1)}))
    fitting = Labels({"age": "x" * n_column})
    if n_value:
        assert "a value label of column 'age'" in refused(frame, path, Labels({}, {"age": {1: "x" * (n_value + 1)}}))
        fitting = Labels({"age": "x" * n_column}, {"age": {1: "x" * n_value}})
    write(frame, path, labels=fitting)
    assert read(path).labels == fitting


def test_a_long_name_with_value_labels_in_stata(tmp_path: Path) -> None:
    labels = Labels({}, {"a" * 31: {1: "one"}, "a" * 32: {1: "one"}})
    frame = pl.DataFrame({"a" * 31: [1], "a" * 32: [1]})
    assert "31 characters" in refused(frame, tmp_path / "data.dta", labels)
    write(frame.rename({"a" * 32: "b"}), tmp_path / "data.dta", labels=labels)
    assert read(tmp_path / "data.dta").labels == Labels({}, {"a" * 31: {1: "one"}})


@pytest.mark.parametrize("format", ["por", "sas7bdat"])
def test_formats_that_are_only_read(tmp_path: Path, format: str) -> None:
    assert f"{format} files can be read, but not written" in refused(
        pl.DataFrame({"age": [1]}), tmp_path / f"data.{format}"
    )


@pytest.mark.parametrize("format", [*WRITTEN, "por", "sas7bdat"])
def test_broken_files(tmp_path: Path, format: str) -> None:
    whole = tmp_path / f"whole.{format if format in WRITTEN else 'sav'}"
    write(pl.DataFrame({"name": [CANARY] * 50, "age": range(50)}), whole)
    data, path = whole.read_bytes(), tmp_path / f"people.{format}"
    for broken in (b"nonsense", CANARY.encode() * 100, data[: len(data) // 2], data[:-80]):
        path.write_bytes(broken)
        with pytest.raises(FormatError, match=f"people.{format} is not a readable {format} file") as caught:
            read(path)
        assert CANARY not in str(caught.value)
        assert caught.value.__cause__ is None


def test_wrong_options(tmp_path: Path) -> None:
    path, plain = tmp_path / "data.sav", tmp_path / "data.csv"
    write(pl.DataFrame({"age": [39]}), path)
    write(pl.DataFrame({"age": [39]}), plain)
    with pytest.raises(OptionError, match="'text' is not a way"):
        read(path, labels="text")
    with pytest.raises(OptionError, match="'labels' is for files of SPSS"):
        read(plain, labels="texts")
    with pytest.raises(OptionError, match="'decimal' is for csv files"):
        read(path, decimal=",")
    with pytest.raises(OptionError, match="'klingon' is not a text encoding"):
        read(path, encoding="klingon")
    portable = tmp_path / "data.por"
    pyreadstat.write_por(pl.DataFrame({"AGE": [39.0]}), portable)
    with pytest.raises(OptionError, match="'encoding' is of no use for por"):
        read(portable, encoding="latin-1")
    assert read(path, encoding="latin-1").frame.rows() == [(39,)]


@given(
    cells=st.lists(st.none() | st.integers(0, 4)),
    codes=st.dictionaries(st.integers(0, 6) | st.floats(0, 4) | st.sampled_from(["1", "x", ""]), st.text(max_size=2)),
)
def test_labels_are_kept_if_and_only_if_a_cell_holds_their_code(
    cells: list[int | None], codes: dict[int | float | str, str]
) -> None:
    numbers = pl.Series("x", cells, dtype=pl.Int64)
    labels = Labels({"x": "label", "gone": "label"}, {"x": codes, "gone": {1: "one"}}, {"x": {1: 1}})
    for column in (numbers, numbers.cast(pl.Float64), numbers.cast(pl.UInt8), numbers.cast(pl.String)):
        kept = {
            code: label for code, label in codes.items() if label and any(cell == code for cell in column.to_list())
        }
        assert labels.shown_by(column.to_frame()) == Labels({"x": "label"}, {"x": kept} if kept else {})
    assert labels.shown_by(numbers.cast(pl.Boolean).to_frame()) == Labels({"x": "label"})
