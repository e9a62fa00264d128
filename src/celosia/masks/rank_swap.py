"""Rank swapping: values exchanged between rows whose values are near each other in rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.base.findings import Finding
from celosia.data.hierarchies.options import check_number
from celosia.data.io import parse_numbers
from celosia.data.masked import Change
from celosia.masks.base import Leaves, Sheet
from celosia.masks.draws import within_groups
from celosia.masks.expressions.moments import read_dates
from celosia.masks.options import OnColumns
from celosia.masks.swap import can_change, drawn_with_effect, kept_values

_AT_ONCE = 1 << 17
_WINDOW = 0.05


@dataclass(frozen=True)
class RankSwap(OnColumns):
    """Exchange each value with one whose rank differs by at most w = floor(window n), n rows having a value.

    The values are ranked, equal ones in random order, and the ranks cut into blocks of w + 1 from a random place on (at
    both ends there may be smaller ones, down to half of that). Inside a block rows are paired at random, and the two of
    a pair exchange their values; in a block of odd size one row keeps its own. Missing cells stay where they are.

    This differs from Moore's procedure, which goes up the ranks and exchanges each value that has not moved with one of
    the next w that have not: the bound on ranks is the same and each row is exchanged once at most, but values move by
    a third of the window in the mean, not by half of it, and each row of a block is as likely a source as any other.

    Parameters
    ----------
    column, columns
        The column to swap, or several, each on its own; one of the two. Numbers or dates, also as text.
    window
        The share of rows, above 0 and at most 1, by which ranks may differ, read as its decimal text. 1 mixes the whole
        column.

    Guarantee
    ---------
    Every column holds the same values as before, as often, and no row gets a value more than w ranks from its own. Who
    knows all values finds the owner of a value in a block of m ranks with a chance of 1/(m - 1) at best; who only wants
    the value itself is off by the spread of a block, which may be little. Correlations with other columns weaken as the
    window widens.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        A column holds other than numbers or dates, the window reaches no other row, or the rows of the table are, in
        another order, what they were before (SWAP_NO_EFFECT).

    Examples
    --------
    >>> people = pl.DataFrame({"salary": [10, 20, 30, 40, 50, 60, 70, 80], "town": list("abcdefgh")})
    >>> swapped = RankSwap("salary", window=0.25).apply(people, Randomness(seed=1))
    >>> sorted(swapped["salary"]), (swapped["salary"] - people["salary"]).abs().max()
    ([10, 20, 30, 40, 50, 60, 70, 80], 20)
    """

    name: ClassVar[str] = "rank_swap"
    leaves: ClassVar[Leaves] = Leaves(
        "swapped",
        "Every value is still in the table, with a row whose own value is near it: roughly how much a person has can "
        "still be read. Columns that were not swapped identify as before.",
    )

    window: float = _WINDOW

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("rank_swap: window", self.window, positive=True)
        if self.window > 1:
            raise OptionError(
                f"rank_swap: window is {self.window}; it must be above 0 and at most 1.",
                hint="write 0.05 for a twentieth of the rows.",
                about="window",
            )

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with values exchanged between rows of near ranks."""
        before = sheet.frame
        readings = {name: self._read(sheet, name) for name in self.columns}
        swapped = drawn_with_effect(
            before,
            lambda: before.with_columns(self._swapped(sheet, name, values) for name, values in readings.items()),
            lambda: any(
                can_change(
                    before.filter(values.is_not_null()),
                    [name],
                    np.zeros(len(values) - values.null_count(), dtype=np.int8),
                )
                for name, values in readings.items()
            ),
        )
        if swapped is None:
            raise InputError(
                "SWAP_NO_EFFECT: after rank_swap the rows are, in another order, those from before: the columns hold "
                "equal values only, or no other column tells rows apart that exchanged values.",
                hint="widen the window, or leave the swap out: it hides nobody.",
                about="rank_swap",
            )
        for name, values in readings.items():
            sheet = sheet.with_column(swapped[name], Change(name, "moved")).noting(
                kept_values(before[name], swapped[name]), *self._narrow(name, self._reach(values), sheet.k)
            )
        return sheet

    def _read(self, sheet: Sheet, name: str) -> pl.Series:
        """Return the column as something that can be ranked, after a look at how far the window reaches in it."""
        column = sheet.column(name, self.name)
        values = column.cast(pl.Float64) if column.dtype.is_decimal() or column.dtype == pl.Null else column
        if column.dtype == pl.String:
            numbers, n_failed = parse_numbers(column, sheet.decimal)
            values = numbers if not n_failed else read_dates(column)
        is_rankable = column.dtype == pl.String or values.dtype.is_numeric() or values.dtype.is_temporal()
        n_failed = values.null_count() - column.null_count()
        if not is_rankable or n_failed:
            what = f"{n_failed} of its {len(column)} cells read as neither" if is_rankable else f"holds {column.dtype}"
            raise InputError(
                f"rank_swap: '{name}' must hold numbers or dates, but {what}.",
                hint="use swap for columns without an order.",
                about="rank_swap",
            )
        n_values = len(values) - values.null_count()
        if self._reach(values) < 1 < n_values:
            raise InputError(
                f"rank_swap: a window of {self.window} of the {n_values} values of '{name}' reaches no other row.",
                hint=f"the window must be at least 1/{n_values} here, and many times that to hide anybody.",
                about="window",
            )
        return values

    def _reach(self, values: pl.Series) -> int:
        """Return by how many ranks a value may move."""
        return int(Fraction(str(self.window)) * (len(values) - values.null_count()))

    def _swapped(self, sheet: Sheet, name: str, values: pl.Series) -> pl.Series:
        """Return the column after one draw."""
        order = _ranked(sheet.randomness, values)
        partners = _paired(sheet.randomness, len(order), self._reach(values))
        source = np.arange(len(values), dtype=np.uint32)
        source[order] = order[partners]
        return sheet.frame[name].gather(pl.Series(source))

    def _narrow(self, name: str, reach: int, k: int) -> Iterator[Finding]:
        if reach < k:
            yield Finding(
                "RANK_SWAP_NARROW",
                "warning",
                "Values of '{column}' moved by at most {count} ranks, fewer than {k}: whose value it is can be "
                "guessed. Widen the window.",
                name,
                {"count": reach, "k": k},
            )


