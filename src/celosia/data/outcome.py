"""Outcome: what came of the work on a table or a graph. It is plain data, of which everything else is measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import InputError
from celosia.base.fields import Result
from celosia.data.classes import Classes
from celosia.data.hierarchies.domains import Style
from celosia.data.io import parse_numbers
from celosia.data.masked import MaskedTable
from celosia.data.recode import Recoding
from celosia.data.schema import Table

REASONS = ("unknown_value", "too_rare", "search", "repair", "trimming", "mask", "masks_after")
"""Why a row is not published, in the order of ``Outcome.reasons`` from 1 on: a value that its hierarchy does not know;
too many rows share its secret, or too few its value; the search left it out; a class that broke a model was given up;
it cost its class more than itself; a mask removed it before the search; a mask removed it after the search."""

Masked = TypeVar("Masked", covariant=True)
Published = TypeVar("Published", covariant=True)


@dataclass(frozen=True)
class Proof(Result):
    """How good classes are among all of their kind: all recodings of whole columns, or all classes of rows.

    Attributes
    ----------
    objective
        What recodings were compared by.
    value, lower_bound
        Its value, and one that no recoding of its kind undercuts (``None`` where the search knows none). Both are about
        the rows that were searched, and the less the better (of precision: 1 - precision).
    is_optimal
        Whether it is proved that there is no better one.
    n_recodings, n_judged
        How many recodings there are (``None`` where nobody counts them), and how many the search looked at, parts of
        recodings included; of a search that lists classes, at how many rows it looked.
    levels
        The level of each column, values being level 0; empty where levels differ within a column, or rows by rows.
    """

    shown = ("objective", "value", "lower_bound", "gap", "is_optimal", "n_recodings", "n_judged", "levels")

    objective: str
    value: float
    lower_bound: float | None
    is_optimal: bool
    n_recodings: int | None
    n_judged: int
    levels: Mapping[str, int]

    @property
    def gap(self) -> float | None:
        """By which share of its value it may be above the best of its kind; ``None`` where that is not known."""
        if self.lower_bound is None:
            return None
        return (self.value - self.lower_bound) / self.value if self.value > 0 else 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome(Generic[Masked, Published]):
    """What came of the work on a table or a graph.

    Attributes
    ----------
    masked
        What was searched, after masks, with what was given.
    publication
        What is published.
    classes
        The class of every ORIGINAL row or vertex, -1 = suppressed, by the search or by a mask. Never written out.
    reasons
        int8 for every original row: 0 where it is published, else one of ``REASONS``, counted from 1.
    search_seconds
        How long the search alone took.
    history
        What the search had found by when: seconds and loss at its start, at every fall, and at its end. Empty where it
        does not go on improving.
    was_stopped
        Whether the search was ended before its time; its classes are the best that it had until then.
    proof
        How good it is among all of its kind; ``None`` where the search cannot tell.
    """

    masked: Masked = field(repr=False)  # below what is shown of it lie cells
    publication: Published = field(repr=False)
    classes: Classes
    reasons: NDArray[np.int8] = field(repr=False)
    search_seconds: float = 0.0
    history: tuple[tuple[float, float], ...] = ()
    was_stopped: bool = False
    proof: Proof | None = None

    @property
    def suppressed(self) -> dict[str, int]:
        """How many rows are not published, by reason."""
        counts = np.bincount(self.reasons, minlength=len(REASONS) + 1)[1:]
        return {reason: int(count) for reason, count in zip(REASONS, counts, strict=True)}

    def __getstate__(self) -> dict[str, Any]:
        """Pickle and copy the data alone: what was worked out from it is worked out again where it is needed."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, eq=False, kw_only=True)
