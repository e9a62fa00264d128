"""Canaries: nothing of what is not published, and nothing about fewer than k people, gets into the report."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.report import render
from celosia.report.language import LANGUAGES

K = 5


def both(release: cl.Release) -> str:
    return "".join(render(release, lang) for lang in LANGUAGES)


def test_a_rare_category_is_not_named_although_a_published_set_holds_it():
    jobs = ["cook"] * 40 + ["nurse"] * 40 + ["CANARYastronaut"] * (K - 1)
    table = cl.Table(pl.DataFrame({"job": jobs}), cl.Schema(quasi_identifiers={"job": "category"}))
    release = cl.Plan(models=[cl.KAnonymity(K)]).run(table)
    assert any("CANARY" in cell for cell in release.rows["job"])
    text = both(release)
    assert "CANARY" not in text
    # Beside "other (1 value)" a second value must have been folded in, or its share would tell how few they are.
    assert "other (2 values)" in text


def test_a_frequent_category_is_named():
    table = cl.Table(
        pl.DataFrame({"job": ["cook"] * 40 + ["nurse"] * 40}), cl.Schema(quasi_identifiers={"job": "category"})
    )
    text = both(cl.Plan(models=[cl.KAnonymity(K)]).run(table))
    assert "cook" in text
    assert "nurse" in text


def test_rows_of_one_person_do_not_make_a_value_frequent():
    frame = pl.DataFrame(
        {
            "who": [f"CANARYwho{row}" for row in range(60)] + ["CANARYwho60"] * 30,
            "job": ["cook", "nurse"] * 30 + ["CANARYastronaut"] * 30,
        }
    )
    schema = cl.Schema(quasi_identifiers={"job": "category"}, subject="who")
    assert "CANARY" not in both(cl.Plan(models=[cl.KAnonymity(K)]).run(cl.Table(frame, schema)))


def test_values_of_suppressed_rows_are_not_named():
    """Twelve rows hold a value that the tree does not know: they are deleted, and so is every trace of the value."""
    tree = cl.Tree([["cook", "*"], ["nurse", "*"]], on_missing="suppress")
    frame = pl.DataFrame(
        {
            "job": ["cook"] * 40 + ["nurse"] * 40 + ["CANARYastronaut"] * 12,
            "ill": ["flu", "cold"] * 40 + ["CANARYmoonsickness"] * 12,
            "note": [f"CANARY{row}" for row in range(92)],
        }
    )
    schema = cl.Schema(quasi_identifiers={"job": tree}, sensitive=["ill"], insensitive=["note"])
    release = cl.Plan(models=[cl.KAnonymity(K)], max_suppression=0.2).run(cl.Table(frame, schema))
    assert release.classes.n_suppressed == 12
    text = both(release)
    assert "CANARY" not in text
    assert "12 of 92 rows were deleted: 13%" in text


def test_a_leaf_that_is_published_as_its_group_is_not_named():
    tree = cl.Tree([["CANARYcook", "food"], ["CANARYbaker", "food"], ["CANARYjudge", "law"], ["CANARYclerk", "law"]])
    frame = pl.DataFrame(
        {
            "job": ["CANARYcook", "CANARYbaker", "CANARYjudge", "CANARYclerk"] * 10,
            "age": [row // 2 * 2 for row in range(4)] * 10,
        }
    )
    schema = cl.Schema(quasi_identifiers={"job": tree, "age": "number"})
    plan = cl.Plan(models=[cl.KAnonymity(20)], algorithm=cl.Mondrian())
    release = plan.run(cl.Table(frame, schema))
    assert set(release.rows["job"]) == {"food", "law"}
    text = both(release)
    assert "CANARY" not in text
    assert "food" in text


@pytest.mark.parametrize("kind", ["number", cl.Intervals(width=7, levels=4)])
def test_the_lowest_and_highest_number_are_not_told(kind):
    generator = np.random.default_rng(1)
    pay = [1234.56, *generator.normal(30_000, 4_000, 300).round(2), 98765.43]
    frame = pl.DataFrame({"pay": pay, "ill": ["flu"] * 302})
    schema = cl.Schema(quasi_identifiers={"pay": kind}, sensitive=["ill"])
    release = cl.Plan(models=[cl.KAnonymity(K)]).run(cl.Table(frame, schema))
    assert {finding.code for finding in release.findings} - {"MIXED_LEVELS", "TIGHT_RANGES"} == {"HOMOGENEOUS"}
    text = both(release).replace(",", ".").replace("\xa0", "")
    assert "1234.56" not in text
    assert "98765.43" not in text


def test_an_inference_never_names_a_rare_value():
    jobs = ["cook"] * 20 + ["nurse"] * 20 + ["CANARYastronaut"] * (K - 1)
    frame = pl.DataFrame({"job": jobs, "ill": ["flu"] * 20 + ["cold"] * 20 + ["flu"] * (K - 1)})
    schema = cl.Schema(quasi_identifiers={"job": "category"}, sensitive=["ill"])
    release = cl.Plan(models=[cl.KAnonymity(K)]).run(cl.Table(frame, schema))
    text = both(release)
    assert "learns with certainty: ill = " in text
    assert "CANARY" not in text


def test_the_plan_shows_no_values_of_trees_and_orders():
    tree = cl.Tree([["CANARYcook", "food"], ["CANARYjudge", "law"]])
    order = cl.Order(values=["CANARYlow", "CANARYmiddle", "CANARYhigh"])
    frame = pl.DataFrame({"job": ["CANARYcook", "CANARYjudge"] * 4, "grade": ["CANARYlow", "CANARYhigh"] * 4})
    schema = cl.Schema(quasi_identifiers={"job": tree, "grade": order})
    release = cl.Plan(models=[cl.KAnonymity(8)], algorithm=cl.Mondrian(), seed=1).run(cl.Table(frame, schema))
    text = both(release)
    plans = text.split("<pre>")
    assert len(plans) == 5
    assert all("CANARY" not in plan.split("</pre>")[0] for plan in plans[1:])
