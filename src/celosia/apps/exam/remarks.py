"""What a lecturer should know about a table of marks before it is published: counts, never a mark or a name."""

from __future__ import annotations

from collections.abc import Sequence

from celosia.apps.exam.earlier import Earlier
from celosia.apps.exam.published import PublishedTable, read_cell
from celosia.apps.exam.sheets import MarkSheet
from celosia.apps.exam.standings import n_failed
from celosia.base.findings import Finding
from celosia.data.hierarchies.exact import fraction_text

_TELLS_LITTLE = 0.6
_ALIKE = 0.1
_FEW = 2


def about_sheet(sheet: MarkSheet) -> list[Finding]:
    """Say what was guessed about a sheet."""
    columns, scale = sheet.columns, sheet.scale
    found = []
    if sheet.guessed or not sheet.is_pass_mark_given:
        found.append(
            Finding(
                "EXAM_SCALE_GUESSED",
                "note",
                "The marks are taken to run from {low} to {high} and to be passed from {pass_mark} on. If that is "
                "wrong, say so: --scale, --pass-mark.",
                values={
                    "low": fraction_text(scale.low),
                    "high": fraction_text(scale.high),
                    "pass_mark": fraction_text(scale.pass_mark),
                },
            )
        )
    if columns.left_out:
        found.append(
            Finding(
                "EXAM_LEFT_OUT",
                "note",
                "Not published, since they are no marks: {columns}. --keep COLUMN publishes one, made coarser.",
                values={"columns": ", ".join(columns.left_out)},
            )
        )
    if not columns.identifiers:
        found.append(
            Finding(
                "EXAM_NO_STUDENT",
                "warning",
                "No column names the students: cards are told apart by their row in the sheet alone, and the same "
                "student may be there twice.",
            )
        )
    return [*found, *_about_students(sheet)]


def _about_students(sheet: MarkSheet) -> list[Finding]:
    """Say how many rows hold no mark, or lack the final one."""
    final, found = sheet.columns.final, []
    n_without = sum(all(mark is None for mark in student.marks.values()) for student in sheet.students)
    if n_without:
        found.append(
            Finding(
                "EXAM_WITHOUT_MARKS",
                "note",
                "{n_rows} rows hold no mark at all. They count as students, among whom others are hidden: if they are "
                "none, such as remarks below the sheet, remove them.",
                values={"n_rows": n_without},
                n_rows=n_without,
            )
        )
    n_unfinished = sum(
        student.marks[final] is None and any(mark is not None for mark in student.marks.values())
        for student in sheet.students
    )
    if n_unfinished:
        found.append(
            Finding(
                "EXAM_NO_FINAL",
                "note",
                "{n_rows} students have other marks and no final one, and their cards say so. If the sheet computes "
                "it, open it in a spreadsheet program and save it, so that its values are stored.",
                final,
                {"n_rows": n_unfinished},
                n_rows=n_unfinished,
            )
        )
    return found


def about_table(table: PublishedTable, sheet: MarkSheet, loss: float) -> list[Finding]:
    """Say what a table tells about whole groups, and how little it tells."""
    found = [finding for column in table.marks for finding in _all_failed(table, sheet, column)]
    n_hidden = sum(
        group.n_students for group in table.groups if all(group.texts[column] == "*" for column in table.marks)
    )
    if n_hidden:
        found.append(
            Finding(
                "EXAM_HIDDEN_ROWS",
                "note",
                "The rows of {n_rows} students are * in every mark: they tell only that these students exist.",
                values={"n_rows": n_hidden},
                n_rows=n_hidden,
            )
        )
    if loss > _TELLS_LITTLE:
        found.append(
            Finding(
                "EXAM_COARSE",
                "warning",
                "The table tells little: {percent} % of what the marks tell is lost. Fewer columns of marks (--marks), "
                "more students in one table, or only the share of passes would serve the students better.",
                values={"percent": round(100 * loss)},
            )
        )
    return found


def _all_failed(table: PublishedTable, sheet: MarkSheet, column: str) -> list[Finding]:
    """Find groups all of whose students are published below the pass mark."""
    scale = sheet.scales[column]
    failed = [group for group in table.groups if n_failed([read_cell(group.texts[column])], scale)]
    if not failed:
        return []
    n_rows = sum(group.n_students for group in failed)
    return [
        Finding(
            "EXAM_ALL_FAILED",
            "warning" if column == sheet.columns.final else "note",
            "{n_groups} of {n_all} groups ({n_rows} students) are published below the pass mark in '{column}': whoever "
            "is known to be in one of them is known to have failed.",
            column,
            {"n_groups": len(failed), "n_all": len(table.groups), "n_rows": n_rows},
            n_rows=n_rows,
        )
    ]


def about_earlier(sheet: MarkSheet, earlier: Sequence[Earlier]) -> list[Finding]:
    """Say which earlier tables may be about the same students, and what cannot be compared."""
    found = []
    n_students = len(sheet.students)
    for course in earlier:
        marks = {*course.table.marks, *course.skipped}
        near = abs(course.n_students - n_students) <= max(_FEW, _ALIKE * n_students)
        if near and marks == set(sheet.columns.marks):
            found.append(
                Finding(
                    "EXAM_SAME_STUDENTS",
                    "warning",
                    "'{course}' has the same marks and about as many students: if they are the same students, do not "
                    "publish both tables, since together they tell more than either promises.",
                    values={"course": course.table.name},
                )
            )
        if course.skipped:
            found.append(
                Finding(
                    "EXAM_NOT_COMPARED",
                    "note",
                    "Not compared with '{course}', where their scale is another or their values are not true: "
                    "{columns}.",
                    values={"course": course.table.name, "columns": ", ".join(course.skipped)},
                )
            )
    return found
