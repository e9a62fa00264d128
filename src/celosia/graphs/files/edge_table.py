"""Edges as the rows of a table: text files, Parquet, Arrow and frames."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import FormatError
from celosia.base.findings import Finding
from celosia.data.io.frames import to_polars
from celosia.data.io.names import check_names
from celosia.graphs.files.parts import Parts
from celosia.graphs.files.text_cells import TextCells

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


_SPARSEST = 8
"""Whole numbers up to so many times the number of cells are their own places in a table: no sorting, no hashing."""
_LIKE_MISSING = ("na", "n/a", "null", "none", "#n/a")


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


def edges_of_cells(cells: TextCells, file: str, header: bool | None = None) -> Parts:
    r"""Return the edges of a text file.

    Parameters
    ----------
    cells
        Its records.
    file
        Its name, for messages.
    header
        Whether the first line names the columns; ``None``: found from the cells.

    Raises
    ------
    FormatError
        Names of columns are blank or repeated, or an edge lacks an end.

    Examples
    --------
    >>> from celosia.graphs.files.text_cells import read_cells
    >>> edges_of_cells(read_cells(b"a,b\nb,c\n", "edges.csv"), "edges.csv").names.to_list()
    ['a', 'b', 'c']
    """
    frame, lines, findings = cells.frame, cells.lines, list(cells.findings)
    found = False
    if header is None:
        found, guessed = first_line_is_header(frame)
        findings += guessed
    if header or found:
        names = check_names([(cell or "").lstrip("#") for cell in frame.row(0)], file)
        frame = frame.slice(1)
        frame.columns = names
        lines = None if lines is None else lines[1:]
    elif len(cells.comment) == frame.width and find_ends(cells.comment) is not None:
        frame.columns = check_names(cells.comment, file)
    else:
        frame = _without_dictionaries(frame, file)
        frame.columns = [f"column_{place + 1}" for place in range(frame.width)]
    trimmed, n_trimmed = _trimmed(frame, end_places(frame.columns))
    if n_trimmed:
        findings.append(
            Finding(
                "TRIMMED_NAMES",
                "note",
                "Blanks around {n_cells} names of vertices were left out.",
                values={"n_cells": n_trimmed},
            )
        )
    parts = edges_of_table(trimmed, file, lines)
    return replace(parts, findings=(*findings, *parts.findings))


def edges_of_table(frame: pl.DataFrame, file: str, lines: Sequence[int] | None = None) -> Parts:
    """Return the edges of a table: two columns are their ends, by their names or else the first two.

    Whole numbers keep their type, whole floats become such; anything else is text.

    Raises
    ------
    FormatError
        The table has fewer than two columns, an edge lacks an end, or the ends are of different kinds.

    Examples
    --------
    >>> parts = edges_of_table(pl.DataFrame({"since": [1999], "u": [7], "v": [8]}), "the frame")
    >>> parts.names.to_list(), parts.edges.columns
    ([7, 8], ['since'])
    """
    if frame.width < 2:
        raise FormatError(
            f"{file} has {frame.width} columns; an edge needs two, its ends.", hint="name them source and target."
        )
    places = end_places(frame.columns)
    ends = [vertex_names(frame.to_series(place), file) for place in places]
    parts = Parts(
        names=pl.Series("name", [], dtype=pl.String),
        source=np.zeros(0, dtype=np.int32),
        target=np.zeros(0, dtype=np.int32),
        edges=frame.select(column for place, column in enumerate(frame.get_columns()) if place not in places),
        multigraph=False,
        are_columns_sides=True,
        lines=lines,
    )
    _refuse_missing((ends[0].is_null() | ends[1].is_null()).to_numpy(), parts, file)
    (source, target), names = numbered(*_of_one_kind(ends, file))
    nobody = _spelt(names, ["", "nan"])
    if len(nobody):
        _refuse_missing(np.isin(source, nobody) | np.isin(target, nobody), parts, file)
    findings = _like_missing(names, source, target)
    return replace(parts, names=names, source=source, target=target, findings=tuple(findings))


def frame_of(source: Any, naming: Callable[[Sequence[str]], Sequence[int]]) -> pl.DataFrame:
    """Return a frame of pandas, Polars or Arrow as a Polars frame; columns of mixed kinds may not name vertices.

    Text and numbers in one column become text, and 7 and "7" would be one vertex.

    Parameters
    ----------
    source
        The frame.
    naming
        Says by the names of the columns which of them name vertices.

    Raises
    ------
    InputError
        The object is no frame.
    FormatError
        A column that names vertices mixes text with other things, or any column is nested.

    Examples
    --------
    >>> frame_of(pl.DataFrame({"u": [7], "v": [8]}), lambda names: (0, 1)).columns
    ['u', 'v']
    """
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(source, pandas.DataFrame) and source.shape[1] > 1:
        for place in naming([str(name) for name in source.columns]):
            if pandas.api.types.infer_dtype(source.iloc[:, place], skipna=True) in ("mixed", "mixed-integer"):
                raise FormatError(
                    f"column {place + 1} of the frame mixes text with other kinds of cells.",
                    hint="convert the column to text or to numbers.",
                )
    return to_polars(source)[0]


def vertex_names(column: pl.Series, file: str) -> pl.Series:
    """Return a column that names vertices as whole numbers or as text.

    Raises
    ------
    FormatError
        It holds fractions.

    Examples
    --------
    >>> vertex_names(pl.Series("id", [1.0, 2.0]), "the frame").dtype, vertex_names(pl.Series(["007"]), "x").to_list()
    (Int64, ['007'])
    """
    if column.dtype.is_float():
        present = column.fill_nan(None).drop_nulls()
        whole = present.cast(pl.Int64, strict=False)
        if whole.null_count() or not (whole.cast(column.dtype) == present).all():
            raise FormatError(
                f"column '{column.name}' of {file} names vertices by numbers that are not whole.",
                hint="name vertices by whole numbers or text.",
            )
        return column.fill_nan(None).cast(pl.Int64)
    return column if column.dtype.is_integer() else column.cast(pl.String)


def numbered(*columns: pl.Series) -> tuple[list[NDArray[np.int32]], pl.Series]:
    """Return the places of names, column by column, and the names in the order of their first rows.

    Examples
    --------
    >>> (codes, _), names = numbered(pl.Series(["b", "a"]), pl.Series(["c", "b"]))
    >>> codes.tolist(), names.to_list()
    ([0, 2], ['b', 'c', 'a'])
    """
    together = pl.concat([column.alias("name") for column in columns], rechunk=True)
    n_rows, n_cells = len(columns[0]), len(together)
    codes, found = _coded(together)
    first = np.full(len(found), n_cells, dtype=np.int64)
    # Cells backwards, row after row: of the places that a name has, the last one to be put down is its first.
    first[codes.reshape(len(columns), n_rows).T.ravel()[::-1]] = np.arange(n_cells - 1, -1, -1)
    present = np.flatnonzero(first < n_cells)
    order = present[np.argsort(first[present])]
    rank = np.empty(len(found), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    places = rank[codes]
    return [places[n * n_rows : (n + 1) * n_rows] for n in range(len(columns))], _at(found, order, together.dtype)


def _coded(column: pl.Series) -> tuple[NDArray[Any], pl.Series | range]:
    """Return a number per cell, and what the numbers stand for; some of that may not come up."""
    whole = _whole_numbers(column)
    if whole is not None and len(whole) and whole.min() >= 0 and whole.max() <= _SPARSEST * len(whole):
        return whole, range(int(whole.max()) + 1)
    if column.dtype == pl.String:
        coded = column.cast(pl.Categorical)
        return coded.to_physical().to_numpy(), coded.cat.get_categories()
    values, codes = np.unique(column.to_numpy(), return_inverse=True)
    return codes, pl.Series(values, dtype=column.dtype)


def _whole_numbers(column: pl.Series) -> NDArray[np.int64] | None:
    """Return the cells as whole numbers if that loses nothing of how they are spelt: 007 and +7 are texts."""
    if column.dtype != pl.String:
        return column.to_numpy() if column.dtype.is_integer() else None
    if not column.head(100).str.contains("^[0-9]{1,18}$").all():
        return None
    numbers = column.cast(pl.Int64, strict=False)
    if numbers.null_count() or (numbers < 0).any():
        return None
    n_digits = np.searchsorted(10 ** np.arange(1, 19), numbers.to_numpy(), side="right") + 1
    return numbers.to_numpy() if np.array_equal(n_digits, column.str.len_bytes().to_numpy()) else None


def _at(found: pl.Series | range, places: NDArray[np.int64], dtype: pl.DataType) -> pl.Series:
    names = pl.Series(places) if isinstance(found, range) else found[places]
    return names.cast(dtype).alias("name")


def _trimmed(frame: pl.DataFrame, ends: Sequence[int]) -> tuple[pl.DataFrame, int]:
    columns, n_trimmed = frame.get_columns(), 0
    for place in ends:
        stripped = columns[place].str.strip_chars()
        changed = int((stripped.str.len_bytes() != columns[place].str.len_bytes()).sum())
        if changed:
            columns[place] = stripped.set(stripped == "", None)
            n_trimmed += changed
    return (pl.DataFrame(columns), n_trimmed) if n_trimmed else (frame, 0)


def _without_dictionaries(frame: pl.DataFrame, file: str) -> pl.DataFrame:
    """Refuse the dictionaries that networkx puts behind an edge; empty ones say nothing and are dropped."""
    if frame.width < 3 or not (frame[0, 2] or "").startswith("{"):
        return frame
    if frame.width == 3 and (frame.to_series(2) == "{}").all():
        return frame.select(frame.columns[:2])
    raise FormatError(
        f"{file} holds edge data as Python dictionaries, which are not read.",
        hint="write it with networkx.write_graphml, or write_edgelist(..., data=['weight']).",
    )


def _refuse_missing(missing: NDArray[np.bool_], parts: Parts, file: str) -> None:
    n_missing = int(missing.sum())
    if n_missing:
        raise FormatError(
            f"{n_missing} of {len(missing)} edges in {file} lack an end (empty or NaN); "
            f"the first is {parts.place(int(missing.argmax()))}.",
            hint="fill the end in, or delete the row; vertices without edges belong into a file of vertices.",
        )


def _spelt(names: pl.Series, spellings: Sequence[str]) -> NDArray[np.int64]:
    """Return the places of names that are spelt so; capitals and blanks around are no matter."""
    if names.dtype != pl.String:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(names.str.strip_chars().str.to_lowercase().is_in(spellings).to_numpy())


def _of_one_kind(ends: Sequence[pl.Series], file: str) -> tuple[pl.Series, pl.Series]:
    source, target = ends
    if source.dtype == target.dtype:
        return source, target
    if source.dtype.is_integer() and target.dtype.is_integer():
        both = pl.concat([source.to_frame("end"), target.to_frame("end")], how="vertical_relaxed").to_series()
        both = vertex_names(both, file)
        return both[: len(source)], both[len(source) :]
    raise FormatError(
        f"the ends of edges in {file} are of different kinds: one column holds whole numbers, the other text.",
        hint="convert both columns to the same kind.",
    )


def _like_missing(names: pl.Series, *ends: NDArray[np.int32]) -> Iterator[Finding]:
    suspects = _spelt(names, _LIKE_MISSING)
    if len(suspects):
        yield Finding(
            "NAMES_LIKE_MISSING",
            "warning",
            "{n_ends} ends of edges are spelt like a missing value (NA, null, none); each spelling was taken for one "
            "vertex.",
            values={"n_ends": sum(int(np.isin(end, suspects).sum()) for end in ends)},
        )
