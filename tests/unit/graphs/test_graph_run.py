"""run: what is handed out is what was asked for, shuffled and named anew, or nothing is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import networkx as nx
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_graphs import degrees, fewest_by_size, plain

import celosia as cl
from celosia.base.errors import AuditError, ColumnNotFoundError, InputError, OptionError, UnreachableError
from celosia.graphs.auditing import fewest_candidates
from celosia.graphs.graph import Graph
from celosia.graphs.models import (
    ClosedTwinAnonymity,
    DegreeAnonymity,
    KLAnonymity,
    NeighbourhoodAnonymity,
)
from celosia.graphs.transforms.base import Edited
from celosia.jobs.graphs import running
from celosia.jobs.graphs.running import run
from celosia.masks import Generalise

PEOPLE = pl.DataFrame({"age": [31, 34, 38, 36, 52], "town": ["a", "a", "b", "b", "a"]})
NAMES = pl.Series(["ana", "eva", "luis", "rosa", "juan"])


def house() -> Graph:
    """A square with a roof: degrees 2, 3, 2, 3, 2."""
    weights = pl.DataFrame({"km": [1, 2, 3, 4, 5, 6], "note": list("uvwxyz")})
    return Graph.of_edges(
        [0, 1, 2, 3, 1, 3], [1, 2, 3, 0, 4, 4], names=NAMES, vertices=PEOPLE, edges=weights, name="house"
    )


@st.composite
def simple_graphs(draw: st.DrawFn) -> Graph:
    n, directed = draw(st.integers(1, 6)), draw(st.booleans())
    pairs = [(i, j) for i in range(n) for j in range(n) if directed or i <= j]
    towns = pl.DataFrame({"town": pl.Series([draw(st.sampled_from(["a", None])) for _ in range(n)], dtype=pl.String)})
    chosen = [pair for pair in pairs if draw(st.booleans())]
    return Graph.of_edges([i for i, _ in chosen], [j for _, j in chosen], n, directed=directed, vertices=towns)


def edges_of(graph: Graph) -> set[tuple[int, int]]:
    return set(zip(graph.source.tolist(), graph.target.tolist(), strict=True))


def standing_in(monkeypatch, make):
    """Let a function from graph to edges stand in for every transform."""

    def transformed(task, models):
        source, target = make(task.graph)
        return Edited(np.array(source, dtype=np.int32), np.array(target, dtype=np.int32), 1)

    monkeypatch.setattr(running, "transformed", transformed)


def cycle(graph: Graph) -> tuple[list[int], list[int]]:
    """The cycle through all vertices: every degree is 2."""
    n = graph.n_vertices
    return list(range(n)), [(v + 1) % n for v in range(n)]


def by_original(release) -> Graph:
    """The published graph with vertices in the places of the original."""
    graph, order = release.graph, release.made.order
    return Graph.of_edges(order[graph.source], order[graph.target], graph.n_vertices, directed=graph.directed)


# What is published ----------------------------------------------------------------------------------------------------


def test_a_graph_that_satisfies_the_models_is_only_shuffled():
    ring = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0], names=pl.Series(["ana", "eva", "luis", "rosa"]))
    release = run(ring, [NeighbourhoodAnonymity(2), DegreeAnonymity(4)])
    assert (release.n_added, release.n_deleted, release.lower_bound, release.gap) == (0, 0, 0, 0.0)
    assert release.is_optimal
    assert release.graph.names.to_list() == [0, 1, 2, 3]
    assert sorted(release.vertices) == ["ana", "eva", "luis", "rosa"]
    renamed = {(release.vertices[u], release.vertices[v]) for u, v in [("ana", "eva"), ("eva", "luis")]}
    assert {tuple(sorted(pair)) for pair in renamed} <= edges_of(release.graph)


def test_every_order_of_vertices_comes_up():
    path = Graph.of_edges([0, 1, 2], [1, 2, 0])
    orders = {tuple(run(path, DegreeAnonymity(3)).vertices.values()) for _ in range(200)}
    assert len(orders) == 6


def test_edits_are_counted_and_utility_compares_the_right_vertices(monkeypatch):
    standing_in(monkeypatch, cycle)
    graph = house()
    release = run(graph, DegreeAnonymity(5), seed=3)
    assert edges_of(by_original(release)) == {(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)}
    assert (release.n_added, release.n_deleted, release.edit_ratio) == (1, 2, 0.5)
    assert (release.lower_bound, release.gap, release.is_optimal) == (1, 2.0, None)
    measured = cl.graphs.utility(graph, release.graph)
    assert (measured.edits.n_added, measured.edits.n_deleted, measured.matched_by) == (1, 2, "given")
    assert release.utility.edits == measured.edits
    assert {len(set(degrees(release.graph)))} == {1}


def test_attributes_stay_with_their_vertices_and_edges(monkeypatch):
    standing_in(monkeypatch, cycle)
    graph = house()
    release = run(graph, DegreeAnonymity(5))
    made, order = release.graph, release.made.order
    assert made.vertices.rows() == [PEOPLE.rows()[place] for place in order]
    was = dict(zip(sorted(edges_of(graph)), graph.edges.rows(), strict=True))
    for u, v, row in zip(order[made.source], order[made.target], made.edges.rows(), strict=True):
        pair = (min(u, v), max(u, v))
        if pair in was:
            assert row == was[pair]
        else:
            assert row in [was[kept] for kept in [(0, 1), (1, 2), (2, 3), (3, 4)]]  # a whole row of an edge that stays


def test_new_edges_draw_from_all_that_stay(monkeypatch):
    standing_in(monkeypatch, cycle)
    drawn = {run(house(), DegreeAnonymity(5), seed=seed).graph.edges["note"].to_list().count("w") for seed in range(60)}
    assert drawn == {1, 2}


def test_new_edges_get_declared_values(monkeypatch):
    standing_in(monkeypatch, cycle)
    release = run(house(), DegreeAnonymity(5), new_edges={"km": 9})
    assert release.graph.edges.filter(pl.Series(release.made.is_new))["km"].to_list() == [9]
    codes = {finding.code: finding for finding in release.findings}
    assert "NEW_EDGES_DRAWN" in codes  # the note was drawn all the same
    assert "only 0 of the others" in codes["NEW_EDGES_RECOGNISABLE"].message
    both = run(house(), DegreeAnonymity(5), new_edges={"km": 9, "note": "q"})
    assert "NEW_EDGES_DRAWN" not in {finding.code for finding in both.findings}


def test_declared_values_that_many_edges_have_are_not_warned_of(monkeypatch):
    standing_in(monkeypatch, cycle)
    graph = replace(house(), edges=pl.DataFrame({"km": [1] * 6}))
    codes = {finding.code for finding in run(graph, DegreeAnonymity(5), new_edges={"km": 1}).findings}
    assert not codes & {"NEW_EDGES_RECOGNISABLE", "EDGE_ATTRIBUTE", "NEW_EDGES_DRAWN"}


def test_the_graph_knows_its_own_kind(monkeypatch):
    arrows = Graph.of_edges([0, 1], [1, 2], directed=True)
    standing_in(monkeypatch, lambda graph: ([0, 1, 2], [1, 2, 0]))
    release = run(arrows, DegreeAnonymity(3))
    assert release.graph.directed
    assert edges_of(by_original(release)) == {(0, 1), (1, 2), (2, 0)}


def test_sides_are_kept(monkeypatch):
    standing_in(monkeypatch, lambda graph: ([0, 0, 1, 1], [2, 3, 2, 3]))
    star = Graph.of_edges([0, 0, 1], [2, 3, 3], sides=[0, 0, 1, 1])
    release = run(star, NeighbourhoodAnonymity(2))
    assert release.graph.sides is not None
    assert release.graph.sides.tolist() == [[0, 0, 1, 1][place] for place in release.made.order]


def test_a_multigraph_without_parallel_edges_is_a_simple_graph():
    release = run(nx.MultiGraph([(0, 1), (1, 2), (2, 0)]), DegreeAnonymity(3))
    assert not release.graph.multigraph


def test_weights_do_not_keep_degrees_from_being_shared(monkeypatch):
    standing_in(monkeypatch, cycle)
    graph = replace(house(), weight="km")
    release = run(graph, DegreeAnonymity(5), new_edges={"km": 2})
    assert release.graph.weight == "km"
    assert sorted(release.graph.edges["km"].to_list())[:2] == [1, 2]


def test_masks_and_drop_come_first(monkeypatch):
    standing_in(monkeypatch, cycle)
    masks = [Generalise(column="age", intervals={"width": 100})]
    release = run(house(), DegreeAnonymity(5, attributes=("age",)), masks=masks, drop=["town", "km"])
    assert release.graph.vertices.columns == ["age"]
    assert release.graph.edges.columns == ["note"]
    with pytest.raises(AuditError):
        run(house(), DegreeAnonymity(5, attributes=("age",)))


def test_a_dropped_weight_does_not_count():
    graph = replace(Graph.of_edges([0, 1, 2], [1, 2, 0], edges=pl.DataFrame({"km": [1, 2, 3]})), weight="km")
    assert run(graph, KLAnonymity(2, 1, view="neighbours"), drop=["km"]).graph.weight is None


# Chance ---------------------------------------------------------------------------------------------------------------


def test_equal_seeds_give_equal_releases(monkeypatch):
    standing_in(monkeypatch, cycle)
    one, two, other = (run(house(), DegreeAnonymity(5), seed=seed) for seed in (4, 4, 5))
    assert one.vertices == two.vertices != other.vertices
    assert one.graph.edges.equals(two.graph.edges)
    assert edges_of(one.graph) == edges_of(two.graph)
    assert one.seed_fixed


def test_without_a_seed_runs_differ(monkeypatch):
    standing_in(monkeypatch, cycle)
    found = Counter(tuple(run(house(), DegreeAnonymity(5)).vertices.values()) for _ in range(20))
    assert len(found) > 5


# The last look --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        (([0, 1], [1, 2]), "break degree_anonymity"),
        (([0, 1, 2, 3, 4, 0], [1, 2, 3, 4, 0, 1]), "twice"),
        (([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]), "loop"),
    ],
)
def test_a_transform_that_fails_hands_nothing_out(monkeypatch, ends, words):
    standing_in(monkeypatch, lambda graph: ends)
    with pytest.raises(AuditError, match=words) as caught:
        run(house(), DegreeAnonymity(5))
    assert "nothing was handed out" in str(caught.value)


@pytest.mark.parametrize(("edits", "n"), [("add", "2 deleted"), ("delete", "1 edges were added")])
def test_edits_of_another_kind_are_refused(monkeypatch, edits, n):
    standing_in(monkeypatch, cycle)
    with pytest.raises(AuditError, match=n):
        run(house(), DegreeAnonymity(5), edits=edits)


def test_an_edge_within_a_side_is_refused(monkeypatch):
    standing_in(monkeypatch, lambda graph: ([0, 1, 2, 3], [1, 2, 3, 0]))
    with pytest.raises(AuditError, match="within a side"):
        run(Graph.of_edges([0, 0, 1], [2, 3, 3], sides=[0, 0, 1, 1]), DegreeAnonymity(4))


def test_vertices_must_stay_what_they_are(monkeypatch):
    standing_in(monkeypatch, cycle)
    real = running.published

    def swapped(graph, *rest):
        made = real(graph, *rest)
        return replace(made, graph=replace(made.graph, vertices=made.graph.vertices.reverse()))

    monkeypatch.setattr(running, "published", swapped)
    with pytest.raises(AuditError, match="stay with their vertices"):
        run(house(), DegreeAnonymity(5))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda made: replace(made, order=np.zeros_like(made.order)), "vertices are not those"),
        (lambda made: replace(made, graph=replace(made.graph, directed=True)), "of another kind"),
        (lambda made: replace(made, graph=replace(made.graph, multigraph=True)), "of another kind"),
    ],
)
def test_the_graph_must_be_of_the_same_kind_and_vertices(monkeypatch, change, words):
    standing_in(monkeypatch, cycle)
    real = running.published
    monkeypatch.setattr(running, "published", lambda *arguments: change(real(*arguments)))
    with pytest.raises(AuditError, match=words):
        run(house(), DegreeAnonymity(5))


@given(graph=simple_graphs(), named=st.booleans())
def test_the_plain_definition_agrees_with_the_judges(graph, named):
    attributes = ("town",) if named else ()
    for kind in (DegreeAnonymity, NeighbourhoodAnonymity, ClosedTwinAnonymity):
        model = kind(2, attributes)
        assert fewest_candidates(graph, model) == max(1, model.judge(graph).strongest_k)
    for view, size, exclude_known in product(("rows", "neighbours"), (1, 2), (False, True)):
        model = KLAnonymity(2, size, view=view, exclude_known=exclude_known, attributes=attributes)
        own = plain(graph, attributes)
        left = [fewest_by_size(own, v, size, view, exclude_known)[-1] for v in range(graph.n_vertices)]
        assert fewest_candidates(graph, model) == min(left)


@pytest.mark.parametrize(
    "model",
    [
        DegreeAnonymity(3),
        NeighbourhoodAnonymity(3),
        ClosedTwinAnonymity(3),
        KLAnonymity(4, 1),
        KLAnonymity(3, 2, view="neighbours"),
        KLAnonymity(3, 3, view="neighbours"),
    ],
    ids=repr,
)
def test_a_judge_that_fails_is_seen_by_the_definition(monkeypatch, model):
    """Were a model's judge to pass everything, the plain definition would still reject the graph."""
    standing_in(monkeypatch, lambda graph: (graph.source.tolist(), graph.target.tolist()))
    kind = type(model)
    own = kind.judge
    monkeypatch.setattr(
        kind, "judge", lambda *arguments: replace(own(*arguments), satisfied=True, breaking=np.zeros(0, dtype=np.int64))
    )
    with pytest.raises(AuditError, match="by the definition of"):
        run(house(), model)


