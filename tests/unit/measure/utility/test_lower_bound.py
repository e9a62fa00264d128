"""The lower bound of GCP against the best partition found by trying all, with NCP written out plainly."""

from __future__ import annotations

import copy
import pickle
import time
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia import kernels
from celosia.apps.exam_paper import lower_bounds
from celosia.base.chance import Randomness
from celosia.base.progress import Quiet
from celosia.data.schema.fixed_point import WHOLE_LOSS, kernel_columns
from celosia.data.students import STUDENTS, make_students
from celosia.measure.utility import LowerBound, gcp_lower_bound, proving, sampling
from celosia.measure.utility.potentials import Clock, PotentialSearch
from celosia.measure.utility.proving import best_mixture

# Of 2^30 parts: what fixed point may round down, per column.
FIXED_POINT = 1e-8

TREE = {"a": ("x", "*"), "b": ("x", "*"), "c": ("y", "*"), "d": ("y", "*"), "e": ("z", "*")}
TREE_ROWS = [[leaf, *above] for leaf, above in TREE.items()]


def number_loss(values, everything):
    known = [value for value in everything if value is not None]
    return (max(values) - min(values)) / (max(known) - min(known)) if max(known) > min(known) else 0.0


def category_loss(values, everything):
    n_all = len({value for value in everything if value is not None})
    return (len(set(values)) - 1) / (n_all - 1) if n_all > 1 else 0.0


def tree_loss(values, everything):
    if len(set(values)) == 1:
        return 0.0
    for level in range(2):
        nodes = {TREE[value][level] for value in values}
        if len(nodes) == 1:
            leaves = [leaf for leaf, above in TREE.items() if above[level] in nodes]
            return (len(leaves) - 1) / (len(TREE) - 1)
    raise AssertionError("the root covers everything")


LOSSES = {"number": number_loss, "category": category_loss, "tree": tree_loss}


def class_loss(columns, weights, rows):
    """The weighted mean of NCP of a class; missing beside known costs 1."""
    total = 0.0
    for (kind, everything), weight in zip(columns, weights, strict=True):
        values = [everything[row] for row in rows]
        known = [value for value in values if value is not None]
        if not known:
            continue
        total += weight * (LOSSES[kind](known, everything) if len(known) == len(values) else 1.0)
    return total / sum(weights)


def best_gcp(n_rows, k, loss_of, may_suppress):
    """The least GCP of all partitions into classes of at least k rows; a suppressed row is a class that loses 1."""

    @cache
    def least(rows):
        if not rows:
            return 0.0
        first, others = rows[0], rows[1:]
        best = 1.0 + least(others) if may_suppress else float("inf")
        for size in range(k - 1, len(others) + 1):
            for chosen in combinations(others, size):
                left = tuple(row for row in others if row not in chosen)
                best = min(best, (size + 1) * losses[first, *chosen] + least(left))
        return best

    everyone = tuple(range(n_rows))
    losses = {rows: loss_of(rows) for size in range(k, n_rows + 1) for rows in combinations(everyone, size)}
    return least(everyone) / n_rows


def random_case(random):
    n_rows = random.randint(3, 8)
    columns, kinds = [], {}
    for place in range(random.randint(1, 3)):
        kind = random.choice(["number", "category", "tree"])
        pool = {"number": [0, 1, 2, 5, 9.5], "category": list("pqrs"), "tree": list(TREE)}[kind]
        values = [random.choice(pool) for _ in range(n_rows)]
        if random.random() < 0.3 and len(set(values)) > 1:
            values[random.randrange(n_rows)] = None
        columns.append((kind, values))
        kinds[f"c{place}"] = cl.Tree(TREE_ROWS) if kind == "tree" else kind
    weights = [random.choice([1, 1, 2.5, 0.3]) for _ in columns]
    frame = pl.DataFrame({f"c{place}": values for place, (_, values) in enumerate(columns)}, strict=False)
    schema = cl.Schema(quasi_identifiers=kinds, weights={f"c{place}": w for place, w in enumerate(weights)})
    return cl.Table(frame, schema), columns, weights


