"""k-map: people counted against a plain reading of the published cells, the estimate against direct sums."""

from __future__ import annotations

import datetime as dt
import json
import math
import time
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.data.recode import recode
from celosia.models.base import Model, Monotone
from celosia.models.k_map import KMap

JOBS = [
    ("nurse", "health", "*"),
    ("doctor", "health", "*"),
    ("judge", "law", "*"),
    ("notary", "law", "*"),
    ("cook", "food", "*"),
]
STAFF = [(leaf, branch, "staff") for leaf, branch, _ in JOBS]
GRADES = ["fail", "pass", "notable", "outstanding"]

# Per kind: hierarchies, values of the table, more values that only the population has.
KINDS = {
    "number": (
        ["number", cl.Number(publish="pair"), cl.Number(grid=5), cl.Number(grid=0.1)],
        [0, 1, 4, 5, 7, 12, 2.5],
        [-3, 3, 4.5, 6, 11.999, 12.001, 99],
    ),
    "whole": (
        [cl.Intervals(width=5, levels=2), cl.Intervals(widths=[3, 6], origin=1), cl.Intervals(ranges=["<6", ">=6"])],
        [0, 4, 5, 9, 14, 21],
        [-1, 3, 4.5, 9.75, 10, 24.5, 100],
    ),
    "broken": ([cl.Intervals(width=0.5, levels=2)], [0.1, 0.4, 0.5, 1.75], [0.0, 0.45, 0.999, 1, 1.0001, 2]),
    "category": (["category"], ["a", "b", "c", "d e", "ñ"], ["aa", "b ", "z", "*", "a / b"]),
    "order": (
        [
            cl.Order(GRADES, on_missing="suppress"),
            cl.Order(GRADES, groups=[2], on_missing="suppress"),
            cl.Order(GRADES, groups=[3], on_missing="suppress"),
        ],
        ["fail", "notable", "outstanding"],
        ["pass", "absent", "*"],
    ),
    "prefix": (
        [cl.Prefix(keep=[4, 3, 2, 1]), cl.Prefix(keep=[5, 2])],
        ["37003", "37891", "28108", "28111", "37", "280"],
        ["37004", "3", "370031", "37*03", "2", "99999", "*"],
    ),
    "fixed": ([cl.Prefix(keep=[1], length=2)], ["ab", "ac", "bd"], ["a", "abc", "ad", "b*", "zz"]),
    "dates": (
        [cl.Dates(), cl.Dates(levels=["month", "year"])],
        [dt.date(2000, 1, 1), dt.date(2000, 1, 31), dt.date(2000, 3, 5), dt.date(2004, 7, 7), dt.date(2011, 1, 1)],
        [dt.date(2000, 1, 15), dt.date(2000, 2, 29), dt.date(2009, 12, 31), dt.date(1999, 12, 31)],
    ),
    "tree": (
        [cl.Tree(JOBS), cl.Tree(STAFF)],
        ["nurse", "doctor", "judge", "cook"],
        ["notary", "astronaut", "health", "*"],
    ),
}


def in_range(cell, number):
    value = Fraction(str(number))
    if cell.startswith(("<", ">")):
        return value < 6 if cell == "<6" else value >= 6
    if not cell.startswith("["):
        return value == Fraction(cell)
    low, high = cell[1:-1].split(", ")
    return Fraction(low) <= value and (value < Fraction(high) if cell.endswith(")") else value <= Fraction(high))


def in_period(cell, day):
    quarter = f"{day.year}-Q{(day.month + 2) // 3}"
    return cell in (day.isoformat(), f"{day:%Y-%m}", quarter, f"{day.year}", f"{day.year // 10}0s")


def has_prefix(cell, code):
    if "*" not in cell:
        return cell == code
    filled = code.ljust(len(cell), "*")
    return "*" not in code and len(code) <= len(cell) and all(a in ("*", b) for a, b in zip(cell, filled, strict=True))


