"""Results and options as dicts of their fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from celosia.base.fields import Options, Result, plain


@dataclass(frozen=True)
class Part(Result):
    share: Fraction | None


@dataclass(frozen=True)
class Whole(Result):
    sizes: tuple[int, ...]
    parts: dict[int, Part]
    rows: object = field(repr=False, default=None)


@dataclass(frozen=True)
class Named(Whole):
    shown = ("n_sizes", "sizes")

    @property
    def n_sizes(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True)
class Search(Options):
    k: int
    levels: dict[str, tuple[int, int]] = field(default_factory=dict)
    time_limit: float | None = 30.0
    source: str = field(default="", compare=False)


def test_a_result_shows_all_fields_but_those_that_repr_leaves_out():
    found = Whole((2, 3), {2: Part(Fraction(1, 4)), 3: Part(None)}, rows=[7])
    assert found.to_dict() == {"sizes": [2, 3], "parts": {"2": {"share": 0.25}, "3": {"share": None}}}


def test_a_result_may_name_what_it_shows():
    assert list(Named((2, 3), {}).to_dict().items()) == [("n_sizes", 2), ("sizes", [2, 3])]


def test_options_at_their_defaults_are_left_out():
    assert Search(3, source="a file").to_dict() == {"k": 3}
    assert Search(3, levels={"age": (0, 2)}, time_limit=None).to_dict() == {
        "k": 3,
        "levels": {"age": [0, 2]},
        "time_limit": None,
    }


def test_what_numpy_made_becomes_plain():
    assert plain((np.int64(3), np.array([1.5]), True, "text")) == [3, [1.5], True, "text"]
    assert type(plain(np.float64(0.5))) is float
