"""The page about a super-graph: the graph and its clusters side by side, what is lost, what a reader can make of it."""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np
from markupsafe import Markup

from celosia.jobs.graphs.plan_texts import super_plan_text
from celosia.jobs.graphs.release_page import notes_on_repeating, versions_used
from celosia.jobs.graphs.super_release import EDGES, SuperGraph
from celosia.report.graphs.comparison import rows_of
from celosia.report.graphs.page import findings_in_words, sizes_chart
from celosia.report.graphs.pictures import draw_blocks, draw_clusters, draw_graph, is_drawable, layout_of
from celosia.report.house import poured
from celosia.report.language import Language
from celosia.report.sections.findings import message_of

_MOST_CLUSTERS = 40
"""So many clusters are listed one by one."""
_LOUD = ("ONE_CLUSTER", "LITTLE_STRUCTURE_LEFT")


def render_super_graph(made: SuperGraph, lang: str = "en", format: str = "csv") -> str:
    r"""Return the page of a super-graph: no script, no network, no outside fonts, and no name of a vertex.

    It is for the house: it shows the original beside the clusters.

    Parameters
    ----------
    lang
        ``en`` or ``es``.
    format
        That of the published files, for the command that repeats it.

    Raises
    ------
    OptionError
        There is no page in this language.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> from celosia.jobs.graphs.super_graphs import super_graph
    >>> page = render_super_graph(super_graph(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), 2), "es")
    >>> page[:32]
    '<!DOCTYPE html>\n<html lang="es">'
    """
    language = Language(lang)
    found = _Page(made, language)
    loud = [finding for finding in made.findings if finding.code in _LOUD]
    return poured(
        "graphs/super_graph.html",
        language,
        title=made.original.name,
        byline=found.byline(),
        key=found.key_figures(),
        k=language.whole(made.k),
        loss=message_of(loud[0], language) if loud else "",
        pictures=found.pictures(),
        is_drawn=is_drawable(made.original) and is_drawable(made.graph),
        sizes=sizes_chart(made.sizes, language.text("Vertices in clusters of each size"), language),
        losses=found.losses(),
        clusters=found.clusters(),
        left_out=found.left_out(),
        attributes=made.attributes.columns,
        utility=None if made.utility is None else rows_of(made.utility, language),
        findings=findings_in_words(made.findings, language),
        plan=super_plan_text(made),
        commands=found.commands(format),
        notes=notes_on_repeating(made.masks, made.seed_fixed, language),
        versions=versions_used(),
        limits=_limits(language),
    )


