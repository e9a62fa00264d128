"""A project walked from its first step to its last: evidence, warnings, signatures, what comes next."""

from __future__ import annotations

import datetime
import json
import secrets

import pytest

from celosia.apps.dossier.case import STEPS
from celosia.apps.project import Project
from celosia.base.errors import CelosiaError, InputError, OptionError, PlanError


def states(project):
    return [step["state"] for step in project.status()["steps"]]


def fresh(project):
    return Project.load(project.path)


def test_the_eight_steps_in_their_order(project, sign, folder, written):
    assert states(project) == ["ready", *["waiting"] * 7]
    sign(4)
    assert states(project) == [*["signed"] * 4, "ready", *["waiting"] * 3]
    assert project.next().command == "celosia project run"
    assert project.run() == "feasible"
    sign(8, first=5)
    assert states(project) == ["signed"] * 8
    assert states(fresh(project)) == ["signed"] * 8
    assert "nothing to do" in project.next().what[0]
    assert (folder / "release" / "data.csv").exists()
    assert [what for what, _ in written] == ["written", *["assembled"] * 5]
    assert written[-1] == ("assembled", "signed")
    case = project.case()
    assert (case.outcome, case.step("risk").signature.by, case.covers) == ("feasible", "Ana Ruiz", "data and controls")
    assert sum(one.chosen for one in case.rounds) == 1
    told = [event.what for event in case.history]
    assert told.count("signed") == 8
    assert told.index("run") < told.index("released")


def test_what_the_evidence_holds_and_does_not(project, sign, folder):
    import hashlib

    sign(4)
    project.run()
    sign(8, first=5)
    evidence = {step.name: step.evidence for step in project.case().steps}
    hashed = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("people.csv", "release/data.csv")
    }
    assert evidence["attributes"]["input"]["sha256"] == hashed["people.csv"] == evidence["risk"]["input"]["sha256"]
    assert evidence["risk"]["output"]["sha256"] == hashed["release/data.csv"]
    assert evidence["risk"]["risk_before"] == 0.25  # P(attempt) of medium and medium, and somebody stands alone
    assert evidence["risk"]["risk_after"] <= 0.1
    assert evidence["risk"]["holds"] is evidence["risk"]["audit"]["holds"] is True
    assert set(evidence["risk"]["audit"]["checks"].values()) == {"passed"}
    assert evidence["evaluation"]["gcp"] <= 0.9
    assert evidence["anonymisation"]["published"] == ["age", "zip", "sex", "ill"]
    record = (folder / "project.yaml").read_text().split("\nrecord:", 1)[1]
    for hidden in ("28001", "08001", "flu", str(folder), "/people.csv", "seed"):
        assert hidden not in record


def test_signing_touches_nothing_but_the_record(project, sign, folder):
    before = (folder / "project.yaml").read_text()
    sign(3)
    after = (folder / "project.yaml").read_text()
    assert after.startswith(before + "record:\n")


def test_accepting_adds_one_line_and_nothing_else(project, sign, folder):
    sign(4)
    project.run()
    sign(5, first=5)
    [warning, *_] = project.status()["steps"][5]["open"]
    before = (folder / "project.yaml").read_text().split("\nrecord:\n")[0].split("\n")
    project.accept(warning["code"], column=warning["column"], by="Ana: 'DPO'", reason='no "secret" # here')
    after = (folder / "project.yaml").read_text().split("\nrecord:\n")[0].split("\n")
    place = next(at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)
    assert before[place] == "    accepted: []   # nobody yet"
    assert after[place] == "    accepted:   # nobody yet"
    assert after[place + 2 :] == before[place + 1 :]
    accepted = project.case().step("risk").accepted[0]
    assert (accepted.by, accepted.reason) == ("Ana: 'DPO'", 'no "secret" # here')
    assert warning["code"] not in [one["code"] for one in project.status()["steps"][5]["open"]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  risk:\n    accepted: []   # nobody yet\n", "  risk:\n"),
        ("  risk:\n    accepted: []   # nobody yet\n", "  risk: {}  # nothing\n"),
        ("  risk:\n    accepted: []   # nobody yet\n", "  risk:  # empty\n"),
        ("    accepted: []   # nobody yet\n", "    accepted:\n"),
        ("    accepted: []   # nobody yet\n", "    accepted:\n    - {finding: OLD, by: Ana, reason: why}  # kept\n"),
        (
            "    accepted: []   # nobody yet\n",
            "    accepted:\n      - finding: OLD\n        by: Ana\n        reason: why\n",
        ),
    ],
)
def test_accepting_in_files_of_any_style(project, sign, edit, folder, old, new):
    edit(old, new)
    sign(4)
    project.run()
    sign(6, first=5)
    text = (folder / "project.yaml").read_text()
    assert "# A last comment of people." in text
    assert states(project)[5] == "signed"
    assert len(project.case().step("risk").accepted) >= 1
    assert ("OLD" in new) == ("OLD" in text)


