"""``celosia graph check``: which models hold, and what the graph gives away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli import options
from celosia.cli.console import answer, figures, print_findings, progress_bar, screen, warned
from celosia.cli.graph.screens import show_models, show_risk, show_written

if TYPE_CHECKING:
    from celosia.graphs.checking import Result

_MOST_NAMES = 20
_COUNTS = ("n_vertices", "n_edges", "n_isolated", "n_loops")


def check(
    graph: options.GraphFile = None,
    plan: options.GraphPlanFile = None,
    model: options.GraphModels = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            help="Look at neighbourhood, closed twins and degree with this k; one of the first two must hold: no graph "
            "without loops satisfies both.",
        ),
    ] = None,
    directed: options.Directed = None,
    multigraph: options.Multigraph = None,
    weight: options.Weight = None,
    bipartite: options.Bipartite = None,
    vertices: options.Vertices = None,
    attributes: options.Attributes = "",
    mask: options.GraphMasks = None,
    format: options.GraphFormat = None,
    delimiter: options.Delimiter = None,
    header: options.Header = None,
    out: options.GraphPage = None,
    lang: options.PageLang = "en",
    overwrite: options.PageOverwrite = False,
    strict: options.Strict = False,
    show_names: Annotated[
        bool, typer.Option("--show-names", help="Name the vertices that break a model; for your eyes only.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Say which models hold, with which parameters at most, and what the graph gives away; code 1 if a model fails.

    Without a model everything is measured.
    """
    from celosia.jobs.graphs.measuring import check_graph
    from celosia.jobs.graphs.plans import models_of, plan_of
    from celosia.jobs.places import check_page, write_page
    from celosia.report.language import check_language

    check_language(lang)
    if out is not None:
        check_page(out, overwrite=overwrite)
    asked = plan_of(
        plan,
        mask or [],
        format=format,
        directed=directed,
        multigraph=multigraph,
        weight=weight,
        bipartite=bipartite,
        vertices=vertices,
        delimiter=delimiter,
        header=header,
    )
    known = tuple(options.listed(attributes))
    models = models_of(model or [], known)
    with progress_bar() as bar:
        bar.stage("read")
        result, holds = check_graph(asked, graph, models, k, known, bar)
    if out is not None:
        from celosia.report.graphs.page import render

        write_page(out, render(result, lang, holds), overwrite=overwrite)
    answer(
        {"holds": holds, **result.to_dict(show_names=show_names)},
        lambda: _show(result, holds, out, show_names=show_names),
        as_json=as_json,
        code=int(holds is False or warned(result.findings, strict=strict)),
    )


def _show(result: Result, holds: bool | None, out: Path | None, *, show_names: bool) -> None:
    from celosia.report.graphs.page import told_findings

    graph = result.graph
    told = graph.to_dict()
    counts = [(name.removeprefix("n_"), f"{told[name]:,}") for name in _COUNTS]
    figures("Graph", [("file", graph.name), ("kind", graph.kind), *counts])
    show_models(result, "Models" if holds is not None else "Models, with their least parameters: nothing was demanded")
    if show_names:
        _show_names(result)
    show_risk(result.risk)
    print_findings(told_findings(result, holds))
    if holds is not None:
        said, style = ("What was asked holds.", "green") if holds else ("What was asked does NOT hold.", "bold red")
        screen.print(said, style=style)
    show_written(out)


def _show_names(result: Result) -> None:
    for one in result.results:
        if one.breaking:
            names = ", ".join(map(str, one.breaking[:_MOST_NAMES]))
            more = f" and {len(one.breaking) - _MOST_NAMES} more: --json" if len(one.breaking) > _MOST_NAMES else ""
            screen.print(f"{one.models[0].name} is broken by {names}{more}", markup=False)
