"""NCP: the normalised certainty penalty of a published cell, in the paper's form and two others.

Numbers and intervals, in every form: (hi - lo) / (Max - Min), the published range cut to the data's range.

Categories and trees, with c values under the published cell and A values in all:

``paper``  (c - 1) / (A - 1)          the exam paper's equation 2; 0 for one value
``xu``     0 if c = 1 else c / A      Xu et al., also Ghinita et al.
``arx``    c / A                      ARX's loss, which charges 1 / A even for an untouched value

With one category (A = 1) all three are 0. ``*`` and a suppressed row cost 1, a missing value published as missing 0.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError, nearest
from celosia.data.recode import Cells

Variant = Literal["paper", "xu", "arx"]


def cell_losses(cells: Cells, variant: Variant = "paper") -> NDArray[np.float64]:
    """Return the NCP of every distinct cell of a column.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.classes import Classes
    >>> from celosia.data.recode import recode
    >>> from celosia.data.schema import Schema, Table
    >>> jobs = pl.DataFrame({"job": ["law", "law", "physics", "art"]})
    >>> table = Table(jobs, Schema(quasi_identifiers={"job": "category"}))
    >>> cells = recode(table, Classes([0, 1, 1, 2])).cells[0]
    >>> cells.texts[0], cell_losses(cells).tolist(), cell_losses(cells, "xu").round(2).tolist()
    (['law', 'law / physics', 'art'], [0.0, 0.5, 0.0], [0.0, 0.67, 0.0])
    """
    if variant not in get_args(Variant):
        raise OptionError(f"'{variant}' is not a variant of NCP.", hint=nearest(str(variant), get_args(Variant)))
    if variant == "paper" or cells.n_leaves == 0:
        return cells.share
    if cells.n_leaves == 1:
        return np.where(cells.share < 1, 0.0, 1.0)
    known = np.array([text is not None for text in cells.texts[0]])
    spread = cells.leaves / cells.n_leaves
    if variant == "xu":
        spread = np.where(cells.leaves == 1, 0.0, spread)
    return np.where(known, spread, 0.0)
