"""Request: a plan, where the input comes from, where the result goes, and what is asked in passing.

Whoever wants work done (the command line, an app, a server) makes one and hands it over; none of them has a rule of its
own. It holds plain values, so that it can be written down and read back.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from celosia.base.errors import OptionError, PlanError, UnreachableError, nearest
from celosia.base.progress import Progress, Quiet, Stop
from celosia.base.yaml import Section
from celosia.data import io
from celosia.data.io.folder import check_target
from celosia.data.io.sql import is_address
from celosia.data.schema import Table
from celosia.jobs.learn import check_target as check_learnt
from celosia.jobs.learn import expected_seconds, learnt
from celosia.jobs.plan import Plan
from celosia.jobs.plan_file import Config, config_of, load
from celosia.jobs.release import Release
from celosia.jobs.tables import TableSubject
from celosia.jobs.way import Place, made, placed, verified
from celosia.measure.overall import check_group_column, losses_by
from celosia.report import check_language

ENGINES = ("local",)
"""Where the work can be done."""


@dataclass(frozen=True)
class Request:
    """What somebody wants done with a table.

    Parameters
    ----------
    plan
        A plan file; or what stands in one, its paths taken from ``folder``.
    folder
        From where the paths of a plan without a file are taken.
    input, out
        Another data file (or table of a database) and another release folder than the plan's.
    seed, keep_order, bound
        As in a plan, over it where they are given.
    overwrite
        Whether an earlier release may be replaced.
    dry_run
        Whether the result is only looked at: searched, measured and verified, but not written.
    lang
        The language of the report: ``en`` or ``es``.
    utility, by, classify
        What is measured in passing: how useful the release is, in every way; the loss by groups of these columns; how
        well this column can be learnt from it.
    engine
        Where the work is done: ``local``.

    Examples
    --------
    >>> request = Request({"schema": {"quasi_identifiers": {"age": "number"}}, "models": [{"k_anonymity": {"k": 2}}]})
    >>> Request.from_dict(request.to_dict()) == request
    True
    """

    plan: str | Mapping[str, Any]
    folder: str = "."
    input: str | None = None
    out: str | None = None
    seed: int | None = None
    keep_order: bool = False
    bound: float | None = None
    overwrite: bool = False
    dry_run: bool = False
    lang: str = "en"
    utility: bool = False
    by: Sequence[str] = ()
    classify: str | None = None
    engine: str = "local"

    def to_dict(self) -> dict[str, Any]:
        """Return what differs from the defaults, as it can be written into a JSON or YAML file."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        told["by"] = list(self.by)
        usual = {field.name: field.default for field in fields(self)} | {"by": []}
        return {name: value for name, value in told.items() if value != usual[name]}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Request:
        """Return the request that was written down.

        Raises
        ------
        OptionError
            It has another key.
        """
        known = [field.name for field in fields(cls)]
        for name in told:
            if name not in known:
                raise OptionError(f"a request has no '{name}'.", hint=nearest(str(name), known), about=str(name))
        values: dict[str, Any] = dict(told)
        return cls(**values | {"by": tuple(values.get("by", ()))})

    @cached_property
    def config(self) -> Config:
        """The plan as it is read, with where it speaks of what."""
        if isinstance(self.plan, str):
            return load(self.plan)
        return config_of(Section(self.plan, "the plan"), Path(self.folder) / "plan.yaml")

    @property
    def wanted(self) -> Plan:
        """The plan, with what the request says over it."""
        over: dict[str, Any] = {} if self.seed is None else {"seed": self.seed}
        if self.bound is not None:
            over["bound"] = self.bound
        return replace(self.config.plan, keep_order=self.keep_order, **over)

    @property
    def place(self) -> Place | None:
        """Where the release goes; ``None`` where nothing is written."""
        config = self.config
        folder = config.output if self.out is None else Path(self.out)
        if folder is None or self.dry_run:
            return None
        return Place(folder, config.format, config.claim, self.overwrite, self.lang, config.target)

    def preflight(self) -> None:
        """Refuse whatever can be refused before work begins.

        Raises
        ------
        PlanError, OptionError, InputError, FormatError
            The plan is wrong; a place cannot be written to, lies over the input, or too near to a key; a column is not
            there; a database cannot be reached; a package is missing; an option is of no use.
        """
        check_language(self.lang)
        if self.engine not in ENGINES:
            raise OptionError(f"there is no engine '{self.engine}'.", hint=nearest(self.engine, ENGINES))
        config, place = self.config, self.place
        if place is None and not self.dry_run:
            raise PlanError("the plan names no output.", hint="add 'output: FOLDER', or run with --out FOLDER.")
        if place is not None:
            check_target(place.folder, overwrite=self.overwrite)
        wanted = self.wanted
        with config.locating():
            if place is not None:
                TableSubject(wanted, config.table).preflight(place)
            for thing in (*wanted.masks, wanted.algorithm):
                if (check := getattr(thing, "preflight", None)) is not None:
                    check(rehearsal=self.dry_run)
            self._check_input(place)
            if place is not None and place.database is not None:
                place.database.check(replace=self.overwrite)

    def _check_input(self, place: Place | None) -> None:
        """Refuse an input in the folder that is to be replaced, options of no use for it, and columns it lacks."""
        config = self.config
        given = config.input if self.input is None else self.input
        if given is None or is_address(str(given)):
            return
        for path, what in ((given, "the input"), (self.plan, "the plan")):
            if isinstance(path, Mapping) or place is None:
                continue
            if Path(path).resolve().is_relative_to(place.folder.resolve()):
                raise PlanError(
                    f"{what} lies in the output folder, which the release would replace.", hint="move it away."
                )
        if (names := io.column_names(given, **config.read_options)) is not None:
            file = Path(given).name
            config.schema.check_columns(config.schema.named(names, file), file)

    def run(self, progress: Progress | None = None, stop: Stop | None = None) -> Done:
        """Do what is wanted.

        Raises
        ------
        UnreachableError
            The models cannot be met.
        AuditError
            The verifier rejected the result; nothing is left behind.
        """
        self.preflight()
        shown, place = progress or Quiet(), self.place
        shown.stage("read")
        table = self.config.table(self.input)
        subject = TableSubject(self.wanted, table, self._check_asked)
        with self.config.locating(), self._pointing_to_why_not():
            if place is None:
                release = verified(subject, shown, rehearsal=True, stop=stop)
            else:
                release = made(subject, shown, stop=stop)
                shown.stage("write")
                release = placed(subject, release, place)
        return Done(release, None if place is None else place.folder)

    def _check_asked(self, masked: Table) -> None:
        """Refuse a column that cannot be asked for before the search, and not after it."""
        for column in self.by:
            check_group_column(masked, column)
        if self.classify is not None:
            check_learnt(masked, self.classify)

    @contextmanager
    def _pointing_to_why_not(self) -> Iterator[None]:
        """Let a demand out of reach say how to learn what would help."""
        try:
            yield
        except UnreachableError as error:
            if isinstance(self.plan, str):
                other = [] if self.input is None else ["--input", self.input]
                command = shlex.join(["celosia", "frontier", self.plan, "--why-not", *other])
                error.hint = " ".join(filter(None, (error.hint, f"What would help, and at what price: {command}")))
            raise

    def measured(
        self, release: Release, progress: Progress | None = None, *, show_values: bool = False
    ) -> dict[str, Any]:
        """Return what was asked in passing, beyond the summary."""
        shown, found = progress or Quiet(), dict[str, Any]()
        if self.utility:
            shown.stage("Measuring utility")
            found |= release.utility.to_dict(show_values=show_values, progress=shown)
        for column in self.by:
            shown.stage(f"Measuring groups of {column}")
            found.setdefault("by", []).append(losses_by(release, column, shown).to_dict(show_values=show_values))
        if self.classify is not None:
            shown.stage(f"Learning ({expected_seconds(release.seconds):.0f} s or so)")
            found["classification"] = learnt(release.given, self.wanted, self.classify, shown)
        return found


@dataclass(frozen=True)
class Done:
    """What came of a request: the release, and where it was put; ``None`` where nothing was written."""

    release: Release
    folder: Path | None
