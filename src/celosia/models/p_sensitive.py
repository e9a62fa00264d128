"""p-sensitive k-anonymity: every class holds at least p different secrets, or secrets of p different groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import OptionError, UnreachableError
from celosia.base.numbers import whole_number
from celosia.data.classes import Classes
from celosia.data.hierarchies import Tree
from celosia.data.schema import Table
from celosia.models.base import Monotone
from celosia.models.secrets import AboutSecret, leaf_places, n_distinct


@dataclass(frozen=True)
class PSensitive(AboutSecret):
    """Every class holds at least p distinct known values of a sensitive column, or p labels at a level of its tree.

    It holds just if ``min_j |{label(s) : s in class j, s known}| >= p``. Without a hierarchy a value is its own label
    and the model counts like distinct l-diversity; with one it also sees that values mean much the same (the extended
    form). This is the part about the secret: demand ``KAnonymity(k)`` beside it for the k.

    Parameters
    ----------
    p
        A whole number from 2.
    on
        The sensitive column. One that is a quasi-identifier as well is judged over the others.
    hierarchy
        A tree whose leaves are the secrets; every known value of the column must be one.
    level
        The level of the tree at which labels must differ: 0 for the values themselves, 1 for the labels above them,
        and so on, below the root. It goes with ``hierarchy``.

    Guarantee
    ---------
    Whoever knows a person's quasi-identifiers, and nothing else, is left with at least p values of the secret, of p
    different groups where a level is given; where c people of a class pool their own rows, with at least p - c. It
    does not bound how likely one of them is, does not see nearness that the tree does not show, and does not
    withstand knowledge that rules values out. Where a person has several rows, all p values may be that person's:
    demand k-anonymity beside it. It does not protect against a second release of the same rows.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.

    References
    ----------
    Truta, T. M. & Vinay, B. (2006). Privacy protection: p-sensitive k-anonymity property.
    Campan, A., Truta, T. M. & Cooper, N. (2010). P-sensitive k-anonymity with generalization constraints.

    Examples
    --------
    >>> import celosia as cl
    >>> import polars as pl
    >>> wards = pl.DataFrame({"age": [30, 31, 70, 71], "ill": ["flu", "cold", "flu", "cancer"]})
    >>> table = cl.Table(wards, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    >>> PSensitive(2, on="ill").broken(Classes([0, 0, 1, 1]), table).tolist()
    []
    >>> harm = cl.Tree([["flu", "mild"], ["cold", "mild"], ["cancer", "grave"]])
    >>> PSensitive(2, on="ill", hierarchy=harm, level=1).broken(Classes([0, 0, 1, 1]), table).tolist()
    [0]
    """

    p: int
    on: str
    hierarchy: Tree | None = None
    level: int | None = None
    name: ClassVar[str] = "p_sensitive"
    monotone: ClassVar[Monotone] = Monotone(generalising=True, merging=True, suppressing=True)
    """More rows never hold fewer values."""

    def __post_init__(self) -> None:
        self.settle_whole("p", least=2, hint="p = 1 lets a whole class share one secret; 2 to 5 is usual.")
        self.check_on("{p_sensitive: {p: 2, on: diagnosis}}")
        self._check_level()

    def _check_level(self) -> None:
        if self.hierarchy is None:
            if self.level is not None:
                raise OptionError(
                    "level needs a hierarchy.", hint="give the tree of the secrets as well.", about="level"
                )
            return
        if not isinstance(self.hierarchy, Tree):
            raise OptionError(
                "the hierarchy of p_sensitive must be a Tree.",
                hint="write hierarchy=Tree.read_csv(file).",
                about="hierarchy",
            )
        level, n_levels = whole_number(self.level), len(self.hierarchy.rows[0]) - 1
        if level is None or not 0 <= level < n_levels:
            raise OptionError(
                f"level must be a whole number from 0 to {n_levels - 1} for this hierarchy.",
                hint="0 are the values themselves; the root, one label for all, parts nobody.",
                about="level",
            )
        object.__setattr__(self, "level", level)

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Raise ``UnreachableError`` if the rows that can be published hold fewer than p distinct labels.

        One class of all rows holds every value, so that this is the only bar; suppressing rows does not help.
        """
        n_labels = len(self._frequencies(table))
        if n_labels < self.p:
            what = "different known values" if not self.level else f"different labels at level {self.level}"
            raise UnreachableError(
                f"{self.p}-sensitivity needs at least {self.p} {what} of '{self.on}'; the rows of {table.name} that "
                f"can be published hold {n_labels}.",
                hint=f"p = {n_labels} is the most that these rows can meet. Nothing was written."
                if n_labels >= 2
                else "no p can be met on this column: drop the demand, or gather more rows. Nothing was written.",
                about="models",
            )

    def most_classes(self, table: Table) -> int:
        """Return a number of classes that no grouping of the rows can exceed.

        ``min_{i = 1 .. p - 1} floor((n - cf_{p - i}) / i)``, where n rows have a known value and cf_h of them one of
        the h most frequent: a class needs i values beyond the p - i most frequent ones, so i rows of those left.

        Examples
        --------
        >>> import celosia as cl
        >>> import polars as pl
        >>> wards = pl.DataFrame({"age": range(9), "ill": ["flu"] * 6 + ["cold", "cold", "hiv"]})
        >>> table = cl.Table(wards, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
        >>> PSensitive(2, on="ill").most_classes(table), PSensitive(3, on="ill").most_classes(table)
        (3, 1)
        """
        cumulated: list[int] = np.cumsum(np.sort(self._frequencies(table))[::-1]).tolist()
        if len(cumulated) < self.p:
            return 0
        return min((cumulated[-1] - cumulated[self.p - i - 1]) // i for i in range(1, self.p))

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand p distinct labels of a class."""
        demands.add_distinct(np.ascontiguousarray(self._labels(table)[rows]), self.p)

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes with fewer than p distinct labels of the secret."""
        return np.flatnonzero(n_distinct(classes, self._labels(table)) < self.p)

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"p": p, "on": on}``, and the level where there is one; never the hierarchy."""
        return {"p": self.p, "on": self.on} | ({} if self.level is None else {"level": self.level})

    def evidence(self) -> dict[str, Any]:
        """Return what a verifier needs besides the release: each leaf's labels, the lowest first, the root last."""
        rows = None if self.hierarchy is None else {row[0]: list(row[1:]) for row in self.hierarchy.rows}
        return {"population": None, "hierarchy": rows}

    def _labels(self, table: Table) -> NDArray[np.int32]:
        """Return a code per row for the label of its secret, -1 where it is missing."""
        secret = self.secret(table)
        if self.hierarchy is None or self.level is None:
            return secret.known
        rows = self.hierarchy.rows
        labels = [rows[place][self.level] for place in leaf_places(secret, self.hierarchy, self.on).tolist()]
        number = {label: position for position, label in enumerate(dict.fromkeys(labels))}
        code_of = np.array([*(number[label] for label in labels), -1], dtype=np.int32)  # -1, missing, takes the last
        return code_of[secret.known]

    def _frequencies(self, table: Table) -> NDArray[np.int64]:
        """Return how many publishable rows hold each label that any of them holds."""
        codes = self._labels(table)[~table.unplaced]
        counts = np.bincount(codes[codes >= 0])
        return counts[counts > 0]
