"""Small line charts as SVG text: axes, bands, a legend, no script, no fonts from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from celosia.report.axes import Scale, round_step

_INK, _SOFT, _GRID = "#222222", "#666666", "#e4e4e4"
_PANEL, _HEIGHT, _LEFT, _TOP, _GAP, _FOOT = 380, 280, 70, 52, 60, 58
_LEGEND_COLUMN, _LEGEND_ROW = 400, 22
_MOST_STEPS = 8


@dataclass(frozen=True)
class Curve:
    """A named line through points, with an optional band (x, low, high) around it.

    ``markers`` draws the points too, for points that stand far apart; ``labels`` are written above the points.
    """

    name: str
    colour: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    dashes: str = ""
    markers: bool = False
    labels: Sequence[str] = ()


@dataclass(frozen=True)
class Panel:
    """One pair of axes with its title and curves."""

    title: str
    curves: Sequence[Curve]


def line_chart(
    panels: Sequence[Panel], *, title: str, x_label: str, y_label: str, logarithmic: bool = False, comma: bool = False
) -> str:
    """Draw panels side by side on common axes, with one legend below.

    Parameters
    ----------
    panels
        From 1, with a point each.
    logarithmic
        Powers of ten on the upright axis; figures must be above 0.
    comma
        A decimal comma on the axes.

    Examples
    --------
    >>> curve = Curve("loss", "#0072b2", [(2, 0.05), (40, 0.5)])
    >>> line_chart([Panel("real marks", [curve])], title="GCP", x_label="k", y_label="GCP").count("#0072b2")
    2
    """
    curves = [curve for panel in panels for curve in panel.curves]
    x_ticks = _ticks([x for curve in curves for x, _ in curve.points], 1.0)
    y_ticks = (_powers if logarithmic else _ticks)(_figures(curves))
    named = list({curve.name: curve for curve in curves}.values())
    width = _LEFT + len(panels) * _PANEL + (len(panels) - 1) * _GAP + 24
    per_row = max(1, (width - _LEFT) // _LEGEND_COLUMN)
    bottom = _TOP + _HEIGHT
    height = bottom + _FOOT + _LEGEND_ROW * ceil(len(named) / per_row) + 6
    parts = [_frame(width, height, title, y_label)]
    for position, panel in enumerate(panels):
        left = _LEFT + position * (_PANEL + _GAP)
        across = Scale(x_ticks[0], x_ticks[-1], left, left + _PANEL)
        upward = Scale(y_ticks[0], y_ticks[-1], bottom, _TOP, logarithmic)
        parts += [_axes(left, across, upward, x_ticks, y_ticks, comma=comma), _heading(left, panel.title, x_label)]
        parts += [_drawn(curve, across, upward) for curve in panel.curves]
    for position, curve in enumerate(named):
        x = _LEFT + (position % per_row) * _LEGEND_COLUMN
        parts.append(_entry(curve, x, bottom + _FOOT + _LEGEND_ROW * (position // per_row)))
    return "\n".join([*parts, "</svg>", ""])


def _figures(curves: Sequence[Curve]) -> list[float]:
    return [y for curve in curves for _, y in curve.points] + [
        end for curve in curves for _, low, high in curve.band for end in (low, high)
    ]


def _ticks(values: Sequence[float], least: float = 0.0) -> list[float]:
    """Return round numbers from 0 to the greatest value or just above, some steps apart and no less than asked for."""
    step = max(least, round_step(max(values) / _MOST_STEPS))
    return [step * number for number in range(ceil(max(values) / step) + 1)]


def _powers(values: Sequence[float]) -> list[float]:
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return [10.0**power for power in range(low, max(high, low + 1) + 1)]


def _frame(width: int, height: int, title: str, y_label: str) -> str:
    middle = _TOP + _HEIGHT / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif" font-size="13" fill="{_INK}">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
        f'<text x="{_LEFT}" y="22" font-size="16" font-weight="bold">{escape(title)}</text>\n'
        f'<text transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>'
    )


def _axes(
    left: float, across: Scale, upward: Scale, x_ticks: Sequence[float], y_ticks: Sequence[float], *, comma: bool
) -> str:
    parts = []
    for tick in y_ticks:
        y = upward(tick)
        text = f"{tick:g}".replace(".", "," if comma else ".")
        parts.append(
            f'<polyline points="{left},{y:.1f} {left + _PANEL},{y:.1f}" stroke="{_GRID}" fill="none"/>'
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end" fill="{_SOFT}">{text}</text>'
        )
    parts += [
        f'<text x="{across(tick):.1f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle" fill="{_SOFT}">{tick:g}</text>'
        for tick in x_ticks
    ]
    return "\n".join(parts)


def _heading(left: float, title: str, x_label: str) -> str:
    return (
        f'<text x="{left + _PANEL / 2}" y="{_TOP - 10}" text-anchor="middle">{escape(title)}</text>'
        f'<text x="{left + _PANEL / 2}" y="{_TOP + _HEIGHT + 36}" text-anchor="middle">{escape(x_label)}</text>'
    )


def _drawn(curve: Curve, across: Scale, upward: Scale) -> str:
    parts = []
    if curve.band:
        rim = [(x, high) for x, _, high in curve.band] + [(x, low) for x, low, _ in reversed(curve.band)]
        places = " ".join(f"{across(x):.1f},{upward(y):.1f}" for x, y in rim)
        parts.append(f'<polygon points="{places}" fill="{curve.colour}" fill-opacity="0.18"/>')
    places = " ".join(f"{across(x):.1f},{upward(y):.1f}" for x, y in curve.points)
    parts.append(
        f'<polyline points="{places}" fill="none" stroke="{curve.colour}" stroke-width="2" '
        f'stroke-dasharray="{curve.dashes or "none"}"/>'
    )
    if curve.markers:
        parts += [
            f'<circle cx="{across(x):.1f}" cy="{upward(y):.1f}" r="3.5" fill="{curve.colour}"/>'
            for x, y in curve.points
        ]
    for (x, y), label in zip(curve.points, curve.labels, strict=False):
        anchor = "end" if x > (across.low + across.high) / 2 else "start"
        parts.append(
            f'<text x="{across(x):.1f}" y="{upward(y) - 9:.1f}" text-anchor="{anchor}" font-size="12" '
            f'fill="{curve.colour}">{escape(label)}</text>'
        )
    return "\n".join(parts)


def _entry(curve: Curve, x: float, y: float) -> str:
    return (
        f'<line x1="{x}" y1="{y - 4}" x2="{x + 30}" y2="{y - 4}" stroke="{curve.colour}" stroke-width="2.5" '
        f'stroke-dasharray="{curve.dashes or "none"}"/><text x="{x + 38}" y="{y}">{escape(curve.name)}</text>'
    )
