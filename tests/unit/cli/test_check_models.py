"""``celosia check`` and ``cl.check``: models, where they break, and what is withheld."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

import polars as pl
import pytest

import celosia as cl
from celosia.jobs.check import check


@pytest.fixture
def note(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.csv").write_text(
        "zip,age,chol\n37***,40-49,canary-S\n37***,40-49,canary-S\n28***,40-49,canary-S\n28***,40-49,canary-S\n"
        "24***,30-39,canary-N\n24***,30-39,canary-N\n28***,30-39,canary-N\n28***,30-39,canary-S\n"
    )
    return tmp_path


DEMAND = ("check", "note.csv", "--quasi-identifiers", "zip,age", "--sensitive", "chol")


def test_homogeneous_classes_are_told_in_words_and_their_values_withheld(celosia, note):
    code, out, err = celosia(*DEMAND)
    words = " ".join(out.split())
    assert code == 0
    assert (
        "In 3 classes (6 rows) anyone known to be in the class has one and the same 'chol'; the value is withheld."
        in words
    )
    assert "canary" not in out + err
    assert "canary" not in celosia(*DEMAND, "--json")[1]
    assert celosia(*DEMAND, "--strict")[0] == 1


def test_values_are_shown_on_request_only(celosia, note):
    code, out, _ = celosia(*DEMAND, "--show-values")
    assert code == 0
    assert out.count("canary-S") == 2
    assert out.count("canary-N") == 1
    assert "withheld" not in out
    listed = json.loads(celosia(*DEMAND, "--show-values", "--json")[1])["sensitive"]["chol"]["homogeneous"]["classes"]
    assert [(one["first_row"], one["value"]) for one in listed] == [(1, "canary-S"), (3, "canary-S"), (5, "canary-N")]


def test_a_broken_model_says_where(celosia, note):
    model = ("--model", "{l_diversity: {l: 2, on: chol}}", "--model", "{k_anonymity: {k: 2}}")
    code, out, err = celosia(*DEMAND, *model)
    assert code == 1
    assert "classes that break it begin in rows 1, 3, 5" in out
    assert "canary" not in out + err
    diversity, anonymity = json.loads(celosia(*DEMAND, *model, "--json")[1])["models"]
    assert (diversity["holds"], diversity["n_classes"], diversity["n_rows"]) == (False, 3, 6)
    assert diversity["classes"] == [{"first_row": row, "n_rows": 2} for row in (1, 3, 5)]
    assert (anonymity["holds"], anonymity["n_classes"], anonymity["classes"]) == (True, 0, [])


def test_every_measure_has_a_readable_name(celosia, note):
    _, out, _ = celosia(*DEMAND)
    for name in ("alpha", "l distinct", "l entropy", "c of recursive (c, 2)", "t equal", "t ordered", "t numeric"):
        assert name in out
    for name in ("delta strict", "delta present", "beta basic", "beta enhanced", "classes that share one value"):
        assert name in out
    assert "rows alone in their class" in out


@dataclass(frozen=True)
class Stub:
    """A model that brings evidence, as those about hierarchies and populations do."""

    options: dict[str, Any]
    known: dict[str, Any]
    name: ClassVar[str] = "t_closeness"
    needs: ClassVar[tuple[str, ...]] = ()
    monotone: Any = None
    smallest_class: int = 1

    def check_reachable(self, table: Any, n_spare: int = 0) -> None: ...
    def add_demand(self, demands: Any, table: Any, rows: Any) -> None: ...
    def broken(self, classes: Any, table: Any) -> Any: ...

    def to_dict(self) -> dict[str, Any]:
        return self.options

    def evidence(self) -> dict[str, Any]:
        return {"population": None, "hierarchy": None} | self.known


class KMapStub(Stub):
    name: ClassVar[str] = "k_map"


FRAME = pl.DataFrame({"age": [40, 40, 50, 50], "ill": ["flu", "cold", "hip", "leg"]})
TREE = {"flu": ["lung", "*"], "cold": ["lung", "*"], "hip": ["bone", "*"], "leg": ["bone", "*"]}


def test_a_model_brings_its_hierarchy():
    model = Stub({"t": 0.75, "on": "ill", "distance": "hierarchical"}, {"hierarchy": TREE})
    near = Stub({"t": 0.4, "on": "ill", "distance": "hierarchical"}, {"hierarchy": {leaf: ["*"] for leaf in TREE}})
    found = check(FRAME, ["age"], ["ill"], models=[model, near])
    assert [one["holds"] for one in found.models] == [True, False]
    assert found.figures["sensitive"]["ill"]["t_hierarchical"] == 0.5  # over the tree of the last model
    assert check(FRAME, ["age"], ["ill"], models=[model]).figures["sensitive"]["ill"]["p_levels"] == {
        "0": 2,
        "1": 1,
        "2": 1,
    }
    without = check(FRAME, ["age"], ["ill"], models=[Stub(model.options, {})])
    assert without.models[0]["holds"] is None
    assert not without.holds


def test_a_model_brings_its_population():
    people = pl.DataFrame({"age": [40, 40, 40, 50, 50], "job": ["a"] * 5})
    for k, holds in ((2, True), (3, False)):
        found = check(FRAME, ["age"], models=[KMapStub({"k": k, "population": "given"}, {"population": people})])
        assert found.holds is holds
        assert found.models[0]["n_classes"] == (0 if holds else 1)
    small = check(FRAME, ["age"], models=[KMapStub({"k": 2, "population": "given"}, {"population": people[1:3]})])
    assert "no superset" in small.models[0]["reason"]


def test_figures_are_plain_and_hold_nothing_of_the_table():
    found = check(FRAME, ["age"], ["ill"], models=[cl.KAnonymity(2)])
    assert type(found.figures) is dict
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert found.to_dict()["models"][0]["model"] == {"k_anonymity": {"k": 2}}
