"""Not feasible: the reasons are right, and whoever takes the advice gets a release."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.apps.project import loop_advice
from celosia.apps.project.loop import Candidates, Outcome, Targets, search
from celosia.measure.risk import Acquaintance, Insider, PublicRelease, Situation

PLAN = cl.Plan([cl.KAnonymity(2)], seed=5)
QUICK = (cl.Mondrian(), cl.HilbertOrder())


def make_table(n_rows: int = 60, seed: int = 3, ill=("flu", "cold", "hiv")) -> cl.Table:
    draw = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": draw.integers(18, 80, n_rows),
            "sex": draw.choice(["f", "m"], n_rows),
            "ill": [ill[row % len(ill)] for row in range(n_rows)],
        }
    )
    schema = cl.Schema(quasi_identifiers={"age": "number", "sex": "category"}, sensitive=["ill"])
    return cl.Table(frame, schema, name="patients")


def by_code(outcome: Outcome) -> dict:
    assert outcome.verdict == "not feasible"
    assert outcome.release is None
    assert not any(one.chosen for one in outcome.rounds)
    assert outcome.advice == tuple(finding.message for finding in outcome.findings)
    assert all(finding.severity == "note" for finding in outcome.findings)
    return {finding.code: dict(finding.values) | {"column": finding.column} for finding in outcome.findings}


def share(text: str) -> Fraction:
    return Fraction(re.fullmatch(r"([0-9.]+) %", text)[1]) / 100


def test_too_small_a_loss_asks_for_just_the_loss_there_is():
    table, targets = make_table(), Targets(Situation([Insider("medium", "medium")], threshold="0.05"), 0.01, 0.0)
    outcome = search(PLAN, table, targets, Candidates(QUICK))
    advice = by_code(outcome)
    least = min(one.gcp for one in outcome.rounds if one.k == 5)
    needed = share(advice["MORE_LOSS_WOULD_DO"]["loss"])
    assert least <= needed <= Fraction(str(least)) * Fraction(101, 100)
    assert search(PLAN, table, replace(targets, max_loss=float(needed)), Candidates(QUICK)).verdict == "feasible"
    below = float(Fraction(str(least)) * Fraction(99, 100))
    assert search(PLAN, table, replace(targets, max_loss=below), Candidates(QUICK)).verdict == "not feasible"


situations = st.builds(
    lambda scenarios, threshold, strict, insiders: Situation(
        scenarios, threshold=threshold, strict=strict, insiders=insiders
    ),
    st.sampled_from(
        [
            [PublicRelease()],
            [Insider("low", "medium")],
            [Insider("none", "high"), Acquaintance(q="0.001", m=20)],
        ]
    ),
    st.sampled_from(["0.02", "0.03", "0.05", "1/30"]),
    st.booleans(),
    st.integers(0, 1),
)


@tries(12)
@given(situations, st.sampled_from([0.05, 0.1, 0.2]), st.integers(0, 5))
def test_whoever_takes_the_advice_gets_a_release(situation, max_loss, seed):
    table, targets = make_table(seed=seed), Targets(situation, max_loss, 0.0)
    candidates = Candidates(QUICK)
    outcome = search(PLAN, table, targets, candidates)
    if outcome.verdict == "feasible":
        return
    advice = by_code(outcome)

    def is_feasible(**changes):
        return search(PLAN, table, replace(targets, **changes), candidates).verdict == "feasible"

    if situation.minimal_k <= table.n_rows:
        assert is_feasible(max_loss=float(share(advice["MORE_LOSS_WOULD_DO"]["loss"])))
    if "HIGHER_THRESHOLD_WOULD_DO" in advice:
        higher = share(advice["HIGHER_THRESHOLD_WOULD_DO"]["needed"])
        assert is_feasible(situation=replace(situation, threshold=higher))
    if "MORE_CONTROLS_WOULD_DO" in advice:
        controls = advice["MORE_CONTROLS_WOULD_DO"]["controls"]
        changed = [replace(one, controls=controls) if isinstance(one, Insider) else one for one in situation.scenarios]
        assert is_feasible(situation=replace(situation, scenarios=changed))
    if "KNOWN_RECIPIENTS_WOULD_DO" in advice:
        attempt = share(advice["KNOWN_RECIPIENTS_WOULD_DO"]["attempt"])
        assert isinstance(situation.scenarios[0], PublicRelease)
        known = cl.risk.Breach(rate=min(attempt, Fraction(1)), source="a survey", date="2026-01-31")
        assert is_feasible(situation=replace(situation, scenarios=[known]))


def test_the_advised_k_is_the_largest_that_keeps_to_the_loss():
    table, targets = make_table(), Targets(Situation([PublicRelease()], threshold="0.05"), 0.2, 0.0)
    largest = by_code(search(PLAN, table, targets, Candidates(QUICK[:1])))["HIGHER_THRESHOLD_WOULD_DO"]["k"]
    losses = {k: replace(PLAN, models=[cl.KAnonymity(k)], algorithm=QUICK[0]).run(table).loss.gcp for k in range(3, 21)}
    assert losses[largest] <= 0.2 < losses[largest + 1]


def test_controls_are_the_cheapest_that_do():
    situation = Situation([Insider("none", "low")], threshold="0.05")
    targets = Targets(situation, 0.2, 0.0)
    advice = by_code(search(PLAN, make_table(), targets, Candidates(QUICK)))
    k = advice["MORE_CONTROLS_WOULD_DO"]["k"]
    enough = [
        controls
        for controls in ("none", "low", "medium", "high")
        if Insider(controls, "low").attempt / k <= situation.accepted
    ]
    assert advice["MORE_CONTROLS_WOULD_DO"]["controls"] == enough[0] != "none"
    alone = by_code(search(PLAN, make_table(), replace(targets, counts_controls=False), Candidates(QUICK)))
    assert set(alone) == set(advice) - {"MORE_CONTROLS_WOULD_DO"}


def test_a_k_of_ones_own_that_is_greater_than_needed_is_said_to_be_the_hindrance():
    targets = Targets(Situation([PublicRelease()], threshold="0.25"), 0.3, 0.0)
    outcome = search(PLAN, make_table(), targets, Candidates(QUICK, k=40))
    advice = by_code(outcome)["SMALLER_K_WOULD_DO"]
    assert advice["needed"] == 4 <= advice["k"] < 40
    again = search(PLAN, make_table(), targets, Candidates(QUICK, k=advice["k"]))
    assert again.verdict == "feasible"


def test_fewer_people_than_a_class_needs_are_out_of_reach():
    table = make_table(n_rows=8)
    outcome = search(PLAN, table, Targets(Situation([PublicRelease()], threshold="0.01"), 1.0, 0.5), Candidates(QUICK))
    assert {one.verdict for one in outcome.rounds} == {"out of reach"}
    assert {one.reason for one in outcome.rounds} == {"There are fewer people in the table than a class must have."}
    advice = by_code(outcome)
    assert advice["HIGHER_THRESHOLD_WOULD_DO"]["k"] == 8
    assert advice["HIGHER_THRESHOLD_WOULD_DO"]["needed"] == "12.5 %"


def test_an_empty_table_and_a_single_person_have_no_way_out():
    for n_rows in (0, 1):
        frame = pl.DataFrame({"age": [30] * n_rows}, schema={"age": pl.Int64})
        table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}))
        outcome = search(PLAN, table, Targets(Situation([PublicRelease()], threshold="0.3"), 1.0, 1.0), Candidates())
        assert list(by_code(outcome)) == ["NO_SINGLE_CHANGE"]


def test_a_secret_that_cannot_be_diverse_is_out_of_reach_and_says_what_would_do():
    table = make_table(ill=("flu", "cold"))
    plan = replace(PLAN, models=[cl.KAnonymity(2), cl.LDiversity(3, on="ill")])
    targets = Targets(Situation([Insider("medium", "medium")], threshold="0.05"), 0.9, 0.1)
    outcome = search(plan, table, targets, Candidates(QUICK[:1], (0.0, 0.1)))
    assert {one.verdict for one in outcome.rounds} == {"out of reach"}
    assert all("beside k-anonymity" in one.reason for one in outcome.rounds)
    advice = by_code(outcome)
    assert advice["WEAKER_MODEL_WOULD_DO"]["value"] == "2"
    assert advice["WEAKER_MODEL_WOULD_DO"]["column"] == "ill"
    assert advice["FEWER_MODELS_WOULD_DO"]["model"] == "l_diversity"
    weaker = replace(plan, models=[cl.LDiversity(2, on="ill")])
    assert search(weaker, table, targets, Candidates(QUICK[:1])).verdict == "feasible"


def test_a_proportion_that_needs_rows_to_go_says_how_many():
    frame = pl.DataFrame({"age": list(range(40)), "ill": ["flu"] * 30 + ["hiv"] * 10})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    plan = cl.Plan([cl.AlphaK(0.6, on="ill")], seed=1)
    targets = Targets(Situation([PublicRelease()], threshold="0.2"), 1.0, 0.0)
    advice = by_code(search(plan, table, targets, Candidates(QUICK[:1])))
    needed = float(share(advice["MORE_SUPPRESSION_WOULD_DO"]["share"]))
    changed = replace(targets, max_suppression=needed)
    assert search(plan, table, changed, Candidates(QUICK[:1], (needed,))).verdict == "feasible"


def test_too_many_rows_left_out_asks_for_as_many_as_there_are():
    table = make_table()
    plan = replace(PLAN, masks=[cl.DropRows(where="age < 30")])
    n_gone = int((table.frame["age"] < 30).sum())
    targets = Targets(Situation([PublicRelease()], threshold="0.2"), 1.0, 0.01)
    outcome = search(plan, table, targets, Candidates(QUICK))
    assert all("rows are left out" in one.reason for one in outcome.rounds if one.verdict == "too lossy")
    needed = share(by_code(outcome)["MORE_SUPPRESSION_WOULD_DO"]["share"])
    assert Fraction(n_gone, 60) <= needed <= Fraction(n_gone, 60) * Fraction(101, 100)
    both = by_code(search(plan, table, replace(targets, max_loss=0.1), Candidates(QUICK)))
    assert both["MORE_LOSS_AND_SUPPRESSION_WOULD_DO"]["max_share"] == "1 %"
    allowed = Targets(
        targets.situation,
        float(share(both["MORE_LOSS_AND_SUPPRESSION_WOULD_DO"]["loss"])),
        float(share(both["MORE_LOSS_AND_SUPPRESSION_WOULD_DO"]["share"])),
    )
    assert search(plan, table, allowed, Candidates(QUICK)).verdict == "feasible"


def test_masks_that_would_remove_too_much_are_named():
    plan = replace(PLAN, masks=[cl.DropRows(where="age < 70", at_most=0.1)])
    targets = Targets(Situation([PublicRelease()], threshold="0.2"), 1.0, 1.0)
    outcome = search(plan, make_table(), targets, Candidates(QUICK))
    assert {one.reason for one in outcome.rounds} == {"A mask would remove more rows than it may."}
    assert list(by_code(outcome)) == ["NO_SINGLE_CHANGE"]
    after = replace(PLAN, masks_after=[cl.DropRows(where="sex == 'f'", at_most=0.01)])
    late = search(after, make_table(), targets, Candidates(QUICK))
    assert {one.reason for one in late.rounds} == {
        "Once the masks after the search have removed rows, too few are left, or a model does not hold."
    }


def test_no_message_holds_a_cell_value():
    outcome = search(
        replace(PLAN, models=[cl.LDiversity(3, on="ill")]),
        make_table(ill=("nephritis", "pleurisy")),
        Targets(Situation([PublicRelease()], threshold="0.2"), 0.9, 0.0),
        Candidates(QUICK),
    )
    said = " ".join([*outcome.advice, *(one.reason for one in outcome.rounds)])
    assert "nephritis" not in said
    assert "pleurisy" not in said


def test_the_search_for_advice_is_limited_in_time(monkeypatch):
    monkeypatch.setattr(loop_advice, "_SECONDS", 1e-9)
    targets = Targets(Situation([PublicRelease()], threshold="0.05"), 0.01, 0.0)
    advice = by_code(search(PLAN, make_table(), targets, Candidates(QUICK)))
    assert list(advice) == ["MORE_LOSS_WOULD_DO"]


@given(st.fractions(Fraction(1, 10**6), Fraction(1)))
def test_shares_are_rounded_to_the_safe_side(exact):
    assert exact <= share(loop_advice._up(exact)) <= exact * Fraction(1011, 1000)
    assert exact < share(loop_advice._up(exact, above=True)) <= exact * Fraction(1011, 1000)
    assert exact * Fraction(989, 1000) <= share(loop_advice._down(exact)) <= exact
    assert exact * Fraction(989, 1000) <= share(loop_advice._down(exact, below=True)) < exact


@pytest.mark.parametrize("given_share", [0.02, 0.5, 1.0, 0.1])
def test_shares_that_are_short_are_spelt_as_they_are(given_share):
    assert share(loop_advice._up(given_share)) == Fraction(str(given_share))
