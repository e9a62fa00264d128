"""Random tables for property tests: every kind of quasi-identifier, missing values, ties, subjects."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import polars as pl
from hypothesis import strategies as st

import celosia as cl

JOBS = [
    ("nurse", "health", "*"),
    ("doctor", "health", "*"),
    ("judge", "law", "*"),
    ("notary", "law", "*"),
    ("clerk", "law", "*"),
    ("cook", "food", "*"),
]
GRADES = ["fail", "pass", "notable", "outstanding"]
CODES = ["37003", "37891", "28108", "28111", "24700", "50011"]


@dataclass
class Case:
    """A table in plain Python beside the frame and schema made of it."""

    columns: dict[str, list[Any]]
    kinds: dict[str, str]
    hierarchies: dict[str, Any]
    subject: list[str] | None = None
    weights: dict[str, float] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values())))

    def frame(self) -> pl.DataFrame:
        data = {name: pl.Series(name, values, strict=False) for name, values in self.columns.items()}
        if self.subject is not None:
            data["who"] = pl.Series("who", self.subject)
        return pl.DataFrame(data)

    def schema(self) -> cl.Schema:
        return cl.Schema(
            quasi_identifiers=self.hierarchies,
            subject="who" if self.subject is not None else None,
            weights=self.weights,
        )

    def table(self) -> cl.Table:
        return cl.Table(self.frame(), self.schema())

    def contains(self, column: str, published: str | None, original: Any) -> bool:
        """Whether a published cell covers an original value, by a plain reading of the cell."""
        if published == "*" or (published is not None and set(published) == {"*"}):
            return True
        if published is None or original is None:
            return published is None and original is None
        return _READERS[self.kinds[column]](published, original)


def _in_range(cell: str, number: float) -> bool:
    value = Fraction(str(number))
    if not cell.startswith("["):
        return Fraction(cell) == value
    low, high = cell[1:-1].split(", ")
    below = value < Fraction(high) if cell.endswith(")") else value <= Fraction(high)
    return Fraction(low) <= value and below


def _in_period(cell: str, day: dt.date) -> bool:
    if cell.endswith("s"):
        return day.year // 10 * 10 == int(cell[:-1])
    if "-Q" in cell:
        year, quarter = cell.split("-Q")
        return day.year == int(year) and (day.month + 2) // 3 == int(quarter)
    return day.isoformat().startswith(cell)


_READERS = {
    "number": _in_range,
    "intervals": _in_range,
    "category": lambda cell, value: value in cell.split(" / "),
    "order": lambda cell, value: value in cell.split(" / "),
    "prefix": lambda cell, value: all(a in ("*", b) for a, b in zip(cell, value, strict=True)),
    "dates": _in_period,
    "tree": lambda cell, value: any(value == row[0] and cell in row for row in JOBS),
}

_VALUES = {
    "number": st.one_of(st.integers(-5, 12), st.sampled_from([0.1, 2.5, 1e6])),
    "intervals": st.integers(-7, 60),
    "category": st.sampled_from(["a", "b", "c", "d e", "ñ"]),
    "order": st.sampled_from(GRADES),
    "prefix": st.sampled_from(CODES),
    "dates": st.dates(dt.date(1999, 1, 1), dt.date(2011, 12, 31)),
    "tree": st.sampled_from([row[0] for row in JOBS]),
}

_HIERARCHIES = {
    "number": st.just("number"),
    "intervals": st.sampled_from([cl.Intervals(width=5, levels=3), cl.Intervals(widths=[3, 6, 24], origin=1)]),
    "category": st.just("category"),
    "order": st.sampled_from([cl.Order(values=GRADES), cl.Order(values=GRADES, groups=[2])]),
    "prefix": st.sampled_from([cl.Prefix(keep=[4, 3, 2, 1]), cl.Prefix(keep=[5, 2])]),
    "dates": st.sampled_from([cl.Dates(), cl.Dates(levels=["month", "year"])]),
    "tree": st.just(cl.Tree(JOBS)),
}


@st.composite
def cases(draw, min_rows=1, max_rows=30, kinds=tuple(_VALUES), missing=True, subjects=True):
    n_rows = draw(st.integers(min_rows, max_rows))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    columns, own_kinds, hierarchies = {}, {}, {}
    for position, kind in enumerate(chosen):
        name = f"{kind}_{position}"
        values = st.one_of(st.none(), _VALUES[kind]) if missing and draw(st.booleans()) else _VALUES[kind]
        columns[name] = draw(st.lists(values, min_size=n_rows, max_size=n_rows))
        own_kinds[name] = kind
        hierarchies[name] = draw(_HIERARCHIES[kind])
    subject = None
    if subjects and draw(st.booleans()):
        subject = draw(st.lists(st.sampled_from("pqrstuvwxyz"), min_size=n_rows, max_size=n_rows))
    weights = {name: draw(st.sampled_from([0.5, 2.0])) for name in columns} if draw(st.booleans()) else {}
    return Case(columns, own_kinds, hierarchies, subject, weights)
