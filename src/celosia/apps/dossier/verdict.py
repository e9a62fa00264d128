"""The verdict on one page: what was released to whom, how safe it is, what it cost, and what is still open."""

from __future__ import annotations

from typing import Any

from celosia.apps.dossier.accepting import open_warnings
from celosia.apps.dossier.answers import threshold_words
from celosia.apps.dossier.case import Case, Step
from celosia.apps.dossier.fragments import Figures, Fragments
from celosia.apps.dossier.spelling import Row, day
from celosia.apps.dossier.words import step_title
from celosia.report.charts import Pair
from celosia.report.language import Language
from celosia.report.sections.findings import message_of
from celosia.report.sections.scenarios import chart_against


def verdict(case: Case, fragments: Fragments | None, language: Language) -> dict[str, Any]:
    """Return headline, rows and picture of the verdict; without fragments there is no release.

    Examples
    --------
    >>> from celosia.apps.dossier.case import STEPS
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> steps = tuple(Step(name, "ready") for name in STEPS)
    >>> case = Case("marks", "Uni", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, steps)
    >>> verdict(case, None, Language("en"))["headline"]
    'Not decided yet: the loop of anonymising and measuring has not ended.'
    """
    _ = language.text
    told = language.about(**_places(case, fragments, language))
    rows: list[Row] = [
        (_("What was released"), [_released(fragments, language)]),
        (_("For whom") if fragments is None else _("To whom"), [_recipients(case, language)]),
        *([] if fragments is None else [(_("What holds"), _promises(fragments, language))]),
        (_("Accepted risk"), [threshold_words(case, language)]),
        *([] if fragments is None else _measured(case, fragments.figures, told)),
        (_("Outcome"), [_outcome(case, language)]),
        *([] if fragments is not None else _instead(case, language)),
        (_("Open points"), open_points(case, language) or [_("None.")]),
    ]
    if case.review is not None:
        rows.append((_("Next review"), [day(case.review, language)]))
    return {
        "headline": _headline(case, fragments, told),
        "remark": _remark(case, fragments, language),
        "is_good": fragments is not None and fragments.figures.holds and fragments.figures.gcp <= case.max_loss,
        "rows": rows,
        "chart": None if fragments is None else _chart(case, fragments.figures, told),
        "questions": [] if fragments is None else fragments.languages[language.code]["questions"],
    }


def key_figures(case: Case, fragments: Fragments | None, language: Language) -> list[tuple[str, str, str]]:
    """Return the figures of the cover: name, figure, remark.

    Examples
    --------
    >>> from celosia.apps.dossier.case import STEPS
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> steps = tuple(Step(name, "ready") for name in STEPS)
    >>> case = Case("marks", "Uni", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, steps)
    >>> key_figures(case, None, Language("en"))[0]
    ('accepted risk', '20%', 'in the worst scenario')
    """
    places = _places(case, fragments, language)
    _ = language.about(**places).text
    n_signed = sum(step.state == "signed" for step in case.steps)
    signed = (
        _("steps signed"),
        _("{n} of {all}", n=n_signed, all=len(case.steps)),
        _("by named people, in their order"),
    )
    if fragments is None:
        return [
            (_("accepted risk"), places["threshold"], _("in the worst scenario")),
            (_("rounds tried"), language.whole(len(case.rounds)), _rounds_within(case, language)),
            signed,
        ]
    needed = language.whole(case.situation.minimal_k)
    return [
        (_("smallest class (k)"), language.whole(fragments.figures.k), _("people; {k} are needed", k=needed)),
        (_("greatest risk"), places["after"], _("{before} before; accepted: {threshold}")),
        (_("information lost (GCP)"), places["loss"], _("accepted: {share}", share=places["max_loss"])),
        signed,
    ]


