"""Drawing: the parts of a picture in SVG. Colours and letters come from the page's style."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

WIDTH = 340
"""How wide every picture is, in its own units; the page scales it."""


def svg(height: float, alternative: str, parts: Sequence[Markup]) -> Markup:
    """Return the picture of its parts, which those who cannot see it hear in the words of ``alternative``.

    Examples
    --------
    >>> print(svg(20, "a line", [line("axis", 0, 10, 340, 10)])[:87])
    <svg class="chart" viewBox="0 0 340 20" role="img" aria-label="a line"><line class="axi
    """
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        WIDTH, height, alternative, Markup("").join(parts)
    )


def line(kind: str, x: float, y: float, to_x: float, to_y: float) -> Markup:
    """Return a straight line.

    Examples
    --------
    >>> print(line("axis", 0, 10, 340, 10))
    <line class="axis" x1="0" y1="10" x2="340" y2="10"/>
    """
    return Markup('<line class="{}" x1="{:.5g}" y1="{:.5g}" x2="{:.5g}" y2="{:.5g}"/>').format(kind, x, y, to_x, to_y)


def lying(kind: str, x: float, y: float, width: float, height: float) -> Markup:
    """Return a lying bar.

    Examples
    --------
    >>> print(lying("after", 10, 4, 25, 5))
    <rect class="after" x="10" y="4" width="25.00" height="5"/>
    """
    return Markup('<rect class="{}" x="{:.5g}" y="{:.5g}" width="{:.2f}" height="{:.5g}"/>').format(
        kind, x, y, width, height
    )


def text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> Markup:
    """Return words that start, end or have their middle at a place.

    Examples
    --------
    >>> print(text(4, 12, "a < b", "tick"))
    <text class="tick" x="4.00" y="12.00" text-anchor="start">a &lt; b</text>
    """
    return Markup('<text class="{}" x="{:.2f}" y="{:.2f}" text-anchor="{}">{}</text>').format(
        kind, x, y, anchor, escape(words)
    )
