"""Classification: the learner against plain loops, the protocol against what it must never do."""

from __future__ import annotations

import json
import math
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.base.chance import Randomness
from celosia.data.recode import recode
from celosia.measure import utility
from celosia.measure.utility.classification import _folds, bins_of, predicted


class Publishing:
    """Publishes given classes, and keeps what it was given."""

    def __init__(self, labels_of):
        self.labels_of, self.seen = labels_of, []

    def run(self, table):
        self.seen.append(table)
        self.recoding = recode(table, cl.Classes(self.labels_of(table)))
        return self


def untouched(table):
    return list(range(table.n_rows))


def plain_bayes(training, targets, n_bins, tested):
    """Score every class for every row; ``training`` holds per row and column a dict bin -> weight."""
    classes = sorted(set(targets))
    answers = []
    for row in tested:
        scores = []
        for own in classes:
            rows = [place for place, target in enumerate(targets) if target == own]
            score = math.log((len(rows) + 1) / (len(targets) + len(classes)))
            for column, wanted in enumerate(row):
                if wanted is not None:
                    total = sum(sum(training[place][column].values()) for place in rows)
                    weight = sum(training[place][column].get(wanted, 0) for place in rows)
                    score += math.log((weight + 1) / (total + n_bins[column]))
            scores.append(score)
        answers.append(scores)
    return answers


@given(data=st.data())
@tries(80)
def test_naive_bayes_against_plain_loops(data):
    n_bins = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    n_rows = data.draw(st.integers(2, 8))
    targets = [0, 1, *data.draw(st.lists(st.integers(0, 1), min_size=n_rows - 2, max_size=n_rows - 2))]
    cell = [st.sets(st.integers(0, n - 1), min_size=1) for n in n_bins]
    chosen = [[data.draw(one) for one in cell] for _ in targets]
    training = [[{place: 1 / len(own) for place in own} for own in row] for row in chosen]
    tested = [[data.draw(st.none() | st.integers(0, n - 1)) for n in n_bins] for _ in range(5)]
    weights = []
    for column, n in enumerate(n_bins):
        own = np.zeros((2, n))
        for row, target in enumerate(targets):
            for place, weight in training[row][column].items():
                own[target, place] += weight
        weights.append(own)
    bins = [np.array([-1 if row[column] is None else row[column] for row in tested]) for column in range(len(n_bins))]
    found = predicted(weights, np.bincount(targets, minlength=2).astype(float), bins)
    for got, scores in zip(found, plain_bayes(training, targets, n_bins, tested), strict=True):
        assert scores[got] == pytest.approx(max(scores), abs=1e-9)


def test_bins_of_numbers_are_deciles_and_hold_new_numbers():
    bins = bins_of(pl.Series(list(range(1, 101))))
    assert bins.n_bins == 10
    found = bins.of(pl.Series([-5, 1, 50, 100, 1000]))
    assert found[0] == found[1] == 0
    assert found[3] == found[4] == 9
    sizes = Counter(bins.of(pl.Series(list(range(1, 101)))).tolist())
    assert max(sizes.values()) - min(sizes.values()) <= 2
    tied = bins_of(pl.Series([1] * 50 + [2] * 50))
    assert len(set(tied.of(pl.Series([1, 2])).tolist())) == 2
    empty = bins_of(pl.Series([None, None], dtype=pl.Int64))
    assert empty.of(pl.Series([3, None])).tolist() == [0, empty.missing]


def test_bins_of_categories():
    bins = bins_of(pl.Series(["b", "a", None]))
    assert bins.of(pl.Series(["a", "b", "new", None])).tolist() == [0, 1, -1, 2]
    assert bins_of(pl.Series(["b", "a"])).of(pl.Series([None], dtype=pl.String)).tolist() == [-1]


def people(n_rows=60, seed=1):
    random = np.random.default_rng(seed)
    age = random.integers(18, 80, n_rows)
    job = np.where(age > 50, "law", random.choice(["law", "art"], n_rows))
    rich = np.where((age > 45) | (random.random(n_rows) < 0.1), "yes", "no")
    frame = pl.DataFrame({"age": age, "job": job, "rich": rich})
    schema = cl.Schema(quasi_identifiers={"age": "number", "job": "category"}, sensitive=["rich"])
    return cl.Table(frame, schema)


