"""The documentation's page of figures: ``python -m benchmarks.page RESULTS`` writes it from the JSON file of a run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmarks.children import BUILD, ROOT
from benchmarks.draw import can_draw, draw
from benchmarks.results import Results
from benchmarks.sheet import DOCS, markdown

__all__ = ["write_page"]

_HEAD = """\
# Benchmarks

`make bench` measures every search on the same tables, writes all figures to one JSON file and draws them;
`python -m benchmarks.page` makes this page from that file. [All figures](benchmarks.json) of this page.

**Machine.** {processor}, {cores} cores, {memory_gb} GB of memory, {system}. Python {python}, Celosía {celosia},
NumPy {numpy}, Polars {polars}. {date}.

## What is measured

- **GCP**: the information lost as a fraction, over all rows and quasi-identifiers ([how](methods/gcp.md)). Every column
  is a quasi-identifier, categories have no hierarchy, no row may be suppressed, the seed is fixed.
- **search**: seconds from the table to the classes, encoding and sorting of the rows included. **run**: the whole
  `plan.run`, with the published values and the audit. Both without reading the file. A run shorter than a second is
  repeated up to three times, and the shortest time counts.
- **memory**: the most that the process held (resident set), in MB of 10^6 bytes. Every measurement has a fresh process;
  the figure includes the interpreter and the libraries (about 85 MB) and the table itself. *search* is the peak up to
  the end of the search, *run* that of the whole run.
- Searches that can be stopped at any time are given a limit and drawn as falling lines; others are one point.
"""

_PEERS = """\
## Peers

Tools from the Python Package Index on the same rows in the same run, each in an environment of its own, default
settings, with a time limit for each call. Only the call is timed; compare it with our *search* plus recoding. Their
output is measured as ours is: classes are the rows with equal published values, and a class loses what its tight box
loses (**GCP**). **As published** reads the cells as they stand: a range as wide as it is written, `*` as everything.
The two differ where a hierarchy publishes more than the class holds. A deleted row is lost whole. k and truth (every
original value lies in its published value) are judged by our verifier.

- **anonypy** needs no hierarchies: strict Mondrian in pandas. It publishes counts per class and sensitive value; the
  row's number stands in for that value, so that rows can be followed. Its cells come as lists of one text, which are
  unpacked, and the values of its sets in any order, which are sorted.
- **anjana** recodes whole columns, level by level, and needs hierarchies. *flat*: 16, 8, 4, 2 equal intervals for
  numbers, `*` at once for categories. *trees*: the same intervals, and ARX's trees for Adult's categories. Both with no
  and with up to 5 % of the rows deleted. It publishes a value alike in all rows (global recoding), which is easier to
  analyse and costs more by nature.
"""


def write_page(results: Results, docs: Path = DOCS) -> Path:
    """Write page, pictures and JSON file into the documentation; without Matplotlib the pictures stay as they are."""
    if can_draw():
        draw(results, docs / "images")
    results.write(docs / "benchmarks.json")
    parts = [_HEAD.format(**results.machine), _pictures(docs / "images")]
    parts += [_table_section(results, name) for name in results.tables if results.ks(name)]
    if results.peers:
        parts += [_PEERS, _peer_table(results)]
    page = docs / "benchmarks.md"
    page.write_text("\n".join(part for part in parts if part), encoding="utf-8")
    return page


def _pictures(images: Path) -> str:
    titles = {"benchmarks_time.svg": "Loss over time", "benchmarks_k.svg": "Loss over k"}
    return "".join(f"\n![{title}](images/{name})\n" for name, title in titles.items() if (images / name).exists())


def _table_section(results: Results, name: str) -> str:
    about, ks, k = results.tables[name], results.ks(name), results.reference_k(name)
    columns = f"numbers: {len(about['numbers'])}, categories: {len(about['categories'])}"
    titles = list(dict.fromkeys(run["title"] for run in results.runs if run["table"] == name))
    runs = {(run["title"], run["k"]): run for run in results.runs if run["table"] == name}
    losses = [[f"`{title}`", *(_cell(runs.get((title, one)), "gcp", ".4f") for one in ks)] for title in titles]
    costs = [
        [
            f"`{title}`",
            _cell(run, "search_seconds", ".3g"),
            _cell(run, "seconds", ".3g"),
            _cell(run, "search_peak_mb", ",.0f"),
            _cell(run, "peak_mb", ",.0f"),
        ]
        for title in titles
        if (run := runs.get((title, k)))
    ]
    header = ["search", "search (s)", "run (s)", "memory, search (MB)", "memory, run (MB)"]
    return "\n".join(
        [
            f"## {about['title']}",
            "",
            f"{about['n_rows']:,} rows; {columns}. GCP:",
            "",
            markdown(["search", *(f"k = {one}" for one in ks)], losses),
            f"Cost at k = {k}:",
            "",
            markdown(header, costs),
        ]
    )


def _peer_table(results: Results) -> str:
    rows = []
    for run in results.peers:
        named = [results.tables[run["table"]]["title"], str(run["k"]), run["title"]]
        if "error" in run:
            rows.append([*named, run["error"], *["-"] * 6])
            continue
        rows.append(
            [
                *named,
                _cell(run, "gcp", ".4f"),
                _cell(run, "gcp_as_published", ".4f"),
                _cell(run, "seconds", ".3g"),
                _cell(run, "peak_mb", ",.0f"),
                _cell(run, "n_suppressed", ",.0f"),
                str(run["smallest_class"]) + ("" if run["k_anonymous"] else " (not k-anonymous)"),
                {True: "yes", False: "no", None: "not judged"}[run["truthful"]],
            ]
        )
    used = [run["versions"] for run in results.peers if "versions" in run]
    versions = sorted({", ".join(f"{name} {version}" for name, version in one.items()) for one in used})
    header = ["table", "k", "peer", "GCP", "as published", "seconds", "MB", "deleted", "smallest class", "true"]
    return f"{markdown(header, rows)}\nVersions: {'; '.join(versions)}.\n"


def _cell(run: dict[str, Any] | None, key: str, form: str) -> str:
    if run is None:
        return "-"
    if "error" in run:
        return str(run["error"])
    return "-" if run[key] is None else format(run[key], form)


def main() -> None:
    """Write the page from a results file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, nargs="?", default=BUILD / "bench" / "results.json")
    page = write_page(Results.read(parser.parse_args().results))
    print(f"{page.relative_to(ROOT)} written{'' if can_draw() else '; pictures left alone: Matplotlib is missing'}")


if __name__ == "__main__":
    main()
