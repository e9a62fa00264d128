"""The state machine against a plain model of it: signing, un-signing, editing and running in any order."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from celosia.apps.dossier.case import STEPS, Round
from celosia.apps.project import Project
from celosia.apps.project.judging import fingerprint
from celosia.base.errors import InputError

EDITS = {
    1: ("fixed_number: true", "fixed_number: false"),
    2: ("why: talked over", "why: thought over"),
    3: ("sensitive: [ill]", "sensitive: [ill]\n      missing: [x]"),
    4: ("zip: place", "zip: planning"),
    5: ("models: []", "models: []\n    range_style: dash"),
    6: ("accepted: []", "accepted: [{finding: GONE, by: Ana, reason: y}]"),
    7: ("better care", "good care"),
    8: ("technical: none", "technical: lock"),
}
"""A change to each step that leaves it complete."""
MOVES_THE_LOOP = frozenset({3, 5})
"""The steps whose change makes the figures of the loop those of something else."""
STEP = st.integers(1, 8)


class Walk(RuleBasedStateMachine):
    """What the file says is compared with what a plain model expects after every action."""

    people = text = ""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        (self.folder / "people.csv").write_text(self.people)
        (self.folder / "project.yaml").write_text(self.text)
        self.project = Project.load(self.folder / "project.yaml")
        self.signed: dict[int, bool] = {}  # whether it was edited when it was signed
        self.edited: set[int] = set()
        self.measured: frozenset[int] | None = None
        for step in (1, 2, 3):  # the third has looked at the input then
            self.project.sign(step, by="Ana", role="DPO")
        self.project.unsign(1, by="Ana", reason="x")
        self.n_events = 6

    def teardown(self):
        shutil.rmtree(self.folder)

    def is_changed(self, step):
        return step in self.signed and self.signed[step] != (step in self.edited)

    def can_sign(self, step):
        is_measured = self.measured == self.edited & MOVES_THE_LOOP
        return (
            not any(map(self.is_changed, range(1, 9)))
            and set(range(1, step)) == set(self.signed)
            and (step != 6 or is_measured)
            and (step != 7 or self.measured is not None)
        )

    @rule(step=STEP)
    def sign(self, step):
        if self.can_sign(step):
            self.project.sign(step, by="Ana", role="DPO")
            self.signed[step] = step in self.edited
            self.n_events += 1
        else:
            before = self.people_part()
            with pytest.raises(InputError):
                self.project.sign(step, by="Ana", role="DPO")
            assert self.people_part() == before

    @rule()
    def sign_the_next(self):
        self.sign(min(len(self.signed) + 1, 8))

    @rule(step=STEP)
    def unsign(self, step):
        if step not in self.signed:
            with pytest.raises(InputError, match="is not signed"):
                self.project.unsign(step, by="Eva", reason="x")
            return
        self.project.unsign(step, by="Eva", reason="x")
        self.n_events += sum(one >= step for one in self.signed)
        self.signed = {one: own for one, own in self.signed.items() if one < step}

    @rule(step=STEP)
    def edit(self, step):
        file = self.folder / "project.yaml"
        old, new = EDITS[step] if step not in self.edited else EDITS[step][::-1]
        people, mark, record = file.read_text().partition("\nrecord:\n")
        assert people.count(old) == 1
        file.write_text(people.replace(old, new) + mark + record)
        self.edited ^= {step}

    @rule()
    def run(self):
        """Let the loop end, without the loop: what it does is the subject of other tests."""
        is_ready = {1, 2, 3, 4} <= set(self.signed) and not any(map(self.is_changed, range(1, 9)))
        if not is_ready:
            with pytest.raises(InputError):
                self.project.run()
            return
        if 6 in self.signed:
            return
        desk = self.project._desk
        with desk.changing():
            record = replace(
                desk.record,
                rounds=(Round(3, "weave", 0.0, "accepted", gcp=0.1),),
                rounds_of=fingerprint(desk.answers, desk.input_hash),
                outcome="feasible",
            )
            desk.save(record.with_evidence("risk", {"holds": True}).with_evidence("evaluation", {"gcp": 0.1}))
        self.measured = frozenset(self.edited & MOVES_THE_LOOP)

    def people_part(self):
        return (self.folder / "project.yaml").read_text().partition("\nrecord:\n")[0]

    @invariant()
    def agrees(self):
        found = self.project.status()
        assert found["intact"]
        expected = []
        for step in range(1, 9):
            if step in self.signed:
                expected.append("changed" if self.is_changed(step) else "signed")
            elif any(one != "signed" for one in expected):
                expected.append("waiting")
            elif step == 6:
                expected.append("ready" if self.measured == self.edited & MOVES_THE_LOOP else "open")
            elif step == 7:
                expected.append("ready" if self.measured is not None else "open")
            else:
                expected.append("ready")
        assert [step["state"] for step in found["steps"]] == expected
        assert len(found["history"]) == self.n_events
        assert {step["number"] for step in found["steps"] if step["signed"]} == set(self.signed)
        assert self.people_part().startswith("# Ours: a comment of people")
        assert found["next"]["what"]
        assert all(step["name"] == STEPS[step["number"] - 1] for step in found["steps"])


@pytest.mark.parametrize("n_walks", [5, pytest.param(60, marks=pytest.mark.slow)])
def test_any_walk_agrees_with_the_model(folder, written, monkeypatch, n_walks):
    import celosia.apps.project.project as project

    monkeypatch.setattr(project, "release_stands", lambda desk: True)
    monkeypatch.setattr(Walk, "people", (folder / "people.csv").read_text())
    monkeypatch.setattr(Walk, "text", (folder / "project.yaml").read_text())
    chosen = settings(
        max_examples=n_walks,
        stateful_step_count=20,
        deadline=None,
        derandomize=n_walks == 5,
        phases=[Phase.explicit, Phase.generate],  # to make a failing walk shorter takes minutes
    )
    run_state_machine_as_test(Walk, settings=chosen)
