"""Sheets that would tell people something wrong, or something about others, if they were taken as they are."""

from __future__ import annotations

import string
from fractions import Fraction

import openpyxl
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.apps.exam import exam
from celosia.apps.exam.columns import find_columns
from celosia.apps.exam.published import Untold
from celosia.apps.exam.scales import Scale
from celosia.apps.exam.sheets import read_sheet
from celosia.base.errors import InputError, OptionError

N = 24
SURNAMES = [f"Gil{letter}" for letter in string.ascii_lowercase[:N]]
MARKS = [round(1.5 + 8.5 * (7 * place % N) / (N - 1), 1) for place in range(N)]


def sheet(**columns):
    return pl.DataFrame({"alumno": [f"Ana {name}" for name in SURNAMES], "final": MARKS} | columns, strict=False)


# Who is a student -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("Media del grupo", "MEDIA:", "Promedio general", "Desv. típica", "% aprobados", "Nº de alumnos"),
        *("Peso", "Max", "Puntuación máxima", "Average mark", "Number of students", "Nota máxima"),
    ],
)
def test_a_row_of_a_summary_is_no_student(name):
    with pytest.raises(InputError, match="data row 25 is named like a summary"):
        read_sheet(pl.concat([sheet(), pl.DataFrame({"alumno": [name], "final": [5.5]})]))


def test_a_numbered_row_of_a_summary_is_no_student():
    frame = sheet(numero=list(range(1, N + 1)))
    with pytest.raises(InputError, match="named like a summary"):
        read_sheet(pl.concat([frame, pl.DataFrame({"alumno": ["Media"], "final": [5.5], "numero": [N + 1]})]))


@pytest.mark.parametrize("name", ["Máximo", "Max", "Min", "Sum"])
def test_people_who_are_called_like_a_summary_are_students(name):
    parted = pl.DataFrame({"nombre": [name, *["Eva"] * (N - 1)], "apellidos": SURNAMES, "final": MARKS})
    assert read_sheet(parted).students[0].name == f"{name} Gila"
    whole = sheet(alumno=[f"{name} Weber", *SURNAMES[1:]])
    assert read_sheet(whole).students[0].name == f"{name} Weber"


def test_a_surname_like_a_summary_is_a_student():
    assert read_sheet(sheet(alumno=["Media, Ana", *SURNAMES[1:]])).students[0].name == "Media, Ana"
    numbered = sheet(alumno=["Total", *SURNAMES[1:]], dni=[f"{10_000_000 + 7919 * place}" for place in range(N)])
    assert len(read_sheet(numbered).students) == N


@pytest.mark.parametrize(
    ("first", "again"), [("Núñez, Ana", "nunez ,  ana"), ("Ana Gil", "ANA GIL"), ("Ana  Gil", "Ana Gil")]
)
def test_the_same_name_typed_otherwise_is_the_same_student(first, again):
    with pytest.raises(InputError, match="1 students are there more than once, by 'alumno'"):
        read_sheet(sheet(alumno=[first, again, *SURNAMES[2:]]))


def test_the_same_number_typed_otherwise_is_the_same_student():
    numbers = [f"{10_000_000 + 7919 * place}T" for place in range(N)]
    numbers[1] = f"{numbers[0][:-1]}-t"
    with pytest.raises(InputError, match="by 'dni'"):
        read_sheet(sheet(dni=numbers))


def test_a_student_without_a_number_is_told_by_the_name():
    numbers = [None, *(f"{10_000_000 + 7919 * place}" for place in range(1, N))]
    with pytest.raises(InputError, match=r"by 'alumno' \(first in data rows 1 and 2\)"):
        read_sheet(sheet(alumno=["Ana Gil", "Ana Gil", *SURNAMES[2:]], dni=numbers))


def test_two_people_of_one_name_with_numbers_of_their_own_are_two():
    numbers = [f"{10_000_000 + 7919 * place}" for place in range(N)]
    assert len(read_sheet(sheet(alumno=["Ana Gil", "Ana Gil", *SURNAMES[2:]], dni=numbers)).students) == N


def test_rows_without_any_mark_are_told():
    frame = sheet(final=[*MARKS[:-2], None, None])
    (found,) = (one for one in exam(frame, k=2, seed=1).findings if one.code == "EXAM_WITHOUT_MARKS")
    assert found.n_rows == 2
    assert not [one for one in exam(sheet(), k=2, seed=1).findings if one.code == "EXAM_WITHOUT_MARKS"]


# What is published ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["alumno", "dni", "login"])
def test_nobody_can_publish_who_the_students_are(column):
    frame = sheet(dni=[f"{10_000_000 + 7919 * place}" for place in range(N)], login=[f"u{name}" for name in SURNAMES])
    with pytest.raises(OptionError, match="names students, and would be published"):
        exam(frame, keep=[column])


def test_numbers_of_a_list_with_gaps_are_no_marks():
    places = [place for place in range(1, N + 4) if place not in (3, 9, 17)]
    found = find_columns(sheet(lista=places))
    assert found.marks == ("final",)
    assert find_columns(sheet(test=[100 - place for place in places])).marks == ("final", "test")


