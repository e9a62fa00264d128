"""The head of the report: whose data, when, and the figures that matter most."""

from __future__ import annotations

from typing import Any

from celosia.masks.naming import called
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.naming import called_words

_SAID = frozenset({"masked", "perturbed", "swapped", "sampled"})
"""What was done to values or rows that the kind of a release does not tell by itself."""


def heading(facts: Facts, language: Language) -> dict[str, Any]:
    """Return title, date, kind of release and key figures."""
    _ = language.text
    release, classes = facts.release, facts.classes
    n_rows = release.masked.given.n_rows
    n_warnings = sum(finding.severity == "warning" for finding in facts.findings)
    share = (n_rows - classes.n_published) / n_rows
    suppressed = _("{share} suppressed", share=language.percent(share)) if share else _("none suppressed")
    figures = [
        (
            _("smallest class (k)"),
            language.whole(facts.smallest),
            _("people; the plan demands {k}", k=language.whole(facts.demanded))
            if facts.demanded > 1
            else _("people; the plan demands no number"),
        ),
        (
            _("greatest chance of linking"),
            language.percent(1 / facts.smallest),
            _("on the declared quasi-identifiers"),
        ),
        (
            _("rows published"),
            language.whole(classes.n_published),
            _("of {n_rows}; {suppressed}", n_rows=language.whole(n_rows), suppressed=suppressed),
        ),
        (
            _("information lost (GCP)"),
            language.percent(facts.measures.loss.gcp),
            _("{gcp} as a fraction", gcp=language.decimal(facts.measures.loss.gcp)),
        ),
        *_diversities(facts, language),
    ]
    return {
        "title": name_of(facts, language),
        "label": _label(facts, language),
        "date": language.date(facts.made),
        "time": f"{facts.made:%H:%M} UTC",
        "moment": facts.made.isoformat(timespec="seconds"),
        "figures": figures,
        "warnings": language.plural("{n} warning", "{n} warnings", n_warnings) if n_warnings else _("No warnings"),
        "warned": n_warnings > 0,
    }


def _diversities(facts: Facts, language: Language) -> list[tuple[str, str, str]]:
    """Return a figure per secret whose values the plan wants different."""
    return [
        (
            language.text("fewest values of '{secret}' in a class", secret=model.on),
            language.whole(int(model.n_values(facts.judged(model), facts.table).min())),
            language.text("different and known; the plan demands {l}", l=language.whole(model.l)),
        )
        for model in facts.release.plan.models
        if model.name == "l_diversity" and model.kind == "distinct"
    ]


def name_of(facts: Facts, language: Language) -> str:
    """Return the name of the data; a table without one is called so."""
    return language.text("the table") if facts.table.name == "the table" else facts.table.name


def _label(facts: Facts, language: Language) -> str:
    """Say what kind of data this is: with a key or a table of identities it is pseudonymised, never anonymous."""
    _ = language.text
    words = called(facts.release.plan.masks)
    if "pseudonymised" in words:
        return _("Pseudonymised data")
    label = _("Release without k-anonymity") if facts.smallest < 2 else _("{k}-anonymous release", k=facts.smallest)
    said = [word for word in words if word in _SAID]
    return _("{label} of {called}", label=label, called=called_words(said, language)) if said else label
