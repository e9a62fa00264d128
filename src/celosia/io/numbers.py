"""Text columns turned into numbers, also where two decimal marks meet in one column."""

from __future__ import annotations

import polars as pl

from celosia.errors import OptionError

__all__ = ["parse_numbers"]


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
    if series.dtype.is_integer():
        return series.cast(pl.Int64), 0
    if series.dtype.is_numeric():
        return series.cast(pl.Float64).fill_nan(None), 0
    text = series.cast(pl.String).str.strip_chars()
    text = text.set(text == "", None)
    n_cells = text.len() - text.null_count()
    whole = text.cast(pl.Int64, strict=False)
    if whole.len() - whole.null_count() == n_cells:
        return whole, 0
    fractions = _fractions(text, decimal)
    numbers = (
        whole
        if fractions.null_count() == text.len()
        else whole.cast(pl.Float64).zip_with(whole.is_not_null(), fractions)
    )
    return numbers, n_cells - (numbers.len() - numbers.null_count())


def _fractions(text: pl.Series, decimal: str) -> pl.Series:
    """Return the cells with a decimal mark or an exponent as floats, all others as missing."""
    other = "," if decimal == "." else "."
    own = text.str.contains(_pattern(decimal))
    foreign = text.str.contains(_pattern(other)) & ~own
    ambiguous = foreign & text.str.contains(rf"^[+-]?[1-9][0-9]{{0,2}}[{other}][0-9]{{3}}$")
    own_mark = own & text.str.contains(decimal, literal=True)
    is_foreign_column = not own_mark.any() and (foreign & ~ambiguous).any()
    accepted = own | (foreign if is_foreign_column else foreign & ~ambiguous)
    values = text.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    return values.set(~(accepted & values.is_finite()).fill_null(False), None)


def _pattern(mark: str) -> str:
    exponent = r"[eE][+-]?[0-9]+"
    return rf"^[+-]?(?:(?:[0-9]+[{mark}][0-9]*|[{mark}][0-9]+)(?:{exponent})?|[0-9]+{exponent})$"