def test_vertices_must_stay_on_their_sides(monkeypatch):
    graph = Graph.of_edges([0, 0, 1, 1], [2, 3, 2, 3], sides=[0, 0, 1, 1])
    real = running.published

    def turned(*arguments):
        made = real(*arguments)
        return replace(made, graph=replace(made.graph, sides=1 - made.graph.sides))

    monkeypatch.setattr(running, "published", turned)
    with pytest.raises(AuditError, match="changed sides"):
        run(graph, DegreeAnonymity(2))


def test_edges_must_keep_their_attributes(monkeypatch):
    standing_in(monkeypatch, cycle)
    real = running.published

    def shifted(graph, *rest):
        made = real(graph, *rest)
        return replace(made, graph=replace(made.graph, edges=made.graph.edges.with_columns(pl.col("km") + 1)))

    monkeypatch.setattr(running, "published", shifted)
    with pytest.raises(AuditError, match="stay with their edges"):
        run(house(), DegreeAnonymity(5))


# What users are told --------------------------------------------------------------------------------------------------


def codes(release) -> dict[str, str]:
    return {finding.code: finding.severity for finding in release.findings}


def test_an_emptied_graph_is_told_loudly(monkeypatch):
    standing_in(monkeypatch, lambda graph: ([], []))
    release = run(house(), NeighbourhoodAnonymity(5))
    assert codes(release)["GRAPH_EMPTIED"] == "warning"
    (emptied,) = [finding for finding in release.findings if finding.code == "GRAPH_EMPTIED"]
    assert "none of 6 edges is left" in emptied.message
    assert "all 5 vertices are isolated" in emptied.message


