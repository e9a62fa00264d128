"""What was done, step by step. The algorithm is named here: this report stays in the house."""

from __future__ import annotations

from celosia.masks.base import Mask
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section
from celosia.report.sections.naming import called_words
from celosia.report.sections.searching import search_words


def steps(facts: Facts, language: Language) -> Section:
    """Return the steps of the run, in order, each with what it did."""
    _ = language.text
    return Section(
        "steps",
        _("What was done"),
        {
            "steps": [
                (_("Read"), [_read(facts, language)]),
                (_("Masks"), _masks(facts, language)),
                (_("Identifiers"), [_identifiers(facts, language)]),
                (_("Search"), search_words(facts, language)),
                (_("Recoding"), _recoding(facts, language)),
                (_("Suppression"), [_suppression(facts, language)]),
                (_("Order of the rows"), [_order(facts, language)]),
                (_("Audit"), [_audit(facts, language)]),
            ]
        },
    )


def _read(facts: Facts, language: Language) -> str:
    return language.text(
        "{rows}, {columns} (after masks).",
        rows=language.plural("{n} row", "{n} rows", facts.table.n_rows),
        columns=language.plural("{n} column", "{n} columns", facts.table.frame.width),
    )


def _masks(facts: Facts, language: Language) -> list[str]:
    """Say for each mask what it worked on, what its result is called, and what it leaves behind."""
    _ = language.text
    plan, masked = facts.release.plan, facts.release.masked
    said = [_mask(mask, language) for mask in (*plan.masks, *plan.masks_after)]
    if masked.n_dropped:
        said.append(
            language.plural(
                "{n} of {n_rows} rows was left out by masks before the search.",
                "{n} of {n_rows} rows were left out by masks before the search.",
                masked.n_dropped,
                n_rows=language.whole(masked.given.n_rows),
            )
        )
    return said or [_("None.")]


def _mask(mask: Mask, language: Language) -> str:
    _ = language.text
    if mask.name == "drop":
        return _("Removed as early as possible: {columns}.", columns=language.listed(list(mask.uses)))
    done = (
        _("{mask} on {columns}.", mask=mask.name, columns=language.listed(list(mask.uses)))
        if mask.uses
        else _("{mask} on whole rows.", mask=mask.name)
    )
    name = _("What comes out is called {called}.", called=called_words([mask.leaves.called], language))
    return f"{done} {name} {_(mask.leaves.remains)}"


def _identifiers(facts: Facts, language: Language) -> str:
    schema = facts.table.schema
    names = list(dict.fromkeys([*schema.identifiers, *([schema.subject] if schema.subject else [])]))
    replaced = sorted(facts.release.masked.pseudonyms & set(facts.release.given.schema.identifiers))
    if replaced:
        said = language.text("Replaced by pseudonyms: {columns}.", columns=language.listed(replaced))
        removed = language.text("Removed: {columns}.", columns=language.listed(names)) if names else ""
        return f"{said} {removed}".strip()
    if not names and facts.release.given.schema.identifiers:
        return language.text("None is left after masks.")
    if not names:
        return language.text("None declared.")
    return language.text("Removed: {columns}.", columns=language.listed(names))


def _recoding(facts: Facts, language: Language) -> list[str]:
    """Say how published values were chosen, and what kind of recoding they show."""
    _ = language.text
    if not facts.table.quasi_identifiers:
        return [_("None: there is no quasi-identifier.")]
    recoding = facts.release.recoding
    if recoding.extents is None:
        said = [
            _("Every class gets, in each quasi-identifier, the narrowest published value that covers all its rows.")
        ]
    else:
        said = [_("Values are published on the levels that the search chose.")]
    said.append(_scope(facts, language))
    if recoding.kept is not None:
        said.append(
            _(
                "'{column}' is published as it is: models judge it as a secret over the other quasi-identifiers, and "
                "people are counted with it.",
                column=recoding.kept,
            )
        )
    return said


def _scope(facts: Facts, language: Language) -> str:
    """Name the kind of recoding and say what it means for whoever analyses the data."""
    _ = language.text
    scope = facts.measures.scope
    if scope.table == "full-domain":
        return _(
            "This is full-domain recoding: every value of a column stands on one and the same level. Published values "
            "can be counted and compared as ordinary categories."
        )
    if scope.table == "value-global":
        return _(
            "This is value-global recoding (of subtrees): each original value is always published the same way, but "
            "coarse and fine values stand side by side. Whoever analyses the data must bring them to one level before "
            "comparing groups."
        )
    local = [column for column, reach in scope.columns.items() if reach == "cell-local"]
    return _(
        "This is cell-local recoding: one and the same original value is published in two ways or more in {columns}. "
        "Published values overlap there, so that whoever analyses the data must read each of them as all the values "
        "that it covers; counting equal texts is not enough.",
        columns=language.listed(local),
    )


def _suppression(facts: Facts, language: Language) -> str:
    _ = language.text
    allowed = language.percent(float(facts.release.plan.max_suppression))
    n_suppressed = facts.classes.n_suppressed
    if n_suppressed and facts.release.plan.masks_after:
        return language.plural(
            "{n} row was deleted by the search or by masks after it ({share}); the search may delete up to {allowed}.",
            "{n} rows were deleted by the search or by masks after it ({share}); the search may delete up to "
            "{allowed}.",
            n_suppressed,
            share=language.percent(n_suppressed / facts.table.n_rows),
            allowed=allowed,
        )
    if not facts.release.plan.max_suppression:
        return _("The search deleted no row; the plan allowed none.")
    if not n_suppressed:
        return _("The search deleted no row; the plan allowed up to {allowed} of the rows.", allowed=allowed)
    return language.plural(
        "{n} row was deleted ({share}); the plan allowed up to {allowed} of the rows.",
        "{n} rows were deleted ({share}); the plan allowed up to {allowed} of the rows.",
        n_suppressed,
        share=language.percent(n_suppressed / facts.table.n_rows),
        allowed=allowed,
    )


def _order(facts: Facts, language: Language) -> str:
    if facts.release.plan.keep_order:
        return language.text("Kept as in the input.")
    return language.text("Shuffled at random, so that a row's place tells nothing.")


def _audit(facts: Facts, language: Language) -> str:
    return language.text(
        "Passed. The whole run took {seconds} s, this report aside.",
        seconds=language.decimal(facts.release.seconds, 2),
    )
