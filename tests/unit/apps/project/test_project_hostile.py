"""What somebody in a hurry, or with an interest, might do to a project: each of it shows."""

from __future__ import annotations

import datetime
import json

import pytest

from celosia.apps.project.record import plain
from celosia.base.errors import InputError, PlanError

TREE = "28001;28***;*\n28002;28***;*\n08001;08***;*\n"


def state(project, step):
    return project.status()["steps"][step - 1]["state"]


def released(project, sign, last=5):
    sign(4)
    assert project.run() == "feasible"
    sign(last, first=5)


@pytest.fixture
def with_tree(edit, folder):
    (folder / "zip.csv").write_text(TREE)
    edit("zip: category", "zip: {tree: zip.csv}")


def test_a_hierarchy_file_changed_after_signing_shows(with_tree, project, sign, folder):
    sign(4)
    assert state(project, 3) == "signed"
    (folder / "zip.csv").write_text(TREE.replace("08***", "28***"))
    assert state(project, 3) == "changed"
    with pytest.raises(InputError, match="step 3"):
        project.run()
    (folder / "zip.csv").write_text(TREE)
    assert state(project, 3) == "signed"


def test_a_hierarchy_file_that_is_gone_shows(with_tree, project, sign, folder):
    sign(3)
    (folder / "zip.csv").unlink()
    assert state(project, 3) == "changed"


def test_a_file_of_a_mask_changed_after_signing_shows(project, sign, edit, folder):
    (folder / "ills.csv").write_text("old,new\nflu,fever\ncold,other\n")
    edit("    masks: []", "    masks:\n      - generalise: {column: ill, mapping: ills.csv}")
    sign(5)
    assert state(project, 5) == "signed"
    (folder / "ills.csv").write_text("old,new\nflu,other\ncold,fever\n")
    assert state(project, 5) == "changed"
    with pytest.raises(InputError, match="step 5"):
        project.run()


@pytest.mark.parametrize("step", [6, 7, 8])
def test_a_changed_release_is_noticed_by_whoever_signs(project, sign, folder, step):
    released(project, sign, last=step - 1)
    data = folder / "release" / "data.csv"
    original = data.read_bytes()
    data.write_bytes(original.replace(b"flu", b"flux", 1))
    (folder / "release" / "data.bak").write_bytes(original)  # a copy of the true one must not stand in for it
    with pytest.raises(InputError, match="not in the output folder as it was made"):
        sign(step, first=step)
    assert project.status()["release"] == "not as it was made"
    assert "not in the output folder" in project.next().what[0]
    data.write_bytes(original)
    (folder / "release" / "data.bak").unlink()
    assert project.status()["release"] == "as it was made"
    sign(step, first=step)


def test_a_removed_release_is_noticed_even_when_all_is_signed(project, sign, folder):
    released(project, sign, last=8)
    (folder / "release" / "data.csv").unlink()
    assert project.status()["release"] == "not as it was made"
    assert project.next().command.startswith("celosia project unsign risk")


@pytest.mark.parametrize("name", ["claim.json", "internal/record.json", "internal/report.html"])
def test_what_goes_with_the_data_is_noticed_too(project, sign, folder, name):
    released(project, sign)
    file = folder / "release" / name
    file.write_bytes(file.read_bytes() + b" ")
    with pytest.raises(InputError, match="as it was made"):
        sign(6, first=6)


def test_a_greater_k_asked_for_after_the_run_is_not_signed_as_if_it_had_been_reached(project, sign, edit, folder):
    sign(4)
    project.run()
    before = (folder / "release" / "data.csv").read_bytes()
    edit("k: null", "k: 12")
    sign(5, first=5)
    with pytest.raises(InputError, match="run it again"):
        project.sign("risk", by="Ana Ruiz", role="DPO")
    assert project.case().outcome is None
    assert project.run() == "feasible"
    assert (folder / "release" / "data.csv").read_bytes() != before
    assert min(one.smallest for one in project.case().rounds if one.chosen) >= 12


