"""Frontier: points equal runs, answers equal brute force."""

from __future__ import annotations

import json
import math
import re
import threading
import xml.etree.ElementTree as ET

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.jobs.frontier import Frontier, Point, frontier
from celosia.jobs.frontier.defaults import FEW_KS, default_algorithms, default_ks, spread


def make_table(n_rows: int = 120, seed: int = 3, **roles) -> cl.Table:
    draw = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": draw.integers(18, 80, n_rows),
            "zip": [f"{code:05d}" for code in draw.integers(37000, 37040, n_rows)],
            "ill": draw.choice(["flu", "cold", "hiv"], n_rows),
        }
    )
    schema = cl.Schema(
        quasi_identifiers={"age": cl.Intervals(width=5, levels=4), "zip": cl.Prefix(keep=[5, 4, 3])},
        sensitive=["ill"],
        **roles,
    )
    return cl.Table(frame, schema, name="patients")


def figures_of(release: cl.Release) -> dict:
    summary = release.summary
    return {
        "reached_k": summary["k"],
        "gcp": summary["gcp"],
        "gcp_published": summary["gcp_published"],
        "suppressed": summary["n_suppressed"] / summary["n_rows"],
        "n_classes": summary["n_classes"],
        "risk": summary["risk"]["prosecutor"],
    }


ALGORITHMS = [cl.Weave(passes=3), cl.Mondrian(), cl.HilbertOrder(), cl.KMembers()]


def test_each_point_is_what_a_run_of_the_same_options_and_seed_gives():
    table = make_table()
    demanded = [cl.LDiversity(2, on="ill")]
    found = frontier(table, k=[2, 5, 11], algorithms=ALGORITHMS, max_suppression=[0.0, 0.05], models=demanded, seed=7)
    assert len(found.points) == 3 * 4 * 2
    assert found.n_missing == 0
    by_description = {repr({one.name: one.to_dict()}): one for one in ALGORITHMS}
    for point in found.points:
        plan = cl.Plan(
            models=[cl.KAnonymity(point.k), *demanded],
            algorithm=by_description[repr(point.algorithm)],
            max_suppression=point.max_suppression,
            seed=7,
        )
        wanted = figures_of(plan.run(table))
        assert {key: getattr(point, key) for key in wanted} == wanted


def test_points_come_by_suppression_then_algorithm_then_k():
    found = frontier(make_table(), k=[9, 2, 5, 2], algorithms=ALGORITHMS[:2], max_suppression=[0.1, 0.0], seed=1)
    order = [(point.max_suppression, point.name, point.k) for point in found.points]
    assert order == [(share, name, k) for share in (0.0, 0.1) for name in ("weave", "mondrian") for k in (2, 5, 9)]
    assert found.ks == [2, 5, 9]
    assert found.shares == [0.0, 0.1]
    assert found.algorithms == [{"weave": {"passes": 3}}, {"mondrian": {}}]


def test_a_plan_gives_masks_models_and_its_own_point():
    table = make_table()
    plan = cl.Plan(
        models=[cl.KAnonymity(4), cl.LDiversity(2, on="ill")],
        masks=[cl.Drop(columns=["zip"])],
        algorithm=cl.Mondrian(),
        max_suppression=0.1,
        seed=5,
    )
    found = frontier(table, plan=plan, k=[3, 4], algorithms=[cl.HilbertOrder()])
    assert [list(model) for model in found.models] == [["l_diversity"]]
    release = plan.run(table)
    assert found.own is not None
    assert (found.own.k, found.own.gcp, found.own.max_suppression) == (4, release.loss.gcp, 0.1)
    masked = cl.Plan(models=plan.models, masks=plan.masks, algorithm=cl.HilbertOrder(), seed=5).run(table)
    assert found.points[1].gcp == masked.loss.gcp


def test_a_plan_without_k_has_an_own_point_that_asks_for_none():
    plan = cl.Plan(models=[cl.AverageRisk(0.25)], algorithm=cl.Mondrian(), seed=1)
    found = frontier(make_table(), plan=plan, k=[3], algorithms=[cl.Mondrian()])
    assert found.own is not None
    assert found.own.k == 1
    assert found.own.reached_k is not None
    ET.fromstring(found.picture())


def test_what_is_out_of_reach_is_a_point_with_a_reason():
    found = frontier(make_table(20), k=[2, 20, 21, 500], algorithms=[cl.Mondrian()], seed=1)
    assert [point.is_reached for point in found.points] == [True, True, False, False]
    beyond = found.points[-1]
    assert beyond.reason == "500-anonymity needs at least 500 rows; patients has 20."
    assert (beyond.gcp, beyond.reached_k, beyond.risk, beyond.seconds) == (None, None, None, None)
    assert len(found.reached) == 2
    assert "out of reach" in found.picture()


