"""Drawing: the parts of every picture in SVG. Colours and letters come from the style of the page or of the picture.

``form`` says how figures of places are spelt.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from celosia.report.axes import wrapped

WIDTH = 340
"""How wide a chart is, in its own units; the page scales it."""


def svg(height: float, alternative: str, parts: Sequence[Markup]) -> Markup:
    """Return the chart of its parts, which those who cannot see it hear in the words of ``alternative``.

    Examples
    --------
    >>> print(svg(20, "a line", [line("axis", 0, 10, 340, 10)])[:87])
    <svg class="chart" viewBox="0 0 340 20" role="img" aria-label="a line"><line class="axi
    """
    return framed("chart", f"0 0 {WIDTH} {height}", alternative, parts)


def framed(kind: str, box: str, alternative: str, parts: Sequence[Markup]) -> Markup:
    """Return a picture that stands in a page: what it shows of the plane, its words, its parts.

    Examples
    --------
    >>> print(framed("wide", "0 0 9 9", "nothing", []))
    <svg class="wide" viewBox="0 0 9 9" role="img" aria-label="nothing"></svg>
    """
    return Markup('<svg class="{}" viewBox="{}" role="img" aria-label="{}">{}</svg>').format(
        kind, box, alternative, Markup("").join(parts)
    )


def sheet(
    kind: str, size: tuple[int, float], lang: str, title: str, said: str, style: str, parts: Sequence[Markup]
) -> str:
    """Return a picture that stands alone: an SVG file with its style, its title and its words.

    Examples
    --------
    >>> sheet("grid", (80, 60.2), "en", "A grid", "Nothing.", ".grid {}", []).count('height="60"')
    2
    """
    return str(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {width} {height}" width="{width}" '
            'height="{height}" role="img" lang="{lang}"><title>{title}</title><desc>{said}</desc><style>{style}</style>'
            '<rect class="paper" width="{width}" height="{height}"/>{parts}</svg>'
        ).format(
            kind=kind,
            width=size[0],
            height=round(size[1]),
            lang=lang,
            title=title,
            said=said,
            style=Markup(style),
            parts=Markup("\n").join(parts),
        )
    )


def line(kind: str, x: float, y: float, to_x: float, to_y: float, form: str = ".5g") -> Markup:
    """Return a straight line.

    Examples
    --------
    >>> print(line("axis", 0, 10, 340, 10))
    <line class="axis" x1="0" y1="10" x2="340" y2="10"/>
    """
    places = (format(place, form) for place in (x, y, to_x, to_y))
    return Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(kind, *places)


def upright(kind: str, x: float, y: float, width: float, height: float) -> Markup:
    """Return an upright bar.

    Examples
    --------
    >>> print(upright("after", 10, 4, 5, 25))
    <rect class="after" x="10.00" y="4.00" width="5.00" height="25.00"/>
    """
    return _rect(kind, f"{x:.2f}", f"{y:.2f}", f"{width:.2f}", f"{height:.2f}")


def lying(kind: str, x: float, y: float, width: float, height: float) -> Markup:
    """Return a lying bar.

    Examples
    --------
    >>> print(lying("after", 10, 4, 25, 5))
    <rect class="after" x="10" y="4" width="25.00" height="5"/>
    """
    return _rect(kind, f"{x:.5g}", f"{y:.5g}", f"{width:.2f}", f"{height:.5g}")


def _rect(kind: str, x: str, y: str, width: str, height: str) -> Markup:
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(kind, x, y, width, height)


def path(kind: str, course: str) -> Markup:
    """Return a line along a course of moves, or the shape that it closes.

    Examples
    --------
    >>> print(path("outline", "M0 0H9"))
    <path class="outline" d="M0 0H9"/>
    """
    return Markup('<path class="{}" d="{}"/>').format(kind, course)


def diamond(kind: str, x: float, y: float) -> Markup:
    """Return a diamond about a place.

    Examples
    --------
    >>> print(diamond("own", 9, 10))
    <path class="own" d="M9.0 3.0l7 7l-7 7l-7 -7Z"/>
    """
    return path(kind, f"M{x:.1f} {y - 7:.1f}l7 7l-7 7l-7 -7Z")


def circle(kind: str, x: float, y: float, radius: object) -> Markup:
    """Return a circle; the radius stands as it is given.

    Examples
    --------
    >>> print(circle("ring", 9, 10, 5.5))
    <circle class="ring" cx="9.0" cy="10.0" r="5.5"/>
    """
    return Markup('<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="{}"/>').format(kind, x, y, radius)


def text(x: float, y: float, words: object, kind: str = "", anchor: str = "start", form: str = ".2f") -> Markup:
    """Return words that start, end or have their middle at a place.

    Examples
    --------
    >>> print(text(4, 12, "a < b", "tick"))
    <text class="tick" x="4.00" y="12.00" text-anchor="start">a &lt; b</text>
    """
    places = (format(place, form) for place in (x, y))
    return Markup('<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>').format(kind, *places, anchor, words)


def lines(said: Sequence[str], x: float, y: float, kind: str, step: float, most: int) -> tuple[list[Markup], float]:
    """Return sentences line by line, of at most so many letters, and where the next one would stand.

    Examples
    --------
    >>> lines(["the safer"], 0, 10, "quiet", 20, 5)[1]
    50
    """
    parts = []
    for sentence in said:
        for one in wrapped(sentence, most):
            parts.append(text(x, y, one, kind, form=".1f"))
            y += step
    return parts, y


def clipped(words: str, most: int) -> str:
    """Return words, cut off with an ellipsis where there are more than so many letters.

    Examples
    --------
    >>> clipped("neighbourhood", 8)
    'neighbo…'
    """
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"
