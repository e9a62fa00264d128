"""Generalisation by rule: each value becomes the range, period, prefix, group or grid cell that holds it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl

from celosia.base.errors import FormatError, OptionError, nearest
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.category import Category
from celosia.data.hierarchies.dates import Dates, Period
from celosia.data.hierarchies.domains import ANYTHING, Levels, Style
from celosia.data.hierarchies.intervals import Intervals
from celosia.data.hierarchies.options import OnMissing, check_choice, check_count, check_number, given
from celosia.data.hierarchies.order import Order
from celosia.data.hierarchies.prefix import Prefix
from celosia.data.hierarchies.text import clean_label
from celosia.data.hierarchies.tree import Tree
from celosia.data.io import read
from celosia.data.masked import Change
from celosia.data.schema.columns import as_text, cleaned
from celosia.masks.base import Leaves, Sheet
from celosia.masks.coarsening.labels import (
    Labelled,
    Spread,
    coarseness,
    label_mapped,
    label_numbers,
    label_prefixes,
    label_values,
    number_counts,
)
from celosia.masks.coarsening.multiples import Multiples, in_blocks
from celosia.masks.decimals import in_rows
from celosia.masks.options import OnEachColumn

KINDS: Mapping[str, type[Intervals] | type[Prefix] | type[Dates] | type[Order] | type[Tree]] = {
    "intervals": Intervals,
    "prefix": Prefix,
    "dates": Dates,
    "order": Order,
    "tree": Tree,
}
"""The hierarchies that have levels, by their names in plan files."""


_RULES = ("ranges", *KINDS, "hierarchy", "grid", "mapping")


def _read_tree(held: Any) -> Tree:
    return Tree.read_csv(held) if isinstance(held, str | PathLike) else Tree(held)


_SHORT: Mapping[str, tuple[tuple[type, ...], Callable[[Any], Hierarchy]]] = {
    "intervals": ((int, float), lambda width: Intervals(width=width)),
    "prefix": ((int,), lambda n_kept: Prefix(keep=[n_kept])),
    "dates": ((str,), lambda period: Dates(levels=[period])),
    "tree": ((str, PathLike, list, tuple), _read_tree),
}
"""What may stand for the options of a kind, and what it means."""


@dataclass(frozen=True)
class Grid:
    """Cells of equal size that begin at multiples of it.

    Parameters
    ----------
    size
        Above 0.
    publish
        ``interval`` or ``centre``; in plan files the option is called ``as``.

    Examples
    --------
    >>> Grid(0.1).to_dict()
    {'size': 0.1}
    """

    size: float
    publish: Literal["interval", "centre"] = "interval"

    def __post_init__(self) -> None:
        check_number("generalise: size of grid", self.size, positive=True)
        check_choice("generalise: as of grid", self.publish, ["interval", "centre"])
        Multiples("generalise: size of grid", self.size)

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file."""
        return given({"size": self.size, "as": self.publish}, {"as": "interval"})


def grid_of(held: Any) -> Grid:
    """Return the grid that a size or a mapping of options stands for.

    Raises
    ------
    OptionError
        An option is unknown, missing or not allowed.

    Examples
    --------
    >>> grid_of(0.5), grid_of({"size": 0.5, "as": "centre"}).publish
    (Grid(size=0.5, publish='interval'), 'centre')
    """
    if isinstance(held, Grid):
        return held
    if not isinstance(held, Mapping):
        return Grid(held)
    options = _options("generalise: grid", held, ["size", "as"], ["size"])
    return Grid(options["size"], options.get("as", "interval"))