READERS = {
    "number": in_range,
    "whole": in_range,
    "broken": in_range,
    "category": lambda cell, value: value.strip() in cell.split(" / "),
    "order": lambda cell, value: value in cell.split(" / "),
    "prefix": has_prefix,
    "fixed": lambda cell, code: len(code) == 2 and has_prefix(cell, code),
    "dates": in_period,
    "tree": lambda cell, value: any(value == row[0] and cell in row for row in (*JOBS, *STAFF)),
}


def fits(kind, cells, value):
    """Whether a value lies inside a published cell, or a lo / hi pair of them."""
    if cells[0] == "*":
        return True
    if cells[0] is None or value is None:
        return cells[0] is None and value is None
    if len(cells) == 2:
        return Fraction(cells[0]) <= Fraction(str(value)) <= Fraction(cells[1])
    return READERS[kind](cells[0], value)


def plain_counts(kinds, table, classes, population):
    """Loop over classes and population rows with the cells that recoding publishes."""
    frame = recode(table, classes).frame(np.arange(table.n_rows))
    counts = []
    for label in range(classes.n_classes):
        row = int(np.flatnonzero(classes.labels == label)[0])
        cells = {
            name: [frame[own][row] for own in frame.columns if own in (name, f"{name}_lo", f"{name}_hi")]
            for name in kinds
        }
        counts.append(
            sum(
                all(fits(kind, cells[name], person[name]) for name, kind in kinds.items())
                for person in population.iter_rows(named=True)
            )
        )
    return counts


@st.composite
def samples(draw, kinds=tuple(KINDS)):
    """A table, its classes, and a population that holds all of its rows and more."""
    n_rows, n_more = draw(st.integers(1, 10)), draw(st.integers(0, 12))
    chosen = {
        f"{kind}_{i}": kind for i, kind in enumerate(draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3)))
    }
    sample, everybody, hierarchies = {}, {}, {}
    for name, kind in chosen.items():
        options, own, others = KINDS[kind]
        missing = [None] if draw(st.booleans()) else []
        hierarchies[name] = draw(st.sampled_from(options))
        held = draw(st.lists(st.sampled_from([*own, *missing]), min_size=n_rows, max_size=n_rows))
        more = draw(st.lists(st.sampled_from([*own, *others, None]), min_size=n_more, max_size=n_more))
        sample[name] = pl.Series(name, held, strict=False)
        everybody[name] = pl.Series(name, [*held, *more], strict=False)
    population = pl.DataFrame(everybody)
    table = cl.Table(pl.DataFrame(sample), cl.Schema(quasi_identifiers=hierarchies))
    labels = draw(st.lists(st.integers(0, 4), min_size=n_rows, max_size=n_rows))
    shuffled = population[draw(st.permutations(range(population.height)))]
    return chosen, table, cl.Classes(labels), shuffled


@given(sample=samples())
@tries(400)
def test_people_are_counted_by_what_is_published(sample):
    kinds, table, classes, population = sample
    expected = plain_counts(kinds, table, classes, population)
    model = KMap(3, population)
    assert model.n_people(classes, table).tolist() == expected
    assert model.broken(classes, table).tolist() == [label for label, n in enumerate(expected) if n < 3]


@given(sample=samples(kinds=("number", "category", "tree", "dates")))
@tries(60)
def test_a_file_of_text_counts_as_the_frame_does(sample, tmp_path_factory):
    _, table, classes, population = sample
    path = tmp_path_factory.mktemp("people") / "people.csv"
    population = population.with_columns(more=pl.lit("x"))  # a line that only holds a missing value would be no row
    population.write_csv(path)
    assert KMap(2, path).n_people(classes, table).tolist() == KMap(2, population).n_people(classes, table).tolist()
    assert KMap(2, str(path)).evidence()["population"].columns == population.columns


