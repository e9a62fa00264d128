"""Cuts: how searches that recode whole columns say what they found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import UnreachableError
from celosia.data.outcome import Proof
from celosia.search.base import Problem
from celosia.search.whole_columns import Cut, WholeColumns

Places = Sequence[NDArray[np.int32]]
"""Per column the level on which each code of its ladder is published."""


def cut_of(columns: WholeColumns, places: Places) -> Cut:
    """Return the node that each code is published as on its level."""
    return [
        ladder.nodes[levels, np.arange(ladder.n_codes)] for ladder, levels in zip(columns.ladders, places, strict=True)
    ]


def proof_of(columns: WholeColumns, cost: int, n_judged: int, levels: Sequence[int] = ()) -> Proof:
    """Return what a search can say that knows no bound."""
    names = [ladder.column.name for ladder in columns.ladders]
    return Proof(
        objective=columns.objective,
        value=columns.value(cost),
        lower_bound=None,
        is_optimal=False,
        n_recodings=None,
        n_judged=n_judged,
        levels=dict(zip(names, levels, strict=True)) if levels else {},
    )


def unreachable(problem: Problem) -> UnreachableError:
    """Return the error of a search that has found nothing that holds, not even at the top of all columns."""
    return UnreachableError(
        f"no recoding of whole columns that was tried satisfies the models with at most {problem.n_spare} of "
        f"{problem.n_rows} rows suppressed.",
        hint="raise max_suppression, ask for less, or take lattice, which tries all levels, or a search that recodes "
        "row by row, such as weave. Nothing was written.",
        about="algorithm",
    )
