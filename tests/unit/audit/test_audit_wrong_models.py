"""Models of a claim that are wrong, incomplete or about nothing: a reason and no crash."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from audited import holds

from celosia.audit import AuditInputError, examine, judge, main, measure, verify_columns

BAD = [
    {"k_anonymity": {"k": True}},
    {"alpha_k": {"alpha": 0, "on": "s"}},
    {"alpha_k": {"alpha": 1, "on": "s"}},
    {"alpha_k": {"alpha": "0.5", "on": "s"}},
    {"alpha_k": {"alpha": math.nan, "on": "s"}},
    {"alpha_k": {"alpha": 0.9}},
    {"alpha_k": {"alpha": 0.9, "on": "q"}},
    {"alpha_k": {"alpha": 0.9, "on": ["s"]}},
    {"alpha_k": {"alpha": 0.9, "on": "s", "k": 2}},
    {"alpha_k": {"alpha": 0.9, "on": "s", "values": "a"}},
    {"alpha_k": {"alpha": 0.9, "on": "s", "values": []}},
    {"alpha_k": {"alpha": 0.9, "on": "s", "values": [["a"]]}},
    {"p_sensitive": {"p": 1, "on": "s"}},
    {"p_sensitive": {"p": 2.0, "on": "s"}},
    {"p_sensitive": {"p": 2, "on": "s", "level": -1}},
    {"p_sensitive": {"p": 2, "on": "s", "level": True}},
    {"p_sensitive": {"p": 2, "on": "s", "hierarchy": {}}},
    {"l_diversity": {"l": 2, "on": "s"}},
    {"l_diversity": {"l": 2, "on": "s", "kind": "entropic"}},
    {"l_diversity": {"l": 2, "on": "s", "kind": ["distinct"]}},
    {"l_diversity": {"l": 1.5, "on": "s", "kind": "distinct"}},
    {"l_diversity": {"l": 2, "on": "s", "kind": "distinct", "c": 1}},
    {"l_diversity": {"l": 1, "on": "s", "kind": "entropy"}},
    {"l_diversity": {"l": math.inf, "on": "s", "kind": "entropy"}},
    {"l_diversity": {"l": 2, "on": "s", "kind": "recursive"}},
    {"l_diversity": {"l": 2, "on": "s", "kind": "recursive", "c": 0}},
    {"l_diversity": {"l": 1, "on": "s", "kind": "recursive", "c": 2}},
    {"t_closeness": {"t": 1, "on": "s", "distance": "equal"}},
    {"t_closeness": {"t": -0.1, "on": "s", "distance": "equal"}},
    {"t_closeness": {"t": None, "on": "s", "distance": "equal"}},
    {"t_closeness": {"t": 0.9, "on": "s", "distance": "euclidean"}},
    {"t_closeness": {"t": 0.9, "on": "s", "distance": "numeric"}},
    {"t_closeness": {"t": 0.9, "on": "s", "distance": "equal", "hierarchy": True}},
    {"t_closeness": {"t": 0.9, "on": "s", "distance": "ordered", "hierarchy": "yes"}},
    {"delta_disclosure": {"delta": 0, "on": "s", "kind": "present"}},
    {"delta_disclosure": {"delta": 9, "on": "s", "kind": "lax"}},
    {"delta_disclosure": {"delta": 9, "on": "s", "kind": "present", "base": 1}},
    {"beta_likeness": {"beta": 0, "on": "s", "kind": "basic"}},
    {"beta_likeness": {"beta": 9, "on": "s"}},
    {"k_map": {"k": 2}},
    {"k_map": {"k": 1, "population": "given"}},
    {"k_map": {"k": 2, "population": "given", "significance": 0.05}},
    {"k_map": {"k": 2, "population": 100}},
    {"k_map": {"k": 2, "population": 3, "significance": 0.05}},
    {"k_map": {"k": 2, "population": 100.0, "significance": 0.05}},
    {"k_map": {"k": 2, "population": 100, "significance": 1}},
    {"average_risk": {"limit": 1}},
    {"average_risk": {"limit": 0}},
    {"average_risk": {}},
    {"share_at_risk": {"share": 0.5}},
    {"share_at_risk": {"share": 1, "threshold": 0.2}},
    {"share_at_risk": {"share": 0.5, "threshold": 0}},
    {"sample_uniqueness": {"share": -0.1}},
    {"sample_uniqueness": {"share": "0"}},
]


@pytest.mark.parametrize("model", BAD, ids=str)
def test_bad_parameters_are_a_reason_and_no_crash(model: dict[str, Any]) -> None:
    table = {"q": ["1"] * 4, "s": ["canary-a", "canary-b", "canary-c", "canary-d"]}
    (found,) = measure(table, ["q"], ["s"], models=[model], hierarchies={}, population=None)["models"]
    assert found["holds"] is False
    assert found["n_classes"] == 0
    assert "canary" not in found["reason"]
    claim = {
        "celosia": "claim",
        "version": 1,
        "models": [model],
        "columns": [
            {"name": "q", "role": "quasi_identifier", "kind": "number"},
            {"name": "s", "role": "sensitive"},
        ],
        "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
    }
    checks = {check.name: check.status for check in verify_columns(table, claim).checks}
    assert checks[next(iter(model))] == "failed"


NEEDING = [
    {"p_sensitive": {"p": 2, "on": "s", "level": 1}},
    {"p_sensitive": {"p": 2, "on": "s", "hierarchy": True}},
    {"t_closeness": {"t": 0.9, "on": "s", "distance": "hierarchical"}},
    {"t_closeness": {"t": 0.9, "on": "s", "distance": "ordered", "hierarchy": True}},
]

WRONG_TREES: list[Any] = [
    {},
    {"a": ["x", "*"]},
    {"a": ["x", "*"], "b": ["*"]},
    {"a": {"x", "*"}, "b": {"x", "*"}},
    {"a": ["x", "y", "*"], "b": ["x", "z", "*"]},
]


@pytest.mark.parametrize("model", NEEDING, ids=str)
def test_a_hierarchy_must_be_given_and_fit(model: dict[str, Any]) -> None:
    table = [0, 0], ["a", "b"]
    assert holds(model, *table) is None
    is_ordered = model.get("t_closeness", {}).get("distance") == "ordered"
    for tree in WRONG_TREES[:2] if is_ordered else WRONG_TREES:
        assert holds(model, *table, hierarchies={"s": tree}) is None
    assert holds(model, *table, hierarchies={"s": {"a": ["x", "*"], "b": ["y", "*"]}}) is True
    if "p_sensitive" in model:
        model = {"p_sensitive": {"p": 2, "on": "s", "level": 3}}
        assert holds(model, *table, hierarchies={"s": {"a": ["x", "*"], "b": ["y", "*"]}}) is None


def test_hierarchies_that_do_not_fit_leave_figures_undefined() -> None:
    found = measure({"s": ["a", "b"]}, [], ["s"], hierarchies={"s": {"a": ["*"]}})["sensitive"]["s"]
    assert found["t_hierarchical"] is None
    assert found["p_levels"] is None
    assert "p_levels" not in measure({"s": ["a", "b"]}, [], ["s"])["sensitive"]["s"]


def test_judge_wants_the_figures_themselves() -> None:
    figures = measure({"q": ["1", "1"]}, ["q"])
    assert judge({"k_anonymity": {"k": 2}}, figures)[:2] == ("k_anonymity", True)
    with pytest.raises(AuditInputError, match="not on a copy"):
        examine({"k_anonymity": {"k": 2}}, dict(figures))
    with pytest.raises(AuditInputError, match="not known"):
        measure({"q": ["1"]}, ["q"], models=[{"magic": {}}])


def test_an_empty_table_proves_nothing() -> None:
    for model in ({"sample_uniqueness": {"share": 0}}, {"t_closeness": {"t": 0, "on": "s", "distance": "equal"}}):
        (found,) = measure({"q": [], "s": []}, ["q"], ["s"], models=[model])["models"]
        assert (found["holds"], found["reason"]) == (False, "the table is empty: nothing is proven.")


def test_declared_values_are_spelt_as_the_file_spells_them() -> None:
    claim = {
        "celosia": "claim",
        "version": 1,
        "data": {"decimal": ","},
        "models": [{"alpha_k": {"alpha": 0.4, "on": "s", "values": [1.5, 7, None]}}],
        "columns": [{"name": "q", "role": "quasi_identifier", "kind": "number"}, {"name": "s", "role": "sensitive"}],
        "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
    }
    for spelt, verdict in (("1,5", False), ("7", False), (None, False), ("8", True)):
        assert verify_columns({"q": ["1", "1"], "s": [spelt, "x"]}, claim).holds is verdict


def test_homogeneous_classes() -> None:
    table = {"q": ["1", "2", "1", "3", "3", "4", "4"], "s": ["a", "b", "a", None, None, "a", None]}
    found = measure(table, ["q"], ["s"])["sensitive"]["s"]["homogeneous"]
    assert found == {
        "n_classes": 2,
        "n_rows": 3,
        "classes": [{"first_row": 1, "n_rows": 2}, {"first_row": 2, "n_rows": 1}],
    }


def test_no_more_than_twenty_classes_are_listed() -> None:
    table = {"q": [str(i) for i in range(30)], "s": ["a"] * 30}
    found = measure(table, ["q"], ["s"], models=[{"k_anonymity": {"k": 2}}])
    for listed in (found["models"][0], found["sensitive"]["s"]["homogeneous"]):
        assert (listed["n_classes"], len(listed["classes"])) == (30, 20)
        assert listed["classes"][-1] == {"first_row": 20, "n_rows": 1}


def test_a_claim_in_subjects_has_k_map_judged_in_subjects() -> None:
    claim = {
        "celosia": "claim",
        "version": 1,
        "models": [{"k_map": {"k": 2, "population": "given"}}, {"sample_uniqueness": {"share": 0}}],
        "columns": [{"name": "age", "role": "quasi_identifier", "kind": "number"}],
        "policies": {"missing": "own", "suppressed": "deleted", "subject": "counted"},
    }
    table, original = {"age": ["40"] * 3}, {"age": ["40"] * 3, "who": ["p", "p", "q"]}
    options: dict[str, Any] = {"original_columns": original, "order": range(3), "subject": "who"}
    people = {"age": ["40", "40"], "who": ["p", "q"]}
    verdict = verify_columns(table, claim, population=people, **options)
    assert verdict.holds
    names = {check.name for check in verdict.checks}
    assert names > {"k_map in subjects", "sample_uniqueness", "sample_uniqueness in subjects"}
    assert "k_map" not in names
    assert not verify_columns(table, claim, population={"age": ["40"] * 3, "who": ["p"] * 3}, **options).holds
    assert not verify_columns(table, claim, population=people).holds


def test_the_script_takes_hierarchy_and_population(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, people, tree = tmp_path / "data.csv", tmp_path / "people.csv", tmp_path / "tree.csv"
    data.write_text("age,ill\n40,flu\n40,hip\n50,cold\n50,leg\n")
    people.write_text("name;age\nAna;40\nEva;40\nLuis;50\nSol;50\n")
    tree.write_text("flu;lung;*\ncold;lung;*\nhip;bone;*\nleg;bone;*\n")
    claim = {
        "celosia": "claim",
        "version": 1,
        "models": [
            {"k_map": {"k": 2, "population": "given"}},
            {"p_sensitive": {"p": 2, "on": "ill", "level": 1}},
            {"t_closeness": {"t": 0.25, "on": "ill", "distance": "hierarchical"}},
        ],
        "columns": [
            {"name": "age", "role": "quasi_identifier", "kind": "number"},
            {"name": "ill", "role": "sensitive"},
        ],
        "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
        "data": {"format": "csv", "n_rows": 4, "sha256": hashlib.sha256(data.read_bytes()).hexdigest()},
    }
    promised = tmp_path / "claim.json"
    promised.write_text(json.dumps(claim))
    command = [str(data), str(promised), "--hierarchy", f"ill={tree}", "--population", str(people)]
    assert main(command) == 0
    assert main(command[:2]) == 1
    assert "needs the table of the population" in capsys.readouterr().out
    people.write_text("name;age\nAna;40\nEva;50\nLuis;50\n")
    assert main(command) == 1
    assert "no superset" in capsys.readouterr().out


TABLE: dict[str, list[str | None]] = {
    "q": ["1"] * 3 + ["2"] * 3,
    "s": ["a", "a", "b", "b", "c", "a"],
    "n": ["1", "2", "3", "4", "5", "5"],
}


def extreme_models(huge: float, tiny: float) -> list[dict[str, dict[str, Any]]]:
    return [
        {"k_anonymity": {"k": huge}},
        {"alpha_k": {"alpha": tiny, "on": "s", "values": ["a", huge, tiny, None, True]}},
        {"p_sensitive": {"p": huge, "on": "s"}},
        {"p_sensitive": {"p": 2, "on": "s", "level": huge, "hierarchy": True}},
        {"l_diversity": {"l": huge, "on": "s", "kind": "distinct"}},
        {"l_diversity": {"l": huge, "on": "s", "kind": "entropy"}},
        {"l_diversity": {"l": 1.0000000000000002, "on": "s", "kind": "entropy"}},
        {"l_diversity": {"l": huge, "on": "s", "kind": "recursive", "c": huge}},
        {"l_diversity": {"l": 2, "on": "s", "kind": "recursive", "c": tiny}},
        {"t_closeness": {"t": tiny, "on": "n", "distance": "numeric"}},
        {"t_closeness": {"t": tiny, "on": "s", "distance": "equal"}},
        {"delta_disclosure": {"delta": huge, "on": "s", "kind": "present"}},
        {"delta_disclosure": {"delta": tiny, "on": "s", "kind": "present"}},
        {"delta_disclosure": {"delta": 1, "on": "s", "kind": "present", "base": huge}},
        {"delta_disclosure": {"delta": 1, "on": "s", "kind": "present", "base": 1.0000000000000002}},
        {"beta_likeness": {"beta": huge, "on": "s", "kind": "enhanced"}},
        {"beta_likeness": {"beta": tiny, "on": "s", "kind": "basic"}},
        {"k_map": {"k": huge, "population": huge, "significance": tiny}},
        {"k_map": {"k": huge, "population": "given"}},
        {"average_risk": {"limit": tiny}},
        {"share_at_risk": {"share": tiny, "threshold": tiny}},
        {"sample_uniqueness": {"share": tiny}},
    ]


@pytest.mark.parametrize("huge", [10**15, 10**299, 10**301, 10**4000, 1e300])
def test_extreme_numbers_are_judged_alike_and_break_nothing(huge: float) -> None:
    known: dict[str, Any] = {
        "models": extreme_models(huge, 5e-324),
        "hierarchies": {"s": {"a": ["*"], "b": ["*"], "c": ["*"]}},
        "population": TABLE,
    }
    plain = measure(TABLE, ["q"], ["s", "n"], **known)
    fast = measure(pl.DataFrame(TABLE), ["q"], ["s", "n"], **known)
    assert [model["holds"] for model in plain["models"]] == [model["holds"] for model in fast["models"]]
    found = {name: model["holds"] for model in plain["models"] for name in model["model"]}
    assert found["k_anonymity"] is found["k_map"] is found["average_risk"] is found["share_at_risk"] is False
    assert found["beta_likeness"] is found["alpha_k"] is found["l_diversity"] is False


def test_a_base_near_one_keeps_its_digits() -> None:
    """ln 1.0000000000000002 is 2e-16, not 0: delta is then counted in very small steps."""
    step = math.log1p(2e-16)
    ratio = math.log(2)  # of "a" in a class, which is half as frequent in the table
    classes, secret = [0, 0, 1, 1], ["a", "b", "c", "d"]

    def with_delta(delta: float) -> bool | None:
        model = {"delta_disclosure": {"delta": delta, "on": "s", "kind": "present", "base": 1.0000000000000002}}
        return holds(model, classes, secret)

    assert with_delta(ratio / step * 1.001) is True
    assert with_delta(ratio / step * 0.999) is False
