"""A written release: whole or not at all, read back before it is placed, and without a trace of who is who."""

from __future__ import annotations

import hashlib
import json
import stat
import subprocess
import sys
from dataclasses import replace

import networkx as nx
import numpy as np
import polars as pl
import pytest
from leaks import leaks

import celosia as cl
from celosia.base.errors import AuditError, InputError, OptionError
from celosia.graphs.auditing import audit_file
from celosia.graphs.graph import Graph
from celosia.graphs.models import DegreeAnonymity, NeighbourhoodAnonymity
from celosia.graphs.transforms.base import Edited
from celosia.jobs.graphs import release as release_module
from celosia.jobs.graphs import running
from celosia.jobs.graphs.release import GraphRelease
from celosia.jobs.graphs.release_page import render_release
from celosia.jobs.graphs.running import run
from celosia.masks import Generalise

FORMATS = ("csv", "tsv", "edgelist", "graphml", "gexf", "gml", "pajek", "parquet", "arrow")
N = 8
NAMES = [f"canaria{place}" for place in range(N)]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """No other models are tried: what they cost has tests of its own."""
    monkeypatch.setattr(release_module, "are_cheap", lambda graph: False)


def ring(n=N, **options) -> Graph:
    names = pl.Series([f"canaria{place}" for place in range(n)])
    return Graph.of_edges(range(n), [(v + 1) % n for v in range(n)], names=names, name="ring.csv", **options)


