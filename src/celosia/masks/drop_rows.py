"""Record suppression by a rule: a condition, a list of values, an outlier test, or too few rows alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import InputError, OptionError, UnreachableError
from celosia.base.findings import Finding
from celosia.data.hierarchies.options import check_choice, check_count, check_number
from celosia.data.schema.roles import Role
from celosia.masks.base import Leaves, Sheet, Technique
from celosia.masks.expressions import Expression
from celosia.masks.options import Listed, checked_values, holds, named_columns, told

OutlierTest = Literal["iqr", "mad", "zscore"]
_LIMITS: dict[str, float] = {"iqr": 1.5, "mad": 3.5, "zscore": 3.0}
_RULES = ("where", "values", "outliers", "class_below")
_TO_DEVIATION = 1.4826
"""What turns the median distance from the median into a standard deviation, for a normal distribution."""


@dataclass(frozen=True)
class DropRows(Technique):
    """Remove whole rows by exactly one rule: ``where``, ``values``, ``outliers`` or ``class_below``.

    Outliers x of a column, on both sides: ``iqr``: x < Q1 - limit (Q3 - Q1) or x > Q3 + limit (Q3 - Q1), with quartiles
    by linear interpolation; ``mad``: |x - median| > limit * 1.4826 * median |x - median|; ``zscore``:
    |x - mean| > limit * s, where s divides by n - 1.

    Parameters
    ----------
    where
        A condition over columns (see ``Expression``): rows in which it is true go; where it is missing they stay.
    column, columns
        The column of ``values``, or the columns of ``outliers`` (a row goes if one of its cells is an outlier).
    values
        A list: rows that hold one of these in ``column`` go. A text matches its spelling, a number what
        reads as it.
    outliers
        ``iqr``, ``mad`` or ``zscore``, on numbers; missing cells are no outliers.
    limit
        How far is too far, above 0; by default 1.5 (iqr), 3.5 (mad), 3 (zscore).
    class_below
        A whole number from 2: rows whose combination of the columns ``by`` fewer rows than that share go. A missing
        cell is a value of its own.
    by
        The columns of ``class_below``; by default the quasi-identifiers of the plan.
    at_most
        The greatest share of the rows that may go, in [0, 1]; 1 by default.

    Guarantee
    ---------
    No row that the rule names is left, or nothing is handed out. Removing rows hides only those who are gone: whoever
    stays is as identifiable as before, distributions change, and whoever knows the rule and that somebody is missing
    learns that it held for them. ``class_below`` counts rows, not people, and only for the columns as they are now.

    Raises
    ------
    OptionError
        Not exactly one rule is given, or an option has a wrong value.
    UnreachableError
        More rows than ``at_most`` would go, or all of them.
    InputError
        A column of ``outliers`` holds no numbers, or half of its cells are equal, so that the test says nothing.

    Examples
    --------
    >>> people = pl.DataFrame({"postcode": ["37003", "37003", "50011"], "age": [40, 44, 13]})
    >>> DropRows(where="age < 18").apply(people).height, DropRows(class_below=2, by=["postcode"]).apply(people).height
    (2, 2)
    """

    name: ClassVar[str] = "drop_rows"
    leaves: ClassVar[Leaves] = Leaves(
        "reduced",
        "The rows that are left are as they were and may single people out. Who knows the rule may tell who is "
        "missing.",
    )

    where: str | None = None
    column: str | None = None
    columns: Sequence[str] = ()
    values: Sequence[Listed] | None = None
    outliers: OutlierTest | None = None
    limit: float | None = None
    class_below: int | None = None
    by: Sequence[str] = ()
    at_most: float = 1

    def __post_init__(self) -> None:
        rules = [rule for rule in _RULES if getattr(self, rule) is not None]
        if len(rules) != 1:
            raise OptionError(
                f"drop_rows has {len(rules)} rules; it takes exactly one of {', '.join(_RULES)}.",
                hint="list drop_rows once for each rule.",
            )
        self._check_columns()
        if self.where is not None:
            Expression(self.where, self.name, "where")
        if self.values is not None:
            object.__setattr__(self, "values", checked_values(self.name, self.values))
        if self.outliers is not None:
            check_choice("drop_rows: outliers", self.outliers, list(_LIMITS))
        if self.limit is not None:
            if self.outliers is None:
                raise OptionError("drop_rows: limit is for outliers.", hint="leave it out.", about="limit")
            check_number("drop_rows: limit", self.limit, positive=True)
        if self.class_below is not None:
            check_count("drop_rows: class_below", self.class_below, least=2)
        check_number("drop_rows: at_most", self.at_most)
        if not 0 <= self.at_most <= 1:
            raise OptionError(
                f"drop_rows: at_most is {self.at_most}; it must be a share of the rows in [0, 1].",
                hint="0.02 allows 2 %.",
                about="at_most",
            )

    def _check_columns(self) -> None:
        """Check which columns are named, and store them as ``columns`` and ``by``."""
        if self.values is not None or self.outliers is not None:
            object.__setattr__(self, "columns", named_columns(self.name, self.column, self.columns))
            object.__setattr__(self, "column", None)
            if self.values is not None and len(self.columns) > 1:
                raise OptionError(
                    f"drop_rows: values are looked for in one column; {len(self.columns)} are named.",
                    hint="list drop_rows once for each column.",
                    about="columns",
                )
        elif self.column is not None or self.columns != ():
            raise OptionError(
                "drop_rows: column is for values and outliers.",
                hint="class_below takes by; where names its columns itself.",
                about="column",
            )
        if not isinstance(self.by, list | tuple) or not all(isinstance(name, str) for name in self.by):
            raise OptionError("drop_rows: by must be a list of columns.", hint="write by: [age, town].", about="by")
        if tuple(self.by) and self.class_below is None:
            raise OptionError("drop_rows: by is for class_below.", hint="leave it out.", about="by")
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "by", tuple(dict.fromkeys(self.by)))

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that the rule reads, as far as it names them."""
        if self.where is not None:
            return Expression(self.where, self.name, "where").columns
        return (*self.columns, *self.by)

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet without the rows that the rule names."""
        goes, findings = self._chosen(sheet)
        n_gone, n_rows = int(goes.sum()), sheet.n_rows
        rule = next(rule for rule in _RULES if getattr(self, rule) is not None)
        share = f"{n_gone / n_rows:.1%}" if n_rows else "0.0%"
        if n_gone and n_gone == n_rows:
            raise UnreachableError(
                f"drop_rows: all {n_rows} rows fall under the rule {rule}.",
                hint="choose a rule that leaves rows. Nothing was written.",
                about="masks",
            )
        if n_gone > Fraction(str(self.at_most)) * n_rows:
            raise UnreachableError(
                f"drop_rows: {n_gone} of {n_rows} rows ({share}) fall under the rule {rule}; at_most is "
                f"{self.at_most} of them.",
                hint="raise at_most, or choose a rule that fewer rows fall under. Nothing was written.",
                about="masks",
            )
        dropped = Finding(
            "ROWS_DROPPED",
            "note",
            "{count} of {rows} rows ({share}) were dropped by the rule {rule}.",
            None,
            {"count": n_gone, "rows": n_rows, "share": share, "rule": rule},
        )
        return sheet.keeping(~goes).noting(*findings, dropped)

    def _chosen(self, sheet: Sheet) -> tuple[NDArray[np.bool_], tuple[Finding, ...]]:
        if self.where is not None:
            goes, findings = Expression(self.where, self.name, "where").holds(sheet)
            return goes.to_numpy(), findings
        if self.values is not None:
            return holds(sheet, self.columns[0], self.values, self.name).to_numpy(), ()
        if self.class_below is not None:
            return self._in_small_classes(sheet), ()
        goes = pl.repeat(False, sheet.n_rows, eager=True)
        for column in self.columns:
            goes = goes | self._outlying(sheet, column)
        return goes.to_numpy(), ()

    def _in_small_classes(self, sheet: Sheet) -> NDArray[np.bool_]:
        by = list(self.by) or _quasi_identifiers(sheet)
        if not by:
            raise OptionError(
                "drop_rows: class_below needs columns, and no quasi-identifiers are declared.",
                hint="write by: [age, town].",
                about="class_below",
            )
        for column in by:
            sheet.column(column, self.name)
        assert self.class_below is not None
        sizes = sheet.frame.select(pl.len().over(by)).to_series() if sheet.n_rows else pl.Series([], dtype=pl.UInt32)
        return (sizes < self.class_below).to_numpy()

    def _outlying(self, sheet: Sheet, column: str) -> pl.Series:
        numbers = sheet.numbers(column, self.name).cast(pl.Float64)
        known = numbers.drop_nulls()
        if not len(known) or known.min() == known.max():
            return pl.repeat(False, len(numbers), eager=True)
        assert self.outliers is not None
        limit = float(_LIMITS[self.outliers] if self.limit is None else self.limit)
        # Far from 1 the squares of numbers are no numbers any more.
        largest = float(np.abs(known.to_numpy()).max())
        scale = largest if largest > 1e150 or largest < 1e-150 else 1.0
        low, high = _bounds(known.to_numpy() / scale, self.outliers, limit)
        if low == high:
            raise InputError(
                f"drop_rows: half of the cells of '{column}' or more are equal, so that {self.outliers} cannot tell "
                "outliers.",
                hint="use zscore, or a condition under where.",
                about="outliers",
            )
        scaled = numbers / scale
        return ((scaled < low) | (scaled > high)).fill_null(False)

    def to_dict(self) -> dict[str, Any]:
        """Return the options."""
        return told(self)


def _bounds(numbers: NDArray[np.float64], test: str, limit: float) -> tuple[float, float]:
    """Return the least and the greatest number that is no outlier."""
    if test == "iqr":
        first, third = (float(one) for one in np.quantile(numbers, [0.25, 0.75]))
        return first - limit * (third - first), third + limit * (third - first)
    if test == "mad":
        centre = float(np.median(numbers))
        spread = _TO_DEVIATION * float(np.median(np.abs(numbers - centre)))
    else:
        centre, spread = float(np.mean(numbers)), float(np.std(numbers, ddof=1))
    return centre - limit * spread, centre + limit * spread


def _quasi_identifiers(sheet: Sheet) -> list[str]:
    """Return the quasi-identifiers that are still there, and those that masks have made."""
    made = [change.column for change in sheet.changes if change.role is Role.QUASI_IDENTIFIER]
    declared = dict.fromkeys([*sheet.quasi_identifiers, *made])
    return [column for column in declared if column in sheet.frame.columns]
