"""t-closeness: the secrets of every class are spread nearly as those of the whole release.

How far classes are is reckoned in whole numbers: the earth mover's distance of each class times its size times the
number of published rows (and times a number of the ground distance), so that a threshold is met exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import InputError, OptionError
from celosia.base.numbers import plain_number
from celosia.data.classes import Classes
from celosia.data.hierarchies import Order, Tree
from celosia.data.io.numbers import parse_numbers
from celosia.data.schema import Table
from celosia.models.base import Monotone
from celosia.models.exact import NEAR, exact_number, excess
from celosia.models.secrets import AboutSecret, Histograms, Secret, leaf_places, numbered

_WIDEST = 2**63


def beyond_equal(found: Histograms, bound: Fraction) -> NDArray[np.bool_]:
    """Whether each class is farther than the bound where all values are equally far apart: ``sum |q - p| / 2``.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> found = Histograms.of(Classes([0, 0, 1, 1]), np.array([0, 0, 0, 1]), 2)
    >>> beyond_equal(found, Fraction(1, 4)).tolist(), beyond_equal(found, Fraction("0.24")).tolist()
    ([False, False], [True, True])
    """
    return excess(_moved(found), found.sizes * found.n_rows, bound) > 0


def beyond_tree(found: Histograms, levels: Sequence[NDArray[np.integer]], bound: Fraction) -> NDArray[np.bool_]:
    """Whether each class is farther than the bound where values are as far apart as their lowest common node is high.

    Moving a row up to the height h of the root costs 1/h at each level. A row must leave its node at a level just if
    the node has more than its share: the distance is the mean of the equal distances over the levels below the root.

    Parameters
    ----------
    levels
        For each level below the root the node of each value, numbered from 0, ascending with the values.
    """
    moved = np.zeros(len(found.sizes), dtype=np.int64)
    for nodes in levels:
        moved += _moved(found.grouped(nodes))
    return excess(moved, found.sizes * found.n_rows * len(levels), bound) > 0


def beyond_line(found: Histograms, gaps: NDArray[Any], bound: Fraction) -> NDArray[np.bool_]:
    """Whether each class is farther than the bound on a line: ``sum_i gap_i |sum_{h <= i} (q_h - p_h)| / length``.

    Parameters
    ----------
    found
        Histograms in which each value stands in some row; values are ranks on the line.
    gaps
        The way from each value to the next, whole numbers above 0 (``int64``, or Python's where those are too short).

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> found = Histograms.of(Classes([0, 0, 0, 1, 2, 1, 2, 2, 1]), np.arange(9), 9)
    >>> beyond_line(found, np.ones(8, dtype=np.int64), Fraction("0.3")).tolist()
    [True, False, False]
    """
    length = sum(gaps.tolist())
    if not length:
        return np.zeros(len(found.sizes), dtype=np.bool_)
    if 4 * int(found.sizes.max(initial=0)) * found.n_rows * length < _WIDEST:
        return excess(_carried(found, gaps, np.int64), found.sizes * (found.n_rows * length), bound) > 0
    distances = _carried(found, gaps / length, np.float64) / (found.sizes * float(found.n_rows))
    beyond: NDArray[np.bool_] = distances > float(bound)
    near = np.flatnonzero(np.abs(distances - float(bound)) <= NEAR)
    if len(near):
        carried = _carried(found.only(near), gaps, object)
        beyond[near] = excess(carried, found.sizes[near].astype(object) * (found.n_rows * length), bound) > 0
    return beyond


def _moved(found: Histograms) -> NDArray[np.int64]:
    """Return the share of rows that must change their value, times size times rows: what values have too much."""
    surplus = found.counts * found.n_rows - found.totals[found.values] * found.sizes[found.labels]
    return found.summed(np.maximum(surplus, 0))


def _carried(found: Histograms, gaps: NDArray[Any], dtype: type) -> NDArray[Any]:
    """Return ``sum_i gap_i |n C_i - f R_i|`` per class, C and R being cumulated counts of the class and of all n rows.

    From one value of a class to the next C stays and R grows, so that the sum over this stretch follows from sums from
    the start (``walked`` of the gaps, ``weighed`` of gap times R) at its ends and where n C - f R changes its sign: no
    table of classes by values is needed.
    """
    n_rows = found.n_rows
    cumulated = np.cumsum(found.totals)
    zero: NDArray[Any] = np.zeros(1, dtype=dtype)
    walked = np.concatenate([zero, np.cumsum(gaps.astype(dtype))])
    weighed = np.concatenate([zero, np.cumsum(gaps.astype(dtype) * cumulated[:-1].astype(dtype))])
    owner = np.repeat(np.arange(len(found.starts)), np.diff(found.starts, append=len(found.counts)))
    sizes = found.sizes[owner]
    within = np.cumsum(found.counts)
    held = within - (within[found.starts] - found.counts[found.starts])[owner]
    here = found.values
    following = np.append(here[1:], len(cumulated) - 1)
    following[found.starts[1:] - 1] = len(cumulated) - 1
    turn = np.clip(np.searchsorted(cumulated, -(-held * n_rows // sizes)), here, following)
    stretch = (held * n_rows).astype(dtype) * (2 * walked[turn] - walked[here] - walked[following])
    stretch = stretch + sizes.astype(dtype) * (weighed[here] + weighed[following] - 2 * weighed[turn])
    before = found.sizes.astype(dtype) * weighed[here[found.starts]]
    return np.asarray(found.summed(stretch) + before)


_MOST_DECIMALS = 9

_SURE = 10**15
"""A number of at most 15 digits is the one that the shortest text of its double spells."""


@dataclass(frozen=True)
class TCloseness(AboutSecret):
    """The distribution of a sensitive column in every class is within t of that in the whole release.

    It holds just if ``max_j EMD(q_j, p) <= t``: the earth mover's distance between the shares q_j of the values in
    class j and the shares p in all published rows, where moving a row from one value to another costs a ground distance
    in [0, 1]. A missing secret is a value of its own. With one value only every distance is 0.

    Parameters
    ----------
    t
        A number from 0 to 1, 1 excluded.
    on
        The sensitive column. One that is a quasi-identifier as well is judged over the others.
    distance
        ``equal``: all values are equally far apart, ``EMD = sum_s |q_s - p_s| / 2``. ``ordered``: m values in order are
        ranks, ``EMD = sum_{i < m} |sum_{h <= i} (q_h - p_h)| / (m - 1)``; numbers are ordered by size (and told apart
        by it), other values by their text, missing comes first, and only published values count. ``numeric``: numbers
        by their difference over the range of the published ones, ``EMD = integral |Q - P| dx / (max - min)``.
        ``hierarchical``: values are as far apart as their lowest common node is high, ``height / H``, where leaves have
        height 0, a node the longest way down to a leaf (one step per column of the tree), and the root H; missing is a
        leaf directly under the root.
    hierarchy
        A tree for ``hierarchical``; for ``ordered`` an order that gives the ranks.

    Guarantee
    ---------
    Whoever knows the distribution of the secret in the release and a person's quasi-identifiers, and nothing else,
    learns from the class a distribution at most t away from what they knew. With equal distance no probability changes
    by more than t. It bounds a sum of small gains and not the gain for one rare value: a value of share 0.001 may rise
    to 0.001 + t. It takes the distribution of the whole release for public, and does not protect against a second
    release of the same rows. Where a person has several rows, shares are of rows, not of people.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.

    References
    ----------
    Li, N., Li, T. & Venkatasubramanian, S. (2007). t-closeness: privacy beyond k-anonymity and l-diversity.

    Examples
    --------
    >>> import celosia as cl
    >>> import polars as pl
    >>> pay = pl.DataFrame({"age": range(9), "pay": [3, 4, 5, 6, 8, 11, 7, 9, 10]})
    >>> table = cl.Table(pay, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["pay"]))
    >>> classes = Classes([0, 0, 0, 1, 1, 1, 2, 2, 2])
    >>> [TCloseness(t, on="pay", distance="ordered").broken(classes, table).tolist() for t in (0.3, 0.375)]
    [[0], []]
    """

    t: float
    on: str
    distance: Literal["equal", "ordered", "numeric", "hierarchical"] = "equal"
    hierarchy: Tree | Order | None = None
    name: ClassVar[str] = "t_closeness"
    monotone: ClassVar[Monotone] = Monotone(generalising=True, merging=False, suppressing=False)
    """A united class is no farther than the farthest of its parts; suppressing moves what it is compared with."""

    def __post_init__(self) -> None:
        t = plain_number(self.t)
        if t is None or not 0 <= t < 1:
            raise OptionError(
                "t must be a number from 0 to 1, 1 excluded.",
                hint="0.2 is usual; 1 would allow any distribution.",
                about="t",
            )
        object.__setattr__(self, "t", t)
        self.check_on("{t_closeness: {t: 0.2, on: diagnosis}}")
        self.check_one_of(
            "distance",
            ["equal", "ordered", "numeric", "hierarchical"],
            "equal suits categories, ordered and numeric suit numbers.",
        )
        self._check_hierarchy()

    def _check_hierarchy(self) -> None:
        if self.distance == "hierarchical" and not isinstance(self.hierarchy, Tree):
            raise OptionError(
                "the hierarchical distance needs a Tree as its hierarchy.",
                hint="write hierarchy=Tree.read_csv(file).",
                about="hierarchy",
            )
        if self.hierarchy is None:
            return
        if self.distance not in ("ordered", "hierarchical"):
            raise OptionError(
                f"the {self.distance} distance takes no hierarchy.",
                hint="leave it out, or choose another distance.",
                about="hierarchy",
            )
        if self.distance == "ordered" and not isinstance(self.hierarchy, Order):
            raise OptionError(
                "the ordered distance takes an Order as its hierarchy, which says the ranks; a tree does not.",
                hint="write hierarchy=Order([...]) with the values from the lowest to the highest.",
                about="hierarchy",
            )

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Check the column; one class of all rows always satisfies the model.

        Raises
        ------
        HierarchyError
            A value is no leaf of the hierarchy.
        InputError
            The distance is numeric and a value is missing or no number.
        """
        if self.distance == "equal":
            self.secret(table)
        elif self.distance == "hierarchical":
            self._leaves(table)
        else:
            self._line(table)

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand a distance of at most t from the distribution of the rows given."""
        if self.distance == "equal":
            own, reference, _ = numbered(self.secret(table).codes[rows])
            if len(reference) > 1:
                demands.add_equal_distance(own, reference, float(self.t))
        elif self.distance == "hierarchical":
            codes, levels = self._leaves(table)
            own, reference, present = numbered(codes[rows])
            if len(reference) > 1:
                demands.add_tree_distance(own, reference, *_nodes(levels, present), float(self.t))
        else:
            codes, places = self._line(table)
            own, reference, present = numbered(codes[rows])
            gaps = self._gaps(places[present])
            if len(gaps):
                steps = np.ascontiguousarray(gaps / sum(gaps.tolist()), dtype=np.float64)
                demands.add_line_distance(own, reference, steps, float(self.t))

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes that are farther than t from all published rows."""
        t = exact_number(self.t)
        if self.distance == "equal":
            beyond = beyond_equal(self.histograms(classes, table), t)
        elif self.distance == "hierarchical":
            codes, levels = self._leaves(table)
            beyond = beyond_tree(Histograms.of(classes, codes, len(levels[0])), levels, t)
        else:
            codes, places = self._line(table)
            found = Histograms.of(classes, codes, len(places))
            beyond = beyond_line(found.without_absent(), self._gaps(places[found.totals > 0]), t)
        return np.flatnonzero(beyond)

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"t": t, "on": on, "distance": distance}``; never the hierarchy, only that ``ordered`` has one."""
        ranked = {"hierarchy": True} if self.distance == "ordered" and self.hierarchy is not None else {}
        return {"t": self.t, "on": self.on, "distance": self.distance} | ranked

    def evidence(self) -> dict[str, Any]:
        """Return what a verifier needs besides the release: each leaf's labels, the lowest first, the root last.

        Leaves come in the order of their ranks.
        """
        if self.hierarchy is None:
            rows = None
        elif isinstance(self.hierarchy, Tree):
            rows = {row[0]: list(row[1:]) for row in self.hierarchy.rows}
        else:
            rows = {value: ["*"] for value in self.hierarchy.values}
        return {"population": None, "hierarchy": rows}

    def _leaves(self, table: Table) -> tuple[NDArray[np.int32], list[NDArray[np.int64]]]:
        """Return a code per row in the order of the leaves, missing first, and each code's node at each level."""
        secret = self.secret(table)
        assert isinstance(self.hierarchy, Tree)
        order, codes = _reordered(secret, leaf_places(secret, self.hierarchy, self.on))
        rows = [self.hierarchy.rows[place] for place in order.tolist()]
        n_missing = 1 if secret.n_missing else 0
        levels = []
        for level in range(len(self.hierarchy.rows[0]) - 1):
            labels = [row[level] for row in rows]
            is_new = [label != before for label, before in zip(labels[1:], labels[:-1], strict=True)]
            nodes = np.cumsum([n_missing, *is_new]) if rows else np.zeros(0, dtype=np.int64)
            levels.append(np.concatenate([np.zeros(n_missing, dtype=np.int64), nodes]))
        return codes, levels

    def _line(self, table: Table) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Return a rank per row, missing first, and the place of each rank on the line."""
        secret = self.secret(table)
        if self.hierarchy is not None:
            _, codes = _reordered(secret, leaf_places(secret, self.hierarchy, self.on))
            return codes, np.arange(secret.n_codes)
        mark = table.decimal if table.frame[self.on].dtype == pl.String else "."
        numbers, n_failed = parse_numbers(pl.Series(secret.values, dtype=pl.String), mark)
        if self.distance == "numeric":
            self._check_numbers(secret, numbers, n_failed)
        elif n_failed:
            return secret.codes, np.arange(secret.n_codes)
        places, ranks = np.unique(_whole(numbers), return_inverse=True)
        shift = 1 if secret.n_missing else 0
        rank_of = np.append(ranks + shift, 0).astype(np.int32)  # -1, missing, takes the last
        return rank_of[secret.known], places if self.distance == "numeric" else np.arange(len(places) + shift)

    def _gaps(self, places: NDArray[Any]) -> NDArray[Any]:
        """Return the way from each published value to the next."""
        return np.diff(places) if self.distance == "numeric" else np.ones(max(len(places) - 1, 0), dtype=np.int64)

    def _check_numbers(self, secret: Secret, numbers: pl.Series, n_failed: int) -> None:
        is_text = np.append(numbers.is_null().to_numpy(), False)  # -1, missing, takes the last
        n_texts = int(np.count_nonzero(is_text[secret.known])) if n_failed else 0
        if secret.n_missing or n_texts:
            raise InputError(
                f"the numeric distance needs a number in every row of '{self.on}'; {secret.n_missing} of "
                f"{len(secret.known)} rows have no value, {n_texts} one that is no number.",
                hint="choose distance: ordered or equal, which take any value.",
                about=self.on,
            )


def _reordered(secret: Secret, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the places of the values in ascending order, and a code per row in this order, missing first."""
    order = np.argsort(places)
    rank_of = np.empty(len(places) + 1, dtype=np.int32)
    rank_of[order] = np.arange(len(places)) + (1 if secret.n_missing else 0)
    rank_of[-1] = 0  # -1, missing, takes the last
    return places[order], rank_of[secret.known]


