"""Super-graphs: clusters grown as SaNGreeA grows them, counts as they are, and nothing else in the file."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import networkx as nx
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from leaks import leaks
from plain_graphs import graph_of, of_networkx
from trying import tries

import celosia as cl
from celosia.base.chance import Randomness
from celosia.base.errors import AuditError, ColumnNotFoundError, InputError, OptionError, UnreachableError
from celosia.data.hierarchies import Intervals
from celosia.data.schema import Schema, Table
from celosia.graphs.clusters import greedy_clusters
from celosia.graphs.graph import Graph
from celosia.jobs.graphs import super_graphs as module
from celosia.jobs.graphs import super_page
from celosia.jobs.graphs.super_audit import audit_super_file, audit_super_graph
from celosia.jobs.graphs.super_page import render_super_graph
from celosia.masks import Generalise
from celosia.measure.utility.gcp import gcp

super_graph = cl.graphs.super_graph

# The plain definition -------------------------------------------------------------------------------------------------


def rows_of(graph: Graph) -> list[tuple[int, ...]]:
    """The adjacency vector of every vertex; with direction what goes out, then what comes in."""
    n = graph.n_vertices
    matrix = [[0] * n for _ in range(n)]
    for i, j in zip(graph.source.tolist(), graph.target.tolist(), strict=True):
        matrix[i][j] = 1
        if not graph.directed:
            matrix[j][i] = 1
    if not graph.directed:
        return [tuple(row) for row in matrix]
    return [(*matrix[i], *(matrix[j][i] for j in range(n))) for i in range(n)]


def distance(rows: list[tuple[int, ...]], x: int, y: int) -> Fraction:
    """SaNGreeA's: of all others, the share that one is linked with and the other is not."""
    n = len(rows)
    places = [p for p in range(len(rows[0])) if p % n not in (x, y)]
    return Fraction(sum(rows[x][p] != rows[y][p] for p in places), max(1, len(places)))


def ncp(values: list[object], domain: list[object]) -> Fraction:
    """The loss of publishing these values of a category as a set."""
    if None in values and any(value is not None for value in values):
        return Fraction(1)
    n_others = max(1, len({value for value in domain if value is not None}) - 1)
    return Fraction(max(0, len({value for value in values if value is not None}) - 1), n_others)


def partitions(graph: Graph, k: int, column: list[object] | None) -> set[frozenset[frozenset[int]]]:
    """All results that the greedy way may come to, whatever way ties are broken."""
    rows, n = rows_of(graph), graph.n_vertices
    degrees = [sum(row) for row in rows]

    def cost(cluster: tuple[int, ...], v: int) -> Fraction:
        grown = Fraction(0)
        if column is not None:
            before, after = ([column[u] for u in members] for members in (cluster, (*cluster, v)))
            grown = ncp(after, column) - ncp(before, column)
        return grown + sum(distance(rows, u, v) for u in cluster) / len(cluster)

    found: set[frozenset[frozenset[int]]] = set()
    seen: set[tuple[frozenset[frozenset[int]], frozenset[int]]] = set()

    def cheapest(options: list[tuple[Fraction, object]]) -> list[object]:
        least = min(one for one, _ in options)
        return [what for one, what in options if one == least]

    def step(done: frozenset[frozenset[int]], cluster: tuple[int, ...], free: frozenset[int]) -> None:
        state = (done | {frozenset(cluster)}, free)
        if state in seen:
            return
        seen.add(state)
        if cluster and len(cluster) < k:
            for v in cheapest([(cost(cluster, v), v) for v in sorted(free)]):
                step(done, (*cluster, v), free - {v})
            return
        done = done | {frozenset(cluster)} if cluster else done
        if len(free) >= k:
            top = max(degrees[v] for v in free)
            for v in sorted(free):
                if degrees[v] == top:
                    step(done, (v,), free - {v})
        elif free:
            for v in sorted(free):  # in any order
                for chosen in cheapest([(cost(tuple(sorted(one)), v), one) for one in done]):
                    step(done - {chosen} | {chosen | {v}}, (), free - {v})
        else:
            found.add(done)

    step(frozenset(), (), frozenset(range(n)))
    return found


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(2, 7))
    directed = draw(st.booleans())
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j and (directed or i < j)]
    return graph_of([pair for pair in pairs if draw(st.booleans())], n, directed=directed)


