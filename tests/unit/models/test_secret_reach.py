"""What the models about secrets can reach, and what they say where they cannot."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_secrets import EXAMPLES, FLU, GASTRITIS, PLAIN, POSITIVE, SHARES, TREE, WORDS, keeps_alpha, table_of
from trying import tries

import celosia as cl
from celosia.models import AlphaK, BetaLikeness, DeltaDisclosure, LDiversity, PSensitive, TCloseness
from celosia.models.l_diversity import _evenest


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
@tries(800)
def test_reachable_is_what_some_choice_of_rows_meets_in_one_class(secrets, n_spare, model):
    reachable = any(PLAIN[model.name](model, own, own) for own in sub_multisets(Counter(secrets), n_spare))
    assert is_reachable(model, table_of(secrets), n_spare) == reachable


@given(
    secrets=st.lists(st.sampled_from([None, *WORDS[:3]]), min_size=2, max_size=9),
    n_spare=st.integers(0, 5),
    alpha=SHARES,
)
@tries(200)
def test_reachable_with_declared_values(secrets, n_spare, alpha):
    declared = [value for value in WORDS[:2] if value in secrets]
    if declared:
        model = AlphaK(alpha, on="ill", values=declared)
        reachable = any(keeps_alpha(model, own, own) for own in sub_multisets(Counter(secrets), n_spare))
        assert is_reachable(model, table_of(secrets), n_spare) == reachable


@given(counts=st.lists(st.integers(1, 20), min_size=1, max_size=3), n_spare=st.integers(0, 40))
@tries(150)
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
@tries(60)
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
