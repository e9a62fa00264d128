"""Tables for the kernels' tests, with the definitions of loss and distance written out plainly.

``None`` is a missing value. Everything here works on lists and sets; nothing is incremental.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from celosia import kernels

Value = int | None
MISSING_POSITION = -(2**31)


@dataclass(frozen=True)
class Column:
    values: Sequence[Value]
    full: int

    def loss(self, rows: Sequence[int]) -> int:
        known = [value for row in rows if (value := self.values[row]) is not None]
        if not known:
            return 0
        return self.loss_of_known(known) if len(known) == len(rows) else self.full

    def loss_of_known(self, known: Sequence[int]) -> int:
        raise NotImplementedError

    def distance(self, row: int, other: int) -> float:
        return 0.0 if self.values[row] == self.values[other] else 1.0

    def add_to(self, columns: kernels.Columns) -> None:
        raise NotImplementedError

    def codes(self, missing: int = -1) -> NDArray[np.int32]:
        return np.array([missing if value is None else value for value in self.values], dtype=np.int32)

    def losses_with(self, rows: Sequence[int]) -> NDArray[np.int64]:
        """Loss of the class ``rows`` with each row of the table added, one after another."""
        distinct = {self.values[row]: row for row in rows}.values()
        one_row_of = {value: row for row, value in enumerate(self.values)}
        by_value = {value: self.loss([*distinct, row]) for value, row in one_row_of.items()}
        return np.array([by_value[value] for value in self.values], dtype=np.int64)


@dataclass(frozen=True)
class Line(Column):
    def loss_of_known(self, known: Sequence[int]) -> int:
        return max(known) - min(known)

    def distance(self, row: int, other: int) -> float:
        x, y = self.values[row], self.values[other]
        if x is None or y is None:
            return 0.0 if x is y else 1.0
        share = 0.0 if x == y else (x - y) / self.full
        return share * share

    def losses_with(self, rows: Sequence[int]) -> NDArray[np.int64]:
        known = [value for row in rows if (value := self.values[row]) is not None]
        if len(known) < len(rows):
            return super().losses_with(rows)
        all_values = self.codes(MISSING_POSITION).astype(np.int64)
        spread = np.maximum(all_values, max(known)) - np.minimum(all_values, min(known))
        return np.where(all_values == MISSING_POSITION, self.full, spread)

    def add_to(self, columns: kernels.Columns) -> None:
        columns.add_line(self.codes(MISSING_POSITION), self.full)


@dataclass(frozen=True)
class Bag(Column):
    n_values: int
    unit: int

    def loss_of_known(self, known: Sequence[int]) -> int:
        return (len(set(known)) - 1) * self.unit

    def add_to(self, columns: kernels.Columns) -> None:
        columns.add_bag(self.codes(), self.n_values, self.unit, self.full)


@dataclass(frozen=True)
class Tree(Column):
    nodes: Sequence[Sequence[int]]
    node_loss: Sequence[int]

    def level(self, known: Sequence[int]) -> int:
        return next(level for level, nodes in enumerate(self.nodes) if len({nodes[code] for code in known}) == 1)

    def loss_of_known(self, known: Sequence[int]) -> int:
        return self.node_loss[self.nodes[self.level(known)][known[0]]]

    def add_to(self, columns: kernels.Columns) -> None:
        nodes = np.array(self.nodes, dtype=np.int32)
        columns.add_tree(self.codes(), nodes, np.array(self.node_loss, dtype=np.int32), self.full)


@dataclass(frozen=True)
class Table:
    columns: list[Column]
    n_rows: int

    def loss(self, rows: Sequence[int]) -> int:
        return sum(column.loss(rows) for column in self.columns)

    def losses_with(self, rows: Sequence[int]) -> NDArray[np.int64]:
        total = np.zeros(self.n_rows, dtype=np.int64)
        for column in self.columns:
            total += column.losses_with(rows)
        return total

    def for_kernels(self) -> kernels.Columns:
        columns = kernels.Columns(self.n_rows)
        for column in self.columns:
            column.add_to(columns)
        return columns


def random_table(random: Random, n_rows: int, n_columns: int) -> Table:
    """Make a table of all kinds of columns, with ties and missing values, losses small or as great as allowed."""
    full = random.choice([12, 1000, 2**30 // n_columns])
    columns = [random_column(random, n_rows, full) for _ in range(n_columns)]
    return Table(columns, n_rows)


def random_column(random: Random, n_rows: int, full: int) -> Column:
    kind = random.choice(["line", "bag", "tree"])
    missing_one_in = random.choice([0, 0, 2, 5])
    if kind == "line":
        highest = random.choice([0, 1, 4, 12, full])
        shift = random.choice([0, 0, -7])
        values = [random.randint(0, min(highest, full)) + shift for _ in range(n_rows)]
        return Line(blank(random, values, missing_one_in), full)
    n_values = random.choice([1, 2, 3, 8, 300] if kind == "bag" else [1, 2, 5, 11])
    codes = blank(random, [random.randint(0, n_values - 1) for _ in range(n_rows)], missing_one_in)
    if kind == "bag":
        return Bag(codes, full, n_values, full // max(n_values - 1, 1))
    nodes, node_loss = random_tree(random, n_values, full)
    return Tree(codes, full, nodes, node_loss)


def blank(random: Random, values: Sequence[int], one_in: int) -> list[Value]:
    return [None if one_in and random.randint(1, one_in) == 1 else value for value in values]


def random_tree(random: Random, n_values: int, full: int) -> tuple[list[list[int]], list[int]]:
    """Merge neighbours level by level up to one root; a parent loses at least as much as its children."""
    borders = [border for border in range(1, n_values) if random.randint(0, 9) > 0]
    nodes: list[list[int]] = []
    node_loss: list[int] = []
    while True:
        level = [sum(border <= code for border in borders) + len(node_loss) for code in range(n_values)]
        for node in sorted(set(level)):
            below = [node_loss[nodes[-1][code]] for code in range(n_values) if level[code] == node] if nodes else [0]
            node_loss.append(min(full, max(below) + random.randint(0, max(full // 4, 1))))
        nodes.append(level)
        if not borders:
            return nodes, node_loss
        borders = [border for border in borders if random.randint(0, 1) == 1]


def random_subjects(random: Random, n_rows: int) -> NDArray[np.int32] | None:
    """Nobody, a few people with many rows, or mostly one row each; codes with gaps."""
    n_subjects = random.choice([0, 3, n_rows])
    if n_subjects == 0:
        return None
    return np.array([random.randint(0, n_subjects - 1) * 5 for _ in range(n_rows)], dtype=np.int32)
