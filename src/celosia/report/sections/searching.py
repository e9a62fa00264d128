"""What the search did, in words."""

from __future__ import annotations

from typing import Any

from celosia.data.outcome import Proof
from celosia.report.facts import Facts
from celosia.report.language import Language


def search_words(facts: Facts, language: Language) -> list[str]:
    """Say how the search works, what it was allowed, and how good it is known to be."""
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
        "lattice": _("Gives every column one level of its hierarchy: those levels whose recoding is best of all."),
        "exact": _("Chooses among all possible classes those that together lose least, by linear programming."),
        "datafly": _("Raises the column with the most distinct values by one level, again and again."),
        "top_down": _(
            "Begins with every column at its coarsest and opens one value after another, the one that gains most, "
            "while the models hold."
        ),
        "genetic": _(
            "Breeds recodings of whole columns: cuts through their values are crossed and changed at random, and the "
            "best survive."
        ),
    }
    if algorithm.name == "lattice" and algorithm.local:
        words["lattice"] = _(
            "Recodes whole columns on one set of levels after another, the finest first, each time those rows that are "
            "left over."
        )
    options = ", ".join(f"{option} = {value}" for option, value in algorithm.to_dict().items())
    named = f"{type(algorithm).__name__} ({options})" if options else type(algorithm).__name__
    seconds = language.decimal(facts.release.search_seconds, 2)
    said = [_("{algorithm}, {seconds} s.", algorithm=named, seconds=seconds)]
    if algorithm.name in words:
        said.append(words[algorithm.name])
    if algorithm.name == "weave":
        said += _weave(algorithm, language)
    if facts.release.proof is not None:
        of_columns = facts.release.recoding.extents is not None
        said.append((_proof if of_columns else _proof_of_classes)(facts.release.proof, language))
    if facts.release.recoding.extents is not None:
        said.append(_("Classes that broke a model were suppressed, as far as the plan allowed."))
    elif any(model.name != "k_anonymity" for model in facts.release.plan.models):
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


def _proof(proof: Proof, language: Language) -> str:
    """Say how good a recoding is among all of its kind."""
    _ = language.text
    names = {
        "gcp": _("the loss of the cells (GCP)"),
        "loss": _("the loss of the cells by leaves"),
        "precision": _("precision"),
        "discernibility": _("discernibility"),
        "non_uniform_entropy": _("non-uniform entropy"),
        "average_class_size": _("the average class size"),
    }
    objective = names[proof.objective]
    if proof.is_optimal:
        return _("Compared by {objective}: it is proved that no recoding of this kind is better.", objective=objective)
    if proof.gap is None or proof.gap >= 1:
        return _("Compared by {objective}: how far it is from the best is not known.", objective=objective)
    above = language.percent(proof.gap / (1 - proof.gap))
    return _(
        "Compared by {objective}: at most {above} above the best recoding of this kind.",
        objective=objective,
        above=above,
    )


def _proof_of_classes(proof: Proof, language: Language) -> str:
    """Say how good classes are among all that satisfy the models."""
    _ = language.text
    if proof.is_optimal:
        return _(
            "It is proved that no classes that satisfy the models lose less, with no more rows suppressed than the "
            "plan allows."
        )
    if proof.gap is None or proof.gap >= 1:
        return _("It is not proved that no other classes lose less.")
    above = language.percent(proof.gap / (1 - proof.gap))
    return _("They lose at most {above} more than the best classes there are.", above=above)
