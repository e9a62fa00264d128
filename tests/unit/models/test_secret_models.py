"""Models about secrets: judged against slow, plain definitions; what they outlive; what they can reach."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections import Counter
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import celosia as cl
from celosia.models import AlphaK, BetaLikeness, DeltaDisclosure, KAnonymity, LDiversity, PSensitive, TCloseness
from celosia.models.l_diversity import _evenest

TREE = cl.Tree(
    [
        ("gastritis", "stomach", "digestive", "*"),
        ("ulcer", "stomach", "digestive", "*"),
        ("colitis", "colon", "digestive", "*"),
        ("flu", "lung", "breathing", "*"),
        ("asthma", "lung", "breathing", "*"),
        ("cold", "nose", "breathing", "*"),
    ]
)
WORDS = [row[0] for row in TREE.rows]
GASTRITIS, FLU = "gastritis", "flu"
NUMBERS = ["3", "10", "2.5", "1e1", "-4", "0.1"]


def table_of(secrets):
    frame = pl.DataFrame({"age": list(range(len(secrets))), "ill": pl.Series(secrets, dtype=pl.String)})
    return cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))


def exact(number):
    return Fraction(str(number))


# The definitions, read aloud. Each takes the secrets of one class and of all published rows.


def share(values, value):
    return Fraction(sum(one == value for one in values), len(values))


def keeps_alpha(model, own, everyone):
    guarded = set(own) if model.values is None else set(model.values)
    return all(share(own, value) <= exact(model.alpha) for value in guarded)


def keeps_p(model, own, everyone):
    paths = {row[0]: row for row in TREE.rows}
    known = [value for value in own if value is not None]
    return len({paths[value][model.level] if model.hierarchy else value for value in known}) >= model.p


def keeps_l(model, own, everyone):
    if model.kind == "distinct":
        return len(set(own) - {None}) >= model.l
    counts = sorted(Counter(own).values(), reverse=True)
    if model.kind == "recursive":
        return len(counts) >= model.l and counts[0] < exact(model.c) * sum(counts[model.l - 1 :])
    size, powers = len(own), Fraction(1)
    for count in counts:
        powers *= Fraction(count) ** count
    return Fraction(size) ** size >= exact(model.l) ** size * powers


def distance(model, own, everyone):
    values = set(everyone)
    if len(values) == 1:
        return Fraction(0)
    gain = {value: share(own, value) - share(everyone, value) for value in values}
    if model.distance == "equal":
        return sum(abs(one) for one in gain.values()) / 2
    if model.distance == "hierarchical":
        return climbed(gain, ("*",), 3)[0]
    if model.hierarchy is not None:
        place = {value: -1 if value is None else WORDS.index(value) for value in values}
    elif values - {None} <= set(NUMBERS):
        place = {value: Fraction(value) if value is not None else Fraction(-(10**9)) for value in values}
    else:
        place = {value: value or "" for value in values}
    stops = sorted(set(place.values()))
    total, running = Fraction(0), Fraction(0)
    for here, following in itertools.pairwise(stops):
        running += sum(gain[value] for value in values if place[value] == here)
        total += abs(running) * (following - here if model.distance == "numeric" else 1)
    whole = stops[-1] - stops[0] if model.distance == "numeric" else len(stops) - 1
    return total / whole if whole else Fraction(0)


def climbed(gain, path, height):
    """Return the cost below a node and what is left over there: the spec's recursion over pos and neg."""
    if height == 0:
        return Fraction(0), gain.get(path[0], Fraction(0))
    depth = len(path)
    below = {row[-depth - 1 :] for row in TREE.rows if row[-depth:] == path}
    parts = [climbed(gain, child, height - 1) for child in below]
    if height == 3 and None in gain:
        parts.append((Fraction(0), gain[None]))
    positive = sum(left for _, left in parts if left > 0)
    negative = -sum(left for _, left in parts if left < 0)
    cost = sum((cost for cost, _ in parts), Fraction(0)) + Fraction(height, 3) * min(positive, negative)
    return cost, positive - negative


def keeps_t(model, own, everyone):
    return distance(model, own, everyone) <= exact(model.t)


def log(number):
    return Decimal(number.numerator).ln() - Decimal(number.denominator).ln()


