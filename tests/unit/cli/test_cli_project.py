"""celosia project: the commands, their screens, their JSON and their exit codes."""

from __future__ import annotations

import json

import pytest

STEPS = {
    "fixed_number:": "fixed_number: true",
    "controls:  # the extent": "controls: medium  # the extent",
    "motivation:": "motivation: medium",
    "max_loss:": "max_loss: 0.9",
    "max_suppression:  # the share": "max_suppression: 0.1  # the share",
    "algorithms: [weave]": "algorithms: [mondrian]",
    "benefit:": "benefit: better care",
    "harm:  # what": "harm: shame  # what",
    "balance:": "balance: it is small",
    "organisational:": "organisational: none",
    "contractual:": "contractual: none",
    "technical:": "technical: none",
}


@pytest.fixture
def run(celosia, monkeypatch):
    """Run ``celosia project`` in this process; documents, which take longest, are the subject of other tests."""
    import celosia.apps.dossier as dossier
    import celosia.apps.project.running as running

    monkeypatch.setattr(running, "write_documents", lambda *_: None)
    monkeypatch.setattr(running, "assemble", lambda *_: None)
    monkeypatch.setattr(dossier, "assemble", lambda *_: None)
    return lambda *arguments: celosia("project", *arguments)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "140")
    rows = [f"{20 + n % 30},{'MF'[n % 2]},{'flu' if n % 30 < 15 else 'cold'}" for n in range(40)]
    (tmp_path / "people.csv").write_text("age,sex,diagnosis\n" + "\n".join(rows) + "\n")
    return tmp_path


@pytest.fixture
def filled(folder, run):
    import datetime

    code, _, _ = run(
        "new", "people.csv", "--threshold", "0.1", "--recipient", "INE", "--controller", "Uni", "--contact", "x"
    )
    assert code == 0
    file = folder / "project.yaml"
    text = file.read_text()
    review = f"review: {datetime.date.today() + datetime.timedelta(days=99)}"
    for old, new in (STEPS | {"review:": review}).items():
        assert old in text
        text = text.replace(old, new, 1)
    for column in ("age", "sex", "diagnosis"):
        text = text.replace(f"      {column}:\n", f"      {column}: the study\n")
    file.write_text(text)
    return file


def test_from_a_table_to_a_signed_release(run, filled, folder):
    for step in ("release_model", "targets", "3", "4"):
        code, out, err = run("sign", step, "--by", "Ana Ruiz", "--role", "DPO")
        assert (code, err) == (0, "")
    assert "✓ signed" in out
    assert "Ana Ruiz, DPO" in out
    assert "celosia project run" in run("next")[1]
    code, out, _ = run("run")
    assert code == 0
    assert "chosen" in out
    assert "Feasible" in out
    assert (folder / "release" / "data.csv").exists()
    assert run("sign", "5", "--by", "Ana", "--role", "DPO")[0] == 0
    code, _, err = run("sign", "6", "--by", "Ana", "--role", "DPO")
    assert code == 2
    assert "celosia project accept CODE" in err
    for warning in json.loads(run("status", "--json")[1])["steps"][5]["open"]:
        column = [] if warning["column"] is None else ["--column", warning["column"]]
        assert run("accept", warning["code"], *column, "--by", "Ana", "--reason", "looked at")[0] == 0
    for step in ("6", "7", "8"):
        code, out, _ = run("sign", step, "--by", "Ana", "--role", "DPO", "--note", "fine", "--json")
        assert code == 0
    found = json.loads(out)
    assert found["is_signed"] is True
    assert found["steps"][7]["signed"]["note"] == "fine"
    code, out, _ = run("status")
    assert code == 0
    assert out.count("✓ signed") == 8
    assert "Next review" in out
    code, out, _ = run("unsign", "evaluation", "--by", "Eva", "--reason", "a new law")
    assert code == 0
    assert out.count("✓ signed") == 6


def test_every_result_comes_as_json(run, filled):
    from celosia.apps.project import Project

    project = Project.load(filled)
    assert json.loads(run("status", "--json")[1]) == project.status()
    assert json.loads(run("next", "--json")[1]) == project.next().to_dict()
    for arguments in (
        ("sign", "1", "--by", "A", "--role", "B"),
        ("unsign", "1", "--by", "A", "--reason", "B"),
        ("new", "people.csv", "--overwrite"),
    ):
        code, out, _ = run(*arguments, "--json")
        assert code == 0
        assert json.loads(out) == Project.load(filled).status()


def test_not_feasible_ends_with_3_and_says_what_would_help(run, filled):
    filled.write_text(filled.read_text().replace("threshold: 0.1", "threshold: 0.001"))
    for step in range(1, 5):
        assert run("sign", step, "--by", "Ana", "--role", "DPO")[0] == 0
    code, out, _ = run("run")
    assert code == 3
    assert "Not feasible" in out
    assert "out of reach" in out
    code, out, _ = run("run", "--json")
    assert code == 3
    assert json.loads(out)["outcome"] == "not feasible"
    assert run("status")[0] == 0


def test_a_changed_step_shows_in_red_and_what_to_do(run, filled):
    run("sign", "1", "--by", "Ana", "--role", "DPO")
    filled.write_text(filled.read_text().replace("[INE]", "[INE, UN]"))
    code, out, _ = run("status")
    assert code == 0
    assert "! changed" in out
    assert "celosia project unsign release_model" in out
    code, _, err = run("sign", "2", "--by", "Ana", "--role", "DPO")
    assert code == 2
    assert "since Ana signed it" in err


def test_another_file_is_named_in_what_comes_next(run, folder):
    assert run("new", "people.csv", "-o", "study.yaml", "--public", "--harm", "high")[0] == 0
    code, out, _ = run("next", "study.yaml")
    assert code == 0
    assert "study.yaml" in out.splitlines()[-1]
    assert run("status", "study.yaml")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["status"], "there is no project file 'project.yaml' here"),
        (["next", "people.csv"], "must be a mapping"),
        (["new", "nobody.csv"], "nobody.csv"),
        (["new", "people.csv", "--threshold", "7"], "threshold must lie in"),
        (["sign", "1"], "there is no project file"),
    ],
)
def test_wrong_input_ends_with_2(run, folder, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_signature_needs_a_name(run, filled):
    assert run("sign", "1", "--role", "DPO")[0] == 2
    assert run("sign", "1", "--by", "Ana")[0] == 2
    assert run("unsign", "1", "--by", "Ana")[0] == 2
    assert "did you mean 'targets'" in run("sign", "target", "--by", "A", "--role", "B")[2]
