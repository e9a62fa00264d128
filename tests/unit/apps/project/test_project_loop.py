"""The loop: what it finds equals a plain walk over all candidates, and what it releases is within the threshold."""

from __future__ import annotations

import signal
import threading
from collections import defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import cases
from trying import tries

import celosia as cl
from celosia.apps.dossier.case import Round
from celosia.apps.project.loop import Candidates, Targets, search
from celosia.apps.project.loop_rounds import Trial
from celosia.masks.vault import Vault
from celosia.measure.risk import Acquaintance, Insider, PublicRelease, Situation

PLAN = cl.Plan([cl.KAnonymity(2)], seed=5, keep_order=True)
QUICK = (cl.Mondrian(), cl.HilbertOrder())


def make_table(n_rows: int = 60, seed: int = 3, **roles) -> cl.Table:
    draw = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": draw.integers(18, 80, n_rows),
            "zip": [f"{code:05d}" for code in draw.integers(37000, 37040, n_rows)],
            "ill": draw.choice(["flu", "cold", "hiv"], n_rows),
            "who": [f"p{person}" for person in draw.integers(0, max(n_rows // 2, 1), n_rows)],
        }
    )
    schema = cl.Schema(
        identifiers=[] if "subject" in roles else ["who"],
        quasi_identifiers={"age": "number", "zip": cl.Prefix(keep=[5, 4, 3])},
        sensitive=["ill"],
        **roles,
    )
    return cl.Table(frame, schema, name="patients")


def public(threshold="0.1", **options) -> Situation:
    return Situation([PublicRelease()], threshold=threshold, **options)


def people_in_classes(release: cl.Release) -> list[int]:
    """People behind equal published rows, counted from the rows; the order of the input was kept."""
    table = release.masked.given
    names = list(table.schema.quasi_identifiers)
    kept = np.flatnonzero(release.classes.labels >= 0)
    subject = table.schema.subject
    whose = [str(row) for row in kept] if subject is None else table.frame[subject].gather(kept).to_list()
    people = defaultdict(set)
    for cells, person in zip(release.rows.select(names).rows(), whose, strict=True):
        people[cells].add(person)
    return [len(found) for found in people.values()]


def plain_risk(release: cl.Release, situation: Situation) -> Fraction:
    """The greatest over scenarios and classes of P(attempt) / (people - insiders)."""
    return max(
        scenario.attempt * Fraction(1, max(people - situation.insiders, 1))
        for scenario in situation.scenarios
        for people in people_in_classes(release)
    )


def holds(release: cl.Release, situation: Situation) -> bool:
    risk = plain_risk(release, situation)
    within = risk < situation.accepted if situation.strict else risk <= situation.accepted
    return within and min(people_in_classes(release)) >= situation.floor


def plain_needed(situation: Situation) -> int:
    """The smallest k whose risk is accepted, by counting up."""
    for k in count(situation.floor):
        risk = max(one.attempt for one in situation.scenarios) / max(k - situation.insiders, 1)
        if risk < situation.accepted or (risk == situation.accepted and not situation.strict):
            return k
    raise AssertionError


def plain_verdict(plan: cl.Plan, table: cl.Table, targets: Targets):
    """Run a plan and say what the targets say of it, by hand."""
    try:
        release = plan.run(table)
    except cl.UnreachableError:
        return "out of reach", None
    if not holds(release, targets.situation):
        return "too risky", release
    n_gone = int((release.classes.labels < 0).sum())
    lossy = release.loss.gcp > targets.max_loss
    if lossy or Fraction(n_gone, len(release.classes)) > Fraction(str(targets.max_suppression)):
        return "too lossy", release
    return "accepted", release


situations = st.builds(
    lambda scenarios, threshold, strict, floor, insiders: Situation(
        scenarios, threshold=threshold, strict=strict, floor=floor, insiders=insiders
    ),
    st.sampled_from(
        [
            [PublicRelease()],
            [Insider("medium", "medium")],
            [Insider("low", "high"), Acquaintance(q="0.01", m=20)],
        ]
    ),
    st.sampled_from(["0.05", "0.1", "0.2", "1/3"]),
    st.booleans(),
    st.integers(2, 4),
    st.integers(0, 2),
)


@tries(40)
@given(
    cases(min_rows=4, max_rows=16),
    situations,
    st.sampled_from([0.0, 0.2, 0.5, 1.0]),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.sampled_from([(0.0,), (0.0, 0.25)]),
    st.integers(0, 3),
)
def test_it_finds_what_a_plain_walk_over_all_candidates_finds(case, situation, max_loss, max_gone, shares, own_k):
    table, targets = case.table(), Targets(situation, max_loss, max_gone)
    plan = replace(PLAN, models=[cl.KAnonymity(own_k + 2)])
    candidates = Candidates(QUICK, shares)
    outcome = search(plan, table, targets, candidates)
    needed = plain_needed(situation)
    k = max(needed, own_k + 2)
    wanted = {}
    for algorithm in QUICK:
        for share in shares:
            tried = replace(plan, models=[cl.KAnonymity(k)], algorithm=algorithm, max_suppression=share)
            wanted[k, algorithm.name, share] = plain_verdict(tried, table, targets)
    got = {(one.k, one.algorithm, one.max_suppression): one for one in outcome.rounds}
    for key, (verdict, release) in wanted.items():
        assert got[key].verdict == verdict
        if release is not None:
            assert got[key].risk == plain_risk(release, situation)
            assert got[key].smallest == min(people_in_classes(release))
            assert got[key].gcp == release.loss.gcp
            assert got[key].share_suppressed == float((release.classes.labels < 0).mean())
        else:
            assert (got[key].risk, got[key].gcp, got[key].smallest, got[key].share_suppressed) == (None,) * 4
            assert got[key].reason
    accepted = {key: release for key, (verdict, release) in wanted.items() if verdict == "accepted"}
    weaker = [one for one in outcome.rounds if one.k < k]
    assert [one.k for one in weaker] == (
        [(needed + 1) // 2] if max(situation.floor, own_k + 2) <= (needed + 1) // 2 else []
    )
    stronger = [one for one in outcome.rounds if one.k > k]
    assert [one.k for one in stronger] == ([2 * k] if accepted or (weaker and weaker[0].verdict == "accepted") else [])
    chosen = [one for one in outcome.rounds if one.chosen]
    if outcome.release is None:
        assert outcome.verdict == "not feasible"
        assert not chosen
        assert not accepted
        assert outcome.advice
        return
    assert outcome.verdict == "feasible"
    assert not outcome.advice
    assert len(chosen) == 1
    assert holds(outcome.release, situation)
    if accepted:
        for one in stronger:
            if one.verdict == "accepted":
                accepted[one.k, one.algorithm, one.max_suppression] = None
        best = min(accepted, key=lambda key: (got[key].gcp, got[key].share_suppressed, key[0]))
        assert (chosen[0].gcp, chosen[0].share_suppressed, chosen[0].k) == (
            got[best].gcp,
            got[best].share_suppressed,
            best[0],
        )
    own = replace(plan, models=[cl.KAnonymity(chosen[0].k)], risk=situation, max_suppression=chosen[0].max_suppression)
    algorithm = next(one for one in QUICK if one.name == chosen[0].algorithm)
    again = replace(own, algorithm=algorithm).run(table)
    assert outcome.release.rows.equals(again.rows)
    assert outcome.release.plan == replace(own, algorithm=algorithm)


@tries(25)
@given(cases(min_rows=6, max_rows=20), situations)
def test_whatever_is_released_without_a_seed_is_within_the_threshold(case, situation):
    table = case.table()
    plan = cl.Plan([cl.KAnonymity(2)], keep_order=True)
    outcome = search(plan, table, Targets(situation, 1.0, 1.0), Candidates((cl.Weave(passes=2),), (0.0, 0.2, 1.0)))
    if outcome.release is None:
        assert plain_needed(situation) > table.n_units
    else:
        assert holds(outcome.release, situation)


def test_weaker_and_stronger_rounds_show_what_the_threshold_costs():
    outcome = search(PLAN, make_table(), Targets(public("0.1"), 1.0, 0.0), Candidates(QUICK))
    assert [(one.k, one.algorithm, one.verdict) for one in outcome.rounds] == [
        (5, "mondrian", "too risky"),
        (10, "mondrian", "accepted"),
        (10, "hilbert_order", "accepted"),
        (20, min(outcome.rounds[1:3], key=lambda one: one.gcp).algorithm, "accepted"),
    ]
    assert outcome.rounds[0].reason == "The risk is not within the threshold."
    assert all(one.seconds > 0 for one in outcome.rounds)


def test_the_weaker_round_is_left_out_where_it_would_lie_below_the_floor_or_the_plans_own_k():
    for situation, plan in ((public("0.2"), PLAN), (public("0.1"), replace(PLAN, models=[cl.KAnonymity(6)]))):
        outcome = search(plan, make_table(), Targets(situation, 1.0, 0.0), Candidates(QUICK[:1]))
        needed = situation.minimal_k
        assert [one.k for one in outcome.rounds] == ([3, 5, 10] if needed == 5 else [10, 20])
    floored = search(PLAN, make_table(), Targets(public("0.2", floor=4), 1.0, 0.0), Candidates(QUICK[:1]))
    assert [one.k for one in floored.rounds] == [5, 10]


def test_the_plans_own_k_is_the_least_and_a_k_of_ones_own_the_first():
    own = search(
        replace(PLAN, models=[cl.KAnonymity(12)]), make_table(), Targets(public(), 1.0, 0.0), Candidates(QUICK)
    )
    assert own.release.k >= 12
    greater = search(PLAN, make_table(), Targets(public("0.2"), 1.0, 0.0), Candidates(QUICK, k=8))
    assert [one.k for one in greater.rounds if one.chosen] == [8]


def test_a_k_that_is_too_small_for_the_threshold_is_raised():
    outcome = search(PLAN, make_table(), Targets(public("0.1"), 1.0, 0.0), Candidates(QUICK[:1], k=4))
    assert [(one.k, one.verdict, one.chosen) for one in outcome.rounds] == [
        (4, "too risky", False),
        (10, "accepted", True),
        (20, "accepted", False),
    ]


def test_people_and_not_rows_are_counted_and_insiders_are_counted_out():
    table = make_table(subject="who")
    for situation in (public("0.25"), public("0.25", insiders=2), public("0.25", strict=True)):
        outcome = search(PLAN, table, Targets(situation, 1.0, 0.0), Candidates(QUICK))
        assert outcome.verdict == "feasible"
        assert holds(outcome.release, situation)
        chosen = next(one for one in outcome.rounds if one.chosen)
        assert chosen.k == 4 + 2 * bool(situation.insiders) + situation.strict
        assert chosen.risk == plain_risk(outcome.release, situation)


def test_a_release_that_only_happens_to_keep_the_threshold_comes_after_those_that_promise_it():
    alike = cl.Table(pl.DataFrame({"age": [30] * 12}), cl.Schema(quasi_identifiers={"age": "number"}))
    outcome = search(PLAN, alike, Targets(public("0.1"), 1.0, 0.0), Candidates(QUICK[:1]))
    assert [(one.k, one.smallest, one.verdict, one.chosen) for one in outcome.rounds] == [
        (5, 12, "accepted", False),
        (10, 12, "accepted", True),
        (20, None, "out of reach", False),
    ]


def test_models_masks_and_style_of_the_plan_stay():
    plan = cl.Plan(
        [cl.LDiversity(2, on="ill"), cl.KAnonymity(2)],
        masks=[cl.Round(column="age", to=5)],
        masks_after=[cl.DropRows(class_below=2)],
        range_style="dash",
        seed=1,
    )
    situation = public("0.2")
    outcome = search(plan, make_table(), Targets(situation, 1.0, 0.0), Candidates(QUICK, (0.02,)))
    made = outcome.release.plan
    assert made.models == (cl.KAnonymity(5), cl.LDiversity(2, on="ill"))
    assert (made.masks, made.masks_after, made.range_style, made.seed) == (
        plan.masks,
        plan.masks_after,
        "dash",
        1,
    )
    assert (made.risk, made.max_suppression) == (situation, 0.02)
    assert not any(finding.code == "RISK_ABOVE_THRESHOLD" for finding in outcome.release.findings)


def test_more_suppression_is_tried_where_a_model_is_out_of_reach_without():
    draw = np.random.default_rng(2)
    frame = pl.DataFrame({"age": draw.integers(18, 80, 40), "ill": ["flu"] * 30 + ["hiv"] * 10})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    plan = cl.Plan([cl.AlphaK(0.6, on="ill")], seed=1)
    targets = Targets(public("0.2"), 1.0, 0.5)
    outcome = search(plan, table, targets, Candidates(QUICK[:1], (0.0, 0.4)))
    found = {one.max_suppression: one.verdict for one in outcome.rounds if one.k == 5}
    assert found == {0.0: "out of reach", 0.4: "accepted"}
    assert outcome.verdict == "feasible"


@dataclass(frozen=True)
class Fading:
    """Finds good classes the first time, and one class of everybody from then on."""

    name: ClassVar[str] = "fading"
    calls: list[int] = field(default_factory=list, compare=False)

    def search(self, problem):
        self.calls.append(1)
        return cl.Mondrian().search(problem) if len(self.calls) == 1 else np.zeros(problem.n_rows, dtype=np.int32)

    def to_dict(self):
        return {}


def test_a_release_that_does_not_keep_to_the_targets_when_made_gives_way_to_the_next_best():
    table, heard = make_table(), []
    good = cl.Plan([cl.KAnonymity(5)], algorithm=cl.Mondrian(), seed=5).run(table).loss.gcp
    targets = Targets(public("0.2"), max(good, 0.9), 0.0)
    outcome = search(
        cl.Plan([cl.KAnonymity(5)], seed=5),
        table,
        targets,
        Candidates((Fading(), cl.HilbertOrder())),
        on_round=heard.append,
    )
    found = {(one.k, one.algorithm): one for one in outcome.rounds}
    assert found[5, "fading"].verdict == "too lossy"
    assert found[5, "fading"].gcp == 1.0
    assert "searched for anew" in found[5, "fading"].reason
    assert found[5, "hilbert_order"].chosen
    assert outcome.release.loss.gcp == found[5, "hilbert_order"].gcp <= targets.max_loss
    assert [one.verdict for one in heard if (one.k, one.algorithm) == (5, "fading")] == ["accepted", "too lossy"]
    alone = search(cl.Plan([cl.KAnonymity(5)], seed=5), table, targets, Candidates((Fading(),)))
    assert alone.verdict == "not feasible"
    assert alone.advice


class StopError(Exception):
    pass


@pytest.mark.parametrize("n_rounds", range(1, 7))
def test_interrupted_anywhere_it_goes_on_from_the_rounds_it_gave(n_rounds):
    table, targets = make_table(), Targets(public("0.1"), 1.0, 0.1)
    candidates = Candidates(QUICK, (0.0, 0.1))
    whole = search(PLAN, table, targets, candidates)
    heard: list[Round] = []

    def stopping(found):
        heard.append(found)
        if len(heard) == n_rounds:
            raise StopError

    with pytest.raises(StopError):
        search(PLAN, table, targets, candidates, on_round=stopping)
    before = list(heard)
    outcome = search(PLAN, table, targets, candidates, known=before, on_round=heard.append)
    again = [one for one in heard[n_rounds:] if not one.chosen]
    assert not {(one.k, one.algorithm, one.max_suppression) for one in again} & {
        (one.k, one.algorithm, one.max_suppression) for one in before
    }
    timeless = [replace(one, seconds=None) for one in whole.rounds]
    assert [replace(one, seconds=None) for one in outcome.rounds] == timeless
    assert outcome.release.rows.equals(whole.release.rows)


def test_known_rounds_of_a_finished_loop_leave_only_the_release_to_make():
    table, targets = make_table(), Targets(public("0.1"), 1.0, 0.0)
    whole = search(PLAN, table, targets, Candidates(QUICK))
    heard = []
    known = [replace(one, chosen=True) for one in whole.rounds]
    outcome = search(PLAN, table, targets, Candidates(QUICK), known=known, on_round=heard.append)
    assert [one.chosen for one in heard] == [True]
    assert sum(one.chosen for one in outcome.rounds) == 1
    assert len(outcome.rounds) == len(whole.rounds)


def test_ctrl_c_ends_the_loop_even_where_a_search_would_hand_over_its_best():
    heard = []
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    targets = Targets(public("0.2"), 1.0, 0.0)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            search(PLAN, make_table(), targets, Candidates((cl.Weave(time_limit=60),)), on_round=heard.append)
    finally:
        timer.cancel()
    assert heard == []


class Shown:
    def __init__(self):
        self.stages, self.shares = [], []

    def stage(self, name):
        self.stages.append(name)

    def advance(self, share):
        self.shares.append(share)

    def found(self, loss):
        pass


def test_each_round_is_one_stage_of_the_progress():
    shown = Shown()
    search(PLAN, make_table(), Targets(public("0.2"), 1.0, 0.1), Candidates(QUICK[:1], (0.0, 0.1)), progress=shown)
    assert shown.stages[:4] == [
        "Round 1: k = 3, mondrian",
        "Round 2: k = 5, mondrian",
        "Round 3: k = 5, mondrian, 10 %",
        shown.stages[3],
    ]
    assert shown.stages[3].startswith("Round 4: k = 10, mondrian")
    assert shown.stages[4].startswith("Release: k = 5, mondrian")
    assert len(shown.stages) == 5


def test_searches_of_one_name_are_told_apart_by_their_options():
    both = (cl.Weave(passes=1), cl.Weave(passes=2))
    outcome = search(PLAN, make_table(), Targets(public("0.2"), 1.0, 0.0), Candidates(both))
    assert {one.algorithm for one in outcome.rounds if one.k == 5} == {"weave (passes 1)", "weave (passes 2)"}
    assert Trial(5, cl.Weave(), 0.0).key == (5, "weave", 0.0)


def test_new_pseudonyms_enter_the_vault_only_with_the_release(tmp_path):
    vault = Vault.create(tmp_path / "people.vault", bytes(range(32)))
    plan = replace(PLAN, masks=[cl.Pseudonymise("who", vault=vault)])
    heard = []
    outcome = search(
        plan,
        make_table(subject="who"),
        Targets(public("0.2"), 1.0, 0.0),
        Candidates(QUICK[:1]),
        on_round=lambda found: heard.append((found.chosen, vault.summary()["n_identities"])),
    )
    n_people = outcome.release.masked.given.frame["who"].n_unique()
    assert heard == [(False, 0)] * 3 + [(True, n_people)]
    outcome.release.write(tmp_path / "release")


@pytest.mark.parametrize(
    ("make", "about"),
    [
        (lambda: Targets("0.1", 0.5, 0.0), "situation"),
        (lambda: Targets(public(), 1.5, 0.0), "max_loss"),
        (lambda: Targets(public(), True, 0.0), "max_loss"),
        (lambda: Targets(public(), 0.5, -0.1), "max_suppression"),
        (lambda: Candidates(()), "algorithms"),
        (lambda: Candidates((cl.Weave,)), "algorithms"),
        (lambda: Candidates(cl.Weave()), "algorithms"),
        (lambda: Candidates(suppressions=()), "max_suppression"),
        (lambda: Candidates(suppressions=0.1), "max_suppression"),
        (lambda: Candidates(suppressions=(0.1, 2)), "max_suppression"),
        (lambda: Candidates(k=1), "k"),
        (lambda: Candidates(k=2.5), "k"),
    ],
)
def test_wrong_options_are_refused_by_name(make, about):
    with pytest.raises(cl.OptionError) as caught:
        make()
    assert caught.value.about == about


def test_wrong_things_are_refused():
    with pytest.raises(cl.InputError, match="Plan and a Table"):
        search(PLAN, pl.DataFrame({"age": [1]}), Targets(public(), 1.0, 0.0), Candidates())


def test_a_column_without_a_role_is_an_error_and_no_round():
    frame = pl.DataFrame({"age": [1, 2, 3], "name": ["a", "b", "c"]})
    heard = []
    with pytest.raises(cl.InputError):
        search(
            PLAN,
            cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"})),
            Targets(public("0.5"), 1.0, 0.0),
            Candidates(QUICK),
            on_round=heard.append,
        )
    assert heard == []
