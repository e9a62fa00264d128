"""Why not: what blocks is named, and every relaxation works, is minimal and costs what it says."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import floor

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.jobs.why_not import why_not
from celosia.jobs.why_not.attempts import Parameter, parameters_of, share_of
from celosia.jobs.why_not.trials import weakened_least
from celosia.search.lattice import Lattice

JOBS = cl.Tree([["nurse", "health", "*"], ["doctor", "health", "*"], ["judge", "law", "*"]])


def make_table(n_rows=12, ill=("flu", "cold"), **roles) -> cl.Table:
    draw = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": draw.integers(20, 60, n_rows),
            "sex": draw.choice(["f", "m"], n_rows),
            "ill": [ill[row % len(ill)] for row in range(n_rows)],
        }
    )
    schema = cl.Schema(quasi_identifiers={"age": "number", "sex": "category"}, sensitive=["ill"], **roles)
    return cl.Table(frame, schema, name="patients")


def is_met(plan: cl.Plan, table: cl.Table) -> bool:
    try:
        plan.run(table)
    except (cl.UnreachableError, cl.InputError):
        return False
    return True


def check_relaxations(answer, plan, table):
    """Whatever the demand: each relaxation gives a release that costs what it says, the order is by loss."""
    assert answer.reachable is False
    assert answer.blocks
    losses = [one.gcp for one in answer.relaxations]
    assert losses == sorted(losses)
    for one in answer.relaxations:
        assert one.plan.seed == plan.seed == 1
        assert one.plan.run(table).classes.n_published
        algorithm = one.plan.algorithm
        quick = [cl.Weave(effort="fast"), cl.Mondrian()] if isinstance(algorithm, cl.Weave) else [algorithm]
        releases = [replace(one.plan, algorithm=search).run(table) for search in quick]
        release = min(releases, key=lambda found: found.loss.gcp)
        figures = (release.k, release.classes.n_suppressed, release.classes.n_classes, release.table.n_rows)
        assert (one.k, one.n_suppressed, one.n_classes, one.n_rows) == figures
        weights = {name: table.schema.weights.get(name, 1.0) for name in table.schema.quasi_identifiers}
        lost = sum(weight for name, weight in weights.items() if name not in release.loss.columns)
        kept = sum(weights.values()) - lost
        assert one.gcp == pytest.approx((release.loss.gcp * kept + lost) / (kept + lost))
    json.dumps(answer.to_dict(), allow_nan=False)


def by_kind(answer, kind):
    return [one for one in answer.relaxations if one.kind == kind]


def test_a_plan_that_can_be_met_needs_nothing():
    answer = why_not(cl.Plan(models=[cl.KAnonymity(3)]), make_table())
    assert answer.reachable is True
    assert answer.to_dict()["reachable"] is True
    assert (answer.blocks, answer.relaxations, answer.untried) == ((), (), ())


def test_more_people_than_there_are():
    table = make_table(12)
    plan = cl.Plan(models=[cl.KAnonymity(40)], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    (block,) = answer.blocks
    assert (block.kind, block.model) == ("model", "k_anonymity")
    assert "40 rows; patients has 12" in block.message
    (only,) = answer.relaxations
    assert (only.kind, only.change["to"], only.k) == ("smaller_k", 12, 12)


def test_people_are_counted_where_rows_are_not_people():
    frame = pl.DataFrame({"who": [str(row // 3) for row in range(12)], "age": range(12)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    plan = cl.Plan(models=[cl.KAnonymity(5)], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    assert by_kind(answer, "smaller_k")[0].change["to"] == 4


def test_more_values_than_the_secret_has():
    table = make_table(12)
    plan = cl.Plan(models=[cl.KAnonymity(2), cl.LDiversity(3, on="ill")], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    (block,) = answer.blocks
    assert (block.kind, block.column, block.model) == ("model", "ill", "l_diversity")
    assert "hold 2" in block.message
    assert by_kind(answer, "weaker_model")[0].change == {
        "model": "l_diversity",
        "on": "ill",
        "option": "l",
        "from": 3,
        "to": 2,
    }
    assert [one.change["model"] for one in by_kind(answer, "drop_model")] == ["l_diversity"]
    assert not by_kind(answer, "more_suppression")
    assert not by_kind(answer, "drop_column")


def test_two_blocks_are_relaxed_together_where_one_alone_does_not_help():
    table = make_table(12)
    plan = cl.Plan(models=[cl.KAnonymity(40), cl.PSensitive(5, on="ill")], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    assert {block.model for block in answer.blocks} == {"k_anonymity", "p_sensitive"}
    (only,) = answer.relaxations
    assert only.kind == "several"
    assert [change["to"] for change in only.change["changes"]] == [12, 2]


def test_a_secret_of_one_value_leaves_only_the_model_to_drop():
    table = make_table(12, ill=("flu",))
    plan = cl.Plan(models=[cl.KAnonymity(3), cl.LDiversity(2, on="ill")], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    assert [one.kind for one in answer.relaxations] == ["drop_model"]


def test_a_frequent_value_needs_suppression_or_a_larger_share():
    table = make_table(20, ill=("flu", "flu", "flu", "cold"))
    plan = cl.Plan(models=[cl.AlphaK(0.6, on="ill"), cl.KAnonymity(2)], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    weaker = by_kind(answer, "weaker_model")[0]
    assert weaker.change["to"] == 0.75
    more = by_kind(answer, "more_suppression")[0]
    n_gone = floor(Fraction(str(more.change["max_suppression"])) * 20)
    fewest = next(n for n in range(21) if (15 - n) <= 0.6 * (20 - n))
    assert n_gone == fewest
    assert not is_met(replace(plan, max_suppression=share_of(n_gone - 1, 20)), table)


def test_entropy_goes_down_to_what_the_table_holds():
    table = make_table(20, ill=("flu", "flu", "flu", "cold"))
    plan = cl.Plan(models=[cl.LDiversity(2, on="ill", kind="entropy")], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    most = np.exp(-(0.75 * np.log(0.75) + 0.25 * np.log(0.25)))
    assert by_kind(answer, "weaker_model")[0].change["to"] == floor(most * 100) / 100


def test_recursive_diversity_may_give_way_in_l_or_c():
    table = make_table(20, ill=("flu", "flu", "flu", "cold"))
    plan = cl.Plan(models=[cl.LDiversity(2, on="ill", kind="recursive", c=1)], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    (weaker,) = by_kind(answer, "weaker_model")
    assert (weaker.change["option"], weaker.change["to"]) == ("c", 3.01)


def test_values_that_a_hierarchy_does_not_know():
    frame = pl.DataFrame({"job": ["nurse", "doctor", "judge", "pilot", "cook"] * 4, "age": range(20)})
    schema = cl.Schema(quasi_identifiers={"job": JOBS.with_missing("suppress"), "age": "number"})
    table = cl.Table(frame, schema)
    plan = cl.Plan(models=[cl.KAnonymity(3)], max_suppression=0.1, seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    (block,) = answer.blocks
    assert (block.kind, block.column) == ("hierarchy", "job")
    assert "does not know 2 of its values (8 rows, 40.00%)" in block.message
    assert "pilot" not in str(answer.to_dict())
    assert by_kind(answer, "more_suppression")[0].change["max_suppression"] == 0.4
    (dropped,) = by_kind(answer, "drop_column")
    assert dropped.change == {"column": "job"}
    assert dropped.gcp > 0.5


def test_a_dropped_column_counts_with_its_weight():
    frame = pl.DataFrame({"job": ["nurse", "pilot"] * 5, "age": [30] * 10})
    schema = cl.Schema(
        quasi_identifiers={"job": JOBS.with_missing("suppress"), "age": "number"}, weights={"job": 3.0, "age": 1.0}
    )
    answer = why_not(cl.Plan(models=[cl.KAnonymity(2)]), cl.Table(frame, schema))
    assert by_kind(answer, "drop_column")[0].gcp == pytest.approx(0.75)


def test_a_quasi_identifier_that_is_a_secret_with_rare_values():
    frame = pl.DataFrame({"age": range(12), "ill": ["flu"] * 5 + ["cold"] * 5 + ["hiv"] * 2})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number", "ill": "category"}, sensitive=["ill"]))
    plan = cl.Plan(models=[cl.KAnonymity(3), cl.LDiversity(2, on="ill")], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    assert [(block.kind, block.column) for block in answer.blocks] == [("column", "ill")]
    assert "hiv" not in str(answer.to_dict())
    assert by_kind(answer, "smaller_k")[0].change["to"] == 2
    more = by_kind(answer, "more_suppression")[0]
    assert more.n_suppressed == 2
    assert not is_met(replace(plan, max_suppression=1 / 12), table)


def test_a_population_that_is_too_small():
    table = make_table(12)
    plan = cl.Plan(models=[cl.KMap(20, population=table.frame)], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    assert by_kind(answer, "weaker_model")[0].change["to"] == 12


@pytest.mark.parametrize(
    ("model", "option", "wanted"),
    [
        (cl.AverageRisk(0.01), "limit", 0.084),
        (cl.ShareAtRisk(0.0, threshold=0.01), "threshold", 0.084),
    ],
)
def test_risks_that_so_few_people_cannot_have(model, option, wanted):
    table = make_table(12)
    plan = cl.Plan(models=[model], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    assert [(one.change["option"], one.change["to"]) for one in by_kind(answer, "weaker_model")] == [(option, wanted)]


def test_uniqueness_of_one_person_has_no_way_round():
    table = make_table(1)
    answer = why_not(cl.Plan(models=[cl.SampleUniqueness(0.0)]), table)
    assert answer.reachable is False
    assert answer.relaxations == ()
    assert answer.untried == ()


def test_an_empty_table():
    table = cl.Table(
        pl.DataFrame({"age": pl.Series([], dtype=pl.Int64)}), cl.Schema(quasi_identifiers={"age": "number"})
    )
    answer = why_not(cl.Plan(models=[cl.KAnonymity(2)]), table)
    assert answer.reachable is False
    assert "no rows" in answer.blocks[0].message
    assert answer.relaxations == ()


@pytest.mark.parametrize(
    "model",
    [
        cl.TCloseness(0.1, on="ill"),
        cl.BetaLikeness(0.2, on="ill"),
        cl.DeltaDisclosure(0.3, on="ill"),
    ],
)
def test_models_that_one_class_always_satisfies_are_reached_or_blocked_by_others(model):
    table = make_table(12, ill=("flu", "flu", "cold"))
    assert why_not(cl.Plan(models=[cl.KAnonymity(3), model]), table).reachable is True
    plan = cl.Plan(models=[cl.KAnonymity(13), model], seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    assert {block.model for block in answer.blocks} == {"k_anonymity"}
    assert {one.kind for one in answer.relaxations} == {"smaller_k", "drop_model"}


def test_levels_that_are_limited():
    frame = pl.DataFrame({"job": ["nurse", "doctor", "judge", "judge"] * 3, "age": [30, 31, 32, 33] * 3})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"job": JOBS, "age": cl.Intervals(width=5)}))
    plan = cl.Plan(models=[cl.KAnonymity(6)], algorithm=Lattice(levels={"job": 0}), seed=1)
    answer = why_not(plan, table)
    check_relaxations(answer, plan, table)
    (wider,) = by_kind(answer, "wider_levels")
    assert wider.change == {"column": "job", "level": 1}
    assert by_kind(answer, "smaller_k")[0].change["to"] == 3
    assert by_kind(answer, "other_algorithm")
    assert {one.change["column"] for one in by_kind(answer, "drop_column")} == {"job"}


@tries(25)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from("ab"), st.sampled_from("xyz")), min_size=2, max_size=9),
    st.integers(2, 12),
    st.integers(2, 4),
    st.sampled_from([0.0, 0.2]),
)
def test_relaxations_are_minimal_by_brute_force(rows, k, distinct, share):
    frame = pl.DataFrame(rows, schema=["mark", "group", "secret"], orient="row")
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"mark": "number", "group": "category"}, sensitive=["secret"]))
    models = [cl.KAnonymity(k), cl.LDiversity(distinct, on="secret")]
    plan = cl.Plan(models=models, algorithm=cl.Mondrian(), max_suppression=share, seed=1)
    answer = why_not(plan, table, time_limit=None)
    assert answer.reachable is is_met(plan, table)
    if answer.reachable:
        return
    check_relaxations(answer, plan, table)
    n = len(rows)
    met_k = [one for one in range(2, k) if is_met(replace(plan, models=[cl.KAnonymity(one), models[1]]), table)]
    assert [one.change["to"] for one in by_kind(answer, "smaller_k")] == met_k[-1:]
    met_l = [
        one
        for one in range(2, distinct)
        if is_met(replace(plan, models=[models[0], cl.LDiversity(one, on="secret")]), table)
    ]
    assert [one.change["to"] for one in by_kind(answer, "weaker_model")] == met_l[-1:]
    met_share = [gone for gone in range(n + 1) if is_met(replace(plan, max_suppression=share_of(gone, n)), table)]
    assert [floor(Fraction(str(one.change["max_suppression"])) * n) for one in by_kind(answer, "more_suppression")] == (
        met_share[:1]
    )
    met_alone = [
        model.name for model in models if is_met(replace(plan, models=[m for m in models if m != model]), table)
    ]
    assert sorted(one.change["model"] for one in by_kind(answer, "drop_model")) == sorted(met_alone)


def test_time_that_is_up_is_said():
    table = make_table(12)
    plan = cl.Plan(models=[cl.KAnonymity(40)], seed=1)
    answer = why_not(plan, table, time_limit=1e-9)
    assert answer.reachable is None
    assert answer.untried == ("the plan itself",)


def test_what_the_time_did_not_allow_is_listed(monkeypatch):
    table = make_table(12)
    clock = [0.0]
    monkeypatch.setattr("celosia.base.progress.time.monotonic", lambda: clock[0])
    measure = cl.Plan.measure

    def slow(self, table, progress=None):
        clock[0] += 1.0
        return measure(self, table, progress)

    monkeypatch.setattr(cl.Plan, "measure", slow)
    answer = why_not(cl.Plan(models=[cl.KAnonymity(40)]), table, time_limit=1.5)
    assert answer.reachable is False
    assert answer.blocks
    assert answer.relaxations == ()
    assert "a larger max_suppression" in answer.untried
    assert "without 'age'" in answer.untried


@pytest.mark.parametrize("limit", [0, -1, "5", float("inf"), True])
def test_a_time_limit_is_a_number_of_seconds(limit):
    with pytest.raises(cl.OptionError, match="seconds"):
        why_not(cl.Plan(models=[cl.KAnonymity(2)]), make_table(), time_limit=limit)


def test_wrong_input_is_refused():
    with pytest.raises(cl.InputError, match="why_not needs"):
        why_not(cl.Plan(models=[cl.KAnonymity(2)]), pl.DataFrame())
    loose = cl.Table(pl.DataFrame({"age": [1, 2], "loose": [1, 2]}), cl.Schema(quasi_identifiers={"age": "number"}))
    with pytest.raises(cl.InputError, match="no role"):
        why_not(cl.Plan(models=[cl.KAnonymity(2)]), loose)


def test_masks_apply_once_and_stay_in_the_changed_plan():
    table = make_table(12)
    plan = cl.Plan(models=[cl.KAnonymity(40)], masks=[cl.Drop(columns=["sex"])], seed=1)
    (only,) = why_not(plan, table).relaxations
    assert list(only.plan.masks) == list(plan.masks)
    assert "sex" not in only.plan.run(table).frame.columns


@given(st.integers(1, 400), st.data())
def test_a_share_lets_just_so_many_rows_go(n_rows, data):
    n_gone = data.draw(st.integers(0, n_rows))
    share = share_of(n_gone, n_rows)
    assert floor(Fraction(str(share)) * n_rows) == n_gone
    assert 0 <= share <= 1


@given(st.integers(0, 30), st.integers(0, 31))
def test_halving_finds_the_strongest_that_works(n_steps, n_working):
    steps = list(range(n_steps))
    found = weakened_least(steps, lambda step: {"step": step} if step < n_working else None)
    working = [step for step in steps if step < n_working]
    assert found == ((working[-1], {"step": working[-1]}) if working else None)


def test_every_model_has_a_parameter_that_can_give_way():
    from celosia.jobs.registry import classes_in

    known = {
        "alpha_k": {"alpha": 0.5, "on": "ill"},
        "average_risk": {"limit": 0.1},
        "beta_likeness": {"beta": 1, "on": "ill"},
        "delta_disclosure": {"delta": 1, "on": "ill"},
        "k_anonymity": {"k": 3},
        "k_map": {"k": 3, "population": 100},
        "l_diversity": {"l": 3, "on": "ill"},
        "p_sensitive": {"p": 3, "on": "ill"},
        "sample_uniqueness": {"share": 0.05},
        "share_at_risk": {"share": 0.05},
        "t_closeness": {"t": 0.2, "on": "ill"},
    }
    for name, kind in classes_in("models").items():
        model = kind(**known[name])
        assert parameters_of(model), name
        for parameter in parameters_of(model):
            steps = parameter.steps(model)
            asked = Fraction(str(getattr(model, parameter.option)))
            for step in (steps[0], steps[-1]):
                weaker = parameter.weaker(model, step)
                now = Fraction(str(getattr(weaker, parameter.option)))
                assert (now < asked) == (parameter.weakest < asked)
                assert now != asked
            assert abs(Fraction(steps[-1]) * parameter.step - asked) <= parameter.step


def test_a_value_between_two_steps_gives_way_to_the_next():
    third = cl.AlphaK(0.33333, on="ill")
    parameter = parameters_of(third)[0]
    assert parameter.weaker(third, parameter.steps(third)[-1]).alpha == 0.334
    assert (
        Parameter("l", Fraction(1, 100), Fraction(101, 100)).steps(cl.LDiversity(2.345, on="ill", kind="entropy"))[-1]
        == 234
    )
