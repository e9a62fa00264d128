"""Graph models against their definitions, on graphs of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import plain_graphs as pg
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel, Judgement
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity

ATTRIBUTES = st.sampled_from([(), ("sex",), ("sex", "age")])
SETS = (NeighbourhoodAnonymity, ClosedTwinAnonymity, DegreeAnonymity)


def assert_on_sets(judgement: Judgement, labels: list[int], k: int) -> None:
    assert judgement.labels.dtype == np.int64
    assert judgement.labels.tolist() == labels
    sizes = [labels.count(label) for label in labels]
    assert judgement.strongest_k == min(sizes, default=0)
    assert judgement.satisfied == (bool(sizes) and min(sizes) >= k)
    assert judgement.breaking.tolist() == [v for v, size in enumerate(sizes) if size < k]
    assert judgement.strongest_l is judgement.profile is None


@tries(200)
@given(graph=pg.graphs(), k=st.integers(2, 4), attributes=ATTRIBUTES)
def test_neighbourhood_by_the_definition(graph: Graph, k: int, attributes: tuple[str, ...]) -> None:
    expected = pg.neighbourhood_labels(pg.plain(graph, attributes))
    assert_on_sets(NeighbourhoodAnonymity(k, attributes).judge(graph), expected, k)


@tries(200)
@given(graph=pg.graphs(), k=st.integers(2, 4), attributes=ATTRIBUTES)
def test_closed_twins_by_the_definition(graph: Graph, k: int, attributes: tuple[str, ...]) -> None:
    closed = pg.closed_matrix(pg.plain(graph, attributes), parallel=graph.multigraph)
    assert_on_sets(ClosedTwinAnonymity(k, attributes).judge(graph), pg.neighbourhood_labels(closed), k)


@tries(200)
@given(graph=pg.graphs(), k=st.integers(2, 4), attributes=ATTRIBUTES)
def test_degrees_by_the_definition(graph: Graph, k: int, attributes: tuple[str, ...]) -> None:
    own = pg.plain(graph, attributes)
    expected = pg.numbered([(degree, own.group(v)) for v, degree in enumerate(pg.degrees(graph))])
    assert_on_sets(DegreeAnonymity(k, attributes).judge(graph), expected, k)


@tries(400)
@given(
    graph=pg.graphs(),
    k=st.integers(2, 4),
    n_known=st.integers(1, 4),
    view=st.sampled_from(["rows", "neighbours"]),
    exclude_known=st.booleans(),
    attributes=ATTRIBUTES,
    up_to=st.integers(1, 4),
)
def test_known_neighbours_by_the_definition(
    graph: Graph, k: int, n_known: int, view: Any, exclude_known: bool, attributes: tuple[str, ...], up_to: int
) -> None:
    model = KLAnonymity(k, n_known, view, exclude_known, attributes, profile_up_to=up_to)
    judgement = model.judge(graph)
    own = pg.plain(graph, attributes)
    assert judgement.labels.tolist() == pg.neighbourhood_labels(own)
    if graph.n_vertices == 0:
        assert (judgement.satisfied, judgement.strongest_k, judgement.strongest_l) == (False, 0, 0)
        return
    n_places = len(own.vectors[0])
    fewest = [pg.fewest_by_size(own, v, n_places, view, exclude_known) for v in range(own.n)]
    at_l = [counts[min(n_known, n_places)] for counts in fewest]
    assert judgement.strongest_k == min(at_l)
    assert judgement.breaking.tolist() == [v for v, count in enumerate(at_l) if count < k]
    assert judgement.satisfied == (min(at_l) >= k)
    assert judgement.undecided.tolist() == []
    breaking_at = [next((size for size, n in enumerate(counts) if n < k), n_places + 1) for counts in fewest]
    breaking_at = [max(size, 1) for size in breaking_at]
    searched = min(max(n_known, up_to), n_places)
    assert judgement.profile_up_to == searched
    assert judgement.profile is not None
    assert judgement.profile.tolist() == [size if size <= searched else 0 for size in breaking_at]
    strongest = min(breaking_at) - 1
    assert judgement.strongest_l is not None
    if "strongest_l" in judgement.lower_bounds:
        assert judgement.strongest_l == searched <= strongest
    else:
        assert judgement.strongest_l == strongest
    assert "strongest_k" not in judgement.lower_bounds


@pytest.mark.parametrize("view", ["rows", "neighbours"])
@pytest.mark.parametrize("exclude_known", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_known_neighbours_on_all_graphs_with_loops(view: Any, exclude_known: bool, directed: bool) -> None:
    for graph in pg.labelled_graphs(3, directed, loops=True):
        own = pg.plain(graph)
        fewest = [pg.fewest_by_size(own, v, 3, view, exclude_known) for v in range(3)]
        for known in (1, 2, 3):
            judgement = KLAnonymity(2, known, view, exclude_known).judge(graph)
            assert judgement.strongest_k == min(counts[known] for counts in fewest)
            assert judgement.breaking.tolist() == [v for v in range(3) if fewest[v][known] < 2]


@pytest.mark.parametrize("view", ["rows", "neighbours"])
@pytest.mark.parametrize("exclude_known", [False, True])
def test_known_neighbours_on_all_small_graphs(view: Any, exclude_known: bool) -> None:
    for graph in pg.small_graphs(5):
        own = pg.plain(graph)
        n = graph.n_vertices
        fewest = [pg.fewest_by_size(own, v, n, view, exclude_known) for v in range(n)]
        for k in (2, 3):
            judgement = KLAnonymity(k, 2, view, exclude_known, profile_up_to=n).judge(graph)
            assert judgement.strongest_k == min(counts[min(2, n)] for counts in fewest)
            assert judgement.profile is not None
            expected = [next((max(size, 1) for size, c in enumerate(counts) if c < k), 0) for counts in fewest]
            assert judgement.profile.tolist() == expected


def random_graph(seed: int, n: int, share: float, directed: bool = False) -> Graph:
    draw = np.random.default_rng(seed)
    there = draw.random((n, n)) < share
    twins = draw.integers(0, n, n // 3)  # some rows repeated, so that not all is trivial
    there[twins] = there[twins[::-1]]
    np.fill_diagonal(there, False)
    source, target = np.nonzero(there if directed else np.triu(there))
    return Graph.of_edges(source, target, n, directed=directed)


def matrix_of(graph: Graph) -> np.ndarray:
    matrix = np.zeros((graph.n_vertices, graph.n_vertices), dtype=np.int64)
    matrix[graph.source, graph.target] = 1
    if not graph.directed:
        matrix |= matrix.T
    return np.hstack([matrix, matrix.T]) if graph.directed else matrix


def pair_counts(matrix: np.ndarray, view: str, exclude_known: bool = False) -> tuple[int, np.ndarray]:
    """The fewest candidates by two known places, overall and per vertex, by products of the whole matrix."""
    n, n_places = matrix.shape
    fewest = np.full(n, n)
    items = [(place, value) for place in range(n_places) for value in ((0, 1) if view == "rows" else (1,))]
    held = np.stack([matrix[:, place] == value for place, value in items]).astype(np.int64)
    if exclude_known:
        for item, (place, _) in enumerate(items):
            held[item, place % n] = 0
    both = held @ held.T
    for v in range(n):
        own = np.flatnonzero(held[:, v])
        if own.size:
            fewest[v] = both[np.ix_(own, own)].min()
    return int(fewest.min()), fewest


@pytest.mark.parametrize("view", ["rows", "neighbours"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("seed", "n", "share"), [(1, 60, 0.5), (2, 80, 0.2), (3, 120, 0.05), (4, 90, 0.9)])
def test_two_known_on_larger_graphs(view: Any, directed: bool, seed: int, n: int, share: float) -> None:
    graph = random_graph(seed, n, share, directed)
    overall, fewest = pair_counts(matrix_of(graph), view)
    for k in (2, 5, 12):
        judgement = KLAnonymity(k, 2, view, profile_up_to=2).judge(graph)
        assert judgement.strongest_k == overall
        assert judgement.breaking.tolist() == np.flatnonzero(fewest < k).tolist()


@pytest.mark.parametrize("view", ["rows", "neighbours"])
@pytest.mark.parametrize("exclude_known", [False, True])
def test_hubs_and_blown_up_graphs(view: Any, exclude_known: bool) -> None:
    """Rows of many neighbours are searched another way, equal rows are put together."""
    draw = np.random.default_rng(5)
    n = 400
    links = [tuple(sorted(draw.choice(np.arange(3, n), 2, replace=False).tolist())) for _ in range(300)]
    hubs = pg.graph_of(links + [(hub, v) for hub in range(3) for v in range(3, n) if draw.random() < 0.8], n)
    twins = pg.graph_of(links + [(hub, v) for hub in range(2) for v in range(3, n)], n)
    quotient = [(a, b) for a in range(12) for b in range(a) if draw.random() < 0.4]
    blown = pg.blow_up(quotient, draw.integers(3, 7, 12).tolist())
    for graph in (hubs, twins, blown):
        overall, fewest = pair_counts(matrix_of(graph), view, exclude_known)
        for k in (2, 3, 4, 40):
            judgement = KLAnonymity(k, 2, view, exclude_known, profile_up_to=2).judge(graph)
            assert judgement.strongest_k == overall
            assert judgement.breaking.tolist() == np.flatnonzero(fewest < k).tolist()


def test_a_search_that_is_cut_off_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(7, 60, 0.5)
    model = KLAnonymity(2, 4, "neighbours")
    whole = model.judge(graph)
    assert len(whole.undecided) == 0
    for limit in ("_STEPS", "_STEPS_BEYOND", "_STEPS_PER_ROW"):
        monkeypatch.setattr(f"celosia.graphs.models.profiles.{limit}", 1)
    cut = model.judge(graph)
    assert cut.profile is not None
    assert whole.profile is not None
    assert (cut.profile == -1).any()
    told = cut.profile >= 0
    assert (cut.profile[told] == whole.profile[told]).all()
    assert set(cut.breaking) <= set(whole.breaking) <= set(cut.breaking) | set(cut.undecided)
    assert not cut.satisfied
    assert cut.strongest_k <= whole.strongest_k
    assert cut.strongest_l is not None
    assert whole.strongest_l is not None
    assert cut.strongest_l <= whole.strongest_l


@pytest.mark.parametrize("view", ["rows", "neighbours"])
def test_undecided_vertices_never_pass(view: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The complete graph of 12 vertices is (3, 4), which only a search can tell; it gets no steps."""
    complete = pg.graph_of([(i, j) for j in range(12) for i in range(j)], 12)
    model = KLAnonymity(3, 4, view, exclude_known=True)
    assert model.judge(complete).satisfied
    for limit in ("_STEPS", "_STEPS_BEYOND", "_STEPS_PER_ROW"):
        monkeypatch.setattr(f"celosia.graphs.models.profiles.{limit}", 0)
    judgement = model.judge(complete)
    assert not judgement.satisfied
    assert judgement.breaking.tolist() == []
    assert judgement.undecided.tolist() == list(range(12))
    assert judgement.profile is not None
    assert judgement.profile.tolist() == [-1] * 12
    assert judgement.lower_bounds == ("strongest_k", "strongest_l")
    assert (judgement.strongest_k, judgement.strongest_l) == (1, 2)


