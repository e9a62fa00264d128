"""Utility of edited graphs against networkx, scipy and plain definitions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import plain_graphs as pg
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from trying import tries

from celosia.base.errors import InputError, OptionError
from celosia.graphs.graph import Graph
from celosia.graphs.utility import (
    betweenness,
    clustering,
    communities,
    degree_distance,
    edits,
    eigenvector_centrality,
    largest_eigenvalue,
    measuring,
    overlap,
    path_length,
    paths,
    rank_correlation,
    utility,
)
from celosia.graphs.utility.clustering import triangle_steps
from celosia.graphs.utility.matching import matched
from celosia.graphs.utility.pattern import one_way_pattern, pattern_of


def simple(graph: Graph, directed: bool = False) -> Any:
    """The same graph in networkx, without loops and parallel edges."""
    made = nx.DiGraph() if directed else nx.Graph()
    made.add_nodes_from(range(graph.n_vertices))
    ends = zip(graph.source.tolist(), graph.target.tolist(), strict=True)
    made.add_edges_from((i, j) for i, j in ends if i != j)
    return made


def random_graph(seed: int, n: int = 60, m: int = 150, directed: bool = False) -> Graph:
    return pg.of_networkx(nx.gnm_random_graph(n, m, seed=seed, directed=directed))


# Edits and degrees ----------------------------------------------------------------------------------------------------


def bag(graph: Graph, place: dict[int, int]) -> Counter[Any]:
    ends = [(place[i], place[j]) for i, j in zip(graph.source.tolist(), graph.target.tolist(), strict=True)]
    return Counter(one if graph.directed else tuple(sorted(one)) for one in ends)


@tries(150)
@given(before=pg.graphs(), after=pg.graphs(), data=st.data())
def test_edits_are_the_difference_of_two_bags(before: Graph, after: Graph, data: st.DataObject) -> None:
    assume(before.directed == after.directed)
    n_stay = data.draw(st.integers(0, min(before.n_vertices, after.n_vertices)))
    stay = data.draw(st.permutations(range(before.n_vertices)))[:n_stay]
    taken = data.draw(st.permutations(range(after.n_vertices)))[:n_stay]
    places = np.full(before.n_vertices, -1, dtype=np.int64)
    places[stay] = taken
    back = {v: 100 + v for v in range(after.n_vertices)} | dict(zip(taken, stay, strict=True))
    first, second = bag(before, {v: v for v in range(before.n_vertices)}), bag(after, back)
    found = edits(before, after, places)
    assert found.n_added == (second - first).total()
    assert found.n_deleted == (first - second).total()
    expected = (found.n_added + found.n_deleted) / before.n_edges if before.n_edges else None
    assert found.ratio == expected


@tries(100)
@given(before=pg.graphs(), after=pg.graphs())
def test_degree_distance_is_scipys(before: Graph, after: Graph) -> None:
    assume(before.directed == after.directed)
    if not before.n_vertices or not after.n_vertices:
        assert degree_distance(before, after) is None
        return
    left, right = (list(zip(*pg.degrees(graph), strict=True)) for graph in (before, after))
    expected = np.mean([stats.wasserstein_distance(a, b) for a, b in zip(left, right, strict=True)])
    assert degree_distance(before, after) == pytest.approx(expected)


# Clustering and paths -------------------------------------------------------------------------------------------------


def assert_clustering(graph: Graph) -> None:
    found, there = clustering(pattern_of(graph)), simple(graph)
    local = [share for v, share in nx.clustering(there).items() if there.degree[v] >= 2]
    if not local:
        assert found.whole is found.mean_local is None
        return
    assert found.whole == pytest.approx(nx.transitivity(there))
    assert found.mean_local == pytest.approx(np.mean(local))


@tries(150)
@given(graph=pg.graphs(8))
def test_clustering_is_networkxs(graph: Graph) -> None:
    assert_clustering(graph)


@pytest.mark.parametrize("at_once", [1, 50, 10_000_000])
def test_clustering_in_pieces(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setattr(sys.modules["celosia.graphs.utility.clustering"], "_STEPS_AT_ONCE", at_once)
    for seed in range(3):
        assert_clustering(pg.of_networkx(nx.powerlaw_cluster_graph(80, 4, 0.6, seed=seed)))


def test_the_steps_of_counting_triangles_stay_small_at_hubs() -> None:
    star = pg.graph_of([(0, i) for i in range(1, 1000)], 1000)
    assert triangle_steps(pattern_of(star)) <= 999


def plain_lengths(graph: Graph, sources: list[int]) -> tuple[list[int], int]:
    there = simple(graph, graph.directed)
    lengths = [
        length
        for source in sources
        for target, length in nx.single_source_shortest_path_length(there, source).items()
        if target != source
    ]
    return lengths, len(sources) * (graph.n_vertices - 1)


@tries(150)
@given(graph=pg.graphs(8), data=st.data())
def test_path_lengths_are_networkxs(graph: Graph, data: st.DataObject) -> None:
    n = graph.n_vertices
    sources = data.draw(st.lists(st.integers(0, n - 1), unique=True)) if n else []
    found = path_length(*one_way_pattern(graph), np.array(sources, dtype=np.int64))
    lengths, n_pairs = plain_lengths(graph, sources)
    assert found is not None
    assert found.mean == (pytest.approx(np.mean(lengths)) if lengths else None)
    assert found.share_reached == (pytest.approx(len(lengths) / n_pairs) if n_pairs > 0 else None)
    assert found.n_sources == len(sources)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("n_sources", [1, 64, 65, 130])
def test_path_lengths_from_many_sources(n_sources: int, directed: bool) -> None:
    graph = random_graph(3, 200, 500, directed)
    found = path_length(*one_way_pattern(graph), np.arange(n_sources))
    lengths, _n_pairs = plain_lengths(graph, list(range(n_sources)))
    assert found is not None
    assert found.mean == pytest.approx(np.mean(lengths))


def test_push_and_pull_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = one_way_pattern(random_graph(5, 150, 300, directed=True))
    found = []
    for answer in (True, False):
        monkeypatch.setattr(paths, "_is_small", lambda out, front, answer=answer: answer)
        found.append(path_length(*rows, np.arange(70)))
    assert found[0] == found[1]


def test_the_standard_error_is_honest() -> None:
    # Over many samples the estimates spread about as the standard error says, and the whole lies within.
    graph = pg.of_networkx(nx.barabasi_albert_graph(400, 2, seed=1))
    rows = one_way_pattern(graph)
    whole = path_length(*rows, np.arange(400))
    assert whole is not None
    assert whole.standard_error == 0.0
    draw = np.random.default_rng(1)
    samples = [path_length(*rows, draw.choice(400, 40, replace=False)) for _ in range(200)]
    means = np.array([sample.mean for sample in samples if sample is not None])
    errors = np.array([sample.standard_error for sample in samples if sample is not None])
    assert means.std() == pytest.approx(np.sqrt((errors**2).mean()), rel=0.25)
    assert np.mean(np.abs(means - whole.mean) < 2 * errors) > 0.85


def test_very_long_paths_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_MOST_LEVELS", 10)
    line = pg.of_networkx(nx.path_graph(20))
    found = utility(line, line, seed=1)
    assert found.path_length.before is None
    assert "longer" in found.reasons["path_length"]


# Centralities ---------------------------------------------------------------------------------------------------------


@tries(100)
@given(graph=pg.graphs(8))
def test_betweenness_is_networkxs(graph: Graph) -> None:
    expected = nx.betweenness_centrality(simple(graph, graph.directed), normalized=False)
    found = betweenness(one_way_pattern(graph)[0], np.arange(graph.n_vertices))
    factor = 1 if graph.directed else 2  # every pair both ways round
    assert found.tolist() == pytest.approx([expected[v] * factor for v in range(graph.n_vertices)])


def test_betweenness_from_some_sources_adds_up() -> None:
    rows = one_way_pattern(random_graph(2))[0]
    parts = [betweenness(rows, np.arange(60)[part]) for part in (slice(0, 20), slice(20, 60))]
    assert np.allclose(parts[0] + parts[1], betweenness(rows, np.arange(60)))


@tries(100)
@given(graph=pg.graphs(8))
def test_the_largest_eigenvalue_is_numpys(graph: Graph) -> None:
    assume(not graph.directed)
    if not graph.n_vertices:
        assert largest_eigenvalue(graph) is None
        return
    matrix = np.zeros((graph.n_vertices, graph.n_vertices))
    for i, j in zip(graph.source.tolist(), graph.target.tolist(), strict=True):
        matrix[i, j] += 1
        matrix[j, i] += i != j
    assert largest_eigenvalue(graph) == pytest.approx(np.linalg.eigvalsh(matrix)[-1])


def test_eigenvalue_and_vector_of_a_larger_graph() -> None:
    graph = pg.of_networkx(nx.barabasi_albert_graph(500, 3, seed=4))
    there = simple(graph)
    order = list(range(500))
    values = np.linalg.eigvalsh(nx.to_numpy_array(there, nodelist=order))
    assert largest_eigenvalue(graph) == pytest.approx(values[-1])
    expected = nx.eigenvector_centrality_numpy(there)
    highest = max(expected.values())
    found = eigenvector_centrality(graph)
    assert found is not None
    assert found.tolist() == pytest.approx([expected[v] / highest for v in order], abs=1e-7)


@pytest.mark.parametrize("size", [3, 120])
def test_equal_components_share_the_eigenvector(size: int) -> None:
    # Small graphs are worked out whole, large ones step by step: both spread evenly over equal components.
    wheel = [(0, i) for i in range(1, size)] + list(pairwise(range(1, size)))
    shifted = [(i + size, j + size) for i, j in wheel]
    found = eigenvector_centrality(pg.graph_of(wheel + shifted, 2 * size))
    assert found is not None
    assert np.allclose(found[:size], found[size:], atol=1e-6)


def test_no_edges_no_eigenvector() -> None:
    for n in (3, 300):
        bare = pg.graph_of([], n)
        assert largest_eigenvalue(bare) == 0.0
        assert eigenvector_centrality(bare) is None


@tries(100)
@given(pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_rank_correlation_is_scipys(pairs: list[tuple[int, int]]) -> None:
    first, second = (np.array([pair[i] for pair in pairs], dtype=float) for i in (0, 1))
    found = rank_correlation(first, second)
    if len(set(first.tolist())) < 2 or len(set(second.tolist())) < 2:
        assert found is None
    else:
        assert found == pytest.approx(stats.spearmanr(first, second).statistic)


# Communities ----------------------------------------------------------------------------------------------------------


def plain_overlap(first: list[int], second: list[int]) -> float | None:
    n = len(first)
    joint, left, right = Counter(zip(first, second, strict=True)), Counter(first), Counter(second)
    entropy = sum(-c / n * np.log(c / n) for counts in (left, right) for c in counts.values())
    shared = sum(c / n * np.log(c * n / left[a] / right[b]) for (a, b), c in joint.items())
    return 2 * shared / entropy if entropy else None


@tries(100)
@given(pairs=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=15))
def test_overlap_by_its_definition(pairs: list[tuple[int, int]]) -> None:
    first, second = ([pair[i] for pair in pairs] for i in (0, 1))
    expected = plain_overlap(first, second) if pairs else None
    found = overlap(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64))
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


def test_planted_communities_are_found() -> None:
    planted = nx.planted_partition_graph(4, 20, 0.8, 0.01, seed=1)
    found = communities(pattern_of(pg.of_networkx(planted)), seed=3)
    assert overlap(found, np.repeat(np.arange(4), 20)) == pytest.approx(1.0)


# All together ---------------------------------------------------------------------------------------------------------


@tries(60)
@given(before=pg.graphs(), after=pg.graphs(), how=st.sampled_from([None, "names", "none"]))
def test_what_is_missing_has_a_reason(before: Graph, after: Graph, how: str | None) -> None:
    assume(before.directed == after.directed)
    found = utility(before, after, how, seed=1).to_dict()
    reasons = found.pop("reasons")
    for name in ("edits", "degree_distance", "betweenness", "eigenvector_centrality", "communities"):
        if found[name] is None:
            assert reasons[name]
    for name in ("clustering", "largest_eigenvalue", "path_length"):
        assert (None in found[name].values()) <= (name in reasons)
    if how == "none":
        assert found["edits"] is found["communities"] is None
        assert "matching" in reasons["edits"]


def test_a_graph_has_kept_all_of_itself() -> None:
    graph = pg.of_networkx(nx.karate_club_graph())
    found = utility(graph, graph, seed=1)
    assert found.edits is not None
    assert (found.edits.n_added, found.edits.n_deleted, found.edits.ratio) == (0, 0, 0.0)
    assert found.degree_distance == 0.0
    for change in (found.clustering, found.mean_local_clustering, found.path_length, found.largest_eigenvalue):
        assert change.before == change.after
    assert found.betweenness == pytest.approx(1.0)
    assert found.eigenvector_centrality == pytest.approx(1.0)
    assert found.n_betweenness_sources == 34
    assert not found.reasons


def test_the_more_edits_the_less_is_kept() -> None:
    graph = pg.of_networkx(nx.powerlaw_cluster_graph(200, 4, 0.5, seed=1))
    draw = np.random.default_rng(1)
    found = []
    for share in (0.05, 0.6):
        stays = draw.random(graph.n_edges) >= share
        found.append(utility(graph, graph.with_edges(graph.source[stays], graph.target[stays]), seed=1))
    few, many = found
    assert few.edits is not None
    assert many.edits is not None
    assert few.edits.ratio < many.edits.ratio
    assert few.degree_distance < many.degree_distance
    assert few.betweenness > many.betweenness
    assert few.communities > many.communities
    assert few.largest_eigenvalue.after > many.largest_eigenvalue.after


def test_a_matching_brings_back_what_shuffling_hid() -> None:
    graph = pg.of_networkx(nx.karate_club_graph())
    place = np.random.default_rng(2).permutation(34)
    names = pl.Series([f"p{i}" for i in range(34)])
    shuffled = Graph.of_edges(place[graph.source], place[graph.target], 34, names=names)
    unknown = utility(graph, shuffled, seed=1)
    assert unknown.matched_by == "none"
    assert unknown.edits is unknown.betweenness is unknown.communities is unknown.eigenvector_centrality is None
    assert unknown.degree_distance == 0.0
    assert unknown.path_length.before == unknown.path_length.after
    by_names = {i: f"p{place[i]}" for i in range(34)}
    for matching in (place, place.tolist(), by_names):
        known = utility(graph, shuffled, matching, seed=1)
        assert known.matched_by == "given"
        assert known.edits is not None
        assert known.edits.ratio == 0.0
        assert known.betweenness == pytest.approx(1.0)


def test_names_match_vertices_that_both_graphs_have() -> None:
    before = Graph.of_edges([0, 1], [1, 2], names=pl.Series(["a", "b", "c"]))
    after = Graph.of_edges([0, 1], [1, 2], names=pl.Series(["c", "b", "d"]))
    places, how = matched(before, after, "names")
    assert places is not None
    assert (places.tolist(), how) == ([-1, 1, 0], "names")
    found = utility(before, after, "names", seed=1)
    assert found.edits is not None
    assert (found.edits.n_added, found.edits.n_deleted) == (1, 1)


def test_large_graphs_leave_out_what_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(1)
    for limit in ("_MOST_TRIANGLE_STEPS", "_MOST_PATH_STEPS"):
        monkeypatch.setattr(measuring, limit, 1)
    found = utility(graph, graph, seed=1, community_edges=1)
    assert found.clustering.before is found.betweenness is found.communities is found.communities_rerun is None
    assert set(found.reasons) == {"clustering", "betweenness", "communities"}
    assert all("too large" in reason for reason in found.reasons.values())


def test_samples_are_repeatable_and_bounded() -> None:
    graph = random_graph(1, 100, 300)
    found = [utility(graph, graph, seed=7, path_sources=10, betweenness_sources=5) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].path_length.before is not None
    assert (found[0].path_length.before.n_sources, found[0].n_betweenness_sources) == (10, 5)
    assert found[0].path_length.before.standard_error > 0


def test_directed_graphs_say_what_is_not_defined() -> None:
    graph = random_graph(1, directed=True)
    found = utility(graph, graph, seed=1)
    assert found.largest_eigenvalue.before is found.eigenvector_centrality is None
    assert set(found.reasons) == {"largest_eigenvalue", "eigenvector_centrality"}
    assert found.betweenness == pytest.approx(1.0)


def test_empty_graphs() -> None:
    empty = Graph.of_edges([], [], 0)
    found = utility(empty, empty, seed=1)
    assert found.edits is not None
    assert found.edits.ratio is found.degree_distance is found.betweenness is found.communities is None
    assert found.n_edges.before == 0


def test_what_does_not_fit_is_refused() -> None:
    path, arrows = Graph.of_edges([0, 1], [1, 2]), Graph.of_edges([0, 1], [1, 2], directed=True)
    with pytest.raises(InputError, match="directed"):
        utility(path, arrows)
    with pytest.raises(InputError, match="vertices"):
        utility(path, Graph.of_edges([0], [1]), "order")
    for matching in ([0, 1], [0, 0, 1], [0, 1, 5], [0, 1, -2], [0.0, 1.0, 2.0]):
        with pytest.raises(InputError, match="place of its own"):
            utility(path, path, matching)
    with pytest.raises(InputError, match="no vertices"):
        utility(path, path, {0: 0, 9: 1})
    for matching in ("nonsense", 5):
        with pytest.raises(OptionError):
            utility(path, path, matching)
    for options in ({"path_sources": 0}, {"betweenness_sources": True}, {"seed": -1}):
        with pytest.raises(OptionError):
            utility(path, path, **options)


@pytest.mark.parametrize("package", ["scipy", "networkx"])
def test_a_missing_package_says_how_to_get_it(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, package, None)
    graph = Graph.of_edges([0], [1])
    with pytest.raises(InputError) as caught:
        utility(graph, graph)
    assert caught.value.hint == 'pip install "celosia[graphs]"'
