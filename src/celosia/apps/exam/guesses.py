"""The scale of marks, where nobody says it: from headers, or from the marks themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from celosia.apps.exam.scales import STANDARD, Scale
from celosia.base.errors import InputError

_MOST = Fraction(9, 10)
_NEAR_THE_TOP = Fraction(4, 5)
_NUMBER = r"(\d+(?:[.,]\d+)?)"
_ENDS = re.compile(rf"[\[(]\s*{_NUMBER}\s*[-–]\s*{_NUMBER}\s*[\])]")
_TOP = re.compile(rf"(?:[\[(/]|\bsobre\b|\bout of\b)\s*(?:de\s+|of\s+)?{_NUMBER}\s*(?!\s*%)(?:[\])]|$)", re.IGNORECASE)

_BARE = re.compile(rf"[\[(]\s*{_NUMBER}\s*[\])]")
"""A lone number in brackets: perhaps the top of the scale, perhaps the fifth topic."""


def hinted_ends(header: str, marks: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
    """Return the ends of the scale that a header names, or ``None``.

    ``exam (0-20)`` is taken as it is; of ``exam (20)``, ``exam /20`` and ``nota sobre 20`` the number is taken if it is
    the top of a usual scale and no mark lies above it: it may be something else, such as the second exam.

    Examples
    --------
    >>> hinted_ends("quiz (0-5)", []), hinted_ends("examen sobre 20", [Fraction(12)]), hinted_ends("parcial (40%)", [])
    ((Fraction(0, 1), Fraction(5, 1)), (Fraction(0, 1), Fraction(20, 1)), None)
    """
    if match := _ENDS.search(header):
        low, high = (Fraction(number.replace(",", ".")) for number in match.groups())
        return (low, high) if low < high else None
    if match := _TOP.search(header):
        top = Fraction(match[1].replace(",", "."))
        if top in STANDARD and all(0 <= mark <= top for mark in marks):
            return Fraction(0), top
    return None


def stated_ends(header: str, marks: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
    """Return the ends that a header states outright and that hold its marks, or ``None``.

    They stand above the scale that is given for the whole sheet: ``quiz (0-5)`` in a sheet of 0-10 is of 5.

    Examples
    --------
    >>> stated_ends("quiz (0-5)", [Fraction(4)]), stated_ends("topics (1-3)", [Fraction(4)])
    ((Fraction(0, 1), Fraction(5, 1)), None)
    """
    if _BARE.search(header):
        return None
    ends = hinted_ends(header, marks)
    return ends if ends is not None and all(ends[0] <= mark <= ends[1] for mark in marks) else None


def guessed_top(marks: Mapping[str, Sequence[Fraction]]) -> int:
    """Return the top of the scale that the marks of some columns share: the lowest usual one that holds nine of ten.

    Marks above it are then mistakes, which is for others to say.

    Raises
    ------
    InputError
        There is no mark, one of ten lies above every usual scale, or all are so low that they might be of any.

    Examples
    --------
    >>> guessed_top({"exam": [Fraction(4), Fraction(9)]}), guessed_top({"exam": [Fraction(12), Fraction(18)]})
    (10, 20)
    """
    every = [mark for column in marks.values() for mark in column]
    if not every:
        raise InputError("the columns of marks hold no mark.", hint="check the sheet, or name others with --marks.")
    for top in STANDARD:
        if sum(mark <= top for mark in every) >= _MOST * len(every):
            break
    else:
        raise InputError(
            f"the scale of the marks cannot be guessed: many lie above {STANDARD[-1]}.",
            hint="say it: --scale 0-250.",
            about="scale",
        )
    if top == STANDARD[0] and max(every) < _NEAR_THE_TOP * top:
        raise InputError(
            "the scale of the marks cannot be guessed: all are low, be it of 5 or of 10.",
            hint="say it: --scale 0-5 or --scale 0-10.",
            about="scale",
        )
    return top


def is_doubtful(scale: Scale, marks: Sequence[Fraction]) -> bool:
    """Tell whether no mark lies in the upper half of its guessed scale: it may be of another one.

    Examples
    --------
    >>> is_doubtful(Scale.of(0, 10), [Fraction(4), Fraction(5)])
    True
    """
    return bool(marks) and max(marks) <= (scale.low + scale.high) / 2
