"""Picture: how a group did in one mark as the table tells it, over the bands of the scale; and where a student is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from markupsafe import Markup

from celosia.apps.exam.grids import band_word
from celosia.apps.exam.published import Cell
from celosia.apps.exam.scales import Scale
from celosia.data.hierarchies.ranges import Range
from celosia.report.drawing import WIDTH, line, lying, svg, text
from celosia.report.language import Language

_LEFT, _RIGHT = 8, WIDTH - 8
_TOP, _BASE = 20, 74
_LETTER = 4.6
"""The width of a letter, roughly; a name of a band that does not fit in is left out."""


def density(cells: Sequence[Cell], scale: Scale) -> list[Fraction]:
    """Return how many students each cell of a scale holds if those of a published range are spread evenly over it.

    Examples
    --------
    >>> from celosia.apps.exam.published import read_cell
    >>> cells = [read_cell("[0, 5)"), read_cell("[4, 5)"), read_cell("*")]
    >>> [str(part) for part in density(cells, Scale.of(0, 10))][3:6]
    ['1/5', '6/5', '0']
    """
    parts = [Fraction(0)] * len(scale.cells)
    for cell, n_students in Counter(cell for cell in cells if isinstance(cell, Range)).items():
        low = scale.low if cell.low is None else max(scale.low, cell.low)
        high = scale.high if cell.high is None else min(scale.high, cell.high)
        for place, part in enumerate(scale.cells):
            assert part.low is not None
            assert part.high is not None
            if low == high:  # one single mark
                parts[place] += n_students * (part.start <= (low, 0) < part.stop)
            elif (shared := min(part.high, high) - max(part.low, low)) > 0:
                parts[place] += n_students * shared / (high - low)
    return parts


@dataclass(frozen=True, eq=False)
class Picture:
    """The published marks of a group over the bands of their scale; all cards share it.

    Examples
    --------
    >>> from celosia.apps.exam.published import read_cell
    >>> picture = Picture([read_cell("[7, 9)")], Scale.of(0, 10), Language("en"))
    >>> drawn = picture.drawn("one student", own=(Fraction(15, 2), "7.5"))
    >>> "you 7.5" in drawn, "outstanding" in drawn, "you" in picture.drawn("one student")
    (True, True, False)
    """

    cells: Sequence[Cell]
    scale: Scale
    language: Language

    def drawn(self, alternative: str, own: tuple[Fraction, str] | None = None) -> Markup:
        """Return the picture, whose words are ``alternative``, with a student's mark and how it is spelt."""
        marked = [] if own is None else self._you(self._x(own[0]), self.language.text("you {mark}", mark=own[1]))
        return svg(_BASE + 28, alternative, [self._backdrop, *marked])

    def _x(self, value: Fraction) -> float:
        return _LEFT + float(self.scale.share(value)) * (_RIGHT - _LEFT)

    @cached_property
    def _backdrop(self) -> Markup:
        parts = [*self._bands(), *self._bars(), line("axis", _LEFT, _BASE, _RIGHT, _BASE)]
        low, high = self.scale.low, self.scale.high
        for value in [low, *(band.range.high for band in self.scale.bands if band.range.high is not None)]:
            anchor = "start" if value == low else "end" if value == high else "middle"
            parts.append(text(self._x(value), _BASE + 12, self.language.number(float(value)), "tick", anchor))
        return Markup("").join(parts)

    def _ends(self, part: Range) -> tuple[float, float]:
        assert part.low is not None
        assert part.high is not None
        return self._x(part.low), self._x(part.high)

    def _bands(self) -> list[Markup]:
        parts = []
        for band in self.scale.bands:
            left, right = self._ends(band.range)
            parts.append(lying(f"band-{band.name}", left, _TOP, right - left, _BASE - _TOP))
            word = band_word(band.name, self.language)
            if len(word) * _LETTER <= right - left + 2:
                parts.append(text((left + right) / 2, _BASE + 24, word, "band", "middle"))
        return parts

    def _bars(self) -> list[Markup]:
        """Draw the bars; their areas tell how many, since a cell that the pass mark cuts is narrower."""
        ends = [self._ends(part) for part in self.scale.cells]
        counts = density(self.cells, self.scale)
        heights = [float(count) / (right - left) for count, (left, right) in zip(counts, ends, strict=True)]
        tallest = max(*heights, 1e-9)
        bars = []
        for height, (left, right) in zip(heights, ends, strict=True):
            if height:
                tall = height / tallest * (_BASE - _TOP - 6)
                bars.append(lying("after", left + 0.6, _BASE - tall, right - left - 1.2, tall))
        return bars

    @staticmethod
    def _you(place: float, words: str) -> list[Markup]:
        half = len(words) * _LETTER / 2
        middle = min(max(place, _LEFT + half), _RIGHT - half)
        return [
            line("halo", place, _TOP - 4, place, _BASE),
            line("you", place, _TOP - 4, place, _BASE),
            text(middle, _TOP - 8, words, "you-text", "middle"),
        ]
