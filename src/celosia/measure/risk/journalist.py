"""Journalist risk: the attacker knows people of the population, but not who of them is in the data."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from numbers import Number as AnyNumber
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import CelosiaError, ColumnNotFoundError, InputError, OptionError, nearest_column
from celosia.base.fields import Result
from celosia.data.classes import Classes, group
from celosia.data.outcome import TableOutcome
from celosia.data.schema import QuasiIdentifier, Table
from celosia.data.schema.columns import cleaned, codes_of
from celosia.measure.risk.base import class_counts, exact_probability, figures_of
from celosia.models.axes import read_alike
from celosia.models.population import Crowd, Population

_ABSENT = -2
"""The code of a value that the table does not hold."""


@dataclass(frozen=True)
class JournalistRisk(Result):
    """The chance that a row is linked to the right one of all people of the population who fit it.

    Attributes
    ----------
    max
        1 / the fewest people that a class fits: the worst single record.
    mean
        The greater of two: the mean of 1 / F over rows, and classes / people of the population who fit them.
    share_at_risk
        The share of rows whose risk lies strictly above ``threshold``.

    All three are ``None`` for an empty table: undefined is not zero.
    """

    max: float | None
    mean: float | None
    share_at_risk: float | None
    threshold: float

    shown = ("max", "mean", "share_at_risk")


def journalist(
    table_or_release: Any, threshold: float | str | Fraction = "0.2", *, population: Any = None
) -> JournalistRisk:
    """Return the journalist risk of a table, a release or classes.

    A row's risk is 1 / F, F the people of the population who fit what its class publishes. The mean is the greater of
    two attacks, ``max(J / sum F_j, (1 / n) sum n_j / F_j)`` over J classes of n_j rows: on everybody in the population
    who fits a class, and on every row. Comparison with the threshold is exact.

    Parameters
    ----------
    threshold
        Above which (strictly) a row is at risk; in (0, 1].
    population
        A pandas, Polars or Arrow table with every quasi-identifier, one row per person (or with the table's subject
        column), that holds everybody in the data; or the path of such a file. Without it F is the number of people in
        the data's own class: the attacker is then taken for one who knows who is in it.

    Raises
    ------
    OptionError
        The threshold is no probability, or the population a number.
    ColumnNotFoundError
        The population lacks a quasi-identifier.
    InputError
        The population cannot be read, or does not hold everybody in the data.

    Examples
    --------
    >>> import polars as pl
    >>> import celosia as cl
    >>> study = cl.Table(pl.DataFrame({"age": [30, 30, 70]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> town = pl.DataFrame({"age": [30] * 8 + [70] * 2 + [71]})
    >>> journalist(study, population=town).to_dict()
    {'max': 0.5, 'mean': 0.25, 'share_at_risk': 0.3333333333333333}
    >>> journalist(study).max
    1.0
    """
    limit = exact_probability(threshold)
    fits = fitting(table_or_release, population)
    found = figures_of(fits.rows, fits.people, limit)
    if found is None:
        return JournalistRisk(None, None, None, float(limit))
    by_class = Fraction(len(fits.people), int(fits.people.sum()))
    return JournalistRisk(float(found.max), float(max(by_class, found.mean)), float(found.share_at_risk), float(limit))


@dataclass(frozen=True, eq=False)
class Fitting:
    """Classes as the population sees them: the rows of each, and how many people fit what it publishes."""

    rows: NDArray[np.int64]
    people: NDArray[np.int64]


def fitting(source: Any, population: Any) -> Fitting:
    """Return the rows of each class and how many people of the population fit it; without one, its own people.

    A table is taken as it stands, by equal values; a release by what its classes publish. Classes that publish the same
    are one.

    Raises
    ------
    OptionError, ColumnNotFoundError, InputError
        As ``journalist``.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"age": [30, 33]}), Schema(quasi_identifiers={"age": "number"}))
    >>> fitting(table, pl.DataFrame({"age": [30, 30, 31, 33]})).people.tolist()
    [2, 1]
    """
    counts = class_counts(source)
    if population is None:
        return Fitting(counts.rows, counts.people)
    if isinstance(source, Classes):
        raise InputError(
            "classes alone have no values that people of a population could fit.", hint="give the Table or the Release."
        )
    people = _population(population)
    table = source.table if isinstance(source, TableOutcome) else source
    _check_columns(people, table)
    classes = Classes(counts.labels)
    if isinstance(source, TableOutcome):
        n_fitting, box = Crowd(people, table).count(classes)
        classes = Classes(np.append(box, -1)[classes.labels])
        n_people = np.zeros(classes.n_classes, dtype=np.int64)
        n_people[box] = n_fitting
    else:
        n_people = _n_equal(classes, table, people)
    n_wrong = int((n_people < classes.units(table.subjects)).sum())
    if n_wrong:
        raise InputError(
            f"{n_wrong} of {classes.n_classes} classes hold more people than {people.name} has in them: it does not "
            f"hold everybody in {table.name}.",
            hint="give the population that the rows were drawn from, its values spelt the same way.",
            about="population",
        )
    return Fitting(classes.sizes, n_people)


def _population(given: Any) -> Population:
    if isinstance(given, AnyNumber):
        raise OptionError(
            "a number of people does not tell how many of them fit each class.",
            hint="give a table of the population, or estimate from its size: zayatz, pitman, snb or "
            "dankar(table, population_size=).",
            about="population",
        )
    return Population.of(given)


def _check_columns(population: Population, table: Table) -> None:
    for column in table.quasi_identifiers:
        if column.name not in population.frame.columns:
            raise ColumnNotFoundError(
                f"quasi-identifier '{column.name}' is not a column of {population.name} "
                f"({population.frame.width} columns), in which people are counted.",
                hint=nearest_column(column.name, population.frame.columns),
                about="population",
            )


def _n_equal(classes: Classes, table: Table, population: Population) -> NDArray[np.int64]:
    """Return how many people of the population have the very values of each class of a table."""
    who = population.subjects(table)
    columns = [_joined(column, table, population) for column in table.quasi_identifiers]
    if not columns:
        n_people = population.n_rows if who is None else len(np.unique(who))
        return np.full(classes.n_classes, n_people, dtype=np.int64)
    held = np.flatnonzero(np.all([theirs > _ABSENT for _, theirs in columns], axis=0))
    ranks = group([np.concatenate([own, theirs[held]]) for own, theirs in columns])
    class_of = np.full(int(ranks.max(initial=-1)) + 1, -1, dtype=np.int64)
    class_of[ranks[: table.n_rows]] = classes.labels
    found = class_of[ranks[table.n_rows :]]
    placed = np.flatnonzero(found >= 0)
    if who is not None:  # each person once in a class
        placed = placed[np.unique(group([found[placed], who[held[placed]]]), return_index=True)[1]]
    return np.bincount(found[placed], minlength=classes.n_classes).astype(np.int64)


def _joined(
    column: QuasiIdentifier, table: Table, population: Population
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return a code for each row of the table and of the population: equal ones for equal values, -1 for missing."""
    unknown = (column.codes < -1).any()  # to the hierarchy, which is no matter here
    codes, values = codes_of(column.values) if unknown else (column.codes, column.domain.values)
    cells = cleaned(population.frame[column.name], table.schema.missing)[0]
    try:
        their_codes, their_values = read_alike(column, cells, population.decimal)
    except CelosiaError as error:
        raise InputError(f"{population.name}: {error.message}", hint=error.hint, about="population") from None
    place = {value: code for code, value in enumerate(values)}
    code_of = np.array([*(place.get(value, _ABSENT) for value in their_values), -1], dtype=np.int32)
    return codes, code_of[their_codes]
