from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import InputError
from celosia.data.classes import Classes, group

codes = st.integers(-1, 5)


@given(st.integers(1, 5).flatmap(lambda width: st.lists(st.tuples(*[codes] * width), min_size=1, max_size=40)))
def test_rows_have_equal_labels_just_if_they_are_equal(rows):
    labels = group([np.array(column) for column in zip(*rows, strict=True)])
    for one, label in zip(rows, labels, strict=True):
        for other, second in zip(rows, labels, strict=True):
            assert (one == other) == (label == second)
    assert sorted(set(labels.tolist())) == list(range(len(set(rows))))


def test_a_radix_beyond_62_bits_still_tells_rows_apart():
    generator = np.random.default_rng(0)
    columns = [generator.integers(-1, 2**31 - 2, 200) for _ in range(7)]
    columns = [np.concatenate([column, column]) for column in columns]
    labels = group(columns)
    assert (labels[:200] == labels[200:]).all()
    assert len(np.unique(labels)) == 200


@given(st.lists(st.integers(-1, 6), max_size=30))
def test_sizes_and_suppressed_rows_add_up(labels):
    classes = Classes(labels)
    assert classes.n_published + classes.n_suppressed == len(labels)
    assert sorted(classes.sizes.tolist()) == sorted(labels.count(label) for label in set(labels) - {-1})
    assert classes.n_suppressed == labels.count(-1)


@given(st.lists(st.tuples(st.integers(-1, 4), codes), min_size=1, max_size=30))
def test_distinct_counts_the_codes_of_each_class(rows):
    classes = Classes([label for label, _ in rows])
    counted = classes.distinct(np.array([code for _, code in rows]))
    for label in range(classes.n_classes):
        held = {code for (_, code), own in zip(rows, classes.labels, strict=True) if own == label}
        assert counted[label] == len(held)


@pytest.mark.parametrize("labels", [[-2], [[1]], [0.5]])
def test_labels_that_are_none_are_refused(labels):
    with pytest.raises(InputError):
        Classes(labels)


def test_no_column_is_refused():
    with pytest.raises(InputError):
        group([])
