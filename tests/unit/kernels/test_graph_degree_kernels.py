"""The kernels that make degrees anonymous, against plain definitions."""

from __future__ import annotations

from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_degrees import are_shared, distance, edited_graphs
from plain_graphs import of_networkx
from trying import tries

from celosia import kernels
from celosia.graphs.transforms.base import Task
from celosia.graphs.transforms.degree_nodes import Nodes, nodes_of

KINDS = st.sampled_from([(True, True), (True, False), (False, True)])
LADDERS = st.lists(st.integers(0, 4), min_size=1, max_size=6).map(sorted)


def int32(values):
    return np.array(values, dtype=np.int32)


@given(LADDERS, st.integers(1, 6), KINDS)
def test_the_distance_is_the_least_of_all(ladder, k, kind):
    if k > len(ladder):
        with pytest.raises(ValueError, match="fewer than k"):
            kernels.degree_distance(int32(ladder), k, *kind)
        return
    assert kernels.degree_distance(int32(ladder), k, *kind) == distance(ladder, k, *kind)


@given(LADDERS, st.integers(1, 6), st.data())
def test_the_priced_distance_is_the_least_of_all(ladder, k, data):
    prices = st.lists(st.integers(0, 5), min_size=len(ladder), max_size=len(ladder))
    up, down = sorted(data.draw(prices), reverse=True), sorted(data.draw(prices))
    if k > len(ladder):
        with pytest.raises(ValueError, match="k must lie"):
            kernels.priced_degree_distance(int32(ladder), int32(up), int32(down), k)
        return
    rows = list(zip(ladder, up, down, strict=True))

    def cost(made):
        moves = [(new - old, more, less) for new, (old, more, less) in zip(made, rows, strict=True)]
        return sum(by * more if by > 0 else -by * less for by, more, less in moves)

    every = product(range(max(ladder) + 1), repeat=len(ladder))
    least = min(cost(made) for made in every if are_shared(made, k))
    assert kernels.priced_degree_distance(int32(ladder), int32(up), int32(down), k) == least


@given(st.integers(1, 4), st.lists(st.integers(0, 30), min_size=25, max_size=60), KINDS)
def test_equal_prices_give_the_distance(k, degrees, kind):
    ladder = int32(sorted(degrees))
    same = int32([1] * len(ladder))
    assert kernels.priced_degree_distance(ladder, same, same, k) == kernels.degree_distance(ladder, k)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=20),
    st.integers(1, 5),
)
def test_the_nearest_in_the_plane(vertices, k):
    """Groups of fewer than k have fewer others."""
    expected = 0
    for i, (group, out, into) in enumerate(vertices):
        others = [own for j, own in enumerate(vertices) if j != i and own[0] == group]
        expected += sum(sorted(abs(out - a) + abs(into - b) for _, a, b in others)[: k - 1])
    points = sorted(set(vertices))
    sizes = np.array([vertices.count(point) for point in points])
    columns = [int32([point[part] for point in points]) for part in range(3)]
    assert kernels.distance_to_nearest(*columns, sizes, k) == expected


@pytest.mark.parametrize(
    ("up", "down", "words"),
    [
        ([1, 2], [1, 1], "must not rise"),
        ([1, 1], [2, 1], "not fall"),
        ([1, -1], [1, 1], "negative"),
        ([1], [1, 1], "up"),
    ],
)
def test_prices_that_would_overtake_are_refused(up, down, words):
    with pytest.raises(ValueError, match=words):
        kernels.priced_degree_distance(int32([1, 2]), int32(up), int32(down), 1)