def kind_of(option: str, held: Any) -> Hierarchy:
    """Return the hierarchy that an object, a mapping of its options or a short form stands for.

    Raises
    ------
    OptionError
        An option is unknown, missing or not allowed.
    HierarchyError, FormatError
        As the kind itself raises them.

    Examples
    --------
    >>> kind_of("prefix", {"keep": [3]}) == kind_of("prefix", 3)
    True
    """
    kind = KINDS[option]
    if isinstance(held, kind):
        return held
    if isinstance(held, Mapping):
        parameters = {name: one for name, one in inspect.signature(kind).parameters.items() if name != "source"}
        needed = [name for name, parameter in parameters.items() if parameter.default is parameter.empty]
        return kind(**_options(f"generalise: {option}", held, list(parameters), needed))
    types, made = _SHORT.get(option, ((), kind))
    if isinstance(held, bool) or not isinstance(held, types):
        raise OptionError(
            f"generalise: {option} is of type {type(held).__name__}; it must be a mapping of options.",
            hint=f"write {option}: {{option: value}}.",
            about=option,
        )
    return made(held)


def pairs_of(held: Any) -> tuple[tuple[str, str], ...]:
    """Return the pairs of old and new values of a mapping or of a file with two columns, in order of the old ones.

    Raises
    ------
    OptionError, InputError
        The table is empty or of another form, or gives one old value two new ones.

    Examples
    --------
    >>> pairs_of({"Vigo": "Pontevedra", 36201: "Pontevedra"})
    (('36201', 'Pontevedra'), ('Vigo', 'Pontevedra'))
    """
    if isinstance(held, str | PathLike):
        entries: Sequence[tuple[Any, Any]] = _read_pairs(Path(held))
    elif isinstance(held, Mapping):
        entries = list(held.items())
    else:
        entries = list(held) if _is_paired(held) else []
    pairs = {(clean_label(old, "generalise: mapping"), clean_label(new, "generalise: mapping")) for old, new in entries}
    n_twice = len(pairs) - len({old for old, _ in pairs})
    if not pairs or n_twice or any("" in pair or pair[1] == ANYTHING for pair in pairs):
        empty = f"is empty, or holds an empty text or '{ANYTHING}' as a new value"
        what = f"gives {n_twice} old values a second new one" if n_twice else empty
        raise OptionError(
            f"generalise: the mapping table {what}.",
            hint="write mapping: {old: new, ...}, or the path of a file with a header and two columns.",
            about="mapping",
        )
    return tuple(sorted(pairs))


def _is_paired(held: Any) -> bool:
    return isinstance(held, list | tuple) and all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in held)


def _read_pairs(path: Path) -> list[tuple[str, str]]:
    frame = read(path).frame
    if frame.width != 2:
        raise FormatError(
            f"{path.name} has {frame.width} columns; a mapping table has two, old and new values.",
            hint="a header line, then one line per old value.",
            about="mapping",
        )
    frame = pl.DataFrame([cleaned(as_text(column))[0] for column in frame.get_columns()])
    n_empty = frame.select(pl.any_horizontal(pl.all().is_null()).sum()).item()
    if n_empty:
        raise FormatError(f"{path.name}: {n_empty} lines lack the old or the new value.", about="mapping")
    return frame.rows()


def _options(owner: str, held: Mapping[Any, Any], allowed: Sequence[str], needed: Sequence[str]) -> dict[str, Any]:
    for option in held:
        if option not in allowed:
            raise OptionError(f"{owner} has no option '{option}'.", hint=nearest(str(option), allowed))
    for option in needed:
        if option not in held:
            raise OptionError(f"{owner} needs the option '{option}'.", hint=f"options: {', '.join(allowed)}.")
    return dict(held)


@dataclass(frozen=True)
class Generalise(OnEachColumn):
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
        super().__post_init__()
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

    def _masked(self, sheet: Sheet, column: str) -> Sheet:
        if isinstance(self.grid, Grid) and self.grid.publish == "centre":
            return self._centred(sheet, column)
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
        sheet = sheet.with_numbers(in_rows(pl.Series(column, centres), numbers), Change(column, "perturbed"))
        return sheet.noting(*coarseness(sheet, column, before, after))


def _unknown(column: str, count: int) -> list[Finding]:
    template = Said("{count} cells of '{column}' hold values that the rule does not know; they were emptied.")
    return [Finding("GENERALISE_UNKNOWN", "note", template, column, {"count": count})] if count else []
