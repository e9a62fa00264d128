"""GraphML, GEXF, GML and Pajek against networkx, and what their files may hold besides."""

from __future__ import annotations

import io
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import polars as pl
import pytest
from file_graphs import ODD, edge_rows, graphs, vertex_rows
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import FormatError, InputError
from celosia.graphs.files import read, to_networkx, write
from celosia.graphs.graph import Graph

WRITERS: dict[str, Callable[..., None]] = {
    "graphml": nx.write_graphml,
    "gexf": nx.write_gexf,
    "gml": nx.write_gml,
    "net": nx.write_pajek,
}
READERS: dict[str, Callable[..., Any]] = {
    "graphml": nx.read_graphml,
    "gexf": nx.read_gexf,
    "gml": nx.read_gml,
    "net": nx.read_pajek,
}
FAMOUS = {
    "karate": nx.karate_club_graph,
    "davis": nx.davis_southern_women_graph,
    "florentine": nx.florentine_families_graph,
    "miserables": nx.les_miserables_graph,
}


def nx_edges(graph: Any) -> Counter[tuple[str, ...]]:
    ends = ((str(u), str(v)) for u, v in graph.edges())
    return Counter(pair if graph.is_directed() else tuple(sorted(pair)) for pair in ends)


def ends_of(graph: Graph) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for row, count in edge_rows(graph).items():
        found[row[:2]] += count
    return found