def keeps_delta(model, own, everyone):
    for value in set(everyone):
        ratio = share(own, value) / share(everyone, value)
        if ratio == 0:
            if model.kind == "strict":
                return False
            continue
        if model.base is not None:
            delta, base = exact(model.delta), exact(model.base)
            farthest = max(ratio, 1 / ratio)
            if farthest**delta.denominator >= base**delta.numerator:
                return False
        else:
            with localcontext(Context(prec=60)):
                if abs(log(ratio)) >= Decimal(str(model.delta)):
                    return False
    return True


def keeps_beta(model, own, everyone):
    for value in set(own):
        before = share(everyone, value)
        gain = (share(own, value) - before) / before
        if gain > exact(model.beta):
            return False
        if model.kind == "enhanced" and gain > 0:
            with localcontext(Context(prec=60)):
                if Decimal(gain.numerator) / Decimal(gain.denominator) > -log(before):
                    return False
    return True


PLAIN = {
    "alpha_k": keeps_alpha,
    "p_sensitive": keeps_p,
    "l_diversity": keeps_l,
    "t_closeness": keeps_t,
    "delta_disclosure": keeps_delta,
    "beta_likeness": keeps_beta,
    "k_anonymity": lambda model, own, everyone: len(own) >= model.k,
}


def plainly_broken(model, labels, secrets):
    everyone = [secret for secret, label in zip(secrets, labels, strict=True) if label >= 0]
    classes = {}
    for secret, label in zip(secrets, labels, strict=True):
        if label >= 0:
            classes.setdefault(label, []).append(secret)
    return [label for label, own in sorted(classes.items()) if not PLAIN[model.name](model, own, everyone)]


SHARES = st.sampled_from([0.1, 0.2, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75])
POSITIVE = st.sampled_from([0.1, 0.5, 1, 1.5, 2, 3, 0.25, 1 / 3])

MODELS = st.one_of(
    st.builds(AlphaK, SHARES, st.just("ill"), st.none() | st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)),
    st.builds(PSensitive, st.integers(2, 4), st.just("ill")),
    st.builds(PSensitive, st.integers(2, 4), st.just("ill"), st.just(TREE), st.integers(0, 2)),
    st.builds(LDiversity, st.integers(2, 4), st.just("ill")),
    st.builds(LDiversity, st.sampled_from([1.5, 2, 2.5, 3, 4]), st.just("ill"), st.just("entropy")),
    st.builds(LDiversity, st.integers(2, 4), st.just("ill"), st.just("recursive"), POSITIVE),
    st.builds(TCloseness, SHARES | st.just(0), st.just("ill"), st.sampled_from(["equal", "ordered"])),
    st.builds(TCloseness, SHARES | st.just(0), st.just("ill"), st.just("hierarchical"), st.just(TREE)),
    st.builds(TCloseness, SHARES | st.just(0), st.just("ill"), st.just("ordered"), st.just(cl.Order(WORDS))),
    st.builds(
        DeltaDisclosure,
        st.sampled_from([0.1, 0.5, 0.8, 1, 2, 1.5]),
        st.just("ill"),
        st.sampled_from(["strict", "present"]),
        st.sampled_from([None, 2, 1.5]),
    ),
    st.builds(BetaLikeness, POSITIVE, st.just("ill"), st.sampled_from(["basic", "enhanced"])),
)


@st.composite
def labelled(draw, values=(None, *WORDS), max_size=16):
    secrets = draw(st.lists(st.sampled_from(values), min_size=1, max_size=max_size))
    labels = draw(st.lists(st.integers(-1, 3), min_size=len(secrets), max_size=len(secrets)))
    return secrets, labels


def assert_plain(model, secrets, labels):
    names = sorted({label for label in labels if label >= 0})  # Classes numbers them in ascending order
    found = model.broken(cl.Classes(labels), table_of(secrets))
    assert found.dtype == np.int64
    assert [names[label] for label in found] == plainly_broken(model, labels, secrets)


@given(case=labelled(), model=MODELS)
@settings(max_examples=600, deadline=None)
def test_broken_is_the_plain_definition(case, model):
    assert_plain(model, *case)


@given(case=labelled(values=(*WORDS[:3],), max_size=24), model=MODELS)
@settings(max_examples=300, deadline=None)
def test_broken_is_the_plain_definition_with_few_values(case, model):
    assert_plain(model, *case)


