"""The key ``risk`` of plan files, and files with a grid of one's own: what is read, what is refused, and where."""

from __future__ import annotations

from fractions import Fraction

import pytest

import celosia as cl
from celosia.jobs.plan_file import load_risk_tables
from celosia.measure.risk.grid import Grid
from celosia.measure.risk.scenarios import Acquaintance, Breach, Insider, PublicRelease
from celosia.measure.risk.situation import Situation
from celosia.measure.risk.thresholds import Thresholds

PLAN = """\
version: 1
input: exams.csv
schema:
  quasi_identifiers:
    exam: number
models:
  - k_anonymity: {k: 5}
"""
RISK = """\
risk:
  harm: medium
  insider:
    controls: medium
    motivation: low
  acquaintance: {share: 0.001, known: 150}
  breach:
    rate: 0.27
    source: "survey of hospitals"
    date: 2026-01-31
  insiders: 1
  strict: false
  floor: 3
  grid:
    high: {low: 0.01}
    none:
      low: 0.9
  thresholds: {medium: 0.05}
"""


@pytest.fixture
def load(tmp_path):
    def loaded(risk: str) -> cl.Config:
        (tmp_path / "plan.yaml").write_text(PLAN + risk)
        return cl.load(tmp_path / "plan.yaml")

    return loaded


def test_the_whole_key_is_read(load):
    grid = Grid({"high": {"low": "0.01"}, "none": {"low": "0.9"}})
    assert load(RISK).plan.risk == Situation(
        [
            Insider("medium", "low", grid),
            Acquaintance(q="0.001"),
            Breach(rate="0.27", source="survey of hospitals", date="2026-01-31"),
        ],
        harm="medium",
        thresholds=Thresholds(medium="0.05"),
        insiders=1,
    )


def test_decimals_are_exact(load):
    found = load("risk: {threshold: 0.1, insider: {controls: medium, motivation: high}, strict: true}").plan.risk
    assert (found.accepted, found.attempt, found.minimal_k) == (Fraction(1, 10), Fraction(3, 10), 4)


def test_a_public_release(load):
    assert load("risk: {harm: high, public: true}").plan.risk == Situation([PublicRelease()], harm="high")


def test_no_controls_are_written_as_none(load):
    found = load("risk: {harm: low, insider: {controls: none, motivation: low}}").plan.risk
    assert found.attempt == 1


@pytest.mark.parametrize("risk", ["", "risk:\n", "risk: null\n"])
def test_without_the_key_there_is_no_situation(load, risk):
    plan = load(risk).plan
    assert plan.risk is None
    assert "risk" not in plan.to_dict()


def test_what_was_read_is_told_again(load, tmp_path):
    from ruamel.yaml import YAML

    plan = load(RISK).plan
    with open(tmp_path / "again.yaml", "w") as file:
        file.write(PLAN)
        YAML().dump({"risk": plan.to_dict()["risk"]}, file)
    assert cl.load(tmp_path / "again.yaml").plan == plan


FIRST = PLAN.count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("  harm: medium", "  hram: medium", 1, "risk has no key 'hram'"),
        ("  harm: medium", "  harm: severe", 1, "harm must be one of"),
        ("    controls: medium", "    controls: hgh", 3, "controls must be one of"),
        ("    controls: medium", "    control: medium", 3, "insider has no key 'control'"),
        ("    controls: medium\n", "", 2, "insider needs 'controls'"),
        ("share: 0.001", "share: 2", 5, "share must lie in"),
        ("known: 150", "known: many", 5, "known must be a whole number"),
        ("    rate: 0.27", "    rate: 27", 7, "rate must lie in"),
        ("date: 2026-01-31", "date: January", 9, "date must be the day"),
        ('    source: "survey of hospitals"\n', "", 6, "breach needs 'source'"),
        ("insiders: 1", "insiders: some", 10, "insiders must be a whole number"),
        ("strict: false", "strict: maybe", 11, "strict must be true or false"),
        ("floor: 3", "floor: 1", 12, "floor must be a whole number from 2 on"),
        ("      low: 0.9", "      low: 0.3", 16, "falls downwards"),
        ("{low: 0.01}", "{low: 1.5}", 14, "low must lie in"),
        ("thresholds: {medium: 0.05}", "thresholds: {medium: 0.5}", 17, "greater than the one for low harm"),
        ("  strict: false", "  public: true", 11, "makes an attempt certain"),
    ],
)
def test_an_error_tells_the_line_of_the_innermost_key(load, old, new, line, message):
    assert RISK.count(old) == 1
    with pytest.raises(cl.OptionError, match=message) as caught:
        load(RISK.replace(old, new))
    assert caught.value.where == f"plan.yaml:{FIRST + line}"


def test_the_key_needs_a_scenario_and_is_a_mapping(load):
    with pytest.raises(cl.OptionError, match="at least one scenario") as caught:
        load("risk:\n  harm: low\n")
    assert caught.value.where.startswith("plan.yaml:")
    with pytest.raises(cl.PlanError, match="'risk' must be a mapping"):
        load("risk: high\n")


def test_a_file_with_tables_of_one_s_own(tmp_path):
    file = tmp_path / "ours.yaml"
    file.write_text("grid:\n  high: {low: 0.01}\nthresholds: {high: 0.001}\n")
    assert load_risk_tables(file) == (Grid({"high": {"low": "0.01"}}), Thresholds(high="0.001"))
    file.write_text("grid:\n")
    assert load_risk_tables(file) == (Grid(), Thresholds())
    file.write_text("girds: {}\n")
    with pytest.raises(cl.PlanError, match="has no key 'girds'"):
        load_risk_tables(file)
    file.write_text("thresholds: {high: 0.001}\ngrid:\n  high:\n    low: 0.5\n")
    with pytest.raises(cl.OptionError, match="falls to the right") as caught:
        load_risk_tables(file)
    assert caught.value.where == "ours.yaml:3"
    with pytest.raises(cl.PlanError, match="no plan file"):
        load_risk_tables(tmp_path / "none.yaml")


def test_an_empty_situation_is_refused_with_its_line(load):
    with pytest.raises(cl.OptionError, match="at least one scenario") as caught:
        load("risk: {}")
    assert caught.value.where == "plan.yaml:8"


def test_an_unknown_answer_is_refused_with_its_line(load):
    answers = "    answers:\n      contract: signed\n      contrat: signed\n"
    with pytest.raises(cl.OptionError, match="contrat") as caught:
        load("risk:\n  harm: low\n  insider:\n    controls: low\n    motivation: low\n" + answers)
    assert caught.value.where == "plan.yaml:15"
