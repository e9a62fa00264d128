"""What picture and page say about a frontier, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celosia.jobs.frontier.result import Frontier
from celosia.report.language import Language

_NAMES = {"k_members": "k-members", "l_greedy": "l-greedy"}


def headline(language: Language) -> str:
    """Return the title."""
    return language.text("What does more protection cost?")


def reading_aid(language: Language) -> str:
    """Return the sentence that says how to read the picture."""
    return language.text(
        "Each line is one way to make the data coarser: the further right, the better people are hidden; "
        "the higher, the more information is lost."
    )


def named(algorithm: Mapping[str, Any], frontier: Frontier) -> str:
    """Return what a search is called, with its options where another one has the same name."""
    name, options = next(iter(algorithm.items()))
    said = _NAMES.get(name, name.replace("_", " ").capitalize())
    alike = [other for other in frontier.algorithms if next(iter(other)) == name]
    if len(alike) < 2:
        return said
    return f"{said} ({', '.join(f'{option} {value}' for option, value in options.items()) or '-'})"


def budget(share: float, language: Language) -> str:
    """Return how many rows may be left out."""
    if share == 0:
        return language.text("No rows left out")
    return language.text("Up to {share} of the rows left out", share=language.percent(share))


def bearable(frontier: Frontier, loss: float, language: Language) -> str:
    """Return the answer to "the largest k for a loss I can bear"."""
    point = frontier.largest_k(loss)
    said = language.percent(loss)
    if point is None:
        return language.text("No k that was tried loses {loss} or less.", loss=said)
    return language.text(
        "Within a loss of {loss} the largest k is {k}, by {algorithm}: a risk of at most {risk}.",
        loss=said,
        k=language.whole(point.k),
        algorithm=named(point.algorithm, frontier),
        risk=language.chance(point.k),
    )


def notes(frontier: Frontier, language: Language) -> list[str]:
    """Return what a reader must know beside the picture."""
    said = []
    n_out = len(frontier.points) - len(frontier.reached)
    if n_out:
        said.append(
            language.plural(
                "{n} point is out of reach and not drawn.", "{n} points are out of reach and not drawn.", n_out
            )
        )
    if frontier.n_missing:
        said.append(
            language.plural(
                "{n} point is missing: the time was up.", "{n} points are missing: the time was up.", frontier.n_missing
            )
        )
    said.append(
        language.text("Quick searches, measured but neither audited nor published: a release may lose a little less.")
    )
    return said