@given(case=labelled(values=(None, *NUMBERS)), t=SHARES)
@settings(max_examples=200, deadline=None)
def test_numbers_are_ranked_by_size_and_told_apart_by_it(case, t):
    assert_plain(TCloseness(t, on="ill", distance="ordered"), *case)


@given(case=labelled(values=NUMBERS), t=SHARES | st.just(0))
@settings(max_examples=300, deadline=None)
def test_numbers_by_their_distance(case, t):
    assert_plain(TCloseness(t, on="ill", distance="numeric"), *case)


@given(
    numbers=st.lists(st.integers(-(2**62), 2**62) | st.floats(-1e300, 1e300), min_size=1, max_size=8),
    data=st.data(),
)
@settings(max_examples=150, deadline=None)
def test_numbers_of_any_size_are_exact(numbers, data):
    """Wide ranges and many decimals leave the 64 bits: the same sums in doubles, then in Python's integers."""
    if any(isinstance(number, float) for number in numbers):
        numbers = [float(number) for number in numbers]
    secrets = [str(number) for number in numbers]
    labels = data.draw(st.lists(st.integers(0, 1), min_size=len(secrets), max_size=len(secrets)))
    places = {text: Fraction(text) for text in secrets}
    whole = max(places.values()) - min(places.values())
    for label in set(labels):
        own = [text for text, one in zip(secrets, labels, strict=True) if one == label]
        stops = sorted(set(places.values()))
        total = Fraction(0)
        for here, following in itertools.pairwise(stops):
            below = [Fraction(sum(places[text] <= here for text in texts), len(texts)) for texts in (own, secrets)]
            total += abs(below[0] - below[1]) * (following - here)
        plain = total / whole if whole else Fraction(0)
        rank = sorted(set(labels)).index(label)
        for t in {float(plain), max(float(plain) - 1e-12, 0.0), min(float(plain) + 1e-12, 0.99)} - {1.0}:
            found = TCloseness(t, on="ill", distance="numeric").broken(cl.Classes(labels), table_of(secrets))
            assert (rank in found) == (plain > exact(t))


def test_every_row_suppressed_breaks_nothing():
    table = table_of(["flu", None])
    for model in EXAMPLES.values():
        if getattr(model, "distance", "") != "numeric":
            assert len(model.broken(cl.Classes([-1, -1]), table)) == 0


# Checked numbers of the specification.


def holds(model, secrets, labels):
    return not len(model.broken(cl.Classes(labels), table_of([str(secret) for secret in secrets])))


def test_recursive_at_six_three_one():
    secrets, labels = list("aaaaaabbbc"), [0] * 10
    for l, c in ((2, 1.5), (3, 6)):  # noqa: E741
        assert not holds(LDiversity(l, on="ill", kind="recursive", c=c), secrets, labels)
        assert holds(LDiversity(l, on="ill", kind="recursive", c=c + 1e-9), secrets, labels)
    assert not holds(LDiversity(4, on="ill", kind="recursive", c=1e9), secrets, labels)


@pytest.mark.parametrize("kind", ["ordered", "numeric"])
def test_closeness_of_salaries(kind):
    secrets = [3, 4, 5, 6, 8, 11, 7, 9, 10]
    labels = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    for t, expected in (
        (0.375, []),
        (0.37499999999, [0]),
        (0.16666666666666669, [0]),  # a little above 1/6
        (0.16666666666666666, [0, 1]),  # a little below
    ):
        found = TCloseness(t, on="ill", distance=kind).broken(cl.Classes(labels), table_of([str(s) for s in secrets]))
        assert [label for label in found if label < 2] == expected


def test_rank_and_number_differ_for_uneven_gaps():
    secrets, labels = [0, 1, 100], [0, 0, 1]
    # Ranks: |1/2 - 1/3| and |1 - 2/3| halved; numbers: 1/100 and 99/100 of them.
    for kind, least in (("ordered", Fraction(1, 4)), ("numeric", Fraction(1, 600) + Fraction(99, 300))):
        t = float(least)
        found = [
            TCloseness(t + step, on="ill", distance=kind).broken(
                cl.Classes(labels), table_of([str(s) for s in secrets])
            )
            for step in (-1e-6, 1e-6)
        ]
        assert [0 in one for one in found] == [True, False]