def test_k_counts_people_where_rows_are_not_people():
    frame = pl.DataFrame({"who": [str(row // 2) for row in range(20)], "age": range(20)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    found = frontier(table, k=[5, 10, 11], algorithms=[cl.Mondrian()], seed=1)
    assert [point.is_reached for point in found.points] == [True, True, False]
    assert default_ks(table) == list(range(2, 11))


def test_a_wrong_table_is_refused_as_a_whole():
    frame = pl.DataFrame({"age": [1, 2, 3], "loose": [1, 2, 3]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}))
    with pytest.raises(cl.InputError, match="no role"):
        frontier(table, k=[2], algorithms=[cl.Mondrian()])


@pytest.mark.parametrize(
    "options",
    [
        {"k": []},
        {"k": [1]},
        {"k": [2, True]},
        {"k": [2.5]},
        {"k": 5},
        {"k": "2-5"},
        {"algorithms": []},
        {"algorithms": ["weave"]},
        {"algorithms": [cl.Mondrian]},
        {"max_suppression": []},
        {"max_suppression": [1.5]},
        {"max_suppression": [-0.1]},
        {"max_suppression": [True]},
        {"max_suppression": 0.1},
        {"models": [cl.KAnonymity(3)]},
        {"models": ["l_diversity"]},
        {"models": cl.LDiversity(2, on="ill")},
        {"plan": "plan.yaml"},
        {"time_limit": 0},
        {"time_limit": -1},
        {"time_limit": math.inf},
        {"time_limit": True},
        {"time_limit": "5"},
        {"seed": -1},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(cl.OptionError):
        frontier(make_table(30), **({"k": [2], "algorithms": [cl.Mondrian()]} | options))


def test_a_frame_is_no_table():
    with pytest.raises(cl.InputError, match="Table"):
        frontier(pl.DataFrame({"age": [1]}))


def test_a_time_limit_begins_no_new_points_and_says_how_many_are_missing(monkeypatch):
    table = make_table(40)
    clock = [0.0]
    monkeypatch.setattr("celosia.base.progress.time.monotonic", lambda: clock[0])
    measure = cl.Plan.measure

    def slow(self, table, progress=None):
        clock[0] += 1.0
        return measure(self, table, progress)

    monkeypatch.setattr(cl.Plan, "measure", slow)
    monkeypatch.setattr("celosia.jobs.frontier.searching.os.cpu_count", lambda: 1)
    found = frontier(table, k=range(2, 12), algorithms=[cl.Mondrian()], time_limit=4, seed=1)
    assert len(found.points) == 4
    assert found.n_missing == 6
    assert found.ks == sorted(spread(range(2, 12))[:4])
    assert {2, 11} <= set(found.ks)
    assert "6 points are missing: the time was up." in re.sub(r"<[^>]*>", " ", found.picture())


class Remembering:
    def __init__(self):
        self.stages, self.shares = [], []

    def stage(self, name):
        self.stages.append(name)

    def advance(self, share):
        self.shares.append(share)

    def found(self, loss):
        raise AssertionError("a loss of one point says nothing about the whole")


def test_progress_goes_from_nothing_to_all():
    shown = Remembering()
    frontier(make_table(40), k=[2, 3, 4], algorithms=[cl.Mondrian()], progress=shown)
    assert shown.stages == ["frontier"]
    assert shown.shares == sorted(shown.shares)
    assert shown.shares[-1] == 1.0


def test_an_interruption_ends_all_searches_and_leaves_no_thread():
    class Impatient(Remembering):
        def advance(self, share):
            raise KeyboardInterrupt

    generator = np.random.default_rng(5)
    frame = pl.DataFrame({f"x{column}": generator.integers(0, 10_000, 20_000) for column in range(8)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(frame.columns, "number")))
    with pytest.raises(KeyboardInterrupt):
        frontier(table, k=range(2, 50), algorithms=[cl.Weave(effort="best")], progress=Impatient())
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("frontier")]


points = st.builds(
    lambda k, name, share, gcp: Point(
        k, {name: {}}, share, reached_k=k, gcp=gcp, reason="out of reach" if gcp is None else None
    ),
    st.integers(2, 9),
    st.sampled_from(["weave", "mondrian"]),
    st.sampled_from([0.0, 0.1]),
    st.one_of(st.none(), st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0])),
)


@given(st.lists(points, max_size=12))
def test_best_are_those_that_no_other_beats(some):
    found = Frontier(points=tuple(some))

    def beats(other, one):
        return other.k >= one.k and other.gcp <= one.gcp and (other.k, other.gcp) != (one.k, one.gcp)

    reached = [one for one in some if one.gcp is not None]
    wanted = [one for one in reached if not any(beats(other, one) for other in reached)]
    assert sorted(found.best, key=repr) == sorted(wanted, key=repr)
    assert [one.k for one in found.best] == sorted(one.k for one in wanted)


@given(st.lists(points, max_size=12), st.sampled_from([0.0, 0.05, 0.1, 0.25, 1.0]), st.booleans())
def test_the_largest_k_is_that_of_brute_force(some, loss, by_name):
    found = Frontier(points=tuple(some))
    name = some[0].name if by_name and some else None
    fitting = [one for one in some if one.gcp is not None and one.gcp <= loss and name in (None, one.name)]
    answer = found.largest_k(loss, name)
    if not fitting:
        assert answer is None
    else:
        assert answer is not None
        assert answer in fitting
        assert answer.k == max(one.k for one in fitting)
        assert answer.gcp == min(one.gcp for one in fitting if one.k == answer.k)


@pytest.mark.parametrize("loss", [-0.1, 1.1, True, "0.1", math.nan])
def test_a_bearable_loss_is_a_share(loss):
    found = Frontier(points=(Point(2, {"mondrian": {}}, 0.0, gcp=0.1),))
    with pytest.raises(cl.OptionError, match="bearable loss"):
        found.largest_k(loss)
    with pytest.raises(cl.OptionError, match="bearable loss"):
        found.picture(bearable_loss=loss)


def test_a_search_that_no_point_is_of_is_refused():
    found = Frontier(points=(Point(2, {"mondrian": {}}, 0.0, gcp=0.1),))
    with pytest.raises(cl.OptionError, match="did you mean 'mondrian'"):
        found.largest_k(0.5, "mondrain")


def test_to_dict_is_json_and_names_the_best_by_place():
    found = frontier(make_table(40), k=[2, 3, 41], algorithms=ALGORITHMS[1:3], seed=1)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["audited"] is False
    assert told["n_rows"] == 40
    assert [told["points"][place]["k"] for place in told["best"]] == [point.k for point in found.best]
    assert len(told["points"]) == 6
    assert set(told["points"][0]) == {
        *("k", "algorithm", "max_suppression", "reached_k", "gcp", "gcp_published", "suppressed", "n_classes", "risk"),
        *("seconds", "reason"),
    }


def test_two_searches_of_one_name_are_told_apart():
    table = make_table(40)
    found = frontier(table, k=[2, 3], algorithms=[cl.Weave(passes=1), cl.Weave(effort="fast")], seed=1)
    words = " ".join(re.sub(r"<[^>]*>", " ", found.picture()).split())
    assert "(passes 1)" in words
    assert "(effort fast)" in words


def test_defaults():
    table = make_table(300)
    assert default_ks(table) == list(range(2, 101))
    names = [one.name for one in default_algorithms(table, 99)]
    assert names == ["weave", "mondrian", "hilbert_order", "lattice"]
    plain = cl.Table(table.frame.select("age"), cl.Schema(quasi_identifiers={"age": "number"}))
    assert [one.name for one in default_algorithms(plain, 99)] == names
    assert default_algorithms(plain, 99)[0] == cl.Weave(passes=33)
    assert default_algorithms(plain, 10_000)[0] == cl.Weave(effort="fast")
    large = cl.Table(pl.DataFrame({"age": np.zeros(60_000)}), cl.Schema(quasi_identifiers={"age": "number"}))
    assert len(default_ks(large)) == 13
    assert {2, 100} <= set(default_ks(large))
    assert default_ks(cl.Table(table.frame.head(1), table.schema)) == [2]


@given(st.lists(st.integers(2, 500), min_size=1, max_size=40))
def test_spread_takes_the_ends_then_usual_values_then_the_others_each_time_the_farthest(ks):
    order = spread(ks)
    assert sorted(order) == sorted(set(ks))
    assert order[:2] == sorted({min(ks), max(ks)})
    n_usual = len({*order[:2], *(k for k in ks if k in FEW_KS)})
    for place in range(2, len(order)):
        allowed = order[place:n_usual] if place < n_usual else order[place:]
        gaps = {k: min(abs(math.log(k / other)) for other in order[:place]) for k in allowed}
        assert gaps[order[place]] == pytest.approx(max(gaps.values()))
