"""Answers that exclude each other or are not allowed are refused, with the line."""

from __future__ import annotations

import pytest

from celosia.apps.project import Project
from celosia.base.errors import CelosiaError, OptionError

PUBLIC = ("kind: non_public\n    recipients: [Instituto de Estadística]\n    fixed_number: true\n", "kind: public\n")
INSIDER = "      insider: {controls: medium, motivation: medium}\n"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([("kind: non_public", "kind: publik")], "must be public or non_public.*did you mean 'public'.*yaml:12"),
        ([("kind: non_public", "kind: true")], "'kind' must be a text"),
        ([("kind: non_public", "kind: public")], "a public release has no list of recipients.*yaml:13"),
        ([("kind: non_public\n    recipients: [Instituto de Estadística]", "kind: public")], "'fixed_number'"),
        ([("[Instituto de Estadística]", "Instituto")], "must be a list of texts.*yaml:13"),
        ([("fixed_number: true", "fixed_number: 3")], "must be true or false.*yaml:14"),
        ([("fixed_number", "fixed")], "has no key 'fixed'.*yaml:14"),
        ([PUBLIC], "under no controls: its threshold covers 'data'.*yaml:14"),
        ([PUBLIC, ("data and controls", "data")], "makes an attempt certain: 'insider' has no place.*yaml:17"),
        (
            [PUBLIC, ("data and controls", "data"), (INSIDER, "      grid: {high: {low: 0.01}}\n")],
            "'grid' has no place.*yaml:17",
        ),
        (
            [PUBLIC, ("data and controls", "data"), (INSIDER, "      acquaintance: {share: 0.1}\n")],
            "'acquaintance' has no place",
        ),
        (
            [PUBLIC, ("data and controls", "data"), (INSIDER, "      public: false\n")],
            "says that the release is public",
        ),
        ([("data and controls", "data")], "covers the data's risk alone.*'insider' has no place.*yaml:19"),
        ([("data and controls", "controls")], "'covers' must be.*yaml:16"),
        ([(INSIDER, "      public: true\n")], "step 1 says that the release is not public.*yaml:19"),
        ([("threshold: 0.1", "threshold: 2")], "threshold must lie in \\(0, 1\\].*yaml:18"),
        ([("threshold: 0.1", "threshold: 0.1\n      harm: low")], "name the accepted risk once"),
        ([("controls: medium, m", "controls: lots, m")], "controls must be one of.*yaml:19"),
        (
            [("      threshold: 0.1", "      treshold: 0.1\n      threshold: 0.1")],
            "risk has no key 'treshold'.*yaml:18",
        ),
        ([("max_loss: 0.9", "max_loss: 9")], "'max_loss' must be a share in \\[0, 1\\].*yaml:20"),
        ([("max_loss: 0.9", "max_loss: true")], "'max_loss' must be a share"),
        ([("utility: {max_loss", "utility: {loss: 1, max_loss")], "has no key 'loss'"),
        ([("identifiers: [id]", "identifers: [id]")], "is not a role.*yaml:24"),
        ([("sensitive: [ill]", "sensitive: ill")], "must be a list of columns.*yaml:26"),
        ([("drop: {}", "drop: {zip: no}")], "'zip' is kept and dropped.*yaml:29"),
        ([("models: []", "models: [{k_anonymity: {k: 5}}]")], "the loop finds the k.*yaml:32"),
        ([("models: []", "models: [k_anonymity]")], "the loop finds the k"),
        ([("models: []", "models: x")], "'models' must be a list.*yaml:32"),
        ([("algorithms: [mondrian]", "algorithms: [mondriam]")], "not one of the algorithms.*mondrian"),
        ([("algorithms: [mondrian]", "algorithms: []")], "at least one"),
        ([("max_suppression: [0]", "max_suppression: [0.5]")], "more rows than step 2 allows \\(0.1\\).*yaml:33"),
        ([("max_suppression: [0]", "max_suppression: [two]")], "must be a share"),
        ([("k: null", "k: 1")], "k must be a whole number from 2"),
        ([("k: null", "k: five")], "k must be a whole number from 2"),
        ([("try: {", "try: {passes: 3, ")], "has no key 'passes'"),
        ([("accepted: []", "accepted: [X]")], "must be a list of findings.*yaml:35"),
        ([("accepted: []", "accepted: {finding: X}")], "must be a list of findings"),
        ([("accepted: []", "accepted: [{finding: X, by: Ana}]")], "lacks 'reason'.*yaml:35"),
        ([("accepted: []", "accepted: [{finding: X, by: ' ', reason: y}]")], "lacks 'by'"),
        ([("accepted: []", "accepted: [{code: X, by: Ana, reason: y}]")], "has no key 'code'"),
        ([("benefit: better care", "benefit: 3")], "'benefit' must be a text.*yaml:37"),
        ([("controls: {org", "controls: {legal: x, org")], "has no key 'legal'"),
        ([("review: 2", "review: x2")], "must be a day, year first"),
        ([("triggers: [", "triggers: [3, ")], "'triggers' must be a list of texts"),
    ],
)
def test_refused_with_the_line(folder, edit, changes, said):
    for old, new in changes:
        edit(old, new)
    with pytest.raises(CelosiaError, match=f"(?s){said}"):
        Project.load(folder / "project.yaml").status()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("masks: []", "masks: [{top_cod: {column: age, at: 50}}]", "not one of the masks.*yaml:31"),
        ("masks: []", "masks: [{top_code: {column: agee, at: 50}}]", "agee"),
        ("models: []", "models: [{l_diversity: {l: 3}}]", "l_diversity needs the option 'on'.*yaml:32"),
        ("format: csv", "format: doc", "'doc' is not an output format.*yaml:8"),
    ],
)
def test_techniques_are_looked_at_when_the_loop_is_to_run(project, sign, edit, old, new, said):
    if "format" in old:
        edit(old, new)
        with pytest.raises(CelosiaError, match=f"(?s){said}"):
            sign(1)
        return
    edit(old, new)
    sign(4)
    for action in (lambda: project.run(), lambda: project.sign(5, by="Ana", role="DPO")):
        with pytest.raises(CelosiaError, match=f"(?s){said}"):
            action()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"threshold": "2"}, "threshold must lie in"),
        ({"threshold": "0.1", "harm": "low"}, "name the accepted risk once"),
        ({"harm": "hihg"}, "did you mean 'high'"),
        ({"public": True, "recipients": ["x"]}, "has no list of recipients"),
    ],
)
def test_new_projects_refuse_what_excludes_itself(folder, options, said):
    with pytest.raises(OptionError, match=said):
        Project.new(folder / "people.csv", folder / "new.yaml", **options)
    assert not (folder / "new.yaml").exists()