@given(case=labelled(values=WORDS), t=SHARES)
@settings(max_examples=100, deadline=None)
def test_a_flat_hierarchy_is_the_equal_distance(case, t):
    secrets, labels = case
    flat = TCloseness(t, on="ill", distance="hierarchical", hierarchy=cl.Tree([[word] for word in WORDS]))
    equal = TCloseness(t, on="ill", distance="equal")
    table, classes = table_of(secrets), cl.Classes(labels)
    assert flat.broken(classes, table).tolist() == equal.broken(classes, table).tolist()


@pytest.mark.parametrize("kind", ["equal", "ordered", "numeric"])
def test_one_value_is_at_no_distance(kind):
    assert holds(TCloseness(0, on="ill", distance=kind), [7, 7, 7], [0, 1, 1])


def test_likeness_of_the_note():
    """Table 3: every class has one value; p(S) = 2/3 and p(N) = 1/3."""
    secrets, labels = list("SSSSNN"), [0, 0, 1, 1, 2, 2]
    assert holds(BetaLikeness(2, on="ill"), secrets, labels)
    assert not holds(BetaLikeness(1.999999999, on="ill"), secrets, labels)
    for beta in (2, 1e6):
        found = BetaLikeness(beta, on="ill", kind="enhanced").broken(cl.Classes(labels), table_of(secrets))
        assert found.tolist() == [0, 1, 2]  # 0.5 > 0.405, 2 > 1.099
    assert not holds(DeltaDisclosure(1e6, on="ill"), secrets, labels)  # a value is absent
    assert holds(DeltaDisclosure(1.0987, on="ill", kind="present"), secrets, labels)  # ln 3 = 1.09861...
    assert not holds(DeltaDisclosure(1.0986, on="ill", kind="present"), secrets, labels)


def test_disclosure_is_strict_where_a_base_makes_it_rational():
    secrets, labels = list("ababaccc"), [0, 0, 0, 0, 1, 1, 1, 1]
    # p(b) = 1/4 and q(b) = 1/2: the ratio is 2.
    for delta, base, expected in ((1, 2, False), (1.0001, 2, True), (0.5, 4, False), (2, 1.41, False), (3, 1.41, True)):
        model = DeltaDisclosure(delta, on="ill", kind="present", base=base)
        assert holds(model, secrets, labels) is expected


def test_a_homogeneous_class():
    secrets, labels = list("aaab"), [0, 0, 1, 1]
    for model in (AlphaK(0.999, on="ill"), LDiversity(1.000001, on="ill", kind="entropy"), PSensitive(2, on="ill")):
        assert model.broken(cl.Classes(labels), table_of(secrets)).tolist() == [0]


@pytest.mark.parametrize(
    ("alpha", "expected"), [(0.3, True), (0.30000000000000004, True), (0.29999999999999993, False)]
)
def test_shares_are_compared_as_their_texts_spell_them(alpha, expected):
    assert holds(AlphaK(alpha, on="ill"), list("aaabbcdefg"), [0] * 10) is expected


# What the models outlive.

EXAMPLES = {
    "k": KAnonymity(2),
    "alpha": AlphaK(0.7, on="ill"),
    "alpha of some": AlphaK(0.7, on="ill", values=[GASTRITIS]),
    "p": PSensitive(2, on="ill"),
    "p at a level": PSensitive(2, on="ill", hierarchy=TREE, level=2),
    "distinct": LDiversity(2, on="ill"),
    "entropy": LDiversity(1.7, on="ill", kind="entropy"),
    "recursive": LDiversity(2, on="ill", kind="recursive", c=2.5),
    "t equal": TCloseness(0.3, on="ill"),
    "t ordered": TCloseness(0.3, on="ill", distance="ordered"),
    "t hierarchical": TCloseness(0.3, on="ill", distance="hierarchical", hierarchy=TREE),
    "delta strict": DeltaDisclosure(0.62, on="ill"),
    "delta present": DeltaDisclosure(0.62, on="ill", kind="present"),
    "beta": BetaLikeness(0.8, on="ill"),
    "beta enhanced": BetaLikeness(0.8, on="ill", kind="enhanced"),
}
OUTLIVES = {
    "k": (True, True, True),
    "alpha": (True, False, True),
    "alpha of some": (True, False, True),
    "p": (True, True, True),
    "p at a level": (True, True, True),
    "distinct": (True, True, True),
    "entropy": (True, False, True),
    "recursive": (True, False, True),
    "t equal": (True, False, False),
    "t ordered": (True, False, False),
    "t hierarchical": (True, False, False),
    "delta strict": (True, False, False),
    "delta present": (False, False, False),
    "beta": (True, False, False),
    "beta enhanced": (True, False, False),
}


