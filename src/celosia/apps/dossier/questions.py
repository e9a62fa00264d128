"""The three questions of the Article 29 Working Party (Opinion 05/2014), each answered from what was measured.

A model answers a question as far as it goes and no further: k-anonymity bounds links to a row, and says nothing about
what a whole class shares. What was not measured is named beside the answer.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from celosia.data.classes import Classes, group
from celosia.data.schema.columns import codes_of
from celosia.measure.risk.base import class_counts
from celosia.measure.risk.prosecutor import prosecutor
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.promises import promise_of


@dataclass(frozen=True)
class Question:
    """One question in one language.

    Attributes
    ----------
    title, asked
        Its name, and the question in words.
    answer
        In a sentence.
    measured
        What the answer stands on.
    open
        What the answer leaves open.
    """

    title: str
    asked: str
    answer: str
    measured: list[str]
    open: list[str]

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dict."""
        return asdict(self)


@dataclass(frozen=True)
class Shared:
    """What classes share of a secret.

    Attributes
    ----------
    n_alike, n_rows
        Classes in which everybody has one and the same known value, and their rows.
    greatest
        The greatest share that a value has in the rows of any class; missing counts as a value.
    """

    n_alike: int
    n_rows: int
    greatest: float


def questions(facts: Facts, language: Language) -> list[Question]:
    """Return singling out, linkability and inference.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> release = cl.Plan(models=[cl.KAnonymity(2)]).run(table)
    >>> [one.answer for one in questions(Facts.of(release), Language("en"))][0]
    'Not by the declared quasi-identifiers: the smallest class has 2 people.'
    """
    return [_singling_out(facts, language), _linkability(facts, language), _inference(facts, language)]


def shared_secret(facts: Facts, column: str) -> Shared:
    """Count what the classes of a release share of a secret.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> frame = pl.DataFrame({"age": [40, 40, 31, 31], "ill": ["S", "S", "S", "N"]})
    >>> table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    >>> shared_secret(Facts.of(cl.Plan(models=[cl.KAnonymity(2)]).run(table)), "ill")
    Shared(n_alike=1, n_rows=2, greatest=1.0)
    """
    recoding = facts.release.recoding
    classes: Classes = recoding.whole if recoding.kept == column and recoding.whole is not None else facts.classes
    codes, values = codes_of(facts.table.frame[column])
    rows = np.flatnonzero(~classes.suppressed)
    labels, held = classes.labels[rows], codes[rows].astype(np.int64) + 1  # 0 is missing
    places, counts = np.unique(labels * (len(values) + 1) + held, return_counts=True)
    of_class, value = places // (len(values) + 1), places % (len(values) + 1)
    whole = (counts == classes.sizes[of_class]) & (value > 0)  # rows that all lack the secret tell nothing
    return Shared(
        int(whole.sum()), int(counts[whole].sum()), float((counts / classes.sizes[of_class]).max(initial=0.0))
    )


def _singling_out(facts: Facts, language: Language) -> Question:
    _ = language.text
    before, after = (_alone(source) for source in (facts.table, facts.release))
    measured = [
        _(
            "Rows of people who stand alone in their class: {before} before, {after} after.",
            before=language.percent(before),
            after=language.percent(after),
        ),
        _unlike(facts, language),
    ]
    left = [
        _(
            "Whoever knows what other published columns tell about a person can single that person out by them: they "
            "are not made coarser."
        )
    ]
    if facts.table.subjects is None:
        left.append(_("Every row is taken for a person of its own: no column says whose row it is."))
    asked = _("Is it still possible to single out an individual?")
    return Question(_("Singling out"), asked, _singled_out(facts, language), measured, left)


def _singled_out(facts: Facts, language: Language) -> str:
    pseudonyms = sorted(facts.release.masked.pseudonyms)
    _ = language.about(columns=language.listed(pseudonyms), k=language.whole(facts.smallest)).text
    if pseudonyms:
        return _("Yes, by the pseudonyms in {columns}: each marks the rows of one person, whoever that is.")
    if not facts.table.quasi_identifiers:
        return _("Not answered: no column is declared a quasi-identifier, so that no class was measured.")
    if facts.smallest < 2:
        return _("Yes: at least one person stands alone in a class.")
    return _("Not by the declared quasi-identifiers: the smallest class has {k} people.")


def _alone(source: Any) -> float:
    """Return the share of rows in classes of one person."""
    counts = class_counts(source)
    return float(counts.rows[counts.people == 1].sum()) / counts.n_rows


def _unlike(facts: Facts, language: Language) -> str:
    """Say how many rows are unlike every other over all published columns, pseudonyms aside."""
    _ = language.text
    rows = np.flatnonzero(~facts.classes.suppressed)
    schema = facts.table.schema
    others = [
        name
        for name in facts.table.frame.columns
        if name in (*schema.sensitive, *schema.insensitive)
        and name not in schema.quasi_identifiers
        and name not in facts.release.masked.pseudonyms
    ]
    codes = [codes_of(facts.table.frame[name])[0][rows] for name in others]
    alike = Classes(group([facts.classes.labels[rows], *codes]))
    n_unlike = int((alike.sizes == 1).sum())
    if not n_unlike:
        return _("Even over all published columns together no row is unlike every other.")
    return _(
        "Over all published columns together, secrets included, {n_unlike} of {n_rows} rows are unlike every other: "
        "that is the reach of somebody who knows a person's secrets already.",
        n_unlike=language.whole(n_unlike),
        n_rows=language.whole(len(rows)),
    )


