"""The run: rounds kept as they come, releases made once, results that are no release, and changes meanwhile."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import celosia.apps.project.loop_rounds as loop_rounds
from celosia.apps.project import Project
from celosia.base.errors import AuditError, CelosiaError, InputError


@pytest.fixture
def measured(monkeypatch):
    """Count the rounds that are measured, and stop in the middle on demand."""
    import celosia.apps.project.loop as loop

    told: list[tuple[int, str, float]] = []
    limit = [99]
    real = loop.measured

    def counted(trial, *arguments):
        if len(told) >= limit[0]:
            raise KeyboardInterrupt
        found = real(trial, *arguments)
        told.append(trial.key)
        return found

    monkeypatch.setattr(loop, "measured", counted)
    assert loop_rounds.measured is real
    return told, limit


def test_rounds_are_not_measured_again(project, sign, edit, measured, folder):
    told, limit = measured
    edit(
        "algorithms: [mondrian], max_suppression: [0]",
        "algorithms: [mondrian, hilbert_order], max_suppression: [0, 0.1]",
    )
    sign(4)
    limit[0] = 2
    with pytest.raises(KeyboardInterrupt):
        project.run()
    kept = Project.load(project.path)
    assert len(kept.status()["rounds"]) == 2
    assert kept.status()["outcome"] is None
    limit[0] = 99
    assert kept.run() == "feasible"
    assert len(told) == len(set(told)) == len(kept.status()["rounds"])
    case = kept.case()
    assert [event.what for event in case.history].count("run") == 2
    assert all(isinstance(one.risk, Fraction) for one in case.rounds if one.risk is not None)


def test_more_to_try_keeps_what_was_measured_and_other_answers_do_not(project, sign, edit, measured):
    told, _ = measured
    sign(4)
    project.run()
    n_first = len(told)
    edit("algorithms: [mondrian]", "algorithms: [mondrian, hilbert_order]")
    (project.path.parent / "release").rename(project.path.parent / "away")
    project.run()
    assert len(told) > n_first
    assert len(told) == len(set(told))
    project.unsign(3, by="Ana", reason="x")
    edit("zip: category", "zip: {prefix: {keep: [3]}}")
    sign(4, first=3)
    project.run()
    assert len(told) > len(set(told))


def test_a_release_that_stands_is_not_made_again(project, sign, measured, folder, written):
    sign(4)
    project.run()
    data = (folder / "release" / "data.csv").read_bytes()
    n_told = len(measured[0])
    assert project.run() == "feasible"
    assert ((folder / "release" / "data.csv").read_bytes(), len(measured[0])) == (data, n_told)
    assert [what for what, _ in written] == ["written", "assembled", "assembled"]
    sign(6, first=5)
    assert project.run() == "feasible"
    (folder / "release" / "data.csv").write_bytes(data + b"\n")
    with pytest.raises(InputError, match=r"step 6 \(risk\) is signed.*not in its place as it was signed"):
        project.run()
    project.unsign("risk", by="Ana", reason="the file was touched")
    with pytest.raises(InputError, match="not in the output folder as it was made"):
        project.sign("risk", by="Ana", role="DPO")


def test_what_is_not_the_project_s_own_is_not_replaced(project, sign, folder, measured):
    sign(4)
    (folder / "release").mkdir()
    (folder / "release" / "thesis.txt").write_text("mine")
    with pytest.raises(CelosiaError):
        project.run(overwrite=True)
    with pytest.raises(CelosiaError, match="already exists"):
        project.run()
    assert measured[0] == []
    assert (folder / "release" / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize(("old", "new"), [("path: release/", "path: ."), ("path: release/", "path: ../")])
def test_an_output_that_would_replace_the_input_is_refused(project, sign, edit, old, new):
    edit(old, new)
    sign(4)
    with pytest.raises(CelosiaError):
        project.run()


def test_not_feasible_is_a_result(project, sign, edit, folder, written):
    edit("threshold: 0.1", "threshold: 0.001")
    sign(4)
    assert project.run() == "not feasible"
    assert not list((folder / "release").glob("data*"))
    assert not (folder / "release" / "claim.json").exists()
    found = project.status()
    assert found["outcome"] == "not feasible"
    assert found["rounds"][0]["verdict"] == "out of reach"
    assert found["steps"][5]["notes"]  # what would help
    assert project.run() == "not feasible"
    sign(8, first=5)
    assert project.case().outcome == "not feasible"
    assert written[-1][0] == "assembled"
    project.unsign("targets", by="Ana", reason="talked over again")
    edit("threshold: 0.001", "threshold: 0.1")
    sign(4, first=2)
    assert project.run() == "feasible"
    assert (folder / "release" / "data.csv").exists()
    assert sorted(path.name for path in folder.iterdir()) == ["people.csv", "project.yaml", "release"]
    project.unsign("targets", by="Ana", reason="back")
    edit("threshold: 0.1", "threshold: 0.001")
    sign(4, first=2)
    assert project.run() == "not feasible"
    assert not (folder / "release" / "data.csv").exists()


def test_a_folder_without_a_release_that_somebody_uses_is_not_cleared(project, sign, edit, folder):
    edit("threshold: 0.1", "threshold: 0.001")
    sign(4)
    project.run()
    (folder / "release" / "notes.txt").write_text("mine")
    project.unsign("targets", by="Ana", reason="talked over again")
    edit("threshold: 0.001", "threshold: 0.1")
    sign(4, first=2)
    with pytest.raises(InputError, match="not the project's; it is not replaced"):
        project.run()
    assert (folder / "release" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("threshold: 0.1", "threshold: 0.2", "step 2 \\(targets\\) has been changed since Ana Ruiz signed it"),
        (
            "masks: []",
            "masks: [{top_code: {column: age, at: 50}}]",
            "was changed while the loop ran; nothing was released",
        ),
    ],
)
def test_a_change_by_hand_while_the_loop_runs_stops_it(project, sign, edit, folder, monkeypatch, old, new, said):
    import celosia.apps.project.loop as loop

    real = loop.measured

    def edited(*arguments):
        if old in project.path.read_text():
            edit(old, new)
        return real(*arguments)

    monkeypatch.setattr(loop, "measured", edited)
    sign(4)
    with pytest.raises(InputError, match=said):
        project.run()
    assert new in project.path.read_text()
    assert not (folder / "release").exists()


def test_words_added_while_the_loop_runs_stay(project, sign, edit, folder, monkeypatch):
    import celosia.apps.project.loop as loop

    real = loop.measured

    def edited(*arguments):
        if "better care" in project.path.read_text():
            edit("better care", "better care  # for all")
        return real(*arguments)

    monkeypatch.setattr(loop, "measured", edited)
    sign(4)
    assert project.run() == "feasible"
    assert "better care  # for all" in project.path.read_text()


def test_an_input_that_changes_while_it_is_read_is_refused(project, sign, folder, monkeypatch):
    from celosia.jobs.plan_file import Config

    real = Config.table

    def table(self, path=None):
        found = real(self, path)
        (folder / "people.csv").write_text((folder / "people.csv").read_text() + "1,2,3,M,flu\n")
        return found

    sign(4)
    monkeypatch.setattr(Config, "table", table)
    with pytest.raises(InputError, match="the input changed while it was read"):
        project.run()


def test_a_release_that_the_verifier_rejects_leaves_nothing(project, sign, folder, monkeypatch):
    import celosia.apps.project.loop as loop

    def rejected(*arguments):
        raise AuditError("the verifier rejected the release.")

    monkeypatch.setattr(loop, "made", rejected)
    sign(4)
    with pytest.raises(AuditError):
        project.run()
    assert project.status()["outcome"] is None
    assert project.status()["rounds"]
    assert not (folder / "release").exists()


def test_the_run_shows_its_stages(project, sign):
    class Shown:
        def __init__(self):
            self.stages = []

        def stage(self, name):
            self.stages.append(name)

        def advance(self, share): ...

        def found(self, loss): ...

    shown = Shown()
    sign(4)
    project.run(shown)
    assert shown.stages[0] == "read"
    assert shown.stages[-1] == "write"
    assert len(shown.stages) > 3


def test_a_workbook_and_another_format(tmp_path, folder, written, edit, sign, project):
    edit("format: csv", "format: parquet")
    sign(4)
    project.run()
    assert (folder / "release" / "data.parquet").exists()
    assert json.loads((folder / "release" / "claim.json").read_text())["data"]["format"] == "parquet"


def test_the_documents_of_a_real_dossier(folder):
    """No stand-ins: the real documents, made with the release and anew with the signatures."""
    project = Project.load(folder / "project.yaml")
    for step in range(1, 5):
        project.sign(step, by="Ana Ruiz", role="DPO")
    project.run()
    release = folder / "release"
    assert (release / "statement.en.html").exists()
    assert (release / "internal" / "fragments.json").exists()
    assert "Eva Gil" not in (release / "internal" / "dossier.en.html").read_text()
    project.sign(5, by="Eva Gil", role="Engineer")
    assert "Eva Gil" in (release / "internal" / "dossier.en.html").read_text()
    assert "Eva Gil" in (release / "internal" / "dossier.es.html").read_text()
