"""What models beyond k-anonymity cost: loss and time of every search under each, beside k-anonymity alone.

    python -m benchmarks.models [--table adult|generated-N] [--k 5] [--seconds 3] [--docs]

Adult is read from ``../shared/data`` where that is; another table of the same kind is made up otherwise.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

import polars as pl
from rich.console import Console

import celosia as cl
from benchmarks.children import SHARED
from benchmarks.machine import statement
from benchmarks.tables import generated
from celosia.algorithms.base import Algorithm
from celosia.models.base import Model

__all__ = ["Row", "measured", "subject_of"]

_ADULT = SHARED / "adult" / "adult_uci_full15.data"
_ADULT_COLUMNS = {
    "age": 0, "workclass": 1, "education-num": 4, "marital-status": 5, "occupation": 6, "race": 8, "sex": 9,
    "native-country": 13, "salary-class": 14,
}  # fmt: skip
_PAGE = Path(__file__).parents[1] / "docs" / "benchmarks_models.md"
_HEAD = ("secret", "models", "search", "GCP", "times plain", "search s", "run s", "classes")
Row = tuple[str, ...]


def subject_of(name: str) -> tuple[pl.DataFrame, tuple[str, str]]:
    """Return a table and two of its columns: a secret of two values, and one of many."""
    if name == "adult":
        with _ADULT.open(encoding="utf-8") as file:
            rows = [row for row in csv.reader(file, skipinitialspace=True) if row and "?" not in row]
        columns = {column: [row[place] for row in rows] for column, place in _ADULT_COLUMNS.items()}
        return pl.DataFrame(columns), ("salary-class", "occupation")
    return generated(int(name.removeprefix("generated-"))), ("c0", "c1")


def measured(
    frame: pl.DataFrame, secret: str, others: Sequence[str], models: Sequence[Model], algorithm: Algorithm
) -> tuple[float, float, float, int]:
    """Return GCP, seconds of the search and of the whole run, and the number of classes."""
    numbers = {"age", "education-num", "n0", "n1", "n2", "n3"}
    kinds = {column: "number" if column in numbers else "category" for column in others}
    table = cl.Table(frame.select([*others, secret]), cl.Schema(quasi_identifiers=kinds, sensitive=[secret]))
    release = cl.Plan(models=list(models), algorithm=algorithm, seed=1).run(table)
    return release.loss.gcp, release.search_seconds, release.seconds, release.classes.n_classes


def _rows(name: str, k: int, seconds: float) -> list[Row]:
    frame, (binary, many) = subject_of(name)
    others = [column for column in frame.columns if column != binary]
    searches: list[Algorithm] = [
        cl.Weave(effort="fast"), cl.Weave(time_limit=seconds), cl.KMembers(), cl.LGreedy(), cl.Mondrian(),
        cl.HilbertOrder(),
    ]  # fmt: skip
    found: list[Row] = []
    for secret, model in (
        (binary, cl.LDiversity(2, on=binary)),
        (many, cl.LDiversity(3, on=many, kind="entropy")),
        (many, cl.TCloseness(0.2, on=many)),
    ):
        columns = [column for column in others if column != secret]
        for algorithm in searches:
            plain = measured(frame, secret, columns, [cl.KAnonymity(k)], algorithm)
            gcp, search, run, n_classes = measured(frame, secret, columns, [cl.KAnonymity(k), model], algorithm)
            title = f"{type(algorithm).__name__}({', '.join(f'{o}={v}' for o, v in algorithm.to_dict().items())})"
            ratio = f"{gcp / plain[0]:.2f} ({plain[0]:.4f} in {plain[1]:.2f} s)"
            described = f"k = {k}, {model!r}".replace(", c=None", "").replace(", hierarchy=None", "")
            found.append((secret, described, title, f"{gcp:.4f}", ratio, f"{search:.2f}", f"{run:.2f}", str(n_classes)))
    return found


def _page(machine: str, rows: Sequence[Row]) -> str:
    lines = [" | ".join(row) for row in (_HEAD, ["---"] * len(_HEAD), *rows)]
    return (
        "# What other models cost\n\n"
        "Every search under k-anonymity alone and under one more model, on the same rows in the same run "
        "(`python -m benchmarks.models --docs`). *times plain*: how many times the loss of k-anonymity alone, which "
        "stands in brackets with its search time. One run each, one seed.\n\n"
        f"{machine}\n\n" + "\n".join(f"| {line} |" for line in lines) + "\n"
    )


def main() -> None:
    """Measure and print; write the documentation's page where asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models", description=__doc__)
    parser.add_argument("--table", default="adult" if _ADULT.exists() else "generated-30000")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="for the search that takes a time limit")
    parser.add_argument("--docs", action="store_true", help="write the documentation's page too")
    chosen = parser.parse_args()
    console = Console(highlight=False, soft_wrap=True)
    machine = "{processor}, {cores} cores, {memory_gb} GB; Celosía {celosia}; {date}".format(**statement())
    console.print(f"{chosen.table}; {machine}", style="bold")
    rows = _rows(chosen.table, chosen.k, chosen.seconds)
    for row in (_HEAD, *rows):
        console.print("  ".join(row), markup=False)
    if chosen.docs:
        _PAGE.write_text(_page(f"Table: {chosen.table}. {machine}.", rows), encoding="utf-8")
        console.print(f"{_PAGE.name} written")


if __name__ == "__main__":
    main()
