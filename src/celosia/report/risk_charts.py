"""Charts of risk: lying bars before and after, and the threshold that they are held against.

As in ``charts``, before is a pale bar with an outline and after a dark one within it.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from celosia.report.charts import Pair
from celosia.report.drawing import WIDTH, line, lying, svg, text

_LETTER = 6.5
"""The mean width of a letter in the widest of the page's fonts."""
_MOST_LETTERS = 52
_STEP, _TALL, _THIN = 19, 13, 5
_MARK = 19
_ROW = 41
_ROOM_FOR_THRESHOLD = 2.5
"""Where bars are far longer, the picture ends at so many times the threshold."""


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
        parts.append(text(4, y + 11, _clipped(bar.label), "label"))
        parts += _pair(bar, 0.5, y + 19, scale, right)
        parts.append(text(WIDTH - 1, y + 29, bar.figures, "figure", "end"))
    x = 0.5 + limit * scale
    for place in range(len(bars)):
        y = place * _ROW + 18
        parts += [line("halo", x, y, x, y + _TALL + 6), line("limit", x, y, x, y + _TALL + 6)]
    middle = min(max(x, _LETTER * len(mark) / 2), WIDTH - _LETTER * len(mark) / 2)
    return svg(bottom + 17, alternative, [*parts, text(middle, bottom + 12, mark, "limit-text", "middle")])


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
    path = f"M{x - 6:.2f} {y - 1:.2f}l4 {tooth + 0.5:.2f}l-4 {tooth:.2f}l4 {tooth:.2f}l-4 {tooth + 1.5:.2f}"
    return Markup('<path class="tear" d="{}"/>').format(path)


def _clipped(label: str) -> str:
    return label if len(label) <= _MOST_LETTERS else label[: _MOST_LETTERS - 1].rstrip() + "…"
