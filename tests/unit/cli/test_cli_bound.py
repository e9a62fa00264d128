"""``celosia run --bound`` and the plan's key: how near a release is to the best possible."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest

PLAN = """version: 1
input: marks.csv
schema:
  quasi_identifiers: {exam: number, group: category}
models: [{k_anonymity: {k: 3}}]
output: out
"""


@pytest.fixture
def plan(tmp_path):
    generator = np.random.default_rng(1)
    marks = pl.DataFrame({"exam": generator.integers(0, 100, 150), "group": generator.choice(list("abc"), 150)})
    marks.write_csv(tmp_path / "marks.csv")
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN)
    return path


def test_the_command_tells_how_near(celosia, plan):
    code, out, _ = celosia("run", plan, "--bound", "0.5", "--seed", "1")
    assert code == 0
    assert re.search(r"at most [0-9.]+ % above the best possible", " ".join(out.split()))
    code, out, _ = celosia("run", plan, "--bound", "0.5", "--overwrite", "--json")
    summary = json.loads(out)
    assert 0 < summary["gcp_lower_bound"] <= summary["gcp"]
    assert summary["bound"]["kind"] in ("bound", "exact")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_a_wrong_time(celosia, plan, seconds):
    code, _, problem = celosia("run", plan, "--bound", seconds)
    assert code == 2
    assert "bound must be a number of seconds" in " ".join(problem.split())
    assert not (plan.parent / "out").exists()


def test_the_key_of_a_plan(celosia, plan):
    plan.write_text(PLAN + "bound: 0.5\n")
    code, out, _ = celosia("run", plan, "--json")
    assert code == 0
    assert json.loads(out)["gcp_lower_bound"] > 0
    plan.write_text(PLAN + "bound: false\n")
    assert json.loads(celosia("run", plan, "--json", "--overwrite")[1])["gcp_lower_bound"] is None
    plan.write_text(PLAN + "bound: long\n")
    code, _, problem = celosia("run", plan, "--overwrite")
    assert code == 2
    assert "bound must be" in " ".join(problem.split())


def test_exact_in_a_plan_names_the_best(celosia, plan, tmp_path):
    pl.read_csv(tmp_path / "marks.csv").head(20).write_csv(tmp_path / "marks.csv")
    plan.write_text(PLAN + "algorithm: {exact: {}}\n")
    code, out, _ = celosia("run", plan)
    assert code == 0
    assert "this is it" in " ".join(out.split())
    assert "suppresses no more rows than the plan allows" in " ".join(out.split())


def test_that_nothing_need_be_lost(celosia, plan, tmp_path):
    pl.DataFrame({"exam": [1] * 9 + [2] * 9, "group": ["a"] * 18}).write_csv(tmp_path / "marks.csv")
    plan.write_text(PLAN.replace("k: 3", "k: 2") + "algorithm: {k_members: {}}\n")
    code, out, _ = celosia("run", plan, "--bound", "2")
    assert code == 0
    assert "0, proved: these rows can be released by these models without loss" in " ".join(out.split())