def people(n=N) -> pl.DataFrame:
    return pl.DataFrame({"town": ["norte", "sur"] * (n // 2), "age": [30 + place for place in range(n)]})


def released(graph: Graph | None = None, **options) -> GraphRelease:
    return run(ring() if graph is None else graph, DegreeAnonymity(2), **options)


def plain_file(folder, form, graph: Graph) -> Graph:
    beside = next(iter(folder.glob("vertices.*")), None)
    return cl.graphs.read(
        folder / f"graph.{form}",
        format=form,
        directed=graph.directed,
        bipartite=graph.sides is not None,
        vertices=beside,
    )


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("directed", [False, True])
def test_every_format_comes_back(tmp_path, form, directed):
    edges = pl.DataFrame({"km": [1.5, 2.0, 3.25, 4.0, 5.0, 6.0, 7.0, 8.0]})
    release = released(ring(directed=directed, vertices=people(), edges=edges))
    folder = release.write(tmp_path / "out", format=form)
    back = plain_file(folder, form, release.graph)
    assert (back.n_vertices, back.n_edges, back.directed) == (N, N, directed)
    assert sorted(back.out.degrees.tolist()) == sorted(release.graph.out.degrees.tolist())
    rows = sorted(zip(back.vertices["town"].to_list(), map(int, back.vertices["age"].to_list()), strict=True))
    assert rows == sorted(people().rows())
    assert sorted(map(float, back.edges["km"].to_list())) == edges["km"].to_list()


def test_a_matrix(tmp_path):
    release = released()
    folder = release.write(tmp_path / "out", format="matrix")
    assert sorted(path.name for path in folder.iterdir()) == ["graph.matrix", "internal"]
    assert plain_file(folder, "matrix", release.graph).n_edges == N


def test_a_matrix_of_weights(tmp_path):
    graph = ring(edges=pl.DataFrame({"km": [1.5, 2.0, 3.25, 4.0, 5.0, 6.0, 7.0, 8.0]}), weight="km")
    folder = released(graph).write(tmp_path / "out", format="matrix")
    assert "3.25" in (folder / "graph.matrix").read_text()
    with pytest.raises(InputError, match="cannot hold the attribute"):
        released(replace(graph, weight=None)).write(tmp_path / "other", format="matrix")
    assert not (tmp_path / "other").exists()


def test_vertices_have_a_file_only_where_it_is_needed(tmp_path):
    assert not list(released().write(tmp_path / "a").glob("vertices.*"))
    lonely = Graph.of_edges([0, 2], [1, 3], 6)
    assert list(released(lonely).write(tmp_path / "b", format="parquet").glob("vertices.parquet"))
    assert list(released(lonely).write(tmp_path / "c", format="edgelist").glob("vertices.csv"))
    assert not list(released(lonely).write(tmp_path / "d", format="gml").glob("vertices.*"))


def test_a_file_with_other_sides_is_rejected(tmp_path):
    graph = Graph.of_edges([0, 0, 1, 1], [2, 3, 2, 3], sides=[0, 0, 1, 1])
    names = cl.graphs.write(graph, tmp_path / "graph.csv", vertices=tmp_path / "vertices.csv")
    places = (tmp_path / "graph.csv", tmp_path / "vertices.csv", "csv")
    audit_file(*places, graph, names, [])
    with pytest.raises(AuditError, match="other sides"):
        audit_file(*places, replace(graph, sides=1 - graph.sides), names, [])


def test_sides_come_back(tmp_path):
    graph = Graph.of_edges([0, 0, 1, 1], [2, 3, 2, 3], 6, sides=[0, 0, 1, 1, 0, 0])
    for form in ("csv", "graphml", "matrix", "parquet"):
        release = run(graph, NeighbourhoodAnonymity(2))
        folder = release.write(tmp_path / form, format=form)
        back = plain_file(folder, form, release.graph)
        assert sorted(back.sides.tolist()) == [0, 0, 0, 0, 1, 1]


def test_an_emptied_graph_is_written_all_the_same(tmp_path, monkeypatch):
    nothing = np.zeros(0, dtype=np.int32)
    monkeypatch.setattr(running, "transformed", lambda task, models: Edited(nothing, nothing))
    for form in ("csv", "graphml", "matrix", "parquet"):
        folder = run(ring(vertices=people()), NeighbourhoodAnonymity(N), drop=["age"]).write(
            tmp_path / form, format=form
        )
        assert plain_file(folder, form, ring()).n_edges == 0
        assert "emptied" in (folder / "internal" / "report.html").read_text()


# Nobody is told who is who --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_no_name_is_anywhere_in_the_folder(tmp_path, form):
    release = released(ring(vertices=people()), seed=7)
    folder = release.write(tmp_path / "out", format=form)
    assert leaks(folder, ["canaria"]) == []
    assert "canaria" not in json.dumps(release.summary)
    assert "canaria" not in repr(release) + render_release(release, "es")


def test_the_order_is_nowhere(tmp_path):
    """Files of many runs without a seed: whoever comes first in the file changes."""
    graph = Graph.of_edges([0, 2, 4, 6], [1, 3, 5, 7], vertices=pl.DataFrame({"age": [30 + v for v in range(8)]}))
    firsts = set()
    for place in range(40):  # no more than three of eight by chance: once in 10^15
        folder = run(graph, DegreeAnonymity(8)).write(tmp_path / str(place))
        lines = (folder / "vertices.csv").read_text().splitlines()[1:]
        firsts.add(lines[0])
        record = json.loads((folder / "internal" / "record.json").read_text())
        assert not {"order", "vertices", "seed"} & set(record)
    assert len(firsts) > 3


def test_ids_in_the_file_are_not_those_of_the_release(tmp_path):
    graph = ring(20, vertices=pl.DataFrame({"age": [30 + v for v in range(20)]}))
    release = run(graph, DegreeAnonymity(20))
    back = plain_file(release.write(tmp_path / "out", format="graphml"), "graphml", release.graph)
    told = dict(zip(map(int, back.names.to_list()), map(int, back.vertices["age"].to_list()), strict=True))
    mine = dict(zip(release.graph.names.to_list(), release.graph.vertices["age"].to_list(), strict=True))
    assert told != mine


def test_equal_seeds_write_equal_files(tmp_path):
    graph = ring(vertices=people())
    texts = []
    for name, seed in (("a", 3), ("b", 3), ("c", 4), ("d", None)):
        folder = released(graph, seed=seed).write(tmp_path / name)
        texts.append((folder / "graph.csv").read_text() + (folder / "vertices.csv").read_text())
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


def test_what_is_internal_is_private(tmp_path):
    folder = released().write(tmp_path / "out", pdf=True)
    assert stat.S_IMODE((folder / "internal").stat().st_mode) == 0o700
    assert sorted(path.name for path in (folder / "internal").iterdir()) == ["record.json", "report.html", "report.pdf"]
    assert (folder / "internal" / "report.pdf").read_bytes().startswith(b"%PDF-")


# Whole or not at all --------------------------------------------------------------------------------------------------


def test_an_existing_folder_is_refused(tmp_path):
    folder = released().write(tmp_path / "out")
    before = (folder / "graph.csv").read_text()
    with pytest.raises(OptionError, match="already exists"):
        released().write(folder)
    released(ring(10)).write(folder, overwrite=True)
    assert (folder / "graph.csv").read_text() != before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_of_something_else_is_never_replaced(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="no part of a release"):
        released().write(tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "words"),
    [({"format": "xlsx"}, "not a format"), ({"format": None}, "format"), ({"lang": "fr"}, "no report")],
)
def test_bad_options_leave_nothing(tmp_path, options, words):
    with pytest.raises(InputError, match=words):
        released().write(tmp_path / "out", **options)
    assert list(tmp_path.iterdir()) == []


def tampering(change):
    """A writer whose graph was changed."""
    real = release_module.write

    def write(graph, path, **options):
        return real(change(graph), path, **options)

    return write


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda graph: graph.with_edges(graph.source[1:], graph.target[1:]), "other edges"),
        (lambda graph: graph.with_edges(np.arange(N), (np.arange(N) + 3) % N), "other edges"),
        (lambda graph: Graph.of_edges([*graph.source, 0], [*graph.target, N]), "other vertices"),
    ],
)
def test_a_writer_that_writes_another_graph_is_caught(tmp_path, monkeypatch, change, words):
    earlier = released().write(tmp_path / "out")
    before = {path: path.read_bytes() for path in earlier.rglob("*") if path.is_file()}
    monkeypatch.setattr(release_module, "write", tampering(change))
    with pytest.raises(AuditError, match=words):
        released().write(tmp_path / "out", overwrite=True)
    assert {path: path.read_bytes() for path in earlier.rglob("*") if path.is_file()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_writer_that_changes_attributes_is_caught_by_the_model(tmp_path, monkeypatch):
    graph = ring(vertices=pl.DataFrame({"town": ["norte"] * 4 + ["sur"] * 4}))
    release = run(graph, DegreeAnonymity(4, attributes=("town",)))

    def moved(made):
        return replace(made, vertices=pl.DataFrame({"town": ["norte"] * 1 + ["sur"] * 7}))

    monkeypatch.setattr(release_module, "write", tampering(moved))
    with pytest.raises(AuditError, match="break degree_anonymity"):
        release.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_writer_that_writes_rubbish_is_caught(tmp_path, monkeypatch):
    real = release_module.write

    def write(graph, path, **options):
        names = real(graph, path, **options)
        path.write_bytes(b"\x00\xff")
        return names

    monkeypatch.setattr(release_module, "write", write)
    with pytest.raises(AuditError, match="cannot be read"):
        released().write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("failing", ["audit_file", "write"])
def test_an_interruption_leaves_nothing(tmp_path, monkeypatch, failing):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(release_module, failing, interrupted)
    with pytest.raises(KeyboardInterrupt):
        released().write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_record_vouches_for_the_files(tmp_path):
    folder = released(ring(vertices=people())).write(tmp_path / "out")
    record = json.loads((folder / "internal" / "record.json").read_text())
    assert set(record["files"]) == {"graph.csv", "vertices.csv"}
    for name, digest in record["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert record["models"] == [{"degree_anonymity": {"k": 2}}]


# The figures ----------------------------------------------------------------------------------------------------------


def test_the_summary_is_plain_json():
    release = released(ring(vertices=people()), seed=1)
    told = json.loads(json.dumps(release.to_dict(), allow_nan=False))
    assert told == json.loads(json.dumps(release.summary))
    assert told["satisfied"] is True
    assert (told["n_added"], told["n_deleted"], told["n_edits"], told["edit_ratio"]) == (0, 0, 0, 0.0)
    assert (told["lower_bound"], told["gap"], told["is_optimal"]) == (0, 0.0, True)
    assert told["before"] == told["after"]
    assert set(told["risk"]) == {"before", "after"}
    assert told["utility"]["edits"]["ratio"] == 0.0
    assert told["alternatives"] is None
    assert told["seed_fixed"] is True
    assert told["seconds"] >= told["search_seconds"] >= 0


def test_the_summary_does_not_need_scipy(monkeypatch):
    monkeypatch.setattr(release_module, "is_measurable", lambda: False)
    assert released().summary["utility"] is None


def test_all_but_pairs_of_a_bipartite_graph_does_without_scipy_and_networkx():
    """In a process of its own, where they cannot be imported; small graphs have alternatives tried unasked."""
    code = (
        "import sys; sys.modules['networkx'] = None; sys.modules['scipy'] = None\n"
        "from celosia.base.errors import InputError\n"
        "from celosia.graphs import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity, run\n"
        "from celosia.graphs.graph import Graph\n"
        "path = Graph.of_edges([0, 1, 2], [1, 2, 3])\n"
        "for model in (DegreeAnonymity(4), NeighbourhoodAnonymity(2), ClosedTwinAnonymity(2), KLAnonymity(2, 2)):\n"
        "    assert run(path, model, seed=1).summary['satisfied']\n"
        "sided = Graph.of_edges([0, 1, 2], [1, 2, 3], sides=[0, 1, 0, 1])\n"
        "told = run(sided, DegreeAnonymity(2), seed=1).summary\n"
        "assert any('scipy' in (one['reason'] or '') for one in told['alternatives'])\n"
        "try:\n"
        "    run(sided, ClosedTwinAnonymity(2))\n"
        "except InputError as error:\n"
        "    assert 'celosia[graphs]' in error.hint\n"
        "else:\n"
        "    raise SystemExit('no error')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_graph_without_edges_has_no_ratio():
    release = released(Graph.of_edges([], [], 3))
    assert release.edit_ratio is None
    assert release.summary["edit_ratio"] is None


def test_names_of_any_kind_are_keys():
    graph = nx.Graph([(("a", 1), ("b", 2)), (("b", 2), ("c", 3)), (("c", 3), ("a", 1))])
    release = run(graph, DegreeAnonymity(3))
    assert sorted(release.vertices.values()) == [0, 1, 2]
    assert cl.graphs.utility(graph, release.graph).edits.n_added == 0


# The page -------------------------------------------------------------------------------------------------------------


def edited(monkeypatch, source, target, bound=None):
    ends = [np.array(end, dtype=np.int32) for end in (source, target)]
    monkeypatch.setattr(running, "transformed", lambda task, models: Edited(*ends, bound))


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_page_shows_before_and_after(monkeypatch, lang):
    edited(monkeypatch, range(N), [(v + 1) % N for v in range(N)], 1)
    chord = Graph.of_edges([*range(N), 0], [*[(v + 1) % N for v in range(N)], 4], name="chord.csv")
    page = render_release(run(chord, DegreeAnonymity(8), seed=1), lang)
    assert page.count('class="edges marked"') == 1  # the chord, deleted
    assert page.count("<svg") >= 5
    for word in ("chord.csv", "11.1" if lang == "en" else "11,1", "{degree_anonymity: {k: 8}}"):
        assert word in page
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page


@pytest.mark.parametrize(
    ("bound", "words"),
    [(1, "this is proved"), (None, "is not known"), (0, "is not known")],
)
def test_the_page_says_how_good_it_is(monkeypatch, bound, words):
    edited(monkeypatch, range(N), [(v + 1) % N for v in range(N)], bound)
    chord = Graph.of_edges([*range(N), 0], [*[(v + 1) % N for v in range(N)], 4])
    assert words in render_release(run(chord, DegreeAnonymity(8)))


def test_a_large_graph_is_shown_as_blocks():
    large = Graph.of_edges(range(0, 3_200, 2), range(1, 3_200, 2))
    page = render_release(run(large, DegreeAnonymity(2)))
    assert "too large to be drawn" in page
    assert page.count('class="dense"') > 1
    assert "Other models were not tried" in page


def test_plans_on_the_page_hide_values():
    masks = [Generalise(column="age", ranges=["<35", "35-99"])]
    page = render_release(released(ring(vertices=people()), masks=masks))
    assert "generalise" in page
