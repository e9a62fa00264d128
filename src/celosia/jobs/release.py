"""Release: what may leave the house, with everything measured on it."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia import audit
from celosia.audit import Verdict
from celosia.base.errors import AuditError, InputError, OptionError
from celosia.base.findings import Finding
from celosia.base.progress import Progress
from celosia.base.version import __version__
from celosia.data import io
from celosia.data.classes import Classes
from celosia.data.hierarchies import ancestors_of
from celosia.data.hierarchies.domains import Levels, Style
from celosia.data.io.durable import fresh_file
from celosia.data.io.sql import SqlTarget
from celosia.data.masked import MaskedTable
from celosia.data.recode import Recoding, Scope, scope_of
from celosia.data.schema import Table
from celosia.data.schema.columns import as_text
from celosia.jobs.claim import claim_of
from celosia.masks.apart import check_apart
from celosia.masks.naming import called, left_behind
from celosia.measure.bipartite import Bipartite, bipartite
from celosia.measure.overall import Measures, Nearness, bound_of, quick_bound
from celosia.measure.release_findings import findings_of
from celosia.measure.risk import prosecutor
from celosia.measure.utility import Loss, LowerBound, loss
from celosia.models.base import Model, NeedsEvidence
from celosia.search.base import Proof

if TYPE_CHECKING:
    from celosia.jobs.plan import Plan

Format = Literal["csv", "csv-es", "parquet", "xlsx", "arrow", "sav", "zsav", "dta", "xpt"]
"""The formats of a release's data file."""
Documents = Callable[[Path, Mapping[str, Any], Sequence[tuple[str, str]]], None]
"""Writes documents into a release's folder, given its claim and the verifier's checks."""


