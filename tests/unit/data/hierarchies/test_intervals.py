from __future__ import annotations

from typing import Any

import pytest

from celosia.base.errors import HierarchyError, OptionError
from celosia.data.hierarchies import Intervals, ancestors_of
from celosia.data.hierarchies.domains import Levels, Style


def shares(domain: Levels) -> dict[str, float]:
    return {domain.spell(node, Style()): float(domain.share[node]) for node in range(len(domain.share))}


def test_widths_grow_by_the_factor_and_the_root_lies_above() -> None:
    domain = Intervals(width=5, levels=4).fit([0, 21, 39, 80], "age")
    assert ancestors_of(domain)["21"] == ["[20, 24]", "[20, 29]", "[20, 39]", "[0, 39]", "*"]
    assert domain.n_levels == 6
    assert (domain.kind, domain.n_leaves, set(domain.leaves.tolist())) == ("intervals", 0, {-1})


def test_decades_of_the_agency_note() -> None:
    domain = Intervals(width=10).fit([37, 40, 44], "age")
    assert ancestors_of(domain, Style(ranges="dash")) == {
        "37": ["30-39", "*"],
        "40": ["40-49", "*"],
        "44": ["40-49", "*"],
    }


def test_the_published_width_is_cut_to_the_range_of_the_data() -> None:
    domain = Intervals(width=10).fit([37, 40, 44], "age")
    assert shares(domain)["[40, 49]"] == pytest.approx(4 / 7)
    assert shares(domain)["[30, 39]"] == pytest.approx(2 / 7)
    assert shares(domain)["*"] == 1


def test_numbers_with_decimals_get_half_open_intervals() -> None:
    domain = Intervals(width=5).fit([19.5, 20.0, 24.9, 29.5], "age")
    assert ancestors_of(domain) == {
        "19.5": ["[15, 20)", "*"],
        "20": ["[20, 25)", "*"],
        "24.9": ["[20, 25)", "*"],
        "29.5": ["[25, 30)", "*"],
    }
    assert shares(domain)["[20, 25)"] == pytest.approx(5 / 10)
    assert ancestors_of(domain, Style(ranges="dash"))["20"] == ["[20, 25)", "*"]


def test_ends_are_exact_decimals() -> None:
    domain = Intervals(width=0.1, levels=2).fit([0.3, 0.7, 0.8], "ratio")
    assert [path[0] for path in ancestors_of(domain).values()] == ["[0.3, 0.4)", "[0.7, 0.8)", "[0.8, 0.9)"]
    assert ancestors_of(domain, Style(decimal=","))["0,3"] == ["[0,3; 0,4)", "[0,2; 0,4)", "*"]


def test_origin_moves_the_intervals() -> None:
    assert ancestors_of(Intervals(width=10, origin=18).fit([17, 18, 27, 28], "age")) == {
        "17": ["[8, 17]", "*"],
        "18": ["[18, 27]", "*"],
        "27": ["[18, 27]", "*"],
        "28": ["[28, 37]", "*"],
    }


def test_whole_can_be_declared_either_way() -> None:
    assert ancestors_of(Intervals(width=5, whole=False).fit([20], "age"))["20"][0] == "[20, 25)"
    with pytest.raises(HierarchyError, match="2 distinct values of 'age' are not whole"):
        Intervals(width=5, whole=True).fit([20, 20.5, 21.5], "age")
    with pytest.raises(OptionError, match="must be whole numbers"):
        Intervals(width=2.5, whole=True)


def test_an_interval_of_one_whole_number_is_spelt_as_it() -> None:
    assert ancestors_of(Intervals(widths=[1, 10]).fit([20, 21], "age"))["20"] == ["20", "[20, 29]", "*"]


def test_widths_must_nest() -> None:
    assert Intervals(widths=[0.1, 0.3]).to_dict() == {"widths": [0.1, 0.3]}
    with pytest.raises(OptionError, match=r"width 2 of 2 \(8\) is no whole multiple") as caught:
        Intervals(widths=[5, 8])
    assert caught.value.hint == "10 would nest."
    with pytest.raises(OptionError, match="no whole multiple"):
        Intervals(widths=[5, 5])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"width": 5, "widths": [5]},
        {"width": 5, "ranges": ["<6", ">=6"]},
        {"width": 0},
        {"width": "5"},
        {"width": float("nan")},
        {"width": 5, "levels": 0},
        {"width": 5, "levels": 2.0},
        {"width": 5, "factor": 1},
        {"width": 5, "origin": None},
        {"width": 5, "whole": "yes"},
        {"width": 5, "levels": 5000},
        {"widths": []},
        {"widths": 5},
        {"widths": [5], "levels": 2},
        {"ranges": ["<6", ">=6"], "factor": 3},
        {"ranges": ["<6", ">=6"], "origin": 1},
        {"ranges": "<6"},
        {"ranges": ["<6", [">=6"]]},
        {"ranges": [[]]},
        {"ranges": [0.5]},
    ],
)
def test_other_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="intervals: "):
        Intervals(**options)


