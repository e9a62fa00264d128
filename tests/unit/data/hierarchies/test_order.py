from __future__ import annotations

from typing import Any

import pytest

from celosia.base.errors import HierarchyError, OptionError
from celosia.data.hierarchies import Order, ancestors_of
from celosia.data.hierarchies.domains import Levels, Line, Style

MARKS = ["fail", "pass", "notable", "outstanding"]


def test_marks_lie_on_a_line_of_ranks() -> None:
    domain = Order(MARKS).fit(["fail", "notable", "outstanding"], "exam")
    assert isinstance(domain, Line)
    assert domain.kind == "order"
    assert domain.values == ["fail", "notable", "outstanding"]
    assert domain.positions.tolist() == [0, 2 / 3, 1]


def test_a_range_names_all_declared_values_between() -> None:
    domain = Order(MARKS).fit(["fail", "notable"], "exam")
    assert isinstance(domain, Line)
    assert domain.spell(0, 1, Style()) == "fail / pass / notable"
    assert domain.spell(1, 1, Style()) == "notable"


def test_the_separator_occurs_in_no_declared_value() -> None:
    domain = Order(["a / b", "c"]).fit(["a / b", "c"], "x")
    assert isinstance(domain, Line)
    assert domain.spell(0, 1, Style()) == "a / b | c"


def test_groups_join_neighbours() -> None:
    domain = Order(["A", "B", "C", "D", "E"], groups=[2, 2]).fit(["A", "B", "D", "E"], "grade")
    assert isinstance(domain, Levels)
    assert (domain.kind, domain.n_leaves) == ("order", 5)
    assert ancestors_of(domain) == {
        "A": ["A / B", "A / B / C / D", "*"],
        "B": ["A / B", "A / B / C / D", "*"],
        "D": ["C / D", "A / B / C / D", "*"],
        "E": ["E", "E", "*"],
    }
    losses = {
        domain.spell(node, Style()): (domain.share[node], domain.leaves[node])
        for node in domain.nodes[1:].ravel().tolist()
    }
    assert losses == {"A / B": (1 / 4, 2), "C / D": (1 / 4, 2), "A / B / C / D": (3 / 4, 4), "E": (0, 1), "*": (1, 5)}


def test_undeclared_values_are_counted_or_left_out() -> None:
    with pytest.raises(HierarchyError, match="2 distinct values of 'exam' are missing from the 4 values of its order"):
        Order(MARKS).fit(["absent", "fail", "ill"], "exam")
    assert Order(MARKS, on_missing="suppress").fit(["absent", "fail", "ill"], "exam").values == ["fail"]


def test_whole_numbers_of_a_plan_become_text() -> None:
    assert Order([1, 2, 3]).fit(["1", "3"], "grade").values == ["1", "3"]  # type: ignore[list-item]


@pytest.mark.parametrize(
    "options",
    [
        {"values": []},
        {"values": "abc"},
        {"values": ["a", "a"]},
        {"values": ["a", 1.5]},
        {"values": ["a", None]},
        {"values": ["a", "b"], "groups": [1]},
        {"values": ["a", "b"], "groups": 2},
        {"values": ["a", "b"], "on_missing": "skip"},
    ],
)
def test_other_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="order: "):
        Order(**options)


def test_the_mark_for_anything_is_reserved() -> None:
    with pytest.raises(HierarchyError, match="reserved"):
        Order(["*", "a"])
    with pytest.raises(HierarchyError, match="reserved"):
        Order(MARKS, on_missing="suppress").fit(["*"], "exam")


@pytest.mark.parametrize("values", [[], ["pass"]])
def test_fewer_than_two_values_lose_nothing(values: list[str]) -> None:
    line = Order(MARKS).fit(values, "exam")
    levels = Order(MARKS, groups=[2]).fit(values, "exam")
    assert isinstance(line, Line)
    assert isinstance(levels, Levels)
    assert len(line.positions) == len(values)
    assert not levels.share.any()


def test_the_plan_form() -> None:
    assert Order(MARKS).to_dict() == {"values": MARKS}
    options = {"values": MARKS, "groups": [2, 2], "on_missing": "suppress"}
    assert Order(**options).to_dict() == options  # type: ignore[arg-type]
    assert Order(MARKS) == Order(tuple(MARKS)) != Order(MARKS, groups=[2])
