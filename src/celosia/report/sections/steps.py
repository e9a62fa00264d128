"""What was done, step by step. The algorithm is named here: this report stays in the house."""

from __future__ import annotations

from typing import Any

from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section

__all__ = ["steps"]


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
                (_("Search"), _search(facts, language)),
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
    masks = facts.release.plan.masks
    return [_mask(mask, language) for mask in masks] or [language.text("None.")]


def _mask(mask: Any, language: Language) -> str:
    options = mask.to_dict()
    if mask.name == "drop":
        return language.text("Removed before anything else: {columns}.", columns=language.listed(options["columns"]))
    return language.text("{mask} with the options {options}.", mask=mask.name, options=", ".join(sorted(options)))


def _identifiers(facts: Facts, language: Language) -> str:
    schema = facts.table.schema
    names = list(dict.fromkeys([*schema.identifiers, *([schema.subject] if schema.subject else [])]))
    if not names:
        return language.text("None declared.")
    return language.text("Removed: {columns}.", columns=language.listed(names))


def _search(facts: Facts, language: Language) -> list[str]:
    _ = language.text
    algorithm = facts.release.plan.algorithm
    words = {
        "k_members": _(
            "Grows classes one by one, each from the row furthest from the last, by the row that costs least."
        ),
        "l_greedy": _(
            "Sorts the rows, the least varied column first, and grows classes in that order by the row that costs "
            "least."
        ),
        "mondrian": _(
            "Cuts the table in two along the column that loses most, again and again, while both parts stay large "
            "enough."
        ),
        "hilbert_order": _("Orders the rows along a Hilbert curve through all columns and cuts the order optimally."),
        "reference_order": _("Orders the rows by their distance to a reference point and cuts the order optimally."),
    }
    options = ", ".join(f"{option} = {value}" for option, value in algorithm.to_dict().items())
    named = f"{type(algorithm).__name__} ({options})" if options else type(algorithm).__name__
    seconds = language.decimal(facts.release.search_seconds, 2)
    said = [_("{algorithm}, {seconds} s.", algorithm=named, seconds=seconds)]
    if algorithm.name in words:
        said.append(words[algorithm.name])
    if algorithm.name == "weave":
        said += _weave(algorithm, language)
    if any(model.name != "k_anonymity" for model in facts.release.plan.models):
        said.append(
            _(
                "Where a class broke a model it was helped by rows of others, merged with its nearest, or suppressed "
                "as far as the plan allowed, until all of them held."
            )
        )
    if facts.release.was_stopped:
        said.append(_("Stopped by hand before its end: the best classes until then were taken."))
    if facts.release.plan.seed is not None:
        said.append(_("With a fixed seed, which is not written here."))
    return said


def _weave(algorithm: Any, language: Language) -> list[str]:
    """Say what the search of two stages did, and how long it was allowed to go on."""
    _ = language.text
    first = _("Grows classes one by one, each from a first row by the row that costs least, which a tree finds.")
    if algorithm.effort == "fast":
        return [first, _("Effort: fast, which ends here.")]
    said = [
        first,
        _(
            "Then goes over all classes again and again: neighbouring classes are put together and grown anew, rows "
            "change places, and the best classes seen are kept."
        ),
    ]
    if algorithm.passes is not None:
        said.append(language.plural("Allowed: {n} pass.", "Allowed: {n} passes.", algorithm.passes))
    if algorithm.time_limit is not None:
        said.append(_("Allowed: {seconds} s for the whole search.", seconds=language.number(algorithm.time_limit)))
    if algorithm.passes is None and algorithm.time_limit is None:
        efforts = {"balanced": _("Effort: balanced."), "best": _("Effort: best, ten times the passes of balanced.")}
        said.append(efforts[algorithm.effort])
    return said


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
    scope = facts.release.scope
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
    if not facts.release.plan.max_suppression:
        return _("No row was deleted; the plan allowed none.")
    if not n_suppressed:
        return _("No row was deleted; the plan allowed up to {allowed} of the rows.", allowed=allowed)
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