@pytest.mark.parametrize("model", SETS)
def test_options_of_the_models_on_sets(model: Any) -> None:
    assert model(3).to_dict() == {"k": 3}
    assert model(k=3, attributes=["sex"]).to_dict() == {"k": 3, "attributes": ["sex"]}
    assert isinstance(model(3), GraphModel)
    for k in (1, 0, 2.5, "2", True, None):
        with pytest.raises(OptionError, match="k must be a whole number from 2"):
            model(k)
    for attributes in (["sex", "sex"], [1], 5):
        with pytest.raises(OptionError, match="attributes"):
            model(2, attributes)


def test_options_of_known_neighbours() -> None:
    model = KLAnonymity(3, 2, "neighbours", exclude_known=True, attributes=("sex",), profile_up_to=5)
    assert model.to_dict() == {
        "k": 3,
        "attributes": ["sex"],
        "l": 2,
        "view": "neighbours",
        "exclude_known": True,
        "profile_up_to": 5,
    }
    assert KLAnonymity(2, 1).to_dict() == {"k": 2, "l": 1, "view": "rows"}
    assert KLAnonymity(**model.to_dict()) == model
    assert isinstance(model, GraphModel)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"k": 1, "l": 1}, "k must"),
        ({"k": 2, "l": 0}, "l must"),
        ({"k": 2, "l": 1.5}, "l must"),
        ({"k": 2, "l": 1, "view": "columns"}, "view"),
        ({"k": 2, "l": 1, "exclude_known": 1}, "exclude_known"),
        ({"k": 2, "l": 1, "profile_up_to": 0}, "profile_up_to"),
    ]
    for options, message in wrong:
        with pytest.raises(OptionError, match=message):
            KLAnonymity(**options)


