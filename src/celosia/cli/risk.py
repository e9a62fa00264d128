"""``celosia risk``: how likely it is that somebody is found, measured every way."""

from __future__ import annotations

from typing import Annotated

import typer

from celosia.cli.console import answer, progress_bar
from celosia.cli.options import AsJson, Subject, listed
from celosia.cli.risk_screen import show_risk


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
    answer(found.to_dict(), lambda: show_risk(found), as_json=as_json, code=int(not found.holds))
