"""Risk by knowledge: for every kind a pale bar for those with fewer than k candidates, a dark one for the unique."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from celosia.report.charts import Pair
from celosia.report.drawing import WIDTH, line, lying, svg, text

_ROW = 38
_LETTER = 6.2


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
    right = WIDTH - _LETTER * max((len(bar.figures) for bar in bars), default=0) - 8
    bottom = _ROW * len(bars) + 2
    parts = [line("grid", right, 2, right, bottom), line("axis", 0.5, 2, 0.5, bottom)]
    for place, bar in enumerate(bars):
        y = place * _ROW + 2
        parts.append(text(4, y + 11, bar.label, "label"))
        for kind, value, down, height in (("before", bar.before, 17, 13), ("after", bar.after, 21, 5)):
            width = max(value * (right - 0.5), 0.75 if value else 0.0)
            parts.append(lying(kind, 0.5, y + down, width, height))
        parts.append(text(WIDTH - 1, y + 27, bar.figures, "figure", "end"))
    return svg(bottom + 4, alternative, parts)
