"""Peers from the Python Package Index on the same rows, their output measured with our loss.

Each lives in an environment of its own under ``build/peers``. What a peer publishes is read in two ways:

``gcp``               classes are rows with equal published values; a class loses what its tight box loses, as ours do
``gcp_as_published``  what the published cells say: a range as wide as it is written, a set with all its values

A row that a peer deletes is lost whole in both. ``celosia.jobs.compare`` judges k and whether every original value
lies in its published value.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

import celosia as cl
from benchmarks.children import BUILD, run_child
from benchmarks.tables import Sample, schema_of
from celosia.jobs.compare import compare

__all__ = [
    "PEERS",
    "Setting",
    "judged",
    "peer_ks",
    "peer_measured",
    "peer_python",
    "settings_for",
    "without_own_packages",
]

PEERS = {"anonypy": ("anonypy==0.2.1", "pandas"), "anjana": ("anjana==1.2.3",)}
"""What each environment holds. anonypy needs pandas without saying so."""

_MOST_ROWS = 100_000
_MOST_ROWS_SWEPT = 50_000
_INTERVALS = (16, 8, 4, 2)
_SUPPRESSIONS = (0, 5)


@dataclass(frozen=True)
class Setting:
    """A peer with the options it is given."""

    peer: str
    title: str
    options: dict[str, Any] = field(default_factory=dict)


def settings_for(sample: Sample, peers: Sequence[str]) -> list[Setting]:
    """Return what runs on a table: anonypy as it is; anjana with and without suppression and real trees."""
    if sample.n_rows > _MOST_ROWS:
        return []
    found = [Setting("anonypy", "anonypy, Mondrian")] if "anonypy" in peers else []
    if "anjana" in peers:
        has_trees = sample.trees is not None and Path(sample.trees).parent.exists()
        for kind in ("flat", "trees") if has_trees else ("flat",):
            found += [
                Setting("anjana", f"anjana, {kind}, {share} % suppression", {"kind": kind, "suppression": share})
                for share in _SUPPRESSIONS
            ]
    return found


def peer_ks(sample: Sample, ks: Sequence[int]) -> Sequence[int]:
    """Return the values of k that peers are given: on a large table, where a call takes minutes, the middle one."""
    return ks if sample.n_rows <= _MOST_ROWS_SWEPT else [sorted(ks)[len(ks) // 2]]


def peer_measured(sample: Sample, setting: Setting, k: int, limit: float) -> dict[str, Any]:
    """Return the figures of a peer on a table, each part within the limit; ``error`` where it failed."""
    named = {
        "table": sample.name,
        "n_rows": sample.n_rows,
        "k": k,
        "peer": setting.peer,
        "title": setting.title,
        "options": setting.options,
    }
    try:
        python = peer_python(setting.peer)
    except subprocess.CalledProcessError:
        return named | {"error": "could not be installed"}
    parts = []
    for part in sample.parts:
        parts.append(_part_measured(sample, pl.read_parquet(part), setting, k, limit, python))
        if "error" in parts[-1]:
            return named | parts[-1]
    averaged = ("gcp", "gcp_as_published", "seconds", "n_suppressed")
    means = {key: _mean([part[key] for part in parts]) for key in averaged}
    lowest = {key: min(part[key] for part in parts) for key in ("smallest_class", "k_anonymous")}
    return named | parts[0] | means | lowest | {"truthful": all(part["truthful"] for part in parts)}


def _mean(values: Sequence[float | None]) -> float | None:
    """Return the mean; one value that is not known leaves it unknown."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _part_measured(
    sample: Sample, frame: pl.DataFrame, setting: Setting, k: int, limit: float, python: Path
) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        rows, published = Path(folder) / "rows.csv", Path(folder) / "published.csv"
        frame.with_row_index("row").write_csv(rows)
        job = {
            "peer": setting.peer,
            "rows": str(rows),
            "published": str(published),
            "numbers": sample.numbers,
            "categories": sample.categories,
            "k": k,
        }
        if setting.peer == "anjana":
            trees = sample.trees if setting.options["kind"] == "trees" else None
            levels = _hierarchies(frame, sample.numbers, sample.categories, trees)
            job |= {"suppression": setting.options["suppression"], "hierarchies": levels}
        found = run_child("peer_process", job, limit, (str(python),), without_own_packages())
        if "error" in found:
            return found
        table = cl.Table(frame, schema_of(sample.numbers, sample.categories))
        return found | judged(table, pl.read_csv(published, infer_schema=False), k)


def judged(table: cl.Table, published: pl.DataFrame, k: int) -> dict[str, Any]:
    """Return loss (both readings), k and truth of published rows; ``row`` is the original row of each."""
    columns = published.drop("row")
    order = published["row"].cast(pl.Int64).to_numpy()
    labels = np.full(table.n_rows, -1, dtype=np.int64)
    labels[order] = columns.select(pl.struct(pl.all()).rank("dense")).to_series().to_numpy()
    found = compare(table, columns, order=order.tolist(), models=[cl.KAnonymity(k)])
    return {
        "gcp": cl.utility.gcp(table, labels),
        "gcp_as_published": found.gcp,
        "n_classes": found.figures["n_classes"],
        "smallest_class": found.figures["k"],
        "k_anonymous": found.models[0]["holds"],
        "truthful": found.truthful,
        "n_suppressed": found.n_suppressed,
    }


def peer_python(peer: str) -> Path:
    """Return the Python of a peer's environment, made at the first call."""
    folder = BUILD / "peers" / peer
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS[peer]]
        subprocess.run(install, check=True, capture_output=True, env=without_own_packages())
        ready.touch()
    return python


def without_own_packages() -> dict[str, str]:
    """Return the environment without the paths of this one's packages."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def _hierarchies(
    frame: pl.DataFrame, numbers: Sequence[str], categories: Sequence[str], trees: str | None
) -> dict[str, list[list[Any]]]:
    """Return the levels of every column, each as long as its list of values.

    Numbers: 16, 8, 4, 2 intervals of equal width, then ``*``. Categories: ``*`` at once, or the levels of a tree; its
    nodes are spelt as the set of the values that the data have under them, so that our measure can read them.
    """
    levels = {name: list(_intervals(frame[name].unique().sort())) for name in numbers}
    for name in categories:
        values = frame[name].unique().sort().to_list()
        middle = _nodes(values, Path(f"{trees}{name}.csv")) if trees else []
        levels[name] = [values, *middle, ["*"] * len(values)]
    return levels


def _intervals(values: pl.Series) -> Iterator[list[Any]]:
    yield values.to_list()
    for n_intervals in _INTERVALS:
        edges = np.linspace(float(values[0]), float(values[-1]), n_intervals + 1)
        place = np.clip(np.searchsorted(edges, values.to_numpy(), side="right") - 1, 0, n_intervals - 1)
        ends = [")"] * (n_intervals - 1) + ["]"]
        yield [f"[{edges[at]}, {edges[at + 1]}{ends[at]}" for at in place]
    yield ["*"] * len(values)


def _nodes(values: Sequence[str], tree: Path) -> list[list[str]]:
    """Return the levels of a tree between its leaves and its root."""
    with tree.open(encoding="utf-8") as file:
        paths = {row[0]: row[1:-1] for row in csv.reader(file, delimiter=";") if row}
    n_levels = len(paths[values[0]])
    under: list[dict[str, list[str]]] = [{} for _ in range(n_levels)]
    for value in values:
        for level, node in enumerate(paths[value]):
            under[level].setdefault(node, []).append(value)
    return [[" / ".join(under[level][paths[value][level]]) for value in values] for level in range(n_levels)]
