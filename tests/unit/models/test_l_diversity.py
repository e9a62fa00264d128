"""Distinct l-diversity: the enforcer against a plain definition, and everything that it refuses."""

from __future__ import annotations

import datetime as dt
import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia import audit
from celosia.report import render

SECRETS = [None, "flu", "cold", "hiv", "flu ", "e\u0301", "\u00e9", ""]


def table_of(secrets, *, subject=None, dtype=pl.String, **schema):
    frame = pl.DataFrame({"age": list(range(len(secrets))), "ill": pl.Series(secrets, dtype=dtype)})
    if subject is not None:
        frame = frame.with_columns(who=pl.Series(subject))
        schema["subject"] = "who"
    options = {"quasi_identifiers": {"age": "number"}, "sensitive": ["ill"]} | schema
    return cl.Table(frame, cl.Schema(**options))


def plainly_broken(labels, secrets, least):
    """Read the definition aloud: for each class the set of its known secrets, trimmed and composed."""
    import unicodedata

    held = {label: set() for label in labels if label >= 0}
    for label, secret in zip(labels, secrets, strict=True):
        spelt = unicodedata.normalize("NFC", (secret or "").strip())
        if label >= 0 and spelt:
            held[label].add(spelt)
    return sorted(label for label, values in held.items() if len(values) < least)


@st.composite
def labelled(draw):
    secrets = draw(st.lists(st.sampled_from(SECRETS), min_size=1, max_size=25))
    labels = draw(st.lists(st.integers(-1, 4), min_size=len(secrets), max_size=len(secrets)))
    subject = draw(st.none() | st.lists(st.sampled_from("pqr"), min_size=len(secrets), max_size=len(secrets)))
    return secrets, labels, subject


@given(case=labelled(), least=st.integers(2, 4))
@tries(300)
def test_broken_is_the_plain_definition_whoever_the_rows_are_about(case, least):
    secrets, labels, subject = case
    classes = cl.Classes(labels)
    names = sorted({label for label in labels if label >= 0})  # Classes numbers them in ascending order
    found = cl.LDiversity(least, on="ill").broken(classes, table_of(secrets, subject=subject))
    assert [names[label] for label in found] == plainly_broken(labels, secrets, least)


@given(case=labelled(), least=st.integers(2, 4))
@tries(200)
def test_the_audit_measures_what_the_enforcer_judges(case, least):
    secrets, labels, _ = case
    table, model = table_of(secrets), cl.LDiversity(least, on="ill")
    kept = [row for row, label in enumerate(labels) if label >= 0]
    published = {"class": [str(labels[row]) for row in kept], "ill": [secrets[row] for row in kept]}
    figures = audit.measure(published, ["class"], ["ill"])
    values = model.n_values(cl.Classes(labels), table)
    assert figures["sensitive"]["ill"]["l_distinct"] == (values.min() if kept else None)
    name, holds, _ = audit.judge({"l_diversity": model.to_dict()}, figures)
    assert (name, holds) == ("l_diversity", bool(kept) and len(model.broken(cl.Classes(labels), table)) == 0)


@given(secrets=st.lists(st.sampled_from(SECRETS), min_size=1, max_size=12), least=st.integers(2, 5))
@tries(100)
def test_reachable_is_what_one_class_of_all_rows_meets(secrets, least):
    table, model = table_of(secrets), cl.LDiversity(least, on="ill")
    in_one = model.broken(cl.Classes([0] * len(secrets)), table)
    if not len(in_one):
        model.check_reachable(table)
        return
    with pytest.raises(cl.UnreachableError, match="Nothing was written"):
        model.check_reachable(table)


@pytest.mark.parametrize(
    ("secrets", "dtype", "n_values"),
    [
        ([5.0, 5.0, 7.5, None, float("nan")], pl.Float64, 2),
        ([5, 7, 7, None, 2**40], pl.Int64, 3),
        ([True, False, True, None, None], pl.Boolean, 2),
        (["a", "b ", "b", None, ""], pl.Categorical, 2),
        ([dt.date(2020, 1, 1), dt.date(2020, 1, 2), None, None, None], pl.Date, 2),
        ([dt.datetime(2020, 1, 1, 0, 0, 0, 1), dt.datetime(2020, 1, 1), None, None, None], pl.Datetime("us"), 2),
        ([None] * 5, pl.Null, 0),
        ([None] * 5, pl.String, 0),
    ],
)
def test_secrets_of_every_type_are_counted_as_the_audit_spells_them(secrets, dtype, n_values):
    table = table_of(secrets, dtype=dtype)
    model = cl.LDiversity(2, on="ill")
    assert model.n_values(cl.Classes([0] * 5), table).tolist() == [n_values]
    if n_values >= 2:
        everyone = table.frame.with_columns(age=pl.lit("*"))
        assert audit.measure(everyone, ["age"], ["ill"])["sensitive"]["ill"]["l_distinct"] == n_values


