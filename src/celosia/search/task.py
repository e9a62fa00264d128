"""Task: from a table and what is asked of its classes to classes that satisfy all of it, or to a refusal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, UnreachableError
from celosia.base.progress import Progress
from celosia.data.classes import Classes
from celosia.data.outcome import REASONS, Proof
from celosia.data.recode import Extents
from celosia.data.schema import Table
from celosia.models.base import Model
from celosia.search.base import Algorithm, Grouping, Problem
from celosia.search.repair import broken_by_models, broken_models, settled, united
from celosia.search.thinning import check_rare, thinned
from celosia.search.trim import trim

_CODE = {reason: code for code, reason in enumerate(REASONS, start=1)}


@dataclass(frozen=True, eq=False)
class Found:
    """Classes that satisfy every model.

    Attributes
    ----------
    classes
        Over the rows of the task's table.
    reasons
        Why each of these rows is in no class, as in ``Outcome.reasons``.
    extents
        What each class publishes, where the search decided that.
    proof, history, was_stopped
        As in ``Outcome``.
    """

    classes: Classes
    reasons: NDArray[np.int8]
    extents: Mapping[str, Extents] | None
    proof: Proof | None
    history: tuple[tuple[float, float], ...]
    was_stopped: bool


@dataclass(frozen=True, eq=False)
class Task:
    """A table after masks, and what is asked of its classes."""

    table: Table
    models: Sequence[Model]
    algorithm: Algorithm
    max_suppression: float

    @property
    def budget(self) -> int:
        """How many rows may be suppressed; exact, so that 0.1 of 30 rows are 3."""
        return math.floor(Fraction(str(self.max_suppression)) * self.table.n_rows)

    @property
    def n_unplaced(self) -> int:
        """How many rows hold values that their hierarchies do not know."""
        return int(self.table.unplaced.sum())

    @cached_property
    def kept(self) -> str | None:
        """The quasi-identifier that models judge as a secret, if one: it is published as it is."""
        named = {model.to_dict().get("on") for model in self.models} & set(self.table.schema.quasi_identifiers)
        if len(named) > 1:
            raise InputError(
                f"models name {len(named)} columns that are quasi-identifiers and sensitive at once; one is the most.",
                hint="take all but one of them off the quasi-identifiers, or off the models.",
                about="models",
            )
        return named.pop() if named else None

    def check(self) -> None:
        """Raise what the search would raise before it begins: wrong roles, a demand out of reach."""
        schema, name = self.table.schema, self.table.name
        schema.check_all_classified(self.table.frame.columns, name)
        if not {*schema.quasi_identifiers, *schema.sensitive, *schema.insensitive}:
            raise InputError(
                f"no column of {name} would be published.", hint="give a column another role than identifier."
            )
        if self.table.n_rows == 0:
            raise UnreachableError(f"{name} has no rows: there is nothing to publish.", hint="check the input.")
        if self.n_unplaced > self.budget:
            raise UnreachableError(
                f"{self.n_unplaced} rows ({self.n_unplaced / self.table.n_rows:.1%}) hold values that their "
                f"hierarchies do not know and must be suppressed; max_suppression is {self.max_suppression:.1%}.",
                hint="extend the hierarchies, or raise max_suppression. Nothing was written.",
            )
        n_spare = self.budget - self.n_unplaced
        for model in self.models:
            model.check_reachable(self.table, n_spare)
        if self.kept is not None:
            check_rare(self.table, self.kept, self.models, n_spare)

    def find(self, randomness: Randomness, progress: Progress) -> Found:
        """Return classes that satisfy all models.

        Raises
        ------
        UnreachableError
            There are none with so few rows suppressed.
        """
        n_spare = self.budget - self.n_unplaced
        usable = thinned(self.table, self.models, n_spare, randomness, self.kept)
        n_spare -= self.table.n_rows - self.n_unplaced - len(usable)
        self._check_enough(usable)
        problem = Problem.of(self.table, self.models, randomness, progress, usable, n_spare, self.kept)
        labels = np.full(self.table.n_rows, -1, dtype=np.int64)
        reasons = np.full(self.table.n_rows, _CODE["too_rare"], dtype=np.int8)
        reasons[self.table.unplaced] = _CODE["unknown_value"]
        found: Grouping | None = None
        if problem.quasi_identifiers:
            labels[problem.rows], found, reasons[problem.rows] = self._classes_of(problem)
        else:
            labels[problem.rows] = reasons[problem.rows] = 0
        classes = Classes(labels)
        self.judge(
            classes,
            f"; max_suppression is {self.max_suppression:.1%}",
            hint="raise max_suppression, or ask for less. Nothing was written.",
        )
        return Found(
            classes=classes,
            reasons=reasons,
            extents=found.extents or None if found else None,
            proof=found.proof if found else None,
            history=_falls(problem.history),
            was_stopped=problem.was_stopped,
        )

    def judge(self, classes: Classes, when: str, **advice: str) -> None:
        """Raise ``UnreachableError`` unless every model holds."""
        for model, broken in broken_models(self.models, self.table, classes, self.kept):
            if len(broken):
                raise UnreachableError(
                    f"{model.name} does not hold in {len(broken)} of {classes.n_classes} classes "
                    f"({int(classes.sizes[broken].sum())} rows){when}.",
                    **advice,
                )

    def _classes_of(self, problem: Problem) -> tuple[NDArray[np.int32], Grouping | None, NDArray[np.int8]]:
        """Return classes that satisfy all models, if there are any, what they publish, and why rows are in none."""
        labels, found, reasons = self._settled(problem)
        if problem.n_spare and len(broken_by_models(problem, labels)):
            # What was suppressed may have been what the rest needs to satisfy a model at all.
            labels, found, reasons = self._settled(replace(problem, n_spare=0))
        return labels, found, reasons

    def _settled(self, problem: Problem) -> tuple[NDArray[np.int32], Grouping | None, NDArray[np.int8]]:
        found = self.algorithm.search(problem)
        if isinstance(found, Grouping):
            return found.labels, found, _reasons(problem, [("search", found.labels)])
        steps = [("search", found)]
        for reason, step in (("repair", settled), ("trimming", trim), ("repair", united)):
            steps.append((reason, step(problem, steps[-1][1])))
        return steps[-1][1], None, _reasons(problem, steps)

    def _check_enough(self, usable: NDArray[np.intp]) -> None:
        """Raise ``UnreachableError`` unless the rows that are left satisfy every model as one class."""
        if len(usable) == self.table.n_rows:
            return
        labels = np.full(self.table.n_rows, -1, dtype=np.int64)
        labels[usable] = 0
        for model, broken in broken_models(self.models, self.table, Classes(labels), self.kept):
            if len(broken) or not len(usable):
                subjects = self.table.subjects
                n_people = len(usable) if subjects is None else len(np.unique(subjects[usable]))
                raise UnreachableError(
                    f"only {n_people} people are left once the rows that must be suppressed are gone, too few for "
                    f"{model.name} or not the right ones.",
                    hint="extend the hierarchies, ask for less, or name one model on a secret at a time to see which "
                    "of them costs rows. Nothing was written.",
                    about="models",
                )


def _reasons(problem: Problem, steps: Sequence[tuple[str, NDArray[np.int32]]]) -> NDArray[np.int8]:
    """Return why each row is in no class at the end: the step since which it is in none."""
    reasons = np.full(problem.n_rows, _CODE["search"], dtype=np.int8)
    reasons[problem.given_up] = _CODE["repair"]  # by repair within the search
    for (_, before), (reason, _) in pairwise(steps):
        reasons[before >= 0] = _CODE[reason]
    reasons[steps[-1][1] >= 0] = 0
    return reasons


def _falls(history: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return the first point, those where the loss fell, and the last."""
    last = len(history) - 1
    return tuple(point for at, point in enumerate(history) if at in (0, last) or point[1] < history[at - 1][1])
