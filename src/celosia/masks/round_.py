"""Numbers rounded to the multiples of a step, to the nearest one or to a neighbour at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.base.findings import Finding
from celosia.data.hierarchies.exact import exact
from celosia.data.hierarchies.options import check_list, check_number
from celosia.data.masked import Change
from celosia.masks.base import Leaves, Sheet
from celosia.masks.coarsening.multiples import Multiples, in_blocks
from celosia.masks.decimals import in_rows
from celosia.masks.draws import uniforms
from celosia.masks.options import OnEachColumn


@dataclass(frozen=True)
class Round(OnEachColumn):
    """Replace each number by a multiple of a step: m_i = base + i * to, exact in decimals.

    The nearest multiple is taken, and in the middle between two the one with the even i. With ``random`` a number x in
    [m_i, m_{i+1}] becomes m_{i+1} with probability (x - m_i) / to and m_i otherwise, each cell by its own draw: the
    expected value is x itself.

    Parameters
    ----------
    column, columns
        The column, or several, each rounded alone; one of the two. Missing cells stay missing.
    to
        The step, a number above 0.
    random
        Whether chance decides between the two neighbours.
    base
        One of the multiples; 0 unless given.
    within
        ``[low, high]``: what the column may hold. Where a multiple lies outside, the nearest one inside is taken, which
        at the two ends is no longer unbiased.

    Guarantee
    ---------
    A published number is a multiple of the step, less than ``to`` away from the true one (at most ``to / 2`` without
    ``random``), unless ``within`` moves it. Whoever sees it alone cannot tell the true number more closely. It does not
    hide what is rounded as well elsewhere: sums of rounded numbers against an exact total, or the same number rounded
    at random again and again, whose mean is the true one.

    Raises
    ------
    OptionError
        An option has a value that is not allowed, or no multiple lies within the limits.
    InputError
        A cell is no number, or lies outside the limits.

    Examples
    --------
    >>> import polars as pl
    >>> Round(column="mark", to=0.1).apply(pl.DataFrame({"mark": [0.34, 0.25, None]}))["mark"].to_list()
    [0.3, 0.2, None]
    """

    name: ClassVar[str] = "round"
    leaves: ClassVar[Leaves] = Leaves(
        "perturbed",
        "Rounded numbers are still near the true ones: a number far from all others remains far from them, and sums or "
        "repeated roundings of the same number narrow it down.",
    )

    to: float = field(kw_only=True)
    random: bool = False
    base: float = 0
    within: Sequence[float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("round: to", self.to, positive=True)
        check_number("round: base", self.base)
        if not isinstance(self.random, bool):
            raise OptionError(f"round: random is {self.random!r}; it must be true or false.", about="random")
        multiples = self._multiples()
        if self.within is not None:
            self._set(within=_limits(self.within))
            lowest, highest = self._ends(multiples)
            if lowest > highest:
                raise OptionError(
                    "round: no multiple lies within the limits.", hint="choose a smaller step, or a base inside them."
                )

    def _masked(self, sheet: Sheet, column: str) -> Sheet:
        numbers = sheet.numbers(column, self.name)
        values = numbers.drop_nulls().to_numpy()
        self._refuse_outside(values, column)
        rounded = self._rounded(values, column, sheet.randomness)
        n_changed = int((rounded != values).sum())
        sheet = sheet.with_numbers(in_rows(pl.Series(column, rounded), numbers), Change(column, "perturbed"))
        return sheet if n_changed else sheet.noting(_no_effect(column))

    def _rounded(self, values: NDArray[Any], column: str, randomness: Randomness) -> NDArray[Any]:
        multiples = self._multiples()
        is_counted = multiples.is_whole and values.dtype == np.int64
        spell = multiples.wholes if is_counted else multiples.numbers

        def drawn(block: NDArray[Any]) -> NDArray[np.int64]:
            places = multiples.below(block, column)
            places += uniforms(randomness, len(block)) < (block - spell(places)) / float(self.to)
            return places

        places = in_blocks(drawn, values, np.int64) if self.random else multiples.nearest(values, column)
        if self.within is not None:
            np.clip(places, *self._ends(multiples), out=places)
        return in_blocks(spell, places, np.int64 if is_counted else np.float64)

    def _multiples(self) -> Multiples:
        return Multiples("round: to", self.to, self.base)

    def _ends(self, multiples: Multiples) -> tuple[int, int]:
        """Return the places of the lowest and the highest multiple within the limits."""
        low, high = (exact(limit) for limit in self.within or ())
        return math.ceil((low - multiples.base) / multiples.step), math.floor((high - multiples.base) / multiples.step)

    def _refuse_outside(self, values: NDArray[Any], column: str) -> None:
        if self.within is None:
            return
        low, high = self.within
        n_outside = int(((values < low) | (values > high)).sum())
        if n_outside:
            raise InputError(
                f"round: {n_outside} of {len(values)} numbers of '{column}' lie outside the limits of within.",
                hint="correct them, code the ends first (top_code, bottom_code), or widen within.",
                about=column,
            )


def _limits(within: object) -> tuple[float, float]:
    limits = check_list("round: within", within)
    for limit in limits:
        check_number("round: each limit of within", limit)
    if len(limits) != 2 or limits[0] > limits[1]:
        raise OptionError("round: within must be two numbers, the lower first.", hint="write within: [0, 10].")
    return limits[0], limits[1]


def _no_effect(column: str) -> Finding:
    return Finding(
        "ROUND_NO_EFFECT",
        "warning",
        "Rounding changed no number of '{column}': all of them were multiples of the step. Choose a larger step.",
        column,
    )