def test_attendance_is_no_mark():
    frame = sheet(asistencia=[60 + 37 * place % 20 for place in range(N)])
    assert find_columns(frame).left_out == ("asistencia",)
    assert read_sheet(frame).scale.text == "0-10"


def test_a_word_for_no_mark_in_a_kept_column_is_no_value_on_cards_either():
    exams = ["NP" if place % 7 == 0 else mark for place, mark in enumerate(map(str, MARKS))]
    made = exam(sheet(examen=exams, turno=["NP", "tarde"] * (N // 2)), keep=["turno"], k=2, seed=1)
    assert min(sum(group.n_students for group in card.groups) for card in made.cards) >= 3


def test_a_final_mark_whose_formulas_have_no_values_is_not_replaced_by_another(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["alumno", "parcial", "nota final"])
    for place, (name, mark) in enumerate(zip(SURNAMES, MARKS, strict=True), start=2):
        book.active.append([name, mark, f"=B{place}"])
    book.save(tmp_path / "marks.xlsx")
    with pytest.raises(InputError, match="'nota final' looks like the final mark, and is empty"):
        read_sheet(tmp_path / "marks.xlsx")
    assert read_sheet(tmp_path / "marks.xlsx", marks=["parcial"]).columns.final == "parcial"


def test_students_without_a_final_mark_are_counted():
    made = exam(
        sheet(final=[None, None, *MARKS[2:]], examen=[None, *MARKS[1:]]), marks=["examen", "final"], k=2, seed=1
    )
    found = {one.code: one.n_rows for one in made.findings}
    assert found["EXAM_NO_FINAL"] == 1
    assert found["EXAM_WITHOUT_MARKS"] == 1


# Scales ---------------------------------------------------------------------------------------------------------------


def test_a_scale_on_which_all_would_have_failed_is_not_guessed():
    frame = sheet(test=[50 + 2 * place for place in range(N)])
    with pytest.raises(InputError, match="the scale of 'final' cannot be guessed"):
        exam(frame, k=2)
    assert exam(frame.rename({"test": "test (0-100)"}), k=2, seed=1).sheet.scale.text == "0-10"


def test_a_header_stands_above_the_scale_of_the_sheet():
    quiz = [mark / 2 for mark in MARKS]
    read = read_sheet(sheet().with_columns(pl.Series("quiz (0-5)", quiz)), scale="0-10")
    assert {name: one.text for name, one in read.scales.items()} == {"final": "0-10", "quiz (0-5)": "0-5"}
    topics = read_sheet(sheet().with_columns(pl.Series("temas (1-3)", MARKS)), scale="0-10")
    assert topics.scales["temas (1-3)"].text == "0-10"


@pytest.mark.parametrize("pass_mark", [Fraction(1, 3), Fraction(10, 7)])
def test_a_pass_mark_without_an_end_is_refused(pass_mark):
    with pytest.raises(OptionError, match="decimal numbers"):
        Scale.of(0, 10, pass_mark)


@tries(25)
@given(
    st.sampled_from([(0, 10), (0, 5), (1, 7), (0, 20), (0, 3)]),
    st.integers(1, 99),
    st.lists(st.integers(0, 700), min_size=9, max_size=14),
)
def test_the_pass_mark_of_another_scale_is_never_straddled(ends, share, hundredths):
    """The pass mark of 1-7 has no decimal end on other scales; marks lie on, just below and above all pass marks."""
    pass_mark = Fraction(1) + Fraction(6 * share, 100)
    low, high = ends
    other = Scale.of(low, high).with_pass_share(Scale.of(1, 7, pass_mark).pass_share)
    near = [other.pass_mark + step for step in (Fraction(-1, 100), Fraction(0), Fraction(1, 100))]
    wanted = [low + Fraction(one, 700) * (high - low) for one in hundredths] + near
    quiz = [min(max(round(mark, 2), Fraction(low)), Fraction(high)) for mark in wanted]
    column = f"quiz ({low}-{high})"
    frame = pl.DataFrame({column: [float(mark) for mark in quiz], "final (1-7)": [4.0] * len(quiz)})
    made = exam(frame, pass_mark=float(pass_mark), k=2, seed=1)
    scale = made.sheet.scales[column]
    assert scale == other
    for row, cell in zip(made.table.rows.iter_rows(), made.table.cells[column], strict=True):
        if cell is not Untold.HIDDEN:
            assert cell.high <= scale.pass_mark or cell.low >= scale.pass_mark, row
    n_passed = sum(mark >= scale.pass_mark for mark in quiz)
    cells = [cell for cell in made.table.cells[column] if cell is not Untold.HIDDEN]
    assert sum(cell.low >= scale.pass_mark for cell in cells) <= n_passed
    assert sum(cell.high <= scale.pass_mark for cell in cells) <= len(quiz) - n_passed


# Cards ----------------------------------------------------------------------------------------------------------------


def test_nobody_is_told_to_stand_best_where_they_have_failed():
    frame = sheet(practicas=[4.9 if place < N // 2 else 0.4 for place in range(N)], final=[7.0] * N)
    made = exam(frame, scale="0-10", k=2, seed=1)
    assert made.cards[0].places[-1].standing.n_lower == N // 2
    assert made.cards[0].best is None
    assert "stand best" not in made.pages.of_card(made.cards[0])
