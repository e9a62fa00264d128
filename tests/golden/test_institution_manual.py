"""The worked examples of the institution's manual, section 9: through the command line, plans and Python."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import celosia as cl
from celosia.cli import app
from celosia.masks.swap import swap_effect

STUDENTS = ["Luis", "Eduardo", "Tatiana", "Pedro", "Amparo "]  # the manual prints blanks behind some cells
RESULTS = ["4.5", "3.5", "3.8", "2.5", "5.0"]
SCORES = {"Estudiante": STUDENTS, "Profesor": ["Milena"] * 3 + ["José", "José "], "Resultado": RESULTS}
PROMOTED = {
    "Identificación": ["1026457389", "3647382919", "1028374622", "2845143827", "2647281923"],
    "Promedio": ["3.5", "3.8", "4.2", "4.5", "3.9 "],
    "Curso": ["8", "9", "8", "10", "11"],
}
GRADES = {"Estudiante": STUDENTS, "Grado": ["8", "9", "9", "10", "11"], "Resultado": RESULTS}
PRINTED_RANGES = ["<6", "6-7", "8-9", "9-10", "10-11", ">11"]
MENDED_RANGES = ["<6", "6-7", "8-9", "10-11", ">11"]


def written(folder: Path, table: dict[str, list[str]], name: str = "data.csv") -> Path:
    path = folder / name
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([list(table), *zip(*table.values(), strict=True)])
    return path


def mask(data: Path, *masks: dict, out: str = "out.csv", code: int = 0) -> tuple[list[list[str]], dict]:
    """Run ``celosia mask`` and return the written rows and what ``--json`` prints."""
    target = data.parent / out
    options = [part for one in masks for part in ("--mask", json.dumps(one, ensure_ascii=False))]
    ended = CliRunner().invoke(app, ["mask", str(data), *options, "-o", str(target), "--json", "--overwrite"])
    assert ended.exit_code == code, ended.output
    if code:
        assert not target.exists()
        return [], {"error": ended.stderr}
    rows = list(csv.reader(target.read_text(encoding="utf-8").splitlines())) if target.suffix == ".csv" else []
    return rows, json.loads(ended.stdout)


def codes(found: dict) -> list[str]:
    return [finding["code"] for finding in found["findings"]]


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet", "arrow"])
def test_attribute_suppression_leaves_no_name_in_any_byte(tmp_path, suffix):
    """R-T1, R-T3: two columns, five rows."""
    out = f"out.{suffix}"
    rows, found = mask(written(tmp_path, SCORES), {"drop": {"column": "Estudiante"}}, out=out)
    assert (found["n_written"], found["columns"]) == (5, ["Profesor", "Resultado"])
    assert found["called"] == ["reduced"]
    if rows:
        assert rows == [
            ["Profesor", "Resultado"],
            *([teacher.strip(), mark] for _, teacher, mark in zip(*SCORES.values(), strict=True)),
        ]
    content = [(tmp_path / out).read_bytes()]
    if suffix == "xlsx":
        with zipfile.ZipFile(tmp_path / out) as package:
            content += [package.read(part) for part in package.namelist()]
    for name in STUDENTS:
        assert not any(name.strip().encode() in part for part in content)


def test_attribute_suppression_with_header_and_without(tmp_path):
    data = written(tmp_path, SCORES)
    kept, _ = mask(data, {"blank": {"column": "Estudiante"}})
    assert kept[0] == ["Estudiante", "Profesor", "Resultado"]
    assert [row[0] for row in kept[1:]] == [""] * 5
    gone, found = mask(data, {"blank": {"column": "Estudiante", "header": True}})
    assert gone[0][0].strip() == ""
    assert gone[0][1:] == ["Profesor", "Resultado"]
    assert "Estudiante" not in (tmp_path / "out.csv").read_text()
    assert found["n_written"] == 5


def test_a_duration_takes_the_place_of_entry_and_exit(tmp_path):
    """R-T2: also over midnight, and in the night when the clocks change."""
    visits = {"entrada": ["08:00", "23:30"], "salida": ["10:30", "01:00"]}
    rows, _ = mask(
        written(tmp_path, visits),
        {"derive": {"column": "minutos", "expression": "duration(entrada, salida)"}},
        {"derive": {"column": "estancia", "expression": "duration(entrada, salida, unit='text')"}},
        {"drop": {"columns": ["entrada", "salida"]}},
    )
    assert rows == [["minutos", "estancia"], ["150", "2:30"], ["90", "1:30"]]
    nights = {"entrada": ["2026-03-28 23:00", "2026-10-24 23:00"], "salida": ["2026-03-29 07:00", "2026-10-25 07:00"]}
    spring = "duration(entrada, salida, unit='hours', zone='Europe/Madrid')"
    rows, _ = mask(written(tmp_path, nights), {"derive": {"column": "horas", "expression": spring, "drop": True}})
    assert rows[1:] == [["7"], ["9"]]


def test_a_negative_duration_is_warned_of(tmp_path):
    late = {"entrada": ["2026-01-02 10:00"], "salida": ["2026-01-01 10:00"]}
    _, found = mask(written(tmp_path, late), {"derive": {"column": "m", "expression": "duration(entrada, salida)"}})
    (warned,) = [one for one in found["findings"] if one["code"] == "NEGATIVE_DURATION"]
    assert warned["severity"] == "warning"


def test_characters_are_masked_as_printed_and_still_single_people_out(tmp_path):
    """R-T5 and T-M5, T-M8."""
    masked = {"mask_characters": {"column": "Identificación", "keep_first": 2, "symbol": "X"}}
    rows, found = mask(written(tmp_path, PROMOTED), masked)
    assert rows[1:] == [
        ["10XXXXXXXX", "3.5", "8"],
        ["36XXXXXXXX", "3.8", "9"],
        ["10XXXXXXXX", "4.2", "8"],
        ["28XXXXXXXX", "4.5", "10"],
        ["26XXXXXXXX", "3.9", "11"],
    ]
    (alone,) = [one for one in found["findings"] if one["code"] == "MASK_SINGLES_OUT"]
    assert alone["severity"] == "warning"
    assert alone["message"].startswith("3 of 5 ")
    assert "TRIMMED_BLANKS" in codes(found)


def test_a_masked_identifier_is_in_the_k_check(tmp_path):
    """T-M5: masking demotes an identifier to a quasi-identifier."""
    schema = cl.Schema(identifiers=["Identificación"], quasi_identifiers={"Curso": "number"}, sensitive=["Promedio"])
    table = cl.Table.read(written(tmp_path, PROMOTED), schema)
    plan = cl.Plan(models=[cl.KAnonymity(2)], masks=[cl.MaskCharacters(column="Identificación", keep_first=2)])
    release = plan.run(table)
    assert release.summary["columns"].keys() == {"Identificación", "Curso"}
    assert cl.check(release.frame, quasi_identifiers=["Identificación", "Curso"]).k >= 2


def test_overlapping_ranges_are_refused_and_the_mended_ones_give_two_classes(tmp_path):
    """R-M2, T-M3, T-M4."""
    data = written(tmp_path, GRADES)
    _, refused = mask(data, {"generalise": {"column": "Grado", "ranges": PRINTED_RANGES}}, code=2)
    assert "ranges 3 and 4 overlap; ranges 4 and 5 overlap" in refused["error"]
    assert '"<6", "6-7", "8-9", "10-11", ">11"' in refused["error"]
    rows, _ = mask(data, {"generalise": {"column": "Grado", "ranges": MENDED_RANGES}})
    grades = [row[1] for row in rows[1:]]
    assert grades == ["8-9", "8-9", "8-9", "10-11", "10-11"]
    assert cl.check(pl.DataFrame({"Grado": grades}), quasi_identifiers=["Grado"]).k == 2
    printed = ["8-9", "9-10", "9-10", "10-11", "10-11"]  # what the manual prints
    assert cl.check(pl.DataFrame({"Grado": printed}), quasi_identifiers=["Grado"]).k == 1


def test_half_open_ranges_are_needed_for_decimals(tmp_path):
    _, refused = mask(
        written(tmp_path, GRADES), {"generalise": {"column": "Resultado", "ranges": ["<3", "3-4", "5-6"]}}, code=2
    )
    assert "gap" in refused["error"]
    rows, _ = mask(
        written(tmp_path, GRADES), {"generalise": {"column": "Resultado", "ranges": ["<3", "[3, 4)", ">=4"]}}
    )
    assert [row[2] for row in rows[1:]] == [">=4", "[3, 4)", "[3, 4)", "<3", ">=4"]


def test_the_manuals_own_swap_is_no_swap(tmp_path):
    """T-M7: rows moved whole hide nobody."""
    before = pl.DataFrame({name: [cell.strip() for cell in cells] for name, cells in GRADES.items()})
    after = before[[1, 2, 0, 4, 3]]  # as printed
    assert not swap_effect(before, after, list(GRADES)).rows_changed
    joint = {"swap": {"columns": list(GRADES), "joint": True}}
    _, refused = mask(written(tmp_path, GRADES), joint, code=2)
    assert "SWAP_NO_EFFECT" in refused["error"]


def test_a_real_swap_keeps_columns_and_changes_rows(tmp_path):
    """R-T10."""
    rows, found = mask(written(tmp_path, GRADES), {"swap": {"column": "Estudiante"}})
    originals = [[cell.strip() for cell in row] for row in zip(*GRADES.values(), strict=True)]
    for column in range(3):
        assert sorted(row[column] for row in rows[1:]) == sorted(row[column] for row in originals)
    assert sorted(rows[1:]) != sorted(originals)
    assert found["called"] == ["swapped"]
    assert "SWAP_FIXED_POINTS" in codes(found) or all(
        row[0] != original[0] for row, original in zip(rows[1:], originals, strict=True)
    )


def test_cells_are_suppressed_by_a_neutral_value(tmp_path):
    """R-T11."""
    rows, _ = mask(written(tmp_path, GRADES), {"blank": {"column": "Grado", "where": "Grado > 10", "symbol": "*"}})
    assert [row[1] for row in rows[1:]] == ["8", "9", "9", "10", "*"]


@pytest.mark.parametrize("seed", range(5))
def test_noise_keeps_marks_in_their_domain_and_their_mean(tmp_path, seed):
    """R-T12."""
    marks = pl.DataFrame({"mark": [0.0, 10.0, 5.5, 7.2, 9.9, 0.1, 6.4, 3.3] * 50})
    noised = cl.mask(marks, cl.AddNoise(column="mark", sd=1, within=[0, 10]), seed=seed).frame["mark"]
    assert noised.min() >= 0
    assert noised.max() <= 10
    assert abs(noised.mean() - marks["mark"].mean()) < 0.1
    assert (noised != marks["mark"]).mean() > 0.8


def test_a_record_of_the_agency_note_is_suppressed(tmp_path):
    """R-T4: Table 5 (8 rows) without the row 50011, 13."""
    rows = [
        *(("37003", 40, "S"), ("28108", 44, "S"), ("24700", 37, "N"), ("24700", 37, "N")),
        *(("37003", 44, "S"), ("28108", 40, "S"), ("37891", 33, "N"), ("50011", 13, "S")),
    ]
    table = pl.DataFrame(rows, schema=["postcode", "age", "cholesterol"], orient="row")
    for rule in (
        cl.DropRows(where="postcode == '50011' and age == 13"),
        cl.DropRows(column="postcode", values=["50011"]),
    ):
        left = cl.mask(table, rule).frame
        assert left.rows() == [row for row in rows if row[0] != "50011"]
    after = cl.mask(table, [cl.Generalise(column="postcode", prefix=2), cl.DropRows(class_below=2, by=["postcode"])])
    assert "50***" not in after.frame["postcode"].to_list()  # T-N4: looked for after recoding


def test_aggregated_groups_and_samples(tmp_path):
    """R-T14: centroids of groups of k; the fraction of a sample is told."""
    marks = pl.DataFrame({"mark": [1, 2, 3, 9, 10, 11]})
    centred = cl.mask(marks, cl.Microaggregate(column="mark", k=3)).frame["mark"].to_list()
    assert centred == [2, 2, 2, 10, 10, 10]
    found = cl.mask(pl.DataFrame({"row": range(200)}), cl.Sample(fraction=0.1))
    assert found.frame.height == 20
    (told,) = [one for one in found.findings if one.code == "SAMPLED"]
    assert "a sampling fraction of 0.1" in told.message


def test_one_table_under_the_names_of_two_sections(tmp_path):
    """T-M14: Grado and Curso, Resultado and Promedio are one column each."""
    schema = cl.Schema(
        insensitive=["Resultado"],
        quasi_identifiers={"Grado": "number"},
        aliases={"Grado": ["Curso"], "Resultado": ["Promedio"]},
    )
    for table in (GRADES, PROMOTED):
        frame = pl.DataFrame({name: [cell.strip() for cell in cells] for name, cells in table.items()})
        named = cl.Table(frame, schema)
        assert set(named.frame.columns) >= {"Grado", "Resultado"}
    with pytest.raises(cl.InputError, match="two names"):
        cl.Table(pl.DataFrame({"Grado": [1], "Curso": [2], "Resultado": [3]}), schema)


def test_two_decimal_marks_in_a_column_are_read_and_told():
    """T-M8: 0,03 beside 1.0."""
    table = cl.Table(
        pl.DataFrame({"p": ["0,03", "0,05", "1.0", "1.0"]}), cl.Schema(quasi_identifiers={"p": "number"}), decimal="."
    )
    assert list(table.quasi_identifiers[0].domain.values) == [0.03, 0.05, 1.0]
    release = cl.Plan(models=[cl.KAnonymity(2)]).run(table)
    (told,) = [one for one in release.findings if one.code == "MIXED_DECIMAL_MARKS"]
    assert told.values["count"] == 2
