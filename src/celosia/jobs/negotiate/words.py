"""What picture and table say about a negotiation, in the reader's language."""

from __future__ import annotations

from celosia.base.wording import Said
from celosia.jobs.negotiate.result import Negotiation
from celosia.measure.risk.grid import MOTIVATIONS
from celosia.report.language import Language

_LEVELS = {"high": Said("high"), "medium": Said("medium"), "low": Said("low"), "none": Said("none")}
_HARMS = {
    "low": Said("the threshold for low harm"),
    "medium": Said("the threshold for medium harm"),
    "high": Said("the threshold for high harm"),
}


def headline(language: Language) -> str:
    """Return the title."""
    return language.text("How many people must share every row?")


def demand(found: Negotiation, language: Language) -> str:
    """Return what is asked of the risk."""
    limit = language.percent(float(found.threshold))
    if found.harm is not None:
        limit = f"{limit} ({language.text(_HARMS[found.harm])})"
    if found.strict:
        return language.text("The smallest k for which P(attempt) / k lies below {limit}.", limit=limit)
    return language.text("The smallest k for which P(attempt) / k is at most {limit}.", limit=limit)


def rows_title(language: Language) -> str:
    """Return the name of the rows."""
    return language.text("Extent of mitigating controls")


def columns_title(language: Language) -> str:
    """Return the name of the columns."""
    return language.text("Motivation and resources of whoever might try")


def level(name: str, language: Language) -> str:
    """Return a level of either."""
    return language.text(_LEVELS[name])


def answers(found: Negotiation, language: Language) -> list[str]:
    """Return the least controls for the given k, a sentence for each motivation; none where no k was given."""
    if found.k is None:
        return []
    if found.k < found.floor:
        return [
            language.text(
                "k = {k} is below the floor of {floor}: no controls make it acceptable.",
                k=language.whole(found.k),
                floor=language.whole(found.floor),
            )
        ]
    return [_answer(found, motivation, language) for motivation in MOTIVATIONS]


def _answer(found: Negotiation, motivation: str, language: Language) -> str:
    controls = found.cheapest(motivation)
    places = {"motivation": level(motivation, language), "k": language.whole(found.k or 0)}
    if controls is None:
        return language.text(
            "Against {motivation} motivation and resources, k = {k} is not enough with any controls.", **places
        )
    if controls == "none":
        return language.text(
            "Against {motivation} motivation and resources, k = {k} is enough without any controls.", **places
        )
    return language.text(
        "Against {motivation} motivation and resources, k = {k} needs at least {controls} controls.",
        controls=level(controls, language),
        **places,
    )


def notes(found: Negotiation, language: Language) -> list[str]:
    """Return what a reader must know beside the figures."""
    said = []
    if found.floored:
        said.append(
            language.text(
                "* The formula alone would allow less: the floor of {floor} decides, since whoever does try finds a "
                "person alone at once, and of two people each knows the other.",
                floor=language.whole(found.floor),
            )
        )
    said.append(
        language.text(
            "It is assumed that the release is not public, that the attack is to link a person to a row, and that the "
            "content of the rows does not matter. A public release is the row without controls: an attempt is certain."
        )
    )
    return said
