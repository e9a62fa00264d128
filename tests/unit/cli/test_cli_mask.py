"""``celosia mask``: what it writes, prints and refuses."""

from __future__ import annotations

import json
import sqlite3

import openpyxl
import polars as pl
import pytest
from typer.testing import CliRunner

from celosia.cli import app
from celosia.data import io

PEOPLE = "id,town,pay\n001,Soria,1000\n002,Soria,1250\n003,Lugo,1990\n"
ROUND = "{round: {column: pay, to: 100}}"


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


def mask(*arguments) -> object:
    return CliRunner().invoke(app, ["mask", *map(str, arguments)])


def test_it_says_what_remains_and_what_the_result_is_called(data, tmp_path):
    ended = mask(data, "--mask", ROUND, "--mask", "{drop: {column: id}}", "-o", tmp_path / "out.csv")
    assert ended.exit_code == 0
    shown = " ".join(ended.stdout.split())
    assert "reduced and perturbed data; not anonymous" in shown
    assert "What remains" in shown
    assert (tmp_path / "out.csv").read_text() == "town,pay\nSoria,1000\nSoria,1200\nLugo,2000\n"


def test_json_has_every_mask_and_finding(data, tmp_path):
    ended = mask(data, "--mask", "{sample: {n: 2}}", "-o", tmp_path / "out.csv", "--json")
    found = json.loads(ended.stdout)
    assert (found["n_rows"], found["n_written"], found["n_dropped"]) == (3, 2, 1)
    assert found["masks"][0]["mask"] == "sample"
    assert found["masks"][0]["remains"]
    assert [one["code"] for one in found["findings"]] == ["SAMPLED"]


def test_rows_keep_their_order_unless_shuffled(tmp_path):
    frame = pl.DataFrame({"row": range(50), "name": ["x"] * 50})
    frame.write_csv(tmp_path / "rows.csv")
    for options, is_kept in (((), True), (("--shuffle",), False)):
        out = tmp_path / f"{len(options)}.csv"
        assert mask(tmp_path / "rows.csv", "--mask", "{drop: {column: name}}", "-o", out, *options).exit_code == 0
        rows = pl.read_csv(out)["row"].to_list()
        assert sorted(rows) == list(range(50))
        assert (rows == list(range(50))) is is_kept


def test_a_seed_repeats_and_is_warned_of(data, tmp_path):
    written = []
    for name in ("a.csv", "b.csv"):
        ended = mask(data, "--mask", "{swap: {column: town}}", "-o", tmp_path / name, "--seed", "4", "--json")
        assert "MASK_SEED_FIXED" in [one["code"] for one in json.loads(ended.stdout)["findings"]]
        written.append((tmp_path / name).read_text())
    assert written[0] == written[1]


def test_strict_ends_with_1_on_a_warning_but_the_file_is_there(data, tmp_path):
    masked = "{mask_characters: {column: town, keep_first: 1}}"
    ended = mask(data, "--mask", masked, "-o", tmp_path / "out.csv", "--strict")
    assert ended.exit_code == 1
    assert (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{nonsense: {}}", "not one of the masks"),
        ("{round: {column: pay, too: 5}}", "no option 'too'"),
        ("{round: {column: payy, to: 5}}", "did you mean 'pay'"),
        ("{round: {column: town, to: 5}}", "must hold numbers"),
        ("round: [", "a mask is written as"),
        ("5", "one name with its options"),
        ("{drop: {}}", "needs a column"),
        ("{drop_rows: {where: '__import__(1)'}}", "drop_rows"),
        ("{drop_rows: {where: 'pay > 0'}}", "all 3 rows"),
        ("{generalise: {column: town, tree: no-such-file.csv}}", "no-such-file.csv"),
        ("{generalise: {column: town, mapping: no-such-file.csv}}", "no-such-file.csv"),
    ],
)
def test_wrong_masks_are_refused_and_nothing_is_written(data, tmp_path, spec, message):
    ended = mask(data, "--mask", spec, "-o", tmp_path / "out.csv")
    assert ended.exit_code in (2, 3)
    assert message in ended.stderr
    assert not (tmp_path / "out.csv").exists()
    assert "Soria" not in ended.stderr


def test_places_that_must_not_be_written_to(data, tmp_path):
    assert "is the data file" in mask(data, "--mask", ROUND, "-o", data, "--overwrite").stderr
    assert "is a folder" in mask(data, "--mask", ROUND, "-o", tmp_path).stderr
    (tmp_path / "there.csv").write_text("x")
    assert "exists" in mask(data, "--mask", ROUND, "-o", tmp_path / "there.csv").stderr
    assert "no known format" in mask(data, "--mask", ROUND, "-o", tmp_path / "out.dat").stderr
    assert data.read_text() == PEOPLE
    assert (tmp_path / "there.csv").read_text() == "x"


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet", "arrow", "sav", "dta", "xpt"])
def test_every_format_comes_out_and_keeps_leading_zeros(data, tmp_path, suffix):
    out = tmp_path / f"out.{suffix}"
    assert mask(data, "--mask", ROUND, "-o", out).exit_code == 0
    assert io.read(out).frame["id"].to_list() == ["001", "002", "003"]


def test_a_database_is_read_and_written(data, tmp_path):
    address = f"sqlite:///{tmp_path}/school.db#masked"
    ended = mask(data, "--mask", ROUND, "-o", address)
    assert ended.exit_code == 0
    assert str(tmp_path) not in ended.stdout
    with sqlite3.connect(tmp_path / "school.db") as connection:
        assert connection.execute("select count(*) from masked").fetchone() == (3,)
    connection.close()
    assert mask(address, "--mask", "{drop: {column: id}}", "-o", tmp_path / "out.csv").exit_code == 0
    assert (tmp_path / "out.csv").read_text().splitlines()[0] == "town,pay"
    assert mask(data, "--mask", ROUND, "-o", address).exit_code == 2
    assert mask(data, "--mask", ROUND, "-o", address, "--overwrite").exit_code == 0


def test_what_a_workbook_hides_is_told(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["id", "pay"])
    book.active.append(["1", 1000])
    book.create_sheet("secret").sheet_state = "hidden"
    book.active.row_dimensions[2].hidden = True
    book.save(tmp_path / "book.xlsx")
    ended = mask(tmp_path / "book.xlsx", "--mask", ROUND, "-o", tmp_path / "out.xlsx", "--json")
    said = " ".join(one["message"] for one in json.loads(ended.stdout)["findings"])
    assert "Hidden sheets in the workbook: 1." in said
    assert "Hidden rows with cells on the sheet that was read: 1." in said
    again = mask(tmp_path / "out.xlsx", "--mask", ROUND, "-o", tmp_path / "again.xlsx", "--json")
    assert not [one for one in json.loads(again.stdout)["findings"] if one["code"] == "HIDDEN_CONTENT"]


@pytest.mark.parametrize("suffix", ["xls", "xlsb", "xlsm", "ods"])
def test_a_workbook_is_not_written_under_the_name_of_another_kind(data, tmp_path, suffix):
    out = tmp_path / f"out.{suffix}"
    ended = mask(data, "--mask", ROUND, "-o", out)
    assert (ended.exit_code, "not written" in ended.stderr, out.exists()) == (2, True, False)
