from __future__ import annotations

import re

import pytest

import celosia as cl

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
