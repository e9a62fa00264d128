"""GEXF, the format of Gephi: vertices, edges and typed attributes; the time of dynamic graphs is left aside."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import IO, NamedTuple

import polars as pl

from celosia.base.errors import FormatError
from celosia.graphs.files.gathering import DECODERS
from celosia.graphs.files.outgoing import Outgoing
from celosia.graphs.files.parts import NO_ARROW, ONE_WAY, TWO_WAYS, Parts
from celosia.graphs.files.xml import Element, XmlReader, in_attribute, read_xml, refuse_control_characters, xml_type

_ARROWS = {"undirected": NO_ARROW, "directed": ONE_WAY, "mutual": TWO_WAYS}
_TIMES = ("start", "end", "startopen", "endopen", "timestamp", "timestamps", "intervals")
_OWN = ("weight", "label", "kind")
"""What an edge may say of itself in its opening tag."""


class _Attribute(NamedTuple):
    """An attribute that the file declares; without a kind its values change over time."""

    name: str
    kind: str | None


def read_gexf(data: bytes, file: str, encoding: str | None = None) -> Parts:
    """Return the graph of a GEXF file of any version.

    A vertex is named by its label if every vertex has one of its own, else by its id. Weight, label and kind of an edge
    are attributes. Ids of edges, the description of the file, drawing data and time are left aside, and so are
    attributes that change over time.

    Raises
    ------
    FormatError
        The file is broken, has no graph or one within another, repeats a vertex, has an edge whose end is no vertex,
        or holds data of a wrong type. With the line, never with a cell.

    Examples
    --------
    >>> text = b'<gexf><graph><nodes><node id="0" label="Ana"/></nodes></graph></gexf>'
    >>> read_gexf(text, "ana.gexf").names.to_list()
    ['Ana']
    """
    reader = _Reader(file)
    read_xml(data, file, reader, encoding)
    return reader.parts()


class _Reader(XmlReader):
    with_text = frozenset({"default"})

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.default_arrow: int | None = None
        self.attributes: dict[tuple[str, str], _Attribute] = {}
        self.edge_kinds: dict[str, str] = {}

    def start(self, element: Element, parents: Sequence[Element]) -> None:
        name = element.name
        if not parents and name != "gexf":
            raise self._fault(element, "this is no GEXF: the first element must be <gexf>", "say the format.")
        if element.namespace.endswith("viz"):
            self.gathering.has_drawing = True
        elif name == "graph":
            self._graph(element)
        elif name == "attribute":
            self._attribute(element, parents[-1])
        elif name == "node":
            self._node(element, parents)
        elif name == "edge":
            self._edge(element)
        elif name == "attvalue" and len(parents) > 1:
            self._value(element, parents[-2])
        elif name in ("spell", "slice"):
            self.gathering.has_time = True

    def end(self, element: Element, parents: Sequence[Element]) -> None:
        if element.name == "default" and parents[-1].name == "attribute":
            scope = parents[-2].attributes.get("class", "node")
            attribute = self.attributes[scope, parents[-1].attributes["id"]]
            if attribute.kind is not None:
                value = self.gathering.decoded(element.text, attribute.kind, attribute.name, element.line)
                self.gathering.cells(scope).default(attribute.name, value)

    def parts(self) -> Parts:
        if self.default_arrow is None:
            raise FormatError(f"{self.gathering.file} holds no graph.", hint="it needs an element <graph>.")
        return self.gathering.parts(directed=self.default_arrow == ONE_WAY)

    def _graph(self, element: Element) -> None:
        if self.default_arrow is not None:
            raise self._fault(element, "a second graph starts", "put every graph into a file of its own.")
        self.default_arrow = self._arrow(element, "defaultedgetype", NO_ARROW)
        self._look_for_time(element)
        self.gathering.has_time |= element.attributes.get("mode") == "dynamic"

    def _attribute(self, element: Element, parent: Element) -> None:
        said, scope = element.attributes, parent.attributes.get("class", "node")
        if scope not in ("node", "edge"):
            raise self._fault(element, "attributes of an unknown class", "allowed: node, edge.")
        kind = said.get("type", "string").lower()
        name = said.get("title", self._said(element, "id"))
        if name == "networkx_key" and scope == "edge":
            kind = "key"
        elif kind not in DECODERS:
            kind = "string"  # anyURI, lists of texts: the text as it stands
        if any(own == scope and known.name == name for (own, _), known in self.attributes.items()):
            raise self._fault(element, "an attribute has the name of another", "give each a name of its own.")
        is_dynamic = parent.attributes.get("mode") == "dynamic"
        self.gathering.has_time |= is_dynamic
        self.attributes[scope, said["id"]] = _Attribute(name, None if is_dynamic or kind == "key" else kind)
        if is_dynamic or kind == "key":
            return
        if scope == "edge":
            self.edge_kinds[name] = kind
        self.gathering.cells(scope).declare(name, DECODERS[kind][1])

    def _node(self, element: Element, parents: Sequence[Element]) -> None:
        if "pid" in element.attributes or any(above.name == "node" for above in parents):
            raise self._fault(element, "a vertex stands within another", "take the hierarchy apart.")
        self.gathering.vertex(self._said(element, "id"), element.line, element.attributes.get("label"))
        self._look_for_time(element)

    def _edge(self, element: Element) -> None:
        arrow = self._arrow(element, "type", self.default_arrow or NO_ARROW)
        source, target = self._said(element, "source"), self._said(element, "target")
        row = self.gathering.edge(source, target, arrow, element.line)
        self._look_for_time(element)
        for name in _OWN:
            if name in element.attributes:
                if name not in self.edge_kinds:
                    self.edge_kinds[name] = "double" if name == "weight" else "string"
                    self.gathering.edges.declare(name, DECODERS[self.edge_kinds[name]][1])
                value = self.gathering.decoded(element.attributes[name], self.edge_kinds[name], name, element.line)
                self.gathering.edges.put(row, name, value)

    def _value(self, element: Element, owner: Element) -> None:
        if owner.name not in ("node", "edge"):
            return
        attribute = self.attributes.get((owner.name, element.attributes.get("for", element.attributes.get("id", ""))))
        if attribute is None:
            raise self._fault(element, "a value of an attribute that is not declared", "declare it by an <attribute>.")
        self._look_for_time(element)
        if attribute.kind is None:
            return
        value = self.gathering.decoded(self._said(element, "value"), attribute.kind, attribute.name, element.line)
        self.gathering.put(owner.name, attribute.name, value)

    def _arrow(self, element: Element, name: str, default: int) -> int:
        said = element.attributes.get(name)
        if said is None:
            return default
        if said not in _ARROWS:
            raise self._fault(element, "an edge has an unknown type", f"allowed: {', '.join(_ARROWS)}.")
        return _ARROWS[said]

    def _look_for_time(self, element: Element) -> None:
        self.gathering.has_time |= not element.attributes.keys().isdisjoint(_TIMES)


def write_gexf(graph: Outgoing, file: IO[bytes]) -> None:
    """Write a graph as GEXF 1.2: names as ids and labels, and neither creator nor date.

    Numbers called ``weight`` are the edges' own weights where every edge has one.

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
    >>> write_gexf(outgoing(Graph.of_edges([0], [0], directed=True), Randomness())[0], file)
    >>> print(file.getvalue().decode())
    <?xml version="1.0" encoding="UTF-8"?>
    <gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
      <graph mode="static" defaultedgetype="directed">
        <nodes>
          <node id="0" label="0"/>
        </nodes>
        <edges>
          <edge id="0" source="0" target="0"/>
        </edges>
      </graph>
    </gexf>
    """
    refuse_control_characters(graph)
    text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
    text.write('<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n')
    text.write(f'  <graph mode="static" defaultedgetype="{"directed" if graph.directed else "undirected"}">\n')
    for scope, frame in (("node", graph.vertices), ("edge", graph.edges)):
        _declare(text, scope, frame)
    ids = [in_attribute(str(name)) for name in graph.names]
    text.write("    <nodes>\n")
    for name, cells in zip(ids, graph.vertex_texts(), strict=True):
        text.write(_element("node", f'id="{name}" label="{name}"', cells))
    text.write("    </nodes>\n    <edges>\n")
    weight = _own_weight(graph.edges)
    for place, (source, target, cells) in enumerate(graph.edge_texts()):
        own = "" if weight is None else f' weight="{cells[weight]}"'
        others = [None if column == weight else cell for column, cell in enumerate(cells)]
        text.write(_element("edge", f'id="{place}" source="{ids[source]}" target="{ids[target]}"{own}', others))
    text.write("    </edges>\n  </graph>\n</gexf>\n")
    text.detach()


def _own_weight(edges: pl.DataFrame) -> int | None:
    """Return the place of the column that can stand in the tag of an edge."""
    if "weight" not in edges.columns:
        return None
    column = edges["weight"]
    return edges.columns.index("weight") if column.dtype.is_float() and not column.null_count() else None


def _declare(text: IO[str], scope: str, frame: pl.DataFrame) -> None:
    columns = [
        (place, column)
        for place, column in enumerate(frame.get_columns())
        if not (scope == "edge" and place == _own_weight(frame))
    ]
    if not columns:
        return
    text.write(f'    <attributes class="{scope}">\n')
    for place, column in columns:
        name, kind = in_attribute(column.name), xml_type(column.dtype)
        text.write(f'      <attribute id="{place}" title="{name}" type="{kind}"/>\n')
    text.write("    </attributes>\n")


def _element(name: str, attributes: str, cells: Sequence[str | None]) -> str:
    values = "".join(
        f'<attvalue for="{place}" value="{in_attribute(cell)}"/>'
        for place, cell in enumerate(cells)
        if cell is not None
    )
    inner = f"<attvalues>{values}</attvalues>" if values else ""
    return f"      <{name} {attributes}>{inner}</{name}>\n" if inner else f"      <{name} {attributes}/>\n"