class _Page:
    """What the template pours in of a super-graph, in one language."""

    def __init__(self, made: SuperGraph, language: Language) -> None:
        self._made, self._say = made, language

    def byline(self) -> str:
        """Return the counts of what is published."""
        say, made = self._say, self._made
        counts = [
            say.plural("{n} cluster", "{n} clusters", made.n_clusters),
            say.plural("{n} pair of clusters with edges", "{n} pairs of clusters with edges", len(made.between)),
        ]
        return ", ".join(counts)

    def key_figures(self) -> list[tuple[str, str, str]]:
        """Return label, figure and remark of what stands at the top."""
        say, made = self._say, self._made
        return [
            (
                say.text("clusters"),
                say.whole(made.n_clusters),
                say.text("of {n} vertices", n=say.whole(made.original.n_vertices)),
            ),
            (
                say.text("smallest cluster"),
                say.whole(int(made.sizes.min())),
                say.text("largest: {n}", n=say.whole(int(made.sizes.max()))),
            ),
            (
                say.text("greatest risk"),
                say.percent(made.max_risk),
                say.text("mean: {share}", share=say.percent(made.mean_risk)),
            ),
            (
                say.text("structure lost"),
                say.percent(made.structural_loss),
                say.text("with one cluster: {share}", share=say.percent(made.loss_of_one)),
            ),
        ]

    def pictures(self) -> list[dict[str, Any]]:
        """Return the graph and its clusters; matrices where they are too large to be drawn."""
        say, made = self._say, self._made
        nobody = np.zeros(0, dtype=np.int64)
        said = [
            say.text(
                "Vertices: {n}, edges: {m}.",
                n=say.whole(made.original.n_vertices),
                m=say.whole(made.original.n_edges),
            ),
            say.text(
                "Clusters: {n}; edges inside them: {inner}, between them: {between}.",
                n=say.whole(made.n_clusters),
                inner=say.whole(int(made.inner.sum())),
                between=say.whole(int(made.between.sum())),
            ),
        ]
        drawn: list[Markup]
        titles = [say.text("before"), say.text("after")]
        if is_drawable(made.original) and is_drawable(made.graph):
            words = [f"{title}: {sentence}" for title, sentence in zip(titles, said, strict=True)]
            clusters = made.graph
            counts = clusters.edges[EDGES].to_numpy() if clusters.n_edges else made.between
            drawn = [
                draw_graph(made.original, layout_of(made.original), nobody, nobody, words[0], half=True),
                draw_clusters(clusters, layout_of(clusters), made.sizes, counts, words[1]),
            ]
        else:
            titles, said = [say.text("before, by clusters")], [" ".join(said)]
            over = (say.text("clusters, the large ones first"), "")
            drawn = [draw_blocks(made.original, made.labels, nobody, over, said[0])]
        return [
            {"title": title, "picture": picture, "said": sentence}
            for title, picture, sentence in zip(titles, drawn, said, strict=True)
        ]

    def losses(self) -> list[tuple[str, str, str]]:
        """Return name, figure and explanation of every loss."""
        say, made = self._say, self._made
        found = [
            (
                say.text("structure inside clusters"),
                say.percent(made.intra_loss),
                say.text("pairs of a cluster told wrong if its edges are put in by chance"),
            ),
            (
                say.text("structure between clusters"),
                say.percent(made.inter_loss),
                say.text("pairs across clusters told wrong in the same way"),
            ),
            (
                say.text("with one cluster"),
                say.percent(made.loss_of_one),
                say.text("what the mere numbers of vertices and edges would lose"),
            ),
        ]
        if made.attribute_loss is not None:
            found.append((say.text("attributes"), say.percent(made.attribute_loss), say.text("GCP, as for tables")))
        return found

    def clusters(self) -> list[dict[str, Any]]:
        """Return the largest clusters with their figures and attributes."""
        say, made = self._say, self._made
        order = np.argsort(-made.sizes, kind="stable")[:_MOST_CLUSTERS]
        linked = np.bincount(np.concatenate([made.source, made.target]), minlength=made.n_clusters)
        rows = made.attributes.rows() if made.attributes.width else [()] * made.n_clusters
        return [
            {
                "size": say.whole(int(made.sizes[place])),
                "inner": say.whole(int(made.inner[place])),
                "density": say.percent(float(made.inner[place] / max(1, made.n_pairs_within[place]))),
                "linked": say.whole(int(linked[place])),
                "attributes": ["–" if cell is None else str(cell) for cell in rows[place]],
            }
            for place in order.tolist()
        ]

    def left_out(self) -> str:
        """Say how many clusters the list leaves out."""
        n_more = self._made.n_clusters - _MOST_CLUSTERS
        return self._say.text("{n} more are not listed.", n=self._say.whole(n_more)) if n_more > 0 else ""

    def commands(self, format: str) -> list[str]:
        """Return what to type to do it again."""
        run = ["celosia", "graph", "run", "--plan", "plan.yaml", "--out", "release"]
        run += [] if format == "csv" else ["--format", format]
        return [shlex.join(run + (["--lang", self._say.code] if self._say.code != "en" else []))]


def _limits(language: Language) -> list[tuple[str, str]]:
    """Return what a super-graph does not promise."""
    _ = language.text
    return [
        (
            _("Links"),
            _(
                "Counts are told as they are. Where all pairs of a block are linked everybody knows of the links; "
                "where none are, that there are none."
            ),
        ),
        (
            _("Knowledge"),
            _(
                "Whoever knows in which cluster somebody is, say by an attribute or by the sizes, learns the counts of "
                "that cluster. Inside it nobody is told apart."
            ),
        ),
        (
            _("Time and accomplices"),
            _(
                "Nothing is said here about a graph that is published twice, or about attackers who planted vertices "
                "and links of their own in it."
            ),
        ),
    ]