def test_a_graph_of_which_most_is_gone_is_told(monkeypatch):
    ladder = Graph.of_edges([0, 1, 2, 3, 4, 5, 0, 1, 2], [1, 2, 0, 4, 5, 3, 3, 4, 5])
    standing_in(monkeypatch, lambda graph: ([0, 1, 2], [3, 4, 5]))
    release = run(ladder, DegreeAnonymity(6))
    (lost,) = [finding for finding in release.findings if finding.code == "MOST_EDGES_LOST"]
    assert "3 of 9 edges" in lost.message
    assert "6 of 6 vertices" in lost.message
    standing_in(monkeypatch, lambda graph: ([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3]))
    assert "MOST_EDGES_LOST" not in codes(run(ladder, DegreeAnonymity(6)))


def test_a_graph_of_new_edges_is_told(monkeypatch):
    standing_in(monkeypatch, lambda graph: ([0, 1, 2, 3], [2, 3, 1, 0]))
    path = Graph.of_edges([0, 1], [1, 2], 4)
    assert codes(run(path, DegreeAnonymity(4)))["MOST_EDGES_NEW"] == "warning"


def test_attributes_of_edges_are_warned_of():
    ring = Graph.of_edges([0, 1, 2], [1, 2, 0], edges=pl.DataFrame({"km": [1, 2, 2], "kind": ["x"] * 3}))
    release = run(ring, DegreeAnonymity(3))
    warned = [finding.column for finding in release.findings if finding.code == "EDGE_ATTRIBUTE"]
    assert warned == ["km"]
    assert "EDGE_ATTRIBUTE" not in codes(run(ring, DegreeAnonymity(3), drop=["km"]))