def test_the_greatest_l_is_named():
    table = table_of(["flu", "cold", None, "flu"])
    with pytest.raises(cl.UnreachableError, match="l = 2 is the most") as caught:
        cl.LDiversity(3, on="ill").check_reachable(table)
    assert "hold 2" in caught.value.message
    with pytest.raises(cl.UnreachableError, match="no l can be met"):
        cl.LDiversity(2, on="ill").check_reachable(table_of(["flu", None]))


def test_rows_that_cannot_be_published_bring_no_value():
    tree = cl.Tree([["a", "*"], ["b", "*"]], on_missing="suppress")
    frame = pl.DataFrame({"job": ["a", "b", "c"], "ill": ["flu", "flu", "cold"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"job": tree}, sensitive=["ill"]))
    with pytest.raises(cl.UnreachableError, match="hold 1"):
        cl.LDiversity(2, on="ill").check_reachable(table)


@pytest.mark.parametrize("least", [1, 0, -3, True, 2.0, "2", None])
def test_l_is_a_whole_number_from_two(least):
    with pytest.raises(cl.OptionError, match="whole number from 2"):
        cl.LDiversity(least, on="ill")


def test_other_wrong_options():
    with pytest.raises(cl.OptionError, match="name of a sensitive column"):
        cl.LDiversity(2, on=5)
    with pytest.raises(cl.OptionError, match="name of a sensitive column"):
        cl.LDiversity(2, on="")
    for kind in ("other", None, ["distinct"]):
        with pytest.raises(cl.OptionError, match="must be 'distinct', 'entropy' or 'recursive'") as caught:
            cl.LDiversity(2, on="ill", kind=kind)
        assert caught.value.hint
    assert cl.LDiversity(np.int64(3), on="ill").to_dict() == {"l": 3, "on": "ill", "kind": "distinct"}
    assert json.dumps(cl.LDiversity(np.int64(3), on="ill").to_dict())


def test_the_column_must_be_a_secret():
    table = table_of(["flu", "cold"])
    with pytest.raises(cl.ColumnNotFoundError, match="did you mean 'ill'"):
        cl.LDiversity(2, on="il").check_reachable(table)
    with pytest.raises(cl.InputError, match=r"quasi-identifier, not sensitive\.\n.*sensitive columns are ill"):
        cl.LDiversity(2, on="age").check_reachable(table)
    plain = table_of(["flu", "cold"], sensitive=[], insensitive=["ill"])
    with pytest.raises(cl.InputError, match=r"insensitive, not sensitive\.\n  Hint: if 'ill' holds a secret"):
        cl.LDiversity(2, on="ill").check_reachable(plain)
    with pytest.raises(cl.ColumnNotFoundError, match="no column is declared sensitive"):
        cl.LDiversity(2, on="x").check_reachable(plain)


def test_kernels_are_told_codes_in_the_order_of_the_rows():
    class Demands:
        def add_distinct(self, codes, least):
            self.given = codes, least

    demands = Demands()
    cl.LDiversity(2, on="ill").add_demand(demands, table_of(["b", None, "a"]), np.array([2, 1, 0]))
    codes, least = demands.given
    assert (codes.tolist(), least) == ([0, -1, 1], 2)
    assert codes.dtype == np.int32
    assert codes.flags.c_contiguous


@pytest.fixture
def release():
    frame = pl.DataFrame({"age": [30, 31, 32, 70, 71, 72], "ill": ["flu", "cold", "flu", "hiv", None, "flu"]})
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"])
    return cl.Plan(models=[cl.KAnonymity(3), cl.LDiversity(2, on="ill")], seed=1).run(cl.Table(frame, schema))


