"""GraphML: vertices, edges and typed attributes; hyperedges and graphs within graphs are refused."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import IO, NamedTuple

from celosia.base.errors import FormatError
from celosia.graphs.files.gathering import DECODERS
from celosia.graphs.files.outgoing import Outgoing
from celosia.graphs.files.parts import NO_ARROW, ONE_WAY, Parts
from celosia.graphs.files.xml import (
    Element,
    XmlReader,
    in_attribute,
    in_element,
    read_xml,
    refuse_control_characters,
    xml_type,
)

_SCOPES = {"node": {"node"}, "edge": {"edge"}, "all": {"node", "edge"}}


class _Key(NamedTuple):
    """An attribute that the file declares; without a kind it is drawing data of some program."""

    name: str
    scopes: set[str]
    kind: str | None


def read_graphml(data: bytes, file: str, encoding: str | None = None) -> Parts:
    """Return the graph of a GraphML file; attributes are typed as it declares them, with its defaults filled in.

    Ids of edges, data of the whole graph and of ports are left aside, drawing data of programs such as yEd too.

    Raises
    ------
    FormatError
        The file is broken; has no graph, several, one within another or hyperedges; repeats a vertex; has an edge
        whose end is no vertex; or holds data of a wrong type. With the line, never with a cell.

    Examples
    --------
    >>> text = b'<graphml><graph edgedefault="directed"><node id="a"/><edge source="a" target="a"/></graph></graphml>'
    >>> read_graphml(text, "loop.graphml").names.to_list()
    ['a']
    """
    reader = _Reader(file)
    read_xml(data, file, reader, encoding)
    return reader.parts()


class _Reader(XmlReader):
    with_text = frozenset({"data", "default"})

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.directed: bool | None = None
        self.keys: dict[str, _Key] = {}
        self.defaults: list[tuple[_Key, Element]] = []

    def start(self, element: Element, parents: Sequence[Element]) -> None:
        name, parent = element.name, parents[-1].name if parents else ""
        if not parents and name != "graphml":
            raise self._fault(element, "this is no GraphML: the first element must be <graphml>", "say the format.")
        if any(above.name == "data" for above in parents):
            return  # some program's drawing
        if name == "graph":
            self._graph(element, parent)
        elif name == "node" and parent == "graph":
            self.gathering.vertex(self._said(element, "id"), element.line)
        elif name == "edge" and parent == "graph":
            self._edge(element)
        elif name == "hyperedge":
            raise self._fault(
                element, "a hyperedge has more than two ends", "replace it by edges between two vertices."
            )
        elif name == "port":
            self.gathering.has_ports = True
        elif name == "key":
            self._key(element)

    def end(self, element: Element, parents: Sequence[Element]) -> None:
        parent = parents[-1] if parents else element
        if element.name == "default" and parent.name == "key":
            self.defaults.append((self.keys[parent.attributes["id"]], element))
        elif element.name == "data" and parent.name in ("node", "edge"):
            self._data(element, parent.name)

    def parts(self) -> Parts:
        gathering = self.gathering
        if self.directed is None:
            raise FormatError(f"{gathering.file} holds no graph.", hint="it needs an element <graph>.")
        for key, element in self.defaults:
            if key.kind is not None:
                value = gathering.decoded(element.text, key.kind, key.name, element.line)
                for scope in key.scopes:
                    gathering.cells(scope).default(key.name, value)
        return gathering.parts(self.directed)

    def _graph(self, element: Element, parent: str) -> None:
        if parent != "graphml":
            raise self._fault(element, "a graph stands within another", "take the inner graph apart, or draw it level.")
        if self.directed is not None:
            raise self._fault(element, "a second graph starts", "put every graph into a file of its own.")
        self.directed = element.attributes.get("edgedefault") == "directed"

    def _edge(self, element: Element) -> None:
        said = element.attributes.get("directed", "").lower()
        is_directed = said in ("true", "1") if said else self.directed
        arrow = ONE_WAY if is_directed else NO_ARROW
        self.gathering.edge(self._said(element, "source"), self._said(element, "target"), arrow, element.line)
        self.gathering.has_ports |= not element.attributes.keys().isdisjoint(("sourceport", "targetport"))

    def _key(self, element: Element) -> None:
        said = element.attributes
        name, scopes = said.get("attr.name", self._said(element, "id")), _SCOPES.get(said.get("for", "all"), set())
        if "yfiles.type" in said:
            self.keys[said["id"]] = _Key(name, scopes, None)
            return
        kind = said.get("attr.type", "string").lower()
        if kind not in DECODERS:
            raise self._fault(element, "an attribute has an unknown type", f"allowed: {', '.join(DECODERS)}.")
        if any(key.name == name and key.scopes & scopes for key in self.keys.values()):
            raise self._fault(element, "an attribute has the name of another", "give each a name of its own.")
        self.keys[said["id"]] = _Key(name, scopes, kind)
        for scope in scopes:
            self.gathering.cells(scope).declare(name, DECODERS[kind][1])

    def _data(self, element: Element, parent: str) -> None:
        key = self.keys.get(self._said(element, "key"))
        if key is None or not (key.kind is None or parent in key.scopes):
            raise self._fault(element, "data of an attribute that is not declared", "declare it by a <key> at the top.")
        if key.kind is None or element.has_children:
            self.gathering.has_drawing = True
            return
        value = self.gathering.decoded(element.text, key.kind, key.name, element.line)
        self.gathering.put(parent, key.name, value)


def write_graphml(graph: Outgoing, file: IO[bytes]) -> None:
    """Write a graph as GraphML: names as ids, attributes with their types, and no word about who wrote it.

    Raises
    ------
    FormatError
        A text holds characters that XML cannot hold.

    Examples
    --------
    >>> import io
    >>> from celosia.graphs.files.outgoing import outgoing
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.base.chance import Randomness
    >>> file = io.BytesIO()
    >>> write_graphml(outgoing(Graph.of_edges([0], [0], directed=True), Randomness())[0], file)
    >>> print(file.getvalue().decode())
    <?xml version="1.0" encoding="UTF-8"?>
    <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
      <graph edgedefault="directed">
        <node id="0"/>
        <edge source="0" target="0"/>
      </graph>
    </graphml>
    """
    refuse_control_characters(graph)
    text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
    text.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    keys: dict[str, list[str]] = {"node": [], "edge": []}
    for scope, frame in (("node", graph.vertices), ("edge", graph.edges)):
        for column in frame.get_columns():
            key = f"d{len(keys['node']) + len(keys['edge'])}"
            name, kind = in_attribute(column.name), xml_type(column.dtype)
            text.write(f'  <key id="{key}" for="{scope}" attr.name="{name}" attr.type="{kind}"/>\n')
            keys[scope].append(key)
    text.write(f'  <graph edgedefault="{"directed" if graph.directed else "undirected"}">\n')
    ids = [in_attribute(str(name)) for name in graph.names]
    for name, cells in zip(ids, graph.vertex_texts(), strict=True):
        text.write(_element("node", f'id="{name}"', keys["node"], cells))
    for source, target, cells in graph.edge_texts():
        text.write(_element("edge", f'source="{ids[source]}" target="{ids[target]}"', keys["edge"], cells))
    text.write("  </graph>\n</graphml>\n")
    text.detach()


def _element(name: str, attributes: str, keys: Sequence[str], cells: Sequence[str | None]) -> str:
    inner = "".join(
        f'<data key="{key}">{in_element(cell)}</data>'
        for key, cell in zip(keys, cells, strict=True)
        if cell is not None
    )
    return f"    <{name} {attributes}>{inner}</{name}>\n" if inner else f"    <{name} {attributes}/>\n"