@pytest.mark.parametrize("seed", range(150))
def test_small_tables_are_solved(seed):
    random = Random(seed)
    table, columns, weights = random_case(random)
    k = random.randint(2, min(4, table.n_rows))
    loss_of = lambda rows: class_loss(columns, weights, rows)  # noqa: E731
    with_suppression = best_gcp(table.n_rows, k, loss_of, may_suppress=True)
    without = best_gcp(table.n_rows, k, loss_of, may_suppress=False)
    bound = gcp_lower_bound(table, k, time_limit=5)
    assert bound <= with_suppression
    assert bound == pytest.approx(with_suppression, abs=len(columns) * FIXED_POINT)
    assert (bound.kind == "exact") == (without - with_suppression < 1e-7)


HIERARCHIES = {
    "age": (cl.Intervals(width=5, levels=3), [20, 21, 24, 27, 33, 48, 61]),
    "zip": (cl.Prefix(keep=[5, 3, 1]), ["28001", "28004", "28100", "30001", "08001"]),
    "born": (cl.Dates(levels=["day", "month", "year"]), ["2001-02-03", "2001-02-17", "2001-09-01", "1999-01-01"]),
    "grade": (cl.Order(["low", "middle", "high", "top"]), ["low", "middle", "high", "top"]),
}


@pytest.mark.parametrize("seed", range(25))
def test_hierarchies_are_solved_too(seed):
    random = Random(1000 + seed)
    n_rows, k = random.randint(4, 7), random.randint(2, 3)
    names = random.sample(sorted(HIERARCHIES), 2)
    frame = {name: [random.choice([*HIERARCHIES[name][1], None]) for _ in range(n_rows)] for name in names}
    schema = cl.Schema(quasi_identifiers={name: HIERARCHIES[name][0] for name in names})
    table = cl.Table(pl.DataFrame(frame, strict=False), schema)

    def loss_of(rows):
        labels = [0 if row in rows else -1 for row in range(n_rows)]
        return float(cl.utility.ncp(table, labels)[rows[0]]) / len(names)

    bound = gcp_lower_bound(table, k, time_limit=5)
    assert bound == pytest.approx(best_gcp(n_rows, k, loss_of, may_suppress=True), abs=2 * FIXED_POINT)
    assert bound <= best_gcp(n_rows, k, loss_of, may_suppress=True)


@pytest.mark.parametrize("seed", range(12))
def test_no_search_undercuts_it(seed):
    random = Random(2000 + seed)
    n_rows, k = random.choice([15, 40, 90]), random.choice([2, 3, 6])
    frame = pl.DataFrame(
        {
            "x": [random.choice([random.gauss(0, 1), None if random.random() < 0.1 else 0.5]) for _ in range(n_rows)],
            "y": [random.randint(0, 9) for _ in range(n_rows)],
            "job": [random.choice("abcdefg") for _ in range(n_rows)],
            "leaf": [random.choice(list(TREE)) for _ in range(n_rows)],
        }
    )
    tree = cl.Tree(TREE_ROWS)
    kinds = {"x": "number", "y": cl.Intervals(width=2, levels=3), "job": "category", "leaf": tree}
    table = cl.Table(frame, cl.Schema(quasi_identifiers=kinds))
    bound = gcp_lower_bound(table, k, time_limit=1, seed=1)
    assert bound > 0
    for algorithm in (cl.Weave(passes=60), cl.LGreedy(), cl.KMembers(), cl.Mondrian(), cl.HilbertOrder()):
        release = cl.Plan(models=[cl.KAnonymity(k)], algorithm=algorithm, max_suppression=0.1, seed=seed).run(table)
        assert bound <= cl.utility.gcp(table, release)


def students(n=200):
    return cl.Table(make_students(n), STUDENTS)


