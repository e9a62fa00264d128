from __future__ import annotations

import json
import math
import time

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.measure.risk.dankar import dankar
from celosia.measure.risk.pitman import pitman
from celosia.measure.risk.snb import snb
from celosia.measure.risk.zayatz import zayatz

pytestmark = pytest.mark.parametrize("estimator", [zayatz, pitman, snb, dankar])

ODD = {
    "one person": [1],
    "two people": [1, 1],
    "a pair": [2],
    "one and a pair": [1, 2],
    "one and three": [1, 3],
    "one class": [1000],
    "one beside a huge class": [1, 10**6],
    "pairs beside one": [1] + [2] * 5000,
    "one pair among uniques": [1] * 5000 + [2],
    "a pair and a huge class": [1, 2, 10**6],
    "all sizes": list(range(1, 400)),
    "steep": [1] * 3000 + [2] * 20 + [100_000],
}
SHARES = [1e-9, 1e-6, 1e-3, 0.05, 0.1, 0.5, 0.9, 0.999, 0.999999]


def classes_of(class_sizes):
    return cl.Classes(np.repeat(np.arange(len(class_sizes)), class_sizes))


def hold(found, size):
    """Assert that an estimate is one, or says why it is none."""
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    assert all(math.isfinite(value) for value in found.parameters.values())
    if found.uniques is None:
        assert found.reason
        assert found.share is None
        return
    assert found.reason is None
    assert 0 <= found.uniques <= size
    assert found.share == found.uniques / size
    assert (found.uniques > 0) == (found.sample_uniques > 0)
    if found.estimator in ("zayatz", "snb"):  # nobody can be unique in the population and shared in the sample
        assert found.uniques <= found.sample_uniques * size / found.n_people * (1 + 1e-9)


@pytest.mark.parametrize("class_sizes", ODD.values(), ids=ODD)
@pytest.mark.parametrize("share", SHARES)
def test_odd_samples_give_an_estimate_or_a_reason(estimator, class_sizes, share):
    size = max(int(sum(class_sizes) / share), sum(class_sizes))
    hold(estimator(classes_of(class_sizes), size), size)


def test_random_samples_give_an_estimate_or_a_reason(estimator):
    generator = np.random.default_rng(17)
    for _ in range(60):
        n_classes = int(10 ** generator.uniform(0, 3))
        class_sizes = np.minimum(generator.zipf(generator.uniform(1.2, 6), n_classes), 10**5)
        size = int(class_sizes.sum() * 10 ** (generator.uniform(0, 9) if generator.random() < 0.7 else 1e-6))
        hold(estimator(classes_of(class_sizes), size), size)


def test_nobody_unique_in_the_sample_is_zero(estimator):
    found = estimator(cl.Classes([0, 0, 1, 1, 1]), 1000)
    assert (found.uniques, found.share, found.reason, found.sample_uniques) == (0.0, 0.0, None, 0)


def test_a_whole_population_is_counted(estimator):
    found = estimator(classes_of([1, 1, 1, 2, 4]), 9)
    assert (found.uniques, found.reason, found.parameters) == (3.0, None, {})


def test_nobody_at_all_is_undefined(estimator):
    for source in (cl.Classes([]), cl.Classes([-1, -1])):
        found = estimator(source, 10)
        assert (found.uniques, found.share, found.n_people) == (None, None, 0)
        assert "nobody" in found.reason


def test_people_are_counted_and_not_rows(estimator):
    frame = pl.DataFrame({"who": ["a", "a", "b", "c", "d"], "age": [40, 40, 50, 50, 60]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    found = estimator(table, 4)
    assert (found.n_people, found.sample_uniques, found.uniques) == (4, 2, 2.0)


def test_a_release_is_measured_by_what_it_publishes(estimator):
    table = cl.Table(pl.DataFrame({"age": [1, 2, 30, 31]}), cl.Schema(quasi_identifiers={"age": "number"}))
    release = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(table)
    assert estimator(release, 100).uniques == 0.0
    assert estimator(table, 4).uniques == 4.0


@pytest.mark.parametrize("size", [None, True, 10.0, "10", 2.5, float("nan")])
def test_a_population_has_a_whole_number_of_people(estimator, size):
    with pytest.raises(cl.OptionError, match="whole number"):
        estimator(cl.Classes([0, 1]), size)


@pytest.mark.parametrize("size", [0, -5, 2, 2**53 + 1, 10**400])
def test_a_population_is_no_smaller_than_its_sample(estimator, size):
    with pytest.raises(cl.InputError, match="hold 3 people"):
        estimator(cl.Classes([0, 1, 1]), size)


def test_something_else_is_refused(estimator):
    with pytest.raises(cl.InputError):
        estimator("data.csv", 10)


def test_numpy_numbers_are_numbers(estimator):
    found = estimator(cl.Classes([0, 1, 1]), np.int64(3))
    assert type(found.population_size) is int


def test_a_million_people_take_well_under_a_second(estimator):
    generator = np.random.default_rng(5)
    for labels in (
        np.arange(10**6),
        generator.integers(0, 10**6, 10**6),
        np.minimum(generator.zipf(1.3, 10**6), 10**7),
    ):
        classes = cl.Classes(labels)
        assert classes.n_classes > 1  # counted before the clock starts
        started = time.process_time()
        estimator(classes, 47_000_000)
        assert time.process_time() - started < 1
