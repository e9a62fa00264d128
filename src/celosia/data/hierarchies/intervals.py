"""Numbers in nested intervals: of equal width that grows level by level, or ranges that the user lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import HierarchyError, OptionError
from celosia.base.fields import Options
from celosia.data.hierarchies.base import ValueType
from celosia.data.hierarchies.domains import ANYTHING, Level, Levels, Style, assemble, number_text
from celosia.data.hierarchies.exact import LARGEST, exact, fraction_text, is_whole, refuse_extreme
from celosia.data.hierarchies.options import check_count, check_list, check_number
from celosia.data.hierarchies.ranges import Range, check_levels, fits_levels, locate, parse_ranges
from celosia.data.hierarchies.text import clean_label

MAX_INDEX = 2**53
"""Up to here a float64 can tell neighbouring intervals apart."""


@dataclass(frozen=True)
class Intervals(Options):
    """Numbers in intervals: loss = (high - low) / (Max - Min), the published interval cut to the data's [Min, Max].

    A value costs 0, the root ``*`` costs 1, and everything costs 0 if Max = Min. Intervals of whole numbers are closed
    (``[20, 24]`` is 4 wide), all others are half-open (``[20, 25)`` is 5 wide).

    Parameters
    ----------
    width
        Width of the finest intervals, above 0; intervals start at ``origin`` + i * ``width``.
    levels
        How many widths there are, from 1 on; each is ``factor`` times the one before.
    factor
        A whole number from 2 on.
    origin
        Where one of the intervals starts.
    widths
        Instead of ``width``: all widths, each a whole multiple of the one before.
    ranges
        Instead of ``width``: the ranges, such as ``["<6", "6-7", ">7"]``, or a list of such lists, finest first.
        They are published as they are spelt.
    whole
        Whether the column holds whole numbers only; by default the data and the options decide.

    Raises
    ------
    OptionError
        If an option is not allowed.
    HierarchyError
        If ranges overlap, leave a gap, are out of order or do not nest.

    Examples
    --------
    >>> from celosia.data.hierarchies.domains import ancestors_of
    >>> ancestors_of(Intervals(width=5, levels=2).fit([21, 44], "age"))["21"]
    ['[20, 24]', '[20, 29]', '*']
    >>> domain = Intervals(width=10).fit([37, 40, 44], "age")
    >>> [domain.spell(node, Style()) for node in domain.nodes[1]], domain.share[domain.nodes[1]].round(4).tolist()
    (['[30, 39]', '[40, 49]', '[40, 49]'], [0.2857, 0.5714, 0.5714])
    """

    name: ClassVar[str] = "intervals"
    value_type: ClassVar[ValueType] = "number"

    width: float | None = None
    levels: int = 1
    factor: int = 2
    origin: float = 0
    widths: Sequence[float] | None = None
    ranges: Sequence[str] | Sequence[Sequence[str]] | None = None
    whole: bool | None = None

    def __post_init__(self) -> None:
        named = [name for name in ("width", "widths", "ranges") if getattr(self, name) is not None]
        if len(named) != 1:
            got = " and ".join(named) or "none of them"
            raise OptionError(
                f"intervals: got {got}; exactly one of width, widths and ranges is allowed.",
                hint="the simplest is width: 5, levels: 4.",
            )
        if self.whole is not None and not isinstance(self.whole, bool):
            raise OptionError(f"intervals: whole is {self.whole!r}; it must be true or false.")
        check_number("intervals: origin", self.origin)
        check_count("intervals: levels", self.levels, least=1)
        check_count("intervals: factor", self.factor, least=2)
        if self.width is None and (self.levels, self.factor) != (1, 2):
            raise OptionError(f"intervals: levels and factor belong to width, not to {named[0]}.")
        if self.ranges is not None:
            self._check_ranges()
        else:
            self._check_widths()

    def fit(self, values: Sequence[float], column: str) -> Levels:
        """Return the levels of these ascending numbers.

        Raises
        ------
        HierarchyError
            If ranges do not cover the values, if ``whole`` is true and a value is not whole, or if a value is infinite.
        """
        refuse_extreme(values, column)
        n_broken = sum(not is_whole(value) for value in values)
        if self.whole and n_broken:
            raise HierarchyError(
                f"{n_broken} distinct values of {column!r} are not whole, but its intervals are declared so.",
                hint="leave whole out: the intervals are then half-open.",
            )
        build = self._width_levels if self.ranges is None else self._range_levels
        levels = build(values, column, n_broken == 0)
        return assemble("intervals", values, lambda code, style: number_text(values[code], style), levels, ANYTHING)

    def _check_ranges(self) -> None:
        if self.origin != 0:
            raise OptionError("intervals: origin belongs to width and widths, not to ranges.")
        ranges = check_list("intervals: ranges", self.ranges)
        nested = [isinstance(entry, list | tuple) for entry in ranges]
        if any(nested) and not all(nested):
            raise OptionError(
                "intervals: ranges mixes texts and lists.",
                hint="write one list of texts, or a list of lists for nested levels.",
            )
        levels = [
            check_list("intervals: each level of ranges", level) for level in (ranges if all(nested) else [ranges])
        ]
        texts = tuple(tuple(clean_label(text, "intervals: ranges") for text in level) for level in levels)
        object.__setattr__(self, "ranges", texts if all(nested) else texts[0])
        check_levels([parse_ranges(level) for level in texts], self.whole)

    def _check_widths(self) -> None:
        if self.widths is not None:
            for width in check_list("intervals: widths", self.widths):
                check_number("intervals: each entry of widths", width, positive=True)
            object.__setattr__(self, "widths", tuple(self.widths))
        else:
            check_number("intervals: width", self.width, positive=True)
        widths = self._exact_widths()
        for position, (fine, coarse) in enumerate(pairwise(widths), start=2):
            if (coarse / fine).denominator != 1 or coarse == fine:
                raise OptionError(
                    f"intervals: width {position} of {len(widths)} ({fraction_text(coarse)}) is no whole multiple "
                    f"of the one before it ({fraction_text(fine)}).",
                    hint=f"{fraction_text(fine * max(2, round(coarse / fine)))} would nest.",
                )
        if widths[-1] > LARGEST:
            raise OptionError(
                f"intervals: the widest of {len(widths)} widths is beyond {LARGEST:g}.", hint="fewer levels."
            )
        if self.whole and not self._whole_steps():
            raise OptionError("intervals: with whole: true the widths and the origin must be whole numbers.")

    def _exact_widths(self) -> list[Fraction]:
        if self.width is None:
            return [exact(width) for width in self.widths or ()]
        return [exact(self.width) * self.factor**level for level in range(self.levels)]

    def _range_texts(self) -> list[Sequence[str]]:
        texts: Any = self.ranges
        return list(texts) if isinstance(texts[0], tuple) else [texts]

    def _whole_steps(self) -> bool:
        return all(step.denominator == 1 for step in [exact(self.origin), *self._exact_widths()])

    def _width_levels(self, values: Sequence[float], column: str, data_whole: bool) -> list[Level]:
        closed = data_whole and self._whole_steps() if self.whole is None else self.whole
        origin = exact(self.origin)
        widths = self._exact_widths()
        indices = _indices(values, origin, widths[0], column)
        levels: list[Level] = []
        for fine, width in zip([widths[0], *widths], widths, strict=False):
            indices = indices // min(int(width / fine), MAX_INDEX)
            kept, groups = np.unique(indices, return_inverse=True)
            low: NDArray[np.float64] = float(origin) + kept.astype(np.float64) * float(width)
            high: NDArray[np.float64] = low + (float(width) - closed)
            share = _share(values, low, high)
            if levels:
                # Rounding must never make a wider interval cheaper than a narrower one inside it.
                np.maximum.at(share, groups, levels[-1].share[levels[-1].groups])
            levels.append(Level(groups, share, np.full(len(kept), -1), _speller(kept.tolist(), origin, width, closed)))
        return levels

    def _range_levels(self, values: Sequence[float], column: str, data_whole: bool) -> list[Level]:
        levels = [parse_ranges(texts) for texts in self._range_texts()]
        whole = data_whole if self.whole is None else self.whole
        if self.whole is None and whole and not fits_levels(levels, True) and fits_levels(levels, False):
            whole = False
        check_levels(levels, whole)
        n_outside = int((locate(levels[0], values) < 0).sum())
        if n_outside:
            raise HierarchyError(
                f"{n_outside} distinct values of {column!r} lie outside the {len(levels[0])} ranges.",
                hint=_open_ends(levels[0]),
            )
        return [_range_level(ranges, values, whole) for ranges in levels]


def _indices(values: Sequence[float], origin: Fraction, width: Fraction, column: str) -> NDArray[np.int64]:
    """Return floor((value - origin) / width) for each value, exactly.

    Floating point decides where it is safe; values near an interval's end are divided as fractions.
    """
    numbers = np.array([float(value) for value in values], dtype=np.float64)
    with np.errstate(over="ignore"):
        quotients = (numbers - float(origin)) / float(width)
        doubt = 8 * np.finfo(np.float64).eps * ((np.abs(numbers) + abs(float(origin))) / float(width) + 1)
    if not (np.abs(quotients) < MAX_INDEX).all():
        raise HierarchyError(
            f"the intervals of {column!r} are too narrow for the size of its values.", hint="choose a larger width."
        )
    indices = np.floor(quotients).astype(np.int64)
    for i in np.flatnonzero(np.abs(quotients - np.rint(quotients)) <= doubt).tolist():
        indices[i] = (exact(values[i]) - origin) // width
    return indices


def _share(values: Sequence[float], low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the width of each interval, cut to the data's range, over that range; 0 if the range is 0."""
    if len(values) < 2:
        return np.zeros(len(low))
    lowest, highest = float(values[0]), float(values[-1])
    # Whole numbers of more than 53 bits may differ although their floats do not.
    span = max(highest - lowest, np.finfo(np.float64).tiny)
    return np.clip((np.minimum(high, highest) - np.maximum(low, lowest)) / span, 0.0, 1.0)