class Release:
    """An anonymised table, its classes and its measures. Made by ``Plan.run``, which has it audited.

    Attributes
    ----------
    table
        The table it was made from, after masks.
    masked
        What masks did to the table that was given, and which of its rows are left.
    classes
        The class of every ORIGINAL row, -1 = suppressed, by the search or by a mask. It is never written out.
    search_seconds, seconds
        The search alone; the whole run, audit included.
    history
        What the search had found by when: seconds and loss at its start, at every fall, and at its end. Empty where it
        does not go on improving.
    was_stopped
        Whether Ctrl-C ended the search before its time; its classes are the best that it had until then.
    proof
        How good it is among all recodings of its kind; ``None`` where the search cannot tell.
    is_rehearsal
        Whether it is only looked at and cannot be written: throw-away codes stand for the pseudonyms of a vault.
    """

    def __init__(
        self,
        *,
        plan: Plan,
        recoding: Recoding,
        order: NDArray[np.intp],
        masked: MaskedTable | None = None,
        search_seconds: float,
        history: Sequence[tuple[float, float]] = (),
        was_stopped: bool = False,
        proof: Proof | None = None,
        is_rehearsal: bool = False,
    ) -> None:
        self.plan = plan
        self.recoding = recoding
        self.masked = masked or MaskedTable.unmasked(recoding.table)
        self.search_seconds = search_seconds
        self.history = _falls(history)
        self.was_stopped = was_stopped
        self.proof = proof
        self.is_rehearsal = is_rehearsal
        self.seconds = search_seconds
        self._order = order
        self._bound: LowerBound | Literal["unasked"] | None = "unasked"

    def __repr__(self) -> str:
        return f"Release({self.recoding.classes.n_published} rows, k = {self.k}, gcp = {self.loss.gcp:.4f})"

    @property
    def table(self) -> Table:
        """The table it was made from, after masks."""
        return self.recoding.table

    @cached_property
    def classes(self) -> Classes:
        """The class of every original row by equal published values; -1 = suppressed."""
        if not self.masked.n_dropped:
            return self.recoding.classes
        labels = np.full(self.masked.given.n_rows, -1, dtype=np.int64)
        labels[self.masked.rows] = self.recoding.classes.labels
        return Classes(labels)

    @cached_property
    def _cells(self) -> pl.DataFrame:
        """The published rows; below missing cells may lie what they held, so that only scrubbed copies go out."""
        return self._rows(self.recoding)

    @cached_property
    def rows(self) -> pl.DataFrame:
        """The published rows as a Polars frame, shuffled unless the plan keeps the order."""
        return io.scrub(self._cells)

    @cached_property
    def frame(self) -> Any:
        """The published rows as the kind of frame that came in, shuffled unless the plan keeps the order."""
        return io.from_polars(self._cells, self.table.kind)

    @cached_property
    def loss(self) -> Loss:
        """The information lost: GCP over all rows, over the published ones, and per column.

        Rows that masks removed are lost whole; what masks did to cells is not counted.
        """
        return loss(self.masked.given, self) if self.masked.n_dropped else loss(self.table, self.recoding)

    @property
    def bound(self) -> LowerBound | None:
        """A GCP that no release by this plan undercuts, where one is known.

        That is: none of these rows by these models that suppresses no more rows than the plan allows. It is known where
        the plan asks for it (``bound``), where the search proved it, and for few rows unasked.
        """
        if isinstance(self._bound, str):
            self._bound = quick_bound(self)
        return self._bound

    @property
    def nearness(self) -> Nearness | None:
        """How near it is to the best possible, where a bound is known."""
        return None if self.bound is None else Nearness(self.loss.gcp, self.bound)

    def find_bound(self, seconds: float | None, progress: Progress | None = None) -> None:
        """Look so long for a lower bound of the loss (``None``: not at all, but keep what the search proved)."""
        self._bound = bound_of(self, seconds, progress)

    @cached_property
    def utility(self) -> Measures:
        """The other measures of utility; each is taken when it is first asked for."""
        return Measures(self)

    @cached_property
    def scope(self) -> Scope:
        """What kind of recoding it shows: full-domain, value-global or cell-local, by column and as a whole."""
        return scope_of(self.recoding)

    @property
    def k(self) -> int:
        """The number of people in the smallest class."""
        return int(self.recoding.classes.units(self.table.subjects).min())

    @cached_property
    def graph(self) -> Bipartite:
        """Which original rows each published row may stand for; for the owner alone."""
        return bipartite(self)

    @cached_property
    def claim(self) -> dict[str, Any]:
        """What the release promises, without the part about a written file."""
        return self._promised(self.recoding)

    @cached_property
    def findings(self) -> list[Finding]:
        """What the user should know about it."""
        return findings_of(self)

    @property
    def summary(self) -> dict[str, Any]:
        """The figures that ``celosia run --json`` prints."""
        classes, masks = self.classes, (*self.plan.masks, *self.plan.masks_after)
        return {
            "k": self.k,
            "k_rows": int(classes.sizes.min()),
            "n_rows": len(classes),
            "n_published": classes.n_published,
            "n_suppressed": classes.n_suppressed,
            "n_dropped_by_masks": self.masked.n_dropped,
            "n_classes": classes.n_classes,
            **self.loss.to_dict(),
            "gcp_lower_bound": None if self.bound is None else self.bound.value,
            "bound": None if self.nearness is None else self.nearness.to_dict(),
            "utility": self.utility.quick(),
            "recoding": self.scope.to_dict(),
            "called": called(masks),
            "masks": [left_behind(mask) for mask in masks],
            "risk": {"prosecutor": prosecutor(self).to_dict()},
            "findings": [finding.to_dict() for finding in self.findings],
            "search": None if self.proof is None else self.proof.to_dict(),
            "search_seconds": self.search_seconds,
            "seconds": self.seconds,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return ``summary``."""
        return self.summary

    def audit(self) -> None:
        """Have the independent verifier judge the published rows against claim and original.

        Raises
        ------
        AuditError
            The claim does not hold.
        """
        with _as_audit_error():
            verdict = audit.verify_columns(
                _for_audit(self._cells),
                self.claim,
                original_columns=self._originals(),
                order=self._order,
                hierarchies=self._hierarchies(),
                population=self._population(),
                subject=self.table.schema.subject,
                keeps_order=self.plan.keep_order,
            )
        self._accept(verdict)

    def write(
        self,
        path: str | Path,
        *,
        format: Format = "csv",
        claim: bool = True,
        overwrite: bool = False,
        lang: str = "en",
        database: SqlTarget | None = None,
        documents: Documents | None = None,
    ) -> Path:
        """Write the release folder: ``data.<format>``, ``claim.json``, ``internal/`` with ``report.html`` and record.

        Everything goes to a temporary sibling first; the verifier reads the file back, and only what it accepts is
        renamed into place. ``internal/`` is for its owner alone; the rest may be published. Keys and vaults of masks
        lie elsewhere, or nothing is written.

        Parameters
        ----------
        path
            The folder to make.
        format
            ``csv``, ``csv-es`` (``;`` and decimal comma), ``parquet``, ``xlsx``, ``arrow``, ``sav`` or ``zsav`` (SPSS),
            ``dta`` (Stata) or ``xpt`` (SAS).
        claim
            Whether to write the claim.
        overwrite
            Whether an existing release may be replaced.
        lang
            The language of the report: ``en`` or ``es``.
        database
            A table of a database into which the published rows go as well, once the verifier has accepted them; with
            ``overwrite`` an earlier table is replaced.
        documents
            Writes further documents into the folder before it is put in its place: ``statement.*`` for everybody, the
            rest into ``internal/``. It is given the folder, the claim as written, and name and status of every check.

        Raises
        ------
        InputError
            The folder exists, cannot be written, or holds a key or a vault; or the release is a rehearsal.
        AuditError
            The verifier rejected the file; nothing was left behind.
        """
        from celosia.report import check_language, render  # here: a template engine is no part of searching

        check_format(format)
        check_language(lang)
        target = Path(path)
        if self.is_rehearsal:
            raise InputError("a rehearsal is not written.", hint="run the plan without rehearsal.")
        check_apart(self.plan.masks, folder=target, database=None if database is None else database.url)
        with io.placing(target, overwrite=overwrite) as folder:
            data = folder / f"data.{format.removesuffix('-es')}"
            style = Style(ranges=self.plan.range_style, decimal="," if format == "csv-es" else ".")
            written = self.recoding if style.decimal == "." else self.recoding.restyled(style)
            rows = self._rows(written)
            io.write(rows, data, format=format, numbers=self._numbers(rows, format), labels=self._labels(format))
            promised = self._promised(written) | {"data": io.described(data, format, rows.height)}
            record = self._record(promised)
            with _as_audit_error():
                verdict = audit.verify(
                    data,
                    promised,
                    original=self._given_rows(self._originals()),
                    record=record | {"subject": self.table.schema.subject},
                    hierarchies=self._hierarchies(),
                    population=self._population(),
                )
            self._accept(verdict)
            if claim:
                with fresh_file(folder / "claim.json") as file:
                    file.write(_json(promised).encode())
            (folder / "internal").mkdir(mode=0o700)
            io.write_text_file(folder / "internal" / "record.json", _json(record))
            checks = [(check.name, check.status) for check in verdict.checks]
            page = render(self, lang, data=promised["data"], checks=checks)
            io.write_text_file(folder / "internal" / "report.html", page)
            if documents is not None:
                documents(folder, promised, checks)
            if database is not None:
                database.write(self._cells, replace=overwrite)
        return target

    def _accept(self, verdict: Verdict) -> None:
        """Raise unless the verifier has run every check that this release stands on, and none has failed."""
        run = {check.name for check in verdict.checks}
        columns = [column.name for column in self.table.quasi_identifiers]
        demanded = ["order", "shuffle", *(f"truthfulness of {name!r}" for name in columns)]
        absent = [name for name in demanded if name not in run]
        absent += [model.name for model in self.plan.models if not any(name.startswith(model.name) for name in run)]
        unpassed = [f"{check.name}: {check.detail}" for check in verdict.checks if check.status in _UNPASSED]
        if not verdict.holds or absent:
            raise _rejected("; ".join([*unpassed, *(f"{name}: was not checked" for name in absent)]))

    def _promised(self, recoding: Recoding) -> dict[str, Any]:
        return claim_of(recoding, self.plan.models, self.masked.changed, self.masked.pseudonyms)

    def _rows(self, recoding: Recoding) -> pl.DataFrame:
        rows = recoding.frame(self._order)
        return rows if self.table.decimal == "." else self._with_points(rows)

    @property
    def _fixed(self) -> frozenset[str]:
        """The published columns whose texts are no numbers to be spelt anew: quasi-identifiers and pseudonyms."""
        return self.masked.pseudonyms.union(name for cells in self.recoding.cells for name in cells.names)

    def _with_points(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Spell numbers of a table with decimal commas as quasi-identifiers spell theirs."""
        commas = [
            name
            for name, column in zip(rows.columns, rows.get_columns(), strict=True)
            if name not in self._fixed and column.dtype == pl.String and io.parse_numbers(column, ",")[1] == 0
        ]
        return rows.with_columns(pl.col(commas).str.replace(",", ".", literal=True)) if commas else rows

    def _numbers(self, rows: pl.DataFrame, format: Format) -> list[str]:
        """Return the text columns of numbers, other than quasi-identifiers and pseudonyms, that a format spells anew.

        In ``csv-es`` their decimal mark changes; in workbooks they are number cells.
        """
        others = rows.select(name for name in rows.columns if name not in self._fixed)
        if format == "xlsx":
            return io.number_columns(others)
        if format != "csv-es":
            return []
        texts = [column for column in others.get_columns() if column.dtype == pl.String]
        return [column.name for column in texts if io.parse_numbers(column)[1] == 0]

    def _labels(self, format: Format) -> io.Labels | None:
        """Return what columns and codes mean, for formats that have labels."""
        return self.table.labels if format in io.STATS_FORMATS else None

    def _originals(self) -> pl.DataFrame:
        """Return the original table after masks: what truthfulness is judged against."""
        typed = [column.values for column in self.table.quasi_identifiers]
        return _for_audit(self.table.frame.with_columns(typed))

    def _given_rows(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return a frame of the rows after masks as one of the rows before them: those that masks removed are empty."""
        if not self.masked.n_dropped:
            return frame
        place = pl.Series(np.full(self.masked.given.n_rows, -1), dtype=pl.Int64).scatter(
            self.masked.rows, np.arange(frame.height)
        )
        return frame.select(pl.all().gather(place.set(place < 0, None)))

    def _hierarchies(self) -> dict[str, dict[str, list[str]]]:
        """Return leaf -> labels over it for columns published by a tree, and for secrets that a model judges by one."""
        of_columns = {
            column.name: ancestors_of(column.domain)
            for column in self.table.quasi_identifiers
            if isinstance(column.domain, Levels) and column.domain.kind in ("tree", "order")
        }
        of_secrets = {
            model.to_dict()["on"]: found
            for model, evidence in self._evidence()
            if (found := evidence["hierarchy"]) is not None
        }
        return of_columns | of_secrets

    def _population(self) -> pl.DataFrame | None:
        """Return the population that a model counts people in."""
        return next((found for _, evidence in self._evidence() if (found := evidence["population"]) is not None), None)

    def _evidence(self) -> list[tuple[Model, dict[str, Any]]]:
        """Return what models are judged by besides the published rows."""
        return [(model, model.evidence()) for model in self.plan.models if isinstance(model, NeedsEvidence)]

    def _spelling(self) -> dict[str, Any]:
        """Return how the verifier reads the original file: its texts for no value, and how a CSV file is spelt."""
        dialect = self.masked.given.dialect
        csv = {} if dialect is None else {"delimiter": dialect.delimiter, "encoding": dialect.encoding}
        return {"missing": list(self.masked.given.schema.missing), **csv}

    def _record(self, promised: dict[str, Any]) -> dict[str, Any]:
        """Return the private record: how the release was made and which row is which; no seed, no cell value."""
        packed = zlib.compress(self.masked.rows[self._order].astype("<i4").tobytes(), 9)
        return {
            "celosia": "record",
            "version": 1,
            "celosia_version": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "input": self.table.name,
            "plan": self.plan.to_dict(values=False) | {"schema": self.masked.given.schema.to_dict(values=False)},
            "seed_fixed": self.plan.seed is not None,
            "subject": self.masked.given.schema.subject,
            "original": self._spelling(),
            "data": promised["data"],
            "claim_sha256": hashlib.sha256(_json(promised).encode()).hexdigest(),
            "n_original": self.masked.given.n_rows,
            "n_suppressed": self.classes.n_suppressed,
            "order": base64.b64encode(packed).decode("ascii"),
            "summary": self.summary,
            "history": self.history,
        }


def check_format(format: object) -> Format:
    """Return the format of a data file, or raise ``OptionError``.

    Examples
    --------
    >>> check_format("csv-es")
    'csv-es'
    """
    for known in get_args(Format):
        if format == known:
            return cast(Format, known)
    raise OptionError(f"'{format}' is not an output format.", hint=f"allowed: {', '.join(get_args(Format))}.")


@contextmanager
def _as_audit_error() -> Iterator[None]:
    """Reject a release that the verifier cannot even read like one that it judges untrue."""
    try:
        yield
    except audit.AuditInputError as error:
        raise _rejected(str(error)) from None


def _rejected(reason: str) -> AuditError:
    return AuditError(
        f"the verifier rejected the release ({reason}).",
        hint="nothing was handed out. This is a fault of Celosía: please report it with the plan, without the data.",
    )


_UNPASSED = ("failed", "could not run")


def _for_audit(frame: pl.DataFrame) -> pl.DataFrame:
    """Spell everything as text but numbers, which the verifier spells itself and only where it needs their texts."""
    numbers = [column.dtype.is_integer() or column.dtype.is_float() for column in frame.get_columns()]
    columns = zip(frame.get_columns(), numbers, strict=True)
    return pl.DataFrame([column if is_number else as_text(column) for column, is_number in columns])


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _falls(history: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the first point, those where the loss fell, and the last."""
    last = len(history) - 1
    return [point for at, point in enumerate(history) if at in (0, last) or point[1] < history[at - 1][1]]
