"""One search on one table: loss, seconds and peak memory, in a process of its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

import celosia as cl
from benchmarks.children import answer, run_child
from benchmarks.memory import peak_mb
from benchmarks.searches import Search
from benchmarks.tables import Sample, schema_of
from celosia.jobs import registry

__all__ = ["mean_history", "measured"]

_SEED = 1
_LIMIT = 3600.0
_SHORT = 1.0
_MOST_RUNS = 3


def measured(sample: Sample, search: Search, k: int) -> dict[str, Any]:
    """Return the figures of one search at one k; ``error`` instead of them where it failed."""
    job = {
        "parts": [str(part) for part in sample.parts],
        "numbers": sample.numbers,
        "categories": sample.categories,
        "algorithm": {search.name: search.options},
        "k": k,
    }
    named = {
        "table": sample.name,
        "n_rows": sample.n_rows,
        "k": k,
        "algorithm": search.name,
        "options": search.options,
        "title": search.title,
    }
    return named | run_child("measure", job, _LIMIT)


class _MemoryWatch:
    """Notes the peak memory when the search ends: the plan says so by starting the next stage."""

    def __init__(self) -> None:
        self.after_search = 0.0

    def stage(self, name: str) -> None:
        if name == "recode":
            self.after_search = peak_mb()

    def advance(self, share: float) -> None:
        """Show nothing."""

    def found(self, loss: float) -> None:
        """Show nothing."""


def _measure(job: dict[str, Any]) -> dict[str, Any]:
    schema = schema_of(job["numbers"], job["categories"])
    plan = cl.Plan(
        models=[cl.KAnonymity(job["k"])], algorithm=registry.build("algorithms", job["algorithm"]), seed=_SEED
    )
    runs = [_best_run(plan, Path(part), schema) for part in job["parts"]]
    means = {key: sum(run[key] for run in runs) / len(runs) for key in ("gcp", "search_seconds", "seconds")}
    return {
        **means,
        # Parts run one after the other, so that the first one's memory is that of one table.
        **{key: runs[0][key] for key in ("start_mb", "search_peak_mb", "peak_mb", "n_classes")},
        "smallest_class": min(run["smallest_class"] for run in runs),
        # A search that keeps no history has one point on its curve: its end.
        "history": mean_history([run["history"] for run in runs]) or [[means["search_seconds"], means["gcp"]]],
    }


def mean_history(histories: Sequence[list[list[float]]]) -> list[list[float]]:
    """Return the mean of falling step lines, from the moment when all have begun; nothing if one has no points."""
    if not all(histories):
        return []
    begun = max(history[0][0] for history in histories)
    times = sorted({seconds for history in histories for seconds, _ in history if seconds >= begun})
    return [[time, sum(_loss_at(history, time) for history in histories) / len(histories)] for time in times]


def _loss_at(history: list[list[float]], time: float) -> float:
    return history[bisect_right(history, time, key=lambda point: point[0]) - 1][1]


def _best_run(plan: cl.Plan, part: Path, schema: cl.Schema) -> dict[str, Any]:
    """Run once, and where that was short again: the shortest times count, all else is the first run's."""
    frame = pl.read_parquet(part)
    first = _run(plan, cl.Table(frame, schema))
    times = [first]
    while sum(run["seconds"] for run in times) < _SHORT and len(times) < _MOST_RUNS:
        times.append(_run(plan, cl.Table(frame, schema)))
    return first | {key: min(run[key] for run in times) for key in ("search_seconds", "seconds")}


def _run(plan: cl.Plan, table: cl.Table) -> dict[str, Any]:
    start, watch = peak_mb(), _MemoryWatch()
    release = plan.run(table, watch)
    peak = peak_mb()
    return {
        "gcp": release.loss.gcp,
        "search_seconds": release.search_seconds,
        "seconds": release.seconds,
        "start_mb": start,
        "search_peak_mb": watch.after_search,
        "peak_mb": peak,
        "n_classes": release.classes.n_classes,
        "smallest_class": release.k,
        "history": [[float(seconds), float(loss)] for seconds, loss in getattr(release, "history", ())],
    }


if __name__ == "__main__":
    answer(_measure)
