"""Generalisation by rule: each value becomes the range, period, prefix, group or grid cell that holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

import numpy as np
import polars as pl

from celosia.base.errors import OptionError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.category import Category
from celosia.data.hierarchies.dates import Dates, Period
from celosia.data.hierarchies.domains import Levels, Style
from celosia.data.hierarchies.intervals import Intervals
from celosia.data.hierarchies.options import OnMissing, check_choice, check_count, given
from celosia.data.hierarchies.order import Order
from celosia.data.hierarchies.prefix import Prefix
from celosia.data.hierarchies.tree import Tree
from celosia.data.masked import Change
from celosia.masks.base import Leaves, Sheet, Technique
from celosia.masks.coarsening.coarseness import Spread, coarseness, number_counts
from celosia.masks.coarsening.labels import Labelled, label_mapped, label_numbers, label_prefixes, label_values
from celosia.masks.coarsening.multiples import Multiples, in_blocks
from celosia.masks.coarsening.rules import KINDS, Grid, grid_of, kind_of, pairs_of
from celosia.masks.options import named_columns

_RULES = ("ranges", *KINDS, "hierarchy", "grid", "mapping")


@dataclass(frozen=True)
class Generalise(Technique):
    """Replace each value by the coarser one that a rule puts in its place; every published value is true.

    Parameters
    ----------
    column, columns
        The column, or several, each generalised alone by the same rule; one of the two. Missing cells stay missing.
    ranges
        Ranges of numbers such as ``["<6", "6-7", ">7"]``, published as they are spelt, or nested lists of them, finest
        first. Overlaps, gaps and a wrong order are refused, and the mended list is offered. Numbers with decimals need
        half-open ranges: ``["<6", "[6, 8)", ">=8"]``.
    intervals, prefix, dates, order, tree
        A hierarchy of that kind, or the mapping of its options. Short forms: ``intervals=10`` is its width,
        ``prefix=2`` how many characters are kept, ``dates="month"`` (``quarter``, ``year``, ``decade``) the period;
        ``tree`` takes rows, or the path of a file in ARX's form. ``order`` needs its ``groups``.
    hierarchy
        Any hierarchy object with levels.
    grid
        For coordinates and other numbers: the size of a cell, or ``{"size": 0.1, "as": "centre"}`` to publish the
        number in its middle rather than ``[40.4, 40.5)``. Cells begin at whole multiples of the size.
    mapping
        A table of old and new values, or the path of a file with a header line and two columns.
    level
        Which level of the hierarchy is published, 1 for the first step up. The last one below 'everything' is the most.
    on_missing
        With ``mapping``: ``error`` refuses values that are not in the table, ``suppress`` empties their cells. Orders
        and trees have the option themselves.

    Guarantee
    ---------
    Each value lies inside what is published for it (the centre of a grid cell excepted, which is declared untrue), and
    whoever sees the column alone cannot tell values of one label apart. It is no promise that a label is held by many
    rows, nor that columns together single nobody out: findings tell where labels are rare, a model demands more.

    Raises
    ------
    OptionError
        Not exactly one rule is given, or an option has a value that is not allowed.
    HierarchyError
        Ranges overlap or leave gaps, or a rule does not fit the values.
    InputError
        Cells are not of the rule's type.

    Examples
    --------
    >>> import polars as pl
    >>> grades = pl.DataFrame({"grade": [8, 9, 9, 10, 11]})
    >>> Generalise(column="grade", ranges=["<6", "6-7", "8-9", "10-11", ">11"]).apply(grades)["grade"].to_list()
    ['8-9', '8-9', '8-9', '10-11', '10-11']
    """

    name: ClassVar[str] = "generalise"
    leaves: ClassVar[Leaves] = Leaves(
        "generalised",
        "A label that few rows hold, or that is rare together with other columns, still singles people out; whoever "
        "has the exact values elsewhere knows which label belongs to whom.",
    )

    column: str | None = None
    columns: Sequence[str] = ()
    ranges: Sequence[str] | Sequence[Sequence[str]] | None = None
    intervals: Intervals | Mapping[str, Any] | float | None = None
    prefix: Prefix | Mapping[str, Any] | int | None = None
    dates: Dates | Mapping[str, Any] | Period | None = None
    order: Order | Mapping[str, Any] | None = None
    tree: Tree | Mapping[str, Any] | Sequence[Sequence[str]] | str | PathLike[str] | None = None
    hierarchy: Hierarchy | None = None
    grid: Grid | Mapping[str, Any] | float | None = None
    mapping: Mapping[str, str] | Sequence[tuple[str, str]] | str | PathLike[str] | None = None
    level: int = 1
    on_missing: OnMissing = "error"

    def __post_init__(self) -> None:
        self._set(columns=named_columns(self.name, self.column, self.columns), column=None)
        named = [rule for rule in _RULES if getattr(self, rule) is not None]
        if len(named) != 1:
            got = " and ".join(named) or "none of them"
            raise OptionError(
                f"generalise: got {got}; exactly one of {', '.join(_RULES)} is allowed.",
                hint="write {generalise: {column: age, intervals: {width: 5}}}.",
            )
        check_count("generalise: level", self.level, least=1)
        check_choice("generalise: on_missing", self.on_missing, ["error", "suppress"])
        if self.on_missing != "error" and self.mapping is None:
            raise OptionError(
                "generalise: on_missing belongs to mapping.",
                hint="give it to the order or the tree.",
                about="on_missing",
            )
        self._normalise(named[0])
        self._check_level()

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it generalises."""
        return tuple(self.columns)

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the columns generalised."""
        for column in self.columns:
            sheet = self._centred(sheet, column) if self._is_centred() else self._labelled(sheet, column)
        return sheet

    def to_dict(self) -> dict[str, Any]:
        """Return the columns, the rule, and the options that differ from their defaults."""
        rule = next(name for name in _RULES if getattr(self, name) is not None)
        held: Any = getattr(self, rule)
        if rule == "mapping":
            held = dict(held)
        elif rule == "hierarchy":
            held = {held.name: held.to_dict()}
        elif rule != "ranges":
            held = held.to_dict()
        options = {"columns": self.columns, rule: held, "level": self.level, "on_missing": self.on_missing}
        return given(options, {"level": 1, "on_missing": "error"})

    def _set(self, **options: Any) -> None:
        for option, value in options.items():
            object.__setattr__(self, option, value)

    def _normalise(self, rule: str) -> None:
        """Store the rule as an object that can be compared and hashed."""
        held = getattr(self, rule)
        if rule == "ranges":
            self._set(ranges=Intervals(ranges=held).ranges)
        elif rule == "grid":
            self._set(grid=grid_of(held))
        elif rule == "mapping":
            self._set(mapping=pairs_of(held))
        elif rule != "hierarchy":
            self._set(**{rule: kind_of(rule, held)})
        elif not isinstance(held, Hierarchy):
            raise OptionError(
                f"generalise: hierarchy is of type {type(held).__name__}; it must be a hierarchy such as Intervals(5).",
                hint=f"name the kind instead: {', '.join(KINDS)}.",
            )
        elif type(held) is KINDS.get(held.name):
            self._set(**{held.name: held, "hierarchy": None})

    def _rule(self) -> Hierarchy:
        if self.ranges is not None:
            return Intervals(ranges=self.ranges)
        if isinstance(self.grid, Grid):
            return Intervals(width=self.grid.size, whole=False)
        rules: list[Hierarchy | None] = [getattr(self, name) for name in (*KINDS, "hierarchy")]
        return next(rule for rule in rules if rule is not None)

    def _check_level(self) -> None:
        """Refuse a level that the rule does not have, where that is known before any value is seen."""
        rule = None if self.mapping is not None else self._rule()
        if rule is None:
            n_levels = 1
        elif isinstance(rule, Prefix):
            n_levels = len(rule.keep)
        elif type(rule) in KINDS.values():
            domain = rule.fit([], "")
            n_levels = domain.n_levels - 2 if isinstance(domain, Levels) else 0
        elif rule.name in ("number", "category"):
            n_levels = 0
        else:
            return
        if self.level > n_levels:
            hint = f"levels run from 1 to {n_levels}; to publish nothing of the column use drop."
            raise OptionError(
                f"generalise: level is {self.level}, but the rule has {n_levels} between the values and everything.",
                hint=hint if n_levels else "give the rule steps: groups of an order, parents in a tree, a width.",
                about="level",
            )

    def _is_centred(self) -> bool:
        return isinstance(self.grid, Grid) and self.grid.publish == "centre"

    def _labelled(self, sheet: Sheet, column: str) -> Sheet:
        made = self._made(sheet, column)
        sheet = sheet.with_column(made.column, Change(column, "coarsened", Category()))
        return sheet.noting(*_unknown(column, made.n_unknown), *coarseness(sheet, column, made.before, made.after))

    def _made(self, sheet: Sheet, column: str) -> Labelled:
        if self.mapping is not None:
            pairs: Any = self.mapping
            return label_mapped(sheet.column(column, self.name), pairs, self.on_missing, sheet.k)
        rule = self._rule()
        style = Style(decimal="," if sheet.decimal == "," else ".")
        if isinstance(rule, Intervals):
            return label_numbers(sheet.numbers(column, self.name), rule, self.level, style, sheet.k)
        if isinstance(rule, Prefix):
            return label_prefixes(sheet.column(column, self.name), rule, self.level, sheet.k)
        return label_values(sheet.column(column, self.name), rule, self.level, style, sheet.k)

    def _centred(self, sheet: Sheet, column: str) -> Sheet:
        assert isinstance(self.grid, Grid)
        numbers = sheet.numbers(column, self.name).cast(pl.Float64)
        values = numbers.drop_nulls().to_numpy()
        cells = Multiples("generalise: grid", self.grid.size)
        centres = in_blocks(lambda block: cells.numbers(block, halves=1), cells.below(values, column), np.float64)
        before, after = (Spread.of(number_counts(array), sheet.k) for array in (values, centres))
        result = pl.Series(column, centres)
        if len(values) < len(numbers):
            places = pl.Series(numbers.is_not_null()).cast(pl.UInt32).cum_sum() - 1
            result = result.gather(places.set(numbers.is_null(), None))
        sheet = sheet.with_numbers(result, Change(column, "perturbed"))
        return sheet.noting(*coarseness(sheet, column, before, after))


def _unknown(column: str, count: int) -> list[Finding]:
    template = Said("{count} cells of '{column}' hold values that the rule does not know; they were emptied.")
    return [Finding("GENERALISE_UNKNOWN", "note", template, column, {"count": count})] if count else []
