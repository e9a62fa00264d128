from __future__ import annotations

import re

import polars as pl
import pytest

import celosia as cl
from celosia.jobs.plan_file import model_of
from celosia.models import KMap, PSensitive, TCloseness

PLAN = """\
version: 1
input: exams.csv
schema:
  identifiers: [dni]
  quasi_identifiers:
    exam: number
    professor: category
    age: {intervals: {width: 5, levels: 4}}
    zipcode: {prefix: {keep: [5, 3, 1]}}
    job: {tree: job.csv}
  sensitive: [diagnosis]
models:
  - k_anonymity: {k: 5}
algorithm: {k_members: {}}
max_suppression: 0.02
output: {path: release/, format: csv}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "job.csv").write_text("nurse;health;*\njudge;law;*\n")
    return tmp_path


def load(folder, text):
    (folder / "plan.yaml").write_text(text, encoding="utf-8")
    return cl.load(folder / "plan.yaml")


def test_the_plan_of_the_contract(folder):
    config = load(folder, PLAN)
    assert config.input == folder / "exams.csv"
    assert config.output == folder / "release"
    assert config.plan == cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.KMembers(), max_suppression=0.02)
    assert config.schema.quasi_identifiers["zipcode"] == cl.Prefix(keep=[5, 3, 1])
    assert config.schema.quasi_identifiers["age"] == cl.Intervals(width=5, levels=4)
    assert isinstance(config.schema.quasi_identifiers["job"], cl.Tree)
    assert config.schema.identifiers == ("dni",)


def test_spanish_roles_are_understood(folder):
    text = PLAN.replace("identifiers:", "identificadores:", 1).replace("quasi_identifiers:", "cuasi_identificadores:")
    text = text.replace("sensitive:", "sensibles:")
    assert load(folder, text).schema == load(folder, PLAN).schema


def test_no_stays_text(folder):
    text = PLAN.replace("sensitive: [diagnosis]", "sensitive: [no]\n  missing: [no]")
    assert load(folder, text).schema.missing == ("no",)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("max_suppression: 0.02", "max_supression: 0.02", 15, "did you mean 'max_suppression'"),
        ("max_suppression: 0.02", "max_suppression: 2", 15, r"share of the rows in \[0, 1\]"),
        ("  sensitive: [diagnosis]", "  secretive: [diagnosis]", 11, "not a role"),
        ("exam: number", "exam: numbre", 6, "did you mean 'number'"),
        ("width: 5, levels: 4", "widht: 5", 8, "did you mean 'width'"),
        ("intervals: {width: 5, levels: 4}", "interval: {width: 5}", 8, "did you mean 'intervals'"),
        ("tree: job.csv", "tree: jobs.csv", 10, "jobs.csv"),
        ("k_anonymity: {k: 5}", "k_anonymity: {k: 1}", 13, "whole number from 2"),
        ("k_anonymity: {k: 5}", "k_anonimity: {k: 5}", 13, "did you mean 'k_anonymity'"),
        ("k_anonymity: {k: 5}", "k_anonymity: {}", 13, "needs the option 'k'"),
        ("k_anonymity: {k: 5}", "k_anonymity: {k: five}", 13, "whole number from 2"),
        ("algorithm: {k_members: {}}", "algorithm: {k_member: {}}", 14, "did you mean 'k_members'"),
        ("algorithm: {k_members: {}}", "algorithm: {k_members: {speed: 9}}", 14, "no option 'speed'"),
        ("algorithm: {k_members: {}}", "algorithm: {weave: {effort: quick}}", 14, "fast, balanced or best.*Hint"),
        ("algorithm: {k_members: {}}", "algorithm: {weave: {passes: -1}}", 14, "whole number from 0.*Hint"),
        ("algorithm: {k_members: {}}", "algorithm: {weave: {passes: few}}", 14, "whole number from 0.*Hint"),
        ("algorithm: {k_members: {}}", "algorithm: {weave: {time_limit: 0}}", 14, "seconds above 0.*Hint"),
        ("algorithm: {k_members: {}}", "algorithm: {weave: {time_limit: 5 s}}", 14, "seconds above 0.*Hint"),
        ("algorithm: {k_members: {}}", "algorithm: {weave: {effort: fast, passes: 3}}", 14, "fast makes no.*Hint"),
        ("algorithm: {k_members: {}}", "algorithm: {weave: {time_limits: 3}}", 14, "did you mean 'time_limit'"),
        ("format: csv", "fromat: csv", 16, "did you mean 'format'"),
        ("format: csv", "format: pdf", 16, "output format"),
        ("version: 1", "version: 2", 1, "version 1"),
        ("exam: number", "exam: number\n    exam: category", 7, "duplicate key"),
        ("exam: number", "exam: [number", 7, "not valid YAML"),
    ],
)
def test_a_wrong_plan_is_refused_with_its_line(folder, old, new, line, message):
    assert old in PLAN
    with pytest.raises(cl.InputError) as caught:
        load(folder, PLAN.replace(old, new))
    assert f"plan.yaml:{line}" in str(caught.value)
    assert re.search(message, str(caught.value), re.DOTALL)


@pytest.mark.parametrize(
    ("spec", "algorithm"),
    [
        ("{weave: {effort: best, time_limit: 60}}", cl.Weave(effort="best", time_limit=60)),
        ("{weave: {passes: 12}}", cl.Weave(passes=12)),
        ("{weave: {}}", cl.Weave()),
        ("weave", cl.Weave()),
    ],
)
def test_the_search_and_its_options(folder, spec, algorithm):
    assert load(folder, PLAN.replace("{k_members: {}}", spec)).plan.algorithm == algorithm


def test_without_an_algorithm_it_is_weave(folder):
    assert load(folder, PLAN.replace("algorithm: {k_members: {}}\n", "")).plan.algorithm == cl.Weave()


@pytest.mark.parametrize("text", ["", "just text", "[1, 2]", "models: 5", "schema: {}", "schema: 3\nmodels: []"])
def test_what_is_no_plan_is_refused(folder, text):
    with pytest.raises(cl.PlanError):
        load(folder, text)


def test_a_plan_that_is_not_there():
    with pytest.raises(cl.PlanError, match="no plan file"):
        cl.load("nowhere.yaml")


def test_a_plan_that_is_not_text(folder):
    (folder / "plan.yaml").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(cl.PlanError, match="UTF-8"):
        cl.load(folder / "plan.yaml")


def test_a_plan_without_input_says_what_to_do(folder):
    with pytest.raises(cl.PlanError, match="--input"):
        load(folder, PLAN.replace("input: exams.csv\n", "")).table()


MODEL = "k_anonymity: {k: 5}"


@pytest.fixture
def files(folder):
    (folder / "people.csv").write_text("age\n30\n31\n33\n")
    (folder / "ill.csv").write_text("flu;mild;*\ncold;mild;*\nhiv;grave;*\n")
    (folder / "ill.txt").write_text("distinct\nname ill\ntype string\nheight 2\n\n* has flu cold hiv\n\n")
    return folder


def fitting(model):
    ages = cl.Table(pl.DataFrame({"age": [30, 33]}), cl.Schema(quasi_identifiers={"age": "number"}))
    return model.n_people(cl.Classes([0, 0]), ages).tolist()


def test_a_population_is_found_beside_the_plan_and_on_the_command_line_in_the_working_folder(files, monkeypatch):
    text = "k_map: {k: 3, population: people.csv}"
    [model] = load(files, PLAN.replace(MODEL, text)).plan.models
    assert fitting(model) == [3]
    with pytest.raises(cl.InputError, match=r"cannot read people\.csv"):
        model_of(f"{{{text}}}")
    monkeypatch.chdir(files)
    assert fitting(model_of(f"{{{text}}}")) == [3]
    (files / "sub").mkdir()
    (files / "sub" / "people.csv").write_text("age\n30\n33\n")
    [model] = load(files / "sub", PLAN.replace(MODEL, text).replace("job.csv", "../job.csv")).plan.models
    assert fitting(model) == [2]


def test_a_population_by_number(files):
    [model] = load(files, PLAN.replace(MODEL, "k_map: {k: 5, population: 100000}")).plan.models
    assert model == KMap(5, 100_000)
    assert model_of("{k_map: {k: 5, population: 100000, significance: 0.01}}") == KMap(5, 100_000, 0.01)


@pytest.mark.parametrize(
    ("spec", "hierarchy"),
    [
        ("{tree: ill.csv}", cl.Tree([["flu", "mild"], ["cold", "mild"], ["hiv", "grave"]])),
        ("{tree: {path: ill.csv, on_missing: suppress}}", None),
        ("{tree: {path: ill.txt, format: amnesia}}", cl.Tree([["flu"], ["cold"], ["hiv"]])),
    ],
)
def test_hierarchies_of_secrets_are_written_as_those_of_quasi_identifiers(files, monkeypatch, spec, hierarchy):
    hierarchy = hierarchy or cl.Tree([["flu", "mild"], ["cold", "mild"], ["hiv", "grave"]], on_missing="suppress")
    text = f"t_closeness: {{t: 0.2, on: diagnosis, distance: hierarchical, hierarchy: {spec}}}"
    expected = TCloseness(0.2, on="diagnosis", distance="hierarchical", hierarchy=hierarchy)
    assert list(load(files, PLAN.replace(MODEL, text)).plan.models) == [expected]
    monkeypatch.chdir(files)
    assert model_of(f"{{{text}}}") == expected


def test_an_order_of_secrets(files):
    text = "t_closeness: {t: 0.2, on: diagnosis, distance: ordered, hierarchy: {order: {values: [flu, cold, hiv]}}}"
    [model] = load(files, PLAN.replace(MODEL, text)).plan.models
    assert model.hierarchy == cl.Order(["flu", "cold", "hiv"])


def test_a_level_of_a_hierarchy(files):
    text = "p_sensitive: {p: 2, on: diagnosis, hierarchy: {tree: ill.csv}, level: 1}"
    [model] = load(files, PLAN.replace(MODEL, text)).plan.models
    assert model == PSensitive(2, on="diagnosis", hierarchy=cl.Tree.read_csv(files / "ill.csv"), level=1)


@pytest.mark.parametrize(
    ("model", "line", "message"),
    [
        ("k_map: {k: 5, population: nobody.csv}", 13, "cannot read nobody.csv"),
        ("k_map:\n      k: 5\n      population: nobody.csv", 15, "cannot read nobody.csv"),
        ("k_map:\n      population: people.csv\n      k: 1", 15, "whole number from 2"),
        ("k_map:\n      k: 5\n      population: [1, 2]", 15, "is not a table"),
        ("k_map:\n      k: 5\n      population: 2.5", 15, "a whole number of people"),
        ("k_map:\n      k: 5\n      population: 0", 15, "at least 1"),
        ("k_map: {k: 5}", 13, "needs the option 'population'"),
        ("k_map: {k: 5, populations: people.csv}", 13, "did you mean 'population'"),
        ("k_map:\n      k: 5\n      population: 9\n      significance: 5", 16, "above 0 and below 1"),
        ("average_risk: {limit: 2}", 13, "limit must be a number above 0 and below 1"),
        ("share_at_risk:\n      share: 0.1\n      threshold: 0", 15, "threshold must be"),
        ("sample_uniqueness: {share: 1}", 13, "share must be"),
        ("p_sensitive:\n      p: 2\n      on: x\n      hierarchy: {tree: no.csv}\n      level: 1", 16, "no.csv"),
        ("p_sensitive:\n      p: 2\n      on: x\n      hierarchy: {trees: {path: x}}", 16, "did you mean 'tree'"),
        ("p_sensitive:\n      p: 2\n      on: x\n      hierarchy: ill.csv", 16, "without options"),
        ("p_sensitive:\n      p: 2\n      on: x\n      hierarchy: {tree: {file: a}}", 16, "no option 'file'"),
        ("p_sensitive:\n      p: 2\n      on: x\n      hierarchy: 5", 16, "one name with its options"),
        ("k_map: 5", 13, "one name with its options"),
        ("k_map", 13, "needs the option 'k'"),
    ],
)
def test_a_wrong_model_is_refused_with_the_line_of_the_option(files, model, line, message):
    with pytest.raises(cl.InputError, match=re.compile(message, re.DOTALL)) as caught:
        load(files, PLAN.replace(MODEL, model))
    assert f"plan.yaml:{line}" in str(caught.value)
    with pytest.raises(cl.InputError) as caught:
        model_of(model)
    assert caught.value.where is None


@pytest.mark.parametrize("text", ["{k_map: [", "[1]", "5", "", "{}", "{k_anonymity: {k: 5}, k_map: {k: 5}}"])
def test_what_is_no_model_is_refused(text):
    with pytest.raises(cl.OptionError):
        model_of(text)
