"""Every mask on columns of every type: it works or refuses in its own words, and never with a cell in them."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from canaries import N_ROWS, name, note, people, ratio, salary
from leaks import leaks, said

import celosia as cl

ROWS = range(N_ROWS)
DECIMAL, LONG, HUGE = decimal.Decimal("12345678.25"), 10**30, 2**63
SECRETS = [name(3), note(3), salary(3), ratio(3), "12345681.25", LONG + 3, HUGE + 3]

TYPED = people().with_columns(
    pl.Series("flag", [row % 2 == 0 for row in ROWS]),
    pl.Series("empty", [None] * N_ROWS),
    pl.Series("when", [dt.datetime(2020, 1, 1, row) for row in ROWS]),
    pl.Series("clock", [dt.time(row) for row in ROWS]),
    pl.Series("span", [dt.timedelta(hours=row) for row in ROWS]),
    pl.Series("endless", [float("inf") if row == 0 else float(row) for row in ROWS]),
    pl.Series("exact", [DECIMAL + row for row in ROWS]),
    pl.Series("huge", [HUGE + row for row in ROWS], dtype=pl.UInt64),
    pl.Series("long", [str(LONG + row) for row in ROWS]),
    pl.Series("mixed", [note(row) if row == 3 else str(row) for row in ROWS]),
)
TEXT = TYPED.drop("span").with_columns(pl.all().cast(pl.String))


def _other(column: str) -> str:
    return "job" if column == "town" else "town"


MASKS: dict[str, Callable[[str], Any]] = {
    "drop": lambda c: cl.Drop(column=c),
    "blank": lambda c: cl.Blank(column=c),
    "blank values": lambda c: cl.Blank(column=c, values=[5, "x", 1.5], symbol="*"),
    "blank where number": lambda c: cl.Blank(column=c, where=f"`{c}` > 3"),
    "blank where text": lambda c: cl.Blank(column=c, where=f"`{c}` == 'x'"),
    "where year": lambda c: cl.DropRows(where=f"year(`{c}`) > 2000"),
    "where hour": lambda c: cl.DropRows(where=f"hour(`{c}`) > 3"),
    "where in": lambda c: cl.DropRows(where=f"`{c}` in [1, 2]"),
    "rows by values": lambda c: cl.DropRows(column=c, values=["x", 3]),
    "rows by iqr": lambda c: cl.DropRows(column=c, outliers="iqr"),
    "rows by mad": lambda c: cl.DropRows(column=c, outliers="mad"),
    "rows by class": lambda c: cl.DropRows(class_below=2, by=[c]),
    "sum": lambda c: cl.Derive(column="new", expression=f"`{c}` + 1"),
    "quotient": lambda c: cl.Derive(column="new", expression=f"1 / `{c}`"),
    "age": lambda c: cl.Derive(column="new", expression=f"age(`{c}`, on='2024-01-01')"),
    "duration": lambda c: cl.Derive(column="new", expression=f"duration(`{c}`, `{c}`)"),
    "upper": lambda c: cl.Derive(column="new", expression=f"upper(`{c}`)"),
    "date": lambda c: cl.Derive(column="new", expression=f"date(`{c}`)"),
    "coalesce": lambda c: cl.Derive(column="new", expression=f"coalesce(`{c}`, 1)"),
    "pseudonyms": lambda c: cl.Pseudonymise(column=c),
    "pseudonyms of digits": lambda c: cl.Pseudonymise(column=c, form="digits"),
    "characters": lambda c: cl.MaskCharacters(column=c, keep_first=1),
    "characters by pattern": lambda c: cl.MaskCharacters(column=c, pattern="(.).*", length=4),
    "intervals": lambda c: cl.Generalise(column=c, intervals=10),
    "ranges": lambda c: cl.Generalise(column=c, ranges=["<5", "5-9", ">9"]),
    "prefix": lambda c: cl.Generalise(column=c, prefix=2),
    "month": lambda c: cl.Generalise(column=c, dates="month"),
    "grid": lambda c: cl.Generalise(column=c, grid={"size": 7, "as": "centre"}),
    "mapping": lambda c: cl.Generalise(column=c, mapping={"a": "b"}),
    "tree": lambda c: cl.Generalise(column=c, tree=[["a", "b", "*"]]),
    "order": lambda c: cl.Generalise(column=c, order={"values": ["a", "b", "c"], "groups": [2]}),
    "top": lambda c: cl.TopCode(column=c, at=5.5),
    "top label": lambda c: cl.TopCode(column=c, share=0.2, label="top"),
    "bottom": lambda c: cl.BottomCode(column=c, share=0.2),
    "round": lambda c: cl.Round(column=c, to=10),
    "round at random": lambda c: cl.Round(column=c, to=0.25, random=True),
    "round finely": lambda c: cl.Round(column=c, to=1e-9),
    "noise": lambda c: cl.AddNoise(column=c),
    "factors": lambda c: cl.AddNoise(column=c, kind="multiplicative"),
    "noise from 0": lambda c: cl.AddNoise(column=c, sd=3, within=[0, None]),
    "groups": lambda c: cl.Microaggregate(column=c, k=3),
    "groups of numbers": lambda c: cl.Microaggregate(column=c, k=3, kinds={c: "number"}),
    "groups of categories": lambda c: cl.Microaggregate(
        columns=[c, _other(c)], k=3, kinds={c: "category"}, missing="blank"
    ),
    "groups in order": lambda c: cl.Microaggregate(column=c, k=3, orders={c: ["a", "b"]}),
    "pram": lambda c: cl.Pram(column=c, keep=0.5, invariant=False),
    "pram by matrix": lambda c: cl.Pram(column=c, matrix={"a": {"b": 1}, "b": {"a": 1}}),
    "rank swap": lambda c: cl.RankSwap(column=c, window=0.5),
    "swap": lambda c: cl.Swap(column=c, within=_other(c), no_fixed_points=True),
    "sample": lambda c: cl.Sample(fraction=0.5),
}


@pytest.mark.parametrize("kind", ["typed", "text"])
@pytest.mark.parametrize("mask", MASKS)
def test_a_mask_works_or_refuses_in_its_own_words(mask: str, kind: str) -> None:
    frame = TYPED if kind == "typed" else TEXT
    n_worked, told = 0, []
    for column in frame.columns:
        try:
            result = cl.mask(frame, MASKS[mask](column), seed=1)
        except cl.CelosiaError as error:
            told.append(said(error))
            continue
        n_worked += 1
        told += [str(result.findings), str(result.to_dict())]
    assert leaks("\n".join(told), SECRETS) == []
    assert n_worked or mask in ("mapping", "tree", "order", "groups in order", "pram by matrix")
