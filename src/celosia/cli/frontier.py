"""``celosia frontier``: what protection costs, and what would help where a demand is out of reach."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table as Grid
from rich.text import Text

from celosia.cli.console import print_json, progress_bar, rows_table, screen, share

if TYPE_CHECKING:
    from celosia.jobs.frontier import Frontier, Point
    from celosia.jobs.plan import Plan
    from celosia.jobs.plan_file import Config
    from celosia.jobs.why_not import WhyNot
    from celosia.search.base import Algorithm

_SECONDS = 60.0


def frontier(
    plan: Annotated[Path, typer.Argument(help="The plan file (YAML).", show_default=False)],
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
    lang: Annotated[str, typer.Option("--lang", help="The language of the page: en or es.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    input: Annotated[Path | None, typer.Option("--input", help="Another data file than the plan's.")] = None,
    seed: Annotated[int | None, typer.Option(help="Make the searches repeatable.")] = None,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", help="Seconds after which nothing new is tried.", show_default="60; 20"),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing page.")] = False,
) -> None:
    """Measure loss and risk over k, algorithm and suppression, so that nobody picks k blind; nothing is published."""
    from dataclasses import replace

    from celosia.base.errors import OptionError
    from celosia.jobs.frontier import frontier as measure
    from celosia.jobs.frontier.result import check_bearable
    from celosia.jobs.plan_file import load
    from celosia.report.language import check_language

    check_language(lang)
    check_bearable(bearable_loss)
    if why_not and (k or algorithms or suppression or out is not None or bearable_loss is not None):
        raise OptionError(
            "--why-not is about the plan as it stands; --k, --algorithms, --suppression, --bearable-loss and --out are "
            "about the frontier.",
            hint="ask for one of them at a time.",
        )
    config = load(plan)
    wanted = config.plan if seed is None else replace(config.plan, seed=seed)
    if why_not:
        _answer(_explained(config, wanted, input, time_limit), as_json=as_json)
        return
    options = _options(wanted, k, algorithms, suppression, time_limit)
    if out is not None:
        _check_out(out, overwrite=overwrite)
    with progress_bar() as bar:
        bar.stage("read")
        table = config.table(input)
        with config.locating():
            found = measure(table, plan=wanted, progress=bar, **options)
            if out is not None:
                found.write(out, lang, bearable_loss=bearable_loss)
    if as_json:
        print_json(_figures(found, bearable_loss))
    else:
        _show(found, bearable_loss, out)
    if not found.reached:
        raise typer.Exit(3)


def _explained(config: Config, plan: Plan, input: Path | None, time_limit: float | None) -> WhyNot:
    """Search for what blocks a plan's demand, and for what would help."""
    from celosia.jobs.why_not import why_not

    limits = {} if time_limit is None else {"time_limit": time_limit}
    with progress_bar() as bar:
        bar.stage("read")
        table = config.table(input)
        with config.locating():
            return why_not(plan, table, progress=bar, **limits)


def _options(plan: Plan, k: str, algorithms: str, suppression: str, time_limit: float | None) -> dict[str, Any]:
    """Return the options of the frontier; what it chooses itself is left out."""
    options: dict[str, Any] = {
        "time_limit": _SECONDS if time_limit is None else time_limit,
        "max_suppression": _shares(suppression) if suppression else [plan.max_suppression],
    }
    if k:
        options["k"] = _ks(k)
    if algorithms:
        options["algorithms"] = [_algorithm(name) for name in _listed(algorithms)]
    return options


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _ks(text: str) -> list[int]:
    """Read ``2-100`` or ``2,5,10-20``."""
    from celosia.base.errors import OptionError

    values: list[int] = []
    for part in _listed(text):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise OptionError("--k must list whole numbers.", hint="write --k 2-100 or --k 2,5,10.", about="k")
        if dash and int(last) < int(first):
            raise OptionError("a range of --k must go upwards.", hint="write --k 2-100.", about="k")
        values.extend(range(int(first), int(last or first) + 1))
    return values


def _shares(text: str) -> list[float]:
    from celosia.base.errors import OptionError

    try:
        return [float(part) for part in _listed(text)]
    except ValueError:
        raise OptionError("--suppression must list shares.", hint="write --suppression 0,0.02,0.05.") from None


def _algorithm(name: str) -> Algorithm:
    from celosia.jobs.registry import build

    made: Algorithm = build("algorithms", name)
    return made


def _check_out(out: Path, *, overwrite: bool) -> None:
    from celosia.base.errors import InputError

    if out.is_dir():
        raise InputError(f"'{out.name}' is a folder, not a page.", hint="name a file, such as frontier.html.")
    if not out.parent.is_dir():
        raise InputError(f"the folder of '{out.name}' does not exist.", hint="make it first.")
    if out.exists() and not overwrite:
        raise InputError(f"'{out.name}' exists.", hint="choose another name, or replace it with --overwrite.")


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


def _answer(answer: WhyNot, *, as_json: bool) -> None:
    """Print why a plan's demand is out of reach and what would help; end with code 3 if it is."""
    if as_json:
        print_json(answer.to_dict())
    elif answer.reachable:
        screen.print("The plan's demand can be met: there is nothing to relax.")
    else:
        screen.print("What stands in the way", style="bold")
        for block in answer.blocks:
            screen.print(f"- {block.message}", markup=False)
        if answer.relaxations:
            rows_table(
                "What would help, the least loss first",
                ["change", "information lost", "rows left out", "k"],
                [
                    [one.message, share(one.gcp), f"{one.n_suppressed} of {one.n_rows}", str(one.k)]
                    for one in answer.relaxations
                ],
            )
            screen.print("Each was tried by a quick search; choose one, nothing was changed.", style="dim")
        else:
            screen.print("Nothing that was tried helps.")
        for name in answer.untried:
            screen.print(f"Not tried, the time was up: {name}", style="dim", markup=False)
    if not answer.reachable:
        raise typer.Exit(3)
