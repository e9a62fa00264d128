"""Plan: the only place that knows the order of the work."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.entries import describe
from celosia.base.errors import CelosiaError, InputError, OptionError, UnreachableError
from celosia.base.findings import Finding
from celosia.base.progress import Progress, Quiet, is_time, plain_time
from celosia.data.classes import Classes
from celosia.data.hierarchies.domains import Style
from celosia.data.masked import MaskedTable
from celosia.data.recode import Extents, Recoding, recode
from celosia.data.schema import Table
from celosia.jobs.release import Release
from celosia.masks import DropRows
from celosia.masks.applying import masked_sheet, masked_table
from celosia.masks.base import Mask, Sheet
from celosia.masks.hiding import shown_options
from celosia.measure.risk.situation import Situation
from celosia.models.base import Model
from celosia.search import Weave
from celosia.search.base import Algorithm, Grouping, Problem
from celosia.search.repair import broken_by_models, broken_models, settled, united
from celosia.search.thinning import check_rare, thinned
from celosia.search.trim import trim


@dataclass(frozen=True)
class Plan:
    """What to do with a table: models to satisfy, the search that finds classes, masks, limits.

    Parameters
    ----------
    models
        The privacy models that the release must satisfy, all of them.
    algorithm
        The search.
    masks
        Techniques applied first: a column that is to be removed goes as soon as no other mask needs it, all others
        keep this order.
    masks_after
        Rules by which rows that still stand out are removed from what the search found (``DropRows``), judged by
        published values. Every model is judged again.
    max_suppression
        The share of rows that may be deleted, in [0, 1].
    seed
        ``None`` for secure randomness. A number makes runs repeat and is marked in the report.
    range_style
        ``bracket`` (``[5, 10]``) or ``dash`` (``5-10``).
    keep_order
        Publish rows in the order of the input. Leave it off: the order links rows to people.
    risk
        The threshold and the scenarios that the release is judged by. A release that does not keep to them is made
        all the same, with a warning among its findings.
    bound
        Seconds to look for the least loss that any release by this plan could have, so that the report can say how near
        this one is. ``False``: never. ``None``: only for few rows, and where the search proves it by itself.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> marks = pl.DataFrame({"exam": [3, 4, 8, 9], "professor": ["Doe", "Doe", "Roe", "Roe"]})
    >>> schema = cl.Schema(quasi_identifiers={"exam": "number", "professor": "category"})
    >>> release = Plan(models=[cl.KAnonymity(2)]).run(cl.Table(marks, schema))
    >>> sorted(release.frame["exam"])
    ['[3, 4]', '[3, 4]', '[8, 9]', '[8, 9]']
    """

    models: Sequence[Model]
    algorithm: Algorithm = field(default_factory=Weave)
    masks: Sequence[Mask] = ()
    masks_after: Sequence[DropRows] = ()
    max_suppression: float = 0.0
    seed: int | None = None
    range_style: Literal["bracket", "dash"] = "bracket"
    keep_order: bool = False
    risk: Situation | None = None
    bound: float | Literal[False] | None = None

    def __post_init__(self) -> None:
        if not _are(self.models, Model) or not self.models:
            raise OptionError("a plan needs at least one privacy model, in a list.", about="models")
        if not _are([self.algorithm], Algorithm):
            raise OptionError("algorithm must be a search such as Weave().", about="algorithm")
        if not _are(self.masks, Mask):
            raise OptionError("masks must be a list of masks such as Drop(columns=[...]).", about="masks")
        if not _are(self.masks_after, DropRows):
            raise OptionError(
                "masks_after must be a list of DropRows: after the search only rows can go.",
                hint="apply other masks before it, under masks.",
                about="masks_after",
            )
        share = self.max_suppression
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise OptionError(
                "max_suppression must be a share of the rows in [0, 1].",
                hint="0.02 allows 2 %.",
                about="max_suppression",
            )
        if self.range_style not in ("bracket", "dash"):
            raise OptionError("range_style must be 'bracket' or 'dash'.", about="range_style")
        if self.risk is not None and not isinstance(self.risk, Situation):
            raise OptionError(
                "risk must be a Situation.", hint="write Situation([PublicRelease()], harm='medium').", about="risk"
            )
        if self.bound is not False and self.bound is not None and not is_time(self.bound):
            raise OptionError(
                "bound must be a number of seconds above 0, or false.",
                hint="10 looks for ten seconds how near the release is to the best possible.",
                about="bound",
            )
        Randomness(self.seed)
        if self.bound is not False:
            object.__setattr__(self, "bound", plain_time(self.bound))
        object.__setattr__(self, "models", tuple(self.models))
        object.__setattr__(self, "masks", tuple(self.masks))
        object.__setattr__(self, "masks_after", tuple(self.masks_after))

    def run(self, table: Table, progress: Progress | None = None, *, rehearsal: bool = False) -> Release:
        """Anonymise a table and have the independent verifier judge the result.

        Ctrl-C leaves nothing behind; but a search that goes on improving, such as ``Weave``, ends then with the best
        classes so far, and the run goes on. New pseudonyms are in their vault before anything else is done, and stay
        there if the run fails: none is ever in a release and not in the vault.

        Parameters
        ----------
        rehearsal
            Whether the release is only looked at: it cannot be written, no vault is opened or changed, and throw-away
            codes stand for the pseudonyms of a vault.

        Raises
        ------
        UnreachableError
            The models cannot be met within ``max_suppression``.
        InputError
            A column has no role.
        AuditError
            The verifier rejected the result; it is not handed out.
        """
        started = time.perf_counter()
        shown = progress or Quiet()
        release = self._unaudited(table, shown, rehearsal=rehearsal)
        shown.stage("audit")
        release.audit()
        if self.bound is not None:  # only now, when the release is done: whatever ends this, it is there
            release.find_bound(self.bound or None, shown)
        release.seconds = time.perf_counter() - started
        return release

    def measure(self, table: Table, progress: Progress | None = None) -> dict[str, Any]:
        """Search and measure as ``run`` does, and return the figures (its ``summary``) alone.

        No row leaves it, no verifier judges it and no vault is changed. With the same seed the figures are those of
        ``run``, unless pseudonyms of a vault are quasi-identifiers; but no bound is looked for.

        Raises
        ------
        UnreachableError
            The models cannot be met within ``max_suppression``.
        InputError
            A column has no role.
        """
        started = time.perf_counter()
        release = self._unaudited(table, progress or Quiet(), rehearsal=True)
        release.find_bound(None)
        release.seconds = time.perf_counter() - started
        return release.summary

    def masked(self, table: Table) -> Table:
        """Return the table as the masks leave it; throw-away codes stand for the pseudonyms of a vault."""
        return self._masked(table, Randomness(self.seed), rehearsal=True).table

    def _unaudited(self, table: Table, shown: Progress, *, rehearsal: bool) -> Release:
        if not isinstance(table, Table):
            raise InputError("run needs a Table.", hint="write plan.run(Table(frame, schema)).")
        started = time.perf_counter()
        randomness = Randomness(self.seed)
        masked = self._masked(table, randomness, rehearsal=rehearsal)
        table = masked.table
        self._check(table)
        shown.stage("search")
        classes, found, problem = self._search(table, randomness, shown)
        searched = time.perf_counter()
        shown.stage("recode")
        recoding, findings = self._afterwards(
            self._recoded(table, classes, found.extents or None if found else None), randomness
        )
        return Release(
            plan=self,
            recoding=recoding,
            masked=replace(masked, findings=(*masked.findings, *findings)),
            order=self._order(recoding.searched, randomness),
            search_seconds=searched - started,
            history=problem.history,
            was_stopped=problem.was_stopped,
            proof=found.proof if found else None,
            is_rehearsal=rehearsal,
        )

    def check(self, table: Table) -> None:
        """Raise what ``run`` would raise before searching: wrong roles, a demand out of reach. Finds no classes."""
        self._check(self.masked(table))

    def to_dict(self, *, values: bool = True) -> dict[str, Any]:
        """Return the plan as it stands in a plan file; the seed, which would undo the shuffle, is left out.

        Parameters
        ----------
        values
            Whether options of masks that spell out cells are told; otherwise ``...`` stands for them.
        """

        def described(masks: Sequence[Mask]) -> list[dict[str, Any]]:
            return [describe(mask) if values else {mask.name: shown_options(mask)} for mask in masks]

        return {
            "masks": described(self.masks),
            "masks_after": described(self.masks_after),
            "models": [describe(model) for model in self.models],
            "algorithm": describe(self.algorithm),
            "max_suppression": self.max_suppression,
            "range_style": self.range_style,
            "keep_order": self.keep_order,
            **({} if self.risk is None else {"risk": self.risk.to_dict()}),
            **({} if self.bound is None else {"bound": self.bound}),
        }

    def _masked(self, table: Table, randomness: Randomness, *, rehearsal: bool) -> MaskedTable:
        return masked_table(table, self.masks, randomness, self._smallest_class, rehearsal=rehearsal)

    @property
    def _smallest_class(self) -> int:
        return max(2, *(model.smallest_class for model in self.models))

    def _afterwards(self, recoding: Recoding, randomness: Randomness) -> tuple[Recoding, tuple[Finding, ...]]:
        """Return the recoding without the rows that still stand out, and what was found on the way."""
        if not self.masks_after:
            return recoding, ()
        published = np.flatnonzero(~recoding.searched.suppressed)
        names = tuple(name for cells in recoding.cells for name in cells.names)
        frame = recoding.frame(published)
        sheet = Sheet(frame, randomness, recoding.table.decimal, names, self._smallest_class, published)
        try:
            sheet = masked_sheet(sheet, self.masks_after)
        except CelosiaError as error:
            error.about = "masks_after"
            raise
        if len(sheet.rows) < len(published):
            recoding = self._thinned(recoding, np.setdiff1d(published, sheet.rows))
        return recoding, sheet.findings

    def _thinned(self, recoding: Recoding, rows: NDArray[np.intp]) -> Recoding:
        """Return the recoding with further rows suppressed, if every model holds without them."""
        # Two classes that publish the same are one; where the search decided what classes publish, they differ already.
        alike = recoding.classes if recoding.extents is None else recoding.searched
        labels = (recoding.whole or alike).labels.copy()
        labels[rows] = -1
        left = np.unique(labels[labels >= 0])
        extents = None if recoding.extents is None else {name: one.at(left) for name, one in recoding.extents.items()}
        classes = Classes(labels)
        self._judge(
            classes,
            recoding.table,
            " once masks_after have removed rows",
            hint="remove whole classes, such as by class_below or by published values. Nothing was written.",
            about="masks_after",
        )
        return self._recoded(recoding.table, classes, extents)

    def _check(self, table: Table) -> None:
        table.schema.check_all_classified(table.frame.columns, table.name)
        if not {*table.schema.quasi_identifiers, *table.schema.sensitive, *table.schema.insensitive}:
            raise InputError(
                f"no column of {table.name} would be published.", hint="give a column another role than identifier."
            )
        if table.n_rows == 0:
            raise UnreachableError(f"{table.name} has no rows: there is nothing to publish.", hint="check the input.")
        self._check_unplaced(table)
        n_spare = self._budget(table) - int(table.unplaced.sum())
        for model in self.models:
            model.check_reachable(table, n_spare)
        kept = self._kept(table)
        if kept is not None:
            check_rare(table, kept, self.models, n_spare)

    def _kept(self, table: Table) -> str | None:
        """Return the quasi-identifier that models judge as a secret, if one: it is published as it is."""
        named = {model.to_dict().get("on") for model in self.models} & set(table.schema.quasi_identifiers)
        if len(named) > 1:
            raise InputError(
                f"models name {len(named)} columns that are quasi-identifiers and sensitive at once; one is the most.",
                hint="take all but one of them off the quasi-identifiers, or off the models.",
                about="models",
            )
        return named.pop() if named else None

    def _recoded(self, table: Table, classes: Classes, extents: Mapping[str, Extents] | None) -> Recoding:
        kept = self._kept(table)
        recoding = recode(table, classes, Style(ranges=self.range_style), kept, extents)
        for cells in recoding.cells:
            if cells.column.name == kept and (
                cells.style == "pair" or len(cells.texts[0]) < len(np.unique(cells.column.codes[~classes.suppressed]))
            ):
                raise InputError(
                    f"'{kept}' is a quasi-identifier and a secret that a model judges, but its values are never "
                    "published as they are.",
                    hint="declare it as category or number, or coarsen it by a mask first.",
                    about=kept,
                )
        return recoding

    def _budget(self, table: Table) -> int:
        """How many rows may be suppressed; exact, so that 0.1 of 30 rows are 3."""
        return math.floor(Fraction(str(self.max_suppression)) * table.n_rows)

    def _check_unplaced(self, table: Table) -> None:
        n_unplaced = int(table.unplaced.sum())
        if n_unplaced > self._budget(table):
            raise UnreachableError(
                f"{n_unplaced} rows ({n_unplaced / table.n_rows:.1%}) hold values that their hierarchies do not know "
                f"and must be suppressed; max_suppression is {self.max_suppression:.1%}.",
                hint="extend the hierarchies, or raise max_suppression. Nothing was written.",
            )

    def _search(
        self, table: Table, randomness: Randomness, progress: Progress
    ) -> tuple[Classes, Grouping | None, Problem]:
        """Return classes that satisfy all models, what they publish where the search decided that, and the problem."""
        budget = self._budget(table) - int(table.unplaced.sum())
        kept = self._kept(table)
        usable = thinned(table, self.models, budget, randomness, kept)
        n_spare = budget - (table.n_rows - int(table.unplaced.sum()) - len(usable))
        self._check_enough(table, usable, kept)
        problem = Problem.of(table, self.models, randomness, progress, usable, n_spare, kept)
        labels = np.full(table.n_rows, -1, dtype=np.int64)
        found = None
        if problem.quasi_identifiers:
            labels[problem.rows], found = self._found(problem)
        else:
            labels[problem.rows] = 0
        classes = Classes(labels)
        self._judge(
            classes,
            table,
            f"; max_suppression is {self.max_suppression:.1%}",
            hint="raise max_suppression, or ask for less. Nothing was written.",
        )
        return classes, found, problem

    def _found(self, problem: Problem) -> tuple[NDArray[np.int32], Grouping | None]:
        """Return classes that satisfy all models, if there are any, and what they publish if the search decided it."""
        labels, found = self._settled(problem)
        if problem.n_spare and len(broken_by_models(problem, labels)):
            # What was suppressed may have been what the rest needs to satisfy a model at all.
            labels, found = self._settled(replace(problem, n_spare=0))
        return labels, found

    def _settled(self, problem: Problem) -> tuple[NDArray[np.int32], Grouping | None]:
        found = self.algorithm.search(problem)
        if isinstance(found, Grouping):
            return found.labels, found
        return united(problem, trim(problem, settled(problem, found))), None

    def _check_enough(self, table: Table, usable: NDArray[np.intp], kept: str | None) -> None:
        """Raise ``UnreachableError`` unless the rows that are left satisfy every model as one class."""
        if len(usable) == table.n_rows:
            return
        labels = np.full(table.n_rows, -1, dtype=np.int64)
        labels[usable] = 0
        for model, broken in broken_models(self.models, table, Classes(labels), kept):
            if len(broken) or not len(usable):
                n_people = len(usable) if table.subjects is None else len(np.unique(table.subjects[usable]))
                raise UnreachableError(
                    f"only {n_people} people are left once the rows that must be suppressed are gone, too few for "
                    f"{model.name} or not the right ones.",
                    hint="extend the hierarchies, ask for less, or name one model on a secret at a time to see which "
                    "of them costs rows. Nothing was written.",
                    about="models",
                )

    def _judge(self, classes: Classes, table: Table, when: str, **advice: str) -> None:
        """Raise ``UnreachableError`` unless every model holds."""
        for model, broken in broken_models(self.models, table, classes, self._kept(table)):
            if len(broken):
                raise UnreachableError(
                    f"{model.name} does not hold in {len(broken)} of {classes.n_classes} classes "
                    f"({int(classes.sizes[broken].sum())} rows){when}.",
                    **advice,
                )

    def _order(self, classes: Classes, randomness: Randomness) -> NDArray[np.intp]:
        """Return the original row of each published row: shuffled, unless the plan keeps the order."""
        published = np.flatnonzero(~classes.suppressed)
        return published if self.keep_order else published[randomness.permutation(len(published))]


def _are(things: object, kind: type) -> bool:
    """Whether all things of a list are objects (not classes) of a kind."""
    return isinstance(things, list | tuple) and all(
        isinstance(thing, kind) and not isinstance(thing, type) for thing in things
    )
