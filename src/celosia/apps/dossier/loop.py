"""The loop of anonymising and measuring: its rounds as a table, and loss against risk as a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from celosia.apps.dossier.case import Case, Round
from celosia.report.axes import Scale, loss_ticks
from celosia.report.drawing import WIDTH, circle, diamond, line, lying, svg, text
from celosia.report.labels import Box, Labels
from celosia.report.language import Language

Spot = tuple[int, float, float, Round]
"""A round, by its number, with two figures or the place where they are drawn."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, WIDTH - 8.0, 16.0, 190.0
_TOGETHER = 9.0
"""Points nearer than this to each other share a label."""
_REACH = 3.0
"""A loss that is accepted but far above all that was measured is named and not drawn: it would press all else flat."""
_AIR = 1.35
"""How much further than its outermost risks the picture reaches, as a factor."""


def loop_picture(case: Case, language: Language) -> Markup | None:
    """Draw loss against risk, a point per measured round; the threshold and the loss wanted are lines.

    What is too risky lies right of the upright line, what is too lossy above the lying one. ``None`` where nothing was
    measured.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> rounds = (Round(5, "weave", 0.0, "accepted", Fraction(1, 5), 5, 0.1, chosen=True),)
    >>> case = Case("x", "y", "", True, (), Situation([PublicRelease()], harm="low"), "data", 0.5, (), rounds)
    >>> "threshold" in loop_picture(case, Language("en"))
    True
    """
    points = [
        (number, float(one.risk), one.gcp, one)
        for number, one in enumerate(case.rounds, 1)
        if one.risk is not None and one.gcp is not None
    ]
    if not points:
        return None
    limit = float(case.situation.accepted)
    risks = [limit, *(risk for _, risk, _, _ in points)]
    greatest = max(gcp for _, _, gcp, _ in points)
    ticks = loss_ticks(max(greatest, case.max_loss if case.max_loss <= _REACH * greatest else 0.001))
    across = Scale(min(risks) / _AIR, max(risks) * _AIR, _LEFT, _RIGHT, logarithmic=True)
    upward = Scale(0, ticks[-1], _BOTTOM, _TOP)
    labels = Labels(Box(_LEFT, _TOP - 8, _RIGHT, _BOTTOM))
    spots = [(number, across(risk), upward(gcp), one) for number, risk, gcp, one in points]
    for _number, x, y, _one in spots:
        for down in (-6, 0, 6):
            labels.add_line([(x - 5, y + down), (x + 5, y + down)])
    parts = [
        *_axes(across, upward, ticks, language),
        *_limits(case, across, upward, labels, language),
        *(_mark(x, y, one) for _number, x, y, one in spots),
        *_names(spots, labels),
    ]
    return svg(_BOTTOM + 34, _alternative(case, points, language), parts)


def _axes(across: Scale, upward: Scale, ticks: Sequence[float], language: Language) -> list[Markup]:
    parts = [text(1, _TOP - 7, language.text("information lost"), "tick")]
    for loss in ticks:
        y = upward(loss)
        parts.append(line("grid" if loss else "axis", _LEFT, y, _RIGHT, y))
        parts.append(text(_LEFT - 5, y + 3.5, language.percent(loss), "tick", "end"))
    for risk in _risk_ticks(across):
        x = across(risk)
        parts += [line("axis", x, _BOTTOM, x, _BOTTOM + 4)]
        parts.append(text(x, _BOTTOM + 15, language.percent(risk), "tick", "middle"))
    parts.append(text(_RIGHT, _BOTTOM + 29, language.text("greatest risk →"), "tick", "end"))
    return parts


def _risk_ticks(across: Scale) -> list[float]:
    """Return 1, 2 and 5 times powers of ten; where they are too many, the powers of ten alone."""
    powers = range(math.floor(math.log10(across.low)), math.ceil(math.log10(across.high)) + 1)
    for steps in ((1, 2, 5), (1,)):
        ticks = [step * 10.0**power for power in powers for step in steps]
        ticks = [tick for tick in ticks if across.low <= tick <= min(across.high, 1.0)]
        if len(ticks) <= 8:
            break
    return ticks


def _limits(case: Case, across: Scale, upward: Scale, labels: Labels, language: Language) -> list[Markup]:
    """Return both targets as lines, what lies beyond them shaded."""
    _ = language.text
    x, y = across(float(case.situation.accepted)), max(upward(case.max_loss), _TOP)
    threshold = _("threshold {threshold}", threshold=language.percent(float(case.situation.accepted)))
    is_drawn = case.max_loss <= upward.high
    places = {"loss": language.percent(case.max_loss)}
    wanted = _("accepted loss {loss}", **places) if is_drawn else _("accepted loss {loss} ↑", **places)
    labels.add_line([(x, _TOP), (x, _BOTTOM)])
    parts = [
        lying("over", x, _TOP, _RIGHT - x, _BOTTOM - _TOP),
        lying("over", _LEFT, _TOP, x - _LEFT, y - _TOP),
        line("limit", x, _TOP, x, _BOTTOM),
    ]
    if is_drawn:
        labels.add_line([(_LEFT, y), (_RIGHT, y)])
        parts.append(line("limit", _LEFT, y, _RIGHT, y))
    heights = [_BOTTOM - 7, (_TOP + _BOTTOM) / 2, _TOP + 24]
    sides: tuple[tuple[float, str], ...] = ((5, "start"), (-5, "end"))
    ends: tuple[tuple[float, str], ...] = ((_LEFT + 5, "start"), (_RIGHT - 3, "end"))
    along = labels.place(
        wanted, [(at, y + down, end) for down in ((-5, 12) if is_drawn else (11,)) for at, end in ends]
    )
    upright = labels.place(threshold, [(x + side, at, end) for at in heights for side, end in sides])
    return [
        *parts,
        text(upright[0], upright[1], threshold, "limit-text", upright[2]),
        text(along[0], along[1], wanted, "limit-text", along[2]),
    ]


def _mark(x: float, y: float, one: Round) -> Markup:
    if one.chosen:
        return diamond("after", x, y)
    return circle("after" if one.verdict == "accepted" else "before", x, y, 4)


def _names(spots: Sequence[Spot], labels: Labels) -> list[Markup]:
    """Return the numbers of the rounds beside their points; those of one place stand together."""
    groups: list[list[Spot]] = []
    for spot in spots:
        near = [own for own in groups if math.dist(own[0][1:3], spot[1:3]) < _TOGETHER]
        if near:
            near[0].append(spot)
        else:
            groups.append([spot])
    parts = []
    for own in groups:
        (_first, x, y, _one), said = own[0], ", ".join(str(number) for number, *_ in own)
        around = [
            (x + side, y + down, "start" if side > 0 else "end") for down in (4, -9, 16, -21, 28) for side in (9, -9)
        ]
        where = labels.place(said, around)
        kind = "label" if any(one.chosen for *_, one in own) else "figure"
        parts.append(text(where[0], where[1], said, kind, where[2]))
    return parts


def _alternative(case: Case, points: Sequence[Spot], language: Language) -> str:
    said = "; ".join(
        language.text(
            "round {number}: risk {risk}, loss {loss}",
            number=number,
            risk=language.percent(risk),
            loss=language.percent(gcp),
        )
        for number, risk, gcp, _one in points
    )
    return language.text(
        "Loss against risk. The threshold is {threshold}. {points}.",
        threshold=language.percent(float(case.situation.accepted)),
        points=said,
    )
