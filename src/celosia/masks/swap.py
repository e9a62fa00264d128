"""Swapping: the values of a column given to other rows at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import ColumnNotFoundError, InputError, nearest_column
from celosia.base.findings import Finding
from celosia.data.io import to_polars
from celosia.data.masked import Change
from celosia.masks.base import Leaves, Sheet
from celosia.masks.draws import deranged_within_groups, within_groups
from celosia.masks.options import OnColumns, check_flag, strata_columns, strata_of

_AT_ONCE = 1 << 17
_DRAWN_ROWS = 300_000
"""How many rows are drawn at most before a swap is found to have no effect, unless ``_LEAST_DRAWS`` take more."""
_LEAST_DRAWS = 20
"""A single pair that can be exchanged is left as it was in every other draw: in so many with a chance of 10^-6."""


@dataclass(frozen=True)
class Swap(OnColumns):
    """Give the values of a column to other rows: row i takes the value of row s(i), s a uniformly random permutation.

    Missing cells stay where they are; the values are permuted among the rows that have one. A joint swap moves what a
    row holds in all its columns together, gaps included, and leaves rows in place that hold nothing in any of them.

    Parameters
    ----------
    column, columns
        The column to swap, or several; one of the two.
    joint
        ``False``: every column is permuted on its own, so that nothing ties them to each other any more. ``True``: one
        permutation for all of them, so that the values of a row stay together.
    within
        A column, or several: values move only among rows that are equal there (a stratum). Missing is a value of its
        own. Left out: among all rows.
    no_fixed_points
        ``True``: no row keeps its place, but for rows alone in their stratum. A row can still receive a value equal to
        its own. It tells a reader that no row is its own source: with two rows in a stratum the exchange is known.

    Guarantee
    ---------
    Every column holds the same values as before, as often. All permutations within strata that change the rows of the
    table are equally likely, and nothing but chance ties a value to its row: who knows everything but the permutation
    finds the owner of a value in a stratum of n rows with a chance of 1/n (1/(n - 1) without fixed points). It does not
    hide that a value is in the table or in the stratum, nor what the columns that stay tell of a person.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        SWAP_NO_EFFECT: the rows of the table are, in another order, what they were before.

    Examples
    --------
    >>> from celosia.base.chance import Randomness
    >>> marks = pl.DataFrame({"student": ["Luis", "Eduardo", "Tatiana"], "mark": [4.5, 3.5, 3.8]})
    >>> swapped = Swap(column="student", no_fixed_points=True).apply(marks, Randomness(seed=1))
    >>> swapped["student"].to_list(), swapped["mark"].to_list()
    (['Tatiana', 'Luis', 'Eduardo'], [4.5, 3.5, 3.8])
    """

    name: ClassVar[str] = "swap"
    leaves: ClassVar[Leaves] = Leaves(
        "swapped",
        "Every value of a swapped column is still in the table, with another row: a rare one shows that its owner is "
        "among the rows. Columns that were not swapped identify as before.",
    )

    joint: bool = False
    within: str | Sequence[str] | None = None
    no_fixed_points: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("swap: joint", self.joint)
        check_flag("swap: no_fixed_points", self.no_fixed_points)
        self._set(within=strata_columns(self.name, self.within, self.columns))

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it swaps, and those that bound the swap."""
        return (*self.columns, *(self.within or ()))

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the values of the columns given to other rows."""
        before = sheet.frame.select(sheet.column(name, self.name) for name in self.columns)
        strata = strata_of(sheet, self.within or (), self.name)
        units = [list(self.columns)] if self.joint else [[name] for name in self.columns]
        movers = [_Mover.of(before.select(unit), strata) for unit in units]
        swapped = drawn_with_effect(
            sheet.frame,
            lambda: sheet.frame.with_columns(
                column for mover in movers for column in mover.moved(sheet.randomness, self.no_fixed_points)
            ),
            lambda: any(mover.can_change(sheet.frame) for mover in movers),
        )
        if swapped is None:
            raise _no_effect(movers)
        for mover in movers:
            for name in mover.cells.columns:
                sheet = sheet.with_column(swapped[name], Change(name, "moved"))
                sheet = sheet.noting(kept_values(before[name], swapped[name]))
            sheet = sheet.noting(*mover.guessable(sheet.k, self.no_fixed_points))
        return sheet


@dataclass(frozen=True, eq=False)
class _Mover:
    """Columns that move as one, the rows that take part (``None``: all of them), and the stratum of each of these."""

    cells: pl.DataFrame
    rows: NDArray[np.intp] | None
    strata: NDArray[np.int32]

    @classmethod
    def of(cls, cells: pl.DataFrame, strata: NDArray[np.int32]) -> _Mover:
        if not any(column.null_count() for column in cells):
            return cls(cells, None, strata)
        rows = np.flatnonzero(cells.select(pl.any_horizontal(pl.all().is_not_null())).to_series().to_numpy())
        return cls(cells, rows, strata[rows])

    def moved(self, randomness: Randomness, no_fixed_points: bool) -> list[pl.Series]:
        """Return the columns after one draw."""
        draw = deranged_within_groups if no_fixed_points else within_groups
        source = draw(randomness, self.strata)
        if self.rows is not None:
            everywhere = np.arange(self.cells.height)
            everywhere[self.rows] = self.rows[source]
            source = everywhere
        places = pl.Series(source.astype(np.uint32))
        del source  # long tables: what Polars does with places of 64 bits takes three times as much memory
        return [column.gather(places) for column in self.cells]

    def can_change(self, frame: pl.DataFrame) -> bool:
        """Return whether any draw changes the rows of the frame."""
        return can_change(frame if self.rows is None else frame[self.rows], self.cells.columns, self.strata)

    def guessable(self, k: int, no_fixed_points: bool) -> Iterator[Finding]:
        """Give what to know of strata so small that the swap can be undone by guessing."""
        sizes = np.bincount(self.strata)
        small = sizes[(sizes > 0) & (sizes < k)]
        pairs = int((sizes == 2).sum()) if no_fixed_points else 0
        column = self.cells.columns[0]
        if len(small):
            yield Finding(
                "SWAP_SMALL_STRATA",
                "warning",
                "{rows} rows were given a value of '{column}' by one of fewer than {k} rows (strata: {count}): "
                "whose value it is can be guessed. Name fewer or coarser columns under within.",
                column,
                {"rows": int(small.sum()), "k": k, "count": len(small)},
            )
        if pairs:
            yield Finding(
                "SWAP_KNOWN_EXCHANGE",
                "warning",
                "{rows} rows stand in strata of two where both must take each other's value of '{column}': who "
                "knows that no row keeps its place undoes the swap. Allow fixed points, or name fewer or coarser "
                "columns under within.",
                column,
                {"rows": 2 * pairs},
            )


def _no_effect(movers: list[_Mover]) -> InputError:
    """Say why a swap changed nothing."""
    names = ", ".join(f"'{name}'" for mover in movers for name in mover.cells.columns)
    if all(np.bincount(mover.strata).max(initial=0) <= 1 for mover in movers):
        why = "no row has another one to swap with"
        hint = "name fewer or coarser columns under within, or mask the column in another way."
    elif all(_is_constant(mover) for mover in movers):
        why = "the rows that may exchange values have equal ones"
        hint = "name fewer or coarser columns under within, or leave the swap out: there is nothing to mix."
    else:
        why = "no other column tells rows apart that exchanged values, so that whole rows moved"
        hint = "swap fewer columns, or each on its own (joint: false), or leave the swap out: it hides nobody."
    return InputError(
        f"SWAP_NO_EFFECT: after the swap of {names} the rows are, in another order, those from before: {why}.",
        hint=hint,
        about="swap",
    )


def _is_constant(mover: _Mover) -> bool:
    """Return whether the rows of every stratum hold the same."""
    cells = mover.cells if mover.rows is None else mover.cells[mover.rows]
    names = [f"column {place}" for place in range(cells.width)]
    marked = cells.rename(dict(zip(cells.columns, names, strict=True))).with_columns(stratum=pl.Series(mover.strata))
    return marked.unique().height == int((np.bincount(mover.strata) > 0).sum())


@dataclass(frozen=True)
class SwapEffect:
    """What a swap did.

    Attributes
    ----------
    rows_changed
        Whether the multiset of full rows differs: if not, the swap moved whole rows or nothing, and hides nobody.
    share_fixed
        The share of rows that have, in their place, the same values as before in all swapped columns.
    """

    rows_changed: bool
    share_fixed: float


def swap_effect(before: Any, after: Any, columns: Sequence[str]) -> SwapEffect:
    """Compare a table before and after a swap of ``columns``, all cells of all rows.

    Parameters
    ----------
    before, after
        Two pandas, Polars or Arrow frames with the same columns and as many rows.
    columns
        The columns that were swapped.

    Raises
    ------
    InputError
        The frames differ in columns or in the number of rows.
    ColumnNotFoundError
        One of ``columns`` is not in them.

    Examples
    --------
    >>> before = pl.DataFrame({"student": ["Luis", "Pedro"], "grade": [8, 10]})
    >>> swap_effect(before, before[::-1], ["student"])
    SwapEffect(rows_changed=False, share_fixed=0.0)
    >>> swap_effect(before, before.with_columns(student=before["student"].reverse()), ["student"])
    SwapEffect(rows_changed=True, share_fixed=0.0)
    """
    first, second = to_polars(before)[0], to_polars(after)[0]
    if first.schema != second.schema or first.height != second.height:
        raise InputError(
            f"the frames before ({first.height} rows, {first.width} columns) and after ({second.height} rows, "
            f"{second.width} columns) must have the same columns, of the same types, and as many rows.",
            hint="a swap moves cells, it neither adds nor removes any.",
        )
    for name in columns:
        if name not in first.columns:
            raise ColumnNotFoundError(f"'{name}' is not a column.", hint=nearest_column(name, first.columns))
    is_fixed = np.ones(first.height, dtype=np.bool_)
    for name in columns:
        is_fixed &= first[name].eq_missing(second[name]).to_numpy()
    return SwapEffect(rows_changed(first, second), float(is_fixed.sum()) / max(first.height, 1))


def rows_changed(before: pl.DataFrame, after: pl.DataFrame) -> bool:
    """Return whether the multisets of full rows differ.

    Equal multisets have equal sums of row hashes, so that different sums are proof; equal ones are looked into.
    """
    if _hash_sum(before) != _hash_sum(after):
        return True
    one = pl.lit(1, dtype=pl.Int64)
    balance = "".join(before.columns) + "_"  # a name that no column has
    both = pl.concat([before.with_columns(one.alias(balance)), after.with_columns((-one).alias(balance))])
    return bool((both.group_by(before.columns).agg(pl.col(balance).sum())[balance] != 0).any())


def _hash_sum(frame: pl.DataFrame) -> int:
    parts = (frame.slice(start, _AT_ONCE).hash_rows() for start in range(0, frame.height, _AT_ONCE))
    return sum(int(part.to_numpy().sum(dtype=np.uint64)) for part in parts) % 2**64


def drawn_with_effect(
    frame: pl.DataFrame, draw: Callable[[], pl.DataFrame], is_possible: Callable[[], bool]
) -> pl.DataFrame | None:
    """Draw a swapped frame until its rows differ from those of ``frame``; ``None`` if they will not.

    Two rows come back as they were every other time: such draws are thrown away, and the others stay equally likely.
    """
    for n_draws in range(max(_LEAST_DRAWS, min(300, _DRAWN_ROWS // max(frame.height, 1)))):
        if n_draws == 1 and not is_possible():
            return None
        drawn = draw()
        if rows_changed(frame, drawn):
            return drawn
    return None


def can_change(frame: pl.DataFrame, columns: Sequence[str], groups: NDArray[np.integer[Any]]) -> bool:
    """Return whether moving ``columns`` within groups can change the rows of the frame.

    It can just if the rows of some group differ in what moves and in what stays: then two of them differ in both.
    """
    marks = pl.DataFrame(
        {
            "group": groups,
            "moves": frame.select(columns).hash_rows(),
            "stays": frame.drop(columns).hash_rows() if len(columns) < frame.width else np.zeros(frame.height),
        }
    )
    is_mixed = (pl.col("moves").n_unique() > 1) & (pl.col("stays").n_unique() > 1)
    return bool(marks.group_by("group").agg(is_mixed.alias("is_mixed"))["is_mixed"].any())


def kept_values(before: pl.Series, after: pl.Series) -> Finding:
    """Return how many of the rows that hold a value hold the same one as before; a warning if more than half do."""
    n_values = len(before) - before.null_count()
    kept = int((before == after).sum()) / max(n_values, 1)
    if kept > 0.5:
        return Finding(
            "SWAP_FIXED_POINTS",
            "warning",
            "{share} of the rows with a value of '{column}' have the same value as before the swap: who takes the "
            "values for true is right more often than not. Swap among more rows, or coarsen the column instead.",
            before.name,
            {"share": f"{kept:.1%}"},
        )
    return Finding(
        "SWAP_FIXED_POINTS",
        "note",
        "{share} of the rows with a value of '{column}' have the same value as before the swap.",
        before.name,
        {"share": f"{kept:.1%}"},
    )