@given(sample=samples(), data=st.data())
@tries(150)
def test_it_outlives_uniting_merging_and_suppressing(sample, data):
    _, table, classes, population = sample
    model = KMap(data.draw(st.integers(2, 5)), population)
    assert model.monotone == Monotone(True, True, True)
    broken = set(model.broken(classes, table).tolist())
    one, other = (data.draw(st.integers(0, classes.n_classes - 1)) for _ in range(2))
    if one in broken:
        return
    merged = np.where(classes.labels == other, one, classes.labels)
    renumbered = cl.Classes(merged)
    label = renumbered.labels[np.flatnonzero(merged == one)[0]]
    assert label not in model.broken(renumbered, table)
    left = cl.Classes(np.where(classes.labels == other, -1, classes.labels))
    kept = [own for own in range(classes.n_classes) if own != other]
    assert {kept[own] for own in model.broken(left, table)} == broken - {other}


@given(labels=st.lists(st.integers(-1, 4), min_size=1, max_size=15), k=st.integers(2, 5), more=st.integers(0, 40))
@tries(150)
def test_with_a_number_it_outlives_them_too(labels, k, more):
    table = ages(range(len(labels)))
    model, classes = KMap(k, len(labels) + more), cl.Classes(labels)
    broken = set(model.broken(classes, table).tolist())
    for one in set(range(classes.n_classes)) - broken:
        for other in range(classes.n_classes):
            merged = np.where(classes.labels == other, one, classes.labels)
            label = cl.Classes(merged).labels[np.flatnonzero(merged == one)[0]]
            assert label not in model.broken(cl.Classes(merged), table)
    if not broken and classes.n_classes:
        assert not len(model.broken(cl.Classes(np.where(classes.labels == 0, -1, classes.labels)), table))


def ages(values, **options):
    return cl.Table(pl.DataFrame({"age": list(values)}), cl.Schema(quasi_identifiers={"age": "number"}, **options))


def test_suppressed_rows_widen_no_class():
    model = KMap(2, pl.DataFrame({"age": [1, 2, 3, 50, 90]}))
    assert model.n_people(cl.Classes([0, 0, -1, 1]), ages([1, 3, 90, 50])).tolist() == [3, 1]
    assert model.broken(cl.Classes([-1, -1]), ages([1, 3])).tolist() == []


def test_whole_numbers_of_any_length_are_told_apart():
    big = 2**60
    table = ages([big + 1, big + 3])
    assert KMap(2, pl.DataFrame({"age": [big, big + 1, big + 2, big + 3, big + 4]})).n_people(
        cl.Classes([0, 0]), table
    ).tolist() == [3]
    mixed = pl.DataFrame({"age": [1.0, 2.5, 3.0, 3.5]})
    assert KMap(2, mixed).n_people(cl.Classes([0, 0]), ages([1, 3])).tolist() == [3]


def test_equal_published_tuples_are_one_class():
    # Each of the two classes has two rows in [1, 4], where the population has three people.
    model, table = KMap(2, pl.DataFrame({"age": [1, 4, 4]})), ages([1, 4, 1, 4])
    with pytest.raises(cl.InputError, match=r"2 of 2 classes hold more people than the population has"):
        model.broken(cl.Classes([0, 0, 1, 1]), table)


def test_a_population_that_lacks_somebody_is_refused_without_a_value():
    model, table = KMap(2, pl.DataFrame({"age": [41, 42, 43]})), ages([41, 43, 4417])
    assert model.broken(cl.Classes([0, 0, -1]), table).tolist() == []
    with pytest.raises(cl.InputError, match="1 of 2 classes") as caught:
        model.broken(cl.Classes([0, 0, 1]), table)
    assert "4417" not in str(caught.value)
    assert caught.value.hint


def test_the_population_needs_every_quasi_identifier():
    table = ages([1, 2])
    with pytest.raises(cl.ColumnNotFoundError, match="did you mean 'ages'"):
        KMap(2, pl.DataFrame({"ages": [1, 2]})).check_reachable(table)
    with pytest.raises(cl.InputError, match=r"the population: .*should hold numbers, but 1 of its 3 values") as caught:
        KMap(2, pl.DataFrame({"age": ["1", "2", "many"]})).broken(cl.Classes([0, 0]), table)
    assert "many" not in str(caught.value)


