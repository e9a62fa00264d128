from __future__ import annotations

import dataclasses

import pytest

from celosia.base.errors import OptionError
from celosia.data import hierarchies
from celosia.data.hierarchies import Category, Dates, Intervals, Number, Order, Prefix, Tree, from_short
from celosia.data.hierarchies.base import Hierarchy

EXAMPLES = [
    Number(grid=1),
    Category(),
    Intervals(width=5),
    Prefix(keep=[2]),
    Dates(),
    Order(["a", "b"]),
    Tree([["a"], ["b"]]),
]


def test_the_room_offers_these_kinds_only() -> None:
    kinds = {getattr(hierarchies, name) for name in hierarchies.__all__}
    assert kinds == {type(example) for example in EXAMPLES}
    assert {kind.name for kind in kinds} == {"number", "category", "intervals", "prefix", "dates", "order", "tree"}
    assert {kind.name: kind.value_type for kind in kinds} == {
        "number": "number",
        "intervals": "number",
        "category": "text",
        "prefix": "text",
        "order": "text",
        "tree": "text",
        "dates": "date",
    }


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_kind_follows_the_protocol_and_is_frozen(example: Hierarchy) -> None:
    assert isinstance(example, Hierarchy)
    assert type(example)(**example.to_dict()) == example
    assert hash(type(example)(**example.to_dict())) == hash(example)
    field = dataclasses.fields(example)[0].name  # type: ignore[arg-type]
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(example, field, None)


def test_short_names() -> None:
    assert from_short("number") == Number()
    assert from_short("category") == Category()
    assert from_short("date") == from_short("dates") == Dates()
    with pytest.raises(OptionError, match="'numbr'") as caught:
        from_short("numbr")
    assert caught.value.hint == "did you mean 'number'?"
    with pytest.raises(OptionError, match="'intervals'"):
        from_short("intervals")