def test_what_check_finds_is_told_too():
    people = pl.DataFrame({"dni": ["1A", "2B", "3C"]})
    ring = Graph.of_edges([0, 1, 2], [1, 2, 0], vertices=people)
    found = codes(run(ring, DegreeAnonymity(3)))
    assert found["IDENTIFYING_ATTRIBUTE"] == "warning"
    assert "LINKS_DISCLOSED" in found
    merged = run(Graph.of_edges([0, 1, 2, 2], [1, 2, 0, 0]), DegreeAnonymity(3))
    assert "DUPLICATE_EDGES" in codes(merged)


def test_degrees_barely_help():
    graph = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 4])  # a path: its middle is alone by the neighbours' degrees
    assert codes(run(graph, DegreeAnonymity(2)))["DEGREE_BARELY_HELPS"] == "warning"


# Wrong input ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"edits": "none"}, OptionError, "edits must be"),
        ({"edits": None}, OptionError, "edits must be"),
        ({"time_limit": 0}, OptionError, "time_limit"),
        ({"time_limit": -1}, OptionError, "time_limit"),
        ({"time_limit": float("nan")}, OptionError, "time_limit"),
        ({"time_limit": "10"}, OptionError, "time_limit"),
        ({"seed": -1}, OptionError, "seed"),
        ({"seed": 1.5}, OptionError, "seed"),
        ({"seed": True}, OptionError, "seed"),
        ({"new_edges": 3}, OptionError, "new_edges must be"),
        ({"new_edges": {"miles": 1}}, OptionError, "no attribute of edges"),
        ({"new_edges": {"km": "far"}}, OptionError, "type"),
        ({"new_edges": {"km": 1.5}}, OptionError, "type"),
        ({"new_edges": {"km": 2**70}}, OptionError, "type"),
        ({"new_edges": {"km": [1]}}, OptionError, "type"),
        ({"new_edges": {"km": True}}, OptionError, "type"),
        ({"new_edges": {"note": ["x"]}}, OptionError, "type"),
        ({"masks": "age"}, OptionError, "masks"),
        ({"masks": [3]}, OptionError, "masks"),
        ({"masks": None}, OptionError, "masks"),
        ({"drop": "km"}, OptionError, "drop"),
        ({"drop": ["miles"]}, OptionError, "no attribute"),
    ],
)
def test_bad_options(options, error, words):
    with pytest.raises(error, match=words) as caught:
        run(house(), DegreeAnonymity(2), **options)
    assert "far" not in str(caught.value)


