"""``celosia graph compare``: what an edited graph has kept of the original."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli.console import print_json, progress_bar, rows_table, screen
from celosia.cli.graph.options import AsJson, Delimiter, Directed, Header, Lang, PlanFile, plan_of
from celosia.cli.graph.pages import Out, Overwrite, check_page, show_written, write_page

if TYPE_CHECKING:
    from celosia.graphs.graph import Graph
    from celosia.graphs.utility import GraphUtility
    from celosia.jobs.graphs.plans import GraphPlan


def compare(
    before: Annotated[
        str | None, typer.Argument(metavar="BEFORE", help="The original's file; the plan's input if left out.")
    ] = None,
    after: Annotated[
        str | None,
        typer.Argument(metavar="AFTER", help="The edited graph's file; that in the plan's output if left out."),
    ] = None,
    plan: PlanFile = None,
    matching: Annotated[
        str | None,
        typer.Option(
            "--matching",
            help="Which vertex is which: order, names, none, or a table whose first two columns are names before and "
            "after. Names 0, 1, ... in both files match by order unless you say none.",
        ),
    ] = None,
    directed: Directed = None,
    format: Annotated[str | None, typer.Option("--format", help="The format, if the suffix does not tell it.")] = None,
    delimiter: Delimiter = None,
    header: Header = None,
    seed: Annotated[int | None, typer.Option("--seed", help="For repeatable samples and communities.")] = None,
    out: Out = None,
    lang: Lang = "en",
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Measure what an edited graph has kept of the original."""
    from celosia.graphs.files import read
    from celosia.graphs.utility import utility
    from celosia.report.graphs.comparison import render_comparison

    check_page(out, lang, overwrite=overwrite)
    text_options: dict[str, Any] = {"format": format, "delimiter": delimiter, "header": header}
    asked = plan_of(plan, directed=directed, **text_options)
    is_released = after is None
    with progress_bar() as bar:
        bar.stage("read")
        first = asked.graph(before)
        if is_released:
            second = _released(asked, first)
        else:
            second = read(after, directed=first.directed if plan is not None else directed, **text_options)
        told = "none" if is_released and matching is None else matching  # the names of a release are always fresh
        found = utility(first, second, _matching(told, first, second), seed=seed, progress=bar)
    if out is not None:
        write_page(out, render_comparison(found, (first.name, second.name), lang), overwrite=overwrite)
    if as_json:
        print_json(found.to_dict())
        return
    _show(found, is_doubtful=matching is None and _is_numbered(first))
    show_written(out)


def _released(plan: GraphPlan, original: Graph) -> Graph:
    """Return the graph in the folder that a plan names as its output."""
    from celosia.base.errors import PlanError
    from celosia.graphs.files import read
    from celosia.jobs.graphs.folders import graph_file

    if plan.output is None:
        raise PlanError("there is no edited graph to compare with.", hint="name its file, or a plan with an output.")
    if plan.method is not None and plan.method.name == "super_graph":
        raise PlanError(
            "a super-graph has clusters in place of vertices: it is not compared vertex by vertex.",
            hint="its report tells what is lost, and what a reader can make of it.",
        )
    beside = sorted(plan.output.glob("vertices.*"))
    return read(
        graph_file(plan.output, plan.format),
        format=plan.format,
        directed=original.directed,
        vertices=next(iter(beside), None),
    )


def _matching(text: str | None, before: Graph, after: Graph) -> Any:
    """Return how vertices are matched; names in a file are compared as texts."""
    if text is None or text in ("order", "names", "none"):
        return text
    import polars as pl

    from celosia.base.errors import FormatError
    from celosia.data.io import read

    frame = read(text).frame
    if frame.width < 2:
        raise FormatError(
            f"{Path(text).name} has one column.", hint="the first names vertices before, the second after."
        )
    told = [frame.to_series(place).cast(pl.String).to_list() for place in (0, 1)]
    known = [{str(name): name for name in graph.names.to_list()} for graph in (before, after)]
    firsts, seconds = ([names.get(name, name) for name in column] for names, column in zip(known, told, strict=True))
    found = [(one, two) for one, two in zip(firsts, seconds, strict=True) if one is not None and two is not None]
    if len({one for one, _ in found}) < len(found):
        raise FormatError(f"{Path(text).name} names a vertex twice.", hint="keep one row per vertex.")
    return dict(found)


def _is_numbered(graph: Graph) -> bool:
    """Say whether vertices are called 0, 1, 2 ..., as those of every release are."""
    return set(map(str, graph.names.to_list())) == set(map(str, range(graph.n_vertices)))


def _show(found: GraphUtility, *, is_doubtful: bool) -> None:
    from celosia.report.graphs.comparison import how_matched, rows_of
    from celosia.report.language import Language

    rows = rows_of(found, Language("en"))
    rows_table("Graphs", ["measure", "before", "after"], [[row.name, row.before, row.after] for row in rows])
    screen.print(how_matched(found, Language("en")), markup=False)
    if found.matched_by == "order" and is_doubtful:
        screen.print(
            "Published vertices are shuffled and named anew, 0, 1, 2 ...: if the second graph is a release, name its "
            "plan (--plan) or say --matching none; else the figures of vertices mean nothing.",
            style="yellow",
            markup=False,
        )
    for reason in dict.fromkeys(row.reason for row in rows if row.reason):
        names = ", ".join(row.name for row in rows if row.reason == reason)
        screen.print(f"– {names}: {reason}", markup=False)
