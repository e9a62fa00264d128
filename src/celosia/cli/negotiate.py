"""``celosia negotiate``: the smallest k for a threshold, and the cheapest controls for a k."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid
from rich.text import Text

from celosia.cli.console import print_json, screen

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
    lang: Annotated[str, typer.Option("--lang", help="The language: en or es.")] = "en",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing picture.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Show the smallest k for a threshold by controls and motivation, and the cheapest controls for a k."""
    from celosia.jobs.negotiate import negotiate as ask
    from celosia.jobs.plan_file import load_risk_tables
    from celosia.report.language import check_language

    check_language(lang)
    if picture is not None:
        _check_picture(picture, overwrite=overwrite)
    attempts, thresholds = (None, None) if grid is None else load_risk_tables(grid)
    found = ask(threshold, harm, k=k, thresholds=thresholds, grid=attempts, strict=strict_inequality, floor=floor)
    if picture is not None:
        found.write(picture, lang)
    if as_json:
        print_json(found.to_dict())
        return
    _show(found, lang)
    if picture is not None:
        screen.print(f"Written to {picture}.", markup=False)


def _check_picture(path: Path, *, overwrite: bool) -> None:
    from celosia.base.errors import InputError

    if path.is_dir():
        raise InputError(f"'{path.name}' is a folder, not a picture.", hint="name a file in it, such as k.svg.")
    if path.exists() and not overwrite:
        raise InputError(f"'{path.name}' exists.", hint="choose another name, or replace it with --overwrite.")


def _show(found: Negotiation, lang: str) -> None:
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
    for answer in answers(found, language):
        screen.print(answer, style="bold", markup=False)
    for note in notes(found, language):
        screen.print(note, style="dim", markup=False)


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