def random_cases(n_tables, n_values):
    """Yield tables with five groupings each, most of them into few classes that are alike."""
    dice = random.Random(5)
    for _ in range(n_tables):
        values = dice.sample(WORDS, n_values)
        secrets = [dice.choice(values) for _ in range(dice.randint(6, 24))]
        table = table_of(secrets)
        for _ in range(5):
            yield dice, table, np.array([dice.randint(0, 3) for _ in secrets])


@pytest.mark.parametrize("name", EXAMPLES)
def test_declared_monotonicity_is_that_of_the_model(name):
    assert tuple(EXAMPLES[name].monotone) == OUTLIVES[name]


@pytest.mark.parametrize("name", [name for name, (united, _, _) in OUTLIVES.items() if united])
def test_uniting_classes_of_a_table_that_holds(name):
    model, n_tried = EXAMPLES[name], 0
    for dice, table, labels in random_cases(200, n_values=2):
        if len(model.broken(cl.Classes(labels), table)):
            continue
        united = np.array([0, dice.randint(0, 1), dice.randint(0, 2), dice.randint(0, 3)])[labels]
        n_tried += len(set(united.tolist())) < len(set(labels.tolist()))
        assert not len(model.broken(cl.Classes(united), table))
    assert n_tried > 20


@pytest.mark.parametrize("name", [name for name, (_, merged, _) in OUTLIVES.items() if merged])
def test_merging_a_broken_class_into_one_that_holds(name):
    model, n_tried = EXAMPLES[name], 0
    for _, table, labels in random_cases(60, n_values=3):
        classes = cl.Classes(labels)
        broken = set(model.broken(classes, table).tolist())
        for whole, other in itertools.permutations(range(classes.n_classes), 2):
            if whole in broken:
                continue
            n_tried += other in broken
            merged = np.where(classes.labels == other, whole, classes.labels)
            name_of = sorted(set(merged.tolist()))
            assert whole not in {name_of[label] for label in model.broken(cl.Classes(merged), table)}
    assert n_tried > 50


@pytest.mark.parametrize("name", [name for name, (_, _, suppressed) in OUTLIVES.items() if suppressed])
def test_suppressing_classes_of_a_table_that_holds(name):
    model, n_tried = EXAMPLES[name], 0
    for dice, table, labels in random_cases(200, n_values=2):
        if len(model.broken(cl.Classes(labels), table)):
            continue
        left = np.where(np.isin(labels, dice.sample(range(4), dice.randint(1, 3))), -1, labels)
        n_tried += (left >= 0).any() and (left < 0).any()
        assert not len(model.broken(cl.Classes(left), table))
    assert n_tried > 20


# One class half and half, and two of one value each: half of all rows hold either value.
EXTREME = [GASTRITIS, FLU] + [GASTRITIS] * 20 + [FLU] * 20
EXTREME_CLASSES = [0, 0] + [1] * 20 + [2] * 20


@pytest.mark.parametrize("name", [name for name, (_, merged, _) in OUTLIVES.items() if not merged])
def test_a_broken_class_may_break_the_one_it_is_merged_into(name):
    model, table = EXAMPLES[name], table_of(EXTREME)
    broken = model.broken(cl.Classes(EXTREME_CLASSES), table)
    assert 0 not in broken
    assert 1 in broken
    merged = [0 if label == 1 else label for label in EXTREME_CLASSES]
    assert 0 in model.broken(cl.Classes(merged), table)


@pytest.mark.parametrize("name", [name for name, (_, _, suppressed) in OUTLIVES.items() if not suppressed])
def test_suppressing_a_class_moves_what_the_others_are_compared_with(name):
    shares = [(15, 50), (7, 10), (100, 200)]
    secrets = [secret for part, n in shares for secret in [GASTRITIS] * part + [FLU] * (n - part)]
    labels = np.repeat([0, 1, 2], [n for _, n in shares])
    model, table = EXAMPLES[name], table_of(secrets)
    assert len(model.broken(cl.Classes(labels), table)) == 0
    assert 1 in model.broken(cl.Classes(np.where(labels == 2, -1, labels)), table)


