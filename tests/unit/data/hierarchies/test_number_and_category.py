from __future__ import annotations

import numpy as np
import pytest

from celosia.base.errors import HierarchyError, OptionError
from celosia.data.hierarchies import Category, Number
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.domains import Bag, Line, Style
from celosia.data.hierarchies.text import SEPARATORS, choose_separator


def test_positions_are_relative_to_the_range_of_the_data() -> None:
    domain = Number().fit([4, 5, 10], "participation")
    assert isinstance(domain, Line)
    assert domain.kind == "number"
    assert domain.positions.tolist() == [0, 1 / 6, 1]
    assert domain.positions.dtype == np.float64


@pytest.mark.parametrize("values", [[], [7], [7.5]])
def test_a_range_of_zero_loses_nothing(values: list[float]) -> None:
    assert Number().fit(values, "exam").positions.tolist() == [0.0] * len(values)


def test_whole_numbers_beyond_53_bits_keep_their_places() -> None:
    low = 10**17
    assert Number().fit([low, low + 1, low + 2], "id").positions.tolist() == [0, 0.5, 1]


def test_a_range_is_spelt_in_the_style_and_a_single_value_as_itself() -> None:
    domain = Number().fit([4, 5.5, 10], "exam")
    assert domain.spell(0, 2, Style()) == "[4, 10]"
    assert domain.spell(0, 1, Style(ranges="dash")) == "4-5.5"
    assert domain.spell(0, 1, Style(decimal=",")) == "[4; 5,5]"
    assert domain.spell(1, 1, Style()) == "5.5"


def test_infinite_numbers_are_counted() -> None:
    with pytest.raises(HierarchyError, match="2 distinct values of 'exam'"):
        Number().fit([float("-inf"), 1.0, float("inf")], "exam")


@pytest.mark.parametrize("options", [{"publish": "mean"}, {"grid": 0}, {"grid": -1}, {"grid": "1"}, {"grid": True}])
def test_number_refuses_other_options(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="number: "):
        Number(**options)  # type: ignore[arg-type]


def test_the_plan_form_leaves_defaults_out() -> None:
    assert Number().to_dict() == {}
    assert Number(grid=1, publish="pair").to_dict() == {"publish": "pair", "grid": 1}
    assert Category(publish="centroid").to_dict() == {"publish": "centroid"}


def test_both_follow_the_protocol() -> None:
    assert isinstance(Number(), Hierarchy)
    assert isinstance(Category(), Hierarchy)
    assert Number(grid=2) == Number(grid=2) != Number()


def test_categories_are_a_bag_in_sorted_order() -> None:
    domain = Category().fit(["Ana", "Luis"], "lecturer")
    assert isinstance(domain, Bag)
    assert (domain.values, domain.separator, domain.kind) == (["Ana", "Luis"], " / ", "category")
    assert Category().fit([], "lecturer").values == []


def test_the_separator_occurs_in_no_value() -> None:
    assert Category().fit(["a / b", "c"], "x").separator == " | "
    assert Category().fit(["a / b", "c | d"], "x").separator == " ; "


def test_a_separator_that_a_value_could_complete_is_passed_over() -> None:
    separator = choose_separator(["a /", "b"], "x")
    assert separator != " / "
    assert separator.join(["a /", "b"]).split(separator) == ["a /", "b"]


def test_no_separator_left() -> None:
    with pytest.raises(HierarchyError, match="no separator is left"):
        Category().fit([f"a{separator}b" for separator in SEPARATORS], "x")


def test_the_mark_for_anything_is_reserved() -> None:
    with pytest.raises(HierarchyError, match="reserved for 'anything'") as caught:
        Category().fit(["*", "a"], "lecturer")
    assert "missing in the schema" in str(caught.value)


def test_category_refuses_other_options() -> None:
    with pytest.raises(OptionError, match="allowed: set, centroid"):
        Category(publish="mean")  # type: ignore[arg-type]
