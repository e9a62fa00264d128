"""How near releases are to the best possible: the lower bound beside Weave, and the search that proves the best.

    python -m benchmarks.bounds [--seconds 60] [--weave 1] [--docs]

Students, Adult where its file is on this machine, and random tables of 24 and 40 rows.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import chain

import numpy as np
import polars as pl

import celosia as cl
from benchmarks.children import SHARED
from benchmarks.sheet import Row, Sheet
from benchmarks.tables import sample_of, schema_of
from celosia.data.students import STUDENTS, make_students
from celosia.measure.overall import Nearness

__all__ = ["bound_rows", "exact_rows", "random_table"]

_SHEET = Sheet(
    name="bounds",
    title="How near to the best possible",
    about="The loss of `Weave` beside a lower bound that no k-anonymous release undercuts, on the same rows "
    "(`python -m benchmarks.bounds --docs`). *At most above*: (GCP - bound) / bound. Where the kind is *estimate* the "
    "bound comes from a random sample of rows, with its 95 % interval; all others hold for certain. Below, `Exact` on "
    "random tables: the worst and the median time of ten tables each, with the number of them that were proved.",
    header=("table", "k", "search", "search s", "GCP", "bound", "kind", "bound s", "at most above"),
)
_N_TABLES = 10


def random_table(n_rows: int, n_columns: int, kind: str, seed: int) -> cl.Table:
    """Return a table of noise, the hardest case: numbers, categories of four values, or both by turns."""
    dice = np.random.default_rng(seed)
    numbers = [f"c{j}" for j in range(n_columns) if kind == "numbers" or (kind == "both" and j % 2 == 0)]
    categories = [f"c{j}" for j in range(n_columns) if f"c{j}" not in numbers]
    data = {name: dice.random(n_rows) for name in numbers} | {
        name: [f"v{value}" for value in dice.integers(0, 4, n_rows)] for name in categories
    }
    return cl.Table(pl.DataFrame(data), schema_of(numbers, categories))


def bound_rows(name: str, table: cl.Table, k: int, weave_seconds: float, bound_seconds: float) -> Iterator[Row]:
    """Measure Weave, then look for a bound."""
    search = cl.Weave(time_limit=weave_seconds)
    release = cl.Plan(models=[cl.KAnonymity(k)], algorithm=search, seed=1, bound=bound_seconds).run(table)
    near = release.nearness
    found = (
        name, str(k), f"Weave, {weave_seconds:g} s", f"{release.search_seconds:.2f}", f"{release.loss.gcp:.5f}",
    )  # fmt: skip
    yield (*found, *_bound_cells(near))


def _bound_cells(near: Nearness | None) -> Row:
    if near is None:
        return "-", "none known", "-", "-"
    bound = near.bound
    value = f"{bound.value:.5f}"
    if bound.interval is not None:
        value += f" ({bound.interval[0]:.5f} to {bound.interval[1]:.5f})"
    kind = f"{bound.kind}, {bound.n_sampled} rows" if bound.kind == "estimate" else bound.kind
    above = "0 (it is the best)" if near.is_best else "-" if near.above is None else f"{near.above:.1%}"
    return value, kind, f"{bound.seconds:.1f}", above


def exact_rows(n_rows: int, k: int, n_columns: int, kind: str) -> Iterator[Row]:
    """Measure the exact search on several random tables."""
    seconds, losses, n_proved = [], [], 0
    for seed in range(_N_TABLES):
        table = random_table(n_rows, n_columns, kind, seed)
        started = time.perf_counter()
        release = cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Exact(time_limit=60), seed=1).run(table)
        seconds.append(time.perf_counter() - started)
        losses.append(release.loss.gcp)
        n_proved += release.proof is not None and release.proof.is_optimal
    took = f"{max(seconds):.2f} (median {np.median(seconds):.2f})"
    name = f"random, {n_rows} rows, {n_columns} columns ({kind})"
    yield (
        name, str(k), "Exact", took, f"{np.mean(losses):.5f} (mean)", "the same",
        f"{n_proved} of {_N_TABLES} proved", "-", "-",
    )  # fmt: skip


def _parts(weave_seconds: float, bound_seconds: float) -> Iterator[Iterator[Row]]:
    students = cl.Table(make_students(), STUDENTS)
    for k in (2, 5, 10):
        yield bound_rows("students", students, k, weave_seconds, bound_seconds)
    adult = sample_of("adult")
    if adult is not None:
        table = cl.Table(pl.read_parquet(adult.parts[0]), schema_of(adult.numbers, adult.categories))
        for k in (2, 10):
            yield bound_rows("adult", table, k, 6 * weave_seconds, bound_seconds)
    for n_rows in (24, 40):
        for kind in ("numbers", "categories", "both"):
            for n_columns in (2, 4, 8):
                yield exact_rows(n_rows, 3, n_columns, kind)


def main() -> None:
    """Measure and print; write the documentation's page where asked."""
    parser = _SHEET.options(__doc__, SHARED / "adult", seconds=60.0)
    parser.add_argument("--weave", type=float, default=1.0, help="seconds for Weave; Adult has six times as many")
    chosen = parser.parse_args()
    _SHEET.fill(chain.from_iterable(_parts(chosen.weave, chosen.seconds)), docs=chosen.docs)


if __name__ == "__main__":
    main()
