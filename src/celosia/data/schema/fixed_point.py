"""Quasi-identifiers as the kernels see them: whole numbers, losses in fixed point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.data.hierarchies.domains import Bag, Levels
from celosia.data.schema.columns import QuasiIdentifier

WHOLE_LOSS = 2**30
"""The fixed-point loss of a row that loses everything: sums stay exact, so that threads and instruction sets agree."""

_MISSING_POSITION = np.int32(np.iinfo(np.int32).min)


def kernel_columns(quasi_identifiers: Sequence[QuasiIdentifier], codes: Sequence[NDArray[np.int32]]) -> kernels.Columns:
    """Hand columns to the kernels, losses in fixed point, each column's share by its weight."""
    columns = kernels.Columns(len(codes[0]))
    total = sum(column.weight for column in quasi_identifiers)
    for column, own in zip(quasi_identifiers, codes, strict=True):
        full = int(WHOLE_LOSS * column.weight / total)
        domain = column.domain
        if isinstance(domain, Bag):
            columns.add_bag(own, len(domain.values), full // max(len(domain.values) - 1, 1), full)
        elif isinstance(domain, Levels):
            columns.add_tree(own, domain.nodes, np.floor(domain.share * full).astype(np.int32), full)
        else:
            places = np.append(np.floor(domain.positions * full).astype(np.int32), _MISSING_POSITION)
            columns.add_line(places[own], full)
    return columns
