"""l-diversity: every class holds at least l different secrets, so that finding a class does not tell the secret."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia import kernels
from celosia.classes import Classes
from celosia.errors import ColumnNotFoundError, InputError, OptionError, UnreachableError, nearest
from celosia.schema import Table
from celosia.schema.columns import as_text, cleaned, codes_of

__all__ = ["LDiversity"]


@dataclass(frozen=True)
class LDiversity:
    """Every class holds at least l distinct values of a sensitive column; missing ones do not count.

    It holds just if ``min_j |{s : s in class j, s known}| >= l``. Values are told apart by spelling, as published.

    Parameters
    ----------
    l
        A whole number from 2.
    on
        The sensitive column. It may not be a quasi-identifier as well.
    kind
        How values are counted: ``distinct``, the only kind so far.

    Guarantee
    ---------
    Whoever knows a person's quasi-identifiers, and nothing else, is left with at least l different values of the
    secret; where c people of a class pool their own rows, with at least l - c. It counts values and does not weigh
    them: it does not bound how likely one of them is, does not see that values mean much the same, and does not
    withstand knowledge that rules values out. Where a person has several rows, all l values may be that person's:
    demand k-anonymity beside it. It does not protect against a second release of the same rows.

    Raises
    ------
    OptionError
        l is not a whole number from 2, ``on`` is not a name, or ``kind`` is not known.

    References
    ----------
    Machanavajjhala, A., Kifer, D., Gehrke, J. & Venkitasubramaniam, M. (2007). l-diversity: privacy beyond
    k-anonymity.

    Examples
    --------
    >>> import celosia as cl
    >>> wards = pl.DataFrame({"age": [30, 31, 70, 71], "ill": ["flu", "cold", "flu", None]})
    >>> table = cl.Table(wards, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    >>> LDiversity(2, on="ill").broken(Classes([0, 0, 1, 1]), table).tolist()
    [1]
    """

    l: int  # noqa: E741 - the name of the model's parameter
    on: str
    kind: Literal["distinct"] = "distinct"
    name: ClassVar[str] = "l_diversity"

    def __post_init__(self) -> None:
        if isinstance(self.l, bool) or not isinstance(self.l, Integral) or self.l < 2:
            raise OptionError(
                "l must be a whole number from 2.", hint="l = 1 lets a whole class share one secret; 2 to 5 is usual."
            )
        if not isinstance(self.on, str) or not self.on:
            raise OptionError(
                "on must be the name of a sensitive column.", hint="write {l_diversity: {l: 3, on: diagnosis}}."
            )
        if self.kind != "distinct":
            raise OptionError(
                "the kind of l_diversity must be 'distinct'.", hint="entropy and recursive are not offered yet."
            )
        object.__setattr__(self, "l", int(self.l))

    @property
    def smallest_class(self) -> int:
        """The least number of people a class may have: 1, since values are counted and not people."""
        # l values need l rows, but with a subject column one person's rows may hold them all: l would shut out classes
        # that satisfy the model.
        return 1

    def check_reachable(self, table: Table) -> None:
        """Raise ``UnreachableError`` if the rows that can be published hold fewer than l distinct known values.

        One class of all rows holds every value, so that this is the only bar.
        """
        codes = self._codes(table)[~table.unplaced]
        n_values = len(np.unique(codes[codes >= 0]))
        if n_values < self.l:
            raise UnreachableError(
                f"distinct {self.l}-diversity needs at least {self.l} different known values of '{self.on}'; the rows "
                f"of {table.name} that can be published hold {n_values}.",
                hint=f"l = {n_values} is the most that these rows can meet. Nothing was written."
                if n_values >= 2
                else "no l can be met on this column: drop the demand, or gather more rows. Nothing was written.",
                about="models",
            )

    def n_values(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return how many distinct known values of the secret each class holds."""
        codes = self._codes(table)
        holds_missing = np.zeros(classes.n_classes, dtype=np.bool_)
        holds_missing[classes.labels[(codes < 0) & ~classes.suppressed]] = True
        return classes.distinct(codes) - holds_missing

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes with fewer than l distinct known values."""
        return np.flatnonzero(self.n_values(classes, table) < self.l)

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Tell the kernels what a class of these rows must hold."""
        demands.add_distinct(self._codes(table)[rows], self.l)

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"l": l, "on": on, "kind": kind}``."""
        return {"l": self.l, "on": self.on, "kind": self.kind}

    def _codes(self, table: Table) -> NDArray[np.int32]:
        """Return a code per row for its secret as it will be spelt, -1 where it is missing."""
        self._check_column(table)
        column = table.frame[self.on]
        texts = column if column.dtype == pl.String else cleaned(as_text(column))[0]  # a table's texts are clean
        return np.ascontiguousarray(codes_of(texts)[0], dtype=np.int32)

    def _check_column(self, table: Table) -> None:
        schema = table.schema
        if self.on not in table.frame.columns:
            raise ColumnNotFoundError(
                f"l_diversity names '{self.on}', which is not a column of {table.name} "
                f"({table.frame.width} columns after masks).",
                hint=nearest(self.on, schema.sensitive) if schema.sensitive else "no column is declared sensitive.",
                about="models",
            )
        if self.on not in schema.sensitive:
            known = f"the sensitive columns are {', '.join(schema.sensitive)}; " if schema.sensitive else ""
            role = " and ".join(sorted(schema.roles(self.on))).replace("_", "-") or "none"
            raise InputError(
                f"l_diversity names '{self.on}', whose role is {role}, not sensitive.",
                hint=f"{known}if '{self.on}' holds a secret, declare it sensitive.",
                about=self.on,
            )
        if self.on in schema.quasi_identifiers:
            raise InputError(
                f"l_diversity names '{self.on}', which is also a quasi-identifier: a class publishes one value of it.",
                hint=f"take '{self.on}' off the quasi-identifiers, or demand diversity of another secret.",
                about=self.on,
            )