def labels_of(graph: Graph, k: int, values: list[object] | None, seed: int) -> np.ndarray:
    columns = []
    if values is not None:
        frame = pl.DataFrame({"town": pl.Series(values, dtype=pl.String)})
        columns = list(Table(frame, Schema(quasi_identifiers={"town": "category"})).quasi_identifiers)
    groups = np.zeros(graph.n_vertices, dtype=np.int64)
    return greedy_clusters(graph, groups, k, columns, (1.0, 1.0), Randomness(seed))


@given(graph=small_graphs(), k=st.integers(2, 4), seed=st.integers(0, 9))
@tries(60)
def test_clusters_grow_as_defined(graph, k, seed):
    if graph.n_vertices < k:
        return
    labels = labels_of(graph, k, None, seed).tolist()
    made = frozenset(frozenset(v for v, own in enumerate(labels) if own == label) for label in set(labels))
    assert made in partitions(graph, k, None)


@given(graph=small_graphs(), k=st.integers(2, 3), data=st.data(), seed=st.integers(0, 9))
@tries(60)
def test_clusters_grow_as_defined_with_attributes_too(graph, k, data, seed):
    if graph.n_vertices < k:
        return
    values = [data.draw(st.sampled_from(["a", "b", "c", None])) for _ in range(graph.n_vertices)]
    if all(value is None for value in values):
        return
    labels = labels_of(graph, k, values, seed).tolist()
    made = frozenset(frozenset(v for v, own in enumerate(labels) if own == label) for label in set(labels))
    assert made in partitions(graph, k, values)


@pytest.mark.parametrize("kind", ["number", Intervals(width=5, levels=3)])
def test_growth_of_attributes_is_that_of_their_loss(kind):
    from celosia.graphs.clusters import _growth_of

    ages = [21, 22, 29, 34, 51, None, 52]
    table = Table(pl.DataFrame({"age": ages}), Schema(quasi_identifiers={"age": kind}))
    column = table.quasi_identifiers[0]

    def loss(members: list[int]) -> float:
        """The loss of one row of a class; all others are alone and lose nothing."""
        labels = [0 if v in members else v + 1 for v in range(len(ages))]
        return gcp(table, labels) * len(ages) / len(members)

    for members in ([0], [0, 1], [0, 2], [5], [0, 5], [3, 4, 6]):
        for v in set(range(len(ages))) - set(members):
            grown = _growth_of(column, column.codes[members], column.codes[[v]])
            assert grown[0] == pytest.approx(loss([*members, v]) - loss(members))


def test_a_group_has_its_own_clusters():
    labels = greedy_clusters(
        of_networkx(nx.complete_graph(7)), np.array([0, 1, 0, 1, 0, 1, 1]), 3, [], (0.0, 1.0), Randomness(1)
    ).tolist()
    assert len({labels[v] for v in (0, 2, 4)}) == 1
    assert len({labels[v] for v in (1, 3, 5, 6)}) == 1
    assert labels[0] != labels[1]


# Counts ---------------------------------------------------------------------------------------------------------------


def counted(graph: Graph, labels: list[int]) -> Counter[tuple[int, int]]:
    counts: Counter[tuple[int, int]] = Counter()
    for i, j in zip(graph.source.tolist(), graph.target.tolist(), strict=True):
        if i != j:
            pair = (labels[i], labels[j])
            counts[pair if graph.directed else (min(pair), max(pair))] += 1
    return counts


@given(graph=small_graphs(), k=st.integers(2, 4))
def test_counts_and_losses_are_those_of_the_definition(graph, k):
    if graph.n_vertices < k:
        return
    made = super_graph(graph, k)
    labels, n = made.labels.tolist(), graph.n_vertices
    counts = counted(graph, labels)
    sizes = Counter(labels)
    assert made.sizes.tolist() == [sizes[c] for c in range(made.n_clusters)]
    assert min(sizes.values()) >= k
    assert made.inner.tolist() == [counts.pop((c, c), 0) for c in range(made.n_clusters)]
    assert dict(zip(zip(made.source, made.target, strict=True), made.between, strict=True)) == counts
    lost = {True: 0.0, False: 0.0}  # told wrong on average: an edge missed, and another made up
    for (one, other), n_edges in counted(graph, labels).items():
        n_pairs = sizes[one] * sizes[other]
        if one == other:
            n_pairs = sizes[one] * (sizes[one] - 1) // (1 if graph.directed else 2)
        lost[one == other] += 2 * n_edges * (1 - n_edges / n_pairs)
    greatest = n * (n - 1) / (2 if graph.directed else 4)
    assert made.intra_loss == pytest.approx(lost[True] / greatest)
    assert made.inter_loss == pytest.approx(lost[False] / greatest)
    assert 0 <= made.structural_loss <= 1
    assert (made.max_risk, made.mean_risk) == (1 / min(sizes.values()), len(sizes) / n)
    drawn = made.drawn(1)
    assert counted(drawn, labels) == counted(graph, labels)