def test_a_new_project_never_replaces_an_old_one_by_itself(folder):
    before = (folder / "project.yaml").read_text()
    with pytest.raises(CelosiaError, match="exists"):
        Project.new(folder / "people.csv", folder / "project.yaml")
    with pytest.raises(CelosiaError, match="is the data file"):
        Project.new(folder / "people.csv", folder / "people.csv")
    with pytest.raises(CelosiaError, match="is a folder"):
        Project.new(folder / "people.csv", folder)
    with pytest.raises(CelosiaError):
        Project.new(folder / "nobody.csv", folder / "other.yaml")
    assert (folder / "project.yaml").read_text() == before
    Project.new(folder / "people.csv", folder / "project.yaml", overwrite=True)
    assert (folder / "project.yaml").read_text() != before


@pytest.mark.parametrize("public", [True, False])
def test_a_new_project_asks_for_what_is_not_known(folder, public):
    options = {"public": True} if public else {"recipients": ["INE: 'x'"]}
    project = Project.new(
        folder / "people.csv", folder / "new.yaml", title="T", controller="C", contact="c", harm="low", **options
    )
    text = (folder / "new.yaml").read_text()
    assert "celosia project next" in text
    assert all("flu" not in line and "28001" not in line for line in text.split("\n"))
    found = project.status()
    assert [step["state"] for step in found["steps"]] == ["ready" if public else "open", *["waiting"] * 7]
    lacking = {step["name"]: " ".join(step["lacking"]) for step in found["steps"]}
    assert ("insider.controls" in lacking["targets"]) != public
    assert "max_loss" in lacking["targets"]
    assert lacking["attributes"] == ""
    assert "'zip'" in lacking["purposes"]
    assert ("organisational" in lacking["documentation"]) != public
    assert found["history"][0]["what"] == "made"


def test_the_new_file_names_its_input_from_where_it_lies(folder, tmp_path):
    (tmp_path / "sub").mkdir()
    project = Project.new(folder / "people.csv", tmp_path / "sub" / "p.yaml")
    assert 'input: "../people.csv"' in (tmp_path / "sub" / "p.yaml").read_text()
    assert project.status()["input"] == "the same"