def test_accepting_where_no_line_fits_tells_what_to_write(project, sign, edit):
    edit("  risk:\n    accepted: []   # nobody yet\n", "  risk: {accepted: []}\n")
    sign(4)
    project.run()
    sign(5, first=5)
    [warning, *_] = project.status()["steps"][5]["open"]
    with pytest.raises(InputError, match=f"- {{finding: {warning['code']}"):
        project.accept(warning["code"], column=warning["column"], by="Ana", reason="x")


def test_open_warnings_hold_up_a_signature(project, sign):
    sign(4)
    project.run()
    sign(5, first=5)
    opened = project.status()["steps"][5]["open"]
    assert opened
    assert states(project)[5] == "open"
    assert "accept" in project.next().command
    with pytest.raises(InputError, match=opened[0]["code"]):
        project.sign("risk", by="Ana", role="DPO")
    with pytest.raises(InputError, match="no warning NO_SUCH is open"):
        project.accept("NO_SUCH", by="Ana", reason="x")
    with pytest.raises(InputError, match="no warning"):
        project.accept(opened[0]["code"], column="other", by="Ana", reason="x")


def test_what_nobody_can_accept(project, sign, monkeypatch):
    from celosia.apps.project import judging
    from celosia.apps.project.steps import Risk
    from celosia.base.findings import Finding

    for code in ("RISK_ABOVE_THRESHOLD", "K_BELOW_FLOOR"):
        assert code in judging.BLOCKING
        monkeypatch.setattr(Risk, "findings", lambda self, seen, code=code: [Finding(code, "warning", "Too much.")])
        if states(project)[4] != "signed":
            sign(4)
            project.run()
            sign(5, first=5)
        with pytest.raises(InputError, match="cannot be accepted"):
            project.accept(code, by="Ana", reason="x")
        text = project.path.read_text()
        accepted = f"accepted: [{{finding: {code}, by: Ana, reason: x}}]   # nobody yet"
        project.path.write_text(text.replace("accepted: []   # nobody yet", accepted))
        with pytest.raises(InputError, match="nobody can accept that"):
            project.sign("risk", by="Ana", role="DPO")
        assert "Nobody can accept that" in " ".join(fresh(project).next().what)
        project.path.write_text(text)


def test_a_step_waits_for_those_before_it(project):
    for step in STEPS[1:]:
        with pytest.raises(InputError, match="step 1 \\(release_model\\) is not signed"):
            project.sign(step, by="Ana", role="DPO")
    with pytest.raises(InputError, match="step 1 \\(release_model\\) is not signed"):
        project.run()
    project.sign(1, by="Ana", role="DPO")
    with pytest.raises(InputError, match="is signed by Ana already"):
        project.sign("1", by="Eva", role="DPO")
    with pytest.raises(InputError, match="step 2 \\(targets\\) is not signed: what is wanted is fixed before"):
        project.run()


@pytest.mark.parametrize(("by", "role"), [("", "DPO"), ("  ", "DPO"), ("Ana", ""), ("Ana", " ")])
def test_nobody_signs_without_a_name_and_a_function(project, by, role):
    with pytest.raises(OptionError, match="must be the"):
        project.sign(1, by=by, role=role)
    assert states(project)[0] == "ready"


@pytest.mark.parametrize("step", ["target", "0", "9", "", 0, -1, "1.5"])
def test_a_step_that_is_none(project, step):
    with pytest.raises(OptionError, match="there is no step"):
        project.sign(step, by="Ana", role="DPO")


