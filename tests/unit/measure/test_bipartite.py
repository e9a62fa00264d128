from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import product

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.measure.bipartite import Bipartite, bipartite

TABLE_2 = [0, 0, 0, 1, 1, 1, 2, 2, 2]
TABLE_3 = [0, 0, 1, 2, 2, 2, 1, 1, 0]

groupings = st.lists(st.integers(-1, 4), max_size=14)
pairs_of_groupings = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), max_size=14).map(
    lambda rows: ([first for first, _ in rows], [second for _, second in rows])
)


def plain_edges(labels):
    """The definition: i and j are joined where row j is published and has the class of row i."""
    rows = range(len(labels))
    return {(i, j) for i, j in product(rows, rows) if labels[i] >= 0 and labels[i] == labels[j]}


def plain_sets(first, second):
    """Rows that are published at least once, by what each release says of them."""
    seen = {}
    for row, known in enumerate(zip(first, second, strict=True)):
        if known != (-1, -1):
            seen.setdefault(known, []).append(row)
    return sorted(seen.values())


def test_the_papers_tables_2_and_3():
    second, third = bipartite(TABLE_2), bipartite(TABLE_3)
    assert (second.n_nodes, third.n_nodes) == (18, 18)
    assert (second.n_edges, third.n_edges) == (27, 27)
    assert second.common(third) == third.common(second) == 19
    assert [(rows + 1).tolist() for rows in second.intersections(third)] == [[1, 2], [3], [4, 5, 6], [7, 8], [9]]
    assert second.effective_k(third) == 1
    assert [(rows + 1).tolist() for rows in third.blocks] == [[1, 2, 9], [3, 7, 8], [4, 5, 6]]


@given(groupings)
def test_the_graph_is_its_definition(labels):
    graph, edges = bipartite(labels), plain_edges(labels)
    found = list(graph.edges())
    assert set(found) == edges
    assert len(found) == len(edges) == graph.n_edges
    assert graph.n_nodes == len(labels) + sum(label >= 0 for label in labels)
    assert {frozenset(block.tolist()) for block in graph.blocks} == {
        frozenset(j for j in range(len(labels)) if (i, j) in edges) for i, _ in edges
    }


@given(pairs_of_groupings)
def test_two_graphs_share_what_both_define(pair):
    first, second = map(bipartite, pair)
    shared = plain_edges(pair[0]) & plain_edges(pair[1])
    found = list(first.shared_edges(second))
    assert set(found) == shared
    assert len(found) == len(shared) == first.common(second) == second.common(first)
    sets = plain_sets(*pair)
    assert [rows.tolist() for rows in first.intersections(second)] == sets
    assert first.effective_k(second) == (min(map(len, sets)) if sets else None)


@given(groupings)
def test_a_release_shares_everything_with_itself_and_with_its_coarsening(labels):
    graph, whole = bipartite(labels), bipartite([min(label, 0) for label in labels])
    assert graph.common(graph) == graph.common(whole) == graph.n_edges
    assert {tuple(rows) for rows in graph.intersections(graph)} == {tuple(rows) for rows in graph.blocks}


def test_the_graph_of_a_release_is_that_of_its_classes():
    frame = pl.DataFrame({"exam": [3, 4, 8, 9, 9]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"exam": "number"}))
    release = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(table)
    assert set(bipartite(release).edges()) == plain_edges(release.classes.labels.tolist())
    assert set(bipartite(release.classes).edges()) == set(bipartite(release).edges())


def test_counting_does_not_list_the_edges():
    graph = Bipartite(cl.Classes([0] * 100_000 + [1] * 100_000))
    assert graph.n_edges == 2 * 10**10
    assert graph.common(bipartite([0, 1] * 100_000)) == 4 * 50_000**2
    assert next(graph.edges()) == (0, 0)


def test_graphs_of_other_rows_are_refused():
    first, second = bipartite([0, 0]), bipartite([0, 0, 0])
    for compare in (first.common, first.shared_edges, first.intersections, first.effective_k, first.to_svg):
        with pytest.raises(cl.OptionError, match="2 and 3 original rows"):
            compare(second)


def drawn(svg):
    """The nodes and the edges of a picture, read back from their places: (rows left, rows right, {edge: colour})."""
    name = "{http://www.w3.org/2000/svg}"
    root = ET.fromstring(svg)
    nodes, at = {}, {}
    circles = root.findall(f"{name}circle")
    left = min(float(circle.get("cx")) for circle in circles)
    for circle in circles:
        label = next(
            text.text
            for text in root.findall(f"{name}text")
            if text.get("x") == circle.get("cx") and abs(float(text.get("y")) - float(circle.get("cy"))) < 8
        )
        side = "left" if float(circle.get("cx")) == left else "right"
        nodes.setdefault(side, []).append(int(label) - 1)
        at[side, circle.get("cy")] = int(label) - 1
    lines = {
        (at["left", line.get("y1")], at["right", line.get("y2")]): line.get("stroke")
        for line in root.findall(f"{name}line")
    }
    return nodes.get("left", []), nodes.get("right", []), lines


@tries(40)
@given(pairs_of_groupings.filter(lambda pair: pair[0]))
def test_the_picture_shows_exactly_the_graph(pair):
    first, second = map(bipartite, pair)
    left, right, lines = drawn(first.to_svg(second))
    assert left == list(range(len(pair[0])))
    assert right == [row for row, label in enumerate(pair[0]) if label >= 0]
    assert set(lines) == plain_edges(pair[0])
    shared = plain_edges(pair[0]) & plain_edges(pair[1])
    greys = {colour for edge, colour in lines.items() if edge in shared}
    assert len(greys) <= 1
    assert greys.isdisjoint(colour for edge, colour in lines.items() if edge not in shared)


def test_blocks_have_colours_of_their_own():
    _, _, lines = drawn(bipartite(TABLE_3).to_svg())
    assert len(set(lines.values())) == 3
    for block in bipartite(TABLE_3).blocks:
        assert len({lines[i, j] for i, j in product(block.tolist(), repeat=2)}) == 1


def test_the_picture_is_self_contained():
    svg = bipartite(TABLE_3).to_svg(bipartite(TABLE_2))
    assert "|E| = 27" in svg
    assert "= 19" in svg
    assert not re.search(r"href|@import|url\(|<script|<style", svg)


def test_thirty_rows_are_drawn_and_one_more_is_not():
    assert bipartite([0] * 30).to_svg().count("<line") == 900
    with pytest.raises(cl.OptionError, match="31 original rows; at most 30"):
        bipartite([0] * 31).to_svg()
