"""The options that the commands about graphs share, and what they make of a plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from celosia.graphs.judging import GraphModel
    from celosia.jobs.graphs.plans import GraphPlan

GraphFile = Annotated[
    str | None, typer.Argument(metavar="GRAPH", help="The graph's file; the plan's input if left out.")
]
PlanFile = Annotated[
    Path | None,
    typer.Option("--plan", help="A plan of the graph (YAML); options given here take the place of the plan's."),
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", help="A model that must hold: '{kl_anonymity: {k: 2, l: 2, view: neighbours}}'."),
]
Directed = Annotated[bool | None, typer.Option("--directed/--undirected", help="Whether edges have a direction.")]
Multigraph = Annotated[bool | None, typer.Option("--multigraph/--simple", help="Whether parallel edges count.")]
Weight = Annotated[str | None, typer.Option("--weight", help="The attribute of edges that is their weight.")]
Bipartite = Annotated[
    bool | None, typer.Option("--bipartite/--one-mode", help="Whether the two ends are two sets of vertices.")
]
Vertices = Annotated[Path | None, typer.Option("--vertices", help="A table of vertices: names and attributes.")]
Attributes = Annotated[str, typer.Option("--attributes", help="Attributes of vertices that may be known: a,b.")]
Masks = Annotated[
    list[str] | None,
    typer.Option("--mask", help="Done to attributes first: '{generalise: {column: age, intervals: {width: 5}}}'."),
]
Delimiter = Annotated[str | None, typer.Option("--delimiter", help="What separates cells of a text file.")]
Header = Annotated[
    bool | None, typer.Option("--header/--no-header", help="Whether the first line of a text file names its columns.")
]
Lang = Annotated[str, typer.Option("--lang", help="The language of the page: en or es.")]
Strict = Annotated[bool, typer.Option("--strict", help="End with code 1 if there is a warning.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]


def plan_of(file: Path | None, masks: list[str] | None = None, **read_options: Any) -> GraphPlan:
    """Return the plan of a file, or an empty one, in which what was given on the command line takes its place."""
    from celosia.jobs.graphs.plans import GraphPlan, load_plan
    from celosia.jobs.plan_file import mask_of

    plan = GraphPlan() if file is None else load_plan(file)
    given = {name: value for name, value in read_options.items() if value is not None}
    plan = replace(plan, read_options={**plan.read_options, **given})
    return replace(plan, masks=tuple(mask_of(text) for text in masks)) if masks else plan


def listed(text: str) -> list[str]:
    """Return names that are parted by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def known_models(texts: list[str], attributes: str) -> list[GraphModel]:
    """Return the models of ``--model``, against those who know some attributes too unless they name their own."""
    from celosia.graphs.naming import model_of

    return [_knowing(model_of(text), tuple(listed(attributes))) for text in texts]


def _knowing(model: GraphModel, attributes: tuple[str, ...]) -> GraphModel:
    if model.attributes or not attributes:
        return model
    made: GraphModel = replace(model, attributes=attributes)  # type: ignore[type-var]
    return made
