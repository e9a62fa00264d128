"""Every mask on a long table: seconds and memory beyond reading and writing, as text and typed.

Each mask runs in a process of its own. Memory is the greatest resident size while the mask works, less that before it,
in sizes of the columns it works on, before or after it, whichever are larger: ten digits as text take twice an integer.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import celosia as cl
from benchmarks.children import ROOT
from benchmarks.sheet import Row, Sheet
from celosia.jobs.plan_file import mask_of

MASKS = {
    "drop": "{drop: {column: id}}",
    "blank": "{blank: {column: town, where: 'age > 70'}}",
    "derive, duration": "{derive: {column: stay, expression: 'duration(entry, exit)'}}",
    "drop_rows, outliers": "{drop_rows: {column: pay, outliers: iqr}}",
    "drop_rows, class_below": "{drop_rows: {class_below: 5, by: [age, town]}}",
    "mask_characters": "{mask_characters: {column: id, keep_first: 2, symbol: X}}",
    "generalise, ranges": "{generalise: {column: age, ranges: ['<30', '30-49', '50-64', '>64']}}",
    "generalise, intervals": "{generalise: {column: pay, intervals: {width: 500}}}",
    "top_code": "{top_code: {column: pay, share: 0.05}}",
    "round": "{round: {column: pay, to: 100}}",
    "round, random": "{round: {column: pay, to: 100, random: true}}",
    "swap": "{swap: {column: town}}",
    "swap within": "{swap: {column: pay, within: town}}",
    "rank_swap": "{rank_swap: {column: pay, window: 0.05}}",
    "add_noise": "{add_noise: {column: pay, share: 0.1}}",
    "add_noise, correlated": "{add_noise: {columns: [pay, hours], share: 0.1, correlated: true}}",
    "pram": "{pram: {column: town, keep: 0.8}}",
    "sample": "{sample: {fraction: 0.1}}",
    "microaggregate, 3 columns": "{microaggregate: {columns: [age, pay, hours], k: 5}}",
}
SHEET = Sheet(
    "masks",
    "What masks cost",
    "`python -m benchmarks.masks --docs` on a generated table. Seconds of the mask "
    "alone; memory is its peak beyond the table, in sizes "
    "of the columns that it works on, before or after, whichever are larger, once with all columns as "
    "text (as CSV comes in) and once typed.",
    ("mask", "rows", "text: seconds", "text: memory", "typed: seconds", "typed: memory"),
)


def people(n_rows: int, *, typed: bool) -> pl.DataFrame:
    """Return a table of people with identifiers of their own."""
    draw = np.random.default_rng(11)
    entry = draw.integers(6 * 60, 20 * 60, n_rows)
    leave = entry + draw.integers(1, 180, n_rows)
    frame = pl.DataFrame(
        {
            "id": draw.permutation(n_rows) + 1_000_000_000,
            "age": draw.integers(18, 95, n_rows),
            "town": draw.choice(np.array([f"town {place}" for place in range(50)]), n_rows),
            "pay": np.round(draw.lognormal(7.5, 0.4, n_rows), 2),
            "hours": np.round(draw.normal(36, 6, n_rows), 1),
            "entry": [f"{minute // 60:02}:{minute % 60:02}" for minute in entry],
            "exit": [f"{minute // 60:02}:{minute % 60:02}" for minute in leave],
        }
    )
    return frame if typed else frame.cast(pl.String)


def measured(spec: str, n_rows: int, *, typed: bool) -> dict[str, float]:
    """Measure one mask in this process."""
    mask = mask_of(spec)
    table = cl.Table(people(n_rows, typed=typed), cl.Schema())
    cl.mask(people(10_000, typed=typed), mask)  # what is loaded on first use is no cost of the mask
    columns = table.frame.columns  # whoever drops rows copies all the others
    if mask.name not in ("drop_rows", "sample"):
        columns = [name for name in mask.uses if name in table.frame.columns]
    before = _resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    started = time.perf_counter()
    masked = cl.mask(table, mask)
    seconds, peak = time.perf_counter() - started, _resident("VmHWM")
    after = masked.rows
    sizes = (sum(_size(frame[name]) for name in columns if name in frame.columns) for frame in (table.frame, after))
    return {"seconds": seconds, "memory": (peak - before) / max(sizes)}


def _size(column: pl.Series) -> int:
    """Return the bytes of a column: 16 for a text, which holds up to 12 of its own, and the longer ones beside."""
    if column.dtype != pl.String:
        return column.estimated_size()
    lengths = column.str.len_bytes()
    return 16 * len(column) + int(lengths.filter(lengths > 12).sum())


def _resident(line: str) -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{line}:")[2].split()[0]) * 1024


def _rows(n_rows: int, chosen: list[str]) -> Iterator[Row]:
    for name in chosen:
        cells = [name, f"{n_rows:,}"]
        for typed in ("no", "yes"):
            command = [
                sys.executable,
                "-m",
                "benchmarks.masks",
                "--child",
                name,
                "--rows",
                str(n_rows),
                "--typed",
                typed,
            ]
            ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
            found = json.loads(ended.stdout)
            cells += [f"{found['seconds']:.2f}", f"{found['memory']:.1f}"]
        yield tuple(cells)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.masks", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--masks", nargs="*", default=list(MASKS), choices=list(MASKS))
    parser.add_argument("--docs", action="store_true", help="write the documentation's page too")
    parser.add_argument("--child", choices=list(MASKS), help=argparse.SUPPRESS)
    parser.add_argument("--typed", default="no", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        print(json.dumps(measured(MASKS[options.child], options.rows, typed=options.typed == "yes")))
    else:
        SHEET.fill(_rows(options.rows, options.masks), docs=options.docs)


if __name__ == "__main__":
    main()
