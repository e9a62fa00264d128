"""Kullback-Leibler divergence: how far the published table is from the original as a distribution of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.data.classes import group
from celosia.data.schema import Table
from celosia.measure.utility.covers import Cover, covers_of
from celosia.measure.utility.released import recoding_of

_AT_ONCE = 1 << 24
"""How many bytes a block of the work takes, about."""


def kl_divergence(table: Table, released: Any) -> float | None:
    """Return Σ p(x) ln(p(x) / q(x)) over the distinct original rows x of quasi-identifiers, in nats.

    p(x) is the share of the original rows that are x. q spreads every published row evenly over the product of its
    cells: q(x) = Σ over the classes that cover x of n_class / (n · number of rows in the product). A cell is counted by
    the values that the data hold under it, in ranges, sets and trees alike; missing is one of them in ``*`` where the
    column has any. Suppressed rows are spread over everything, so that q is never 0. 0 for untouched data.

    Divide by ln 2 for bits. ``None`` for a table without rows or without quasi-identifiers.

    Parameters
    ----------
    released
        A release, a recoding, classes, or labels per row (-1 = suppressed).

    Raises
    ------
    InputError
        It does not have as many rows as the table.

    References
    ----------
    Kifer, D. & Gehrke, J. (2006). Injecting utility into anonymized datasets.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema import Schema
    >>> table = Table(pl.DataFrame({"job": ["a", "b", "b", "b"]}), Schema(quasi_identifiers={"job": "category"}))
    >>> kl_divergence(table, [0, 1, 1, 1]), round(kl_divergence(table, [0, 0, 0, 0]), 4)  # q(a) = q(b) = 1/2
    (0.0, 0.1308)
    """
    covers = covers_of(recoding_of(table, released))
    if not covers or not table.n_rows:
        return None
    rows, n_alike = _distinct([cover.slots for cover in covers])
    cells, n_published = _distinct([cover.of_row for cover in covers])
    room = np.sum([np.log(cover.sizes[own]) for cover, own in zip(covers, cells, strict=True)], axis=0)
    q = np.zeros(len(n_alike))
    # Products of cells may overflow: each class's density is taken relative to the greatest of them.
    logs = np.log(n_published / table.n_rows) - room
    greatest = float(logs.max())
    densities = np.exp(logs - greatest)
    block = _block(covers)
    for start in range(0, len(densities), block):
        part = slice(start, start + block)
        q += _covering(covers, rows, [own[part] for own in cells], densities[part])
    p = n_alike / table.n_rows
    return max(float((p * (np.log(p) - np.log(q) - greatest)).sum()), 0.0)


def _distinct(columns: list[NDArray[np.int64]]) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    """Return the distinct rows of some columns, column by column, and how often each occurs."""
    _, first, count = np.unique(group(columns), return_index=True, return_counts=True)
    return [column[first] for column in columns], count


def _block(covers: list[Cover]) -> int:
    """Return how many classes to treat at once: a multiple of 64."""
    widest = max(cover.n_slots for cover in covers)
    return 64 * max(1, min(_AT_ONCE // (64 * widest), 256))


def _covering(
    covers: list[Cover],
    rows: list[NDArray[np.int64]],
    cells: list[NDArray[np.int64]],
    densities: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return for each row the sum of the densities of those classes that cover it.

    Every slot of a column is a set of classes, a bit for each; a row is covered by the classes in all its slots' sets.
    """
    n_words = -(-len(densities) // 64)
    bits = [_bits(cover.holds(own), n_words) for cover, own in zip(covers, cells, strict=True)]
    padded = np.zeros((n_words, 64))
    padded.ravel()[: len(densities)] = densities
    q = np.zeros(len(rows[0]))
    at_once = max(1, _AT_ONCE // (8 * n_words))
    for start in range(0, len(q), at_once):
        part = slice(start, start + at_once)
        both = bits[0][rows[0][part]]
        for own, slots in zip(bits[1:], rows[1:], strict=True):
            both &= own[slots[part]]
        row, word = np.nonzero(both)
        covering = np.unpackbits(both[row, word].view(np.uint8).reshape(-1, 8), axis=1)
        sums = np.einsum("ij,ij->i", covering, padded[word])
        q[part] = np.bincount(row, weights=sums, minlength=len(both))
    return q


def _bits(holds: NDArray[np.bool_], n_words: int) -> NDArray[np.uint64]:
    """Pack the columns of a matrix into words of 64."""
    packed = np.packbits(holds, axis=1)
    padded = np.zeros((len(packed), 8 * n_words), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)
