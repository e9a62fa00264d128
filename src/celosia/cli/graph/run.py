"""``celosia graph run``: a graph's edges edited until models hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli import options
from celosia.cli.console import answer, note_placed, print_findings, progress_bar, screen, warned
from celosia.cli.graph.screens import show_release, show_super_graph

if TYPE_CHECKING:
    from celosia.jobs.graphs.release import GraphRelease
    from celosia.jobs.graphs.super_release import SuperGraph


def run(
    graph: options.GraphFile = None,
    plan: options.GraphPlanFile = None,
    model: options.GraphModels = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            help="In place of models: '{super_graph: {k: 3}}' publishes clusters, '{perturbation: {share: 0.1}}' "
            "changes edges by chance and promises nothing.",
        ),
    ] = None,
    edits: Annotated[
        str | None, typer.Option("--edits", help="Which edits are allowed: both, add or delete.", show_default="both")
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", help="When to end the search, in seconds.", show_default="10")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Make the run repeatable (for tests; marked in the result).")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The release folder, if not the plan's.")] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="The format of the published graph: csv, graphml ...; a super-graph also as json.",
            show_default="csv",
        ),
    ] = None,
    overwrite: Annotated[bool, options.replacing("release")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Edit, measure and audit, but write nothing.")] = False,
    strict: options.Strict = False,
    alternatives: Annotated[
        bool,
        typer.Option("--alternatives", help="Try what the other models would cost, with as much time for each."),
    ] = False,
    directed: options.Directed = None,
    multigraph: options.Multigraph = None,
    weight: options.Weight = None,
    bipartite: options.Bipartite = None,
    vertices: options.Vertices = None,
    attributes: options.Attributes = "",
    mask: options.GraphMasks = None,
    drop: Annotated[
        str | None, typer.Option("--drop", help="Attributes of vertices or edges left behind: a,b.")
    ] = None,
    new_edges: Annotated[
        str | None, typer.Option("--new-edges", help="Values of new edges: '{weight: 1}'; else they are drawn.")
    ] = None,
    input_format: Annotated[
        str | None, typer.Option("--input-format", help="The format of GRAPH, if the suffix does not tell it.")
    ] = None,
    delimiter: options.Delimiter = None,
    header: options.Header = None,
    lang: options.PageLang = "en",
    pdf: Annotated[bool, typer.Option("--pdf", help="Write the report as PDF too.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Edit a graph until models hold, or publish it in clusters; verify and write it; code 3 if it cannot be done."""
    from celosia.jobs.graphs.plans import mapping_of, method_of, models_of, plan_of
    from celosia.jobs.graphs.super_release import SuperGraph
    from celosia.report.language import check_language
    from celosia.report.pdf import check_pdf

    check_language(lang)
    if pdf:
        check_pdf()
    asked = plan_of(
        plan,
        mask or [],
        format=input_format,
        directed=directed,
        multigraph=multigraph,
        weight=weight,
        bipartite=bipartite,
        vertices=vertices,
        delimiter=delimiter,
        header=header,
    )
    known = options.listed(attributes)
    asked = asked.changed(
        models=models_of(model or [], known) or None,
        method=None if method is None else method_of(method, known),
        edits=edits,
        time_limit=time_limit,
        seed=seed,
        drop=None if drop is None else tuple(options.listed(drop)),
        new_edges=None if new_edges is None else mapping_of(new_edges, "--new-edges", "'{weight: 1}'"),
        output=out,
        format=format,
    )
    asked.check(alternatives=alternatives, attributes=bool(method and attributes))
    target = None if dry_run else asked.target(graph, overwrite=overwrite)
    with progress_bar() as bar:
        bar.stage("read")
        own = asked.graph(graph)
        release = asked.run(own, bar)
        if alternatives and not isinstance(release, SuperGraph):
            release.find_alternatives(progress=bar)
        bar.stage("measure")
        told = release.to_dict()
        if target is not None:
            bar.stage("write")
            release.write(target, format=asked.format, overwrite=overwrite, lang=lang, pdf=pdf)
            note_placed(target)
    answer(told, lambda: _show(release, target), as_json=as_json, code=int(warned(release.findings, strict=strict)))


def _show(release: GraphRelease | SuperGraph, target: Path | None) -> None:
    from celosia.jobs.graphs.super_release import SuperGraph

    if isinstance(release, SuperGraph):
        show_super_graph(release)
    else:
        show_release(release)
    print_findings(release.findings)
    screen.print("Nothing was written (dry run)." if target is None else f"Written to {target}.", markup=False)
