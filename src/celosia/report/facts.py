"""Facts: what the sections of a report draw upon, computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.measure.overall import Measures
from celosia.measure.release_findings import findings_of
from celosia.measure.risk.base import class_counts
from celosia.measure.run import Run
from celosia.report.distributions import Distribution, distribution_of


@dataclass(frozen=True)
class Facts:
    """A release, what is measured of it, and the circumstances of its report.

    Attributes
    ----------
    release
        The release.
    measures, findings
        What is measured of it, and what the user should know.
    data
        The description of the written data file, or ``None`` where none was written.
    checks
        Name and status of every check of the verifier on that file.
    made
        When.
    """

    release: Run
    measures: Measures
    findings: Sequence[Finding]
    data: Mapping[str, Any] | None = None
    checks: Sequence[tuple[str, str]] = ()
    made: datetime = field(default_factory=lambda: datetime.now(UTC))

    @classmethod
    def of(cls, release: Run, data: Mapping[str, Any] | None = None) -> Facts:
        """Return the facts of a release of which nothing has been measured."""
        measures = Measures(release)
        return cls(release, measures, findings_of(release, measures), data)

    @property
    def table(self) -> Table:
        """The table after masks."""
        return self.release.table

    @property
    def classes(self) -> Classes:
        """The class of every row after masks."""
        return self.release.recoding.classes

    @property
    def demanded(self) -> int:
        """The least number of people that the plan's models allow in a class."""
        return int(self.release.plan.demanded)

    @property
    def k(self) -> int:
        """Nothing about fewer people is told apart in the report: what the plan demands, and never one person."""
        return int(self.release.plan.least)

    @property
    def people(self) -> NDArray[np.int64]:
        """How many people each class of the release has."""
        return class_counts(self.release).people

    @property
    def smallest(self) -> int:
        """How many people the smallest class has."""
        return int(self.people.min())

    def judged(self, model: Any) -> Classes:
        """Return the classes that a model judges: without its secret, where that is a quasi-identifier as well."""
        recoding = self.release.recoding
        is_kept = recoding.kept is not None and model.to_dict().get("on") == recoding.kept
        return recoding.whole if is_kept and recoding.whole is not None else self.classes

    @cached_property
    def distributions(self) -> tuple[Distribution, ...]:
        """Before and after of every quasi-identifier."""
        recoding = self.release.recoding
        return tuple(distribution_of(cells, recoding.searched, self.table.subjects, self.k) for cells in recoding.cells)