class Judged:
    """What a run adds to its outcome, whatever it was made of.

    Attributes
    ----------
    claim
        What is promised, without the part about a written file.
    checks
        Name and status of every check that the independent verifier made.
    seconds
        The whole run, audit included.
    is_rehearsal
        Whether it is only looked at and cannot be written: throw-away codes stand for the pseudonyms of a vault.
    """

    claim: Mapping[str, Any] = field(repr=False)
    checks: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    is_rehearsal: bool = False

    def noting(self, **facts: Any) -> Self:
        """Return the same with further facts; what was measured of it stays measured."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__ | facts)
        return other


@dataclass(frozen=True, eq=False, repr=False)
class PublishedRows:
    """The rows of a table that are published, in the order in which they are.

    Attributes
    ----------
    recoding
        What each class publishes.
    order
        The row after masks that each published row is; shuffled unless the plan keeps the order.
    texts
        Columns whose texts are not to be spelt anew as numbers: quasi-identifiers and pseudonyms.
    """

    recoding: Recoding
    order: NDArray[np.intp]
    texts: frozenset[str] = frozenset()

    @cached_property
    def cells(self) -> pl.DataFrame:
        """The rows; below missing cells may lie what they held, so that only scrubbed copies may go out."""
        rows, decimal = self.recoding.frame(self.order), self.recoding.table.decimal
        if decimal == ".":
            return rows
        commas = self.number_texts(rows, decimal)
        return rows.with_columns(pl.col(commas).str.replace(",", ".", literal=True)) if commas else rows

    def number_texts(self, rows: pl.DataFrame, decimal: str = ".") -> list[str]:
        """Return the columns of texts that all are numbers, other than quasi-identifiers and pseudonyms."""
        return [
            name
            for name, column in zip(rows.columns, rows.get_columns(), strict=True)
            if name not in self.texts and column.dtype == pl.String and parse_numbers(column, decimal)[1] == 0
        ]

    def restyled(self, style: Style) -> PublishedRows:
        """Return the same rows, their quasi-identifiers spelt in another way."""
        return PublishedRows(self.recoding.restyled(style), self.order, self.texts)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle and copy without the rows, which follow from the rest."""
        return {"recoding": self.recoding, "order": self.order, "texts": self.texts}


@dataclass(frozen=True, eq=False, kw_only=True)
class TableOutcome(Outcome[MaskedTable, PublishedRows]):
    """What came of the work on a table."""

    @property
    def given(self) -> Table:
        """The table before masks."""
        return self.masked.given

    @property
    def table(self) -> Table:
        """The table it was made from, after masks."""
        return self.masked.table

    @property
    def recoding(self) -> Recoding:
        """What each class publishes."""
        return self.publication.recoding

    @property
    def k(self) -> int:
        """The number of people in the smallest class."""
        return int(self.recoding.classes.units(self.table.subjects).min())

    def why(self, row: int) -> Fate:
        """Return what became of an original row, numbered from 0.

        Raises
        ------
        InputError
            There is no such row.

        Examples
        --------
        >>> import polars as pl, celosia as cl
        >>> table = cl.Table(pl.DataFrame({"age": [40, 44, 37, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
        >>> cl.Plan(models=[cl.KAnonymity(2)]).run(table).why(0).values
        {'age': '[40, 44]'}
        """
        n_rows = len(self.classes)
        if isinstance(row, bool) or not isinstance(row, int | np.integer) or not 0 <= row < n_rows:
            raise InputError(f"there is no such row: the table has {n_rows} rows.", hint="rows are numbered from 0.")
        if self.reasons[row]:
            return Fate(int(row), None, {}, None, REASONS[self.reasons[row] - 1])
        label = int(self.classes.labels[row])
        place = int(np.searchsorted(self.masked.rows, row))
        cells = self.recoding.frame(np.array([place]))
        names = [name for own in self.recoding.cells for name in own.names]
        n_others = int(self.classes.sizes[label]) - 1
        return Fate(int(row), label, {name: cells[name][0] for name in names}, n_others, None)


@dataclass(frozen=True)
class Fate:
    """What became of one original row. For the owner alone: it tells which row is whose.

    Attributes
    ----------
    row
        The row, numbered from 0.
    label
        Its class; ``None`` where it is not published.
    values
        The published value of each quasi-identifier, by column.
    n_others
        How many other rows are published with the same values.
    reason
        Why it is not published, one of ``REASONS``; ``None`` where it is.
    """

    row: int
    label: int | None
    values: dict[str, str | None]
    n_others: int | None
    reason: str | None

    def __repr__(self) -> str:
        """Tell what became of the row without its values: they belong to no log."""
        if self.reason is not None:
            return f"Fate(row {self.row}: not published, {self.reason})"
        return f"Fate(row {self.row}: class {self.label}, {self.n_others} others)"

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dict."""
        return {
            "row": self.row,
            "class": self.label,
            "values": dict(self.values),
            "n_others": self.n_others,
            "reason": self.reason,
        }
