"""The protocol of a privacy model: it judges classes."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.classes import Classes
from celosia.schema import Table

__all__ = ["Model"]


@runtime_checkable
class Model(Protocol):
    """A demand on classes. Constructors check and store options."""

    name: ClassVar[str]
    """The name in plan files and claims, such as ``k_anonymity``."""

    @property
    def smallest_class(self) -> int:
        """The least number of people that a class may have under this model (1 where it does not say)."""
        ...

    def check_reachable(self, table: Table) -> None:
        """Raise ``UnreachableError`` if no grouping of these rows can satisfy the model."""
        ...

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Tell the kernels of a search what a class of these rows of the table must hold."""
        ...

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes that break the model."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file and in a claim."""
        ...