def _whole(numbers: pl.Series) -> NDArray[Any]:
    """Return numbers as whole multiples of one unit: of the last decimal in use, as their shortest texts spell them."""
    found: NDArray[Any] = numbers.to_numpy()
    if numbers.dtype.is_integer() or numbers.dtype == pl.Null:
        spread = int(found.max(initial=0)) - int(found.min(initial=0)) if len(found) else 0
        return found.astype(np.int64) if spread < 2**62 else found.astype(object)
    highest = float(np.abs(found).max(initial=0))
    for unit in (10**decimals for decimals in range(_MOST_DECIMALS + 1)):
        if highest * unit >= _SURE:
            break
        scaled = np.rint(found * unit)
        if np.array_equal(scaled / unit, found):
            return np.asarray(scaled, dtype=np.int64)
    exact = [Fraction(str(number)) for number in found.tolist()]
    unit = math.lcm(*(number.denominator for number in exact))
    return np.array([int(number * unit) for number in exact], dtype=object)


def _nodes(
    levels: list[NDArray[np.int64]], present: NDArray[np.integer]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return parent and weight of each node: the codes present, then what is above them level by level, the root last.

    Missing has a node of its own on every level, which costs nothing to pass: as good as a leaf under the root.
    """
    height = len(levels)
    below = np.arange(len(present))
    parents: list[NDArray[np.int64]] = []
    weights = [np.zeros(len(present))]
    first = len(present)
    for level in range(1, height):
        kept, nodes = np.unique(levels[level][present], return_inverse=True)
        parent = np.zeros(int(below.max()) + 1, dtype=np.int64)
        parent[below] = nodes
        parents.append(parent + first)
        weights.append(np.full(len(kept), level / height))
        below, first = nodes, first + len(kept)
    parents.append(np.full(int(below.max()) + 1, first, dtype=np.int64))
    parents.append(np.array([-1]))
    weights.append(np.ones(1))
    return np.concatenate(parents).astype(np.int32), np.concatenate(weights)