def test_a_written_release_claims_it_and_the_verifier_confirms_it(release, tmp_path):
    for format in ("csv", "xlsx", "parquet"):
        folder = release.write(tmp_path / format, format=format)
        claim = json.loads((folder / "claim.json").read_text())
        assert claim["models"][1] == {"l_diversity": {"l": 2, "on": "ill", "kind": "distinct"}}
        verdict = audit.verify(folder / f"data.{format}", claim)
        assert ("l_diversity", "passed") in [(check.name, check.status) for check in verdict.checks]
        assert verdict.holds
        for options in ({"l": 3}, {"l": 1}, {"l": True}, {"kind": "entropy"}, {"on": "age"}, {"on": ["ill"]}, {"c": 1}):
            claim["models"][1] = {"l_diversity": {"l": 2, "on": "ill", "kind": "distinct"} | options}
            verdict = audit.verify(folder / f"data.{format}", claim)
            assert [check.name for check in verdict.checks if check.status == "failed"] == ["l_diversity"]


def test_the_report_speaks_of_both_models(release):
    english, spanish = (render(release, language).replace("&#39;", "'") for language in ("en", "es"))
    assert "3-anonymity" in english
    assert "Distinct 2-diversity of 'ill'" in english
    assert "Whoever finds a person's class is left with at least 2 different values of 'ill'." in english
    assert "fewest values of 'ill' in a class" in english
    assert "different secrets are counted a missing one does not count" in english
    assert "2-diversidad (valores distintos) de «ill»" in spanish
    assert "le quedan al menos 2 valores distintos de «ill»" in spanish


def test_one_person_may_hold_all_values_and_is_then_warned_of():
    frame = pl.DataFrame({"age": [30, 30, 70, 70], "ill": ["flu", "cold", "flu", "hiv"], "who": list("aabb")})
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"], subject="who")
    release = cl.Plan(models=[cl.LDiversity(2, on="ill")], algorithm=cl.Mondrian()).run(cl.Table(frame, schema))
    assert (release.k, release.classes.n_classes) == (1, 2)
    assert "SINGLED_OUT" in {finding.code for finding in release.findings}
    page = render(release, "en")
    assert "Release without k-anonymity" in page
    assert "people; the plan demands no number" in page
    assert "The claim does not bound the greatest risk" in page
    assert "several of the values may be that person" in page


def test_a_recipient_needs_no_subjects_to_confirm_diversity(tmp_path):
    frame = pl.DataFrame({"age": [30, 31, 70, 71], "ill": ["flu", "cold", "flu", "hiv"], "who": list("abcd")})
    schema = cl.Schema(quasi_identifiers={"age": cl.Intervals(width=20)}, sensitive=["ill"], subject="who")
    plan = cl.Plan(models=[cl.LDiversity(2, on="ill"), cl.KAnonymity(2)])
    folder = plan.run(cl.Table(frame, schema)).write(tmp_path / "release")
    claim = json.loads((folder / "claim.json").read_text())
    statuses = {check.name: check.status for check in audit.verify(folder / "data.csv", claim).checks}
    assert statuses["models in subjects"] == "could not run"
    claim["models"] = claim["models"][:1]
    verdict = audit.verify(folder / "data.csv", claim)
    assert verdict.holds
    assert "models in subjects" not in {check.name for check in verdict.checks}


CLAIM = {
    "celosia": "claim",
    "version": 1,
    "models": [{"l_diversity": {"l": 2, "on": "ill", "kind": "distinct"}}],
    "columns": [
        {"name": "age", "role": "quasi_identifier", "kind": "number", "style": "bracket"},
        {"name": "ill", "role": "sensitive"},
    ],
    "policies": {"missing": "own", "suppressed": "deleted", "subject": None},
}


@pytest.mark.parametrize("times", [1, 1000], ids=["plain", "through Polars"])
@pytest.mark.parametrize(
    ("secrets", "holds"),
    [
        (["flu", "flu "], False),
        (["flu", "Flu"], True),
        (["flu", ""], False),
        (["flu", "  "], False),
        (["flu", None], False),
        ([None, None], False),
        (["e\u0301", "\u00e9"], False),
        ([None, "flu", "cold"], True),
    ],
)
def test_the_verifier_counts_values_and_not_spellings_of_nothing(secrets, holds, times):
    published = {"age": ["[1, 2]"] * len(secrets) * times, "ill": secrets * times}
    assert audit.verify_columns(published, CLAIM).holds is holds


