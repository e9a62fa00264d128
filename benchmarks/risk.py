"""Measures of risk: seconds and what they find, on a million rows with ten quasi-identifiers, and on Adult.

    python -m benchmarks.risk [--rows 1000000] [--docs]

Adult is measured where its file is on this machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl

import celosia as cl
from benchmarks.sheet import Row, Sheet
from benchmarks.tables import SHARED
from celosia.measure.traps import Published, trapped

_ADULT = SHARED / "adult" / "adult_uci_full15.data"
_SPREADS = (2, 2, 2, 3, 3, 4, 4, 5, 6, 8)
_MISSING = 0.02
_SHEET = Sheet(
    "risk",
    "What measuring risk costs",
    "`python -m benchmarks.risk --docs`: tables of ten quasi-identifiers, 2 to 8 values each, drawn at random, "
    f"{_MISSING:.0%} of the cells missing; and Adult with all its 15 columns, where the file is at hand. Seconds of "
    "the call alone, one run. *found* is a figure of the result, so that one sees what was measured; *at most* is what "
    "is promised (all measures but SUDA on a million rows together: 5 s).",
    ("table", "measure", "seconds", "found", "at most"),
)


def people(n_rows: int) -> cl.Table:
    """Return rows with ten quasi-identifiers and a sampling weight."""
    draw = np.random.default_rng(7)
    columns = {}
    for place, n_values in enumerate(_SPREADS):
        codes = (n_values * draw.random(n_rows) ** 2).astype(np.int64)
        values = pl.Series(codes).cast(pl.String)
        columns[f"q{place}"] = values.set(pl.Series(draw.random(n_rows) < _MISSING), None)
    columns["weight"] = pl.Series(1 + 99 * draw.random(n_rows))
    kinds = {name: "category" for name in columns if name != "weight"}
    return cl.Table(pl.DataFrame(columns), cl.Schema(quasi_identifiers=kinds, insensitive=["weight"]))


def adult() -> cl.Table:
    """Return Adult with every column as a quasi-identifier."""
    read = pl.read_csv(_ADULT, has_header=False, infer_schema=False).select(pl.all().str.strip_chars())
    frame = read.filter(pl.any_horizontal(pl.all().is_not_null()))
    return cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(frame.columns, "category")))


def _timed(table: str, measure: str, call: Callable[[], Any], found: Callable[[Any], object], limit: str = "") -> Row:
    started = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - started
    return table, measure, f"{seconds:.2f}", str(found(result)), limit


def _large(n_rows: int) -> Iterator[Row]:
    table = people(n_rows)
    name = f"{n_rows:,} rows x {len(_SPREADS)}"
    columns = list(table.schema.quasi_identifiers)
    table.quasi_identifiers  # noqa: B018 - reading the columns is no cost of the measures
    size, weights, risk = 40 * n_rows, "weight", cl.risk

    def uniques(found: Any) -> str:
        return "undefined" if found.uniques is None else f"{found.uniques:,.0f} population uniques"

    calls: list[tuple[str, Callable[[], Any], Callable[[Any], object]]] = [
        ("prosecutor", lambda: risk.prosecutor(table), lambda found: f"mean {found.mean:.4f}"),
        ("journalist", lambda: risk.journalist(table), lambda found: f"mean {found.mean:.4f}"),
        ("marketer", lambda: risk.marketer(table), lambda found: f"mean {found.mean:.4f}"),
        ("insiders", lambda: risk.insiders(table), lambda found: f"{found.n_rows_certain:,} rows known"),
        ("missing, both readings", lambda: risk.matches(table), lambda found: f"mean {found.wildcard.mean:.4f}"),
        ("sampling weights", lambda: risk.weighted(table, weights), lambda found: f"mean {found.mean:.6f}"),
        ("Zayatz", lambda: risk.zayatz(table, population_size=size), uniques),
        ("Pitman", lambda: risk.pitman(table, population_size=size), uniques),
        ("SNB", lambda: risk.snb(table, population_size=size), uniques),
        ("Dankar's rule", lambda: risk.dankar(table, population_size=size), uniques),
        ("distinction", lambda: risk.distinction(table, columns), lambda found: f"{found:.4f}"),
        ("separation", lambda: risk.separation(table, columns), lambda found: f"{found:.8f}"),
    ]
    rows = [_timed(name, *call) for call in calls]
    yield from rows
    yield name, "all of these", f"{sum(float(row[2]) for row in rows):.2f}", "", "5"
    yield _timed(
        name,
        "overview",
        lambda: risk.overview(table, population=size, weights=weights),
        lambda found: f"{found.n_classes:,} classes",
    )
    yield _timed(
        name, "traps", lambda: trapped(Published(table.frame, columns)), lambda found: f"{len(found)} findings"
    )


def _of_adult() -> Iterator[Row]:
    table = adult()
    name = f"Adult, {table.n_rows:,} rows x 15"
    columns = list(table.schema.quasi_identifiers)
    less = [column for column in columns if column != "column_3"]  # fnlwgt alone tells most rows apart
    yield _timed(
        name, "minimal keys", lambda: cl.risk.minimal_keys(table), lambda found: f"{len(found.keys)} keys", "10"
    )
    yield _timed(
        name,
        "minimal keys without fnlwgt",
        lambda: cl.risk.minimal_keys(table, less),
        lambda found: f"{len(found.keys)} keys",
        "10",
    )
    yield _timed(
        name, "gains of columns", lambda: cl.risk.gains(table), lambda found: f"{found.n_unique:,} unique rows"
    )
    yield _timed(
        name,
        "SUDA to depth 3",
        lambda: cl.risk.suda(table, max_size=3),
        lambda found: f"{int((found.scores > 0).sum()):,} rows scored",
        "60",
    )


def _rows(n_rows: int) -> Iterator[Row]:
    yield from _large(n_rows)
    if _ADULT.exists():
        yield from _of_adult()


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.risk", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--docs", action="store_true", help="write the documentation's page too")
    options = parser.parse_args()
    _SHEET.fill(_rows(options.rows), docs=options.docs)


if __name__ == "__main__":
    main()
