"""Strata: groups of rows that a mask does not look beyond."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError
from celosia.data.classes import group
from celosia.data.schema.columns import codes_of
from celosia.masks.base import Sheet


def strata_columns(mask: str, within: object, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that an option ``within`` names: one, several, or none.

    Raises
    ------
    OptionError
        ``within`` names no columns, one of them twice, or one that the mask changes.

    Examples
    --------
    >>> strata_columns("swap", "town", ["age"]), strata_columns("swap", None, ["age"])
    (('town',), ())
    """
    if within is None:
        return ()
    named = [within] if isinstance(within, str) else list(within) if isinstance(within, list | tuple) else [None]
    if not all(isinstance(name, str) for name in named):
        raise OptionError(
            f"{mask}: within must be the name of a column or a list of names.",
            hint=f"write {{{mask}: {{column: name, within: [name]}}}}, or leave it out.",
            about="within",
        )
    if len(set(named)) < len(named) or set(named) & set(columns):
        raise OptionError(
            f"{mask}: within names a column twice, or one that {mask} changes.",
            hint="name other columns under within.",
            about="within",
        )
    return tuple(named)


def strata_of(sheet: Sheet, within: Sequence[str], mask: str) -> NDArray[np.int32]:
    """Return the stratum of each row, 0, 1, ...: rows equal in all columns of ``within``; missing is a value.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.masks.base import sheet_of
    >>> strata_of(sheet_of(pl.DataFrame({"town": ["b", None, "b", "a"]})), ["town"], "swap").tolist()
    [2, 0, 2, 1]
    """
    if not within:
        return np.zeros(sheet.n_rows, dtype=np.int32)
    return group([codes_of(sheet.column(name, mask))[0] for name in within]).astype(np.int32)