def test_potentials_raise_the_bound_of_single_rows():
    table = students()
    alone = lower_bounds(table, [2])[0]
    bound = gcp_lower_bound(table, 2, time_limit=10, seed=1)
    woven = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Weave(passes=100), seed=1).run(table).loss.gcp
    assert 1.05 * alone < bound <= woven
    assert (woven - bound) / woven < 0.1


def test_what_was_fitted_is_proved_when_rounds_run_out(monkeypatch):
    """On a quick machine the rounds ran out before their time, and nothing was proved of what they had fitted."""
    table, bounds = students(), []
    for n_rounds in (0, 3):
        monkeypatch.setattr(proving, "_MOST_ROUNDS", n_rounds)
        bounds.append(gcp_lower_bound(table, 8, time_limit=60, seed=1))
    assert bounds[1] > 1.02 * bounds[0] > 0


@pytest.mark.parametrize("k", [2, 7])
def test_it_holds_however_early_it_stops(k):
    table = students()
    best = cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Weave(passes=100), seed=1).run(table).loss.gcp
    for time_limit in (1e-6, 0.01, 0.1, 1):
        bound = gcp_lower_bound(table, k, time_limit=time_limit)
        assert 0 <= bound <= best
        assert bound.kind == "bound"
        assert bound.seconds < time_limit + 5


def test_a_sample_estimates_what_all_rows_give():
    table = students()
    best = cl.Plan(models=[cl.KAnonymity(3)], algorithm=cl.Weave(passes=100), seed=1).run(table).loss.gcp
    for seed in range(3):
        estimate = gcp_lower_bound(table, 3, time_limit=3, sample=100, seed=seed)
        low, high = estimate.interval
        assert (estimate.kind, estimate.confidence, estimate.n_sampled, estimate.n_rows) == ("estimate", 0.95, 100, 200)
        assert 0 < low < estimate < high
        assert low <= best
    assert gcp_lower_bound(table, 3, time_limit=3, sample=200).kind == "bound"


def test_intervals_hold_what_all_rows_give():
    """Drawn again and again, with the same potentials: the mean has no bias, and 95 % is about what is promised."""
    table = students(300)
    columns = kernel_columns(table.quasi_identifiers, [column.codes for column in table.quasi_identifiers])
    search = PotentialSearch(columns, 3, Clock(300), Quiet())
    everyone = np.arange(300, dtype=np.int32)
    potentials = np.rint(0.6 * search.prove_alone(everyone, 60))
    truth = search.prove(potentials, everyone, 60)
    means, n_missed, n_draws = [], 0, 60
    for seed in range(n_draws):
        drawn = sampling._drawn(search, Randomness(seed), 60)
        values = sampling._in_batches(search, potentials, drawn)
        assert np.abs(values - truth[drawn]).max() <= 2 * search.tolerance + 4
        others = values - potentials[drawn]
        mean, error = potentials.mean() + others.mean(), others.std(ddof=1) / len(others) ** 0.5
        means.append(mean)
        n_missed += abs(mean - truth.mean()) > 1.96 * error
    assert n_missed <= 8
    assert abs(np.mean(means) - truth.mean()) < 3 * np.std(means) / n_draws**0.5 + 2 * search.tolerance


def test_guesses_of_all_rows_and_rows_that_were_drawn_are_told_apart():
    table = students(300)
    codes = [column.codes for column in table.quasi_identifiers]
    search = PotentialSearch(kernel_columns(table.quasi_identifiers, codes), 2, Clock(6), Quiet())
    weights = np.array([1 / max(len(column.domain.values) - 1, 1) for column in table.quasi_identifiers])
    drawn = sampling.prove_sample(search, codes, weights, Randomness(4), 40)
    assert len(drawn.values) == len(drawn.guesses) == 40
    estimate = drawn.mean_guess + (drawn.values - drawn.guesses).mean()
    best = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Weave(passes=100), seed=1).run(table).loss.gcp
    assert 0.6 * best < estimate / WHOLE_LOSS < best


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_seminar_s_bound_does_not_hang_on_chance(seed):
    """Two rows chose the mixture for all: with some seeds the bound was that of single rows, and time was left."""
    random = np.random.default_rng(235)
    random.integers(2, 10), random.integers(2, 9)
    frame = {
        f"c{place}": [f"v{cell}" for cell in column] for place, column in enumerate(random.integers(0, 7, (24, 5)).T)
    }
    table = cl.Table(pl.DataFrame(frame), cl.Schema(quasi_identifiers=dict.fromkeys(frame, "category")))
    bound = gcp_lower_bound(table, 3, time_limit=20, seed=seed)
    assert (round(float(bound), 5), bound.kind) == (0.17083, "exact")


