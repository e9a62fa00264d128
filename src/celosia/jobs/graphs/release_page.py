"""The page about a made graph: before and after side by side, edits, risk, what is kept, and other models' costs."""

from __future__ import annotations

import json
import platform
import shlex
from collections.abc import Collection, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from celosia.base.entries import describe
from celosia.base.findings import Finding
from celosia.base.version import __version__
from celosia.graphs.alternatives import Alternative
from celosia.graphs.checking import Result
from celosia.graphs.files.formats import GraphFormat
from celosia.graphs.risk import KnowledgeRisk
from celosia.graphs.utility.pattern import is_measurable
from celosia.jobs.graphs.folders import graph_file, table_beside
from celosia.jobs.graphs.plan_texts import plan_text
from celosia.jobs.graphs.release import GraphRelease
from celosia.report.charts import Pair
from celosia.report.graphs.comparison import rows_of
from celosia.report.graphs.page import Figure, ResultPage, share_or_dash
from celosia.report.graphs.page_words import parameters_of, title_of
from celosia.report.graphs.pictures import (
    Layout,
    degree_histogram,
    draw_blocks,
    draw_graph,
    is_drawable,
    layout_of,
    risk_bars,
)
from celosia.report.house import poured
from celosia.report.language import Language
from celosia.report.sections.findings import findings_in_words, message_of


def render_release(release: GraphRelease, lang: str = "en", format: GraphFormat = "csv") -> str:
    r"""Return the page of a release: no script, no network, no outside fonts, and no name of a vertex.

    It is for the house: it shows the original beside the published graph.

    Parameters
    ----------
    lang
        ``en`` or ``es``.
    format
        That of the published graph, for the commands that repeat it.

    Raises
    ------
    OptionError
        There is no page in this language.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.graphs.models import NeighbourhoodAnonymity
    >>> from celosia.jobs.graphs.running import run
    >>> release = run(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), NeighbourhoodAnonymity(2))
    >>> render_release(release)[:32]
    '<!DOCTYPE html>\n<html lang="en">'
    """
    language = Language(lang)
    after, found = ResultPage(release.result, language), _Page(release, language)
    return poured(
        "graphs/graph_release.html",
        language,
        title=release.original.name,
        made=release,
        byline=after.byline(),
        models=after.models(),
        cost=found.cost(),
        loss=loud(release.findings, ("GRAPH_EMPTIED", "MOST_EDGES_LOST"), language),
        pictures=found.pictures(),
        is_drawn=is_drawable(release.original) and is_drawable(release.graph),
        degrees=found.degrees(),
        sets=after.sets(),
        bars=found.bars(),
        risk=found.known(),
        utility=rows_of(release.utility, language) if is_measurable() else None,
        alternatives=found.alternatives(),
        findings=findings_in_words(release.findings, language),
        plan=plan_text(release),
        commands=[run_command(format, language), found.check_command(format)],
        declares=release.declares_values,
        versions=versions_used(),
        limited={model.name for model in release.models},
    )


