"""SuperGraph: clusters in place of vertices, with everything measured on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import OptionError
from celosia.base.findings import Finding
from celosia.base.version import __version__
from celosia.data import io
from celosia.graphs.files.formats import format_of
from celosia.graphs.files.writing import write
from celosia.graphs.findings import n_non_isolated
from celosia.graphs.graph import Graph
from celosia.graphs.utility import GraphUtility, utility
from celosia.graphs.utility.pattern import is_measurable
from celosia.jobs.graphs.folders import internal_files, table_beside
from celosia.jobs.graphs.super_audit import audit_super_file
from celosia.masks.base import Mask
from celosia.masks.naming import left_behind

SIZE, INNER, EDGES = "size", "inner", "edges"
"""What the attributes of clusters, and of links between clusters, are called in files."""
_LITTLE = 0.9
"""From this share on of what the mere number of edges would lose, clusters tell little."""
_MANY_EDGES = 10_000


@dataclass(frozen=True, eq=False)
class SuperGraph:
    """Clusters of vertices with the number of edges inside each and between any two, in random order.

    Made by ``super_graph``, which has it counted anew before anybody sees it.

    Attributes
    ----------
    original
        The graph it was made from, after masks. It is never written.
    k
        The least size of a cluster.
    sizes
        How many vertices each cluster has.
    inner
        How many edges lie inside each; loops do not count.
    source, target, between
        The pairs of clusters with edges between them, and how many; without direction each pair once, the lesser
        first.
    attributes
        What the members of each cluster have in common, a row per cluster.
    intra_loss, inter_loss
        The structural information loss inside clusters and between them, as shares of the greatest there can be: how
        many cells of the adjacency matrix are told wrong, on average, if the edges of a block are put in by chance.
    attribute_loss
        The loss of attributes (GCP), in [0, 1]; ``None`` without attributes.
    labels
        The cluster of every vertex of the original. It is never written.
    options, masks
        What was asked beside k, as a plan says it, and what was done to attributes first.
    seed_fixed, seconds
        Whether a seed was given, and what the whole run took.
    read_options
        How the input was read, where a plan said it.
    """

    original: Graph
    k: int
    sizes: NDArray[np.int64]
    inner: NDArray[np.int64]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    between: NDArray[np.int64]
    attributes: pl.DataFrame
    intra_loss: float
    inter_loss: float
    attribute_loss: float | None
    labels: NDArray[np.int64]
    options: dict[str, Any]
    masks: tuple[Mask, ...] = ()
    seed_fixed: bool = False
    seconds: float = 0.0
    read_options: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"SuperGraph({self.n_clusters} clusters of {self.sizes.min()} to {self.sizes.max()} vertices)"

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return len(self.sizes)

    @property
    def directed(self) -> bool:
        """Whether counts have a direction."""
        return self.original.directed

    @property
    def structural_loss(self) -> float:
        """The structural information loss, inside clusters and between them, in [0, 1]."""
        return self.intra_loss + self.inter_loss

    @property
    def loss_of_one(self) -> float:
        """The structural loss of a single cluster, which tells nothing but the numbers of vertices and edges."""
        n = self.original.n_vertices
        n_pairs = n * (n - 1) // (1 if self.directed else 2)
        n_edges = int(self.inner.sum() + self.between.sum())
        return 4.0 * n_edges * (1.0 - n_edges / n_pairs) / n_pairs

    @property
    def max_risk(self) -> float:
        """The greatest chance to pick a person out of the cluster the person is in: 1 / the smallest size."""
        return 1.0 / int(self.sizes.min())

    @property
    def mean_risk(self) -> float:
        """The mean of that chance over the vertices: clusters over vertices."""
        return self.n_clusters / self.original.n_vertices

    @property
    def n_pairs_within(self) -> NDArray[np.int64]:
        """How many edges each cluster could have inside."""
        return self.sizes * (self.sizes - 1) // (1 if self.directed else 2)

    @property
    def n_pairs_between(self) -> NDArray[np.int64]:
        """How many edges there could be between each pair of clusters that has some."""
        found: NDArray[np.int64] = self.sizes[self.source] * self.sizes[self.target]
        return found

    @property
    def graph(self) -> Graph:
        """The clusters as vertices with their size and inner edges, linked by edges that carry their counts."""
        vertices = pl.DataFrame({SIZE: self.sizes, INNER: self.inner})
        sides = self.original.sides
        return Graph.of_edges(
            self.source,
            self.target,
            self.n_clusters,
            directed=self.directed,
            vertices=vertices.hstack(self.attributes) if self.attributes.width else vertices,
            edges=pl.DataFrame({EDGES: self.between}) if len(self.between) else None,
            sides=None if sides is None else sides[np.unique(self.labels, return_index=True)[1]],
            name=self.original.name,
        )

    def drawn(self, seed: int | None = None) -> Graph:
        """Return a graph with these clusters and counts, edges put in by chance: what a reader can make of it.

        Vertices stand in the order of the original, so that the two can be compared; nothing else of it is there.

        Examples
        --------
        >>> from celosia.jobs.graphs.super_graphs import super_graph
        >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])
        >>> made = super_graph(square, 2).drawn()
        >>> made.n_edges, made.out.degrees.tolist()
        (4, [2, 2, 2, 2])
        """
        randomness = Randomness(seed)
        order = np.argsort(self.labels, kind="stable")
        starts = np.concatenate([[0], np.cumsum(self.sizes)])
        blocks = [*zip(range(self.n_clusters), range(self.n_clusters), self.inner.tolist(), strict=True)]
        blocks += zip(self.source.tolist(), self.target.tolist(), self.between.tolist(), strict=True)
        first, second = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for one, other, n_edges in blocks:
            if n_edges:
                members = [order[starts[label] : starts[label + 1]] for label in (one, other)]
                left, right = _pairs(len(members[0]), len(members[1]), one == other, self.directed)
                chosen = randomness.permutation(len(left))[:n_edges]
                first.append(members[0][left[chosen]])
                second.append(members[1][right[chosen]])
        return Graph.of_edges(
            np.concatenate(first),
            np.concatenate(second),
            self.original.n_vertices,
            directed=self.directed,
            sides=self.original.sides,
        )

    @cached_property
    def utility(self) -> GraphUtility | None:
        """What a graph drawn from the counts has kept of the original; ``None`` where it takes long, or packages lack.

        Edits there are edges that the draw put elsewhere.
        """
        if not is_measurable() or self.original.n_edges > _MANY_EDGES:
            return None
        return utility(self.original, self.drawn(1), "order", seed=1)

    @cached_property
    def findings(self) -> list[Finding]:
        """What the user should know: what the counts give away for certain, and how little they tell."""
        return list(self._told())

    def _told(self) -> Iterator[Finding]:
        n_certain = int((self.inner == self.n_pairs_within).sum() + (self.between == self.n_pairs_between).sum())
        if self.n_clusters == 1:
            yield Finding(
                "ONE_CLUSTER",
                "warning",
                "All {n_vertices} vertices are in one cluster: nothing is left of the graph but the numbers of its "
                "vertices and edges. Ask for a smaller k.",
                values={"n_vertices": self.original.n_vertices},
            )
        elif self.structural_loss >= _LITTLE * self.loss_of_one > 0:
            yield Finding(
                "LITTLE_STRUCTURE_LEFT",
                "warning",
                "Little is left of the graph: the counts of {n_clusters} clusters lose {loss} % of what would be lost "
                "by telling only how many vertices and edges there are. Ask for a smaller k.",
                values={"n_clusters": self.n_clusters, "loss": round(100 * self.structural_loss / self.loss_of_one)},
            )
        if n_certain:
            yield Finding(
                "CERTAIN_EDGES",
                "warning",
                "In {n_blocks} blocks of clusters all pairs are linked: whoever knows that two people are in them "
                "knows for certain that they are linked.",
                values={"n_blocks": n_certain},
            )
        n_loops = int(np.count_nonzero(self.original.source == self.original.target))
        if n_loops:
            yield Finding(
                "LOOPS_LEFT_ASIDE",
                "note",
                "{n_loops} edges lead from a vertex to itself; the counts leave them aside.",
                values={"n_loops": n_loops},
            )
        if self.original.edges.width:
            yield Finding(
                "EDGE_ATTRIBUTES_LEFT_ASIDE",
                "note",
                "Attributes of edges ({names}) are not published: counts have none.",
                values={"names": ", ".join(self.original.edges.columns)},
            )

    @property
    def summary(self) -> dict[str, Any]:
        """The figures, without the clusters; no name of a vertex."""
        original = self.original
        return {
            "method": "super_graph",
            "options": {"k": self.k, **self.options},
            "before": {
                "n_vertices": original.n_vertices,
                "n_edges": original.n_edges,
                "n_non_isolated": n_non_isolated(original),
                "directed": original.directed,
                "bipartite": original.sides is not None,
            },
            "k": self.k,
            "n_clusters": self.n_clusters,
            "smallest": int(self.sizes.min()),
            "largest": int(self.sizes.max()),
            "n_inner": int(self.inner.sum()),
            "n_between": int(self.between.sum()),
            "structural_loss": self.structural_loss,
            "intra_loss": self.intra_loss,
            "inter_loss": self.inter_loss,
            "loss_of_one": self.loss_of_one,
            "attribute_loss": self.attribute_loss,
            "risk": {"max": self.max_risk, "mean": self.mean_risk},
            "utility": None if self.utility is None else self.utility.to_dict(),
            "masks": [left_behind(mask) for mask in self.masks],
            "seed_fixed": self.seed_fixed,
            "findings": [finding.to_dict() for finding in self.findings],
            "seconds": self.seconds,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return what ``celosia graph run --json`` prints: the figures and the clusters."""
        return {**self.summary, **self.counts()}

    def counts(self) -> dict[str, Any]:
        """Return what is published: clusters with size, inner edges and attributes, and the edges between them."""
        rows = self.attributes.to_dicts() if self.attributes.width else [{} for _ in range(self.n_clusters)]
        return {
            "directed": self.directed,
            "clusters": [
                {"id": i, SIZE: size, INNER: inner, "attributes": row}
                for i, (size, inner, row) in enumerate(zip(self.sizes.tolist(), self.inner.tolist(), rows, strict=True))
            ],
            "between": [
                {"source": i, "target": j, EDGES: count}
                for i, j, count in zip(self.source.tolist(), self.target.tolist(), self.between.tolist(), strict=True)
            ],
        }

    def write(
        self, path: str | Path, *, format: str = "csv", overwrite: bool = False, lang: str = "en", pdf: bool = False
    ) -> Path:
        """Write the release folder: ``graph.<format>``, ``internal/`` with ``report.html`` and ``record.json``.

        Clusters are the vertices of the file, with their ``size``, ``inner`` edges and attributes; edges carry their
        number as ``edges``. Formats that hold edges alone have ``vertices.<format>`` beside them. The files are read
        back and compared before the folder takes its place. Who is in which cluster is written nowhere.

        Parameters
        ----------
        path, overwrite, lang, pdf
            As for ``GraphRelease.write``.
        format
            ``json``, or any that holds attributes of edges: ``csv``, ``tsv``, ``graphml``, ``gexf``, ``gml``,
            ``parquet`` or ``arrow``.

        Raises
        ------
        InputError
            The folder exists or cannot be written, the format cannot hold the counts, or PDF cannot be made here.
        AuditError
            The file does not hold what it should; nothing was left behind.
        """
        from celosia.jobs.graphs.super_page import (
            render_super_graph,  # here: a template engine is no part of clustering
        )
        from celosia.report.language import check_language
        from celosia.report.pdf import check_pdf

        target = Path(path)
        check_super_format(format)
        check_language(lang)
        if pdf:
            check_pdf()
        with io.placing(target, overwrite=overwrite) as folder:
            file, beside = folder / f"graph.{format}", None
            if format == "json":
                io.write_text_file(
                    file, json.dumps({"k": self.k, **self.counts()}, indent=1, ensure_ascii=False) + "\n"
                )
            else:
                kind = format_of("", format)
                beside = table_beside(folder, self.graph, kind)
                write(self.graph, file, format=kind, vertices=beside, keep_names=True)
            audit_super_file(file, beside, format, self)
            written = [one for one in (file, beside) if one is not None]
            internal_files(folder, self._record(format, written), render_super_graph(self, lang, format), pdf=pdf)
        return target

    def _record(self, format: str, files: list[Path]) -> str:
        content = {
            "celosia": "super-graph record",
            "version": 1,
            "celosia_version": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "input": self.original.name,
            "format": format,
            "files": {file.name: io.sha256_of(file) for file in files},
            "summary": self.summary,
        }
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def check_super_format(format: str) -> str:
    """Return a format that can hold a super-graph, or raise ``OptionError``.

    Examples
    --------
    >>> check_super_format("json")
    'json'
    """
    if format != "json" and format_of("", format) not in _HOLDING_COUNTS:
        raise OptionError(
            f"a file of the format '{format}' cannot hold the counts of a super-graph.",
            hint=f"allowed: {', '.join(('json', *_HOLDING_COUNTS))}.",
            about="format",
        )
    return format


_HOLDING_COUNTS = ("csv", "tsv", "graphml", "gexf", "gml", "parquet", "arrow")


def _pairs(n_left: int, n_right: int, is_inner: bool, directed: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places of all pairs that an edge of a block may link."""
    if is_inner and not directed:
        return np.triu_indices(n_left, 1)
    left, right = np.divmod(np.arange(n_left * n_right), n_right)
    chosen = left != right if is_inner else np.ones(len(left), dtype=np.bool_)
    return left[chosen], right[chosen]
