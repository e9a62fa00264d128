"""Which columns of an edge table are the ends of its edges, and whether its first line names them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from celosia.base.findings import Finding

_PAIRS = (
    ("source", "target"),
    ("from", "to"),
    ("origen", "destino"),
    ("src", "dst"),
    ("u", "v"),
    ("i", "j"),
    ("source", "destination"),
    ("sourceid", "targetid"),
    ("fromid", "toid"),
    ("fromnodeid", "tonodeid"),
    ("fromnode", "tonode"),
    ("node1", "node2"),
    ("vertex1", "vertex2"),
    ("nodo1", "nodo2"),
    ("id1", "id2"),
    ("desde", "hasta"),
    ("tail", "head"),
    ("sender", "receiver"),
    ("ego", "alter"),
    ("v1", "v2"),
)
_VERTEX = ("id", "vertex", "node", "name", "vertexid", "nodeid", "vertice", "nodo", "nombre", "label")
_NUMBER = r"^\s*[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?\s*$"


def find_ends(names: Sequence[str]) -> tuple[int, int] | None:
    """Return the places of the two columns that are named like ends; ``None`` where no pair is.

    Examples
    --------
    >>> find_ends(["since", "Source", "TARGET"]), find_ends(["FromNodeId", "ToNodeId"]), find_ends(["person", "friend"])
    ((1, 2), (0, 1), None)
    """
    plain = [_plain(name) for name in names]
    for source, target in _PAIRS:
        if source in plain and target in plain:
            return plain.index(source), plain.index(target)
    return None


def end_places(names: Sequence[str]) -> tuple[int, int]:
    """Return the places of the two ends: by the names of the columns, or else the first two.

    Examples
    --------
    >>> end_places(["since", "u", "v"]), end_places(["person", "friend", "since"])
    ((1, 2), (0, 1))
    """
    return find_ends(names) or (0, 1)


def find_vertex(names: Sequence[str]) -> int:
    """Return the place of the column of a vertex table that names the vertex: by its name, or else the first.

    Examples
    --------
    >>> find_vertex(["age", "Id"]), find_vertex(["person", "age"])
    (1, 0)
    """
    plain = [_plain(name) for name in names]
    return next((plain.index(known) for known in _VERTEX if known in plain), 0)


def first_line_is_header(cells: pl.DataFrame) -> tuple[bool, list[Finding]]:
    """Say whether the first row of an edge list names its columns, and what was guessed.

    It does where it says ``source`` and ``target`` or the like. It does not where one of its first two cells comes up
    again as an end, where they are numbers, or where it stands alone. Otherwise it is taken for names: silently above
    numbers, and for names such as ``u`` and ``v`` unless ends below are called in the same way; else the guess is told.

    Examples
    --------
    >>> first_line_is_header(pl.DataFrame({"1": ["from", "007"], "2": ["to", "8"]}))[0]
    True
    >>> first_line_is_header(pl.DataFrame({"1": ["ana", "eva"], "2": ["eva", "luis"]}))[0]
    False
    """
    first = [cell or "" for cell in cells.row(0)]
    ends = find_ends(first)
    left, right = (cells.to_series(place) for place in ends or (0, 1))
    words = [left[0], right[0]]
    if ends is not None and not re.fullmatch(r"[a-z]|[a-z]+[0-9]", _plain(words[0])):
        return True, []
    if any((column.slice(1) == word).any() for column in (left, right) for word in words if word is not None):
        return False, []
    if ends is not None and not _are_alike(_plain(words[0]), left, right):
        return True, []
    if cells.height == 1 or any(word is None or re.match(_NUMBER, word) for word in words):
        return False, []
    if all(column.slice(1).str.contains(_NUMBER).all() for column in (left, right)):
        return True, []
    return True, [
        Finding(
            "GUESSED_HEADER",
            "warning",
            "The first line was taken for the names of columns, because its cells come up nowhere below. If it is an "
            "edge, that edge is lost: say so with header=False (--no-header).",
        )
    ]


def _are_alike(name: str, left: pl.Series, right: pl.Series) -> bool:
    """Say whether an end below the first line is called like its column: w below u, node3 below node1."""
    stem = name.rstrip("0123456789")
    pattern = rf"(?i)^\s*{stem}[\W_]*[0-9]+\s*$" if stem != name else r"^\s*[A-Za-z]\s*$"
    return any(bool(column.slice(1).str.contains(pattern).any()) for column in (left, right))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()