def test_a_whole_run_against_plain_loops():
    """One fold by hand: soft weights of published sets and ranges, raw test rows."""
    table = people(24)
    plan = Publishing(lambda part: [place // 3 if place % 7 else -1 for place in range(part.n_rows)])
    found = utility.classification(table, plan, "rich", folds=2, repeats=1, seed=4)
    codes = np.array([["no", "yes"].index(value) for value in table.frame["rich"]])
    fold_of_row = _folds(codes, np.arange(24), 2, Randomness(found.seeds[0]))
    shares = []
    for fold in range(2):
        train = table.frame.filter(pl.Series(fold_of_row != fold))
        test = table.frame.filter(pl.Series(fold_of_row == fold))
        ages = bins_of(train["age"])
        jobs = sorted(train["job"].unique())
        labels = plan.labels_of(cl.Table(train, table.schema))
        rows, targets = [], []
        for place, label in enumerate(labels):
            if label < 0:
                continue
            members = [other for other, own in enumerate(labels) if own == label]
            low, high = min(train["age"][m] for m in members), max(train["age"][m] for m in members)
            inside = [value for value in sorted(set(train["age"])) if low <= value <= high]
            age = Counter()
            for value in inside:
                age[int(ages.of(pl.Series([value]))[0])] += 1 / len(inside)
            chosen = {train["job"][m] for m in members}
            rows.append([dict(age), {jobs.index(own): 1 / len(chosen) for own in chosen}])
            targets.append(["no", "yes"].index(train["rich"][place]))
        tested = [
            [int(ages.of(pl.Series([age]))[0]), jobs.index(job) if job in jobs else None]
            for age, job in zip(test["age"], test["job"], strict=True)
        ]
        scores = plain_bayes(rows, targets, [ages.n_bins, len(jobs)], tested)
        truth = [["no", "yes"].index(value) for value in test["rich"]]
        shares.append(np.mean([np.argmax(own) == true for own, true in zip(scores, truth, strict=True)]))
    assert found.accuracy == pytest.approx(np.mean(shares))


def test_untouched_rows_teach_as_much_as_raw_ones():
    found = utility.classification(people(), Publishing(untouched), "rich", seed=1)
    assert found.accuracy == found.accuracy_raw
    assert found.accuracy > found.accuracy_majority
    assert found.relative == 1
    assert found.reason == ""
    assert len(found.seeds) == 2
    json.dumps(found.to_dict(), allow_nan=False)
    again = utility.classification(people(), Publishing(untouched), "rich", seed=1)
    assert again == found


def test_everything_in_one_class_teaches_the_majority():
    """Every feature weighs the same in each class, up to smoothing, so that the majority is named."""
    found = utility.classification(people(200), Publishing(lambda table: [0] * table.n_rows), "rich", seed=2)
    assert found.accuracy == pytest.approx(found.accuracy_majority, abs=0.05)
    assert abs(found.relative) < 0.3


def test_the_plan_never_sees_a_held_out_row():
    table = people(40)
    frame = table.frame.with_columns(pl.Series("row", list(range(40))))
    table = cl.Table(
        frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["rich"], insensitive=["row", "job"])
    )
    plan = Publishing(untouched)
    found = utility.classification(table, plan, "rich", folds=4, repeats=3)
    assert found.accuracy is not None
    assert len(plan.seen) == 12
    for start in range(0, 12, 4):
        held_out = [set(range(40)) - set(seen.frame["row"]) for seen in plan.seen[start : start + 4]]
        assert sorted(row for rows in held_out for row in rows) == list(range(40))
        assert all(9 <= len(rows) <= 11 for rows in held_out)


def test_no_person_is_in_training_and_in_test():
    frame = people(60).frame.with_columns(pl.Series("who", [f"p{row % 20}" for row in range(60)]))
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["rich"], insensitive=["job"], subject="who")
    plan = Publishing(untouched)
    utility.classification(cl.Table(frame, schema), plan, "rich", folds=3, repeats=1, seed=1)
    for seen in plan.seen:
        gone = set(frame["who"]) - set(seen.frame["who"])
        assert 60 - seen.n_rows == 3 * len(gone)


def test_a_real_plan():
    plan = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Mondrian(), seed=1)
    found = utility.classification(people(120), plan, "rich", folds=3, repeats=1, seed=1)
    assert 0.5 < found.accuracy <= 1
    assert found.accuracy_raw >= found.accuracy_majority
    assert found.n_rows == 120


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (["a"] * 20, "fewer than two values"),
        (["a"] * 18 + ["b"] * 2, "belongs to 2 people, fewer than 5 folds"),
        ([None] * 20, "fewer than two values"),
        (["a", "b"] * 10, "no more than the majority"),
    ],
)
def test_undefined_is_none_with_its_reason(target, reason):
    frame = pl.DataFrame({"x": [1] * 20, "y": pl.Series(target, dtype=pl.String)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": "number"}, insensitive=["y"]))
    found = utility.classification(table, Publishing(untouched), "y", repeats=1, seed=1)
    assert found.relative is None
    assert reason in found.reason
    json.dumps(found.to_dict(), allow_nan=False)


def test_raw_rows_that_teach_less_than_the_majority_are_no_measure_of_what_was_lost():
    """Their distance to the majority is negative: a release that does worse still would have a share above 1."""
    dice = np.random.default_rng(4)
    frame = pl.DataFrame({"x": dice.integers(0, 100, 60), "y": dice.permutation(["a"] * 35 + ["b"] * 25)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": "number"}, insensitive=["y"]))
    found = utility.classification(table, Publishing(untouched), "y", repeats=1, seed=1)
    assert found.accuracy_raw < found.accuracy_majority
    assert found.relative is None
    assert "no more than the majority" in found.reason


def test_a_release_of_nothing_teaches_nothing():
    found = utility.classification(people(), Publishing(lambda table: [-1] * table.n_rows), "rich")
    assert found.accuracy is found.accuracy_raw is found.relative is None
    assert "suppressed" in found.reason


def test_rows_without_a_target_are_left_out():
    frame = people(60).frame.with_columns(pl.Series("rich", ["yes", "no", None] * 20))
    table = cl.Table(frame, people().schema)
    assert utility.classification(table, Publishing(untouched), "rich", seed=1).n_rows == 40


def test_wrong_inputs_are_refused():
    table = people()
    plan = Publishing(untouched)
    with pytest.raises(cl.ColumnNotFoundError, match="'reach'"):
        utility.classification(table, plan, "reach")
    with pytest.raises(cl.OptionError, match="not published as it is"):
        utility.classification(table, plan, "age")
    with pytest.raises(cl.InputError, match="needs a plan"):
        utility.classification(table, [0] * 60, "rich")
    for options in ({"folds": 1}, {"repeats": 0}, {"folds": True}, {"seed": -1}):
        with pytest.raises(cl.OptionError, match=next(iter(options))):
            utility.classification(table, plan, "rich", **options)
