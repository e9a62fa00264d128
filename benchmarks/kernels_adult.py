"""Time and information loss of the compiled kernels on Adult and on synthetic tables.

Run with ``python benchmarks/kernels_adult.py [--rows N]``. Adult is read from ``../shared/data/adult`` beside the
project when it is there. The loss is GCP, the mean over rows and columns of the published loss, as a fraction.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from celosia import kernels

Integers = npt.NDArray[np.int32]
ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "adult" / "adult_uci_full15.data"
ADULT_LINES = {"age": 0, "education-num": 4}
ADULT_BAGS = {"workclass": 1, "marital-status": 5, "occupation": 6, "race": 8, "sex": 9, "native-country": 13}


@dataclass(frozen=True)
class Sample:
    """Numbers scaled to 0..1 and category codes, rows sorted, with the kernels' columns built from them."""

    lines: list[npt.NDArray[np.float64]]
    bags: list[Integers]

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        return len((self.lines or self.bags)[0])

    def columns(self) -> kernels.Columns:
        """Scale every column's greatest loss to an equal share of 2^30."""
        share = 2**30 // (len(self.lines) + len(self.bags))
        columns = kernels.Columns(self.n_rows)
        for line in self.lines:
            columns.add_line(np.rint(line * share).astype(np.int32), share)
        for bag in self.bags:
            n_values = int(bag.max()) + 1
            unit = share // max(n_values - 1, 1)
            columns.add_bag(bag, n_values, unit, share)
        return columns

    def order(self) -> Integers:
        """l-greedy's order: rows sorted by the columns, least dispersed column first."""
        keys: list[npt.NDArray[Any]] = [*self.lines, *self.bags]
        dispersion = [float(line.var()) for line in self.lines]
        dispersion += [1.0 - float(((np.bincount(bag) / len(bag)) ** 2).sum()) for bag in self.bags]
        return np.lexsort([keys[c] for c in np.argsort(dispersion, kind="stable")[::-1]]).astype(np.int32)

    def gcp(self, labels: Integers) -> float:
        """Information loss in [0, 1]."""
        sizes = np.bincount(labels)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        by_label = np.argsort(labels, kind="stable")
        total = 0.0
        for line in self.lines:
            spread = np.maximum.reduceat(line[by_label], starts) - np.minimum.reduceat(line[by_label], starts)
            total += float((sizes * spread).sum())
        for bag in self.bags:
            n_values = int(bag.max()) + 1
            pairs = np.unique(labels.astype(np.int64) * n_values + bag)
            distinct = np.bincount(pairs // n_values, minlength=len(sizes))
            total += float((sizes * (distinct - 1)).sum()) / max(n_values - 1, 1)
        return total / (self.n_rows * (len(self.lines) + len(self.bags)))


def read_adult(path: Path) -> Sample:
    """Read Adult without the rows that have a missing value, sorted."""
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, skipinitialspace=True) if row and "?" not in row]
    lines = []
    for place in ADULT_LINES.values():
        numbers = np.array([float(row[place]) for row in rows])
        lines.append((numbers - numbers.min()) / (numbers.max() - numbers.min()))
    bags = [
        np.unique([row[place] for row in rows], return_inverse=True)[1].astype(np.int32)
        for place in ADULT_BAGS.values()
    ]
    return sort_rows(Sample(lines, bags))


def synthetic(n_rows: int, seed: int = 1) -> Sample:
    """Make four numbers and three categories around fifty centres."""
    random = np.random.default_rng(seed)
    shares = random.gamma(1, 1, 50)
    centre = random.choice(50, n_rows, p=shares / shares.sum())
    means, deviations = random.random((50, 4)), 0.02 + 0.1 * random.random((50, 4))
    numbers = np.clip(means[centre] + deviations[centre] * random.standard_normal((n_rows, 4)), -0.3, 1.3)
    numbers = (numbers - numbers.min(0)) / (numbers.max(0) - numbers.min(0))
    numbers[:, 0] = np.rint(numbers[:, 0] * 80) / 80
    numbers[:, 1] = np.rint(numbers[:, 1] * 1000) / 1000
    bags = []
    for n_values in (2, 12, 40):
        cumulated = random.dirichlet(np.full(n_values, 0.3), 50).cumsum(1)
        cumulated[:, -1] = 1.0
        codes = (random.random(n_rows)[:, None] > cumulated[centre]).sum(1)
        bags.append(np.unique(codes, return_inverse=True)[1].astype(np.int32))
    return sort_rows(Sample([np.ascontiguousarray(numbers[:, c]) for c in range(4)], bags))


def sort_rows(sample: Sample) -> Sample:
    """Sort the rows by all columns, as the library does before it calls a kernel."""
    keys: list[npt.NDArray[Any]] = [*sample.lines, *sample.bags]
    by_value = np.lexsort(keys[::-1])
    return Sample([line[by_value] for line in sample.lines], [bag[by_value] for bag in sample.bags])


def measure(name: str, sample: Sample, run: Callable[[], Integers]) -> None:
    """Print the best of three times, the loss and the least class."""
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        labels = run()
        seconds.append(time.perf_counter() - begin)
    least = int(np.bincount(labels).min())
    print(f"{name:<34} {min(seconds):8.3f} s   GCP {sample.gcp(labels):.5f}   least class {least}", flush=True)


def report(title: str, sample: Sample, k: int, greedy: bool) -> None:
    """Measure all kernels on one table with one thread and with all."""
    print(f"{title}: {sample.n_rows} rows, k = {k}")
    columns, order = sample.columns(), sample.order()
    weights = np.ones(len(columns))
    for threads in (1, 0):
        amount = "all threads" if threads == 0 else "one thread"
        runs: dict[str, Callable[[], Integers]] = {
            "mondrian strict": partial(kernels.mondrian, columns, k, True, None, threads=threads),
            "mondrian relaxed": partial(kernels.mondrian, columns, k, False, None, threads=threads),
        }
        if greedy:
            runs["l_greedy"] = partial(kernels.l_greedy, columns, k, order, None, threads=threads)
            runs["k_members"] = partial(kernels.k_members, columns, k, 0, None, weights, threads=threads)
        for name, run in runs.items():
            measure(f"{name}, {amount}", sample, run)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the synthetic table for all kernels")
    parser.add_argument("--k", type=int, default=10)
    arguments = parser.parse_args()
    if ADULT.exists():
        report("Adult", read_adult(ADULT), arguments.k, greedy=True)
    report("synthetic, 4 numbers + 3 categories", synthetic(arguments.rows), arguments.k, greedy=True)
    report("synthetic, 4 numbers + 3 categories", synthetic(1_000_000), arguments.k, greedy=False)


if __name__ == "__main__":
    main()
