"""A lower bound of the loss: a GCP that no k-anonymous release of a table undercuts."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError, UnreachableError
from celosia.base.fields import Result
from celosia.base.numbers import checked_whole, whole_number
from celosia.base.progress import Progress, Quiet, check_time_limit
from celosia.data.hierarchies.domains import Line
from celosia.data.recode import loses_as_grouped
from celosia.data.schema import Table
from celosia.data.schema.fixed_point import WHOLE_LOSS, kernel_columns
from celosia.measure.utility.potentials import Clock, PotentialSearch
from celosia.measure.utility.proving import prove_all
from celosia.measure.utility.sampling import prove_sample
from celosia.models.people import people_word

_CONFIDENCE = 0.95
_NORMAL_QUANTILE = 1.959963984540054
_DEFAULT_SECONDS = 60.0
_MANY_ROWS = 5000
"""A table of more rows is judged by a sample."""
_LEAST_SAMPLE = 30
"""Fewer rows make no confidence interval."""


class LowerBound(float, Result):
    """A lower bound of GCP, a number that can be compared with ``gcp`` as it is.

    Attributes
    ----------
    kind
        ``exact``: it is the least loss there is. ``bound``: no release loses less. ``estimate``: estimated from a
        random sample of rows.
    interval, confidence
        Of an estimate: the confidence interval of the bound that all rows would give, and its level.
    n_sampled, n_rows
        How many rows were looked at, and how many there are.
    seconds
        How long it took.

    Examples
    --------
    >>> bound = LowerBound(0.25, kind="bound", n_sampled=4, n_rows=4, seconds=0.1)
    >>> bound < 0.3, bound.kind
    (True, 'bound')
    """

    kind: Literal["exact", "bound", "estimate"]
    interval: tuple[float, float] | None
    confidence: float | None
    n_sampled: int
    n_rows: int
    seconds: float

    shown = ("value", "kind", "interval", "confidence", "n_sampled", "n_rows", "seconds")

    def __new__(
        cls,
        value: float,
        *,
        kind: Literal["exact", "bound", "estimate"] = "bound",
        n_sampled: int,
        n_rows: int,
        seconds: float,
        interval: tuple[float, float] | None = None,
    ) -> LowerBound:
        """Keep the number and where it comes from."""
        bound = super().__new__(cls, value)
        bound.kind, bound.interval, bound.seconds = kind, interval, seconds
        bound.confidence = None if interval is None else _CONFIDENCE
        bound.n_sampled, bound.n_rows = n_sampled, n_rows
        return bound

    def __getnewargs_ex__(self) -> tuple[tuple[float], dict[str, Any]]:
        """Let copies and pickles be made."""
        names = ("kind", "n_sampled", "n_rows", "seconds", "interval")
        return (float(self),), {name: getattr(self, name) for name in names}

    @property
    def value(self) -> float:
        """The number itself."""
        return float(self)


def gcp_lower_bound(
    table: Table,
    k: int,
    time_limit: float | None = None,
    *,
    seed: int | None = None,
    sample: int | None = None,
    progress: Progress | None = None,
) -> LowerBound:
    """Return a GCP that no k-anonymous release of the table undercuts, whatever the search and whatever it suppresses.

    Parameters
    ----------
    k
        From 2.
    time_limit
        Seconds, above 0. The bound holds whenever it ends.
    seed
        Of the samples and of the grouping to start from: a whole number from 0; ``None`` for the system's secure
        generator.
    sample
        How many rows to draw, from 30; by default all up to 5000 rows, and of more as many as there is time for.
    progress
        Who is shown how far it is.

    Raises
    ------
    InputError
        It is not a table, or it has no quasi-identifiers.
    OptionError
        An option has a value that is not allowed.
    UnreachableError
        The table is about fewer than k people.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"mark": [0, 1, 3, 4]}), Schema(quasi_identifiers={"mark": "number"}))
    >>> round(gcp_lower_bound(table, 2), 6)
    0.25
    """
    _check(table, k, time_limit, sample)
    clock = Clock(_DEFAULT_SECONDS if time_limit is None else float(time_limit))
    randomness, k = Randomness(seed), int(k)
    progress = progress or Quiet()
    progress.stage("bound")

    def made(value: float, n_sampled: int, **told: Any) -> LowerBound:
        return LowerBound(value, n_sampled=n_sampled, n_rows=table.n_rows, seconds=clock.spent, **told)

    usable = np.flatnonzero(~table.unplaced)
    n_lost = table.n_rows - len(usable)
    if len(usable) < k:  # all of them have to be suppressed
        return made(1.0, len(usable))
    codes = [column.codes[usable] for column in table.quasi_identifiers]
    columns = kernel_columns(table.quasi_identifiers, codes)
    search = PotentialSearch(columns, k, clock, progress)
    if len(usable) <= (_MANY_ROWS if sample is None else sample):
        proved = prove_all(search, randomness)
        value = _share(table, float(proved.values.sum()) / WHOLE_LOSS + n_lost)
        is_exact = proved.is_exact and table.n_units == table.n_rows
        is_exact = is_exact and all(loses_as_grouped(column) for column in table.quasi_identifiers)
        return made(value, len(usable), kind="exact" if is_exact else "bound")
    steps = np.array([column.weight / max(len(column.domain.values) - 1, 1) for column in table.quasi_identifiers])
    drawn = prove_sample(search, codes, steps, randomness, sample)
    values = drawn.values / WHOLE_LOSS
    if len(values) < _LEAST_SAMPLE:
        return made(0.0, len(values))
    if len(values) == len(usable):  # there was time for all rows: nothing is estimated
        return made(_share(table, float(values.sum()) + n_lost), len(usable))
    others = values - drawn.guesses / WHOLE_LOSS
    mean, error = drawn.mean_guess / WHOLE_LOSS + float(others.mean()), float(others.std(ddof=1)) / len(values) ** 0.5
    low, value, high = (
        _share(table, (mean + step * _NORMAL_QUANTILE * error) * len(usable) + n_lost) for step in (-1, 0, 1)
    )
    return made(value, len(values), kind="estimate", interval=(low, high))


def _share(table: Table, lost: float) -> float:
    """Return a loss, summed over rows, as a GCP: rounded down by what fixed point may have added.

    The positions of a line are whole numbers, so that a range may come out longer by one of 2^30 parts, in each column;
    another such part covers the rounding of all sums.
    """
    n_lines = sum(isinstance(column.domain, Line) for column in table.quasi_identifiers)
    return min(1.0, max(0.0, lost / table.n_rows - (n_lines + 1) / WHOLE_LOSS))


def _check(table: object, k: object, time_limit: object, sample: object) -> None:
    if not isinstance(table, Table):
        raise InputError("gcp_lower_bound needs a Table.", hint="write gcp_lower_bound(Table(frame, schema), k).")
    if not table.quasi_identifiers:
        raise InputError(
            f"{table.name} has no quasi-identifiers: there is nothing to lose.",
            hint="name some in its schema: Schema(quasi_identifiers={...}).",
        )
    least = checked_whole("k", k, 2)
    if sample is not None and (whole_number(sample) or 0) < _LEAST_SAMPLE:
        raise OptionError("sample must be a whole number of rows from 30.", about="sample")
    check_time_limit(time_limit)
    if table.n_units < least:
        raise UnreachableError(
            f"{k}-anonymity needs at least {k} {people_word(table)}; {table.name} has {table.n_units}.",
            hint="lower k, or gather more rows.",
        )
