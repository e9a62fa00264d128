"""``celosia risk``: how likely it is that somebody is found, measured every way."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli.console import print_json, progress_bar
from celosia.cli.risk_screen import show_risk, show_searched
from celosia.cli.risk_situation import situation_of

if TYPE_CHECKING:
    from celosia.data.schema import Table
    from celosia.measure.risk.overview import Overview

_PLANS = (".yaml", ".yml")
_LARGEST_KEY = 4
_LONGEST_NUMBER = 20


def risk(
    source: Annotated[
        str, typer.Argument(metavar="DATA|PLAN", help="A data file, or a plan file.", show_default=False)
    ],
    quasi_identifiers: Annotated[
        str | None,
        typer.Option("--quasi-identifiers", help="The columns an attacker may know: a,b,c; guessed by default."),
    ] = None,
    subject: Annotated[str | None, typer.Option("--subject", help="The column that tells whose row it is.")] = None,
    population: Annotated[
        str | None, typer.Option("--population", help="How many people the rows were drawn from, or a file of them.")
    ] = None,
    weights: Annotated[str | None, typer.Option("--weights", help="The column of sampling weights.")] = None,
    threshold: Annotated[
        str | None, typer.Option("--threshold", help="The accepted risk; a row above it is at risk (0.2).")
    ] = None,
    harm: Annotated[
        str | None, typer.Option("--harm", help="Instead: low, medium or high (0.2, 0.1 and 0.01 by the manual).")
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            help="Who may try: '{insider: {controls: medium, motivation: low}}', '{acquaintance: {share: 0.001}}', "
            "'{breach: {rate: 0.1, source: ..., date: ...}}' or public.",
        ),
    ] = None,
    insiders: Annotated[
        int | None, typer.Option("--insiders", help="How many participants pool what they know (1; 0 in scenarios).")
    ] = None,
    keys: Annotated[
        bool, typer.Option("--keys", help="Find the fewest columns that tell rows apart, and what each adds.")
    ] = False,
    suda: Annotated[
        bool, typer.Option("--suda", help="Score rows by the small sets of columns that single them out.")
    ] = False,
    max_size: Annotated[
        int | None, typer.Option("--max-size", help="The most columns that --keys (4) and --suda take together.")
    ] = None,
    no_run: Annotated[bool, typer.Option("--no-run", help="Of a plan: measure its input only, do not try it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure the risk of re-identification of a table, or of a plan's input and result; write nothing.

    Ends with code 1 if a scenario's risk is not accepted.
    """
    from celosia.measure.risk.overview import overview

    is_plan = Path(source).suffix.lower() in _PLANS
    with progress_bar() as bar:
        bar.stage("read")
        if is_plan:
            table, release, situation = _of_plan(source, (quasi_identifiers, subject), bar, is_run=not no_run)
        else:
            table, release, situation = _table(source, _names(quasi_identifiers), subject), None, None
        situation = situation_of(situation, scenario or [], threshold, harm, insiders)
        options: dict[str, Any] = {
            "threshold": "0.2" if threshold is None else threshold,
            "coalition": 1 if insiders is None else insiders,
            "population": _population(population),
            "situation": situation,
            "progress": bar,
        }
        found = {"before": overview(table, weights=weights, **options)}
        if release is not None:
            found["after"] = overview(release, **options)
        searched = _keys(table, max_size, bar) if keys else {}
        if suda:
            searched["suda"] = _suda(table, max_size, options["population"], bar)
    if as_json:
        print_json(_as_json(table, found, searched))
    else:
        show_risk(table, found, is_guessed=not is_plan and quasi_identifiers is None)
        show_searched(searched)
    last = list(found.values())[-1].assessment
    if last is not None and not last.holds:
        raise typer.Exit(1)


def _as_json(table: Table, found: dict[str, Overview], searched: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of the table, with those of the release beside them under ``after``."""
    after = {"after": found["after"].to_dict()} if "after" in found else {}
    columns = list(table.schema.quasi_identifiers)
    return {"quasi_identifiers": columns} | found["before"].to_dict() | after | searched


def _of_plan(source: str, given: tuple[str | None, str | None], bar: Any, *, is_run: bool) -> tuple[Any, Any, Any]:
    """Return a plan's table after masks, a rehearsal of its release, and the situation that it describes."""
    from celosia.base.errors import OptionError
    from celosia.jobs.plan_file import load

    if any(one is not None for one in given):
        raise OptionError(
            "a plan says itself which columns are quasi-identifiers, and whose row it is.",
            hint="change the plan, or name the data file instead of it.",
        )
    config = load(source)
    table = config.table()
    with config.locating():
        if not is_run:
            return config.plan.masked(table), None, config.plan.risk
        release = config.plan.run(table, bar, rehearsal=True)
    return release.table, release, config.plan.risk


def _table(source: str, quasi_identifiers: Sequence[str] | None, subject: str | None) -> Table:
    """Read a data file; columns that are not named as quasi-identifiers are taken as they seem to be."""
    from celosia.data import io
    from celosia.data.hierarchies import Category
    from celosia.data.schema import Role, Schema, Table
    from celosia.jobs.suggest import suggest

    read = io.read(source)
    if quasi_identifiers is None:
        decimal = read.dialect.decimal if read.dialect else "."
        found = suggest(read.frame, decimal=decimal, with_keys=False)
        known = [one for one in found if one.role == Role.QUASI_IDENTIFIER and one.column != subject]
        kinds = {one.column: one.kind or Category() for one in known}
    else:
        kinds = {column: Category() for column in quasi_identifiers}
    return Table.of_source(read, Schema(quasi_identifiers=kinds, subject=subject))


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _population(text: str | None) -> int | str | None:
    """Return a number of people, or the path of a file of them."""
    if text is None or not (text.isascii() and text.isdigit()):
        return text
    return int(text.lstrip("0")[:_LONGEST_NUMBER] or 0)  # one so long is too great in any case


def _keys(table: Table, max_size: int | None, bar: Any) -> dict[str, Any]:
    """Return the fewest quasi-identifiers that tell rows apart, and what each of them adds."""
    from celosia.measure.risk.gains import gains
    from celosia.measure.risk.minimal_keys import minimal_keys

    columns = _known_columns(table)
    bar.stage("looking for keys")
    largest = min(_LARGEST_KEY, len(columns)) if max_size is None else max_size
    found = minimal_keys(table, columns, max_size=largest, progress=bar)
    bar.stage("weighing columns")
    return {"keys": found.to_dict(), "gains": gains(table, columns, progress=bar).to_dict()}


def _suda(table: Table, max_size: int | None, population: int | str | None, bar: Any) -> dict[str, Any]:
    from celosia.measure.risk.suda import suda

    _known_columns(table)
    bar.stage("scoring rows")
    drawn = Fraction(table.n_units, population) if isinstance(population, int) and table.n_units else None
    return suda(table, max_size, sampling_fraction=drawn, progress=bar).to_dict()


def _known_columns(table: Table) -> list[str]:
    """Return the quasi-identifiers, among which sets are searched."""
    from celosia.base.errors import InputError

    columns = [column.name for column in table.quasi_identifiers]
    if not columns:
        raise InputError("there is no quasi-identifier to search among.", hint="name some with --quasi-identifiers.")
    return columns
