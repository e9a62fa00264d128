"""The documents of an exam in the folder of its release: the page for the board, and the private cards."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia import audit
from celosia.apps.exam.file_names import card_name
from celosia.base.errors import AuditError, InputError
from celosia.data import io
from celosia.data.io.durable import fresh_file
from celosia.jobs.way import Documents
from celosia.report.pdf import pdfs_of

if TYPE_CHECKING:
    from celosia.apps.exam.result import Exam


@contextmanager
def documents_of(exam: Exam, *, pdf: bool) -> Iterator[Documents]:
    """Give what writes the workbook, the page for the board and private cards into the folder of a release.

    PDF is set on the other core while the release is written and audited.

    Parameters
    ----------
    pdf
        Whether to set pages as PDF too.

    Raises
    ------
    InputError
        The system refuses to write.
    AuditError
        The workbook does not hold what the table promises.
    """
    board = exam.pages.of_table()
    n_rows = max(student.row for student in exam.sheet.students)
    private = {card_name(card.student.row, card.student.name, n_rows): exam.pages.of_card(card) for card in exam.cards}
    with ThreadPoolExecutor(1) as worker:
        files = worker.submit(pdfs_of, [board, *private.values()]) if pdf else None

        def write(folder: Path, claim: Mapping[str, Any], checks: Sequence[tuple[str, str]]) -> None:
            _write_workbook(exam, folder / "data.xlsx", claim)
            _publish(folder / f"table.{exam.lang}.html", board.encode())
            _publish(folder / "table.json", _json(exam.reading))
            _hide(folder / "internal" / "exam.json", _json(exam.summary))
            cards = folder / "cards"
            cards.mkdir(mode=0o700)
            for name, page in private.items():
                _hide(cards / f"{name}.html", page.encode())
            if files is not None:
                first, *others = files.result()
                _publish(folder / f"table.{exam.lang}.pdf", first)
                for name, file in zip(private, others, strict=True):
                    _hide(cards / f"{name}.pdf", file)

        yield write


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
