"""The page of a checked graph: no names, shapes for verdicts, both languages, and pictures that are the same twice."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import OptionError
from celosia.graphs.checking import Result, check
from celosia.graphs.files import read
from celosia.graphs.graph import Graph
from celosia.graphs.models import DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.naming import every_model, graph_models, model_of, models_at
from celosia.graphs.risk import risk
from celosia.graphs.utility import utility
from celosia.report.graphs.comparison import render_comparison, rows_of
from celosia.report.graphs.page import render
from celosia.report.graphs.page_words import meaning_of, strongest_words, title_of
from celosia.report.graphs.pictures import draw_blocks, draw_graph, is_drawable, layout_of
from celosia.report.graphs.pictures.blocks import order_by_sets
from celosia.report.language import Language
from celosia.report.pdf import pdf_of
from celosia.report.pdf_nodes import unknown_in

SQUARE = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0], names=pl.Series(["canaria0", "canaria1", "canaria2", "canaria3"]))
KARATE = read(nx.karate_club_graph(), name="karate")
NOBODY = np.zeros(0, dtype=np.int64)


@pytest.fixture(scope="module")
def karate() -> Result:
    return check(KARATE, [NeighbourhoodAnonymity(2), KLAnonymity(2, 2, "neighbours"), DegreeAnonymity(3)])


def pictures(page: str) -> list[ET.Element]:
    return [ET.fromstring(found) for found in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


@st.composite
def graphs(draw: Any) -> Graph:
    n = draw(st.integers(1, 25))
    ends = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40))
    directed = draw(st.booleans())
    return Graph.of_edges([a for a, _ in ends], [b for _, b in ends], n, directed=directed) if ends else empty(n)


def empty(n: int) -> Graph:
    none = np.zeros(0, dtype=np.int32)
    return Graph.of_edges(none, none, n)


@tries(30)
@given(graphs())
def test_places_are_in_the_box_finite_apart_and_the_same_twice(graph: Graph) -> None:
    layout = layout_of(graph)
    assert layout.places.shape == (graph.n_vertices, 2)
    assert np.isfinite(layout.places).all()
    assert (layout.places >= 0).all()
    assert (layout.places[:, 0] <= layout.width).all()
    assert (layout.places[:, 1] <= layout.height).all()
    gaps = np.linalg.norm(layout.places[:, None] - layout.places[None], axis=2) + 9 * np.eye(graph.n_vertices)
    assert gaps.min() > 1e-3
    assert np.array_equal(layout.places, layout_of(graph).places)


def test_neighbours_lie_nearer_than_others() -> None:
    layout = layout_of(KARATE)
    gaps = np.linalg.norm(layout.places[:, None] - layout.places[None], axis=2)
    linked = np.zeros_like(gaps, dtype=bool)
    linked[KARATE.source, KARATE.target] = True
    others = ~(linked | linked.T | np.eye(34, dtype=bool))
    assert gaps[linked].mean() < 0.7 * gaps[others].mean()


def test_components_do_not_overlap() -> None:
    parts = [nx.cycle_graph(8), nx.star_graph(9), nx.path_graph(6), nx.complete_graph(5)]
    graph = read(nx.disjoint_union_all(parts))
    places = layout_of(graph).places
    ends = np.cumsum([0, *(len(part) for part in parts)])
    boxes = [(places[a:b].min(axis=0), places[a:b].max(axis=0)) for a, b in pairwise(ends.tolist())]
    for one in range(len(boxes)):
        for other in range(one):
            (low, high), (low_2, high_2) = boxes[one], boxes[other]
            assert (high < low_2).any() or (high_2 < low).any()


def shapes(drawn: str, kind: str) -> int:
    found = re.search(rf'class="{kind}" d="([^"]*)"', drawn)
    return 0 if found is None else found[1].count("M")


@tries(30)
@given(graphs(), st.data())
def test_every_vertex_is_drawn_once_with_the_shape_of_its_verdict(graph: Graph, data: Any) -> None:
    kinds = np.array(data.draw(st.lists(st.integers(0, 2), min_size=graph.n_vertices, max_size=graph.n_vertices)))
    breaking, undecided = np.flatnonzero(kinds == 1), np.flatnonzero(kinds == 2)
    drawn = draw_graph(graph, layout_of(graph), breaking, undecided, 'a <graph> & "more"')
    ET.fromstring(drawn)
    assert shapes(drawn, "hides") == graph.n_vertices - len(breaking) - len(undecided)
    assert shapes(drawn, "breaks") == len(breaking)
    assert shapes(drawn, "undecided") == len(undecided)
    assert shapes(drawn, "edges") == len({*zip(graph.source.tolist(), graph.target.tolist(), strict=True)})


def test_blocks_put_those_who_hide_first_and_sets_together() -> None:
    labels = np.array([3, 0, 1, 0, 2, 0, 1])
    order = order_by_sets(labels, np.array([0, 4]), np.array([9, 1, 1, 1, 1, 1, 1]))
    assert order.tolist() == [1, 3, 5, 2, 6, 0, 4]


def test_blocks_of_a_complete_bipartite_graph_are_full_beside_the_diagonal() -> None:
    graph = read(nx.complete_bipartite_graph(45, 45))
    labels = NeighbourhoodAnonymity(2).judge(graph).labels
    drawn = draw_blocks(graph, labels, NOBODY, ("they hide", "they break"), "two blocks")
    ET.fromstring(drawn)
    cells = re.findall(r'class="dense" fill-opacity="([\d.]+)" d="([^"]*)"', drawn)
    assert [(level, path.count("M")) for level, path in cells] == [("1.00", 2 * 45 * 45)]
    assert "they hide" in drawn
    assert "they break" not in drawn
    assert 'class="limit"' not in drawn


def test_a_large_graph_is_shown_as_blocks() -> None:
    graph = read(nx.barabasi_albert_graph(3_100, 2, seed=1))
    assert not is_drawable(graph)
    page = render(check(graph, NeighbourhoodAnonymity(2)))
    assert 'class="dense"' in page
    assert 'class="edges"' not in page


def test_a_graph_with_very_many_edges_is_not_drawn() -> None:
    assert not is_drawable(read(nx.complete_graph(200)))


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_page_is_whole_and_set_on_paper(karate: Result, lang: str) -> None:
    page = render(karate, lang, karate.satisfied)
    assert page.startswith(f'<!DOCTYPE html>\n<html lang="{lang}">')
    assert not re.search(r"https?://(?!www\.w3\.org)|<script|@import|url\((?!#lattice)", page)
    assert unknown_in(page) == []
    assert len(pictures(page)) >= 8
    assert pdf_of(page).startswith(b"%PDF-")


def test_the_page_tells_verdict_risk_and_findings(karate: Result) -> None:
    page = render(karate, "en", False)
    assert "What was asked does not hold." in page
    assert page.count("does not hold") >= 3
    for known in karate.risk.known:
        assert known.title.replace("'", "&#39;") in page
    for finding in karate.findings:
        assert finding.code in page
    assert "They do not hide links" in page
    breaking = [int(n) for n in re.findall(r"hide among at least \d+, (\d+) do not", page.replace("&#39;", ""))]
    assert set(breaking) == {len(judgement.breaking) for judgement in karate.judgements}


def test_what_was_not_asked_is_measured() -> None:
    page = render(check(SQUARE, every_model()))
    assert "Nothing was demanded" in page
    assert "What was asked" not in page.replace("What was asked, and what holds", "")
    assert page.count("LINKS_DISCLOSED") == 1


def test_no_name_of_a_vertex_is_on_the_page() -> None:
    for holds in (True, None):
        assert "canaria" not in render(check(SQUARE, models_at(2)), "en", holds)


def test_hostile_names_are_escaped() -> None:
    graph = Graph.of_edges([0, 1], [1, 2], name="<b>x</b>&'", vertices=pl.DataFrame({"<i>a</i>": [1, 2, 3]}))
    page = render(check(graph, DegreeAnonymity(2, ("<i>a</i>",))))
    assert "<b>" not in page
    assert "<i>" not in page


@pytest.mark.parametrize("graph", [empty(0), empty(1), empty(4), Graph.of_edges([0], [0])], ids=str)
def test_odd_graphs_have_a_page(graph: Graph) -> None:
    page = render(check(graph, every_model()), "en", False)
    assert "</html>" in page
    for picture in pictures(page):
        assert picture.tag == "svg"


def test_an_unknown_language_is_refused(karate: Result) -> None:
    with pytest.raises(OptionError):
        render(karate, "xx")


def test_the_strongest_parameters_in_words() -> None:
    english = Language("en")
    cube = read(nx.hypercube_graph(3))
    judged = KLAnonymity(2, 2, "neighbours").judge(cube)
    assert (strongest_words(judged, "k", english), strongest_words(judged, "l", english)) == ("2", "2")
    path = NeighbourhoodAnonymity(2).judge(read(nx.path_graph(4)))
    assert (strongest_words(path, "k", english), strongest_words(path, "l", english)) == ("none", "–")


def test_every_model_has_a_title_and_a_meaning_in_words() -> None:
    english = Language("en")
    for model in every_model():
        assert title_of(model, english) != model.name
        assert str(model.k - 1) in meaning_of(model, english) or str(model.k) in meaning_of(model, english)


def test_what_was_not_looked_at_is_said(karate: Result) -> None:
    said = "Two known neighbours are not in the table"
    fewer = replace(karate, risk=risk(karate.graph, k=3, l=1))
    assert said not in render(karate)
    assert said in render(fewer)


def test_with_k_2_one_figure_is_enough() -> None:
    at_2, at_3 = (render(check(KARATE, DegreeAnonymity(k)), "en", False) for k in (2, 3))
    assert "fewer than 3 candidates" in at_3
    assert "fewer than 2 candidates" not in at_2


def test_models_are_named_as_they_tell_themselves() -> None:
    assert {model.name for model in every_model()} == set(graph_models())
    for model in every_model(("sex",)):
        assert model_of(str({model.name: model.to_dict()}).replace("True", "true")) == model


@pytest.mark.parametrize(
    "text",
    ["{k_anonymity: {k: 2}}", "{degree_anonymity: {l: 2}}", "degree_anonymity", "{degree_anonymity: {k: 1}}", "[", "7"],
)
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(OptionError):
        model_of(text)


def test_what_is_no_name_is_not_repeated() -> None:
    with pytest.raises(OptionError) as caught:
        model_of("{'degree_anonymity:SECRET x': 1}")
    assert "SECRET" not in str(caught.value)
    with pytest.raises(OptionError) as caught:
        model_of("{'degree SECRET': {k: 2}}")
    assert "SECRET" not in str(caught.value)


def test_a_comparison_says_every_figure_or_why_not() -> None:
    found = utility(SQUARE, read(nx.path_graph(4)), "none", seed=1)
    rows = rows_of(found, Language("en"))
    for row in rows:
        assert ("–" in (row.before, row.after)) == bool(row.reason)
    assert next(row for row in rows if row.name == "edges").after == "3"
    page = render_comparison(found, ("a.csv", "<b>.csv"), "en")
    assert "&lt;b&gt;.csv" in page
    assert "canaria" not in page
    assert unknown_in(page) == []
