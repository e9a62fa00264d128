"""``celosia risk``: how likely it is that somebody is found, measured every way."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli.console import figures, print_json, progress_bar, rows_table, screen, share

if TYPE_CHECKING:
    from celosia.risk.overview import Overview
    from celosia.risk.situation import Situation
    from celosia.schema import Table

__all__ = ["risk"]

_PLANS = (".yaml", ".yml")
_SHOWN_KEYS = 20
_LARGEST_KEY = 4
_LONGEST_NUMBER = 20
_WHO = frozenset({"insider", "grid", "acquaintance", "breach", "public"})
_ACCEPTED = frozenset({"threshold", "harm", "thresholds"})


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
    from celosia.risk.overview import overview

    is_plan = Path(source).suffix.lower() in _PLANS
    with progress_bar() as bar:
        bar.stage("read")
        if is_plan:
            table, release, situation = _of_plan(source, (quasi_identifiers, subject), bar, is_run=not no_run)
        else:
            table, release, situation = _table(source, _names(quasi_identifiers), subject), None, None
        situation = _situation(situation, scenario or [], threshold, harm, insiders)
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
        _show(table, found, is_guessed=not is_plan and quasi_identifiers is None)
        _show_searched(searched)
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
    from celosia.config import load
    from celosia.errors import OptionError

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
    from celosia import io
    from celosia.hierarchies import Category
    from celosia.schema import Role, Schema, Table
    from celosia.suggesting import suggest

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


def _situation(
    planned: Situation | None, scenarios: Sequence[str], threshold: str | None, harm: str | None, insiders: int | None
) -> Situation | None:
    """Return the situation that the options describe; what they leave open is as the plan has it."""
    from celosia.errors import OptionError
    from celosia.risk.situation import Situation

    given = _scenarios(scenarios)
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
    return Situation.of(options if insiders is None else options | {"insiders": insiders})


def _scenarios(texts: Sequence[str]) -> dict[str, Any]:
    """Return the scenarios that the options name, with their own options."""
    from celosia.errors import OptionError

    found: dict[str, Any] = {}
    for text in texts:
        for kind, own in _scenario(text).items():
            if kind in found:
                raise OptionError(f"scenario '{kind}' is named twice.", about="scenario")
            found[kind] = own
    return found


def _scenario(text: str) -> dict[str, Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    from celosia.errors import OptionError

    try:
        given = YAML(typ="safe", pure=True).load(text)
    except YAMLError:
        given = None
    if given == "public":
        return {"public": True}
    if not isinstance(given, dict) or not all(isinstance(key, str) for key in given):
        raise OptionError(
            "a scenario must be one name with its options.",
            hint="write --scenario '{insider: {controls: medium, motivation: low}}', or --scenario public.",
        )
    return given


def _keys(table: Table, max_size: int | None, bar: Any) -> dict[str, Any]:
    """Return the fewest quasi-identifiers that tell rows apart, and what each of them adds."""
    from celosia.risk.gains import gains
    from celosia.risk.minimal_keys import minimal_keys

    columns = _known_columns(table)
    bar.stage("looking for keys")
    largest = min(_LARGEST_KEY, len(columns)) if max_size is None else max_size
    found = minimal_keys(table, columns, max_size=largest, progress=bar)
    bar.stage("weighing columns")
    return {"keys": found.to_dict(), "gains": gains(table, columns, progress=bar).to_dict()}


def _suda(table: Table, max_size: int | None, population: int | str | None, bar: Any) -> dict[str, Any]:
    from celosia.risk.suda import suda

    _known_columns(table)
    bar.stage("scoring rows")
    drawn = Fraction(table.n_units, population) if isinstance(population, int) and table.n_units else None
    return suda(table, max_size, sampling_fraction=drawn, progress=bar).to_dict()


def _known_columns(table: Table) -> list[str]:
    """Return the quasi-identifiers, among which sets are searched."""
    from celosia.errors import InputError

    columns = [column.name for column in table.quasi_identifiers]
    if not columns:
        raise InputError("there is no quasi-identifier to search among.", hint="name some with --quasi-identifiers.")
    return columns


def _show(table: Table, found: dict[str, Overview], *, is_guessed: bool) -> None:
    columns = list(table.schema.quasi_identifiers)
    screen.print(f"Quasi-identifiers: {', '.join(columns) or 'none'}", markup=False)
    if is_guessed:
        screen.print("They are guessed: name those that an attacker may know with --quasi-identifiers.", markup=False)
    sides = list(found.values())
    rows = [(name, *(show(side) for side in sides)) for name, show in _ROWS.items()]
    wanted = [row for row in rows if any(cell != "" for cell in row[1:])]
    rows_table("Risk of re-identification", ["", *(found if len(found) > 1 else ["figure"])], wanted)
    for name, estimate in sides[0].uniqueness.items():
        if estimate.reason is not None:
            screen.print(f"{name}: undefined ({estimate.reason})", markup=False)
    if sides[0].assessment is not None:
        _show_scenarios([side.assessment for side in sides], list(found))


def _uniques(name: str) -> Any:
    def show(side: Overview) -> str:
        estimate = side.uniqueness.get(name)
        if estimate is None:
            return ""
        return "undefined" if estimate.uniques is None else f"{estimate.uniques:,.1f} ({share(estimate.share)})"

    return show


_ROWS = {
    "rows": lambda side: f"{side.n_rows:,}",
    "people": lambda side: "" if side.n_people == side.n_rows else f"{side.n_people:,}",
    "classes": lambda side: f"{side.n_classes:,}",
    "k (people in the smallest class)": lambda side: "-" if side.k is None else str(side.k),
    "prosecutor, greatest": lambda side: share(side.prosecutor.max),
    "prosecutor, mean": lambda side: share(side.prosecutor.mean),
    "rows at risk": lambda side: f"{share(side.prosecutor.share_at_risk)} (above {share(side.prosecutor.threshold)})",
    "journalist, greatest": lambda side: share(side.journalist.max),
    "journalist, mean": lambda side: share(side.journalist.mean),
    "marketer: rows linked rightly": lambda side: share(side.marketer.mean),
    "k against participants": lambda side: f"{side.insiders.effective_k} ({side.insiders.coalition} together)",
    "rows that participants know for certain": lambda side: f"{side.insiders.n_rows_certain:,}",
    "distinction (distinct rows)": lambda side: "" if side.distinction is None else share(side.distinction),
    "separation (pairs told apart)": lambda side: "" if side.separation is None else share(side.separation),
    "greatest, if missing matches anything": lambda side: _wildcard(side),
    "greatest, by sampling weights": lambda side: "" if side.weighted is None else share(side.weighted.max),
    "population uniques, Zayatz": _uniques("zayatz"),
    "population uniques, Pitman": _uniques("pitman"),
    "population uniques, SNB": _uniques("snb"),
    "population uniques, Dankar's rule": _uniques("dankar"),
}
"""Names and figures of the table on the screen; what is not known is left empty, and a row of nothing is left out."""


def _wildcard(side: Overview) -> str:
    if side.matches is None or side.matches.wildcard is None:
        return ""
    return f"{share(side.matches.wildcard.max)} (no guarantee rests on it)"


def _show_scenarios(sides: Sequence[Any], names: Sequence[str]) -> None:
    last = sides[-1]
    sign = "<" if last.strict else "<="
    rows = [
        [
            result.label,
            share(float(result.attempt)),
            *(share(None if side.results[place].risk is None else float(side.results[place].risk)) for side in sides),
            "yes" if result.holds else "NO",
        ]
        for place, result in enumerate(last.results)
    ]
    risks = [f"risk {name}" for name in names] if len(names) > 1 else ["risk"]
    limit = share(float(last.threshold))
    rows_table("Scenarios", ["who", "P(attempt)", *risks, f"{sign} {limit}"], rows)
    verdict = "accepted" if last.holds else "NOT accepted"
    screen.print(
        f"The risk is {verdict}: k = {last.k if last.k is not None else '-'}, and at least {last.minimal_k} is needed.",
        markup=False,
    )
    for reason in last.reasons:
        screen.print(f"  {reason}", markup=False)
    screen.print("What this takes for granted:")
    for said in last.assumptions:
        screen.print(f"  - {said}", markup=False)


def _show_searched(searched: dict[str, Any]) -> None:
    if "keys" in searched:
        keys = searched["keys"]["keys"]
        rows = [[str(len(key)), ", ".join(key)] for key in keys[:_SHOWN_KEYS]]
        rows_table(f"Fewest columns that tell rows apart ({len(keys)})", ["columns", "which"], rows)
        own = searched["gains"]["columns"]
        rows_table(
            "What each column tells",
            ["column", "distinction alone", "added to the others", "share of unique rows"],
            [
                [column, share(one["distinction"]), share(one["marginal"]), share(one["shapley"])]
                for column, one in own.items()
            ],
        )
    if "suda" in searched:
        _show_suda(searched["suda"])


def _show_suda(found: dict[str, Any]) -> None:
    rows = [
        ("sets of columns", f"of up to {found['max_size']}"),
        ("rows that some set singles out", f"{found['n_rows_unique']:,} of {found['n_rows']:,}"),
        ("rows that fewer than all columns single out", f"{found['n_rows_special']:,}"),
        *((f"smallest such sets of {size}", f"{n:,}") for size, n in found["n_minimal_uniques"].items()),
        ("a unique match is a correct one (DIS)", share(found["dis"])),
        *((f"part of {column} in the scores", share(own)) for column, own in found["contributions"].items()),
    ]
    figures("SUDA", rows)
