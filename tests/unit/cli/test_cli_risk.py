"""``celosia risk``: files and plans, measured and judged."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import celosia as cl
from celosia.cli import app

PLAN = """
input: people.csv
schema:
  quasi_identifiers: {age: number, zip: category, sex: category}
  sensitive: [illness]
models: [{k_anonymity: {k: 3}}]
risk: {harm: medium, insider: {controls: medium, motivation: low}}
output: release/
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        f"{30 + place % 7},3700{place % 3},{'MF'[place % 2]},{'flu' if place % 4 else 'cold'}" for place in range(40)
    ]
    (tmp_path / "people.csv").write_text("\n".join(["age,zip,sex,illness", *rows, ",37001,M,flu"]) + "\n")
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path


def run(*arguments: object) -> tuple[int, str]:
    ended = CliRunner().invoke(app, ["risk", *map(str, arguments)])
    return ended.exit_code, ended.output


def as_json(*arguments: object) -> dict:
    code, output = run(*arguments, "--json")
    assert code in (0, 1), output
    return json.loads(output)


def test_the_figures_are_those_of_python(folder):
    found = as_json(folder / "people.csv", "--quasi-identifiers", "age,zip,sex", "--population", "900")
    frame = pl.read_csv(folder / "people.csv", infer_schema=False)
    table = cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(["age", "zip", "sex"], "category")))
    expected = cl.risk.overview(table, population=900).to_dict()
    assert {name: found[name] for name in expected} == json.loads(json.dumps(expected))
    assert found["n_rows"] == 41
    assert found["matches"]["wildcard"] is not None
    assert found["uniqueness"]["zayatz"]["uniques"] > 0


def test_a_plan_is_measured_before_and_after_and_nothing_is_written(folder):
    found = as_json(folder / "plan.yaml")
    assert found["k"] == 1
    assert found["after"]["k"] >= 3
    assert found["after"]["prosecutor"]["max"] <= 1 / 3
    assert found["after"]["assessment"]["holds"] is True
    assert found["assessment"]["holds"] is False
    assert sorted(path.name for path in folder.iterdir()) == ["people.csv", "plan.yaml"]


def test_a_plan_need_not_be_tried(folder):
    found = as_json(folder / "plan.yaml", "--no-run")
    assert "after" not in found
    assert run(folder / "plan.yaml", "--no-run")[0] == 1  # its input does not keep to the threshold
    assert run(folder / "plan.yaml")[0] == 0


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--harm", "high", "--scenario", "public"], 1),
        (["--threshold", "1", "--scenario", "{insider: {controls: high, motivation: low}}"], 0),
        (["--harm", "low", "--scenario", "{acquaintance: {share: 0.0001}}"], 0),
    ],
)
def test_the_risk_of_a_scenario_decides_the_exit_code(folder, options, code):
    assert run(folder / "plan.yaml", *options)[0] == code


def test_participants_count_in_scenarios_where_they_are_named(folder):
    scenario = ["--threshold", "0.2", "--scenario", "{insider: {controls: medium, motivation: low}}"]
    alone, pooled = (as_json(folder / "plan.yaml", *scenario, *own)["after"] for own in ([], ["--insiders", "2"]))
    assert alone["assessment"]["max_record_risk"] == pytest.approx(1 / alone["k"])
    assert pooled["assessment"]["max_record_risk"] == pytest.approx(1 / max(pooled["k"] - 2, 1))
    assert pooled["insiders"]["coalition"] == 2


def test_the_screen_tells_figures_and_assumptions(folder):
    code, output = run(folder / "plan.yaml", "--keys", "--suda", "--population", "900")
    shown = " ".join(output.split())
    assert code == 0
    for text in (
        "before",
        "after",
        "prosecutor, greatest",
        "Zayatz",
        "<= 10 %",
        "takes for granted",
        "SUDA",
        "Fewest columns",
    ):
        assert text in shown
    assert "cold" not in output


