"""Masks as reports and records show them: options that spell out cells are named, not told."""

from __future__ import annotations

from typing import Any

from celosia.masks.base import Mask
from celosia.masks.expressions.syntax import without_constants

__all__ = ["HIDDEN", "shown_options"]

HIDDEN = "..."
"""What stands for an option that is not told."""

_OF_VALUES = frozenset({"mapping", "matrix", "order", "orders", "pattern", "tree", "values"})
"""Options in which users write what cells hold."""

_EXPRESSIONS = frozenset({"expression", "where"})
"""Options in which they may."""


def shown_options(mask: Mask) -> dict[str, Any]:
    """Return the options of a mask, with ``...`` for those, and those parts of expressions, that may spell out cells.

    Examples
    --------
    >>> from celosia.masks import DropRows
    >>> shown_options(DropRows(column="postcode", values=["50011"]))
    {'columns': ['postcode'], 'values': '...'}
    >>> shown_options(DropRows(where="age > 70"))
    {'where': 'age > ...'}
    """
    return {option: _shown(option, value) for option, value in mask.to_dict().items()}


def _shown(option: str, value: Any) -> Any:
    if option in _OF_VALUES:
        return HIDDEN
    if isinstance(value, dict):  # a hierarchy by its name, such as {tree: ...}
        return {inner: _shown(inner, held) for inner, held in value.items()}
    return without_constants(value) if option in _EXPRESSIONS else value
