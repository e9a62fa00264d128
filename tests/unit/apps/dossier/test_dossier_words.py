"""Both languages, what people answered and what was measured, and the glossary."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from babel.messages.pofile import read_po
from cases import case_of, release_of

import celosia as cl
from celosia.apps.dossier import Step
from celosia.apps.dossier.answers import answers_of, threshold_words
from celosia.apps.dossier.evidence import evidence_of
from celosia.apps.dossier.fragments import Fragments
from celosia.apps.dossier.glossary import _TERMS, glossary
from celosia.apps.dossier.page import render_dossier
from celosia.apps.dossier.spelling import label_of, lines_of
from celosia.apps.dossier.statement import render_statement
from celosia.measure.risk.scenarios import Acquaintance, Breach, Insider
from celosia.measure.risk.situation import Situation
from celosia.report import language as language_module
from celosia.report.language import LANGUAGES, Language

CATALOGUE = language_module._CATALOGUE / "es" / "LC_MESSAGES" / "celosia.po"


def pages(lang: str) -> list[str]:
    """The dossier of a release, its statement, and the dossier of a refusal."""
    release = release_of(models=[cl.KAnonymity(8), cl.LDiversity(2, on="ward")], risk=case_of(None).situation, seed=1)
    case = case_of(release)
    claim = release.claim | {"data": {"format": "csv", "n_rows": release.rows.height, "sha256": "c0ffee"}}
    fragments = Fragments.of(case, release, claim, [("hash", "passed")], claim_sha256="deca1")
    statement = render_statement(case, fragments.languages[lang]["statement"], fragments.made, lang)
    return [render_dossier(case, fragments, lang), statement, render_dossier(case_of(None), None, lang)]


def pieces(page: str) -> list[str]:
    """The texts between tags, without commands and plans, and the words of pictures."""
    page = re.sub(r"(?s)<(style|pre|code)\b.*?</\1>", " ", page)
    spoken = re.findall(r'aria-label="([^"]*)"', page)
    return [" ".join(html.unescape(one).split()) for one in [*re.split(r"<[^>]*>", page), *spoken] if one.strip()]


OWN = re.compile(r"ANSWER|REASON|NOTE|Ana Ruiz|Hospital|Health Institute|^(?:(?:age|postcode|job|ward|days)\W*)+$")
"""What people wrote, which is the same in both languages."""


def test_no_english_is_left_in_the_spanish_documents():
    for english, spanish in zip(pages("en"), pages("es"), strict=True):
        left = Counter(one for one in pieces(spanish) if not OWN.search(one)) & Counter(pieces(english))
        # Names of columns, files, searches and abbreviations are the same; sentences are not.
        sentences = [one for one in left if len(re.findall(r"[^\W\d_]{2,}", one)) > 3]
        assert sentences == []
        assert english != spanish


def test_no_message_of_the_catalogue_stands_in_english_in_a_spanish_document():
    with open(CATALOGUE, "rb") as file:
        messages = [message for message in read_po(file, locale="es") if message.id]
    whole = " ".join(" ".join(pieces(page)) for page in pages("es"))
    for message in messages:
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        said = " ".join(message.string) if isinstance(message.string, tuple) else message.string
        for chunk in (part.strip() for one in ids for part in re.split(r"\{\w*\}", one)):
            if len(chunk.split()) > 3 and chunk not in said:
                assert chunk not in whole, chunk


# Answers and evidence -------------------------------------------------------------------------------------------------


def rows_of(step: Step, case, lang: str = "en") -> dict[str, list[str]]:
    return {name: lines for group in answers_of(step, case, Language(lang)) for name, lines in group.rows}


def test_options_that_may_hold_values_are_not_repeated():
    answers = {
        "masks": [{"top_code": {"column": "age", "at": 31337}}, {"drop_rows": {"where": "age > 31337"}}],
        "models": [{"alpha_k": {"alpha": 0.5, "on": "ward", "values": ["CANARY"]}}, "CANARYless"],
        "try": {"algorithms": [{"weave": {"effort": "best"}}], "max_suppression": 0.02, "k": 4},
    }
    rows = rows_of(Step("anonymisation", "open", answers), case_of(None))
    assert rows["Masks"] == ["top_code (column: age)", "drop_rows"]
    assert rows["Models"] == ["k-anonymity, from k = 4 on.", "alpha_k (alpha: 0.5; on: ward)", "CANARYless"]
    assert rows["Searches that may be tried"] == ["weave (effort: best)"]
    assert rows["Shares of the rows that a search may leave out"] == ["2%"]


def test_hierarchies_are_named_by_their_kind_alone():
    schema = {"quasi_identifiers": {"age": "number", "job": {"tree": "CANARY.csv"}, "x": None}, "subject": "dni"}
    rows = rows_of(Step("attributes", "open", {"schema": schema}), case_of(None))
    assert rows["Quasi-identifiers"][0].startswith("age (number), job (tree), x.")
    assert rows["Whose row it is"] == ["dni"]
    assert "CANARY" not in str(rows)


def test_what_is_not_written_yet_is_left_out_or_a_dash():
    rows = rows_of(
        Step("evaluation", "open", {"benefit": "...", "harm": None, "balance": "so"}), replace(case_of(None), rounds=())
    )
    assert rows == {"Why the one outweighs the other": ["so"]}
    rows = rows_of(Step("purposes", "open", {"keep": {"age": "...", "job": ""}}), case_of(None))
    assert rows == {"age": ["\N{EM DASH}"], "job": ["\N{EM DASH}"]}


def test_answers_that_no_document_knows_are_shown_all_the_same():
    rows = rows_of(
        Step("release_model", "open", {"kind": "public", "own_key": ["a", "b"]}), case_of(None, is_public=True)
    )
    assert rows["own key"] == ["a, b"]


def test_every_scenario_is_told_with_its_chance():
    scenarios = [Insider("high", "low"), Acquaintance("0.001"), Breach("0.27", "a survey", "2026-01-31")]
    case = replace(case_of(None), situation=Situation(scenarios, harm="medium"))
    lines = rows_of(Step("targets", "open"), case)["Who might try"]
    assert [re.search(r"[\d.]+%", line)[0] for line in lines] == ["3%", "13.9%", "27%"]
    assert "a survey, 2026-01-31" in lines[2]
    certain = replace(case_of(None), situation=Situation([Insider("none", "high")], harm="low"))
    assert rows_of(Step("targets", "open"), certain)["Who might try"] == [
        "Deliberate attack by an insider: an attempt is taken as certain."
    ]


def test_the_questions_about_an_insider_are_told_with_their_answers():
    situation = Situation([Insider("high", "low", answers={"contract": "never"})], harm="low")
    rows = rows_of(Step("targets", "open"), replace(case_of(None), situation=situation))
    assert ["never"] in rows.values()


@pytest.mark.parametrize(
    ("strict", "covers"), [(False, "data"), (True, "data"), (False, "data and controls"), (True, "data and controls")]
)
def test_the_threshold_is_told_with_what_it_covers(strict, covers):
    situation = replace(case_of(None).situation, strict=strict)
    words = threshold_words(replace(case_of(None), situation=situation, covers=covers), Language("en"))
    assert words.startswith("Below 5%" if strict else "At most 5%")
    assert ("controls" in words) == (covers == "data and controls")


def test_values_are_spelt_by_what_they_are():
    language = Language("es")
    values = {"gcp": 0.125, "n_rows": 12000, "own": 1.5, "holds": True, "risk": Fraction(1, 8), "on": date(2027, 1, 2)}
    lines = [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines_of(values, language)]
    assert lines[1:4] == ["filas: 12 000", "own: 1,5", f"{label_of('holds', language)}: sí"]
    assert lines[0].endswith(": 12,5 %")
    assert lines[4].endswith(": 12,5 %")
    assert lines[5] == "on: 2 de enero de 2027"


def test_evidence_of_every_step_is_told():
    output = {"format": "csv", "sha256": "feed", "n_rows": 12}
    scenario = {"scenario": "insider", "attempt": 0.25, "risk_before": None, "risk_after": 0.05, "holds": True}
    step = Step(
        "risk",
        "ready",
        evidence={
            "threshold": 0.05,
            "risk_before": 0.25,
            "scenarios": [scenario],
            "audit": {"holds": True, "checks": {"hash": "passed", "rows": "passed"}},
            "output": output,
            "versions": {"celosia": "1.0", "python": "3.11"},
            "own": {"n_rows": 3},
            "nothing": [],
        },
    )
    assert evidence_of(step, Language("en")) == [
        ("greatest risk before", ["25%"]),
        (
            "scenarios",
            ["Deliberate attack by an insider: an attempt has a chance of 25%; risk undefined before, 5% after."],
        ),
        ("verifier", ["2 checks passed, none failed."]),
        ("data file", ["csv, 12 rows", "SHA-256 feed"]),
        ("versions", ["Celosía 1.0, Python 3.11"]),
        ("own", ["rows: 3"]),
    ]
    mask = {"mask": "drop", "columns": ["dni"], "called": "reduced", "remains": "It is gone."}
    rows = {"mask": "sample", "columns": [], "called": "sampled", "remains": "Fewer."}
    seen = Step("anonymisation", "ready", evidence={"masks": [mask, rows], "called": ["reduced", "sampled"]})
    assert evidence_of(seen, Language("en")) == [
        ("masks", ["drop on dni. It is gone.", "sample on whole rows. Fewer."]),
        ("what the result is called", ["reduced data and sampled data"]),
    ]


# The glossary ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_glossary_has_the_terms_that_are_used_and_no_others(lang):
    page = pages(lang)[0]
    body = page.split('id="glossary"')[0]
    terms = re.findall(r"<dt>([^<]*)</dt>", page.split('id="glossary"')[1].split("</section>")[0])
    language = Language(lang)
    text = " ".join(pieces(body)).casefold()
    for term in _TERMS:
        is_used = any(beginning in text for beginning in term.found_by[lang])
        assert not is_used or language.text(term.name) in map(html.unescape, terms), term.name
    assert language.text("t-closeness") not in terms
    assert language.text("pseudonymisation") not in terms or "seud" in text or "pseud" in text
    assert terms == sorted(terms, key=str.casefold)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_term_can_be_found_by_a_message_of_the_catalogue(lang):
    """A beginning of a word that no message has would never bring its term into a glossary."""
    with open(CATALOGUE, "rb") as file:
        messages = [message for message in read_po(file, locale="es") if message.id]
    said = [message.id if lang == "en" else message.string for message in messages]
    whole = " ".join(" ".join(one) if isinstance(one, tuple) else one for one in said).casefold()
    for term in _TERMS:
        assert any(beginning in whole for beginning in term.found_by[lang]), term.name


def test_styles_pictures_and_plans_do_not_count():
    page = "<style>threshold</style><svg aria-label='class'></svg><pre>mask</pre><p title='claim'>nothing</p>"
    assert glossary(page, Language("en")) == []
