"""Defences that are weakened on purpose: the verifier must turn red, and nothing may be handed out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia import audit
from celosia.base.chance import Randomness
from celosia.jobs.tables import TableSubject, release_of
from celosia.jobs.way import judged, made

K = 4


def people() -> cl.Table:
    draw = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": draw.integers(18, 70, 60),
            "town": draw.choice(["Cádiz", "Jaén", "León", "Soria"], 60),
            "illness": draw.choice(["flu", "cold", "none"], 60),
        }
    )
    schema = cl.Schema(quasi_identifiers={"age": "number", "town": "category"}, sensitive=["illness"])
    return cl.Table(frame, schema)


PLAN = cl.Plan(models=[cl.KAnonymity(K)], algorithm=cl.Mondrian(), seed=3)


def test_the_sound_plan_passes(tmp_path):
    PLAN.run(people()).write(tmp_path / "out")
    assert audit.verify(tmp_path / "out/data.csv", tmp_path / "out/claim.json").holds


def test_no_shuffle(monkeypatch):
    monkeypatch.setattr(Randomness, "permutation", lambda self, n: np.arange(n))
    with pytest.raises(cl.AuditError, match="shuffle: rows stand in the order"):
        PLAN.run(people())


def test_a_shuffle_of_neighbours_only(monkeypatch):
    monkeypatch.setattr(Randomness, "permutation", lambda self, n: np.arange(n) ^ 1)
    with pytest.raises(cl.AuditError, match="shuffle"):
        PLAN.run(people())


def test_an_order_that_is_declared_is_let_through():
    kept = replace(PLAN, keep_order=True).run(people())
    assert "ROW_ORDER_KEPT" in {finding.code for finding in kept.findings}


def test_one_person_fewer(monkeypatch):
    """The search and its own judgement take k - 1 for k."""
    weaker = (cl.KAnonymity(K - 1),)
    task = TableSubject.task
    monkeypatch.setattr(TableSubject, "task", lambda self, table: replace(task(self, table), models=weaker))
    assert made(TableSubject(PLAN, people())).k == K - 1  # the weakened search does use it
    with pytest.raises(cl.AuditError, match="k_anonymity"):
        PLAN.run(people())


def test_ranges_that_leave_a_value_out():
    """Recoding publishes another range than that of the class."""
    found = PLAN.run(people())
    cells = next(one for one in found.recoding.cells if one.column.name == "age")
    cells.texts[0][0] = "[0, 1]"
    found = release_of(PLAN, found.masked, found.recoding, found.publication.order)
    with pytest.raises(cl.AuditError, match="truthfulness of 'age'"):
        judged(TableSubject(PLAN, found.given), found)


def test_a_verifier_without_truthfulness(monkeypatch, tmp_path):
    found = PLAN.run(people())
    monkeypatch.setattr(audit, "_truthfulness", lambda *_: [])
    with pytest.raises(cl.AuditError, match="truthfulness of 'age': was not checked"):
        PLAN.run(people())
    with pytest.raises(cl.AuditError, match="truthfulness of 'town': was not checked"):
        found.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_verifier_without_the_look_at_the_order(monkeypatch):
    monkeypatch.setattr(audit, "_shuffle_check", lambda *_: audit.Check("order", "passed", ""))
    with pytest.raises(cl.AuditError, match="shuffle: was not checked"):
        PLAN.run(people())


def test_a_verifier_without_models(monkeypatch):
    monkeypatch.setattr(audit, "_model_checks", lambda *_: [])
    with pytest.raises(cl.AuditError, match="k_anonymity: was not checked"):
        PLAN.run(people())