@pytest.mark.parametrize("models", [None, [], "degree", DegreeAnonymity, [DegreeAnonymity(2), 3]])
def test_models_must_be_models(models):
    with pytest.raises(OptionError, match="model"):
        run(house(), models)


def test_a_model_without_a_transform():
    class Odd:
        name, k, attributes = "odd", 2, ()

        def judge(self, graph, progress=None):
            return DegreeAnonymity(6).judge(graph)

        def to_dict(self):
            return {"k": 2}

    with pytest.raises(OptionError, match="no transform to odd"):
        run(house(), Odd())
    with pytest.raises(OptionError, match="no transform to odd"):
        run(house(), [Odd(), DegreeAnonymity(2)])


def test_what_is_no_graph():
    with pytest.raises(InputError, match="not a graph"):
        run(3, DegreeAnonymity(2))
    with pytest.raises(UnreachableError, match="no vertices"):
        run(Graph.of_edges([], []), DegreeAnonymity(2))


def test_parallel_edges_are_refused():
    with pytest.raises(InputError, match="1 parallel edges") as caught:
        run(Graph.of_edges([0, 0], [1, 1], multigraph=True), DegreeAnonymity(2))
    assert "multigraph=False" in str(caught.value)


@pytest.mark.parametrize(
    "model", [NeighbourhoodAnonymity(2), ClosedTwinAnonymity(2), KLAnonymity(2, 1), KLAnonymity(2, 1, "neighbours")]
)
def test_models_that_count_weights_refuse_them(model):
    graph = replace(house(), weight="km")
    with pytest.raises(OptionError, match="would count the weight 'km'") as caught:
        run(graph, [DegreeAnonymity(2), model])
    assert "without naming a weight" in str(caught.value)


