"""What the models about secrets share: the sensitive column, its codes, and how often each class holds each value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import ColumnNotFoundError, HierarchyError, InputError, OptionError, nearest
from celosia.base.fields import Demand
from celosia.base.numbers import checked_whole, plain_number
from celosia.data.classes import Classes
from celosia.data.hierarchies import Order, Tree
from celosia.data.schema import Table
from celosia.data.schema.columns import as_text, cleaned, codes_of
from celosia.models.base import Need


class AboutSecret(Demand):
    """What all models about a secret have in common: the column, how often classes hold its values, and options."""

    on: str
    name: ClassVar[str]
    needs: ClassVar[tuple[Need, ...]] = ("secret",)

    # l values need l rows, but with a subject column one person's rows may hold them all: l would shut out classes that
    # satisfy the model.
    smallest_class: ClassVar[int] = 1
    """The least number of people a class may have: 1, since rows are counted and not people."""

    def secret(self, table: Table) -> Secret:
        """Return the sensitive column, or raise as ``Secret.of``."""
        return Secret.of(table, self.on, self.name)

    def histograms(self, classes: Classes, table: Table) -> Histograms:
        """Return how often each class holds each value, a missing one being a value of its own."""
        secret = self.secret(table)
        return Histograms.of(classes, secret.codes, secret.n_codes)

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Check the column; one class of all rows always satisfies a model that compares classes with all rows."""
        self.secret(table)

    def check_on(self, example: str) -> None:
        """Raise ``OptionError`` unless ``on`` is a name."""
        if not isinstance(self.on, str) or not self.on:
            raise OptionError("on must be the name of a sensitive column.", hint=f"write {example}.", about="on")

    def check_one_of(self, option: str, allowed: Sequence[str], hint: str) -> None:
        """Raise ``OptionError`` unless an option is one of some words."""
        if getattr(self, option) not in allowed:
            quoted = [f"'{word}'" for word in allowed]
            words = f"{', '.join(quoted[:-1])} or {quoted[-1]}"
            raise OptionError(f"the {option} of {self.name} must be {words}.", hint=hint, about=option)

    def settle_whole(self, option: str, least: int, hint: str) -> None:
        """Keep an option as a whole number, or raise ``OptionError`` if it is none, or too small."""
        object.__setattr__(self, option, checked_whole(option, getattr(self, option), least, hint))

    def settle_number(self, option: str, above: int, hint: str) -> None:
        """Keep an option as a plain number, or raise ``OptionError`` if it is none, or too small."""
        number = plain_number(getattr(self, option))
        if number is None or not number > above:
            raise OptionError(f"{option} must be a number above {above}.", hint=hint, about=option)
        object.__setattr__(self, option, number)


@dataclass(frozen=True, eq=False)
class Secret:
    """A sensitive column as the models see it: values are told apart by spelling, as published.

    Attributes
    ----------
    known
        int32 per row: the place of the row's value in ``values``, -1 where it is missing.
    values
        The distinct known values in the order of their texts.
    """

    known: NDArray[np.int32]
    values: Sequence[str]

    @classmethod
    def of(cls, table: Table, on: str, model: str) -> Secret:
        """Return the column that a model names.

        Raises
        ------
        ColumnNotFoundError
            It is not there.
        InputError
            It is not sensitive.
        """
        _check_column(table, on, model)
        column = table.frame[on]
        texts = column if column.dtype == pl.String else cleaned(as_text(column))[0]  # a table's texts are clean
        codes, values = codes_of(texts)
        return cls(np.ascontiguousarray(codes, dtype=np.int32), values)

    @property
    def n_missing(self) -> int:
        """How many rows have no value."""
        return int(np.count_nonzero(self.known < 0))

    @cached_property
    def codes(self) -> NDArray[np.int32]:
        """A code from 0 per row where missing is a value of its own, the first; without missing ones ``known``."""
        return self.known + np.int32(1) if self.n_missing else self.known

    @property
    def n_codes(self) -> int:
        """How many different codes there are."""
        return len(self.values) + (1 if self.n_missing else 0)


