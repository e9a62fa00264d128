"""``celosia graph check``: which models hold, and what the graph gives away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli.console import figures, print_findings, print_json, progress_bar, screen
from celosia.cli.graph.options import (
    AsJson,
    Attributes,
    Bipartite,
    Delimiter,
    Directed,
    GraphFile,
    Header,
    Lang,
    Masks,
    Models,
    Multigraph,
    PlanFile,
    Strict,
    Vertices,
    Weight,
    known_models,
    listed,
    plan_of,
)
from celosia.cli.graph.pages import Out, Overwrite, check_page, show_written, write_page
from celosia.cli.graph.screens import show_models, show_risk

if TYPE_CHECKING:
    from celosia.graphs.checking import Result

_TWINS = ("neighbourhood_anonymity", "closed_twin_anonymity")
_MOST_NAMES = 20
_COUNTS = ("n_vertices", "n_edges", "n_isolated", "n_loops")


def check(
    graph: GraphFile = None,
    plan: PlanFile = None,
    model: Models = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            help="Look at neighbourhood, closed twins and degree with this k; one of the first two must hold: no graph "
            "without loops satisfies both.",
        ),
    ] = None,
    directed: Directed = None,
    multigraph: Multigraph = None,
    weight: Weight = None,
    bipartite: Bipartite = None,
    vertices: Vertices = None,
    attributes: Attributes = "",
    mask: Masks = None,
    format: Annotated[str | None, typer.Option("--format", help="The format, if the suffix does not tell it.")] = None,
    delimiter: Delimiter = None,
    header: Header = None,
    out: Out = None,
    lang: Lang = "en",
    overwrite: Overwrite = False,
    strict: Strict = False,
    show_names: Annotated[
        bool, typer.Option("--show-names", help="Name the vertices that break a model; for your eyes only.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say which models hold, with which parameters at most, and what the graph gives away; code 1 if a model fails.

    Without a model everything is measured.
    """
    from celosia.graphs.attributes import masked
    from celosia.graphs.checking import check as judge
    from celosia.graphs.files.outgoing import without
    from celosia.graphs.naming import every_model, models_at

    check_page(out, lang, overwrite=overwrite)
    asked = plan_of(
        plan,
        mask,
        format=format,
        directed=directed,
        multigraph=multigraph,
        weight=weight,
        bipartite=bipartite,
        vertices=vertices,
        delimiter=delimiter,
        header=header,
    )
    known = tuple(listed(attributes))
    named = known_models(model or [], attributes) or ([] if k is not None else list(asked.models))
    models = [*named, *(models_at(k, known) if k is not None else [])] or every_model(known)
    with progress_bar() as bar:
        bar.stage("read")
        own = asked.graph(graph)
        with asked.locating():
            result = judge(without(masked(own, asked.masks), asked.drop), models, bar)
    holds = _holds(result, len(named), k)
    if out is not None:
        from celosia.report.graphs.page import render

        write_page(out, render(result, lang, holds), overwrite=overwrite)
    if as_json:
        print_json({"holds": holds, **result.to_dict(show_names=show_names)})
    else:
        _show(result, holds, show_names=show_names)
        show_written(out)
    if holds is False or (strict and any(finding.severity == "warning" for finding in result.findings)):
        raise typer.Exit(1)


def _holds(result: Result, n_asked: int, k: int | None) -> bool | None:
    """Say whether what was asked holds; nothing was without ``--model``, ``--k`` and models in a plan."""
    if not n_asked and k is None:
        return None
    named = all(judgement.satisfied for judgement in result.judgements[:n_asked])
    rest = zip(result.models[n_asked:], result.judgements[n_asked:], strict=True)
    return named and (k is None or any(judgement.satisfied for model, judgement in rest if model.name in _TWINS))


def _show(result: Result, holds: bool | None, *, show_names: bool) -> None:
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


def _show_names(result: Result) -> None:
    for one in result.results:
        if one.breaking:
            names = ", ".join(map(str, one.breaking[:_MOST_NAMES]))
            more = f" and {len(one.breaking) - _MOST_NAMES} more: --json" if len(one.breaking) > _MOST_NAMES else ""
            screen.print(f"{one.models[0].name} is broken by {names}{more}", markup=False)