def test_another_format_asked_for_after_the_run_is_written(project, sign, edit, folder):
    sign(4)
    project.run()
    edit("format: csv", "format: parquet")
    assert project.run() == "feasible"
    assert [file.name for file in (folder / "release").glob("data.*")] == ["data.parquet"]


def test_targets_moved_twice_are_answered_for_twice(project, sign, edit):
    sign(4)
    project.run()
    for new in ("0.2", "0.15"):
        project.unsign("targets", by="Ana Ruiz", reason="too strict")
        edit("threshold: 0.1 " if new == "0.2" else "threshold: 0.2 ", f"threshold: {new} ")
        [warning] = project.status()["steps"][1]["open"]
        assert warning["code"] == "TARGETS_MOVED"
        with pytest.raises(InputError, match="TARGETS_MOVED"):
            project.sign("targets", by="Ana Ruiz", role="DPO")
        project.accept("TARGETS_MOVED", by="Ana Ruiz", reason="the contract")
        for step in (2, 3, 4):
            project.sign(step, by="Ana Ruiz", role="DPO")
        project.run()
    told = [event.what for event in project.case().history]
    assert told.count("accepted") == 2


def test_an_acceptance_written_by_hand_is_of_what_was_signed_alone(project, sign, edit):
    sign(4)
    project.run()
    project.unsign("targets", by="Ana Ruiz", reason="too strict")
    edit("threshold: 0.1 ", "threshold: 0.2 ")
    edit("    why: talked over", "    why: talked over\n    accepted: [{finding: TARGETS_MOVED, by: Eva, reason: so}]")
    sign(4, first=2)
    assert [event.by for event in project.case().history if event.what == "accepted"] == ["Eva"]
    project.run()
    project.unsign("targets", by="Ana Ruiz", reason="too strict")
    edit("threshold: 0.2 ", "threshold: 0.15 ")
    assert [one["code"] for one in project.status()["steps"][1]["open"]] == ["TARGETS_MOVED"]


def test_documents_of_other_targets_are_taken_away(project, sign, edit, folder):
    released(project, sign, last=6)
    statement = folder / "release" / "statement.en.html"
    statement.write_text("x")
    edit("threshold: 0.1 ", "threshold: 0.09 ")
    project.unsign("targets", by="Ana Ruiz", reason="stricter")
    assert not statement.exists()
    assert not list((folder / "release" / "internal").glob("dossier.*"))
    assert project.case().outcome is None
    assert not project.status()["is_current"]


def test_keys_that_fall_together_are_refused():
    with pytest.raises(PlanError, match="twice"):
        plain({1: "a", "1": "b"})


def test_the_record_of_a_run_names_no_file_beside_it(with_tree, project, sign, folder):
    released(project, sign)
    record = (folder / "project.yaml").read_text().split("\nrecord:", 1)[1]
    assert "zip.csv" not in record
    assert str(datetime.date.today().year) in record
    json.dumps(project.status())


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("threshold: 0.1 ", "threshold: 1 ", "THRESHOLD_LENIENT"),
        ("threshold: 0.1 ", "threshold: 0.2001 ", "THRESHOLD_LENIENT"),
        ("threshold: 0.1 ", "harm: low\n      thresholds: {low: 0.5} ", "THRESHOLD_LENIENT"),
        ("threshold: 0.1 ", "threshold: 0.2\n      floor: 2 ", "FLOOR_LOWERED"),
        ("threshold: 0.1 ", "threshold: 0.2 ", None),
    ],
)
def test_targets_that_ask_for_little_are_answered_for(project, sign, edit, old, new, code):
    sign(1)
    edit(old, new)
    assert [one["code"] for one in project.status()["steps"][1]["open"]] == ([] if code is None else [code])
    if code is not None:
        with pytest.raises(InputError, match=code):
            project.sign("targets", by="Ana Ruiz", role="DPO")
        project.accept(code, by="Ana Ruiz", reason="no harm could come of it")
    project.sign("targets", by="Ana Ruiz", role="DPO")
