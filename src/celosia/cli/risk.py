"""``celosia risk``: how likely it is that somebody is found, measured every way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli.console import answer, figures, progress_bar, rows_table, screen, share
from celosia.cli.options import AsJson, Subject, listed

if TYPE_CHECKING:
    from celosia.jobs.risks import Risks
    from celosia.measure.risk.overview import Overview

_SHOWN_KEYS = 20


def risk(
    source: Annotated[
        str, typer.Argument(metavar="DATA|PLAN", help="A data file, or a plan file.", show_default=False)
    ],
    quasi_identifiers: Annotated[
        str | None,
        typer.Option("--quasi-identifiers", help="The columns an attacker may know: a,b,c; guessed by default."),
    ] = None,
    subject: Subject = None,
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
    as_json: AsJson = False,
) -> None:
    """Measure the risk of re-identification of a table, or of a plan's input and result; write nothing.

    Ends with code 1 if a scenario's risk is not accepted.
    """
    from celosia.jobs.risks import Asked, risks

    asked = Asked(
        quasi_identifiers=None if quasi_identifiers is None else listed(quasi_identifiers),
        subject=subject,
        population=population,
        weights=weights,
        scenarios=scenario or [],
        threshold=threshold,
        harm=harm,
        insiders=insiders,
        keys=keys,
        suda=suda,
        max_size=max_size,
        runs_plan=not no_run,
    )
    with progress_bar() as bar:
        bar.stage("read")
        found = risks(source, asked, bar)
    answer(found.to_dict(), lambda: _show(found), as_json=as_json, code=int(not found.holds))


def _show(risks: Risks) -> None:
    """Show the measures of a table, those of a release beside them, the scenarios, and what was searched for."""
    columns, found = list(risks.table.schema.quasi_identifiers), risks.sides
    screen.print(f"Quasi-identifiers: {', '.join(columns) or 'none'}", markup=False)
    if risks.is_guessed:
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
    _show_searched(risks.searched)


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
    """Show keys, what each column tells, and the scores of rows, as far as they were asked for."""
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