def _places(case: Case, fragments: Fragments | None, language: Language) -> dict[str, str]:
    """Return the targets, and the figures beside them, as the sentences of the verdict tell them."""
    targets = {
        "threshold": language.share(case.situation.accepted),
        "max_loss": language.percent(case.max_loss),
    }
    if fragments is None:
        return targets
    figures = fragments.figures
    return targets | {
        "before": language.share(figures.risk_before),
        "after": language.share(figures.risk_after),
        "loss": language.percent(figures.gcp),
    }


def _rounds_within(case: Case, language: Language) -> str:
    n_within = sum(one.verdict == "accepted" for one in case.rounds)
    if not n_within:
        return language.text("none within all targets")
    return language.text("{n} within all targets; no release is written", n=language.whole(n_within))


def asked(case: Case, language: Language) -> str:
    """Say what is asked of the reader.

    Examples
    --------
    >>> from celosia.apps.dossier.case import STEPS
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> steps = tuple(Step(name, "signed") for name in STEPS[:7]) + (Step(STEPS[7], "ready"),)
    >>> case = Case("x", "y", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, steps)
    >>> asked(case, Language("en"))
    'Please read the verdict and the open points. If you can answer for it, sign step 8.'
    """
    _ = language.text
    waiting = [step for step in case.steps if step.state != "signed"]
    if not waiting:
        return _(
            "All eight steps are signed. Keep this dossier protected, and look at it again when its review is due."
        )
    numbers = language.listed([str(step.number) for step in waiting])
    if case.outcome == "not feasible":
        return _(
            "No release was made. Please read why, and decide whether the targets or the data can be other ones. "
            "Still to be signed: {numbers}.",
            numbers=numbers,
        )
    return language.plural(
        "Please read the verdict and the open points. If you can answer for it, sign step {numbers}.",
        "Please read the verdict and the open points. If you can answer for them, sign steps {numbers}.",
        len(waiting),
        numbers=numbers,
    )


def open_points(case: Case, language: Language) -> list[str]:
    """Return what must still be done, step by step.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> steps = (Step("release_model", "ready"), Step("targets", "open", lacking=("Say why.",)))
    >>> case = Case("x", "y", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, steps)
    >>> open_points(case, Language("en"))
    ['Step 1, Release model: to be signed.', 'Step 2, Targets: Say why.']
    """
    return [
        language.text(
            "Step {number}, {title}: {what}", number=step.number, title=step_title(step.name, language), what=what
        )
        for step in case.steps
        for what in _open(step, language)
    ]


def _open(step: Step, language: Language) -> list[str]:
    _ = language.text
    found = [_(one) for one in step.lacking]
    found += [_("warning {code} is not accepted by anybody.", code=one.code) for one in open_warnings(step)]
    if step.state == "changed":
        found.append(_("changed since it was signed."))
    if step.state == "ready":
        found.append(_("to be signed."))
    if step.state == "waiting" and not found:
        found.append(_("waits for an earlier step."))
    return found


def _headline(case: Case, fragments: Fragments | None, language: Language) -> str:
    _ = language.text
    if fragments is None:
        if case.outcome == "not feasible":
            return _("Not feasible: nothing that was tried keeps to all targets. Nothing was released.")
        return _("Not decided yet: the loop of anonymising and measuring has not ended.")
    risk = language.share(fragments.figures.risk_after)
    if fragments.figures.holds and fragments.figures.gcp <= case.max_loss:
        return _(
            "The release keeps to its targets: a greatest risk of {risk} where {threshold} is accepted, and {loss} of "
            "the information lost where {max_loss} is.",
            risk=risk,
        )
    return _(
        "The release does not keep to its targets: a greatest risk of {risk} where {threshold} is accepted, and {loss} "
        "of the information lost where {max_loss} is.",
        risk=risk,
    )


def _remark(case: Case, fragments: Fragments | None, language: Language) -> str:
    if fragments is not None and any(entry.get("pseudonyms") for entry in fragments.claim["columns"]):
        return language.text(
            "The data are pseudonymised, not anonymous. All figures leave the codes aside: whoever can tell whose code "
            "a row has, knows whose row it is."
        )
    if fragments is None and case.outcome == "not feasible":
        return language.text(
            "That is a result, not a failure: these data cannot be as safe and as useful as was asked, by the means "
            "that were allowed. The rounds below say why, and the findings what would help."
        )
    return ""


