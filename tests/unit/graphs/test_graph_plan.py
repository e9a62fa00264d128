"""Plan files of graphs: what they say is done, and what is wrong in them is told with its line."""

from __future__ import annotations

from io import StringIO

import pytest
from ruamel.yaml import YAML

from celosia.base.errors import CelosiaError, OptionError, PlanError
from celosia.graphs.models import DegreeAnonymity, KLAnonymity
from celosia.jobs.graphs.plan_texts import plan_text
from celosia.jobs.graphs.plans import GraphPlan, load_plan
from celosia.jobs.graphs.release_page import render_release

FULL = """\
version: 1
input: data/friends.txt
graph:
  directed: true
  multigraph: false
  weight: km
  bipartite: false
  vertices: data/people.csv
  format: edgelist
  delimiter: ";"
  header: false
  encoding: utf-8
masks:
  - generalise: {column: age, intervals: {width: 5}}
drop: [note]
models:
  - degree_anonymity: {k: 3}
  - kl_anonymity: {k: 2, l: 2, view: neighbours}
edits: add
time_limit: 2.5
seed: 7
new_edges: {km: 1}
output: {path: release, format: graphml}
"""


def load(tmp_path, text):
    file = tmp_path / "plan.yaml"
    file.write_text(text)
    return load_plan(file)


def test_everything_that_can_be_said(tmp_path):
    plan = load(tmp_path, FULL)
    assert plan.input == tmp_path / "data" / "friends.txt"
    assert dict(plan.read_options) == {
        "directed": True,
        "multigraph": False,
        "weight": "km",
        "bipartite": False,
        "vertices": tmp_path / "data" / "people.csv",
        "format": "edgelist",
        "delimiter": ";",
        "header": False,
        "encoding": "utf-8",
    }
    assert [mask.name for mask in plan.masks] == ["generalise"]
    assert plan.models == (DegreeAnonymity(3), KLAnonymity(2, 2, "neighbours"))
    assert (plan.drop, plan.edits, plan.time_limit, plan.seed) == (("note",), "add", 2.5, 7)
    assert plan.new_edges == {"km": 1}
    assert (plan.output, plan.format) == (tmp_path / "release", "graphml")


def test_nothing_has_to_be_said(tmp_path):
    plan = load(tmp_path, "version: 1\n")
    assert plan == GraphPlan(places={"version": "plan.yaml:1"})
    assert (plan.edits, plan.time_limit, plan.format) == ("both", 10, "csv")
    with pytest.raises(PlanError, match="no graph is named"):
        plan.graph()


def test_an_output_may_be_a_path_alone(tmp_path):
    assert load(tmp_path, "output: release\n").output == tmp_path / "release"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("version: 2\n", 1, "version 1"),
        ("inptu: a.csv\n", 1, "did you mean 'input'"),
        ("version: 1\nschema: {}\n", 2, "no key 'schema'"),
        ("input: [a.csv]\n", 1, "'input' must be a text"),
        ("graph: yes\n", 1, "'graph' must be a mapping"),
        ("graph:\n  directd: true\n", 2, "did you mean 'directed'"),
        ("graph:\n  directed: perhaps\n", 2, "true or false"),
        ("graph:\n  weight: 3\n", 2, "a text"),
        ("graph:\n  format: xlsx\n", 2, "not a format"),
        ("drop: note\n", 1, "'drop' must be a list"),
        ("models: {degree_anonymity: {k: 3}}\n", 1, "'models' must be a list"),
        ("models:\n  - degree_anonymity: {k: 3}\n  - degree_anonimity: {k: 3}\n", 3, "degree_anonymity"),
        ("models:\n  - degree_anonymity: {k: 1}\n", 2, "k must be"),
        ("models:\n  - degree_anonymity: {kk: 2}\n", 2, "no option 'kk'"),
        ("models:\n  - k_anonymity: {k: 2}\n", 2, "not a model of graphs"),
        ("edits: everything\n", 1, "edits must be"),
        ("time_limit: never\n", 1, "time_limit"),
        ("time_limit: 0\n", 1, "time_limit"),
        ("seed: -1\n", 1, "seed"),
        ("seed: 1.5\n", 1, "seed"),
        ("new_edges: 1\n", 1, "'new_edges' must be a mapping"),
        ("masks: {drop: {column: a}}\n", 1, "'masks' must be a list"),
        ("masks:\n  - genralise: {column: a}\n", 2, "generalise"),
        ("output: 3\n", 1, "mapping"),
        ("output:\n  path: out\n  claim: false\n", 3, "no key 'claim'"),
        ("output:\n  format: xlsx\n", 2, "not a format"),
        ("- version\n", 1, "must be a mapping"),
        ("version: [1\n", 2, "not valid YAML"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, line, words):
    with pytest.raises(CelosiaError) as caught:
        load(tmp_path, text)
    assert words in str(caught.value)
    assert caught.value.where == f"plan.yaml:{line}"
    assert caught.value.exit_code == 2


