"""What the models about secrets outlive: uniting, merging and suppressing classes."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from plain_secrets import EXAMPLES, FLU, GASTRITIS, WORDS, table_of

import celosia as cl

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
