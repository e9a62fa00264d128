"""The picture: a cell for every combination of controls and motivation, with its k. SVG drawn by hand."""

from __future__ import annotations

from functools import partial

from markupsafe import Markup

from celosia.jobs.negotiate.result import Negotiation
from celosia.jobs.negotiate.words import answers, columns_title, demand, headline, level, notes, rows_title
from celosia.measure.risk.grid import CONTROLS, MOTIVATIONS
from celosia.report.axes import wrapped
from celosia.report.drawing import lines, path, sheet, text
from celosia.report.house import poured
from celosia.report.language import Language

_WIDTH, _EDGE, _HEADS = 760, 14, 118
_CELL, _HEIGHT, _GAP = 204, 84, 6
_LINE, _LINE_LENGTH = 20, 96
_SHORT = 8
_words = partial(text, form=".1f")


def draw(found: Negotiation, lang: str) -> str:
    """Return the picture of a negotiation as SVG text.

    Examples
    --------
    >>> from fractions import Fraction
    >>> "How many people" in draw(Negotiation(Fraction(1, 10)), "en")
    True
    """
    language = Language(lang)
    asked, answered = demand(found, language), answers(found, language)
    head, y = lines([headline(language)], _EDGE, 30, "title", 26, _LINE_LENGTH * 5 // 9)
    said, y = lines([asked], _EDGE, y, "", _LINE, _LINE_LENGTH)
    told, y = lines(answered, _EDGE, y + 4, "answer", _LINE, _LINE_LENGTH * 4 // 5)
    heads, top = _heads(y + 28, language)
    cells = [_cell(found, controls, motivation, top, language) for controls in CONTROLS for motivation in MOTIVATIONS]
    below = top + 4 * (_HEIGHT + _GAP) + 18
    foot, height = lines(notes(found, language), _EDGE, below, "quiet", 18, _LINE_LENGTH + 8)
    return sheet(
        "negotiation",
        (_WIDTH, height),
        lang,
        headline(language),
        " ".join([asked, *answered]),
        poured("pictures/negotiation.css", language),
        [*head, *said, *told, *heads, *cells, *foot],
    )


def _heads(y: float, language: Language) -> tuple[list[Markup], float]:
    """Return the names of rows and columns, and where the cells begin."""
    middle = _left(1) + _CELL / 2
    parts = [_words(middle, y, columns_title(language), "quiet", "middle")]
    for place, motivation in enumerate(MOTIVATIONS):
        parts.append(_words(_left(place) + _CELL / 2, y + 22, level(motivation, language), "strong", "middle"))
    title = wrapped(rows_title(language), 16)
    for place, line in enumerate(title):
        parts.append(_words(_EDGE, y + 22 + 17 * (place - len(title) + 1), line, "quiet"))
    top = y + 32
    for place, controls in enumerate(CONTROLS):
        y = top + place * (_HEIGHT + _GAP) + _HEIGHT / 2 + 5
        parts.append(_words(_EDGE, y, level(controls, language), "strong"))
    return parts, top


def _cell(found: Negotiation, controls: str, motivation: str, top: float, language: Language) -> Markup:
    """Return a cell: its k, how probable an attempt is, and whether and how cheaply the given k is enough."""
    x = _left(MOTIVATIONS.index(motivation))
    y = top + CONTROLS.index(controls) * (_HEIGHT + _GAP)
    enough = None if found.acceptable is None else (controls, motivation) in found.acceptable
    star = "*" if (controls, motivation) in found.floored else ""
    figure = f"k = {language.whole(found.ks[controls][motivation])}{star}"
    attempt = language.percent(float(found.grid.attempt(controls, motivation)))
    parts = [
        _box({None: "cell", True: "enough", False: "short"}[enough], x, y, 0),
        _words(x + 16, y + 34, figure, "k" if len(figure) <= _SHORT else "k long"),
        _words(x + 16, y + 54, language.text("P(attempt) {share}", share=attempt), "quiet"),
    ]
    if enough:
        parts.append(path("tick", f"M{x + _CELL - 36:.1f} {y + 26:.1f}l6 7l12 -15"))
    if found.k is not None and found.cheapest(motivation) == controls:
        parts.append(_box("cheapest", x, y, 3))
        parts.append(_words(x + 16, y + 72, language.text("cheapest"), "cheapest-text"))
    return Markup("").join(parts)


def _left(place: int) -> float:
    return _HEADS + place * (_CELL + _GAP)


def _box(kind: str, x: float, y: float, inset: float) -> Markup:
    return Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="3"/>').format(
        kind, x + inset, y + inset, _CELL - 2 * inset, _HEIGHT - 2 * inset
    )
