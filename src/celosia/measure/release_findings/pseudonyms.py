"""What pseudonyms give away: that rows are one person's, and that releases hold the same people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.data.classes import group
from celosia.data.masked import MaskedTable, pseudonym_origins
from celosia.data.schema.columns import as_text
from celosia.masks.base import Mask
from celosia.masks.pseudonymise import Pseudonymise
from celosia.masks.swap import Swap

if TYPE_CHECKING:
    from celosia.measure.run import Run


def about_persistence(masks: Sequence[Mask], masked: MaskedTable) -> list[Finding]:
    """Find columns of pseudonyms that other releases carry as well.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema, Table
    >>> about_persistence([], MaskedTable.unmasked(Table(pl.DataFrame({"age": [40]}), Schema())))
    []
    """
    lasting = {column for mask in masks if _lasts(mask) for column in mask.uses}
    origins = pseudonym_origins(masked.changes)
    return [
        Finding(
            "PSEUDONYMS_PERSIST",
            "note",
            "The pseudonyms of '{column}' are the same in every release that is made with this key or vault: whoever "
            "has two of them can join their rows, and what one makes coarse another may tell. Where they need not be "
            "joined, name a dataset.",
            column,
        )
        for column in masked.table.frame.columns
        if not lasting.isdisjoint(origins.get(column, ()))
    ]


def _lasts(mask: Mask) -> bool:
    return isinstance(mask, Pseudonymise) and (mask.key or mask.vault) is not None and mask.dataset is None


def about_repeats(run: Run) -> list[Finding]:
    """Find identifiers whose pseudonyms show that rows are not people, where nobody said who the people are."""
    before, frame = run.given.schema, run.table.frame
    if before.subject is not None:
        return []
    found = []
    for column in sorted(run.masked.pseudonyms & set(before.identifiers)):
        n_rows, n_people = frame.height - frame[column].null_count(), frame[column].drop_nulls().n_unique()
        if n_people < n_rows:
            found.append(
                Finding(
                    "PSEUDONYMS_REPEAT",
                    "warning",
                    "{n_rows} rows have {n_people} pseudonyms in '{column}', and k counts rows: name the column as "
                    "the subject, and it counts people.",
                    column,
                    {"n_rows": n_rows, "n_people": n_people},
                    n_rows=n_rows,
                )
            )
    return found


def about_links(run: Run) -> list[Finding]:
    """Find pseudonyms whose rows, taken together, single them out although each row is in a class of its own size."""
    demanded = run.plan.demanded
    found: list[Finding] = []
    # Codes on other people's rows link nobody; codes of a secret stand for values, not for people.
    moved = {column for mask in run.plan.masks if _scatters(mask) for column in mask.uses}
    for column in sorted((run.masked.pseudonyms & set(run.table.schema.insensitive)) - moved):
        sizes = linked_groups(_unsorted_codes(run.table.frame[column]), run.recoding.classes.labels)
        n_linked = int(sizes[sizes < demanded].sum())
        if n_linked:
            found.append(
                Finding(
                    "PSEUDONYMS_LINK_ROWS",
                    "warning",
                    "Equal pseudonyms in '{column}' link rows: whoever knows the classes of all rows of a person finds "
                    "{count} of the {n_pseudonyms} pseudonyms in groups of fewer than {k} (the smallest: {smallest}). "
                    "Publish one row per person, drop the column, or declare it a quasi-identifier.",
                    column,
                    {
                        "count": n_linked,
                        "n_pseudonyms": int(sizes.sum()),
                        "k": demanded,
                        "smallest": int(sizes.min()),
                    },
                )
            )
    return found


def _scatters(mask: Mask) -> bool:
    """Whether a mask gives values to any other rows; within strata, or with their rows, they stay in their classes."""
    return isinstance(mask, Swap) and not mask.joint and not mask.within


def _unsorted_codes(column: pl.Series) -> NDArray[np.int64]:
    """Return a number per text, equal for equal texts; -1 where it is missing. A sort would take as long again."""
    numbers = as_text(column).cast(pl.Categorical).to_physical().cast(pl.Int64)
    return numbers.fill_null(-1).to_numpy()


def linked_groups(codes: NDArray[np.integer], labels: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how many codes share the same multiset of classes, for every such multiset; none if no code is repeated.

    Parameters
    ----------
    codes
        The code of each row; -1 where it has none.
    labels
        The class of each row; -1 where it is suppressed.

    Examples
    --------
    >>> linked_groups(np.array([0, 0, 1, 1, 2, 3]), np.array([0, 1, 0, 1, 1, 1])).tolist()
    [2, 2]
    """
    shown = np.flatnonzero((codes >= 0) & (labels >= 0))
    if len(shown) == 0 or np.bincount(codes[shown]).max() < 2:
        return np.zeros(0, dtype=np.int64)
    order = shown[np.lexsort((labels[shown], codes[shown]))]
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    lengths = np.diff(starts, append=len(order))
    sizes = []
    for length in np.unique(lengths):  # few: codes of n rows have at most the square root of 2 n lengths
        first = starts[lengths == length]
        sizes.append(np.bincount(group([labels[order[first + place]] for place in range(length)])))
    return np.concatenate(sizes).astype(np.int64)
