"""Text columns turned into numbers, also where two decimal marks meet in one column."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from celosia.base.errors import OptionError

_LARGEST_WHOLE = 2**63 - 1
_SLICE = 1 << 17
"""How many cells are looked at together."""


def parse_numbers(series: pl.Series, decimal: str = ".") -> tuple[pl.Series, int]:
    """Return the column as ``Int64`` or ``Float64``, and how many of its cells are no numbers (they become missing).

    Whole numbers without a decimal mark give ``Int64``; with any mark or exponent in the column it is ``Float64``.
    A cell with the other decimal mark counts as well, unless it could be a thousands separator (``1,234``: up to three
    digits without a leading zero, the mark, exactly three digits). Such cells count only when the column never uses
    its own mark and uses the other one where it can mean nothing else. Two marks in a cell, ``inf``, ``nan`` and
    whole numbers beyond 64 bits are no numbers. Blanks at the ends are no matter.

    Parameters
    ----------
    series
        Text; a column that already holds numbers passes through.
    decimal
        The mark that prevails in the file, ``.`` or ``,``.

    Raises
    ------
    OptionError
        When ``decimal`` is neither.

    Examples
    --------
    >>> numbers, n_failed = parse_numbers(pl.Series(["0,03", "1.0 ", "1,234", None]))
    >>> numbers.to_list(), n_failed
    ([0.03, 1.0, None, None], 1)
    """
    if decimal not in (".", ","):
        raise OptionError("the decimal mark must be '.' or ','.", hint="leave it out to have it found.")
    if series.dtype.is_integer() and not (series.dtype == pl.UInt64 and (series > _LARGEST_WHOLE).any()):
        return series.cast(pl.Int64), 0
    if series.dtype.is_numeric():
        return series.cast(pl.Float64).fill_nan(None), 0
    whole = _by_slices(series, lambda text: text.cast(pl.Int64, strict=False))
    n_cells = sum(len(text) - text.null_count() for text in _slices(series))
    if len(whole) - whole.null_count() == n_cells:
        return whole, 0
    numbers, has_fractions = _with_fractions(series, decimal)
    if not has_fractions:
        numbers = whole
    return numbers, n_cells - (len(numbers) - numbers.null_count())


def _slices(series: pl.Series) -> Iterator[pl.Series]:
    """Yield the cells as trimmed text, some at a time: what is derived from a long column is larger than the column."""
    for piece in series.to_frame().iter_slices(_SLICE):
        text = piece.to_series().cast(pl.String).str.strip_chars()
        yield text.set(text == "", None)


def _by_slices(series: pl.Series, make: Callable[[pl.Series], pl.Series]) -> pl.Series:
    pieces = [make(text) for text in _slices(series)]
    return pl.concat(pieces, rechunk=True) if pieces else make(series.cast(pl.String))


def _with_fractions(series: pl.Series, decimal: str) -> tuple[pl.Series, bool]:
    """Return all numbers as floats, and whether one of them has a decimal mark or an exponent."""
    other = "," if decimal == "." else "."
    ambiguous = rf"^[+-]?[1-9][0-9]{{0,2}}[{other}][0-9]{{3}}$"
    marks = [_marks(text, decimal, other, ambiguous) for text in _slices(series)]
    is_foreign_column = not any(has_own for has_own, _ in marks) and any(has_foreign for _, has_foreign in marks)
    has_fractions = False

    def read(text: pl.Series) -> pl.Series:
        nonlocal has_fractions
        own = text.str.contains(_pattern(decimal))
        foreign = text.str.contains(_pattern(other)) & ~own
        accepted = own | (foreign if is_foreign_column else foreign & ~text.str.contains(ambiguous))
        values = text.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
        is_fraction = (accepted & values.is_finite()).fill_null(False)
        has_fractions |= bool(is_fraction.any())
        return values.zip_with(is_fraction, text.cast(pl.Int64, strict=False).cast(pl.Float64))

    return _by_slices(series, read), has_fractions


def _marks(text: pl.Series, decimal: str, other: str, ambiguous: str) -> tuple[bool, bool]:
    """Tell whether cells use the column's own decimal mark, and the other one where it can mean nothing else."""
    own = text.str.contains(_pattern(decimal))
    foreign = text.str.contains(_pattern(other)) & ~own
    has_own = bool((own & text.str.contains(decimal, literal=True)).any())
    return has_own, bool((foreign & ~text.str.contains(ambiguous)).any())


def _pattern(mark: str) -> str:
    exponent = r"[eE][+-]?[0-9]+"
    return rf"^[+-]?(?:(?:[0-9]+[{mark}][0-9]*|[{mark}][0-9]+)(?:{exponent})?|[0-9]+{exponent})$"


def n_other_marks(series: pl.Series, decimal: str = ".") -> int:
    """Return how many cells of a text column of numbers use the other decimal mark; 0 where it is no such column.

    Examples
    --------
    >>> n_other_marks(pl.Series(["0,03", "1.0"])), n_other_marks(pl.Series(["1,5", "a. b"]))
    (1, 0)
    """
    other = "," if decimal == "." else "."
    if series.dtype != pl.String or not all(series.str.contains(mark, literal=True).any() for mark in (decimal, other)):
        return 0
    if parse_numbers(series, decimal)[1]:
        return 0
    return int(series.str.contains(other, literal=True).sum())


def number_columns(frame: pl.DataFrame) -> list[str]:
    """Return the text columns that a spreadsheet may show as numbers without changing them.

    All cells are numbers, none with a leading zero (a code), and no two are spelt apart that are one number.

    Examples
    --------
    >>> number_columns(pl.DataFrame({"mark": ["4.5", None], "zip": ["28001", "01001"], "p": ["1", "1.0"]}))
    ['mark']
    """
    return [column.name for column in frame.get_columns() if column.dtype == pl.String and _are_numbers(column)]


def _are_numbers(column: pl.Series) -> bool:
    if column.null_count() == len(column) or column.str.contains(r"^[+-]?0[0-9]").any():
        return False
    numbers, n_failed = parse_numbers(column)
    return not n_failed and numbers.n_unique() == column.n_unique()
