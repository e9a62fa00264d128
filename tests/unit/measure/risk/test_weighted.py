from __future__ import annotations

import json
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import celosia as cl
from celosia.measure.risk.weighted import class_risks, weighted

SCHEMA = cl.Schema(quasi_identifiers={"age": "number"})


def by_the_formula(f, size):
    """The risk as the specification writes it, with sixty digits."""
    with localcontext() as context:
        context.prec = 120
        p = Decimal(f) / Decimal(size)
        if p == 1:
            return Decimal(1) / f
        odds, log = p / (1 - p), (1 / p).ln()
        if f == 1:
            return odds * log
        return odds - odds * odds * log if f == 2 else p / (f - (1 - p))


def expectation(f, p):
    """E[1 / F] of a negative binomial F, by direct summation."""
    chance, total = p**f, 0.0
    for h in range(f, int(f / p * 80) + 80):
        total += chance / h
        chance *= h / (h - f + 1) * (1 - p)
    return total


sizes = st.one_of(st.floats(1, 2), st.floats(1, 1e12), st.floats(0, 1e-6).map(lambda rest: 1 + rest), st.just(1.0))


@given(st.integers(1, 5), sizes)
@example(2, 4 / 3)
@example(1, 1 + 2**-52)
@example(2, 1 + 2**-51)
@example(2, 1.0000001)
@example(2, 1.002)
@example(2, 1.01)
@example(2, 1.1)
@example(1, 1e15)
@example(2, 1e15)
@example(3, 1e15)
def test_every_digit_of_the_formula(f, times):
    size = f * times
    found = float(class_risks(np.array([f]), np.array([size]))[0])
    assert found == pytest.approx(float(by_the_formula(f, size)), rel=4e-15, abs=0)
    assert 0 < found <= 1 / f


@pytest.mark.parametrize("p", [0.02, 0.1, 0.5, 0.9, 0.999])
def test_one_and_two_people_are_the_expectation_itself(p):
    found = class_risks(np.array([1, 2]), np.array([1 / p, 2 / p]))
    assert found.tolist() == pytest.approx([expectation(1, p), expectation(2, p)], rel=1e-9, abs=0)


@pytest.mark.parametrize(("f", "most"), [(3, 0.0404), (4, 0.0205), (5, 0.0124), (10, 0.0028), (20, 0.0007)])
def test_from_three_people_on_it_is_above_the_expectation_by_little(f, most):
    shares = np.linspace(0.02, 1, 99)
    found = class_risks(np.full(99, f), f / shares)
    errors = [risk / expectation(f, p) - 1 for risk, p in zip(found.tolist(), shares.tolist(), strict=True)]
    assert min(errors) > -1e-12
    assert 0.9 * most < max(errors) <= most


rows = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 20)), min_size=1, max_size=12)


@given(rows, st.fractions("1/20", 1))
def test_a_table_against_the_definition(drawn, threshold):
    frame = pl.DataFrame({"age": [age for age, _ in drawn], "w": [weight for _, weight in drawn]})
    table = cl.Table(frame, SCHEMA)
    found = weighted(table, "w", threshold)
    expected = []
    for age, _ in drawn:
        own = [weight for other, weight in drawn if other == age]
        expected.append(float(by_the_formula(len(own), sum(own))))
    assert found.risks.tolist() == pytest.approx(expected, rel=1e-13, abs=0)
    assert found.max == pytest.approx(max(expected), rel=1e-13, abs=0)
    assert found.expected == pytest.approx(sum(expected), rel=1e-12, abs=0)
    assert found.mean == pytest.approx(sum(expected) / len(drawn), rel=1e-12, abs=0)
    share = sum(risk > threshold and abs(risk - threshold) > 1e-12 for risk in expected) / len(drawn)
    assert found.share_at_risk == pytest.approx(share)
    by_array = weighted(table, frame["w"].to_numpy(), threshold)
    assert by_array == found


