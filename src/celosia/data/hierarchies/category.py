"""Categories without a hierarchy: a class is published as the set of its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from celosia.base.fields import Options
from celosia.data.hierarchies.base import ValueType
from celosia.data.hierarchies.domains import Bag
from celosia.data.hierarchies.options import check_choice
from celosia.data.hierarchies.text import choose_separator, refuse_reserved


@dataclass(frozen=True)
class Category(Options):
    """Values without order: loss of a class = (its distinct values - 1) / (distinct values of the column - 1).

    Parameters
    ----------
    publish
        ``set`` writes ``Ana / Luis``, ``centroid`` the most frequent value of the class.

    Raises
    ------
    OptionError
        If ``publish`` is not allowed.

    Examples
    --------
    >>> domain = Category().fit(["Ana", "Luis"], "lecturer")
    >>> domain.separator.join(domain.values)
    'Ana / Luis'
    """

    name: ClassVar[str] = "category"
    value_type: ClassVar[ValueType] = "text"

    publish: Literal["set", "centroid"] = "set"

    def __post_init__(self) -> None:
        check_choice("category: publish", self.publish, ["set", "centroid"])

    def fit(self, values: Sequence[str], column: str) -> Bag:
        """Return the bag of these values.

        Raises
        ------
        HierarchyError
            If a value is ``*``, or if every separator occurs in some value.
        """
        refuse_reserved(values, f"column {column!r}")
        return Bag(sorted(values), choose_separator(values, f"column {column!r}"))
