"""The way through Polars and NumPy gives exactly what bare Python gives: every measure, every model, every class."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia import audit
from celosia.audit import measure

Cell = str | None
TREE = {"7": ["odd", "*"], "1": ["odd", "*"], "2": ["even", "*"], "3.5": ["odd", "*"], "10": ["even", "*"]}


def demands(share: float, count: int, bound: float) -> list[dict[str, Any]]:
    on = {"on": "s"}
    models: list[dict[str, Any]] = [
        {"k_anonymity": {"k": count}},
        {"alpha_k": {"alpha": share, **on}},
        {"alpha_k": {"alpha": share, **on, "values": ["1", None]}},
        {"p_sensitive": {"p": count, **on}},
        {"p_sensitive": {"p": count, **on, "level": 1}},
        {"l_diversity": {"l": count, **on, "kind": "distinct"}},
        {"l_diversity": {"l": 1 + bound, **on, "kind": "entropy"}},
        {"l_diversity": {"l": count, **on, "kind": "recursive", "c": bound}},
        *({"t_closeness": {"t": share, **on, "distance": one}} for one in ("equal", "ordered", "numeric")),
        {"t_closeness": {"t": share, **on, "distance": "hierarchical"}},
        {"t_closeness": {"t": share, **on, "distance": "ordered", "hierarchy": True}},
        *({"delta_disclosure": {"delta": bound, **on, "kind": one}} for one in ("strict", "present")),
        {"delta_disclosure": {"delta": bound, **on, "kind": "present", "base": 2}},
        *({"beta_likeness": {"beta": bound, **on, "kind": one}} for one in ("basic", "enhanced")),
        {"k_map": {"k": count, "population": "given"}},
        {"k_map": {"k": count, "population": 100, "significance": 0.05}},
        {"average_risk": {"limit": share}},
        {"share_at_risk": {"share": share, "threshold": 0.5}},
        {"sample_uniqueness": {"share": share}},
    ]
    return models


def column(values: list[Cell], n: int) -> st.SearchStrategy[list[Cell]]:
    return st.lists(st.sampled_from(values), min_size=n, max_size=n)


tables = st.integers(0, 24).flatmap(
    lambda n: st.fixed_dictionaries(
        {
            "x": column(["1", " 1", "5-10", None], n),
            "y": column(["a", "b", None], n),
            "s": column(["1", "2", "3.5", "10", None], n) | column(["1", "2"], n) | column(["1", "2", "7", "10"], n),
            "who": column(["p", "q", "r", "s", None], n),
        }
    )
)
shares = st.sampled_from([0.1, 0.25, 0.3333333333333333, 0.5, 0.6666666666666667])


@given(
    tables,
    tables,
    shares,
    st.integers(2, 3),
    st.sampled_from([0.5, 1, 2, 3]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([{}, {"_FEWEST_MERGED": 0}, {"_FEWEST_MERGED": 0, "_LONGEST_MERGED": 1}, {"_numpy": None}]),
    st.booleans(),
)
@tries(250)
def test_both_ways_agree(
    table: dict[str, list[Cell]],
    more: dict[str, list[Cell]],
    share: float,
    count: int,
    bound: float,
    has_subject: bool,
    tells_people: bool,
    changes: dict[str, Any],
    is_rough: bool,
) -> None:
    population = {name: [*table[name], *more[name]] for name in ("x", "y", *(["who"] if tells_people else []))}

    def run() -> audit.Figures:
        return measure(
            table,
            ["x", "y"],
            ["s", "y"],
            "who" if has_subject else None,
            hierarchies={"s": TREE},
            population=population,
            models=demands(share, count, bound),
        )

    plain = run()
    assert not plain.ground or type(plain.ground.table) is audit._Table
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit, "_FAST_FROM", 0)
        for name, value in changes.items():
            patch.setattr(audit, name, (lambda: None) if name == "_numpy" else value)
        if is_rough:  # with doubles that say next to nothing, the exact judgement of each class must say all
            patch.setattr(audit._FastSpread, "tolerance", lambda self, about: 1e6)
        fast = run()
    assert fast.ground is not None
    assert type(fast.ground.table) is audit._FastTable
    assert fast == plain


def test_long_histograms_agree() -> None:
    """Classes with more distinct values than are merged, and two that are equal."""
    values = [str(i * i % 211) for i in range(200)]
    table = {"q": ["a"] * 200 + ["b"] * 200 + ["c"] * 50, "s": [*values, *values, *values[:50]]}
    models = [*demands(0.25, 3, 2)[5:11], *demands(0.9, 2, 40)[13:18]]
    plain = measure(table, ["q"], ["s"], models=models)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit, "_FAST_FROM", 0)
        patch.setattr(audit, "_FEWEST_MERGED", 0)
        assert measure(table, ["q"], ["s"], models=models) == plain


def test_columns_too_wide_for_one_number_agree() -> None:
    """Eight columns of 300 values each have more combinations than a whole number of 62 bits can tell apart."""
    n = 600
    table: dict[str, list[Cell]] = {f"q{i}": [str(row * (2 * i + 1) % 300) for row in range(n)] for i in range(8)}
    models = [{"k_anonymity": {"k": 2}}, {"k_map": {"k": 2, "population": "given"}}]
    plain = measure(table, list(table), models=models, population=table)
    assert plain["k"] == 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit, "_FAST_FROM", 0)
        assert measure(table, list(table), models=models, population=table) == plain
