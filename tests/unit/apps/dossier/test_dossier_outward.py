"""The outward statement tells nothing that helps whoever looks for a person (A25): a reader tries to find it there."""

from __future__ import annotations

import html
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from cases import JOBS, WARDS, case_of, hospital, hospital_schema, release_of, signed
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.apps.dossier import Acceptance, Event, Round
from celosia.apps.dossier.fragments import Fragments
from celosia.apps.dossier.page import render_dossier
from celosia.apps.dossier.statement import render_statement, statement_content
from celosia.jobs.registry import classes_in
from celosia.report.facts import Facts
from celosia.report.language import LANGUAGES, Language

MADE = datetime(2026, 11, 16, tzinfo=UTC)
SHA = "c0ffee" * 10 + "feed"


def claim_of(release: cl.Release) -> dict[str, Any]:
    return release.claim | {"data": {"format": "csv", "n_rows": release.rows.height, "sha256": SHA}}


def statement(release: cl.Release, lang: str, case: Any = None, *, claim_sha256: str | None = "deca1") -> str:
    claim = claim_of(release)
    content = statement_content(Facts.of(release, claim["data"]), claim, Language(lang), claim_sha256=claim_sha256)
    return render_statement(case or case_of(release), content, MADE, lang)


def read(page: str) -> str:
    """All that a reader of a page can see or hear: its text, and the attributes that hold words."""
    page = re.sub(r"(?s)<style>.*?</style>", " ", page)
    spoken = " ".join(re.findall(r'\b(?:aria-label|content|title|datetime|alt)="([^"]*)"', page))
    return html.unescape(re.sub(r"<[^>]*>", " ", page) + " " + spoken).replace("\N{NO-BREAK SPACE}", " ")


# The reader -----------------------------------------------------------------------------------------------------------


