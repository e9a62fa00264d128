"""Models about secrets, judged against slow, plain definitions."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_secrets import EXAMPLES, NUMBERS, POSITIVE, SHARES, TREE, WORDS, exact, plainly_broken, table_of
from trying import tries

import celosia as cl
from celosia.models import AlphaK, BetaLikeness, DeltaDisclosure, LDiversity, PSensitive, TCloseness

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
@tries(600)
def test_broken_is_the_plain_definition(case, model):
    assert_plain(model, *case)


@given(case=labelled(values=(*WORDS[:3],), max_size=24), model=MODELS)
@tries(300)
def test_broken_is_the_plain_definition_with_few_values(case, model):
    assert_plain(model, *case)


@given(case=labelled(values=(None, *NUMBERS)), t=SHARES)
@tries(200)
def test_numbers_are_ranked_by_size_and_told_apart_by_it(case, t):
    assert_plain(TCloseness(t, on="ill", distance="ordered"), *case)


@given(case=labelled(values=NUMBERS), t=SHARES | st.just(0))
@tries(300)
def test_numbers_by_their_distance(case, t):
    assert_plain(TCloseness(t, on="ill", distance="numeric"), *case)


@given(
    numbers=st.lists(st.integers(-(2**62), 2**62) | st.floats(-1e300, 1e300), min_size=1, max_size=8),
    data=st.data(),
)
@tries(150)
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
@tries(100)
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
