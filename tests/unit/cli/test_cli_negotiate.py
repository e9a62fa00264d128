"""celosia negotiate: the table, the picture, the figures, and what is refused."""

from __future__ import annotations

import json

import pytest


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


def test_the_table_and_the_cheapest_controls(celosia):
    code, out, _ = celosia("negotiate", "--harm", "medium", "--k", "5")
    assert code == 0
    rows = {line.split("│")[1].strip(): line.split("│")[2:5] for line in out.splitlines() if line.count("│") == 5}
    cells = {
        controls: [cell.replace("\N{NO-BREAK SPACE}", " ").strip() for cell in row] for controls, row in rows.items()
    }
    assert cells == {
        "high": ["3* ✓", "3* ✓", "3* ✓"],
        "medium": ["3* ✓", "3  ✓", "3  ✓"],
        "low": ["4  ✓", "5  ✓", "6  ✗"],
        "none": ["10  ✗", "10  ✗", "10  ✗"],
    }
    shown = " ".join(out.split())
    assert "at most 10% (the threshold for medium harm)" in shown
    assert "Against high motivation and resources, k = 5 needs at least medium controls." in shown
    assert "the release is not public" in shown


def test_json_holds_what_python_does(celosia):
    from celosia.jobs.negotiate import negotiate

    code, out, _ = celosia(
        "negotiate", "--threshold", "0.1", "--strict-inequality", "--floor", "2", "--k", "7", "--json"
    )
    assert code == 0
    assert json.loads(out) == negotiate("0.1", k=7, strict=True, floor=2).to_dict()


def test_a_grid_of_one_s_own(celosia, tmp_path):
    (tmp_path / "ours.yaml").write_text("grid:\n  high: {low: 0.01, medium: 0.02}\nthresholds: {high: 0.002}\n")
    code, out, _ = celosia("negotiate", "--harm", "high", "--grid", "ours.yaml", "--json")
    told = json.loads(out)
    assert (code, told["threshold"], told["ks"]["high"]) == (0, 0.002, {"low": 5, "medium": 10, "high": 50})
    (tmp_path / "ours.yaml").write_text("grid:\n  high: {low: 0.9}\n")
    code, out, err = celosia("negotiate", "--harm", "high", "--grid", "ours.yaml")
    assert (code, out) == (2, "")
    assert "ours.yaml:2" in err


def test_the_picture(celosia, tmp_path):
    code, out, _ = celosia("negotiate", "--harm", "low", "--picture", "k.svg", "--lang", "es")
    assert code == 0
    svg = (tmp_path / "k.svg").read_text()
    assert svg.startswith("<svg")
    assert 'lang="es"' in svg
    assert "k.svg" in out
    code, _, err = celosia("negotiate", "--harm", "low", "--picture", "k.svg")
    assert code == 2
    assert "exists" in err
    assert (tmp_path / "k.svg").read_text() == svg
    assert celosia("negotiate", "--harm", "low", "--picture", "k.svg", "--overwrite")[0] == 0
    assert 'lang="en"' in (tmp_path / "k.svg").read_text()
    assert celosia("negotiate", "--harm", "low", "--picture", tmp_path)[0] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the accepted risk once"),
        (["--harm", "low", "--threshold", "0.1"], "name the accepted risk once"),
        (["--threshold", "2"], "threshold must lie in (0, 1]"),
        (["--harm", "hihg"], "did you mean 'high'?"),
        (["--harm", "low", "--floor", "1"], "floor must be a whole number from 2 on"),
        (["--harm", "low", "--k", "1"], "k must be a whole number from 2 on"),
        (["--harm", "low", "--lang", "fr"], "no report in 'fr'"),
        (["--harm", "low", "--grid", "none.yaml"], "none.yaml"),
    ],
)
def test_wrong_input_ends_with_two(celosia, tmp_path, arguments, message):
    code, out, err = celosia("negotiate", *arguments, "--picture", "k.svg")
    assert (code, out) == (2, "")
    assert message in err
    assert not (tmp_path / "k.svg").exists()