CHANGES = {
    "release_model": ("[Instituto de Estadística]", "[Instituto de Estadística, Banco]"),
    "targets": ("threshold: 0.1", "threshold: 0.2"),
    "attributes": ("zip: category", "zip: {prefix: {keep: [3]}}"),
    "purposes": ("zip: place", "zip: marketing"),
    "anonymisation": ("masks: []", "masks: [{round: {column: age, to: 5}}]"),
    "risk": ("accepted:   # nobody yet", "accepted:   # nobody yet\n      - {finding: X, by: Eva, reason: y}"),
    "evaluation": ("better care", "more money"),
    "documentation": ("technical: none", "technical: encryption"),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_signed_step_changed_by_hand_is_noticed_and_nothing_goes_on(project, sign, edit, name):
    sign(4)
    project.run()
    sign(8, first=5)
    edit(*CHANGES[name])
    changed = fresh(project)
    assert states(changed)[STEPS.index(name)] == "changed"
    assert changed.next().command.startswith(f"celosia project unsign {name}")
    for action in (
        lambda: changed.run(),
        lambda: changed.sign("documentation", by="Eva", role="x"),
        lambda: changed.accept("ANY", by="Eva", reason="x"),
    ):
        with pytest.raises(InputError, match="since Ana Ruiz signed it"):
            action()
    changed.unsign(name, by="Eva Gil", reason="a mistake")
    place = STEPS.index(name)
    assert states(changed)[:place] == ["signed"] * place
    assert "signed" not in states(changed)[place:]
    fallen = [(event.step, event.by, event.why) for event in changed.case().history if event.what == "unsigned"]
    assert fallen[0] == (name, "Eva Gil", "a mistake")
    assert [step for step, _, _ in fallen] == list(STEPS[place:])
    assert all(f"step {place + 1} ({name})" in why for _, _, why in fallen[1:])


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ('"People: a study"', "Animals", "release_model"),
        ("dpo@example.org", "me@example.org", "release_model"),
        ("input: people.csv", "input: {path: people.csv, delimiter: ','}", "attributes"),
        ("format: csv", "format: parquet", "anonymisation"),
        ("gcp: 0.", "gcp: 0.0", "evaluation"),
    ],
)
def test_what_is_signed_with_a_step(project, sign, edit, old, new, name):
    sign(4)
    project.run()
    sign(8, first=5)
    edit(old, new)
    changed = fresh(project)
    if name == "evaluation":  # a figure of the record: the seal tells, and the signature as well
        assert not changed.status()["intact"]
    assert states(changed)[STEPS.index(name)] == "changed"
    edit(new, old)
    assert states(fresh(project)) == ["signed"] * 8


def test_comments_quotes_and_the_order_of_keys_are_not_signed(project, sign, edit):
    sign(2)
    edit("threshold: 0.1   # agreed on Monday\n", "threshold: 0.1  # agreed on Tuesday\n")
    edit("    why: talked over\n", "")
    edit("  targets:\n", "  targets:\n    why: 'talked over'\n")
    assert states(fresh(project))[1] == "signed"


def test_another_input_is_noticed(project, sign, folder):
    data = (folder / "people.csv").read_text()
    (folder / "people.csv").write_text(data + "99999,33,28001,M,flu\n")
    project = fresh(project)
    sign(2)
    project.sign(3, by="Ana", role="DPO")  # looks at it by itself
    assert project.case().step("attributes").evidence["input"]["n_rows"] == 49
    (folder / "people.csv").write_text(data)
    changed = fresh(project)
    assert states(changed)[2] == "changed"
    assert changed.status()["input"] == "another one"
    assert "The input is another one" in changed.next().what[0]
    for action in (lambda: changed.run(), lambda: changed.sign(4, by="Ana", role="DPO")):
        with pytest.raises(InputError, match="the input is another one since Ana signed it"):
            action()
    changed.unsign(3, by="Ana", reason="new data")
    changed.sign(3, by="Ana", role="DPO")
    assert states(changed)[2] == "signed"


def test_an_input_that_was_deleted_changes_nothing(project, sign, folder):
    sign(4)
    project.run()
    sign(8, first=5)
    (folder / "people.csv").unlink()
    assert states(fresh(project)) == ["signed"] * 8
    assert fresh(project).status()["input"] == "not there"


def test_targets_that_were_moved_after_a_result(project, sign, edit):
    sign(4)
    project.run()
    project.unsign("targets", by="Ana", reason="too strict")
    sign(4, first=2)  # the same targets: nothing to say
    project.unsign("targets", by="Ana", reason="too strict")
    edit("threshold: 0.1", "threshold: 0.2")
    with pytest.raises(InputError, match="TARGETS_MOVED"):
        project.sign("targets", by="Ana", role="DPO")
    project.accept("TARGETS_MOVED", by="Ana", reason="the contract was signed meanwhile")
    project.sign("targets", by="Ana", role="DPO")
    assert project.case().step("targets").accepted[0].reason == "the contract was signed meanwhile"


