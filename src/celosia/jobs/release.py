"""Release: what may leave the house, as users meet it. It measures when it is asked, and holds no rule of its own."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self, cast, get_args

import polars as pl

from celosia.base.errors import OptionError
from celosia.base.findings import Finding
from celosia.data import io
from celosia.data.io.sql import SqlTarget
from celosia.data.recode import Scope
from celosia.jobs.way import Documents, Place, placed
from celosia.masks.naming import called, left_behind
from celosia.measure.bipartite import Bipartite, bipartite
from celosia.measure.overall import Measures, Nearness
from celosia.measure.release_findings import findings_of
from celosia.measure.risk import prosecutor
from celosia.measure.run import Run
from celosia.measure.utility import Loss, LowerBound

Format = Literal["csv", "csv-es", "parquet", "xlsx", "arrow", "sav", "zsav", "dta", "xpt"]
"""The formats of a release's data file."""


class Release(Run):
    """An anonymised table, its classes and its measures. Made by ``Plan.run``, which has it audited.

    It can be pickled and copied: what was measured is measured again where it is needed. Keys of masks that were given
    as bytes are no part of it; a plan whose keys cannot leave the process says so.

    Attributes
    ----------
    table
        The table it was made from, after masks.
    masked
        What masks did to the table that was given, and which of its rows are left.
    classes
        The class of every ORIGINAL row, -1 = suppressed, by the search or by a mask. It is never written out.
    reasons, suppressed
        Why each original row is not published, and how many rows by reason; see ``why``.
    search_seconds, seconds
        The search alone; the whole run, audit included.
    history
        What the search had found by when: seconds and loss at its start, at every fall, and at its end. Empty where it
        does not go on improving.
    was_stopped
        Whether the search was ended before its time; its classes are the best that it had until then.
    proof
        How good it is among all recodings of its kind; ``None`` where the search cannot tell.
    is_rehearsal
        Whether it is only looked at and cannot be written: throw-away codes stand for the pseudonyms of a vault.
    """

    def __repr__(self) -> str:
        return f"Release({self.classes.n_published} rows, k = {self.k}, gcp = {self.loss.gcp:.4f})"

    def noting(self, **facts: Any) -> Self:
        """Return the same release with further facts; what was measured of it stays measured."""
        other = super().noting(**facts)
        if "utility" in self.__dict__:
            other.__dict__["utility"] = self.utility.of(other)
        return other

    @cached_property
    def rows(self) -> pl.DataFrame:
        """The published rows as a Polars frame, shuffled unless the plan keeps the order."""
        return io.scrub(self.publication.cells)

    @cached_property
    def frame(self) -> Any:
        """The published rows as the kind of frame that came in, shuffled unless the plan keeps the order."""
        return io.from_polars(self.publication.cells, self.table.kind)

    @cached_property
    def utility(self) -> Measures:
        """The measures of utility; each is taken when it is first asked for."""
        return Measures(self)

    @property
    def loss(self) -> Loss:
        """The information lost: GCP over all rows, over the published ones, and per column.

        Rows that masks removed are lost whole; what masks did to cells is not counted.
        """
        return self.utility.loss

    @property
    def bound(self) -> LowerBound | None:
        """A GCP that no release by this plan undercuts, where one is known.

        That is: none of these rows by these models that suppresses no more rows than the plan allows. It is known where
        the plan asks for it (``bound``), where the search proved it, and for few rows unasked.
        """
        return self.utility.bound

    @property
    def nearness(self) -> Nearness | None:
        """How near it is to the best possible, where a bound is known."""
        return self.utility.nearness

    @property
    def scope(self) -> Scope:
        """What kind of recoding it shows: full-domain, value-global or cell-local, by column and as a whole."""
        return self.utility.scope

    @cached_property
    def graph(self) -> Bipartite:
        """Which original rows each published row may stand for; for the owner alone."""
        return bipartite(self)

    @cached_property
    def findings(self) -> list[Finding]:
        """What the user should know about it."""
        return findings_of(self, self.utility)

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
            "suppressed": self.suppressed,
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
        from celosia.jobs.tables import TableSubject  # here: it makes releases, and so knows them

        target = Path(path)
        place = Place(target, format, claim, overwrite, lang, database, documents)
        placed(TableSubject(self.plan, self.given), self, place)
        return target


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
