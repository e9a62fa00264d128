"""Measure every search on every table, with peers beside; write one JSON file and draw it.

Adult and the given students are read from ``../shared/data`` where that is; students are made up otherwise.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from benchmarks.children import BUILD
from benchmarks.draw import can_draw, draw
from benchmarks.machine import statement
from benchmarks.measure import measured
from benchmarks.page import write_page
from benchmarks.peers import PEERS, peer_ks, peer_measured, settings_for
from benchmarks.results import Results
from benchmarks.searches import searches_for
from benchmarks.tables import DEFAULT_TABLES, Sample, sample_of
from celosia.jobs import registry

_QUICK_TABLES, _QUICK_K = ["students", "generated-1000"], [5]
_LINE = "{:<19} {:>4}  {:<38} {:>7} {:>10} {:>10} {:>8}"

_Measurement = Callable[[], dict[str, Any]]


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name and name != "none"]


def _ks(text: str) -> list[int]:
    return [int(k) for k in text.split(",")]


def _table_name(text: str) -> list[str]:
    names = _names(text)
    for name in names:
        if not re.fullmatch(r"students|adult|generated-[1-9]\d*", name):
            raise argparse.ArgumentTypeError("tables are students, adult and generated-N, N being the number of rows")
    return names


def _among(known: Iterable[str]) -> Callable[[str], list[str]]:
    def named(text: str) -> list[str]:
        if unknown := sorted(set(_names(text)) - set(known)):
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is not one of {', '.join(known)}")
        return _names(text)

    return named


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--tables", type=_table_name, help=f"default: {','.join(DEFAULT_TABLES)}")
    parser.add_argument("--k", type=_ks, help="the same for all tables; default: each table's own")
    parser.add_argument("--algorithms", type=_among(registry.classes_in("algorithms")), default=[], help="default: all")
    parser.add_argument("--peers", type=_among(PEERS), help="default: all; none: without")
    parser.add_argument("--peer-limit", type=float, default=300, help="seconds for a call of a peer")
    parser.add_argument("--quick", action="store_true", help="small tables, one k, no peers: under a minute")
    parser.add_argument("--out", type=Path, default=BUILD / "bench" / "results.json", help="the JSON file to write")
    parser.add_argument("--docs", action="store_true", help="write the documentation's page too")
    chosen = parser.parse_args()
    chosen.k = chosen.k or (_QUICK_K if chosen.quick else None)
    chosen.tables = chosen.tables or (_QUICK_TABLES if chosen.quick else DEFAULT_TABLES)
    if chosen.peers is None:
        chosen.peers = [] if chosen.quick else list(PEERS)
    return chosen


def _ours(sample: Sample, chosen: argparse.Namespace) -> list[tuple[str, int, _Measurement]]:
    return [
        (search.title, k, partial(measured, sample, search, k))
        for k in chosen.k or sample.ks
        for search in searches_for(sample, chosen.algorithms)
    ]


def _theirs(sample: Sample, chosen: argparse.Namespace) -> list[tuple[str, int, _Measurement]]:
    return [
        (setting.title, k, partial(peer_measured, sample, setting, k, chosen.peer_limit))
        for k in peer_ks(sample, chosen.k or sample.ks)
        for setting in settings_for(sample, chosen.peers)
    ]


def _line(found: dict[str, Any]) -> str:
    named = found["table"], found["k"], found["title"]
    if "error" in found:
        return _LINE.format(*named, "-", "-", "-", "-") + f"  {found['error']}"
    search = f"{found['search_seconds']:.3f}" if "search_seconds" in found else "-"
    return _LINE.format(*named, f"{found['gcp']:.4f}", search, f"{found['seconds']:.3f}", f"{found['peak_mb']:.0f}")


def _measure_table(
    name: str, chosen: argparse.Namespace, results: Results, bar: Progress, show: Callable[[str], None]
) -> None:
    sample = sample_of(name)
    if sample is None:
        show(f"{name}: left out, its data are not on this machine")
        return
    results.tables[name] = sample.to_dict()
    for into, jobs in ((results.runs, _ours(sample, chosen)), (results.peers, _theirs(sample, chosen))):
        task = bar.add_task(name, total=len(jobs))
        for title, k, measurement in jobs:
            bar.update(task, description=f"{name}, k = {k}, {title}")
            into.append(measurement())
            results.write(chosen.out)
            show(_line(into[-1]))
            bar.advance(task)
        bar.remove_task(task)


def main() -> None:
    """Measure, write, draw."""
    chosen = _arguments()
    console = Console(highlight=False, soft_wrap=True)
    results = Results(statement())
    console.print(
        "{processor}, {cores} cores, {memory_gb} GB; Celosía {celosia}".format(**results.machine), style="bold"
    )
    console.print(_LINE.format("table", "k", "search", "GCP", "search s", "run s", "peak MB"), style="bold")
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        for name in chosen.tables:
            _measure_table(name, chosen, results, bar, lambda text: console.print(text, markup=False))
    results.write(chosen.out)
    console.print(f"{chosen.out.name} written")
    if can_draw():
        drawn = draw(results, chosen.out.parent)
        console.print(f"{', '.join(path.name for path in drawn)} drawn")
    else:
        console.print("no pictures: Matplotlib is not installed (the extra 'bench' brings it)")
    if chosen.docs:
        write_page(results)
        console.print("docs/benchmarks.md written")


if __name__ == "__main__":
    main()
