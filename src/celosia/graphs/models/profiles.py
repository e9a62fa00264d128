"""How many known neighbours break the anonymity of each vertex: the search behind (k, l)-anonymity.

One and two known items are counted out. From three on the question is a partial hitting set, which is hard: the search
counts its steps, and what it could not settle is said, never passed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia.base.progress import Progress
from celosia.graphs.colours import watched
from celosia.graphs.models.holdings import KnownItems

CUT_OFF = -1
_FOUND, _CUT = 1, 2  # what the kernel answers

# A step is a look at one item of one candidate; two cores make some 4e8 a second.
_STEPS = 10_000_000_000  # for what the model asks
_STEPS_BEYOND = 500_000_000  # for what is only reported
_PAIRS_BEYOND = 2_000_000_000  # pairs of items to look at for what is only reported; most need no look
_STEPS_PER_ROW = 2_000  # at least


@dataclass(frozen=True, eq=False)
class Profile:
    """What was found, by vertex.

    Attributes
    ----------
    smallest
        The smallest l that leaves fewer than k candidates; 0 for none up to ``up_to``, -1 where the search was cut off.
    up_to
        How far was searched.
    breaking, undecided
        The vertices that the l asked for breaks, and those of which the search could not say.
    strongest_k, is_k_exact
        The fewest candidates that anybody has at the l asked for; otherwise a number that nobody goes below.
    strongest_l, is_l_exact
        The greatest l that leaves everybody k candidates; otherwise one that certainly does.
    """

    smallest: NDArray[np.int32]
    up_to: int
    breaking: NDArray[np.int64]
    undecided: NDArray[np.int64]
    strongest_k: int
    is_k_exact: bool
    strongest_l: int
    is_l_exact: bool


def profile_of(
    known: KnownItems, k: int, n_known: int, up_to: int, n_places: int, absence: bool, progress: Progress
) -> Profile:
    """Search sets of known items for every vertex: up to ``n_known`` (l) in any case, up to ``up_to`` if cheap.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.models.holdings import known_items
    >>> from celosia.base.progress import Quiet
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> known = known_items(path, absence=False, exclude_known=False, attributes=(), shown=Quiet())
    >>> found = profile_of(known, 2, 1, 1, 3, absence=False, progress=Quiet())
    >>> found.smallest, found.strongest_k
    (array([0, 1, 0], dtype=int32), 1)
    """
    search = _Search(known, k, min(n_known, n_places), n_places, absence, progress)
    search.run(min(max(n_known, up_to), n_places))
    return search.conclude()


class _Search:
    """One search. Arrays are by row: a vertex, or several equal ones."""

    def __init__(
        self, known: KnownItems, k: int, n_known: int, n_places: int, absence: bool, progress: Progress
    ) -> None:
        self._known, self._holdings, self._progress = known, known.holdings, progress
        self._k, self._l, self._n_places, self._absence = k, n_known, n_places, absence
        n_rows = len(known.weights)
        self._reached = 0
        self._fewest = 0  # candidates at the greatest l so far that is not above the one asked for
        self._smallest = np.zeros(n_rows, dtype=np.int32)
        self._cut_at = np.zeros(n_rows, dtype=np.int32)  # the first l that could not be settled
        self._is_safe = np.zeros(n_rows, dtype=np.bool_)  # whatever l
        self._surely_breaks = np.zeros(n_rows, dtype=np.bool_)  # at the l asked for, at which size whoever knows

    def run(self, up_to: int) -> None:
        """Look at sets of 1, 2, ... items."""
        self._note(1, *self._holdings.one_known(self._k))
        if up_to >= 2 and (self._l >= 2 or self._known.n_pairs <= _PAIRS_BEYOND):
            self._note(
                2,
                *watched(
                    self._progress,
                    "two known neighbours",
                    lambda pulse: self._holdings.two_known(self._k, self._floor(2), pulse),
                ),
            )
        if self._reached == 2 < up_to or not self._smallest.any():
            self._find_safe()
        if self._reached == 2 < up_to:
            if self._l > 2:
                self._guess()
            self._search_up_to(up_to)
            self._reached = up_to

    def conclude(self) -> Profile:
        """Return what was found, by vertex."""
        is_breaking = ((self._smallest > 0) & (self._smallest <= self._l)) | self._surely_breaks
        is_undecided = (self._cut_at > 0) & (self._cut_at <= self._l) & ~is_breaking
        strongest_k, is_k_exact = self._strongest_k(bool((is_breaking | is_undecided).any()))
        if is_k_exact and strongest_k >= self._k:
            is_undecided[:] = False
        strongest_l, is_l_exact = self._strongest_l()
        smallest = np.where(self._cut_at > 0, CUT_OFF, self._smallest).astype(np.int32)
        row_of = self._known.row_of
        return Profile(
            smallest=smallest[row_of],
            up_to=self._reached,
            breaking=np.flatnonzero(is_breaking[row_of]),
            undecided=np.flatnonzero(is_undecided[row_of]),
            strongest_k=strongest_k,
            is_k_exact=is_k_exact,
            strongest_l=strongest_l,
            is_l_exact=is_l_exact,
        )

    def _note(self, size: int, broken: NDArray[np.uint8], fewest: int) -> None:
        self._smallest[(broken != 0) & (self._smallest == 0)] = size
        self._reached = size
        if size <= self._l:
            self._fewest = fewest

    def _lasting(self, size: int) -> NDArray[np.int64]:
        """Return how many candidates are left for certain by so many known items: vertices that are equal.

        Where known vertices are excluded, so many of the equal ones may be among them.
        """
        n_equal = self._known.n_equal
        return self._known.weights if n_equal is None else np.maximum(n_equal - size, 1)

    def _floor(self, size: int) -> int:
        return int(self._lasting(size).min())

    def _find_safe(self) -> None:
        rows = self._open()
        self._is_safe[rows] = self._covers(rows) >= self._k

    def _covers(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return how many candidates are left whatever is known."""
        if self._absence:
            return self._known.weights[rows]
        return watched(self._progress, "all neighbours known", lambda pulse: self._holdings.cover_counts(rows, pulse))

    def _open(self) -> NDArray[np.int32]:
        """Return the rows of which nothing is known yet."""
        return np.flatnonzero((self._smallest == 0) & (self._cut_at == 0) & ~self._is_safe).astype(np.int32)

    def _guess(self) -> None:
        """Find rows that break in any case: all is known of them, or greedy sets are small enough."""
        rows = self._open()
        n_steps = max(_STEPS_PER_ROW, _STEPS_BEYOND // max(1, len(rows)))
        sizes = watched(
            self._progress, "greedy sets", lambda pulse: self._holdings.greedy_sets(rows, self._k, n_steps, pulse)
        )
        n_all = self._n_places if self._absence else self._known.n_known[rows]
        self._surely_breaks[rows] = ((sizes > 0) & (sizes <= self._l)) | (n_all <= self._l)

    def _search_up_to(self, up_to: int) -> None:
        size = 3
        while (rows := self._open()).size:
            if self._known.n_equal is not None:  # smaller sets leave k of the equal vertices
                size = max(size, int(self._known.n_equal[rows].min()) - self._k + 1)
            if size > up_to:
                break
            self._search(size)
            size += 1

    def _search(self, size: int) -> None:
        """Search sets of one size, with most steps for rows on which the verdict hangs."""
        is_asked = (size <= self._l) & ~self._surely_breaks
        for asked, steps in ((True, _STEPS // max(1, self._l - 2)), (False, _STEPS_BEYOND)):
            rows = self._open()
            rows = rows[(is_asked[rows] == asked) & (self._lasting(size)[rows] < self._k)]
            if rows.size:
                self._search_rows(rows, size, max(_STEPS_PER_ROW, steps // len(rows)))

    def _search_rows(self, rows: NDArray[np.int32], size: int, n_steps: int) -> None:
        found = watched(
            self._progress,
            "more known neighbours",
            lambda pulse: self._holdings.search_sets(rows, self._k, size, n_steps, pulse),
        )
        self._smallest[rows[found == _FOUND]] = size
        self._cut_at[rows[found == _CUT]] = size

    def _strongest_k(self, is_any_open: bool) -> tuple[int, bool]:
        if self._l <= 2 or self._fewest == self._floor(self._l):
            return self._fewest, True
        least = int(self._covers(np.arange(len(self._smallest), dtype=np.int32)).min())
        least = max(least, self._floor(self._l))
        if self._l >= (self._n_places if self._absence else int(self._known.n_known.max())):
            return least, True
        n_steps = max(_STEPS_PER_ROW, _STEPS // len(self._smallest))
        fewest, is_exact = watched(
            self._progress,
            "fewest candidates",
            lambda pulse: self._holdings.fewest_candidates(self._l, self._fewest, least, n_steps, pulse),
        )
        if is_exact:
            return fewest, True
        return max(least, 1 if is_any_open else self._k), False

    def _strongest_l(self) -> tuple[int, bool]:
        breaks_at = np.full(len(self._smallest), self._reached + 1)  # at the earliest
        breaks_at[self._is_safe] = self._n_places + 1
        breaks_at[self._cut_at > 0] = self._cut_at[self._cut_at > 0]
        breaks_at[self._smallest > 0] = self._smallest[self._smallest > 0]
        earliest = int(breaks_at.min())
        is_exact = earliest > self._n_places or bool((self._smallest == earliest).any())
        return min(earliest - 1, self._n_places), is_exact
