from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.measure.risk.base import ClassCounts, class_counts, exact_probability, exact_sum, figures_of
from celosia.measure.risk.prosecutor import prosecutor

labels = st.lists(st.integers(0, 6), min_size=1, max_size=40)
thresholds = st.fractions(min_value="1/20", max_value=1)


@given(labels, thresholds, st.integers(0, 8))
def test_against_the_definition(rows, threshold, joined):
    left = [max(rows.count(label) - joined, 1) for label in rows]
    found = prosecutor(cl.Classes(rows), threshold, insiders=joined)
    assert found.max == float(Fraction(1, min(left)))
    assert found.mean == float(sum(Fraction(1, n) for n in left) / len(rows))
    assert found.share_at_risk == float(Fraction(sum(Fraction(1, n) > threshold for n in left), len(rows)))
    assert (found.threshold, found.insiders) == (float(threshold), joined)


@given(labels)
def test_without_insiders_the_mean_is_classes_over_rows(rows):
    assert prosecutor(cl.Classes(rows)).mean == float(Fraction(len(set(rows)), len(rows)))


def test_the_agency_note_table_6():
    found = prosecutor(cl.Classes([0, 1, 2, 2, 0, 1, 3]))
    assert found.to_dict() == {"max": 1.0, "mean": float(Fraction(4, 7)), "share_at_risk": 1.0}


def test_a_class_of_exactly_five_is_not_at_risk_at_one_fifth():
    assert prosecutor(cl.Classes([0] * 5), "0.2").share_at_risk == 0.0
    assert prosecutor(cl.Classes([0] * 4), "0.2").share_at_risk == 1.0
    assert prosecutor(cl.Classes([0] * 10), 0.1).share_at_risk == 0.0
    assert prosecutor(cl.Classes([0] * 9), 0.1).share_at_risk == 1.0


def test_insiders_move_the_threshold_by_as_many_people():
    assert prosecutor(cl.Classes([0] * 6), "0.2", insiders=1).share_at_risk == 0.0
    assert prosecutor(cl.Classes([0] * 5), "0.2", insiders=1).share_at_risk == 1.0


def test_a_threshold_of_many_digits_or_next_to_nothing_is_compared_exactly():
    below = Fraction(1, 5) - Fraction(1, 10**30)
    assert prosecutor(cl.Classes([0] * 5), below).share_at_risk == 1.0
    assert prosecutor(cl.Classes([0] * 5), Fraction(1, 5) + Fraction(1, 10**30)).share_at_risk == 0.0
    assert prosecutor(cl.Classes([0] * 5), "1e-40").share_at_risk == 1.0


def test_subjects_count_as_people():
    frame = pl.DataFrame({"who": ["a", "a", "b"], "age": [40, 40, 40]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    assert prosecutor(table).to_dict() == {"max": 0.5, "mean": 0.5, "share_at_risk": 1.0}
    assert prosecutor(table, insiders=1).max == 1.0


def test_missing_is_a_value_of_its_own():
    table = cl.Table(pl.DataFrame({"age": [40, None, None]}), cl.Schema(quasi_identifiers={"age": "number"}))
    assert prosecutor(table).to_dict() == {"max": 1.0, "mean": float(Fraction(2, 3)), "share_at_risk": 1.0}


def test_without_quasi_identifiers_all_rows_are_one_class():
    table = cl.Table(pl.DataFrame({"age": [40, 41, 42]}), cl.Schema())
    assert prosecutor(table).max == float(Fraction(1, 3))


def test_a_release_counts_its_published_rows():
    table = cl.Table(pl.DataFrame({"age": [40, 41, 90, 91, 92]}), cl.Schema(quasi_identifiers={"age": "number"}))
    release = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(table)
    assert prosecutor(release).to_dict() == {"max": 0.5, "mean": 0.4, "share_at_risk": 1.0}


def test_an_empty_table_has_no_risk_figure():
    found = prosecutor(cl.Classes([]), insiders=2)
    assert found.to_dict() == {"max": None, "mean": None, "share_at_risk": None}
    assert prosecutor(cl.Classes([-1, -1])).max is None


@pytest.mark.parametrize("threshold", [0, 2, -1, "1.5", "nan", True, None, "a fifth", "1/0"])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(cl.OptionError, match="threshold") as error:
        prosecutor(cl.Classes([0]), threshold)
    assert error.value.about == "threshold"


@pytest.mark.parametrize("insiders", [-1, 0.5, 1.0, True, "1", None])
def test_insiders_are_a_whole_number(insiders):
    with pytest.raises(cl.OptionError, match="insiders must be a whole number from 0") as error:
        prosecutor(cl.Classes([0]), insiders=insiders)
    assert error.value.about == "insiders"


def test_as_many_insiders_as_one_likes():
    assert prosecutor(cl.Classes([0, 0, 0]), insiders=10**40).max == 1.0
    assert prosecutor(cl.Classes([0, 0, 0]), insiders=np.int64(1)).max == 0.5


@pytest.mark.parametrize("source", ["data.csv", None, [0, 1]])
def test_something_else_is_refused(source):
    with pytest.raises(cl.InputError, match="needs a Table, a Release or Classes"):
        prosecutor(source)


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 10**9)), max_size=30))
def test_an_exact_sum(pairs):
    parts, divisors = (np.array([pair[place] for pair in pairs], dtype=np.int64) for place in range(2))
    assert exact_sum(parts, divisors) == sum((Fraction(a, b) for a, b in pairs), Fraction(0))


def test_thousands_of_different_sizes_are_summed_exactly_in_no_time():
    sizes = np.arange(1, 5001, dtype=np.int64)
    start = time.perf_counter()
    found = figures_of(np.ones(len(sizes), dtype=np.int64), sizes, Fraction(1, 5))
    assert time.perf_counter() - start < 5
    assert found is not None
    assert float(found.mean * 5000) == pytest.approx(np.log(5000) + 0.5772156649015329 + 1 / 10000, abs=1e-8)


def test_the_classes_of_a_table_are_counted_once():
    table = cl.Table(pl.DataFrame({"age": [40, 40, 41]}), cl.Schema(quasi_identifiers={"age": "number"}))
    first = class_counts(table)
    assert isinstance(first, ClassCounts)
    assert class_counts(table) is first
    other = table.with_frame(table.frame.head(1))
    assert class_counts(other).rows.tolist() == [1]


@tries(20)
@given(st.integers(0, 2**32))
def test_many_classes_against_plain_counting(seed):
    codes = np.random.default_rng(seed).integers(0, 400, 1000)
    sizes = [int((codes == code).sum()) for code in codes.tolist()]
    found = prosecutor(cl.Classes(codes), "0.3")
    assert found.mean == float(sum(Fraction(1, size) for size in sizes) / 1000)
    assert found.share_at_risk == sum(size < 4 for size in sizes) / 1000


def test_probabilities_are_read_by_their_decimal_text():
    assert exact_probability(0.1 + 0.2) == Fraction("0.30000000000000004")
    assert exact_probability(1) == 1
