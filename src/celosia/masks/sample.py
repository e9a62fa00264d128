"""Sampling: some rows drawn at random, the others left out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import OptionError, UnreachableError
from celosia.base.findings import Finding
from celosia.data.hierarchies.options import check_count, check_number
from celosia.masks.base import Leaves, Sheet, Technique
from celosia.masks.options import check_flag, told


@dataclass(frozen=True)
class Sample(Technique):
    """Keep rows drawn at random, in their order: a fixed number of them, or each with the same chance.

    A sample of fixed size draws n rows without replacement, all sets of n rows being equally likely; ``fraction`` of N
    rows means round(fraction N) of them. A Bernoulli sample keeps each row with the chance ``fraction``, whatever
    happens to the others, so that its size is binomial.

    Parameters
    ----------
    n
        How many rows to keep, from 1; or
    fraction
        the share of rows to keep, above 0 and at most 1, read as its decimal text.
    bernoulli
        Draw each row on its own; with ``fraction`` only.

    Guarantee
    ---------
    Every row has the same chance f of being kept. Who knows that a person is in the table, but not who was drawn, finds
    that person's row with a chance of at most f times what it would be in the whole table. Who knows that a person was
    drawn is not held up at all. Rows are drawn, not people: somebody with several rows is kept more often.

    Raises
    ------
    OptionError
        None or both of ``n`` and ``fraction`` are given, or one is out of range.
    UnreachableError
        The table has fewer than n rows, or the draw left none.

    Examples
    --------
    >>> import polars as pl
    >>> Sample(n=2).apply(pl.DataFrame({"age": [31, 42, 53]})).height
    2
    """

    name: ClassVar[str] = "sample"
    leaves: ClassVar[Leaves] = Leaves(
        "sampled",
        "The rows that were drawn are as identifying as before for whoever knows that a person is among them; only "
        "doubt about who was drawn protects.",
    )

    n: int | None = None
    fraction: float | None = None
    bernoulli: bool = False

    def __post_init__(self) -> None:
        check_flag("sample: bernoulli", self.bernoulli)
        if (self.n is None) == (self.fraction is None):
            raise OptionError(
                "sample needs either n or fraction.", hint="write {sample: {n: 1000}} or {sample: {fraction: 0.1}}."
            )
        if self.n is not None:
            check_count("sample: n", self.n, least=1)
            if self.bernoulli:
                raise OptionError(
                    "sample: bernoulli needs a fraction: the number of rows is left to chance.",
                    hint="give fraction instead of n, or leave bernoulli out.",
                    about="bernoulli",
                )
        if self.fraction is not None:
            check_number("sample: fraction", self.fraction, positive=True)
            if self.fraction > 1:
                raise OptionError(
                    f"sample: fraction is {self.fraction}; it must be above 0 and at most 1.",
                    hint="write 0.1 for a tenth of the rows.",
                    about="fraction",
                )

    @property
    def uses(self) -> tuple[str, ...]:
        """It reads no column."""
        return ()

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the rows that were drawn."""
        is_kept = self._bernoulli(sheet) if self.bernoulli else self._fixed(sheet)
        n_kept = int(is_kept.sum())
        if not n_kept:
            raise UnreachableError(
                f"sample: none of the {sheet.n_rows} rows was drawn.", hint="draw a greater share.", about="sample"
            )
        return sheet.keeping(is_kept).noting(
            Finding(
                "SAMPLED",
                "note",
                "{count} of {total} rows were drawn at random: a sampling fraction of {fraction}.",
                None,
                {"count": n_kept, "total": sheet.n_rows, "fraction": f"{n_kept / sheet.n_rows:.6g}"},
            )
        )

    def _bernoulli(self, sheet: Sheet) -> NDArray[np.bool_]:
        limit = Fraction(str(self.fraction)) * 2**64  # keys are whole numbers below 2^64, all equally likely
        if limit == 2**64:
            return np.ones(sheet.n_rows, dtype=np.bool_)
        return sheet.randomness.keys(sheet.n_rows) < np.uint64(int(limit))

    def _fixed(self, sheet: Sheet) -> NDArray[np.bool_]:
        n = self.n if self.n is not None else round(Fraction(str(self.fraction)) * sheet.n_rows)
        if n > sheet.n_rows:
            raise UnreachableError(
                f"sample: {n} rows cannot be drawn from a table of {sheet.n_rows}.",
                hint="ask for fewer, or for a fraction.",
                about="n",
            )
        is_kept = np.zeros(sheet.n_rows, dtype=np.bool_)
        if n:
            is_kept[np.argpartition(sheet.randomness.keys(sheet.n_rows), n - 1)[:n]] = True
        return is_kept

    def to_dict(self) -> dict[str, Any]:
        """Return the options."""
        return told(self)
