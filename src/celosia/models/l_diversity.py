"""l-diversity: every class holds at least l different secrets, so that finding a class does not tell the secret."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import OptionError, UnreachableError
from celosia.base.numbers import plain_number
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.models.base import Monotone
from celosia.models.exact import NEAR, entropy_reaches, exact_number, excess
from celosia.models.secrets import AboutSecret, Histograms, n_distinct, water_level


@dataclass(frozen=True)
class LDiversity(AboutSecret):
    """Every class holds at least l different secrets, told apart by spelling, as published.

    ``distinct`` holds just if ``min_j |{s : s in class j, s known}| >= l``. ``entropy`` holds just if
    ``min_j -sum_s q_js ln q_js >= ln l``, where q_js is the share of the value s in class j. ``recursive`` holds just
    if ``r_1 < c (r_l + r_{l+1} + ... + r_m)`` (strictly) in every class, where r_1 >= r_2 >= ... >= r_m say how many
    of its rows hold each of its m values. A missing secret does not count as one of the distinct values; it is a value
    of its own for the other two kinds.

    Parameters
    ----------
    l
        A whole number from 2; for ``entropy`` any number above 1, such as 2.5.
    on
        The sensitive column. One that is a quasi-identifier as well is judged over the others.
    kind
        How values are counted: ``distinct``, ``entropy`` or ``recursive``.
    c
        A number above 0, for ``recursive`` only: how many times as frequent as the rare values together the most
        frequent one may almost be.

    Guarantee
    ---------
    Whoever knows a person's quasi-identifiers, and nothing else, is left with at least l different values of the
    secret; where c people of a class pool their own rows, with at least l - c. ``distinct`` counts values and does not
    weigh them: it does not bound how likely one of them is. ``entropy`` leaves as much doubt as l equally likely values
    would. With ``recursive`` the most likely value stays below c / (c + 1), and still does once an attacker has ruled
    out up to l - 2 other values. No kind sees that values mean much the same. Where a person has several rows, all l
    values may be that person's: demand k-anonymity beside it. It does not protect against a second release of the same
    rows.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.

    References
    ----------
    Machanavajjhala, A., Kifer, D., Gehrke, J. & Venkitasubramaniam, M. (2007). l-diversity: privacy beyond
    k-anonymity.

    Examples
    --------
    >>> import celosia as cl
    >>> import polars as pl
    >>> wards = pl.DataFrame({"age": [30, 31, 70, 71], "ill": ["flu", "cold", "flu", None]})
    >>> table = cl.Table(wards, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    >>> LDiversity(2, on="ill").broken(Classes([0, 0, 1, 1]), table).tolist()
    [1]
    >>> LDiversity(2.8, on="ill", kind="entropy").broken(Classes([0, 0, 0, 0]), table).tolist()
    []
    """

    l: float  # noqa: E741 - the name of the model's parameter
    on: str
    kind: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: float | None = None
    name: ClassVar[str] = "l_diversity"

    def __post_init__(self) -> None:
        self.check_one_of(
            "kind", ["distinct", "entropy", "recursive"], "distinct counts values, entropy and recursive weigh them."
        )
        if self.kind == "entropy":
            self.settle_number("l", above=1, hint="l = 1 lets a whole class share one secret; 1.5 to 4 is usual.")
        else:
            self.settle_whole("l", least=2, hint="l = 1 lets a whole class share one secret; 2 to 5 is usual.")
        self.check_on("{l_diversity: {l: 3, on: diagnosis}}")
        if self.kind == "recursive":
            c = plain_number(self.c)
            if c is None or not c > 0:
                raise OptionError(
                    "recursive l_diversity needs c, a number above 0.",
                    hint="c = 1 keeps the most frequent value below what the rare ones have together.",
                    about="c",
                )
            object.__setattr__(self, "c", c)
        elif self.c is not None:
            raise OptionError(f"{self.kind} l_diversity takes no c.", hint="c belongs to kind: recursive.", about="c")

    @property
    def monotone(self) -> Monotone:
        """A united class has no fewer values and is no less even than its parts; a broken part may make it uneven."""
        return Monotone(generalising=True, merging=self.kind == "distinct", suppressing=True)

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Raise ``UnreachableError`` if even one class of all rows that can be published is not diverse enough.

        Uniting classes never breaks the model, so that this is the only bar. Of the ``n_spare`` rows that may go, the
        best are those of the most frequent values.
        """
        secret = self.secret(table)
        codes = (secret.known if self.kind == "distinct" else secret.codes)[~table.unplaced]
        counts = np.bincount(codes[codes >= 0])
        counts = counts[counts > 0]
        if self.kind == "entropy":
            self._check_entropy(counts, n_spare)
        elif len(counts) < self.l:
            self._refuse_few(len(counts), table)
        elif self.kind == "recursive":
            self._check_recursive(counts, n_spare)

    def n_values(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return how many distinct known values of the secret each class holds."""
        return n_distinct(classes, self.secret(table).known)

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes that are not diverse enough."""
        if self.kind == "distinct":
            return np.flatnonzero(self.n_values(classes, table) < self.l)
        found = self.histograms(classes, table)
        return np.flatnonzero(self._uneven(found) if self.kind == "entropy" else self._top_heavy(found))

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Tell the kernels what a class of these rows must hold."""
        secret = self.secret(table)
        if self.kind == "distinct":
            demands.add_distinct(np.ascontiguousarray(secret.known[rows]), int(self.l))
            return
        codes = np.ascontiguousarray(secret.codes[rows])
        if self.kind == "entropy":
            demands.add_entropy(codes, secret.n_codes, math.log(self.l))
        elif self.c is not None:
            demands.add_recursive(codes, secret.n_codes, float(self.c), int(self.l))

    def _uneven(self, found: Histograms) -> NDArray[np.bool_]:
        """Whether the entropy of each class is below ln l."""
        counts, sizes, bound = found.counts, found.sizes, math.log(self.l)
        if not len(sizes):
            return np.zeros(0, dtype=np.bool_)
        ends = np.append(found.starts[1:], len(counts))
        n_held = ends - found.starts
        # Classes as even as can be stand exactly at a whole l, often many of them: their values are simply counted.
        even = np.maximum.reduceat(counts, found.starts) * n_held == sizes
        too_few = excess(n_held, np.ones_like(n_held), exact_number(self.l)) < 0
        entropies = np.log(sizes) - found.summed(counts * np.log(counts)) / sizes
        uneven = np.where(even, too_few, entropies < bound)
        for label in np.flatnonzero(~even & (np.abs(entropies - bound) <= NEAR)).tolist():
            own = np.sort(counts[found.starts[label] : ends[label]])
            uneven[label] = not entropy_reaches(tuple(own.tolist()), exact_number(self.l))
        return uneven

    def _top_heavy(self, found: Histograms) -> NDArray[np.bool_]:
        """Whether the most frequent value of each class has at least c times the rows of the l-th and rarer ones."""
        assert self.c is not None
        highest = int(found.counts.max(initial=0))
        falling = highest - np.sort(found.labels * (highest + 1) + highest - found.counts) % (highest + 1)
        places = np.arange(len(falling)) - found.starts[found.labels]
        rare = found.summed(np.where(places >= self.l - 1, falling, 0))
        return np.asarray(excess(falling[found.starts], rare, exact_number(self.c)) >= 0)

    def _check_entropy(self, counts: NDArray[np.int64], n_spare: int) -> None:
        best = 0.0
        for case in _evenest(counts, n_spare):
            size = int(case.sum())
            reached = math.log(size) - float((case * np.log(case)).sum()) / size
            best = max(best, reached)
            if reached - math.log(self.l) > NEAR:
                return
            if reached - math.log(self.l) >= -NEAR and entropy_reaches(
                tuple(np.sort(case).tolist()), exact_number(self.l)
            ):
                return
        most = math.floor((math.exp(best) + NEAR) * 1000) / 1000
        gone = f" once {n_spare} rows are suppressed in the best way" if n_spare else ""
        raise UnreachableError(
            f"entropy {self.l:g}-diversity needs a table whose entropy is at least ln {self.l:g}; that of '{self.on}' "
            f"allows at most l = {most:g}{gone}.",
            hint=f"l = {most:g} is the most that these rows can meet. Nothing was written."
            if most > 1
            else "no l can be met on this column: drop the demand, or gather more rows. Nothing was written.",
            about="models",
        )

    def _check_recursive(self, counts: NDArray[np.int64], n_spare: int) -> None:
        assert self.c is not None
        # The lower the highest count, the less it outweighs the rare values: they lose rows last.
        level = water_level(counts, n_spare, lowest=1)
        falling = np.sort(np.minimum(counts, level))[::-1]
        first, rare = int(falling[0]), int(falling[int(self.l) - 1 :].sum())
        if first < exact_number(self.c) * rare:
            return
        gone = f" once {n_spare} rows are suppressed in the best way" if n_spare else ""
        raise UnreachableError(
            f"recursive ({self.c:g}, {self.l})-diversity needs the most frequent value of '{self.on}' to have fewer "
            f"than {self.c:g} times the rows of the rare ones together; it has {first} and they have {rare}{gone}.",
            hint=f"with l = {self.l}, c must be above {first / rare:.4g}. Nothing was written.",
            about="models",
        )

    def _refuse_few(self, n_values: int, table: Table) -> None:
        known = "known " if self.kind == "distinct" else ""
        raise UnreachableError(
            f"{self.kind} {self.l}-diversity needs at least {self.l} different {known}values of '{self.on}'; the rows "
            f"of {table.name} that can be published hold {n_values}.",
            hint=f"l = {n_values} is the most that these rows can meet. Nothing was written."
            if n_values >= 2
            else "no l can be met on this column: drop the demand, or gather more rows. Nothing was written.",
            about="models",
        )


def _evenest(counts: NDArray[np.int64], n_spare: int) -> Iterator[NDArray[np.int64]]:
    """Yield the counts of highest entropy that positive counts can become when at most ``n_spare`` rows go.

    For any number of rows that go, those of the highest counts are the best. Sinking all of them to one level always
    raises the entropy. Between two levels it falls first and rises then, so that only the last level reached and the
    very last row that may go are to be looked at.
    """
    if not len(counts):
        return
    level = water_level(counts, n_spare, lowest=1)
    sunk = np.minimum(counts, level)
    yield sunk
    n_left = min(n_spare - int((counts - sunk).sum()), int(np.count_nonzero(sunk == level)))
    if n_left and level > 1:
        lower = sunk.copy()
        lower[np.flatnonzero(sunk == level)[:n_left]] -= 1
        yield lower
