"""The manual's pseudonyms, section 9.4 (R-M1, R-T6, A11, A12): through the command line, to CSV and to workbooks."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

import openpyxl
import polars as pl
import pytest
from typer.testing import CliRunner

import celosia as cl
from celosia.cli import app

STUDENTS = ["Luis", "Eduardo", "Tatiana", "Pedro", "Amparo "]  # the manual prints a blank behind the last
GRADES = ["8", "9", "9", "10", "11"]
RESULTS = ["4.5", "3.5", "3.8", "2.5", "5.0"]
PRINTED = ["543456", "125214", "984213", "674832", "094532"]
AS_PRINTED = {"pseudonymise": {"column": "Estudiante", "values": PRINTED, "shuffle": False}}


@pytest.fixture
def diploma(tmp_path: Path) -> Path:
    path = tmp_path / "diploma.csv"
    rows = [("Estudiante", "Grado", "Resultado"), *zip(STUDENTS, GRADES, RESULTS, strict=True)]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def mask(data: Path, spec: dict, out: str, *more: str) -> dict:
    command = ["mask", str(data), "--mask", json.dumps(spec), "-o", str(data.parent / out), "--json", *more]
    ended = CliRunner().invoke(app, command)
    assert ended.exit_code == 0, ended.output
    found: dict = json.loads(ended.stdout)
    return found


def test_the_printed_table_in_csv(diploma):
    """R-M1, to the letter; with a warning, since the order of the list gives people away."""
    found = mask(diploma, AS_PRINTED, "out.csv")
    assert (diploma.parent / "out.csv").read_text() == (
        "Estudiante,Grado,Resultado\n543456,8,4.5\n125214,9,3.5\n984213,9,3.8\n674832,10,2.5\n094532,11,5.0\n"
    )
    assert found["called"] == ["pseudonymised"]
    assert [one["code"] for one in found["findings"] if one["severity"] == "warning"] == ["PSEUDONYMS_IN_ORDER"]


def test_the_printed_table_in_a_workbook(diploma):
    """094532 keeps its zero: the cells of pseudonyms are texts, and nothing but their text is stored."""
    mask(diploma, AS_PRINTED, "out.xlsx")
    sheet = openpyxl.load_workbook(diploma.parent / "out.xlsx").active
    column = [cell for (cell,) in sheet.iter_rows(min_row=2, max_col=1)]
    assert [cell.value for cell in column] == PRINTED
    assert {cell.data_type for cell in column} == {"s"}
    assert sheet["B2"].value == 8  # other columns stay numbers


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet"])
def test_a_zero_in_front_survives_a_second_reading(diploma, suffix):
    mask(diploma, AS_PRINTED, f"out.{suffix}")
    again = cl.Table.read(diploma.parent / f"out.{suffix}", cl.Schema()).frame["Estudiante"]
    assert again.to_list() == PRINTED


def test_a_spanish_csv_keeps_it_too(diploma):
    mask(diploma, AS_PRINTED, "out.csv", "--format", "csv-es")
    lines = (diploma.parent / "out.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[5].split(";")[0].strip('"') == "094532"
    assert lines[5].split(";")[2] == "5,0"


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_five_names_become_five_distinct_six_digit_strings(diploma, suffix):
    """R-T6; again and again, so that some are likely to have a zero in front."""
    for run in range(8):
        out = f"out{run}.{suffix}"
        found = mask(diploma, {"pseudonymise": {"column": "Estudiante", "alphabet": "digits", "length": 6}}, out)
        codes = cl.Table.read(diploma.parent / out, cl.Schema()).frame["Estudiante"].to_list()
        assert len(set(codes)) == 5
        assert all(len(code) == 6 and code.isascii() and code.isdigit() for code in codes)
        assert not {one.strip() for one in STUDENTS} & set(codes)
        assert not [one for one in found["findings"] if one["severity"] == "warning"]


def test_a_list_is_drawn_from_by_chance(diploma):
    """9.4: select at random from a list that was made before."""
    orders = set()
    for run in range(12):
        mask(diploma, {"pseudonymise": {"column": "Estudiante", "values": PRINTED}}, f"out{run}.csv")
        rows = list(csv.reader((diploma.parent / f"out{run}.csv").read_text().splitlines()))[1:]
        assert sorted(row[0] for row in rows) == sorted(PRINTED)
        assert [row[1] for row in rows] == GRADES
        orders.add(tuple(row[0] for row in rows))
    assert len(orders) > 6


def test_persistent_or_fresh_for_each_data_set(diploma, monkeypatch):
    """9.4: one person, one pseudonym in all data sets; or others, so that data sets cannot be joined."""
    monkeypatch.setenv("CELOSIA_GOLDEN_KEY", hashlib.sha256(b"the test's own key").hexdigest())
    options = {"column": "Estudiante", "key": {"env": "CELOSIA_GOLDEN_KEY"}}
    read = []
    for out, more in (("a", {}), ("b", {}), ("c", {"dataset": "2026"}), ("d", {"dataset": "2027"})):
        mask(diploma, {"pseudonymise": options | more}, f"{out}.csv")
        read.append(pl.read_csv(diploma.parent / f"{out}.csv", infer_schema=False)["Estudiante"].to_list())
    assert read[0] == read[1]
    assert len({code for codes in read for code in codes}) == 15


def test_two_attributes_never_share_a_generator(diploma):
    """9.4: avoid the same generator for several attributes."""
    table = pl.DataFrame({"student": ["Luis", "Ana"], "guardian": ["Luis", "Ana"]})
    key = hashlib.sha256(b"the test's own key").digest()
    made = cl.Pseudonymise(columns=["student", "guardian"], key=key).apply(table)
    assert not set(made["student"]) & set(made["guardian"])


def test_a_key_on_the_command_line_is_refused_and_not_repeated(diploma):
    secret = hashlib.sha256(b"another key").hexdigest()
    spec = json.dumps({"pseudonymise": {"column": "Estudiante", "key": secret}})
    ended = CliRunner().invoke(app, ["mask", str(diploma), "--mask", spec, "-o", str(diploma.parent / "out.csv")])
    assert ended.exit_code == 2
    said = f"{ended.output} {ended.exception}"
    assert secret not in said
    assert not (diploma.parent / "out.csv").exists()
