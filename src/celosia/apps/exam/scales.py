"""Scale: how marks run, where the pass mark is, and the fixed grid on which marks are published."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Literal

from celosia.base.errors import OptionError
from celosia.data.hierarchies.exact import exact, fraction_text
from celosia.data.hierarchies.ranges import Range

BandName = Literal["fail", "pass", "notable", "outstanding"]

STANDARD = (5, 10, 20, 100)
"""The tops of the scales that are guessed; all of them begin at 0."""

_N_CELLS = 10
_PASS_DECIMALS = 2
_LIMITS: tuple[tuple[BandName, Fraction], ...] = (("notable", Fraction(7, 10)), ("outstanding", Fraction(9, 10)))
_NUMBER = r"(-?\d+(?:[.,]\d+)?)"
_SPELT = re.compile(rf"\s*{_NUMBER}\s*[-–]\s*{_NUMBER}\s*")


@dataclass(frozen=True)
class Band:
    """A named part of a scale."""

    name: BandName
    range: Range


@dataclass(frozen=True)
class Scale:
    """A scale of marks, higher being better, and the grid that it is published on.

    The grid does not depend on the data: cells of a tenth of the scale (the pass mark is a border of its own where it
    lies within one), the bands fail, pass, notable and outstanding, then fail and passed. Every cell lies in one band,
    every band on one side of the pass mark. Ranges hold their lower end and not their upper one, but for the last.

    Parameters
    ----------
    low, high
        The ends.
    pass_mark
        The lowest mark that is passed, between the ends; the middle where it is not given.

    Raises
    ------
    OptionError
        The ends or the pass mark are out of order.

    Examples
    --------
    >>> scale = Scale.of(0, 10)
    >>> [cell.text for cell in scale.cells][-2:], [(band.name, band.range.text) for band in scale.bands][:2]
    (['[8, 9)', '[9, 10]'], [('fail', '[0, 5)'), ('pass', '[5, 7)')])
    >>> [band.range.text for band in Scale.of(0, 5, 3).bands]
    ['[0, 3)', '[3, 3.5)', '[3.5, 4.5)', '[4.5, 5]']
    """

    low: Fraction
    high: Fraction
    pass_mark: Fraction

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise OptionError(
                "a scale runs from its worst mark up to its best.", hint="write --scale 0-10.", about="scale"
            )
        if not all(_is_decimal(end) for end in (self.low, self.high, self.pass_mark)):
            raise OptionError(
                "the ends of a scale and its pass mark must be decimal numbers.", hint="round them.", about="scale"
            )
        if not self.low < self.pass_mark < self.high:
            raise OptionError(
                f"the pass mark must lie between the ends of the scale {self.text}.",
                hint=f"the middle would be --pass-mark {fraction_text((self.low + self.high) / 2)}.",
                about="pass_mark",
            )

    @classmethod
    def of(cls, low: float | Fraction, high: float | Fraction, pass_mark: float | Fraction | None = None) -> Scale:
        """Return the scale between two numbers, taken by their decimal texts."""
        ends = [end if isinstance(end, Fraction) else exact(end) for end in (low, high)]
        if pass_mark is None:
            return cls(ends[0], ends[1], (ends[0] + ends[1]) / 2)
        return cls(ends[0], ends[1], pass_mark if isinstance(pass_mark, Fraction) else exact(pass_mark))

    @property
    def text(self) -> str:
        """The scale as the command line names it: ``0-10``."""
        return f"{fraction_text(self.low)}-{fraction_text(self.high)}"

    @property
    def pass_share(self) -> Fraction:
        """Where the pass mark lies between the lower end (0) and the upper one (1)."""
        return self.share(self.pass_mark)

    def share(self, mark: Fraction) -> Fraction:
        """Return where a mark lies between the lower end (0) and the upper one (1)."""
        return (mark - self.low) / (self.high - self.low)

    def with_pass_share(self, share: Fraction) -> Scale:
        """Return the same ends with the pass mark at another place between them, rounded where it is no decimal number.

        Examples
        --------
        >>> float(Scale.of(0, 10).with_pass_share(Fraction(1, 3)).pass_mark)
        3.33
        """
        place = self.low + share * (self.high - self.low)
        return Scale(self.low, self.high, place if _is_decimal(place) else round(place, _PASS_DECIMALS))

    def holds(self, mark: Fraction) -> bool:
        """Tell whether a mark lies on the scale."""
        return self.low <= mark <= self.high

    def is_passed(self, mark: Fraction) -> bool:
        """Tell whether a mark is passed."""
        return mark >= self.pass_mark

    @cached_property
    def cells(self) -> tuple[Range, ...]:
        """The finest ranges that are ever published."""
        tenths = {self.low + (self.high - self.low) * part / _N_CELLS for part in range(_N_CELLS + 1)}
        return self._ranges(sorted({*tenths, self.pass_mark}))

    @cached_property
    def bands(self) -> tuple[Band, ...]:
        """The bands; where the pass mark is so high that one of them would lie below it there are fewer."""
        starts: dict[BandName, Fraction] = {"fail": self.low, "pass": self.pass_mark}
        for name, share in _LIMITS:
            if share > self.pass_share:
                starts[name] = self.low + share * (self.high - self.low)
        ranges = self._ranges([*starts.values(), self.high])
        return tuple(Band(name, part) for name, part in zip(starts, ranges, strict=True))

    @property
    def failed(self) -> Range:
        """The marks below the pass mark."""
        return self._range(self.low, self.pass_mark)

    @property
    def passed(self) -> Range:
        """The marks from the pass mark on."""
        return self._range(self.pass_mark, self.high)

    def band_of(self, mark: Fraction) -> Band:
        """Return the band that a mark of the scale lies in."""
        return next(band for band in reversed(self.bands) if band.range.low is None or mark >= band.range.low)

    def _ranges(self, cuts: Sequence[Fraction]) -> tuple[Range, ...]:
        return tuple(self._range(low, high) for low, high in pairwise(cuts))

    def _range(self, low: Fraction, high: Fraction) -> Range:
        is_last = high == self.high
        text = f"[{fraction_text(low)}, {fraction_text(high)}{']' if is_last else ')'}"
        return Range(low, high, high_open=not is_last, text=text)


def _is_decimal(value: Fraction) -> bool:
    """Tell whether a number has an end when it is spelt with decimals."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def parse_scale(text: str) -> tuple[Fraction, Fraction]:
    """Read the ends of a scale from ``0-10`` or ``1-7``.

    Raises
    ------
    OptionError
        It is not two numbers with a dash between them, the lower one first.

    Examples
    --------
    >>> parse_scale("0-4,5")
    (Fraction(0, 1), Fraction(9, 2))
    """
    match = _SPELT.fullmatch(text)
    if match is None:
        raise OptionError(
            "a scale is two numbers with a dash between them.",
            hint="write --scale 0-10, or 0-5, 0-20, 0-100, 1-7.",
            about="scale",
        )
    low, high = (Fraction(number.replace(",", ".")) for number in match.groups())
    Scale.of(low, high)
    return low, high
