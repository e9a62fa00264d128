"""Exam: the published table of a group's marks, and the cards that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from celosia.apps.exam.cards import Card, card_of
from celosia.apps.exam.earlier import Earlier
from celosia.apps.exam.pages import Pages
from celosia.apps.exam.published import PublishedTable, read_table
from celosia.apps.exam.remarks import about_earlier, about_sheet, about_table
from celosia.apps.exam.scales import Scale
from celosia.apps.exam.sheets import MarkSheet
from celosia.apps.exam.writing import documents_of
from celosia.base.findings import Finding
from celosia.jobs.release import Release
from celosia.report.language import Language
from celosia.report.pdf import check_pdf

_SAID_OTHERWISE = frozenset({"GENERALISE_STANDS_OUT", "MIXED_LEVELS"})
"""Findings of the release about the grid, which are true of every table of marks."""


class Exam:
    """A table of marks for the group, and what it tells each student. Made by ``exam``.

    Attributes
    ----------
    sheet
        The marks as they were read.
    release
        The audited release of the table.
    table
        The table as its readers have it.
    earlier
        The tables of earlier courses.
    k
        How many others each student is hidden among.
    lang
        The language of labels, pages and cards.
    title
        What the table is about.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.apps.exam import exam
    >>> made = exam(pl.DataFrame({"final": [n % 10 for n in range(36)]}), scale="0-10", seed=1)
    >>> made, sum(group.n_students for group in made.table.groups)
    (Exam(36 students, 1 marks, k = 5), 36)
    """

    def __init__(
        self,
        sheet: MarkSheet,
        release: Release,
        *,
        earlier: Sequence[Earlier] = (),
        k: int,
        lang: str = "en",
        title: str = "",
    ) -> None:
        self.sheet = sheet
        self.release = release
        self.earlier = tuple(earlier)
        self.k = k
        self.lang = lang
        self.title = title

    def __repr__(self) -> str:
        return f"Exam({len(self.sheet.students)} students, {len(self.sheet.columns.marks)} marks, k = {self.k})"

    @cached_property
    def table(self) -> PublishedTable:
        """The table, read from the published rows and their claim alone."""
        return read_table(self.release.rows, self.release.claim, self.sheet.columns.marks, self.title)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The private cards, one per student, in the order of the sheet."""
        courses = [course.table for course in self.earlier]
        return tuple(
            card_of(student, self.table, self.sheet.scales, self.sheet.columns.final, courses)
            for student in self.sheet.students
        )

    @cached_property
    def pages(self) -> Pages:
        """Renders the table and the cards."""
        columns, language = self.sheet.columns, Language(self.lang)
        return Pages(self.table, self.sheet.scales, columns.final, self.k, language, self.title)

    @cached_property
    def findings(self) -> list[Finding]:
        """What the lecturer should know, with counts only."""
        return [
            *about_sheet(self.sheet),
            *about_table(self.table, self.sheet, self.release.loss.gcp),
            *about_earlier(self.sheet, self.earlier),
            *(finding for finding in self.release.findings if finding.code not in _SAID_OTHERWISE),
        ]

    @property
    def summary(self) -> dict[str, Any]:
        """The figures that ``celosia exam --json`` prints."""
        columns = self.sheet.columns
        return {
            "n_students": len(self.sheet.students),
            "k": self.k,
            "k_rows": self.release.k,
            "n_groups": len(self.table.groups),
            "gcp": self.release.loss.gcp,
            "algorithm": self.release.plan.to_dict()["algorithm"],
            "marks": [_described(name, scale) for name, scale in self.sheet.scales.items()],
            "final": columns.final,
            "identifiers": list(columns.identifiers),
            "kept": list(columns.kept),
            "left_out": list(columns.left_out),
            "earlier": [course.table.name for course in self.earlier],
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return ``summary``."""
        return self.summary

    def write(self, path: str | Path, *, overwrite: bool = False, pdf: bool = True) -> Path:
        """Write the folder: the table for everybody, and private cards.

        ``data.csv``, ``data.xlsx``, ``claim.json``, ``table.json`` and ``table.<lang>.html`` may be published.
        ``cards/`` holds a page per student; it and ``internal/`` (report, record) are for the lecturer alone (mode
        0700). The folder is placed whole, or not at all.

        Parameters
        ----------
        path
            The folder to make.
        overwrite
            Whether an earlier release there may be replaced.
        pdf
            Whether to set pages and cards as PDF too.

        Raises
        ------
        InputError
            The folder exists or cannot be written, or PDF cannot be made here.
        AuditError
            The verifier rejected the table; nothing was left behind.
        """
        if pdf:
            check_pdf()
        with documents_of(self, pdf=pdf) as documents:
            return self.release.write(path, overwrite=overwrite, lang=self.lang, documents=documents)

    @property
    def reading(self) -> dict[str, Any]:
        """How the published table is to be read, for programs; nothing in it comes from the marks."""
        return {
            "celosia": "exam",
            "version": 1,
            "lang": self.lang,
            "k": self.k,
            "final": self.sheet.columns.final,
            "marks": [
                _described(name, scale) | {"bands": {band.name: band.range.text for band in scale.bands}}
                for name, scale in self.sheet.scales.items()
            ],
        }


def _described(name: str, scale: Scale) -> dict[str, Any]:
    low, high, pass_mark = (_plain(float(end)) for end in (scale.low, scale.high, scale.pass_mark))
    return {"name": name, "scale": [low, high], "pass_mark": pass_mark}


def _plain(value: float) -> float:
    return int(value) if value.is_integer() else value
