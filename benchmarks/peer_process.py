"""What runs inside a peer's environment: read the rows, let the peer anonymise them, write what it published.

Only the call of the peer is timed. Rows keep a number, so that their loss can be measured against the originals.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.children import answer
from benchmarks.memory import peak_mb

__all__: list[str] = []


def _anonypy(rows: pd.DataFrame, job: dict[str, Any]) -> Callable[[], pd.DataFrame]:
    """Use its Mondrian. It publishes a line per class and value of the "sensitive" column: here, the row's number."""
    import anonypy

    for name in job["categories"]:
        rows[name] = rows[name].astype("category")
    columns = [*job["numbers"], *job["categories"]]
    return lambda: pd.DataFrame(anonypy.Preserver(rows, columns, "row").anonymize_k_anonymity(k=job["k"]))


def _anonypy_spelt(published: pd.DataFrame, job: dict[str, Any]) -> pd.DataFrame:
    """Take each cell out of its list and sort the values of a set: equal sets come in any order."""
    for name in job["numbers"]:
        published[name] = [_only(cell) for cell in published[name]]
    for name in job["categories"]:
        published[name] = [" / ".join(sorted(_only(cell).split(","))) for cell in published[name]]
    return published


def _only(cell: Any) -> str:
    return str(cell[0] if isinstance(cell, list) else cell)


def _anjana(rows: pd.DataFrame, job: dict[str, Any]) -> Callable[[], pd.DataFrame]:
    """Use its k-anonymity by full-domain generalisation, with the hierarchies and the suppression of the job."""
    from anjana.anonymity import k_anonymity

    columns = [*job["numbers"], *job["categories"]]
    levels = {
        name: {level: np.array(texts) for level, texts in enumerate(job["hierarchies"][name])} for name in columns
    }
    return lambda: k_anonymity(rows, [], columns, job["k"], job["suppression"], levels)


def _run(job: dict[str, Any]) -> dict[str, Any]:
    rows = pd.read_csv(job["rows"], float_precision="round_trip")
    work = {"anonypy": _anonypy, "anjana": _anjana}[job["peer"]](rows, job)
    started = time.perf_counter()
    published = work()
    seconds = time.perf_counter() - started
    peak = peak_mb()
    if job["peer"] == "anonypy":
        published = _anonypy_spelt(published, job)
    if published.empty:
        raise RuntimeError("it published nothing")
    published[["row", *job["numbers"], *job["categories"]]].to_csv(job["published"], index=False)
    versions = {name: version(name) for name in (job["peer"], "numpy", "pandas")}
    return {"seconds": seconds, "peak_mb": peak, "versions": versions}


if __name__ == "__main__":
    answer(_run)
