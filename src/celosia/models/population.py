"""A population table, and how many of its people each class of a release covers.

Every quasi-identifier becomes an axis: the values that the population holds, in an order in which whatever a class can
publish (a range, a set, a node of a tree) is a run of neighbours, or lies in one. A class is then a box, and the
population rows inside it are counted among those that its narrowest axis leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import CelosiaError, ColumnNotFoundError, InputError, OptionError, nearest_column
from celosia.data.classes import Classes, group
from celosia.data.io import read, to_polars
from celosia.data.schema import Table
from celosia.data.schema.columns import as_text, cleaned, codes_of
from celosia.models.axes import Axis, axis_of


@dataclass(frozen=True, eq=False)
class Population:
    """The people that the rows of a table were drawn from, one row each.

    Attributes
    ----------
    frame
        Its columns, cleaned as a table's are.
    name
        What to call it in messages.
    decimal
        The decimal mark that prevails in its text columns.

    Examples
    --------
    >>> Population.of(pl.DataFrame({"age": [30, 31, 70]}))
    Population(3 rows)
    """

    frame: pl.DataFrame
    name: str = "the population"
    decimal: str = "."

    @classmethod
    def of(cls, given: Any) -> Population:
        """Return the population that a frame (pandas, Polars, Arrow) or the path of a file stands for.

        Raises
        ------
        InputError
            It is neither, or the file cannot be read.
        """
        if isinstance(given, Population):
            return given
        try:
            if isinstance(given, str | Path):
                source = read(given)
                return cls(_clean(source.frame), source.name, source.dialect.decimal if source.dialect else ".")
            if isinstance(given, bool | float) or given is None:
                raise OptionError(
                    "population must be a table, the path of a file, or a whole number of people.",
                    hint="write population: people.csv, or population: 100000.",
                )
            return cls(_clean(to_polars(given)[0]))
        except CelosiaError as error:
            error.about = "population"
            raise

    def __repr__(self) -> str:
        return f"Population({self.n_rows} rows)"

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return self.frame.height

    def subjects(self, table: Table) -> NDArray[np.int32] | None:
        """Return whom each row is about, where it has the subject column of a table."""
        subject = table.schema.subject
        return codes_of(self.frame[subject])[0] if subject in self.frame.columns else None

    def texts(self) -> pl.DataFrame:
        """Return its columns as text, missing cells as null."""
        return pl.DataFrame([as_text(column) for column in self.frame.get_columns()])


def _clean(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame([cleaned(column)[0] for column in frame.get_columns()])


class Crowd:
    """A population as the quasi-identifiers of one table see it.

    People are its rows; where it has the table's subject column, its distinct subjects.

    Parameters
    ----------
    population
        The people.
    table
        The table whose classes are judged.

    Raises
    ------
    ColumnNotFoundError
        The population lacks a quasi-identifier.
    InputError
        One of its columns does not hold what the table's does.

    Examples
    --------
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"age": [30, 33]}), Schema(quasi_identifiers={"age": "number"}))
    >>> crowd = Crowd(Population.of(pl.DataFrame({"age": [30, 31, 33, 70]})), table)
    >>> crowd.count(Classes([0, 0]))[0].tolist(), crowd.count(Classes([0, 1]))[0].tolist()
    ([3], [1, 1])
    """

    def __init__(self, population: Population, table: Table) -> None:
        self._axes = tuple(
            _axis(population, table, position) for position in range(len(table.schema.quasi_identifiers))
        )
        self._points = _points([axis.keys for axis in self._axes], population.subjects(table), population.n_rows)

    @property
    def n_people(self) -> int:
        """How many people the population has."""
        return self._points.n_people

    def count(self, classes: Classes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for each class how many people lie inside everything that it publishes, and the number of its box.

        Classes with equal boxes publish the same: nobody outside can tell them apart.
        """
        if not classes.n_classes or not self._axes:
            same = np.zeros(classes.n_classes, dtype=np.int64)
            return same + self.n_people, same
        cells = [axis.cells(classes) for axis in self._axes]
        low, high = np.stack([own.low for own in cells]), np.stack([own.high for own in cells])
        sets = np.stack([own.of_class for own in cells])
        box = group([*low, *high, *sets])
        chosen = np.unique(box, return_index=True)[1]
        low, high, sets = low[:, chosen], high[:, chosen], sets[:, chosen]
        n_people = np.zeros(len(chosen), dtype=np.int64)
        is_point = (low == high).all(axis=0)
        n_people[is_point] = self._points.at(low[:, is_point])
        members = [own.members for own in cells]
        n_people[~is_point] = self._points.inside(low[:, ~is_point], high[:, ~is_point], sets[:, ~is_point], members)
        return n_people[box], box