@pytest.mark.parametrize("model", [*SETS, lambda k, attributes=(): KLAnonymity(k, 2, attributes=attributes)])
def test_attributes_that_are_not_there(model: Any) -> None:
    graph = Graph.of_edges([0], [1], 2, vertices=pl.DataFrame({"sex": ["f", "m"], "tags": [["a"], ["b"]]}))
    with pytest.raises(ColumnNotFoundError, match="no attribute 'sexx'"):
        model(2, attributes=("sexx",)).judge(graph)
    with pytest.raises(InputError, match="more than one value"):
        model(2, attributes=("tags",)).judge(graph)


def test_k_above_n_and_l_above_n() -> None:
    square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
    for model in (NeighbourhoodAnonymity(5), ClosedTwinAnonymity(5), DegreeAnonymity(5), KLAnonymity(5, 1)):
        judgement = model.judge(square)
        assert not judgement.satisfied
        assert judgement.breaking.tolist() == [0, 1, 2, 3]
    for view in ("rows", "neighbours"):
        for known in (4, 9, 10**12):
            judgement = KLAnonymity(2, known, view).judge(square)
            assert judgement.satisfied
            assert (judgement.strongest_k, judgement.strongest_l) == (2, 4)


def test_a_vertex_with_an_attribute_of_its_own_breaks_every_model() -> None:
    people = pl.DataFrame({"job": ["a", "a", "a", "b"]})
    empty = Graph.of_edges([], [], 4, vertices=people)
    for model in (
        NeighbourhoodAnonymity(2, ("job",)),
        ClosedTwinAnonymity(2, ("job",)),
        DegreeAnonymity(2, ("job",)),
        KLAnonymity(2, 1, "neighbours", attributes=("job",)),
    ):
        assert 3 in model.judge(empty).breaking.tolist()


