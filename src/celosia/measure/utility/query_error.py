"""Query error: how wrong counts come out when the release is asked instead of the original."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import OptionError
from celosia.base.fields import Result
from celosia.base.numbers import checked_whole
from celosia.data.classes import group
from celosia.data.schema import Table
from celosia.measure.utility.covers import Cover, covers_of
from celosia.measure.utility.released import recoding_of

_LEAST_SHARE = 0.001
"""A count below this share of the rows is charged as if it were so much: nobody asks for it to the last row."""


@dataclass(frozen=True)
class QueryError(Result):
    """The relative errors of counting queries.

    Attributes
    ----------
    median, lower_quartile, upper_quartile, mean
        Of the errors; ``None`` for a table without rows or without values to ask for.
    n_queries, dimension, selectivity, seed
        How many queries there were, over how many columns each, which share of the rows they aim at, and by which seed
        they come again.
    """

    median: float | None
    lower_quartile: float | None
    upper_quartile: float | None
    mean: float | None
    n_queries: int
    dimension: int
    selectivity: float
    seed: int


def query_error(
    table: Table,
    released: Any,
    n_queries: int = 1000,
    dimensions: int = 2,
    selectivity: float = 0.1,
    seed: int | None = None,
) -> QueryError:
    """Return the errors of random counting queries: |estimate - actual| / max(actual, s), s = max(1, 0.001 n).

    A query asks how many rows lie in a range of each of some columns drawn at random (of categories and trees: in a set
    of values). The range or set has no more values than it takes to hold selectivity^(1 / dimensions) of the column's
    rows, so that a query would select about ``selectivity`` of all rows were columns independent. The estimate spreads
    every published row evenly over the values that the data hold under its cells, and counts the part inside the query.
    A suppressed row adds nothing to it. Queries that no row answers count like all others. Missing values are never
    asked for.

    Parameters
    ----------
    released
        A release, a recoding, classes, or labels per row (-1 = suppressed).
    n_queries
        From 1; from 1000 for figures to publish.
    dimensions
        Columns in a query, from 1. Where the table has fewer with a known value, queries take all of them, and the
        result says so.
    selectivity
        In (0, 1].
    seed
        A whole number from 0; drawn, and told in the result, where it is not given.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        The release does not have as many rows as the table.

    References
    ----------
    Xiao, X. & Tao, Y. (2006). Anatomy: simple and effective privacy preservation; LeFevre, K., DeWitt, D. J. &
    Ramakrishnan, R. (2008). Workload-aware anonymization techniques for large-scale datasets.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"age": [20, 30, 40, 50]}), Schema(quasi_identifiers={"age": "number"}))
    >>> query_error(table, [0, 1, 2, 3], seed=1).mean  # untouched
    0.0
    >>> query_error(table, [-1, -1, -1, -1], seed=1).median  # nothing is left to count
    1.0
    """
    _check(n_queries, dimensions, selectivity)
    seed = Randomness().below(2**32) if seed is None else seed
    random = _generator(seed)
    asked = [cover for cover in covers_of(recoding_of(table, released)) if (cover.slots < cover.n_values).any()]
    dimension = min(dimensions, len(asked))
    if not dimension:
        return QueryError(None, None, None, None, n_queries, dimension, selectivity, seed)
    counted = _Counted.of(asked)
    least = max(1.0, _LEAST_SHARE * table.n_rows)
    errors = np.zeros(n_queries)
    for query in range(n_queries):
        chosen = np.sort(random.permutation(len(asked))[:dimension])
        wanted = {place: counted.draw(place, selectivity ** (1 / dimension), random) for place in chosen.tolist()}
        actual, estimate = counted.actual(wanted), counted.estimate(wanted)
        errors[query] = abs(estimate - actual) / max(actual, least)
    lower, median, upper = np.quantile(errors, [0.25, 0.5, 0.75]).tolist()
    return QueryError(median, lower, upper, float(errors.mean()), n_queries, dimension, selectivity, seed)


@dataclass(frozen=True, eq=False)
class _Counted:
    """A table and its release as queries see them: the distinct published rows, and all original ones."""

    covers: list[Cover]
    n_held: list[NDArray[np.int64]]
    sizes: list[NDArray[np.float64]]
    cells: list[NDArray[np.int64]]
    n_rows: NDArray[np.float64]

    @classmethod
    def of(cls, covers: list[Cover]) -> _Counted:
        """Prepare the columns that can be asked for; ``*`` of a suppressed row is always the last cell."""
        published = np.all([cover.of_row < len(cover.sizes) - 1 for cover in covers], axis=0)
        rows = [cover.of_row[published] for cover in covers]
        _, first, count = np.unique(group(rows), return_index=True, return_counts=True)
        return cls(
            covers,
            [np.bincount(cover.slots, minlength=cover.n_slots)[: cover.n_values] for cover in covers],
            [cover.sizes for cover in covers],
            [own[first] for own in rows],
            count.astype(np.float64),
        )

    def draw(self, place: int, share: float, random: np.random.Generator) -> NDArray[np.bool_]:
        """Draw the values that a query asks for in one column, per slot: as few as hold a share of its rows."""
        cover, n_rows = self.covers[place], self.n_held[place]
        n_wanted = max(1, round(share * int(n_rows.sum())))
        wanted = np.zeros(cover.n_slots, dtype=np.bool_)
        if cover.column.domain.kind in ("category", "tree"):
            values = random.permutation(cover.n_values)
            last = int(np.searchsorted(np.cumsum(n_rows[values]), n_wanted))
            wanted[values[: last + 1]] = True
            return wanted
        until = np.cumsum(n_rows)
        before = until - n_rows
        # A run that begins too near to the end to hold enough ends there, and begins earlier.
        first = min(
            int(random.integers(cover.n_values)), int(np.searchsorted(before, until[-1] - n_wanted, "right")) - 1
        )
        last = int(np.searchsorted(until, before[first] + n_wanted))
        wanted[first : last + 1] = True
        return wanted

    def actual(self, wanted: dict[int, NDArray[np.bool_]]) -> int:
        """Count the original rows that answer a query."""
        hits = [own[self.covers[place].slots] for place, own in wanted.items()]
        return int(np.logical_and.reduce(hits).sum())

    def estimate(self, wanted: dict[int, NDArray[np.bool_]]) -> float:
        """Count the published rows that do, each by the part of it inside the query."""
        part = self.n_rows.copy()
        for place, own in wanted.items():
            inside = self.covers[place].under(own.astype(np.float64)) / self.sizes[place]
            part *= inside[self.cells[place]]
        return float(part.sum())


def _generator(seed: int) -> np.random.Generator:
    Randomness(seed)  # refuses what is no seed
    return np.random.Generator(np.random.PCG64(seed))


def _check(n_queries: int, dimensions: int, selectivity: float) -> None:
    checked_whole("n_queries", n_queries, 1)
    checked_whole("dimensions", dimensions, 1)
    if isinstance(selectivity, bool) or not isinstance(selectivity, int | float) or not 0 < selectivity <= 1:
        raise OptionError("selectivity must be a share of the rows in (0, 1].", about="selectivity")
