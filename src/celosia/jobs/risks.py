"""risk: how likely it is that somebody in a table, or in a plan's input and result, is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from celosia.base.errors import InputError, OptionError
from celosia.base.progress import Progress
from celosia.base.yaml import piece
from celosia.data import io
from celosia.data.hierarchies import Category
from celosia.data.schema import Role, Schema, Table
from celosia.jobs.plan_file import load
from celosia.jobs.release import Release
from celosia.jobs.suggest import suggest
from celosia.measure.risk.gains import gains
from celosia.measure.risk.minimal_keys import minimal_keys
from celosia.measure.risk.overview import Overview, overview
from celosia.measure.risk.situation import Situation
from celosia.measure.risk.suda import suda

_PLANS = (".yaml", ".yml")
_LARGEST_KEY = 4
_LONGEST_NUMBER = 20
_WHO = frozenset({"insider", "grid", "acquaintance", "breach", "public"})
_ACCEPTED = frozenset({"threshold", "harm", "thresholds"})


@dataclass(frozen=True)
class Asked:
    """What is to be measured.

    Attributes
    ----------
    quasi_identifiers, subject
        What the columns of a data file are; guessed where they are ``None``. A plan says it itself.
    population
        How many people the rows were drawn from, or a file of them.
    weights
        The column of sampling weights.
    scenarios, threshold, harm, insiders
        The situation, over that of a plan: pieces of YAML, the accepted risk or the harm, how many pool what they know.
    keys, suda, max_size
        Whether small sets of columns that tell rows apart are looked for, and the most columns in one.
    runs_plan
        Whether a plan is tried, and its result measured as well.
    """

    quasi_identifiers: Sequence[str] | None = None
    subject: str | None = None
    population: str | None = None
    weights: str | None = None
    scenarios: Sequence[str] = ()
    threshold: str | None = None
    harm: str | None = None
    insiders: int | None = None
    keys: bool = False
    suda: bool = False
    max_size: int | None = None
    runs_plan: bool = True


@dataclass(frozen=True)
class Risks:
    """What was measured.

    Attributes
    ----------
    table
        The table, after the masks of a plan.
    sides
        The measures ``before``, and ``after`` where a plan was tried.
    searched
        What was found about sets of columns, as far as it was asked for.
    is_guessed
        Whether the quasi-identifiers are guessed.
    """

    table: Table
    sides: dict[str, Overview]
    searched: dict[str, Any] = field(default_factory=dict)
    is_guessed: bool = False

    @property
    def holds(self) -> bool:
        """Whether the last side's risk is accepted, or nothing was demanded."""
        last = list(self.sides.values())[-1].assessment
        return last is None or bool(last.holds)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``celosia risk --json`` prints: the table's figures, those of the release under ``after``."""
        after = {"after": self.sides["after"].to_dict()} if "after" in self.sides else {}
        columns = list(self.table.schema.quasi_identifiers)
        return {"quasi_identifiers": columns} | self.sides["before"].to_dict() | after | self.searched


def risks(source: str, asked: Asked, progress: Progress) -> Risks:
    r"""Measure the risk of a data file, or of a plan's input and result; nothing is written.

    Raises
    ------
    InputError, OptionError
        The file cannot be read, or an option has a value that is not allowed.
    UnreachableError
        The plan's demand cannot be met.

    Examples
    --------
    >>> import tempfile
    >>> from celosia.base.progress import Quiet
    >>> file = Path(tempfile.mkdtemp(), "ages.csv")
    >>> _ = file.write_text("age\n30\n30\n54\n")
    >>> risks(str(file), Asked(quasi_identifiers=["age"]), Quiet()).to_dict()["prosecutor"]["max"]
    1.0
    """
    is_plan = Path(source).suffix.lower() in _PLANS
    if is_plan:
        table, release, situation = _of_plan(source, asked, progress)
    else:
        table, release, situation = _table(source, asked.quasi_identifiers, asked.subject), None, None
    situation = _situation(situation, asked)
    population = _population(asked.population)
    options: dict[str, Any] = {
        "threshold": "0.2" if asked.threshold is None else asked.threshold,
        "coalition": 1 if asked.insiders is None else asked.insiders,
        "population": population,
        "situation": situation,
        "progress": progress,
    }
    sides = {"before": overview(table, weights=asked.weights, **options)}
    if release is not None:
        sides["after"] = overview(release, **options)
    searched = _keys(table, asked.max_size, progress) if asked.keys else {}
    if asked.suda:
        searched["suda"] = _suda(table, asked.max_size, population, progress)
    return Risks(table, sides, searched, is_guessed=not is_plan and asked.quasi_identifiers is None)


