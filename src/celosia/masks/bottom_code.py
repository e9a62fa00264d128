"""Low numbers published as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from celosia.base.wording import Said
from celosia.masks.base import Leaves
from celosia.masks.coarsening.end_codes import EndCode


@dataclass(frozen=True)
class BottomCode(EndCode):
    """Publish numbers below a threshold t as one value: x becomes max(x, t), or a label where x <= t.

    Parameters
    ----------
    column, columns
        The column, or several, each coded alone; one of the two. Missing cells stay missing.
    at
        The threshold, a number. One of ``at`` and ``share``.
    share
        Above 0 and below 1: the threshold is the least value that leaves at least this share of the known cells, and at
        least k of them (as many as must share a value: that of the plan, 2 elsewhere), at or below it. It appears in no
        message.
    label
        What to publish instead of the number, such as ``<=16``. Values at the threshold get it as well, unless it reads
        as a range without it (``<16``); the column then holds text.

    Guarantee
    ---------
    Nothing in the column tells how far below the threshold a number was, to anybody who sees this column alone. With
    ``share`` at least k rows publish the coded value, if the column has so many. A number in place of a label is not
    true of the rows it was given to, and is declared so. How many rows were coded is plain to see.

    Raises
    ------
    OptionError
        An option has a value that is not allowed, or the label reads as another range than the one it stands for.
    InputError
        A cell is no number.

    Examples
    --------
    >>> import polars as pl
    >>> ages = pl.DataFrame({"age": [34, 16, 12, None]})
    >>> BottomCode(column="age", at=16).apply(ages)["age"].to_list()
    [34, 16, 16, None]
    >>> BottomCode(column="age", at=16, label="<=16").apply(ages)["age"].to_list()
    ['34', '<=16', '<=16', None]
    """

    name: ClassVar[str] = "bottom_code"
    leaves: ClassVar[Leaves] = Leaves(
        "generalised",
        "Numbers above the threshold remain as they are, and "
        "the rows with the lowest ones are known to be among the coded.",
    )
    end: ClassVar[Literal["top", "bottom"]] = "bottom"
    no_effect: ClassVar[str] = Said("No number of '{column}' lies below the threshold: nothing was coded.")
    few: ClassVar[str] = Said(
        "Only {count} rows of '{column}' hold the bottom code, fewer than {k}: they stand out by it. "
        "Raise the threshold."
    )