def _ranked(randomness: Randomness, values: pl.Series) -> NDArray[np.uint32]:
    """Return the rows that hold a value, in ascending order of it, equal ones in random order."""
    n_known = len(values) - values.null_count()
    rows = randomness.permutation(n_known).astype(np.uint32)  # half the size of what is sorted
    if values.null_count():
        rows = np.flatnonzero(values.is_not_null().to_numpy()).astype(np.uint32)[rows]
    order = np.argsort(values.to_physical().gather(pl.Series(rows)).to_numpy(), kind="stable").astype(np.uint32)
    return rows[order]


def _paired(randomness: Randomness, n: int, reach: int) -> NDArray[np.uint32]:
    """Return the partner of each of n ranks, none farther than ``reach``; a rank without one is its own."""
    partners = np.arange(n, dtype=np.uint32)
    if reach < 1 or n < 2:
        return partners
    sizes = _block_sizes(randomness, n, reach + 1)
    ends = np.cumsum(sizes)
    done = 0
    while done < len(sizes):  # as many blocks at once as have _AT_ONCE ranks, at least one: to spare memory
        start = int(ends[done - 1]) if done else 0
        until = max(done + 1, int(np.searchsorted(ends, start + _AT_ONCE, side="right")))
        _pair(partners[start : int(ends[until - 1])], sizes[done:until], randomness)
        done = until
    return partners


def _pair(partners: NDArray[np.uint32], sizes: NDArray[np.int64], randomness: Randomness) -> None:
    """Pair ranks at random inside each of some neighbouring blocks; ``partners`` are the ranks themselves at first."""
    shuffled = within_groups(randomness, np.repeat(np.arange(len(sizes), dtype=np.int32), sizes))
    # The shuffled ranks of a block stand where its ranks do: its first and second are a pair, its third and fourth, ...
    place = np.arange(len(partners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    leads = np.flatnonzero((place % 2 == 0) & (place + 1 < np.repeat(sizes, sizes)))
    first, second = shuffled[leads], shuffled[leads + 1]
    partners[first], partners[second] = partners[second], partners[first]


def _block_sizes(randomness: Randomness, n: int, most: int) -> NDArray[np.int64]:
    """Cut n ranks into blocks of ``most`` from a random place on; at both ends two blocks may have half of it."""
    if n <= most:
        return np.array([n], dtype=np.int64)
    first = 1 + randomness.below(most)
    n_full, rest = divmod(n - first, most)
    sizes = [first] + [most] * n_full + [rest] * (rest > 0)
    if len(sizes) > 1:
        sizes[:2] = _evened(sizes[:2], most)
    if len(sizes) > 1:
        sizes[-2:] = _evened(sizes[-2:], most)
    return np.array(sizes, dtype=np.int64)


def _evened(two: list[int], most: int) -> list[int]:
    """Unite two neighbouring blocks that fit into one; share them evenly if one of them is less than half of one."""
    if sum(two) <= most:
        return [sum(two)]
    if 2 * min(two) >= most:
        return two
    return [sum(two) // 2, sum(two) - sum(two) // 2]
