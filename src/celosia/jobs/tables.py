"""Tables on the way of the work: every step of ``Subject`` for rows and columns."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia import audit
from celosia.audit import Verdict
from celosia.base.chance import Randomness
from celosia.base.errors import CelosiaError, InputError
from celosia.base.findings import Finding
from celosia.base.progress import Progress
from celosia.data import io
from celosia.data.classes import Classes
from celosia.data.hierarchies import ancestors_of
from celosia.data.hierarchies.domains import Levels, Style
from celosia.data.io.durable import fresh_file
from celosia.data.io.stats import load_pyreadstat
from celosia.data.masked import MaskedTable
from celosia.data.outcome import REASONS, PublishedRows
from celosia.data.recode import Extents, Recoding, recode
from celosia.data.schema import Table
from celosia.data.schema.columns import as_text
from celosia.jobs.claim import claim_of
from celosia.jobs.record import packed, record_of, spelt
from celosia.jobs.release import Release, check_format
from celosia.jobs.way import Place, Staged
from celosia.masks.apart import check_apart
from celosia.masks.applying import masked_sheet, masked_table
from celosia.masks.base import Sheet
from celosia.measure.overall import bound_of
from celosia.measure.terms import Terms
from celosia.models.base import Model, NeedsEvidence
from celosia.report import check_language, render
from celosia.search.task import Found, Task

_SEARCH, _MASK, _AFTER = (REASONS.index(reason) + 1 for reason in ("search", "mask", "masks_after"))


@dataclass(frozen=True, eq=False)
class Searched:
    """What a search found for a task, and how long it took."""

    task: Task
    found: Found
    seconds: float


class TableSubject:
    """A plan on a table.

    Parameters
    ----------
    plan
        What is asked.
    source
        The table, or what reads it.
    check
        Refuses before the search what is asked in passing of the table after masks.
    """

    def __init__(
        self, plan: Terms, source: Table | Callable[[], Table], check: Callable[[Table], None] | None = None
    ) -> None:
        self.plan = plan
        self.seed = plan.seed
        self._source = source
        self._check = check

    def preflight(self, place: Place) -> None:
        """Refuse a place that can be refused before anything is read."""
        check_format(place.format)
        if place.format in io.STATS_FORMATS:
            load_pyreadstat(place.format)
        check_language(place.lang)
        url = None if place.database is None else place.database.url
        check_apart(self.plan.masks, folder=place.folder, database=url)

    def read(self) -> Table:
        """Return the table."""
        table = self._source if isinstance(self._source, Table) or not callable(self._source) else self._source()
        if not isinstance(table, Table):
            raise InputError("run needs a Table.", hint="write plan.run(Table(frame, schema)).")
        return table

    def prepare(self, given: Table, randomness: Randomness, *, rehearsal: bool) -> MaskedTable:
        """Return the table after masks, once what is asked of it is within reach."""
        masked = masked_table(given, self.plan.masks, randomness, self.plan.least, rehearsal=rehearsal)
        self.task(masked.table).check()
        if self._check is not None:
            self._check(masked.table)
        return masked

    def task(self, table: Table) -> Task:
        """Return what is asked of the classes of a table after masks."""
        return Task(table, self.plan.models, self.plan.algorithm, self.plan.max_suppression)

    def search(self, prepared: MaskedTable, randomness: Randomness, shown: Progress) -> Searched:
        """Return classes that satisfy all models."""
        started = time.perf_counter()
        task = self.task(prepared.table)
        found = task.find(randomness, shown)
        return Searched(task, found, time.perf_counter() - started)

    def publish(
        self, prepared: MaskedTable, searched: Searched, randomness: Randomness, *, rehearsal: bool = False
    ) -> Release:
        """Return the release: what each class publishes, in which order, and what is promised."""
        task, found = searched.task, searched.found
        recoding, findings = self._afterwards(self._recoded(task, found.classes, found.extents), task, randomness)
        reasons = found.reasons.copy()
        reasons[recoding.searched.suppressed & ~found.classes.suppressed] = _AFTER
        masked = prepared.noting(*findings)
        published = np.flatnonzero(~recoding.searched.suppressed)
        order = published if self.plan.keep_order else published[randomness.permutation(len(published))]
        return release_of(
            self.plan,
            masked,
            recoding,
            order,
            reasons=reasons,
            search_seconds=searched.seconds,
            history=found.history,
            was_stopped=found.was_stopped,
            proof=found.proof,
            is_rehearsal=rehearsal,
        )

    def measure(self, made: Release, shown: Progress) -> Release:
        """Look for a lower bound of the loss, where the plan asks for one."""
        if self.plan.bound is None:
            return made
        return made.noting(looked_for=bound_of(made, made.loss.gcp, self.plan.bound or None, shown))

    def demanded(self, made: Release) -> Sequence[str]:
        """Return the checks on which a release stands: order, shuffle, every model, the truth of every column."""
        columns = [f"truthfulness of {column.name!r}" for column in made.table.quasi_identifiers]
        return ["order", "shuffle", *columns, *(model.name for model in self.plan.models)]

    def stage(self, made: Release, folder: Path, place: Place) -> Staged:
        """Write data and claim."""
        style = Style(ranges=self.plan.range_style, decimal="," if place.format == "csv-es" else ".")
        rows = made.publication if style.decimal == "." else made.publication.restyled(style)
        data = folder / f"data.{place.format.removesuffix('-es')}"
        labels = made.table.labels if place.format in io.STATS_FORMATS else None
        io.write(rows.cells, data, format=place.format, numbers=_numbers(rows, place.format), labels=labels)
        claim = claim_of(rows.recoding, self.plan.models, made.masked.changed, made.masked.pseudonyms)
        claim["data"] = io.described(data, place.format, rows.cells.height)
        if place.claim:
            with fresh_file(folder / "claim.json") as file:
                file.write(spelt(claim).encode())
        return Staged(data, claim, record_of(made, claim))

    def verify(self, made: Release, staged: Staged | None = None) -> Verdict:
        """Have the verifier judge the staged file, or the rows in memory, against claim and original."""
        evidence = _evidence(self.plan.models)
        hierarchies, population = _hierarchies(made.table, evidence), _population(evidence)
        if staged is None:
            return audit.verify_columns(
                _for_audit(made.publication.cells),
                made.claim,
                original_columns=_originals(made.table),
                order=made.publication.order,
                hierarchies=hierarchies,
                population=population,
                subject=made.table.schema.subject,
                keeps_order=self.plan.keep_order,
            )
        return audit.verify(
            staged.data,
            staged.claim,
            original=_given_rows(made.masked, _originals(made.table)),
            record=staged.record | {"subject": made.table.schema.subject},
            hierarchies=hierarchies,
            population=population,
        )

    def document(self, made: Release, folder: Path, place: Place, staged: Staged) -> None:
        """Write the private record and the report."""
        record = staged.record | {
            "summary": made.summary,
            "history": made.history,
            "reasons": {"names": REASONS, "of_rows": packed(made.reasons)},
        }
        io.write_text_file(folder / "internal" / "record.json", spelt(record))
        page = render(
            made,
            place.lang,
            measures=made.utility,
            findings=made.findings,
            data=staged.claim["data"],
            checks=made.checks,
        )
        io.write_text_file(folder / "internal" / "report.html", page)

    def store(self, made: Release, place: Place) -> None:
        """Write the rows into a table of a database."""
        assert place.database is not None
        place.database.write(made.publication.cells, replace=place.overwrite)

    def _recoded(self, task: Task, classes: Classes, extents: Mapping[str, Extents] | None) -> Recoding:
        """Return what classes publish; a secret that is published as it is must be so."""
        recoding = recode(task.table, classes, Style(ranges=self.plan.range_style), task.kept, extents)
        for cells in recoding.cells:
            if cells.column.name == task.kept and (
                cells.style == "pair" or len(cells.texts[0]) < len(np.unique(cells.column.codes[~classes.suppressed]))
            ):
                raise InputError(
                    f"'{task.kept}' is a quasi-identifier and a secret that a model judges, but its values are never "
                    "published as they are.",
                    hint="declare it as category or number, or coarsen it by a mask first.",
                    about=task.kept,
                )
        return recoding

    def _afterwards(
        self, recoding: Recoding, task: Task, randomness: Randomness
    ) -> tuple[Recoding, tuple[Finding, ...]]:
        """Return the recoding without the rows that still stand out, and what was found on the way."""
        if not self.plan.masks_after:
            return recoding, ()
        published = np.flatnonzero(~recoding.searched.suppressed)
        names = tuple(name for cells in recoding.cells for name in cells.names)
        frame = recoding.frame(published)
        sheet = Sheet(frame, randomness, recoding.table.decimal, names, self.plan.least, published)
        try:
            sheet = masked_sheet(sheet, self.plan.masks_after)
        except CelosiaError as error:
            error.about = "masks_after"
            raise
        if len(sheet.rows) < len(published):
            recoding = self._thinned(recoding, task, np.setdiff1d(published, sheet.rows))
        return recoding, sheet.findings

    def _thinned(self, recoding: Recoding, task: Task, rows: NDArray[np.intp]) -> Recoding:
        """Return the recoding with further rows suppressed, if every model holds without them."""
        # Two classes that publish the same are one; where the search decided what classes publish, they differ already.
        alike = recoding.classes if recoding.extents is None else recoding.searched
        labels = (recoding.whole or alike).labels.copy()
        labels[rows] = -1
        left = np.unique(labels[labels >= 0])
        extents = None if recoding.extents is None else {name: one.at(left) for name, one in recoding.extents.items()}
        classes = Classes(labels)
        task.judge(
            classes,
            " once masks_after have removed rows",
            hint="remove whole classes, such as by class_below or by published values. Nothing was written.",
            about="masks_after",
        )
        return self._recoded(task, classes, extents)


def release_of(plan: Terms, masked: MaskedTable, recoding: Recoding, order: NDArray[np.intp], **facts: Any) -> Release:
    """Return the release of a recoding, with the claim about it.

    Among the facts are ``reasons`` of the rows after masks; where nobody knows them, the search left rows out.
    """
    labels = np.full(masked.given.n_rows, -1, dtype=np.int64)
    labels[masked.rows] = recoding.classes.labels
    of_rows = np.full(masked.given.n_rows, _MASK, dtype=np.int8)
    of_rows[masked.rows] = facts.pop("reasons", np.where(recoding.searched.suppressed, _SEARCH, 0))
    texts = masked.pseudonyms.union(name for cells in recoding.cells for name in cells.names)
    return Release(
        plan=plan,
        masked=masked,
        publication=PublishedRows(recoding, order, texts),
        classes=Classes(labels) if masked.n_dropped else recoding.classes,
        reasons=of_rows,
        claim=claim_of(recoding, plan.models, masked.changed, masked.pseudonyms),
        **facts,
    )


def _numbers(rows: PublishedRows, format: str) -> list[str]:
    """Return the text columns of numbers, other than quasi-identifiers and pseudonyms, that a format spells anew.

    In ``csv-es`` their decimal mark changes; in workbooks they are number cells.
    """
    if format == "xlsx":
        return io.number_columns(rows.cells.select(name for name in rows.cells.columns if name not in rows.texts))
    return rows.number_texts(rows.cells) if format == "csv-es" else []


def _originals(table: Table) -> pl.DataFrame:
    """Return the original table after masks: what truthfulness is judged against."""
    return _for_audit(table.frame.with_columns([column.values for column in table.quasi_identifiers]))


def _for_audit(frame: pl.DataFrame) -> pl.DataFrame:
    """Spell everything as text but numbers, which the verifier spells itself and only where it needs their texts."""
    numbers = [column.dtype.is_integer() or column.dtype.is_float() for column in frame.get_columns()]
    columns = zip(frame.get_columns(), numbers, strict=True)
    return pl.DataFrame([column if is_number else as_text(column) for column, is_number in columns])


def _given_rows(masked: MaskedTable, frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame of the rows after masks as one of the rows before them: those that masks removed are empty."""
    if not masked.n_dropped:
        return frame
    place = pl.Series(np.full(masked.given.n_rows, -1), dtype=pl.Int64).scatter(masked.rows, np.arange(frame.height))
    return frame.select(pl.all().gather(place.set(place < 0, None)))


def _evidence(models: Sequence[Model]) -> list[tuple[Model, dict[str, Any]]]:
    """Return what models are judged by besides the published rows."""
    return [(model, model.evidence()) for model in models if isinstance(model, NeedsEvidence)]


def _hierarchies(table: Table, evidence: list[tuple[Model, dict[str, Any]]]) -> dict[str, dict[str, list[str]]]:
    """Return leaf -> labels over it for columns published by a tree, and for secrets that a model judges by one."""
    of_columns = {
        column.name: ancestors_of(column.domain)
        for column in table.quasi_identifiers
        if isinstance(column.domain, Levels) and column.domain.kind in ("tree", "order")
    }
    of_secrets = {model.to_dict()["on"]: found for model, own in evidence if (found := own["hierarchy"]) is not None}
    return of_columns | of_secrets


def _population(evidence: list[tuple[Model, dict[str, Any]]]) -> pl.DataFrame | None:
    """Return the population that a model counts people in."""
    return next((found for _, own in evidence if (found := own["population"]) is not None), None)