@st.composite
def cases(draw) -> Nodes:
    """Nodes of small graphs with groups of at least k."""
    graph = draw(edited_graphs(max_vertices=12))
    n = graph.n_vertices
    k = draw(st.integers(2, max(n // 2, 2)))
    n_groups = draw(st.integers(1, max(n // k, 1)))
    groups = np.array([v % n_groups for v in range(n)], dtype=np.int64)
    return nodes_of(Task(graph, edits=draw(st.sampled_from(["both", "add", "delete"]))), groups, k)


def known_of(nodes: Nodes, degrees) -> list[tuple[int, ...]]:
    """What is known of each vertex with these degrees of nodes."""
    n = nodes.n if nodes.mates is None else nodes.n // 2
    values = degrees.tolist()
    groups = nodes.groups.tolist()
    return [(groups[v], values[v], *([] if nodes.mates is None else [values[n + v]])) for v in range(n)]


def check_edits(nodes: Nodes, first, second) -> np.ndarray:
    """Every edit is allowed and made once; returns the degrees after them, counted one by one."""
    links = {(v, u) for v in range(nodes.n) for u in nodes.partners[nodes.starts[v] : nodes.starts[v + 1]].tolist()}
    after = nodes.degrees.astype(np.int64)
    seen = set()
    for v, u in zip(first.tolist(), second.tolist(), strict=True):
        assert frozenset((v, u)) not in seen
        seen.add(frozenset((v, u)))
        is_linked = (v, u) in links
        if is_linked:
            assert nodes.may_delete
        else:
            assert nodes.may_add
            assert v != u
            assert nodes.sides is None or nodes.sides[v] ^ nodes.sides[u] == 1
            assert nodes.mates is None or nodes.mates[v] != u
        for end in {v, u}:
            after[end] += -1 if is_linked else 1
    return after


def rows_of(nodes: Nodes):
    return (
        *(nodes.starts, nodes.partners, nodes.groups, nodes.sides, nodes.mates),
        *(nodes.k, nodes.may_add, nodes.may_delete),
    )


@tries(300)
@given(cases(), st.sampled_from([0, 1, 300]), st.integers(0, 3))
def test_targets_are_anonymous_and_pairs_are_wanted_by_both(nodes, n_trials, seed):
    targets, (first, second), n_edits = kernels.degree_targets(*rows_of(nodes), n_trials, 1e9, seed)
    assert are_shared(known_of(nodes, targets), nodes.k)
    wants = targets.astype(np.int64) - nodes.degrees
    assert nodes.may_add or (wants <= 0).all()
    assert nodes.may_delete or (wants >= 0).all()
    assert (targets >= 0).all()
    moved = check_edits(nodes, first, second) - nodes.degrees
    assert (np.sign(moved) * np.sign(wants) >= 0).all()
    assert (np.abs(moved) <= np.abs(wants)).all()
    ends = np.concatenate([first, second])
    assert (np.bincount(ends, minlength=nodes.n) == np.abs(moved)).all()  # nobody gives and takes
    assert n_edits >= np.abs(wants).sum() - len(first)
    again = kernels.degree_targets(*rows_of(nodes), n_trials, 1e9, seed)
    assert [values.tolist() for values in (again[0], *again[1])] == [
        values.tolist() for values in (targets, first, second)
    ]


@tries(300)
@given(cases(), st.integers(0, 3))
def test_edits_lead_to_anonymous_degrees_or_say_that_they_do_not(nodes, seed):
    targets, direct, _ = kernels.degree_targets(*rows_of(nodes), 100, 1e9, seed)
    first, second, found = kernels.realise_degrees(*rows_of(nodes), targets, *direct, seed)
    after = check_edits(nodes, first, second)
    if found:
        assert are_shared(known_of(nodes, after), nodes.k)
    assert (after >= 0).all()
    rebuilt = nodes.after((first, second))
    assert rebuilt.degrees.tolist() == after.tolist() == nodes.degrees_after((first, second)).tolist()


@tries(150)
@given(cases(), st.integers(0, 3))
def test_annealed_edits_are_valid(nodes, seed):
    if nodes.mates is not None:
        return
    rows = (nodes.starts, nodes.partners, nodes.groups, nodes.sides, nodes.k, nodes.may_add, nodes.may_delete)
    nothing = int32([])
    found = kernels.anneal_degrees(*rows, nothing, nothing, 2000, 1, 1.2, 0, 1e9, seed)
    if found is not None:
        assert are_shared(known_of(nodes, check_edits(nodes, *found)), nodes.k)
        fewer = kernels.anneal_degrees(*rows, *found, 500, 1, 0.4, 0, 1e9, seed)
        assert len(fewer[0]) <= len(found[0])


def test_pairs_of_wants_are_found_where_all_can_be_paired():
    """Two stars whose middles differ by 6: half the distance suffices, as others want more too."""
    star = of_networkx(nx.disjoint_union(nx.star_graph(20), nx.star_graph(14)))
    nodes = nodes_of(Task(star), np.zeros(36, dtype=np.int64), 2)
    _, _, n_edits = kernels.degree_targets(*rows_of(nodes), 2000, 1e9, 1)
    assert n_edits == 6  # the middles are not linked, and no other wants anything


def test_time_that_is_up_ends_the_search_with_a_result():
    nodes = nodes_of(Task(of_networkx(nx.barabasi_albert_graph(2000, 3, seed=1))), np.zeros(2000, dtype=np.int64), 5)
    targets, _, _ = kernels.degree_targets(*rows_of(nodes), 10**9, 0.0, 1)
    assert are_shared(known_of(nodes, targets), 5)


def test_a_stopped_pulse_ends_the_search():
    nodes = nodes_of(Task(of_networkx(nx.path_graph(9))), np.zeros(9, dtype=np.int64), 5)
    pulse = kernels.Pulse()
    pulse.stop()
    with pytest.raises(kernels.Interrupted):
        kernels.degree_targets(*rows_of(nodes), 10, 1e9, 1, pulse)


PATH = (np.array([0, 1, 3, 4]), int32([1, 0, 2, 1]))
ONE = int32([0, 0, 0])


@pytest.mark.parametrize(
    ("rows", "rules", "words"),
    [
        ((PATH[0][:-1], PATH[1], ONE), (None, None, 2, True, True), "end with the number of partners"),
        ((PATH[0], int32([1, 0, 3, 1]), ONE), (None, None, 2, True, True), "no node"),
        ((*PATH, int32([0, 0, 1])), (None, None, 2, True, True), "fewer than k"),
        ((*PATH, ONE), (None, None, 0, True, True), "k must"),
        ((*PATH, ONE), (None, None, 2, False, False), "some edits"),
        ((*PATH, ONE), (np.array([0], dtype=np.int8), None, 2, True, True), "sides"),
        ((*PATH, ONE), (np.array([0, 1, 0], dtype=np.int8), int32([1, 0, 2]), 2, True, True), "mates"),
        ((*PATH, ONE), (None, ONE, 2, True, True), "with mates"),
    ],
)
def test_bad_rows_are_refused(rows, rules, words):
    with pytest.raises(ValueError, match=words):
        kernels.degree_targets(*rows, *rules, 10, 1.0, 1)
