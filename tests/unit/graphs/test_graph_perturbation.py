"""perturbed: edges changed by chance alone, each choice as likely as any other, and no promise."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from leaks import leaks
from plain_graphs import graph_of, of_networkx

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.errors import AuditError, InputError, OptionError, UnreachableError
from celosia.graphs.graph import Graph
from celosia.jobs.graphs import perturbation as module
from celosia.jobs.graphs import release as release_module
from celosia.jobs.graphs.plan_texts import plan_text
from celosia.jobs.graphs.release_page import render_release

perturbed = cl.graphs.perturbed


def edges_of(release) -> set[tuple[int, int]]:
    """The published edges by the places of the original."""
    order, graph = release.made.order, release.graph
    ends = zip(order[graph.source].tolist(), order[graph.target].tolist(), strict=True)
    return {(i, j) if graph.directed else (min(i, j), max(i, j)) for i, j in ends}


def own_edges(graph: Graph) -> set[tuple[int, int]]:
    return set(zip(graph.source.tolist(), graph.target.tolist(), strict=True))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n, directed, loops = draw(st.integers(1, 7)), draw(st.booleans()), draw(st.booleans())
    sides = [v % 2 for v in range(n)] if draw(st.booleans()) and n > 1 else None
    pairs = [
        (i, j)
        for i in range(n)
        for j in range(n)
        if (directed or i <= j) and (loops or i != j) and (sides is None or sides[i] != sides[j])
    ]
    return graph_of([pair for pair in pairs if draw(st.booleans())], n, directed=directed, sides=sides)


@given(graph=graphs(), share=st.floats(0, 1), keep_edges=st.booleans())
def test_so_many_edges_go_and_as_many_come(graph, share, keep_edges):
    n, directed = graph.n_vertices, graph.directed
    n_changed = round(share * graph.n_edges)
    possible = {
        (i, j)
        for i in range(n)
        for j in range(n)
        if i != j and (directed or i < j) and (graph.sides is None or graph.sides[i] != graph.sides[j])
    }
    free = possible - own_edges(graph)
    if keep_edges and n_changed > len(free):
        with pytest.raises(UnreachableError, match=f"only {len(free)} pairs"):
            perturbed(graph, share, keep_edges=keep_edges)
        return
    release = perturbed(graph, share, keep_edges=keep_edges)
    after, before = edges_of(release), own_edges(graph)
    assert len(before - after) == release.n_deleted == n_changed
    assert len(after - before) == release.n_added == (n_changed if keep_edges else 0)
    assert after - before <= free
    assert sorted(release.vertices.values()) == list(range(n))


def test_every_choice_is_as_likely():
    path = of_networkx(nx.path_graph(4))  # 3 edges, 3 pairs without one: 9 outcomes at one change
    n_runs = 3600
    found: Counter[frozenset[tuple[int, int]]] = Counter()
    for seed in range(n_runs):
        edited = module._by_chance(path, 1, True, Randomness(seed))
        ends = zip(edited.source.tolist(), edited.target.tolist(), strict=True)
        found[frozenset((min(pair), max(pair)) for pair in ends)] += 1
    assert len(found) == 9
    expected = n_runs / 9
    assert sum((count - expected) ** 2 / expected for count in found.values()) < 26.1  # chi-squared, 8: 0.1 %


def test_pairs_of_a_nearly_complete_graph_are_found():
    pairs = list(combinations(range(60), 2))
    graph = graph_of(pairs[2:], 60)
    release = perturbed(graph, 2 / len(pairs), seed=1)
    assert edges_of(release) - own_edges(graph) == set(pairs[:2])


def test_nothing_is_promised_and_that_is_said():
    club = nx.karate_club_graph()
    release = perturbed(club, 0.1, seed=1)
    assert not release.promised
    assert repr(release) == "GraphRelease(no model: 8 edges added, 8 deleted)"
    finding = next(one for one in release.findings if one.code == "NO_MODEL_PROMISED")
    assert f"{release.result.risk['neighbour_degrees'].n_unique} vertices are unique" in finding.message
    assert f"({release.before.risk['neighbour_degrees'].n_unique} before)" in finding.message
    codes = [one.code for one in release.findings]
    assert len(codes) == len(set(codes))
    told = release.summary
    assert (told["method"], told["options"]) == ("perturbation", {"share": 0.1, "keep_edges": True})
    assert (told["satisfied"], told["lower_bound"], told["n_edits"]) == (None, None, 16)
    assert {next(iter(one["model"])) for one in told["alternatives"]} >= {"degree_anonymity", "closed_twin_anonymity"}


def test_weights_stay_and_new_edges_draw_theirs():
    club = nx.karate_club_graph()
    release = perturbed(club, 0.2, seed=1, drop=["club"])
    was = {tuple(sorted((i, j))): weight for i, j, weight in club.edges(data="weight")}
    order, graph = release.made.order, release.graph
    for i, j, weight in zip(order[graph.source], order[graph.target], graph.edges["weight"], strict=True):
        pair = (min(i, j), max(i, j))
        assert weight == was[pair] if pair in was else weight in was.values()
    declared = perturbed(club, 0.2, seed=1, new_edges={"weight": 1})
    assert set(declared.graph.edges.filter(pl.Series(declared.made.is_new))["weight"]) == {1}


def test_the_folder_and_the_page(tmp_path):
    names = pl.Series([f"canaria{v}" for v in range(8)])
    ring = Graph.of_edges(list(range(8)), [(v + 1) % 8 for v in range(8)], names=names, name="ring.csv")
    release = perturbed(ring, 0.25)
    folder = release.write(tmp_path / "release", format="graphml", lang="es")
    assert leaks(folder, ["canaria"]) == []
    assert "Un grafo cambiado al azar" in (folder / "internal" / "report.html").read_text()
    page = render_release(release)
    assert "No model is promised" in page
    assert "What was asked holds" not in page
    assert "perturbation: {share: 0.25, keep_edges: true}" in plan_text(release)
    record = json.loads((folder / "internal" / "record.json").read_text())
    assert record["models"] == []


@pytest.mark.parametrize("share", [-0.1, 1.1, True, "0.1", None, float("nan")])
def test_shares_are_from_0_to_1(share):
    with pytest.raises(OptionError, match="share must be"):
        perturbed(of_networkx(nx.path_graph(4)), share)


def test_wrong_input():
    with pytest.raises(OptionError, match="keep_edges"):
        perturbed(of_networkx(nx.path_graph(4)), 0.5, keep_edges=1)
    with pytest.raises(InputError, match="parallel edges"):
        perturbed(Graph.of_edges([0, 0], [1, 1], multigraph=True), 0.5)
    with pytest.raises(UnreachableError, match="no vertices"):
        perturbed(Graph.of_edges([], [], 0), 0.5)


def test_an_empty_graph_stays_so():
    release = perturbed(Graph.of_edges([], [], 3), 1.0)
    assert (release.n_added, release.n_deleted, release.graph.n_edges) == (0, 0, 0)
    assert "No edge was changed." in render_release(release)


def test_other_edits_than_drawn_are_rejected(monkeypatch):
    nothing = np.zeros(0, dtype=np.int32)
    monkeypatch.setattr(module, "_drawn_pairs", lambda graph, n_wanted, randomness: (nothing, nothing))
    with pytest.raises(AuditError, match="other edges were changed"):
        perturbed(of_networkx(nx.path_graph(4)), 0.5)


def test_other_models_are_not_searched_without_an_end(monkeypatch):
    asked = []
    monkeypatch.setattr(release_module, "found_alternatives", lambda *given: asked.append(given[3]) or ())
    release = perturbed(of_networkx(nx.path_graph(4)), 0.5, seed=1)
    release.find_alternatives()
    release.find_alternatives(time_limit=2)
    assert asked == [10, 2]
