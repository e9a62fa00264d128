"""From labels to published values."""

from __future__ import annotations

from celosia.data.recode.cells import Cells, cells_of, loses_as_grouped
from celosia.data.recode.extents import Extents
from celosia.data.recode.recoding import Recoding, parted, recode
from celosia.data.recode.scope import Scope, scope_of, scope_of_texts

__all__ = [
    "Cells",
    "Extents",
    "Recoding",
    "Scope",
    "cells_of",
    "loses_as_grouped",
    "parted",
    "recode",
    "scope_of",
    "scope_of_texts",
]
