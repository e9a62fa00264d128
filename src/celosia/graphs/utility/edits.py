"""How many edges were added and deleted, and what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.graph import Graph, pair_keys


@dataclass(frozen=True)
class Edits:
    """The difference between two graphs on the same vertices.

    Attributes
    ----------
    n_added, n_deleted
        Edges that are in one graph alone; in a multigraph parallel edges count each.
    ratio
        Both together over the edges before; ``None`` where there were none.
    """

    n_added: int
    n_deleted: int
    ratio: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` prints them."""
        return dict(self.__dict__)


def edits(before: Graph, after: Graph, places: NDArray[np.int64]) -> Edits:
    """Return how many edges were added and deleted. Weights and attributes do not count.

    Parameters
    ----------
    places
        The place in ``after`` of every vertex of ``before``; -1: gone, with its edges.

    Examples
    --------
    >>> path, other = Graph.of_edges([0, 1], [1, 2]), Graph.of_edges([0, 0], [1, 2])
    >>> edits(path, other, np.arange(3))
    Edits(n_added=1, n_deleted=1, ratio=1.0)
    """
    was = np.full(after.n_vertices, -1, dtype=np.int64)
    stays = np.flatnonzero(places >= 0)
    was[places[stays]] = stays
    is_new = was < 0
    was[is_new] = before.n_vertices + np.arange(int(is_new.sum()))
    width = before.n_vertices + int(is_new.sum())
    keys = np.concatenate(
        [
            pair_keys(before.source, before.target, width, before.directed),
            pair_keys(was[after.source], was[after.target], width, after.directed),
        ]
    )
    signs = np.concatenate([np.full(before.n_edges, -1), np.full(after.n_edges, 1)])
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    firsts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if len(keys) else order
    change = np.add.reduceat(signs[order], firsts) if len(keys) else signs
    n_added, n_deleted = int(change[change > 0].sum()), int(-change[change < 0].sum())
    return Edits(n_added, n_deleted, (n_added + n_deleted) / before.n_edges if before.n_edges else None)
