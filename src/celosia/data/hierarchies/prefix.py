"""Codes that get coarser from the right, such as postcodes: 37003, 3700*, 370**, 37***, 3****."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from celosia.base.errors import HierarchyError, OptionError
from celosia.base.fields import Options
from celosia.data.hierarchies.base import ValueType
from celosia.data.hierarchies.domains import ANYTHING, Level, Levels, Style, assemble, leaf_share, number_groups
from celosia.data.hierarchies.options import check_count, check_list


@dataclass(frozen=True)
class Prefix(Options):
    """Codes of which the first characters are kept: loss = (values under the node - 1) / (values of the column - 1).

    Shorter values are filled up with ``*`` to the length of the longest.

    Parameters
    ----------
    keep
        How many characters each level keeps, descending. The full length means the value itself; that nothing is kept
        is always the last level.
    length
        The length that every value must have; without it the longest value gives the length.

    Raises
    ------
    OptionError
        If an option is not allowed.

    Examples
    --------
    >>> from celosia.data.hierarchies.domains import ancestors_of
    >>> ancestors_of(Prefix(keep=[4, 3, 2, 1]).fit(["37003"], "zipcode"))
    {'37003': ['3700*', '370**', '37***', '3****', '*****']}
    """

    name: ClassVar[str] = "prefix"
    value_type: ClassVar[ValueType] = "text"

    keep: Sequence[int]
    length: int | None = None

    def __post_init__(self) -> None:
        keep = check_list("prefix: keep", self.keep)
        for count in keep:
            check_count("prefix: each entry of keep", count, least=1)
        if any(later >= earlier for earlier, later in pairwise(keep)):
            raise OptionError(
                f"prefix: keep is {list(keep)}; each entry must be smaller than the one before.",
                hint=f"write {sorted(set(keep), reverse=True)}.",
            )
        if self.length is not None:
            check_count("prefix: length", self.length, least=1)
        object.__setattr__(self, "keep", tuple(keep))

    def fit(self, values: Sequence[str], column: str) -> Levels:
        """Return the levels of these values.

        Raises
        ------
        HierarchyError
            If a value holds ``*``, or differs from ``length``.
        """
        self._check_values(values, column)
        values = sorted(values)
        length = max(map(len, values), default=0)
        levels = [self._level(values, n_kept, length) for n_kept in self.keep if n_kept < length]
        root = ANYTHING * max(length, 1)
        return assemble("prefix", values, lambda code, style: values[code], levels, root, len(values))

    def _check_values(self, values: Sequence[str], column: str) -> None:
        n_marked = sum(ANYTHING in value for value in values)
        if n_marked:
            raise HierarchyError(
                f"{n_marked} distinct values of {column!r} hold '{ANYTHING}', which stands for a hidden character.",
                hint="are these data masked already? Declare such values as missing in the schema, or use category.",
            )
        n_other = sum(len(value) != self.length for value in values) if self.length is not None else 0
        if n_other:
            raise HierarchyError(
                f"{n_other} distinct values of {column!r} are not {self.length} characters long.",
                hint="correct them, or leave length out: shorter values are then filled up.",
            )

    def _level(self, values: Sequence[str], n_kept: int, length: int) -> Level:
        groups = number_groups([value[:n_kept] for value in values])
        leaves = np.bincount(groups)
        starts = np.flatnonzero(np.diff(groups, prepend=-1)).tolist()

        def spell(group: int, style: Style) -> str:
            return values[starts[group]][:n_kept].ljust(length, ANYTHING)

        return Level(groups, leaf_share(leaves, len(values)), leaves, spell)