def _linked(facts: Facts, language: Language) -> str:
    k, pseudonyms = facts.smallest, sorted(facts.release.masked.pseudonyms)
    _ = language.about(columns=language.listed(pseudonyms), k=language.whole(k), chance=language.chance(k)).text
    if pseudonyms:
        return _(
            "Yes, by the pseudonyms in {columns}: rows of one person can be joined, here and with any table that has "
            "the same pseudonyms."
        )
    if not facts.table.quasi_identifiers:
        return _("Not answered: no column is declared a quasi-identifier, by which records could be linked.")
    if k < 2:
        return _("Yes: a record elsewhere can fit a single row here.")
    return _(
        "By the declared quasi-identifiers only to a group: a record elsewhere fits at least {k} people here, and "
        "a link to one of them is right with a chance of at most {chance}."
    )


def _linkability(facts: Facts, language: Language) -> Question:
    _ = language.text
    before, after = prosecutor(facts.table), prosecutor(facts.release)
    measured = [
        _(
            "Greatest chance that a link to a row is right: {before} before, {after} after.",
            before=language.share(before.max),
            after=language.share(after.max),
        ),
        _(
            "Share of right links, if somebody linked every row: {before} before, {after} after.",
            before=language.share(before.mean),
            after=language.share(after.mean),
        ),
    ]
    left = [
        _("The link to a group stays: that a known person is in a certain class can be told."),
        _("A record that holds what other published columns tell can be linked by them, perhaps to a single row."),
        _(
            "Other releases about the same people were not looked at: models of this kind do not add up, and two "
            "releases together can narrow a class down."
        ),
    ]
    asked = _("Is it still possible to link records relating to an individual?")
    return Question(_("Linkability"), asked, _linked(facts, language), measured, left)


def _inferred(secrets: list[str], guarded: list[str], shared: list[str], language: Language) -> str:
    bare = [column for column in secrets if column not in guarded]
    _ = language.text
    if not secrets:
        return _("Not answered: no column is declared sensitive, so that nothing was measured.")
    if shared:
        answer = _(
            "Yes, for {columns}: a model guards it, but leaves classes in which everybody has one and the same value.",
            columns=language.listed(shared),
        )
        other = _("No model guards {columns}.", columns=language.listed(bare))
        return f"{answer} {other}" if bare else answer
    if not bare:
        return _(
            "Bounded, by a model, for {columns}; what each model leaves open is said with the claim.",
            columns=language.listed(secrets),
        )
    if not guarded:
        return _(
            "Not bounded: no model guards {columns}, and k-anonymity alone does not hide what a whole class shares.",
            columns=language.listed(bare),
        )
    return _(
        "Bounded, by a model, for {guarded}. Not bounded for {bare}: k-anonymity alone does not hide what a whole "
        "class shares.",
        guarded=language.listed(guarded),
        bare=language.listed(bare),
    )


def _inference(facts: Facts, language: Language) -> Question:
    _ = language.text
    secrets = list(facts.table.schema.sensitive)
    guards = {
        column: [model for model in facts.release.plan.models if model.to_dict().get("on") == column]
        for column in secrets
    }
    guarded = [column for column in secrets if guards[column]]
    shared = [column for column in guarded if _is_shared(facts, column)]
    measured = []
    for column in secrets:
        measured.append(_measured(facts, column, language))
        for model in guards[column]:
            promise = promise_of(model, facts, language)
            measured.append(f"{promise.title}: {promise.meaning}" if promise.meaning else promise.title)
    left = [
        _(
            "Whoever knows that some values do not apply to a person, or knows other members of the class, can "
            "conclude more than these figures say."
        ),
        _(
            "What the table tells about groups of people, it tells about each of them. That is what statistics are "
            "for, and no model of this kind hides it."
        ),
    ]
    asked = _("Can information be inferred concerning an individual?")
    return Question(_("Inference"), asked, _inferred(secrets, guarded, shared, language), measured, left)


def _is_coarse(facts: Facts, column: str) -> bool:
    """Tell whether a secret is published as coarse as its class, being a quasi-identifier too."""
    return column in facts.table.schema.quasi_identifiers and facts.release.recoding.kept != column


def _is_shared(facts: Facts, column: str) -> bool:
    """Tell whether there is a class in which everybody has the same known value of a secret."""
    return not _is_coarse(facts, column) and shared_secret(facts, column).n_alike > 0


def _measured(facts: Facts, column: str, language: Language) -> str:
    found = shared_secret(facts, column)
    _ = language.about(column=column, n_alike=language.whole(found.n_alike), n_rows=language.whole(found.n_rows)).text
    if _is_coarse(facts, column):
        return _("'{column}' is a quasi-identifier as well: it is published as coarse as its class.")
    if found.n_alike:
        return _(
            "'{column}': in {n_alike} classes ({n_rows} rows, {share} of the published ones) everybody has one and "
            "the same value. Whoever finds the class knows it.",
            share=language.percent(found.n_rows / facts.classes.n_published),
        )
    return _(
        "'{column}': no class shares one value. The most frequent value of a class stands in at most {share} of its "
        "rows.",
        share=language.percent(found.greatest),
    )
