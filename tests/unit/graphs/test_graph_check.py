"""check on graphs: verdicts, sets, quotients, findings; names stay inside."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import plain_graph_risk as pr
import plain_graphs as pg
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.base.errors import ColumnNotFoundError, InputError, OptionError
from celosia.graphs.attributes import identifying, masked
from celosia.graphs.checking import Result, check
from celosia.graphs.files import read
from celosia.graphs.graph import Graph
from celosia.graphs.judging import Judgement
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity
from celosia.graphs.quotient import quotient_of
from celosia.masks import Generalise

SQUARE = pg.of_networkx(nx.cycle_graph(4))
KARATE = pg.of_networkx(nx.karate_club_graph())


def models(k: int) -> Any:
    attributes = st.sampled_from([(), ("sex",)])
    sets = st.sampled_from([NeighbourhoodAnonymity, ClosedTwinAnonymity, DegreeAnonymity])
    known = st.builds(
        KLAnonymity,
        st.just(k),
        st.integers(1, 3),
        st.sampled_from(["rows", "neighbours"]),
        st.booleans(),
        attributes,
    )
    return st.builds(lambda kind, named: kind(k, named), sets, attributes) | known


def codes(result: Result) -> list[str]:
    return [finding.code for finding in result.findings]


# Verdicts and sets ----------------------------------------------------------------------------------------------------


@tries(150)
@given(graph=pg.graphs(), data=st.data(), k=st.integers(2, 4))
def test_a_result_says_what_its_models_say(graph: Graph, data: st.DataObject, k: int) -> None:
    asked = data.draw(st.lists(models(k), min_size=1, max_size=3))
    result = check(graph, asked)
    judged = [model.judge(graph) for model in asked]
    assert result.satisfied == all(one.satisfied for one in judged)
    assert result.strongest_k == min(one.strongest_k for one in judged)
    assert result.strongest_l == min((one.strongest_l for one in judged if one.strongest_l is not None), default=None)
    assert result.breaking == tuple(v for v in range(graph.n_vertices) if any(v in one.breaking for one in judged))
    expected = pg.numbered(list(zip(*(one.labels.tolist() for one in judged), strict=True)))
    assert result.labels.tolist() == expected
    assert sorted(name for members in result.sets for name in members) == list(range(graph.n_vertices))
    assert all({expected[v] for v in members} == {label} for label, members in enumerate(result.sets))
    assert len(result.results) == len(asked)
    for one, model, judgement in zip(result.results, asked, judged, strict=True):
        assert one.models == (model,)
        assert one.satisfied == judgement.satisfied
        assert (one.profile is None) == (judgement.profile is None)
    json.dumps(result.to_dict(), allow_nan=False)
    json.dumps(result.to_dict(show_names=True), allow_nan=False)


@tries(60)
@given(graph=pg.graphs(), k=st.integers(2, 3), size=st.integers(1, 3))
def test_the_histogram_counts_the_profile(graph: Graph, k: int, size: int) -> None:
    result = check(graph, KLAnonymity(k, size, "neighbours"))
    assert result.profile is not None
    assert result.profile_histogram is not None
    counts = Counter(result.profile.tolist())
    assert sum(result.profile_histogram.values()) == graph.n_vertices
    assert result.profile_histogram["none"] == counts[0]
    assert all(result.profile_histogram[str(size)] == n for size, n in counts.items() if size > 0)
    assert check(graph, DegreeAnonymity(k)).profile_histogram is None


def test_several_models_hold_together_or_not() -> None:
    both = [NeighbourhoodAnonymity(2), DegreeAnonymity(4)]
    assert check(SQUARE, both).satisfied
    assert check(SQUARE, both).strongest_k == 2
    result = check(SQUARE, [*both, DegreeAnonymity(5)])
    assert not result.satisfied
    assert [one.satisfied for one in result.results] == [True, True, False]
    assert result.breaking == (0, 1, 2, 3)


def test_risk_stands_beside_every_model() -> None:
    result = check(KARATE, [DegreeAnonymity(2), NeighbourhoodAnonymity(3)])
    assert (result.risk.k, result.risk.n_vertices) == (3, 34)
    candidates = pr.candidates_by(KARATE, "neighbour_degrees")
    assert result.risk["neighbour_degrees"].n_unique == candidates.count(1)
    assert result.to_dict()["risk"]["known"]["neighbourhood"]["n_unique"] == result.risk["neighbourhood"].n_unique


def test_names_of_people_stay_inside_unless_asked_for() -> None:
    graph = Graph.of_edges([0, 1], [1, 2], names=pl.Series(["ana-zz", "eva-zz", "luis-zz"]))
    result = check(graph, KLAnonymity(2, 1))
    assert result.breaking == ("eva-zz",)
    for text in (json.dumps(result.to_dict()), repr(result), *(finding.message for finding in result.findings)):
        assert "-zz" not in text
    shown = result.to_dict(show_names=True)
    assert shown["breaking"] == ["eva-zz"]
    assert shown["sets"] == [["ana-zz", "luis-zz"], ["eva-zz"]]


def test_the_repr_is_short() -> None:
    assert repr(check(SQUARE, NeighbourhoodAnonymity(2))) == (
        "Result(neighbourhood_anonymity: satisfied; strongest k 2)"
    )
    assert "4 vertices break it" in repr(check(pg.of_networkx(nx.path_graph(4)), NeighbourhoodAnonymity(2)))


@pytest.mark.parametrize(
    "source",
    [
        nx.cycle_graph(4),
        nx.to_scipy_sparse_array(nx.cycle_graph(4)),
        nx.to_numpy_array(nx.cycle_graph(4)),
        pl.DataFrame({"source": [0, 1, 2, 3], "target": [1, 2, 3, 0]}),
    ],
)
def test_objects_of_other_libraries(source: Any) -> None:
    assert check(source, NeighbourhoodAnonymity(2)).satisfied


# Quotients ------------------------------------------------------------------------------------------------------------


def rebuilt(result: Result) -> list[list[float]]:
    matrix = result.quotient.entry_matrix()
    return matrix[np.ix_(result.labels, result.labels)].tolist()


@tries(150)
@given(graph=pg.graphs(8), attributes=st.sampled_from([(), ("sex",)]))
def test_same_neighbours_make_an_exact_quotient(graph: Graph, attributes: tuple[str, ...]) -> None:
    result = check(graph, NeighbourhoodAnonymity(2, attributes))
    assert result.quotient.is_exact
    own = pg.plain(graph)
    assert rebuilt(result) == [[entry or 0 for entry in row] for row in own.matrix]


@tries(150)
@given(graph=pg.graphs(8), data=st.data())
def test_quotients_by_their_definition(graph: Graph, data: st.DataObject) -> None:
    n = graph.n_vertices
    labels = pg.numbered(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    found = quotient_of(graph, np.array(labels, dtype=np.int64))
    matrix = pg.plain(graph).matrix
    n_sets = len(set(labels))
    is_exact = True
    counts, densities = found.count_matrix(), found.density_matrix()
    for a in range(n_sets):
        loops = [matrix[v][v] for v in range(n) if labels[v] == a]
        assert found.n_loops[a] == sum(entry is not None for entry in loops)
        is_exact &= len(set(loops)) == 1
        for b in range(n_sets):
            cells = [matrix[u][v] for u in range(n) for v in range(n) if u != v and (labels[u], labels[v]) == (a, b)]
            filled = sum(cell is not None for cell in cells)
            assert counts[a, b] == filled
            assert densities[a, b] == (filled / len(cells) if cells else 0)
            is_exact &= len(set(cells)) <= 1
    assert found.is_exact == is_exact
    assert found.sizes.tolist() == [labels.count(a) for a in range(n_sets)]


def test_closed_twins_are_linked_within_their_sets() -> None:
    result = check(
        pg.of_networkx(nx.disjoint_union(nx.complete_graph(3), nx.complete_graph(4))), ClosedTwinAnonymity(3)
    )
    assert result.quotient.is_exact
    assert result.quotient.entry_matrix().tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert result.quotient.n_loops.tolist() == [0, 0]


def test_a_quotient_that_is_not_exact_says_so() -> None:
    result = check(KARATE, DegreeAnonymity(2))
    assert not result.quotient.is_exact
    with pytest.raises(InputError, match="not exact"):
        result.quotient.entry_matrix()
    assert "densities" in result.quotient.to_dict()


def test_large_quotients_are_not_printed() -> None:
    graph = pg.of_networkx(nx.path_graph(60))
    quotient = check(graph, NeighbourhoodAnonymity(2)).quotient
    assert set(quotient.to_dict()) == {"n_sets", "n_blocks", "exact"}
    many = quotient_of(pg.graph_of([], 6000), np.arange(6000))
    with pytest.raises(InputError, match="6000"):
        many.count_matrix()


# Findings -------------------------------------------------------------------------------------------------------------


def test_links_between_sets_are_told() -> None:
    result = check(SQUARE, NeighbourhoodAnonymity(2))
    finding = next(one for one in result.findings if one.code == "LINKS_DISCLOSED")
    assert (finding.values["n_links"], finding.values["n_absences"], finding.values["n_pairs"]) == (4, 2, 6)
    assert "LINKS_DISCLOSED" not in codes(check(pg.of_networkx(nx.cycle_graph(5)), DegreeAnonymity(2)))


def test_isolated_vertices_and_no_edges() -> None:
    assert "ISOLATED_VERTICES" in codes(check(pg.graph_of([(0, 1)], 3), NeighbourhoodAnonymity(2)))
    assert "ISOLATED_VERTICES" not in codes(check(SQUARE, NeighbourhoodAnonymity(2)))
    bare = check(pg.graph_of([], 3), NeighbourhoodAnonymity(2))
    assert bare.satisfied
    assert codes(bare) == ["NO_EDGES"]


def test_a_known_vertex_may_be_a_candidate() -> None:
    code = "KNOWN_MAY_BE_CANDIDATE"
    assert code in codes(check(SQUARE, KLAnonymity(2, 2, "rows")))
    assert code not in codes(check(SQUARE, KLAnonymity(2, 2, "rows", exclude_known=True)))
    assert code not in codes(check(SQUARE, KLAnonymity(2, 2, "neighbours")))  # without loops nobody knows itself
    assert code in codes(check(pg.graph_of([(0, 0), (0, 1)], 2), KLAnonymity(2, 1, "neighbours")))


@tries(80)
@given(graph=pg.graphs(), size=st.integers(1, 3), k=st.integers(2, 3))
def test_without_loops_known_neighbours_are_no_candidates(graph: Graph, size: int, k: int) -> None:
    # Why the finding above is not made there: to exclude the known changes nothing.
    if not graph.has_loops and graph.n_vertices:
        judged = [KLAnonymity(k, size, "neighbours", exclude).judge(graph) for exclude in (False, True)]
        assert judged[0].strongest_k == judged[1].strongest_k


def test_a_trivial_kl_points_to_the_profile() -> None:
    star = pg.graph_of([(0, 1), (0, 2), (0, 3)], 4)
    assert "TRIVIAL_KL" in codes(check(star, KLAnonymity(2, 1, "neighbours")))
    assert "TRIVIAL_KL" not in codes(check(SQUARE, KLAnonymity(2, 1, "neighbours")))


def test_degrees_alone_barely_help() -> None:
    path = pg.of_networkx(nx.path_graph(5))
    assert "DEGREE_BARELY_HELPS" in codes(check(path, DegreeAnonymity(2)))
    assert "DEGREE_BARELY_HELPS" not in codes(check(SQUARE, DegreeAnonymity(2)))
    assert "DEGREE_BARELY_HELPS" not in codes(check(path, NeighbourhoodAnonymity(2)))


def test_attributes_that_split_sets() -> None:
    vertices = pl.DataFrame({"sex": ["f", "f", "m", "f"], "name_of_dog": ["a", "b", "c", "d"]})
    graph = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0], vertices=vertices)
    result = check(graph, NeighbourhoodAnonymity(2, ["sex"]))
    finding = next(one for one in result.findings if one.code == "ATTRIBUTES_SPLIT")
    assert (finding.values["k_without"], finding.values["k_with"]) == (2, 1)
    left_aside = next(one for one in result.findings if one.code == "ATTRIBUTES_LEFT_ASIDE")
    assert left_aside.values == {"n_attributes": 1}
    assert result.risk["attributes"].n_unique == 1
    assert "ATTRIBUTES_SPLIT" not in codes(check(graph, NeighbourhoodAnonymity(2)))


class Cut:
    """(k, l)-anonymity whose search was cut off."""

    def __init__(self, profile: list[int], undecided: list[int]) -> None:
        self._profile, self._undecided = profile, undecided

    def judge(self, _model: Any, graph: Graph, progress: Any = None) -> Judgement:
        n = graph.n_vertices
        return Judgement(
            satisfied=not self._undecided,
            strongest_k=1 if self._undecided else 2,
            breaking=np.zeros(0, dtype=np.int64),
            labels=np.arange(n),
            strongest_l=2,
            profile=np.array(self._profile, dtype=np.int32),
            profile_up_to=3,
            undecided=np.array(self._undecided, dtype=np.int64),
            lower_bounds=("strongest_k",),
        )


@pytest.mark.parametrize(("undecided", "severity"), [([0], "warning"), ([], "note")])
def test_a_search_that_was_cut_off_is_told(
    undecided: list[int], severity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = Cut([-1, 2, 0, 0], undecided)
    monkeypatch.setattr(KLAnonymity, "judge", lambda self, graph, progress=None: cut.judge(self, graph))
    result = check(SQUARE, KLAnonymity(2, 3, "neighbours"))
    assert [(one.code, one.severity) for one in result.findings if one.code == "PROFILE_CUT"] == [
        ("PROFILE_CUT", severity)
    ]
    assert result.profile_histogram == {"2": 1, "none": 2, "cut_off": 1}
    assert "TRIVIAL_KL" not in codes(result)
    assert result.to_dict()["models"][0]["n_undecided"] == len(undecided)


def test_what_was_met_while_reading_comes_along() -> None:
    result = check(Graph.of_edges([0, 1, 1], [1, 0, 1]), NeighbourhoodAnonymity(2))
    assert codes(result)[:2] == ["SELF_LOOPS", "DUPLICATE_EDGES"]
    shown = result.to_dict()
    assert "findings" not in shown["graph"]
    assert [one["code"] for one in shown["findings"]] == codes(result)


# Bad input ------------------------------------------------------------------------------------------------------------


def test_an_empty_graph_satisfies_nothing() -> None:
    result = check(Graph.of_edges([], [], 0), [NeighbourhoodAnonymity(2), KLAnonymity(2, 1), DegreeAnonymity(2)])
    assert (result.satisfied, result.strongest_k, result.sets, result.breaking) == (False, 0, (), ())
    assert codes(result) == ["GRAPH_EMPTY"]
    assert result.to_dict()["n_sets"] == 0


def test_k_and_l_above_the_number_of_vertices() -> None:
    assert check(SQUARE, NeighbourhoodAnonymity(5)).breaking == (0, 1, 2, 3)
    assert check(SQUARE, KLAnonymity(2, 99)).satisfied == check(SQUARE, KLAnonymity(2, 4)).satisfied


@pytest.mark.parametrize(
    "asked", [[], None, 5, "degree_anonymity", NeighbourhoodAnonymity, [NeighbourhoodAnonymity(2), 3]]
)
def test_without_a_model_there_is_no_check(asked: Any) -> None:
    with pytest.raises(OptionError, match="model"):
        check(SQUARE, asked)


def test_wrong_graphs_and_attributes_are_refused() -> None:
    with pytest.raises(InputError):
        check(5, NeighbourhoodAnonymity(2))
    with pytest.raises(ColumnNotFoundError):
        check(SQUARE, NeighbourhoodAnonymity(2, ["sex"]))


def test_what_is_left_where_sides_are_known() -> None:
    mixed = Graph.of_edges([0, 1, 2], [3, 3, 4], sides=[0, 0, 0, 1, 1])
    found = {one.code: one for one in check(mixed, DegreeAnonymity(2)).findings}
    assert "SIDES_KNOWN" not in found  # one vertex has two neighbours: it is alone in any case
    pairs = Graph.of_edges([0, 0, 1, 2, 3], [4, 5, 6, 6, 4], sides=[0, 0, 0, 0, 1, 1, 1])
    result = check(pairs, DegreeAnonymity(3))
    degrees = [(side, degree) for side, degree in zip([0] * 4 + [1] * 3, [2, 1, 1, 1, 2, 1, 2], strict=True)]
    assert result.satisfied
    finding = next(one for one in result.findings if one.code == "SIDES_KNOWN")
    assert finding.severity == "warning"
    assert finding.values["k_with"] == min(Counter(degrees).values()) == 1
    assert finding.values["k_without"] == result.strongest_k == 3
    assert "SIDES_KNOWN" not in [one.code for one in check(SQUARE, DegreeAnonymity(2)).findings]


def test_sides_do_not_matter_where_neighbours_tell_them() -> None:
    complete = Graph.of_edges([0, 0, 1, 1], [2, 3, 2, 3], sides=[0, 0, 1, 1])
    for model in (NeighbourhoodAnonymity(2), KLAnonymity(2, 2, view="neighbours")):
        assert "SIDES_KNOWN" not in [one.code for one in check(complete, model).findings]


@pytest.mark.parametrize(
    ("values", "is_name"),
    [
        ([f"{place}A" for place in range(30)], True),
        ([f"{place}A" for place in range(28)] + ["0A", None], True),
        ([f"{place % 20}A" for place in range(30)], False),
        (list(range(600_000_000, 600_000_030)), True),
        ([float(place) for place in range(29)] + [None], True),
        ([place + 0.5 for place in range(30)], False),
        ([20 + place % 25 for place in range(30)], False),
    ],
)
def test_attributes_that_name_nearly_everybody(values, is_name) -> None:
    graph = Graph.of_edges(range(29), range(1, 30), vertices=pl.DataFrame({"about": values}))
    assert [one.code for one in identifying(graph)] == ["IDENTIFYING_ATTRIBUTE"] * is_name


def test_a_masked_attribute_no_longer_names_everybody() -> None:
    people = pl.DataFrame({"id": ["a", "b", "c"], "age": ["31", "32", "33"], "town": ["x", "y", "z"]})
    graph = read(pl.DataFrame({"u": ["a", "b"], "v": ["b", "c"]}), vertices=people)
    coarser = masked(graph, [Generalise(column="age", intervals={"width": 5})])
    for one, named in ((graph, ["age", "town"]), (coarser, ["town"])):
        assert [found.column for found in one.findings if found.code == "IDENTIFYING_ATTRIBUTE"] == named
