"""Every measure of utility against its definition in the specification, written as plain loops over cells."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import JOBS, cases
from trying import tries

import celosia as cl
from celosia.data.recode import recode
from celosia.measure import utility
from celosia.measure.utility.covers import covers_of
from celosia.measure.utility.query_error import _Counted

SUPPRESSED = "suppressed"
LEAVES_OF_DATA = ("number", "category", "intervals", "dates")


def draw_labels(data, n_rows):
    return data.draw(st.lists(st.integers(-1, 3), min_size=n_rows, max_size=n_rows))


class Plain:
    """A case and its published cells, read as texts alone."""

    def __init__(self, case, labels):
        self.case, self.labels = case, labels
        self.table = case.table()
        recoding = recode(self.table, cl.Classes(labels))
        published = iter(recoding.frame().iter_rows(named=True))
        self.rows = [SUPPRESSED if label < 0 else next(published) for label in labels]
        self.names = list(case.columns)
        self.values = {name: list(dict.fromkeys(map(self.key, column))) for name, column in case.columns.items()}

    @staticmethod
    def key(value):
        return Fraction(str(value)) if isinstance(value, int | float) else value

    def cell(self, row, name):
        return "*" if self.rows[row] == SUPPRESSED else self.rows[row][name]

    def value(self, row, name):
        return self.key(self.case.columns[name][row])

    def contains(self, name, cell, value):
        return self.case.contains(name, cell, value)

    def covered(self, row, name):
        cell = self.cell(row, name)
        return [value for value in self.values[name] if self.contains(name, cell, value)]

    @property
    def n_rows(self):
        return len(self.rows)

    def tuples(self):
        return [tuple(self.value(row, name) for name in self.names) for row in range(self.n_rows)]

    def published(self):
        return [
            SUPPRESSED if self.rows[row] == SUPPRESSED else tuple(self.rows[row][name] for name in self.names)
            for row in range(self.n_rows)
        ]


def plain_discernibility(plain, chosen):
    sizes = Counter(plain.published())
    return sum(plain.n_rows if own == SUPPRESSED else sizes[own] for row in chosen for own in [plain.published()[row]])


def plain_bits(plain, name, chosen):
    column = [plain.value(row, name) for row in range(plain.n_rows)]
    spent = most = 0.0
    for row in chosen:
        own = column.count(column[row])
        under = sum(plain.contains(name, plain.cell(row, name), value) for value in column)
        spent -= math.log2(own / under)
        most -= math.log2(own / len(column))
    return spent, most


def plain_kl(plain, chosen):
    """Enumerate the whole product of values: q must sum to one over it."""
    tuples = [plain.tuples()[row] for row in chosen]
    p = {own: count / len(tuples) for own, count in Counter(tuples).items()}
    q = defaultdict(float)
    for row in chosen:
        inside = list(product(*(plain.covered(row, name) for name in plain.names)))
        for own in inside:
            q[own] += 1 / len(inside) / len(tuples)
    assert sum(q.values()) == pytest.approx(1)
    return sum(share * math.log(share / q[own]) for own, share in p.items())


def plain_ambiguity(plain, chosen):
    total = 0
    for row in chosen:
        total += math.prod(plain_leaves(plain, row, name) for name in plain.names)
    return total / len(chosen)


def plain_leaves(plain, row, name):
    if plain.case.kinds[name] != "tree":
        return len(plain.covered(row, name))
    cell = plain.cell(row, name)
    if cell is None:
        return 1
    return sum(cell in job for job in JOBS) + (cell == "*" and None in plain.values[name])


@given(case=cases(max_rows=14), data=st.data())
@tries(150)
def test_discernibility_and_class_size(case, data):
    labels = draw_labels(data, case.n_rows)
    plain = Plain(case, labels)
    assert utility.discernibility(plain.table, labels) == plain_discernibility(plain, range(plain.n_rows))
    found = utility.average_class_size(plain.table, labels, k=2)
    sizes = Counter(own for own in plain.published() if own != SUPPRESSED)
    if not sizes:
        assert (found.mean, found.c_avg) == (None, None)
    else:
        assert found.mean == pytest.approx(sum(sizes.values()) / len(sizes))
        assert found.c_avg == pytest.approx(found.mean / 2)


@given(case=cases(max_rows=14), data=st.data())
@tries(200)
def test_non_uniform_entropy(case, data):
    labels = draw_labels(data, case.n_rows)
    plain = Plain(case, labels)
    found = utility.non_uniform_entropy(plain.table, labels)
    spent = {name: plain_bits(plain, name, range(plain.n_rows)) for name in plain.names}
    for name, (bits, most) in spent.items():
        assert found.columns[name] == pytest.approx(bits / most if most else 0, abs=1e-9)
    bits, most = (sum(pair[place] for pair in spent.values()) for place in (0, 1))
    assert found.bits == pytest.approx(bits, abs=1e-9)
    assert found.loss == pytest.approx(bits / most if most else 0, abs=1e-9)
    assert -1e-12 <= found.loss <= 1 + 1e-12


@given(case=cases(max_rows=6), data=st.data())
@tries(150)
def test_kl_divergence(case, data):
    labels = draw_labels(data, case.n_rows)
    plain = Plain(case, labels)
    assert utility.kl_divergence(plain.table, labels) == pytest.approx(plain_kl(plain, range(plain.n_rows)), abs=1e-9)


@given(case=cases(max_rows=12, kinds=(*LEAVES_OF_DATA, "tree")), data=st.data())
@tries(150)
def test_ambiguity(case, data):
    labels = draw_labels(data, case.n_rows)
    plain = Plain(case, labels)
    found = utility.ambiguity(plain.table, labels)
    expected = plain_ambiguity(plain, range(plain.n_rows))
    assert found.mean == pytest.approx(expected)
    assert found.log10 == pytest.approx(math.log10(expected), abs=1e-9)


@given(case=cases(max_rows=12, kinds=("tree", "prefix", "number", "category")), data=st.data())
@tries(150)
def test_precision(case, data):
    for name, kind in case.kinds.items():
        if kind == "prefix":
            case.hierarchies[name] = cl.Prefix(keep=[4, 3, 2, 1])
    labels = draw_labels(data, case.n_rows)
    plain = Plain(case, labels)
    found = utility.precision(plain.table, labels)
    levelled = [name for name in plain.names if case.kinds[name] in ("tree", "prefix")]
    assert set(found.skipped) == set(plain.names) - set(levelled)
    means = {}
    for name in levelled:
        height = 2 if case.kinds[name] == "tree" else 5
        total = Fraction(0)
        for row in range(plain.n_rows):
            cell = plain.cell(row, name)
            if cell == "*":
                level = height
            elif cell is None:
                level = 0
            elif case.kinds[name] == "tree":
                level = min(place for job in JOBS for place, label in enumerate(job) if label == cell)
            else:
                level = cell.count("*")
            total += Fraction(level, height)
        means[name] = 1 - total / plain.n_rows
        assert found.columns[name] == pytest.approx(float(means[name]))
    if means:
        assert found.precision == pytest.approx(float(sum(means.values()) / len(means)))
    else:
        assert found.precision is None


@given(case=cases(max_rows=12), data=st.data(), seed=st.integers(0, 99))
@tries(150)
def test_queries_are_counted_by_their_definition(case, data, seed):
    labels = draw_labels(data, case.n_rows)
    plain = Plain(case, labels)
    covers = [own for own in covers_of(recode(plain.table, cl.Classes(labels))) if (own.slots < own.n_values).any()]
    if not covers:
        assert utility.query_error(plain.table, labels, n_queries=3).median is None
        return
    counted = _Counted.of(covers)
    random = np.random.default_rng(seed)
    wanted, asked = {}, {}
    for place, cover in enumerate(covers[:2]):
        own = wanted[place] = counted.draw(place, 0.5, random)
        name = cover.column.name
        asked[name] = {plain.value(row, name) for row in range(plain.n_rows) if own[cover.slots[row]]}
        assert None not in asked[name]
        assert asked[name]
    actual, estimate = 0, 0.0
    for row in range(plain.n_rows):
        actual += all(plain.value(row, name) in own for name, own in asked.items())
        if plain.rows[row] != SUPPRESSED:
            parts = [Fraction(len(own & set(plain.covered(row, name))), len(plain.covered(row, name)))
                     for name, own in asked.items()]  # fmt: skip
            estimate += float(math.prod(parts))
    assert counted.actual(wanted) == actual
    assert counted.estimate(wanted) == pytest.approx(estimate, abs=1e-9)


@given(case=cases(max_rows=12), data=st.data(), dimensions=st.integers(1, 3))
@tries(60)
def test_untouched_data_answer_every_query_right(case, data, dimensions):
    table = case.table()
    untouched = cl.Classes.of([column.codes for column in table.quasi_identifiers])
    found = utility.query_error(table, untouched, n_queries=20, dimensions=dimensions)
    assert found.mean in (None, pytest.approx(0, abs=1e-12))
    assert utility.query_error(table, untouched, 20, dimensions, seed=found.seed) == found
    if found.mean is not None:
        lost = utility.query_error(table, [-1] * case.n_rows, n_queries=20)
        assert 0 <= lost.lower_quartile <= lost.median <= lost.upper_quartile <= 1
        assert utility.kl_divergence(table, untouched) == pytest.approx(0, abs=1e-9)
        assert utility.non_uniform_entropy(table, untouched).bits == 0
        assert utility.non_uniform_entropy(table, [-1] * case.n_rows).loss in (0, pytest.approx(1))


@given(case=cases(min_rows=2, max_rows=10), data=st.data())
@tries(120)
def test_groups_keep_the_meaning_of_the_whole(case, data):
    labels = draw_labels(data, case.n_rows)
    plain = Plain(case, labels)
    by = data.draw(st.sampled_from(plain.names))
    table = plain.table
    groups = defaultdict(list)
    for row in range(plain.n_rows):
        groups[plain.value(row, by)].append(row)

    def grouped(measure, **options):
        found = utility.by_group(measure, table, labels, by=by, **options)
        assert len(found.groups) == len(groups)
        assert [group.n_rows for group in found.groups if group.value is None] == [
            len(rows) for value, rows in groups.items() if value is None
        ]
        # Groups come by the order of their texts; here they are told apart by their rows alone.
        return sorted((group.n_rows, group.n_suppressed, group.result) for group in found.groups)

    def expected(definition):
        return sorted((len(rows), sum(labels[row] < 0 for row in rows), definition(rows)) for rows in groups.values())

    def agree(measure, definition, **options):
        for (*counts, got), (*others, wanted) in zip(grouped(measure, **options), expected(definition), strict=True):
            assert counts == others
            assert got == pytest.approx(wanted, abs=1e-9)

    ncp = utility.ncp(table, labels)
    weights = sum(column.weight for column in table.quasi_identifiers)
    agree(utility.gcp, lambda rows: float(ncp[rows].mean() / weights))
    agree(utility.discernibility, lambda rows: plain_discernibility(plain, rows))
    agree(_bits, lambda rows: sum(plain_bits(plain, name, rows)[0] for name in plain.names))
    agree(_entropy, lambda rows: plain_entropy(plain, rows))
    if math.prod(len(values) for values in plain.values.values()) < 2000:
        agree(utility.kl_divergence, lambda rows: plain_kl(plain, rows))
    if set(case.kinds.values()) <= {*LEAVES_OF_DATA, "tree"}:
        agree(_mean_ambiguity, lambda rows: plain_ambiguity(plain, rows))


def _entropy(table, released):
    return utility.non_uniform_entropy(table, released).loss


def plain_entropy(plain, rows):
    bits, most = (sum(plain_bits(plain, name, rows)[place] for name in plain.names) for place in (0, 1))
    return bits / most if most else 0


def _bits(table, released):
    return utility.non_uniform_entropy(table, released).bits


def _mean_ambiguity(table, released):
    return utility.ambiguity(table, released).mean


@given(case=cases(max_rows=12), data=st.data())
@tries(150)
def test_shares_and_statistics(case, data):
    labels = draw_labels(data, case.n_rows)
    plain = Plain(case, labels)
    found = utility.shares(plain.table, labels)
    numbers = utility.statistics(plain.table, labels)
    assert set(found.columns) == {name for name in plain.names if case.kinds[name] not in ("number", "intervals")}
    assert set(numbers.columns) == set(plain.names) - set(found.columns)
    for name, column in found.columns.items():
        before, after = Counter(plain.value(row, name) for row in range(plain.n_rows)), defaultdict(Fraction)
        published = [row for row in range(plain.n_rows) if plain.rows[row] != SUPPRESSED]
        for row in published:
            inside = [value for value in plain.covered(row, name) if value is not None or plain.cell(row, name) is None]
            for value in inside:
                after[value] += Fraction(1, len(inside))
        for share in column.values:
            value = next(own for own in plain.values[name] if (None if own is None else str(own)) == share.value)
            assert share.before == pytest.approx(before[value] / plain.n_rows)
            assert share.after == (pytest.approx(float(after[value] / len(published))) if published else None)
        if published:
            assert column.total_variation == pytest.approx(
                float(sum(abs(Fraction(before[own], plain.n_rows) - after[own] / len(published))
                          for own in plain.values[name]) / 2), abs=1e-9)  # fmt: skip
        else:
            assert column.total_variation is None


def plain_middle(cell, values):
    if cell is None or cell == "*":
        return None
    if not cell.startswith("["):
        return Fraction(cell)
    low, high = (Fraction(end) for end in cell[1:-1].split(", "))
    whole = all(value.denominator == 1 for value in values if value is not None)
    return (low + high - (1 if cell.endswith(")") and whole else 0)) / 2


@given(case=cases(max_rows=12, kinds=("number", "intervals")), data=st.data())
@tries(150)
def test_statistics_count_ranges_by_their_middle(case, data):
    labels = draw_labels(data, case.n_rows)
    plain = Plain(case, labels)
    found = utility.statistics(plain.table, labels)
    kept = {}
    for name, column in found.columns.items():
        before = [plain.value(row, name) for row in range(plain.n_rows)]
        after = [plain_middle(plain.cell(row, name), plain.values[name]) for row in range(plain.n_rows)]
        kept[name] = before, after
        for numbers, summary in ((before, column.before), (after, column.after)):
            known = [float(number) for number in numbers if number is not None]
            assert summary.n == len(known)
            if not known:
                assert summary.mean is summary.median is summary.sd is None
                continue
            mean = sum(known) / len(known)
            assert summary.mean == pytest.approx(mean)
            if len(known) > 1:
                assert summary.sd == pytest.approx(
                    math.sqrt(sum((one - mean) ** 2 for one in known) / (len(known) - 1)), rel=1e-6, abs=1e-6
                )
            assert summary.median == pytest.approx(float(np.median(known)))
    for pair in utility.correlations(plain.table, labels).pairs:
        for place, got in ((0, pair.before), (1, pair.after)):
            assert got == plain_pearson(kept[pair.first][place], kept[pair.second][place])


def plain_pearson(one, other):
    """Exact up to the last root."""
    both = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if len(both) < 2:
        return None
    mean_a, mean_b = (sum(pair[place] for pair in both) / len(both) for place in (0, 1))
    spread_a, spread_b = sum((a - mean_a) ** 2 for a, _ in both), sum((b - mean_b) ** 2 for _, b in both)
    if not spread_a or not spread_b:
        return None
    together = sum((a - mean_a) * (b - mean_b) for a, b in both)
    return pytest.approx(float(together) / math.sqrt(spread_a * spread_b), abs=1e-6)
