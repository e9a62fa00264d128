"""What recodings of whole columns are compared by: the cost of every level for every value."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError, nearest
from celosia.search.ladders import Ladder

Objective = Literal["gcp", "loss", "precision", "discernibility", "non_uniform_entropy", "average_class_size"]

OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

SCALE = 2**36
"""The fixed-point cost of a row that loses everything: sums are exact, whatever their order."""


def check_objective(objective: str) -> None:
    """Raise ``OptionError`` unless an objective is known.

    Examples
    --------
    >>> check_objective("gcp")
    """
    if objective not in OBJECTIVES:
        raise OptionError(
            f"'{objective}' is not an objective.", hint=nearest(str(objective), OBJECTIVES), about="objective"
        )


def costs_of(
    ladder: Ladder, codes: NDArray[np.int32], objective: Objective, share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what a row with each code costs on each level, and suppressed; both int64.

    ======================  ==========================================================  ================
    objective               cost of a cell                                              of a lost cell
    ======================  ==========================================================  ================
    gcp                     NCP in the paper's form                                     1
    loss                    NCP in ARX's form: leaves / all leaves                      1
    precision               level / height (a column without height costs nothing)      1
    non_uniform_entropy     log2(rows under the node / rows with the value) / log2(n)   that of the top
    ======================  ==========================================================  ================

    Discernibility and average class size are counted by classes; their cells cost nothing.

    Parameters
    ----------
    codes
        The ladder's codes of all rows, which entropy counts.
    share
        The column's share of a row's whole cost.
    """
    whole = np.ones(ladder.n_codes)
    if objective == "gcp":
        cost = ladder.share[ladder.nodes]
    elif objective == "loss":
        cost = _leaf_share(ladder)[ladder.nodes]
    elif objective == "precision":
        height = ladder.n_levels - 1
        level = np.repeat(np.arange(ladder.n_levels, dtype=np.float64)[:, None], ladder.n_codes, axis=1)
        if ladder.missing >= 0:  # missing stays missing up to the top
            level[: ladder.n_levels - 1, -1] = 0.0
        cost = level / max(height, 1)
        whole = whole if height else np.zeros(ladder.n_codes)
    elif objective == "non_uniform_entropy":
        cost = _entropy(ladder, codes)
        whole = cost[-1]
    else:
        cost, whole = np.zeros(ladder.nodes.shape), np.zeros(ladder.n_codes)
    unit = SCALE * share
    fixed, lost = np.floor(cost * unit).astype(np.int64), np.floor(whole * unit).astype(np.int64)
    return np.ascontiguousarray(np.minimum(fixed, lost)), lost


def _leaf_share(ladder: Ladder) -> NDArray[np.float64]:
    """Return ARX's loss of every node."""
    n_leaves = int(ladder.leaves.max(initial=0))
    if n_leaves <= 1 or (ladder.leaves < 0).any():
        return ladder.share
    cost = ladder.leaves / n_leaves
    if ladder.missing >= 0:
        cost[ladder.missing] = 0.0
    return cost


def _entropy(ladder: Ladder, codes: NDArray[np.int32]) -> NDArray[np.float64]:
    n_rows = np.bincount(codes, minlength=ladder.n_codes)
    cost = np.zeros(ladder.nodes.shape)
    for level, nodes in enumerate(ladder.nodes):
        under = np.bincount(nodes, weights=n_rows, minlength=len(ladder.share))[nodes]
        cost[level] = np.log2(np.maximum(under, 1) / np.maximum(n_rows, 1))
    return np.where(n_rows > 0, cost / max(np.log2(max(len(codes), 2)), 1.0), 0.0)