def test_explicit_ranges_keep_the_users_spelling() -> None:
    domain = Intervals(ranges=["<6", "6-7", "8-9", "10-11", ">11"]).fit([5, 8, 9, 10, 11], "grade")
    assert ancestors_of(domain, Style(ranges="bracket")) == {
        "5": ["<6", "*"],
        "8": ["8-9", "*"],
        "9": ["8-9", "*"],
        "10": ["10-11", "*"],
        "11": ["10-11", "*"],
    }
    assert shares(domain)["8-9"] == pytest.approx(1 / 6)
    assert shares(domain)["<6"] == 0


def test_open_ends_use_the_bounds_of_the_data() -> None:
    domain = Intervals(ranges=["<6", "[6, 8)", ">=8"]).fit([4.0, 6.5, 8.0, 14.0], "grade")
    assert shares(domain) == pytest.approx(
        {"4": 0, "6.5": 0, "8": 0, "14": 0, "<6": 0.2, "[6, 8)": 0.2, ">=8": 0.6, "*": 1}
    )


def test_the_manuals_ranges_are_refused_before_any_data() -> None:
    with pytest.raises(HierarchyError, match="ranges 3 and 4 overlap") as caught:
        Intervals(ranges=["<6", "6-7", "8-9", "9-10", "10-11", ">11"])
    assert caught.value.hint == 'write "<6", "6-7", "8-9", "10-11", ">11".'


def test_closed_ranges_meet_data_with_decimals() -> None:
    ranges = Intervals(ranges=["6-7", "8-9"])
    assert ancestors_of(ranges.fit([6, 9], "grade"))["9"] == ["8-9", "*"]
    with pytest.raises(HierarchyError, match="leave a gap"):
        ranges.fit([6, 8.5], "grade")


def test_half_open_ranges_with_decimals_accept_data_that_happen_to_be_whole() -> None:
    domain = Intervals(ranges=["[0, 0.5)", "[0.5, 1)", ">=1"]).fit([0, 1, 2], "ratio")
    assert ancestors_of(domain) == {"0": ["[0, 0.5)", "*"], "1": [">=1", "*"], "2": [">=1", "*"]}


def test_values_outside_are_counted() -> None:
    with pytest.raises(HierarchyError, match="3 distinct values of 'grade' lie outside the 2 ranges") as caught:
        Intervals(ranges=["6-7", "8-9"]).fit([1, 6, 7, 30, 31], "grade")
    assert caught.value.hint == "begin with <6 and end with >9."


def test_nested_levels_of_ranges() -> None:
    levels = [["<5", "5-6", "7-8", ">8"], ["<5", ">=5"]]
    domain = Intervals(ranges=levels).fit([3, 5, 9], "exam")
    assert ancestors_of(domain)["5"] == ["5-6", ">=5", "*"]
    assert Intervals(ranges=levels).to_dict() == {"ranges": levels}
    with pytest.raises(HierarchyError, match="range 2 of level 1 lies in no single range of level 2"):
        Intervals(ranges=[["<5", "5-6", ">6"], ["<6", ">=6"]])


@pytest.mark.parametrize("values", [[], [40]])
@pytest.mark.parametrize("hierarchy", [Intervals(width=5, levels=3), Intervals(ranges=["<6", ">=6"])])
def test_fewer_than_two_values_lose_nothing(hierarchy: Intervals, values: list[float]) -> None:
    domain = hierarchy.fit(values, "age")
    assert domain.nodes.shape == (domain.n_levels, len(values))
    assert not domain.share.any()


def test_numbers_too_large_for_the_width() -> None:
    with pytest.raises(HierarchyError, match="too narrow"):
        Intervals(width=1e-9).fit([0, 1e12], "x")


def test_large_whole_numbers_fall_exactly() -> None:
    low = 2**60
    domain = Intervals(width=2**10).fit([low - 1, low, low + 1023, low + 1024], "id")
    first, second, third, fourth = domain.nodes[1].tolist()
    assert first != second == third != fourth


def test_the_plan_form() -> None:
    assert Intervals(width=5, levels=4).to_dict() == {"width": 5, "levels": 4}
    assert Intervals(ranges=["<6", "6-7"]).to_dict() == {"ranges": ["<6", "6-7"]}
    assert Intervals(width=5) == Intervals(width=5) != Intervals(width=6)


def test_rounding_never_makes_a_wider_interval_cheaper() -> None:
    # 0.2 + 0.1 is more than 0.3 in floating point, so [0.2, 0.3) would seem wider than [0, 0.3).
    domain = Intervals(width=0.1, levels=2, factor=3).fit([0.25, 0.4], "ratio")
    fine, coarse = domain.share[domain.nodes[1:3, 0]].tolist()
    assert coarse >= fine
    assert coarse == pytest.approx(1 / 3)
