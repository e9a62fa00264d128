"""Formula cells: text that a spreadsheet would run is written with an apostrophe in front.

The rule
--------
A text is *dangerous* when, after any run of apostrophes, quotation marks and white space, it comes to one of
``= + - @``, TAB, CR or the full-width ``＝ ＋ － ＠``, and it is not a plain number such as ``-5``, ``+3.2``, ``-1e5``
or ``-3,5`` (blanks around it allowed). White space includes TAB and CR: ``<TAB>=1`` and ``<TAB>x`` are dangerous.

- ``neutralise`` puts one apostrophe in front of a dangerous text and leaves any other alone.
- ``restore`` takes one apostrophe away from a dangerous text that starts with one and leaves any other alone.

Why ``restore(neutralise(x)) == x`` for every text: if ``x`` is dangerous, so is ``'x``, because one more apostrophe in
front keeps the shape and makes it no number; it starts with an apostrophe, hence ``restore`` takes that one away. If
``x`` is not dangerous, neither function touches it.
"""

from __future__ import annotations

import re

import polars as pl

# What \s means to Python, spelt out: Polars reads \s without the four separators 0x1c to 0x1f.
_WHITE = "\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_DANGEROUS = f"^['\"{_WHITE}]*[=+@\t\r＝＋－＠\\-]"
_NUMBER = r"^ *[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)? *"
_dangerous = re.compile(_DANGEROUS)
_number = re.compile(_NUMBER)


def _is_dangerous(text: str) -> bool:
    return _dangerous.match(text) is not None and _number.fullmatch(text) is None


def neutralise(text: str) -> str:
    """Return the text with an apostrophe in front if a spreadsheet would run it.

    Examples
    --------
    >>> neutralise("=HYPERLINK(1)"), neutralise("-2+3"), neutralise("-5"), neutralise("Ana")
    ("'=HYPERLINK(1)", "'-2+3", '-5', 'Ana')
    """
    return "'" + text if _is_dangerous(text) else text


def restore(text: str) -> str:
    """Return the text that ``neutralise`` was given.

    Examples
    --------
    >>> restore("'=HYPERLINK(1)"), restore("'quoted'")
    ('=HYPERLINK(1)', "'quoted'")
    """
    return text[1:] if text.startswith("'") and _is_dangerous(text) else text


def neutralised(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with every name and every text cell as ``neutralise`` gives it.

    Examples
    --------
    >>> neutralised(pl.DataFrame({"@note": ["=1+1", "-3,5", None], "mark": [-5, 0, 5]})).to_dict(as_series=False)
    {"'@note": ["'=1+1", '-3,5', None], 'mark': [-5, 0, 5]}
    """
    columns = []
    for column in frame.get_columns():
        if column.dtype == pl.String and (dangerous := _are_dangerous(column)).any():
            column = ("'" + column).zip_with(dangerous, column).alias(column.name)
        columns.append(column.alias(neutralise(column.name)))
    return pl.DataFrame(columns)


def restored(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame that ``neutralised`` was given.

    Examples
    --------
    >>> restored(pl.DataFrame({"'@note": ["'=1+1", "-3,5", None]})).to_dict(as_series=False)
    {'@note': ['=1+1', '-3,5', None]}
    """
    columns = []
    for column in frame.get_columns():
        if column.dtype == pl.String and (marked := column.str.starts_with("'") & _are_dangerous(column)).any():
            column = column.str.slice(1).zip_with(marked, column)
        columns.append(column.alias(restore(column.name)))
    return pl.DataFrame(columns)


def n_formulas(column: pl.Series) -> int:
    """Return how many cells of a column a spreadsheet would run; its name counts as one, and signs alone run nothing.

    Examples
    --------
    >>> n_formulas(pl.Series("note", ["=1+1", "'=1+1", "-5", "-", "Ana"]))
    1
    """
    names = pl.Series([column.name])
    cells = [names, column] if column.dtype == pl.String else [names]
    return sum(
        int((_are_dangerous(one) & ~one.str.starts_with("'") & one.str.contains(r"[\p{L}\p{N}]")).sum())
        for one in cells
    )


def _are_dangerous(column: pl.Series) -> pl.Series:
    suspect = column.str.contains(_DANGEROUS).fill_null(False)
    return suspect & ~column.str.contains(_NUMBER + r"\z").fill_null(False) if suspect.any() else suspect