class _Page:
    """What the template pours in of a release, in one language."""

    def __init__(self, release: GraphRelease, language: Language) -> None:
        self._release = release
        self._say = language.about(
            n_added=language.whole(release.n_added),
            n_deleted=language.whole(release.n_deleted),
            ratio=share_or_dash(release.edit_ratio, language),
            n_edges=language.whole(release.original.n_edges),
        )
        self._before, self._after = release.before, release.result

    def cost(self) -> list[str]:
        """Say what was edited, what was allowed, and how near that is to the least possible."""
        _, release = self._say.text, self._release
        if not release.promised:
            return [self._edits(), _("Which edges were deleted and added was drawn by chance."), self._new_edges()]
        allowed = {
            "both": _("Edges could be added and deleted."),
            "add": _("Edges could only be added."),
            "delete": _("Edges could only be deleted."),
        }
        return [f"{self._edits()} {allowed[release.edits]} {self._gap()}", self._new_edges()]

    def _edits(self) -> str:
        _ = self._say.text
        if not self._release.n_edits:
            held = _("No edge was edited: the models held already.")
            return held if self._release.promised else _("No edge was changed.")
        return _(
            "Edges added: {n_added}; deleted: {n_deleted}; together {ratio} of the {n_edges} edges of the original."
        )

    def _gap(self) -> str:
        say, release = self._say, self._release
        if not release.n_edits:
            return ""
        if release.is_optimal:
            return say.text("Fewer edits cannot do it: this is proved.")
        if release.lower_bound is None or release.gap is None:
            return say.text("How few edits could do it is not known.")
        return say.text(
            "At least {n} edits are needed: these are at most {gap} above the least possible.",
            n=say.whole(release.lower_bound),
            gap=say.percent(release.gap),
        )

    def _new_edges(self) -> str:
        if not self._release.n_added or not self._release.original.edges.width:
            return ""
        return self._say.text(
            "New edges have the attributes that were declared for them; all others are drawn from edges that stayed, "
            "since missing values would mark the new ones."
        )

    def pictures(self) -> list[Figure]:
        """Return the graph before and after, every vertex in the same place."""
        release, _ = self._release, self._say.text
        layouts: list[Layout | None] = [None, None]
        if is_drawable(release.original) and is_drawable(release.graph):
            layout = layout_of(release.original)
            layouts = [layout, Layout(layout.places[release.made.order], layout.width, layout.height)]
        marks = [release.made.is_deleted(release.original), release.made.is_new]
        titles, results = [_("before"), _("after")], [self._before, self._after]
        return [self._picture(*parts) for parts in zip(titles, results, layouts, marks, strict=True)]

    def _picture(self, title: str, result: Result, layout: Layout | None, marked: NDArray[np.bool_]) -> Figure:
        say, graph, breaking = self._say, result.graph, result.breaking_places
        said = say.text(
            "Vertices: {n}, edges: {m}. Vertices that break a model: {n_breaking}.",
            n=say.whole(graph.n_vertices),
            m=say.whole(graph.n_edges),
            n_breaking=say.whole(len(breaking)),
        )
        words = f"{title}: {said}"
        if layout is not None:
            nobody = np.zeros(0, dtype=np.int64)
            drawn = draw_graph(graph, layout, breaking, nobody, words, half=True, marked=marked)
        else:
            over = (say.text("hide"), say.text("break a model"))
            drawn = draw_blocks(graph, result.labels, breaking, over, words, half=True)
        return Figure(title, drawn, said)

    def degrees(self) -> Markup:
        """Return the degrees before and after."""
        said = self._say.text("How many vertices have each degree, before and after.")
        return degree_histogram(self._release.original, self._release.graph, said)

    def bars(self) -> Markup | None:
        """Return the share of unique vertices by what is known, before and after."""
        say = self._say
        pairs = [
            Pair(
                say.text(known.template, **known.values),
                was.share_unique,
                known.share_unique,
                f"{say.percent(was.share_unique)} → {say.percent(known.share_unique)}",
            )
            for was, known in self.known()
            if was.share_unique is not None and known.share_unique is not None
        ]
        return risk_bars(pairs, "; ".join(f"{pair.label}: {pair.figures}" for pair in pairs)) if pairs else None

    def known(self) -> list[tuple[KnowledgeRisk, KnowledgeRisk]]:
        """Return the risk before and after for every kind of knowledge that was looked at in both graphs."""
        before = {known.name: known for known in self._before.risk.known}
        return [(before[known.name], known) for known in self._after.risk.known if known.name in before]

    def alternatives(self) -> list[tuple[str, str, Alternative]] | None:
        """Return what other models would cost, with title and parameters; ``None`` where that was left out."""
        found, say = self._release.alternatives, self._say
        if found is None:
            return None
        return [(title_of(one.model, say), parameters_of(one.model, say), one) for one in found]

    def check_command(self, format: GraphFormat) -> str:
        """Return what to type to look at the published file as its reader does."""
        graph, folder = self._release.graph, Path("release")
        check = ["celosia", "graph", "check", graph_file(folder, format).as_posix()]
        check += ["--directed"] * graph.directed + ["--bipartite"] * (graph.sides is not None)
        beside = table_beside(folder, graph, format)
        check += [] if beside is None else ["--vertices", beside.as_posix()]
        for model in self._release.models if self._release.promised else ():
            check += ["--model", json.dumps(describe(model))]
        return shlex.join(check)


def run_command(format: str, language: Language) -> str:
    """Return what to type to make the same kind of release again.

    Examples
    --------
    >>> run_command("gexf", Language("en"))
    'celosia graph run --plan plan.yaml --out release --format gexf'
    """
    run = ["celosia", "graph", "run", "--plan", "plan.yaml", "--out", "release"]
    run += [] if format == "csv" else ["--format", format]
    run += [] if language.code == "en" else ["--lang", language.code]
    return shlex.join(run)


def loud(findings: Sequence[Finding], codes: Collection[str], language: Language) -> str:
    """Return the first finding of one of these codes in words: that a graph is mostly gone is said at the top.

    Examples
    --------
    >>> loud([Finding("NO_EDGES", "note", "There is no edge.")], ["NO_EDGES"], Language("en"))
    'There is no edge.'
    """
    return next((message_of(one, language) for one in findings if one.code in codes), "")


def versions_used() -> list[tuple[str, str]]:
    """Return the versions of what made a release.

    Examples
    --------
    >>> versions_used()[0][0]
    'Celosía'
    """
    return [
        ("Celosía", __version__),
        ("Python", platform.python_version()),
        ("NumPy", version("numpy")),
        ("Polars", version("polars")),
    ]
