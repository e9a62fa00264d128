"""The protocol of a privacy model: it judges classes."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.data.classes import Classes
from celosia.data.schema import Table

Need = Literal["secret", "hierarchy", "population"]


class Monotone(NamedTuple):
    """What a model outlives: three different questions.

    Attributes
    ----------
    generalising
        Whenever all classes satisfy the model, they still do after any of them were united: what a coarser recoding of
        whole columns does.
    merging
        A class that satisfies the model still does when any other class, even a broken one, is merged into it.
    suppressing
        Whenever the model holds, it still does after any classes were suppressed whole.
    """

    generalising: bool
    merging: bool
    suppressing: bool


@runtime_checkable
class Model(Protocol):
    """A demand on classes. Constructors check and store options."""

    name: ClassVar[str]
    """The name in plan files and claims, such as ``k_anonymity``."""

    needs: ClassVar[tuple[Need, ...]]
    """What it cannot be judged without, besides quasi-identifiers."""

    @property
    def monotone(self) -> Monotone:
        """What the model outlives."""
        ...

    @property
    def smallest_class(self) -> int:
        """The least number of people that a class may have under this model (1 where it does not say)."""
        ...

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Raise ``UnreachableError`` if no grouping can satisfy the model, even without any ``n_spare`` of the rows."""
        ...

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Tell the kernels of a search what a class of these rows of the table must hold."""
        ...

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes that break the model; of a demand on all of them, those to blame."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file and in a claim."""
        ...


@runtime_checkable
class NeedsEvidence(Protocol):
    """A model that cannot be verified from published rows alone."""

    def evidence(self) -> dict[str, Any]:
        """Return ``population``, a frame of texts, and ``hierarchy``, leaf -> labels over it; or ``None`` for each."""
        ...
