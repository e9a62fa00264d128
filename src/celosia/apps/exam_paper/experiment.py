"""The exam paper's experiment: 500 students, k-members and l-greedy, k from 2 to 40."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from celosia.apps.exam_paper import paper
from celosia.apps.exam_paper.bound import lower_bounds
from celosia.apps.exam_paper.yardstick import Yardstick, time_yardstick
from celosia.base.chance import Randomness
from celosia.base.errors import OptionError
from celosia.base.progress import Progress, Quiet
from celosia.base.version import __version__
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.data.students import STUDENTS, make_students
from celosia.measure.utility import gcp
from celosia.models import KAnonymity
from celosia.search import KMembers, LGreedy
from celosia.search.base import Algorithm, Grouping, Problem

Marks = Literal["real", "integer"]
"""Marks as drawn from N(6, 2), or clipped to 0..10 and rounded."""

KINDS_OF_MARKS: tuple[Marks, ...] = get_args(Marks)

ALGORITHMS: dict[str, Algorithm] = {"k_members": KMembers(), "l_greedy": LGreedy()}
"""The searches that the paper compares."""

_YARDSTICK_K = 10
"""It divides 500, so that the yardstick needs no rule for left-over rows."""


@dataclass(frozen=True)
class Run:
    """One search: its table (kind of marks and seed), its loss, its time and the rows in its smallest class."""

    marks: Marks
    seed: int
    algorithm: str
    k: int
    gcp: float
    seconds: float
    smallest_class: int


@dataclass(frozen=True)
class Bound:
    """The GCP that no grouping of one table in classes of k rows undercuts."""

    marks: Marks
    seed: int
    k: int
    gcp: float


@dataclass(frozen=True)
class Shares:
    """How many of the marks as drawn lie within 1 and within 2 of the mean 6."""

    n_marks: int
    within_one: float
    within_two: float


@dataclass(frozen=True)
class Spread:
    """A figure over several tables.

    Examples
    --------
    >>> Spread.of([0.5, 0.7])
    Spread(mean=0.6, min=0.5, max=0.7)
    """

    mean: float
    min: float
    max: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Return mean, least and greatest of some figures."""
        figures = list(values)
        return cls(float(np.mean(figures)), min(figures), max(figures))