def _released(fragments: Fragments | None, language: Language) -> str:
    _ = language.text
    if fragments is None:
        return _("Nothing.")
    return _(
        "{rows} in {columns}. {label}.",
        rows=language.plural("{n} row", "{n} rows", fragments.figures.n_published),
        columns=language.plural("{n} column", "{n} columns", fragments.figures.n_columns),
        label=fragments.languages[language.code]["label"],
    )


def _recipients(case: Case, language: Language) -> str:
    _ = language.text
    if case.is_public:
        return _("The public.")
    if not case.recipients:
        return _("Known recipients, who are not named here.")
    return f"{language.listed(list(case.recipients))}."


def _promises(fragments: Fragments, language: Language) -> list[str]:
    promises = fragments.languages[language.code]["promises"]
    return [f"{one['title']}: {one['meaning']}" if one["meaning"] else one["title"] for one in promises]


def _measured(case: Case, figures: Figures, language: Language) -> list[Row]:
    _ = language.about(n=len(case.situation.scenarios), n_rows=language.whole(figures.n_rows)).text
    risk = _("{before} with the original values, {after} as published.")
    if len(case.situation.scenarios) > 1:
        risk = _("{before} with the original values, {after} as published, in the worst of {n} scenarios.")
    left_out = _("None.")
    if figures.n_published != figures.n_rows:
        left_out = _("{share} of {n_rows}.", share=language.percent(figures.share_left_out))
    lost = _("{loss} (GCP), of at most {max_loss}; 0 would be every value as it was.")
    checked = language.plural(
        "An independent program read the written file back: {n} check passed, none failed.",
        "An independent program read the written file back: {n} checks passed, none failed.",
        figures.n_checks,
    )
    return [
        (_("Risk before and after"), [risk]),
        (_("Information lost"), [lost]),
        (_("Rows left out"), [left_out]),
        (_("Verifier"), [checked]),
    ]


def _instead(case: Case, language: Language) -> list[Row]:
    """Return, where nothing was released, the round that came nearest and what would have helped."""
    _ = language.text
    measured = [
        (number, one) for number, one in enumerate(case.rounds, 1) if one.risk is not None and one.gcp is not None
    ]
    rows: list[Row] = []
    if measured:
        # Those within the threshold first; among them the least loss.
        number, near = min(measured, key=lambda pair: (pair[1].verdict == "too risky", pair[1].gcp, pair[1].risk))
        assert near.risk is not None
        assert near.gcp is not None
        said = _(
            "Round {number}: a greatest risk of {risk}, and {loss} of the information lost.",
            number=number,
            risk=language.share(near.risk),
            loss=language.percent(near.gcp),
        )
        rows.append((_("Nearest to the targets"), [said]))
    advice = [message_of(one, language) for one in case.step("risk").findings if one.severity == "note"]
    return [*rows, (_("What would help"), advice)] if advice else rows


def _outcome(case: Case, language: Language) -> str:
    _ = language.text
    if case.outcome == "feasible":
        return _("Feasible: a release within all targets was found.")
    if case.outcome == "not feasible":
        return _("Not feasible within the targets.")
    return _("Not decided yet.")


def _chart(case: Case, figures: Figures, language: Language) -> dict[str, Any]:
    """Return the risk before and after, against the threshold."""
    _ = language.text
    limit, risks = float(case.situation.accepted), (float(figures.risk_before), float(figures.risk_after))
    bar = Pair(_("Greatest risk of any row"), *risks, " → ".join(map(language.percent, risks)))
    said = _("The greatest risk is {before} before and {after} after; the threshold is {threshold}.")
    caption = _("Greatest risk of any row in the worst scenario, before → after.")
    return chart_against([bar], limit, said, caption, language)