def test_progress_is_shown() -> None:
    class Stages:
        def __init__(self) -> None:
            self.names: list[str] = []

        def stage(self, name: str) -> None:
            self.names.append(name)

        def advance(self, share: float) -> None:
            assert 0 <= share <= 1

        def found(self, loss: float) -> None:
            raise AssertionError

    shown = Stages()
    KLAnonymity(2, 2).judge(random_graph(1, 30, 0.3), shown)
    assert {"compare vertices", "two known neighbours"} <= set(shown.names)


@pytest.mark.parametrize("view", ["rows", "neighbours"])
@pytest.mark.parametrize("exclude_known", [False, True])
def test_l_beyond_any_search(view: Any, exclude_known: bool) -> None:
    """All that can be known of a vertex is known at once: no search is needed, and none runs wild."""
    n = 3000
    star = pg.graph_of([(0, v) for v in range(1, n)], n)
    judgement = KLAnonymity(2, n, view, exclude_known).judge(star)
    assert not judgement.satisfied
    assert judgement.undecided.tolist() == []
    rows_without_the_known = view == "rows" and exclude_known
    assert judgement.breaking.tolist() == (list(range(n)) if rows_without_the_known else [0])
    assert judgement.strongest_k == 1


def test_great_whole_weights_are_told_apart_by_closed_twins() -> None:
    weights = pl.DataFrame({"w": [1, 2**53, 2**53 + 1]})
    graph = Graph.of_edges([0, 0, 1], [1, 2, 2], edges=weights, weight="w")
    judgement = ClosedTwinAnonymity(2).judge(graph)
    assert judgement.labels.tolist() == [0, 1, 2]
    assert graph.edges.height == 3


@pytest.mark.parametrize(
    "weights",
    [
        pl.Series([2**63 - 1, 1, -(2**63)], dtype=pl.Int64),  # the sum of the first two would come round
        pl.Series([2**64 - 1, 2, 1], dtype=pl.UInt64),
        pl.Series([2.0**24, 1.0, 2.0**24], dtype=pl.Float32),  # a short float has no room for the 1
    ],
)
@pytest.mark.parametrize("kind", [NeighbourhoodAnonymity, ClosedTwinAnonymity])
def test_sums_of_weights_do_not_fall_together(weights: pl.Series, kind: Any) -> None:
    graph = Graph.of_edges([0, 0, 1], [2, 2, 2], multigraph=True, edges=pl.DataFrame({"w": weights}), weight="w")
    assert kind(2).judge(graph).breaking.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "given",
    [
        {"sides": [0, 1]},
        {"sides": [0, 1, 2]},
        {"edges": pl.DataFrame({"w": [1, 2]}), "weight": "w"},
        {"edges": pl.DataFrame({"w": [1, 2, 3, 4]})},
    ],
)
def test_sides_and_attributes_of_other_lengths_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Graph.of_edges([0, 0, 1], [1, 2, 2], **given)
