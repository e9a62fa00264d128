"""The places of a value that stay visible, counted from its start and from its end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from celosia.base.errors import OptionError
from celosia.data.hierarchies.options import check_list

_ENTRY = re.compile(r"(-?[0-9]{1,6})(?:-(-?[0-9]{1,6}))?")
_HINT = "count from 1, or from -1 for the last character: [1, 4-7, -1]."

LONGEST = 999_999
"""The last position that can be named."""

LEAST_SYMBOLS = 2
"""A single ``*`` is reserved for 'anything' in every release."""

Run = tuple[int, int]
"""The first character and the one behind the last, counted from 0 at the start or at the end of a value."""


@dataclass(frozen=True)
class Piece:
    """A stretch of each text.

    Attributes
    ----------
    text
        The stretch itself.
    n_symbols
        By how many symbols it is replaced; ``None`` where it stays visible.
    """

    text: pl.Expr
    n_symbols: pl.Expr | None = None


@dataclass(frozen=True)
class VisiblePlaces:
    """The characters that stay visible, as runs from the start of a value and runs from its end.

    Attributes
    ----------
    from_start, from_end
        Runs in ascending order that do not touch: ``(0, 2)`` are the two characters nearest to that end.

    Examples
    --------
    >>> places = VisiblePlaces(((3, 7),), ((0, 1),))
    >>> places.n_least, places.n_visible
    (8, 5)
    """

    from_start: tuple[Run, ...] = ()
    from_end: tuple[Run, ...] = ()

    @property
    def hides_all(self) -> bool:
        """Whether nothing stays visible of any text."""
        return not (self.from_start or self.from_end)

    @property
    def n_visible(self) -> int:
        """How many characters stay visible."""
        return sum(end - start for start, end in (*self.from_start, *self.from_end))

    @property
    def n_least(self) -> int:
        """How long a value must be to have all places, none of them counted from both ends."""
        return _reach(self.from_start) + _reach(self.from_end)

    @property
    def least_length(self) -> int:
        """The least fixed length that has room for what stays visible and a symbol."""
        return max(self.n_least, self.n_visible + 1, LEAST_SYMBOLS)

    def frame(self, texts: pl.Series) -> pl.DataFrame:
        """Return the texts as the column ``text``."""
        return texts.to_frame("text")

    def fits(self) -> pl.Expr:
        """Return whether a text has all places."""
        return pl.col("text").str.len_chars() >= self.n_least

    def pieces(self, length: int | None) -> list[Piece]:
        """Return the pieces of a text that has all places.

        Between the places from the start and those from the end lies a hidden stretch; with a fixed length it gets as
        many symbols as that length needs.
        """
        text = pl.col("text")
        before, after = _reach(self.from_start), _reach(self.from_end)
        n_between = (text.str.len_chars().cast(pl.Int64) - self.n_least).clip(0)
        n_symbols = n_between if length is None else pl.lit(length - self.n_least)
        left = [
            _piece(text.str.slice(start, end - start), end - start, seen) for start, end, seen in _cut(self.from_start)
        ]
        right = [
            _piece(text.str.slice(-end, end - start), end - start, seen) for start, end, seen in _cut(self.from_end)
        ]
        between = text.str.slice(before, n_between) if after else text.str.slice(before)
        return [*left, Piece(between, n_symbols), *reversed(right)]


def parse_positions(positions: object) -> VisiblePlaces:
    """Return the places that a list of positions and ranges names.

    Raises
    ------
    OptionError
        An entry is neither a position nor a range, or a range runs backwards or from one end to the other.

    Examples
    --------
    >>> parse_positions(["4-7", -1])
    VisiblePlaces(from_start=((3, 7),), from_end=((0, 1),))
    """
    runs = [_parse(entry) for entry in check_list("mask_characters: positions", positions)]
    from_start = [(first - 1, last) for first, last in runs if first > 0]
    from_end = [(-last - 1, -first) for first, last in runs if first < 0]
    return VisiblePlaces(_united(from_start), _united(from_end))


def _parse(entry: object) -> Run:
    is_whole = isinstance(entry, int) and not isinstance(entry, bool)
    found = _ENTRY.fullmatch(str(entry).replace(" ", "")) if is_whole or isinstance(entry, str) else None
    if not found:
        raise OptionError(
            f"mask_characters: positions holds {entry!r}; allowed are whole numbers up to {LONGEST} and ranges.",
            hint=_HINT,
        )
    first = int(found[1])
    last = int(found[2]) if found[2] else first
    if first * last <= 0 or first > last:
        raise OptionError(
            f"mask_characters: positions holds {entry!r}; a range goes from left to right, and both its ends count "
            "from the same end of the value.",
            hint=_HINT,
        )
    return first, last


def _united(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Return the runs in ascending order, those that overlap or touch as one."""
    united: list[Run] = []
    for start, end in sorted(runs):
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        else:
            united.append((start, end))
    return tuple(united)


def _reach(runs: tuple[Run, ...]) -> int:
    return runs[-1][1] if runs else 0


def _cut(runs: tuple[Run, ...]) -> list[tuple[int, int, bool]]:
    """Return the stretches up to the end of the last run, in order, with whether they stay visible."""
    cuts, place = [], 0
    for start, end in runs:
        if start > place:
            cuts.append((place, start, False))
        cuts.append((start, end, True))
        place = end
    return cuts


def _piece(text: pl.Expr, n_characters: int, is_visible: bool) -> Piece:
    return Piece(text, None if is_visible else pl.lit(n_characters))
