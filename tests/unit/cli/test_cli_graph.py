"""celosia graph: verdicts, exit codes, JSON, pages, and no name of a vertex unless it is asked for."""

from __future__ import annotations

import json
import sys

import pytest
import typer
from leaks import leaks

from celosia.cli import _guarded
from celosia.cli.discreet import Wary
from celosia.cli.graph import COMMANDS

SQUARE = "source,target\ncanaria1,canaria2\ncanaria2,canaria3\ncanaria3,canaria4\ncanaria4,canaria1\n"
PATH = "source,target\ncanaria1,canaria2\ncanaria2,canaria3\ncanaria3,canaria4\n"


@pytest.fixture
def graph(monkeypatch, capsys, tmp_path):
    """Run a command of ``celosia graph`` in a folder with two graphs; give back exit code, output and messages."""
    app = typer.Typer(pretty_exceptions_enable=False)
    for name, command in COMMANDS.items():
        app.command(name, cls=Wary)(_guarded(command))
    (tmp_path / "square.csv").write_text(SQUARE)
    (tmp_path / "path.csv").write_text(PATH)
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["celosia graph", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            app()
        out, err = capsys.readouterr()
        return caught.value.code or 0, out, err

    return run


def test_without_a_model_everything_is_measured(graph):
    code, out, err = graph("check", "square.csv")
    assert (code, err) == (0, "")
    for word in (
        *("nothing was demanded", "neighbourhood_anonymity", "closed_twin_anonymity", "degree_anonymity"),
        *("kl_anonymity", "degree (H1)", "(H2)", "(H3)", "N(v)", "1 neighbour", "2 neighbours", "LINKS_DISCLOSED"),
    ):
        assert word in out
    assert leaks(out, ["canaria"]) == []


def test_k_is_a_shorthand_for_three_models(graph):
    code, out, _ = graph("check", "square.csv", "--k", 2)
    assert code == 0
    assert "What was asked holds." in out
    code, out, _ = graph("check", "square.csv", "--k", 3)
    assert code == 1
    assert "What was asked does NOT hold." in out
    assert leaks(out, ["canaria"]) == []


def test_closed_twins_are_enough_for_k(graph, tmp_path):
    (tmp_path / "triangles.csv").write_text("u,v\na,b\nb,c\nc,a\nd,e\ne,f\nf,d\n")
    code, out, _ = graph("check", "triangles.csv", "--k", 3, "--json")
    told = json.loads(out)
    verdicts = {next(iter(one["model"])): one["satisfied"] for one in told["models"]}
    assert code == 0
    assert verdicts == {
        "neighbourhood_anonymity": False,
        "closed_twin_anonymity": True,
        "degree_anonymity": True,
    }
    assert told["holds"] is True


@pytest.mark.parametrize(
    ("model", "code"),
    [
        ("{neighbourhood_anonymity: {k: 2}}", 0),
        ("{neighbourhood_anonymity: {k: 3}}", 1),
        ("{degree_anonymity: {k: 4}}", 0),
        ("{kl_anonymity: {k: 2, l: 2, view: neighbours}}", 0),
        ("{kl_anonymity: {k: 2, l: 2, view: rows, exclude_known: true}}", 1),
        ("{degree_anonymity: {k: 1}}", 2),
        ("{degree_anonymity: {}}", 2),
        ("{degree: {k: 2}}", 2),
        ("{", 2),
    ],
)
def test_exit_codes_of_models(graph, model, code):
    found, _, err = graph("check", "square.csv", "--model", model)
    assert found == code
    assert bool(err) == (code == 2)


def test_every_model_that_is_named_must_hold(graph):
    arguments = ["--model", "{neighbourhood_anonymity: {k: 2}}", "--model", "{degree_anonymity: {k: 5}}"]
    assert graph("check", "square.csv", *arguments)[0] == 1
    assert graph("check", "square.csv", *arguments[:2])[0] == 0
    assert graph("check", "square.csv", *arguments[2:], "--k", 2)[0] == 1


def test_warnings_under_strict(graph):
    asked = ("check", "square.csv", "--model", "{kl_anonymity: {k: 2, l: 2, view: rows}}")
    assert graph(*asked)[0] == 0
    code, out, _ = graph(*asked, "--strict")
    assert code == 1
    assert "warning" in out
    assert graph("check", "square.csv", "--model", "{neighbourhood_anonymity: {k: 2}}", "--strict")[0] == 0


def test_attributes_are_masked_before_they_are_known(graph, tmp_path):
    (tmp_path / "people.csv").write_text("name,age\na,31\nb,34\nc,38\nd,36\n")
    (tmp_path / "ring.csv").write_text("source,target\na,b\nb,c\nc,d\nd,a\n")
    asked = ["check", str(tmp_path / "ring.csv"), "--vertices", str(tmp_path / "people.csv"), "--attributes", "age"]
    asked += ["--model", "{degree_anonymity: {k: 2}}"]
    assert graph(*asked)[0] == 1
    assert graph(*asked, "--mask", "{generalise: {column: age, intervals: {width: 5}}}")[0] == 0
    assert graph(*asked, "--mask", "{drop_rows: {where: age > 33}}")[0] == 2


def test_names_are_shown_on_request_only(graph):
    asked = ["check", "path.csv", "--model", "{neighbourhood_anonymity: {k: 2}}"]
    code, out, _ = graph(*asked, "--json")
    told = json.loads(out)
    assert (code, told["holds"], told["n_breaking"]) == (1, False, 4)
    assert leaks(out, ["canaria"]) == []
    _, out, _ = graph(*asked, "--json", "--show-names")
    assert json.loads(out)["breaking"] == ["canaria1", "canaria2", "canaria3", "canaria4"]
    _, out, _ = graph(*asked, "--show-names")
    assert "canaria3" in out


def test_the_kind_of_graph_changes_the_verdict(graph, tmp_path):
    (tmp_path / "arcs.csv").write_text("source,target,since\na,c,1\nb,c,1\na,d,1\nb,d,2\nd,a,1\n")
    asked = ["check", "arcs.csv", "--model", "{neighbourhood_anonymity: {k: 2}}", "--json"]
    told = {
        kind: json.loads(graph(*asked, *options)[1])
        for kind, options in (("plain", []), ("arcs", ["--directed"]), ("weighted", ["--weight", "since"]))
    }
    assert told["plain"]["holds"]
    assert not told["arcs"]["holds"]
    assert "directed" in told["arcs"]["graph"]["kind"]
    assert not told["weighted"]["holds"]


def test_attributes_of_vertices_tell_them_apart(graph, tmp_path):
    (tmp_path / "people.csv").write_text("name,sex\ncanaria1,f\ncanaria2,f\ncanaria3,m\ncanaria4,f\n")
    asked = ["check", "square.csv", "--vertices", "people.csv", "--model", "{neighbourhood_anonymity: {k: 2}}"]
    assert graph(*asked)[0] == 0
    code, out, _ = graph(*asked, "--attributes", "sex")
    assert code == 1
    assert "ATTRIBUTES_SPLIT" in out
    code, _, err = graph(*asked, "--attributes", "sexo")
    assert code == 2
    assert "sexo" in err


def test_other_delimiters_and_formats(graph, tmp_path):
    (tmp_path / "links.dat").write_text("a|b\nb|c\nc|d\nd|a\n")
    assert graph("check", "links.dat", "--format", "csv", "--delimiter", "|", "--k", 2)[0] == 0
    assert graph("check", "links.dat", "--format", "odd")[0] == 2
    assert graph("check", "nowhere.csv")[0] == 2


def test_whether_the_first_line_is_an_edge_can_be_said(graph, tmp_path):
    (tmp_path / "pairs.csv").write_text("ana,luis\neva,rosa\n")
    _, out, _ = graph("check", "pairs.csv", "--json")
    assert json.loads(out)["graph"]["n_vertices"] == 2
    assert graph("check", "pairs.csv", "--strict")[0] == 1  # an edge may be lost
    _, out, _ = graph("check", "pairs.csv", "--json", "--no-header")
    assert json.loads(out)["graph"]["n_vertices"] == 4
    assert "GUESSED_HEADER" not in out
    assert graph("compare", "pairs.csv", "pairs.csv", "--no-header")[0] == 0


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_page(graph, tmp_path, lang):
    code, out, err = graph("check", "square.csv", "--k", 2, "--out", "page.html", "--lang", lang)
    assert (code, err) == (0, "")
    page = (tmp_path / "page.html").read_text()
    assert f'<html lang="{lang}">' in page
    assert leaks(page, ["canaria"]) == []
    assert "page.html" in out


def test_the_page_on_paper(graph, tmp_path):
    assert graph("check", "square.csv", "--out", "page.pdf")[0] == 0
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")


def test_pages_that_cannot_be(graph, tmp_path):
    (tmp_path / "there.html").write_text("mine")
    assert graph("check", "square.csv", "--out", "there.html")[0] == 2
    assert (tmp_path / "there.html").read_text() == "mine"
    assert graph("check", "square.csv", "--out", "there.html", "--overwrite")[0] == 0
    assert (tmp_path / "there.html").read_text() != "mine"
    for out in ("page.txt", "nowhere/page.html"):
        assert graph("check", "square.csv", "--out", out)[0] == 2
    assert graph("check", "square.csv", "--lang", "xx")[0] == 2


def test_the_page_is_written_though_a_model_does_not_hold(graph, tmp_path):
    assert graph("check", "path.csv", "--k", 2, "--out", "page.html")[0] == 1
    assert "What was asked does not hold." in (tmp_path / "page.html").read_text()


def test_compare_two_graphs(graph, tmp_path):
    code, out, err = graph("compare", "square.csv", "path.csv", "--seed", 1, "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert told["matched_by"] == "order"
    assert told["edits"] == {"n_added": 0, "n_deleted": 1, "ratio": 0.25}
    code, out, _ = graph("compare", "square.csv", "path.csv", "--out", "both.html", "--lang", "es")
    assert code == 0
    for word in ("edges deleted", "25%", "largest eigenvalue", "both.html"):
        assert word in out
    assert leaks(out + (tmp_path / "both.html").read_text(), ["canaria"]) == []


def test_numbers_may_be_those_of_a_release_and_that_is_said(graph, tmp_path):
    (tmp_path / "ring.csv").write_text("source,target\n0,1\n1,2\n2,3\n3,0\n")
    doubt = "name its plan (--plan) or say --matching none"
    for arguments, is_doubtful in (
        (["ring.csv", "ring.csv"], True),
        (["ring.csv", "ring.csv", "--matching", "order"], False),
        (["square.csv", "square.csv"], False),
    ):
        said = " ".join(graph("compare", *arguments, "--header")[1].split())
        assert "Vertices are the same by their order." in said
        assert (doubt in said) == is_doubtful


def test_compare_by_a_file_that_says_who_is_who(graph, tmp_path):
    (tmp_path / "fresh.csv").write_text("source,target\n007,1\n1,2\n2,3\n3,007\n")
    (tmp_path / "who.csv").write_text("before,after\ncanaria1,2\ncanaria2,3\ncanaria3,007\ncanaria4,1\n")
    told = json.loads(graph("compare", "square.csv", "fresh.csv", "--matching", "who.csv", "--json")[1])
    assert (told["matched_by"], told["edits"]["n_added"], told["edits"]["n_deleted"]) == ("given", 0, 0)
    told = json.loads(graph("compare", "square.csv", "fresh.csv", "--json")[1])
    assert (told["matched_by"], told["edits"]) == ("none", None)
    _, out, _ = graph("compare", "square.csv", "fresh.csv", "--matching", "none")
    assert "not known which vertex is which" in " ".join(out.split())


def test_a_matching_that_does_not_fit_is_refused_without_names(graph, tmp_path):
    (tmp_path / "wrong.csv").write_text("before,after\ncanaria1,canaria1\ncanaria9,canaria2\n")
    (tmp_path / "twice.csv").write_text("before,after\ncanaria1,canaria1\ncanaria1,canaria2\n")
    (tmp_path / "one.csv").write_text("before\ncanaria1\ncanaria2\n")
    for file in ("wrong.csv", "twice.csv", "one.csv", "nowhere.csv"):
        code, _, err = graph("compare", "square.csv", "path.csv", "--matching", file)
        assert code == 2
        assert leaks(err, ["canaria"]) == []
