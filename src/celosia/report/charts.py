"""Charts: small pictures in SVG, drawn by hand so that no plotting library is needed. Colours come from the page.

Before is always a pale shape with an outline, after a dark one: they differ in shape and lightness, not in hue alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from celosia.report.drawing import WIDTH, clipped, line, lying, path, svg, text, upright

_BASE, _TOP = 116, 14
_FLOOR = 100
_LABEL_LENGTH, _NAME_LENGTH = 19, 52
_FEWEST_SLOTS = 6
_STAR = 34
_LETTER = 6.5
"""The mean width of a letter in the widest of the page's fonts."""
_SMALL_LETTER = 6.2
_STEP, _TALL, _THIN = 19, 13, 5
_MARK = 19
_ROW, _LOW_ROW = 41, 38
_ROOM_FOR_THRESHOLD = 2.5
"""Where bars are far longer, the picture ends at so many times the threshold."""


@dataclass(frozen=True)
class Pair:
    """A label with a share before and after, spelt out in ``figures``."""

    label: str
    before: float
    after: float
    figures: str


@dataclass(frozen=True)
class Column:
    """An upright bar: what stands below it, its height, and the figure above it."""

    label: str
    height: float
    figure: str


def histogram(
    edges: Sequence[float],
    before: Sequence[float],
    after: Sequence[float],
    ticks: Sequence[tuple[float, str]],
    top: str,
    alternative: str,
    extra: Pair | None = None,
) -> Markup:
    """Draw ranges of numbers: areas are shares, the bars before, the line after.

    Parameters
    ----------
    edges
        Ascending, one more than there are bars.
    before, after
        The share of each bar.
    ticks
        Where labels stand below the axis.
    top
        The label of the highest bar, or nothing.
    alternative
        The picture in words.
    extra
        A bar apart at the right, for missing values.

    Examples
    --------
    >>> "<svg" in histogram([0, 10, 20], [0.4, 0.6], [0.5, 0.5], [(10, "10")], "60%", "two bars")
    True
    """
    right = WIDTH - (58 if extra else 4)
    scale = (right - 4) / (edges[-1] - edges[0])
    x = [4 + (edge - edges[0]) * scale for edge in edges]
    narrowest = min(b - a for a, b in pairwise(x))
    heights = [
        [share * narrowest / (b - a) for share, a, b in zip(shares, x, x[1:], strict=False)]
        for shares in (before, after)
    ]
    tallest = max([1e-9, *heights[0], *heights[1], *([extra.before, extra.after] if extra else [])])
    parts = [line("grid", 4, _TOP, right, _TOP) + text(4, _TOP - 4, top, "figure")] if top else []
    for share, a, b in zip(heights[0], x, x[1:], strict=False):
        parts.append(_bar("before", a, b - a, share / tallest))
    parts.append(_steps(x, [share / tallest for share in heights[1]]))
    if extra:
        parts.append(_bar("before", right + 16, 34, extra.before / tallest))
        parts.append(_steps([right + 16, right + 50], [extra.after / tallest]))
        parts.append(text(right + 33, _BASE + 15, extra.label, "tick", "middle"))
    parts.append(line("axis", 4, _BASE, right, _BASE))
    for place, label in ticks:
        parts.append(text(4 + (place - edges[0]) * scale, _BASE + 15, label, "tick", "middle"))
    return svg(_BASE + 22, alternative, parts)


def columns(bars: Sequence[Column], alternative: str) -> Markup:
    """Draw upright bars side by side.

    Examples
    --------
    >>> "two classes" in columns([Column("5", 2, "2")], "two classes")
    True
    """
    tallest = max([1e-9, *(bar.height for bar in bars)])
    slot = (WIDTH - 8) / max(len(bars), _FEWEST_SLOTS)
    start = (WIDTH - slot * len(bars)) / 2
    parts = []
    for place, bar in enumerate(bars):
        left = start + place * slot
        share = bar.height / tallest
        parts.append(_bar("after", left + 0.14 * slot, 0.72 * slot, share))
        parts.append(text(left + slot / 2, _BASE - share * (_BASE - _TOP) - 4, bar.figure, "figure", "middle"))
        parts.append(text(left + slot / 2, _BASE + 15, bar.label, "tick", "middle"))
    parts.append(line("axis", 4, _BASE, WIDTH - 4, _BASE))
    return svg(_BASE + 22, alternative, parts)


