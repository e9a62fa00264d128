"""A column as the labels of one level of a hierarchy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import CelosiaError, HierarchyError
from celosia.base.findings import Finding, Severity
from celosia.base.wording import Said
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.domains import ANYTHING, Domain, Levels, Style
from celosia.data.hierarchies.exact import LARGEST, exact
from celosia.data.hierarchies.intervals import Intervals
from celosia.data.hierarchies.options import OnMissing
from celosia.data.hierarchies.packed import PackedNumbers
from celosia.data.hierarchies.prefix import Prefix
from celosia.data.hierarchies.ranges import Edge, parse_ranges
from celosia.data.schema.columns import as_text, codes_of, encoded
from celosia.masks.base import Sheet
from celosia.masks.coarsening.multiples import Multiples, in_blocks

_FINE = Said(
    "Generalising '{column}' changed hardly anything: {values} distinct values became {labels}, and of {before} rows "
    "whose value fewer than {k} rows held {after} still have such a value. Use a coarser rule."
)
_COARSE = Said(
    "Generalising '{column}' left hardly anything: {count} of {rows} rows now hold the same value. Use a finer rule, "
    "or drop the column."
)
_STANDS_OUT = Said(
    "After generalising '{column}' {count} values still stand out: fewer than {k} rows hold each, {rows} rows in all. "
    "Consider suppressing them, or wider ranges at the ends."
)


_LONGEST_TABLE = 4
"""A table of places may be so many times as long as the column; beyond that sorting takes less memory."""


@dataclass(frozen=True)
class Spread:
    """How the rows of a column are spread over its distinct values or labels.

    Attributes
    ----------
    n_rows
        Rows with a value.
    n_distinct
        Distinct values.
    n_largest
        Rows of the most frequent value.
    n_alone, n_alone_distinct
        Rows whose value is held by fewer than k rows, and how many values those are.

    Examples
    --------
    >>> Spread.of(np.array([3, 1, 1]), k=2)
    Spread(n_rows=5, n_distinct=3, n_largest=3, n_alone=2, n_alone_distinct=2)
    """

    n_rows: int
    n_distinct: int
    n_largest: int
    n_alone: int
    n_alone_distinct: int

    @classmethod
    def of(cls, counts: NDArray[np.integer[Any]], k: int) -> Spread:
        """Return the spread of these counts, one per distinct value."""
        counts = counts[counts > 0]
        alone = counts[counts < k]
        return cls(int(counts.sum()), len(counts), int(counts.max(initial=0)), int(alone.sum()), len(alone))


def number_counts(values: NDArray[Any]) -> NDArray[np.int32]:
    """Return how often each distinct number occurs, in ascending order of the numbers.

    Examples
    --------
    >>> number_counts(np.array([2.5, 1.0, 2.5])).tolist()
    [1, 2]
    """
    if not len(values):
        return np.empty(0, dtype=np.int32)
    ordered = np.sort(values)
    is_last = np.append(ordered[1:] != ordered[:-1], True)
    del ordered
    # Rows are counted in 32 bits: with a million distinct numbers the counts would outweigh the column.
    ends = np.flatnonzero(is_last).astype(np.int32)
    return np.diff(ends, prepend=np.int32(-1))


def coarseness(sheet: Sheet, column: str, before: Spread, after: Spread) -> Iterator[Finding]:
    """Give what should be known of a column whose values became labels.

    - ``GENERALISE_FINE``: of the rows that stood alone more than nine in ten still do (or none did), and either more
      than nine tenths as many labels as values are left, or more than half of the rows stand alone. The column then
      tells about as much of people as before.
    - ``GENERALISE_COARSE``: more than nineteen rows in twenty hold one label, where no value was so frequent before; or
      there is one label only.
    - ``GENERALISE_STANDS_OUT``: labels that fewer than k rows hold; among quasi-identifiers a note, because the search
      of a plan deals with them.

    Columns of fewer than two distinct values can get neither finer nor coarser.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.masks.base import sheet_of
    >>> before, after = (Spread.of(np.array(counts), k=2) for counts in ([1, 2, 1, 1], [3, 1, 1]))
    >>> [finding.code for finding in coarseness(sheet_of(pl.DataFrame()), "grade", before, after)]
    ['GENERALISE_STANDS_OUT']
    """
    if _is_fine(before, after):
        changed = {"values": before.n_distinct, "labels": after.n_distinct}
        alone = {"before": before.n_alone, "after": after.n_alone, "k": sheet.k}
        yield Finding("GENERALISE_FINE", "warning", _FINE, column, changed | alone)
    if _is_coarse(before, after):
        left = {"count": after.n_largest, "rows": after.n_rows}
        yield Finding("GENERALISE_COARSE", "warning", _COARSE, column, left)
    if after.n_alone:
        rare = {"count": after.n_alone_distinct, "rows": after.n_alone, "k": sheet.k}
        severity: Severity = "note" if column in sheet.quasi_identifiers else "warning"
        yield Finding("GENERALISE_STANDS_OUT", severity, _STANDS_OUT, column, rare)


def _is_fine(before: Spread, after: Spread) -> bool:
    still_alone = 10 * after.n_alone > 9 * before.n_alone or not before.n_alone
    still_distinct = 10 * after.n_distinct > 9 * before.n_distinct or 2 * after.n_alone > after.n_rows
    return before.n_distinct > 1 and still_alone and still_distinct


def _is_coarse(before: Spread, after: Spread) -> bool:
    is_large = 20 * after.n_largest > 19 * after.n_rows and 20 * before.n_largest <= 19 * before.n_rows
    return before.n_distinct > 1 and (after.n_distinct == 1 or is_large)


@dataclass(frozen=True, eq=False)
class Labelled:
    """A column as labels.

    Attributes
    ----------
    column
        The label of each row; missing where the cell is missing or the rule does not know its value.
    before, after
        How rows are spread over the values that the rule knows, and over the labels.
    n_unknown
        How many rows hold a value that it does not know.
    """

    column: pl.Series
    before: Spread
    after: Spread
    n_unknown: int = 0


def label_values(column: pl.Series, rule: Hierarchy, level: int, style: Style, k: int) -> Labelled:
    """Return a cleaned column as the labels of a level of any hierarchy; k is what counts as a rare value.

    Raises
    ------
    InputError
        A value is not of the hierarchy's type.
    HierarchyError
        The hierarchy does not fit the values, or has no such level.

    Examples
    --------
    >>> import datetime
    >>> from celosia.data.hierarchies import Dates
    >>> days = pl.Series("birth", [datetime.date(1990, 3, 14), None])
    >>> label_values(days, Dates(["month", "year"]), 2, Style(), k=2).column.to_list()
    ['1990', None]
    """
    codes, domain = _encoded(column, rule, style.decimal)
    is_known = codes >= 0
    counts = np.bincount(codes[is_known], minlength=len(domain.values))
    labels: list[str] = []
    place_of_value = np.empty(0, dtype=np.int64)
    if isinstance(domain, Levels) and len(domain.values):
        nodes, place_of_value = np.unique(_nodes(domain, level, column.name), return_inverse=True)
        labels = [domain.spell(node, style) for node in nodes.tolist()]
    places = np.append(place_of_value, -1).astype(np.int32)[np.where(is_known, codes, -1)]
    after = np.bincount(place_of_value, weights=counts, minlength=len(labels)).astype(np.int64)
    return Labelled(
        _gathered(pl.Series(labels, dtype=pl.String), places),
        Spread.of(counts, k),
        Spread.of(after, k),
        int((codes < -1).sum()),
    )


def label_numbers(numbers: pl.Series, rule: Intervals, level: int, style: Style, k: int) -> Labelled:
    """Do the same for numbers in intervals, without a look at each distinct number.

    Raises
    ------
    InputError
        A number has too many digits for the width.
    HierarchyError
        The intervals do not fit the numbers.

    Examples
    --------
    >>> label_numbers(pl.Series("age", [41, None, 37]), Intervals(width=10), 1, Style(), k=2).column.to_list()
    ['[40, 49]', None, '[30, 39]']
    """
    values = numbers.drop_nulls().to_numpy()
    before = Spread.of(number_counts(values), k)
    if not len(values):
        return Labelled(pl.Series(numbers.name, [None] * len(numbers), dtype=pl.String), before, before)
    if rule.ranges is None:
        widths = rule.widths or [exact(rule.width or 0) * rule.factor**power for power in range(level)]
        finest, steps = (Multiples("intervals: width", width, rule.origin) for width in (widths[0], widths[level - 1]))
        ranks, held, counts = _ranked(steps.below(values, numbers.name))
        _fitted(np.array([values.min(), values.max()]), values, rule, numbers.name)
        is_closed = finest.is_whole and not len(_one_broken(values)) if rule.whole is None else rule.whole
        labels = _width_labels(held, steps, is_closed, style)
    else:
        texts: Any = rule.ranges if isinstance(rule.ranges[0], str) else rule.ranges[level - 1]
        ranks, held, counts = _ranked(_range_bins(values, texts))
        samples = np.empty(len(held), dtype=values.dtype)
        samples[ranks] = values
        labels = _range_labels(samples, values, rule, level, numbers.name)
    if len(values) < len(numbers):
        ranks, known_ranks = np.full(len(numbers), -1, dtype=np.int32), ranks
        ranks[numbers.is_not_null().to_numpy()] = known_ranks
    return Labelled(_gathered(labels, ranks), before, Spread.of(counts, k))


def label_prefixes(column: pl.Series, rule: Prefix, level: int, k: int) -> Labelled:
    """Do the same for the first characters of codes, without a look at each distinct code.

    Raises
    ------
    HierarchyError
        Codes hold ``*`` or are of another length than declared, or there is no such level.

    Examples
    --------
    >>> label_prefixes(pl.Series("code", ["37003", None, "37"]), Prefix(keep=[1]), 1, k=2).column.to_list()
    ['3****', None, '3****']
    """
    texts = as_text(column)
    lengths = texts.str.len_chars()
    if texts.null_count() == len(texts):
        nothing = Spread.of(np.empty(0, dtype=np.int64), k)
        return Labelled(texts.cast(pl.String), nothing, nothing)
    is_odd = rule.length is not None and bool((lengths != rule.length).any())
    if is_odd or texts.str.contains(ANYTHING, literal=True).any():
        rule.fit(texts.drop_nulls().unique().to_list(), column.name)  # says how many are wrong
    length: Any = lengths.max()
    kept = [n_kept for n_kept in rule.keep if n_kept < length]
    _check_level(level, len(kept), column.name)
    labels = texts.str.head(kept[level - 1]).str.pad_end(length, ANYTHING)
    return Labelled(labels, _text_spread(texts, k), _text_spread(labels, k))


def label_mapped(column: pl.Series, pairs: Sequence[tuple[str, str]], on_missing: OnMissing, k: int) -> Labelled:
    """Return a cleaned column as the new values of a table of (old, new) ones.

    Raises
    ------
    HierarchyError
        Values are not in the table and ``on_missing`` is ``error``, with the number of rows and values.

    Examples
    --------
    >>> made = label_mapped(pl.Series("town", ["Vigo", "Lugo"]), [("Vigo", "Pontevedra")], "suppress", k=2)
    >>> made.column.to_list(), made.n_unknown
    (['Pontevedra', None], 1)
    """
    texts = as_text(column)
    old, new = ([pair[side] for pair in pairs] for side in (0, 1))
    labels = texts.replace_strict(old, new, default=None, return_dtype=pl.String)
    is_unknown = texts.is_not_null() & labels.is_null()
    n_unknown = int(is_unknown.sum())
    if n_unknown and on_missing == "error":
        raise HierarchyError(
            f"{n_unknown} of {len(texts)} cells of '{column.name}', of {texts.filter(is_unknown).n_unique()} distinct "
            "values, are missing from the mapping table.",
            hint="extend it, or set on_missing: suppress, which empties them. Values are withheld.",
            about=column.name,
        )
    known = texts.filter(labels.is_not_null()) if n_unknown else texts
    return Labelled(labels, _text_spread(known, k), _text_spread(labels, k), n_unknown)


def _encoded(column: pl.Series, rule: Hierarchy, decimal: str) -> tuple[NDArray[np.int32], Domain]:
    """Return the code of each row and the domain; dates that are spelt as text are read once each."""
    if rule.value_type != "date" or column.dtype != pl.String:
        typed = encoded(column, rule, 1.0, decimal)
        return typed.codes, typed.domain
    places, texts = codes_of(column)
    try:
        typed = encoded(pl.Series(column.name, texts, dtype=pl.String), rule, 1.0, decimal)
    except CelosiaError:
        encoded(column, rule, 1.0, decimal)  # says how many of all rows are wrong
        raise
    return np.append(typed.codes, np.int32(-1))[places], typed.domain


def _gathered(labels: pl.Series, places: NDArray[np.int32]) -> pl.Series:
    """Return the label at each place; -1 finds the missing one at the end."""
    places[places < 0] = len(labels)
    # Unsigned places are taken as they are; signed ones would be copied twice.
    return labels.append(pl.Series([None], dtype=pl.String)).gather(pl.Series(places.view(np.uint32)))


def _text_spread(texts: pl.Series, k: int) -> Spread:
    return Spread.of(texts.drop_nulls().unique_counts().to_numpy().astype(np.int64), k)


def _check_level(level: int, n_levels: int, column: str) -> None:
    if level > n_levels:
        raise HierarchyError(
            f"generalise: level is {level}, but the rule leaves {n_levels} above the values of '{column}'.",
            hint="choose a lower level; to publish nothing of the column use drop.",
            about=column,
        )


def _nodes(domain: Levels, level: int, column: str) -> NDArray[np.int32]:
    _check_level(level, domain.n_levels - 2, column)
    nodes: NDArray[np.int32] = domain.nodes[level]
    return nodes


def _ranked(bins: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return the rank of each bin among those that occur, those bins ascending, and how often each occurs."""
    lowest = bins.min()
    length = int(bins.max() - lowest) + 1
    if length > _LONGEST_TABLE * len(bins):
        held, places, counts = np.unique(bins, return_inverse=True, return_counts=True)
        return places.astype(np.int32), held, counts
    bins -= lowest
    n_in = np.bincount(bins)
    ranks = (np.cumsum(n_in > 0, dtype=np.int32) - 1)[bins]
    return ranks, np.flatnonzero(n_in) + lowest, n_in[n_in > 0]


