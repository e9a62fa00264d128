"""Ranges as people write them (``<6``, ``6-7``, ``[6, 7)``, ``>11``), and what can be wrong with a list of them."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import HierarchyError
from celosia.data.hierarchies.exact import exact, fraction_text

Edge: TypeAlias = tuple[Fraction | float, int]
"""A cut in the number line: (5, 0) lies just before 5, (5, 1) just after it."""

NUMBER = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?"
ONE_ENDED = re.compile(rf"(<=|>=|<|>)\s*({NUMBER})")
BRACKETS = re.compile(rf"([\[(])\s*({NUMBER})\s*[,;]\s*({NUMBER})\s*([\])])")
DASHED = re.compile(rf"({NUMBER})\s*[-–]\s*({NUMBER})")  # word processors turn - into an en dash
SINGLE = re.compile(NUMBER)

FORMS = "allowed forms: <6, <=5, 6-7, [6, 7], [6, 7), >11, >=12; lower end first, decimals with a point."

NO_RANGE = "is not a range"

MAX_LISTED = 5
"""How many problems one message names."""


@dataclass(frozen=True)
class Range:
    """A range of numbers; an end that is ``None`` is unbounded.

    Parameters
    ----------
    low, high
        The ends.
    low_open, high_open
        Whether the end itself lies outside.
    text
        How the user spelt it.

    Examples
    --------
    >>> Range(Fraction(6), Fraction(7), False, True).contains(6.5)
    True
    """

    low: Fraction | None
    high: Fraction | None
    low_open: bool = False
    high_open: bool = False
    text: str = field(default="", compare=False)

    @property
    def start(self) -> Edge:
        """The cut before the lowest number inside."""
        return (-math.inf, 0) if self.low is None else (self.low, int(self.low_open))

    @property
    def stop(self) -> Edge:
        """The cut after the highest number inside."""
        return (math.inf, 1) if self.high is None else (self.high, int(not self.high_open))

    def contains(self, value: float) -> bool:
        """Tell whether a number lies inside, by its decimal text."""
        return self.start <= (exact(value), 0) < self.stop

    def whole(self) -> Range:
        """Return the half-open range that holds the same whole numbers: ``6-7`` becomes ``[6, 8)``."""
        low = self.low
        high = self.high
        if low is not None:
            low = Fraction(math.floor(low) + 1 if self.low_open else math.ceil(low))
        if high is not None:
            high = Fraction(math.ceil(high) if self.high_open else math.floor(high) + 1)
        return Range(low, high, False, high is not None, self.text)


def parse_range(text: str) -> Range:
    """Read one range: ``<6``, ``<=5``, ``6-7``, ``6 - 7``, ``[6, 7]``, ``[6, 7)``, ``>11``, ``>=12`` or a single ``6``.

    The message does not quote the text, which may be a cell.

    Raises
    ------
    HierarchyError
        If the text is none of these, runs from high to low, or holds no number.

    Examples
    --------
    >>> parse_range("[6, 7)")
    Range(low=Fraction(6, 1), high=Fraction(7, 1), low_open=False, high_open=True, text='[6, 7)')
    """
    found = _match(text.strip())
    if found is None or (fault := _fault(found)):
        raise HierarchyError(f"the text {NO_RANGE if found is None else fault}.", hint=FORMS)
    return found


def _match(text: str) -> Range | None:
    if match := ONE_ENDED.fullmatch(text):
        sign, end = match[1], Fraction(match[2])
        is_open = len(sign) == 1
        if sign.startswith("<"):
            return Range(None, end, False, is_open, text)
        return Range(end, None, is_open, False, text)
    if match := BRACKETS.fullmatch(text):
        return Range(Fraction(match[2]), Fraction(match[3]), match[1] == "(", match[4] == ")", text)
    if match := DASHED.fullmatch(text):
        return Range(Fraction(match[1]), Fraction(match[2]), text=text)
    if SINGLE.fullmatch(text):
        return Range(Fraction(text), Fraction(text), text=text)
    return None


def _fault(found: Range) -> str | None:
    if found.low is not None and found.high is not None and found.low > found.high:
        return "runs from high to low"
    return "holds no number" if found.start >= found.stop else None


def parse_ranges(texts: Sequence[str]) -> list[Range]:
    """Read a list of ranges from a plan.

    Raises
    ------
    HierarchyError
        As ``parse_range`` does, with the position of the wrong range, its text and the right one where that is plain.

    Examples
    --------
    >>> [piece.text for piece in parse_ranges(["<6", ">=6"])]
    ['<6', '>=6']
    """
    ranges = []
    for position, text in enumerate(texts, start=1):
        found = _match(text.strip())
        if found is None or (fault := _fault(found)):
            raise HierarchyError(
                f"range {position} of {len(texts)}, {text!r}, {NO_RANGE if found is None else fault}.",
                hint=FORMS if found is None else _swapped(found),
            )
        ranges.append(found)
    return ranges


def _swapped(found: Range) -> str:
    if found.low is None or found.high is None or found.low == found.high:
        return "close one of its ends."
    return f"write {fraction_text(found.high)}-{fraction_text(found.low)}."


def range_problems(ranges: Sequence[Range], whole: bool) -> list[str]:
    """Return what is wrong with a list of ranges, by their positions; an empty list means nothing.

    Neighbours must ascend and meet: no number in two ranges, none in between. With ``whole`` only whole numbers count,
    so that 6-7 and 8-9 meet.

    Examples
    --------
    >>> range_problems(parse_ranges(["6-7", "7-8", "10-11"]), whole=True)
    ['ranges 1 and 2 overlap', 'ranges 2 and 3 leave a gap']
    """
    pieces = [piece.whole() for piece in ranges] if whole else list(ranges)
    problems = [
        f"range {i} holds no whole number" for i, piece in enumerate(pieces, start=1) if piece.start >= piece.stop
    ]
    for i, (left, right) in enumerate(pairwise(pieces), start=1):
        if right.start < left.start:
            problems.append(f"ranges {i} and {i + 1} are not in ascending order")
        elif left.stop > right.start:
            problems.append(f"ranges {i} and {i + 1} overlap")
        elif left.stop < right.start:
            problems.append(f"ranges {i} and {i + 1} leave a gap")
    return problems


def check_ranges(ranges: Sequence[Range], whole: bool | None) -> None:
    """Refuse a list of ranges with overlaps, gaps or a wrong order.

    Parameters
    ----------
    ranges
        The ranges as the user wrote them.
    whole
        Whether the column holds whole numbers only; ``None``, if not known yet, refuses what is wrong either way.

    Raises
    ------
    HierarchyError
        Naming the ranges by position, with the mended list in the hint.

    Examples
    --------
    >>> check_ranges(parse_ranges(["<6", "6-7", "8-9", "10-11", ">11"]), whole=True)
    >>> check_ranges(parse_ranges(["<6", "6-7", "8-9", "9-10", "10-11", ">11"]), whole=True)
    Traceback (most recent call last):
    celosia.base.errors.HierarchyError: ranges 3 and 4 overlap; ranges 4 and 5 overlap.
      Hint: write "<6", "6-7", "8-9", "10-11", ">11".
    """
    check_levels([ranges], whole)


def check_levels(levels: Sequence[Sequence[Range]], whole: bool | None) -> None:
    """Refuse levels of ranges (finest first) that are wrong in themselves or do not nest in the next coarser one.

    Raises
    ------
    HierarchyError
        As ``check_ranges`` does.

    Examples
    --------
    >>> check_levels([parse_ranges(["<5", "5-6", ">6"]), parse_ranges(["<5", ">=5"])], whole=True)
    """
    if any(fits_levels(levels, reading) for reading in ([True, False] if whole is None else [whole])):
        return
    ends = [end for ranges in levels for piece in ranges for end in (piece.low, piece.high) if end is not None]
    reading = whole if whole is not None else all(end.denominator == 1 for end in ends)
    problems = _level_problems(levels, reading)
    more = len(problems) - MAX_LISTED
    listed = "; ".join(problems[:MAX_LISTED]) + (f"; and {more} more" if more > 0 else "")
    raise HierarchyError(f"{listed}.", hint=_mending_hint(levels, reading))


def fits_levels(levels: Sequence[Sequence[Range]], whole: bool) -> bool:
    """Tell whether levels of ranges pass ``check_levels``.

    Examples
    --------
    >>> level = parse_ranges(["6-7", "8-9"])
    >>> fits_levels([level], whole=True), fits_levels([level], whole=False)
    (True, False)
    """
    return not _level_problems(levels, whole)


def _level_problems(levels: Sequence[Sequence[Range]], whole: bool) -> list[str]:
    problems = []
    for depth, ranges in enumerate(levels, start=1):
        place = f"level {depth}: " if len(levels) > 1 else ""
        problems += [place + problem for problem in range_problems(ranges, whole)]
    for depth, (fine, coarse) in enumerate(pairwise(levels), start=1):
        outer = [piece.whole() if whole else piece for piece in coarse]
        for position, piece in enumerate((piece.whole() if whole else piece for piece in fine), start=1):
            if not any(over.start <= piece.start and piece.stop <= over.stop for over in outer):
                problems.append(f"range {position} of level {depth} lies in no single range of level {depth + 1}")
    return problems


def _mending_hint(levels: Sequence[Sequence[Range]], whole: bool) -> str:
    if len(levels) == 1:
        mended = mend_ranges(levels[0], whole)
        if mended is not None:
            kind = "" if whole else "for numbers with decimals "
            quoted = ", ".join(f'"{text}"' for text in mended)
            return f"{kind}write {quoted}."
    return "every number must lie in exactly one range of each level, and every range in one of the next coarser level."


def mend_ranges(ranges: Sequence[Range], whole: bool) -> list[str] | None:
    """Return the nearest list without overlaps and gaps, or ``None`` if there is none to offer.

    Ranges are sorted, those between two neighbours that already meet are dropped, and each one then runs up to the
    start of the next.

    Examples
    --------
    >>> mend_ranges(parse_ranges(["6-7", "8-9", "9-12"]), whole=False)
    ['[6, 8)', '[8, 9)', '9-12']
    """
    pieces = sorted(
        (piece.whole() if whole else piece for piece in ranges), key=lambda piece: (piece.start, piece.stop)
    )
    pieces = [piece for piece in pieces if piece.start < piece.stop]
    if not pieces:
        return None
    last_stop = max(piece.stop for piece in pieces)
    kept: list[Range] = []
    for i, piece in enumerate(pieces):
        following = pieces[i + 1] if i + 1 < len(pieces) else None
        repeated = following is not None and following.start == piece.start
        bridged = bool(kept) and following is not None and kept[-1].stop >= following.start
        if not repeated and not bridged:
            kept.append(piece)
    stops = [piece.start for piece in kept[1:]] + [last_stop]
    texts = [_respelt(piece, stop, whole) for piece, stop in zip(kept, stops, strict=True)]
    return texts if not range_problems(parse_ranges(texts), whole) else None


def _respelt(piece: Range, stop: Edge, whole: bool) -> str:
    """Spell a range that now ends at ``stop``; one that ends there already keeps its own spelling."""
    if piece.text and piece.stop == stop:
        return piece.text
    low = "" if piece.low is None else fraction_text(piece.low)
    if stop[0] == math.inf:
        return f"{'>' if piece.low_open else '>='}{low}"
    high = fraction_text(Fraction(stop[0]))
    if piece.low is None:
        return f"{'<=' if stop[1] else '<'}{high}"
    if whole:
        last = fraction_text(Fraction(stop[0]) - 1)
        return low if low == last else f"{low}-{last}"
    return f"{'(' if piece.low_open else '['}{low}, {high}{']' if stop[1] else ')'}"


def locate(ranges: Sequence[Range], values: Sequence[float]) -> NDArray[np.int64]:
    """Return for each of the ascending values the position of the range that holds it, or -1.

    Examples
    --------
    >>> locate(parse_ranges(["<6", "6-7"]), [5, 6, 7, 8]).tolist()
    [0, 1, 1, -1]
    """
    places = np.full(len(values), -1, dtype=np.int64)
    for position, piece in enumerate(ranges):
        first = bisect_left(values, piece.start, key=lambda value: (exact(value), 0))
        last = bisect_left(values, piece.stop, key=lambda value: (exact(value), 0))
        places[first:last] = position
    return places
