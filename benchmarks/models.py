"""What models beyond k-anonymity cost: loss and time of every search under each, beside k-anonymity alone.

    python -m benchmarks.models [--table adult|generated-N] [--k 5] [--seconds 3] [--docs]

Adult is read from ``../shared/data`` where that is; another table of the same kind is made up otherwise.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

import celosia as cl
from benchmarks.children import SHARED
from benchmarks.sheet import Row, Sheet, title_of
from benchmarks.tables import generated
from celosia.models.base import Model
from celosia.search.base import Algorithm

__all__ = ["measured", "subject_of"]

_ADULT = SHARED / "adult" / "adult_uci_full15.data"
_ADULT_COLUMNS = {
    "age": 0, "workclass": 1, "education-num": 4, "marital-status": 5, "occupation": 6, "race": 8, "sex": 9,
    "native-country": 13, "salary-class": 14,
}  # fmt: skip
_SHEET = Sheet(
    name="models",
    title="What other models cost",
    about="Every search under k-anonymity alone and under one more model, on the same rows in the same run "
    "(`python -m benchmarks.models --docs`). *times plain*: how many times the loss of k-anonymity alone, which "
    "stands in brackets with its search time. One run each, one seed.",
    header=("secret", "models", "search", "GCP", "times plain", "search s", "run s", "classes"),
)


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


def _rows(name: str, k: int, seconds: float) -> Iterator[Row]:
    frame, (binary, many) = subject_of(name)
    others = [column for column in frame.columns if column != binary]
    searches: list[Algorithm] = [
        cl.Weave(effort="fast"), cl.Weave(time_limit=seconds), cl.KMembers(), cl.LGreedy(), cl.Mondrian(),
        cl.HilbertOrder(),
    ]  # fmt: skip
    for secret, model in (
        (binary, cl.LDiversity(2, on=binary)),
        (many, cl.LDiversity(3, on=many, kind="entropy")),
        (many, cl.TCloseness(0.2, on=many)),
    ):
        columns = [column for column in others if column != secret]
        for algorithm in searches:
            plain = measured(frame, secret, columns, [cl.KAnonymity(k)], algorithm)
            gcp, search, run, n_classes = measured(frame, secret, columns, [cl.KAnonymity(k), model], algorithm)
            ratio = f"{gcp / plain[0]:.2f} ({plain[0]:.4f} in {plain[1]:.2f} s)"
            described = f"k = {k}, {model!r}".replace(", c=None", "").replace(", hierarchy=None", "")
            yield (
                secret, described, title_of(algorithm), f"{gcp:.4f}", ratio, f"{search:.2f}", f"{run:.2f}",
                str(n_classes),
            )  # fmt: skip


def main() -> None:
    """Measure and print; write the documentation's page where asked."""
    chosen = _SHEET.options(__doc__, _ADULT, seconds=3.0).parse_args()
    sheet = replace(_SHEET, about=f"{_SHEET.about} Table: {chosen.table}.")
    sheet.fill(_rows(chosen.table, chosen.k, chosen.seconds), docs=chosen.docs)


if __name__ == "__main__":
    main()
