"""What SPSS, Stata and SAS keep beside the cells: what columns and codes mean, and why cells are missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import polars as pl

Code = int | float | str
"""A value that stands for a text, such as 1 for ``male``."""


@dataclass(frozen=True)
class Labels:
    """The labels of a table.

    Parameters
    ----------
    columns
        Column -> what it holds.
    values
        Column -> code -> what the code means. A code of a missing value (-9, or Stata's ``a`` to ``z``) may be among
        them.
    missing
        Column -> code -> how many cells were declared missing by that code. The cells themselves are missing.

    Examples
    --------
    >>> labels = Labels(columns={"sex": "Sex at birth"}, values={"sex": {1: "male", 2: "female"}})
    >>> labels.values["sex"][2]
    'female'
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[Code, str]] = field(default_factory=dict)
    missing: Mapping[str, Mapping[Code, int]] = field(default_factory=dict)

    def shown_by(self, frame: pl.DataFrame) -> Labels:
        """Return the labels of columns that the frame has and of codes that its cells hold.

        A label of a code that nobody has any more would tell that somebody had it.

        Examples
        --------
        >>> labels = Labels(columns={"id": "Number"}, values={"sex": {1: "male", 2: "female"}})
        >>> labels.shown_by(pl.DataFrame({"sex": [1, None, 1]}))
        Labels(columns={}, values={'sex': {1: 'male'}}, missing={})
        """
        columns = {name: label for name in frame.columns if (label := self.columns.get(name))}
        values = {name: _held(frame[name], codes) for name in frame.columns if (codes := self.values.get(name))}
        return Labels(columns, {name: codes for name, codes in values.items() if codes})

    def but_values_of(self, columns: Collection[str]) -> Labels:
        """Return the labels without what codes of some columns mean: those cells do not hold their codes any more.

        Examples
        --------
        >>> Labels(columns={"sex": "Sex"}, values={"sex": {1: "male"}}).but_values_of(["sex"])
        Labels(columns={'sex': 'Sex'}, values={}, missing={})
        """
        return replace(self, values={name: codes for name, codes in self.values.items() if name not in columns})


def _held(column: pl.Series, codes: Mapping[Code, str]) -> dict[Code, str]:
    """Return the codes that cells of the column hold; numbers label no text, and texts no number."""
    cells, fitting = _comparable(column, codes)
    if not len(fitting):
        return {}
    held = set(cells.filter(cells.is_in(fitting)).unique().to_list())
    return {code: label for code, label in codes.items() if label and code in held}


def _comparable(column: pl.Series, codes: Collection[Code]) -> tuple[pl.Series, pl.Series]:
    """Return the cells, and those codes that they could hold, as one type."""
    if column.dtype == pl.String:
        return column, pl.Series([code for code in codes if isinstance(code, str)], dtype=pl.String)
    if not column.dtype.is_numeric():
        return column, pl.Series([])
    return column.cast(pl.Float64), pl.Series([code for code in codes if not isinstance(code, str)], dtype=pl.Float64)


def as_texts(column: pl.Series, codes: Mapping[Code, str], unused: Collection[Code] = ()) -> pl.Series:
    """Return a column with the label of each code instead of the code, or the column itself where nothing is labelled.

    Parameters
    ----------
    column
        The codes; one without a label is spelt as it is.
    codes
        What they mean.
    unused
        Codes of missing values, whose labels make no text of a column of numbers.

    Examples
    --------
    >>> as_texts(pl.Series("sex", [1, 2, 3]), {1: "male", 2: "female"}).to_list()
    ['male', 'female', '3']
    >>> as_texts(pl.Series("age", [39, None]), {-9: "refused"}, unused=[-9]).to_list()
    [39, None]
    """
    cells, fitting = _comparable(column, [code for code in codes if code not in unused])
    if not len(fitting):
        return column
    texts = pl.Series([codes[code] for code in fitting.to_list()], dtype=pl.String)
    labelled = cells.replace_strict(fitting, texts, default=None, return_dtype=pl.String)
    spelt = column.cast(pl.String)
    if column.dtype.is_float():
        spelt = spelt.str.strip_suffix(".0")
    return labelled.fill_null(spelt).alias(column.name)