def _width_labels(places: NDArray[np.int64], steps: Multiples, is_closed: bool, style: Style) -> pl.Series:
    """Spell the intervals at these places as ``Intervals`` spells them."""
    low = steps.texts(places, style.decimal)
    if not is_closed:
        high = steps.texts(places + 1, style.decimal)
    elif steps.step == 1:
        return low
    else:
        high = pl.Series(steps.wholes(places + 1) - 1).cast(pl.String)
    template = style.span("{}", "{}", half_open=not is_closed)
    ends = pl.DataFrame({"low": low, "high": high})
    return ends.select(pl.format(template, "low", "high")).to_series()


def _range_bins(values: NDArray[Any], texts: Sequence[str]) -> NDArray[np.int64]:
    """Return for each number between which ends of ranges it lies."""
    edges = sorted({edge for piece in parse_ranges(texts) for edge in (piece.start, piece.stop)})
    inner = [edge for edge in edges if -LARGEST <= edge[0] <= LARGEST]
    if values.dtype == np.int64:
        firsts = np.array([first for edge in inner if abs(first := _first_whole(edge)) < 2**63], dtype=np.int64)
    else:
        firsts = np.array([_first_double(edge) for edge in inner], dtype=np.float64)
    return in_blocks(lambda block: np.searchsorted(firsts, block, side="right"), values, np.int64)


