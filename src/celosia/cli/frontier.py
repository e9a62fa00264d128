"""``celosia frontier``: what protection costs, and what would help where a demand is out of reach."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table as Grid
from rich.text import Text

from celosia.cli.console import answer, progress_bar, rows_table, screen, share
from celosia.cli.options import AsJson, PageLang, PageOverwrite, PlanFile, listed, whole_numbers

if TYPE_CHECKING:
    from celosia.jobs.frontier import Frontier, Point
    from celosia.jobs.plan import Plan
    from celosia.jobs.plan_file import Config
    from celosia.jobs.why_not import WhyNot


def frontier(
    plan: PlanFile,
    k: Annotated[str, typer.Option("--k", help="The values of k: 2-100, or 2,5,10.", show_default="2-100")] = "",
    algorithms: Annotated[
        str, typer.Option("--algorithms", help="The searches: weave,mondrian.", show_default="quick ones")
    ] = "",
    suppression: Annotated[
        str, typer.Option("--suppression", help="Shares of rows that may be left out: 0,0.02.", show_default="plan's")
    ] = "",
    bearable_loss: Annotated[
        float | None, typer.Option("--bearable-loss", help="Ask for the largest k that loses at most this share.")
    ] = None,
    why_not: Annotated[
        bool, typer.Option("--why-not", help="Say what blocks the plan's demand, and price what would help.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write picture and figures to this HTML page.")] = None,
    lang: PageLang = "en",
    as_json: AsJson = False,
    input: Annotated[Path | None, typer.Option("--input", help="Another data file than the plan's.")] = None,
    seed: Annotated[int | None, typer.Option(help="Make the searches repeatable.")] = None,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", help="Seconds after which nothing new is tried.", show_default="60; 20"),
    ] = None,
    overwrite: PageOverwrite = False,
) -> None:
    """Measure loss and risk over k, algorithm and suppression, so that nobody picks k blind; nothing is published."""
    from dataclasses import replace

    from celosia.jobs.frontier import frontier as measure
    from celosia.jobs.frontier.asking import asked_for, check_asked
    from celosia.jobs.frontier.result import check_bearable
    from celosia.jobs.places import check_file
    from celosia.jobs.plan_file import load
    from celosia.report.language import check_language

    check_language(lang)
    check_bearable(bearable_loss)
    varied = k or algorithms or suppression or out is not None or bearable_loss is not None
    check_asked(why_not=why_not, frontier=bool(varied))
    config = load(plan)
    wanted = config.plan if seed is None else replace(config.plan, seed=seed)
    if why_not:
        found_why = _explained(config, wanted, input, time_limit)
        code = 0 if found_why.reachable else 3
        answer(found_why.to_dict(), lambda: _show_why(found_why), as_json=as_json, code=code)
        return
    shares = listed(suppression) if suppression else None
    ks = whole_numbers(",".join(listed(k)), "-", "write --k 2-100 or --k 2,5,10.") if k else []
    options = asked_for(wanted, ks, listed(algorithms), shares, time_limit)
    if out is not None:
        check_file(out, "page", "name a file, such as frontier.html.", overwrite=overwrite, in_folder=True)
    with progress_bar() as bar:
        bar.stage("read")
        table = config.table(input)
        with config.locating():
            found = measure(table, plan=wanted, progress=bar, **options)
            if out is not None:
                found.write(out, lang, bearable_loss=bearable_loss)
    shown = _figures(found, bearable_loss)
    answer(shown, lambda: _show(found, bearable_loss, out), as_json=as_json, code=0 if found.reached else 3)


def _explained(config: Config, plan: Plan, input: Path | None, time_limit: float | None) -> WhyNot:
    """Search for what blocks a plan's demand, and for what would help."""
    from celosia.jobs.why_not import why_not

    limits = {} if time_limit is None else {"time_limit": time_limit}
    with progress_bar() as bar:
        bar.stage("read")
        table = config.table(input)
        with config.locating():
            return why_not(plan, table, progress=bar, **limits)


