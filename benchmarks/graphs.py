"""Graphs made anonymous: edits of every model on graphs that ship with networkx and on random ones, and their time.

    python -m benchmarks.graphs [--seconds 10] [--only degree,planted ...] [--quick] [--docs]

``--quick`` takes a minute: one second for each search, k = 2 and 5, no large graph.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import networkx as nx
import numpy as np

import celosia as cl
from benchmarks.sheet import Row, Sheet
from celosia import kernels
from celosia.base.errors import UnreachableError
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel

__all__ = ["cases", "large_cases", "measured", "planted", "seeds_row"]

_SHEET = Sheet(
    "graphs",
    "What anonymous graphs cost",
    "`python -m benchmarks.graphs --docs`. *edits* are edges added and deleted; *at least* is a bound that no result "
    "undercuts, where one is known (equal to the edits: proved the fewest); *prototype* are the figures of an early "
    "sketch of the same searches, for k-degree on the small graphs the optimum of an integer program whose degrees "
    "were capped at the greatest + 3; random graphs swing threefold with their seed. *linked* are vertices with an "
    "edge, after of before. About 100 % means that the empty graph, or nearly, was the cheapest found. Barabási-Albert "
    "graphs (BA) are networkx's with 3 edges for each new vertex and seed 1; *planted* ones are blow-ups of a random "
    "graph by 5 twins each, with a tenth of the edges flipped. One run, one seed. At the end the baselines: "
    "super-graphs with the share of structure that clusters lose, and that a single one would; edges changed by "
    "chance, with the share of vertices that their neighbours' degrees single out before and after. *Ten seeds* are "
    "BA graphs with seeds 2 to 11: the median of the edits and the most, first over half the distance from the degrees "
    "to the nearest anonymous ones (which cannot be reached where few high degrees want much: they would have to be "
    "linked with each other twice), then over our bound; the time is the longest.",
    ("model", "graph", "k", "edits", "% of edges", "at least %", "prototype %", "linked", "search s"),
)
_KS = (2, 3, 5, 10)
Make = Callable[[int], GraphModel]
_MODELS: Mapping[str, Make] = {
    "degree": cl.graphs.DegreeAnonymity,
    "neighbourhood": cl.graphs.NeighbourhoodAnonymity,
    "closed twins": cl.graphs.ClosedTwinAnonymity,
    "(k, 2), neighbours": lambda k: cl.graphs.KLAnonymity(k, 2, view="neighbours"),
    "(k, 2), rows": lambda k: cl.graphs.KLAnonymity(k, 2, view="rows"),
}
_PROTOTYPE: Mapping[tuple[str, str], tuple[float | None, ...]] = {
    ("degree", "karate"): (3.8, 10.3, 17.9, 34.6),
    ("degree", "Davis, one mode"): (3.4, 4.5, 11.2, 20.2),
    ("degree", "Davis"): (4.5, 4.5, 12.4, 20.2),
    ("degree", "Florentine"): (10, 10, 20, None),
    ("degree", "Les Misérables"): (5.9, 7.1, None, None),
    ("degree", "BA 1,000"): (0.43, 0.73, 1.7, 3.3),
    ("degree", "BA 10,000"): (0.16, 0.26, 0.55, 1.3),
    ("degree", "BA 100,000"): (0.07, 0.11, 0.26, 0.49),
    ("neighbourhood", "karate"): (44, 65, 86, 100),
    ("neighbourhood", "Les Misérables"): (39, 52, 70, 100),
    ("neighbourhood", "Davis"): (33, 37, 55, 100),
    ("neighbourhood", "Davis, one mode"): (33, 37, 55, 100),
    ("closed twins", "Les Misérables"): (35, 47, 69, 104),
    ("(k, 2), neighbours", "karate"): (42, 65, 86, None),
    ("(k, 2), neighbours", "Davis"): (20, 29, 55, None),
    ("(k, 2), neighbours", "Davis, one mode"): (20, 29, 55, None),
}


@dataclass(frozen=True)
class Case:
    """A model and a graph; the figures of the prototype by k, where there are some."""

    model: str
    graph: str
    k: int

    @property
    def prototype(self) -> float | None:
        """Return the prototype's edits as a percentage of the edges."""
        known = _PROTOTYPE.get((self.model, self.graph))
        return known[_KS.index(self.k)] if known is not None and self.k in _KS else None


