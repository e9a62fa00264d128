"""The internal dossier: everything of the case and of its release is in it, and nothing that must never be written."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from cases import case_of, hospital, hospital_schema, release_of, signed

import celosia as cl
from celosia.apps.dossier import STEPS, Acceptance, Case, Event, Round
from celosia.apps.dossier.fragments import Fragments
from celosia.apps.dossier.page import render_dossier
from celosia.apps.dossier.signing import signature_words
from celosia.apps.dossier.words import state_word, step_question, step_title
from celosia.base.findings import Finding
from celosia.report.html_tree import tree_of
from celosia.report.language import LANGUAGES, Language
from celosia.report.sections.findings import message_of


def fragments_of(release: cl.Release, case: Case) -> Fragments:
    claim = release.claim | {"data": {"format": "csv", "n_rows": release.rows.height, "sha256": "c0ffee"}}
    return Fragments.of(case, release, claim, [("hash", "passed"), ("rows", "passed")], claim_sha256="deca1")


def text_of(page: str) -> str:
    page = re.sub(r"(?s)<style>.*?</style>", " ", page)
    text = html.unescape(re.sub(r"<[^>]*>", " ", page)).replace("\N{NO-BREAK SPACE}", " ")
    return " ".join(text.split())


def texts(value: Any) -> list[str]:
    """Every text that people wrote, in whatever it stands."""
    if isinstance(value, str):
        return [value] if value.startswith("ANSWER") else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in parts for text in texts(part)]


@pytest.fixture(scope="module")
def release() -> cl.Release:
    return release_of(models=[cl.KAnonymity(8)])


@pytest.fixture(scope="module")
def case(release) -> Case:
    return case_of(release)


@pytest.fixture(scope="module")
def fragments(release, case) -> Fragments:
    return fragments_of(release, case)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_step_finding_acceptance_and_signature_is_there(case, fragments, release, lang):
    language, text = Language(lang), text_of(render_dossier(case, fragments, lang))
    for step in case.steps:
        assert step_title(step.name, language) in text
        assert step_question(step.name, language) in text
        for said in texts(step.answers):
            assert step.name == "risk" or said in text, said  # what step 6 has are acceptances
        for finding in step.findings:
            assert finding.code in text
            assert " ".join(message_of(finding, language).split()) in text
        for accepted in step.accepted:
            assert f"{accepted.by}: {accepted.reason}" in text
        if step.signature is not None:
            for said in (step.signature.by, step.signature.role, step.signature.note, step.signature.digest[:12]):
                assert said in text
    assert len([step for step in case.steps if step.accepted]) == 1
    for event in case.history:
        assert event.at[:10] in text


def test_who_has_not_signed_is_asked_to(case, fragments):
    page = render_dossier(case, fragments, "en")
    assert "sign steps 7 and 8" in text_of(page)
    assert "Step 7, Evaluation: to be signed." in text_of(page)
    assert page.count("_______") > 0
    whole = signed(signed(case, "evaluation"), "documentation")
    done = render_dossier(whole, fragments, "en")
    assert "All eight steps are signed." in text_of(done)
    assert "Open points None." in text_of(done)
    assert "_______" not in done


def test_what_was_changed_after_it_was_signed_shows(case, fragments):
    steps = tuple(replace(step, state="changed") if step.name == "targets" else step for step in case.steps)
    text = text_of(render_dossier(replace(case, steps=steps), fragments, "en"))
    assert "Step 2, Targets: changed since it was signed." in text
    assert "The step was changed since." in text


def test_an_open_warning_and_what_lacks_are_open_points(case, fragments):
    found = Finding("ODD_THING", "warning", "An odd thing in '{column}'.", "age")
    steps = tuple(
        replace(step, findings=(found,), lacking=("Say it.",), state="open", signature=None)
        if step.name == "purposes"
        else step
        for step in case.steps
    )
    text = text_of(render_dossier(replace(case, steps=steps), fragments, "en"))
    assert "Step 4, Purposes: Say it." in text
    assert "Step 4, Purposes: warning ODD_THING is not accepted by anybody." in text
    assert "Not accepted by anybody." in text


def test_an_acceptance_is_for_its_column_alone(case, fragments):
    found = [Finding("ODD_THING", "warning", "An odd thing in '{column}'.", column) for column in ("age", "job")]
    accepted = (Acceptance("ODD_THING", "Luis Gil", "REASONodd", "age"), Acceptance("GONE", "Luis Gil", "REASONgone"))
    steps = tuple(
        replace(step, findings=tuple(found), accepted=accepted) if step.name == "purposes" else step
        for step in case.steps
    )
    page = render_dossier(replace(case, steps=steps), fragments, "en")
    boxes = re.findall(r'(?s)<li class="warning">(.*?)</li>', page)
    odd = [box for box in boxes if "ODD_THING" in box]
    assert [("REASONodd" in box, "Not accepted" in box) for box in odd] == [(True, False), (False, True)]
    assert "Accepted, but not found any more" in page
    assert "REASONgone" in page


def test_findings_that_only_the_release_has_are_told_too(case, fragments, release):
    steps = tuple(replace(step, findings=(), accepted=()) for step in case.steps)
    page = render_dossier(replace(case, steps=steps), fragments, "en")
    assert "Of the release itself" in page
    for finding in release.findings:
        assert finding.code in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_is_one_sound_file(case, fragments, lang):
    page = render_dossier(case, fragments, lang)
    elements = list(tree_of(page).elements())
    tags = [one.tag for one in elements]
    assert tags.count("h1") == 1
    assert "script" not in tags
    assert "img" not in tags
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:|//)""", page)
    assert not re.search(r"@import|url\((?!#)", page)
    anchors = [one.attributes["id"] for one in elements if "id" in one.attributes]
    assert len(anchors) == len(set(anchors))
    links = [one.attributes["href"] for one in elements if one.tag == "a"]
    assert {link.removeprefix("#") for link in links} <= set(anchors)
    levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h\d", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert f'<html lang="{lang}">' in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_picture_speaks(case, fragments, lang):
    page = render_dossier(case, fragments, lang)
    charts = re.findall(r'<svg class="chart"[^>]*>', page)
    assert len(charts) >= 6  # verdict, loop, classes, two of risk, distributions
    assert all(re.search(r'aria-label="[^"]{10,}"', chart) for chart in charts)


