"""What each class covers in one column: its lowest and highest code, or its set of codes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.classes import Classes

__all__ = ["Extents", "extents_of", "sets_of"]


@dataclass(frozen=True, eq=False)
class Extents:
    """Per class: the lowest and highest known code, and whether known and missing values occur."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    has_known: NDArray[np.bool_]
    has_missing: NDArray[np.bool_]

    @property
    def mixed(self) -> NDArray[np.bool_]:
        """Classes that hold missing and known values, published as ``*``."""
        return self.has_known & self.has_missing


def extents_of(classes: Classes, codes: NDArray[np.int32]) -> Extents:
    """Return what each class covers of a column of codes (-1 = missing)."""
    low, high, n_missing = kernels.class_extents(classes.labels.astype(np.int32), codes, classes.n_classes)
    return Extents(low, high, n_missing < classes.sizes, n_missing > 0)


def sets_of(classes: Classes, codes: NDArray[np.int32], n_values: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct known codes of every class, class after class, and where each class starts among them."""
    known = (classes.labels >= 0) & (codes >= 0)
    pairs = np.unique(classes.labels[known] * n_values + codes[known])
    starts = np.searchsorted(pairs, np.arange(classes.n_classes + 1, dtype=np.int64) * n_values)
    return pairs % max(n_values, 1), starts
