"""Slow twins of the kernels, written from the definitions alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from unit.kernels.kernel_demands import PlainDemands
from unit.kernels.kernel_tables import Column, Table, Tree

Labels = list[int]
Subjects = NDArray[np.int32] | None


def people(rows: Sequence[int], subjects: Subjects) -> int:
    return len(rows) if subjects is None else len({int(subjects[row]) for row in rows})


def distance(table: Table, weights: Sequence[float], row: int, other: int) -> float:
    total = 0.0
    for column, weight in zip(table.columns, weights, strict=True):
        total += weight * column.distance(row, other)
    return total


# min, max and argmin give the first of equals, and free rows are in ascending order: ties go to the lowest row.


def k_members(table: Table, k: int, first: int, subjects: Subjects, weights: Sequence[float]) -> Labels:
    def furthest(free: list[int], last: int) -> int:
        return max(free, key=lambda row: distance(table, weights, row, last))

    return grow(table, k, first, subjects, furthest)


def l_greedy(table: Table, demands: PlainDemands, order: Sequence[int]) -> Labels:
    classes: list[list[int]] = []
    free = list(range(table.n_rows))
    while len(free) >= demands.n_least_rows:
        members = [next(row for row in order if row in free)]
        candidates = [row for row in free if row not in members]
        while not demands.met_by(members) and (allowed := demands.may_join(members, candidates)):
            losses = table.losses_with(members)
            members.append(allowed[int(np.argmin(losses[allowed]))])
            candidates.remove(members[-1])
        if not demands.met_by(members):
            break
        classes.append(members)
        free = candidates
    if demands.distinct:
        classes += [[row] for row in free]
    else:
        place_left_overs(table, classes, free)
    return labels_of(classes, table.n_rows)


def grow(table: Table, k: int, last: int, subjects: Subjects, choose_seed: Callable[[list[int], int], int]) -> Labels:
    classes: list[list[int]] = []
    free = list(range(table.n_rows))
    while people(free, subjects) >= k:
        members: list[int] = []
        while people(members, subjects) < k:
            if members:
                losses = table.losses_with(members)
                allowed = free if subjects is None else free_of_others(free, subjects, members)
                last = allowed[int(np.argmin(losses[allowed]))]
            else:
                last = choose_seed(free, last)
            members.append(last)
            free.remove(last)
        classes.append(members)
    place_left_overs(table, classes, free)
    return labels_of(classes, table.n_rows)


def place_left_overs(table: Table, classes: list[list[int]], rows: list[int]) -> None:
    for row in rows:
        growth = [(len(c) + 1) * table.loss([*c, row]) - len(c) * table.loss(c) for c in classes]
        classes[growth.index(min(growth))].append(row)


def free_of_others(free: list[int], subjects: NDArray[np.int32], members: list[int]) -> list[int]:
    inside = set(subjects[members].tolist())
    return [row for row in free if int(subjects[row]) not in inside]


def labels_of(classes: Sequence[Sequence[int]], n_rows: int) -> Labels:
    labels = [-1] * n_rows
    for label, rows in enumerate(classes):
        for row in rows:
            labels[row] = label
    return labels


def mondrian(table: Table, met_by: Callable[[Sequence[int]], bool], strict: bool) -> Labels:
    """Cut where both sides meet the demands."""

    def cut(rows: list[int]) -> list[list[int]]:
        by_loss = sorted(range(len(table.columns)), key=lambda c: (-table.columns[c].loss(rows), c))
        tries = [(c, halve) for halve in ([False] if strict else [False, True]) for c in by_loss]
        for c, halve in tries:
            if table.columns[c].loss(rows) == 0:
                continue
            for left in lower_sides(table.columns[c], rows, halve):
                right = [row for row in rows if row not in set(left)]
                if left and right and met_by(left) and met_by(right):
                    return [*cut(sorted(left)), *cut(right)]
        return [rows]

    return labels_of(cut(list(range(table.n_rows))), table.n_rows)


def lower_sides(column: Column, rows: list[int], halve: bool) -> list[list[int]]:
    """The lower sides of the cuts to try, in this order."""
    keys = {row: -1 if (value := column.values[row]) is None else value + 100 for row in rows}
    if isinstance(column, Tree):
        return [] if halve else nearest_to_middle(borders_of_children(column, rows, keys), len(rows))
    ordered = sorted(rows, key=lambda row: (keys[row], row))
    middle = len(rows) // 2
    if halve:
        return [ordered[:middle]]
    median = keys[ordered[middle]]
    borders = [[row for row in rows if keys[row] < median], [row for row in rows if keys[row] <= median]]
    return nearest_to_middle(borders, len(rows))


def borders_of_children(column: Tree, rows: list[int], keys: dict[int, int]) -> list[list[int]]:
    known = [value for row in rows if (value := column.values[row]) is not None]
    level = column.level(known)
    children = column.nodes[level - 1] if level > 0 else [0] * len(column.nodes[0])
    n_values = len(children)
    borders = [0] + [code for code in range(1, n_values) if children[code] != children[code - 1]]
    return [[row for row in rows if keys[row] < border + 100] for border in borders]


def nearest_to_middle(sides: list[list[int]], n_rows: int) -> list[list[int]]:
    return sorted(sides, key=lambda side: (abs(len(side) - Fraction(n_rows, 2)), len(side)))


def join_neighbours(demands: PlainDemands, labels: Sequence[int], order: Sequence[int]) -> Labels:
    """Put stretches of equal labels together until they meet the demands; the last of them takes what is left."""
    classes: list[list[int]] = []
    gathered: list[int] = []
    for _, stretch in groupby(order, key=lambda row: labels[row]):
        gathered += stretch
        if demands.met_by(gathered):
            classes.append(gathered)
            gathered = []
    if classes:
        classes[-1] += gathered
    else:
        classes = [gathered]
    return labels_of(classes, len(labels))


GREATEST_LOSS = 2**30


def merge_nearest(table: Table, labels: Sequence[int], wanting: Sequence[int], n_spare: int) -> Labels:
    """Merge each wanting class, the smallest first, with the class of the row that raises its loss least."""
    classes = {label: [row for row, own in enumerate(labels) if own == label] for label in set(labels) if label >= 0}
    has_grown: set[int] = set()
    for label in sorted(wanting, key=lambda label: len(classes.get(label, []))):
        others = sorted(row for other, rows in classes.items() if other != label for row in rows)
        if label in has_grown or label not in classes or not others:
            continue
        own = classes.pop(label)
        nearest = others[int(np.argmin(table.losses_with(own)[others]))]
        partner = next(other for other, rows in classes.items() if nearest in rows)
        raised = cost(table, own + classes[partner]) - cost(table, own) - cost(table, classes[partner])
        if len(own) <= n_spare and len(own) * GREATEST_LOSS - cost(table, own) < raised:
            n_spare -= len(own)
        else:
            classes[partner] = classes[partner] + own
            has_grown.add(partner)
    return labels_of([classes[label] for label in sorted(classes)], table.n_rows)


def cost(table: Table, rows: Sequence[int]) -> int:
    return len(rows) * table.loss(rows)
