"""What ``run``, ``compare`` and ``check`` say about the kind of recoding, and about children."""

from __future__ import annotations

import json

import pytest

PLAN = """
version: 1
input: ages.csv
schema:
  quasi_identifiers:
    postcode: {prefix: {keep: [2]}}
    age: number
models: [{k_anonymity: {k: 2}}]
output: {path: release/}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ages.csv").write_text("postcode,age\n37003,13\n37891,13\n24700,37\n24700,37\n")
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path


def words(text: str) -> str:
    return " ".join(text.split())


def test_run_names_the_kind_of_recoding_and_finds_mixed_levels_and_children(celosia, folder):
    code, out, _ = celosia("run", "plan.yaml")
    assert code == 0
    assert "recoding value-global (each value always alike, on several levels)" in words(out)
    assert "note MIXED_LEVELS: Values of different levels stand side by side in postcode." in words(out)
    assert "note CHILD_DATA: Rows about people under 18 by 'age': 2." in words(out)
    summary = json.loads(celosia("run", "plan.yaml", "--overwrite", "--strict", "--json")[1])
    assert summary["recoding"] == {
        "scope": "value-global",
        "columns": {"postcode": "value-global", "age": "full-domain"},
    }


def test_compare_names_it_where_the_order_is_known(celosia, folder):
    celosia("run", "plan.yaml")
    demand = ("compare", "ages.csv", "release/data.csv", "--plan", "plan.yaml")
    known = (*demand, "--record", "release/internal/record.json")
    assert "recoding not known without the order of the rows" in words(celosia(*demand)[1])
    assert json.loads(celosia(*demand, "--json")[1])["recoding"] is None
    assert "recoding value-global (each value always alike" in words(celosia(*known)[1])
    assert json.loads(celosia(*known, "--json")[1])["recoding"]["columns"]["age"] == "full-domain"


def test_check_finds_children(celosia, folder):
    code, out, _ = celosia("check", "ages.csv", "--quasi-identifiers", "postcode,age")
    assert code == 0
    assert "note CHILD_DATA: Rows about people under 18 by 'age': 2." in words(out)
