"""The rules of generalisation as users write them, turned into objects."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import polars as pl

from celosia.base.errors import FormatError, OptionError, nearest
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.dates import Dates
from celosia.data.hierarchies.domains import ANYTHING
from celosia.data.hierarchies.intervals import Intervals
from celosia.data.hierarchies.options import check_choice, check_number, given
from celosia.data.hierarchies.order import Order
from celosia.data.hierarchies.prefix import Prefix
from celosia.data.hierarchies.text import clean_label
from celosia.data.hierarchies.tree import Tree
from celosia.data.io import read
from celosia.data.schema.columns import as_text, cleaned
from celosia.masks.coarsening.multiples import Multiples

KINDS: Mapping[str, type[Intervals] | type[Prefix] | type[Dates] | type[Order] | type[Tree]] = {
    "intervals": Intervals,
    "prefix": Prefix,
    "dates": Dates,
    "order": Order,
    "tree": Tree,
}
"""The hierarchies that have levels, by their names in plan files."""


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
