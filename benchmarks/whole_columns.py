"""Recodings of whole columns: loss, time and proof of every such search, with anjana on the same rows and hierarchies.

    python -m benchmarks.whole_columns [--k 5] [--seconds 60] [--rows] [--large] [--peers] [--docs]

With ``--rows`` also searches that recode row by row with the same hierarchies, over k: Weave among them.
Adult with its hierarchies is read from ``../shared/data`` where that is, and with ``--large`` two tables of 16 and 24
columns; a table of the same kind is made up otherwise.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

import celosia as cl
from benchmarks.children import SHARED, run_child
from benchmarks.peers import peer_python, without_own_packages
from benchmarks.sheet import Row, Sheet, title_of
from celosia.models.base import Model
from celosia.search.base import Algorithm

__all__ = ["measured", "subject_of"]

_ADULT = SHARED / "adult"
_LARGE = SHARED / "genetic_int"
_SHEET = Sheet(
    name="whole_columns",
    title="Recoding whole columns",
    about="Searches that recode whole columns, on the same rows with the same hierarchies in the same run "
    "(`python -m benchmarks.whole_columns --rows --large --peers --docs`). GCP is that of the published values, "
    "suppressed rows lost whole; *gap*: by which share of its loss a recoding may be above the best full-domain "
    "one. One run each, one seed; the time is that of the search.",
    header=("table", "search", "models", "may suppress", "GCP", "suppressed", "classes", "search s", "proof"),
)
Trees = dict[str, list[tuple[str, ...]]]


def subject_of(name: str) -> tuple[pl.DataFrame, Trees]:
    """Return a table and the tree of each of its columns, leaf first."""
    if name.startswith("generated-"):
        return _generated(int(name.removeprefix("generated-")))
    file = {"adult": _ADULT / "adult_arx.csv"}.get(name, _LARGE / f"{name}.csv")
    frame = pl.read_csv(file, separator=";", infer_schema=False)
    folder = file.parent / "hierarchies"
    return frame, {column: _tree(folder / f"{name}_hierarchy_{column}.csv") for column in frame.columns}


def _tree(path: Path) -> list[tuple[str, ...]]:
    with path.open(encoding="utf-8") as file:
        return [tuple(row) for row in csv.reader(file, delimiter=";") if row]


def _generated(n_rows: int) -> tuple[pl.DataFrame, Trees]:
    dice = np.random.default_rng(1)
    tree: list[tuple[str, ...]] = [(f"v{v}", f"a{v // 2}", f"b{v // 6}", "*") for v in range(18)]
    draws = {f"c{j}": np.minimum(dice.geometric(0.2 + 0.1 * j, n_rows) - 1, 17) for j in range(5)}
    return pl.DataFrame({name: [f"v{v}" for v in own] for name, own in draws.items()}), dict.fromkeys(draws, tree)


def measured(
    frame: pl.DataFrame, trees: Trees, secret: str | None, models: Sequence[Model], algorithm: Algorithm, share: float
) -> dict[str, Any]:
    """Return the figures of a search."""
    columns = {name: cl.Tree(rows) for name, rows in trees.items() if name != secret}
    schema = cl.Schema(quasi_identifiers=columns, sensitive=[] if secret is None else [secret])
    table = cl.Table(frame, schema)
    assert table.quasi_identifiers
    return cl.Plan(models=list(models), algorithm=algorithm, max_suppression=share, seed=1).run(table).summary


def _row(name: str, title: str, models: Sequence[Model], share: float, found: dict[str, Any]) -> Row:
    proof = found["search"]
    said = (
        "" if proof is None or proof["gap"] is None else "optimal" if proof["is_optimal"] else f"gap {proof['gap']:.0%}"
    )
    described = ", ".join(f"{type(model).__name__}{tuple(model.to_dict().values())}" for model in models)
    return (
        name, title, described, f"{share:.0%}", f"{found['gcp']:.4f}", str(found["n_suppressed"]),
        str(found["n_classes"]), f"{found['search_seconds']:.2f}", said,
    )  # fmt: skip


def _main_rows(name: str, k: int) -> Iterator[Row]:
    frame, trees = subject_of(name)
    secret = "occupation" if "occupation" in trees else next(iter(trees))
    searches: list[Algorithm] = [cl.Lattice(), cl.Lattice(local=True), cl.Datafly(), cl.TopDown(), cl.Genetic()]
    for share in (0.0, 0.05, 1.0):
        for algorithm in searches[:1] if share == 1.0 else searches:
            models: list[Model] = [cl.KAnonymity(k)]
            found = measured(frame, trees, None, models, algorithm, share)
            yield _row(name, title_of(algorithm), models, share, found)
    for model in (cl.LDiversity(2, on=secret, kind="entropy"), cl.TCloseness(0.2, on=secret)):
        for share in (0.0, 0.05):
            models = [cl.KAnonymity(k), model]
            yield _row(name, "Lattice()", models, share, measured(frame, trees, secret, models, cl.Lattice(), share))


def _row_by_row(name: str) -> Iterator[Row]:
    """Searches that recode row by row with the same trees, over k: nodes differ within a column."""
    frame, trees = subject_of(name)
    trees = {column: own for column, own in trees.items() if column != "salary-class"}
    searches = [cl.Lattice(local=True), cl.LGreedy(), cl.Weave(effort="fast"), cl.Weave(), cl.Weave(time_limit=5)]
    for k in (2, 5, 10, 25, 50, 100):
        for algorithm in searches:
            models = [cl.KAnonymity(k)]
            found = measured(frame.select(list(trees)), trees, None, models, algorithm, 0.0)
            yield _row(f"{name}, {len(trees)} columns", title_of(algorithm), models, 0.0, found)


def _large_rows(name: str, k: int, seconds: float) -> Iterator[Row]:
    frame, trees = subject_of(name)
    models = [cl.KAnonymity(k)]
    for share in (0.0, 0.05):
        for algorithm in (cl.Datafly(), cl.Lattice(time_limit=seconds), cl.Lattice(local=True)):
            found = measured(frame, trees, None, models, algorithm, share)
            yield _row(name, title_of(algorithm), models, share, found)


def _peer_rows(name: str, k: int) -> Iterator[Row]:
    """anjana's full-domain k-anonymity with the same trees; its published labels are read by them."""
    frame, trees = subject_of(name)
    levels = {}
    for column, paths in trees.items():
        path = {row[0]: row for row in paths}
        values = frame[column].unique().sort().to_list()
        levels[column] = [
            _as_read(values),
            *([path[value][level] for value in values] for level in range(1, len(paths[0]))),
        ]
    for share in (0, 5):
        with TemporaryDirectory() as folder:
            rows_file, published = Path(folder) / "rows.csv", Path(folder) / "published.csv"
            frame.with_row_index("row").write_csv(rows_file)
            job = {
                "peer": "anjana", "rows": str(rows_file), "published": str(published), "numbers": [],
                "categories": list(trees), "k": k, "suppression": share, "hierarchies": levels,
            }  # fmt: skip
            found = run_child("peer_process", job, 600, (str(peer_python("anjana")),), without_own_packages())
            if "error" in found:
                yield (name, "anjana", f"KAnonymity({k},)", f"{share} %", "-", "-", "-", "-", found["error"])
                continue
            rows = pl.read_csv(published, infer_schema=False)
            table = cl.Table(frame, cl.Schema(quasi_identifiers={c: cl.Tree(own) for c, own in trees.items()}))
            order = rows["row"].cast(pl.Int64).to_list()
            judged = cl.compare(table, rows.drop("row"), order=order, models=[cl.KAnonymity(k)])
            said = "" if judged.holds else "not k-anonymous, or not true"
            yield (
                name, "anjana", f"KAnonymity({k},)", f"{share} %", f"{judged.gcp:.4f}", str(judged.n_suppressed),
                str(judged.figures["n_classes"]), f"{found['seconds']:.2f}", said,
            )  # fmt: skip


def _as_read(values: Sequence[str]) -> list[Any]:
    """Return values as the peer's reader types them."""
    return [int(value) for value in values] if all(value.isdigit() for value in values) else list(values)


def main() -> None:
    """Measure and print; write the documentation's page where asked."""
    parser = _SHEET.options(__doc__, _ADULT, seconds=60.0)
    parser.add_argument("--rows", action="store_true", help="searches that recode row by row too, over k")
    parser.add_argument("--large", action="store_true", help="two tables of 16 and 24 columns too")
    parser.add_argument("--peers", action="store_true", help="anjana too, in an environment of its own")
    chosen = parser.parse_args()
    parts = [_main_rows(chosen.table, chosen.k)]
    if chosen.rows:
        parts.append(_row_by_row(chosen.table))
    if chosen.peers:
        parts.append(_peer_rows(chosen.table, chosen.k))
    if chosen.large and _LARGE.exists():
        parts += [_large_rows(name, chosen.k, chosen.seconds) for name in ("mach2019_int", "creditcard_int")]
    _SHEET.fill(chain.from_iterable(parts), docs=chosen.docs)


if __name__ == "__main__":
    main()