def text_file(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def line_of_more(template: str) -> int:
    return template[: template.index("{more}")].count("\n") + 1


@pytest.mark.parametrize("famous", FAMOUS)
@pytest.mark.parametrize("suffix", WRITERS)
def test_files_of_networkx_are_read_as_networkx_means_them(tmp_path: Path, suffix: str, famous: str) -> None:
    original = FAMOUS[famous]()
    original.graph.clear()  # lists, which networkx does not write
    path = tmp_path / f"graph.{suffix}"
    if suffix == "net":
        original = nx.Graph(original.edges(data=True))  # Pajek takes no numbers as attributes of vertices
    WRITERS[suffix](original, path)
    graph = read(path, bipartite=False)
    assert set(graph.names) == {str(vertex) for vertex in original}
    assert ends_of(graph) == nx_edges(original)
    assert not graph.directed
    weights = nx.get_edge_attributes(original, "weight")
    if any(weight != 1 for weight in weights.values()):
        assert sorted(graph.edges["weight"]) == sorted(weights.values())
    if suffix != "net":
        for name in {name for _, data in original.nodes(data=True) for name in data}:
            expected = {str(vertex): data.get(name) for vertex, data in original.nodes(data=True)}
            assert dict(zip(graph.names, graph.vertices[name], strict=True)) == expected


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("suffix", WRITERS)
def test_every_kind_of_graph(tmp_path: Path, suffix: str, kind: Any) -> None:
    original = kind([("a", "b"), ("b", "a"), ("b", "b"), ("b", "c"), ("b", "c")])
    original.add_node("alone")
    path = tmp_path / f"graph.{suffix}"
    WRITERS[suffix](original, path)
    graph = read(path)
    assert ends_of(graph) == nx_edges(original)
    assert set(graph.names) == set(original)
    assert (graph.directed, graph.multigraph) == (original.is_directed(), original.is_multigraph())


@pytest.mark.parametrize("suffix", READERS)
@given(data=st.data())
def test_networkx_reads_what_is_written(suffix: str, data: st.DataObject) -> None:
    graph = data.draw(graphs(alphabet=ODD, with_attributes=False, bipartite=False, min_vertices=1))
    path = Path(tempfile.mkdtemp(), f"graph.{suffix}")
    names = [str(name) for name in write(graph, path)]
    back = READERS[suffix](path)
    assert set(back) == set(names)
    ends = Counter(
        (names[u], names[v]) if graph.directed else tuple(sorted((names[u], names[v])))
        for u, v in zip(graph.source.tolist(), graph.target.tolist(), strict=True)
    )
    assert nx_edges(back) == ends


@given(graph=graphs())
def test_networkx_and_back(graph: Graph) -> None:
    back = read(to_networkx(graph))
    assert (back.directed, back.multigraph) == (graph.directed, graph.multigraph)
    assert vertex_rows(back) == vertex_rows(graph)
    assert edge_rows(back) == edge_rows(graph)


def test_networkx_attributes_keep_their_types() -> None:
    original = nx.Graph()
    original.add_node(1, age=39, share=0.5, alive=True, job="clerk", path=[1, 2])
    original.add_node(2, age=None, share=1, alive=False, job="judge", odd=3)
    original.add_edge(1, 2, weight=float("nan"))
    graph = read(original)
    assert graph.names.to_list() == [1, 2]
    assert graph.vertices.to_dict(as_series=False) == {
        "age": [39, None],
        "share": [0.5, 1.0],
        "alive": [True, False],
        "job": ["clerk", "judge"],
        "odd": [None, 3],
    }
    assert graph.edges["weight"].to_list() == [None]
    assert [finding.code for finding in graph.findings] == ["NESTED_ATTRIBUTE"]


def test_vertices_of_networkx_with_one_text_are_refused() -> None:
    with pytest.raises(FormatError, match="same text"):
        read(nx.Graph([(1, "1")]))
    assert read(nx.grid_2d_graph(2, 2)).names.to_list() == ["(0, 0)", "(0, 1)", "(1, 0)", "(1, 1)"]
    assert read(nx.Graph([(2**70, 1)])).names.to_list() == [str(2**70), "1"]
    assert read(nx.Graph()).n_vertices == 0


GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="colour" attr.type="string"><default>grey</default></key>
  <key id="d1" for="edge" attr.name="km" attr.type="double"/>
  <key id="d2" for="all" attr.name="seen" attr.type="boolean"/>
  <key id="d3" for="node" yfiles.type="nodegraphics"/>
  <graph id="G" edgedefault="{default}">
    <data key="d2">true</data>
    <desc>nobody</desc>
    <edge id="e0" source="b" target="a"{said}><data key="d1">3.5</data></edge>
    <node id="a"><data key="d0">r&#233;d &amp; blue</data><data key="d2">1</data></node>
    <node id="b"><data key="d3"><shape><graph/><port/></shape></data></node>
    {more}
  </graph>
</graphml>
"""


def graphml(tmp_path: Path, *, default: str = "undirected", said: str = "", more: str = "") -> Path:
    return text_file(tmp_path, "graph.graphml", GRAPHML.format(default=default, said=said, more=more))


def test_graphml_defaults_types_and_drawings(tmp_path: Path) -> None:
    graph = read(graphml(tmp_path))
    assert graph.names.to_list() == ["a", "b"]
    assert graph.vertices.to_dict(as_series=False) == {"colour": ["réd & blue", "grey"], "seen": [True, None]}
    assert graph.edges.to_dict(as_series=False) == {"km": [3.5], "seen": [None]}
    assert [finding.code for finding in graph.findings] == ["DRAWING_LEFT_ASIDE"]
    assert not graph.directed


def test_graphml_ports_are_told(tmp_path: Path) -> None:
    graph = read(graphml(tmp_path, said=' sourceport="north"'))
    assert "PORTS_LEFT_ASIDE" in [finding.code for finding in graph.findings]
    graph = read(graphml(tmp_path, more='<node id="c"><port name="north"/></node>'))
    assert "PORTS_LEFT_ASIDE" in [finding.code for finding in graph.findings]


def test_the_direction_of_single_edges(tmp_path: Path) -> None:
    assert read(graphml(tmp_path, said=' directed="true"')).directed
    mixed = graphml(tmp_path, default="directed", more='<edge source="a" target="a" directed="false"/>')
    with pytest.raises(FormatError, match="mixes edges"):
        read(mixed)
    assert ends_of(read(mixed, directed=True)) == Counter([("b", "a"), ("a", "a")])
    more = '<node id="c"/><edge source="a" target="c" directed="false"/>'
    mixed = graphml(tmp_path, default="directed", more=more)
    assert ends_of(read(mixed, directed=True)) == Counter([("b", "a"), ("a", "c"), ("c", "a")])
    assert ends_of(read(mixed, directed=False)) == Counter([("a", "b"), ("a", "c")])


def test_edges_without_direction_lead_both_ways_on_request(tmp_path: Path) -> None:
    graph = read(graphml(tmp_path, more='<edge source="a" target="a"/>'), directed=True)
    assert edge_rows(graph) == Counter(
        [("b", "a", ("km", 3.5)), ("a", "b", ("km", 3.5)), ("a", "a")]  # a loop leads back by itself
    )


@pytest.mark.parametrize(
    ("more", "match"),
    [
        ('<hyperedge><endpoint node="a"/></hyperedge>', "hyperedge"),
        ('<node id="c"><graph edgedefault="directed"/></node>', "within another"),
        ('<node id="a"/>', "comes up again"),
        ("<node/>", "lacks 'id'"),
        ('<edge source="a"/>', "lacks 'target'"),
        ('<node id="c"><data key="d9">1</data></node>', "not declared"),
        ('<node id="c"><data key="d1">1</data></node>', "not declared"),
        ('<edge source="a" target="b"><data key="d1">SECRET</data></edge>', "not of the type"),
        ('<edge source="a" target="b"><data key="d2">SECRET</data></edge>', "not of the type"),
        ('<edge source="a" target="SECRET"/>', "does not hold"),
        ("</graph><graph>", "second graph"),
    ],
)
def test_broken_graphml(tmp_path: Path, more: str, match: str) -> None:
    with pytest.raises(FormatError, match=match) as caught:
        read(graphml(tmp_path, more=more))
    assert f"line {line_of_more(GRAPHML)}" in str(caught.value)
    assert "SECRET" not in str(caught.value)
    assert caught.value.hint


def test_graphml_that_is_cut_short(tmp_path: Path) -> None:
    whole = graphml(tmp_path).read_text()
    for length in range(0, len(whole) - 10, 7):
        with pytest.raises(FormatError, match=r"not well-formed|is empty"):
            read(text_file(tmp_path, "cut.graphml", whole[:length]))


@pytest.mark.parametrize(
    ("key", "match"),
    [
        ('<key id="d9" for="node" attr.name="colour" attr.type="string"/>', "name of another"),
        ('<key id="d9" for="node" attr.name="x" attr.type="list"/>', "unknown type"),
        ('<key for="node" attr.name="x"/>', "lacks 'id'"),
    ],
)
def test_broken_keys_of_graphml(tmp_path: Path, key: str, match: str) -> None:
    text = GRAPHML.format(default="directed", said="", more="").replace("  <graph id", key + "\n  <graph id")
    with pytest.raises(FormatError, match=match):
        read(text_file(tmp_path, "graph.graphml", text))


def test_a_whole_number_of_graphml_beyond_64_bits(tmp_path: Path) -> None:
    text = GRAPHML.format(default="directed", said="", more=f'<node id="c"><data key="n">{2**63}</data></node>')
    text = text.replace("  <graph id", '<key id="n" for="node" attr.name="n" attr.type="long"/>\n  <graph id')
    with pytest.raises(FormatError, match="not of the type"):
        read(text_file(tmp_path, "graph.graphml", text))
    fits = text.replace(str(2**63), str(2**63 - 1))
    assert read(text_file(tmp_path, "graph.graphml", fits)).vertices["n"][2] == 2**63 - 1


BOMBS = {
    "laughs": '<!DOCTYPE x [<!ENTITY a "SECRET"><!ENTITY b "&a;&a;&a;&a;">]><graphml><desc>&b;</desc></graphml>',
    "external": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><graphml><desc>&a;</desc></graphml>',
    "parameter": '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://localhost:1/x"> %a;]><graphml/>',
    "dtd": '<!DOCTYPE graphml SYSTEM "http://localhost:1/graphml.dtd"><graphml/>',
}


@pytest.mark.parametrize("suffix", ["graphml", "gexf"])
@pytest.mark.parametrize("bomb", BOMBS)
def test_document_types_and_entities_are_refused(tmp_path: Path, bomb: str, suffix: str) -> None:
    text = '<?xml version="1.0"?>\n' + BOMBS[bomb].replace("graphml", suffix)
    with pytest.raises(FormatError, match=r"line 2 of .* declares a document type") as caught:
        read(text_file(tmp_path, f"graph.{suffix}", text))
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "windows-1252", "cp1250", "gb2312"])
def test_the_encoding_that_an_xml_file_declares(tmp_path: Path, encoding: str) -> None:
    name = "中" if encoding == "gb2312" else "é"
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    text = f'<?xml version="1.0" encoding="{declared}"?><graphml><graph><node id="{name}"/></graph></graphml>'
    path = tmp_path / "graph.graphml"
    path.write_bytes(text.encode(encoding))
    assert read(path).names.to_list() == [name]


def test_a_wrong_encoding_of_xml(tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    path.write_bytes('<graphml>\n<graph><node id="é"/></graph></graphml>'.encode("latin-1"))
    with pytest.raises(FormatError, match="line 2"):
        read(path)
    assert read(path, encoding="latin-1").names.to_list() == ["é"]
    path.write_text('<?xml version="1.0" encoding="klingon"?><graphml/>')
    with pytest.raises(InputError, match="not a text encoding"):
        read(path)


def test_other_xml_is_no_graph(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no GraphML"):
        read(text_file(tmp_path, "graph.xml", "<html/>"))
    with pytest.raises(FormatError, match="no GEXF"):
        read(text_file(tmp_path, "graph.gexf", "<graphml/>"))
    for suffix in ("graphml", "gexf"):
        with pytest.raises(FormatError, match="holds no graph"):
            read(text_file(tmp_path, f"graph.{suffix}", f"<{suffix}/>"))
        with pytest.raises(FormatError, match="nests more than"):
            read(text_file(tmp_path, f"graph.{suffix}", f"<{suffix}>" + "<a>" * 300))


GEXF = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" version="1.2">
  <meta lastmodifieddate="2009-03-20"><creator>Ana</creator></meta>
  <graph defaultedgetype="{default}"{mode}>
    <attributes class="node">
      <attribute id="0" title="url" type="anyURI"/>
      <attribute id="1" title="frog" type="boolean"><default>true</default></attribute>
    </attributes>
    <attributes class="edge"{mode}><attribute id="0" title="speed" type="float"/></attributes>
    <nodes>
      <node id="0" label="Gephi">
        <attvalues><attvalue for="0" value="http://gephi.org"/><attvalue for="1" value="false"/></attvalues>
        <viz:color r="1" g="2" b="3"/>
      </node>
      <node id="1" label="{label}"/>
    </nodes>
    <edges>
      <edge id="0" source="0" target="1" weight="2.5" label="likes"{said}>
        <attvalues><attvalue for="0" value="1.5"/></attvalues>
      </edge>
      {more}
    </edges>
  </graph>
</gexf>
"""


def gexf(tmp_path: Path, **places: str) -> Path:
    places = {"default": "undirected", "mode": "", "label": "Webatlas", "said": "", "more": ""} | places
    return text_file(tmp_path, "graph.gexf", GEXF.format(**places))


def test_gexf_attributes_labels_and_drawings(tmp_path: Path) -> None:
    graph = read(gexf(tmp_path))
    assert graph.names.to_list() == ["Gephi", "Webatlas"]
    assert graph.vertices.to_dict(as_series=False) == {"url": ["http://gephi.org", None], "frog": [False, True]}
    assert graph.edges.to_dict(as_series=False) == {"speed": [1.5], "weight": [2.5], "label": ["likes"]}
    assert [finding.code for finding in graph.findings] == ["DRAWING_LEFT_ASIDE"]
    assert read(gexf(tmp_path, label="Gephi")).names.to_list() == ["0", "1"]  # a label that does not tell apart


def test_gexf_time_is_left_aside_and_told(tmp_path: Path) -> None:
    graph = read(gexf(tmp_path, mode=' mode="dynamic"', said=' start="1" end="2"'))
    assert "TIME_LEFT_ASIDE" in [finding.code for finding in graph.findings]
    assert "speed" not in graph.edges.columns
    spells = '<edge source="1" target="0"><spells><spell start="1" end="2"/></spells></edge>'
    assert "TIME_LEFT_ASIDE" in [finding.code for finding in read(gexf(tmp_path, more=spells)).findings]
    assert "TIME_LEFT_ASIDE" not in [finding.code for finding in read(gexf(tmp_path)).findings]


def test_gexf_mutual_edges(tmp_path: Path) -> None:
    both = gexf(tmp_path, default="directed", said=' type="mutual"')
    assert ends_of(read(both)) == Counter([("Gephi", "Webatlas"), ("Webatlas", "Gephi")])
    assert ends_of(read(both, directed=False)) == Counter([("Gephi", "Webatlas")])


@pytest.mark.parametrize(
    ("more", "match"),
    [
        ('<edge source="0" target="SECRET"/>', "does not hold"),
        ('<edge source="0"/>', "lacks 'target'"),
        ('<edge source="0" target="1" type="SECRET"/>', "unknown type"),
        ('<edge source="0" target="1" weight="SECRET"/>', "not of the type"),
        ('<edge source="0" target="1"><attvalues><attvalue for="9" value="1"/></attvalues></edge>', "not declared"),
        ('<node id="2" pid="0"/>', "within another"),
        ('<node id="2"><nodes><node id="3"/></nodes></node>', "within another"),
        ('<node id="0"/>', "comes up again"),
    ],
)
def test_broken_gexf(tmp_path: Path, more: str, match: str) -> None:
    with pytest.raises(FormatError, match=match) as caught:
        read(gexf(tmp_path, more=more))
    assert f"line {line_of_more(GEXF)}" in str(caught.value)
    assert "SECRET" not in str(caught.value)


GML = """Creator "Mark"  # a comment [
graph
[
  directed {directed}
  node [ id 1 label "caf&#233; &amp; co" age 39 graphics [ x 1.0 y 2.0 ] ]
  node [ id 2 label "B" share .5 big 99999999999999999999 ]
  edge [ source 1 target 2 value -1.5E-3 ]
  {more}
]
"""


def gml(tmp_path: Path, more: str = "", directed: str = "0") -> Path:
    return text_file(tmp_path, "graph.gml", GML.format(more=more, directed=directed))


def test_gml_values_and_labels(tmp_path: Path) -> None:
    graph = read(gml(tmp_path))
    assert graph.names.to_list() == ["café & co", "B"]
    assert graph.vertices.to_dict(as_series=False) == {
        "age": [39, None],
        "share": [None, 0.5],
        "big": [None, "99999999999999999999"],
    }
    assert graph.edges["value"].to_list() == [-0.0015]
    assert [finding.code for finding in graph.findings] == ["DRAWING_LEFT_ASIDE"]
    assert read(gml(tmp_path, directed="1")).directed
    assert read(gml(tmp_path, more='node [ id 3 label "B" ]')).names.to_list() == ["1", "2", "3"]
    assert read(gml(tmp_path, more="edge [ source 2 target 1 ]")).multigraph


@pytest.mark.parametrize(
    ("more", "line", "match"),
    [
        ("node [ id 1 ]", 8, "comes up again"),
        ("node [ label 7 ]", 8, "no id"),
        ("node [ id 7 graph [ ] ]", 8, "within a vertex"),
        ("edge [ source 1 ]", 8, "no target"),
        ("edge [ source 1 target 77 ]", 8, "does not hold"),
        ('node [ id 3 label "SECRET ]', 8, "never closed"),
        ("node [ id 3", 9, "still open"),
        ("node [ 3 ]", 8, "name of a key"),
        ("node [ id ]", 8, "no value"),
        ("] ]", 8, "never opened"),
        ("] graph [", 8, "second graph"),
        ("node [ id {SECRET} ]", 8, "does not know"),
        ("a [ " * 300, 8, "nested"),
    ],
)
def test_broken_gml(tmp_path: Path, more: str, line: int, match: str) -> None:
    with pytest.raises(FormatError, match=match) as caught:
        read(gml(tmp_path, more=more))
    assert f"line {line}" in str(caught.value)
    assert "SECRET" not in str(caught.value)


def test_gml_without_a_graph(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no graph"):
        read(text_file(tmp_path, "graph.gml", "node [ id 1 ]"))


def test_hostile_comments_of_gml_take_no_time(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(text_file(tmp_path, "graph.gml", "graph [ " + "# " * 20_000 + "\n" + "#\n" * 20_000 + "{"))


def test_repeated_keys_of_gml_are_told(tmp_path: Path) -> None:
    graph = read(gml(tmp_path, more="node [ id 3 age 1 age 2 ]"))
    assert "age" not in graph.vertices.columns
    assert "NESTED_ATTRIBUTE" in [finding.code for finding in graph.findings]


PAJEK = """% a comment
*Network friends
*Vertices 4{side}
1 "Ana Ruiz" 0.1 0.2 0.5 box ic Red age "39"
2 "Eva"
3 Luis 0.0 0.0 ellipse age 44
{section}
{lines}
"""


def pajek(tmp_path: Path, section: str, lines: str, side: str = "") -> Path:
    return text_file(tmp_path, "graph.net", PAJEK.format(section=section, lines=lines, side=side))


def test_pajek_vertices_and_lines(tmp_path: Path) -> None:
    graph = read(pajek(tmp_path, "*Edges", '1 2 3.5 c Blue l "met [x]"\n3 4 [1-2]'))
    assert graph.names.to_list() == ["1", "2", "3", "4"]  # the fourth has no label
    assert graph.vertices.to_dict(as_series=False) == {"age": ["39", None, "44", None]}
    assert graph.edges.to_dict(as_series=False) == {"label": ["met [x]", None], "weight": [3.5, 1.0]}
    assert {finding.code for finding in graph.findings} == {"DRAWING_LEFT_ASIDE", "TIME_LEFT_ASIDE"}


def test_pajek_lists_of_lines_and_matrices(tmp_path: Path) -> None:
    graph = read(pajek(tmp_path, "*Arcslist", "1 2 3\n2 1"))
    assert graph.directed
    assert ends_of(graph) == Counter([("1", "2"), ("1", "3"), ("2", "1")])
    assert ends_of(read(pajek(tmp_path, "*Edgeslist", "1 2 3"))) == Counter([("1", "2"), ("1", "3")])
    graph = read(pajek(tmp_path, "*Matrix", "0 1 0 0\n1 0 2 0\n0 2 0 0\n0 0 0 0"))
    assert edge_rows(graph) == Counter([("1", "2", ("weight", 1.0)), ("2", "3", ("weight", 2.0))])
    assert not graph.directed
    assert read(pajek(tmp_path, "*Matrix", "0 1 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0")).directed


def test_pajek_arcs_and_edges_together(tmp_path: Path) -> None:
    path = pajek(tmp_path, "*Arcs", "1 2\n*Edges\n2 3")
    with pytest.raises(FormatError, match="mixes"):
        read(path)
    assert ends_of(read(path, directed=True)) == Counter([("1", "2"), ("2", "3"), ("3", "2")])


def test_pajek_relations_are_an_attribute(tmp_path: Path) -> None:
    graph = read(pajek(tmp_path, '*Edges :1 "likes"', '1 2\n*Edges :2 "fears"\n1 2'))
    assert graph.multigraph
    assert sorted(graph.edges["relation"]) == ["1", "2"]


def test_pajek_two_mode_networks_are_bipartite(tmp_path: Path) -> None:
    graph = read(pajek(tmp_path, "*Edges", "1 3\n2 4", side=" 2"))
    assert graph.sides is not None
    assert graph.sides.tolist() == [0, 0, 1, 1]
    graph = read(pajek(tmp_path, "*Matrix", "1 0\n0 1", side=" 2"))
    assert ends_of(graph) == Counter([("1", "3"), ("2", "4")])
    with pytest.raises(InputError, match=r"1 edges of .* same side"):
        read(pajek(tmp_path, "*Edges", "1 2\n2 4", side=" 2"))


@pytest.mark.parametrize(
    ("section", "lines", "match"),
    [
        ("*Edges", "1", "line 8 .* one end"),
        ("*Edges", "1 9", "line 8 .* number of a vertex"),
        ("*Edges", "1 SECRET", "line 8 .* number of a vertex"),
        ("*Edges", '1 2 1 l "SECRET', "line 8 .* never closed"),
        ("*Edges", "1 2 1 SECRET", "line 8 .* alone"),
        ("1 again", "", "line 7 .* comes up again"),
        ("*Partition SECRET", "1", "line 7 .* no part of a network"),
        ("*Vertices 3", "", "line 7 .* second network"),
        ("*Network two", "", "line 7 .* second network"),
        ("*Matrix", "0 1\n1 0", "line 8 .* 2 entries instead of 4"),
        ("*Matrix", "0 1 SECRET 0", "line 8 .* entry 3"),
        ("*Matrix", "0 0 0 0", "1 rows"),
    ],
)
def test_broken_pajek(tmp_path: Path, section: str, lines: str, match: str) -> None:
    with pytest.raises(FormatError, match=match) as caught:
        read(pajek(tmp_path, section, lines))
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("1 2\n", "before any section"),
        ("*Edges\n1 2\n", "before the vertices"),
        ("*Vertices many\n", "wants the number"),
        ("*Vertices 2 3\n", "too large"),
        ("*Vertices 2000000000\n", "too large"),
        ("% nothing\n", "no network"),
    ],
)
def test_broken_starts_of_pajek(tmp_path: Path, text: str, match: str) -> None:
    with pytest.raises(FormatError, match=match):
        read(text_file(tmp_path, "graph.net", text))


def test_parallel_edges_make_a_multigraph_or_are_merged(tmp_path: Path) -> None:
    path = graphml(tmp_path, more='<edge source="a" target="b"><data key="d1">9</data></edge>')
    assert read(path).multigraph
    merged = read(path, multigraph=False)
    assert merged.n_edges == 1
    assert [finding.code for finding in merged.findings] == [
        "DRAWING_LEFT_ASIDE",
        "DUPLICATE_EDGES",
        "CONFLICTING_EDGES",
    ]


def test_leaving_directions_aside_does_not_make_a_multigraph(tmp_path: Path) -> None:
    path = graphml(tmp_path, default="directed", more='<edge source="a" target="b"/>')
    graph = read(path, directed=False)
    assert not graph.multigraph
    assert graph.n_edges == 1


def test_bipartite_attributes_of_networkx(tmp_path: Path) -> None:
    davis = nx.davis_southern_women_graph()
    graph = read(davis)
    assert graph.sides is not None
    assert dict(zip(graph.names, graph.sides.tolist(), strict=True)) == nx.get_node_attributes(davis, "bipartite")
    assert "bipartite" not in graph.vertices.columns
    assert read(davis, bipartite=False).vertices.columns == ["bipartite"]
    davis.graph.clear()
    nx.write_graphml(davis, tmp_path / "davis.graphml")
    assert read(tmp_path / "davis.graphml").sides is not None
    davis.add_edge("Evelyn Jefferson", "Laura Mandeville")
    with pytest.raises(InputError, match="1 edges"):
        read(davis)
    assert read(davis, bipartite=False).n_edges == davis.number_of_edges()
    davis.nodes["E1"]["bipartite"] = 7
    assert read(davis).sides is None
    with pytest.raises(FormatError, match="not 0 or 1"):
        read(davis, bipartite=True)
    with pytest.raises(InputError, match="does not say which side"):
        read(nx.path_graph(2), bipartite=True)


@pytest.mark.parametrize(
    ("format", "vertices", "edges", "match"),
    [
        ("graphml", {"a": ["\x01"]}, {}, "control characters"),
        ("gexf", {}, {"a\x02": ["x"]}, "control characters"),
        ("gml", {"año": [1]}, {}, "no name in GML"),
        ("gml", {"label": [1]}, {}, "word of GML"),
        ("gml", {}, {"source": [1]}, "word of GML"),
        ("pajek", {"a": ['5"']}, {}, "quote or a line end"),
        ("pajek", {"ic": ["x"]}, {}, "Pajek cannot hold"),
        ("pajek", {}, {"a b": ["x"]}, "Pajek cannot hold"),
        ("csv", {}, {"source": [1]}, "called 'source'"),
        ("edgelist", {}, {"a": ["x y"]}, "hold blanks"),
        ("edgelist", {}, {"a": [None]}, "missing"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(
    tmp_path: Path, format: str, vertices: dict[str, list[Any]], edges: dict[str, list[Any]], match: str
) -> None:
    graph = Graph.of_edges([0], [0], vertices=pl.DataFrame(vertices), edges=pl.DataFrame(edges))
    with pytest.raises(FormatError, match=match) as caught:
        write(graph, tmp_path / "graph", format=format)
    assert caught.value.hint
    assert not list(tmp_path.iterdir())


def test_graphml_is_what_the_standard_says(tmp_path: Path) -> None:
    """Not by our own reader: networkx must see the types."""
    graph = Graph.of_edges(
        [0],
        [1],
        vertices=pl.DataFrame({"n": [1, 2], "x": [0.5, None], "t": ["<&>", " "], "b": [True, False]}),
        edges=pl.DataFrame({"weight": [2.5]}),
    )
    names = write(graph, tmp_path / "graph.graphml").to_list()
    back = nx.read_graphml(io.BytesIO((tmp_path / "graph.graphml").read_bytes()))
    assert back.nodes[str(names[0])] == {"n": 1, "x": 0.5, "t": "<&>", "b": True}
    assert back.nodes[str(names[1])] == {"n": 2, "t": " ", "b": False}
    assert back.edges[str(names[0]), str(names[1])] == {"weight": 2.5}