def test_a_sample_of_a_skewed_table_finds_potentials_that_tell():
    """A pilot without outliers made the fitted potentials look worse than none: the interval was 170 times wider."""
    values = np.random.default_rng(4).lognormal(0, 2, (300, 3))
    frame = pl.DataFrame({f"c{place}": values[:, place] for place in range(3)})
    table = cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(frame.columns, "number")))
    widths = []
    for seed in range(3):
        low, high = gcp_lower_bound(table, 3, time_limit=5, sample=60, seed=seed).interval
        widths.append(high - low)
    assert max(widths) < 0.001


class Known:
    """A search in which it is known what potentials prove of every row."""

    def __init__(self, proofs):
        self.clock, self._proofs = Clock(60), proofs

    def prove(self, potentials, rows, seconds):
        return self._proofs[potentials[0]][rows]


def test_a_pilot_of_costly_rows_does_not_hide_what_is_best():
    """By chance a pilot may be dear: what potentials prove of it is compared with each other, not with all rows."""
    cost = np.where(np.arange(1000) < 100, 10.0, 0.0)
    tried = [np.full(1000, float(place)) for place in range(3)]
    tried[2][:100] = 2 + cost[:100]
    search = Known({0.0: cost, 1.0: cost + 1, 12.0: cost + 2})
    assert best_mixture(search, tried, np.arange(100), 1.0, 10.0) is tried[2]
    assert best_mixture(search, tried[:2], np.arange(100), 1.0, 10.0) is tried[1]


def test_equal_rows_have_equal_potentials():
    codes = [np.array([0, 1, 0, 1, -1, -1]), np.array([5, 5, 5, 5, 2, 2])]
    kinds = sampling._kinds(codes, np.random.default_rng(1))
    assert [len(set(kinds[rows].tolist())) for rows in ([0, 2], [1, 3], [4, 5], [0, 1, 4])] == [1, 1, 1, 3]
    mean = sampling._mean_of_kinds(np.array([1.0, 4, 3, 4, 0, 10]), kinds)
    assert mean.tolist() == [2, 4, 2, 4, 5, 5]


def test_equal_rows_lose_nothing():
    table = cl.Table(pl.DataFrame({"a": [1, 1, 2, 2]}), cl.Schema(quasi_identifiers={"a": "number"}))
    bound = gcp_lower_bound(table, 2)
    assert (bound, bound.kind) == (0.0, "exact")


def test_rows_that_must_be_suppressed_count_as_lost():
    tree = cl.Tree(TREE_ROWS, on_missing="suppress")
    frame = pl.DataFrame({"leaf": ["a", "a", "unheard-of", "b", "b"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"leaf": tree}))
    assert gcp_lower_bound(table, 2) == pytest.approx(0.2, abs=FIXED_POINT)


def test_people_with_several_rows_make_it_a_bound_only():
    frame = pl.DataFrame({"who": ["p", "p", "q", "q"], "a": [1, 1, 5, 5]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"a": "number"}, subject="who"))
    bound = gcp_lower_bound(table, 2)
    assert (bound, bound.kind) == (0.0, "bound")


