"""The page about a super-graph: the graph and its clusters side by side, what is lost, what a reader can make of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from celosia.jobs.graphs.plan_texts import super_plan_text
from celosia.jobs.graphs.release_page import loud, run_command, versions_used
from celosia.jobs.graphs.super_release import EDGES, SuperGraph
from celosia.report.graphs.comparison import rows_of
from celosia.report.graphs.page import Figure, sizes_chart
from celosia.report.graphs.pictures import draw_blocks, draw_clusters, draw_graph, is_drawable, layout_of
from celosia.report.house import poured
from celosia.report.language import Language
from celosia.report.sections.findings import findings_in_words

_MOST_CLUSTERS = 40
"""So many clusters are listed one by one."""


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
    return poured(
        "graphs/super_graph.html",
        language,
        title=made.original.name,
        made=made,
        byline=found.byline(),
        loss=loud(made.findings, ("ONE_CLUSTER", "LITTLE_STRUCTURE_LEFT"), language),
        pictures=found.pictures(),
        is_drawn=is_drawable(made.original) and is_drawable(made.graph),
        sizes=sizes_chart(made.sizes, language.text("Vertices in clusters of each size"), language),
        clusters=found.clusters(),
        n_more=made.n_clusters - _MOST_CLUSTERS,
        utility=None if made.utility is None else rows_of(made.utility, language),
        findings=findings_in_words(made.findings, language),
        plan=super_plan_text(made),
        commands=[run_command(format, language)],
        declares=False,
        versions=versions_used(),
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

    def pictures(self) -> list[Figure]:
        """Return the graph and its clusters; matrices where they are too large to be drawn."""
        _, say, made = self._say.text, self._say, self._made
        nobody = np.zeros(0, dtype=np.int64)
        given = _(
            "Vertices: {n}, edges: {m}.", n=say.whole(made.original.n_vertices), m=say.whole(made.original.n_edges)
        )
        published = _(
            "Clusters: {n}; edges inside them: {inner}, between them: {between}.",
            n=say.whole(made.n_clusters),
            inner=say.whole(int(made.inner.sum())),
            between=say.whole(int(made.between.sum())),
        )
        if not is_drawable(made.original) or not is_drawable(made.graph):
            said, over = f"{given} {published}", (_("clusters, the large ones first"), "")
            drawn = draw_blocks(made.original, made.labels, nobody, over, said)
            return [Figure(_("before, by clusters"), drawn, said)]
        before, after, clusters = _("before"), _("after"), made.graph
        counts = clusters.edges[EDGES].to_numpy() if clusters.n_edges else made.between
        layout, words = layout_of(made.original), f"{before}: {given}"
        graph = draw_graph(made.original, layout, nobody, nobody, words, half=True)
        drawn = draw_clusters(clusters, layout_of(clusters), made.sizes, counts, f"{after}: {published}")
        return [Figure(before, graph, given), Figure(after, drawn, published)]

    def clusters(self) -> list[dict[str, Any]]:
        """Return the largest clusters with their figures and attributes."""
        made = self._made
        order = np.argsort(-made.sizes, kind="stable")[:_MOST_CLUSTERS]
        linked = np.bincount(np.concatenate([made.source, made.target]), minlength=made.n_clusters)
        rows = made.attributes.rows() if made.attributes.width else [()] * made.n_clusters
        return [
            {
                "size": int(made.sizes[place]),
                "inner": int(made.inner[place]),
                "density": float(made.inner[place] / max(1, made.n_pairs_within[place])),
                "linked": int(linked[place]),
                "attributes": ["–" if cell is None else str(cell) for cell in rows[place]],
            }
            for place in order.tolist()
        ]