def descent(
    points: Sequence[tuple[float, float]],
    first: str,
    last: str,
    ticks: Sequence[tuple[float, str]],
    alternative: str,
) -> Markup:
    """Draw what falls over time as a staircase, from the first height at the top to the last near the axis.

    Parameters
    ----------
    points
        Time and height, ascending in time; the last height is below the first.
    first, last
        The labels of the first and the last height.
    ticks
        Where labels stand below the axis, the first and the last at its ends.
    alternative
        The picture in words.

    Examples
    --------
    >>> "60%" in descent([(0, 0.9), (1, 0.6)], "90%", "60%", [(0, "0 s"), (1, "1 s")], "it falls")
    True
    """
    right = WIDTH - 4
    scale_x = (right - 4) / points[-1][0]
    scale_y = (_FLOOR - _TOP) / (points[0][1] - points[-1][1])
    x = [4 + time * scale_x for time, _ in points]
    y = [_FLOOR - (height - points[-1][1]) * scale_y for _, height in points]
    course = f"M{x[0]:.2f} {y[0]:.2f}" + "".join(f"H{a:.2f}V{b:.2f}" for a, b in zip(x[1:], y[1:], strict=True))
    parts = [
        line("grid", 4, _TOP, right, _TOP),
        path("outline", course),
        text(4, _TOP - 4, first, "figure"),
        text(right, _FLOOR - 6, last, "figure", "end"),
        line("axis", 4, _BASE, right, _BASE),
    ]
    anchors = ["start", *["middle"] * (len(ticks) - 2), "end"]
    for (time, label), anchor in zip(ticks, anchors, strict=True):
        parts.append(text(4 + time * scale_x, _BASE + 15, label, "tick", anchor))
    return svg(_BASE + 22, alternative, parts)


def pairs(bars: Sequence[Pair], alternative: str) -> Markup:
    """Draw lying bars, one pair per value: the pale one before, the dark one within it after.

    Examples
    --------
    >>> "Ana" in pairs([Pair("Ana", 0.5, 0.4, "50% / 40%")], "one value")
    True
    """
    left, right = 124, 258
    widest = max([1e-9, *(max(bar.before, bar.after) for bar in bars)])
    parts = []
    for place, bar in enumerate(bars):
        y = 6 + place * 19
        parts.append(text(left - 6, y + 10, clipped(bar.label, _LABEL_LENGTH), "label", "end"))
        parts += _pair(bar, left, y, (right - left) / widest)
        parts.append(text(WIDTH - 1, y + 10, bar.figures, "figure", "end"))
    return svg(10 + 19 * len(bars), alternative, parts)


def ladder(rungs: Sequence[Pair], n_above: int, mark: str, alternative: str) -> Markup:
    """Draw a pair of bars per rung, and a line below those that lie above a threshold.

    Parameters
    ----------
    n_above
        How many of the first rungs lie above the threshold; 0 draws no line.
    mark
        What the line says of the rungs above it.
    alternative
        The picture in words.

    Examples
    --------
    >>> "above 20%" in ladder([Pair("1", 1, 0, "100%"), Pair("1/5", 0, 1, "0%")], 1, "above 20%", "two rungs")
    True
    """
    left = _LETTER * max(len(rung.label) for rung in rungs) + 10
    right = WIDTH - _LETTER * max(len(rung.figures) for rung in rungs) - 6
    longest = max([1e-9, *(max(rung.before, rung.after) for rung in rungs)])
    parts = [lying("over", 0, 1, WIDTH, n_above * _STEP + 1)] if n_above else []
    y, top = 6.0, 4.0
    for place, rung in enumerate([*rungs, None]):
        if n_above and place == n_above:
            parts += [line("axis", left, top, left, y - 4), line("limit", 0, y - 4, WIDTH, y - 4)]
            parts.append(text(1, y + 8, mark, "limit-text"))
            y, top = y + _MARK, y + _MARK - 2
        if rung is not None:
            parts.append(text(left - 6, y + 10, rung.label, "label", "end"))
            parts += _pair(rung, left, y, (right - left) / longest)
            parts.append(text(WIDTH - 1, y + 10, rung.figures, "figure", "end"))
            y += _STEP
    if n_above < len(rungs):
        parts.append(line("axis", left, top, left, y - 4))
    return svg(y, alternative, parts)


def reach(bars: Sequence[Pair], limit: float) -> float:
    """Return how far the picture of ``against`` reaches: to its longest bar, unless the threshold would be lost in it.

    Examples
    --------
    >>> reach([Pair("public", 1.0, 0.05, "")], 0.1), reach([Pair("public", 0.2, 0.05, "")], 0.1)
    (0.25, 0.2)
    """
    longest = max(max(bar.before, bar.after) for bar in bars)
    enough = max(_ROOM_FOR_THRESHOLD * limit, 1.2 * max(bar.after for bar in bars))
    return max(min(longest, enough), 1.25 * limit)


