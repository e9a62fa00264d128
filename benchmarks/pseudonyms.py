"""Pseudonyms for many people: seconds of the mask, the first time and once more, when a vault knows everybody.

Each way runs in a process of its own. PostgreSQL is a server of its own in a temporary folder, as the tests start it.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import celosia as cl
from benchmarks.children import ROOT
from benchmarks.sheet import Row, Sheet

WAYS = {
    "random": "{}",
    "random, ten digits": '{"alphabet": "digits", "length": 10}',
    "keyed": '{"key": {"env": "CELOSIA_BENCHMARK_KEY"}}',
    "digits to digits, keyed": '{"key": {"env": "CELOSIA_BENCHMARK_KEY"}, "form": "digits"}',
    "vault, SQLite": "sqlite",
    "vault, PostgreSQL": "postgresql",
}
LIMITS = {"keyed": 3, "vault, SQLite": 20, "vault, PostgreSQL": 40}
SHEET = Sheet(
    "pseudonyms",
    "What pseudonyms cost",
    "`python -m benchmarks.pseudonyms --docs`: a column of different numbers of nine digits, as text, one for each "
    "person. Seconds of the mask alone, and of the same mask on the same column once more: a vault then knows "
    "everybody. *at most* is what is promised. PostgreSQL runs on the same machine.",
    ("codes", "people", "seconds", "once more", "at most"),
)


def people(n_rows: int) -> pl.DataFrame:
    """Return so many people in no order."""
    numbers = np.random.default_rng(11).permutation(n_rows).astype(np.int64) * 899 + 100_000_000
    return pl.DataFrame({"id": numbers}).cast(pl.String)


def measured(way: str, n_rows: int) -> list[float]:
    """Measure one way in this process."""
    table = cl.Table(people(n_rows), cl.Schema())
    with ExitStack() as stack:
        mask = cl.Pseudonymise("id", **_options(WAYS[way], stack))
        cl.mask(table.frame[:1000], cl.Pseudonymise("id"))  # what is loaded on first use is no cost of the mask
        seconds = []
        for _ in range(2):
            started = time.perf_counter()
            made = cl.mask(table, mask)
            seconds.append(time.perf_counter() - started)
            if made.rows["id"].n_unique() != n_rows:
                raise SystemExit("two people have one pseudonym")
    return seconds


def _options(spec: str, stack: ExitStack) -> dict[str, Any]:
    """Return the options of the mask; a vault is made first, in a place that goes in the end."""
    if spec.startswith("{"):
        options: dict[str, Any] = json.loads(spec)
        return options
    place: str | Path
    if spec == "sqlite":
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()), "people.vault")
    else:
        sys.path.insert(0, str(ROOT / "tests"))
        place = stack.enter_context(importlib.import_module("postgres_server").postgres_server())
    return {"vault": cl.Vault.create(place, {"env": "CELOSIA_BENCHMARK_KEY"})}


def _rows(n_rows: int, chosen: list[str]) -> Iterator[Row]:
    environment = {**os.environ, "CELOSIA_BENCHMARK_KEY": os.urandom(32).hex()}
    for way in chosen:
        command = [sys.executable, "-m", "benchmarks.pseudonyms", "--child", way, "--rows", str(n_rows)]
        ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            lines = ended.stderr.strip().splitlines()
            yield way, f"{n_rows:,}", f"not measured: {lines[-1] if lines else ended.returncode}", "", ""
            continue
        first, again = json.loads(ended.stdout)
        yield way, f"{n_rows:,}", f"{first:.2f}", f"{again:.2f}", str(LIMITS.get(way, ""))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pseudonyms", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--docs", action="store_true", help="write the documentation's page too")
    parser.add_argument("--child", choices=list(WAYS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        print(json.dumps(measured(options.child, options.rows)))
    else:
        SHEET.fill(_rows(options.rows, options.ways), docs=options.docs)


if __name__ == "__main__":
    main()
