"""GML: vertices and edges as lists of keys and values."""

from __future__ import annotations

import html.entities
import io
import re
from collections.abc import Iterator, Sequence
from typing import IO, Any

import polars as pl

from celosia.base.errors import FormatError
from celosia.data.io.encodings import decode
from celosia.data.io.spelling import spell
from celosia.graphs.files.gathering import Gathering
from celosia.graphs.files.outgoing import Outgoing, rows_of
from celosia.graphs.files.parts import NO_ARROW, ONE_WAY, Parts

_TOKEN = re.compile(
    r"""\s*+(?:\#[^\n]*+\s*+)*+  # comments run to the end of the line; possessive, or hostile ones take for ever
    (?:(?P<word>[A-Za-z_][A-Za-z0-9_.]*)
      |(?P<real>[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?[0-9]+[eE][+-]?[0-9]+|[+-]INF)
      |(?P<whole>[+-]?[0-9]+)
      |"(?P<text>[^"]*)"
      |(?P<opens>\[)
      |(?P<closes>\]))""",
    re.VERBOSE,
)
_BETWEEN = re.compile(r"\s*+(?:#[^\n]*+\s*+)*+")
_REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z0-9]+));")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_DEEPEST = 200
_LIMIT = 2**63
_Item = tuple[str, Any, int]
"""A key, its value (a number, a text or a list of items), and its line."""


def read_gml(data: bytes, file: str, encoding: str | None = None) -> Parts:
    """Return the graph of a GML file.

    A vertex is named by its label if every vertex has one of its own, else by its id. Lists within vertices and edges,
    such as ``graphics``, and the ids of edges are left aside.

    Raises
    ------
    FormatError
        The file is broken, has no graph or several, a vertex without an id or with a taken one, or an edge whose end
        is no vertex. With the line, never with a cell.

    Examples
    --------
    >>> text = b'graph [ node [ id 1 label "Ana" ] node [ id 2 label "Eva" ] edge [ source 1 target 2 km 3.5 ] ]'
    >>> parts = read_gml(text, "friends.gml")
    >>> parts.names.to_list(), parts.edges["km"].to_list()
    (['Ana', 'Eva'], [3.5])
    """
    gathering = Gathering(file, "declare every vertex by node [ id ... ].")
    text = decode(data, file, encoding).data.decode("utf-8")
    items = _parsed(_tokens(text, gathering), gathering)
    graphs = [(value, line) for key, value, line in items if key == "graph" and isinstance(value, list)]
    if not graphs:
        raise FormatError(f"{file} holds no graph.", hint="a GML file needs graph [ ... ].")
    if len(graphs) > 1:
        raise gathering.fault(graphs[1][1], "a second graph starts", "put every graph into a file of its own.")
    return _graph(graphs[0][0], gathering)


def _tokens(text: str, gathering: Gathering) -> Iterator[tuple[str, str, int]]:
    """Give kind, content and line of every token."""
    position, counted, line = 0, 0, 1
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            between = _BETWEEN.match(text, position)
            assert between is not None
            if between.end() >= end:
                return
            line += text.count("\n", counted, between.end())
            raise gathering.fault(line, "a sign that GML does not know, or a quote that is never closed")
        kind = match.lastgroup
        assert kind is not None
        start = match.start(kind)
        line += text.count("\n", counted, start)
        counted, position = start, match.end()
        yield kind, match.group(kind), line


def _parsed(tokens: Iterator[tuple[str, str, int]], gathering: Gathering) -> list[_Item]:
    """Return the items of the outermost list. No recursion: files choose their own depth."""
    stack: list[list[_Item]] = [[]]
    opened: list[tuple[str, int]] = []
    line = 1
    for kind, content, line in tokens:
        if kind == "closes":
            if not opened:
                raise gathering.fault(line, "a list is closed that was never opened")
            key, opened_in = opened.pop()
            items = stack.pop()
            stack[-1].append((key, items, opened_in))
            continue
        if kind != "word":
            raise gathering.fault(line, "a value stands where the name of a key was expected")
        kind, value, line = next(tokens, ("", "", line))
        if kind == "opens":
            if len(opened) >= _DEEPEST:
                raise gathering.fault(line, f"more than {_DEEPEST} lists are nested", "no graph file does so.")
            opened.append((content, line))
            stack.append([])
        elif kind in ("", "closes"):
            raise gathering.fault(line, "a key has no value")
        else:
            stack[-1].append((content, _value(kind, value), line))
    if opened:
        raise gathering.fault(line, f"{len(opened)} lists are still open at the end", "the file may be cut short.")
    return stack[0]


def _value(kind: str, content: str) -> Any:
    if kind == "whole":
        # A number too long for a column of whole numbers is a text; int() refuses thousands of digits.
        return int(content) if len(content) <= 20 and -_LIMIT <= int(content) < _LIMIT else content
    if kind == "real":
        return float(content)
    if kind == "word":
        return float(content) if content in ("NAN", "INF") else content
    return _REFERENCE.sub(_referred, content) if "&" in content else content


def _referred(match: re.Match[str]) -> str:
    """Return the character of a reference; not by ``html.unescape``, which drops control characters."""
    decimal, hexadecimal, name = match.groups()
    if name is not None:
        return html.entities.html5.get(name + ";", match.group())
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code < 0xD800 or 0xDFFF < code <= 0x10FFFF else match.group()


