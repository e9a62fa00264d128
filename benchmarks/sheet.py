"""A benchmark that is one table: its command's options, its rows on the screen as they come, its page of the docs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from benchmarks.children import ROOT
from benchmarks.machine import statement
from celosia.search.base import Algorithm

__all__ = ["DOCS", "Row", "Sheet", "markdown", "title_of"]

DOCS = ROOT / "docs"
Row = tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """A table of figures and its page.

    Attributes
    ----------
    name
        That of the module, ``python -m benchmarks.<name>``, and of the page, ``docs/benchmarks_<name>.md``.
    about
        How to read the figures.
    """

    name: str
    title: str
    about: str
    header: Row

    def options(self, described: str | None, adult: Path, seconds: float) -> argparse.ArgumentParser:
        """Return the options that all such benchmarks have; Adult is the table where its file is on this machine."""
        parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{self.name}", description=described)
        parser.add_argument("--table", default="adult" if adult.exists() else "generated-30000")
        parser.add_argument("--k", type=int, default=5)
        parser.add_argument("--seconds", type=float, default=seconds, help="for a search that takes a time limit")
        parser.add_argument("--docs", action="store_true", help="write the documentation's page too")
        return parser

    def fill(self, rows: Iterable[Row], *, docs: bool) -> None:
        """Print machine and rows, each as soon as it is measured; write the documentation's page where asked."""
        console = Console(highlight=False, soft_wrap=True)
        machine = "{processor}, {cores} cores, {memory_gb} GB; Celosía {celosia}; {date}".format(**statement())
        console.print(machine, style="bold")
        console.print("  ".join(self.header), style="bold", markup=False)
        measured = []
        for row in rows:
            measured.append(row)
            console.print("  ".join(row), markup=False)
        if docs:
            page = DOCS / f"benchmarks_{self.name}.md"
            parts = f"# {self.title}", self.about, f"{machine}.", markdown(self.header, measured)
            page.write_text("\n\n".join(parts), encoding="utf-8")
            console.print(f"{page.name} written")


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as Markdown writes it."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines) + "\n"


def title_of(algorithm: Algorithm) -> str:
    """Return a search with its options, as it is written in Python."""
    return f"{type(algorithm).__name__}({', '.join(f'{name}={value}' for name, value in algorithm.to_dict().items())})"
