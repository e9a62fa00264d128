"""Demands on the secrets of a class, against exact definitions and against every way to carry shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import log
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from trying import tries
from unit.kernels.kernel_demands import PlainDemands, random_secret_demands
from unit.kernels.kernel_secrets import (
    KINDS,
    Distance,
    Entropy,
    EqualDistance,
    LineDistance,
    Recursive,
    Secret,
    Shares,
    TreeDistance,
    random_codes,
    random_distance,
    random_reference,
    random_secret,
)

from celosia import kernels

RANDOMS = st.randoms(use_true_random=False)
HALF = Fraction(1, 2)


def told(*secrets: Secret) -> kernels.Demands:
    return PlainDemands(len(secrets[0].codes), secrets=secrets).for_kernels()


@pytest.mark.parametrize("kind", KINDS)
@tries(80)
@given(random=RANDOMS, n_rows=st.integers(1, 20))
def test_each_demand_equals_its_definition(kind: str, random: Random, n_rows: int) -> None:
    codes, n_values = random_codes(random, n_rows)
    near = random.sample(range(n_rows), random.randint(1, n_rows))
    secret = random_secret(random, codes, n_values, kind, near)
    demands = told(secret)
    assert demands.n_least_rows == 1
    assert not demands.counts_only
    assert demands.accepts(near) is secret.met_by(near)
    for size in range(1, n_rows + 1):
        rows = random.sample(range(n_rows), size)
        assert demands.accepts(rows) is secret.met_by(rows)


@tries(150)
@given(random=RANDOMS, n_rows=st.integers(1, 30))
def test_broken_names_the_classes_that_do_not_meet_all_demands(random: Random, n_rows: int) -> None:
    demands = random_secret_demands(random, n_rows)
    highest = random.choice([0, 3, n_rows, 10**6])
    labels = [random.choice([-1, random.randint(-5, highest)]) for _ in range(n_rows)]
    classes = {label: [row for row in range(n_rows) if labels[row] == label] for label in set(labels) if label >= 0}
    expected = sorted(label for label, rows in classes.items() if not demands.met_by(rows))
    assert demands.for_kernels().broken(np.array(labels, dtype=np.int32)).tolist() == expected


def test_no_rows_are_no_class() -> None:
    demands = kernels.Demands(0)
    demands.add_entropy(np.zeros(0, dtype=np.int32), 0, log(2))
    demands.add_shares(np.zeros(0, dtype=np.int32), np.zeros(0), np.zeros(0), False)
    demands.add_equal_distance(np.zeros(0, dtype=np.int32), np.zeros(0), 0.1)
    assert demands.accepts([]) is False
    assert demands.broken(np.zeros(0, dtype=np.int32)).tolist() == []
    assert told(Shares([0], 1, [Fraction(0)], [Fraction(1)], False)).accepts([]) is False


@pytest.mark.parametrize(
    ("secret", "rows", "is_met"),
    [
        pytest.param(Recursive([0] * 6 + [1] * 3 + [2], 3, Fraction("1.5"), 2), range(10), False, id="6 < 1.5 * 4"),
        pytest.param(Recursive([0] * 6 + [1] * 3 + [2], 3, Fraction("1.51"), 2), range(10), True, id="6 < 1.51 * 4"),
        pytest.param(Recursive([0] * 6 + [1] * 3 + [2], 3, Fraction(6), 3), range(10), False, id="6 < 6 * 1"),
        pytest.param(Recursive([0] * 11 + [1] * 10, 2, Fraction("1.1"), 2), range(21), False, id="11 < 1.1 * 10"),
        pytest.param(Recursive([0, 0, 1], 2, Fraction(10**9), 3), range(3), False, id="fewer values than l"),
        pytest.param(Entropy([0, 1, 2] * 7, 3, Fraction(3)), range(21), True, id="three values evenly"),
        pytest.param(Entropy([0, 1, 2] * 7 + [0], 3, Fraction(3)), range(22), False, id="three values unevenly"),
        pytest.param(Entropy([0] * 5, 1, Fraction(1)), range(5), True, id="one value"),
        pytest.param(
            Shares([0, 0, 1, 2] * 3, 3, [Fraction(0)] * 3, [HALF] * 3, False), range(12), True, id="half at most"
        ),
        pytest.param(
            Shares([0, 1], 3, [Fraction("0.1")] * 3, [Fraction(1)] * 3, False), range(2), False, id="one is absent"
        ),
        pytest.param(
            Shares([0, 1], 3, [Fraction("0.1")] * 3, [Fraction(1)] * 3, True), range(2), True, id="the present only"
        ),
        pytest.param(
            LineDistance(range(9), 9, [Fraction(1, 9)] * 9, Fraction("0.375"), [Fraction(1, 8)] * 8),
            [0, 1, 2],
            True,
            id="the three lowest of nine, 0.375 away",
        ),
        pytest.param(
            LineDistance(range(9), 9, [Fraction(1, 9)] * 9, Fraction("0.374"), [Fraction(1, 8)] * 8),
            [0, 1, 2],
            False,
            id="the three lowest of nine, more than 0.374 away",
        ),
        pytest.param(
            LineDistance(range(9), 9, [Fraction(1, 9)] * 9, Fraction(1, 6), [Fraction(1, 8)] * 8),
            [3, 5, 8],
            True,
            id="three of nine, 1/6 away",
        ),
        pytest.param(
            LineDistance(range(9), 9, [Fraction(1, 9)] * 9, Fraction("0.166"), [Fraction(1, 8)] * 8),
            [3, 5, 8],
            False,
            id="three of nine, more than 0.166 away",
        ),
    ],
)
def test_known_classes(secret: Secret, rows: Sequence[int], is_met: bool) -> None:
    assert secret.met_by(rows) is is_met
    assert told(secret).accepts(list(rows)) is is_met


def cheapest_transport(distance: Distance, rows: Sequence[int]) -> Fraction:
    """Try every way to carry the shares of the rows to the reference, in whole units."""
    denominator = int(np.lcm.reduce([share.denominator for share in [*distance.reference, *distance.shares(rows)]]))
    supply = [int(share * denominator) for share in distance.shares(rows)]
    needs = tuple(int(share * denominator) for share in distance.reference)

    @cache
    def cost(value: int, units: int, other: int, open_needs: tuple[int, ...]) -> Fraction | None:
        """Carry units of a value to the others from ``other`` on, then all the following values."""
        if value == distance.n_values:
            return Fraction(0)
        if other == distance.n_values:
            if units:
                return None
            following = supply[value + 1] if value + 1 < distance.n_values else 0
            return cost(value + 1, following, 0, open_needs)
        ways = []
        for carried in range(min(units, open_needs[other]) + 1):
            left = (*open_needs[:other], open_needs[other] - carried, *open_needs[other + 1 :])
            rest = cost(value, units - carried, other + 1, left)
            if rest is not None:
                ways.append(carried * distance.between(value, other) + rest)
        return min(ways, default=None)

    found = cost(0, supply[0], 0, needs)
    assert found is not None
    return found / denominator


@pytest.mark.parametrize("kind", ["equal", "line", "tree"])
@tries(60)
@given(random=RANDOMS, n_rows=st.integers(1, 5))
def test_distances_are_those_of_the_cheapest_transport(kind: str, random: Random, n_rows: int) -> None:
    codes, n_values = random_codes(random, n_rows)
    assume(n_values < 5)
    reference = random_reference(random, Secret(codes, n_values))
    rows = random.sample(range(n_rows), random.randint(1, min(n_rows, 3)))
    secret = random_distance(random, codes, n_values, kind, reference, Fraction(0))
    least = cheapest_transport(secret, rows)
    assert secret.distance(rows) == least
    nudge = Fraction(1, 10**9)
    for limit, is_met in ((least + nudge, True), (least, True), (least - nudge, False)):
        assert told(replace(secret, t=limit)).accepts(rows) is is_met


@tries(100)
@given(random=RANDOMS, n_rows=st.integers(1, 20))
def test_a_flat_tree_is_the_equal_distance(random: Random, n_rows: int) -> None:
    codes, n_values = random_codes(random, n_rows)
    reference = random_reference(random, Secret(codes, n_values))
    rows = random.sample(range(n_rows), random.randint(1, n_rows))
    parents, weights = [n_values] * n_values + [-1], [Fraction(0)] * n_values + [Fraction(1)]
    equal = EqualDistance(codes, n_values, reference, Fraction("0.2"))
    flat = TreeDistance(codes, n_values, reference, Fraction("0.2"), parents, weights)
    assert flat.distance(rows) == equal.distance(rows)
    assert told(flat).accepts(rows) is told(equal).accepts(rows) is equal.met_by(rows)


def test_a_line_with_thousands_of_places() -> None:
    """Classes that have few of many values take steps over long stretches."""
    random = np.random.default_rng(2)
    n_rows = 6000
    reference = np.full(n_rows, 1 / n_rows)
    gaps = random.integers(0, 9, n_rows - 1).astype(float)
    steps = gaps / gaps.sum()
    codes = random.permutation(n_rows).astype(np.int32)
    for size in (1, 2, 7, 300, n_rows):
        rows = random.choice(n_rows, size, replace=False)
        shares = np.bincount(codes[rows], minlength=n_rows) / size
        distance = float((steps * np.abs(np.cumsum(shares - reference)[:-1])).sum())
        for t, is_met in ((distance + 1e-9, True), (distance - 1e-9, False)):
            demands = kernels.Demands(n_rows)
            demands.add_line_distance(codes, reference, steps, t)
            assert demands.accepts(rows.tolist()) is is_met


def ints(*values: int) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


CODES = ints(0, 1, 1)
EVEN = np.array([0.5, 0.5])


def tree(parents: Sequence[int], codes: NDArray[np.int32] = CODES, n_weights: int | None = None) -> None:
    weights = np.ones(len(parents) if n_weights is None else n_weights)
    kernels.Demands(3).add_tree_distance(codes, EVEN, ints(*parents), weights, 0.1)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "shares of other rows": (lambda: kernels.Demands(4).add_shares(CODES, EVEN, EVEN, False), "codes has 3"),
    "bounds of other values": (lambda: kernels.Demands(3).add_shares(CODES, EVEN, np.ones(3), False), "most has 3"),
    "share of a value beyond": (lambda: kernels.Demands(3).add_shares(ints(0, 2, 1), EVEN, EVEN, False), "0..2-1"),
    "share of a negative value": (lambda: kernels.Demands(3).add_shares(ints(0, -1, 1), EVEN, EVEN, True), "0..2-1"),
    "no values": (lambda: kernels.Demands(3).add_shares(CODES, np.zeros(0), np.zeros(0), True), "0..0-1"),
    "entropy of other rows": (lambda: kernels.Demands(2).add_entropy(CODES, 2, 0.1), "codes has 3"),
    "entropy of a value beyond": (lambda: kernels.Demands(3).add_entropy(CODES, 1, 0.1), "0..1-1"),
    "entropy of a negative value": (lambda: kernels.Demands(3).add_entropy(ints(0, -1, 0), 1, 0.1), "0..1-1"),
    "recursive of other rows": (lambda: kernels.Demands(2).add_recursive(CODES, 2, 1.0, 2), "codes has 3"),
    "recursive of a value beyond": (lambda: kernels.Demands(3).add_recursive(CODES, 1, 1.0, 2), "0..1-1"),
    "l of zero": (lambda: kernels.Demands(3).add_recursive(CODES, 2, 1.0, 0), "l is 0"),
    "distance of other rows": (lambda: kernels.Demands(2).add_equal_distance(CODES, EVEN, 0.1), "codes has 3"),
    "distance of a value beyond": (lambda: kernels.Demands(3).add_equal_distance(CODES, np.ones(1), 0.1), "0..1-1"),
    "line of other rows": (lambda: kernels.Demands(2).add_line_distance(CODES, EVEN, np.ones(1), 0.1), "codes has 3"),
    "steps too few": (lambda: kernels.Demands(3).add_line_distance(CODES, EVEN, np.ones(0), 0.1), "steps"),
    "steps too many": (lambda: kernels.Demands(3).add_line_distance(CODES, EVEN, np.ones(2), 0.1), "steps"),
    "line without values": (lambda: kernels.Demands(3).add_line_distance(CODES, np.ones(0), np.ones(0), 0.1), "steps"),
    "place beyond": (lambda: kernels.Demands(3).add_line_distance(ints(0, 2, 1), EVEN, np.ones(1), 0.1), "0..2-1"),
    "tree of other rows": (lambda: tree([2, 2, -1], ints(0, 1)), "codes has 2"),
    "leaf beyond": (lambda: tree([2, 2, -1], ints(0, 2, 1)), "0..2-1"),
    "nodes without weight": (lambda: tree([2, 2, -1], n_weights=2), "weights has 2"),
    "fewer nodes than leaves": (lambda: tree([-1]), "fewer nodes"),
    "parent below its child": (lambda: tree([2, 2, 1]), "parent of node|not the root"),
    "parent of itself": (lambda: tree([2, 2, 2]), "parent of node|not the root"),
    "parent beyond the nodes": (lambda: tree([2, 3, -1]), "parent of node|not the root"),
    "leaf as a parent": (lambda: tree([1, 2, -1]), "parent"),
    "two roots": (lambda: tree([2, 2, -1, -1]), "parent|root"),
    "rows that are not there": (lambda: kernels.Demands(3).accepts([0, 3]), "no such row"),
    "negative rows": (lambda: kernels.Demands(3).accepts([-1]), "no such row"),
    "labels of other rows": (lambda: kernels.Demands(3).broken(ints(0, 0)), "labels has 2"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    attempt, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        attempt()


@pytest.mark.parametrize("wrong", [CODES.astype(np.int64), CODES.astype(float), ints(0, 9, 1, 9, 1, 9)[::2]])
def test_other_types_are_not_converted(wrong: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    demands = kernels.Demands(3)
    parents = ints(2, 2, -1)
    attempts: list[Callable[[], object]] = [
        lambda: demands.add_shares(wrong, EVEN, EVEN, False),  # type: ignore[arg-type]
        lambda: demands.add_entropy(wrong, 2, 0.1),  # type: ignore[arg-type]
        lambda: demands.add_recursive(wrong, 2, 1.0, 2),  # type: ignore[arg-type]
        lambda: demands.add_equal_distance(wrong, EVEN, 0.1),  # type: ignore[arg-type]
        lambda: demands.add_equal_distance(CODES, EVEN.astype(np.float32), 0.1),
        lambda: demands.add_line_distance(wrong, EVEN, np.ones(1), 0.1),  # type: ignore[arg-type]
        lambda: demands.add_tree_distance(wrong, EVEN, parents, np.ones(3), 0.1),  # type: ignore[arg-type]
        lambda: demands.broken(wrong),  # type: ignore[arg-type]
    ]
    for attempt in attempts:
        with pytest.raises(TypeError):
            attempt()
    assert demands.counts_only


def test_a_refused_demand_leaves_no_trace() -> None:
    demands = kernels.Demands(3)
    with pytest.raises(ValueError, match=r"0\.\.1-1"):
        demands.add_entropy(CODES, 1, log(2))
    assert demands.counts_only
    assert demands.accepts([0])


def test_demands_copy_what_they_are_given() -> None:
    codes, reference = CODES.copy(), np.array([1 / 3, 2 / 3])
    demands = kernels.Demands(3)
    demands.add_equal_distance(codes, reference, 0.0)
    codes[:] = 0
    reference[:] = [1.0, 0.0]
    assert demands.accepts([0, 1, 2])
    assert not demands.accepts([0, 1])