@dataclass(frozen=True, eq=False)
class _Points:
    """The distinct places of the population: a key per axis, how many people are there, and who, where that is known.

    ``subjects`` is ``None`` where rows are people; else a point is one person at one place.
    """

    keys: NDArray[np.int64]
    n_people_at: NDArray[np.int64]
    subjects: NDArray[np.int32] | None
    n_people: int

    @cached_property
    def _sorted(self) -> tuple[list[NDArray[np.intp]], list[NDArray[np.int64]]]:
        """The points in the order of each axis, and their keys in that order."""
        orders = [np.argsort(own, kind="stable") for own in self.keys]
        return orders, [own[order] for own, order in zip(self.keys, orders, strict=True)]

    def at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many people are at each place (a column of keys)."""
        n_points = self.keys.shape[1]
        labels = group([np.concatenate([own, asked]) for own, asked in zip(self.keys, places, strict=True)])
        n_at = np.zeros(int(labels.max(initial=-1)) + 1, dtype=np.int64)
        np.add.at(n_at, labels[:n_points], self.n_people_at)
        return n_at[labels[n_points:]]

    def inside(
        self,
        low: NDArray[np.int64],
        high: NDArray[np.int64],
        sets: NDArray[np.int64],
        members: list[Mapping[int, NDArray[np.int64]]],
    ) -> NDArray[np.int64]:
        """Return how many people are in each box (a column of ``low`` and ``high``, and of the sets with holes)."""
        orders, ascending = self._sorted
        first = np.stack([np.searchsorted(own, ends, "left") for own, ends in zip(ascending, low, strict=True)])
        last = np.stack([np.searchsorted(own, ends, "right") for own, ends in zip(ascending, high, strict=True)])
        narrowest_first = np.argsort(last - first, axis=0, kind="stable")
        n_points = self.keys.shape[1]
        found = np.zeros(low.shape[1], dtype=np.int64)
        for box, axes in enumerate(narrowest_first.T.tolist()):
            start = axes[0]
            points = orders[start][first[start, box] : last[start, box]]
            for axis in axes:
                if axis != start and last[axis, box] - first[axis, box] < n_points:
                    keys = self.keys[axis][points]
                    points = points[(keys >= low[axis, box]) & (keys <= high[axis, box])]
                if sets[axis, box] >= 0:
                    points = points[_is_among(self.keys[axis][points], members[axis][int(sets[axis, box])])]
            found[box] = self._n_people_of(points)
        return found

    def _n_people_of(self, points: NDArray[np.intp]) -> int:
        if self.subjects is None:
            return int(self.n_people_at[points].sum())
        return len(np.unique(self.subjects[points]))


def _is_among(keys: NDArray[np.int64], members: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which keys, from the first to the last member, are members; those ascend."""
    inside: NDArray[np.bool_] = np.zeros(int(members[-1] - members[0]) + 1, dtype=np.bool_)
    inside[members - members[0]] = True
    among: NDArray[np.bool_] = inside[keys - members[0]]
    return among


def _points(keys: list[NDArray[np.int64]], subjects: NDArray[np.int32] | None, n_rows: int) -> _Points:
    """Return each distinct place, or each person at each place, once."""
    n_people = n_rows if subjects is None else len(np.unique(subjects))
    if not keys:
        return _Points(np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64), None, n_people)
    labels = group([*keys, *([] if subjects is None else [subjects])])
    _, first, counts = np.unique(labels, return_index=True, return_counts=True)
    chosen = np.stack(keys)[:, first]
    if subjects is None:
        return _Points(chosen, counts.astype(np.int64), None, n_people)
    return _Points(chosen, np.ones(len(first), dtype=np.int64), subjects[first], n_people)


def _axis(population: Population, table: Table, position: int) -> Axis:
    column = table.quasi_identifiers[position]
    if column.name not in population.frame.columns:
        raise ColumnNotFoundError(
            f"quasi-identifier '{column.name}' is not a column of {population.name} "
            f"({population.frame.width} columns), which k_map counts people in.",
            hint=nearest_column(column.name, population.frame.columns),
            about="models",
        )
    values = cleaned(population.frame[column.name], table.schema.missing)[0]
    try:
        return axis_of(column, values, population.decimal)
    except CelosiaError as error:
        raise InputError(f"{population.name}: {error.message}", hint=error.hint, about="models") from None
