from __future__ import annotations

import csv
import io
import traceback
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import CelosiaError, FormatError, InputError, OptionError
from celosia.data.io import read, write
from celosia.data.io.csv import read_csv
from celosia.data.io.records import n_regular_records

CANARY = "Amparo-7391"


def rows(text: str, **options: str) -> list[tuple[str | None, ...]]:
    return read_csv(text.encode(), "people.csv", **options).frame.rows()


def refusal(data: bytes | str, **options: str) -> str:
    """Return the message of the refusal, which must name the file and no cell, not even in its traceback."""
    content = data.encode() if isinstance(data, str) else data
    with pytest.raises(CelosiaError) as caught:
        read_csv(content, "people.csv", **options)
    error: BaseException | None = caught.value
    assert CANARY not in "".join(traceback.format_exception(error))
    while error is not None:
        assert CANARY not in f"{error} {error.args}"
        error = error.__context__ or error.__cause__
    assert caught.value.hint
    return caught.value.message


def test_everything_is_text() -> None:
    text = "zip,note,mark\n01001,n/a,NaN\n 7 ,NA,null\nnone,-,#N/A\n"
    assert rows(text) == [("01001", "n/a", "NaN"), (" 7 ", "NA", "null"), ("none", "-", "#N/A")]


def test_empty_cells_are_missing_quoted_or_not() -> None:
    assert rows('a,b\n,x\n"",y\n') == [(None, "x"), (None, "y")]


def test_quotes_delimiters_and_line_ends_in_cells() -> None:
    text = 'a,b\r\n"x, ""y""","l1\r\nl2"\r\n"é\nñ",z\r\n'
    assert rows(text) == [('x, "y"', "l1\r\nl2"), ("é\nñ", "z")]


def test_names_are_trimmed_and_may_hold_line_ends() -> None:
    assert read_csv(b' age ,"first\nname"\n1,2\n', "f").frame.columns == ["age", "first\nname"]


def test_a_header_alone_is_an_empty_table() -> None:
    frame = read_csv(b"a,b\n", "f").frame
    assert frame.schema == {"a": pl.String, "b": pl.String}
    assert frame.height == 0


def test_blank_lines_at_the_end_are_ignored() -> None:
    assert rows("a,b\n1,2\n\n\r\n\n") == [("1", "2")]


def test_old_mac_line_ends() -> None:
    assert rows("a,b\r1,2\r3,4\r") == [("1", "2"), ("3", "4")]


def test_stray_quotes_are_part_of_the_cell() -> None:
    assert rows('size,n\n5" pipe,3\n6" pipe,4\n') == [('5" pipe', "3"), ('6" pipe', "4")]


def test_blanks_before_a_quote() -> None:
    assert rows('a,b\n1, "x, y"\n2, z\n') == [("1", "x, y"), ("2", "z")]


def test_one_column() -> None:
    assert rows('name\nAna\n\nLuis\n""\nEva\n\n') == [("Ana",), (None,), ("Luis",), (None,), ("Eva",)]


def test_a_blank_first_row_of_one_column_is_kept() -> None:
    assert rows("name\n\nAna\n") == [(None,), ("Ana",)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    ("encoding", "found", "has_bom"),
    [
        ("utf-8", "utf-8", False),
        ("utf-8-sig", "utf-8", True),
        ("utf-16", "utf-16", True),
        ("latin-1", "latin-1", False),
        ("cp1252", "windows-1252", False),
    ],
)
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_sniffing(delimiter: str, encoding: str, found: str, has_bom: bool, decimal: str, line_end: str) -> None:
    sign = "€" if encoding == "cp1252" else "ñ"
    expected = [(f"{sign}a,;|\t", f"3{decimal}5", "01001"), ("Íñigo", f"-4{decimal}25", "1.0"), ('say "x"', "7", "n/a")]
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator=line_end)
    writer.writerows([("name", "mark", "zip"), *expected])
    table = read_csv(file.getvalue().encode(encoding), "f.csv")
    assert table.frame.rows() == expected
    assert (table.dialect.delimiter, table.dialect.encoding, table.dialect.has_bom) == (delimiter, found, has_bom)
    assert table.dialect.decimal == ("," if decimal == "," and delimiter != "," else ".")


