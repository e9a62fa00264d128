"""Detectors: what a column's name and cells say about it. Each is one file; ``celosia.jobs.suggest`` weighs them."""

from __future__ import annotations

from celosia.data.schema.detectors.base import Clue, KindClue, Look, look_at, percent
from celosia.data.schema.detectors.children import count_children
from celosia.data.schema.detectors.codes import find_code, find_near_unique
from celosia.data.schema.detectors.dates import find_births, find_dates, find_unread_dates
from celosia.data.schema.detectors.free_text import find_free_text
from celosia.data.schema.detectors.headers import Header, read_header
from celosia.data.schema.detectors.identifiers import find_identifier
from celosia.data.schema.detectors.numbers import find_decorated_numbers, find_numbers
from celosia.data.schema.detectors.orders import find_order
from celosia.data.schema.detectors.person_names import find_person_names
from celosia.data.schema.detectors.postcodes import find_postcodes
from celosia.data.schema.detectors.spelling import n_alike

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