@dataclass(frozen=True, eq=False)
class Histograms:
    """How often each class holds each value: a table of (label, value, count) without zeros, in this order.

    Attributes
    ----------
    labels, values, counts
        The table, by class and then by value.
    starts
        Where each class begins in it.
    sizes
        How many rows each class has.
    totals
        How many published rows hold each value.

    Examples
    --------
    >>> found = Histograms.of(Classes([0, 1, 1, -1]), np.array([1, 0, 0, 1]), 2)
    >>> found.labels.tolist(), found.values.tolist(), found.counts.tolist(), found.totals.tolist()
    ([0, 1], [1, 0], [1, 2], [2, 1])
    """

    labels: NDArray[np.int64]
    values: NDArray[np.int64]
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    totals: NDArray[np.int64]

    @classmethod
    def of(cls, classes: Classes, codes: NDArray[np.integer], n_codes: int) -> Histograms:
        """Count codes from 0 (below ``n_codes``) by one sort."""
        kept = classes.labels >= 0
        own = codes if kept.all() else codes[kept]
        labels = classes.labels if kept.all() else classes.labels[kept]
        keys = np.sort(labels * max(n_codes, 1) + own)
        starts = _starts(keys)
        counts = np.diff(starts, append=len(keys))
        owner, values = np.divmod(keys[starts], max(n_codes, 1))
        totals = np.bincount(own, minlength=n_codes)
        return cls(owner, values, counts, _starts(owner), classes.sizes, totals)

    @property
    def n_rows(self) -> int:
        """How many rows are published."""
        return int(self.totals.sum())

    def summed(self, entries: NDArray[Any]) -> NDArray[Any]:
        """Add up one number per entry of the table over each class."""
        return np.asarray(np.add.reduceat(entries, self.starts)) if len(self.starts) else entries[:0]

    def without_absent(self) -> Histograms:
        """Return the same with only those values that a published row holds, numbered anew from 0."""
        present = self.totals > 0
        renumbered = np.cumsum(present) - 1
        return Histograms(
            self.labels, renumbered[self.values], self.counts, self.starts, self.sizes, self.totals[present]
        )

    def grouped(self, groups: NDArray[np.integer]) -> Histograms:
        """Return the same over groups of neighbouring values; ``groups`` gives each value's, ascending from 0."""
        n_groups = int(groups[-1]) + 1 if len(groups) else 0
        values = groups.astype(np.int64)[self.values]
        starts = _starts(self.labels * max(n_groups, 1) + values)
        counts = np.add.reduceat(self.counts, starts) if len(starts) else self.counts
        totals = np.bincount(groups, weights=self.totals, minlength=n_groups).astype(np.int64)
        labels = self.labels[starts]
        return Histograms(labels, values[starts], counts, _starts(labels), self.sizes, totals)

    def only(self, chosen: NDArray[np.integer]) -> Histograms:
        """Return the tables of some classes, given in ascending order, beside the totals of all."""
        entries = np.isin(self.labels, chosen)
        labels = self.labels[entries]
        return Histograms(
            labels, self.values[entries], self.counts[entries], _starts(labels), self.sizes[chosen], self.totals
        )


def _starts(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each run of equal numbers begins."""
    is_new = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    return np.flatnonzero(is_new)


def water_level(counts: NDArray[np.int64], n_spare: int, lowest: int = 0) -> int:
    """Return the least whole number, from ``lowest``, to which all higher counts sink when ``n_spare`` rows go.

    Examples
    --------
    >>> water_level(np.array([9, 5, 1]), 4), water_level(np.array([9, 5, 1]), 6), water_level(np.array([2, 2]), 9)
    (5, 4, 0)
    """
    low, high = lowest, max(int(counts.max(initial=0)), lowest)
    while low < high:
        middle = (low + high) // 2
        if int(np.maximum(counts - middle, 0).sum()) <= n_spare:
            high = middle
        else:
            low = middle + 1
    return low


def leaf_places(secret: Secret, hierarchy: Tree | Order, on: str) -> NDArray[np.int64]:
    """Return the place of each distinct value among the leaves of a hierarchy.

    Raises
    ------
    HierarchyError
        A value is no leaf.
    """
    leaves = hierarchy.values if isinstance(hierarchy, Order) else [row[0] for row in hierarchy.rows]
    place = {leaf: rank for rank, leaf in enumerate(leaves)}
    places = np.array([place.get(value, -1) for value in secret.values], dtype=np.int64)
    n_unknown = int(np.count_nonzero(places < 0))
    if n_unknown:
        n_rows = int(np.count_nonzero((secret.known >= 0) & (places[secret.known] < 0)))
        what = "1 distinct value" if n_unknown == 1 else f"{n_unknown} distinct values"
        source = hierarchy.source if isinstance(hierarchy, Tree) else f"the {len(leaves)} values of its order"
        raise HierarchyError(
            f"{what} of '{on}' ({n_rows} of {len(secret.known)} rows) {'is' if n_unknown == 1 else 'are'} missing from "
            f"{source}.",
            hint="extend it, or drop the rows first. Values are withheld.",
            about=on,
        )
    return places


def n_distinct(classes: Classes, codes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return how many distinct codes each class holds, those below 0 left out.

    Examples
    --------
    >>> n_distinct(Classes([0, 0, 0, 1]), np.array([0, 1, -1, -1], dtype=np.int32)).tolist()
    [2, 0]
    """
    found = Histograms.of(classes, codes + 1, int(codes.max(initial=-1)) + 2)
    return np.bincount(found.labels[found.values > 0], minlength=classes.n_classes).astype(np.int64)


def numbered(codes: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
    """Return codes numbered anew from 0, the share of each, and the codes that they had.

    Examples
    --------
    >>> [found.tolist() for found in numbered(np.array([4, 2, 4, 4], dtype=np.int32))]
    [[1, 0, 1, 1], [0.25, 0.75], [2, 4]]
    """
    present, compact, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return np.ascontiguousarray(compact, dtype=np.int32), counts / max(len(codes), 1), present


def percent(share: float) -> str:
    """Spell a share such as 0.614 as ``61.4 %``.

    Examples
    --------
    >>> percent(0.5), percent(0.6137)
    ('50 %', '61.4 %')
    """
    return f"{100 * share:.3g} %"


def _check_column(table: Table, on: str, model: str) -> None:
    schema = table.schema
    if on not in table.frame.columns:
        raise ColumnNotFoundError(
            f"{model} names '{on}', which is not a column of {table.name} ({table.frame.width} columns after masks).",
            hint=nearest(on, schema.sensitive) if schema.sensitive else "no column is declared sensitive.",
            about="models",
        )
    if on not in schema.sensitive:
        known = f"the sensitive columns are {', '.join(schema.sensitive)}; " if schema.sensitive else ""
        role = " and ".join(sorted(schema.roles(on))).replace("_", "-") or "none"
        raise InputError(
            f"{model} names '{on}', whose role is {role}, not sensitive.",
            hint=f"{known}if '{on}' holds a secret, declare it sensitive.",
            about=on,
        )