def _graph(items: Sequence[_Item], gathering: Gathering) -> Parts:
    plain = {key.lower(): value for key, value, _ in items if not isinstance(value, list)}
    directed, multigraph = (str(plain.get(key, 0)) == "1" for key in ("directed", "multigraph"))
    for key, value, line in items:
        if key == "node" and isinstance(value, list):
            _vertex(value, line, gathering)
    for key, value, line in items:
        if key == "edge" and isinstance(value, list):
            _edge(value, line, directed, multigraph, gathering)
    return gathering.parts(directed, multigraph or None)


def _vertex(items: Sequence[_Item], line: int, gathering: Gathering) -> None:
    said = _once(items, gathering)
    if "graph" in said or "node" in said:
        raise gathering.fault(line, "a graph stands within a vertex", "take the inner graph apart.")
    if "id" not in said:
        raise gathering.fault(line, "a vertex has no id")
    label = said.pop("label", None)
    row = gathering.vertex(_name(said.pop("id")), line, None if label is None else _name(label))
    gathering.vertices.put_all(row, said)


def _edge(items: Sequence[_Item], line: int, directed: bool, multigraph: bool, gathering: Gathering) -> None:
    said = _once(items, gathering)
    for end in ("source", "target"):
        if end not in said:
            raise gathering.fault(line, f"an edge has no {end}")
    source, target = (_name(said.pop(end)) for end in ("source", "target"))
    said.pop("id", None)
    if multigraph:
        said.pop("key", None)  # by which networkx tells parallel edges apart
    row = gathering.edge(source, target, ONE_WAY if directed else NO_ARROW, line)
    gathering.edges.put_all(row, said)


def _once(items: Sequence[_Item], gathering: Gathering) -> dict[str, Any]:
    """Return keys and values; lists are drawings, and a key that comes up twice is a list as well."""
    said: dict[str, Any] = {}
    for key, value, _ in items:
        if isinstance(value, list) and key not in ("graph", "node"):
            gathering.has_drawing = True
        else:
            said[key] = [said[key], value] if key in said else value
    return said


def _name(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def write_gml(graph: Outgoing, file: IO[bytes]) -> None:
    """Write a graph as GML in ASCII: vertices by number and label, other characters as references.

    Truth values are 0 and 1, dates and times texts.

    Raises
    ------
    FormatError
        An attribute has a name that GML cannot hold, or one of GML's own.

    Examples
    --------
    >>> import io
    >>> from celosia.graphs.files.outgoing import outgoing
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.base.chance import Randomness
    >>> file = io.BytesIO()
    >>> write_gml(outgoing(Graph.of_edges([0], [0]), Randomness())[0], file)
    >>> print(file.getvalue().decode())
    graph [
      node [
        id 0
        label "0"
      ]
      edge [
        source 0
        target 0
      ]
    ]
    """
    _refuse_keys(graph.vertices.columns, ("id", "label", "graph", "node"))
    _refuse_keys(graph.edges.columns, ("id", "source", "target", *(("key",) if graph.multigraph else ())))
    text = io.TextIOWrapper(file, encoding="ascii", newline="\n")
    text.write("graph [\n")
    for word, holds in (("directed", graph.directed), ("multigraph", graph.multigraph)):
        text.write(f"  {word} 1\n" if holds else "")
    vertices, edges = _spelt(graph.vertices), _spelt(graph.edges)
    for place, (name, cells) in enumerate(zip(graph.names, rows_of(vertices, graph.n_vertices), strict=True)):
        lines = [f"id {place}", f"label {_quoted(str(name))}", *_pairs(vertices.columns, cells)]
        text.write("  node [\n" + "".join(f"    {line}\n" for line in lines) + "  ]\n")
    ends = zip(graph.source.tolist(), graph.target.tolist(), rows_of(edges, len(graph.source)), strict=True)
    for place, (source, target, cells) in enumerate(ends):
        key = [f"key {place}"] if graph.multigraph else []
        lines = [f"source {source}", f"target {target}", *key, *_pairs(edges.columns, cells)]
        text.write("  edge [\n" + "".join(f"    {line}\n" for line in lines) + "  ]\n")
    text.write("]\n")
    text.detach()


def _refuse_keys(names: Sequence[str], own: Sequence[str]) -> None:
    for name in names:
        if name in own or not _KEY.fullmatch(name):
            why = "is a word of GML itself" if name in own else "is no name in GML: letters, digits and _ of ASCII"
            raise FormatError(f"the attribute '{name}' {why}.", hint="rename it, drop it, or write graphml.")


def _spelt(frame: pl.DataFrame) -> pl.DataFrame:
    columns = []
    for column in frame.get_columns():
        if column.dtype == pl.Boolean:
            columns.append(column.cast(pl.Int64))
        elif column.dtype.is_numeric():
            columns.append(column.cast(pl.Float64) if column.dtype.is_decimal() else column)
        else:
            columns.extend(spell(column.to_frame(), decimal=".").get_columns())
    return pl.DataFrame(columns)


def _pairs(names: Sequence[str], cells: Sequence[Any]) -> Iterator[str]:
    for name, cell in zip(names, cells, strict=True):
        if isinstance(cell, int):
            yield f"{name} {cell}"
        elif isinstance(cell, float):
            yield f"{name} {_real(cell)}"
        elif cell is not None:
            yield f"{name} {_quoted(cell)}"


def _real(value: float) -> str:
    if value in (float("inf"), float("-inf")):
        return "+INF" if value > 0 else "-INF"
    mantissa, exponent, power = repr(value).partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + exponent.upper() + power


def _quoted(text: str) -> str:
    return '"' + re.sub(r"[^ !#-%\'-~]", lambda sign: f"&#{ord(sign.group())};", text) + '"'