def test_roles_that_differ_from_what_cells_suggest(project, sign, edit):
    edit("identifiers: [id]\n", "insensitive: [id]\n")
    edit("age: trends", "id: to link, age: trends")
    edit("sensitive: [ill]", "sensitive: [ill, sex]")
    edit(", sex: category}", "}")
    sign(2)
    with pytest.raises(InputError, match="LOOKS_LIKE_IDENTIFIER: 'id' looks like an identifier"):
        project.sign(3, by="Ana", role="DPO")
    notes = {(one["code"], one["column"]) for one in project.status()["steps"][2]["notes"]}
    assert ("ROLE_DIFFERS", "sex") in notes
    project.accept("LOOKS_LIKE_IDENTIFIER", by="Ana", reason="numbers of the study, drawn for it")
    project.sign(3, by="Ana", role="DPO")
    step = project.case().step("attributes")
    assert step.evidence["differs"]["id"] == "identifier"
    assert "reasons" in step.evidence["columns"]["age"]
    assert step.accepted[0].column == "id"


@pytest.mark.parametrize(
    ("old", "new", "step", "said"),
    [
        ("recipients: [Instituto de Estadística]", "recipients: []", 1, "Name the recipients"),
        ("    fixed_number: true\n", "", 1, "whether the list of recipients is fixed"),
        ("    kind: non_public\n", "", 1, "Say who gets the release"),
        ("controller: 'Universidad de Ejemplo'", "controller: ", 1, "who answers for them.*'controller'"),
        ("    covers: data and controls\n", "", 2, "Say what the threshold covers"),
        ("threshold: 0.1", "threshold: ", 2, "'threshold or harm'"),
        ("{controls: medium, motivation: medium}", "{controls: medium, motivation: }", 2, "'insider.motivation'"),
        ("      insider: {controls: medium, motivation: medium}\n", "", 2, "insider, acquaintance or breach"),
        ("max_loss: 0.9, ", "", 2, "'max_loss'"),
        ("      sensitive: [ill]\n", "", 3, "needs a role: 'ill'"),
        ("sensitive: [ill]", "sensitive: [ill, hair]", 3, "does not have: 'hair'"),
        ("zip: place, ", "", 4, "dropped for a reason: 'zip'"),
        ("zip: place", "zip: ", 4, "needs a purpose: 'zip'"),
        ("drop: {}", "drop: {hair: x}", 4, "input does not have: 'hair'"),
        ("zip: place, sex: equality", "sex: equality", 4, "'zip'"),
        ("output: {path: release/, format: csv}\n", "", 5, "names no output"),
        ("balance: small classes are gone", "balance: ...", 7, "'balance'"),
        ("technical: none", "technical: ''", 8, "'technical'"),
        ("triggers: [new recipient, new release]", "triggers: []", 8, "Name what calls for a review"),
        (f"review: {datetime.date.today() + datetime.timedelta(days=300)}", "review: ", 8, "Set the date"),
        (f"review: {datetime.date.today() + datetime.timedelta(days=300)}", "review: 2020-01-31", 8, "in the future"),
    ],
)
def test_what_lacks_is_said_and_holds_up_the_step(project, sign, edit, old, new, step, said):
    if step > 5:
        sign(4)
        project.run()
        sign(step - 1, first=5)
    elif step == 5:
        sign(4)
    edit(old, new)
    if step < 5:
        sign(step - 1)
    with pytest.raises(InputError, match=said):
        project.sign(step, by="Ana", role="DPO")
    assert states(fresh(project))[step - 1] == "open"
    if step == 5:
        with pytest.raises(InputError, match=said):
            project.run()


def test_a_review_far_ahead_must_be_answered_for_and_one_that_passed_shows(project, sign, edit, monkeypatch):
    from celosia.apps.project import judging

    today = datetime.date.today()
    edit(f"review: {today + datetime.timedelta(days=300)}", f"review: {today.year + 4}-12-31")
    sign(4)
    project.run()
    sign(7, first=5)
    with pytest.raises(InputError, match="REVIEW_FAR_AHEAD"):
        project.sign(8, by="Ana", role="DPO")
    sign(8, first=8)
    assert project.status()["review"]["has_passed"] is False
    monkeypatch.setattr(judging, "_today", lambda: datetime.date(today.year + 5, 1, 1))
    later = fresh(project)
    assert later.status()["review"] == {"date": f"{today.year + 4}-12-31", "days": -1, "has_passed": True}
    assert "has come" in later.next().what[0]
    assert states(later) == ["signed"] * 8


