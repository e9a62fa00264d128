"""What other models would cost: verified, sorted, and left out where it would take long."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest

from celosia.base.errors import AuditError, InputError, OptionError, UnreachableError
from celosia.graphs import alternatives as module_function
from celosia.graphs.graph import Graph
from celosia.graphs.models import (
    ClosedTwinAnonymity,
    DegreeAnonymity,
    KLAnonymity,
    NeighbourhoodAnonymity,
)
from celosia.graphs.transforms.base import Edited
from celosia.jobs.graphs.running import run

module = sys.modules["celosia.graphs.alternatives"]
RING = Graph.of_edges(range(6), [(v + 1) % 6 for v in range(6)])


@pytest.fixture
def emptying(monkeypatch):
    """Every model is met by the empty graph, closed twins not at all."""

    def transformed(task, models):
        if isinstance(models[0], ClosedTwinAnonymity):
            raise UnreachableError("there is no way.", hint="none.")
        if isinstance(models[0], DegreeAnonymity):
            return Edited(task.graph.source, task.graph.target, 0)
        nothing = np.zeros(0, dtype=np.int32)
        return Edited(nothing, nothing)

    monkeypatch.setattr(module, "transformed", transformed)


def test_the_cheapest_comes_first_and_what_cannot_be_last(emptying):
    found = module_function(RING, 6, time_limit=1)
    assert [one.model.name for one in found] == [
        "degree_anonymity",
        "neighbourhood_anonymity",
        "kl_anonymity",
        "kl_anonymity",
        "closed_twin_anonymity",
    ]
    assert [one.n_edits for one in found] == [0, 6, 6, 6, None]
    assert (found[1].edit_ratio, found[1].n_edges, found[1].n_non_isolated) == (1.0, 0, 0)
    assert found[0].unique == {"degree": 0.0, "neighbour_degrees": 0.0, "neighbourhood": 1.0}
    assert found[-1].reason == "there is no way."


def test_what_was_stopped_is_no_alternative(emptying, monkeypatch):
    plain = module.transformed

    def stopped(task, models):
        if isinstance(models[0], NeighbourhoodAnonymity):
            task.stopped.set()
        return plain(task, models)

    monkeypatch.setattr(module, "transformed", stopped)
    assert [one.model.name for one in module_function(RING, 6, time_limit=1)] == ["degree_anonymity"]


def test_a_release_asks_for_the_other_models_at_its_own_k(emptying):
    release = run(RING, DegreeAnonymity(6))
    assert release.alternatives is not None
    assert [one.model for one in release.alternatives] == [
        NeighbourhoodAnonymity(6),
        KLAnonymity(6, 2, "neighbours"),
        KLAnonymity(6, 2, "rows"),
        ClosedTwinAnonymity(6),
    ]
    assert release.summary["alternatives"][0]["n_edits"] == 6


def test_l_and_attributes_are_those_of_the_release(emptying):
    ring = Graph.of_edges(range(6), [(v + 1) % 6 for v in range(6)], vertices=pl.DataFrame({"town": ["a"] * 6}))
    release = run(ring, KLAnonymity(2, 1, "neighbours", attributes=("town",)))
    assert release.alternatives is not None
    assert {one.model.attributes for one in release.alternatives} == {("town",)}
    assert [one.model.l for one in release.alternatives if isinstance(one.model, KLAnonymity)] == [1]


def test_several_models_leave_every_single_one_to_try(emptying):
    release = run(RING, [DegreeAnonymity(6), KLAnonymity(2, 1, "neighbours")])
    assert release.alternatives is not None
    assert len(release.alternatives) == 5


def test_large_graphs_are_left_out_unless_asked_for(emptying):
    large = Graph.of_edges(range(0, 1_000, 2), range(1, 1_000, 2))
    release = run(large, DegreeAnonymity(2))
    assert release.alternatives is None
    assert release.summary["alternatives"] is None
    assert len(release.find_alternatives(time_limit=1)) == 4
    assert len(release.summary["alternatives"]) == 4


def test_a_transform_that_fails_is_not_believed(monkeypatch):
    monkeypatch.setattr(module, "transformed", lambda task, models: Edited(task.graph.source, task.graph.target))
    with pytest.raises(AuditError, match="neighbourhood_anonymity"):
        module_function(RING, 2)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"edits": "foo"}, OptionError),
        ({"time_limit": "a"}, OptionError),
        ({"time_limit": -1}, OptionError),
        ({"k": 1}, OptionError),
    ],
)
def test_wrong_options_are_refused_as_run_does(options, error):
    with pytest.raises(error):
        module_function(RING, **{"k": 2, **options})


def test_parallel_edges_are_refused_as_run_does():
    doubled = Graph.of_edges([0, 0, 1], [1, 1, 2], multigraph=True)
    with pytest.raises(InputError, match="parallel edges"):
        module_function(doubled, 2)
