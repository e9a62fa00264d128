"""GCP: the global certainty penalty, the weighted mean of NCP over all cells of the quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.data.outcome import TableOutcome
from celosia.data.recode import Recoding
from celosia.data.schema import Table
from celosia.measure.utility.ncp import Variant, cell_losses
from celosia.measure.utility.released import recoding_of


@dataclass(frozen=True)
class Loss:
    """The loss of a release.

    Attributes
    ----------
    gcp
        Over the original rows; a suppressed row is lost whole.
    gcp_published
        Over the published rows alone (``None`` when there is none): deleting rows "improves" it.
    columns
        Mean NCP per quasi-identifier, over the original rows.
    """

    gcp: float
    gcp_published: float | None
    columns: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dict."""
        return {"gcp": self.gcp, "gcp_published": self.gcp_published, "columns": dict(self.columns)}


def ncp(table: Table, released: Any, variant: Variant = "paper") -> NDArray[np.float64]:
    """Return the NCP of every original row, summed over the quasi-identifiers with their weights.

    A suppressed row costs the sum of the weights (d without weights).

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"mark": [5, 8, 10]}), Schema(quasi_identifiers={"mark": "number"}))
    >>> ncp(table, [0, 0, -1]).tolist()
    [0.6, 0.6, 1.0]
    """
    recoding, rows = _recoded_rows(table, released)
    total = np.full(table.n_rows, sum(cells.column.weight for cells in recoding.cells))
    total[rows] = 0.0
    for cells in recoding.cells:
        total[rows] += cells.column.weight * _rows(recoding, cell_losses(cells, variant)[cells.of_class])
    return total


def loss(table: Table, released: Any, variant: Variant = "paper") -> Loss:
    """Return GCP in both readings, and the mean loss per column.

    Parameters
    ----------
    released
        A release, a recoding, classes, or labels per row.
    variant
        ``paper``, ``xu`` or ``arx``: see ``celosia.utility.ncp``.
    """
    recoding, rows = _recoded_rows(table, released)
    weights = np.array([cells.column.weight for cells in recoding.cells])
    n_published = recoding.searched.n_published
    n_suppressed = recoding.searched.n_suppressed + table.n_rows - len(rows)
    means, published = [], []
    for cells in recoding.cells:
        losses = cell_losses(cells, variant)
        counts = np.bincount(cells.of_class, weights=recoding.searched.sizes, minlength=len(losses))
        spent = float(losses @ counts)
        published.append(spent)
        means.append((spent + n_suppressed) / table.n_rows if table.n_rows else 0.0)
    share = weights / weights.sum() if len(weights) else weights
    return Loss(
        gcp=float(share @ np.array(means)) if len(means) else 0.0,
        gcp_published=float(share @ np.array(published)) / n_published if n_published and len(published) else None,
        columns={cells.column.name: mean for cells, mean in zip(recoding.cells, means, strict=True)},
    )


def gcp(table: Table, released: Any, variant: Variant = "paper") -> float:
    """Return the global certainty penalty: the mean NCP over rows and quasi-identifiers, in [0, 1].

    GCP = sum over rows and columns of w * NCP / (n * sum of w). A suppressed row is lost whole.

    Parameters
    ----------
    released
        A release, classes, or labels per row (-1 = suppressed).
    variant
        ``paper``, ``xu`` or ``arx``: see ``celosia.utility.ncp``.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"mark": [5, 8, 10]}), Schema(quasi_identifiers={"mark": "number"}))
    >>> gcp(table, [0, 0, 1])
    0.39999999999999997
    """
    return loss(table, released, variant).gcp


def _recoded_rows(table: Table, released: Any) -> tuple[Recoding, NDArray[np.intp]]:
    """Return the recoding, and the rows of the table that it is of: all, or those that masks left of it."""
    if isinstance(released, TableOutcome) and released.masked.n_dropped and table.n_rows == released.given.n_rows:
        return released.recoding, released.masked.rows
    return recoding_of(table, released), np.arange(table.n_rows)


def _rows(recoding: Recoding, per_class: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spread a loss per class over the original rows; a suppressed row loses all (1)."""
    return np.append(per_class, 1.0)[recoding.searched.labels]