def _range_labels(samples: NDArray[Any], values: NDArray[Any], rule: Intervals, level: int, column: str) -> pl.Series:
    domain = _fitted(samples, values, rule, column)
    nodes = _nodes(domain, level, column)[np.searchsorted(np.asarray(domain.values), samples)]
    return pl.Series([domain.spell(node, Style()) for node in nodes.tolist()], dtype=pl.String)


def _first_whole(edge: Edge) -> int:
    """Return the lowest whole number beyond a cut in the number line."""
    return math.floor(edge[0]) + 1 if edge[1] else math.ceil(edge[0])


def _first_double(edge: Edge) -> float:
    """Return the lowest double whose decimal text is beyond a cut in the number line."""
    double, cut = float(edge[0]), (Fraction(edge[0]), edge[1])
    while (exact(double), 0) < cut:
        double = math.nextafter(double, math.inf)
    return double


def _one_broken(values: NDArray[Any]) -> NDArray[Any]:
    """Return one number that is not whole, if there is one."""
    if values.dtype == np.int64:
        return values[:0]
    is_broken = values != np.floor(values)
    return values[is_broken.argmax() :][:1] if is_broken.any() else values[:0]


def _fitted(samples: NDArray[Any], values: NDArray[Any], rule: Intervals, column: str) -> Levels:
    """Return the domain of samples that tell all that decides over labels: whether all values are whole."""
    held = np.unique(np.concatenate([samples, _one_broken(values)]))
    try:
        return rule.fit(PackedNumbers(held), column)
    except HierarchyError:
        rule.fit(PackedNumbers(np.unique(values)), column)  # says how many of all values are wrong
        raise