def test_unknown_attributes():
    with pytest.raises(ColumnNotFoundError, match="'sex'"):
        run(house(), DegreeAnonymity(2, attributes=("sex",)))


def test_attributes_that_repeat_names_are_refused():
    graph = replace(house(), vertices=pl.DataFrame({"label": NAMES}))
    with pytest.raises(InputError, match="repeats the names") as caught:
        run(graph, DegreeAnonymity(2))
    assert "keep_names" not in str(caught.value)
    assert "drop=['label']" in str(caught.value)


def test_attributes_for_new_edges_need_an_edge_to_draw_from(monkeypatch):
    standing_in(monkeypatch, lambda graph: ([0], [1]))
    empty = Graph.of_edges([], [], 2, edges=pl.DataFrame({"km": []}, schema={"km": pl.Int64}))
    empty = replace(empty, edges=pl.DataFrame({"km": []}, schema={"km": pl.Int64}))
    with pytest.raises(OptionError, match="no edge from which"):
        run(empty, ClosedTwinAnonymity(2))
    release = run(empty, ClosedTwinAnonymity(2), new_edges={"km": 7})
    assert release.graph.edges["km"].to_list() == [7]


# Whatever comes in ----------------------------------------------------------------------------------------------------


@given(
    st.integers(2, 7).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=12),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=12),
        )
    ),
    st.booleans(),
    st.sampled_from(["both", "add", "delete"]),
)
def test_what_is_handed_out_is_right_or_nothing_is(parts, directed, edits):
    """Random edges stand in for a transform: whatever run lets pass must be right by plain definitions."""
    n, first, second = parts
    with pytest.MonkeyPatch.context() as patch:
        graph = Graph.of_edges([u for u, _ in first], [v for _, v in first], n, directed=directed)
        graph = replace(graph, edges=pl.DataFrame({"at": np.arange(graph.n_edges)}), findings=())
        standing_in(patch, lambda _: ([u for u, _ in second], [v for _, v in second]))

        def key(pair):
            return pair if directed else (min(pair), max(pair))

        before, after = {key(pair) for pair in first}, [key(pair) for pair in second]
        added, deleted = set(after) - before, before - set(after)
        asked = Graph.of_edges([u for u, _ in second], [v for _, v in second], n, directed=directed)
        is_right = (
            len(set(after)) == len(after)
            and min(Counter(degrees(asked)).values()) >= 2
            and not any(u == v for u, v in added)
            and not (edits == "add" and deleted)
            and not (edits == "delete" and added)
        )
        if added and not before and not is_right:
            return  # nothing to draw attributes from is refused before anything else
        if is_right and not (added and not before):
            release = run(graph, DegreeAnonymity(2), edits=edits)
            assert (release.n_added, release.n_deleted) == (len(added), len(deleted))
            assert edges_of(by_original(release)) == set(after)
        else:
            with pytest.raises((AuditError, OptionError)):
                run(graph, DegreeAnonymity(2), edits=edits)