def numbers_in(text: str) -> list[str]:
    """Every number of a text, spelt with a point and without marks between thousands."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)  # English thousands
    text = re.sub(r"(?<=\d) (?=\d{3}\b)", "", text)  # Spanish thousands, from five digits on
    return [one.replace(",", ".") for one in re.findall(r"\d+(?:[.,]\d+)?", text)]


def classes_in_print(release: cl.Release) -> list[int]:
    """The sizes of the classes that anybody can count in the published rows."""
    names = [
        name
        for entry in release.claim["columns"]
        if entry["role"] == "quasi_identifier"
        for name in entry.get("columns", [entry["name"]])
    ]
    return list(Counter(release.rows.select(names).rows()).values())


def explained(release: cl.Release, lang: str, review: Any) -> set[str]:
    """The numbers that a statement may hold: of the claim, of its dates, and what anybody can count in the rows."""
    language = Language(lang)
    found = [language.date(MADE), MADE.date().isoformat(), SHA, str(release.rows.height)]
    if review is not None:
        found.append(language.date(datetime(review.year, review.month, review.day)))
    k = max(model.smallest_class for model in release.plan.models)
    found.append(language.chance(k) if k > 1 else "")
    for model in release.claim["models"]:
        ((name, options),) = model.items()
        figures = [value for value in options.values() if isinstance(value, int | float) and value is not True]
        found += [language.number(value) for value in figures]
        found += [language.percent(value) for value in figures if value <= 1]
        if name == "l_diversity" and options.get("kind") == "recursive":
            found += [language.percent(options["c"] / (1 + options["c"])), str(options["l"] - 2)]
        if name == "delta_disclosure":
            factor = math.exp(options["delta"])
            unit = 10 ** (3 - math.floor(math.log10(factor)))  # four digits, rounded up
            found.append(language.number(math.ceil(factor * unit) / unit))
        if name == "beta_likeness":
            found.append(language.number(1 + options["beta"]))
        if name == "sample_uniqueness":
            found.append("1/2")
    sizes = classes_in_print(release)
    distinct = sorted(set(sizes))
    starts = distinct if len(distinct) <= 8 else [k * one for one in (1, 2, 3, 5, 10, 20, 50, 100)]
    found += [str(start) for start in starts] + [str(start - 1) for start in starts]
    for low, high in zip(starts, [*starts[1:], 10**9], strict=True):
        found.append(str(sum(size for size in sizes if low <= size < high)))
    return {number for text in found for number in numbers_in(text.replace("\N{NO-BREAK SPACE}", " "))}


def suspicious(text: str, release: cl.Release, lang: str, review: Any) -> list[str]:
    """What a reader of a text finds who looks for the things that must not be there."""
    known = explained(release, lang, review)
    loose = text.replace(SHA, " ").replace("SHA-256", " ")
    found = [f"number {number}" for number in numbers_in(loose) if number not in known]
    words = set(re.findall(r"\w+", loose.lower()))
    for name, kind in classes_in("algorithms").items():
        found += [f"search {one}" for one in (name, kind.__name__.lower(), name.replace("_", " ")) if one in words]
        found += [f"search {name}" for one in (name.replace("_", "-"),) if one in loose.lower().split()]
    for column in release.masked.given.schema.quasi_identifiers.values():
        if isinstance(column, cl.Tree):
            found += [f"label {label}" for row in column.rows for label in row if label != "*" and label in words]
    found += [
        f"word {one}" for one in re.findall(r"(?i)\b(?:suppress\w*|seed|semilla|suprim\w*|round \d|ronda)\b", loose)
    ]
    return found


# What it finds --------------------------------------------------------------------------------------------------------


def noisy_release(**options: Any) -> cl.Release:
    """A release whose every secret of its making would be seen: rare figures in options, extremes, rows left out."""
    frame = hospital(300).with_columns(pl.Series("age", [1357, 24683, *range(5000, 5298)]))
    masks = [cl.TopCode(column="days", at=77), cl.Round(column="age", to=3)]
    table = cl.Table(frame, hospital_schema(), name="CANARYfile.csv")
    return release_of(table, [cl.KAnonymity(9)], **{"masks": masks, "max_suppression": 0.1, "seed": 987654, **options})


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("algorithm", [cl.Mondrian(), cl.Datafly(), cl.Weave(passes=1), cl.KMembers()])
def test_a_reader_finds_nothing_in_the_statement(algorithm, lang):
    release = noisy_release(algorithm=algorithm)
    case = case_of(release)
    assert suspicious(read(statement(release, lang, case)), release, lang, case.review) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_same_reader_finds_it_all_in_the_dossier(lang):
    """The reader can fail: what the internal document says, it sees."""
    release = noisy_release(algorithm=cl.Datafly())
    assert release.classes.n_suppressed > 0
    case = case_of(release)
    fragments = Fragments.of(case, release, claim_of(release), [("hash", "passed")], claim_sha256="deca1")
    found = suspicious(read(render_dossier(case, fragments, lang)), release, lang, case.review)
    assert {"search datafly", "search mondrian", "number 300"} <= set(found)
    assert any(one.startswith("word s") for one in found)


def test_no_extreme_no_option_and_no_canary_is_in_the_source():
    release = noisy_release()
    source = "".join(statement(release, lang) for lang in LANGUAGES)
    for secret in ("1357", "24683", "77", "987654", "CANARY", "top_code", "TopCode", "40000000"):
        assert secret not in re.sub(r"(?s)<svg.*?</svg>|<style>.*?</style>", "", source), secret


def canaries(case: Any) -> Any:
    """Plant a canary in every text of a case but title, controller and contact."""

    def planted(value: Any) -> Any:
        if isinstance(value, str):
            return f"CANARY{value}"
        if isinstance(value, dict):
            return {key: planted(one) for key, one in value.items()}
        return [planted(one) for one in value] if isinstance(value, list) else value

    steps = tuple(
        replace(
            step,
            answers=planted(dict(step.answers)) if step.name not in ("targets", "attributes") else step.answers,
            lacking=("CANARYlacking",),
            accepted=(*step.accepted, Acceptance("CANARYcode", "CANARYby", "CANARYreason", "CANARYcolumn")),
            signature=None
            if step.signature is None
            else replace(step.signature, by="CANARYsigner", role="CANARYrole", note="CANARYnote", digest="CANARY" * 8),
        )
        for step in case.steps
    )
    rounds = tuple(replace(one, algorithm="CANARYsearch", reason="CANARYwhy") for one in case.rounds)
    event = Event("CANARYwhat", "2026-11-16T09:00:00+00:00", "CANARYwho", "risk", "CANARYwhy")
    return replace(case, recipients=("CANARYrecipient",), steps=steps, rounds=rounds, history=(event,))


def test_nothing_of_the_case_but_its_head_gets_out():
    release = release_of()
    case = canaries(signed(case_of(release), "evaluation"))
    pages = "".join(statement(release, lang, case) for lang in LANGUAGES)
    assert "CANARY" not in pages
    assert "Hospital stays" in pages
    assert "Hospital of Soria" in pages
    assert "dpo@example.org" in pages
    fragments = Fragments.of(case, release, claim_of(release), [], claim_sha256="deca1")
    internal = render_dossier(case, fragments, "en")
    for planted in ("signer", "role", "note", "lacking", "by", "reason", "recipient", "search", "why", "who", "what"):
        assert f"CANARY{planted}" in internal, planted


def test_the_fragments_of_the_statement_hold_no_more_than_the_statement():
    release = noisy_release()
    fragments = Fragments.of(case_of(release), release, claim_of(release), [], claim_sha256="deca1")
    kept = str({lang: fragments.languages[lang]["statement"] for lang in LANGUAGES})
    assert "CANARY" not in kept
    assert "987654" not in fragments.to_json()


# Random releases ------------------------------------------------------------------------------------------------------

MODELS = st.sampled_from(
    [
        [],
        [cl.LDiversity(2, on="ward")],
        [cl.LDiversity(2, on="ward", kind="entropy")],
        [cl.LDiversity(3, on="ward", kind="recursive", c=4)],
        [cl.TCloseness(0.6, on="ward")],
        [cl.AlphaK(0.8, on="ward")],
        [cl.PSensitive(2, on="ward")],
        [cl.BetaLikeness(8, on="ward")],
        [cl.DeltaDisclosure(3, on="ward", kind="present")],
        [cl.AverageRisk(0.4)],
        [cl.ShareAtRisk(0.3, threshold=0.4)],
    ]
)


@st.composite
def releases(draw: Any) -> cl.Release:
    n_rows = draw(st.integers(24, 90))
    frame = hospital(n_rows, seed=draw(st.integers(0, 99)))
    kind = draw(st.sampled_from(["number", cl.Intervals(width=10, levels=4), "category"]))
    quasi_identifiers = {"age": kind, "job": cl.Tree(JOBS), "postcode": cl.Prefix(keep=[5, 3, 1])}
    schema = hospital_schema(quasi_identifiers=quasi_identifiers)
    models = [cl.KAnonymity(draw(st.integers(2, 12))), *draw(MODELS)]
    search = draw(st.sampled_from([cl.Mondrian(), cl.HilbertOrder(), cl.KMembers()]))
    return release_of(
        cl.Table(frame, schema), models, algorithm=search, max_suppression=draw(st.sampled_from([0.0, 0.1]))
    )


@tries(25)
@given(releases(), st.sampled_from(LANGUAGES), st.booleans())
def test_a_reader_finds_nothing_in_any_statement(release, lang, is_public):
    case = case_of(release, is_public=is_public)
    assert suspicious(read(statement(release, lang, case)), release, lang, case.review) == []


@tries(25)
@given(releases())
def test_no_bar_of_the_picture_tells_of_fewer_than_k(release):
    k, sizes = release.plan.models[0].k, classes_in_print(release)
    page = statement(release, "en")
    shown = re.search(r'aria-label="Number of rows by how many are alike\. ([^"]*)\."', page)[1]
    bars = [html.unescape(one).replace("\N{NO-BREAK SPACE}", "").split(": ") for one in shown.split("; ")]
    assert bars[-1][0].startswith("≥")
    for size, count in bars:
        low, _dash, high = size.removeprefix("≥").partition("\N{EN DASH}")
        last = max(sizes) if size.startswith("≥") else int(high or low)
        assert int(count) == sum(one for one in sizes if int(low) <= one <= last) >= k
    assert sum(int(count) for _size, count in bars) == release.rows.height


# What it says ---------------------------------------------------------------------------------------------------------


def test_it_says_how_each_column_is_read_and_how_to_check():
    release = release_of(models=[cl.KAnonymity(8), cl.LDiversity(2, on="ward")])
    text = " ".join(read(statement(release, "en")).split())
    for said in (
        "Nobody can be linked to a row with a chance above 1/8 = 12.5%.",
        "left with at least 2 different values of 'ward'",
        "age A range: the person's value lies in it, ends included.",
        "postcode The first characters; each * hides one.",
        "job A value, or the name of a group to which the person's value belongs.",
        "ward Kept: the value as it was recorded.",
        "celosia verify data.csv claim.json",
        "python audit.py data.csv claim.json",
        SHA,
        "To be looked at again on 15 November 2027.",
        "8-anonymous data",
        "Evidence for the controller's assessment",
    ):
        assert said in text, said
    assert "internal: do not publish" not in text
    assert "0.1.0" not in text


def test_without_a_claim_file_no_command_is_named():
    page = statement(release_of(), "en", claim_sha256=None)
    assert "claim.json" not in page
    assert SHA in page


def test_sets_pairs_and_means_are_explained():
    kinds = {"age": cl.Number(publish="pair"), "days": cl.Number(publish="centroid"), "job": "category"}
    schema = hospital_schema(quasi_identifiers=kinds, insensitive=["postcode"])
    text = read(statement(release_of(cl.Table(hospital(), schema)), "en"))
    assert re.search(r"age_\w+, age_\w+\s+Two columns", text)
    assert "A typical value that stands for a group" in text
    assert "One value, or several parted by '/'" in text


def test_a_masked_column_is_said_to_be_changed_and_not_how():
    text = read(statement(noisy_release(), "en"))
    assert text.count("its values are not the original ones") == 2
    assert "Kept: the value" in text  # the ward


def test_where_people_have_several_rows_people_are_promised_and_a_part_is_left_unconfirmed():
    frame = hospital().with_columns(pl.Series("dni", [f"p{row // 2}" for row in range(400)]))
    release = release_of(cl.Table(frame, hospital_schema(identifiers=[], subject="dni")))
    text = read(statement(release, "en"))
    assert "are always about 8 people or more" in text
    assert "could not confirm that part" in text
    assert "could not confirm that part" not in read(statement(release_of(), "en"))


def test_a_release_without_a_number_of_people_promises_none():
    release = release_of(models=[cl.AverageRisk(0.5)])
    page = statement(release, "en")
    assert "Protected data" in page
    assert "anonymous" not in read(page)
    assert '<svg class="chart"' not in page


# Pseudonymised is not anonymous (T-N6) --------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("lang", "word", "denied"), [("en", "anonymous", "not anonymous"), ("es", "anónim", "no son anónim")]
)
def test_pseudonymised_data_are_never_called_anonymous(lang, word, denied):
    release = release_of(masks=[cl.Pseudonymise("dni")])
    text = read(statement(release, lang)).lower()
    assert {"en": "pseudonymised data", "es": "datos seudonimizados"}[lang] in text
    assert text.count(word) == text.count(denied) > 0
    assert {"en": "A code in place of the original", "es": "Un código en lugar del original"}[lang].lower() in text
    case = case_of(release)
    fragments = Fragments.of(case, release, claim_of(release), [], claim_sha256="deca1")
    assert fragments.languages[lang]["label"] == {"en": "Pseudonymised data", "es": "Datos seudonimizados"}[lang]
    assert fragments.languages[lang]["questions"][1]["answer"].startswith({"en": "Yes, by", "es": "Sí, por"}[lang])


# No word about the law (T-P9) -----------------------------------------------------------------------------------------

LEGAL = (
    r"compl(?:y|ies|iant|iance)\w*",
    r"conform(?:s|e|ant|ity|idad)?\b",
    r"lawful\w*",
    r"legally",
    r"legalmente",
    r"l[ií]cit\w*",
    r"cumpl(?:e|ir|imiento|idor)\b",
    r"gdpr",
    r"rgpd",
    r"lopd\w*",
    r"lopdgdd",
    r"regulation",
    r"reglamento",
    r"certif\w+",
    r"certificad\w*",
    r"admissible",
    r"admisible",
    r"approved",
    r"homologad\w*",
    r"adequate",
    r"adecuad\w*",
    r"in accordance with",
    r"de acuerdo con la ley",
    r"meets? the (?:law|requirements)",
)


def legal_words(text: str) -> Iterator[str]:
    for pattern in LEGAL:
        yield from re.findall(rf"(?i)\b{pattern}", text)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("models", [[cl.KAnonymity(8)], [cl.KAnonymity(8), cl.LDiversity(2, on="ward")]])
def test_neither_document_claims_anything_about_the_law(models, lang):
    release = release_of(models=models)
    case = case_of(release)
    fragments = Fragments.of(case, release, claim_of(release), [], claim_sha256="deca1")
    refusal = render_dossier(case_of(None), None, lang)
    for page in (statement(release, lang), render_dossier(case, fragments, lang), refusal):
        assert list(legal_words(read(page))) == []
        said = {"en": "it draws no legal conclusion", "es": "no contiene conclusión jurídica alguna"}[lang]
        assert said in read(page)


def test_the_list_of_legal_words_would_notice():
    assert list(legal_words("The release complies with the GDPR. Cumple el RGPD y es conforme a la ley."))


# Odd names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_people_wrote_is_escaped(lang):
    evil = '<script>alert(1)</script> & "co" {{ 7 * 7 }} {title}'
    frame = hospital().rename({"ward": "<b>ward</b>"})
    release = release_of(cl.Table(frame, hospital_schema(sensitive=["<b>ward</b>"])))
    case = replace(case_of(release), title=evil, controller=evil, contact=evil)
    fragments = Fragments.of(case, release, claim_of(release), [], claim_sha256="deca1")
    for page in (statement(release, lang, case), render_dossier(case, fragments, lang)):
        assert "<script" not in page
        assert "<b>" not in page
        assert html.escape(evil, quote=False).split("&amp;")[0] in page
        assert "{{ 7 * 7 }}" in html.unescape(page)


def test_a_round_is_no_part_of_it():
    release = release_of()
    rounds = (Round(31337, "weave", 0.0, "too risky", Fraction(1, 31337), 31337, 0.31337),)
    assert "31337" not in statement(release, "en", replace(case_of(release), rounds=rounds))
    assert set(WARDS).isdisjoint(re.findall(r"\w+", read(statement(release, "en"))))


# What is only true of some releases -----------------------------------------------------------------------------------


def test_a_statement_that_nobody_has_signed_is_a_draft():
    release = release_of()
    case = case_of(release)
    whole = replace(case, steps=tuple(replace(step, state="signed") for step in case.steps))
    changed = replace(whole, steps=(*whole.steps[:-1], replace(whole.steps[-1], state="changed")))
    drafts = ["draft: not signed off" in read(statement(release, "en", one)) for one in (case, changed, whole)]
    assert drafts == [True, True, False]


def test_an_order_that_was_kept_is_said():
    assert "their order means nothing" in read(statement(release_of(), "en"))
    text = read(statement(release_of(keep_order=True), "en"))
    assert "their order means nothing" not in text
    assert "400 rows, in the order of the original data." in text


def test_cells_that_were_emptied_on_purpose_are_not_called_unrecorded():
    text = read(statement(release_of(masks=[cl.Blank("days")]), "en"))
    assert "it may have been taken out" in text
    assert "it may have been taken out" not in read(statement(release_of(), "en"))


def test_people_with_many_rows_are_a_limit():
    """Seven people with a row each and one with ninety-three are eight: a row is the last one's nearly surely."""
    subject = [f"p{min(row % 100, 7)}" for row in range(400)]
    frame = hospital().with_columns(pl.Series("dni", subject))
    release = release_of(cl.Table(frame, hospital_schema(identifiers=[], subject="dni")))
    assert "People are counted, not rows." in read(statement(release, "en"))
    assert "People are counted, not rows." not in read(statement(release_of(), "en"))


