"""celosia frontier: figures, page, exit codes, and --why-not."""

from __future__ import annotations

import json

import pytest

PLAN = """\
input: exams.csv
schema:
  identifiers: [dni]
  quasi_identifiers:
    exam: number
    professor: category
  sensitive: [remark]
models:
  - k_anonymity: {k: 3}
  - l_diversity: {l: 2, on: remark}
algorithm: {mondrian: {}}
max_suppression: 0.1
"""
ROWS = "dni,exam,professor,remark\n" + "".join(
    f"canary-dni-{row},{row % 5},prof{row % 3},canary-secret-{row % 4}\n" for row in range(60)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "hard.yaml").write_text(PLAN.replace("l: 2", "l: 5"))
    (tmp_path / "exams.csv").write_text(ROWS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_json_holds_the_points_of_the_plan_s_models_and_suppression(celosia, folder):
    code, out, _ = celosia(
        "frontier", "plan.yaml", "--k", "2,4-6,500", "--algorithms", "mondrian,hilbert_order", "--json"
    )
    told = json.loads(out)
    assert code == 0
    assert [(point["k"], next(iter(point["algorithm"]))) for point in told["points"]] == [
        (k, name) for name in ("mondrian", "hilbert_order") for k in (2, 4, 5, 6, 500)
    ]
    assert {point["max_suppression"] for point in told["points"]} == {0.1}
    assert [next(iter(model)) for model in told["models"]] == ["l_diversity"]
    assert (told["own"]["k"], told["own"]["algorithm"]) == (3, {"mondrian": {}})
    assert [point["reason"] is None for point in told["points"]] == [True, True, True, True, False] * 2
    assert told["audited"] is False


def test_the_same_seed_gives_the_figures_of_run(celosia, folder):
    _, out, _ = celosia(
        "frontier", "plan.yaml", "--k", "3", "--algorithms", "mondrian", "--seed", "4", "--suppression", "0.1", "--json"
    )
    _, ran, _ = celosia("run", "plan.yaml", "--dry-run", "--seed", "4", "--json")
    (point,), release = json.loads(out)["points"], json.loads(ran)
    assert (point["gcp"], point["reached_k"], point["n_classes"]) == (
        release["gcp"],
        release["k"],
        release["n_classes"],
    )
    assert json.loads(out)["own"]["gcp"] == release["gcp"]


def test_the_largest_k_for_a_bearable_loss(celosia, folder):
    arguments = ("frontier", "plan.yaml", "--k", "5-12", "--algorithms", "mondrian", "--seed", "1", "--json")
    told = json.loads(celosia(*arguments, "--bearable-loss", "0.5")[1])
    fitting = [point["k"] for point in told["points"] if point["gcp"] is not None and point["gcp"] <= 0.5]
    assert told["bearable_loss"] == 0.5
    assert told["largest_k"]["k"] == max(fitting)
    assert json.loads(celosia(*arguments, "--bearable-loss", "0")[1])["largest_k"] is None


def test_for_people(celosia, folder):
    code, out, _ = celosia(
        "frontier",
        "plan.yaml",
        "--k",
        "2,3,500",
        "--algorithms",
        "mondrian",
        "--suppression",
        "0,0.1",
        "--bearable-loss",
        "0.9",
    )
    assert code == 0
    assert "No rows left out" in out
    assert "Up to 10% of the rows left out" in out
    assert out.count("3 ◆") == 1
    assert "◆ your plan as it stands (mondrian): k = " in out
    assert "out of reach" in out
    assert "the largest k is 3" in out
    assert "canary" not in out


def test_the_page(celosia, folder):
    arguments = ("frontier", "plan.yaml", "--k", "2,3", "--algorithms", "mondrian", "--out", "frontier.html")
    code, out, _ = celosia(*arguments, "--lang", "es")
    page = (folder / "frontier.html").read_text(encoding="utf-8")
    assert code == 0
    assert "Written to frontier.html." in out
    assert '<html lang="es">' in page
    assert "<script" not in page
    assert "canary" not in page
    code, _, err = celosia(*arguments)
    assert code == 2
    assert "--overwrite" in err
    assert celosia(*arguments, "--overwrite")[0] == 0


def test_nothing_within_reach_ends_with_code_3(celosia, folder):
    code, out, _ = celosia("frontier", "hard.yaml", "--k", "2,3", "--algorithms", "mondrian", "--json")
    assert code == 3
    assert all(point["reason"] for point in json.loads(out)["points"])
    code, out, _ = celosia("frontier", "hard.yaml", "--k", "2,3", "--algorithms", "mondrian")
    assert code == 3
    assert "--why-not" in out


@pytest.mark.parametrize(
    "options",
    [
        ("--k", "1"),
        ("--k", "a"),
        ("--k", "9-2"),
        ("--k", ","),
        ("--algorithms", "mondrain"),
        ("--suppression", "x"),
        ("--suppression", "1.5"),
        ("--bearable-loss", "1.2"),
        ("--bearable-loss", "-0.1"),
        ("--time-limit", "-1"),
        ("--lang", "fr"),
        ("--out", "nowhere/frontier.html"),
        ("--out", "."),
        ("--seed", "-3"),
    ],
)
def test_wrong_input_ends_with_code_2(celosia, folder, options):
    before = sorted(path.name for path in folder.iterdir())
    code, out, err = celosia("frontier", "plan.yaml", *options)
    assert code == 2
    assert out == ""
    assert err
    assert sorted(path.name for path in folder.iterdir()) == before


def test_why_not(celosia, folder):
    code, out, _ = celosia("frontier", "hard.yaml", "--why-not")
    assert code == 3
    assert "needs at least 5 different known values of 'remark'" in " ".join(out.split())
    assert "l 5 -> 4" in out
    assert "canary" not in out
    code, out, _ = celosia("frontier", "hard.yaml", "--why-not", "--json")
    told = json.loads(out)
    assert code == 3
    assert told["reachable"] is False
    assert {one["kind"] for one in told["relaxations"]} == {"weaker_model", "drop_model"}
    assert "canary" not in out


def test_why_not_of_a_plan_that_can_be_met(celosia, folder):
    code, out, _ = celosia("frontier", "plan.yaml", "--why-not")
    assert code == 0
    assert "can be met" in out
    assert json.loads(celosia("frontier", "plan.yaml", "--why-not", "--json")[1])["reachable"] is True


def test_time_that_is_up_before_an_answer_is_said(celosia, folder):
    code, out, _ = celosia("frontier", "hard.yaml", "--why-not", "--time-limit", "0.000001")
    assert code == 3
    assert "the time was up" in out


def test_a_run_out_of_reach_points_to_why_not(celosia, folder):
    code, _, err = celosia("run", "hard.yaml", "--dry-run")
    assert code == 3
    assert "celosia frontier hard.yaml --why-not" in err


def test_why_not_takes_no_option_of_the_frontier(celosia, folder):
    for options in (["--k", "2-5"], ["--out", "page.html"], ["--suppression", "0"], ["--bearable-loss", "0.1"]):
        code, _, err = celosia("frontier", "hard.yaml", "--why-not", *options)
        assert code == 2
        assert "--why-not is about the plan as it stands" in " ".join(err.split())
    assert not (folder / "page.html").exists()


def test_the_way_to_why_not_names_the_same_data(celosia, folder):
    (folder / "other.csv").write_text(ROWS)
    code, _, err = celosia("run", "hard.yaml", "--dry-run", "--input", "other.csv")
    assert code == 3
    assert "celosia frontier hard.yaml --why-not --input other.csv" in " ".join(err.split())


def test_declared_values_of_a_model_are_not_told(celosia, folder):
    (folder / "guard.yaml").write_text(
        PLAN.replace("l_diversity: {l: 2, on: remark}", "alpha_k: {alpha: 0.9, on: remark, values: [canary-secret-1]}")
    )
    code, out, err = celosia(
        "frontier", "guard.yaml", "--k", "3", "--algorithms", "mondrian", "--json", "--out", "page.html"
    )
    assert code == 0, err
    assert "canary" not in out + err + (folder / "page.html").read_text()
