"""``celosia graph run``: a graph's edges edited until models hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli.console import note_placed, print_findings, print_json, progress_bar, screen
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
from celosia.cli.graph.releases import show_release, show_super_graph

if TYPE_CHECKING:
    from celosia.jobs.graphs.methods import Method
    from celosia.jobs.graphs.plans import GraphPlan


def run(
    graph: GraphFile = None,
    plan: PlanFile = None,
    model: Models = None,
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
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing release.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Edit, measure and audit, but write nothing.")] = False,
    strict: Strict = False,
    alternatives: Annotated[
        bool,
        typer.Option("--alternatives", help="Try what the other models would cost, with as much time for each."),
    ] = False,
    directed: Directed = None,
    multigraph: Multigraph = None,
    weight: Weight = None,
    bipartite: Bipartite = None,
    vertices: Vertices = None,
    attributes: Attributes = "",
    mask: Masks = None,
    drop: Annotated[
        str | None, typer.Option("--drop", help="Attributes of vertices or edges left behind: a,b.")
    ] = None,
    new_edges: Annotated[
        str | None, typer.Option("--new-edges", help="Values of new edges: '{weight: 1}'; else they are drawn.")
    ] = None,
    input_format: Annotated[
        str | None, typer.Option("--input-format", help="The format of GRAPH, if the suffix does not tell it.")
    ] = None,
    delimiter: Delimiter = None,
    header: Header = None,
    lang: Lang = "en",
    pdf: Annotated[bool, typer.Option("--pdf", help="Write the report as PDF too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Edit a graph until models hold, or publish it in clusters; verify and write it; code 3 if it cannot be done."""
    from celosia.jobs.graphs.super_release import SuperGraph
    from celosia.report.language import check_language
    from celosia.report.pdf import check_pdf

    check_language(lang)
    if pdf:
        check_pdf()
    asked = plan_of(
        plan,
        mask,
        format=input_format,
        directed=directed,
        multigraph=multigraph,
        weight=weight,
        bipartite=bipartite,
        vertices=vertices,
        delimiter=delimiter,
        header=header,
    )
    asked = _changed(
        asked,
        models=tuple(known_models(model or [], attributes)) or None,
        method=_method(method, attributes),
        edits=edits,
        time_limit=time_limit,
        seed=seed,
        drop=None if drop is None else tuple(listed(drop)),
        new_edges=_values(new_edges),
        output=out,
        format=format,
    )
    asked.check()
    _refuse_idle(asked, alternatives=alternatives, attributes=bool(method and attributes))
    target = _target(asked, graph, dry_run=dry_run, overwrite=overwrite)
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
    if as_json:
        print_json(told)
    else:
        if isinstance(release, SuperGraph):
            show_super_graph(release)
        else:
            show_release(release)
        print_findings(release.findings)
        screen.print("Nothing was written (dry run)." if target is None else f"Written to {target}.", markup=False)
    if strict and any(finding.severity == "warning" for finding in release.findings):
        raise typer.Exit(1)


def _refuse_idle(plan: GraphPlan, *, alternatives: bool, attributes: bool) -> None:
    """Refuse options that the plan's method does not heed."""
    from celosia.base.errors import PlanError

    name = None if plan.method is None else plan.method.name
    if alternatives and name == "super_graph":
        raise PlanError("--alternatives are models, which clusters are no alternative to.", hint="leave it out.")
    if attributes and name == "perturbation":
        raise PlanError("perturbation heeds no attributes.", hint="leave --attributes out.")


def _changed(plan: GraphPlan, **given: Any) -> GraphPlan:
    """Return the plan with what was given on the command line in its place."""
    from celosia.graphs.transforms.base import checked_edits

    if given["edits"] is not None:
        checked_edits(given["edits"])
    if given["method"] is not None and given["models"] is None:
        plan = replace(plan, models=())
    if given["models"] is not None and given["method"] is None:
        plan = replace(plan, method=None)
    return replace(plan, **{name: value for name, value in given.items() if value is not None})


def _values(text: str | None) -> dict[str, Any] | None:
    return None if text is None else _mapping(text, "--new-edges", "such as '{weight: 1}'.")


def _method(text: str | None, attributes: str) -> Method | None:
    """Return the method that was named; ``--attributes`` are those of a super-graph unless it names its own."""
    from celosia.jobs.graphs.methods import method_from

    if text is None:
        return None
    spec: Any = text if text.isidentifier() else _mapping(text, "--method", "such as '{super_graph: {k: 3}}'.")
    found = method_from(spec)
    if attributes and found.name == "super_graph" and "attributes" not in found.options:
        return replace(found, options={**found.options, "attributes": tuple(listed(attributes))})
    return found


def _mapping(text: str, option: str, hint: str) -> dict[str, Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    from celosia.base.errors import OptionError

    try:
        values = YAML(typ="safe").load(text)
    except YAMLError:
        values = None
    if not isinstance(values, dict):
        raise OptionError(f"{option} is a piece of YAML.", hint=hint, about=option.lstrip("-").replace("-", "_"))
    return values


def _target(plan: GraphPlan, graph: str | None, *, dry_run: bool, overwrite: bool) -> Path | None:
    """Return the folder to write, once it is known that it can be, before the search and not after it."""
    from celosia.base.errors import PlanError
    from celosia.data.io.folder import check_target

    if dry_run:
        return None
    if plan.output is None:
        raise PlanError("no release folder is named.", hint="add --out FOLDER, 'output: FOLDER' or --dry-run.")
    check_target(plan.output, overwrite=overwrite)
    source = plan.input if graph is None else Path(graph)
    if source is not None and source.resolve().is_relative_to(plan.output.resolve()):
        raise PlanError("the input lies in the output folder, which the release would replace.", hint="move it away.")
    return plan.output
