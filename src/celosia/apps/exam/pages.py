"""Pages: the table that hangs on the board, and the private cards, as self-contained HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

from markupsafe import Markup

from celosia.apps.exam.cards import Card, Place
from celosia.apps.exam.grids import band_word
from celosia.apps.exam.pictures import Picture
from celosia.apps.exam.published import Group, PublishedTable, Untold, read_cell
from celosia.apps.exam.scales import Scale
from celosia.apps.exam.standings import Standing, n_failed, n_passed
from celosia.data.hierarchies.domains import Style
from celosia.data.hierarchies.ranges import Range
from celosia.report.house import poured
from celosia.report.language import Language

_ABSENT = "–"
_DECIMALS = 4


@dataclass(frozen=True, eq=False)
class Pages:
    """Renders pages about one published table.

    Attributes
    ----------
    table
        The table.
    scales
        The scales of its marks.
    final
        The column of the final mark.
    k
        How many others each student is hidden among.
    language
        The language of the pages.
    title
        What the table is about; a general word where it is empty.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.apps.exam.published import read_table
    >>> rows = pl.DataFrame({"exam": ["[7, 8)", "[7, 8)", "[9, 10]"]})
    >>> table = read_table(rows, {"columns": [{"name": "exam"}]}, ["exam"], "2024")
    >>> pages = Pages(table, {"exam": Scale.of(0, 10)}, "exam", 1, Language("en"))
    >>> "2 students" in pages.of_table(), pages.of_table()[:15]
    (True, '<!DOCTYPE html>')
    """

    table: PublishedTable
    scales: Mapping[str, Scale]
    final: str
    k: int
    language: Language
    title: str = ""

    def of_table(self) -> str:
        """Return the page for the board."""
        say = self.language
        return poured(
            "exam/table.html",
            say,
            title=self._title,
            byline=self._n_students(self.table.n_students),
            groups=self._groups(self.table.groups),
            k=self.k,
            ranges_said=self._ranges_said(),
            has_absent=any(Untold.ABSENT in cells for cells in self.table.cells.values()),
            scales=list(self._scales_said()),
            places=[self._group_place(column) for column in self.table.marks],
        )

    def of_card(self, card: Card) -> str:
        """Return the page of a student's card."""
        name = card.student.name or self.language.text("Row {n} of the sheet", n=card.student.row)
        return poured(
            "exam/card.html",
            self.language,
            name=name,
            title=self._title,
            figures=self._figures(card),
            sentence=self._sentence(card.final),
            lines=list(self._lines(card)),
            final=self._own_place(card.final),
            places=[self._own_place(place) for place in card.places if place is not card.final],
            columns=[place.column for place in card.places],
            earlier=self._earlier(card.places),
            groups=self._groups(card.groups, self._fit(card.groups)),
        )

    @cached_property
    def _pictures(self) -> dict[str, Picture]:
        return {
            column: Picture(cells, self.scales[column], self.language) for column, cells in self.table.cells.items()
        }

    @property
    def _title(self) -> str:
        return self.title or self.language.text("Exam results")

    def _n_students(self, n: int) -> str:
        return self.language.plural("{n} student", "{n} students", n)

    def _number(self, value: Fraction) -> str:
        return self.language.number(float(value))

    def _mark(self, mark: Fraction) -> str:
        """Spell a mark, cut off after some decimals: rounded up it might seem passed that is not."""
        return self._number(_cut(mark))

    def _range(self, found: Range) -> str:
        """Spell a range as the language does."""
        if found.low is None or found.high is None or found.low_open:
            return found.text
        style = Style(decimal="," if self.language.code == "es" else ".")
        spelt = style.span(self._number(found.low), self._number(found.high), half_open=found.high_open)
        return spelt.replace(" ", "\N{NO-BREAK SPACE}")

    def _text(self, text: str | None) -> str:
        """Spell a published cell as the language does."""
        if text is None:
            return _ABSENT
        cell = read_cell(text, self.table.decimal)
        if not isinstance(cell, Range) or not text.endswith(cell.text):
            return text
        return text.removesuffix(cell.text) + self._range(cell)

    def _groups(self, groups: Sequence[Group], caption: str = "") -> Markup:
        shown = [
            {
                "number": group.number,
                "n_students": group.n_students,
                "texts": [
                    self._text(text) if name in self.table.marks else text or _ABSENT
                    for name, text in group.texts.items()
                ],
            }
            for group in groups
        ]
        columns = self.table.rows.columns
        return Markup(poured("exam/groups.html", self.language, caption=caption, columns=columns, groups=shown))

    def _ranges_said(self) -> str:
        cell = self.scales[self.final].cells[-2]
        assert cell.low is not None
        assert cell.high is not None
        return self.language.text(
            "{range} means from {low} up to, but not with, {high}; a square bracket at the end includes the last mark.",
            range=self._range(cell),
            low=self._number(cell.low),
            high=self._number(cell.high),
        )

    def _scales_said(self) -> Iterator[str]:
        """Say the bands of each scale, and for which columns if there are several."""
        columns: dict[Scale, list[str]] = {}
        for column in self.table.marks:
            columns.setdefault(self.scales[column], []).append(column)
        for scale, names in columns.items():
            bands = "; ".join(
                f"{band_word(band.name, self.language)} {self._range(band.range)}" for band in scale.bands
            )
            whose = "" if len(columns) == 1 else f"{self.language.listed(names)}: "
            yield whose + self.language.text(
                "Marks run from {low} to {high}, passed from {pass_mark} on: {bands}.",
                low=self._number(scale.low),
                high=self._number(scale.high),
                pass_mark=self._number(scale.pass_mark),
                bands=bands,
            )

    def _group_place(self, column: str) -> dict[str, Any]:
        cells, scale, say = self.table.cells[column], self.scales[column], self.language
        said = say.text(
            "Published as passed: {n_passed}; as below the pass mark: {n_failed}; not told: {n_hidden}; no mark: "
            "{n_absent}.",
            n_passed=say.whole(n_passed(cells, scale)),
            n_failed=say.whole(n_failed(cells, scale)),
            n_hidden=say.whole(sum(cell is Untold.HIDDEN for cell in cells)),
            n_absent=say.whole(sum(cell is Untold.ABSENT for cell in cells)),
        )
        return {"heading": column, "picture": self._pictures[column].drawn(f"{column}: {said}"), "said": said}

    def _own_place(self, place: Place) -> dict[str, Any]:
        said, own = self._standing_said(place.standing), None
        _ = self.language.about(column=place.column, top=self._number(place.scale.high)).text
        heading = _("{column}: no mark")
        if place.mark is not None:
            own = (place.mark, self._mark(place.mark))
            heading = _("{column}: {mark} of {top}, {band}", mark=own[1], band=self._band(place.scale, place.mark))
        picture = self._pictures[place.column].drawn(f"{heading}. {said}", own)
        return {"heading": heading, "picture": picture, "said": said}

    def _band(self, scale: Scale, mark: Fraction) -> str:
        """Name a student's own band; who has not passed is told the fact and not the word."""
        name = scale.band_of(mark).name
        return self.language.text("below the pass mark") if name == "fail" else band_word(name, self.language)

    def _standing_said(self, found: Standing | None) -> str:
        if found is None:
            return self.language.text("You have no mark here; the picture shows the group.")
        return self.language.text(
            "Surely less: {n_lower} · surely more: {n_higher} · not told: {n_open}",
            n_lower=self.language.whole(found.n_lower),
            n_higher=self.language.whole(found.n_higher),
            n_open=self.language.whole(found.n_open),
        )

    def _figures(self, card: Card) -> list[dict[str, str]]:
        """Return the great figures of a card; those who have not passed are not shown how many did better first."""
        say, final = self.language, card.final
        if final.mark is None or final.standing is None:
            return [_figure(final.column, _ABSENT, say.text("no mark"))]
        own = _figure(final.column, self._mark(final.mark), self._band(final.scale, final.mark))
        n_alike = sum(group.n_students for group in card.groups)
        found = final.standing
        alike = _figure(say.text("in the rows that fit you"), say.whole(n_alike), say.text("you among them"))
        if not final.scale.is_passed(final.mark):
            missing = self._number(final.scale.pass_mark - _cut(final.mark))
            to_go = say.text("{n} to go", n=missing)
            return [own, _figure(say.text("is the pass mark"), self._number(final.scale.pass_mark), to_go), alike]
        everybody = say.plural("of {n} student", "of {n} students", found.n_students)
        return [
            own,
            _figure(say.text("surely have less"), say.whole(found.n_lower), everybody),
            _figure(say.text("surely have more"), say.whole(found.n_higher), everybody),
            alike,
        ]

    def _sentence(self, final: Place) -> str:
        say = self.language
        if final.mark is None:
            return say.text("You have no final mark in this table.")
        _ = say.about(mark=self._mark(final.mark), top=self._number(final.scale.high)).text
        if final.scale.is_passed(final.mark):
            return _("Your final mark is {mark} of {top}: {band}.", band=self._band(final.scale, final.mark))
        pass_mark = self._number(final.scale.pass_mark)
        return _("Your final mark is {mark} of {top}; the pass mark is {pass_mark}.", pass_mark=pass_mark)

    def _lines(self, card: Card) -> Iterator[str]:
        """Say what is worth saying beside the final mark: what is done already, where one stands best, who else."""
        say, final = self.language, card.final
        if final.mark is not None and not final.scale.is_passed(final.mark):
            yield from self._achieved(card)
            if card.n_failed > 1:
                yield say.text(
                    "You are not alone: the table shows {n} students below the pass mark.", n=say.whole(card.n_failed)
                )
        elif card.best is not None and card.best.standing is not None:
            yield say.text(
                "You stand best in “{column}”: at least {n} students have less there.",
                column=card.best.column,
                n=say.whole(card.best.standing.n_lower),
            )

    def _achieved(self, card: Card) -> Iterator[str]:
        """Say which parts are passed, or which one is nearest to it."""
        parts = [(place, place.mark) for place in card.places if place is not card.final and place.mark is not None]
        passed = [place.column for place, mark in parts if place.scale.is_passed(mark)]
        if passed:
            yield self.language.text("You have passed: {columns}.", columns=self.language.listed(passed))
        elif parts:
            place, mark = max(parts, key=lambda part: part[0].scale.share(part[1]))
            yield self.language.text(
                "You came nearest to the pass mark in “{column}”, with {mark}.",
                column=place.column,
                mark=self._mark(mark),
            )

    def _earlier(self, places: Sequence[Place]) -> list[dict[str, Any]]:
        """Return a row per earlier course: in each mark, how many have less, are not told, have more."""
        found: dict[str, dict[str, Standing]] = {}
        for place in places:
            for course, standing in place.earlier:
                found.setdefault(course, {})[place.column] = standing
        return [
            {
                "course": course,
                "n_students": self.language.whole(next(iter(standings.values())).n_students),
                "cells": [self._in_short(standings.get(place.column)) for place in places],
            }
            for course, standings in found.items()
        ]

    def _in_short(self, found: Standing | None) -> str:
        if found is None:
            return _ABSENT
        return " / ".join(self.language.whole(n) for n in (found.n_lower, found.n_open, found.n_higher))

    def _fit(self, groups: Sequence[Group]) -> str:
        n_students = self.language.whole(sum(group.n_students for group in groups))
        _ = self.language.about(n=n_students, n_rows=self.language.whole(len(groups))).text
        if len(groups) == 1:
            return _("In the published table your marks fit one row, which stands for {n} students")
        return _(
            "In the published table your marks fit {n_rows} rows, which stand for {n} students; it does not tell which "
            "is yours"
        )


def _figure(label: str, big: str, note: str) -> dict[str, str]:
    return {"label": label, "big": big, "note": note}


def _cut(mark: Fraction) -> Fraction:
    return Fraction(floor(mark * 10**_DECIMALS), 10**_DECIMALS)