def test_columns_are_guessed_and_that_is_said(folder):
    code, output = run(folder / "people.csv")
    assert code == 0
    assert "They are guessed" in output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--harm", "medium"], "no scenario"),
        (["--scenario", "public"], "needs the accepted risk"),
        (["--scenario", "public", "--threshold", "2"], "must lie in (0, 1]"),
        (["--scenario", "nobody", "--harm", "low"], "one name with its options"),
        (["--scenario", "{insider: [", "--harm", "low"], "one name with its options"),
        (["--scenario", "{breach: {rate: 0.1}}", "--harm", "low"], "source"),
        (["--scenario", "public", "--scenario", "public", "--harm", "low"], "named twice"),
        (["--scenario", "public", "--harm", "low", "--threshold", "0.1"], "once"),
        (["--insiders", "-1"], "the people who join"),
        (["--population", "3"], "people"),
        (["--population", "nowhere.csv"], "nowhere.csv"),
        (["--weights", "illness"], "weights"),
        (["--keys", "--max-size", "0"], "max_size"),
        (["--suda", "--max-size", "9"], "max_size"),
    ],
)
def test_wrong_options_are_refused_with_the_next_step(folder, options, message):
    code, output = run(folder / "people.csv", "--quasi-identifiers", "age,zip", *options)
    assert code == 2, output
    assert message in " ".join(output.split())
    assert "cold" not in output


def test_a_plan_names_its_columns_itself(folder):
    code, output = run(folder / "plan.yaml", "--quasi-identifiers", "age")
    assert code == 2
    assert "a plan says itself" in output


def test_searches_need_columns(folder):
    code, output = run(folder / "people.csv", "--quasi-identifiers", "", "--keys")
    assert code == 2
    assert "no quasi-identifier" in output


@pytest.mark.parametrize(
    ("options", "threshold", "minimal_k", "code"),
    [
        ([], 0.1, 3, 0),
        (["--threshold", "0.05"], 0.05, 4, 1),
        (["--harm", "high"], 0.01, 20, 1),
        (["--insiders", "2"], 0.1, 4, 1),
        (["--scenario", "public"], 0.1, 10, 1),
        (["--scenario", "{insider: {controls: high, motivation: low}}", "--threshold", "0.9"], 0.9, 3, 0),
    ],
)
def test_options_go_before_what_the_plan_says(folder, options, threshold, minimal_k, code):
    """Each alone changes the verdict; what is not given stays as the plan has it."""
    (folder / "plan.yaml").write_text(PLAN.replace("harm: medium,", "harm: medium, floor: 3,"))
    ended, output = run(folder / "plan.yaml", *options, "--json")
    found = json.loads(output)["after"]["assessment"]
    assert (found["threshold"], found["minimal_k"], ended) == (threshold, minimal_k, code)


def test_what_a_plan_has_beside_its_scenarios_stays(folder):
    own = "risk: {harm: low, thresholds: {medium: 0.15}, strict: true, floor: 4, grid: {high: {low: 0.01}}, insider:"
    (folder / "plan.yaml").write_text(PLAN.replace("risk: {harm: medium, insider:", own))
    options = ["--harm", "medium", "--scenario", "{insider: {controls: high, motivation: low}}"]
    found = as_json(folder / "plan.yaml", *options)["after"]["assessment"]
    assert (found["threshold"], found["strict"], found["floor"]) == (0.15, True, 4)
    assert found["scenarios"][0]["attempt"] == 0.01
    assert as_json(folder / "plan.yaml", "--scenario", "public", "--harm", "low")["after"]["assessment"]["strict"]


@pytest.mark.parametrize("options", [["--threshold", ""], ["--population", "9" * 5000]])
def test_empty_and_endless_numbers_are_refused(folder, options):
    code, output = run(folder / "people.csv", "--quasi-identifiers", "age", *options)
    assert code == 2, output


def test_nobody_has_no_scores(folder):
    (folder / "empty.csv").write_text("age,zip\n")
    found = as_json(folder / "empty.csv", "--quasi-identifiers", "age", "--suda", "--keys", "--population", "100")
    assert (found["k"], found["suda"]["n_rows"], found["suda"]["dis"]) == (None, 0, None)
