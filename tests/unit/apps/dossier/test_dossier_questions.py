"""The three questions of the Working Party, against plain counts."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from cases import WARDS, hospital, hospital_schema, release_of
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.apps.dossier.questions import questions, shared_secret
from celosia.report.facts import Facts
from celosia.report.language import LANGUAGES, Language


def asked(release: cl.Release, lang: str = "en"):
    return {question.title: question for question in questions(Facts.of(release), Language(lang))}


def published(release: cl.Release, *others: str) -> list[tuple]:
    """The published rows: the quasi-identifiers as one, then other columns."""
    names = [entry["name"] for entry in release.claim["columns"] if entry["role"] == "quasi_identifier"]
    rows = release.rows
    return [(tuple(row[name] for name in names), *(row[name] for name in others)) for row in rows.iter_rows(named=True)]


@tries(30)
@given(st.integers(12, 60), st.integers(0, 50), st.integers(2, 6), st.floats(0, 0.6))
def test_shared_secrets_are_counted_in_the_published_rows(n_rows, seed, k, empty):
    draw = np.random.default_rng(seed)
    wards = [None if draw.random() < empty else ward for ward in draw.choice(WARDS, n_rows)]
    frame = hospital(n_rows, seed=seed).with_columns(pl.Series("ward", wards, dtype=pl.String))
    release = release_of(cl.Table(frame, hospital_schema()), [cl.KAnonymity(k)])
    secrets = defaultdict(list)
    for row, ward in published(release, "ward"):
        secrets[row].append(ward)
    alike = [own for own in secrets.values() if len(set(own)) == 1 and own[0] is not None]
    found = shared_secret(Facts.of(release), "ward")
    assert found.n_alike == len(alike)
    assert found.n_rows == sum(map(len, alike))
    assert found.greatest == pytest.approx(max(max(Counter(own).values()) / len(own) for own in secrets.values()))


@tries(15)
@given(st.integers(20, 80), st.integers(0, 50))
def test_rows_unlike_every_other_are_counted_over_all_published_columns(n_rows, seed):
    release = release_of(cl.Table(hospital(n_rows, seed=seed), hospital_schema()), [cl.KAnonymity(3)])
    rows = Counter(release.rows.rows())
    n_unlike = sum(n == 1 for n in rows.values())
    said = asked(release)["Singling out"].measured[1]
    assert said.startswith(f"Over all published columns together, secrets included, {n_unlike} of {n_rows} rows") or (
        n_unlike == 0 and said.startswith("Even over all")
    )


def test_k_anonymity_alone_does_not_answer_inference():
    question = asked(release_of())["Inference"]
    assert question.answer.startswith("Not bounded: no model guards ward")


def test_a_model_on_the_secret_answers_for_that_secret_alone():
    schema = hospital_schema(sensitive=["ward", "days"], insensitive=[])
    release = release_of(cl.Table(hospital(), schema), [cl.KAnonymity(8), cl.LDiversity(2, on="ward")])
    question = asked(release)["Inference"]
    assert question.answer.startswith("Bounded, by a model, for ward. Not bounded for days")
    assert any("at least 2 different values of 'ward'" in line for line in question.measured)
    whole = asked(release_of(models=[cl.KAnonymity(8), cl.LDiversity(2, on="ward")]))["Inference"]
    assert whole.answer.startswith("Bounded, by a model, for ward;")


def test_without_a_secret_inference_is_not_answered():
    schema = hospital_schema(sensitive=[], insensitive=["days", "ward"])
    question = asked(release_of(cl.Table(hospital(), schema)))["Inference"]
    assert question.answer.startswith("Not answered")
    assert question.measured == []


def test_homogeneous_classes_are_said_with_their_rows():
    frame = hospital(60).with_columns(pl.lit("urology").alias("ward"))
    question = asked(release_of(cl.Table(frame, hospital_schema()), [cl.KAnonymity(5)]))["Inference"]
    assert "(60 rows, 100% of the published ones) everybody has one and the same value" in question.measured[0]


def test_people_alone_are_told_before_and_after():
    frame = pl.DataFrame({"age": [20, 20, 30, 40], "ill": ["a", "b", "a", "b"]})
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"])
    release = release_of(cl.Table(frame, schema), [cl.KAnonymity(2)])
    found = asked(release)
    assert found["Singling out"].measured[0] == "Rows of people who stand alone in their class: 50% before, 0% after."
    assert found["Linkability"].measured[0] == "Greatest chance that a link to a row is right: 100% before, 50% after."
    assert found["Linkability"].measured[1] == (
        "Share of right links, if somebody linked every row: 75% before, 50% after."
    )


def test_somebody_alone_is_singled_out():
    frame = pl.DataFrame({"age": [20, 21, 30, 40, 41, 42, 43]})
    schema = cl.Schema(quasi_identifiers={"age": cl.Intervals(width=10, levels=2)})
    release = release_of(cl.Table(frame, schema), [cl.AverageRisk(0.9)], algorithm=cl.Lattice())
    assert release.k == 1
    assert asked(release)["Singling out"].answer == "Yes: at least one person stands alone in a class."
    assert asked(release)["Linkability"].answer == "Yes: a record elsewhere can fit a single row here."


def test_a_secret_that_is_a_quasi_identifier_is_judged_over_the_others():
    frame = pl.DataFrame({"age": [20, 20, 21, 21] * 6, "ill": ["a", "b", "a", "a"] * 6})
    schema = cl.Schema(quasi_identifiers={"age": "number", "ill": "category"}, sensitive=["ill"])
    release = release_of(cl.Table(frame, schema), [cl.KAnonymity(2), cl.LDiversity(2, on="ill")])
    assert release.recoding.kept == "ill"
    assert shared_secret(Facts.of(release), "ill").n_alike == 0
    plain = release_of(cl.Table(frame, schema), [cl.KAnonymity(2)])
    assert asked(plain)["Inference"].measured[0].startswith("'ill' is a quasi-identifier as well")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_answer_says_what_it_leaves_open(lang):
    for question in questions(Facts.of(release_of()), Language(lang)):
        assert question.answer
        assert question.open


@pytest.mark.filterwarnings("ignore")
def test_a_pseudonym_singles_out():
    """Opinion 05/2014 on pseudonyms: a person is still identified by an attribute of their own."""
    found = asked(release_of(masks=[cl.Pseudonymise("dni")]))["Singling out"]
    assert found.answer == "Yes, by the pseudonyms in dni: each marks the rows of one person, whoever that is."


def test_without_quasi_identifiers_nothing_is_promised():
    frame = pl.DataFrame({"code": [f"c{row}" for row in range(20)], "ill": ["a", "b"] * 10})
    schema = cl.Schema(sensitive=["ill"], insensitive=["code"])
    found = asked(release_of(cl.Table(frame, schema), [cl.KAnonymity(2)]))
    for title in ("Singling out", "Linkability"):
        assert found[title].answer.startswith("Not answered: no column is declared a quasi-identifier")
    assert "20 of 20 rows are unlike every other" in found["Singling out"].measured[1]


def test_a_link_is_bounded_by_the_declared_columns_alone():
    found = asked(release_of())["Linkability"]
    assert found.answer.startswith("By the declared quasi-identifiers only to a group")
    assert any("other published columns" in line for line in found.open)


def test_rows_are_taken_for_people_only_where_that_is_said():
    said = "Every row is taken for a person of its own: no column says whose row it is."
    assert said in asked(release_of())["Singling out"].open
    frame = hospital().with_columns(pl.Series("dni", [f"p{row // 2}" for row in range(400)]))
    release = release_of(cl.Table(frame, hospital_schema(identifiers=[], subject="dni")))
    assert said not in asked(release)["Singling out"].open


@pytest.mark.parametrize(
    "model",
    [cl.AlphaK(0.5, on="ward", values=["oncology"]), cl.TCloseness(0.95, on="ward"), cl.BetaLikeness(50, on="ward")],
)
def test_a_model_that_leaves_whole_classes_alike_is_no_answer(model):
    frame = pl.DataFrame({"age": [20] * 6 + [60] * 6, "ward": ["urology"] * 6 + ["surgery", "oncology"] * 3})
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ward"])
    release = release_of(cl.Table(frame, schema), [cl.KAnonymity(6), model])
    question = asked(release)["Inference"]
    assert shared_secret(Facts.of(release), "ward").n_alike == 1
    assert question.answer.startswith("Yes, for ward: a model guards it, but leaves classes")
    assert "Bounded" not in question.answer