def test_the_verifier_takes_only_a_sensitive_column():
    published = {"age": ["[1, 2]", "[1, 2]"], "ill": ["flu", "cold"]}
    assert audit.verify_columns(published, CLAIM).holds
    for role in ({"role": "insensitive"}, {"role": "quasi_identifier", "kind": "category"}):
        claim = CLAIM | {"columns": [CLAIM["columns"][0], {"name": "ill"} | role]}
        failed = [check for check in audit.verify_columns(published, claim).checks if check.status == "failed"]
        assert [check.name for check in failed] == ["l_diversity"]
        assert "not a sensitive column" in failed[0].detail


def test_check_judges_it_and_wants_the_secret_named():
    frame = pl.DataFrame({"age": ["30", "30", "70", "70"], "ill": ["flu", "cold", "flu", None]})
    for least, holds in ((2, False), (3, False)):
        found = cl.check(frame, ["age"], ["ill"], models=[cl.LDiversity(least, on="ill")])
        assert found.holds is holds
    assert "1 distinct values of 'ill'; claimed are 3" in found.models[0]["reason"]
    assert cl.check(frame[:2], ["age"], ["ill"], models=[cl.LDiversity(2, on="ill"), cl.KAnonymity(2)]).holds
    assert not cl.check(frame[:0], ["age"], ["ill"], models=[cl.LDiversity(2, on="ill")]).holds
    with pytest.raises(cl.OptionError, match=r"not among the sensitive columns\.\n  Hint: if 'ill'"):
        cl.check(frame, ["age"], models=[cl.LDiversity(2, on="ill")])
    with pytest.raises(cl.ColumnNotFoundError, match="did you mean 'ill'"):
        cl.check(frame, ["age"], ["ill"], models=[cl.LDiversity(2, on="il")])


PLAN = """\
input: wards.csv
schema:
  quasi_identifiers: {age: number}
  sensitive: [ill]
  insensitive: [remark]
models:
  - k_anonymity: {k: 2}
  - l_diversity: {l: 2, on: ill}
"""


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "wards.csv").write_text("age,ill,remark\n30,flu,x\n31,cold,y\n70,flu,x\n71,hiv,y\n")

    def load(spelt="{l: 2, on: ill}"):
        (tmp_path / "plan.yaml").write_text(PLAN.replace("{l: 2, on: ill}", spelt))
        return cl.load(tmp_path / "plan.yaml")

    return load


def test_a_plan_file(plan):
    config = plan()
    assert config.plan.models == (cl.KAnonymity(2), cl.LDiversity(2, on="ill"))
    release = config.plan.run(config.table())
    assert cl.check(release.frame, ["age"], ["ill"], models=config.plan.models).holds


@pytest.mark.parametrize(
    ("spelt", "message"),
    [
        ("{l: 1, on: ill}", "whole number from 2"),
        ("{on: ill}", "needs the option 'l'"),
        ("{l: 2}", "needs the option 'on'"),
        ("{l: 2, on: [ill]}", "name of a sensitive column"),
        ("{l: 2, on: ill, kind: other}", "must be 'distinct'"),
        ("{l: 2, on: ill, c: 1}", "takes no c"),
        ("{l: 2, on: ill, kind: recursive}", "needs c"),
        ("{l: 1, on: ill, kind: entropy}", "number above 1"),
    ],
)
def test_wrong_options_in_a_plan_file_name_the_line(plan, spelt, message):
    with pytest.raises(cl.OptionError, match=message) as caught:
        plan(spelt)
    assert caught.value.where == "plan.yaml:8"


@pytest.mark.parametrize(
    ("spelt", "error", "where"),
    [
        ("{l: 2, on: illness}", cl.ColumnNotFoundError, "plan.yaml:6"),
        ("{l: 2, on: remark}", cl.InputError, "plan.yaml:5"),
        ("{l: 9, on: ill}", cl.UnreachableError, "plan.yaml:6"),
    ],
)
def test_wrong_columns_in_a_plan_file_name_the_line(plan, spelt, error, where):
    config = plan(spelt)
    with pytest.raises(error) as caught, config.locating():
        config.plan.check(config.table())
    assert caught.value.where == where