def test_decimal_commas_do_not_make_a_comma_file() -> None:
    table = read_csv(b"mark;year\n3,5;2020\n4,5;2021\n", "f")
    assert (table.dialect.delimiter, table.dialect.decimal) == (";", ",")
    assert table.frame.columns == ["mark", "year"]


def test_the_decimal_mark_is_that_of_most_cells() -> None:
    assert read_csv(b"a;b\n0,03;x\n1.0;y\n2.5;z\n", "f").dialect.decimal == "."


def test_given_options_win() -> None:
    table = read_csv(b"a;b,c\n1;2,3\n", "f", delimiter=",", encoding="latin-1", decimal=",")
    assert table.frame.columns == ["a;b", "c"]
    assert (table.dialect.encoding, table.dialect.decimal) == ("latin-1", ",")


def test_long_cells_survive() -> None:
    assert rows(f'a,b\n"{"x" * 300_000},",1\n') == [("x" * 300_000 + ",", "1")]


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ("", ["empty"]),
        ("\ufeff", ["empty"]),
        ("\n\n", ["empty"]),
        (f"a,b,c\n1,2,3\n{CANARY},2\n4,5,6\n", ["line 3", "2 fields", "3"]),
        (f"a,b\n1,2\n{CANARY},2,3\n", ["line 3", "3 fields", "2"]),
        (f'a,b\n"x\ny\nz",2\n{CANARY}\n', ["line 5", "1 fields"]),
        (f"a,b\r\n1,2\r\n\r\n{CANARY},4\r\n", ["line 3", "blank"]),
        (f'a,b\n1,2\n3,"{CANARY}\n5,6\n', ["line 3", "not closed", "end of the file"]),
        (f'a,b\n1,"{CANARY}' + "x\n" * 200_000, ["line 2", "not closed"]),
        (f'a,"b\n1,{CANARY}\n', ["line 1", "not closed"]),
        (f'a,b\n1,2\n"{CANARY}"x,2\n', ["line 3", "after a closing quote"]),
        (f"{CANARY},x,{CANARY}\n1,2,3\n", ["columns 1 and 3", "same name"]),
        (f"a, a\n{CANARY},2\n", ["columns 1 and 2"]),
        (f",a\n{CANARY},1\n", ["column 1 is", "without a name"]),
        (f"a,,b, \n{CANARY},1,2,3\n", ["columns 2, 4 are"]),
        (f",,\n{CANARY},1,2\n", ["no column names"]),
        (f"\na,b\n{CANARY},2\n", ["no column names"]),
        (f"39,{CANARY},Male\n50,{CANARY},Male\n39,x,Female\n", ["no column names", "3 of its 3 cells"]),
        ("39,77516\n50,83311\n", ["no column names", "all its cells are numbers"]),
        (f"a,b\n1,{CANARY}\0\n", ["line 2", "NUL"]),
        (f"{CANARY},b\n1,2\n".encode("utf-16-le"), ["line 1", "NUL"]),
        (f"a,b\n{CANARY},\x81".encode("latin-1"), ["line 2", "neither UTF-8"]),
        (f"ñ,á,é\n{CANARY},í,ó\n".encode() + b"\xf1,2,3\n", ["mixes encodings", "1 places", "line 3"]),
        (b"\xef\xbb\xbfa,b\n" + CANARY.encode() + b",\xf1\n", ["line 2"]),
        (b"\xff\xfea\0,\0b\0\n\0\x00\xd8", ["line 2", "utf-16"]),
    ],
)
def test_broken_files_are_refused(data: bytes | str, parts: list[str]) -> None:
    message = refusal(data)
    assert "people.csv" in message
    for part in parts:
        assert part in message


def test_every_refusal_of_a_broken_file_is_a_format_error() -> None:
    with pytest.raises(FormatError):
        read_csv(b"a,b\n1\n", "f")


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "utf-16-le"])
def test_a_given_encoding_that_fails_says_the_line(encoding: str) -> None:
    data = f"a,b\n{CANARY},1\nx,".encode(encoding) + b"\x00\xd8\xff"
    assert "line 3" in refusal(data, encoding=encoding)


