"""GraphRelease: a graph that may leave the house, with everything measured on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from celosia.base.chance import Randomness
from celosia.base.entries import describe
from celosia.base.findings import Finding
from celosia.base.progress import Progress
from celosia.base.version import __version__
from celosia.data import io
from celosia.graphs.alternatives import Alternative, are_cheap, found_alternatives
from celosia.graphs.auditing import audit_file
from celosia.graphs.checking import Result, check, result_of
from celosia.graphs.files.formats import GraphFormat, format_of
from celosia.graphs.files.writing import write
from celosia.graphs.findings import SEARCH_STOPPED, findings_of_edits, n_non_isolated
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel, Judgement
from celosia.graphs.publishing import Published
from celosia.graphs.transforms.base import Edits
from celosia.graphs.utility import GraphUtility, utility
from celosia.graphs.utility.pattern import is_measurable
from celosia.jobs.graphs.folders import graph_file, internal_files, table_beside
from celosia.masks.base import Mask
from celosia.masks.naming import left_behind


class GraphRelease:
    """A graph that was edited, and its measures. Made by ``run``, which has it judged by every model.

    ``perturbed`` makes one too, that promises nothing: its models are only measured, with their least parameters.

    Attributes
    ----------
    original
        The graph it was made from, after masks and without dropped attributes.
    graph
        The published graph: vertices shuffled and named 0 .. n - 1.
    models, judgements
        What was asked, and what each model says of the published graph.
    edits
        Which edits were allowed.
    n_added, n_deleted
        How many edges were added and deleted, counted anew on the result.
    lower_bound
        A number of edits that no graph undercuts; ``None`` where none is known.
    method
        How edges were chosen where not to meet the models: ``{"perturbation": options}``; ``None`` for ``run``.
    read_options
        How the input was read, where a plan said it.
    masks, dropped
        What was done to attributes of vertices first, and which attributes were left behind.
    time_limit, search_seconds, seconds
        What the search was given, what it took, and the whole run, audit included.
    was_stopped
        Whether Ctrl-C ended the search: this is the best graph that it had found.
    seed_fixed
        Whether a seed was given: whoever knows it can undo the shuffle.
    """

    def __init__(
        self,
        *,
        original: Graph,
        made: Published,
        models: tuple[GraphModel, ...],
        judgements: tuple[Judgement, ...],
        edits: Edits,
        n_added: int,
        n_deleted: int,
        lower_bound: int | None,
        declared: Mapping[str, pl.Series],
        method: Mapping[str, Any] | None = None,
        masks: tuple[Mask, ...] = (),
        dropped: tuple[str, ...] = (),
        given_findings: Sequence[Finding] = (),
        time_limit: float | None = None,
        was_stopped: bool = False,
        seed: int | None = None,
        search_seconds: float = 0.0,
        seconds: float = 0.0,
    ) -> None:
        self.original, self.graph = original, made.graph
        self.models, self.judgements, self.edits = models, judgements, edits
        self.n_added, self.n_deleted, self.lower_bound = n_added, n_deleted, lower_bound
        self.method, self.masks, self.dropped, self.time_limit = method, masks, dropped, time_limit
        self.was_stopped, self.search_seconds, self.seconds = was_stopped, search_seconds, seconds
        self.made = made
        self.read_options: Mapping[str, Any] = {}
        self._declared, self._given_findings, self._seed = declared, given_findings, seed
        self._alternatives: tuple[Alternative, ...] | None = None

    def __repr__(self) -> str:
        names = ", ".join(f"{model.name}, k = {model.k}" for model in self.models) if self.promised else "no model"
        return f"GraphRelease({names}: {self.n_added} edges added, {self.n_deleted} deleted)"

    @property
    def promised(self) -> bool:
        """Whether the models were demanded, and hold."""
        return self.method is None

    @property
    def seed_fixed(self) -> bool:
        """Whether a seed was given."""
        return self._seed is not None

    @cached_property
    def vertices(self) -> dict[Any, Any]:
        """The published name of every vertex by its original one. It undoes the release, and is never written."""
        origin = [] if self.graph.origin is None else self.graph.origin.to_list()
        found = dict(zip(origin, self.graph.names.to_list(), strict=True))
        return {name: found[name] for name in self.original.names.to_list()}

    @property
    def declares_values(self) -> bool:
        """Whether values of new edges were declared."""
        return bool(self._declared)

    @property
    def n_edits(self) -> int:
        """How many edges were added or deleted."""
        return self.n_added + self.n_deleted

    @property
    def edit_ratio(self) -> float | None:
        """Edits over the edges of the original; ``None`` where it has none."""
        return self.n_edits / self.original.n_edges if self.original.n_edges else None

    @property
    def is_optimal(self) -> bool | None:
        """Whether no graph satisfies the models with fewer edits; ``None`` where that is not known."""
        return True if self.lower_bound == self.n_edits else None

    @property
    def gap(self) -> float | None:
        """How far above the least possible number the edits are at most, as a share of it; ``None`` if not known."""
        if self.lower_bound == self.n_edits:
            return 0.0
        return (self.n_edits - self.lower_bound) / self.lower_bound if self.lower_bound else None

    @cached_property
    def result(self) -> Result:
        """What ``check`` says of the published graph."""
        return result_of(self.graph, self.models, self.judgements)

    @cached_property
    def before(self) -> Result:
        """What ``check`` says of the original."""
        return check(self.original, self.models)

    @cached_property
    def utility(self) -> GraphUtility:
        """What the published graph has kept of the original, as far as it is quick; ``utility`` itself measures all.

        Raises
        ------
        InputError
            scipy or networkx is not installed.
        """
        is_large = max(self.original.n_edges, self.graph.n_edges) > _MANY_EDGES
        return utility(
            self.original,
            self.graph,
            seed=self._seed,
            betweenness_sources=32 if is_large else 128,
            community_edges=_MANY_EDGES,
        )

    @property
    def alternatives(self) -> tuple[Alternative, ...] | None:
        """What the other models would cost at the same k; ``None`` where it was not asked for and would take long."""
        if self._alternatives is None and are_cheap(self.original):
            self.find_alternatives(time_limit=_CHEAP_SECONDS)
        return self._alternatives

    def find_alternatives(
        self, time_limit: float | None = None, progress: Progress | None = None
    ) -> tuple[Alternative, ...]:
        """Find out what the other models would cost at the same k, and keep it for the report.

        Parameters
        ----------
        time_limit
            Seconds for each model; those of the run where not given, 10 where no search gave any.
        """
        self._alternatives = found_alternatives(
            self.original,
            self.models,
            self.edits,
            self._usual_seconds if time_limit is None else time_limit,
            self._seed,
            progress,
        )
        return self._alternatives

    @property
    def _usual_seconds(self) -> float | None:
        """What the search for another model may take: as much as that of the release, if it was a search."""
        return self.time_limit if self.promised else _USUAL_SECONDS

    @cached_property
    def findings(self) -> list[Finding]:
        """What the user should know about it, what was met while reading included."""
        found = [
            *findings_of_edits(self.original, self.made, self.n_deleted, self._declared),
            *([SEARCH_STOPPED] if self.was_stopped else []),
            *self.result.findings,
        ]
        if not self.promised:  # what several models say of the same thing is enough once
            found = list({finding.code: finding for finding in reversed(found)}.values())[::-1]
        said = {finding.code for finding in found}
        return [*found, *(finding for finding in self._given_findings if finding.code not in said | _OF_THE_ORIGINAL)]

    @property
    def summary(self) -> dict[str, Any]:
        """The figures that ``celosia graph run --json`` prints; no name of a vertex."""
        result = self.result.to_dict()
        return {
            "method": "edits" if self.method is None else next(iter(self.method)),
            "options": {} if self.method is None else dict(next(iter(self.method.values()))),
            "satisfied": result["satisfied"] if self.promised else None,
            "strongest_k": result["strongest_k"],
            "strongest_l": result["strongest_l"],
            "models": result["models"],
            "edits": self.edits,
            "n_added": self.n_added,
            "n_deleted": self.n_deleted,
            "n_edits": self.n_edits,
            "edit_ratio": self.edit_ratio,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "is_optimal": self.is_optimal,
            "before": _counts(self.original),
            "after": _counts(self.graph),
            "risk": {"before": self.before.risk.to_dict(), "after": self.result.risk.to_dict()},
            "utility": self.utility.to_dict() if is_measurable() else None,
            "alternatives": None if self.alternatives is None else [one.to_dict() for one in self.alternatives],
            "masks": [left_behind(mask) for mask in self.masks],
            "dropped": list(self.dropped),
            "new_edges": sorted(self._declared),
            "seed_fixed": self.seed_fixed,
            "findings": [finding.to_dict() for finding in self.findings],
            "time_limit": self.time_limit,
            "search_seconds": self.search_seconds,
            "seconds": self.seconds,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return ``summary``."""
        return self.summary

    def write(
        self, path: str | Path, *, format: str = "csv", overwrite: bool = False, lang: str = "en", pdf: bool = False
    ) -> Path:
        """Write the release folder: ``graph.<format>``, ``internal/`` with ``report.html`` and ``record.json``.

        Formats that hold edges alone have ``vertices.<format>`` beside them where vertices have attributes, sides that
        edges do not show, or no edge. Vertices get fresh ids once more. Everything goes to a temporary sibling first;
        the file is read back and judged by every model, and only then renamed into place. ``internal/`` is for its
        owner alone; the rest may be published. Which vertex is which is written nowhere.

        Parameters
        ----------
        path
            The folder to make.
        format
            ``csv``, ``tsv``, ``edgelist``, ``matrix``, ``graphml``, ``gexf``, ``gml``, ``pajek``, ``parquet`` or
            ``arrow``.
        overwrite
            Whether an existing release may be replaced.
        lang
            The language of the report: ``en`` or ``es``.
        pdf
            Whether the report is written as ``report.pdf`` too.

        Raises
        ------
        InputError
            The folder exists or cannot be written, the format cannot hold the graph, or PDF cannot be made here.
        AuditError
            The file does not hold what it should; nothing was left behind.
        """
        from celosia.jobs.graphs.release_page import render_release  # here: a template engine is no part of searching
        from celosia.report.language import check_language
        from celosia.report.pdf import check_pdf

        kind, target = format_of("", format), Path(path)
        check_language(lang)
        if pdf:
            check_pdf()
        with io.placing(target, overwrite=overwrite) as folder:
            file, beside = graph_file(folder, kind), table_beside(folder, self.graph, kind)
            chance = Randomness(self._seed).apart("files")
            names = write(self.graph, file, format=kind, vertices=beside, randomness=chance)
            audit_file(file, beside, kind, self.graph, names, self.models if self.promised else ())
            written = [one for one in (file, beside) if one is not None]
            internal_files(folder, self._record(kind, written), render_release(self, lang, kind), pdf=pdf)
        return target

    def _record(self, format: GraphFormat, files: Sequence[Path]) -> str:
        """Return the private record: how the release was made; no seed, no name of a vertex, no order."""
        content = {
            "celosia": "graph record",
            "version": 1,
            "celosia_version": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "input": self.original.name,
            "models": [describe(model) for model in self.models] if self.promised else [],
            "format": format,
            "files": {file.name: io.sha256_of(file) for file in files},
            "summary": self.summary,
        }
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


_CHEAP_SECONDS, _USUAL_SECONDS = 0.5, 10.0
_MANY_EDGES = 10_000
"""Beyond so many edges there are fewer sources of betweenness and no communities: nobody asked to wait for them."""
_OF_THE_ORIGINAL = {"IDENTIFYING_ATTRIBUTE", "SELF_LOOPS"}
"""Findings of reading that are told of the published graph, or are no longer true."""


def _counts(graph: Graph) -> dict[str, Any]:
    found = graph.to_dict()
    del found["findings"]
    return found | {"n_non_isolated": n_non_isolated(graph)}
