"""Cells as identities: one spelling for each, and the way from identities back to rows."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from celosia.data.schema.columns import as_text, cleaned


def spelt(column: pl.Series) -> pl.Series:
    """Return a column as text, trimmed and in normal form (NFC); missing and empty cells are missing.

    The number 12345678 and the text ``12345678`` are one identity, of whichever type the number is, and so are ``José``
    in its two Unicode forms, and a day and its midnight.

    Examples
    --------
    >>> spelt(pl.Series(["Amparo ", "", None])).to_list(), spelt(pl.Series([5.0])).to_list()
    (['Amparo', None, None], ['5'])
    """
    clean = cleaned(column)[0]
    if clean.dtype == pl.String:
        return clean
    texts = cleaned(as_text(clean))[0]
    plain = _plain(clean)
    return texts if plain is None else plain.fill_null(texts)


def _plain(column: pl.Series) -> pl.Series | None:
    """Return the cells that another type spells otherwise, as it spells them: whole numbers, and days."""
    if column.dtype.is_float() or column.dtype.is_decimal():  # 1e16, -0.0, 5.00
        whole = column.cast(pl.Int64, strict=False)
        return whole.cast(pl.String).set(whole.cast(column.dtype, strict=False).ne_missing(column), None)
    if isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone is None:
        days = column.dt.date()
        return days.cast(pl.String).set(days.cast(column.dtype).ne_missing(column), None)
    return None


def different(columns: Sequence[pl.Series]) -> pl.Series:
    """Return the different identities of columns, in the order in which they first appear.

    Examples
    --------
    >>> different([pl.Series(["b", "a", "b"]), pl.Series(["c", None, "a"])]).to_list()
    ['b', 'a', 'c']
    """
    together = columns[0] if len(columns) == 1 else pl.concat([column.alias("") for column in columns])
    known = together.drop_nulls()
    if known.hash().n_unique() == len(known):
        return known  # hashes are quicker, and where they all differ so do the values
    return known.unique(maintain_order=True)


def replaced(column: pl.Series, identities: pl.Series, codes: pl.Series) -> pl.Series:
    """Return a column with each identity replaced by its code; missing cells stay missing.

    Examples
    --------
    >>> replaced(pl.Series(["a", None, "b", "a"]), pl.Series(["b", "a"]), pl.Series(["2", "7"])).to_list()
    ['7', None, '2', '7']
    """
    if len(column) == len(identities) and (column == identities).all(ignore_nulls=False):
        return codes.alias(column.name)  # a person per row needs no search
    pairs = pl.DataFrame({"identity": identities, "code": codes})
    rows = column.alias("identity").to_frame()
    return rows.join(pairs, on="identity", how="left", maintain_order="left")["code"].alias(column.name)
