"""The picture: loss over k, a line per search, a panel per share of suppression. SVG drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from celosia.jobs.frontier.point import Point
from celosia.jobs.frontier.result import Frontier
from celosia.jobs.frontier.words import bearable, budget, headline, named, notes, reading_aid
from celosia.report.axes import Scale, apart, k_ticks, loss_ticks, wrapped
from celosia.report.drawing import circle, diamond, line, lines, path, sheet, text
from celosia.report.house import poured
from celosia.report.labels import Box, Labels
from celosia.report.language import Language

_N_COLOURS = 6
_FEW_POINTS = 15
_EDGE, _LINE = 14, 20
_GAP = 17


_segment, _words = partial(line, form=".1f"), partial(text, form=".1f")


@dataclass(frozen=True)
class _Sheet:
    """The sizes of a picture: wide for a desk, narrow for a telephone."""

    width: int
    left: int
    right: int
    height: int
    n_columns: int
    line_length: int
    tick_room: int


_WIDE = _Sheet(width=880, left=62, right=118, height=340, n_columns=1, line_length=112, tick_room=52)
_WIDE_PAIR = _Sheet(width=880, left=62, right=112, height=250, n_columns=2, line_length=112, tick_room=38)
_NARROW = _Sheet(width=380, left=48, right=98, height=340, n_columns=1, line_length=48, tick_room=38)


@dataclass(frozen=True)
class _Panel:
    """Where one panel stands, and its axes."""

    share: float
    left: float
    top: float
    across: Scale
    upward: Scale

    def spot(self, point: Point) -> tuple[float, float]:
        """Return where a point is drawn."""
        return self.across(_place(point)), self.upward(point.loss)

    @property
    def frame(self) -> Box:
        """The room between the axes."""
        return Box(self.left, self.top, self.across.end, self.upward.start)


def draw(frontier: Frontier, lang: str, bearable_loss: float | None = None, *, narrow: bool = False) -> str:
    """Return the picture of a frontier as SVG text.

    Examples
    --------
    >>> point = Point(5, {"mondrian": {}}, 0.0, reached_k=5, gcp=0.1)
    >>> "Mondrian" in draw(Frontier(points=(point,)), "en")
    True
    """
    language = Language(lang)
    shares = frontier.shares or [0.0]
    form = _NARROW if narrow else _WIDE if len(shares) == 1 else _WIDE_PAIR
    head, top = _head(frontier, form, language, bearable_loss)
    panels, bottom = _panels(frontier, shares, form, top, bearable_loss)
    parts = [*head]
    for panel in panels:
        parts += _axes(panel, form, language, is_titled=len(shares) > 1 or shares[0] > 0)
        labels = Labels(panel.frame)
        parts += _curves(frontier, panel, form, labels)
        if bearable_loss is not None:
            labels.add_line(
                [(panel.left, panel.upward(bearable_loss)), (panel.across.end, panel.upward(bearable_loss))]
            )
        own = _own(frontier, panel, labels, shares, language)  # placed first, drawn last
        parts += [*_limit(frontier, panel, labels, bearable_loss, language), *own]
    foot, height = _foot(frontier, form, bottom, language)
    return sheet(
        "frontier",
        (form.width, height),
        lang,
        headline(language),
        reading_aid(language),
        poured("pictures/frontier.css", language),
        [*parts, *foot],
    )


def _head(
    frontier: Frontier, form: _Sheet, language: Language, bearable_loss: float | None
) -> tuple[list[Markup], float]:
    """Return title, reading aid and the answer about a bearable loss, and where they end."""
    most = form.line_length
    title, y = lines([headline(language)], _EDGE, 30.0, "title", 26, most * 5 // 9)
    aid, y = lines([reading_aid(language)], _EDGE, y, "", _LINE, most)
    if bearable_loss is None:
        return [*title, *aid], y + 2
    answer, y = lines([bearable(frontier, bearable_loss, language)], _EDGE, y + 4, "limit-text", _LINE, most * 6 // 7)
    return [*title, *aid, *answer], y + 2


def _panels(
    frontier: Frontier, shares: Sequence[float], form: _Sheet, top: float, bearable_loss: float | None
) -> tuple[list[_Panel], float]:
    drawn = [*frontier.reached, *([frontier.own] if frontier.own is not None and frontier.own.is_reached else [])]
    ks = [_place(point) for point in drawn] or frontier.ks or [2]
    ticks = loss_ticks(max([0.001, *(point.loss for point in drawn), *([bearable_loss] if bearable_loss else [])]))
    low, high = min(ks), max(max(ks), min(ks) + 1)
    each = form.width / form.n_columns
    room = 44 if len(shares) > 1 or shares[0] > 0 else 24
    panels = []
    for place, share in enumerate(shares):
        row, column = divmod(place, form.n_columns)
        left = column * each + form.left
        start = top + row * (form.height + room + 52) + room
        across = Scale(low, high, left + 18, (column + 1) * each - form.right, logarithmic=True)
        upward = Scale(0, ticks[-1], start + form.height, start)
        panels.append(_Panel(share, left, start, across, upward))
    n_rows = -(-len(shares) // form.n_columns)
    return panels, top + n_rows * (form.height + room + 52)


def _axes(panel: _Panel, form: _Sheet, language: Language, *, is_titled: bool) -> list[Markup]:
    bottom, right = panel.upward.start, panel.across.end
    parts = []
    if is_titled:
        parts.append(_words(panel.left - form.left + _EDGE, panel.top - 30, budget(panel.share, language), "strong"))
    parts.append(_words(panel.left - form.left + _EDGE, panel.top - 10, language.text("information lost"), "quiet"))
    for loss in loss_ticks(panel.upward.high):
        y = panel.upward(loss)
        parts.append(_segment("grid" if loss else "axis", panel.left, y, right, y))
        parts.append(_words(panel.left - 8, y + 4.5, language.percent(loss), "quiet", "end"))
    for k in k_ticks(panel.across, form.tick_room):
        x = panel.across(k)
        parts.append(_segment("axis", x, bottom, x, bottom + 5))
        parts.append(_words(x, bottom + 21, language.whole(k), "strong", "middle"))
        parts.append(_words(x, bottom + 39, language.percent(1 / k), "quiet", "middle"))
    parts.append(_words(panel.left - form.left + _EDGE, bottom + 21, "k", "strong"))
    parts.append(_words(panel.left - form.left + _EDGE, bottom + 39, "1/k", "quiet"))
    return parts


def _curves(frontier: Frontier, panel: _Panel, form: _Sheet, labels: Labels) -> list[Markup]:
    """Return a line per search, each with its name at its end."""
    parts, ends = [], []
    for place, algorithm in enumerate(frontier.algorithms):
        own = [
            point for point in frontier.points if point.algorithm == algorithm and point.max_suppression == panel.share
        ]
        style = place % _N_COLOURS
        spots = [panel.spot(point) for point in own if point.is_reached]
        parts += _line(own, panel, style)
        labels.add_line(spots)
        if spots:
            ends.append((spots[-1], named(algorithm, frontier), style))
            if len(own) <= _FEW_POINTS or len(spots) == 1:
                parts += [circle(f"f{style}", *spot, 3.5) for spot in spots]
    return [*parts, *_names(ends, panel, form)]


def _names(ends: Sequence[tuple[tuple[float, float], str, int]], panel: _Panel, form: _Sheet) -> list[Markup]:
    """Return the name of every line beside its end, none over another."""
    lines = [wrapped(name, (form.right - 12) // 8) for _, name, _ in ends]
    gap = _GAP * max([1, *(len(own) for own in lines)])
    heights = apart([y for (_, y), _, _ in ends], gap, panel.top + 4, panel.upward.start - 4)
    parts = []
    for ((x, y), _, style), own, height in zip(ends, lines, heights, strict=True):
        right = panel.across.end
        parts.append(path(f"leader line c{style}", f"M{x:.1f} {y:.1f}L{right + 10:.1f} {height:.1f}"))
        for place, said in enumerate(own):
            shift = 4.5 + 16 * (place - (len(own) - 1) / 2)
            parts.append(_words(right + 13, height + shift, said, f"strong f{style} halo"))
    return parts


def _line(own: Sequence[Point], panel: _Panel, style: int) -> list[Markup]:
    """Return the line through points with neighbouring k, with a gap where one is out of reach."""
    course, is_down = "", False
    for point in own:
        if point.is_reached:
            course += f"{'L' if is_down else 'M'}{panel.across(point.k):.1f} {panel.upward(point.loss):.1f}"
        is_down = point.is_reached
    return [path(f"line c{style} d{style}", course)] if course else []


def _limit(frontier: Frontier, panel: _Panel, labels: Labels, loss: float | None, language: Language) -> list[Markup]:
    """Return the line of the bearable loss, and the largest k below it in the panel that it is in."""
    if loss is None:
        return []
    y, left, right = panel.upward(loss), panel.left + 6, panel.across.end
    parts = [_segment("limit", panel.left, y, right, y)]
    point = frontier.largest_k(loss)
    if point is not None and point.max_suppression == panel.share:
        x, height = panel.spot(point)
        parts.append(_segment("limit", x, height, x, panel.upward.start))
        parts.append(circle("ring", x, height, 5.5))
        said = language.text("largest k: {k}", k=language.whole(point.k))
        low = panel.upward.start - 8
        where = labels.place(said, [(x + 8, low, "start"), (x - 8, low, "end")])
        parts.append(_words(where[0], where[1], said, "limit-text halo", where[2]))
    said = language.text("bearable: {loss}", loss=language.percent(loss))
    along = [left, *(left + (right - left) * step / 8 for step in range(1, 8))]
    where = labels.place(
        said,
        [
            (left, y - 7, "start"),
            (right, y - 7, "end"),
            (right, y + 17, "end"),
            *((x, y + down, "start") for down in (-7, 17) for x in along),
        ],
    )
    parts.append(_words(where[0], where[1], said, "limit-text halo", where[2]))
    return parts


def _own(
    frontier: Frontier, panel: _Panel, labels: Labels, shares: Sequence[float], language: Language
) -> list[Markup]:
    """Return the mark of the plan as it stands, in the panel whose suppression is nearest to the plan's."""
    own = frontier.own
    if own is None or not own.is_reached:
        return []
    if panel.share != min(shares, key=lambda share: abs(share - own.max_suppression)):
        return []
    x, y = panel.spot(own)
    said = language.text("your plan")
    if own.max_suppression != panel.share:
        said += f" ({budget(own.max_suppression, language)})"
    where = labels.place(said, _around(x, y))
    labels.add_line([(x, y), (x, where[1])])
    lead = [] if abs(where[1] - y) < 30 else [_segment("axis", x, y, x, where[1] - (12 if where[1] > y else -4))]
    return [
        *lead,
        diamond("own", x, y),
        _words(where[0], where[1], said, "strong halo", where[2]),
    ]


def _around(x: float, y: float) -> list[tuple[float, float, str]]:
    """Return places for a text about a spot, the nearest first."""
    return [
        (x + side, y + down, "start" if side > 0 else "end")
        for away in (0, 1, 2, 3, 4)
        for down in ((5, 22, -12) if away == 0 else (22 + 18 * away, -12 - 18 * away))
        for side in ((11, -11) if away == 0 else (1, -1))
    ]


def _place(point: Point) -> int:
    """Return the k at which a point is drawn: the one asked for, or, where a plan asks for none, the one it reaches."""
    return point.k if point.k >= 2 else max(point.reached_k or 1, 1)


def _foot(frontier: Frontier, form: _Sheet, bottom: float, language: Language) -> tuple[list[Markup], float]:
    """Return what k and 1/k mean, and the notes."""
    said = [
        language.text("k: so many people, at least, share every published row."),
        language.text("1/k: the worst-case risk that somebody picks out the row of a person they know."),
        *notes(frontier, language),
    ]
    parts, y = lines(said, _EDGE, bottom + 12, "quiet", 18, form.line_length)
    return parts, y + 4
