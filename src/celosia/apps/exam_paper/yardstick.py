"""Our own yardstick of speed: l-greedy in plain Python. It is not the code of the algorithm's authors."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median

from celosia.data.hierarchies.domains import Line
from celosia.search import LGreedy
from celosia.search.base import Problem
from celosia.search.l_greedy import seed_order

_REPEATS = 5


@dataclass(frozen=True)
class Yardstick:
    """How long plain Python and the compiled search take for the same l-greedy.

    Examples
    --------
    >>> Yardstick(k=10, plain_seconds=0.3, compiled_seconds=0.002).factor
    150.0
    """

    k: int
    plain_seconds: float
    compiled_seconds: float

    @property
    def factor(self) -> float:
        """How many times faster the compiled search is."""
        return self.plain_seconds / self.compiled_seconds

    def to_dict(self) -> dict[str, float]:
        """Return the figures as ``--json`` gives them."""
        return asdict(self) | {"factor": self.factor}


def time_yardstick(problem: Problem) -> Yardstick:
    """Time both; the compiled search is short, so that the median of five runs counts."""
    compiled = median(_seconds(lambda: LGreedy().search(problem)) for _ in range(_REPEATS))
    return Yardstick(problem.smallest_class, _seconds(lambda: plain_l_greedy(problem)), compiled)


def plain_l_greedy(problem: Problem) -> list[int]:
    """Group rows as ``LGreedy`` does, by loops over Python numbers.

    For numbers and categories without missing values, and where k divides the number of rows: there are no left-over
    rows then.
    """
    rows = _rows(problem)
    free = [int(row) for row in seed_order(problem)]
    labels = [-1] * problem.n_rows
    for label in range(problem.n_rows // problem.smallest_class):
        lows, highs, sets = _grown([], [], [], rows[free[0]])
        labels[free.pop(0)] = label
        for _ in range(problem.smallest_class - 1):
            best, least = 0, float("inf")
            for place, row in enumerate(free):
                loss = _loss(lows, highs, sets, rows[row])
                if loss < least:
                    best, least = place, loss
            lows, highs, sets = _grown(lows, highs, sets, rows[free[best]])
            labels[free.pop(best)] = label
    return labels


_Row = tuple[list[float], list[tuple[int, float]]]


def _rows(problem: Problem) -> list[_Row]:
    """Return for each row its scaled numbers, and its categories with the loss of one more category."""
    numbers, categories = [], []
    for column, codes in zip(problem.table.quasi_identifiers, problem.codes, strict=True):
        if isinstance(column.domain, Line):
            numbers.append(column.domain.positions[codes].tolist())
        else:
            each = 1 / max(len(column.domain.values) - 1, 1)
            categories.append([(code, each) for code in codes.tolist()])
    return [
        ([column[row] for column in numbers], [column[row] for column in categories]) for row in range(problem.n_rows)
    ]


def _loss(lows: list[float], highs: list[float], sets: list[set[int]], row: _Row) -> float:
    """Return the loss of a class once a row has joined it."""
    loss = 0.0
    for low, high, number in zip(lows, highs, row[0], strict=True):
        loss += max(high, number) - min(low, number)
    for held, (code, each) in zip(sets, row[1], strict=True):
        loss += (len(held) - (code in held)) * each
    return loss


def _grown(
    lows: list[float], highs: list[float], sets: list[set[int]], row: _Row
) -> tuple[list[float], list[float], list[set[int]]]:
    if not lows and not sets:
        return list(row[0]), list(row[0]), [{code} for code, _ in row[1]]
    return (
        [min(low, number) for low, number in zip(lows, row[0], strict=True)],
        [max(high, number) for high, number in zip(highs, row[0], strict=True)],
        [held | {code} for held, (code, _) in zip(sets, row[1], strict=True)],
    )


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
