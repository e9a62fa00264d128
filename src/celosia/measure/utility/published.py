"""Loss read off published cells: what a written file lost, whoever wrote it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import HierarchyError, InputError
from celosia.data.hierarchies.domains import Bag, Levels, Line, Style
from celosia.data.hierarchies.ranges import parse_range
from celosia.data.schema import QuasiIdentifier

Reader = Callable[[str], float | None]


def published_losses(column: QuasiIdentifier, cells: pl.Series, decimal: str = ".") -> NDArray[np.float64]:
    """Return the NCP (paper's form) of every published cell of a column.

    Parameters
    ----------
    column
        The original column: its range, values or hierarchy are what losses are measured against.
    cells
        The published cells as text.
    decimal
        The decimal mark of the published numbers.

    Raises
    ------
    InputError
        Cells that say nothing about this column; the message gives count and first row.

    Examples
    --------
    >>> from celosia.data.schema import Schema, Table
    >>> table = Table(pl.DataFrame({"age": [30, 40, 50]}), Schema(quasi_identifiers={"age": "number"}))
    >>> published_losses(table.quasi_identifiers[0], pl.Series(["[30, 40]", "50", "*"])).tolist()
    [0.5, 0.0, 1.0]
    """
    reader = _reader(column, decimal)
    distinct = cells.unique()
    losses = {cell: _loss(cell, reader) for cell in distinct}
    unread = cells.is_in([cell for cell, loss in losses.items() if loss is None and cell is not None])
    if unread.any():
        raise InputError(
            f"{int(unread.sum())} published cells of '{column.name}' cannot be read against the plan's schema "
            f"(first in data row {int(unread.arg_max() or 0) + 1}).",
            hint="is this the plan the file was made with, and the right decimal mark?",
        )
    return np.array([losses[cell] for cell in cells], dtype=np.float64)


def _loss(cell: str | None, reader: Reader) -> float | None:
    if cell is None:
        return 0.0
    return 1.0 if not cell.strip("* ") else reader(cell)


def _reader(column: QuasiIdentifier, decimal: str) -> Reader:
    domain = column.domain
    if isinstance(domain, Bag):
        place = {value: position for position, value in enumerate(domain.values)}
        return lambda cell: _set_loss(cell.split(domain.separator), place)
    if isinstance(domain, Levels):
        return _levels_reader(domain, decimal)
    if domain.kind == "number":
        return lambda cell: _range_loss(cell, domain.values, decimal)
    return lambda cell: _run_loss(cell, domain)


def _set_loss(values: list[str], place: dict[str, int]) -> float | None:
    if any(value not in place for value in values):
        return None
    return (len(set(values)) - 1) / max(len(place) - 1, 1)


def _run_loss(cell: str, domain: Line) -> float | None:
    """Return the loss of a run of ordered values: the ends are the known values in it."""
    run = cell.split(domain.separator)
    known = [domain.positions[position] for position, value in enumerate(domain.values) if value in run]
    return max(known) - min(known) if known else None


def _range_loss(cell: str, values: object, decimal: str) -> float | None:
    """Return the width of a range cut to the data's range, as a share of it."""
    numbers = np.asarray(values)
    text = cell if decimal == "." else cell.replace(";", "\0").replace(",", ".").replace("\0", ",")
    try:
        found = parse_range(text)
    except HierarchyError:
        return None
    lowest, highest = Fraction(numbers[0].item()), Fraction(numbers[-1].item())
    if lowest == highest:
        return 0.0
    low = lowest if found.low is None else max(found.low, lowest)
    high = highest if found.high is None else min(found.high, highest)
    return float(max(high - low, Fraction(0)) / (highest - lowest))


def _levels_reader(domain: Levels, decimal: str) -> Reader:
    style = Style(decimal="," if decimal == "," else ".")
    share: dict[str, float] = {}
    for level in domain.nodes:
        for node in np.unique(level):
            text = domain.spell(int(node), style)
            share[text] = max(share.get(text, 0.0), float(domain.share[node]))
    if domain.kind != "intervals":
        return share.get
    return lambda cell: share[cell] if cell in share else _range_loss(cell, domain.values, decimal)
