"""Axes: from figures to places, where ticks stand, and texts that stand apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_FINEST, _COARSEST = 0.001, 0.2
"""Steps between shares along an axis."""
_MOST_STEPS = 6


@dataclass(frozen=True)
class Scale:
    """From a figure to a place along an axis, even or logarithmic.

    Examples
    --------
    >>> Scale(2, 200, 0, 100, logarithmic=True)(20)
    50.0
    """

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of a figure."""
        low, high, at = (self._bent(one) for one in (self.low, self.high, value))
        return self.start + (at - low) / (high - low) * (self.end - self.start) if high > low else self.start

    def _bent(self, value: float) -> float:
        return math.log(value) if self.logarithmic else value


def round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is not below ``least``.

    Examples
    --------
    >>> round_step(0.03), round_step(5)
    (0.05, 5.0)
    """
    power = 10.0 ** math.floor(math.log10(least)) if least >= 1e-300 else 1e-300
    return next((factor * power for factor in (1, 2, 5) if factor * power >= least), 10 * power)


def k_ticks(scale: Scale, apart_by: float) -> list[int]:
    """Return round values of k with room between them: first the ends, then tens and their halves, then the rest.

    Examples
    --------
    >>> k_ticks(Scale(2, 100, 0, 600, logarithmic=True), 40)
    [2, 3, 5, 10, 20, 30, 50, 100]
    """
    low, high = int(scale.low), int(scale.high)
    tens = [10**power for power in range(1, 10)]
    wanted = [
        low,
        high,
        *tens,
        *(5 * ten // 10 for ten in tens),
        *(2 * ten for ten in tens),
        2,
        3,
        *(3 * ten for ten in tens),
    ]
    chosen: list[int] = []
    for k in wanted:
        if low <= k <= high and all(abs(scale(k) - scale(other)) >= apart_by for other in chosen):
            chosen.append(k)
    return sorted(chosen)


def loss_ticks(highest: float) -> list[float]:
    """Return round shares from 0 to the highest loss or just above.

    Examples
    --------
    >>> loss_ticks(0.27)
    [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
    """
    step = min(max(round_step(highest / _MOST_STEPS), _FINEST), _COARSEST)
    n_steps = max(1, math.ceil(round(highest / step, 9)))
    return [round(step * place, 6) for place in range(n_steps + 1)]


def apart(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places moved as little as is needed to stand ``gap`` apart between two ends, in their order.

    Examples
    --------
    >>> apart([10, 12, 40], 8, 0, 44)
    [7.0, 15.0, 40.0]
    """
    order = sorted(range(len(places)), key=lambda place: places[place])
    groups: list[list[float]] = []  # of neighbours that touch: the middle they want, and how many they are
    for index in order:
        groups.append([min(max(places[index], low), high), 1.0])
        while len(groups) > 1 and groups[-1][0] - groups[-2][0] < gap * (groups[-1][1] + groups[-2][1]) / 2:
            (second, n_second), (first, n_first) = groups.pop(), groups.pop()
            total = n_first + n_second
            middle = (first * n_first + second * n_second) / total
            half = gap * (total - 1) / 2
            groups.append([min(max(middle, low + half), max(high - half, low + half)), total])
    moved = [middle + gap * (place - (count - 1) / 2) for middle, count in groups for place in range(int(count))]
    result = [0.0] * len(places)
    for index, place in zip(order, moved, strict=True):
        result[index] = float(place)
    return result


def wrapped(text: str, most: int) -> list[str]:
    """Break a sentence into lines of at most so many characters; spaces that hold together stay.

    Examples
    --------
    >>> wrapped("the further right, the safer", 12)
    ['the further', 'right, the', 'safer']
    """
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip(" ")
    return lines