def test_a_short_row_far_down_is_found() -> None:
    good = "1,2,3\n" * 5000
    assert "line 5002" in refusal(f"a,b,c\n{good}{CANARY},2\n{good}")
    assert "line 5003" in refusal(f'a,b,c\n"x\ny",2,3\n{good[6:]}{CANARY},2\n{good}')


def test_two_short_rows_that_make_up_for_each_other_are_found() -> None:
    assert "line 2" in refusal(f"a,b,c\n{CANARY},2\n1,2,3,4\n")


@pytest.mark.parametrize(
    "options",
    [
        {"delimiter": ";;"},
        {"delimiter": '"'},
        {"delimiter": "a"},
        {"delimiter": "ñ"},
        {"decimal": ";"},
        {"encoding": "klingon"},
        {"encoding": "rot13"},
        {"encoding": "base64"},
    ],
)
def test_wrong_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(OptionError):
        read_csv(b"a,b\n1,2\n", "f", **options)


def test_files_by_suffix(tmp_path: Path) -> None:
    for suffix in (".csv", ".TSV", ".txt", ".data"):
        path = tmp_path / f"people{suffix}"
        path.write_text("a;b\n1;2\n")
        source = read(path)
        assert (source.frame.rows(), source.path, source.name, source.format) == ([("1", "2")], path, path.name, "csv")
        assert source.dialect is not None


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match=r"absent\.csv"):
        read(tmp_path / "absent.csv")
    with pytest.raises(InputError, match=r"folder\.csv"):
        read(tmp_path / "folder.csv")
    with pytest.raises(FormatError, match=r"\.csv, .*\.parquet, .*\.xlsx, .*\.arrow"):
        read(tmp_path / "people.docx")
    with pytest.raises(OptionError, match="'word'"):
        read(tmp_path / "people.docx", format="word")
    with pytest.raises(OptionError, match="sheet"):
        read(tmp_path / "people.csv", sheet="data")
    with pytest.raises(OptionError, match="delimiter"):
        read(tmp_path / "people.parquet", delimiter=";")


# The alphabet of structure: whatever the text, Polars' quick way must give what the csv module gives.
STRUCTURE = st.text(alphabet='ab,;" \n\r', max_size=60)


def slow_records(text: str) -> list[list[str]] | None:
    try:
        return list(csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True))
    except csv.Error:
        return None


@given(STRUCTURE)
@tries(1500)
def test_no_text_is_read_otherwise_than_by_the_csv_module(body: str) -> None:
    text = "first,second\n" + body
    records = slow_records(text.rstrip("\r\n"))
    expected = None
    if records is not None and all(len(record) == 2 for record in records):
        expected = [tuple(cell or None for cell in record) for record in records[1:]]
    try:
        found = [tuple(cell or None for cell in row) for row in rows(text, delimiter=",")]
    except FormatError:
        found = None
    if expected is not None and found is not None:
        # Blanks before an unquoted cell go only where the careful way is needed.
        expected = [tuple((cell or "").lstrip(" ") for cell in row) for row in expected]
        found = [tuple((cell or "").lstrip(" ") for cell in row) for row in found]
    assert found == expected


@given(STRUCTURE, st.integers(1, 3))
@tries(1500)
def test_the_quick_look_never_passes_an_irregular_text(body: str, n_columns: int) -> None:
    body = body.strip("\r\n")
    n_records = n_regular_records(body.encode(), ",", n_columns)
    if n_records is not None and body:
        records = list(csv.reader(io.StringIO(body, newline=""), strict=True))
        assert len(records) == n_records
        assert all(len(record) == n_columns or (n_columns == 1 and not record) for record in records)


def test_the_quick_look_works_across_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    body = b'1,"a,\n""b"""\r\n22,"c"\r\n333,d'
    for size in range(1, len(body) + 1):
        monkeypatch.setattr("celosia.data.io.records._CHUNK", size)
        assert n_regular_records(body, ",", 2) == 3
        assert n_regular_records(body + b"\n4", ",", 2) is None
        assert n_regular_records(body + b'\n4,"x', ",", 2) is None
        assert n_regular_records(body + b'\n4,x"y"', ",", 2) is None


def test_tabs_are_read_but_not_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="read, but not written"):
        write(pl.DataFrame({"a": [1]}), tmp_path / "a.tsv")
    assert not (tmp_path / "a.tsv").exists()
