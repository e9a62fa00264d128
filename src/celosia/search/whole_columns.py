"""Recodings of whole columns: what searches among them share.

A recoding publishes every value of a column in one way. Its classes are the rows that are then equal. Classes that
break a model are suppressed; what is left is judged again, by the rows that are left, until nothing breaks. If that
takes more rows than may be suppressed, the recoding does not hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import UnreachableError
from celosia.data.classes import Classes, group
from celosia.data.outcome import Proof
from celosia.models import BetaLikeness, KMap, TCloseness
from celosia.models.base import Model
from celosia.models.people import JudgesTogether
from celosia.search.base import Grouping, Problem
from celosia.search.ladders import SCALE, Ladder, Objective, costs_of, ladder_of
from celosia.search.repair import broken_by_models

Cut = Sequence[NDArray[np.int32]]
"""Per column the node that each code of its ladder is published as."""


@dataclass(frozen=True, eq=False)
class WholeColumns:
    """A problem whose rows are grouped by recoding whole columns."""

    problem: Problem
    objective: Objective

    @cached_property
    def ladders(self) -> list[Ladder]:
        """The levels of every column."""
        problem = self.problem
        return [
            ladder_of(column, codes) for column, codes in zip(problem.quasi_identifiers, problem.codes, strict=True)
        ]

    @cached_property
    def codes(self) -> list[NDArray[np.int32]]:
        """The codes of every column, missing values having the last one."""
        return [ladder.codes(codes) for ladder, codes in zip(self.ladders, self.problem.codes, strict=True)]

    @property
    def shares(self) -> list[float]:
        """The share of every column in a row's whole cost."""
        weights = self.problem.weights if self.objective == "gcp" else np.ones(len(self.ladders))
        shares: list[float] = (weights / weights.sum()).tolist()
        return shares

    @cached_property
    def costs(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """What a row costs on every level of every column, and suppressed."""
        return [
            costs_of(ladder, codes, self.objective, share)
            for ladder, codes, share in zip(self.ladders, self.codes, self.shares, strict=True)
        ]

    @cached_property
    def recoder(self) -> kernels.Recoder:
        """The kernel that judges recodings, by what the models ask."""
        return self.recoder_of(*self._demands)

    def recoder_of(self, lasting: kernels.Demands, others: kernels.Demands) -> kernels.Recoder:
        """Return a kernel that judges recodings: by demands that outlive the uniting of classes, and others."""
        ladders = kernels.Ladders(self.problem.n_rows)
        for ladder, codes, (costs, lost) in zip(self.ladders, self.codes, self.costs, strict=True):
            ladders.add(codes, ladder.groups(), costs, lost)
        name = _KERNEL_NAMES.get(self.objective, "cells")
        return kernels.Recoder(ladders, lasting, others, name, self.problem.n_spare, self.sees_all)

    def _is_about_parts(self, model: Model) -> bool:
        """Whether a model judges parts of classes, by a column that is kept, and may refuse what its parts satisfy."""
        kept = self.problem.kept
        return kept is not None and model.to_dict().get("on") not in (None, kept) and not model.monotone.generalising

    @cached_property
    def _demands(self) -> tuple[kernels.Demands, kernels.Demands]:
        """What classes must satisfy: by models that outlive the uniting of classes, and by the others."""
        known = [model for model in self.problem.models if not _is_hidden(model) and not self._is_about_parts(model)]
        lasting = self._demands_of([model for model in known if model.monotone.generalising])
        return lasting, self._demands_of([model for model in known if not model.monotone.generalising])

    def _demands_of(self, models: Sequence[Model]) -> kernels.Demands:
        problem = self.problem
        demands = problem.demands_of([model for model in models if not isinstance(model, JudgesTogether)])
        for model in models:
            if isinstance(model, JudgesTogether) and problem.kept is None:
                model.add_overall(demands, problem.table, problem.rows)
        return demands

    @cached_property
    def sees_all(self) -> bool:
        """Whether the kernels know everything that the models ask, also once rows are suppressed."""
        return self.problem.kept is None and not any(
            _is_hidden(model) or _is_frozen(model) for model in self.problem.models
        )

    @cached_property
    def is_decided_by_kernels(self) -> bool:
        """Whether nobody need look again at what the kernels find."""
        return self.sees_all and all(demands.are_exact for demands in self._demands)

    def cut_at(self, levels: Sequence[int]) -> Cut:
        """Return the cut that publishes every column on one level."""
        return [ladder.nodes[level] for ladder, level in zip(self.ladders, levels, strict=True)]

    def classes(self, cut: Cut) -> NDArray[np.int64]:
        """Return the rows that a cut publishes alike, as labels."""
        return group([nodes[codes] for nodes, codes in zip(cut, self.codes, strict=True)])

    def settled(self, labels: NDArray[np.int64]) -> NDArray[np.int32] | None:
        """Return the classes that are left, judged by the models themselves; ``None`` if they do not hold."""
        left = Classes(labels).labels.astype(np.int32)
        while (left >= 0).any() and int((left < 0).sum()) <= self.problem.n_spare:
            broken = broken_by_models(self.problem, left)
            if not len(broken):
                return left
            left = Classes(np.where(np.isin(left, broken), -1, left)).labels.astype(np.int32)
        return None

    def cost(self, cut: Cut, labels: NDArray[np.int32]) -> int:
        """Return what classes cost that a cut publishes, in the kernels' numbers."""
        n_rows, kept = len(labels), labels >= 0
        sizes = np.bincount(labels[kept])
        if self.objective == "discernibility":
            return int((sizes**2).sum()) + int((~kept).sum()) * n_rows
        if self.objective == "average_class_size":
            return n_rows - len(sizes)
        total = 0
        for nodes, ladder, codes, (costs, lost) in zip(cut, self.ladders, self.codes, self.costs, strict=True):
            own = self.cost_of_nodes(ladder, costs, nodes)
            total += int(np.where(kept, own[codes], lost[codes]).sum())
        return total

    @staticmethod
    def cost_of_nodes(ladder: Ladder, costs: NDArray[np.int64], nodes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return what a row with each code costs that is published as these nodes."""
        level = np.argmax(ladder.nodes == nodes, axis=0)
        return np.ascontiguousarray(costs[level, np.arange(ladder.n_codes)])

    def value(self, cost: int) -> float:
        """Return a cost as the objective's own number."""
        n_rows = self.problem.n_rows
        if self.objective == "discernibility":
            return float(cost)
        if self.objective == "average_class_size":
            return n_rows / max(n_rows - cost, 1)
        if self.objective == "non_uniform_entropy":
            return cost / max(self.recoder.cost_of_all_lost, 1)
        return cost / (SCALE * n_rows)

    def grouping(self, cut: Cut, labels: NDArray[np.int32], proof: Proof | None) -> Grouping:
        """Return classes with what a cut publishes them as."""
        sample = _one_row_each(labels)
        extents = {}
        for nodes, ladder, codes in zip(cut, self.ladders, self.codes, strict=True):
            node = nodes[codes[sample]]
            level = np.argmax(ladder.nodes[:, codes[sample]] == node, axis=0).astype(np.int32)
            extents[ladder.column.name] = ladder.extents(node, level)
        return Grouping(labels, extents, proof)

    def grouping_at(self, levels: NDArray[np.int32], labels: NDArray[np.int32], proof: Proof | None) -> Grouping:
        """Return classes with what they publish, each on a level per column (classes, columns)."""
        sample = _one_row_each(labels)
        extents = {}
        for level, ladder, codes in zip(levels.T, self.ladders, self.codes, strict=True):
            extents[ladder.column.name] = ladder.extents(ladder.nodes[level, codes[sample]], level)
        return Grouping(labels, extents, proof)


_KERNEL_NAMES = {"discernibility": "discernibility", "average_class_size": "class_size"}


def _is_hidden(model: Model) -> bool:
    """Whether kernels cannot see what a model counts: people of a population that fit a class."""
    return isinstance(model, KMap) and not isinstance(model.population, int)


def _one_row_each(labels: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return a row of every class."""
    kept = np.flatnonzero(labels >= 0)
    sample = np.zeros(int(labels.max(initial=-1)) + 1, dtype=np.int64)
    sample[labels[kept]] = kept
    return sample


def _is_frozen(model: Model) -> bool:
    """Whether kernels cannot measure a model against the rows that are left once others were suppressed."""
    if isinstance(model, BetaLikeness):
        return model.kind == "enhanced"
    return isinstance(model, TCloseness) and model.distance != "equal"


Places = Sequence[NDArray[np.int32]]
"""Per column the level on which each code of its ladder is published."""


def cut_of(columns: WholeColumns, places: Places) -> Cut:
    """Return the node that each code is published as on its level."""
    return [
        ladder.nodes[levels, np.arange(ladder.n_codes)] for ladder, levels in zip(columns.ladders, places, strict=True)
    ]


def proof_of(
    columns: WholeColumns,
    cost: int,
    n_judged: int,
    levels: Sequence[int] = (),
    *,
    bound: int | None = None,
    is_optimal: bool = False,
    n_recodings: int | None = None,
) -> Proof:
    """Return what a search can say of a recoding; where nothing is given besides its cost, it knows no bound."""
    names = [ladder.column.name for ladder in columns.ladders]
    return Proof(
        objective=columns.objective,
        value=columns.value(cost),
        lower_bound=None if bound is None else columns.value(bound),
        is_optimal=is_optimal,
        n_recodings=n_recodings,
        n_judged=n_judged,
        levels=dict(zip(names, levels, strict=True)) if levels else {},
    )


def unreachable(problem: Problem) -> UnreachableError:
    """Return the error of a search that has found nothing that holds, not even at the top of all columns."""
    return UnreachableError(
        f"no recoding of whole columns that was tried satisfies the models with at most {problem.n_spare} of "
        f"{problem.n_rows} rows suppressed.",
        hint="raise max_suppression, ask for less, or take lattice, which tries all levels, or a search that recodes "
        "row by row, such as weave. Nothing was written.",
        about="algorithm",
    )
