"""pycanon 1.3.5 as a second opinion where it is right, and one test for each place where it is wrong.

It asks for exact versions of numpy, pandas and typer, which would hold every other test back: it is no part of the
test requirements, and is installed beside them without its own (``pip install --no-deps pycanon==1.3.5``).
"""

from __future__ import annotations

import importlib.util
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl

pytest.importorskip("pycanon", reason="install it with: pip install --no-deps pycanon==1.3.5")
from pycanon import anonymity

KNOWN = ["postcode", "age"]
SECRET = ["ill"]

N_TABLE_3 = pd.DataFrame(
    {
        "postcode": ["37***", "37***", "28***", "28***", "24***", "24***"],
        "age": ["40-49", "40-49", "40-49", "40-49", "30-39", "30-39"],
        "ill": ["S", "S", "S", "S", "N", "N"],
    }
)
N_TABLE_6 = pd.DataFrame(
    {
        "postcode": ["37***", "37***", "28***", "28***", "24***", "24***", "37***"],
        "age": ["40-49", "40-49", "40-49", "40-49", "30-39", "30-39", "30-39"],
        "ill": ["S", "S", "S", "S", "N", "N", "N"],
    }
)


def measured(frame: pd.DataFrame) -> dict[str, Any]:
    """What we find in a table."""
    return cl.check(frame, KNOWN, SECRET if "ill" in frame else []).figures


def one_class(secrets: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"postcode": "37***", "age": "40-49", "ill": secrets})


@st.composite
def frames(draw: Any) -> pd.DataFrame:
    n_rows = draw(st.integers(1, 25))
    values = {"postcode": ["37***", "28***"], "age": ["30-39", "40-49", "50-59"], "ill": ["flu", "cold", "hiv", "gout"]}
    return pd.DataFrame(
        {name: draw(st.lists(st.sampled_from(own), min_size=n_rows, max_size=n_rows)) for name, own in values.items()}
    )


@given(frame=frames())
@tries(60)
def test_agrees_on_what_it_measures_rightly(frame):
    ours = measured(frame)
    secret = ours["sensitive"]["ill"]
    alpha, k = anonymity.alpha_k_anonymity(frame, KNOWN, SECRET)
    assert ours["k"] == k == anonymity.k_anonymity(frame, KNOWN)
    assert secret["alpha"] == pytest.approx(alpha, abs=1e-12)
    assert secret["l_distinct"] == anonymity.l_diversity(frame, KNOWN, SECRET)
    assert secret["t_equal"] == pytest.approx(anonymity.t_closeness(frame, KNOWN, SECRET), abs=1e-12)
    assert secret["beta_basic"] == pytest.approx(anonymity.basic_beta_likeness(frame, KNOWN, SECRET), abs=1e-12)
    assert secret["delta_present"] == pytest.approx(anonymity.delta_disclosure(frame, KNOWN, SECRET), abs=1e-12)


@given(frame=frames())
@tries(60)
def test_agrees_on_the_sizes_of_classes(frame):
    sizes = sorted(map(len, anonymity.utils.aux_anonymity.get_equiv_class(frame, KNOWN)))
    ours = measured(frame)
    assert ours["n_classes"] == len(sizes)
    # Three figures of ours that together hang on every size.
    assert ours["risk"]["prosecutor"]["max"] == pytest.approx(1 / sizes[0])
    assert ours["risk"]["prosecutor"]["mean"] == pytest.approx(len(sizes) / len(frame))
    for k in range(2, 7):
        (verdict,) = cl.check(frame, KNOWN, SECRET, models=[cl.KAnonymity(k)]).models
        assert verdict["n_classes"] == sum(size < k for size in sizes)


@given(frame=frames(), pays=st.data())
@tries(60)
def test_agrees_on_the_ordered_distance_of_two_or_more_numbers(frame, pays):
    numbers = pays.draw(st.lists(st.integers(0, 12), min_size=len(frame), max_size=len(frame)))
    frame = frame.assign(ill=numbers)
    if len(set(numbers)) > 1:
        theirs = anonymity.t_closeness(frame, KNOWN, SECRET)
        assert measured(frame)["sensitive"]["ill"]["t_ordered"] == pytest.approx(theirs, abs=1e-12)


