"""Row order: rows in an order that published values do not explain tell of an earlier one (A8).

A file that is shuffled, or sorted by all that it publishes, tells nothing by its order. One that is sorted in part
does: rows that a stable sort left as they came, or that were sorted by a value before it was made coarser.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lgamma

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.data.schema.detectors.headers import plain_text
from celosia.measure.traps.base import Published, Values

_LEAST_ROWS = 20
_LEAST_DOUBT = 21.0
"""Natural logarithm of the odds against chance, about 10^9."""
_LEAST_TREND = 5.0
"""Standard deviations of a rank correlation; a shuffled column has more with a probability of 6e-7."""
_SAMPLE_ROWS = 20_000
_WINDOW = 2_000
_FEW_VALUES = 12
"""Of so few values a person may know an order that no program does, such as low, medium, high; but where blocks of rows
are not three times as long as there are values, these stand together by chance."""
_MOST_FOLDED = 5_000


def row_order(published: Published) -> list[Finding]:
    """Find a file whose rows are neither shuffled nor sorted by what it publishes.

    Signs are: equal values of a column, or rows of a class, stand together; a column rises or falls along the file.

    Examples
    --------
    >>> ages, names = ["30-39"] * 20 + ["40-49"] * 20, [f"p{(7 * n) % 40:02d}" for n in range(40)]
    >>> table = pl.DataFrame({"age": ages, "code": names})
    >>> [one.code for one in row_order(Published(table, ("age",)))]
    ['ROW_ORDER']
    >>> row_order(Published(table.sort("age", "code"), ("age",)))
    []
    """
    if published.n_rows < _LEAST_ROWS:
        return []
    sign = next(_signs(published), None)
    return [] if sign is None or is_sorted_by_what_shows(published) else [sign]


def _signs(published: Published) -> Iterator[Finding]:
    for column in published.kept:
        values = published.values(column)
        if _stand_together(values.codes, _with_missing(values)):
            yield Finding(
                "ROW_ORDER",
                "warning",
                "Rows with equal '{column}' stand together, and nothing that is published explains their order: it may "
                "be that of the input, or of a finer value. Shuffle the rows, or sort them by all published columns.",
                column,
                n_rows=published.n_rows,
            )
    if len(published.quasi_identifiers) > 1 and _stand_together(published.classes.labels, published.classes.sizes):
        yield Finding(
            "ROW_ORDER",
            "warning",
            "The rows of each class stand together, and nothing that is published explains their order: it may be that "
            "of the input. Shuffle the rows, or sort them by all published columns.",
            n_rows=published.n_rows,
        )
    for column in published.kept:
        if _is_rising(published.values(column)):
            yield Finding(
                "ROW_ORDER",
                "warning",
                "'{column}' rises or falls along the file, though the file is not sorted by what it publishes: the "
                "rows may stand in the order of the input. Shuffle them, or sort them by all published columns.",
                column,
                n_rows=published.n_rows,
            )


def _with_missing(values: Values) -> NDArray[np.int64]:
    n_missing = len(values.codes) - int(values.counts.sum())
    return np.append(values.counts, n_missing) if n_missing else values.counts


def _stand_together(codes: NDArray[np.int64], counts: NDArray[np.int64]) -> bool:
    """Tell whether equal codes are neighbours throughout, and hardly so by chance.

    Of n! / (c1! c2! ...) orders d! are such, for d values that c1, c2 ... rows hold.
    """
    n_rows, n_values = len(codes), len(counts)
    if n_values < 2 or n_values > n_rows // 2 or int(np.count_nonzero(np.diff(codes))) + 1 != n_values:
        return False
    few, times = np.unique(counts, return_counts=True)
    inside = sum(lgamma(count + 1) * time for count, time in zip(few.tolist(), times.tolist(), strict=True))
    return bool(lgamma(n_rows + 1) - inside - lgamma(n_values + 1) > _LEAST_DOUBT)


def _is_rising(values: Values) -> bool:
    """Tell whether the ranks of a column's values go with their places, on rows spread evenly over the file."""
    codes = values.codes[:: -(-len(values.codes) // _SAMPLE_ROWS)]
    places = np.flatnonzero(codes >= 0)
    shown, codes = np.unique(codes[places], return_inverse=True)
    if len(shown) < 2:
        return False
    ranks = next(_ranks(values.texts.gather(shown)))[codes]
    return bool(abs(spearman(places, ranks)) * np.sqrt(len(places) - 1) > _LEAST_TREND)


def spearman(left: NDArray[np.integer], right: NDArray[np.integer]) -> float:
    """Return Spearman's rank correlation of two columns of whole numbers, equal ones with their mean rank.

    It is 0 where one of them does not vary.

    Examples
    --------
    >>> spearman(np.array([1, 2, 3, 4]), np.array([10, 30, 20, 40]))
    0.8
    """
    ranks = [_mean_ranks(one) for one in (left, right)]
    centred = [one - one.mean() for one in ranks]
    scale = float(np.sqrt((centred[0] ** 2).sum() * (centred[1] ** 2).sum()))
    return float((centred[0] * centred[1]).sum()) / scale if scale else 0.0


def _mean_ranks(numbers: NDArray[np.integer]) -> NDArray[np.float64]:
    _, place, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    middles: NDArray[np.float64] = np.cumsum(counts) - (counts - 1) / 2
    return middles[place]


def is_sorted_by_what_shows(published: Published) -> bool:
    """Tell whether rows are sorted by one published column, equal ones by another, and so on, until rows are equal.

    Each column may rise or fall, as a number or as a text; up to twelve values may each stand together in any order,
    where many rows hold them.

    Examples
    --------
    >>> table = pl.DataFrame({"age": [10, 9, 9, 9], "town": ["b", "a", "c", "d"]})
    >>> is_sorted_by_what_shows(Published(table)), is_sorted_by_what_shows(Published(table[[1, 0, 3, 2]]))
    (True, False)
    """
    left = [published.values(column) for column in published.kept]
    starts = np.zeros(published.n_rows, dtype=np.bool_)  # where rows begin that the keys so far tell apart
    starts[:1] = True
    while left:
        changed = [np.diff(values.codes, prepend=-2) != 0 for values in left]
        if not any((change & ~starts).any() for change in changed):
            return True
        key = next((at for at, values in enumerate(left) if _sorts(values, starts, changed[at])), None)
        if key is None:
            return False
        starts |= changed[key]
        left.pop(key)
    return True


def _sorts(values: Values, starts: NDArray[np.bool_], changed: NDArray[np.bool_]) -> bool:
    """Tell whether a column is in order within every block of rows, and tells some of them apart."""
    if not (changed & ~starts).any():
        return False
    if not _in_order(values.codes[:_WINDOW], starts[:_WINDOW], values):
        return False
    return _in_order(values.codes, starts, values)


def _in_order(codes: NDArray[np.int64], starts: NDArray[np.bool_], values: Values) -> bool:
    shown, places = np.unique(codes, return_inverse=True)
    known = shown[shown >= 0]
    for ranks in _ranks(values.texts.gather(known)):
        steps = np.diff(np.append([-1] * (len(shown) - len(known)), ranks)[places])[~starts[1:]]
        if (steps >= 0).all() or (steps <= 0).all():
            return True
    block = np.cumsum(starts)
    if len(values.texts) > min(_FEW_VALUES, len(codes) // (3 * block[-1])):
        return False
    runs = np.flatnonzero(starts | (np.diff(codes, prepend=-2) != 0))
    pairs = block[runs] * (_FEW_VALUES + 2) + codes[runs] + 1
    return len(np.unique(pairs)) == len(pairs)


def _ranks(texts: pl.Series) -> Iterator[NDArray[np.int64]]:
    """Give the rank of each text in every order that it may be sorted by: as number or range, and as text."""
    first = texts.str.extract(r"^[\[(<>=\s]*(-?[0-9]+(?:[.,][0-9]+)?)")  # \d would be the digits of any script
    ends = first.str.replace(",", ".", literal=True).cast(pl.Float64)
    if not ends.null_count():
        yield _dense(ends)
    yield _dense(texts)
    if ends.null_count() and len(texts) <= _MOST_FOLDED:
        yield _dense(pl.Series([plain_text(text) for text in texts], dtype=pl.String))


def _dense(order: pl.Series) -> NDArray[np.int64]:
    return order.rank("dense").cast(pl.Int64).to_numpy()