def test_options_that_only_the_run_finds_wrong_have_lines_too(tmp_path):
    (tmp_path / "ring.csv").write_text("source,target,km\na,b,1\nb,c,2\nc,a,3\n")
    head = "input: ring.csv\nmodels:\n  - degree_anonymity: {k: 3}\n"
    for option, line, words in (
        ("drop: [miles]\n", 4, "no attribute"),
        ("new_edges: {miles: 1}\n", 4, "no attribute of edges"),
        ("graph:\n  weight: miles\n", 5, "could be their weight"),
    ):
        plan = load(tmp_path, head + option)
        with pytest.raises(CelosiaError, match=words) as caught:
            plan.run(plan.graph())
        assert caught.value.where == f"plan.yaml:{line}"


def test_a_plan_is_run(tmp_path):
    (tmp_path / "ring.csv").write_text("source,target,km\na,b,1\nb,c,2\nc,a,3\n")
    plan = load(tmp_path, "input: ring.csv\ndrop: [km]\nmodels:\n  - degree_anonymity: {k: 3}\nseed: 1\n")
    release = plan.run(plan.graph())
    assert sorted(release.vertices) == ["a", "b", "c"]
    assert release.graph.edges.width == 0
    assert release.seed_fixed


def test_a_plan_without_a_model_is_not_run(tmp_path):
    (tmp_path / "ring.csv").write_text("source,target\na,b\nb,c\nc,a\n")
    plan = load(tmp_path, "input: ring.csv\n")
    with pytest.raises(PlanError, match="no model"):
        plan.run(plan.graph())


def test_the_text_of_a_plan_comes_back(tmp_path):
    (tmp_path / "ring.csv").write_text("source,target,km,note\na,b,1,x\nb,c,2,x\nc,a,3,x\n")
    text = "input: ring.csv\ngraph: {directed: true, weight: km}\ndrop: [note]\nmodels:\n  - degree_anonymity: {k: 3}\n"
    plan = load(tmp_path, text + "edits: delete\ntime_limit: 5\nseed: 3\n")
    told = plan_text(plan.run(plan.graph()))
    assert "seed" not in told
    again = load(tmp_path, told)
    assert again.models == plan.models
    assert dict(again.read_options) == dict(plan.read_options)
    assert (again.drop, again.edits, again.time_limit) == (plan.drop, plan.edits, plan.time_limit)


def test_what_cannot_be_repeated_as_it_was_is_told(tmp_path):
    """No limit stays no limit, and that values of new edges are missing is said."""
    (tmp_path / "claw.csv").write_text("source,target,km\na,b,1\na,c,2\na,d,3\n")
    text = "input: claw.csv\nmodels:\n  - degree_anonymity: {k: 4}\ntime_limit: null\nnew_edges: {km: 7}\n"
    plan = load(tmp_path, text)
    assert plan.time_limit is None
    release = plan.run(plan.graph())
    told = plan_text(release)
    assert "time_limit: null" in told
    assert load(tmp_path, told).time_limit is None
    usual = StringIO()
    YAML().dump({"a": None}, usual)
    assert usual.getvalue() == "a:\n"  # other files are written as before
    for lang, words in (
        ("en", "Values declared for new edges are not shown"),
        ("es", "Los valores declarados para las"),
    ):
        assert words in render_release(release, lang, "csv")


def test_files_that_are_no_plans(tmp_path):
    with pytest.raises(PlanError, match="no plan file"):
        load_plan(tmp_path / "none.yaml")
    with pytest.raises(PlanError, match="is a folder"):
        load_plan(tmp_path)
    with pytest.raises(OptionError):
        load(tmp_path, "models:\n  - 3\n")
