"""The picture: a cell for every combination of controls and motivation, with its k. SVG drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from celosia.jobs.frontier.axes import wrapped
from celosia.jobs.negotiate.result import Negotiation
from celosia.jobs.negotiate.words import answers, columns_title, demand, headline, level, notes, rows_title
from celosia.measure.risk.grid import CONTROLS, MOTIVATIONS
from celosia.report.language import Language

_WIDTH, _EDGE, _HEADS = 760, 14, 118
_CELL, _HEIGHT, _GAP = 204, 84, 6
_LINE, _LINE_LENGTH = 20, 96
_SHORT = 8
_STYLE = """
.negotiation { --paper: #fdfcf9; --ink: #23282d; --quiet: #5d6469; --rule: #ddd6c8; --mark: #9a4a25;
  --enough: #d3e7e6; --enough-edge: #1f6f75; --plain: #f6f3ec; }
.negotiation text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial,
  sans-serif; font-size: 14px; fill: var(--ink); }
.negotiation .paper { fill: var(--paper); }
.negotiation .title { font-size: 22px; font-weight: 600; }
.negotiation .strong { font-weight: 600; }
.negotiation .quiet { fill: var(--quiet); font-size: 13px; }
.negotiation .answer { fill: var(--mark); font-weight: 600; }
.negotiation .k { font-size: 27px; font-weight: 600; }
.negotiation .long { font-size: 18px; }
.negotiation .cell { fill: var(--plain); stroke: var(--rule); }
.negotiation .enough { fill: var(--enough); stroke: var(--enough-edge); stroke-width: 1.5; }
.negotiation .short { fill: none; stroke: var(--rule); stroke-dasharray: 5 4; }
.negotiation .tick { fill: none; stroke: var(--enough-edge); stroke-width: 3; stroke-linecap: round;
  stroke-linejoin: round; }
.negotiation .cheapest { fill: none; stroke: var(--mark); stroke-width: 3; }
.negotiation .cheapest-text { fill: var(--mark); font-weight: 600; font-size: 13px; }
@media (prefers-color-scheme: dark) {
  .negotiation { --paper: #16191c; --ink: #e9e6df; --quiet: #aab0b4; --rule: #373d42; --mark: #f0a27a;
    --enough: #1d3f42; --enough-edge: #63c5cc; --plain: #1e2327; }
}
@media print {
  .negotiation { --paper: #ffffff; --ink: #23282d; --quiet: #5d6469; --rule: #ddd6c8; --mark: #9a4a25;
    --enough: #d3e7e6; --enough-edge: #1f6f75; --plain: #f6f3ec; }
}
"""


def draw(found: Negotiation, lang: str) -> str:
    """Return the picture of a negotiation as SVG text.

    Examples
    --------
    >>> from fractions import Fraction
    >>> "How many people" in draw(Negotiation(Fraction(1, 10)), "en")
    True
    """
    language = Language(lang)
    head, y = _sentences([headline(language)], 30, "title", 26, _LINE_LENGTH * 5 // 9)
    said, y = _sentences([demand(found, language)], y, "", _LINE, _LINE_LENGTH)
    told, y = _sentences(answers(found, language), y + 4, "answer", _LINE, _LINE_LENGTH * 4 // 5)
    heads, top = _heads(y + 28, language)
    cells = [_cell(found, controls, motivation, top, language) for controls in CONTROLS for motivation in MOTIVATIONS]
    foot, height = _sentences(notes(found, language), top + 4 * (_HEIGHT + _GAP) + 18, "quiet", 18, _LINE_LENGTH + 8)
    return str(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" class="negotiation" viewBox="0 0 {width} {height}" '
            'width="{width}" height="{height}" role="img" lang="{lang}"><title>{title}</title><desc>{said}</desc>'
            '<style>{style}</style><rect class="paper" width="{width}" height="{height}"/>{parts}</svg>'
        ).format(
            width=_WIDTH,
            height=round(height),
            lang=lang,
            title=headline(language),
            said=" ".join([demand(found, language), *answers(found, language)]),
            style=Markup(_STYLE),
            parts=Markup("\n").join([*head, *said, *told, *heads, *cells, *foot]),
        )
    )


def _sentences(said: Sequence[str], y: float, kind: str, step: float, most: int) -> tuple[list[Markup], float]:
    """Return sentences line by line, and where the next one would stand."""
    parts = []
    for sentence in said:
        for line in wrapped(sentence, most):
            parts.append(_words(_EDGE, y, line, kind))
            y += step
    return parts, y


def _heads(y: float, language: Language) -> tuple[list[Markup], float]:
    """Return the names of rows and columns, and where the cells begin."""
    middle = _left(1) + _CELL / 2
    parts = [_words(middle, y, columns_title(language), "quiet", "middle")]
    for place, motivation in enumerate(MOTIVATIONS):
        parts.append(_words(_left(place) + _CELL / 2, y + 22, level(motivation, language), "strong", "middle"))
    lines = wrapped(rows_title(language), 16)
    for place, line in enumerate(lines):
        parts.append(_words(_EDGE, y + 22 + 17 * (place - len(lines) + 1), line, "quiet"))
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
        parts.append(Markup('<path class="tick" d="M{:.1f} {:.1f}l6 7l12 -15"/>').format(x + _CELL - 36, y + 26))
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


def _words(x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> Markup:
    return Markup('<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(kind, x, y, anchor, said)
