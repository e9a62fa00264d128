"""Every model of a claim against a slow definition in fractions, on random tables, and the edges of each."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from audited import Cell, holds
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import audit
from celosia.audit import measure

VALUES = ["1", "2", "3.5", "10", None]

TREE = {"10": ["high", "*"], "1": ["low", "*"], "2": ["low", "*"], "3.5": ["high", "*"]}


def groups(classes: list[Any], secret: list[Cell]) -> dict[Any, list[Cell]]:
    return {one: [s for q, s in zip(classes, secret, strict=True) if q == one] for one in dict.fromkeys(classes)}


def share(rows: list[Any], value: Any) -> Fraction:
    return Fraction(sum(row == value for row in rows), len(rows))


def exact(number: float) -> Fraction:
    return Fraction(str(number))


# The definitions, one per model: does this class of the table break it?


def breaks_alpha(group: list[Cell], everything: list[Cell], alpha: float, values: list[Cell] | None) -> bool:
    return any(share(group, value) > exact(alpha) for value in (set(group) if values is None else values))


def breaks_p(group: list[Cell], everything: list[Cell], p: int, level: int) -> bool:
    return len({[value, *TREE[value]][level] for value in group if value is not None}) < p


def breaks_entropy(group: list[Cell], everything: list[Cell], least: float) -> bool:
    f = len(group)
    return f**f < exact(least) ** f * math.prod(n**n for n in Counter(group).values())


def breaks_recursive(group: list[Cell], everything: list[Cell], least: int, c: float) -> bool:
    counts = sorted(Counter(group).values(), reverse=True)
    return not (len(counts) >= least and counts[0] < exact(c) * sum(counts[least - 1 :]))


def line(group: list[Cell], everything: list[Cell], places: dict[Cell, Fraction]) -> Fraction:
    """The integral of abs(F_class - F_all) over a line, by the length of the line."""
    ordered = sorted(set(everything), key=lambda value: places[value])
    total = Fraction(0)
    for i in range(len(ordered) - 1):
        step = places[ordered[i + 1]] - places[ordered[i]]
        total += step * abs(sum(share(group, value) - share(everything, value) for value in ordered[: i + 1]))
    length = places[ordered[-1]] - places[ordered[0]]
    return total / length if length else Fraction(0)


def tree_distance(group: list[Cell], everything: list[Cell], tree: dict[str, list[str]]) -> Fraction:
    """The sum over nodes of height / H * min(pos, neg), as published; missing is a leaf right below the root."""
    height = len(next(iter(tree.values())))
    paths = {leaf: [(0, leaf), *((i, label) for i, label in enumerate(over, 1))] for leaf, over in tree.items()}
    root = next(iter(paths.values()))[-1]
    parents = {child: parent for path in paths.values() for child, parent in pairwise(path)}
    parents[(0, None)] = root
    extra = {(0, leaf): share(group, leaf) - share(everything, leaf) for leaf in [*tree, None]}
    total = Fraction(0)
    for node in sorted(set(parents.values())):
        of_children = [extra[child] for child, parent in parents.items() if parent == node]
        extra[node] = sum(of_children, Fraction(0))
        positive, negative = sum(max(one, 0) for one in of_children), sum(max(-one, 0) for one in of_children)
        total += Fraction(node[0], height) * min(positive, negative)
    return total


def breaks_t(group: list[Cell], everything: list[Cell], t: float, distance: str, by_tree: bool) -> bool:
    present = sorted(
        set(everything) - {None}, key=lambda value: list(TREE).index(value) if by_tree else Fraction(value)
    )
    ranks = {value: Fraction(i) for i, value in enumerate(([None] if None in everything else []) + present)}
    if distance == "equal":
        found = sum((abs(share(group, v) - share(everything, v)) for v in set(everything)), Fraction(0)) / 2
    elif distance == "ordered":
        found = line(group, everything, ranks)
    elif distance == "numeric":
        found = line(group, everything, {value: Fraction(value) for value in present})
    else:
        found = tree_distance(group, everything, TREE)
    return found > exact(t)


def breaks_delta(group: list[Cell], everything: list[Cell], delta: Fraction, kind: str, base: int | None) -> bool:
    for value in set(everything):
        q, p = share(group, value), share(everything, value)
        if not q:
            if kind == "strict":
                return True
            continue
        ratio = max(q / p, p / q)
        if base is None:
            if math.log(ratio) >= delta:
                return True
        elif ratio**delta.denominator >= base**delta.numerator:
            return True
    return False


def breaks_beta(group: list[Cell], everything: list[Cell], beta: float, kind: str) -> bool:
    for value in set(group):
        q, p = share(group, value), share(everything, value)
        if q > p and ((q - p) / p > exact(beta) or (kind == "enhanced" and (q - p) / p > -math.log(p))):
            return True
    return False


labelled = st.integers(1, 14).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 3), min_size=n, max_size=n), st.lists(st.sampled_from(VALUES), min_size=n, max_size=n)
    )
)

shares = st.sampled_from([0.1, 0.2, 0.25, 0.3, 0.3333333333333333, 0.375, 0.4, 0.5, 0.6, 0.75, 0.9])


def agree(model: dict[str, Any], table: tuple[list[int], list[Cell]], breaks: Any, *args: Any, **known: Any) -> None:
    """The audit blames exactly the classes that the definition blames."""
    classes, secret = table
    columns = {"q": [str(one) for one in classes], "s": secret}
    (found,) = measure(columns, ["q"], ["s"], models=[model], **known)["models"]
    broken = [one for one, group in groups(classes, secret).items() if breaks(group, secret, *args)]
    assert found["holds"] is (not broken)
    assert (found["n_classes"], found["n_rows"]) == (len(broken), sum(classes.count(one) for one in broken))
    firsts = [{"first_row": classes.index(one) + 1, "n_rows": classes.count(one)} for one in broken]
    assert found["classes"] == sorted(firsts, key=lambda one: one["first_row"])


@given(labelled, shares, st.none() | st.lists(st.sampled_from([*VALUES, "7"]), min_size=1, max_size=3))
def test_alpha(table: Any, alpha: float, values: Any) -> None:
    agree({"alpha_k": {"alpha": alpha, "on": "s", "values": values}}, table, breaks_alpha, alpha, values)


@given(labelled, st.integers(2, 4), st.integers(0, 2))
def test_p_sensitive(table: Any, p: int, level: int) -> None:
    model = {"p_sensitive": {"p": p, "on": "s", "level": level}}
    agree(model, table, breaks_p, p, level, hierarchies={"s": TREE})


@given(labelled, st.sampled_from([1.5, 2, 2.0, 2.5, 3, 4]))
def test_entropy(table: Any, least: float) -> None:
    agree({"l_diversity": {"l": least, "on": "s", "kind": "entropy"}}, table, breaks_entropy, least)


@given(labelled, st.integers(2, 4), st.sampled_from([0.5, 1, 1.5, 2, 3, 6]))
def test_recursive(table: Any, least: int, c: float) -> None:
    agree({"l_diversity": {"l": least, "on": "s", "kind": "recursive", "c": c}}, table, breaks_recursive, least, c)


@given(labelled, shares | st.just(0), st.sampled_from(["equal", "ordered", "numeric", "hierarchical"]), st.booleans())
@tries(300)
def test_t_closeness(table: Any, t: float, distance: str, by_tree: bool) -> None:
    model = {"t_closeness": {"t": t, "on": "s", "distance": distance}}
    by_tree = by_tree and distance == "ordered"
    if by_tree:
        model["t_closeness"]["hierarchy"] = True
    if distance == "numeric" and None in table[1]:
        assert holds(model, *table) is False
        return
    agree(model, table, breaks_t, t, distance, by_tree, hierarchies={"s": TREE})


@given(
    labelled,
    st.sampled_from([0.5, 1, 2, 0.7, 1.25]),
    st.sampled_from(["strict", "present"]),
    st.sampled_from([None, 2, 4]),
)
def test_delta(table: Any, delta: float, kind: str, base: int | None) -> None:
    model = {"delta_disclosure": {"delta": delta, "on": "s", "kind": kind, "base": base}}
    agree(model, table, breaks_delta, exact(delta), kind, base)


@given(labelled, st.sampled_from([0.2, 0.25, 0.5, 1, 1.5, 2, 6]), st.sampled_from(["basic", "enhanced"]))
def test_beta(table: Any, beta: float, kind: str) -> None:
    agree({"beta_likeness": {"beta": beta, "on": "s", "kind": kind}}, table, breaks_beta, beta, kind)


@given(labelled, shares, st.lists(st.sampled_from(["a", "b", "c", None]), min_size=14, max_size=14), st.booleans())
def test_risk_limits_count_people(table: Any, limit: float, persons: list[Cell], has_subject: bool) -> None:
    classes, secret = table
    people = [len({p for q, p in zip(classes, persons, strict=False) if q == one}) for one in classes]
    if not has_subject:
        people = [classes.count(one) for one in classes]
    columns = {"q": [str(one) for one in classes], "s": secret, "who": persons[: len(classes)]}
    models = [
        {"k_anonymity": {"k": 2}},
        {"average_risk": {"limit": limit}},
        {"share_at_risk": {"share": limit, "threshold": 0.5}},
        {"share_at_risk": {"share": 0, "threshold": 1}},
        {"sample_uniqueness": {"share": limit}},
    ]
    figures = measure(columns, ["q"], ["s"], "who" if has_subject else None, models=models)
    n = len(classes)
    mean = sum((Fraction(1, one) for one in people), Fraction(0)) / n
    assert [one["holds"] for one in figures["models"]] == [
        min(people) >= 2,
        mean <= exact(limit),
        Fraction(sum(one < 2 for one in people), n) <= exact(limit),
        True,
        Fraction(people.count(1), n) <= exact(limit),
    ]
    assert figures["risk"]["sample_uniqueness"] == people.count(1) / n
    for one in figures["models"]:
        assert one["holds"] is (one["n_classes"] == 0)


# Edges


@pytest.mark.parametrize("n_values", range(2, 11))
@pytest.mark.parametrize("times", [1, 3, 1000])
def test_a_uniform_class_is_exactly_as_diverse_as_it_has_values(n_values: int, times: int) -> None:
    secret: list[Cell] = [str(i) for i in range(n_values)] * times
    for least, verdict in ((n_values, True), (n_values + 1e-9, False), (n_values - 1e-9, True)):
        model = {"l_diversity": {"l": least, "on": "s", "kind": "entropy"}}
        if least > 1:
            assert holds(model, [0] * len(secret), secret) is verdict


def test_entropy_far_below_what_doubles_can_see() -> None:
    """One row more in a million: H differs from ln 2 in the thirteenth digit."""
    secret: list[Cell] = ["a"] * 500_000 + ["b"] * 500_001
    table = {"s": secret}
    model = {"l_diversity": {"l": 2, "on": "s", "kind": "entropy"}}
    assert measure(table, [], ["s"], models=[model])["models"][0]["holds"] is False
    assert measure({"s": secret[:-1]}, [], ["s"], models=[model])["models"][0]["holds"] is True


def test_recursive_is_strict_at_its_infimum() -> None:
    secret: list[Cell] = ["a"] * 6 + ["b"] * 3 + ["c"]
    for least, infimum in ((2, 1.5), (3, 6)):
        for c, verdict in ((infimum, False), (infimum + 1e-12, True)):
            model = {"l_diversity": {"l": least, "on": "s", "kind": "recursive", "c": c}}
            assert holds(model, [0] * 10, secret) is verdict
    assert holds({"l_diversity": {"l": 4, "on": "s", "kind": "recursive", "c": 1e300}}, [0] * 10, secret) is False


def test_a_third_is_not_its_double() -> None:
    """The distance is 1/3; 0.3333333333333333 is less, although both are the same double."""
    classes, secret = [0, 0, 0, 1, 1, 1], ["a", "a", "b", "a", "b", "b"]
    model = {"t_closeness": {"t": 0.1666666666666666, "on": "s", "distance": "equal"}}
    found = measure({"q": [str(q) for q in classes], "s": secret}, ["q"], ["s"], models=[model])
    assert found["sensitive"]["s"]["t_equal"] == 1 / 6
    assert found["models"][0]["holds"] is False
    near = {"t_closeness": {"t": 0.3333333333333333, "on": "s", "distance": "equal"}}
    thirds = [0, 1, 2], ["a", "a", "b"]
    found = measure({"q": ["0", "1", "2"], "s": thirds[1]}, ["q"], ["s"], models=[near])
    assert found["sensitive"]["s"]["t_equal"] == 2 / 3
    four = {"q": ["x", "x", "x", "y", "y", "y", "z", "z", "z"], "s": ["a", "b", "b", "a", "b", "c", "c", "c", "a"]}
    found = measure(four, ["q"], ["s"], models=[near, {"t_closeness": {"t": 0.3334, "on": "s", "distance": "equal"}}])
    assert found["sensitive"]["s"]["t_equal"] == 1 / 3 == 0.3333333333333333
    assert [one["holds"] for one in found["models"]] == [False, True]


@pytest.mark.parametrize(("members", "limit"), [(("3", "4", "5"), 0.375), (("6", "8", "11"), 0.16666666666666669)])
def test_ordered_t_at_its_limit(members: tuple[str, ...], limit: float) -> None:
    """Two classes, of three salaries and of the other six, which lies nearer."""
    secret: list[Cell] = [str(one) for one in range(3, 12)]
    classes = [one in members for one in secret]
    assert holds({"t_closeness": {"t": limit, "on": "s", "distance": "ordered"}}, classes, secret) is True
    assert holds({"t_closeness": {"t": limit - 1e-9, "on": "s", "distance": "ordered"}}, classes, secret) is False


@given(labelled)
def test_a_flat_hierarchy_is_the_equal_distance(table: tuple[list[int], list[Cell]]) -> None:
    classes, secret = table
    columns = {"q": [str(one) for one in classes], "s": secret}
    for tree in ({leaf: ["*"] for leaf in TREE}, {leaf: [] for leaf in TREE}):
        found = measure(columns, ["q"], ["s"], hierarchies={"s": tree})["sensitive"]["s"]
        assert found["t_hierarchical"] == found["t_equal"]
        assert found["p_levels"]["0"] == found["l_distinct"]
        assert list(found["p_levels"]) == ["0", "1"]


@given(labelled)
def test_distances_over_a_hierarchy(table: tuple[list[int], list[Cell]]) -> None:
    classes, secret = table
    columns = {"q": [str(one) for one in classes], "s": secret}
    found = measure(columns, ["q"], ["s"], hierarchies={"s": TREE})["sensitive"]["s"]
    expected = max(tree_distance(group, secret, TREE) for group in groups(classes, secret).values())
    assert found["t_hierarchical"] == float(expected)


def test_one_value_is_at_no_distance() -> None:
    for distance in ("equal", "ordered", "numeric", "hierarchical"):
        model = {"t_closeness": {"t": 0, "on": "s", "distance": distance}}
        assert holds(model, [0, 1, 1], ["10"] * 3, hierarchies={"s": {"10": ["*"]}}) is True


def test_numbers_in_one_place_are_at_no_distance() -> None:
    """2 and 2.0 differ in spelling and not in place: their range is zero."""
    assert holds({"t_closeness": {"t": 0, "on": "s", "distance": "numeric"}}, [0, 1], ["2", "2.0"]) is True
    assert holds({"t_closeness": {"t": 0.49, "on": "s", "distance": "equal"}}, [0, 1], ["2", "2.0"]) is False


def test_logarithms_are_decided_at_the_point() -> None:
    """q / p = 2 in base 2 is delta = 1, which is not less than 1; in base e no delta meets a ratio."""
    table = [0, 0, 1, 1], ["a", "a", "b", "b"]
    for delta, verdict in ((1, False), (1.000000000001, True)):
        model = {"delta_disclosure": {"delta": delta, "on": "s", "kind": "present", "base": 2}}
        assert holds(model, *table) is verdict
    for delta, verdict in ((0.6931471805599453, False), (0.6931471805599454, True)):
        assert holds({"delta_disclosure": {"delta": delta, "on": "s", "kind": "present"}}, *table) is verdict
    assert holds({"delta_disclosure": {"delta": 99, "on": "s", "kind": "strict"}}, *table) is False


def test_signs_of_logarithms() -> None:
    one = Fraction(1)
    assert audit._sign([(2, one), (8, -one / 3)]) == 0
    assert audit._sign([(6, one), (2, -one), (3, -one)]) == 0
    assert audit._sign([(2, one), (8, -one / 3)], Fraction(1, 10**400)) == 1
    assert audit._sign([(10**60 + 1, one), (10**60, -one)]) == 1
    assert audit._sign([(10**60, one), (10**60 + 1, -one)]) == -1
    assert audit._sign([(2, one)], -Fraction("0.69314718055994530941")) == 1  # ln 2 goes on 723...
    assert audit._sign([(2, one)], -Fraction("0.69314718055994530942")) == -1
    assert audit._sign([(12, 5 * one), (18, 5 * one), (6, -15 * one)]) == 0
