"""The protocol of a hierarchy: a rule that becomes a domain once it meets a column's values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from celosia.data.hierarchies.domains import Domain

ValueType = Literal["number", "text", "date"]
"""What a column's text is turned into before the hierarchy sees it: int or float, str, or datetime.date."""


@runtime_checkable
class Hierarchy(Protocol):
    """A rule by which the values of one column become coarser.

    Constructors only check and store options. ``fit`` meets the data.
    """

    name: ClassVar[str]
    """The name in plan files, such as ``intervals``."""

    value_type: ClassVar[ValueType]

    def fit(self, values: Sequence[Any], column: str) -> Domain:
        """Return the domain of these distinct values (no missing ones), given in ascending order.

        Raises ``HierarchyError`` with counts and the column's name, never with a value.
        """
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file, defaults left out."""
        ...