def test_it_is_a_number_that_can_be_copied():
    bound = LowerBound(0.25, kind="estimate", interval=(0.2, 0.3), n_sampled=40, n_rows=90, seconds=1.5)
    expected = {
        "value": 0.25,
        "kind": "estimate",
        "interval": [0.2, 0.3],
        "confidence": 0.95,
        "n_sampled": 40,
        "n_rows": 90,
        "seconds": 1.5,
    }
    for one in (bound, copy.copy(bound), copy.deepcopy(bound), pickle.loads(pickle.dumps(bound))):
        assert one == 0.25
        assert one.to_dict() == expected


@pytest.mark.parametrize(
    "options",
    [{"k": 1}, {"k": 2.0}, {"k": True}, {"k": 2, "time_limit": 0}, {"k": 2, "sample": 29}, {"k": 2, "seed": -1}],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(cl.OptionError):
        gcp_lower_bound(students(40), **options)


def test_what_is_no_table_with_quasi_identifiers_is_refused():
    frame = pl.DataFrame({"a": [1, 2, 3]})
    with pytest.raises(cl.InputError, match="needs a Table") as caught:
        gcp_lower_bound(frame, 2)
    assert "Table(frame, schema)" in caught.value.hint
    with pytest.raises(cl.InputError, match="no quasi-identifiers") as caught:
        gcp_lower_bound(cl.Table(frame, cl.Schema(insensitive=["a"])), 2)
    assert "quasi_identifiers" in caught.value.hint


def scattered(n_rows, n_columns):
    random = Random(n_rows * n_columns)
    frame = {f"c{place}": [random.randint(0, 99) for _ in range(n_rows)] for place in range(n_columns)}
    return cl.Table(pl.DataFrame(frame), cl.Schema(quasi_identifiers=dict.fromkeys(frame, "number")))


def test_trying_all_partitions_keeps_to_the_clock(monkeypatch):
    real, steps = kernels.least_partition, []

    def endless(*given):
        pulse, n_steps = given[-1], given[-2]
        steps.append(n_steps)
        ends = time.monotonic() + 20
        while not pulse.stopped and time.monotonic() < ends:
            time.sleep(0.01)
        raise RuntimeError("the kernel was stopped")

    table = scattered(20, 8)
    assert gcp_lower_bound(table, 4, seed=1).kind == "exact"
    monkeypatch.setattr(kernels, "least_partition", endless)
    started = time.perf_counter()
    bound = gcp_lower_bound(table, 4, time_limit=0.5, seed=1)
    assert bound.kind == "bound"
    assert time.perf_counter() - started < 10
    monkeypatch.setattr(kernels, "least_partition", lambda *given: steps.append(given[-2]) or real(*given))
    qis = table.quasi_identifiers
    search = PotentialSearch(kernel_columns(qis, [column.codes for column in qis]), 4, Clock(0.1), Quiet())
    best = np.zeros(20)
    steps.clear()
    proving._least(search, best, 20.0 * WHOLE_LOSS, may_suppress=True)
    assert 0 < steps[0] <= 30_000_000
    search.clock.seconds = 0
    assert proving._least(search, best, 20.0 * WHOLE_LOSS, may_suppress=True) is None
    assert len(steps) == 1


def test_more_people_than_rows_are_out_of_reach():
    with pytest.raises(cl.UnreachableError, match="5-anonymity needs at least 5 rows; the table has 4"):
        gcp_lower_bound(students(4), 5)


def test_progress_hears_of_it():
    stages = []

    class Heard(Quiet):
        def stage(self, name):
            stages.append(name)

    gcp_lower_bound(students(30), 2, time_limit=1, progress=Heard())
    assert stages == ["bound"]


def test_a_sample_of_all_rows_is_no_estimate():
    """Of a large table whose rows are all proved in time the bound is certain."""
    random = Random(1)
    frame = pl.DataFrame(
        {"a": [random.choice("xyz") for _ in range(5200)], "b": [random.randint(0, 3) for _ in range(5200)]}
    )
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"a": "category", "b": "number"}))
    found = gcp_lower_bound(table, 2, time_limit=4, seed=1)
    assert (found.kind, found.interval, found.n_sampled) == ("bound", None, 5200)
    assert found == 0
