"""Masked values: cells of which a part is hidden still single people out, by what stays visible or by their length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.data.classes import group
from celosia.measure.traps.base import Published, Values, held_by_few

_SYMBOLS = "[*#•●█]"
_HIDDEN = rf"{_SYMBOLS}{{2,}}"
_CROSSED = r"^[+(]?[\d .\-/()]*(?:XX[\d .\-/()]*X|xx[\d .\-/()]*x)[\dXx .\-/()]*[A-Za-z]?$"
_NO_NUMERAL = r"\d|X{4}|x{4}"
"""Two symbols side by side hide something; three X, parted as telephone numbers are, do so beside digits, and four
alone: XXX is a numeral."""
_STRETCH = rf"{_SYMBOLS}+|X{{2,}}|x{{2,}}"
_LONGEST = 60
"""Longer cells are texts in which stars and crosses have other meanings."""
_LEAST_SHARE = 0.5
_LOOK = 500


def masked_values(published: Published) -> list[Finding]:
    """Find columns of masked values that fewer than ``k`` people share, by the whole cell or by its length.

    Quasi-identifiers are passed over: their classes are counted as they are published, hidden characters and all.

    Examples
    --------
    >>> table = Published(pl.DataFrame({"id": ["10XXXXXX", "10XXXXXX", "36XXXXXX", "28XXXXXX", "26XXXXXX"]}), k=2)
    >>> [(one.code, one.n_rows) for one in masked_values(table)]
    [('MASK_SINGLES_OUT', 3)]
    """
    found = []
    for column in masked_columns(published):
        if column not in published.quasi_identifiers:
            values = published.values(column)
            found += [*_singled_out(published, column, values), *_by_length(published, column, values)]
    return found


def masked_columns(published: Published) -> list[str]:
    """Return the kept columns of which at least half of the known cells are masked.

    Examples
    --------
    >>> table = pl.DataFrame({"name": ["J***", "A**"], "note": ["**", None], "town": ["*", "Soria"]})
    >>> masked_columns(Published(table))
    ['name', 'note']
    """
    return [column for column in published.kept if _is_masked(published, column)]


def spaced(texts: pl.Series, most: int) -> pl.Series:
    """Return at most so many texts, spread evenly.

    Examples
    --------
    >>> spaced(pl.Series(["a", "b", "c", "d", "e"]), 2).to_list()
    ['a', 'd']
    """
    return texts if len(texts) <= most else texts.gather_every(-(-len(texts) // most))


def _is_masked(published: Published, column: str) -> bool:
    if published.frame.schema[column] != pl.String:
        return False
    values = published.values(column)
    # Most columns hold no symbol at all, which some cells are enough to tell.
    if not _are_masked(spaced(values.texts, _LOOK)).any():
        return False
    return values.rows_where(_are_masked(values.texts).to_numpy()) >= _LEAST_SHARE * max(int(values.counts.sum()), 1)


def _are_masked(texts: pl.Series) -> pl.Series:
    crossed = texts.str.contains(_CROSSED) & texts.str.contains(_NO_NUMERAL)
    return (texts.str.contains(_HIDDEN) | crossed) & (texts.str.len_chars() <= _LONGEST)


def _singled_out(published: Published, column: str, values: Values) -> Iterator[Finding]:
    shows = values.texts.str.replace_all(_STRETCH, "").str.contains(r"[\p{L}\p{N}]").to_numpy()
    n_rows = values.rows_where(held_by_few(published, values.codes, values.counts) & shows)
    if n_rows:
        yield Finding(
            "MASK_SINGLES_OUT",
            "warning",
            "Fewer than {k} people share each of the masked values of '{column}' in {n_rows} of {n_known} rows: what "
            "stays visible still singles them out. Hide more of the values, drop the column, or name it as a "
            "quasi-identifier.",
            column,
            {"k": published.k, "n_rows": n_rows, "n_known": int(values.counts.sum())},
            n_rows,
        )


def _by_length(published: Published, column: str, values: Values) -> Iterator[Finding]:
    lengths = values.texts.str.len_chars().to_numpy().astype(np.int64)
    place: NDArray[np.int64] = group([lengths]) if len(lengths) else lengths
    counts = np.bincount(place, weights=values.counts).astype(np.int64)
    if len(counts) < 2:  # one length for all tells nothing
        return
    few = held_by_few(published, np.append(place, -1)[values.codes], counts)
    n_rows = int(counts[few].sum())
    if n_rows:
        yield Finding(
            "MASK_LENGTH",
            "warning",
            "Fewer than {k} people share the length of the masked values of '{column}' in {n_rows} of {n_known} rows: "
            "the length gives them away. Give every masked value the same length.",
            column,
            {"k": published.k, "n_rows": n_rows, "n_known": int(values.counts.sum())},
            n_rows,
        )