def test_the_stamp_is_on_the_internal_document_alone(case, fragments):
    assert "internal: do not publish" in render_dossier(case, fragments, "en")
    assert "interno: no publicar" in render_dossier(case, fragments, "es")


def test_k_is_said_to_follow_from_the_targets(case, fragments):
    text = text_of(render_dossier(case, fragments, "en"))
    assert "k = 8 follows from the targets: the accepted risk needs at least 5 people in every class" in text
    assert "Celosía never chooses it" not in text


def test_the_verdict_says_when_targets_are_not_kept(release):
    case = case_of(release, max_loss=0.001)
    page = render_dossier(case, fragments_of(release, case), "en")
    assert "The release does not keep to its targets" in page
    assert 'class="claim broken"' in page


def test_the_figures_of_the_verdict_are_those_of_the_release(case, fragments, release):
    text = text_of(render_dossier(case, fragments, "en"))
    figures = fragments.figures
    assert figures.risk_after == Fraction(1, 4) * Fraction(1, release.k)
    assert figures.risk_before == Fraction(1, 4)
    assert figures.holds
    assert "25% with the original values, 3.12% as published." in text
    assert f"{Language('en').percent(release.loss.gcp)} (GCP), of at most 50%" in text
    assert "400 rows in 5 columns. 8-anonymous release." in text
    assert "2 checks passed, none failed." in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_identifier_and_no_value_of_a_row_left_out_is_in_it(lang):
    frame = pl.concat([hospital(200), hospital(6, seed=9).with_columns(pl.lit("CANARYjob").alias("job"))])
    frame = frame.with_columns(pl.Series("dni", [f"CANARYdni{row}" for row in range(206)]))
    tree = cl.Tree(
        [("nurse", "*"), ("surgeon", "*"), ("judge", "*"), ("notary", "*"), ("cook", "*"), ("baker", "*")],
        on_missing="suppress",
    )
    schema = hospital_schema(quasi_identifiers={"age": "number", "job": tree}, insensitive=["days", "postcode"])
    release = release_of(cl.Table(frame, schema), max_suppression=0.2, seed=778899)
    assert release.classes.n_suppressed >= 6
    case = case_of(release)
    found = fragments_of(release, case)
    assert "CANARY" not in render_dossier(case, found, lang) + found.to_json()
    assert "778899" not in render_dossier(case, found, lang) + found.to_json()


# Not feasible ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_tells_the_rounds_and_shows_no_release(lang):
    case = case_of(None, n_signed=5)
    page = render_dossier(case, None, lang)
    text = text_of(page)
    assert {"en": "Not feasible: nothing that was tried", "es": "No viable: nada de lo que se probó"}[lang] in text
    for one in case.rounds:
        assert Language(lang).text(one.reason) in text
    assert 'id="classes"' not in page
    assert 'id="questions"' not in page
    assert len(re.findall(r'(?s)id="step-\w+"', page)) == len(STEPS)


def test_a_refusal_says_what_came_nearest_and_what_would_help():
    advice = Finding("MORE_LOSS_WOULD_DO", "note", "A loss of {loss} would do.", values={"loss": "71%"})
    case = case_of(None)
    rounds = (Round(3, "weave", 0.0, "too risky", Fraction(1, 12), 3, 0.3, 0.0, 0.1), *case.rounds)
    steps = tuple(replace(step, findings=(advice,)) if step.name == "risk" else step for step in case.steps)
    text = text_of(render_dossier(replace(case, steps=steps, rounds=rounds), None, "en")).split("Sign-off")[1]
    assert "Nearest to the targets Round 2: a greatest risk of 5%, and 71% of the information lost." in text
    assert "What would help A loss of 71% would do." in text


