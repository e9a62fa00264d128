"""The page about a made graph: before and after side by side, edits, risk, what is kept, and other models' costs."""

from __future__ import annotations

import json
import platform
import shlex
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from celosia.base.entries import describe
from celosia.base.version import __version__
from celosia.graphs.alternatives import Alternative
from celosia.graphs.checking import Result
from celosia.graphs.files.formats import GraphFormat
from celosia.graphs.risk import KnowledgeRisk
from celosia.graphs.utility.pattern import is_measurable
from celosia.jobs.graphs.folders import graph_file, table_beside
from celosia.jobs.graphs.plan_texts import plan_text
from celosia.jobs.graphs.release import GraphRelease
from celosia.masks.base import Mask
from celosia.report.charts import Pair
from celosia.report.graphs.comparison import rows_of
from celosia.report.graphs.page import ResultPage, findings_in_words
from celosia.report.graphs.page_words import limits, parameters_of, title_of
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
from celosia.report.sections.findings import message_of


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
        byline=after.byline(),
        key=found.key_figures(),
        promised=release.promised,
        models=after.models(),
        cost=found.cost(),
        loss=found.loss(),
        pictures=found.pictures(),
        is_drawn=is_drawable(release.original) and is_drawable(release.graph),
        degrees=found.degrees(),
        sets=after.sets(),
        bars=found.bars(),
        risk=found.risk_rows(),
        utility=rows_of(release.utility, language) if is_measurable() else None,
        alternatives=found.alternatives(),
        findings=findings_in_words(release.findings, language),
        plan=plan_text(release),
        commands=found.commands(format),
        notes=notes_on_repeating(release.masks, release.seed_fixed, language, declares=release.declares_values),
        versions=versions_used(),
        limits=limits(release.models, language),
    )