def test_a_risk_that_is_just_the_threshold_is_not_above_it():
    five = cl.Classes([0] * 5)
    assert weighted(five, np.ones(5), "0.2").share_at_risk == 0.0
    assert weighted(five, np.ones(5), Fraction(1, 5) - Fraction(1, 10**20)).share_at_risk == 1.0
    # f = 3, F = 6: p = 1/2, risk = 1/5
    assert weighted(cl.Classes([0] * 3), [2, 2, 2], "0.2").share_at_risk == 0.0
    assert weighted(cl.Classes([0] * 3), [2, 2, 1.9999999999], "0.2").share_at_risk == 1.0
    # f = 3, F = 11: risk = 3/25, a little more in floating point
    assert weighted(cl.Classes([0] * 3), [3, 3, 5], "0.12").share_at_risk == 0.0
    # f = 3, F = 4: risk = 3/11, which has no decimal text
    assert weighted(cl.Classes([0] * 3), [1, 1, 2], "3/11").share_at_risk == 0.0
    assert weighted(cl.Classes([0] * 2), [1, 1], "1/2").share_at_risk == 0.0
    assert weighted(cl.Classes([0]), [1], 1).share_at_risk == 0.0


def test_a_census_is_the_prosecutors():
    classes = cl.Classes([0, 1, 1, 2, 2, 2])
    found = weighted(classes, np.ones(6))
    assert found.risks.tolist() == [1.0, 0.5, 0.5, 1 / 3, 1 / 3, 1 / 3]
    assert (found.max, found.mean, found.expected) == (1.0, 0.5, 3.0)


def test_text_weights_with_decimal_commas():
    frame = pl.DataFrame({"age": [30, 30], "w": ["1,5", "2,5"]})
    found = weighted(cl.Table(frame, SCHEMA, decimal=","), "w")
    assert found.max == pytest.approx(float(by_the_formula(2, 4)))


def test_suppressed_rows_have_no_risk():
    found = weighted(cl.Classes([0, -1, 0]), [2.0, 9.0, 3.0])
    assert np.isnan(found.risks).tolist() == [False, True, False]
    assert found.expected == pytest.approx(2 * float(by_the_formula(2, 5)))
    assert found.mean == pytest.approx(float(by_the_formula(2, 5)))


def test_a_release_sums_the_weights_of_its_classes():
    frame = pl.DataFrame({"age": [30, 31, 70, 71, 72], "w": [10, 20, 30, 40, 50]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, insensitive=["w"]))
    release = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(table)
    found = weighted(release, "w")
    two, three = float(by_the_formula(2, 30)), float(by_the_formula(3, 120))
    assert found.risks.tolist() == pytest.approx([two, two, three, three, three])


