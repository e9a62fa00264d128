"""Missing values in both readings: as a value of their own, and as a wildcard that matches everything."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import InputError
from celosia.base.fields import Result
from celosia.base.progress import Progress, Quiet, watch
from celosia.data.hierarchies.domains import ANYTHING
from celosia.data.outcome import TableOutcome
from celosia.data.schema import Table
from celosia.measure.risk.base import ClassCounts, class_counts, exact_probability, figures_of
from celosia.measure.risk.prosecutor import ProsecutorRisk, prosecutor


@dataclass(frozen=True)
class WildcardRisk(Result):
    """The risk 1 / matches of rows, where a missing cell matches every value.

    Attributes
    ----------
    max, mean, share_at_risk
        As the prosecutor's, with the people whose rows a row matches (its own included) in the place of its class.
    smallest
        The fewest people that a row matches.
    """

    max: float
    mean: float
    share_at_risk: float
    smallest: int


@dataclass(frozen=True)
class MatchRisk(Result):
    """The prosecutor's risk under both readings of missing values.

    Attributes
    ----------
    own
        Missing is a value of its own: the reading that guarantees rest on.
    wildcard
        Missing matches everything. It is optimistic, and no guarantee may rest on it. ``None`` for an empty table.
    n_rows_with_missing
        How many rows have a missing quasi-identifier.
    counts
        How many people each row matches, its own included; 0 where it is suppressed. Never in ``to_dict``.
    """

    own: ProsecutorRisk
    wildcard: WildcardRisk | None
    n_rows_with_missing: int
    counts: NDArray[np.int64] = field(repr=False, compare=False)


def matches(
    table_or_release: Any, threshold: float | str | Fraction = "0.2", *, progress: Progress | None = None
) -> MatchRisk:
    """Return the risk of rows with missing quasi-identifiers in both readings.

    As a wildcard, a missing cell agrees with every value: a row matches all rows that agree with it in every column
    where both are known. With m people behind them, its own included, its risk is 1 / m. Matching is not transitive (a
    missing cell matches 40 and 44, which do not match each other), so that there are no classes. A row matches at least
    the rows of its class: this reading is never above the own one, and optimistic. It is only shown beside it, and no
    guarantee may rest on it.

    Parameters
    ----------
    table_or_release
        A table, or a release, whose cells of nothing but ``*`` count as missing.
    threshold
        Above which (strictly) a row is at risk; in (0, 1].
    progress
        Shown how far it is: many missing cells in a million rows take seconds.

    Raises
    ------
    OptionError
        The threshold is no probability.
    InputError
        There is neither a table nor a release.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> frame = pl.DataFrame({"age": [40, 44, None], "sex": ["f", "f", "f"]})
    >>> found = matches(cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number", "sex": "category"})))
    >>> found.own.max, found.wildcard.max, found.counts.tolist()
    (1.0, 0.5, [2, 2, 3])
    """
    limit = exact_probability(threshold)
    own = prosecutor(table_or_release, limit)
    table, codes = _codes(table_or_release)
    counts = class_counts(table_or_release)
    published = counts.labels >= 0
    missing = np.zeros(len(published), dtype=np.bool_)
    for column in codes:
        missing |= column < 0
    n_missing = int((missing & published).sum())
    found = _n_matches(codes, published, table, progress or Quiet()) if n_missing else _n_alike(counts)
    risk = figures_of(np.ones(counts.n_rows, dtype=np.int64), found[published], limit)
    wildcard = None
    if risk is not None:
        wildcard = WildcardRisk(float(risk.max), float(risk.mean), float(risk.share_at_risk), risk.max.denominator)
    return MatchRisk(own, wildcard, n_missing, found)


def _codes(source: Any) -> tuple[Table, list[NDArray[np.int32]]]:
    """Return a code per row and column, below 0 where it is missing."""
    if isinstance(source, Table):
        return source, [_known(column.codes) for column in source.quasi_identifiers]
    if not isinstance(source, TableOutcome):
        raise InputError("both readings of missing values need a Table or a Release.", hint="classes have no cells.")
    recoding = source.recoding
    columns = []
    for cells in recoding.cells:
        is_open = np.array([not (text or "").strip(ANYTHING) for text in cells.texts[0]], dtype=np.bool_)
        of_class = np.where(is_open[cells.of_class], -1, cells.of_class)
        columns.append(np.append(of_class, -1)[recoding.searched.labels].astype(np.int32))
    return source.table, columns


def _known(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return codes from 0 for values that the hierarchy does not know: they are no missing ones."""
    return np.where(codes < -1, codes.max(initial=0) - 1 - codes, codes).astype(np.int32, copy=False)


def _n_alike(counts: ClassCounts) -> NDArray[np.int64]:
    """Return the people of each row's class: where nothing is missing, both readings are one."""
    return np.append(counts.people, 0)[counts.labels]


def _n_matches(
    codes: list[NDArray[np.int32]], published: NDArray[np.bool_], table: Table, shown: Progress
) -> NDArray[np.int64]:
    rows = np.flatnonzero(published)
    columns = [np.ascontiguousarray(own[rows]) for own in codes]
    subjects = None
    if table.subjects is not None and table.n_units < table.n_rows:
        subjects = np.ascontiguousarray(table.subjects[rows], dtype=np.int32)
    found = np.zeros(len(published), dtype=np.int64)
    pulse = kernels.Pulse()
    shown.stage("matching rows")
    found[rows] = watch(pulse, shown, lambda: kernels.match_counts(columns, len(rows), pulse, subjects=subjects))
    return found
