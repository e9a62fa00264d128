"""The fewest edits to degree anonymity, by integer programming with HiGHS, for small graphs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.transforms.base import Task
from celosia.graphs.transforms.degree_nodes import Nodes, Pairs, anonymous, fewer

_MOST_NODES = 400
_MOST_PAIRS = 1000
_MOST_KINDS = 20_000
_LEAST_SECONDS = 0.2
_SHARE_OF_TIME = 0.9  # HiGHS looks at the clock now and then only


class Proof(NamedTuple):
    """The best edits, a number that no edits undercut, and whether it is proved that there are none."""

    edits: Pairs | None
    bound: int
    is_impossible: bool = False


def exact(task: Task, nodes: Nodes, known: Pairs | None, bound: int) -> Proof:
    """Return the fewest edits, or what is known of them when time is up, the graph is too large, or scipy is missing.

    Every pair that may be edited has a variable. Every node has one for each degree, or pair of degrees, that it may
    come to have; one for each of these says whether it is in use, and then by k vertices at least.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.transforms.degree_nodes import nodes_of
    >>> claw = Graph.of_edges([0, 0, 0], [1, 2, 3], sides=[0, 1, 1, 1])
    >>> task = Task(claw, edits="add")
    >>> exact(task, nodes_of(task, np.zeros(4, dtype=np.int64), 2), None, 1).is_impossible
    True
    """
    if nodes.n > _MOST_NODES or task.seconds_left < _LEAST_SECONDS:
        return Proof(known, bound)
    first, second = nodes.changeable()
    if len(first) > _MOST_PAIRS:
        return Proof(known, bound)
    try:
        from scipy.optimize import milp  # noqa: F401
    except ImportError:
        return Proof(known, bound)
    program = _Program(nodes, first, second, None if known is None else len(known[0]) - 1, bound)
    if program.n_kinds > _MOST_KINDS:
        return Proof(known, bound)
    return program.solved(task, known)


class _Program:
    """The integer program. Its variables: the pairs, the kinds of each vertex, the kinds that are in use."""

    def __init__(
        self, nodes: Nodes, first: NDArray[np.int32], second: NDArray[np.int32], most: int | None, least: int
    ) -> None:
        self.nodes, self.first, self.second = nodes, first, second
        self.most, self.least = len(first) if most is None else most, least
        self.owner, self.kinds = self._kinds()

    @property
    def n_kinds(self) -> int:
        return len(self.owner)

    def _kinds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the kinds that every vertex may come to have, as vertex and degrees: none moves beyond the edits."""
        degrees = self._by_vertex(self.nodes.degrees.astype(np.int64))
        n_linked = np.bincount(np.concatenate([self.first, self.second]), minlength=self.nodes.n)
        reach = np.minimum(self._by_vertex(n_linked), self.most)
        owners, kinds = [], []
        for v in range(degrees.shape[0]):
            spans = [
                np.arange(max(0, own - far * self.nodes.may_delete), own + far * self.nodes.may_add + 1)
                for own, far in zip(degrees[v], reach[v], strict=True)
            ]
            grid = np.stack(np.meshgrid(*spans, indexing="ij"), axis=-1).reshape(-1, len(spans))
            near = grid[np.abs(grid - degrees[v]).sum(axis=1) <= self.most + 1]  # a loop counts out and in
            owners.append(np.full(len(near), v))
            kinds.append(near)
        return np.concatenate(owners), np.concatenate(kinds)

    def _by_vertex(self, of_nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        return of_nodes[:, None] if self.nodes.mates is None else of_nodes.reshape(2, -1).T

    def solved(self, task: Task, known: Pairs | None) -> Proof:
        from scipy.optimize import Bounds, milp

        n_pairs, n_kinds = len(self.first), self.n_kinds
        constraints, n_used = self._constraints()
        cost = np.concatenate([np.ones(n_pairs), np.zeros(n_kinds + n_used)])
        found: Any = milp(
            cost,
            constraints=constraints,
            integrality=np.ones(len(cost)),
            bounds=Bounds(0, 1),
            options={"time_limit": max(task.seconds_left * _SHARE_OF_TIME, 0.01), "mip_rel_gap": 0},
        )
        if found.status == 2:  # nothing better than what is known
            return Proof(known, self.least if known is None else len(known[0]), known is None)
        edits = known
        if found.x is not None:
            chosen = found.x[:n_pairs] > 0.5
            edits = fewer(known, anonymous(self.nodes, (self.first[chosen], self.second[chosen])))
        return Proof(edits, self._bound(found, edits))

    def _bound(self, found: Any, edits: Pairs | None) -> int:
        """Return the bound that was proved; beyond ``most`` only what is known was left."""
        dual = found.mip_dual_bound
        proved = math.ceil(dual - 1e-4) if dual is not None and math.isfinite(dual) else self.least
        bound = max(self.least, min(proved, self.most + 1))
        return bound if edits is None else min(bound, len(edits[0]))

    def _constraints(self) -> tuple[list[Any], int]:
        from scipy.optimize import LinearConstraint
        from scipy.sparse import coo_array, csr_array, hstack, vstack

        nodes, n_pairs, n_kinds = self.nodes, len(self.first), self.n_kinds
        groups = nodes.groups[: self.owner.max() + 1]
        used, use = np.unique(np.column_stack([groups[self.owner], self.kinds]), axis=0, return_inverse=True)
        use, n_used = use.ravel(), len(used)

        def matrix(rows: Any, columns: Any, values: Any, shape: tuple[int, int]) -> Any:
            return csr_array(coo_array((values, (rows, columns)), shape=shape))

        columns = np.arange(n_kinds)
        one_kind = matrix(self.owner, columns, np.ones(n_kinds), (len(groups), n_kinds))
        pairs = np.arange(n_pairs)
        there = self.first != self.second
        ends, ends_of = np.concatenate([self.first, self.second[there]]), np.concatenate([pairs, pairs[there]])
        sign = np.where(nodes.are_linked(self.first, self.second), -1.0, 1.0)
        touched = matrix(ends, ends_of, np.ones(len(ends)), (nodes.n, n_pairs))
        moved = matrix(ends, ends_of, sign[ends_of], (nodes.n, n_pairs))
        degrees = self._by_vertex(nodes.degrees.astype(np.int64))
        by = self.kinds - degrees[self.owner]
        spots = [self.owner + part * len(groups) for part in range(by.shape[1])]
        shape = (nodes.n, n_kinds)
        change = matrix(np.concatenate(spots), np.tile(columns, len(spots)), by.T.ravel().astype(float), shape)
        in_use = matrix(columns, use, -np.ones(n_kinds), (n_kinds, n_used))
        shared = matrix(use, columns, np.ones(n_kinds), (n_used, n_kinds))
        needed = matrix(np.arange(n_used), np.arange(n_used), np.full(n_used, -float(nodes.k)), (n_used, n_used))
        every = csr_array(np.ones((1, n_pairs)))
        eye = matrix(columns, columns, np.ones(n_kinds), (n_kinds, n_kinds))

        def block(of_pairs: Any, of_kinds: Any, of_used: Any) -> Any:
            n_rows = next(part.shape[0] for part in (of_pairs, of_kinds, of_used) if part is not None)
            widths = (n_pairs, n_kinds, n_used)
            parts = [
                csr_array((n_rows, width)) if part is None else part
                for part, width in zip((of_pairs, of_kinds, of_used), widths, strict=True)
            ]
            return hstack(parts, format="csr")

        rows = [
            (block(None, one_kind, None), 1.0, 1.0),
            (block(moved, -change, None), 0.0, 0.0),
            (block(touched, -abs(change), None), 0.0, np.inf),
            (block(None, eye, in_use), -np.inf, 0.0),
            (block(None, shared, needed), 0.0, np.inf),
            (block(every, None, None), float(self.least), float(self.most)),
        ]
        lower = np.concatenate([np.full(part.shape[0], low) for part, low, _ in rows])
        upper = np.concatenate([np.full(part.shape[0], high) for part, _, high in rows])
        return [LinearConstraint(vstack([part for part, _, _ in rows], format="csc"), lower, upper)], n_used
