"""``celosia negotiate``: the smallest k for a threshold, and the cheapest controls for a k."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid
from rich.text import Text

from celosia.cli.console import answer, screen
from celosia.cli.options import AsJson, language_of, replacing

if TYPE_CHECKING:
    from celosia.jobs.negotiate import Negotiation


def negotiate(
    threshold: Annotated[
        str | None, typer.Option("--threshold", help="The risk of re-identification that is accepted, in (0, 1].")
    ] = None,
    harm: Annotated[
        str | None, typer.Option("--harm", help="Instead: the harm that it would do: low, medium or high.")
    ] = None,
    k: Annotated[int | None, typer.Option("--k", help="The k you have: ask for the cheapest controls.")] = None,
    strict_inequality: Annotated[
        bool, typer.Option("--strict-inequality", help="The risk must lie below the threshold, not at it.")
    ] = False,
    floor: Annotated[int, typer.Option("--floor", help="The fewest people in a class, from 2.")] = 3,
    grid: Annotated[
        Path | None, typer.Option("--grid", help="A YAML file with a grid and thresholds of your own.")
    ] = None,
    picture: Annotated[Path | None, typer.Option("--picture", help="Write a picture to this SVG file.")] = None,
    lang: Annotated[str, language_of()] = "en",
    overwrite: Annotated[bool, replacing("picture")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the smallest k for a threshold by controls and motivation, and the cheapest controls for a k."""
    from celosia.jobs.negotiate import negotiate as ask
    from celosia.jobs.places import check_file
    from celosia.jobs.plan_file import load_risk_tables
    from celosia.report.language import check_language

    check_language(lang)
    if picture is not None:
        check_file(picture, "picture", "name a file in it, such as k.svg.", overwrite=overwrite)
    attempts, thresholds = (None, None) if grid is None else load_risk_tables(grid)
    found = ask(threshold, harm, k=k, thresholds=thresholds, grid=attempts, strict=strict_inequality, floor=floor)
    if picture is not None:
        found.write(picture, lang)
    answer(found.to_dict(), lambda: _show(found, lang, picture), as_json=as_json)


def _show(found: Negotiation, lang: str, picture: Path | None) -> None:
    from celosia.jobs.negotiate.words import answers, columns_title, demand, headline, level, notes, rows_title
    from celosia.measure.risk.grid import CONTROLS, MOTIVATIONS
    from celosia.report.language import Language

    language = Language(lang)
    screen.print(headline(language), style="bold", markup=False)
    screen.print(demand(found, language), markup=False)
    grid = Grid(header_style="bold", caption=Text(columns_title(language)))
    grid.add_column(Text(rows_title(language)))
    for motivation in MOTIVATIONS:
        grid.add_column(Text(level(motivation, language)), justify="right")
    for controls in CONTROLS:
        grid.add_row(
            Text(level(controls, language)), *(_cell(found, controls, motivation) for motivation in MOTIVATIONS)
        )
    screen.print(grid)
    for said in answers(found, language):
        screen.print(said, style="bold", markup=False)
    for note in notes(found, language):
        screen.print(note, style="dim", markup=False)
    if picture is not None:
        screen.print(f"Written to {picture}.", markup=False)


def _cell(found: Negotiation, controls: str, motivation: str) -> Text:
    """Return a cell's k, marked where the floor decided it and where the given k is enough."""
    star = (
        "*" if (controls, motivation) in found.floored else "\N{NO-BREAK SPACE}"
    )  # a plain blank at the end would be cut
    said = f"{found.ks[controls][motivation]}{star}"
    if found.acceptable is None:
        return Text(said)
    if (controls, motivation) not in found.acceptable:
        return Text(f"{said} ✗", style="dim")
    return Text(f"{said} ✓", style="bold green" if found.cheapest(motivation) == controls else "green")
