"""The tables of the agency's note on k-anonymity: every figure that the specification gives for them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from celosia.audit import class_sizes, measure

Row = tuple[str, str, str]
TABLE_2: list[Row] = [
    ("37003", "40", "S"),
    ("28108", "44", "S"),
    ("24700", "37", "N"),
    ("24700", "37", "N"),
    ("37003", "44", "S"),
    ("28108", "40", "S"),
]
TABLES: dict[int, list[Row]] = {
    1: [("37003", "40", "S")] * 2 + [("28108", "44", "S")] * 2 + [("24700", "37", "N")] * 2,
    2: TABLE_2,
    3: [("37***", "40 - 49", "S")] * 2 + [("28***", "40 - 49", "S")] * 2 + [("24***", "30 - 39", "N")] * 2,
    4: [("37***", "40 - 49", "S")] * 2 + [("28***", "40 - 49", "S")] * 2 + [("24700", "30 - 39", "N")] * 2,
    5: [*TABLE_2, ("37891", "33", "N"), ("50011", "13", "S")],
    6: [
        *[("37***", "40 - 49", "S")] * 2,
        *[("28***", "40 - 49", "S")] * 2,
        *[("24***", "30 - 39", "N")] * 2,
        ("37***", "30 - 39", "N"),
    ],
}


def figures(number: int, **options: Any) -> dict[str, Any]:
    postcodes, ages, secrets = zip(*TABLES[number], strict=True)
    columns = {"postcode": list(postcodes), "age": list(ages), "cholesterol": list(secrets)}
    return measure(columns, ["postcode", "age"], ["cholesterol"], **options)


@pytest.mark.parametrize(
    ("number", "sizes", "t", "mean"),
    [
        (1, [2, 2, 2], Fraction(2, 3), Fraction(1, 2)),
        (2, [1, 1, 1, 1, 2], Fraction(2, 3), Fraction(5, 6)),
        (3, [2, 2, 2], Fraction(2, 3), Fraction(1, 2)),
        (4, [2, 2, 2], Fraction(2, 3), Fraction(1, 2)),
        (5, [1, 1, 1, 1, 1, 1, 2], Fraction(5, 8), Fraction(7, 8)),
        (6, [1, 2, 2, 2], Fraction(4, 7), Fraction(4, 7)),
    ],
)
def test_tables_of_the_note(number: int, sizes: list[int], t: Fraction, mean: Fraction) -> None:
    postcodes, ages, _ = zip(*TABLES[number], strict=True)
    columns = {"postcode": list(postcodes), "age": list(ages)}
    assert class_sizes(columns, ["postcode", "age"]) == sizes
    below = math.nextafter(float(t), 0)
    models = [
        {"k_anonymity": {"k": 2}},
        {"t_closeness": {"t": below, "on": "cholesterol", "distance": "equal"}},
        {"t_closeness": {"t": math.nextafter(float(t), 1), "on": "cholesterol", "distance": "equal"}},
        {"alpha_k": {"alpha": 0.999999, "on": "cholesterol"}},
        {"p_sensitive": {"p": 2, "on": "cholesterol"}},
    ]
    found = figures(number, models=models)
    secret = found["sensitive"]["cholesterol"]
    assert found["k"] == min(sizes)
    assert (secret["l_distinct"], secret["alpha"], secret["l_entropy"]) == (1, 1, 1)
    assert secret["t_equal"] == float(t)
    assert found["risk"]["prosecutor"]["mean"] == float(mean)
    assert found["risk"]["sample_uniqueness"] == sizes.count(1) / sum(sizes)
    assert secret["homogeneous"]["n_classes"] == len(sizes)
    assert secret["homogeneous"]["n_rows"] == sum(sizes)
    assert [one["holds"] for one in found["models"]] == [min(sizes) >= 2, False, True, False, False]
    assert found["models"][0]["n_classes"] == sizes.count(1)


def test_no_enhanced_beta_fits_table_3() -> None:
    """p(S) = 2/3, gain 0.5 > 0.405; p(N) = 1/3, gain 2 > 1.099: basic beta is 2, and no enhanced one holds."""
    models = [
        {"beta_likeness": {"beta": beta, "on": "cholesterol", "kind": kind}}
        for beta, kind in ((2, "basic"), (1.9999999999, "basic"), (2, "enhanced"), (1e9, "enhanced"))
    ]
    found = figures(3, models=models)
    secret = found["sensitive"]["cholesterol"]
    assert (secret["beta_basic"], secret["beta_enhanced"]) == (2, "inf")
    assert [one["holds"] for one in found["models"]] == [True, False, False, False]
    assert [one["n_classes"] for one in found["models"]] == [0, 1, 3, 3]
    assert (secret["delta_strict"], secret["delta_present"]) == ("inf", pytest.approx(math.log(3)))
    assert secret["l_recursive"] == {"2": "inf"}


def test_the_printed_table_6_is_not_2_anonymous() -> None:
    (found,) = figures(6, models=[{"k_anonymity": {"k": 2}}])["models"]
    assert found["holds"] is False
    assert found["classes"] == [{"first_row": 7, "n_rows": 1}]
