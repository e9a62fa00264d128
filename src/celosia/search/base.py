"""The protocol of a search, and the problem it is given."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.chance import Randomness
from celosia.base.progress import Ending, Progress, watch
from celosia.data.outcome import Proof
from celosia.data.recode import Extents
from celosia.data.schema import QuasiIdentifier, Table
from celosia.data.schema.fixed_point import kernel_columns
from celosia.models.base import Model

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows to be grouped, in canonical order.

    Rows are sorted by their values, equal rows at random, so that no search can depend on the order of the input.

    Attributes
    ----------
    rows
        The original row number of each row of the problem.
    codes
        The codes of each quasi-identifier, in the problem's order.
    subjects
        A code per row for the person it is about, or ``None`` where rows are people.
    smallest_class
        The least number of people in a class.
    n_spare
        How many of the rows may be suppressed.
    kept
        A quasi-identifier that is published as it is, because models judge it as a secret over the others. Classes are
        those of the others; people are counted in their parts with equal values of this one.
    history
        What a search that goes on improving has found by when: seconds since the problem was made, and the loss.
    pulses
        Those of the kernels that were run, in order, but for those that were run until a time.
    """

    table: Table
    models: Sequence[Model]
    rows: NDArray[np.intp]
    codes: Sequence[NDArray[np.int32]]
    subjects: NDArray[np.int32] | None
    smallest_class: int
    randomness: Randomness
    progress: Progress = field(repr=False)
    n_spare: int = 0
    kept: str | None = None
    started: float = field(default_factory=time.perf_counter, repr=False)
    history: list[tuple[float, float]] = field(default_factory=list, repr=False)
    pulses: list[kernels.Pulse] = field(default_factory=list, repr=False)

    @classmethod
    def of(
        cls,
        table: Table,
        models: Sequence[Model],
        randomness: Randomness,
        progress: Progress,
        usable: NDArray[np.intp] | None = None,
        n_spare: int = 0,
        kept: str | None = None,
    ) -> Problem:
        """Return the problem of the usable rows (``None``: all that their hierarchies know)."""
        started = time.perf_counter()
        if usable is None:
            usable = np.flatnonzero(~table.unplaced)
        codes = [column.codes for column in table.quasi_identifiers if column.name != kept]
        if len(usable) < table.n_rows:
            codes = [column[usable] for column in codes]
        order = kernels.sorted_rows(codes, len(usable), randomness.keys(len(usable)))
        rows = usable[order]
        return cls(
            table=table,
            models=models,
            rows=rows,
            codes=[np.take(column, order) for column in codes],
            subjects=None if table.subjects is None else table.subjects[rows],
            smallest_class=max(model.smallest_class for model in models),
            randomness=randomness,
            progress=progress,
            n_spare=n_spare,
            kept=kept,
            started=started,
        )

    @property
    def quasi_identifiers(self) -> list[QuasiIdentifier]:
        """The columns that classes make coarser."""
        return [column for column in self.table.quasi_identifiers if column.name != self.kept]

    @property
    def n_rows(self) -> int:
        """How many rows are to be grouped."""
        return len(self.rows)

    @cached_property
    def given_up(self) -> NDArray[np.bool_]:
        """The rows that a repair within the search suppressed with their classes; filled in by the repair."""
        return np.zeros(self.n_rows, dtype=np.bool_)

    @property
    def n_least_people(self) -> int:
        """The least number of people in a class by all models together, as far as it follows from a number of rows."""
        return self.smallest_class if self.subjects is not None else self.demands.n_least_rows

    @property
    def was_stopped(self) -> bool:
        """Whether a kernel was interrupted and handed over the best that it had until then."""
        return any(pulse.stopped for pulse in self.pulses)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each quasi-identifier."""
        return np.array([column.weight for column in self.quasi_identifiers], dtype=np.float64)

    @cached_property
    def columns(self) -> kernels.Columns:
        """The quasi-identifiers as the kernels see them."""
        return kernel_columns(self.quasi_identifiers, self.codes)

    @cached_property
    def demands(self) -> kernels.Demands:
        """What every class must satisfy, by all models."""
        return self.demands_of(self.models)

    def demands_of(self, models: Iterable[Model]) -> kernels.Demands:
        """Return what every class must satisfy by some of the models."""
        demands = kernels.Demands(self.n_rows)
        for model in models:
            if self.kept is None or "secret" in model.needs:
                model.add_demand(demands, self.table, self.rows)
            else:
                self._add_cells(demands, model)
        return demands

    def _add_cells(self, demands: kernels.Demands, model: Model) -> None:
        """Demand of every part of a class what the model demands of a class, as far as it is a number of rows."""
        alone = kernels.Demands(self.n_rows)
        model.add_demand(alone, self.table, self.rows)
        column = next(column for column in self.table.quasi_identifiers if column.name == self.kept)
        values, codes = np.unique(column.codes[self.rows], return_inverse=True)
        demands.add_rows(alone.n_least_rows)
        demands.add_cells(codes.astype(np.int32), len(values), alone.n_least_rows)

    def run(
        self, kernel: Callable[[kernels.Pulse], Result], keeps_best: bool = False, until: Ending | None = None
    ) -> Result:
        """Run a kernel with progress and interruption; one that keeps its best result returns it when interrupted.

        One that is not done when ``until`` is over is stopped, and ``EndedError`` raised: its search goes on without.
        """
        pulse = kernels.Pulse()
        if until is None:  # the end of such a kernel is not the end of the search
            self.pulses.append(pulse)
        return watch(pulse, self.progress, lambda: kernel(pulse), keeps_best, until)


@dataclass(frozen=True, eq=False)
class Grouping:
    """Classes of a search that is done with them: no repair may touch them.

    Attributes
    ----------
    labels
        A class label per row of the problem, as ``Algorithm.search`` returns them.
    extents
        What each class publishes, by quasi-identifier; empty for the narrowest values that cover its rows.
    proof
        How good it is, where the search can tell.
    """

    labels: NDArray[np.int32]
    extents: Mapping[str, Extents]
    proof: Proof | None = None


@runtime_checkable
class Algorithm(Protocol):
    """A search for classes. Constructors check and store options."""

    name: ClassVar[str]

    def search(self, problem: Problem) -> NDArray[np.int32] | Grouping:
        """Return a class label per row of the problem, from 0 without gaps, -1 for a row that is to be suppressed.

        Every class meets the problem's demands, unless there is only one. A search that recodes whole columns returns
        what classes publish as well, and raises ``UnreachableError`` if nothing satisfies the models. One that knows
        how good its classes are returns them with a proof.
        """
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file, defaults left out."""
        ...
