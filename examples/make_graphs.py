"""Write three graphs that ship with networkx as files, for the plans in ``examples/graphs``.

::

    python examples/make_graphs.py          # into examples/graphs
    python examples/make_graphs.py FOLDER   # into FOLDER

Zachary's karate club (friends, and the side that each took), Davis's southern women (who came to which event) and the
characters of Les Misérables (who meets whom, and how often).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from pathlib import Path

import networkx as nx


def write(path: Path, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Write a table of text."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main(folder: Path) -> None:
    """Write the files."""
    folder.mkdir(parents=True, exist_ok=True)
    club = nx.karate_club_graph()
    write(folder / "karate.csv", ["source", "target"], club.edges)
    write(folder / "members.csv", ["name", "club"], club.nodes(data="club"))
    write(folder / "davis.csv", ["woman", "event"], nx.davis_southern_women_graph().edges)
    novel = nx.les_miserables_graph()
    write(folder / "miserables.csv", ["source", "target", "weight"], novel.edges(data="weight"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "graphs")