class _Page:
    """What the template pours in of a release, in one language."""

    def __init__(self, release: GraphRelease, language: Language) -> None:
        self._release, self._say = release, language
        self._before, self._after = release.before, release.result

    def key_figures(self) -> list[tuple[str, str, str]]:
        """Return label, figure and remark of what stands at the top."""
        say, release = self._say, self._release
        return [
            (
                say.text("edits"),
                self._share(release.edit_ratio),
                say.text(
                    "{n_added} added, {n_deleted} deleted",
                    n_added=say.whole(release.n_added),
                    n_deleted=say.whole(release.n_deleted),
                ),
            ),
            (
                say.text("edges"),
                say.whole(release.graph.n_edges),
                say.text("before: {before}", before=say.whole(release.original.n_edges)),
            ),
            *(
                (
                    label,
                    self._share(self._after.risk[name].share_unique),
                    say.text("before: {before}", before=self._share(self._before.risk[name].share_unique)),
                )
                for name, label in (
                    ("neighbour_degrees", say.text("unique by neighbours' degrees")),
                    ("neighbourhood", say.text("unique by all neighbours")),
                )
            ),
        ]

    def cost(self) -> list[str]:
        """Say what was edited, what was allowed, and how near that is to the least possible."""
        say, release = self._say, self._release
        if not release.promised:
            return [
                self._edits(),
                say.text("Which edges were deleted and added was drawn by chance."),
                self._new_edges(),
            ]
        allowed = {
            "both": say.text("Edges could be added and deleted."),
            "add": say.text("Edges could only be added."),
            "delete": say.text("Edges could only be deleted."),
        }
        return [f"{self._edits()} {allowed[release.edits]} {self._gap()}", self._new_edges()]

    def _edits(self) -> str:
        say, release = self._say, self._release
        if not release.n_edits:
            held = say.text("No edge was edited: the models held already.")
            return held if release.promised else say.text("No edge was changed.")
        return say.text(
            "Edges added: {n_added}; deleted: {n_deleted}; together {ratio} of the {n_edges} edges of the original.",
            n_added=say.whole(release.n_added),
            n_deleted=say.whole(release.n_deleted),
            ratio=self._share(release.edit_ratio),
            n_edges=say.whole(release.original.n_edges),
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

    def loss(self) -> str:
        """Say loudly that the graph, or most of it, is gone; nothing otherwise."""
        told = [one for one in self._release.findings if one.code in ("GRAPH_EMPTIED", "MOST_EDGES_LOST")]
        return message_of(told[0], self._say) if told else ""

    def pictures(self) -> list[dict[str, Any]]:
        """Return the graph before and after, every vertex in the same place."""
        release, say = self._release, self._say
        order = release.made.order
        if not is_drawable(release.original) or not is_drawable(release.graph):
            layouts: list[Layout | None] = [None, None]
        else:
            layout = layout_of(release.original)
            layouts = [layout, Layout(layout.places[order], layout.width, layout.height)]
        marks = [release.made.is_deleted(release.original), release.made.is_new]
        titles = [say.text("before"), say.text("after")]
        results = [self._before, self._after]
        return [self._picture(*parts) for parts in zip(titles, results, layouts, marks, strict=True)]

    def _picture(self, title: str, result: Result, layout: Layout | None, marked: NDArray[np.bool_]) -> dict[str, Any]:
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
        return {"title": title, "picture": drawn, "said": said}

    def degrees(self) -> Markup:
        """Return the degrees before and after."""
        release = self._release
        return degree_histogram(
            release.original, release.graph, self._say.text("How many vertices have each degree, before and after.")
        )

    def bars(self) -> Markup | None:
        """Return the share of unique vertices by what is known, before and after."""
        pairs = [
            Pair(
                self._say.text(known.template, **known.values),
                was.share_unique,
                known.share_unique,
                f"{self._share(was.share_unique)} → {self._share(known.share_unique)}",
            )
            for was, known in self._known()
            if was.share_unique is not None and known.share_unique is not None
        ]
        return risk_bars(pairs, "; ".join(f"{pair.label}: {pair.figures}" for pair in pairs)) if pairs else None

    def risk_rows(self) -> list[dict[str, Any]]:
        """Return unique vertices, fewest candidates and greatest risk before and after, by what is known."""
        say = self._say
        return [
            {
                "title": say.text(known.template, **known.values),
                "figures": [
                    (self._count(was.n_unique), self._count(known.n_unique)),
                    (self._count(was.n_below_k), self._count(known.n_below_k)),
                    (self._count(was.smallest), self._count(known.smallest)),
                    (self._share(was.mean), self._share(known.mean)),
                ],
                "reason": "" if known.reason is None else say.text(known.reason),
            }
            for was, known in self._known()
        ]

    def _known(self) -> list[tuple[KnowledgeRisk, KnowledgeRisk]]:
        """Return the risk before and after for every kind of knowledge that was looked at in both graphs."""
        before = {known.name: known for known in self._before.risk.known}
        return [(before[known.name], known) for known in self._after.risk.known if known.name in before]

    def alternatives(self) -> list[dict[str, Any]] | None:
        """Return what other models would cost, or ``None`` where that was left out."""
        found = self._release.alternatives
        return None if found is None else [self._alternative(one) for one in found]

    def _alternative(self, one: Alternative) -> dict[str, Any]:
        say = self._say
        is_cheaper = one.n_edits is not None and one.n_edits < self._release.n_edits
        unique = one.unique or {}
        return {
            "title": title_of(one.model, say),
            "parameters": parameters_of(one.model, say),
            "edits": self._count(one.n_edits),
            "ratio": self._share(one.edit_ratio),
            "edges": self._count(one.n_edges),
            "linked": self._count(one.n_non_isolated),
            "unique": [self._share(share) for share in unique.values()] or ["–"] * 3,
            "cheaper": say.text("cheaper") if is_cheaper else "",
            "reason": "" if one.reason is None else say.text("could not be met with these edits"),
        }

    def commands(self, format: GraphFormat) -> list[str]:
        """Return what to type to do it again, and to look at the published file as its reader does."""
        graph = self._release.graph
        run = ["celosia", "graph", "run", "--plan", "plan.yaml", "--out", "release"]
        run += [] if format == "csv" else ["--format", format]
        if self._say.code != "en":
            run += ["--lang", self._say.code]
        folder = Path("release")
        check = ["celosia", "graph", "check", graph_file(folder, format).as_posix()]
        check += ["--directed"] * graph.directed + ["--bipartite"] * (graph.sides is not None)
        demanded = self._release.models if self._release.promised else ()
        beside = table_beside(folder, graph, format)
        check += [] if beside is None else ["--vertices", beside.as_posix()]
        for model in demanded:
            check += ["--model", json.dumps(describe(model))]
        return [shlex.join(run), shlex.join(check)]

    def _share(self, share: float | None) -> str:
        return "–" if share is None else self._say.percent(share)

    def _count(self, count: int | None) -> str:
        return "–" if count is None else self._say.whole(count)


def notes_on_repeating(
    masks: Sequence[Mask], seed_fixed: bool, language: Language, *, declares: bool = False
) -> list[str]:
    """Say how far a repeated run is the same.

    Examples
    --------
    >>> [note[:20] for note in notes_on_repeating((), False, Language("en"))]
    ['No seed was fixed: a']
    """
    found = [language.text("Values in masks are not shown: put your own there.")] if masks else []
    if declares:
        found.append(language.text("Values declared for new edges are not shown: add your own (new_edges)."))
    if not seed_fixed:
        found.append(
            language.text(
                "No seed was fixed: a repeated run shuffles anew and may find other edits. Which vertex is which is "
                "written nowhere."
            )
        )
    else:
        found.append(
            language.text(
                "A seed was fixed, and is not written here. Whoever knows it and the original can undo the shuffle: "
                "seeds are for tests. Where the search was ended by the clock, a repeated run may find other edits."
            )
        )
    return found


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