def against(bars: Sequence[Pair], limit: float, mark: str, alternative: str) -> Markup:
    """Draw risks against a threshold: a pair of bars each below its name, and the threshold as an upright line.

    A bar that is much longer than the threshold is cut, its end open: its figure says how long it is.

    Parameters
    ----------
    limit
        The threshold.
    mark
        What stands below its line.
    alternative
        The picture in words.

    Examples
    --------
    >>> "threshold" in against([Pair("public", 1.0, 0.05, "100% / 5%")], 0.1, "threshold 10%", "one bar")
    True
    """
    right = WIDTH - _LETTER * max(len(bar.figures) for bar in bars) - 12
    scale = right / reach(bars, limit)
    bottom = _ROW * len(bars) + 2
    parts = [line("axis", 0.5, 2, 0.5, bottom)]
    for place, bar in enumerate(bars):
        y = place * _ROW + 2
        parts.append(text(4, y + 11, clipped(bar.label, _NAME_LENGTH), "label"))
        parts += _pair(bar, 0.5, y + 19, scale, right)
        parts.append(text(WIDTH - 1, y + 29, bar.figures, "figure", "end"))
    x = 0.5 + limit * scale
    for place in range(len(bars)):
        y = place * _ROW + 18
        parts += [line("halo", x, y, x, y + _TALL + 6), line("limit", x, y, x, y + _TALL + 6)]
    middle = min(max(x, _LETTER * len(mark) / 2), WIDTH - _LETTER * len(mark) / 2)
    return svg(bottom + 17, alternative, [*parts, text(middle, bottom + 12, mark, "limit-text", "middle")])


def risk_bars(bars: Sequence[Pair], alternative: str) -> Markup:
    """Draw a pair of bars per kind of knowledge, all from nobody to everybody.

    Parameters
    ----------
    bars
        ``before`` is the share with fewer than k candidates, ``after`` that of the unique.
    alternative
        The picture in words.

    Examples
    --------
    >>> "Degree" in risk_bars([Pair("Degree", 0.5, 0.25, "50% / 25%")], "one bar")
    True
    """
    right = WIDTH - _SMALL_LETTER * max((len(bar.figures) for bar in bars), default=0) - 8
    bottom = _LOW_ROW * len(bars) + 2
    parts = [line("grid", right, 2, right, bottom), line("axis", 0.5, 2, 0.5, bottom)]
    for place, bar in enumerate(bars):
        y = place * _LOW_ROW + 2
        parts.append(text(4, y + 11, bar.label, "label"))
        parts += _pair(bar, 0.5, y + 17, right - 0.5)
        parts.append(text(WIDTH - 1, y + 27, bar.figures, "figure", "end"))
    return svg(bottom + 4, alternative, parts)


def meter(share: float) -> Markup:
    """Draw one lying bar that fills its cell; the figure beside it says the same in text.

    Examples
    --------
    >>> 'width="25.00"' in meter(0.25)
    True
    """
    return Markup(
        '<svg class="meter" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="10"/><rect class="after" width="{:.2f}" height="10"/></svg>'
    ).format(100 * share)


def lattice() -> Markup:
    """Draw the lattice of a window screen, as an ornament: eight-pointed stars and the crosses between them.

    Examples
    --------
    >>> 'aria-hidden="true"' in lattice()
    True
    """
    half, reach = _STAR / 2, _STAR / 2 * 0.72
    square = f"M{half - reach} {half - reach}H{half + reach}V{half + reach}H{half - reach}Z"
    turned = f"M{half} 0L{_STAR} {half}L{half} {_STAR}L0 {half}Z"
    return Markup(
        '<svg class="lattice" aria-hidden="true" focusable="false" width="100%" height="{size}">'
        '<defs><pattern id="lattice" width="{size}" height="{size}" patternUnits="userSpaceOnUse">'
        '<path d="{square}{turned}" fill="none"/></pattern></defs>'
        '<rect width="100%" height="100%" fill="url(#lattice)"/></svg>'
    ).format(size=_STAR, square=square, turned=turned)


def _bar(kind: str, x: float, width: float, share: float) -> Markup:
    height = share * (_BASE - _TOP)
    return upright(kind, x, _BASE - height, width, height)


def _steps(x: Sequence[float], shares: Sequence[float]) -> Markup:
    """Return the line over the bars, from the axis up and down again."""
    course = f"M{x[0]:.2f} {_BASE}"
    for share, end in zip(shares, x[1:], strict=True):
        course += f"V{_BASE - share * (_BASE - _TOP):.2f}H{end:.2f}"
    return path("outline", f"{course}V{_BASE}")


def _pair(pair: Pair, x: float, y: float, scale: float, most: float = WIDTH) -> list[Markup]:
    parts = []
    for kind, value, down, height in (("before", pair.before, 0, _TALL), ("after", pair.after, 4, _THIN)):
        width = max(value * scale, 0.75 if value else 0.0)
        parts.append(lying(kind, x, y + down, min(width, most), height))
        if width > most + 0.01:
            parts.append(_cut(x + most, y + down, height))
    return parts


def _cut(x: float, y: float, height: float) -> Markup:
    """Return the torn end of a bar that goes on beyond the picture."""
    tooth = height / 4
    course = f"M{x - 6:.2f} {y - 1:.2f}l4 {tooth + 0.5:.2f}l-4 {tooth:.2f}l4 {tooth:.2f}l-4 {tooth + 1.5:.2f}"
    return path("tear", course)