def test_a_case_before_its_loop_is_not_decided():
    case = replace(case_of(None), outcome=None, rounds=(), history=())
    text = text_of(render_dossier(case, None, "en"))
    assert "Not decided yet" in text
    assert "Nothing has been tried yet." in text
    assert "Nothing has happened yet." in text


def test_moments_of_any_zone_are_put_in_order():
    events = (Event("made", "2026-11-02T23:30:00-05:00"), Event("run", "2026-11-03T02:00:00"))
    text = text_of(render_dossier(replace(case_of(None), history=events), None, "en"))
    assert "3 November 2026, 04:30 UTC" in text  # the cover has the last of them
    assert "2026-11-03 02:00" in text


def test_an_unsigning_that_followed_another_is_told_in_the_readers_language():
    event = Event("unsigned", "2026-11-02T23:30:00Z", "Ana Ruiz", "risk", "it stood on step 2 (targets)")
    page = render_dossier(replace(case_of(None), history=(event,)), None, "es")
    assert "it stood on" not in page
    assert "se apoyaba en el paso 2" in page


# The loop -------------------------------------------------------------------------------------------------------------


def test_the_loop_is_told_round_by_round(case, fragments):
    page = render_dossier(case, fragments, "en")
    table = page.split('id="loop"')[1].split("</table>")[0]
    rows = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.findall(r"(?s)<tr>(.*?)</tr>", table)][1:]
    assert len(rows) == len(case.rounds)
    for number, (row, one) in enumerate(zip(rows, case.rounds, strict=True), 1):
        assert row[0] == str(number)
        assert row[1] == str(one.k)
        assert row[2] == one.algorithm
    assert "accepted: the release" in rows[-1][-1]
    assert sum("the release" in row[-1] for row in rows) == 1


def places(page: str) -> dict[str, tuple[float, float]]:
    """Where the points of the loop's picture stand: circles, and the diamond by its top."""
    picture = page.split('id="loop"')[1].split("</svg>")[0]
    circles = re.findall(r'<circle class="(\w+)" cx="([\d.]+)" cy="([\d.]+)"', picture)
    (diamond,) = re.findall(r'<path class="after" d="M([\d.]+) ([\d.]+)l7 7', picture)
    found = {f"{kind} {place}": (float(x), float(y)) for place, (kind, x, y) in enumerate(circles)}
    return found | {"chosen": (float(diamond[0]), float(diamond[1]) + 7)}


def test_the_picture_puts_riskier_rounds_to_the_right_and_lossier_ones_above(case, fragments):
    found = places(render_dossier(case, fragments, "en"))
    risky, lossy, chosen = found["before 0"], found["before 1"], found["chosen"]
    assert lossy[0] < chosen[0] < risky[0]
    assert lossy[1] < chosen[1] < risky[1]


def test_the_threshold_parts_what_is_accepted_from_what_is_not(case, fragments):
    page = render_dossier(case, fragments, "en")
    picture = page.split('id="loop"')[1].split("</svg>")[0]
    (line,) = {
        x for x, to in re.findall(r'<line class="limit" x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)"', picture) if x == to
    }
    found = places(page)
    assert found["chosen"][0] < float(line) < found["before 0"][0]


def test_a_round_at_the_threshold_is_drawn_on_it(release):
    case = case_of(release)
    rounds = (Round(5, "weave", 0.0, "accepted", case.situation.accepted, 5, 0.2, 0.0, 0.1, chosen=True),)
    page = render_dossier(replace(case, rounds=rounds), fragments_of(release, case), "en")
    picture = page.split('id="loop"')[1].split("</svg>")[0]
    upright = [
        x for x, to in re.findall(r'<line class="limit" x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)"', picture) if x == to
    ]
    assert places(page)["chosen"][0] == pytest.approx(float(upright[0]), abs=0.2)


def test_a_loop_that_was_cut_off_does_not_deny_what_it_found():
    release = release_of()
    case = replace(case_of(release), outcome=None)
    assert "none within all targets" not in render_dossier(case, None, "en")
    assert "1 within all targets; no release is written" in render_dossier(case, None, "en")


@pytest.mark.parametrize("state", ["open", "waiting", "ready"])
def test_a_signature_on_a_step_that_does_not_count_as_signed_says_so(state):
    case = signed(case_of(release_of()), "targets")
    step = replace(case.step("targets"), state=state)
    said = signature_words(step, Language("en"))
    assert said.startswith("Signed by")
    assert state_word(state, Language("en"))[1:] in said