def test_cells_are_cleaned_as_the_tables_are(tmp_path):
    frame = pl.DataFrame({"name": ["Jos\u00e9 ", "n/a"], "mark": ["2,5", "1.5"]})
    schema = cl.Schema(quasi_identifiers={"name": "category", "mark": "number"}, missing=["n/a"])
    (tmp_path / "people.csv").write_text("mark;name\n2,5;Jose\u0301\n1,5;n/a\n1,5;Eva\n", encoding="utf-8")
    found = KMap(2, tmp_path / "people.csv").n_people(cl.Classes([0, 1]), cl.Table(frame, schema))
    assert found.tolist() == [1, 1]


def test_people_of_the_population_may_have_several_rows():
    frame = pl.DataFrame({"age": [1, 2, 2], "who": ["p", "p", "q"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    everybody = pl.DataFrame({"age": [1, 2, 2, 1, 2, 2], "who": ["p", "p", "q", "r", "r", None]})
    assert KMap(2, everybody).n_people(cl.Classes([0, 0, 1]), table).tolist() == [4, 4]
    assert KMap(2, everybody).n_people(cl.Classes([0, 1, 2]), table).tolist() == [2, 4, 4]
    assert KMap(2, everybody.drop("who")).n_people(cl.Classes([0, 0, 1]), table).tolist() == [6, 4]


def test_a_centroid_stands_for_its_class():
    hierarchies = {"age": cl.Number(publish="centroid"), "name": cl.Category(publish="centroid")}
    table = cl.Table(pl.DataFrame({"age": [1, 3], "name": ["a", "c"]}), cl.Schema(quasi_identifiers=hierarchies))
    people = pl.DataFrame({"age": [1, 3, 2, 2, 4], "name": ["a", "c", "a", "b", "a"]})
    assert KMap(2, people).n_people(cl.Classes([0, 0]), table).tolist() == [3]


def test_without_quasi_identifiers_everybody_fits():
    table = cl.Table(pl.DataFrame({"ill": ["flu"]}), cl.Schema(sensitive=["ill"], quasi_identifiers={}))
    assert KMap(2, pl.DataFrame({"x": [1, 2, 3]})).n_people(cl.Classes([0]), table).tolist() == [3]


def test_reachable_is_what_one_class_fits():
    table, people = ages([1, 9]), pl.DataFrame({"age": [1, 5, 9, 10]})
    KMap(3, people).check_reachable(table, 1)
    with pytest.raises(cl.UnreachableError, match=r"as one class, fit 3 of its 4\.\n  Hint: k = 3 is the most"):
        KMap(4, people).check_reachable(table)
    tree = cl.Tree(JOBS, on_missing="suppress")
    jobs = cl.Table(pl.DataFrame({"job": ["nurse", "x"]}), cl.Schema(quasi_identifiers={"job": tree}))
    KMap(2, pl.DataFrame({"job": ["nurse", "nurse", "x"]})).check_reachable(jobs)
    with pytest.raises(cl.UnreachableError, match="fit 1 of its 2"):
        KMap(2, pl.DataFrame({"job": ["nurse", "x"]})).check_reachable(jobs)


# With a number of people


def plain_least(k, n_rows, size, significance):
    """Sum the Poisson tail upwards, term by term, with eighty digits, for one candidate after the other."""
    with localcontext() as context:
        context.prec = 80
        mean = Decimal(k) * n_rows / size
        terms = [(-mean).exp() * mean**i / math.factorial(i) for i in range(200)]
        for candidate in range(1, k + 1):
            if sum(reversed(terms[candidate:])) <= Decimal(str(significance)):
                return candidate
    return k


@given(
    k=st.integers(2, 25),
    n_rows=st.integers(1, 60),
    more=st.integers(1, 2000),
    significance=st.sampled_from([0.5, 0.05, 0.01, 1e-9, 0.999]),
)
@tries(60)
def test_the_least_number_is_that_of_the_poisson_tail(k, n_rows, more, significance):
    model = KMap(k, n_rows + more, significance)
    least = plain_least(k, n_rows, n_rows + more, significance)
    table = ages(range(n_rows))
    sizes = [n for n in (least - 1, least, least + 1) if 0 < n <= n_rows]
    for n in sizes:
        classes = cl.Classes([0] * n + [-1] * (n_rows - n))
        assert (len(model.broken(classes, table)) > 0) == (n < least)
    if n_rows < least:
        with pytest.raises(cl.UnreachableError, match=f"at least {least} rows in every class"):
            model.check_reachable(table)
    else:
        model.check_reachable(table)


def test_a_known_tail():
    # Mean 5 * 100 / 1000 = 0.5: P(X >= 1) = 0.3935, P(X >= 2) = 0.0902, P(X >= 3) = 0.0144.
    table = ages(range(100))
    for significance, least in ((0.4, 1), (0.39, 2), (0.09, 3), (0.05, 3), (0.0144, 3), (0.0143, 4), (1e-30, 5)):
        demands = Demands()
        KMap(5, 1000, significance).add_demand(demands, table, np.arange(100))
        assert demands.least == (None if least == 1 else least)
    assert KMap(20000, 10**6, 0.05).broken(cl.Classes([0] * 100), table).tolist() == []  # mean 2: k' = 5 of 100 rows


def test_the_table_as_the_whole_population_is_k_anonymity():
    table, classes = ages(range(9)), cl.Classes([0, 0, 1, 1, 1, 2, 2, 2, 2])
    for k in (2, 3, 4, 5):
        expected = cl.KAnonymity(k).broken(classes, table).tolist()
        assert KMap(k, 9, 0.9).broken(classes, table).tolist() == expected
        assert KMap(k, table.frame).broken(classes, table).tolist() == expected


def test_a_population_smaller_than_the_table_is_refused():
    table = ages([1, 2, 3])
    for act in (
        lambda model: model.check_reachable(table),
        lambda model: model.broken(cl.Classes([0, 0, 0]), table),
        lambda model: model.add_demand(Demands(), table, np.arange(3)),
    ):
        with pytest.raises(cl.InputError, match="has 2 people, but the table has 3 rows"):
            act(KMap(2, 2))
    several = cl.Table(
        pl.DataFrame({"age": [1, 2, 3], "who": ["p", "p", "q"]}),
        cl.Schema(quasi_identifiers={"age": "number"}, subject="who"),
    )
    assert KMap(2, 2).broken(cl.Classes([0, 0, 1]), several).tolist() == [0, 1]


# What searches and records are told


class Demands:
    least = None
    codes = None

    def add_rows(self, least):
        self.least = least

    def add_distinct(self, codes, least):
        self.codes, self.least = codes, least


@pytest.mark.parametrize(("n_people", "least"), [(10, 4), (11, 4), (13, 4), (14, 3), (20, 2), (39, 2), (40, None)])
def test_the_search_is_asked_for_the_average_and_never_more_than_k(n_people, least):
    demands = Demands()
    people = pl.DataFrame({"age": [*range(10), *range(n_people - 10)]})
    KMap(4, people).add_demand(demands, ages(range(10)), np.arange(10))
    assert demands.least == least


def test_the_search_is_told_of_subjects():
    frame = pl.DataFrame({"age": [1, 2, 3], "who": ["p", "q", "p"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    demands = Demands()
    KMap(2, 2).add_demand(demands, table, np.array([2, 1]))
    assert (demands.codes.tolist(), demands.codes.dtype, demands.least) == ([0, 1], np.int32, 2)
    for people, least in ((frame, 2), (frame.drop("who"), 2), (pl.concat([frame.drop("who")] * 2), None)):
        demands = Demands()
        KMap(2, people).add_demand(demands, table, np.arange(3))
        assert demands.least == least


def test_what_stands_in_records():
    people = pl.DataFrame({"age": [1.0, None], "name": [" Ana", "Eva"], "day": [dt.date(2020, 1, 2), None]})
    assert KMap(2, people).to_dict() == {"k": 2, "population": "given"}
    assert KMap(np.int64(2), np.int64(9)).to_dict() == {"k": 2, "population": 9, "significance": 0.05}
    assert json.dumps(KMap(2, np.int64(9)).to_dict())
    evidence = KMap(2, people).evidence()
    assert evidence["hierarchy"] is None
    assert evidence["population"].rows() == [("1", "Ana", "2020-01-02"), (None, "Eva", None)]
    assert KMap(2, 9).evidence() == {"population": None, "hierarchy": None}
    assert "Ana" not in repr(KMap(2, people))
    assert isinstance(KMap(2, people), Model)
    assert KMap.needs == ("population",)
    assert KMap(2, people).smallest_class == KMap(2, 9).smallest_class == 1
    assert KMap(2, 9) == KMap(2, 9) != KMap(2, 10)
    with pytest.raises(cl.InputError, match="does not tell"):
        KMap(2, 9).n_people(cl.Classes([0]), ages([1]))


def test_frames_of_every_kind():
    people = pl.DataFrame({"age": [1, 2, 3]})
    for frame in (people, people.lazy(), pd.DataFrame({"age": [1, 2, 3]}), people.to_arrow()):
        assert KMap(2, frame).n_people(cl.Classes([0, 0]), ages([1, 3])).tolist() == [3]


@pytest.mark.parametrize("k", [1, 0, True, 2.0, "2", None])
def test_k_is_a_whole_number_from_two(k):
    with pytest.raises(cl.OptionError, match="whole number from 2"):
        KMap(k, 100)


@pytest.mark.parametrize("population", [True, 2.5, None, 0, -4])
def test_the_population_is_a_table_a_file_or_a_number(population):
    with pytest.raises(cl.OptionError, match=r"population") as caught:
        KMap(2, population)
    assert caught.value.about == "population"


@pytest.mark.parametrize("significance", [0, 1, -0.1, 1.5, float("nan"), True, "0.05", None])
def test_the_significance_is_a_share(significance):
    with pytest.raises(cl.OptionError, match="significance must be a number above 0 and below 1"):
        KMap(2, 100, significance)


def test_a_population_that_cannot_be_read(tmp_path):
    for given_as in (tmp_path / "nobody.csv", str(tmp_path / "nobody.csv"), [1, 2]):
        with pytest.raises(cl.InputError) as caught:
            KMap(2, given_as)
        assert caught.value.about == "population"


def test_many_classes_of_many_people_in_little_time():
    random = np.random.default_rng(1)
    n_people, n_rows, n_classes = 100_000, 30_000, 5_000
    people = pl.DataFrame(
        {
            "age": random.integers(17, 91, n_people),
            "job": random.choice([row[0] for row in JOBS], n_people),
            "town": random.choice([f"{code:05d}" for code in range(400)], n_people),
            "grade": random.choice(list("abcdefghijklmnop"), n_people),
        }
    )
    hierarchies = {"age": "number", "job": cl.Tree(JOBS), "town": cl.Prefix(keep=[4, 3]), "grade": "category"}
    table = cl.Table(people.head(n_rows), cl.Schema(quasi_identifiers=hierarchies))
    order = np.lexsort([column.codes for column in reversed(table.quasi_identifiers)])
    labels = np.empty(n_rows, dtype=np.int64)
    labels[order] = np.arange(n_rows) * n_classes // n_rows
    model, classes = KMap(5, people), cl.Classes(labels)
    started = time.perf_counter()
    found = model.n_people(classes, table)
    assert time.perf_counter() - started < 10
    assert (found >= classes.sizes).all()