def test_one_cluster_tells_nothing_but_the_numbers():
    made = super_graph(of_networkx(nx.path_graph(4)), 4)
    assert (made.n_clusters, made.inner.tolist(), len(made.between)) == (1, [3], 0)
    assert made.structural_loss == pytest.approx(made.loss_of_one)
    assert [finding.code for finding in made.findings] == ["ONE_CLUSTER"]


def test_little_that_is_left_is_said_loudly():
    made = super_graph(of_networkx(nx.gnp_random_graph(60, 0.1, seed=2)), 20, seed=1)
    assert made.n_clusters == 3
    assert "LITTLE_STRUCTURE_LEFT" in [finding.code for finding in made.findings]
    assert '<div class="claim broken">' in render_super_graph(made)


def test_a_planted_blow_up_comes_back_whole():
    base = nx.petersen_graph()
    ends = [(3 * u + i, 3 * v + j) for u, v in base.edges for i in range(3) for j in range(3)]
    made = super_graph(graph_of(ends, 30), 3, seed=1)
    assert made.structural_loss == 0
    assert made.sizes.tolist() == [3] * 10
    assert set(made.between.tolist()) == {9}
    assert "CERTAIN_EDGES" in [finding.code for finding in made.findings]
    assert nx.is_isomorphic(cl.graphs.to_networkx(made.graph), base)


def test_bipartite_clusters_lie_on_one_side():
    davis = nx.davis_southern_women_graph()
    graph = cl.graphs.read(davis)
    made = super_graph(graph, 4, seed=1)
    assert len(set(zip(made.labels.tolist(), graph.sides.tolist(), strict=True))) == made.n_clusters
    assert made.inner.sum() == 0
    assert made.graph.sides is not None
    with pytest.raises(UnreachableError, match="one side has 14"):
        super_graph(graph, 15)


def test_loops_are_left_aside():
    made = super_graph(graph_of([(0, 0), (0, 1), (1, 2), (2, 3)], 4), 2)
    assert made.inner.sum() + made.between.sum() == 3
    assert "LOOPS_LEFT_ASIDE" in [finding.code for finding in made.findings]


def test_attributes_are_as_coarse_as_needed():
    people = pl.DataFrame({"age": [31, 34, 38, 36, 52, 50], "town": ["a", "a", "b", "b", "b", "b"]})
    graph = Graph.of_edges([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 0], vertices=people)
    made = super_graph(graph, 2, ["age", "town"], weights=(1, 0), seed=1)
    assert sorted(made.attributes.rows()) == [("[31, 34]", "a"), ("[36, 38]", "b"), ("[50, 52]", "b")]
    table = Table(people, Schema(quasi_identifiers={"age": "number", "town": "category"}))
    assert made.attribute_loss == pytest.approx(gcp(table, made.labels))
    decades = super_graph(graph, 2, {"age": Intervals(width=10)}, weights=(1, 0), seed=1)
    assert set(decades.attributes["age"]) == {"[30, 39]", "[50, 59]"}
    mask = Generalise(column="age", intervals={"width": 10})
    masked = super_graph(graph, 2, ["age"], masks=[mask], weights=(1, 0), seed=1)
    assert set(masked.attributes["age"]) == {"[30, 39]", "[50, 59]"}
    assert len(masked.to_dict()["masks"]) == 1


def test_texts_that_spell_numbers_become_ranges():
    people = pl.DataFrame({"age": ["31", "34", None, None], "code": ["01001", "01001", "3000", "3000"]})
    graph = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0], vertices=people)
    made = super_graph(graph, 2, ["age", "code"], weights=(1, 0))
    assert made.options["attributes"] == {"age": "number", "code": "category"}
    assert set(made.attributes.rows()) == {("[31, 34]", "01001"), (None, "3000")}


