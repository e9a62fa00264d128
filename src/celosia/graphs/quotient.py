"""The quotient of a graph by its anonymity sets: the reduced matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import InputError
from celosia.graphs.files.matrix import matrix_rows
from celosia.graphs.graph import Graph

_MOST_DENSE = 5_000
_MOST_PRINTED = 50


@dataclass(frozen=True, eq=False)
class Quotient:
    """The adjacency matrix with a row and a column per anonymity set. Only blocks with a link are kept.

    Attributes
    ----------
    sizes
        How many vertices each set has.
    rows, columns
        The two sets of each block that holds a link; without direction each block stands there both ways round.
    n_links
        How many cells of the block are filled: how many ordered pairs of different vertices are linked.
    n_pairs
        How many cells it has, those of a vertex with itself left aside.
    entries
        What stands in every cell of the block, if that is the same; not a number otherwise.
    n_loops
        How many vertices of each set are linked with themselves.
    loops
        What stands in the matrix for all of them, if it is the same; not a number otherwise; 0 where none has a loop.
    is_exact
        Whether the matrix can be rebuilt from the quotient alone: every block is empty or constant, and of every set
        all vertices have the same loop or none has one. So it is with sets of vertices that have the same neighbours.
    """

    sizes: NDArray[np.int64]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    n_links: NDArray[np.int64]
    n_pairs: NDArray[np.int64]
    entries: NDArray[np.float64]
    n_loops: NDArray[np.int64]
    loops: NDArray[np.float64]
    is_exact: bool

    @property
    def n_sets(self) -> int:
        """How many anonymity sets there are."""
        return len(self.sizes)

    @property
    def densities(self) -> NDArray[np.float64]:
        """The share of filled cells of each block."""
        found: NDArray[np.float64] = self.n_links / self.n_pairs
        return found

    def __repr__(self) -> str:
        return f"Quotient({self.n_sets} sets, {len(self.rows)} blocks, {'exact' if self.is_exact else 'not exact'})"

    def entry_matrix(self) -> NDArray[np.float64]:
        """Return the reduced matrix of an exact quotient: the entry of each block.

        On the diagonal stands what links the vertices of a set; for a vertex alone in its set, its loop.

        Raises
        ------
        InputError
            The quotient is not exact, or has too many sets.
        """
        if not self.is_exact:
            raise InputError("the quotient is not exact: blocks hold different entries.", hint="use count_matrix().")
        matrix = self._dense(self.entries)
        alone = np.flatnonzero(self.sizes == 1)
        matrix[alone, alone] = self.loops[alone]
        return matrix

    def count_matrix(self) -> NDArray[np.float64]:
        """Return how many links there are between any two sets; both ways round within a set without direction.

        Raises
        ------
        InputError
            There are too many sets.
        """
        return self._dense(self.n_links.astype(np.float64))

    def density_matrix(self) -> NDArray[np.float64]:
        """Return the share of linked pairs between any two sets.

        Raises
        ------
        InputError
            There are too many sets.
        """
        return self._dense(self.densities)

    def to_dict(self) -> dict[str, Any]:
        """Return the quotient as ``--json`` prints it; the matrix only where there are at most 50 sets."""
        found: dict[str, Any] = {"n_sets": self.n_sets, "n_blocks": len(self.rows), "exact": self.is_exact}
        if self.n_sets > _MOST_PRINTED:
            return found
        found |= {"sizes": self.sizes.tolist(), "n_loops": self.n_loops.tolist()}
        if self.is_exact:
            return found | {"entries": self.entry_matrix().tolist()}
        return found | {"n_links": self.count_matrix().tolist(), "densities": self.density_matrix().tolist()}

    def _dense(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.n_sets > _MOST_DENSE:
            raise InputError(
                f"there are {self.n_sets} anonymity sets; a whole matrix is made for at most {_MOST_DENSE}.",
                hint="use rows, columns and n_links, which hold only blocks with a link.",
            )
        matrix = np.zeros((self.n_sets, self.n_sets))
        matrix[self.rows, self.columns] = values
        return matrix


def quotient_of(graph: Graph, labels: NDArray[np.int64]) -> Quotient:
    """Return the quotient of a graph by sets of vertices.

    Parameters
    ----------
    labels
        The set of every vertex, numbered from 0.

    Examples
    --------
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> quotient = quotient_of(square, np.array([0, 1, 0, 1]))
    >>> quotient.is_exact, quotient.entry_matrix().tolist()
    (True, [[0.0, 1.0], [1.0, 0.0]])
    """
    sizes = np.bincount(labels).astype(np.int64)
    n_sets = len(sizes)
    _, indices, values = matrix_rows(graph)
    ranks = graph.out.entries
    ends = np.repeat(np.arange(graph.n_vertices), graph.out.degrees)
    there = ends != indices
    keys = labels[ends[there]] * n_sets + labels[indices[there]]
    blocks, n_links, entries, is_constant = _blocks(keys, ranks[there], values[there])
    rows, columns = blocks // max(n_sets, 1), blocks % max(n_sets, 1)
    n_pairs = sizes[rows] * (sizes[columns] - (rows == columns))
    own = labels[ends[~there]]
    loop_sets, n_with_loop, loop_entries, is_loop_constant = _blocks(own, ranks[~there], values[~there])
    n_loops, loops = np.zeros(n_sets, dtype=np.int64), np.zeros(n_sets)
    n_loops[loop_sets], loops[loop_sets] = n_with_loop, loop_entries
    is_exact = (
        bool((is_constant & (n_links == n_pairs)).all())
        and bool(is_loop_constant.all())
        and bool(((n_loops == 0) | (n_loops == sizes)).all())
    )
    return Quotient(sizes, rows, columns, n_links, n_pairs, entries, n_loops, loops, is_exact)


def _blocks(
    keys: NDArray[np.int64], ranks: NDArray[np.int64], values: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
    """Return the different keys, how often each occurs, its one value, and whether it has only one."""
    if not len(keys):
        none = np.zeros(0, dtype=np.int64)
        return none, none, none.astype(np.float64), none.astype(np.bool_)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    firsts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    by_block = ranks[order]
    is_constant = np.minimum.reduceat(by_block, firsts) == np.maximum.reduceat(by_block, firsts)
    entries = np.where(is_constant, values[order[firsts]].astype(np.float64), np.nan)
    return ordered[firsts], np.diff(firsts, append=len(keys)), entries, is_constant
