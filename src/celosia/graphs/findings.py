"""What a user should know about a checked graph beside the verdict, and about a made one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from celosia.base.findings import Finding
from celosia.base.progress import Progress
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel, Judgement
from celosia.graphs.models import DegreeAnonymity, KLAnonymity
from celosia.graphs.publishing import Published
from celosia.graphs.risk import GraphRisk
from celosia.graphs.risk.links import link_risk
from celosia.graphs.risk.neighbours import are_pairs_few

_SIDE = "\0side"  # no attribute of a file is called so


SEARCH_STOPPED = Finding(
    "SEARCH_STOPPED",
    "note",
    "The search was stopped before its end: this is the best graph that it had found. It satisfies every model; a "
    "longer search may take fewer edits.",
)


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
        n_isolated = int(np.count_nonzero(~graph.is_linked))
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


def findings_of_edits(
    original: Graph, made: Published, n_deleted: int, declared: Mapping[str, pl.Series]
) -> list[Finding]:
    """Return the findings about what was lost, and about what new edges and attributes give away.

    ``GRAPH_EMPTIED``: no edge is left. ``MOST_EDGES_LOST``: fewer than half of the original's edges are left, or fewer
    than half of the vertices that had an edge still have one. ``MOST_EDGES_NEW``: more than half of the published edges
    are new. ``NEW_EDGES_RECOGNISABLE``: of the edges with the declared values more than half are new.

    Parameters
    ----------
    original, made
        The graph before and after.
    n_deleted
        How many edges were deleted.
    declared
        The values that were declared for new edges.

    Examples
    --------
    >>> from celosia.graphs.publishing import published
    >>> from celosia.graphs.transforms.base import Edited
    >>> from celosia.base.chance import Randomness
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> made = published(path, Edited(path.source[:0], path.target[:0]), np.array([2, 0, 1]), {}, Randomness())
    >>> [found.code for found in findings_of_edits(path, made, 2, {})]
    ['GRAPH_EMPTIED']
    """
    return [
        *_losses(original, made, n_deleted),
        *_about_new_edges(made, declared),
        *_about_edge_attributes(made.graph),
    ]


def n_non_isolated(graph: Graph) -> int:
    """Return how many vertices have an edge.

    Examples
    --------
    >>> n_non_isolated(Graph.of_edges([0], [1], 3))
    2
    """
    return int(graph.is_linked.sum())


def _losses(original: Graph, made: Published, n_deleted: int) -> Iterator[Finding]:
    graph = made.graph
    n_before, n_kept = original.n_edges, original.n_edges - n_deleted
    linked_before, linked = n_non_isolated(original), n_non_isolated(graph)
    if n_before and not graph.n_edges:
        yield Finding(
            "GRAPH_EMPTIED",
            "warning",
            "The graph was emptied: none of {n_before} edges is left, and all {n_vertices} vertices are isolated. It "
            "hides everybody and tells nothing but their number. Ask for another model, or other edits; from k = 3 on "
            "a smaller k may keep more.",
            values={"n_before": n_before, "n_vertices": graph.n_vertices},
            n_rows=graph.n_vertices,
        )
    elif 2 * n_kept < n_before or 2 * linked < linked_before:
        yield Finding(
            "MOST_EDGES_LOST",
            "warning",
            "Most of the graph was lost: {n_kept} of {n_before} edges of the original are left, and {linked} of "
            "{linked_before} vertices that had an edge still have one.",
            values={"n_kept": n_kept, "n_before": n_before, "linked": linked, "linked_before": linked_before},
        )
    n_new = int(made.is_new.sum())
    if 2 * n_new > graph.n_edges:
        yield Finding(
            "MOST_EDGES_NEW",
            "warning",
            "Most edges of the published graph are new: {n_new} of {n_edges} are not in the original.",
            values={"n_new": n_new, "n_edges": graph.n_edges},
        )


def _about_new_edges(made: Published, declared: Mapping[str, pl.Series]) -> Iterator[Finding]:
    n_new, cells = int(made.is_new.sum()), made.graph.edges
    if not n_new or not cells.width:
        return
    if set(declared) < set(cells.columns):
        yield Finding(
            "NEW_EDGES_DRAWN",
            "note",
            "{n_new} new edges have attributes of edges that were there, drawn by chance: empty or constant ones would "
            "mark them. They say nothing true about these links.",
            values={"n_new": n_new},
        )
    if not declared:
        return
    names = list(declared)
    is_same = np.ones(cells.height, dtype=np.bool_)
    for name, value in declared.items():
        is_same &= cells[name].eq_missing(value.new_from_index(0, cells.height)).to_numpy().astype(np.bool_)
    n_old = int((is_same & ~made.is_new).sum())
    if n_new > n_old:
        yield Finding(
            "NEW_EDGES_RECOGNISABLE",
            "warning",
            "The values declared for new edges ({names}) give them away: {n_new} new edges have them, and only {n_old} "
            "of the others. Whoever removes those edges undoes what was added. Leave the declaration out: then values "
            "are drawn.",
            values={"names": ", ".join(names), "n_new": n_new, "n_old": n_old},
        )


def _about_edge_attributes(graph: Graph) -> Iterator[Finding]:
    for column in graph.edges.get_columns():
        n_values = column.n_unique()
        if n_values > 1:
            yield Finding(
                "EDGE_ATTRIBUTE",
                "warning",
                "The attribute '{column}' of edges has {n_values} different values, and no model protects it: whoever "
                "knows it of a person's links may find the person. Drop it, or make it coarser before you read it.",
                column.name,
                values={"n_values": n_values},
            )
