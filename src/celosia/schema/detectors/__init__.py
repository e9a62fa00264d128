"""Detectors: what a column's name and cells say about it. Each is one file; ``celosia.suggesting`` weighs them."""

from __future__ import annotations

from celosia.schema.detectors.base import Clue, KindClue, Look, look_at, percent
from celosia.schema.detectors.children import count_children
from celosia.schema.detectors.codes import find_code, find_near_unique
from celosia.schema.detectors.dates import find_births, find_dates, find_unread_dates
from celosia.schema.detectors.free_text import find_free_text
from celosia.schema.detectors.headers import Header, read_header
from celosia.schema.detectors.identifiers import find_identifier
from celosia.schema.detectors.numbers import find_decorated_numbers, find_numbers
from celosia.schema.detectors.orders import find_order
from celosia.schema.detectors.person_names import find_person_names
from celosia.schema.detectors.postcodes import find_postcodes
from celosia.schema.detectors.spelling import n_alike

__all__ = [
    "Clue",
    "Header",
    "KindClue",
    "Look",
    "count_children",
    "find_births",
    "find_code",
    "find_dates",
    "find_decorated_numbers",
    "find_free_text",
    "find_identifier",
    "find_near_unique",
    "find_numbers",
    "find_order",
    "find_person_names",
    "find_postcodes",
    "find_unread_dates",
    "look_at",
    "n_alike",
    "percent",
    "read_header",
]
