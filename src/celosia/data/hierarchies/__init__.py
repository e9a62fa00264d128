"""How the values of a column become coarser: one class per kind, each a rule that ``fit`` turns into a domain."""

from __future__ import annotations

from celosia.base.errors import OptionError, nearest
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.category import Category
from celosia.data.hierarchies.dates import Dates
from celosia.data.hierarchies.domains import ancestors_of as ancestors_of
from celosia.data.hierarchies.intervals import Intervals
from celosia.data.hierarchies.number import Number
from celosia.data.hierarchies.order import Order
from celosia.data.hierarchies.prefix import Prefix
from celosia.data.hierarchies.tree import Tree

# The registry takes every name here for a kind, so that functions stay out.
__all__ = ["Category", "Dates", "Intervals", "Number", "Order", "Prefix", "Tree"]

SHORT_NAMES: dict[str, type[Category] | type[Dates] | type[Number]] = {
    "number": Number,
    "category": Category,
    "date": Dates,
    "dates": Dates,
}


def from_short(text: str) -> Hierarchy:
    """Return the kind that a plan names by one word: ``number``, ``category``, ``date`` or ``dates``.

    Raises
    ------
    OptionError
        If the word is none of these.

    Examples
    --------
    >>> from_short("number")
    Number(publish='range', grid=None)
    """
    if text not in SHORT_NAMES:
        raise OptionError(f"{text!r} is no hierarchy that goes without options.", hint=nearest(text, SHORT_NAMES))
    return SHORT_NAMES[text]()
