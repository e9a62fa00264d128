"""Precision: how far up their hierarchies cells were published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.fields import Result
from celosia.data.hierarchies.domains import Levels, Style
from celosia.data.recode import Cells
from celosia.data.schema import Table
from celosia.measure.utility.released import recoding_of


@dataclass(frozen=True)
class Precision(Result):
    """The precision of a release.

    Attributes
    ----------
    precision
        In [0, 1], 1 for untouched data; ``None`` where no column has levels, or the table has no rows.
    columns
        The same for each column that has levels.
    skipped
        The quasi-identifiers that have none: ranges of numbers and sets of values are on no level, unless a search that
        recodes whole columns made levels for them.
    """

    precision: float | None
    columns: dict[str, float]
    skipped: tuple[str, ...]


def precision(table: Table, released: Any) -> Precision:
    """Return 1 - Σ level / height over the cells of all columns that have levels, divided by their number.

    Prec = 1 - (1 / (n d)) Σ level_ij / height_j over the n original rows. A value itself is on level 0, a missing value
    published as missing too; ``*`` and the cells of a suppressed row are on the top level. A label that stands on
    several levels counts as the lowest of them. Columns have no weights here.

    Parameters
    ----------
    released
        A release, a recoding, classes, or labels per row (-1 = suppressed).

    Raises
    ------
    InputError
        It does not have as many rows as the table.

    References
    ----------
    Sweeney, L. (2002). Achieving k-anonymity privacy protection using generalization and suppression.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.hierarchies import Prefix
    >>> from celosia.data.schema import Schema
    >>> codes = pl.DataFrame({"zipcode": ["37003", "37008", "28108", "28108"]})
    >>> table = Table(codes, Schema(quasi_identifiers={"zipcode": Prefix(keep=[2])}))
    >>> precision(table, [0, 0, 1, 1]).precision  # two cells on level 1 of 2
    0.75
    """
    recoding = recoding_of(table, released)
    columns: dict[str, float] = {}
    skipped = []
    for cells in recoding.cells:
        found = _heights(cells) if table.n_rows else None
        if found is None:
            skipped.append(cells.column.name)
        else:
            columns[cells.column.name] = 1 - float(np.append(found, 1.0)[recoding.searched.labels].mean())
    return Precision(sum(columns.values()) / len(columns) if columns else None, columns, tuple(skipped))


def _heights(cells: Cells) -> NDArray[np.float64] | None:
    """Return level / height of every class; nothing where the column has no levels."""
    extents, domain = cells.extents, cells.column.domain
    plain = extents.plain
    if isinstance(domain, Levels):
        assert extents.node is not None
        own = np.zeros(len(plain), dtype=np.int64)
        top, own[plain] = domain.n_levels - 1, _levels_of_nodes(domain)[extents.node[plain]]
    elif extents.level is not None:
        top, own = extents.n_levels - 1, extents.level.astype(np.int64)
    else:
        return None
    level = np.where(plain, own, np.where(extents.missing, 0, top))
    return level / top if top else None


def _levels_of_nodes(domain: Levels) -> NDArray[np.int64]:
    """Return the lowest level on which each node's label stands."""
    lowest: dict[str, int] = {}
    found = np.zeros(len(domain.share), dtype=np.int64)
    for level, row in enumerate(domain.nodes):
        for node in np.unique(row).tolist():
            found[node] = lowest.setdefault(domain.spell(node, Style()), level)
    return found
