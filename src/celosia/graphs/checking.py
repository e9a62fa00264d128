"""check: whether a graph satisfies a model, who breaks it, and what it gives away beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.base.findings import Finding
from celosia.base.progress import Progress
from celosia.data.classes import group
from celosia.graphs.colours import numbered
from celosia.graphs.files.reading import given_graph
from celosia.graphs.findings import findings_about
from celosia.graphs.graph import Graph
from celosia.graphs.judging import GraphModel, Judgement
from celosia.graphs.quotient import Quotient, quotient_of
from celosia.graphs.risk import GraphRisk, risk
from celosia.graphs.risk.neighbours import are_pairs_few


@dataclass(frozen=True, eq=False)
class Result:
    """What ``check`` found. Made by ``check``.

    Attributes
    ----------
    graph
        The graph.
    models, judgements
        The models asked for, and what each says.
    risk
        What the graph gives away to attackers who know different things, whatever the models say.
    findings
        What the user should know, what was met while reading included.
    """

    graph: Graph
    models: tuple[GraphModel, ...]
    judgements: tuple[Judgement, ...]
    risk: GraphRisk
    findings: tuple[Finding, ...]

    @property
    def satisfied(self) -> bool:
        """Whether every model holds."""
        return all(judgement.satisfied for judgement in self.judgements)

    @property
    def strongest_k(self) -> int:
        """The greatest k with which every model holds, at the l asked for; 1 where none from 2 on does."""
        return min(judgement.strongest_k for judgement in self.judgements)

    @property
    def strongest_l(self) -> int | None:
        """The greatest l with which every (k, l)-anonymity holds, at the k asked for; ``None`` if there is none."""
        return min((one.strongest_l for one in self.judgements if one.strongest_l is not None), default=None)

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """The anonymity set of every vertex: those that no model's attacker can tell apart, whatever l."""
        if len(self.judgements) == 1:
            return self.judgements[0].labels
        return numbered(group([judgement.labels for judgement in self.judgements]))

    @cached_property
    def sets(self) -> tuple[tuple[Any, ...], ...]:
        """The anonymity sets, as names of vertices; sets and names in the order of the graph."""
        names = self.graph.names.to_list()
        members: list[list[Any]] = [[] for _ in range(int(self.labels.max(initial=-1)) + 1)]
        for name, label in zip(names, self.labels.tolist(), strict=True):
            members[label].append(name)
        return tuple(map(tuple, members))

    @cached_property
    def breaking_places(self) -> NDArray[np.int64]:
        """The places of the vertices that break a model, ascending."""
        found: NDArray[np.int64] = np.unique(np.concatenate([judgement.breaking for judgement in self.judgements]))
        return found

    @cached_property
    def breaking(self) -> tuple[Any, ...]:
        """The names of the vertices that break a model, in the order of the graph."""
        return tuple(self.graph.names[self.breaking_places].to_list())

    @cached_property
    def quotient(self) -> Quotient:
        """The reduced matrix over the anonymity sets."""
        return quotient_of(self.graph, self.labels)

    @property
    def profile(self) -> NDArray[np.int32] | None:
        """For one (k, l)-anonymity: the smallest l that breaks each vertex; 0: none that was looked at, -1: cut off.

        ``None`` for other models, and for several at once: see ``results``.
        """
        return self.judgements[0].profile if len(self.judgements) == 1 else None

    @property
    def profile_histogram(self) -> dict[str, int] | None:
        """How many vertices each l breaks first; ``none``: no l that was looked at; ``cut_off``: not searched out."""
        if self.profile is None:
            return None
        counts = Counter(self.profile.tolist())
        breaking = {str(size): counts[size] for size in sorted(counts) if size > 0}
        return breaking | {"none": counts[0], "cut_off": counts[-1]}

    @property
    def results(self) -> tuple[Result, ...]:
        """One result per model, in their order. Risk and findings are those of all."""
        return tuple(
            Result(self.graph, (model,), (judgement,), self.risk, self.findings)
            for model, judgement in zip(self.models, self.judgements, strict=True)
        )

    def __repr__(self) -> str:
        names = ", ".join(model.name for model in self.models)
        verdict = "satisfied" if self.satisfied else f"not satisfied, {len(self.breaking_places)} vertices break it"
        return f"Result({names}: {verdict}; strongest k {self.strongest_k})"

    def to_dict(self, *, show_names: bool = False) -> dict[str, Any]:
        """Return all as ``--json`` prints it. Names of vertices are people's: they are there on request only."""
        graph = self.graph.to_dict()
        del graph["findings"]  # they are among all findings
        return {
            "graph": graph,
            "satisfied": self.satisfied,
            "strongest_k": self.strongest_k,
            "strongest_l": self.strongest_l,
            **self._of_sets(show_names),
            "models": [result._of_model(show_names) for result in self.results],
            "risk": self.risk.to_dict(),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def _of_sets(self, show_names: bool) -> dict[str, Any]:
        sizes = np.bincount(self.labels)
        found: dict[str, Any] = {
            "n_sets": len(sizes),
            "set_sizes": {str(size): n for size, n in sorted(Counter(sizes.tolist()).items())},
            "n_breaking": len(self.breaking_places),
        }
        if show_names:
            found |= {"sets": [_texts(members) for members in self.sets], "breaking": _texts(self.breaking)}
        return found

    def _of_model(self, show_names: bool) -> dict[str, Any]:
        model, judgement = self.models[0], self.judgements[0]
        found = {
            "model": {model.name: model.to_dict()},
            "satisfied": judgement.satisfied,
            "strongest_k": judgement.strongest_k,
            "strongest_l": judgement.strongest_l,
            "lower_bounds": list(judgement.lower_bounds),
            **self._of_sets(show_names),
            "n_undecided": len(judgement.undecided),
            "profile": self.profile_histogram,
            "profile_up_to": judgement.profile_up_to,
            "quotient": self.quotient.to_dict(),
        }
        if show_names and len(judgement.undecided):
            found["undecided"] = _texts(self.graph.names[judgement.undecided].to_list())
        return found


def check(graph: Any, models: GraphModel | Sequence[GraphModel], progress: Progress | None = None) -> Result:
    """Say whether a graph satisfies a model, or all of several, who breaks it, and what the graph gives away.

    Parameters
    ----------
    graph
        A Graph, or what ``read`` takes: a file, a networkx graph, a scipy matrix, a NumPy array, a frame of edges.
    models
        A model such as ``NeighbourhoodAnonymity(3)``, or a list of them.

    Raises
    ------
    InputError
        There is no graph.
    ColumnNotFoundError
        A model names an attribute that vertices do not have.
    OptionError
        There is no model.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.graphs.models import NeighbourhoodAnonymity
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0], names=pl.Series(["ana", "eva", "luis", "rosa"]))
    >>> result = check(square, NeighbourhoodAnonymity(2))
    >>> result.satisfied, result.strongest_k, result.sets
    (True, 2, (('ana', 'luis'), ('eva', 'rosa')))
    >>> result.quotient.entry_matrix().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    >>> result.risk["neighbourhood"].max
    0.5
    """
    demanded = checked_models(models)
    own = given_graph(graph)
    return result_of(own, demanded, tuple(model.judge(own, progress) for model in demanded), progress)


def result_of(
    graph: Graph,
    models: tuple[GraphModel, ...],
    judgements: tuple[Judgement, ...],
    progress: Progress | None = None,
) -> Result:
    """Return the result of models that have been judged: the risk beside them, and what there is to know.

    Examples
    --------
    >>> from celosia.graphs.models import DegreeAnonymity
    >>> square, model = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0]), DegreeAnonymity(4)
    >>> result_of(square, (model,), (model.judge(square),))
    Result(degree_anonymity: satisfied; strongest k 4)
    """
    attributes = tuple(dict.fromkeys(name for model in models for name in model.attributes))
    known = (1, 2) if are_pairs_few(graph) else (1,)  # whoever asks for the risk itself may wait for more
    k = max(model.k for model in models)
    found = risk(graph, k=k, l=known, attributes=attributes, progress=progress)
    findings = findings_about(graph, models, judgements, found, progress)
    return Result(graph, models, judgements, found, (*graph.findings, *findings))


def checked_models(models: object) -> tuple[GraphModel, ...]:
    """Return one model or a list of them as a tuple, or raise ``OptionError``.

    Examples
    --------
    >>> from celosia.graphs.models import DegreeAnonymity
    >>> checked_models(DegreeAnonymity(2))
    (DegreeAnonymity(k=2, attributes=()),)
    """
    given = models if isinstance(models, list | tuple) else [models]
    if not given or not all(isinstance(model, GraphModel) and not isinstance(model, type) for model in given):
        raise OptionError(
            "a graph is held against a model or a list of models.",
            hint="such as NeighbourhoodAnonymity(3), KLAnonymity(k=2, l=2) or DegreeAnonymity(5).",
            about="models",
        )
    return tuple(given)


def _texts(names: Sequence[Any]) -> list[Any]:
    """Return names as JSON can hold them."""
    return [name if isinstance(name, str | int) else str(name) for name in names]