def graphs() -> dict[str, Callable[[], Graph]]:
    """Return the graphs by name."""

    def without_attributes(graph: nx.Graph) -> Graph:
        return cl.graphs.read(nx.Graph(graph.edges))

    def bipartite() -> Graph:
        davis = nx.davis_southern_women_graph()
        bare = nx.Graph()
        bare.add_nodes_from((vertex, {"bipartite": side}) for vertex, side in davis.nodes(data="bipartite"))
        bare.add_edges_from(davis.edges)
        return cl.graphs.read(bare)

    def random(n: int) -> Callable[[], Graph]:
        return lambda: without_attributes(nx.barabasi_albert_graph(n, 3, seed=1))

    return {
        "karate": lambda: without_attributes(nx.karate_club_graph()),
        "Davis": bipartite,
        "Davis, one mode": lambda: without_attributes(nx.davis_southern_women_graph()),
        "Florentine": lambda: without_attributes(nx.florentine_families_graph()),
        "Les Misérables": lambda: without_attributes(nx.les_miserables_graph()),
        "BA 1,000": random(1_000),
        "BA 10,000": random(10_000),
        "BA 100,000": random(100_000),
        "BA 100,000, 5 each": lambda: without_attributes(nx.barabasi_albert_graph(100_000, 5, seed=1)),
        "planted 5,000": lambda: planted(1_000, 5, 4_000, 0.1),
        "planted 100,000": lambda: planted(20_000, 5, 20_000, 0.1),
    }


def planted(n_classes: int, size: int, n_links: int, flipped: float) -> Graph:
    """Return the blow-up of a random graph, every vertex by ``size`` twins, with a share of its edges flipped.

    Half of the flips are edges taken out, half new ones elsewhere.
    """
    draw = np.random.default_rng(7)
    ends = np.unique(np.sort(draw.integers(n_classes, size=(2 * n_links, 2)), axis=1), axis=0)
    ends = ends[ends[:, 0] != ends[:, 1]]
    ends = ends[draw.permutation(len(ends))[:n_links]]
    inner = np.arange(size)
    first = (ends[:, 0, None, None] * size + inner[:, None] + 0 * inner).ravel()
    second = (ends[:, 1, None, None] * size + 0 * inner[:, None] + inner).ravel()
    n = n_classes * size
    n_flips = round(flipped * len(first) / 2)
    keeps = draw.permutation(len(first))[n_flips:]
    new = draw.integers(n, size=(n_flips, 2))
    new = new[new[:, 0] != new[:, 1]]
    return Graph.of_edges(
        np.concatenate([first[keeps], new[:, 0]]), np.concatenate([second[keeps], new[:, 1]]), n, name="planted"
    )


def cases(ks: Sequence[int] = _KS) -> Iterator[Case]:
    """Give every model on the small graphs."""
    names = ("karate", "Davis", "Davis, one mode", "Florentine", "Les Misérables", "BA 1,000")
    for model in _MODELS:
        for graph in names:
            if (model, graph) != ("closed twins", "Davis") and (graph != "BA 1,000" or model == "degree"):
                yield from (Case(model, graph, k) for k in ks)


def large_cases() -> Iterator[Case]:
    """Give what must stay quick on large graphs."""
    yield from (Case("degree", "BA 10,000", k) for k in _KS)
    yield from (Case("degree", "BA 100,000", k) for k in _KS)
    yield Case("neighbourhood", "planted 5,000", 5)
    yield Case("neighbourhood", "planted 100,000", 5)
    yield Case("neighbourhood", "BA 100,000, 5 each", 2)
    yield Case("(k, 2), neighbours", "BA 10,000", 2)


def measured(case: Case, graph: Graph, seconds: float) -> Row:
    """Return the row of one search."""
    try:
        release = cl.graphs.run(graph, _MODELS[case.model](case.k), time_limit=seconds, seed=1)
    except UnreachableError:
        return case.model, case.graph, str(case.k), "cannot be met", "", "", _percent(case.prototype), "", ""
    linked = [int(np.count_nonzero(one.out.degrees + one.into.degrees)) for one in (release.graph, graph)]
    bound = None if release.lower_bound is None else 100 * release.lower_bound / graph.n_edges
    return (
        case.model, case.graph, str(case.k), f"{release.n_edits:,}", _percent(100 * (release.edit_ratio or 0.0)),
        _percent(bound), _percent(case.prototype), f"{linked[0]:,} of {linked[1]:,}", f"{release.search_seconds:.2f}",
    )  # fmt: skip