def test_chance_alone_decides_the_order_of_clusters():
    ring = of_networkx(nx.cycle_graph(8))
    assert len({tuple(super_graph(ring, 2).labels.tolist()) for _ in range(40)}) > 5
    assert super_graph(ring, 2, seed=3).labels.tolist() == super_graph(ring, 2, seed=3).labels.tolist()


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"k": 1}, OptionError, "k must be"),
        ({"k": 5}, UnreachableError, "at least 5 vertices; there are 4"),
        ({"k": 2, "weights": (0, 0)}, OptionError, "weights must be"),
        ({"k": 2, "weights": 1}, OptionError, "weights must be"),
        ({"k": 2, "weights": (True, 1)}, OptionError, "weights must be"),
        ({"k": 2, "attributes": ["age"]}, ColumnNotFoundError, "'age'"),
        ({"k": 2, "attributes": ["size"]}, InputError, "has a name that the output needs"),
        ({"k": 2, "attributes": 5}, OptionError, "attributes must be a list"),
        ({"k": 2, "masks": None}, OptionError, "masks must be a list"),
        ({"k": 2, "drop": ["age"]}, OptionError, "no attribute"),
    ],
)
def test_wrong_input(options, error, words):
    graph = Graph.of_edges([0, 1, 2], [1, 2, 3], vertices=pl.DataFrame({"size": [1, 2, 3, 4]}))
    with pytest.raises(error, match=words):
        super_graph(graph, **options)


def test_parallel_edges_are_refused():
    with pytest.raises(InputError, match="1 parallel edges"):
        super_graph(Graph.of_edges([0, 0, 1], [1, 1, 2], multigraph=True), 2)
    assert super_graph(Graph.of_edges([0, 1], [1, 2], multigraph=True), 2).n_clusters == 1


# The last look --------------------------------------------------------------------------------------------------------


def house() -> Graph:
    people = pl.DataFrame({"age": [31, 34, 38, 36, 52]})
    return Graph.of_edges([0, 1, 2, 3, 1, 3], [1, 2, 3, 0, 4, 4], vertices=people, name="house.csv")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"k": 3}, "fewer than 3"),
        ({"sizes": np.array([2, 3])}, "a size is wrong"),
        ({"inner": np.array([1, 1])}, "inner edges is wrong"),
        ({"between": np.array([5])}, "between clusters is wrong"),
        ({"target": np.array([0])}, "between clusters is wrong"),
        ({"source": np.array([0, 0]), "target": np.array([1, 1]), "between": np.array([6, 6])}, "between"),
        ({"labels": np.array([0, 1, 0, 1])}, "not those of the original"),
        ({"labels": np.array([0, 1, 0, 1, 2])}, "not those of the original"),
        ({"attributes": pl.DataFrame({"age": ["[31, 38]", "[34, 36]"]})}, "'age' of a cluster is not true"),
    ],
)
def test_what_is_wrong_is_rejected(changes, words):
    table = Table(house().vertices, Schema(quasi_identifiers={"age": "number"}))
    labels = np.array([0, 1, 0, 1, 0], dtype=np.int64)
    made = module._counted(house(), table, labels, 2)
    audit_super_graph(made, table)
    with pytest.raises(AuditError, match=words):
        audit_super_graph(replace(made, **changes), table)


def test_clusters_across_sides_are_rejected():
    graph = Graph.of_edges([0, 1], [2, 3], sides=[0, 0, 1, 1])
    made = module._counted(graph, None, np.array([0, 1, 0, 1], dtype=np.int64), 2)
    with pytest.raises(AuditError, match="both sides"):
        audit_super_graph(made, None)


def test_nothing_is_handed_out_that_breaks_k(monkeypatch):
    monkeypatch.setattr(module, "greedy_clusters", lambda *arguments: np.array([0, 0, 0, 0, 1]))
    with pytest.raises(AuditError, match="fewer than 2"):
        super_graph(house(), 2)


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["csv", "tsv", "graphml", "gexf", "gml", "parquet", "arrow", "json"])
@pytest.mark.parametrize("directed", [False, True])
def test_every_format_holds_the_counts(tmp_path, format, directed):
    people = pl.DataFrame({"town": ["a", "b", None] * 4})
    names = pl.Series([f"canaria{v}" for v in range(12)])
    ends = [(v, (v + s) % 12) for v in range(12) for s in (1, 5)]
    graph = Graph.of_edges(
        [i for i, _ in ends], [j for _, j in ends], names=names, vertices=people, directed=directed, name="g.csv"
    )
    made = super_graph(graph, 3, ["town"])
    folder = made.write(tmp_path / "release", format=format)
    assert (folder / f"graph.{format}").is_file()
    assert sorted(path.name for path in (folder / "internal").iterdir()) == ["record.json", "report.html"]
    assert leaks(folder, ["canaria"]) == []
    record = json.loads((folder / "internal" / "record.json").read_text())
    assert record["summary"]["n_clusters"] == made.n_clusters
    assert set(record["files"]) == {path.name for path in folder.iterdir() if path.is_file()}


