"""The documents of an exam in the folder of its release: the page for the board, and the private cards."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia import audit, io
from celosia.errors import AuditError, InputError
from celosia.exams.file_names import card_name
from celosia.io.durable import fresh_file
from celosia.report.pdf import pdfs_of

if TYPE_CHECKING:
    from celosia.exams.result import Exam

__all__ = ["write_documents"]


def write_documents(exam: Exam, folder: Path, claim: Mapping[str, Any], *, pdf: bool) -> None:
    """Write what goes with the released table: a workbook, the page for the board, and private cards.

    Parameters
    ----------
    folder
        The folder of the release, before it is put in its place.
    claim
        What the released table promises; the workbook must promise the same.
    pdf
        Whether to set pages as PDF too.

    Raises
    ------
    InputError
        The system refuses to write.
    AuditError
        The workbook does not hold what the table promises.
    """
    _write_workbook(exam, folder / "data.xlsx", claim)
    cards = folder / "cards"
    cards.mkdir(mode=0o700)
    board = exam.pages.of_table()
    n_rows = max(student.row for student in exam.sheet.students)
    private = {card_name(card.student.row, card.student.name, n_rows): exam.pages.of_card(card) for card in exam.cards}
    _publish(folder / f"table.{exam.lang}.html", board.encode())
    _publish(folder / "table.json", _json(exam.reading))
    for name, page in private.items():
        _hide(cards / f"{name}.html", page.encode())
    _hide(folder / "internal" / "exam.json", _json(exam.summary))
    if pdf:
        first, *files = pdfs_of([board, *private.values()])
        _publish(folder / f"table.{exam.lang}.pdf", first)
        for name, file in zip(private, files, strict=True):
            _hide(cards / f"{name}.pdf", file)


def _write_workbook(exam: Exam, path: Path, claim: Mapping[str, Any]) -> None:
    rows = exam.release.rows
    io.write(rows, path, format="xlsx")
    verdict = audit.verify(path, {**claim, "data": io.described(path, "xlsx", rows.height)})
    if not verdict.holds:
        raise AuditError("the verifier rejected the workbook of the table.", hint="nothing was handed out.")


def _publish(path: Path, content: bytes) -> None:
    with fresh_file(path) as file:
        file.write(content)


def _hide(path: Path, content: bytes) -> None:
    """Write a new private file (mode 0600); it is synced with its folder when that is put in its place."""
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode=0o600)) as file:
            file.write(content)
    except OSError as error:
        reason = error.strerror or type(error).__name__
    else:
        return
    raise InputError(f"cannot write {path.name}: {reason}.", hint="check the disk and the path.")


def _json(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()
