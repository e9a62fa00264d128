"""celosia graph run, and plans of graphs: folders, exit codes, JSON, and no name of a vertex anywhere."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
from leaks import leaks

from celosia.base.errors import UnreachableError
from celosia.graphs.transforms.base import Edited
from celosia.jobs.graphs import release as release_module
from celosia.jobs.graphs import running

# A ring of six with a chord: without the chord every degree is 2.
CHORD = (
    "source,target,km\n" + "".join(f"canaria{v},canaria{(v + 1) % 6},{v}\n" for v in range(6)) + "canaria0,canaria3,9\n"
)
RING = "".join(f"{v} {(v + 1) % 6}\n" for v in range(6))
DEGREES = ("--model", "{degree_anonymity: {k: 6}}")
PLAN = """\
version: 1
input: chord.csv
drop: [km]
models:
  - degree_anonymity: {k: 6}
seed: 1
output: {path: published, format: graphml}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with two graphs and a plan, in which the chord is deleted by a transform that stands in."""

    def transformed(task, models):
        graph = task.graph
        n = graph.n_vertices
        steps = (graph.target - graph.source) % n
        stays = (steps == 1) | (steps == n - 1)
        return Edited(graph.source[stays], graph.target[stays], int((~stays).sum()))

    monkeypatch.setattr(running, "transformed", transformed)
    monkeypatch.setattr(release_module, "are_cheap", lambda graph: False)
    (tmp_path / "chord.csv").write_text(CHORD)
    (tmp_path / "ring.txt").write_text(RING)
    (tmp_path / "plan.yaml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_graph_is_run_and_written(celosia, folder):
    code, out, err = celosia("graph", "run", "chord.csv", *DEGREES, "--out", "release")
    assert (code, err) == (0, "")
    for words in ("7 before, 6 after", "0, 1", "14.29 %", "fewer cannot do it", "it holds", "Written to release."):
        assert words in out
    assert sorted(path.name for path in (folder / "release").iterdir()) == ["graph.csv", "internal"]
    assert leaks(out, ["canaria"]) == []
    assert leaks(folder / "release", ["canaria"]) == []
    assert celosia("graph", "check", "release/graph.csv", *DEGREES)[0] == 0


def test_json_is_the_summary(celosia, folder):
    code, out, _ = celosia("graph", "run", "chord.csv", *DEGREES, "--out", "release", "--json", "--seed", 1)
    told = json.loads(out)
    assert code == 0
    assert (told["n_added"], told["n_deleted"], told["is_optimal"], told["seed_fixed"]) == (0, 1, True, True)
    assert told["risk"]["before"]["known"]["degree"]["n_below_k"] == 6
    assert told["risk"]["after"]["known"]["degree"]["n_below_k"] == 0
    record = json.loads((folder / "release" / "internal" / "record.json").read_text())
    assert record["summary"] == told
    assert leaks(out, ["canaria"]) == []


def test_a_plan_says_everything(celosia, folder):
    code, out, err = celosia("graph", "run", "--plan", "plan.yaml")
    assert (code, err) == (0, "")
    assert (folder / "published" / "graph.graphml").is_file()
    assert "km" not in (folder / "published" / "graph.graphml").read_text()
    code, out, _ = celosia("graph", "compare", "--plan", "plan.yaml", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["matched_by"] == "none"
    assert told["n_edges"] == {"before": 7, "after": 6}
    code, out, _ = celosia("graph", "compare", "chord.csv", "--plan", "plan.yaml", "--json")
    assert json.loads(out)["n_edges"] == {"before": 7, "after": 6}
    code, out, _ = celosia("graph", "compare", "chord.csv", "published/graph.graphml", "--plan", "plan.yaml", "--json")
    assert json.loads(out)["n_edges"] == {"before": 7, "after": 6}


def test_a_plan_may_stand_in_for_the_graph_of_check(celosia, folder):
    code, out, _ = celosia("graph", "check", "--plan", "plan.yaml", "--json")
    told = json.loads(out)
    assert code == 1  # the original does not satisfy the plan's models
    assert [next(iter(one["model"])) for one in told["models"]] == ["degree_anonymity"]
    code, out, _ = celosia("graph", "check", "ring.txt", "--plan", "plan.yaml")
    assert code == 2  # ring.txt has no attribute to drop
    (folder / "plain.yaml").write_text(PLAN.replace("drop: [km]\n", ""))
    assert celosia("graph", "check", "ring.txt", "--plan", "plain.yaml")[0] == 0
    asked = celosia("graph", "check", "--plan", "plan.yaml", "--model", "{degree_anonymity: {k: 2}}", "--json")
    assert [one["model"] for one in json.loads(asked[1])["models"]] == [{"degree_anonymity": {"k": 2}}]


def test_options_take_the_place_of_the_plan(celosia, folder):
    options = ["--out", "other", "--format", "csv", "--drop", "", "--new-edges", "{km: 1}", "--edits", "delete"]
    code, out, _ = celosia("graph", "run", "chord.csv", "--plan", "plan.yaml", *options, "--time-limit", 3, "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["edits"], told["time_limit"], told["dropped"]) == ("delete", 3.0, [])
    assert (folder / "other" / "graph.csv").is_file()
    assert not (folder / "published").exists()


def test_a_dry_run_writes_nothing(celosia, folder):
    before = sorted(path.name for path in folder.iterdir())
    code, out, _ = celosia("graph", "run", "chord.csv", *DEGREES, "--dry-run")
    assert code == 0
    assert "Nothing was written (dry run)." in out
    assert sorted(path.name for path in folder.iterdir()) == before


def test_warnings_under_strict(celosia, folder):
    asked = ("graph", "run", "chord.csv", *DEGREES, "--dry-run")
    code, out, _ = celosia(*asked, "--strict")
    assert code == 1
    assert "EDGE_ATTRIBUTE" in out
    assert celosia(*asked, "--strict", "--drop", "km")[0] == 0


def test_the_report_in_spanish_and_as_pdf(celosia, folder):
    asked = ("graph", "run", "chord.csv", *DEGREES, "--out", "release", "--lang", "es", "--pdf")
    assert celosia(*asked)[0] == 0
    internal = folder / "release" / "internal"
    assert '<html lang="es">' in (internal / "report.html").read_text()
    assert (internal / "report.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chord.csv", "--out", "r"), "no model is named"),
        ((*DEGREES, "--out", "r"), "no graph is named"),
        (("none.csv", *DEGREES, "--out", "r"), "none.csv"),
        (("chord.csv", *DEGREES), "no release folder"),
        (("chord.csv", *DEGREES, "--out", "no/such/r"), "parent folder"),
        (("chord.csv", *DEGREES, "--out", "."), "name of its own"),
        (("chord.csv", *DEGREES, "--out", "r", "--edits", "all"), "edits must be"),
        (("chord.csv", *DEGREES, "--out", "r", "--format", "xlsx"), "not a format"),
        (("chord.csv", *DEGREES, "--out", "r", "--lang", "fr"), "no report"),
        (("chord.csv", *DEGREES, "--out", "r", "--time-limit", "0"), "time_limit"),
        (("chord.csv", *DEGREES, "--out", "r", "--seed", "-1"), "seed"),
        (("chord.csv", *DEGREES, "--out", "r", "--new-edges", "km"), "piece of YAML"),
        (("chord.csv", *DEGREES, "--out", "r", "--new-edges", "{"), "piece of YAML"),
        (("chord.csv", *DEGREES, "--out", "r", "--new-edges", "{mile: 1}"), "no attribute of edges"),
        (("chord.csv", *DEGREES, "--out", "r", "--drop", "mile"), "no attribute"),
        (("chord.csv", *DEGREES, "--out", "r", "--mask", "{"), "mask"),
        (("chord.csv", "--model", "{degree_anonymity: {k: 1}}", "--out", "r"), "k must be"),
        (("chord.csv", "--model", "{neighbourhood_anonymity: {k: 2}}", "--weight", "km", "--out", "r"), "weight"),
        (("chord.csv", "--plan", "none.yaml"), "no plan file"),
        (("chord.csv", *DEGREES, "--attributes", "sex", "--out", "r"), "'sex'"),
    ],
)
def test_wrong_input_ends_with_2(celosia, folder, arguments, words):
    code, out, err = celosia("graph", "run", *arguments)
    assert code == 2
    assert words in err
    assert out == ""
    assert not (folder / "r").exists()
    assert leaks(err, ["canaria"]) == []


def test_an_input_in_the_output_is_not_replaced(celosia, folder):
    (folder / "release").mkdir()
    (folder / "release" / "graph.csv").write_text(CHORD)
    (folder / "release" / "internal").mkdir()
    (folder / "release" / "internal" / "record.json").write_text("{}")
    code, _, err = celosia("graph", "run", "release/graph.csv", *DEGREES, "--out", "release", "--overwrite")
    assert code == 2
    assert "lies in the output folder" in err


def test_a_demand_out_of_reach_ends_with_3(celosia, folder, monkeypatch):
    def unreachable(task, models):
        raise UnreachableError("there are too few vertices.", hint="k = 6 fits.")

    monkeypatch.setattr(running, "transformed", unreachable)
    code, _, err = celosia("graph", "run", "chord.csv", *DEGREES, "--out", "release")
    assert code == 3
    assert "too few vertices" in err
    assert not (folder / "release").exists()


def test_a_rejected_result_ends_with_1(celosia, folder, monkeypatch):
    nothing = np.zeros(0, dtype=np.int32)
    monkeypatch.setattr(running, "transformed", lambda task, models: Edited(nothing, nothing))
    code, _, err = celosia("graph", "run", "chord.csv", *DEGREES, "--edits", "add", "--out", "release")
    assert code == 1
    assert "rejected" in err
    assert not (folder / "release").exists()


def test_an_interruption_leaves_nothing(celosia, folder, monkeypatch):
    def interrupted(task, models):
        raise KeyboardInterrupt

    celosia("graph", "run", "--plan", "plan.yaml")
    before = (folder / "published" / "graph.graphml").read_bytes()
    monkeypatch.setattr(running, "transformed", interrupted)
    code, _, err = celosia("graph", "run", "--plan", "plan.yaml", "--overwrite")
    assert code == 130
    assert "Nothing was written" in err
    assert (folder / "published" / "graph.graphml").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["chord.csv", "plan.yaml", "published", "ring.txt"]


def test_other_models_are_tried_when_asked(celosia, folder, monkeypatch):
    from celosia.graphs.alternatives import Alternative
    from celosia.graphs.models import ClosedTwinAnonymity, NeighbourhoodAnonymity

    unique = {"degree": 0.0, "neighbour_degrees": 0.5, "neighbourhood": 1.0}
    found = (
        Alternative(NeighbourhoodAnonymity(6), 3, 0.25, 5, 6, unique),
        Alternative(ClosedTwinAnonymity(6), reason="there is no way."),
    )
    monkeypatch.setattr(release_module, "found_alternatives", lambda *arguments: found)
    asked = ("graph", "run", "chord.csv", *DEGREES, "--dry-run")
    assert "Other models were not tried" in celosia(*asked)[1]
    out = celosia(*asked, "--alternatives")[1]
    assert "3 (25 %)" in out
    assert "cannot be met" in out
    told = json.loads(celosia(*asked, "--alternatives", "--json")[1])["alternatives"]
    assert [one["model"] for one in told] == [
        {"neighbourhood_anonymity": {"k": 6}},
        {"closed_twin_anonymity": {"k": 6}},
    ]
    assert told[1]["reason"] == "there is no way."


# Methods other than edits ---------------------------------------------------------------------------------------------

CLUSTERS = ("--method", "{super_graph: {k: 2}}")


def test_a_super_graph_is_made_and_written(celosia, folder):
    code, out, err = celosia("graph", "run", "chord.csv", *CLUSTERS, "--out", "release")
    assert (code, err) == (0, "")
    for words in ("Super-graph", "3 of 2 to 2 vertices", "structure lost", "50 %, 50 %", "Written to release."):
        assert words in out
    assert sorted(path.name for path in (folder / "release").iterdir()) == ["graph.csv", "internal", "vertices.csv"]
    assert leaks(out, ["canaria"]) == []
    assert leaks(folder / "release", ["canaria"]) == []
    header = (folder / "release" / "vertices.csv").read_text().splitlines()[0]
    assert header == "id,size,inner"


def test_a_super_graph_as_json(celosia, folder):
    asked = ("graph", "run", "chord.csv", *CLUSTERS, "--out", "release", "--format", "json", "--seed", 1, "--json")
    code, out, _ = celosia(*asked)
    told = json.loads(out)
    assert code == 0
    assert (told["method"], told["options"]) == ("super_graph", {"k": 2})
    assert told["n_inner"] + told["n_between"] == 7
    written = json.loads((folder / "release" / "graph.json").read_text())
    assert written["clusters"] == told["clusters"]
    assert written["between"] == told["between"]
    assert set(written) == {"k", "directed", "clusters", "between"}
    record = json.loads((folder / "release" / "internal" / "record.json").read_text())
    assert record["summary"] == {name: told[name] for name in record["summary"]}


def test_attributes_of_a_super_graph(celosia, folder):
    (folder / "people.csv").write_text("name,age\n" + "".join(f"canaria{v},{30 + 5 * v}\n" for v in range(6)))
    given = ("graph", "run", "chord.csv", "--vertices", "people.csv", "--dry-run", "--json")
    named = celosia(*given, *CLUSTERS, "--attributes", "age")
    assert json.loads(named[1])["options"] == {"k": 2, "attributes": {"age": "number"}}
    kinds = "{super_graph: {k: 2, attributes: {age: {intervals: {width: 10}}}, weights: [2, 1]}}"
    told = json.loads(celosia(*given, "--method", kinds)[1])
    assert told["options"]["attributes"] == {"age": {"intervals": {"width": 10}}}
    assert told["options"]["weights"] == [2.0, 1.0]


def test_a_perturbation_promises_nothing(celosia, folder):
    asked = ("graph", "run", "chord.csv", "--method", "{perturbation: {share: 0.3}}", "--drop", "km")
    code, out, err = celosia(*asked, "--out", "release")
    assert (code, err) == (0, "")
    assert "NO_MODEL_PROMISED" in out
    assert "nothing was demanded" in out
    assert "least possible" not in out
    told = json.loads(celosia(*asked, "--dry-run", "--json")[1])
    assert (told["method"], told["n_added"], told["n_deleted"], told["satisfied"]) == ("perturbation", 2, 2, None)
    assert celosia(*asked, "--dry-run", "--strict")[0] == 1


@pytest.mark.parametrize(
    ("method", "option", "words"),
    [
        ("{super_graph: {k: 2}}", ("--alternatives",), "--alternatives are models"),
        ("{perturbation: {share: 0.3}}", ("--attributes", "age"), "perturbation heeds no attributes"),
    ],
)
def test_what_a_method_does_not_heed_is_refused(celosia, folder, method, option, words):
    code, out, err = celosia("graph", "run", "chord.csv", "--method", method, *option, "--dry-run")
    assert (code, out) == (2, "")
    assert words in err


def test_a_plan_compares_what_the_input_itself_says_is_directed(celosia, folder):
    """The direction stands in the GraphML of the input, and in no CSV."""
    nx.write_graphml(nx.cycle_graph(6, nx.DiGraph), folder / "arcs.graphml")
    text = "version: 1\ninput: arcs.graphml\nmodels:\n  - degree_anonymity: {k: 6}\noutput: {path: made, format: csv}\n"
    (folder / "arcs.yaml").write_text(text)
    assert celosia("graph", "run", "--plan", "arcs.yaml")[0] == 0
    code, out, err = celosia("graph", "compare", "--plan", "arcs.yaml", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["degree_distance"] == 0


def test_methods_in_plans(celosia, folder):
    plan = PLAN.replace("models:\n  - degree_anonymity: {k: 6}\n", "method: {super_graph: {k: 3}}\n")
    (folder / "clusters.yaml").write_text(plan)
    code, _, err = celosia("graph", "run", "--plan", "clusters.yaml", "--lang", "es", "--pdf")
    assert (code, err) == (0, "")
    assert (folder / "published" / "graph.graphml").is_file()
    page = (folder / "published" / "internal" / "report.html").read_text()
    assert "super_graph: {k: 3}" in page
    assert (folder / "published" / "internal" / "report.pdf").read_bytes().startswith(b"%PDF-")
    code, _, err = celosia("graph", "compare", "--plan", "clusters.yaml")
    assert code == 2
    assert "clusters in place of vertices" in err
    asked = ("graph", "run", "--dry-run", "--json", "--plan")
    assert json.loads(celosia(*asked, "clusters.yaml", *DEGREES)[1])["method"] == "edits"
    assert json.loads(celosia(*asked, "plan.yaml", *CLUSTERS)[1])["method"] == "super_graph"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("method: {super_graph: {k: 1}}", "k must be a whole number from 2."),
        ("method: {super_graph: {}}", "super_graph needs the option 'k'."),
        ("method: {super_graph: {k: 2, l: 2}}", "super_graph has no option of this name."),
        ("method: clusters", "this is not a method of graphs."),
        ("method: [1]", "must be one name with its options."),
        ("method: {perturbation: {share: 1.5}}", "share must be a number from 0 to 1."),
        ("method: {perturbation: {share: 1, keep_edges: 1}}", "keep_edges must be true or false."),
        ("method: {super_graph: {k: 2, weights: 1}}", "weights must be"),
        ("method: {super_graph: {k: 2, attributes: 3}}", "attributes"),
        ("method: {super_graph: {k: 2}}\nedits: add", "'edits' is given, and the method super_graph"),
        ("method: {super_graph: {k: 2}}\ntime_limit: 3", "'time_limit' is given"),
        ("method: {super_graph: {k: 2}}\nnew_edges: {km: 1}", "'new_edges' is given"),
        ("method: {super_graph: {k: 2}}\nmodels: [degree_anonymity: {k: 2}]", "'models' is given"),
        ("method: {super_graph: {k: 2}}\noutput: {path: p, format: matrix}", "cannot hold the counts"),
        ("models: [degree_anonymity: {k: 2}]\noutput: {path: p, format: json}", "not a format of graphs"),
        ("method: {super_graph: {k: 2, attributes: [age]}}", "no attribute 'age'"),
    ],
)
def test_wrong_methods_end_with_2(celosia, folder, lines, words):
    (folder / "clusters.yaml").write_text(f"version: 1\ninput: chord.csv\n{lines}\n")
    arguments = [] if "output" in lines else ["--out", "p"]
    code, out, err = celosia("graph", "run", "--plan", "clusters.yaml", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    if "'" not in words and "hold the counts" not in words and "of graphs" not in words:
        assert "(clusters.yaml:3)" in err
    assert not (folder / "p").exists()


def test_too_few_vertices_for_a_cluster_end_with_3(celosia, folder):
    code, _, err = celosia("graph", "run", "chord.csv", "--method", "{super_graph: {k: 7}}", "--out", "release")
    assert code == 3
    assert "at least 7 vertices; there are 6" in err


@pytest.mark.parametrize("text", ["{", "[1]", "a b"])
def test_a_method_is_a_piece_of_yaml(celosia, folder, text):
    code, _, err = celosia("graph", "run", "chord.csv", "--method", text, "--out", "release")
    assert code == 2
    assert "--method is a piece of YAML" in err
