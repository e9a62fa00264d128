"""perturbed: edges deleted and added by chance, a baseline that promises nothing."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import AuditError, OptionError, UnreachableError
from celosia.base.findings import Finding
from celosia.base.progress import Progress, Quiet
from celosia.graphs.auditing import audit_edits
from celosia.graphs.colours import neighbour_degree_labels
from celosia.graphs.files.reading import given_graph
from celosia.graphs.graph import Graph
from celosia.graphs.naming import every_model
from celosia.graphs.publishing import Published, declared_values, prepared, published
from celosia.graphs.transforms.base import Edited, edge_keys, every_pair, n_pairs, without_forbidden
from celosia.jobs.graphs.release import GraphRelease
from celosia.masks.base import Mask

_MOST_ROUNDS = 200


def perturbed(
    graph: Any,
    share: float,
    *,
    keep_edges: bool = True,
    new_edges: Mapping[str, Any] | None = None,
    masks: Sequence[Mask] = (),
    drop: Collection[str] = (),
    seed: int | None = None,
    progress: Progress | None = None,
) -> GraphRelease:
    """Delete a share of the edges by chance and, unless told otherwise, add as many where there were none.

    A baseline to hold transforms against, and no protection: no model is met on purpose, and most people stay as easy
    to find as before. A finding says so, with how many vertices their degree and those of their neighbours still single
    out. The models of the release are measured only, with their least parameters.

    Parameters
    ----------
    graph
        A Graph, or what ``read`` takes; no parallel edges.
    share
        Which share of the edges goes, from 0 to 1; rounded to whole edges.
    keep_edges
        Whether as many are added as deleted, so that the number of edges stays. New edges are never loops, and a
        bipartite graph stays so.
    new_edges, masks, drop
        As in ``run``.
    seed
        For repeatable runs: for tests, as whoever knows it can undo the shuffle.

    Guarantee
    ---------
    None. Only that edges were chosen by chance, each set of so many as likely as any other.

    Raises
    ------
    UnreachableError
        There are no vertices, or not enough pairs without an edge to add as many as were deleted.
    InputError
        The graph has parallel edges, or an attribute repeats the names of vertices.
    OptionError
        An option is out of range.
    AuditError
        The result did not stand up to the last look; nothing is handed out.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> made = perturbed(path, 0.5, seed=1)
    >>> made.n_added, made.n_deleted, made.graph.n_edges, made.findings[0].code
    (2, 2, 4, 'NO_MODEL_PROMISED')
    """
    start = time.monotonic()
    wanted, randomness, shown = checked_share(share), Randomness(seed), progress or Quiet()
    if not isinstance(keep_edges, bool):
        raise OptionError("keep_edges must be true or false.", hint="true is usual.", about="keep_edges")
    given = given_graph(graph)
    own = prepared(given, masks, drop)
    if not own.n_vertices:
        raise UnreachableError(f"{own.name} has no vertices: there is nothing to publish.", hint="check the input.")
    declared = declared_values(own, new_edges)
    shown.stage("perturb")
    n_changed = round(wanted * own.n_edges)
    order = randomness.permutation(own.n_vertices).astype(np.int64)
    edited = _by_chance(own, n_changed, keep_edges, randomness)
    search_seconds = time.monotonic() - start
    shown.stage("audit")
    made = published(own, edited, order, declared, randomness)
    counts = audit_edits(own, made, "both" if keep_edges else "delete")
    if counts != (n_changed if keep_edges else 0, n_changed):
        raise AuditError("the perturbed graph was rejected: other edges were changed than drawn.", hint=_HINT)
    made = replace(made, graph=_warned(own, made, n_changed))
    models = tuple(every_model())
    return GraphRelease(
        original=own,
        made=made,
        models=models,
        judgements=tuple(model.judge(made.graph, shown) for model in models),
        edits="both" if keep_edges else "delete",
        n_added=counts[0],
        n_deleted=counts[1],
        lower_bound=None,
        declared=declared,
        method={"perturbation": {"share": wanted, "keep_edges": keep_edges}},
        masks=tuple(masks),
        dropped=tuple(drop),
        given_findings=given.findings,
        seed=seed,
        search_seconds=search_seconds,
        seconds=time.monotonic() - start,
    )


_HINT = "nothing was handed out. This is a fault of Celosía: please report it, without the graph."


def _by_chance(graph: Graph, n_changed: int, keep_edges: bool, randomness: Randomness) -> Edited:
    """Return the edges without so many of them, and with as many new ones where the number is kept."""
    stay = np.sort(randomness.permutation(graph.n_edges)[n_changed:])
    source, target = graph.source[stay], graph.target[stay]
    if keep_edges and n_changed:
        first, second = _drawn_pairs(graph, n_changed, randomness)
        source, target = np.concatenate([source, first]), np.concatenate([target, second])
    return Edited(source, target)


def checked_share(share: object) -> float:
    """Return a share from 0 to 1, or raise ``OptionError``.

    Examples
    --------
    >>> checked_share(0.1)
    0.1
    """
    if isinstance(share, bool) or not isinstance(share, Real) or not 0 <= float(share) <= 1:
        raise OptionError("share must be a number from 0 to 1.", hint="0.1 changes a tenth.", about="share")
    return float(share)


def _drawn_pairs(graph: Graph, n_wanted: int, randomness: Randomness) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return so many different pairs of vertices that the graph does not link, each as likely as any other."""
    n_free = n_pairs(graph) - int(np.count_nonzero(graph.source != graph.target))
    if n_free < n_wanted:
        raise UnreachableError(
            f"{n_wanted} edges were to be added, but only {n_free} pairs of vertices are not linked.",
            hint="take a smaller share, or keep_edges=False.",
        )
    taken = np.sort(edge_keys(graph.source, graph.target, graph))
    found = np.zeros(0, dtype=np.int64)
    for _ in range(_MOST_ROUNDS):
        n_missing = n_wanted - len(found)
        if not n_missing:
            break
        drawn = _any_pairs(graph, 2 * n_missing + 16, randomness)
        drawn = drawn[~np.isin(drawn, taken) & ~np.isin(drawn, found)]
        found = np.concatenate([found, _unrepeated(drawn)[:n_missing]])
    if len(found) < n_wanted:  # nearly all pairs are linked: list the others
        free = np.setdiff1d(np.setdiff1d(every_pair(graph), taken), found)
        picked = randomness.permutation(len(free))[: n_wanted - len(found)]
        found = np.concatenate([found, free[picked]])
    n = graph.n_vertices
    return (found // n).astype(np.int32), (found % n).astype(np.int32)


def _any_pairs(graph: Graph, n_drawn: int, randomness: Randomness) -> NDArray[np.int64]:
    """Return pairs by chance as keys, linked ones among them."""
    n = np.uint64(graph.n_vertices)
    ends = [(randomness.keys(n_drawn) % n).astype(np.int32) for _ in range(2)]
    return edge_keys(*without_forbidden(graph, *ends), graph)


def _unrepeated(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return keys in their order, each once: sorted, the first of them would be the lowest pairs."""
    return keys[np.sort(np.unique(keys, return_index=True)[1])]


def _warned(original: Graph, made: Published, n_changed: int) -> Graph:
    """Return the published graph with a finding that says how little this helps."""
    before, after = (_n_unique(one) for one in (original, made.graph))
    finding = Finding(
        "NO_MODEL_PROMISED",
        "warning",
        "{n_changed} edges were changed by chance, which promises no model: {n_unique} vertices are unique by their "
        "degree and those of their neighbours ({n_before} before). Whoever knows more finds most people again.",
        values={"n_changed": n_changed, "n_unique": after, "n_before": before},
        n_rows=after,
    )
    return replace(made.graph, findings=(finding, *made.graph.findings))


def _n_unique(graph: Graph) -> int:
    return int(np.count_nonzero(np.bincount(neighbour_degree_labels(graph)) == 1))