def test_wrong_missing_quasi_identifiers_are_left_out_of_every_class():
    frame = pd.DataFrame({"postcode": ["37***", "37***", None], "age": ["40-49"] * 3})
    assert anonymity.k_anonymity(frame, KNOWN) == 2
    assert measured(frame)["k"] == 1


def test_wrong_labels_of_rows_are_taken_as_positions():
    """The rows of both classes hold two values; where row labels are used as positions, one."""
    columns = {"postcode": ["37***", "37***", "28***", "28***"], "age": ["40-49"] * 4}
    frame = pd.DataFrame(columns | {"ill": ["flu", "cold", "flu", "cold"]}, index=[0, 2, 1, 3])
    assert anonymity.l_diversity(frame, KNOWN, SECRET) == 1
    assert measured(frame)["sensitive"]["ill"]["l_distinct"] == 2
    with pytest.raises(IndexError):
        anonymity.l_diversity(frame.set_axis([10, 11, 12, 13]), KNOWN, SECRET)
    assert measured(frame.set_axis([10, 11, 12, 13]))["sensitive"]["ill"]["l_distinct"] == 2


@pytest.mark.parametrize(("n_values", "theirs"), [(2, 1), (3, 2), (4, 3), (6, 5), (7, 6), (8, 7), (10, 9)])
def test_wrong_entropy_l_is_cut_to_a_whole_number(n_values, theirs):
    frame = one_class([f"value {i}" for i in range(n_values)])
    assert anonymity.entropy_l_diversity(frame, KNOWN, SECRET) == theirs
    assert measured(frame)["sensitive"]["ill"]["l_entropy"] == pytest.approx(n_values, abs=1e-9)
    model = cl.LDiversity(n_values, on="ill", kind="entropy")
    assert cl.check(frame, KNOWN, SECRET, models=[model]).holds


def test_wrong_recursive_c_l_takes_the_smallest_count_for_the_largest():
    frame = one_class(["flu"] * 6 + ["cold"] * 3 + ["hiv"])
    assert anonymity.recursive_c_l_diversity(frame, KNOWN, SECRET) == (1, 3)
    assert measured(frame)["sensitive"]["ill"]["l_recursive"] == {"2": 1.5, "3": 6.0}

    def holds(c: float) -> bool:
        return cl.check(frame, KNOWN, SECRET, models=[cl.LDiversity(3, on="ill", kind="recursive", c=c)]).holds

    assert [holds(c) for c in (1, 6, 6.001)] == [False, False, True]


def test_wrong_enhanced_beta_is_finite_where_no_beta_holds():
    """D of N is 2, above -ln(1/3): no beta is large enough."""
    assert anonymity.enhanced_beta_likeness(N_TABLE_3, KNOWN, SECRET) == pytest.approx(math.log(3))
    ours = measured(N_TABLE_3)["sensitive"]["ill"]
    assert ours["beta_enhanced"] == "inf"
    assert ours["beta_basic"] == pytest.approx(anonymity.basic_beta_likeness(N_TABLE_3, KNOWN, SECRET)) == 2
    for beta in (math.log(3), 1000):
        model = cl.BetaLikeness(beta, on="ill", kind="enhanced")
        assert not cl.check(N_TABLE_3, KNOWN, SECRET, models=[model]).holds


def test_wrong_ordered_distance_of_a_single_value_divides_by_zero():
    frame = one_class([7, 7, 7])
    with pytest.raises(ZeroDivisionError):
        anonymity.t_closeness(frame, KNOWN, SECRET)
    assert measured(frame)["sensitive"]["ill"]["t_ordered"] == 0
    assert cl.check(frame, KNOWN, SECRET, models=[cl.TCloseness(0, on="ill", distance="ordered")]).holds


def test_wrong_mean_risk_is_that_of_classes_and_not_of_rows():
    assert _average_rir()(N_TABLE_6, KNOWN) == pytest.approx(0.625)
    assert measured(N_TABLE_6)["risk"]["prosecutor"]["mean"] == pytest.approx(float(Fraction(4, 7)))


def _average_rir() -> Any:
    """Load the one file that is asked: the package around it needs scipy."""
    path = Path(anonymity.__file__).parents[1] / "metrics" / "_reidentification_metrics.py"
    spec = importlib.util.spec_from_file_location("pycanon_risk", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.average_rir