def _figures(found: Frontier, loss: float | None) -> dict[str, Any]:
    """Return what ``--json`` prints: the frontier, and the answer about a bearable loss."""
    if loss is None:
        return found.to_dict()
    point = found.largest_k(loss)
    return found.to_dict() | {"bearable_loss": loss, "largest_k": None if point is None else point.to_dict()}


def _show(found: Frontier, loss: float | None, out: Path | None) -> None:
    from celosia.jobs.frontier.page import shown_ks
    from celosia.jobs.frontier.words import bearable, budget, named, notes
    from celosia.report.language import Language

    english, best, ks = Language("en"), found.best, shown_ks(found)
    for allowed in found.shares:
        screen.print(f"Information lost (GCP). {budget(allowed, english)}", style="bold", markup=False)
        grid = Grid(header_style="bold")
        for head in ("k", "risk 1/k", *(named(algorithm, found) for algorithm in found.algorithms)):
            grid.add_column(Text(head), justify="right")
        at = {(point.k, repr(point.algorithm)): point for point in found.points if point.max_suppression == allowed}
        for k in ks:
            cells = [_cell(at.get((k, repr(algorithm))), best) for algorithm in found.algorithms]
            is_own = found.own is not None and found.own.k == k and found.own.max_suppression == allowed
            grid.add_row(Text(f"{k} ◆" if is_own else str(k)), Text(share(1 / k)), *cells)
        screen.print(grid)
    if len(ks) < len(found.ks):
        screen.print(f"{len(found.ks) - len(ks)} more values of k: --out FILE or --json shows them.", style="dim")
    screen.print("* no other point has as large a k and loses less", style="dim", markup=False)
    _show_own(found)
    if loss is not None:
        screen.print(bearable(found, loss, english), style="bold", markup=False)
    for reason in dict.fromkeys(point.reason for point in found.points if point.reason is not None):
        screen.print(f"Out of reach: {reason}", markup=False)
    for note in notes(found, english):
        screen.print(note, style="dim", markup=False)
    if out is not None:
        screen.print(f"Written to {out}.", markup=False)


def _cell(point: Point | None, best: list[Point]) -> Text:
    if point is None:
        return Text("not searched", style="dim")
    if not point.is_reached:
        return Text("out of reach", style="red")
    return Text(f"{share(point.gcp)} *", style="bold") if point in best else Text(f"{share(point.gcp)}  ")


def _show_own(found: Frontier) -> None:
    own = found.own
    if own is None:
        screen.print("◆ your plan was not searched: the time was up.", markup=False)
    elif own.is_reached:
        screen.print(
            f"◆ your plan as it stands ({own.name}): k = {own.reached_k}, {share(own.gcp)} lost, "
            f"{share(own.suppressed)} of the rows left out.",
            markup=False,
        )
    else:
        screen.print(f"◆ your plan as it stands is out of reach: {own.reason}", style="red", markup=False)
        screen.print("  celosia frontier PLAN --why-not says what would help, and at what price.", markup=False)


def _show_why(found: WhyNot) -> None:
    """Print why a plan's demand is out of reach and what would help."""
    if found.reachable:
        screen.print("The plan's demand can be met: there is nothing to relax.")
        return
    screen.print("What stands in the way", style="bold")
    for block in found.blocks:
        screen.print(f"- {block.message}", markup=False)
    if found.relaxations:
        rows_table(
            "What would help, the least loss first",
            ["change", "information lost", "rows left out", "k"],
            [
                [one.message, share(one.gcp), f"{one.n_suppressed} of {one.n_rows}", str(one.k)]
                for one in found.relaxations
            ],
        )
        screen.print("Each was tried by a quick search; choose one, nothing was changed.", style="dim")
    else:
        screen.print("Nothing that was tried helps.")
    for name in found.untried:
        screen.print(f"Not tried, the time was up: {name}", style="dim", markup=False)