def test_an_absent_value_may_come_into_a_united_class():
    shares = [(0, 4), (1, 4), (6, 10)]
    secrets = [secret for part, n in shares for secret in [FLU] * part + [GASTRITIS] * (n - part)]
    labels = np.repeat([0, 1, 2], [n for _, n in shares])
    model, table = EXAMPLES["delta present"], table_of(secrets)
    assert len(model.broken(cl.Classes(labels), table)) == 0
    assert model.broken(cl.Classes(np.maximum(labels, 1)), table).tolist() == [0]


# What can be reached.


def sub_multisets(counts, n_spare):
    """Yield the secrets of every choice of rows that leaves at least one and drops at most ``n_spare``."""
    for kept in itertools.product(*(range(count + 1) for count in counts.values())):
        if sum(kept) and sum(counts.values()) - sum(kept) <= n_spare:
            yield [value for value, n in zip(counts, kept, strict=True) for _ in range(n)]


@given(
    secrets=st.lists(st.sampled_from([None, *WORDS[:3]]), min_size=1, max_size=9),
    n_spare=st.integers(0, 9),
    model=st.one_of(
        st.builds(AlphaK, SHARES, st.just("ill")),
        st.builds(PSensitive, st.integers(2, 3), st.just("ill"), st.just(TREE), st.integers(0, 2)),
        st.builds(LDiversity, st.sampled_from([1.5, 1.9, 2, 2.5, 2.9, 3]), st.just("ill"), st.just("entropy")),
        st.builds(LDiversity, st.integers(2, 4), st.just("ill"), st.sampled_from(["distinct"])),
        st.builds(LDiversity, st.integers(2, 4), st.just("ill"), st.just("recursive"), POSITIVE),
        st.builds(TCloseness, st.just(0), st.just("ill"), st.sampled_from(["equal", "ordered"])),
        st.builds(DeltaDisclosure, POSITIVE, st.just("ill")),
        st.builds(BetaLikeness, POSITIVE, st.just("ill"), st.just("enhanced")),
    ),
)
@settings(max_examples=800, deadline=None)
def test_reachable_is_what_some_choice_of_rows_meets_in_one_class(secrets, n_spare, model):
    reachable = any(PLAIN[model.name](model, own, own) for own in sub_multisets(Counter(secrets), n_spare))
    assert is_reachable(model, table_of(secrets), n_spare) == reachable


@given(
    secrets=st.lists(st.sampled_from([None, *WORDS[:3]]), min_size=2, max_size=9),
    n_spare=st.integers(0, 5),
    alpha=SHARES,
)
@settings(max_examples=200, deadline=None)
def test_reachable_with_declared_values(secrets, n_spare, alpha):
    declared = [value for value in WORDS[:2] if value in secrets]
    if declared:
        model = AlphaK(alpha, on="ill", values=declared)
        reachable = any(keeps_alpha(model, own, own) for own in sub_multisets(Counter(secrets), n_spare))
        assert is_reachable(model, table_of(secrets), n_spare) == reachable


@given(counts=st.lists(st.integers(1, 20), min_size=1, max_size=3), n_spare=st.integers(0, 40))
@settings(max_examples=150, deadline=None)
def test_the_evenest_counts(counts, n_spare):
    """Of all ways to drop rows none has a higher entropy, where the limit lies within a level too."""
    least = max(sum(counts) - n_spare, 1)
    ways = itertools.product(*(range(count + 1) for count in counts))
    best = max(entropy(kept) for kept in ways if sum(kept) >= least)
    cases = _evenest(np.array(counts, dtype=np.int64), n_spare)
    assert max(entropy(case.tolist()) for case in cases) == pytest.approx(best, abs=1e-12)


def entropy(counts):
    size = sum(counts)
    return -sum(count / size * math.log(count / size) for count in counts if count)


def is_reachable(model, table, n_spare=0):
    refused = None
    try:
        model.check_reachable(table, n_spare)
    except cl.UnreachableError as error:
        refused = error
    if refused:
        assert refused.about == "models"
        assert "Nothing was written" in refused.hint
        assert not any(word in str(refused) for word in WORDS)
    return refused is None


