"""Slow, plain definitions of what a graph gives away and of what an edited one has kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import plain_graphs as pg

from celosia.graphs.graph import Graph


def labels_by(graph: Graph, name: str, attributes: Sequence[str] = ()) -> list[Hashable]:
    """What is known of each vertex, by the kind of knowledge."""
    own = pg.plain(graph, attributes)
    if name == "neighbourhood":
        return list(own.vectors)
    if name in ("attributes", "attributes_and_degree"):
        degrees = pg.degrees(graph) if name == "attributes_and_degree" else [None] * own.n
        return [(own.group(v), degrees[v]) for v in range(own.n)]
    rounds = {"degree": 1, "neighbour_degrees": 2, "refinement": 3}[name]
    return pg.refinement(own, pg.degrees(graph), rounds)[-1]


def candidates_by(graph: Graph, name: str, attributes: Sequence[str] = ()) -> list[int]:
    """How many candidates each kind of knowledge leaves for each vertex; known vertices are none."""
    if name.startswith("neighbours_"):
        own = pg.plain(graph)
        size = int(name.removeprefix("neighbours_"))
        return [pg.fewest_by_size(own, v, size, "neighbours", exclude_known=True)[-1] for v in range(own.n)]
    known = labels_by(graph, name, attributes)
    return [known.count(one) for one in known]


def figures(candidates: list[int], k: int, threshold: Fraction) -> dict[str, Any]:
    n = len(candidates)
    risks = [Fraction(1, count) for count in candidates]
    n_unique, n_below_k = sum(count == 1 for count in candidates), sum(count < k for count in candidates)
    return {
        "smallest": min(candidates, default=None),
        "n_unique": n_unique,
        "share_unique": n_unique / n if n else None,
        "n_below_k": n_below_k,
        "share_below_k": n_below_k / n if n else None,
        "max": float(max(risks)) if n else None,
        "mean": float(sum(risks) / n) if n else None,
        "share_at_risk": float(Fraction(sum(risk > threshold for risk in risks), n)) if n else None,
    }


def links(graph: Graph, labels: Sequence[Hashable]) -> dict[str, Any]:
    """Link disclosure, pair by pair."""
    linked = {(i, j) for i, j in zip(graph.source.tolist(), graph.target.tolist(), strict=True)}
    choose = permutations if graph.directed else combinations
    pairs = list(choose(range(graph.n_vertices), 2))
    block: dict[tuple[int, int], Hashable] = {}
    for i, j in pairs:
        sets = (labels[i], labels[j])
        block[i, j] = sets if graph.directed else frozenset(sets)
    n_pairs = Counter(block.values())
    n_linked = Counter(block[pair] for pair in pairs if pair in linked)
    shares = {one: Fraction(n_linked[one], n) for one, n in n_pairs.items()}
    return {
        "n_pairs": len(pairs),
        "n_linked": sum(n_linked.values()),
        "n_certain_links": sum(n for one, n in n_pairs.items() if shares[one] == 1),
        "n_certain_absences": sum(n for one, n in n_pairs.items() if shares[one] == 0),
        "max_probability": float(max(shares.values())) if pairs else None,
    }
