"""Overview: every measure of risk that what is known allows, at once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np

from celosia.base.fields import Result
from celosia.base.progress import Progress, Quiet
from celosia.data.outcome import TableOutcome
from celosia.data.schema import Table
from celosia.measure.risk.assessment import Assessment
from celosia.measure.risk.base import class_counts
from celosia.measure.risk.dankar import dankar
from celosia.measure.risk.distinction import distinction, separation
from celosia.measure.risk.insiders import InsiderRisk, insiders
from celosia.measure.risk.journalist import JournalistRisk, journalist
from celosia.measure.risk.marketer import MarketerRisk, marketer
from celosia.measure.risk.matches import MatchRisk, matches
from celosia.measure.risk.pitman import pitman
from celosia.measure.risk.prosecutor import ProsecutorRisk, prosecutor
from celosia.measure.risk.situation import Situation
from celosia.measure.risk.snb import snb
from celosia.measure.risk.uniqueness import PopulationUniqueness
from celosia.measure.risk.weighted import WeightedRisk, weighted
from celosia.measure.risk.zayatz import zayatz

_ESTIMATORS = (zayatz, pitman, snb, dankar)


@dataclass(frozen=True, eq=False)
class Overview(Result):
    """What is known about the risk of a table or release.

    Attributes
    ----------
    n_rows, n_people, n_classes, k
        Rows, people and classes that are published, and the people of the smallest class; ``k`` is ``None`` where there
        are no rows.
    distinction, separation
        By the quasi-identifiers: distinct rows per row, and the share of pairs of rows that they tell apart. Only of a
        table: the rows of a release are told apart by classes.
    prosecutor, journalist, marketer
        The three attackers.
    insiders
        What participants of a class can do to the others.
    matches
        Both readings of missing values; ``None`` for a release, and where no value is missing.
    uniqueness
        Estimates of how many people are unique in the population, by estimator; empty where its size is not known.
    weighted
        The risk by sampling weights; ``None`` where there are none.
    assessment
        The risk in the scenarios of a situation; ``None`` where none is given.
    """

    n_rows: int
    n_people: int
    n_classes: int
    k: int | None
    distinction: float | None
    separation: float | None
    prosecutor: ProsecutorRisk
    journalist: JournalistRisk
    marketer: MarketerRisk
    insiders: InsiderRisk
    matches: MatchRisk | None
    weighted: WeightedRisk | None
    assessment: Assessment | None
    uniqueness: dict[str, PopulationUniqueness]


def overview(
    table_or_release: Any,
    *,
    threshold: float | str | Fraction = "0.2",
    coalition: int = 1,
    population: Any = None,
    weights: str | None = None,
    situation: Situation | None = None,
    progress: Progress | None = None,
) -> Overview:
    """Measure the risk of a table or release in every way that needs no search through sets of columns.

    Parameters
    ----------
    threshold
        Above which (strictly) a row is at risk; in (0, 1].
    coalition
        How many participants may pool what they know; from 0.
    population
        The number of people that the rows were drawn from, or a table of them (or its path).
    weights
        The column of sampling weights.
    situation
        The scenarios and the accepted risk.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        The population does not fit the table.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> table = cl.Table(pl.DataFrame({"age": [30, 30, 44]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> found = overview(table, population=100)
    >>> found.k, found.prosecutor.max, found.insiders.effective_k, sorted(found.uniqueness)
    (1, 1.0, 1, ['dankar', 'pitman', 'snb', 'zayatz'])
    """
    shown = progress or Quiet()
    counts = class_counts(table_or_release)
    is_size = isinstance(population, Integral)
    people = None if is_size else population
    shown.stage("counting classes")
    table = table_or_release if isinstance(table_or_release, Table) else None
    columns = [] if table is None else [column.name for column in table.quasi_identifiers]
    has_gaps = table is not None and any((column.codes == -1).any() for column in table.quasi_identifiers)
    return Overview(
        n_rows=counts.n_rows,
        n_people=_n_people(table_or_release, counts.n_rows),
        n_classes=len(counts.rows),
        k=int(counts.people.min()) if counts.n_rows else None,
        prosecutor=prosecutor(table_or_release, threshold),
        journalist=journalist(table_or_release, threshold, population=people),
        marketer=marketer(table_or_release, threshold, population=people),
        insiders=insiders(table_or_release, coalition, threshold),
        distinction=distinction(table, columns) if columns else None,
        separation=separation(table, columns) if columns else None,
        matches=matches(table, threshold, progress=shown) if has_gaps else None,
        uniqueness={one.__name__: one(table_or_release, int(population)) for one in _ESTIMATORS} if is_size else {},
        weighted=None if weights is None else weighted(table_or_release, weights, threshold),
        assessment=None if situation is None else situation.assess(table_or_release),
    )


def _n_people(source: Any, n_rows: int) -> int:
    table = source.table if isinstance(source, TableOutcome) else source
    if not isinstance(table, Table) or table.subjects is None:
        return n_rows
    kept = source.recoding.classes.labels >= 0 if isinstance(source, TableOutcome) else slice(None)
    return len(np.unique(table.subjects[kept]))
