"""The project file: people's part kept to the letter, the record below it, the lock, and hostile YAML."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.apps.project import Project
from celosia.apps.project.file import locked, read_file, record_text, split_text, write_file
from celosia.apps.project.record import digest, plain
from celosia.base.errors import CelosiaError, InputError, PlanError

TEXTS = st.text(max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


@tries(60)
@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_any_record_reads_back(tmp_path_factory, record):
    path = tmp_path_factory.mktemp("any") / "p.yaml"
    path.write_text("title: x\n")
    stored = write_file(path, read_file(path), record)
    assert stored.record == plain(record)
    assert stored.people == "title: x\n"


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_texts_that_people_sign_with_read_back(text):
    from ruamel.yaml import YAML

    made = record_text({"history": [{"by": text, "why": text}]})
    assert "\n" not in made.split("- ", 1)[1][:-1]
    assert plain(YAML(typ="rt").load(made)["record"]["history"][0]) == {"by": text, "why": text}


@given(VALUES, VALUES)
def test_digests_differ_where_values_do(one, other):
    assert (digest(one) == digest(other)) == (repr(_sorted(one)) == repr(_sorted(other)))


def _sorted(value):
    if isinstance(value, dict):
        return sorted((key, _sorted(own)) for key, own in value.items()), "mapping"
    return [_sorted(own) for own in value] if isinstance(value, list) else value


def test_the_record_begins_at_the_first_such_line():
    people = 'title: "record: x"\n  # record: y\nsteps:\n  record: z\n'
    assert split_text(f"{people}record:\n  seal: a\n") == (people, "record:\n  seal: a\n")


@pytest.mark.parametrize(
    ("newline", "mark"), [("\n", ""), ("\r\n", ""), ("\n", "\N{ZERO WIDTH NO-BREAK SPACE}"), ("\r\n", "\ufeff")]
)
def test_line_ends_and_marks_of_people_stay(project, sign, folder, newline, mark):
    file = folder / "project.yaml"
    people = (mark + file.read_text()).replace("\n", newline)
    file.write_bytes(people.encode())
    sign(4)
    project.run()
    sign(6, first=5)
    after = file.read_bytes().decode()
    assert after.count("\n") == after.count(newline)
    assert after.startswith(people.split("    accepted:")[0])
    assert "# A last comment of people." in after
    assert [step["state"] for step in Project.load(file).status()["steps"]][:6] == ["signed"] * 6


def test_a_file_without_a_last_line_end(project, folder):
    file = folder / "project.yaml"
    file.write_text(file.read_text().rstrip() + "  # the end")
    project.sign(1, by="Ana", role="DPO")
    assert "  # the end\nrecord:\n" in file.read_text()


def test_a_private_file_stays_private(project, folder):
    (folder / "project.yaml").chmod(0o600)
    project.sign(1, by="Ana", role="DPO")
    assert (folder / "project.yaml").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in folder.iterdir()) == ["people.csv", "project.yaml"]


def test_a_link_to_the_file_stays_a_link(project, folder):
    (folder / "link.yaml").symlink_to("project.yaml")
    Project.load(folder / "link.yaml").sign(1, by="Ana", role="DPO")
    assert (folder / "link.yaml").is_symlink()
    assert Project.load(folder / "project.yaml").status()["steps"][0]["state"] == "signed"


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must be a mapping"),
        ("- a\n- b\n", "must be a mapping"),
        ("just a text\n", "must be a mapping"),
        ("celosia: plan\n", "is no project file"),
        ("title: x\n", "is no project file"),
        ("celosia: project\nversion: 2\n", "version 1.*p.yaml:2|p.yaml:2"),
        ("celosia: project\ncolour: red\n", "has no key 'colour'"),
        ("celosia: project\nsteps: {one: {}}\n", "has no key 'one'"),
        ("celosia: project\nsteps: 3\n", "'steps' must be a mapping"),
        ("celosia: project\nsteps:\n  targets: [1]\n", "'targets' must be a mapping"),
        ("celosia: project\ntitle: 3\n", "'title' must be a text"),
        ("celosia: project\ntitle: [x]\n", "'title' must be a text"),
        ("celosia: project\n" + BOMB, "anchors, aliases.*p.yaml:2"),
        ("celosia: project\ntitle: *x\n", "anchors, aliases|not valid YAML"),
        ("celosia: project\n<<: {title: x}\n", "merges.*p.yaml:2"),
        ("celosia: project\n\ttitle: x\n", "not valid YAML.*\n.*p.yaml:2"),
        ("celosia: project\ntitle: a: b\n", "not valid YAML.*\n.*p.yaml:2"),
        ("celosia: project\ntitle: x\ntitle: y\n", "not valid YAML.*\n.*p.yaml:3"),
        ("celosia: project\ntitle: \x00\n", "not valid YAML"),
        ("celosia: project\ntitle: !!python/object:os.system x\n", "."),
        ("celosia: project\nsteps: {evaluation: {benefit: !secret x}}\n", "."),
        ("celosia: project\nsteps: " + "[" * 3000 + "]" * 3000 + "\n", "nested too deeply"),
        ("celosia: project\nsteps:\n" + "- " * 3000 + "\n", "nested too deeply"),
        ("celosia: project\nsteps: {documentation: {review: .inf}}\n", "review"),
        ("celosia: project\nsteps: {evaluation: {benefit: .nan}}\n", "must be a text"),
        ("celosia: project\nsteps: {purposes: {keep: {1.5: x}}}\n", "once, to a text"),
        ("celosia: project\nsteps: {purposes: {keep: {? [a] : x}}}\n", "."),
        ("celosia: project\nsteps: {purposes: {keep: [age]}}\n", "'keep' must be a mapping"),
        ("celosia: project\n---\ncelosia: project\n", "not valid YAML"),
        ("{celosia: project, record: {}}\n", "must stand at the start of a line"),
        ("celosia: project\n'record': {}\n", "must stand at the start of a line"),
        ("celosia: project\nrecord: {}\ntitle: x\n", "must be the last part"),
        ("celosia: project\nrecord: 3\n", "must be the last part"),
        ("celosia: project\nrecord: {seal: x}\n", "changed by hand"),
        ("celosia: project\nrecord:\n  evidence: &a {}\n", "anchors"),
    ],
)
def test_what_is_no_project_file(tmp_path, text, said):
    path = tmp_path / "p.yaml"
    path.write_text(text)
    with pytest.raises(CelosiaError, match=f"(?s){said}"):
        Project.load(path).status()
    assert path.read_text() == text


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(PlanError, match=r"there is no project file 'no.yaml' here"):
        Project.load(tmp_path / "no.yaml")
    with pytest.raises(PlanError, match="is a folder"):
        Project.load(tmp_path)
    (tmp_path / "latin.yaml").write_bytes("title: Celosía".encode("latin-1"))
    with pytest.raises(PlanError, match="not UTF-8"):
        Project.load(tmp_path / "latin.yaml")
    (tmp_path / "huge.yaml").write_bytes(b"# x\n" * 3_000_000)
    with pytest.raises(PlanError, match="too large"):
        Project.load(tmp_path / "huge.yaml")


def test_messages_about_broken_yaml_repeat_nothing_of_it(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text("celosia: project\nkeep: {Ana García: 1, Ana García: 2}\n")
    with pytest.raises(PlanError) as caught:
        Project.load(path)
    assert "García" not in str(caught.value)


def test_names_with_quotes_colons_and_lines(tmp_path, written):
    names = [
        "it's",
        'a "b"',
        "c: d",
        "- e",
        "f\ng",
        "#h",
        "{i}",
        "ñ,j",
        "no",
        "1",
        "2020-01-01",
        "x" * 1200,
        "*k",
        "&l",
    ]
    import polars as pl

    frame = pl.DataFrame({name: [f"{n % 5}" for n in range(40)] for name in names})
    frame.write_parquet(tmp_path / "odd.parquet")
    project = Project.new(tmp_path / "odd.parquet", tmp_path / "project.yaml", title='it\'s: "odd"\n#1')
    found = project.status()
    assert found["title"] == 'it\'s: "odd"\n#1'
    assert found["steps"][2]["lacking"] == []
    assert set(project._desk.answers.attributes.roles) == set(names)
    kept = set(project._desk.answers.purposes.keep)
    assert kept == {name for name in names if not project._desk.answers.attributes.is_identifier(name)}


def test_names_that_yaml_would_lose_without_quotes_come_back(tmp_path):
    import polars as pl

    columns = ["a\x85b", "? x", "- y", "#z", "age"]
    pl.DataFrame({name: ["1", "2"] for name in columns}).write_parquet(tmp_path / "odd.parquet")
    project = Project.new(tmp_path / "odd.parquet", tmp_path / "project.yaml")
    assert set(project._desk.answers.attributes.roles) == set(columns)


def test_somebody_else_who_writes_meanwhile_is_not_overwritten(folder, project):
    project.sign(1, by="Ana", role="DPO")
    path = folder / "project.yaml"
    seen = read_file(path)
    path.write_text(path.read_text().replace("better care", "best care"))
    stored = write_file(path, seen, {"rounds": []})
    assert "best care" in stored.people
    path.write_text(path.read_text() + "  # by hand\n")
    before = path.read_text()
    with pytest.raises(InputError, match="changed by somebody else"):
        write_file(path, stored, {"rounds": [1]})
    assert path.read_text() == before
    seen = read_file(path)
    path.write_text(before.replace("best care", "care"))
    with pytest.raises(InputError, match="changed by somebody else"):
        write_file(path, seen, {}, seen.people + "# more\n")
    assert path.read_text() == before.replace("best care", "care")


def test_two_at_once_one_waits_or_is_told(folder, monkeypatch):
    from celosia.apps.project import file

    monkeypatch.setattr(file, "_WAIT_SECONDS", 0.1)
    path = folder / "project.yaml"
    with locked(path), pytest.raises(InputError, match=r"another Celosía is at work on project.yaml"):
        Project.load(path).sign(1, by="Ana", role="DPO")
    Project.load(path).sign(1, by="Ana", role="DPO")
    assert not list(folder.glob(".*"))


SIGNER = """
    import sys, time
    from celosia.apps.project import Project
    from celosia.base.errors import InputError
    done = 0
    for n in range(6):
        try:
            Project.load(sys.argv[1]).sign(1, by=sys.argv[2], role="x")
            done += 1
            Project.load(sys.argv[1]).unsign(1, by=sys.argv[2], reason="again")
        except InputError as error:
            assert "already" in str(error) or "not signed" in str(error) or "at work" in str(error), error
    print(done)
"""


def test_many_processes_sign_and_none_is_lost(folder):
    path = folder / "project.yaml"
    people = path.read_text()
    command = [sys.executable, "-c", textwrap.dedent(SIGNER), str(path)]
    running = [
        subprocess.Popen([*command, f"signer {n}"], stdout=subprocess.PIPE, text=True, env=os.environ) for n in range(3)
    ]
    done = sum(int(one.communicate(timeout=120)[0]) for one in running)
    assert all(one.returncode == 0 for one in running)
    project = Project.load(path)
    assert project.status()["intact"]
    assert path.read_text().startswith(people)
    told = [event["what"] for event in project.status()["history"]]
    assert told.count("signed") == done
    assert 0 <= told.count("signed") - told.count("unsigned") <= 1


def test_a_folder_that_cannot_be_written_to(folder, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    project = Project.load(folder / "project.yaml")
    before = Path(folder / "project.yaml").read_bytes()
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InputError, match="cannot be written to"):
        project.sign(1, by="Ana", role="DPO")
    monkeypatch.undo()
    assert (folder / "project.yaml").read_bytes() == before
