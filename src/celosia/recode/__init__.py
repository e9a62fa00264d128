"""From labels to published values."""

from __future__ import annotations

from celosia.recode.cells import Cells, cells_of
from celosia.recode.extents import Extents
from celosia.recode.recoding import Recoding, parted, recode

__all__ = ["Cells", "Extents", "Recoding", "cells_of", "parted", "recode"]