def test_a_public_release_needs_no_controls(project, sign, edit):
    edit("kind: non_public\n    recipients: [Instituto de Estadística]\n    fixed_number: true\n", "kind: public\n")
    edit("covers: data and controls", "covers: data")
    edit("      insider: {controls: medium, motivation: medium}\n", "")
    edit(
        "    controls: {organisational: training, contractual: no re-identification, technical: none}\n",
        "",
    )
    sign(4)
    assert project.run() == "feasible"
    sign(8, first=5)
    case = project.case()
    assert (case.is_public, case.situation.attempt, case.covers) == (True, 1, "data")
    assert case.step("risk").evidence["risk_before"] == 1.0


def test_a_threshold_for_the_data_alone_takes_an_attempt_as_certain(project, edit):
    edit("covers: data and controls", "covers: data")
    edit("      insider: {controls: medium, motivation: medium}\n", "")
    case = fresh(project).case()
    assert (case.is_public, case.situation.attempt, case.situation.minimal_k) == (False, 1, 10)
    assert "not public" in case.situation.assumptions[0]


def test_a_pseudonymised_release_is_called_so(project, sign, edit, monkeypatch):
    key = secrets.token_hex(32)
    monkeypatch.setenv("CELOSIA_KEY", key)
    edit("masks: []", "masks: [{pseudonymise: {column: id, key: {env: CELOSIA_KEY}}}]")
    sign(4)
    with pytest.raises(PlanError, match="'id' would be published, and step 4 gives no purpose"):
        project.run()
    with pytest.raises(PlanError, match="'id' would be published"):
        project.sign(5, by="Ana", role="DPO")
    project.unsign(4, by="Ana", reason="the code is needed")
    edit("keep: {age", "keep: {id: to link rounds of the study, age")
    sign(4, first=4)
    project.run()
    sign(6, first=5)
    evaluation = project.case().step("evaluation")
    assert evaluation.evidence["called"] == ["pseudonymised"]
    assert [finding.code for finding in evaluation.findings] == ["PSEUDONYMISED"]
    assert "must not be called anonymous" in evaluation.findings[0].message
    assert key not in project.path.read_text()


def test_a_kept_column_that_a_mask_removes_is_refused(project, sign, edit):
    edit("masks: []", "masks: [{drop: {column: zip}}]")
    sign(4)
    with pytest.raises(PlanError, match="keeps 'zip' for a purpose, but it would not be published"):
        project.sign(5, by="Ana", role="DPO")


def test_dropped_columns_are_not_published(project, sign, edit, folder):
    edit("zip: place, ", "")
    edit("drop: {}", "drop: {zip: not needed, id: an identifier}")
    sign(4)
    project.run()
    assert (folder / "release" / "data.csv").read_text().splitlines()[0] == "age,sex,ill"


def test_columns_that_masks_make_need_a_purpose(project, sign, edit, folder):
    edit(
        "masks: []", "masks: [{derive: {column: old, expression: 'age >= 40', role: quasi_identifier, kind: category}}]"
    )
    sign(4)
    with pytest.raises(PlanError, match="'old' would be published, and step 4 gives no purpose for it"):
        project.run()
    project.unsign(4, by="Ana", reason="a new column")
    edit("keep: {age", "keep: {old: pensions, age")
    sign(4, first=4)
    project.run()
    assert "old" in (folder / "release" / "data.csv").read_text().splitlines()[0]


def test_roles_that_do_not_fit_the_cells_are_told_with_their_line(project, sign, edit):
    edit("zip: category, sex: category", "zip: category, sex: number")
    sign(2)
    with pytest.raises(CelosiaError, match=r"project.yaml:25"):
        project.sign(3, by="Ana", role="DPO")


def test_unsigning_what_is_not_signed(project):
    with pytest.raises(InputError, match="is not signed"):
        project.unsign(1, by="Ana", reason="x")
    with pytest.raises(OptionError, match="'reason' must be"):
        project.unsign(1, by="Ana", reason=" ")


def test_status_is_plain_json(project, sign):
    sign(4)
    project.run()
    found = project.status()
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_no_text_claims_compliance(project, sign):
    import re
    from pathlib import Path

    import celosia.apps.project as room

    for file in Path(room.__file__).parent.rglob("*.py"):
        assert not re.search(r"complian|complies|GDPR|lawful|legal", file.read_text(), re.IGNORECASE), file.name
