"""Adjacency matrices: text files of numbers, NumPy arrays and sparse matrices of scipy."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import IO, Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import FormatError, InputError
from celosia.base.findings import Finding
from celosia.data.io.formulas import neutralise
from celosia.data.io.numbers import parse_numbers
from celosia.data.io.records import sniff_decimal
from celosia.graphs.files.edge_table import find_ends
from celosia.graphs.files.outgoing import Outgoing
from celosia.graphs.files.parts import Direction, Parts
from celosia.graphs.files.text_cells import TextCells
from celosia.graphs.graph import Graph

_WEIGHT = "weight"
_MOST_PARALLEL = 100_000_000
_Ends = NDArray[np.int64]


_MOST_WRITTEN = 20_000


def matrix_or_edges(cells: TextCells) -> Literal["matrix", "edges", "doubt"]:
    r"""Say what a text of unknown content holds.

    A matrix is square once the names of rows and columns are set aside, and its entries are numbers from 0 on. It is
    one beyond doubt if rows and columns have the same names, if it is symmetric (from three vertices on), or if all
    entries are 0 or 1 (from four on). A square of numbers of which nothing of this holds is in doubt, but for three by
    three: three edges with a weight each.

    Examples
    --------
    >>> from celosia.graphs.files.text_cells import read_cells
    >>> matrix_or_edges(read_cells(b"0,1,1\n1,0,0\n1,0,0\n", "m.csv"))
    'matrix'
    >>> matrix_or_edges(read_cells(b"0,1,5\n1,2,5\n2,0,5\n", "m.csv"))
    'edges'
    """
    n_rows, n_columns = cells.frame.shape
    if abs(n_rows - n_columns) > 1 or n_columns < 2 or find_ends([cell or "" for cell in cells.frame.row(0)]):
        return "edges"
    names, entries = _split(cells.frame)
    numbers = [parse_numbers(column)[0] for column in entries.get_columns()]
    if entries.height != entries.width or any(column.null_count() or (column < 0).any() for column in numbers):
        return "edges"
    if names is not None and n_rows == n_columns:
        return "matrix"
    values = pl.DataFrame(numbers).to_numpy()
    is_binary = bool(np.isin(values, (0, 1)).all())
    is_symmetric = np.array_equal(values, values.T)
    if (len(values) >= 3 and is_symmetric) or (len(values) >= 4 and is_binary):
        return "matrix"
    return "doubt" if names is None and len(values) >= (3 if is_binary else 4) else "edges"


def edges_of_matrix(cells: TextCells, file: str, *, directed: bool | None, multigraph: bool | None) -> Parts:
    r"""Return the edges of a matrix in text, with or without the names of its vertices along the edges.

    Raises
    ------
    FormatError
        The matrix is not square, or an entry is not a finite number.

    Examples
    --------
    >>> from celosia.graphs.files.text_cells import read_cells
    >>> cells = read_cells(b",ana,eva\nana,0,1\neva,1,0\n", "friends.csv")
    >>> edges_of_matrix(cells, "friends.csv", directed=None, multigraph=None).names.to_list()
    ['ana', 'eva']
    """
    names, entries = _split(cells.frame)
    if entries.height != entries.width:
        raise _not_square(entries.shape, file)
    first_line = cells.frame.height - entries.height
    decimal = sniff_decimal(entries, cells.delimiter)
    columns = []
    for place, column in enumerate(entries.get_columns()):
        numbers, _ = parse_numbers(column, decimal)
        if numbers.null_count():
            row = int(numbers.is_null().arg_max() or 0)
            line = row + first_line + 1 if cells.lines is None else cells.lines[row + first_line]
            raise FormatError(
                f"the entry in line {line} of {file}, column {place + cells.frame.width - entries.width + 1}, "
                "is not a number.",
                hint="an entry is 0 where there is no edge; say format='csv' if the file is a list of edges.",
            )
        columns.append(numbers)
    values = pl.DataFrame(columns).to_numpy() if columns else np.zeros((0, 0))
    parts = edges_of_array(values, file, directed=directed, multigraph=multigraph)
    return parts if names is None else replace(parts, names=names)


def edges_of_array(
    array: NDArray[Any], file: str = "the matrix", *, directed: bool | None, multigraph: bool | None
) -> Parts:
    """Return the edges of a square array: an edge where the entry is not 0.

    In a multigraph the entry is the number of parallel edges. Otherwise entries other than 1 become the attribute
    ``weight`` of edges.

    Parameters
    ----------
    array
        Numbers or truth values.
    file
        What to call it in messages.
    directed
        ``None``: undirected if the matrix is symmetric.
    multigraph
        Whether entries count parallel edges.

    Raises
    ------
    FormatError
        The array is not square or holds something other than finite numbers; it is asymmetric and ``directed`` is
        ``False``; or an entry counts no edges in a multigraph.

    Examples
    --------
    >>> parts = edges_of_array(np.array([[0, 2], [2, 0]]), directed=None, multigraph=None)
    >>> parts.edges["weight"].to_list(), parts.direction.directed
    ([2], False)
    """
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise _not_square(array.shape, file)
    _refuse_kind(array.dtype, file)
    row, column = np.nonzero(array)
    return _of_entries(row, column, array[row, column], len(array), file, directed, multigraph)


def is_sparse(source: object) -> bool:
    """Say whether an object is a sparse matrix or array of scipy, without importing scipy.

    Examples
    --------
    >>> is_sparse([[0, 1], [1, 0]])
    False
    """
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(source))


def edges_of_sparse(matrix: Any, file: str = "the matrix", *, directed: bool | None, multigraph: bool | None) -> Parts:
    """Return the edges of a sparse matrix, as ``edges_of_array`` does; entries that are stored twice are added up.

    Examples
    --------
    >>> from scipy import sparse
    >>> edges_of_sparse(sparse.eye(2), directed=None, multigraph=None).source.tolist()
    [0, 1]
    """
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise _not_square(matrix.shape, file)
    _refuse_kind(matrix.dtype, file)
    entries = matrix.tocsr(copy=True)
    entries.sum_duplicates()
    entries.eliminate_zeros()
    entries = entries.tocoo()
    row, column = (np.asarray(end, dtype=np.int64) for end in (entries.row, entries.col))
    return _of_entries(row, column, np.asarray(entries.data), matrix.shape[0], file, directed, multigraph)


def _refuse_kind(dtype: np.dtype[Any], file: str) -> None:
    if dtype.kind not in "biuf":
        raise FormatError(
            f"{file} holds cells that are no numbers ({dtype}).", hint="give whole numbers, fractions or truth values."
        )


def _of_entries(
    row: _Ends,
    column: _Ends,
    value: NDArray[Any],
    n_vertices: int,
    file: str,
    directed: bool | None,
    multigraph: bool | None,
) -> Parts:
    if value.dtype.kind == "f" and not np.isfinite(value).all():
        place = int(np.flatnonzero(~np.isfinite(value))[0])
        raise FormatError(
            f"the entry in row {row[place] + 1}, column {column[place] + 1} of {file} is NaN or infinite.",
            hint="an entry is 0 where there is no edge.",
        )
    n_unpaired = _n_unpaired(row, column, value, n_vertices)
    if n_unpaired and directed is False:
        raise FormatError(
            f"{file} is not symmetric: {n_unpaired} entries differ from the one across the diagonal, "
            "so that it is no graph without direction.",
            hint="mend the entries, or read it with directed=True.",
        )
    is_directed = bool(n_unpaired) if directed is None else directed
    if not is_directed:
        upper = row <= column
        row, column, value = row[upper], column[upper], value[upper]
    findings = [_asymmetric(n_unpaired)] if n_unpaired and directed is None else []
    edges = pl.DataFrame()
    if multigraph:
        times = _multiplicities(row, column, value, file)
        row, column = np.repeat(row, times), np.repeat(column, times)
    elif (value != 1).any():
        edges = pl.DataFrame({_WEIGHT: value.astype(np.float64) if value.dtype.kind == "f" else value})
    return Parts(
        names=pl.Series("name", np.arange(n_vertices)),
        source=row.astype(np.int32),
        target=column.astype(np.int32),
        edges=edges,
        direction=Direction(is_directed),
        multigraph=bool(multigraph),
        findings=tuple(findings),
    )


def _n_unpaired(row: _Ends, column: _Ends, value: NDArray[Any], n_vertices: int) -> int:
    """Return how many entries differ from the one across the diagonal; one that is 0 counts with its partner."""
    there, back = row * max(n_vertices, 1) + column, column * max(n_vertices, 1) + row
    order, across = np.argsort(there), np.argsort(back)
    if np.array_equal(there[order], back[across]):
        return int(np.count_nonzero(value[order] != value[across]))
    found = np.searchsorted(there[order], back)
    found = np.minimum(found, len(there) - 1)
    is_paired = there[order][found] == back
    return int(np.count_nonzero(~is_paired) * 2 + np.count_nonzero(is_paired & (value[order][found] != value)))


def _multiplicities(row: _Ends, column: _Ends, value: NDArray[Any], file: str) -> NDArray[np.int64]:
    wrong = (value < 0) | (value != np.floor(value))
    if wrong.any():
        place = int(wrong.argmax())
        raise FormatError(
            f"{int(wrong.sum())} entries of {file} cannot count parallel edges, the first in row {row[place] + 1}, "
            f"column {column[place] + 1}; allowed: whole numbers from 0.",
            hint="read it without multigraph=True: entries are then weights of edges.",
        )
    if value.sum(dtype=np.float64) > _MOST_PARALLEL:
        raise FormatError(
            f"the entries of {file} count more than {_MOST_PARALLEL} parallel edges.",
            hint="read it without multigraph=True: entries are then weights of edges.",
        )
    return value.astype(np.int64)


def _split(frame: pl.DataFrame) -> tuple[pl.Series | None, pl.DataFrame]:
    """Return the names of the vertices and the entries; the shape tells where the names stand.

    In a square of cells the first row and the first column are names if they agree and could not be entries. A single
    row or column too many are names if they are no numbers, or count from 0 or 1: else a line was lost.
    """
    n_rows, n_columns = frame.shape
    header = [(cell or "").strip() for cell in frame.row(0)]
    first = [(cell or "").strip() for cell in frame.to_series(0)]
    if n_rows == n_columns + 1 and _are_names(header) and _could_not_be_entries(header):
        return pl.Series("name", header), frame.slice(1)
    if n_columns == n_rows + 1 and _are_names(first) and _could_not_be_entries(first):
        return pl.Series("name", first), frame.select(frame.columns[1:])
    agrees = sorted(header[1:]) == sorted(first[1:]) and _are_names(header[1:])
    if n_rows == n_columns and agrees and not (_is_number(header[0]) and all(map(_is_number, header))):
        entries = frame.slice(1).select(frame.columns[1:])
        entries.columns = header[1:]
        return pl.Series("name", first[1:]), entries.select(first[1:])
    return None, frame


def _are_names(cells: Sequence[str]) -> bool:
    return len(set(cells)) == len(cells) and all(cells)


def _could_not_be_entries(cells: Sequence[str]) -> bool:
    counts = [[str(start + place) for place in range(len(cells))] for start in (0, 1)]
    return not all(map(_is_number, cells)) or (len(cells) > 2 and list(cells) in counts)


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]*[.,]?[0-9]*(?:[eE][+-]?[0-9]+)?", cell) is not None and cell != ""


def _not_square(shape: Sequence[int], file: str) -> FormatError:
    size = " by ".join(str(length) for length in shape)
    return FormatError(
        f"{file} is {size}; an adjacency matrix has as many rows as columns.",
        hint="give a row and a column per vertex; two sets of vertices go into a list of edges with bipartite=True.",
    )


def _asymmetric(n_entries: int) -> Finding:
    return Finding(
        "ASYMMETRIC_MATRIX",
        "note",
        "{n_entries} entries of the matrix differ from the one across the diagonal: it was read as a directed graph.",
        values={"n_entries": n_entries},
    )


def matrix_rows(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]:
    """Return where each row of the matrix starts, its columns and its entries: 1, numbers of edges, or weights.

    A Graph's own rows hold the rank of a weight, by which rows can be compared exactly; here stands the weight itself,
    those of parallel edges added up.

    Examples
    --------
    >>> import polars as pl
    >>> graph = Graph.of_edges([0], [1], edges=pl.DataFrame({"km": [2.5]}), weight="km")
    >>> matrix_rows(graph)[2].tolist()
    [2.5, 2.5]
    """
    starts, indices, entries = graph.out
    if graph.weight is None:
        return starts, indices, entries
    amounts = graph.edges[graph.weight].to_numpy()
    row, column, n = graph.source.astype(np.int64), graph.target.astype(np.int64), graph.n_vertices
    keys = np.repeat(np.arange(n), graph.out.degrees) * n + indices
    edges, weights = row * n + column, amounts
    if not graph.directed:
        there = row != column
        edges, weights = np.concatenate([edges, (column * n + row)[there]]), np.concatenate([amounts, amounts[there]])
    values = np.zeros(len(keys), dtype=np.float64 if amounts.dtype.kind == "f" else np.int64)
    np.add.at(values, np.searchsorted(keys, edges), weights)
    return starts, indices, values


def write_matrix(graph: Outgoing, file: IO[bytes]) -> None:
    r"""Write an adjacency matrix as CSV, with the names of vertices along both edges.

    Entries are 0 and 1, numbers of parallel edges in a multigraph, or weights where the graph has one.

    Raises
    ------
    InputError
        The graph has more than 20,000 vertices, attributes of edges beside the weight, weights on parallel edges, or a
        weight of 0, which would read as no edge.

    Examples
    --------
    >>> import io
    >>> from celosia.graphs.files.outgoing import outgoing
    >>> from celosia.base.chance import Randomness
    >>> file = io.BytesIO()
    >>> write_matrix(outgoing(Graph.of_edges([0], [1]), Randomness())[0], file)
    >>> file.getvalue().decode()
    ',0,1\n0,0,1\n1,1,0\n'
    """
    _refuse_unfit(graph)
    starts, indices, values = matrix_rows(
        Graph.of_edges(
            graph.source,
            graph.target,
            graph.n_vertices,
            directed=graph.directed,
            multigraph=graph.multigraph,
            edges=graph.edges,
            weight=graph.weight,
        )
    )
    names = [_quoted(str(name)) for name in graph.names]
    file.write(("," + ",".join(names) + "\n").encode())
    texts = [_number_text(value) for value in values.tolist()]
    for place, name in enumerate(names):
        cells = ["0"] * len(names)
        for entry in range(starts[place], starts[place + 1]):
            cells[indices[entry]] = texts[entry]
        file.write((name + "," + ",".join(cells) + "\n").encode())


def _refuse_unfit(graph: Outgoing) -> None:
    if not 0 < graph.n_vertices <= _MOST_WRITTEN:
        raise InputError(
            f"the graph has {graph.n_vertices} vertices; a matrix is written for 1 to {_MOST_WRITTEN}.",
            hint="write csv, parquet or graphml.",
        )
    others = [name for name in graph.edges.columns if name != graph.weight]
    if others:
        raise InputError(
            f"a matrix cannot hold the attribute '{others[0]}' of edges.",
            hint=f"name it as the weight when you read, drop it (drop=['{others[0]}']), or write graphml.",
        )
    if graph.weight is None:
        return
    if graph.multigraph:
        raise InputError("a matrix cannot hold weights of parallel edges.", hint="write csv or graphml.")
    n_zero = int((graph.edges[graph.weight] == 0).sum())
    if n_zero:
        raise InputError(
            f"{n_zero} edges have a weight of 0, which reads as no edge in a matrix.", hint="write csv or graphml."
        )


def _quoted(text: str) -> str:
    safe = neutralise(text)
    return '"' + safe.replace('"', '""') + '"' if re.search(r'[,"\r\n]', safe) else safe


def _number_text(value: float) -> str:
    is_whole = isinstance(value, int) or (value.is_integer() and abs(value) < 2**53)
    return str(int(value)) if is_whole else repr(value)
