"""Outcome: why each original row is or is not published, and what may be copied of it."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.data.outcome import REASONS, TableOutcome

JOBS = cl.Tree([["clerk", "office", "*"], ["nurse", "care", "*"], ["smith", "craft", "*"]], on_missing="suppress")
SCHEMA = cl.Schema(quasi_identifiers={"age": "number", "job": JOBS}, sensitive=["ill"])


def people(n: int = 60) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [18 + (7 * row) % 50 for row in range(n)],
            "job": [("clerk", "nurse", "smith")[row % 3] for row in range(n)],
            "ill": [("flu", "cold", "asthma", "none")[row % 4] for row in range(n)],
        }
    )


def release_of(frame: pl.DataFrame, schema: cl.Schema = SCHEMA, **options) -> cl.Release:
    options = {"models": [cl.KAnonymity(3)], "seed": 5, **options}
    return cl.Plan(**options).run(cl.Table(frame, schema))


def test_a_value_that_its_hierarchy_does_not_know():
    frame = people().with_columns(pl.when(pl.int_range(60) < 4).then(pl.lit("pilot")).otherwise("job").alias("job"))
    release = release_of(frame, max_suppression=0.1)
    assert release.suppressed["unknown_value"] == 4
    assert [release.why(row).reason for row in range(4)] == ["unknown_value"] * 4


def test_a_secret_that_too_many_share():
    frame = people().with_columns(pl.when(pl.int_range(60) < 40).then(pl.lit("flu")).otherwise("ill").alias("ill"))
    models = [cl.KAnonymity(2), cl.LDiversity(3, on="ill", kind="entropy")]
    release = release_of(frame, models=models, max_suppression=0.6)
    assert release.suppressed["too_rare"] > 0
    rows = np.flatnonzero(release.reasons == REASONS.index("too_rare") + 1)
    assert set(frame["ill"].gather(rows)) == {"flu"}


def test_rows_that_masks_remove_before_and_after_the_search():
    frame = people()
    before = cl.DropRows(column="age", values=["18", "25"])
    after = cl.DropRows(class_below=4)
    release = release_of(frame, masks=[before], masks_after=[after])
    gone = frame["age"].is_in([18, 25])
    assert release.suppressed["mask"] == gone.sum() == release.masked.n_dropped
    assert {release.why(int(row)).reason for row in gone.arg_true()} == {"mask"}
    assert release.suppressed["masks_after"] == release.summary["n_suppressed"] - gone.sum()


def test_trimming_leaves_out_the_row_that_costs_most():
    frame = pl.DataFrame({"age": [30] * 5 + [99], "job": ["clerk"] * 6, "ill": ["flu"] * 6})
    release = release_of(frame, models=[cl.KAnonymity(4)], algorithm=cl.KMembers(), max_suppression=0.2)
    assert release.why(5).reason == "trimming"
    assert release.suppressed["trimming"] == 1


def test_a_search_that_recodes_whole_columns_leaves_rows_out_itself():
    frame = pl.DataFrame({"job": ["clerk"] * 10 + ["nurse"] * 10 + ["smith"], "ill": ["flu"] * 21})
    schema = cl.Schema(quasi_identifiers={"job": JOBS}, sensitive=["ill"])
    release = release_of(frame, schema, algorithm=cl.Lattice(), max_suppression=0.05)
    assert release.why(20).reason == "search"


@tries(25)
@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from(["clerk", "nurse", "pilot"])), min_size=12, max_size=60),
    st.sampled_from([cl.Weave(effort="fast"), cl.KMembers(), cl.Mondrian(), cl.Lattice()]),
    st.floats(0, 0.5),
)
def test_reasons_agree_with_classes_and_published_rows(rows, algorithm, share):
    """By definition: a row has a reason just if it is in no class, and then no published row stands for it."""
    frame = pl.DataFrame({"age": [age for age, _ in rows], "job": [job for _, job in rows], "ill": ["flu"] * len(rows)})
    plan = cl.Plan(
        [cl.KAnonymity(2)], algorithm, masks=[cl.DropRows(column="age", values=["7"])], max_suppression=share
    )
    try:
        release = plan.run(cl.Table(frame, SCHEMA))
    except (cl.UnreachableError, cl.InputError):
        return
    assert ((release.reasons == 0) == (release.classes.labels >= 0)).all()
    assert sum(release.suppressed.values()) == release.summary["n_suppressed"] == (release.reasons > 0).sum()
    assert release.summary["suppressed"] == release.suppressed
    unknown = (frame["job"] == "pilot") & (frame["age"] != 7)
    assert release.suppressed["unknown_value"] == unknown.sum()
    published = release.rows.select("age", "job").rows()
    for row in range(len(rows)):
        fate = release.why(row)
        if fate.reason is None:
            values = (fate.values["age"], fate.values["job"])
            assert published.count(values) == fate.n_others + 1
            assert fate.label == release.classes.labels[row]
        else:
            assert fate.to_dict()["class"] is None


@pytest.mark.parametrize("row", [-1, 60, True, 1.5, "0"])
def test_there_is_no_such_row(row):
    with pytest.raises(cl.InputError, match="60 rows"):
        release_of(people()).why(row)


def test_a_fate_shows_no_value_unasked():
    fate = release_of(people()).why(0)
    assert "18" not in repr(fate)
    assert set(fate.to_dict()["values"]) == {"age", "job"}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_release_is_copied_without_what_was_worked_out_of_it(copied):
    release = release_of(people(), bound=False)
    assert release.loss.gcp > 0
    again = copied(release)
    assert "utility" not in again.__dict__
    assert again.summary == release.summary
    assert again.rows.equals(release.rows)
    assert again.to_dict() == release.to_dict()


def test_no_cell_stands_in_what_is_shown_of_an_outcome():
    frame = people().with_columns(pl.lit("canary").alias("ill"))
    release = release_of(frame)
    plain = TableOutcome(**{one.name: getattr(release, one.name) for one in fields(TableOutcome)})
    for shown in (repr(release), repr(plain), repr(plain.publication), repr(cl.mask(frame, cl.Drop(column="age")))):
        assert "canary" not in shown
        assert "nurse" not in shown


def test_a_release_does_not_change():
    release = release_of(people())
    with pytest.raises(AttributeError):
        release.seconds = 0.0
    assert release.noting(seconds=9.0).seconds == 9.0 != release.seconds
