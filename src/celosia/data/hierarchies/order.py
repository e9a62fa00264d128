"""Ordered categories, such as fail, pass, notable, outstanding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.base.fields import Options
from celosia.data.hierarchies.base import ValueType
from celosia.data.hierarchies.domains import ANYTHING, Level, Levels, Line, Style, assemble, leaf_share
from celosia.data.hierarchies.options import OnMissing, check_choice, check_count, check_list
from celosia.data.hierarchies.text import choose_separator, clean_label, keep_known, refuse_reserved

Join = Callable[[int, int], str]
"""``join(first, last)``: the text of all declared values from one rank to another."""


@dataclass(frozen=True)
class Order(Options):
    """Values in a declared order: neighbours are published together.

    Without ``groups`` a class is published as all declared values between its lowest and its highest; loss = (highest
    rank - lowest rank) / (declared values - 1). With ``groups`` the values form a tree of neighbours; loss = (declared
    values under the node - 1) / (declared values - 1).

    Parameters
    ----------
    values
        All allowed values, lowest first.
    groups
        How many neighbours each level joins: ``[2, 2]`` joins pairs of values, then pairs of pairs; each from 2 on.
    on_missing
        ``error`` refuses values of the data that are not declared, ``suppress`` leaves their rows out.

    Raises
    ------
    OptionError
        If an option is not allowed.
    HierarchyError
        If a declared value is ``*``, or if every separator occurs in some value.

    Examples
    --------
    >>> marks = Order(["fail", "pass", "notable", "outstanding"])
    >>> domain = marks.fit(["fail", "notable"], "exam")
    >>> domain.values, domain.spell(0, 1, Style())
    (['fail', 'notable'], 'fail / pass / notable')
    """

    name: ClassVar[str] = "order"
    value_type: ClassVar[ValueType] = "text"

    values: Sequence[str]
    groups: Sequence[int] | None = None
    on_missing: OnMissing = "error"

    def __post_init__(self) -> None:
        values = tuple(clean_label(value, "order: values") for value in check_list("order: values", self.values))
        n_repeated = len(values) - len(set(values))
        if n_repeated:
            raise OptionError(f"order: values has {len(values)} entries, {n_repeated} of them repeated.")
        refuse_reserved(values, "order: values")
        object.__setattr__(self, "values", values)
        if self.groups is not None:
            for size in check_list("order: groups", self.groups):
                check_count("order: each entry of groups", size, least=2)
            object.__setattr__(self, "groups", tuple(self.groups))
        check_choice("order: on_missing", self.on_missing, ["error", "suppress"])
        choose_separator(values, "order: values")

    def fit(self, values: Sequence[str], column: str) -> Line | Levels:
        """Return a line over the ranks, or with ``groups`` the levels of neighbours.

        Raises
        ------
        HierarchyError
            If a value is ``*``, or if a value is not declared and ``on_missing`` is ``error``.
        """
        refuse_reserved(values, f"column {column!r}")
        source = f"the {len(self.values)} values of its order"
        known = keep_known(values, frozenset(self.values), column, source, self.on_missing)
        held = [value for value in self.values if value in known]
        ranks = np.array([rank for rank, value in enumerate(self.values) if value in known], dtype=np.int64)
        separator = choose_separator(self.values, "order: values")

        def join(first: int, last: int) -> str:
            return separator.join(self.values[first : last + 1])

        return self._line(held, ranks, join, separator) if self.groups is None else self._levels(held, ranks, join)

    def _line(self, held: list[str], ranks: NDArray[np.int64], join: Join, separator: str) -> Line:
        positions = ranks / max(len(self.values) - 1, 1)

        def spell(low: int, high: int, style: Style) -> str:
            return join(int(ranks[low]), int(ranks[high]))

        return Line("order", held, positions, spell, separator)

    def _levels(self, held: list[str], ranks: NDArray[np.int64], join: Join) -> Levels:
        levels = []
        size = 1
        for fanout in self.groups or ():
            size = min(size * fanout, len(self.values))
            levels.append(self._level(ranks, size, join))
        return assemble("order", held, lambda code, style: held[code], levels, ANYTHING, len(self.values))

    def _level(self, ranks: NDArray[np.int64], size: int, join: Join) -> Level:
        n_values = len(self.values)
        blocks, groups = np.unique(ranks // size, return_inverse=True)
        leaves = np.minimum((blocks + 1) * size, n_values) - blocks * size

        def spell(group: int, style: Style) -> str:
            first = int(blocks[group]) * size
            return join(first, min(first + size, n_values) - 1)

        return Level(groups, leaf_share(leaves, n_values), leaves, spell)
