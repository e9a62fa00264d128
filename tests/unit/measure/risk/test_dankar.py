from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.measure.risk.dankar import dankar
from celosia.measure.risk.pitman import pitman
from celosia.measure.risk.snb import snb
from celosia.measure.risk.zayatz import zayatz

sizes = st.lists(st.one_of(st.just(1), st.integers(1, 4), st.integers(1, 60)), min_size=1, max_size=30)


def classes_of(class_sizes):
    return cl.Classes(np.repeat(np.arange(len(class_sizes)), class_sizes))


@given(sizes, st.integers(0, 400))
@tries(60)
def test_it_is_the_rule(class_sizes, more):
    classes, size = classes_of(class_sizes), sum(class_sizes) + more
    found = dankar(classes, size)
    if sum(class_sizes) / size <= 0.1:
        allowed = [pitman(classes, size), zayatz(classes, size)]
        assert found == next(estimate for estimate in allowed if estimate.uniques is not None)
    else:
        known = [estimate for estimate in (zayatz(classes, size), snb(classes, size)) if estimate.uniques is not None]
        assert found == min(known, key=lambda estimate: estimate.uniques)


def test_a_tenth_itself_belongs_to_pitman():
    classes = classes_of([1] * 8 + [2] * 3 + [9])
    assert dankar(classes, 230).estimator == "pitman"
    assert dankar(classes, 229).estimator == "snb"


def test_where_pitman_is_undefined_it_is_zayatz():
    found = dankar(cl.Classes(range(20)), 1000)
    assert (found.estimator, found.uniques, found.reason) == ("zayatz", 1000.0, None)


def test_where_the_shifted_negative_binomial_is_undefined_it_is_zayatz():
    classes = classes_of([1, 1, 1, 3])
    assert snb(classes, 12).uniques is None
    assert dankar(classes, 12) == zayatz(classes, 12)


def test_the_lower_one_of_two():
    classes = classes_of([1] * 4 + [2] * 3 + [5] * 2)
    found = dankar(classes, 100)
    assert found.uniques == min(zayatz(classes, 100).uniques, snb(classes, 100).uniques)
    assert found.uniques == pytest.approx(0.5289, abs=1e-4)


def test_nobody_and_everybody():
    assert dankar(cl.Classes([]), 10).uniques is None
    assert dankar(cl.Classes([0, 0, 1, 2]), 4).uniques == 2.0
    assert dankar(cl.Classes([0, 0, 1, 1]), 400).uniques == 0.0