@dataclass(frozen=True)
class Reproduction:
    """Everything that was measured; the verdicts follow from it (``celosia.apps.exam_paper.verdicts``)."""

    ks: tuple[int, ...]
    marks: tuple[Marks, ...]
    n_seeds: int
    runs: tuple[Run, ...]
    bounds: tuple[Bound, ...]
    shares: Shares
    yardstick: Yardstick

    def loss(self, marks: Marks, algorithm: str, k: int) -> Spread:
        """Return the GCP over the tables."""
        return Spread.of(run.gcp for run in self._of(marks, algorithm, k))

    def seconds(self, marks: Marks, algorithm: str, k: int) -> Spread:
        """Return the search time over the tables."""
        return Spread.of(run.seconds for run in self._of(marks, algorithm, k))

    def bound(self, marks: Marks, k: int) -> Spread:
        """Return the lower bound of the GCP over the tables."""
        return Spread.of(bound.gcp for bound in self.bounds if (bound.marks, bound.k) == (marks, k))

    def summary(self) -> list[dict[str, Any]]:
        """Return a row of figures per kind of marks and k."""
        return [
            {
                "marks": marks,
                "k": k,
                "risk_at_most": 1 / k,
                "gcp": {name: asdict(self.loss(marks, name, k)) for name in ALGORITHMS},
                "gcp_lower_bound": asdict(self.bound(marks, k)),
                "gcp_printed": paper.LOSS_AT.get(k),
                "search_seconds": {name: asdict(self.seconds(marks, name, k)) for name in ALGORITHMS},
            }
            for marks in self.marks
            for k in self.ks
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return what was measured as ``--json`` gives it; the verdicts are added there."""
        return {
            "experiment": "exam-paper",
            "celosia_version": __version__,
            "n_students": paper.N_STUDENTS,
            "k": list(self.ks),
            "marks": list(self.marks),
            "n_seeds": self.n_seeds,
            "printed": paper.printed(),
            "summary": self.summary(),
            "runs": [asdict(run) for run in self.runs],
            "lower_bounds": [asdict(bound) for bound in self.bounds],
            "shares_of_marks": asdict(self.shares),
            "yardstick": self.yardstick.to_dict(),
        }

    def _of(self, marks: Marks, algorithm: str, k: int) -> list[Run]:
        return [run for run in self.runs if (run.marks, run.algorithm, run.k) == (marks, algorithm, k)]


def reproduce_exam_paper(
    ks: Sequence[int] = range(paper.SMALLEST_K, paper.LARGEST_K + 1),
    *,
    n_seeds: int = 5,
    marks: Sequence[Marks] = KINDS_OF_MARKS,
    progress: Progress | None = None,
) -> Reproduction:
    """Repeat the experiment of the exam paper's section 5.

    Classes come straight from the search and are measured, neither recoded nor audited: nothing is published. Table
    number s is made, and its searches are run, with seed s.

    Parameters
    ----------
    ks
        Each from 2 to 500.
    n_seeds
        How many tables of 500 students are made, from 1.
    marks
        ``real`` (as drawn), ``integer`` (clipped to 0..10 and rounded), or both.

    Raises
    ------
    OptionError
        A k below 2, no k, no seed or no kind of marks.
    UnreachableError
        A k above 500.

    Examples
    --------
    >>> found = reproduce_exam_paper([2], n_seeds=1, marks=["real"])
    >>> 0.04 < found.loss("real", "l_greedy", 2).mean < 0.06
    True
    """
    models = _checked(ks, n_seeds, marks)
    shown = progress or Quiet()
    shown.stage("search")
    tables = [(kind, seed, _students(kind, seed)) for kind in dict.fromkeys(marks) for seed in range(n_seeds)]
    models[-1].check_reachable(tables[0][2])
    k_values = tuple(model.k for model in models)
    # Before the searches: it also fits the columns of each table, which must not count as search time.
    bounds = [
        Bound(kind, seed, k, bound)
        for kind, seed, table in tables
        for k, bound in zip(k_values, lower_bounds(table, k_values), strict=True)
    ]
    yardstick = time_yardstick(_problem(_students("real", 0), KAnonymity(_YARDSTICK_K), seed=0))
    runs: list[Run] = []
    n_runs = len(tables) * len(models) * len(ALGORITHMS)
    for kind, seed, table in tables:
        for model in models:
            for name in ALGORITHMS:
                runs.append(_run(kind, seed, table, model, name))
                shown.advance(len(runs) / n_runs)
    return Reproduction(
        ks=k_values,
        marks=tuple(dict.fromkeys(marks)),
        n_seeds=n_seeds,
        runs=tuple(runs),
        bounds=tuple(bounds),
        shares=_shares(n_seeds),
        yardstick=yardstick,
    )


def _checked(ks: Sequence[int], n_seeds: int, marks: Sequence[Marks]) -> list[KAnonymity]:
    if not ks or n_seeds < 1 or not marks or not set(marks) <= set(KINDS_OF_MARKS):
        raise OptionError(
            "the experiment needs at least one k, one seed, and marks 'real', 'integer' or both.",
            hint="leave them out to repeat the paper's: k from 2 to 40.",
        )
    return [KAnonymity(k) for k in sorted(set(ks))]


def _students(marks: Marks, seed: int) -> Table:
    return Table(make_students(paper.N_STUDENTS, marks=marks, seed=seed), STUDENTS, name="students")


def _problem(table: Table, model: KAnonymity, seed: int) -> Problem:
    return Problem.of(table, [model], Randomness(seed), Quiet())


def _run(marks: Marks, seed: int, table: Table, model: KAnonymity, algorithm: str) -> Run:
    started = time.perf_counter()
    problem = _problem(table, model, seed)
    found = ALGORITHMS[algorithm].search(problem)
    seconds = time.perf_counter() - started
    labels: NDArray[np.int64] = np.empty(table.n_rows, dtype=np.int64)
    labels[problem.rows] = found.labels if isinstance(found, Grouping) else found
    classes = Classes(labels)
    return Run(marks, seed, algorithm, model.k, gcp(table, classes), seconds, int(classes.sizes.min()))


def _shares(n_seeds: int) -> Shares:
    """Count the marks as drawn, of all tables: rounded ones cannot tell."""
    names = ["participation", "exam", "practicals"]
    drawn = np.concatenate(
        [
            make_students(paper.N_STUDENTS, marks="real", seed=seed).select(names).to_numpy().ravel()
            for seed in range(n_seeds)
        ]
    )
    off = np.abs(drawn - 6.0)
    return Shares(len(drawn), float((off <= 1).mean()), float((off <= 2).mean()))
