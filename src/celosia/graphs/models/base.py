"""What the graph models share: checks of their options, and the judgement on anonymity sets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.base.progress import Progress
from celosia.graphs.graph import Graph
from celosia.graphs.judging import Judgement


def checked_number(number: object, name: str, least: int, hint: str) -> int:
    """Return a whole number from ``least``, or raise ``OptionError``.

    Examples
    --------
    >>> checked_number(3, "k", 2, "")
    3
    """
    if isinstance(number, bool) or not isinstance(number, Integral) or number < least:
        raise OptionError(f"{name} must be a whole number from {least}.", hint=hint, about=name)
    return int(number)


def checked_attributes(attributes: object) -> tuple[str, ...]:
    """Return names of attributes, none twice, or raise ``OptionError``. A single name may stand alone.

    Examples
    --------
    >>> checked_attributes("sex")
    ('sex',)
    """
    names = [attributes] if isinstance(attributes, str) else attributes
    if (
        not isinstance(names, Sequence)
        or not all(isinstance(name, str) for name in names)
        or len(set(names)) < len(names)
    ):
        raise OptionError(
            "attributes must be names of attributes of vertices, none twice.",
            hint='such as ["sex"].',
            about="attributes",
        )
    return tuple(names)


def options(k: int, attributes: tuple[str, ...]) -> dict[str, Any]:
    """Return the options as they stand in a plan file; attributes only where there are some.

    Examples
    --------
    >>> options(3, ())
    {'k': 3}
    """
    return {"k": k} | ({"attributes": list(attributes)} if attributes else {})


def judgement_on_sets(labels: NDArray[np.int64], k: int) -> Judgement:
    """Return the judgement of a model by which every anonymity set must have at least k vertices.

    Examples
    --------
    >>> judgement_on_sets(np.array([0, 0, 1]), 2).breaking
    array([2])
    """
    sizes = np.bincount(labels)
    strongest_k = int(sizes.min()) if len(sizes) else 0
    return Judgement(
        satisfied=strongest_k >= k,
        strongest_k=strongest_k,
        breaking=np.flatnonzero(sizes[labels] < k) if len(sizes) else np.zeros(0, dtype=np.int64),
        labels=labels,
    )


@dataclass(frozen=True)
class ModelOfSets(ABC):
    """A model that parts vertices into sets, by what an attacker knows of them: each must have at least k."""

    k: int
    attributes: tuple[str, ...] = ()
    name: ClassVar[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", checked_number(self.k, "k", 2, "k = 1 hides nobody."))
        object.__setattr__(self, "attributes", checked_attributes(self.attributes))

    def judge(self, graph: Graph, progress: Progress | None = None) -> Judgement:
        """Say which vertices are of one set, and where they are fewer than k."""
        return judgement_on_sets(self._labels(graph, progress), self.k)

    @abstractmethod
    def _labels(self, graph: Graph, progress: Progress | None) -> NDArray[np.int64]:
        """Return the set of each vertex."""

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file."""
        return options(self.k, self.attributes)
