"""Degree anonymity by few edits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Graph
from celosia.graphs.models.degree import DegreeAnonymity
from celosia.graphs.transforms.base import Edited, Task
from celosia.graphs.transforms.degree_bounds import fewest_edits
from celosia.graphs.transforms.degree_edits import no_edits
from celosia.graphs.transforms.degree_exact import exact
from celosia.graphs.transforms.degree_nodes import Nodes, edited, nodes_of
from celosia.graphs.transforms.degree_search import searched, searched_higher

_SHARE_OF_HIGHER = 0.5  # of the time left, for larger k, before small graphs are solved exactly


def degree(task: Task, model: DegreeAnonymity) -> Edited:
    """Return the edges of a graph that is degree anonymous, with few edits.

    Degrees to aim at are found first: sorted degrees are cut into stretches of at least k, by dynamic programming and
    then by annealing with a closer look at how the wanted changes fit together. Edits lead there: links between
    vertices that both want more or less, then links to vertices of frequent degrees, then moved links. Small graphs
    are annealed further, and solved exactly where scipy is installed and time allows. With deletions it always
    succeeds: the empty graph is anonymous.

    Raises
    ------
    UnreachableError
        There are fewer than k vertices, in all or equal in the known attributes; or only additions are allowed and
        they cannot lead there, or none that do were found. The message says which.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> result = degree(Task(path), DegreeAnonymity(3))
    >>> result.n_edits(path), result.lower_bound
    (1, 1)
    """
    groups = task.groups(model)
    _check_sizes(groups, model)
    task.progress.stage("search degrees")
    nodes = nodes_of(task, groups, model.k)
    if nodes.smallest_set(nodes.degrees.astype(np.int64)) >= model.k:
        return edited(task.graph, nodes, no_edits(), 0)
    seed = int(task.randomness.keys(1)[0])
    best, bound = searched(task, nodes, seed), fewest_edits(nodes)
    is_impossible = False
    if best is not None and len(best[0]) > bound:
        best = searched_higher(task.within(_SHARE_OF_HIGHER * task.seconds_left), nodes, best, seed)
    if best is None or len(best[0]) > bound:
        best, bound, is_impossible = exact(task, nodes, best, bound)
    if best is None and not is_impossible:
        best = searched_higher(task, nodes, best, seed)
    if best is None:
        raise _unreachable(nodes, task.graph, is_impossible)
    return edited(task.graph, nodes, best, bound)


def _check_sizes(groups: NDArray[np.int64], model: DegreeAnonymity) -> None:
    if len(groups) < model.k:
        raise UnreachableError(
            f"degree anonymity with k = {model.k} needs at least {model.k} vertices; there are {len(groups)}.",
            hint=f"a k of at most {len(groups)} could do." if len(groups) > 1 else "",
        )
    sizes = np.bincount(groups)
    n_small = int(np.count_nonzero(sizes < model.k))
    if n_small:
        raise UnreachableError(
            f"{n_small} of {len(sizes)} combinations of the known attributes have fewer than k = {model.k} vertices;"
            " no edit of links can hide these.",
            hint="mask the attributes coarser (masks), or lower k.",
        )


def _unreachable(nodes: Nodes, graph: Graph, is_impossible: bool) -> UnreachableError:
    said = "cannot be reached" if is_impossible else "was not reached by any search"
    kept = " between the sides" if graph.sides is not None else ""
    return UnreachableError(
        f"degree anonymity with k = {nodes.k} {said} with additions{kept} alone.",
        hint="allow deletions (edits: both), or lower k.",
    )
