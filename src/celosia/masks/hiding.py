"""Masks as reports and records show them: options that spell out cells are named, not told."""

from __future__ import annotations

from typing import Any

from celosia.masks.base import Mask
from celosia.masks.expressions.syntax import without_constants

HIDDEN = "..."
"""What stands for an option that is not told."""

_OF_VALUES = frozenset({"mapping", "matrix", "order", "orders", "pattern", "tree", "values"})
"""Options in which users write what cells hold."""

_PLACES = frozenset({"file", "path", "url"})
"""Where keys and vaults are; the name of an environment variable tells nothing that helps to get at them."""

_EXPRESSIONS = frozenset({"expression", "where"})
"""Options in which they may."""


def shown_options(mask: Mask) -> dict[str, Any]:
    """Return the options of a mask, with ``...`` for what may spell out cells, and for where keys and vaults are.

    Examples
    --------
    >>> from celosia.masks import DropRows
    >>> shown_options(DropRows(column="postcode", values=["50011"]))
    {'columns': ['postcode'], 'values': '...'}
    >>> shown_options(DropRows(where="age > 70"))
    {'where': 'age > ...'}
    >>> from celosia.masks.pseudonymise import Pseudonymise
    >>> shown_options(Pseudonymise("dni", vault={"path": "people.vault", "key": {"env": "CELOSIA_KEY"}}))
    {'columns': ['dni'], 'vault': {'path': '...', 'key': {'env': 'CELOSIA_KEY'}}}
    """
    return {option: _shown(option, value) for option, value in mask.to_dict().items()}


def _shown(option: str, value: Any) -> Any:
    if option in _OF_VALUES or (option in _PLACES and isinstance(value, str)):
        return HIDDEN
    if isinstance(value, dict):  # a hierarchy by its name, such as {tree: ...}
        return {inner: _shown(inner, held) for inner, held in value.items()}
    return without_constants(value) if option in _EXPRESSIONS else value
