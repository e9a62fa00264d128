"""What masked values still give away: who stands alone by them, and by their length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.data.schema.detectors import percent

_SINGLES_OUT = Said(
    "{count} of {rows} masked values of '{column}' ({share}) are held by fewer than {k} rows: what stays visible still "
    "singles people out; keep less of them, or treat the column as a quasi-identifier."
)
_LENGTH = Said(
    "{count} of {rows} masked values of '{column}' have a length that fewer than {k} rows share: the length gives them "
    "away; set a fixed length."
)


def n_rows_alone(values: pl.Series, k: int) -> int:
    """Return how many rows hold a value that fewer than ``k`` rows hold; missing cells hold none.

    Examples
    --------
    >>> n_rows_alone(pl.Series(["10", "10", "36", "28", "26", None]), 2)
    3
    """
    # Hashes of 64 bits take half the memory of texts; that two of a million texts share one has a chance of 3e-8.
    hashes = values.drop_nulls().hash().to_numpy().copy()
    hashes.sort()
    is_new = np.ones(len(hashes), dtype=np.bool_)
    np.not_equal(hashes[1:], hashes[:-1], out=is_new[1:])
    del hashes
    sizes = np.diff(np.flatnonzero(is_new), append=len(is_new))
    return int(sizes.sum(where=sizes < k))


def n_lengths_alone(lengths: pl.Series, k: int) -> int:
    """Return how many rows hold a length that fewer than ``k`` rows hold; one length for all tells nothing.

    Examples
    --------
    >>> n_lengths_alone(pl.Series([5, 5, 7]), 2), n_lengths_alone(pl.Series([5, None]), 2)
    (1, 0)
    """
    return n_rows_alone(lengths, k) if lengths.drop_nulls().n_unique() > 1 else 0


def singles_out_finding(masked: pl.Series, k: int) -> Iterator[Finding]:
    """Give the finding that masked values still single rows out, if they do."""
    count = n_rows_alone(masked, k)
    if count:
        n_known = len(masked) - masked.null_count()
        values: dict[str, int | str] = {"count": count, "rows": n_known, "share": percent(count / n_known), "k": k}
        yield Finding("MASK_SINGLES_OUT", "warning", _SINGLES_OUT, masked.name, values, count)


def length_finding(masked: pl.Series, k: int) -> Iterator[Finding]:
    """Give the finding that lengths single rows out, if they do."""
    count = n_lengths_alone(masked.str.len_chars(), k)
    if count:
        n_known = len(masked) - masked.null_count()
        yield Finding("MASK_LENGTH", "warning", _LENGTH, masked.name, {"count": count, "rows": n_known, "k": k}, count)
