"""What people answered under a step, as rows of a table.

Options of masks, models and hierarchies are not repeated here: they may hold values of the data. The plan, in which
such values are hidden, stands with the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from celosia.apps.dossier.case import Case, Round, Step
from celosia.apps.dossier.spelling import UNWRITTEN, Row, day, label_of, lines_of
from celosia.measure.risk.scenarios import QUESTIONS, Acquaintance, Breach, Insider, Scenario
from celosia.report.language import Language

_OF_MASKS = frozenset({"column", "columns"})
_OF_MODELS = frozenset(
    {
        "k",
        "l",
        "c",
        "t",
        "p",
        "alpha",
        "beta",
        "delta",
        "limit",
        "share",
        "threshold",
        "on",
        "kind",
        "distance",
        "level",
    }
)
_OF_SEARCHES = frozenset({"effort", "passes", "time_limit", "local", "objective"})
"""The options that are repeated: none of them holds a value of the data, a path or a key."""


@dataclass(frozen=True)
class Group:
    """Some rows under a common title, which may be empty."""

    title: str
    rows: list[Row]


def answers_of(step: Step, case: Case, language: Language) -> list[Group]:
    """Return what the project file says under a step, in the order in which it asks.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> case = Case("marks", "Uni", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, ())
    >>> answers_of(Step("release_model", "open"), case, Language("en"))[0].rows
    [('Release', ['Public: anybody can have the data.'])]
    """
    known, asked = _STEPS[step.name]
    others: list[Row] = [
        (label_of(key, language), lines_of(value, language)) for key, value in step.answers.items() if key not in asked
    ]
    groups = [*known(step, case, language), Group("", others)]
    return [group for group in groups if group.rows]


def threshold_words(case: Case, language: Language) -> str:
    """Say which risk is accepted, and whether controls count in it.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> case = Case("marks", "Uni", "", True, (), Situation([PublicRelease()], threshold=0.01), "data", 0.5, ())
    >>> threshold_words(case, Language("en"))
    "At most 1%, for the data's risk alone: an attempt is taken as certain."
    """
    _ = language.about(threshold=language.percent(float(case.situation.accepted))).text
    if case.covers == "data":
        if case.situation.strict:
            return _("Below {threshold}, for the data's risk alone: an attempt is taken as certain.")
        return _("At most {threshold}, for the data's risk alone: an attempt is taken as certain.")
    if case.situation.strict:
        return _("Below {threshold}, for data and controls together: how probable an attempt is counts.")
    return _("At most {threshold}, for data and controls together: how probable an attempt is counts.")


def _release_model(step: Step, case: Case, language: Language) -> list[Group]:
    _ = language.text
    if case.is_public:
        return [Group("", [(_("Release"), [_("Public: anybody can have the data.")])])]
    rows: list[Row] = [(_("Release"), [_("Not public: it goes to known recipients only.")])]
    if case.recipients:
        rows.append((_("Recipients"), list(case.recipients)))
    if "fixed_number" in step.answers:
        fixed = _("Yes: nobody else gets the data.") if step.answers["fixed_number"] else _("No: others may follow.")
        rows.append((_("Is the list of recipients closed?"), [fixed]))
    return [Group("", rows)]


def _targets(step: Step, case: Case, language: Language) -> list[Group]:
    _ = language.text
    situation, utility = case.situation, step.answers.get("utility")
    harms = {"low": _("low harm"), "medium": _("medium harm"), "high": _("high harm")}
    accepted = [threshold_words(case, language)]
    if situation.harm is not None:
        accepted.append(_("It follows from the harm of a re-identification: {harm}.", harm=harms[situation.harm]))
    needed = _(
        "at least {k} people in every class; fewer than {floor} are never accepted",
        k=language.whole(situation.minimal_k),
        floor=language.whole(situation.floor),
    )
    rows: list[Row] = [
        (_("Accepted risk"), accepted),
        (_("Who might try"), [_scenario(one, language) for one in situation.scenarios]),
        (_("What follows for the data"), [needed]),
        (_("Information that may be lost (GCP)"), [_("at most {share}", share=language.percent(case.max_loss))]),
    ]
    if isinstance(utility, Mapping) and utility.get("max_suppression") is not None:
        share = language.percent(float(utility["max_suppression"]))
        rows.append((_("Rows that may be left out"), [_("at most {share}", share=share)]))
    rows += _said(step, {"why": _("Reasons")})
    return [Group("", rows), *_answered(situation.scenarios, language)]


def _scenario(scenario: Scenario, language: Language) -> str:
    label = language.text(scenario.label)
    _ = language.about(scenario=label[:1].upper() + label[1:], attempt=language.percent(float(scenario.attempt))).text
    if scenario.attempt == 1:
        return _("{scenario}: an attempt is taken as certain.")
    if isinstance(scenario, Insider):
        return _(
            "{scenario}: controls {controls}, motivation and resources {motivation}; an attempt has a chance of "
            "{attempt}.",
            controls=_extent(scenario.controls, language),
            motivation=_extent(scenario.motivation, language),
        )
    if isinstance(scenario, Acquaintance):
        return _(
            "{scenario}: one of {known} people whom a recipient knows is in the data with a chance of {attempt}.",
            known=language.whole(scenario.m),
        )
    assert isinstance(scenario, Breach)  # the one that is left; in a public release an attempt is certain
    return _("{scenario}: a rate of {attempt} ({source}, {date}).", source=scenario.source, date=str(scenario.date))


def _extent(word: str, language: Language) -> str:
    _ = language.text
    return {"none": _("none"), "low": _("low"), "medium": _("medium"), "high": _("high")}[word]


def _answered(scenarios: Sequence[Scenario], language: Language) -> list[Group]:
    """Return the questions about an insider that were answered."""
    answers = [one.answers for one in scenarios if isinstance(one, Insider)]
    rows: list[Row] = [
        (language.text(asked), [answers[0][name]])
        for name, asked in QUESTIONS.items()
        if answers and name in answers[0]
    ]
    return [Group(language.text("Motivation and controls"), rows)]


def _attributes(step: Step, case: Case, language: Language) -> list[Group]:
    _ = language.text
    schema = step.answers.get("schema")
    if not isinstance(schema, Mapping):
        return []
    columns = schema.get("quasi_identifiers") or {}
    kinds = columns if isinstance(columns, Mapping) else dict.fromkeys(columns)
    roles = [
        (
            _("Identifiers"),
            schema.get("identifiers"),
            _("They name a person, and are not published as they are."),
        ),
        (
            _("Quasi-identifiers"),
            [f"{column} ({kind})" if (kind := _kind(spec)) else column for column, spec in kinds.items()],
            _("They name nobody, but together they can point to a person."),
        ),
        (_("Sensitive"), schema.get("sensitive"), _("What nobody should learn about a person.")),
        (_("Insensitive"), schema.get("insensitive"), _("They tell nothing that needs protection.")),
    ]
    rows: list[Row] = [(role, [f"{', '.join(map(str, names))}. {said}"]) for role, names, said in roles if names]
    if schema.get("subject"):
        rows.append((_("Whose row it is"), [str(schema["subject"])]))
    return [Group("", rows)]


def _kind(spec: object) -> str:
    """Return the kind of a hierarchy, without its options."""
    if isinstance(spec, Mapping) and spec:
        return str(next(iter(spec)))
    return spec if isinstance(spec, str) else ""


def _purposes(step: Step, case: Case, language: Language) -> list[Group]:
    _ = language.text
    titles = {"keep": _("Kept, and for what"), "drop": _("Not published, and why")}
    return [
        Group(title, [(str(column), lines_of(reason, language)) for column, reason in reasons.items()])
        for key, title in titles.items()
        if isinstance(reasons := step.answers.get(key), Mapping)
    ]


def _anonymisation(step: Step, case: Case, language: Language) -> list[Group]:
    _ = language.text
    tried = step.answers.get("try")
    allowed = tried if isinstance(tried, Mapping) else {}
    k = allowed.get("k")
    rows: list[Row] = [
        (_("Masks"), [_thing(one, _OF_MASKS) for one in step.answers.get("masks") or []] or [_("None.")]),
        (
            _("Models"),
            [
                _("k-anonymity; the loop finds k.")
                if k is None
                else _("k-anonymity, from k = {k} on.", k=language.whole(int(k))),
                *(_thing(one, _OF_MODELS) for one in step.answers.get("models") or []),
            ],
        ),
    ]
    if allowed.get("algorithms"):
        rows.append(
            (_("Searches that may be tried"), [", ".join(_thing(one, _OF_SEARCHES) for one in allowed["algorithms"])])
        )
    if allowed.get("max_suppression") is not None:
        given = allowed["max_suppression"]
        shares = given if isinstance(given, list | tuple) else [given]
        said = ", ".join(language.percent(float(share)) for share in shares)
        rows.append((_("Shares of the rows that a search may leave out"), [said]))
    return [Group("", rows)]


def _thing(entry: object, options: frozenset[str]) -> str:
    """Spell a mask, model or search by its name and some of its options."""
    if not isinstance(entry, Mapping) or not entry:
        return str(entry)
    name, given = next(iter(entry.items()))
    shown = {key: value for key, value in (given.items() if isinstance(given, Mapping) else ()) if key in options}
    spelt = "; ".join(f"{key}: {_plain(value)}" for key, value in shown.items())
    return f"{name} ({spelt})" if spelt else str(name)


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _risk(step: Step, case: Case, language: Language) -> list[Group]:
    """Return how the loop ended: the risk of the chosen round against the threshold."""
    _ = language.text
    if not case.rounds:
        return []
    tried = language.plural(
        "{n} round was tried; {accepted} within all targets.",
        "{n} rounds were tried; {accepted} within all targets.",
        len(case.rounds),
        accepted=language.whole(sum(one.verdict == "accepted" for one in case.rounds)),
    )
    rows: list[Row] = [(_("Rounds"), [tried])]
    chosen = _chosen(case)
    if chosen is not None and chosen.risk is not None and chosen.smallest is not None:
        said = _(
            "{risk}, with at least {smallest} people in every class; {threshold} is accepted.",
            risk=language.percent(float(chosen.risk)),
            smallest=language.whole(chosen.smallest),
            threshold=language.percent(float(case.situation.accepted)),
        )
        rows.append((_("Greatest risk of the release"), [said]))
    return [Group("", rows)]


def _evaluation(step: Step, case: Case, language: Language) -> list[Group]:
    _ = language.text
    titles = {
        "benefit": _("What is gained"),
        "harm": _("What a re-identification would do"),
        "balance": _("Why the one outweighs the other"),
    }
    measured: list[Row] = []
    chosen = _chosen(case)
    if chosen is not None and chosen.gcp is not None and chosen.share_suppressed is not None:
        places = {"loss": language.percent(chosen.gcp), "max_loss": language.percent(case.max_loss)}
        lost = _("{loss} of the information in the quasi-identifiers (GCP); at most {max_loss} is accepted.", **places)
        share = language.percent(chosen.share_suppressed)
        left_out = _("{share} of the rows.", share=share) if chosen.share_suppressed else _("No row.")
        measured = [(_("Lost"), [lost]), (_("Left out"), [left_out])]
    return [
        Group(_("Utility, against the target"), measured),
        Group(_("The balance of risk and benefit"), _said(step, titles)),
    ]


def _chosen(case: Case) -> Round | None:
    return next((one for one in case.rounds if one.chosen), None)


def _documentation(step: Step, case: Case, language: Language) -> list[Group]:
    _ = language.text
    kinds = {
        "organisational": _("organisational"),
        "contractual": _("contractual"),
        "technical": _("technical"),
    }
    controls = step.answers.get("controls")
    given = controls if isinstance(controls, Mapping) else {}
    held: list[Row] = [
        (kinds.get(str(kind), str(kind)), lines_of(text, language)) for kind, text in given.items() if text
    ]
    rows: list[Row] = []
    if case.review is not None:
        rows.append((_("Looked at again on"), [day(case.review, language)]))
    usual = {  # as a new project file has them
        "new recipient": _("new recipient"),
        "new public source": _("new public source"),
        "new release": _("new release"),
    }
    if step.answers.get("triggers"):
        rows.append((_("Or before, in case of"), [usual.get(str(one), str(one)) for one in step.answers["triggers"]]))
    return [Group(_("Controls"), held), Group(_("Review"), rows)]


def _said(step: Step, titles: Mapping[str, str]) -> list[Row]:
    """Return texts that people wrote, paragraph by paragraph; those still to be written are left out."""
    texts = {key: str(step.answers.get(key) or "").strip() for key in titles}
    return [(titles[key], text.split("\n")) for key, text in texts.items() if text not in ("", UNWRITTEN)]


_STEPS: dict[str, tuple[Callable[[Step, Case, Language], list[Group]], frozenset[str]]] = {
    "release_model": (_release_model, frozenset({"kind", "recipients", "fixed_number"})),
    "targets": (_targets, frozenset({"covers", "risk", "utility", "why"})),
    "attributes": (_attributes, frozenset({"schema"})),
    "purposes": (_purposes, frozenset({"keep", "drop"})),
    "anonymisation": (_anonymisation, frozenset({"masks", "models", "try"})),
    "risk": (_risk, frozenset({"accepted"})),
    "evaluation": (_evaluation, frozenset({"benefit", "harm", "balance"})),
    "documentation": (_documentation, frozenset({"controls", "review", "triggers"})),
}
"""What is said of a step, and the keys that this covers: answers under other keys stand below it."""
