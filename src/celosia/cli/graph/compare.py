"""``celosia graph compare``: what an edited graph has kept of the original."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli import options
from celosia.cli.console import answer, progress_bar, rows_table, screen
from celosia.cli.graph.screens import show_written

if TYPE_CHECKING:
    from celosia.graphs.utility import GraphUtility


def compare(
    before: Annotated[
        str | None, typer.Argument(metavar="BEFORE", help="The original's file; the plan's input if left out.")
    ] = None,
    after: Annotated[
        str | None,
        typer.Argument(metavar="AFTER", help="The edited graph's file; that in the plan's output if left out."),
    ] = None,
    plan: options.GraphPlanFile = None,
    matching: Annotated[
        str | None,
        typer.Option(
            "--matching",
            help="Which vertex is which: order, names, none, or a table whose first two columns are names before and "
            "after. Names 0, 1, ... in both files match by order unless you say none.",
        ),
    ] = None,
    directed: options.Directed = None,
    format: options.GraphFormat = None,
    delimiter: options.Delimiter = None,
    header: options.Header = None,
    seed: Annotated[int | None, typer.Option("--seed", help="For repeatable samples and communities.")] = None,
    out: options.GraphPage = None,
    lang: options.PageLang = "en",
    overwrite: options.PageOverwrite = False,
    as_json: options.AsJson = False,
) -> None:
    """Measure what an edited graph has kept of the original."""
    from celosia.jobs.graphs.measuring import compare_graphs, is_doubtful
    from celosia.jobs.graphs.plans import plan_of
    from celosia.jobs.places import check_page, write_page
    from celosia.report.graphs.comparison import render_comparison
    from celosia.report.language import check_language

    check_language(lang)
    if out is not None:
        check_page(out, overwrite=overwrite)
    text_options: dict[str, Any] = {"format": format, "delimiter": delimiter, "header": header}
    asked = plan_of(plan, directed=directed, **text_options)
    with progress_bar() as bar:
        bar.stage("read")
        first, second, found = compare_graphs(asked, before, after, matching, seed, bar, **text_options)
    if out is not None:
        write_page(out, render_comparison(found, (first.name, second.name), lang), overwrite=overwrite)
    doubtful = is_doubtful(found, matching, first)
    answer(found.to_dict(), lambda: _show(found, out, doubtful=doubtful), as_json=as_json)


def _show(found: GraphUtility, out: Path | None, *, doubtful: bool) -> None:
    from celosia.report.graphs.comparison import how_matched, rows_of
    from celosia.report.language import Language

    rows = rows_of(found, Language("en"))
    rows_table("Graphs", ["measure", "before", "after"], [[row.name, row.before, row.after] for row in rows])
    screen.print(how_matched(found, Language("en")), markup=False)
    if doubtful:
        screen.print(
            "Published vertices are shuffled and named anew, 0, 1, 2 ...: if the second graph is a release, name its "
            "plan (--plan) or say --matching none; else the figures of vertices mean nothing.",
            style="yellow",
            markup=False,
        )
    for reason in dict.fromkeys(row.reason for row in rows if row.reason):
        names = ", ".join(row.name for row in rows if row.reason == reason)
        screen.print(f"– {names}: {reason}", markup=False)
    show_written(out)
