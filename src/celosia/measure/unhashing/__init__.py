"""Import check: columns of unkeyed digests are recognised, and reversed in a bounded demonstration (attack A11).

An unkeyed digest hides nothing that can be guessed: there are only 10^8 DNI numbers, and a machine hashes them all in
seconds. ``unkeyed_hashes`` shows it on the user's own table; ``reverse`` is the attack on one column.
"""

from __future__ import annotations

from celosia.measure.unhashing.demonstration import Reversal, reverse
from celosia.measure.unhashing.domains import (
    Domain,
    dates,
    dni,
    nie,
    numbers,
    phones,
    read_roster,
    texts,
    usual_domains,
    whole_numbers,
)
from celosia.measure.unhashing.shapes import Shape, shape_of
from celosia.measure.unhashing.telling import in_short, reversals, unkeyed_hashes

__all__ = [
    "Domain",
    "Reversal",
    "Shape",
    "dates",
    "dni",
    "in_short",
    "nie",
    "numbers",
    "phones",
    "read_roster",
    "reversals",
    "reverse",
    "shape_of",
    "texts",
    "unkeyed_hashes",
    "usual_domains",
    "whole_numbers",
]