@pytest.mark.parametrize(
    ("model", "n_spare", "message", "hint"),
    [
        (AlphaK(0.5, on="ill"), 0, r"stands in 60 % of the rows .*; alpha is 0\.5", r"alpha = 0\.6 is the least"),
        (AlphaK(0.5, on="ill"), 1, r"stands in 55\.6 % .* once 1 rows are suppressed", r"alpha = 0\.556 is the least"),
        (
            LDiversity(3, on="ill", kind="entropy"),
            0,
            r"entropy 3-diversity needs a table whose entropy is at least ln 3; that of 'ill' .* at most l = 2\.454",
            r"l = 2\.454 is the most",
        ),
        (LDiversity(4, on="ill", kind="entropy"), 9, r"allows at most l = 3 once 9 rows", "l = 3 is the most"),
        (
            LDiversity(4, on="ill", kind="recursive", c=9),
            0,
            "at least 4 different values of 'ill'; .* hold 3",
            "l = 3 is",
        ),
        (
            LDiversity(2, on="ill", kind="recursive", c=1),
            0,
            "fewer than 1 times .* has 6 and they have 4",
            r"above 1\.5",
        ),
        (PSensitive(4, on="ill"), 0, "4 different known values of 'ill'; .* hold 3", "p = 3 is the most"),
        (PSensitive(3, on="ill", hierarchy=TREE, level=2), 0, "3 different labels at level 2 .* hold 2", "p = 2 is"),
    ],
)
def test_what_cannot_be_reached_is_told_in_numbers(model, n_spare, message, hint):
    table = table_of([GASTRITIS] * 6 + [FLU] * 3 + ["ulcer"])
    with pytest.raises(cl.UnreachableError, match=message) as caught:
        model.check_reachable(table, n_spare)
    assert re.search(hint, caught.value.hint)
    assert caught.value.about == "models"


def test_where_no_parameter_can_be_met():
    for model in (AlphaK(0.9, on="ill"), LDiversity(1.5, on="ill", kind="entropy"), PSensitive(2, on="ill")):
        with pytest.raises(cl.UnreachableError, match="can be met on this column"):
            model.check_reachable(table_of(["flu", "flu"]), 1)


def test_the_best_parameter_named_can_be_met():
    for counts in ([6, 3, 1], [7, 7, 1], [2, 1], [999, 1], [5, 5, 5]):
        secrets = [value for value, n in zip(WORDS, counts, strict=False) for _ in range(n)]
        table = table_of(secrets)
        for make, strong in (
            (lambda alpha: AlphaK(alpha, on="ill"), 0.001),
            (lambda least: LDiversity(least, on="ill", kind="entropy"), 9),
        ):
            with pytest.raises(cl.UnreachableError) as caught:
                make(strong).check_reachable(table)
            best = float(re.search(r"= ([0-9.]+) is the", caught.value.hint)[1])
            make(best).check_reachable(table)


def test_rows_that_cannot_be_published_do_not_help():
    tree = cl.Tree([["a", "*"], ["b", "*"]], on_missing="suppress")
    frame = pl.DataFrame({"job": ["a", "b", "c", "c"], "ill": ["flu", "flu", "cold", "colitis"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"job": tree}, sensitive=["ill"]))
    for name in ("alpha", "p", "distinct", "entropy", "recursive"):
        assert not is_reachable(EXAMPLES[name], table)


@given(
    counts=st.lists(st.integers(1, 4), min_size=2, max_size=4).filter(lambda counts: sum(counts) <= 7),
    p=st.integers(2, 3),
    n_missing=st.integers(0, 1),
)
@settings(max_examples=60, deadline=None)
def test_no_grouping_has_more_classes_than_the_bound(counts, p, n_missing):
    secrets = [value for value, n in zip(WORDS, counts, strict=False) for _ in range(n)] + [None] * n_missing
    most = 0
    for labels in groupings(len(secrets)):
        held = {}
        for label, secret in zip(labels, secrets, strict=True):
            held.setdefault(label, set()).add(secret)
        if all(len(values - {None}) >= p for values in held.values()):
            most = max(most, len(held))
    assert most <= PSensitive(p, on="ill").most_classes(table_of(secrets))


def groupings(n_rows, so_far=()):
    """Yield every partition of the rows once, as labels."""
    if len(so_far) == n_rows:
        yield so_far
        return
    for label in range(max(so_far, default=-1) + 2):
        yield from groupings(n_rows, (*so_far, label))
