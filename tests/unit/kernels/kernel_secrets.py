"""Demands on the secrets of a class for the kernels' tests: counts and fractions, straight from the definitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import log, prod
from random import Random

import numpy as np
from numpy.typing import NDArray

from celosia import kernels

# As near to a bound as the kernels are told apart from it, and a little more.
NUDGE = Fraction(1, 10**6)


def reals(values: Sequence[Fraction]) -> NDArray[np.float64]:
    return np.array([float(value) for value in values], dtype=np.float64)


@dataclass(frozen=True)
class Secret:
    codes: Sequence[int]
    n_values: int

    @cached_property
    def array(self) -> NDArray[np.int32]:
        return np.array(self.codes, dtype=np.int32)

    def counts(self, rows: Sequence[int]) -> list[int]:
        found = [0] * self.n_values
        for row in rows:
            found[self.codes[row]] += 1
        return found

    def shares(self, rows: Sequence[int]) -> list[Fraction]:
        return [Fraction(count, len(rows)) for count in self.counts(rows)]

    def met_by(self, rows: Sequence[int]) -> bool:
        raise NotImplementedError

    def add_to(self, demands: kernels.Demands) -> None:
        raise NotImplementedError


@dataclass(frozen=True)
class Shares(Secret):
    least: Sequence[Fraction]
    most: Sequence[Fraction]
    present_only: bool

    def met_by(self, rows: Sequence[int]) -> bool:
        bounds = zip(self.shares(rows), self.least, self.most, strict=True)
        return all(own <= most and (own >= least or (self.present_only and own == 0)) for own, least, most in bounds)

    def add_to(self, demands: kernels.Demands) -> None:
        demands.add_shares(self.array, reals(self.least), reals(self.most), self.present_only)


@dataclass(frozen=True)
class Entropy(Secret):
    l_values: Fraction

    def met_by(self, rows: Sequence[int]) -> bool:
        """-sum (n_i / f) log(n_i / f) >= log(l), without logarithms: f^f >= l^f * product of n_i^n_i."""
        size = len(rows)
        needed: int = self.l_values.numerator**size * prod(n**n for n in self.counts(rows))
        given: int = self.l_values.denominator**size * size**size
        return needed <= given

    def add_to(self, demands: kernels.Demands) -> None:
        demands.add_entropy(self.array, self.n_values, log(self.l_values))


@dataclass(frozen=True)
class Recursive(Secret):
    c: Fraction
    l_values: int

    def met_by(self, rows: Sequence[int]) -> bool:
        counts = sorted(self.counts(rows), reverse=True)
        return counts[0] < self.c * sum(counts[self.l_values - 1 :])

    def add_to(self, demands: kernels.Demands) -> None:
        demands.add_recursive(self.array, self.n_values, float(self.c), self.l_values)


@dataclass(frozen=True)
class Distance(Secret):
    """A distance from the reference shares of at most t."""

    reference: Sequence[Fraction]
    t: Fraction

    def surplus(self, rows: Sequence[int]) -> list[Fraction]:
        return [own - other for own, other in zip(self.shares(rows), self.reference, strict=True)]

    def distance(self, rows: Sequence[int]) -> Fraction:
        raise NotImplementedError

    def between(self, value: int, other: int) -> Fraction:
        """How far two values are apart."""
        raise NotImplementedError

    def met_by(self, rows: Sequence[int]) -> bool:
        return self.distance(rows) <= self.t


@dataclass(frozen=True)
class EqualDistance(Distance):
    def distance(self, rows: Sequence[int]) -> Fraction:
        return sum((abs(extra) for extra in self.surplus(rows)), Fraction(0)) / 2

    def between(self, value: int, other: int) -> Fraction:
        return Fraction(int(value != other))

    def add_to(self, demands: kernels.Demands) -> None:
        demands.add_equal_distance(self.array, reals(self.reference), float(self.t))


@dataclass(frozen=True)
class LineDistance(Distance):
    steps: Sequence[Fraction]

    def distance(self, rows: Sequence[int]) -> Fraction:
        total = so_far = Fraction(0)
        for extra, step in zip(self.surplus(rows), self.steps, strict=False):
            so_far += extra
            total += step * abs(so_far)
        return total

    def between(self, value: int, other: int) -> Fraction:
        return sum(self.steps[min(value, other) : max(value, other)], Fraction(0))

    def add_to(self, demands: kernels.Demands) -> None:
        demands.add_line_distance(self.array, reals(self.reference), reals(self.steps), float(self.t))


@dataclass(frozen=True)
class TreeDistance(Distance):
    parents: Sequence[int]
    weights: Sequence[Fraction]

    def children(self, node: int) -> list[int]:
        return [child for child, parent in enumerate(self.parents) if parent == node]

    def extra(self, node: int, surplus: Sequence[Fraction]) -> Fraction:
        if node < self.n_values:
            return surplus[node]
        return sum((self.extra(child, surplus) for child in self.children(node)), Fraction(0))

    def distance(self, rows: Sequence[int]) -> Fraction:
        surplus, total = self.surplus(rows), Fraction(0)
        for node in range(self.n_values, len(self.parents)):
            extras = [self.extra(child, surplus) for child in self.children(node)]
            too_much = sum((extra for extra in extras if extra > 0), Fraction(0))
            too_little = -sum((extra for extra in extras if extra < 0), Fraction(0))
            total += self.weights[node] * min(too_much, too_little)
        return total

    def ancestors(self, node: int) -> list[int]:
        return [node, *(self.ancestors(self.parents[node]) if self.parents[node] >= 0 else [])]

    def between(self, value: int, other: int) -> Fraction:
        return self.weights[next(node for node in self.ancestors(value) if node in self.ancestors(other))]

    def add_to(self, demands: kernels.Demands) -> None:
        parents = np.array(self.parents, dtype=np.int32)
        demands.add_tree_distance(self.array, reals(self.reference), parents, reals(self.weights), float(self.t))


KINDS = ("shares", "present shares", "entropy", "recursive", "equal", "line", "tree")


def random_secret(random: Random, codes: Sequence[int], n_values: int, kind: str, near: Sequence[int]) -> Secret:
    """Make a demand with round bounds, or with one that the rows ``near`` meet just so, or by a hair do not."""
    nudge = random.choice([Fraction(0), NUDGE, -NUDGE])
    secret = Secret(codes, n_values)
    if kind in ("shares", "present shares"):
        least, most = random_bounds(random, secret, near, nudge)
        return Shares(codes, n_values, least, most, kind == "present shares")
    if kind == "entropy":
        l_values = random.choice([Fraction(1), Fraction("1.5"), Fraction(2), Fraction("2.5"), Fraction(3)])
        return Entropy(codes, n_values, max(l_values + nudge, Fraction(1)))
    if kind == "recursive":
        place, counts = random.randint(1, 3), sorted(secret.counts(near), reverse=True)
        just = Fraction(counts[0], max(sum(counts[place - 1 :]), 1))
        c = random.choice([just, Fraction(1, 2), Fraction(1), Fraction("1.1"), Fraction(3)])
        return Recursive(codes, n_values, max(c + nudge, NUDGE), place)
    reference = random_reference(random, secret)
    made = random_distance(random, codes, n_values, kind, reference, Fraction(0))
    t = random.choice([made.distance(near), Fraction(0), Fraction("0.1"), Fraction("0.2"), Fraction("0.35")])
    return replace(made, t=max(t + nudge, Fraction(0)))


def random_bounds(
    random: Random, secret: Secret, near: Sequence[int], nudge: Fraction
) -> tuple[list[Fraction], list[Fraction]]:
    if random.random() < 0.4:
        alpha = random.choice([Fraction("0.3"), Fraction("0.5"), Fraction(2, 3), max(secret.shares(near)) + nudge])
        return [Fraction(0)] * secret.n_values, [alpha] * secret.n_values
    shares = secret.shares(random.choice([near, range(len(secret.codes))]))
    below = random.choice([Fraction(0), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
    above = random.choice([Fraction(1), Fraction(11, 10), Fraction(2)])
    least = [share * below + nudge * (share > 0) for share in shares]
    return [max(bound, Fraction(0)) for bound in least], [max(share * above + nudge, Fraction(0)) for share in shares]


def random_reference(random: Random, secret: Secret) -> list[Fraction]:
    """Give the shares of all rows, or any others."""
    if random.random() < 0.7:
        return secret.shares(range(len(secret.codes)))
    counts = [random.randint(0, 3) for _ in range(secret.n_values)]
    counts[random.randrange(secret.n_values)] += 1
    return [Fraction(count, sum(counts)) for count in counts]


def random_distance(
    random: Random, codes: Sequence[int], n_values: int, kind: str, reference: Sequence[Fraction], t: Fraction
) -> Distance:
    if kind == "equal":
        return EqualDistance(codes, n_values, reference, t)
    if kind == "line":
        gaps = [random.choice([1, 1, 1, 0, 5]) for _ in range(n_values - 1)]
        return LineDistance(codes, n_values, reference, t, [Fraction(gap, max(sum(gaps), 1)) for gap in gaps])
    parents, weights = random_hierarchy(random, n_values)
    return TreeDistance(codes, n_values, reference, t, parents, weights)


def random_hierarchy(random: Random, n_values: int) -> tuple[list[int], list[Fraction]]:
    """Join nodes until one is left; some have one child only. No parent weighs less than its children."""
    parents, heights, tops = [-1] * n_values, [0] * n_values, list(range(n_values))
    while len(tops) > 1:
        random.shuffle(tops)
        n_joined = random.choice([1, 2, 2, 3])
        joined, tops = tops[:n_joined], [*tops[n_joined:], len(parents)]
        for node in joined:
            parents[node] = len(parents)
        parents.append(-1)
        heights.append(max(heights[node] for node in joined) + random.choice([0, 1, 1, 2]))
    return parents, [Fraction(height, max(heights[-1], 1)) for height in heights]


def random_codes(random: Random, n_rows: int) -> tuple[list[int], int]:
    """A few values, evenly spread or not; some may not occur."""
    n_values = random.choice([1, 2, 2, 3, 5])
    weights = [random.choice([1, 1, 4]) for _ in range(n_values)]
    return random.choices(range(n_values), weights=weights, k=n_rows), n_values


def random_secrets(random: Random, n_rows: int, kinds: Sequence[str] = KINDS) -> list[Secret]:
    """Make one to three demands that all rows together meet."""
    codes, n_values = random_codes(random, n_rows)
    found: list[Secret] = []
    for _ in range(random.choice([1, 1, 2, 3])):
        near = random.sample(range(n_rows), random.randint(1, n_rows))
        made = random_secret(random, codes, n_values, random.choice(kinds), near)
        if made.met_by(range(n_rows)):
            found.append(made)
        if random.random() < 0.3:
            codes, n_values = random_codes(random, n_rows)
    return found
