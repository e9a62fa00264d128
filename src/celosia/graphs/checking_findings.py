"""What a user should know about a checked graph beside the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from celosia.base.findings import Finding
from celosia.base.progress import Progress
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel, Judgement
from celosia.graphs.models import DegreeAnonymity, KLAnonymity
from celosia.graphs.risk import GraphRisk
from celosia.graphs.risk.links import link_risk
from celosia.graphs.risk.neighbours import are_pairs_few

_SIDE = "\0side"  # no attribute of a file is called so


def findings_about(
    graph: Graph,
    models: Sequence[GraphModel],
    judgements: Sequence[Judgement],
    risk: GraphRisk,
    progress: Progress | None = None,
) -> list[Finding]:
    """Return the findings about a graph and the models it was checked against.

    Examples
    --------
    >>> from celosia.graphs.models import NeighbourhoodAnonymity
    >>> from celosia.graphs.risk import risk
    >>> square, model = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), NeighbourhoodAnonymity(2)
    >>> [found.code for found in findings_about(square, [model], [model.judge(square)], risk(square))]
    ['LINKS_DISCLOSED']
    """
    if not graph.n_vertices:
        return [_empty()]
    found = list(_about_graph(graph, models))
    for model, judgement in zip(models, judgements, strict=True):
        found += _about_model(graph, model, judgement, risk, progress)
    return list({(one.code, one.message): one for one in found}.values())


def _about_graph(graph: Graph, models: Sequence[GraphModel]) -> Iterator[Finding]:
    if not graph.n_edges:
        yield Finding(
            "NO_EDGES",
            "warning",
            "The graph has {n_vertices} vertices and no edge: all of them are alike, and nothing is left to know.",
            values={"n_vertices": graph.n_vertices},
        )
    else:
        n_isolated = int(np.count_nonzero((graph.out.degrees == 0) & (graph.into.degrees == 0)))
        if n_isolated:
            yield Finding(
                "ISOLATED_VERTICES",
                "note",
                "{n_isolated} vertices have no edge: they hide only among each other, and known neighbours say nothing "
                "about them.",
                values={"n_isolated": n_isolated},
            )
    if not are_pairs_few(graph):
        yield Finding(
            "TWO_NEIGHBOURS_LEFT_ASIDE",
            "note",
            "The risk by two known neighbours was not measured: there are too many pairs of neighbours to look at "
            "beside the models. Ask for the risk itself, or for (k, 2)-anonymity.",
        )
    named = {name for model in models for name in model.attributes}
    left_aside = [name for name in graph.vertices.columns if name not in named]
    if left_aside:
        yield Finding(
            "ATTRIBUTES_LEFT_ASIDE",
            "note",
            "Vertices have {n_attributes} attributes that no model names: whoever knows them may tell more vertices "
            "apart than is said here.",
            values={"n_attributes": len(left_aside)},
        )


def _about_model(
    graph: Graph, model: GraphModel, judgement: Judgement, risk: GraphRisk, progress: Progress | None
) -> Iterator[Finding]:
    links = link_risk(graph, judgement.labels)
    if links.n_certain_links:
        yield Finding(
            "LINKS_DISCLOSED",
            "note",
            "Anonymity sets hide vertices, not links: for {n_links} pairs of vertices the sets alone tell that they "
            "are linked, and for {n_absences} that they are not, of {n_pairs} pairs ({model}).",
            values={
                "n_links": links.n_certain_links,
                "n_absences": links.n_certain_absences,
                "n_pairs": links.n_pairs,
                "model": model.name,
            },
        )
    if model.attributes:
        yield from _about_attributes(graph, model, judgement, progress)
    if graph.sides is not None:
        yield from _about_sides(graph, model, judgement, progress)
    if isinstance(model, KLAnonymity):
        yield from _about_known_neighbours(graph, model, judgement)
    n_unique = risk["neighbour_degrees"].n_unique
    if isinstance(model, DegreeAnonymity) and judgement.satisfied and n_unique:
        yield Finding(
            "DEGREE_BARELY_HELPS",
            "warning",
            "Every degree is shared, yet {n_unique} of {n_vertices} vertices are unique by the degrees of their "
            "neighbours: whoever knows those finds them.",
            values={"n_unique": n_unique, "n_vertices": graph.n_vertices},
            n_rows=n_unique,
        )


def _about_attributes(
    graph: Graph, model: GraphModel, judgement: Judgement, progress: Progress | None
) -> Iterator[Finding]:
    without: GraphModel = replace(model, attributes=())  # type: ignore[type-var]
    bare = without.judge(graph, progress)
    if bare.strongest_k > judgement.strongest_k:
        yield Finding(
            "ATTRIBUTES_SPLIT",
            "note",
            "By structure alone {model} holds with k = {k_without}; with the attributes known as well k is {k_with}.",
            values={"model": model.name, "k_without": bare.strongest_k, "k_with": judgement.strongest_k},
        )


def _about_sides(graph: Graph, model: GraphModel, judgement: Judgement, progress: Progress | None) -> Iterator[Finding]:
    """Tell what is left where the side is known: a written graph shows it, and people are no events."""
    sided = replace(graph, vertices=graph.vertices.with_columns(pl.Series(_SIDE, graph.sides)))
    knowing: GraphModel = replace(model, attributes=(*model.attributes, _SIDE))  # type: ignore[type-var]
    known = knowing.judge(sided, progress)
    if "strongest_k" not in known.lower_bounds and known.strongest_k < judgement.strongest_k:
        yield Finding(
            "SIDES_KNOWN",
            "warning",
            "{model} counts vertices of both sides of the graph as candidates for each other. Whoever knows on which "
            "side a vertex is, and the graph shows it, is left with k = {k_with}, not {k_without}. Name "
            "the side as a known attribute, and the model tells them apart.",
            values={"model": model.name, "k_with": known.strongest_k, "k_without": judgement.strongest_k},
        )


def _about_known_neighbours(graph: Graph, model: KLAnonymity, judgement: Judgement) -> Iterator[Finding]:
    if not model.exclude_known and (model.view == "rows" or graph.has_loops):
        yield Finding(
            "KNOWN_MAY_BE_CANDIDATE",
            "warning",
            "A vertex that the attacker knows may itself be among the k candidates and be ruled out: the chance to be "
            "found is not bounded by 1 / k. Ask for exclude_known.",
        )
    if judgement.strongest_k == 1 and "strongest_k" not in judgement.lower_bounds:
        yield Finding(
            "TRIVIAL_KL",
            "note",
            "With l = {l} no k from 2 on holds: somebody is left with one candidate. The profile says how much "
            "knowledge it takes for each vertex.",
            values={"l": model.l},
        )
    n_cut = 0 if judgement.profile is None else int(np.count_nonzero(judgement.profile < 0))
    n_undecided = len(judgement.undecided)
    if n_undecided:
        yield Finding(
            "PROFILE_CUT",
            "warning",
            "The search was cut off before it could say of {n_undecided} vertices whether they break the model; it "
            "counts as not satisfied.",
            values={"n_undecided": n_undecided},
            n_rows=n_undecided,
        )
    elif n_cut:
        yield Finding(
            "PROFILE_CUT",
            "note",
            "The search for the smallest l that breaks each vertex was cut off for {n_cut} vertices; the verdict does "
            "not depend on them.",
            values={"n_cut": n_cut},
            n_rows=n_cut,
        )
    elif _ended_early(graph, model, judgement):
        yield Finding(
            "PROFILE_CUT",
            "note",
            "The search for the smallest l that breaks each vertex ended at l = {up_to}: going on would take long.",
            values={"up_to": judgement.profile_up_to or 0},
        )


def _ended_early(graph: Graph, model: KLAnonymity, judgement: Judgement) -> bool:
    """Say whether more l could have been looked at for somebody."""
    if judgement.profile is None or judgement.profile_up_to is None or judgement.profile.all():
        return False
    n_places = graph.n_vertices * (2 if graph.directed else 1)
    return judgement.profile_up_to < min(model.profile_up_to, n_places)


def _empty() -> Finding:
    return Finding("GRAPH_EMPTY", "warning", "The graph has no vertices: no model holds of it, and there is no risk.")