def test_clusters_whose_counts_are_their_numbers_are_written(tmp_path):
    """Sizes and inner counts may happen to be 0, 1, 2 ..., as the names of clusters are."""
    ends = [(0, 1), (2, 3), (2, 4), (0, 2)]
    for seed in range(6):
        super_graph(graph_of(ends, 6), 2, seed=seed).write(tmp_path / str(seed))


def test_a_single_cluster_without_links_is_written(tmp_path):
    folder = super_graph(graph_of([(0, 1)], 3), 3).write(tmp_path / "release")
    assert (folder / "vertices.csv").read_text().splitlines() == ["id,size,inner", "0,3,1"]


def test_formats_that_cannot_hold_counts_are_refused(tmp_path):
    made = super_graph(house(), 2)
    for format in ("matrix", "pajek", "edgelist"):
        with pytest.raises(OptionError, match="cannot hold the counts"):
            made.write(tmp_path / "release", format=format)
    with pytest.raises(OptionError, match="not a format"):
        made.write(tmp_path / "release", format="xlsx")
    assert not (tmp_path / "release").exists()


def test_a_file_that_holds_something_else_is_rejected(tmp_path):
    made = super_graph(house(), 2, seed=1)
    folder = made.write(tmp_path / "release")
    audit_super_file(folder / "graph.csv", folder / "vertices.csv", "csv", made)
    text = (folder / "graph.csv").read_text()
    (folder / "graph.csv").write_text(text.replace(f",{made.between[0]}\n", ",77\n"))
    with pytest.raises(AuditError, match="other clusters"):
        audit_super_file(folder / "graph.csv", folder / "vertices.csv", "csv", made)
    (folder / "graph.csv").write_text("\0")
    with pytest.raises(AuditError, match=r"cannot be read|other clusters"):
        audit_super_file(folder / "graph.csv", folder / "vertices.csv", "csv", made)


@pytest.mark.parametrize(
    ("format", "name", "text"),
    [("json", "graph.json", '{"k": 2'), ("json", "graph.json", "{}"), ("csv", "vertices.csv", "id\n0\n1\n")],
)
def test_a_file_cut_short_is_rejected(format, name, text, tmp_path):
    made = super_graph(house(), 2, seed=1)
    folder = made.write(tmp_path / "release", format=format)
    (folder / name).write_text(text)
    beside = folder / "vertices.csv" if format == "csv" else None
    with pytest.raises(AuditError, match="does not hold clusters"):
        audit_super_file(folder / f"graph.{format}", beside, format, made)


def test_a_rejected_file_leaves_nothing(tmp_path, monkeypatch):
    from celosia.jobs.graphs import super_release

    def rejected(*arguments):
        raise AuditError("the file was rejected.")

    monkeypatch.setattr(super_release, "audit_super_file", rejected)
    with pytest.raises(AuditError):
        super_graph(house(), 2).write(tmp_path / "release")
    assert list(tmp_path.iterdir()) == []


# The page -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "words"), [("en", "A graph in clusters"), ("es", "Un grafo en grupos")])
def test_the_page_tells_what_is_lost(lang, words):
    made = super_graph(house(), 2, ["age"], seed=1)
    page = render_super_graph(made, lang)
    assert words in page
    assert "<script" not in page
    assert "://" not in page
    assert "super_graph: {k: 2, attributes: {age: number}}" in page


def test_a_large_graph_is_shown_as_a_matrix(monkeypatch):
    monkeypatch.setattr(super_page, "is_drawable", lambda graph: False)
    page = render_super_graph(super_graph(of_networkx(nx.gnp_random_graph(120, 0.05, seed=1)), 2, seed=1))
    assert "too large to be drawn" in page
    assert "20 more are not listed" in page


def test_the_original_and_its_names_are_not_in_what_is_told():
    graph = cl.graphs.read(nx.relabel_nodes(nx.karate_club_graph(), lambda v: f"canaria{v}"))
    made = super_graph(graph, 3, ["club"], seed=1)
    assert leaks(json.dumps(made.to_dict()), ["canaria"]) == []
    assert leaks(render_super_graph(made), ["canaria"]) == []
    told = made.to_dict()
    assert sum(one["size"] for one in told["clusters"]) == 34
    assert told["n_inner"] + told["n_between"] == 78
    assert "EDGE_ATTRIBUTES_LEFT_ASIDE" in {finding["code"] for finding in told["findings"]}
