"""Labels: texts put where they cover neither lines nor each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

_LETTER, _ABOVE, _BELOW = 8.3, 12.0, 4.0
_SPOTS_APART = 6.0


@dataclass(frozen=True)
class Box:
    """The room that a text takes up, from its start on the base line.

    Examples
    --------
    >>> Box.of("k = 5", 100, 50, "end").left
    58.5
    """

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def of(cls, said: str, x: float, y: float, anchor: str) -> Box:
        """Return the room of a text at a place."""
        width = _LETTER * len(said)
        left = x - width if anchor == "end" else x
        return cls(left, y - _ABOVE, left + width, y + _BELOW)

    def holds(self, x: float, y: float) -> bool:
        """Whether a spot lies inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def meets(self, other: Box) -> bool:
        """Whether two boxes overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def overhang(self, other: Box) -> float:
        """How far it stands out of another box, sideways and upwards together."""
        return sum(
            max(0.0, beyond)
            for beyond in (
                other.left - self.left,
                self.right - other.right,
                other.top - self.top,
                self.bottom - other.bottom,
            )
        )


@dataclass
class Labels:
    """What stands in a panel already: spots of lines, boxes of texts."""

    frame: Box
    spots: list[tuple[float, float]] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def add_line(self, points: Sequence[tuple[float, float]]) -> None:
        """Keep texts off a line through some points."""
        self.spots.extend(points)
        for (x, y), (to_x, to_y) in pairwise(points):
            n_steps = int(max(abs(to_x - x), abs(to_y - y)) / _SPOTS_APART)
            self.spots.extend(
                (x + (to_x - x) * step / (n_steps + 1), y + (to_y - y) * step / (n_steps + 1))
                for step in range(1, n_steps + 1)
            )

    def place(self, said: str, places: Sequence[tuple[float, float, str]]) -> tuple[float, float, str]:
        """Return the place (x, y, anchor) that covers least, the first of several; nothing else goes there then."""
        best = min(places, key=lambda place: self._cost(Box.of(said, *place)))
        self.boxes.append(Box.of(said, *best))
        return best

    def _cost(self, box: Box) -> float:
        covered = sum(box.holds(x, y) for x, y in self.spots)
        return covered + 1000 * sum(box.meets(other) for other in self.boxes) + 10 * box.overhang(self.frame)