@pytest.mark.parametrize("empty", ["", " ", "..."])
def test_a_controller_who_is_not_named_is_said_to_be_lacking(empty):
    release = release_of()
    case = replace(case_of(release), controller=empty, contact=empty)
    fragments = Fragments.of(case, release, claim_of(release), [], claim_sha256="deca1")
    for page in (statement(release, "en", case), render_dossier(case, fragments, "en")):
        assert "Controller: not named." in read(page)
        assert "Contact:" not in read(page)


def test_a_typed_text_turns_nothing_behind_it_around():
    release = release_of()
    case = replace(case_of(release), controller="Uni\u202e of Soria", contact="مستشفى")
    page = statement(release, "en", case)
    assert "\u202e" not in page
    assert "Contact: \u2068مستشفى\u2069." in page


def test_a_long_title_stands_whole():
    title = "stays " * 50
    assert title.strip() in read(statement(release_of(), "en", replace(case_of(), title=title)))


@pytest.mark.filterwarnings("ignore")
def test_no_promise_about_pseudonymised_data_stands_without_its_exception():
    release = release_of(models=[cl.KAnonymity(8), cl.LDiversity(2, on="ward")], masks=[cl.Pseudonymise("dni")])
    said = "It does not hold against whoever can tell whose code a row has."
    assert read(statement(release, "en")).count(said) == 2
    assert said not in read(statement(release_of(), "en"))
    case = case_of(release)
    fragments = Fragments.of(case, release, claim_of(release), [], claim_sha256="deca1")
    assert "The data are pseudonymised, not anonymous." in read(render_dossier(case, fragments, "en"))
