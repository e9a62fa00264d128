"""Sheets of marks: decimal commas, absences, scales per column, and hostile input told by position."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest
import xlsxwriter

import celosia as cl
from celosia.apps.exam.sheets import read_sheet

NAMES = [f"Person{number} Gil" for number in range(20)]


def sheet(exam, **columns):
    return pl.DataFrame({"name": NAMES[: len(exam)], "exam": exam, **columns})


def refused(frame, *words, hidden=(), **options):
    with pytest.raises(cl.InputError) as caught:
        read_sheet(frame, **options)
    told = str(caught.value)
    for word in words:
        assert word in told
    for secret in hidden:
        assert secret not in told
    return told


def test_decimal_commas_and_points_and_absences(tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text("name;exam;final\nAna Gil;4,5;7\nEva Ruiz;NP;9,25\nLuis Mora; 10 ;\nSara Cano;3.5;0\n")
    read = read_sheet(path)
    assert [student.marks["exam"] for student in read.students] == [Fraction(9, 2), None, 10, Fraction(7, 2)]
    assert [student.marks["final"] for student in read.students] == [7, Fraction(37, 4), None, 0]
    assert [student.name for student in read.students] == ["Ana Gil", "Eva Ruiz", "Luis Mora", "Sara Cano"]
    assert read.columns.final == "final"
    assert read.scale.text == "0-10"
    assert read.absences == ("NP",)


def test_sums_of_a_spreadsheet_are_what_they_show():
    read = read_sheet(pl.DataFrame({"name": NAMES[:3], "exam": [4.999999999999999, 0.1 + 0.2, 9.0]}))
    assert [student.marks["exam"] for student in read.students] == [5, Fraction(3, 10), 9]


def test_scales_by_header_and_pass_marks_by_share():
    read = read_sheet(sheet(["4", "9"], **{"quiz (0-5)": ["3", "5"], "final /20": ["12", "19"]}), pass_mark=12)
    assert {name: scale.text for name, scale in read.scales.items()} == {
        "exam": "0-10",
        "quiz (0-5)": "0-5",
        "final /20": "0-20",
    }
    assert {name: scale.pass_mark for name, scale in read.scales.items()} == {
        "exam": 6,
        "quiz (0-5)": 3,
        "final /20": 12,
    }
    assert read.guessed == ("exam",)


def test_text_in_marks_is_told_by_position_and_not_by_value():
    refused(sheet(["4", "7", "secretissimo", "8", "9"]), "'exam'", "data row 3", hidden=["secretissimo"])


def test_marks_out_of_scale_are_told_by_position_and_not_by_value():
    refused(sheet(["4"] * 15 + ["77.77", "8", "9"]), "'exam'", "scale 0-10", "data row 16", hidden=["77.77"])
    refused(sheet(["4", "7.31", "8"]), "scale 0-5", "2 marks", "data row 2", hidden=["7.31"], scale="0-5")
    refused(sheet(["-2.5", "7", "8"]), "data row 1", hidden=["-2.5", "2.5"], scale=(0, 10))


def test_blank_rows_are_skipped_and_still_counted():
    frame = sheet(["4", None, "wrong", "9", "8", "7"]).with_columns(
        name=pl.Series(["Ana Gil", None, "Eva Ruiz", "Luis Mora", "Sara Cano", "José Díaz"])
    )
    refused(frame, "data row 3")
    read = read_sheet(frame.filter(pl.col("exam").is_null() | (pl.col("exam") != "wrong")))
    assert [student.row for student in read.students] == [1, 3, 4, 5]


@pytest.mark.parametrize("name", ["Media", "PROMEDIO", "Average", "total"])
def test_lines_of_averages_are_no_students(name):
    refused(sheet(["4", "9", "6.5"]).with_columns(name=pl.Series(["Ana Gil", "Eva Ruiz", name])), "data row 3")


def test_rows_without_a_student_are_refused():
    refused(sheet(["4", "9", "6.5"]).with_columns(name=pl.Series(["Ana Gil", None, "Eva Ruiz"])), "data row 2")


def test_students_twice_are_refused():
    twice = pl.Series(["Canaria Gil", "Eva Ruiz", "canaria gil"])
    refused(sheet(["4", "9", "6"]).with_columns(name=twice), "'name'", "data rows 1 and 3", hidden=["Canaria"])
    told_apart = sheet(["4", "9", "6"], dni=["12345678Z", "00000000T", "87654321X"]).with_columns(name=twice)
    assert len(read_sheet(told_apart).students) == 3
    same_number = told_apart.with_columns(dni=pl.Series(["12345678Z", "00000000T", "12345678z"]))
    refused(same_number, "'dni'", "data rows 1 and 3", hidden=["12345678"])
    assert len(read_sheet(told_apart, student="dni").students) == 3


def test_given_name_and_surname_are_one_name():
    frame = pl.DataFrame({"nombre": ["Ana", "Ana"], "apellidos": ["Gil", "Ruiz"], "examen": ["4", "9"]})
    assert [student.name for student in read_sheet(frame).students] == ["Ana Gil", "Ana Ruiz"]


def test_empty_things(tmp_path):
    empty = tmp_path / "empty.csv"
    empty.write_bytes(b"")
    with pytest.raises(cl.InputError):
        read_sheet(empty)
    heads = tmp_path / "heads.csv"
    heads.write_text("name,exam\n")
    refused(heads, "no rows")
    with pytest.raises(cl.InputError):
        read_sheet(tmp_path / "none.csv")
    refused(sheet(["NP", "NP", ""]), hidden=["NP"], marks=["exam"])
    refused(pl.DataFrame(), "no columns")


def test_one_column_is_enough():
    read = read_sheet(pl.DataFrame({"exam": ["4", "9", "7"]}))
    assert read.columns.identifiers == ()
    assert [student.name for student in read.students] == ["", "", ""]


def test_the_second_sheet_is_read_when_it_is_asked_for(tmp_path):
    path = tmp_path / "marks.xlsx"
    with xlsxwriter.Workbook(path) as workbook:
        for title, marks in (("June", [4, 9]), ("September", [5, 10])):
            page = workbook.add_worksheet(title)
            page.write_row(0, 0, ["name", "exam"])
            for row, mark in enumerate(marks, start=1):
                page.write_row(row, 0, [f"Ana Gil {row}", mark])
    first, second = read_sheet(path), read_sheet(path, sheet="September")
    assert [student.marks["exam"] for student in first.students] == [4, 9]
    assert [student.marks["exam"] for student in second.students] == [5, 10]
    assert any(part.kind == "further_sheets" for part in first.source.hidden)
    with pytest.raises(cl.OptionError):
        read_sheet(path, sheet="May")