def _of_plan(source: str, asked: Asked, progress: Progress) -> tuple[Table, Release | None, Situation | None]:
    """Return a plan's table after masks, a rehearsal of its release, and the situation that it describes."""
    if asked.quasi_identifiers is not None or asked.subject is not None:
        raise OptionError(
            "a plan says itself which columns are quasi-identifiers, and whose row it is.",
            hint="change the plan, or name the data file instead of it.",
        )
    config = load(source)
    table = config.table()
    with config.locating():
        if not asked.runs_plan:
            return config.plan.masked(table), None, config.plan.risk
        release = config.plan.run(table, progress, rehearsal=True)
    return release.table, release, config.plan.risk


def _table(source: str, quasi_identifiers: Sequence[str] | None, subject: str | None) -> Table:
    """Read a data file; columns that are not named as quasi-identifiers are taken as they seem to be."""
    read = io.read(source)
    if quasi_identifiers is None:
        decimal = read.dialect.decimal if read.dialect else "."
        found = suggest(read.frame, decimal=decimal, with_keys=False)
        known = [one for one in found if one.role == Role.QUASI_IDENTIFIER and one.column != subject]
        kinds = {one.column: one.kind or Category() for one in known}
    else:
        kinds = {column: Category() for column in quasi_identifiers}
    return Table.of_source(read, Schema(quasi_identifiers=kinds, subject=subject))


def _population(text: str | None) -> int | str | None:
    """Return a number of people, or the path of a file of them."""
    if text is None or not (text.isascii() and text.isdigit()):
        return text
    return int(text.lstrip("0")[:_LONGEST_NUMBER] or 0)  # one so long is too great in any case


def _keys(table: Table, max_size: int | None, progress: Progress) -> dict[str, Any]:
    """Return the fewest quasi-identifiers that tell rows apart, and what each of them adds."""
    columns = _known_columns(table)
    progress.stage("looking for keys")
    largest = min(_LARGEST_KEY, len(columns)) if max_size is None else max_size
    found = minimal_keys(table, columns, max_size=largest, progress=progress)
    progress.stage("weighing columns")
    return {"keys": found.to_dict(), "gains": gains(table, columns, progress=progress).to_dict()}


def _suda(table: Table, max_size: int | None, population: int | str | None, progress: Progress) -> dict[str, Any]:
    _known_columns(table)
    progress.stage("scoring rows")
    drawn = Fraction(table.n_units, population) if isinstance(population, int) and table.n_units else None
    return suda(table, max_size, sampling_fraction=drawn, progress=progress).to_dict()


def _known_columns(table: Table) -> list[str]:
    """Return the quasi-identifiers, among which sets are searched."""
    columns = [column.name for column in table.quasi_identifiers]
    if not columns:
        raise InputError("there is no quasi-identifier to search among.", hint="name some with --quasi-identifiers.")
    return columns


def _situation(planned: Situation | None, asked: Asked) -> Situation | None:
    """Return the situation that is asked for; what is left open is as the plan has it."""
    given, threshold, harm = _scenarios(asked.scenarios), asked.threshold, asked.harm
    options: dict[str, Any] = {} if planned is None else planned.to_dict()
    if given:
        kept = {"grid"} if "insider" in given else set()
        options = {key: own for key, own in options.items() if key not in _WHO - kept} | given
    elif planned is None:
        if harm is None:
            return None
        raise OptionError(
            "a harm is given, but no scenario.",
            hint="add --scenario public, or --scenario '{insider: {controls: medium, motivation: medium}}'.",
        )
    if threshold is not None or harm is not None:
        kept = set() if harm is None else {"thresholds"}
        options = {key: own for key, own in options.items() if key not in _ACCEPTED - kept}
        options |= {"threshold": threshold, "harm": harm}
    elif not _ACCEPTED & options.keys():
        raise OptionError("a scenario needs the accepted risk.", hint="add --threshold 0.1, or --harm medium.")
    return Situation.of(options if asked.insiders is None else options | {"insiders": asked.insiders})


def _scenarios(texts: Sequence[str]) -> dict[str, Any]:
    """Return the scenarios that pieces of YAML name, with their own options."""
    found: dict[str, Any] = {}
    for text in texts:
        for kind, own in _scenario(text).items():
            if kind in found:
                raise OptionError(f"scenario '{kind}' is named twice.", about="scenario")
            found[kind] = own
    return found


def _scenario(text: str) -> dict[str, Any]:
    refused = OptionError(
        "a scenario must be one name with its options.",
        hint="write --scenario '{insider: {controls: medium, motivation: low}}', or --scenario public.",
    )
    given = piece(text, refused)
    if given == "public":
        return {"public": True}
    if not isinstance(given, dict) or not all(isinstance(key, str) for key in given):
        raise refused
    return given
