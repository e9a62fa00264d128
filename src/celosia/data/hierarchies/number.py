"""Numbers without a hierarchy: a class is published as the range between its lowest and its highest value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from celosia.base.fields import Options
from celosia.data.hierarchies.base import ValueType
from celosia.data.hierarchies.domains import Line, Style, number_text
from celosia.data.hierarchies.exact import refuse_extreme
from celosia.data.hierarchies.options import check_choice, check_number
from celosia.data.hierarchies.packed import PackedNumbers

_EXACT_DOUBLE = 2**52
"""Whole numbers up to here, and the differences of any two, are doubles of their own."""


@dataclass(frozen=True)
class Number(Options):
    """Numbers on a line: loss of a class = (highest - lowest) / (Max - Min) of the column, 0 if Max = Min.

    Parameters
    ----------
    publish
        ``range`` writes ``[5, 10]``, ``pair`` two columns, ``centroid`` the mean of the class.
    grid
        Above 0: published ends move outwards to multiples of it, so that they are not true values.

    Raises
    ------
    OptionError
        If an option is not allowed.

    Examples
    --------
    >>> domain = Number().fit([4, 6, 9], "exam")
    >>> domain.positions.tolist(), domain.spell(0, 1, Style()), domain.spell(2, 2, Style())
    ([0.0, 0.4, 1.0], '[4, 6]', '9')
    """

    name: ClassVar[str] = "number"
    value_type: ClassVar[ValueType] = "number"

    publish: Literal["range", "pair", "centroid"] = "range"
    grid: float | None = None

    def __post_init__(self) -> None:
        check_choice("number: publish", self.publish, ["range", "pair", "centroid"])
        if self.grid is not None:
            check_number("number: grid", self.grid, positive=True)

    def fit(self, values: Sequence[float], column: str) -> Line:
        """Return the line of these ascending numbers.

        Raises
        ------
        HierarchyError
            If a value is infinite.
        """
        refuse_extreme(values, column)

        def spell(low: int, high: int, style: Style) -> str:
            if low == high:
                return number_text(values[low], style)
            return style.span(number_text(values[low], style), number_text(values[high], style))

        return Line("number", values, _positions(values), spell)


def _positions(values: Sequence[float]) -> NDArray[np.float64]:
    """Return (value - Min) / (Max - Min) of ascending numbers, each correctly rounded; 0 if Max = Min."""
    if isinstance(values, PackedNumbers) and len(values) and _is_exact(values):
        doubles = np.asarray(values, dtype=np.float64)
        span = doubles[-1] - doubles[0]
        return (doubles - doubles[0]) / span if span else np.zeros(len(doubles))
    # Python's own arithmetic is exact for whole numbers of any length; a mixture of kinds would round unevenly.
    numbers = values if all(isinstance(value, int) for value in values) else [float(value) for value in values]
    span = numbers[-1] - numbers[0] if len(numbers) else 0
    return np.array([(number - numbers[0]) / span if span else 0.0 for number in numbers], dtype=np.float64)


def _is_exact(values: PackedNumbers) -> bool:
    """Whether arithmetic in doubles gives what Python's own gives: for doubles, and for whole numbers of 52 bits."""
    is_double = values.array.dtype == np.float64
    return is_double or (values[0] >= -_EXACT_DOUBLE and values[-1] <= _EXACT_DOUBLE)
