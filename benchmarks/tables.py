"""The tables that are measured: students, Adult, and generated ones of any length."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import celosia as cl
from benchmarks.children import BUILD, SHARED, answer, run_child
from celosia.data.students import STUDENTS, make_students

__all__ = ["DEFAULT_TABLES", "Sample", "sample_of", "schema_of"]

DEFAULT_TABLES = ("students", "adult", "generated-100000", "generated-1000000", "generated-10000000")

_ADULT = SHARED / "adult" / "adult_uci_full15.data"
_ADULT_NUMBERS = {"age": 0, "education-num": 4}
_ADULT_CATEGORIES = {"workclass": 1, "marital-status": 5, "occupation": 6, "race": 8, "sex": 9, "native-country": 13}
_N_STUDENT_TABLES = 5
_N_CENTRES = 50
_MAKING_LIMIT = 1800.0


@dataclass(frozen=True)
class Sample:
    """A table on disk. Several parts are alike tables whose figures are averaged.

    Attributes
    ----------
    ks
        The values of k that a full run takes.
    time_limits
        Seconds that searches which can be stopped at any time are given.
    trees
        Folder and prefix of hierarchy files for the categories, for peers that need them.
    """

    name: str
    title: str
    parts: tuple[Path, ...]
    n_rows: int
    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    ks: tuple[int, ...]
    time_limits: tuple[float, ...]
    trees: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what the results say about the table."""
        return {
            "title": self.title,
            "n_rows": self.n_rows,
            "n_parts": len(self.parts),
            "numbers": list(self.numbers),
            "categories": list(self.categories),
        }


def schema_of(numbers: Sequence[str], categories: Sequence[str]) -> cl.Schema:
    """Return the roles: every column is a quasi-identifier, categories without a hierarchy."""
    return cl.Schema(quasi_identifiers=dict.fromkeys(numbers, "number") | dict.fromkeys(categories, "category"))


def sample_of(name: str) -> Sample | None:
    """Make a table (or take the one made before); ``None`` where its data are not on this machine."""
    if name == "students":
        return _students()
    if name == "adult":
        return _adult() if _ADULT.exists() else None
    return _generated(int(name.removeprefix("generated-")))


def _students() -> Sample:
    given = [SHARED / "students" / f"stud_int_{part}.csv" for part in range(_N_STUDENT_TABLES)]
    if all(path.exists() for path in given):
        frames, origin = [pl.read_csv(path) for path in given], "given"
    else:
        frames, origin = [make_students(seed=part).drop("dni") for part in range(_N_STUDENT_TABLES)], "made"
    kinds = {name: hierarchy.name for name, hierarchy in STUDENTS.quasi_identifiers.items()}
    return Sample(
        name="students",
        title=f"Students, integer marks (mean of {_N_STUDENT_TABLES} tables, {origin})",
        parts=tuple(_kept(frame, f"students-{origin}-{part}") for part, frame in enumerate(frames)),
        n_rows=frames[0].height,
        numbers=tuple(name for name, kind in kinds.items() if kind == "number"),
        categories=tuple(name for name, kind in kinds.items() if kind == "category"),
        ks=(2, 5, 10, 25, 40),
        time_limits=(1,),
    )


def _adult() -> Sample:
    with _ADULT.open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, skipinitialspace=True) if row and "?" not in row]
    numbers: dict[str, list[Any]] = {name: [int(row[place]) for row in rows] for name, place in _ADULT_NUMBERS.items()}
    categories: dict[str, list[Any]] = {name: [row[place] for row in rows] for name, place in _ADULT_CATEGORIES.items()}
    return Sample(
        name="adult",
        title="Adult (complete rows)",
        parts=(_kept(pl.DataFrame(numbers | categories), "adult"),),
        n_rows=len(rows),
        numbers=tuple(numbers),
        categories=tuple(categories),
        ks=(2, 5, 10, 25, 50, 100),
        time_limits=(5, 60),
        trees=str(_ADULT.parent / "hierarchies" / "adult_hierarchy_"),
    )


def _generated(n_rows: int) -> Sample:
    path = _place(f"generated-{n_rows}")
    if not path.exists():
        # In a process of its own: the memory that making a table takes would stay with this one.
        failed = run_child("tables", {"n_rows": n_rows}, _MAKING_LIMIT)
        if "error" in failed:
            raise RuntimeError(f"generated-{n_rows} could not be made: {failed['error']}")
    return Sample(
        name=f"generated-{n_rows}",
        title=f"Generated, {n_rows:,} rows around {_N_CENTRES} centres",
        parts=(path,),
        n_rows=n_rows,
        numbers=("n0", "n1", "n2", "n3"),
        categories=("c0", "c1", "c2"),
        ks=(2, 10, 50) if n_rows <= 100_000 else (10, 50) if n_rows <= 1_000_000 else (10,),
        time_limits=(1,) if n_rows <= 10_000 else (10,) if n_rows <= 100_000 else (60,),
    )


def generated(n_rows: int, seed: int = 1) -> pl.DataFrame:
    """Make four numbers (two of them rounded) and three categories (2, 12, 40 values) around fifty centres."""
    random = np.random.default_rng(seed)
    shares = random.gamma(1, 1, _N_CENTRES)
    centre = random.choice(_N_CENTRES, n_rows, p=shares / shares.sum())
    means, deviations = random.random((_N_CENTRES, 4)), 0.02 + 0.1 * random.random((_N_CENTRES, 4))
    numbers = random.standard_normal((n_rows, 4))
    for column in range(4):
        numbers[:, column] = means[centre, column] + deviations[centre, column] * numbers[:, column]
    np.clip(numbers, -0.3, 1.3, out=numbers)
    numbers = (numbers - numbers.min(0)) / (numbers.max(0) - numbers.min(0))
    numbers[:, 0] = np.rint(numbers[:, 0] * 80) / 80
    numbers[:, 1] = np.rint(numbers[:, 1] * 1000) / 1000
    columns = [pl.Series(f"n{column}", np.ascontiguousarray(numbers[:, column])) for column in range(4)]
    for column, n_values in enumerate((2, 12, 40)):
        cumulated = random.dirichlet(np.full(n_values, 0.3), _N_CENTRES).cumsum(1)
        cumulated[:, -1] = 1.0
        codes = _drawn(centre, cumulated, random.random(n_rows))
        columns.append(pl.Series(f"c{column}", [f"v{code:02}" for code in range(n_values)]).gather(codes))
    return pl.DataFrame(columns)


def _drawn(centre: NDArray[np.int64], cumulated: NDArray[np.float64], draws: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the category of each draw by its centre's cumulated shares."""
    codes = np.empty(len(draws), dtype=np.intp)
    for own, limits in enumerate(cumulated):
        rows = np.flatnonzero(centre == own)
        codes[rows] = np.searchsorted(limits, draws[rows])
    return codes


def _place(name: str) -> Path:
    return BUILD / "bench" / "tables" / f"{name}.parquet"


def _kept(frame: pl.DataFrame, name: str) -> Path:
    path = _place(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    frame.write_parquet(unfinished)
    unfinished.replace(path)
    return path


def _make(job: dict[str, Any]) -> dict[str, Any]:
    _kept(generated(job["n_rows"]), f"generated-{job['n_rows']}")
    return {}


if __name__ == "__main__":
    answer(_make)