@given(rows, st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_households_against_the_definition(drawn, homes):
    frame = pl.DataFrame(
        {
            "age": [age for age, _ in drawn],
            "w": [weight for _, weight in drawn],
            "home": pl.Series([f"h{home}" if home else None for home in homes[: len(drawn)]], dtype=pl.String),
        }
    )
    found = weighted(cl.Table(frame, SCHEMA), "w", households="home")
    safe = {}
    for row, (home, risk) in enumerate(zip(frame["home"].to_list(), found.risks.tolist(), strict=True)):
        key = home or row
        safe[key] = safe.get(key, 1.0) * (1 - risk)
    assert found.households is not None
    assert found.households.max == pytest.approx(max(1 - rest for rest in safe.values()))
    assert found.households.expected == pytest.approx(sum(1 - rest for rest in safe.values()))
    assert found.households.mean == pytest.approx(found.households.expected / len(safe))
    assert found.households.n_households == len(safe)
    codes = [home or -1 for home in homes[: len(drawn)]]
    assert weighted(cl.Table(frame, SCHEMA), "w", households=codes) == found


def test_one_who_is_certain_makes_the_household_certain():
    found = weighted(cl.Classes([0, 1, 1]), [1, 50, 50], households=[7, 7, 8])
    assert found.households is not None
    assert found.households.max == 1.0
    assert found.households.expected == pytest.approx(1 + float(by_the_formula(2, 100)))


def test_a_person_counts_once_in_class_and_household():
    frame = pl.DataFrame({"who": ["a", "a", "b"], "age": [30, 30, 30], "w": [5, 5, 7], "home": [1, 1, 1]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    found = weighted(table, "w", households="home")
    risk = float(by_the_formula(2, 12))
    assert found.risks.tolist() == pytest.approx([risk] * 3)
    assert found.households is not None
    assert found.households.max == pytest.approx(1 - (1 - risk) ** 2)
    torn = table.with_frame(frame.with_columns(w=pl.Series([5, 6, 7])))
    with pytest.raises(cl.InputError, match="1 people have rows of one class with different weights"):
        weighted(torn, "w")


def test_what_is_printed_holds_no_row():
    found = weighted(cl.Classes([0, 1]), [3, 4], households=[0, 1])
    printed = found.to_dict()
    assert set(printed) == {"max", "mean", "share_at_risk", "expected", "households"}
    assert set(printed["households"]) == {"max", "mean", "expected", "n_households"}
    json.dumps(printed)
    assert "array" not in repr(found)


def test_an_empty_table_has_no_figure():
    found = weighted(cl.Classes([]), [], households=np.zeros(0, dtype=np.int64))
    assert set(found.to_dict().values()) == {None}
    assert len(weighted(cl.Classes([-1]), [1]).risks) == 1


@pytest.mark.parametrize("weight", [0.99, 0, -3, float("nan"), float("inf")])
def test_a_weight_is_at_least_one_and_finite(weight):
    with pytest.raises(cl.InputError, match=r"1 of 3 weights .* \(first in data row 2\)") as error:
        weighted(cl.Classes([0, 0, 0]), [1.0, weight, 2.0])
    assert error.value.about == "weights"


def test_a_wrong_weight_is_not_repeated():
    with pytest.raises(cl.InputError) as error:
        weighted(cl.Classes([0, 0]), [1.0, -47.25])
    assert "47" not in str(error.value)


def test_missing_weights_and_texts_are_refused():
    for cells in ([None, "3"], ["plenty", "3"]):
        frame = pl.DataFrame({"age": [30, 30], "w": cells})
        with pytest.raises(cl.InputError, match="1 of 2 weights") as error:
            weighted(cl.Table(frame, SCHEMA), "w")
        assert "plenty" not in str(error.value)


@pytest.mark.parametrize("weights", [[1], [[1, 2]], ["1", "2"], None, [1, None], [True, True], [[1], [1, 2]]])
def test_weights_are_one_number_per_row(weights):
    with pytest.raises(cl.InputError, match="one number for each of the 2 rows") as error:
        weighted(cl.Classes([0, 0]), weights)
    assert error.value.about == "weights"


@pytest.mark.parametrize("households", [[1], [1.5, 2.0], ["a", "b"]])
def test_households_are_one_whole_number_per_row(households):
    with pytest.raises(cl.InputError, match="one whole number for each of the 2 rows"):
        weighted(cl.Classes([0, 0]), [1, 1], households=households)


def test_columns_that_are_not_there():
    table = cl.Table(pl.DataFrame({"age": [30], "weight": [2]}), SCHEMA)
    with pytest.raises(cl.ColumnNotFoundError, match="no column 'weigth' of weights") as error:
        weighted(table, "weigth")
    assert error.value.hint == "did you mean 'weight'?"
    with pytest.raises(cl.ColumnNotFoundError, match="no column 'home' of households"):
        weighted(table, "weight", households="home")
    with pytest.raises(cl.ColumnNotFoundError):
        weighted(cl.Classes([0]), "weight")


def test_a_threshold_is_a_probability():
    with pytest.raises(cl.OptionError, match="threshold"):
        weighted(cl.Classes([0]), [1], 2)