def seeds_row(n: int, k: int, seeds: Sequence[int], seconds: float) -> Row:
    """Return what degree anonymity costs on several random graphs, over two bounds."""
    over_half, over_bound, times = [], [], []
    for seed in seeds:
        graph = cl.graphs.read(nx.barabasi_albert_graph(n, 3, seed=seed))
        release = cl.graphs.run(graph, cl.graphs.DegreeAnonymity(k), time_limit=seconds, seed=1)
        ladder = np.sort(graph.out.degrees).astype(np.int32)
        half = (kernels.degree_distance(ladder, k, True, True) + 1) // 2
        over_half.append(release.n_edits / max(half, 1))
        over_bound.append(release.n_edits / max(release.lower_bound or 0, 1))
        times.append(release.search_seconds)
    told = (f"{np.median(ratios):.2f} (most {max(ratios):.2f})" for ratios in (over_half, over_bound))
    return "degree, ten seeds", f"BA {n:,}", str(k), "", *told, "", "", f"{max(times):.2f}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.3g}"


def _baselines(names: Sequence[str], ks: Sequence[int]) -> Iterator[Row]:
    made = graphs()
    for name in names:
        graph = made[name]()
        for k in ks:
            if graph.n_vertices < 2 * k:
                continue
            started = time.perf_counter()
            found = cl.graphs.super_graph(graph, k, seed=1)
            seconds = time.perf_counter() - started
            lost = f"lost {100 * found.structural_loss:.3g} % (one cluster {100 * found.loss_of_one:.3g} %)"
            yield "super-graph", name, str(k), "", lost, "", "", f"{found.n_clusters:,} clusters", f"{seconds:.2f}"
        release = cl.graphs.perturbed(graph, 0.1, seed=1)
        unique = [risk["neighbour_degrees"].share_unique for risk in (release.before.risk, release.result.risk)]
        told = " to ".join("-" if share is None else f"{100 * share:.3g} %" for share in unique)
        yield (
            "by chance, 0.1", name, "", f"{release.n_edits:,}", _percent(100 * (release.edit_ratio or 0.0)), "", "",
            f"unique by H2: {told}", f"{release.search_seconds:.2f}",
        )  # fmt: skip


def _rows(seconds: float, only: str, *, quick: bool) -> Iterator[Row]:
    made = graphs()
    chosen = [*cases((2, 5) if quick else _KS), *([] if quick else large_cases())]
    loaded: tuple[str, Graph] | None = None
    for case in chosen:
        if only and not any(word in f"{case.model} {case.graph}" for word in only.split(",")):
            continue
        if loaded is None or loaded[0] != case.graph:
            loaded = (case.graph, made[case.graph]())
        yield measured(case, loaded[1], seconds)
    if not only or "seeds" in only:
        for n in (1_000,) if quick else (1_000, 10_000, 100_000):
            yield from (seeds_row(n, k, range(2, 12), seconds) for k in ((2, 5) if quick else _KS))
    if not only or "baseline" in only:
        names = ["karate", "Davis", "Les Misérables", "BA 1,000"] if quick else [
            "karate", "Davis", "Les Misérables", "BA 1,000", "BA 100,000",
        ]  # fmt: skip
        yield from _baselines(names, (2, 5) if quick else _KS)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.graphs", description=__doc__)
    parser.add_argument("--seconds", type=float, default=None, help="for each search; 10, with --quick 1")
    parser.add_argument("--only", default="", help="rows whose model or graph has one of these words: degree,planted")
    parser.add_argument("--quick", action="store_true", help="k = 2 and 5, one second each, no large graph")
    parser.add_argument("--docs", action="store_true", help="write the documentation's page too")
    options = parser.parse_args()
    seconds = options.seconds or (1.0 if options.quick else 10.0)
    about = f"{_SHEET.about} At most {seconds:g} s for each search."
    replace(_SHEET, about=about).fill(_rows(seconds, options.only, quick=options.quick), docs=options.docs)


if __name__ == "__main__":
    main()
