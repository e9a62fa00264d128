from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from celosia.cli import reproduce
from celosia.cli.options import whole_numbers

QUICK = ("--k", "2,40", "--seeds", "1", "--marks", "real")


@pytest.fixture
def run():
    """Run the command alone; give back exit code, output and what it raised."""
    app = typer.Typer()
    app.command()(reproduce.reproduce)

    def call(*arguments):
        result = CliRunner(env={"COLUMNS": "80"}).invoke(app, [*map(str, arguments)])
        return result.exit_code, result.stdout, result.exception

    return call


def words_of(out):
    return " ".join(out.split())


def test_it_prints_figures_beside_the_papers_and_says_what_holds(run):
    code, out, _ = run("exam-paper", *QUICK)
    text = words_of(out)
    assert code == 0
    assert "40 (2.5 %)" in text
    assert "0.0509" in text
    assert "…" not in out
    assert "Out of reach. Printed: 0.52 % lost at k = 2" in text
    assert "Out of reach. Printed: 5.09 % lost at k = 40" in text
    assert "Holds. Printed: both take less than one second." in text
    assert "Not checked. Printed: at least 30 times faster" in text
    assert "yardstick" in text
    assert "38.3 %" in text
    assert "neither recoded nor audited" in text


def test_in_spanish(run):
    code, out, _ = run("exam-paper", *QUICK, "--lang", "es")
    assert code == 0
    assert "Inalcanzable. Impreso: 0,52 % de pérdida con k = 2" in words_of(out)
    assert "Printed" not in out


def test_json_holds_everything(run):
    code, out, _ = run("exam-paper", *QUICK, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["k"] == [2, 40]
    assert len(found["runs"]) == 4
    assert found["printed"]["mean_gcp"] == {"k_members": 0.0271, "l_greedy": 0.027}
    assert [one["status"] for one in found["verdicts"]][:2] == ["out_of_reach", "out_of_reach"]
    row = found["summary"][0]
    assert row["gcp_lower_bound"]["mean"] <= row["gcp"]["k_members"]["mean"]
    assert row["risk_at_most"] == 0.5


def test_out_writes_the_folder_and_refuses_an_existing_one(run, tmp_path):
    folder = tmp_path / "results"
    code, out, _ = run("exam-paper", *QUICK, "--out", folder)
    assert code == 0
    assert "results.json" in out
    assert sorted(path.name for path in folder.iterdir()) == ["gcp.svg", "results.json", "results.md", "time.svg"]
    code, _, error = run("exam-paper", *QUICK, "--out", folder)
    assert code != 0
    assert "already exists" in str(error)


def test_many_k_are_shown_in_part_and_the_rest_is_named(run):
    code, out, _ = run("exam-paper", "--k", "2..16", "--seeds", "1", "--marks", "integer")
    assert code == 0
    assert "9 more values of k" in words_of(out)
    for shown in ("2 (50 %)", "10 (10 %)", "16 (6.2 %)"):
        assert shown in out
    assert "4 (25 %)" not in out


@pytest.mark.parametrize(("text", "values"), [("2..5", [2, 3, 4, 5]), ("2, 7..8,40", [2, 7, 8, 40]), ("9", [9])])
def test_k_is_a_list_with_ranges(text, values):
    assert whole_numbers(text, "..", "") == values


@pytest.mark.parametrize("text", ["", "two", "2..", "..5", "2.5", "-2", "2-5"])
def test_other_k_are_refused(run, text):
    code, _, error = run("exam-paper", "--k", text)
    assert code != 0
    assert "whole numbers" in str(error)


def test_another_experiment_is_unknown(run):
    code, _, _ = run("graph-paper")
    assert code == 2
