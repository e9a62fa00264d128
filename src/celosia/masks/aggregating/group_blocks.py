"""Blocks of rows that may share a group: those of one stratum with gaps in the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import UnreachableError
from celosia.data.classes import group


@dataclass(frozen=True, eq=False)
class Blocks:
    """Rows by stratum and gaps.

    Attributes
    ----------
    labels
        The block of each row, 0, 1, ...
    strata
        The stratum of each block.
    is_empty
        Whether the rows of a block have a gap in every column.
    """

    labels: NDArray[np.int32]
    strata: NDArray[np.int64]
    is_empty: NDArray[np.bool_]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each block has."""
        return np.bincount(self.labels, minlength=len(self.strata))

    def require(self, k: int, is_blanking: bool) -> None:
        """Raise ``UnreachableError`` if a stratum, or a block that cannot be blanked, has fewer than ``k`` rows."""
        in_strata = np.bincount(self.strata, weights=self.sizes).astype(np.int64)
        n_small = int(np.count_nonzero(in_strata < k))
        if n_small or not len(self.labels):
            n_rows = int(in_strata[in_strata < k].sum())
            where = "the table has" if len(in_strata) < 2 else f"{n_small} of {len(in_strata)} strata have only"
            raise UnreachableError(
                f"microaggregate: groups need {k} rows, but {where} {n_rows} row(s){_in_all(len(in_strata))}.",
                hint="lower k" + (", or make the columns under within coarser." if len(in_strata) > 1 else "."),
                about="k",
            )
        is_small = self.sizes < k
        if is_small.any() and not is_blanking:
            raise UnreachableError(
                f"microaggregate: groups need {k} rows with gaps in the same columns, but "
                f"{int(self.sizes[is_small].sum())} row(s) have gaps that fewer than {k} rows share.",
                hint="fill or remove the missing cells, aggregate fewer columns together, or set missing to blank.",
                about="missing",
            )


def _in_all(n_strata: int) -> str:
    return " in all" if n_strata > 1 else ""


def blocks_of(strata: NDArray[np.integer], gaps: Sequence[NDArray[np.bool_]]) -> Blocks:
    """Return the blocks of rows, by the stratum of each row and by where each column has gaps.

    Examples
    --------
    >>> blocks_of(np.array([0, 0, 0]), [np.array([False, True, False])]).labels.tolist()
    [0, 1, 0]
    """
    labels = np.zeros(len(strata), dtype=np.int32)
    parting = [column for column in (strata, *(gap.view(np.int8) for gap in gaps)) if column.any()]
    if parting:
        labels[:] = group(parting)
    n_blocks = int(labels.max(initial=-1)) + 1
    own_strata = np.zeros(n_blocks, dtype=np.int64)
    own_strata[labels] = strata
    is_empty = np.zeros(n_blocks, dtype=np.bool_)
    is_empty[labels] = np.logical_and.reduce(gaps)
    return Blocks(labels, own_strata, is_empty)


def blanked_rows(blocks: Blocks, k: int, randomness: Randomness) -> NDArray[np.bool_]:
    """Return which rows must be blanked so that every block has ``k`` rows or none.

    Rows of small blocks are. Where the rows without any value are then still fewer than ``k`` in a stratum, rows of its
    largest block, drawn at random, join them, or all of it if fewer than ``k`` would be left.

    Examples
    --------
    >>> blocks = blocks_of(np.zeros(6, dtype=int), [np.array([True, False, False, False, False, False])])
    >>> blanked_rows(blocks, 2, Randomness(seed=1)).sum()
    np.int64(1)
    """
    sizes = blocks.sizes
    is_small = (sizes < k) & ~blocks.is_empty
    is_blanked = is_small[blocks.labels]
    n_gone = np.bincount(blocks.strata, weights=np.where(is_small | blocks.is_empty, sizes, 0)).astype(np.int64)
    wanting = np.flatnonzero((n_gone > 0) & (n_gone < k))
    if not len(wanting):
        return is_blanked
    order = np.argsort(blocks.labels, kind="stable")
    starts = np.cumsum(sizes) - sizes
    left = np.where(is_small | blocks.is_empty, 0, sizes)
    # The largest block of each stratum comes last.
    by_size = np.lexsort((left, blocks.strata))
    last = np.searchsorted(blocks.strata[by_size], wanting, side="right") - 1
    for stratum, largest in zip(wanting.tolist(), by_size[last].tolist(), strict=True):
        n_wanted = k - int(n_gone[stratum])
        rows = order[starts[largest] : starts[largest] + sizes[largest]]
        n_taken = n_wanted if len(rows) - n_wanted >= k else len(rows)
        is_blanked[rows[randomness.permutation(len(rows))[:n_taken]]] = True
    return is_blanked