def _speller(indices: list[int], origin: Fraction, width: Fraction, closed: bool) -> Callable[[int, Style], str]:
    def spell(group: int, style: Style) -> str:
        low = origin + indices[group] * width
        high = low + width - closed
        if low == high:
            return fraction_text(low, style)
        return style.span(fraction_text(low, style), fraction_text(high, style), half_open=not closed)

    return spell


def _range_level(ranges: Sequence[Range], values: Sequence[float], whole: bool) -> Level:
    kept, groups = np.unique(locate(ranges, values), return_inverse=True)
    pieces = [ranges[position] for position in kept.tolist()]
    inner = [piece.whole() if whole else piece for piece in pieces]
    low = np.array([-np.inf if piece.low is None else float(piece.low) for piece in inner], dtype=np.float64)
    high = np.array([np.inf if piece.high is None else float(piece.high - whole) for piece in inner], dtype=np.float64)
    return Level(groups, _share(values, low, high), np.full(len(kept), -1), lambda group, style: pieces[group].text)


def _open_ends(ranges: Sequence[Range]) -> str:
    """Return the advice to open the first and the last range, naming options only."""
    first, last = ranges[0], ranges[-1]
    advice = []
    if first.low is not None:
        advice.append(f"begin with {'<=' if first.low_open else '<'}{fraction_text(first.low)}")
    if last.high is not None:
        advice.append(f"end with {'>=' if last.high_open else '>'}{fraction_text(last.high)}")
    return " and ".join(advice) + "." if advice else "every value must lie in a range."
