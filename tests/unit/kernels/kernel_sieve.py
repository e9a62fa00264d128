"""The sieve of Weave, written out plainly: sets of rows, and every pattern of nodes in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from unit.kernels.kernel_demands import PlainDemands
from unit.kernels.kernel_tables import Bag, Column, Line, Table, Tree

WORD = 2**64 - 1
N_ATTEMPTS = 2
MOST_NOISE = np.float32(0.7)
Rows = frozenset[int]


class Dice:
    """SplitMix64."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        return (self.next() >> 32) * n >> 32

    def real(self) -> np.float32:
        return np.float32(self.next() >> 40) * np.float32(1.0 / (1 << 24))


@dataclass
class Node:
    rows: Rows
    loss: int
    children: list[Node] = field(default_factory=list)


def nodes_of(column: Column, n_rows: int, k: int, dice: Dice) -> list[Node]:
    """Nodes with k rows or more, children first; of nodes with the same rows the lowest alone."""
    found: list[Node] = []

    def add(rows: Sequence[int], loss: int, children: Sequence[Node | None] = ()) -> Node | None:
        if len(rows) < k:
            return None
        found.append(Node(frozenset(rows), loss, [child for child in children if child is not None]))
        return found[-1]

    missing = [row for row in range(n_rows) if column.values[row] is None]
    known = [row for row in range(n_rows) if column.values[row] is not None]
    rank = ranks(column, known, dice)
    known.sort(key=lambda row: (rank[row], row))
    of_missing = add(missing, 0) if missing else None
    if isinstance(column, Tree):
        of_known = climb(column, known, add)
    else:
        of_known = halve(column, known, rank, k, dice, add) if known else None
    if missing and known:
        add(missing + known, column.full, [of_missing, of_known])
    return found


def ranks(column: Column, known: Sequence[int], dice: Dice) -> dict[int, int]:
    """What rows are ordered by: the value, and for a bag a random number of it."""
    values = {row: int(column.values[row]) for row in known}  # type: ignore[arg-type]
    if not isinstance(column, Bag):
        return values
    codes = sorted(set(values.values()))
    shuffled: list[int] = []
    for i in range(len(codes)):
        j = dice.below(i + 1)
        shuffled.append(i)
        shuffled[i], shuffled[j] = shuffled[j], i
    return {row: shuffled[codes.index(value)] for row, value in values.items()}


def climb(column: Tree, known: Sequence[int], add) -> Node | None:
    runs: list[tuple[list[int], Node | None]] = [([row], None) for row in known]
    for level, nodes in enumerate(column.nodes):
        next_runs = []
        for _, grouped in groupby(runs, key=lambda run: nodes[column.values[run[0][0]]]):
            parts = list(grouped)
            rows = [row for part, _ in parts for row in part]
            if level > 0 and len(parts) == 1:
                next_runs.append(parts[0])
            else:
                loss = column.node_loss[nodes[column.values[rows[0]]]]
                next_runs.append((rows, add(rows, loss, [node for _, node in parts])))
        runs = next_runs
    return runs[0][1] if runs else None


def halve(column: Column, rows: Sequence[int], rank: dict[int, int], k: int, dice: Dice, add) -> Node | None:
    if len(rows) < k:
        return None
    assert isinstance(column, Line | Bag)
    loss = column.loss_of_known([int(column.values[row]) for row in rows])  # type: ignore[arg-type]
    if rank[rows[0]] == rank[rows[-1]]:
        return add(rows, loss)
    share = np.float32(0.2) + np.float32(0.6) * dice.real()
    middle = int(share * np.float32(len(rows)))
    if rank[rows[middle]] == rank[rows[0]]:
        while rank[rows[middle]] == rank[rows[0]]:
            middle += 1
    else:
        while rank[rows[middle - 1]] == rank[rows[middle]]:
            middle -= 1
    left = halve(column, rows[:middle], rank, k, dice, add)
    right = halve(column, rows[middle:], rank, k, dice, add)
    return add(rows, loss, [left, right])


def patterns_of(columns: list[list[Node]], rows: Rows, k: int) -> list[tuple[int, Rows]]:
    """What each combination of nodes loses, and its rows; a node with all the rows of a child is left out."""
    if not columns:
        return [(0, rows)]
    found = []
    for node in columns[0]:
        own = rows & node.rows
        if len(own) < k or any(rows & child.rows == own for child in node.children):
            continue
        found += [(node.loss + loss, rest) for loss, rest in patterns_of(columns[1:], own, k)]
    return found


def sift(table: Table, demands: PlainDemands, losses: Sequence[int], limit: int, seed: int) -> list[int]:
    """Return a label per row, or nothing if no cost below the limit was found."""
    dice, k = Dice(seed), max(demands.n_least_rows, 1)
    columns = [nodes_of(column, table.n_rows, k, dice) for column in table.columns]
    patterns = patterns_of(sorted(columns, key=lambda nodes: -len(nodes)), frozenset(range(table.n_rows)), k)
    best: list[int] = []
    for _ in range(N_ATTEMPTS):
        noise = MOST_NOISE * dice.real()
        keys = [int(np.float32(loss) * (np.float32(1) + noise * dice.real())) for loss, _ in patterns]
        turns = [patterns[i] for i in sorted(range(len(patterns)), key=lambda i: (keys[i], i))]
        classes = opened(table, demands, losses, turns, k)
        if classes is None:
            continue
        cost = sum(len(rows) * table.loss(sorted(rows)) for rows in classes)
        if cost < limit:
            limit = cost
            best = [next(x for x, rows in enumerate(classes) if row in rows) for row in range(table.n_rows)]
    return best


def opened(
    table: Table, demands: PlainDemands, losses: Sequence[int], turns: Sequence[tuple[int, Rows]], k: int
) -> list[set[int]] | None:
    free = set(range(table.n_rows))
    classes: list[set[int]] = []
    said: list[int] = []  # what the pattern of each class loses
    for loss, rows in turns:
        own = rows & free
        if not own or 0 < len(free) - len(own) < k:
            continue
        taken: list[tuple[int, list[int]]] = []
        if len(own) >= k:
            if not demands.met_by(sorted(own)):
                continue
        elif demands.distinct or demands.secrets:
            continue
        else:
            taken = help_from(classes, said, rows, k - len(own), k)
            n_helping = sum(len(rows) for _, rows in taken)
            gain = sum(losses[row] - loss for row in own)
            if n_helping < k - len(own) or gain <= 0:
                continue
            if gain <= sum((loss - said[x]) * len(rows) for x, rows in taken):
                continue
        free -= own
        for x, rows_of_x in taken:
            classes[x] -= set(rows_of_x)
            own |= set(rows_of_x)
        classes.append(set(own))
        said.append(loss)
    if free:
        if not demands.met_by(sorted(free)):
            return None
        classes.append(free)
    return classes


def help_from(
    classes: Sequence[set[int]], said: Sequence[int], rows: Rows, n_wanted: int, k: int
) -> list[tuple[int, list[int]]]:
    """Return rows of the pattern that classes can spare, the dearest classes first."""
    taken = []
    for x in sorted(range(len(classes)), key=lambda x: -said[x]):
        n = min(len(classes[x]) - k, len(rows & classes[x]), n_wanted)
        if n > 0:
            taken.append((x, sorted(rows & classes[x])[:n]))
            n_wanted -= n
    return taken
