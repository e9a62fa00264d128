"""Words that mean "no value"."""

from __future__ import annotations

import polars as pl

_WORDS = """
    * ? - -- . n/a #n/a n.a. na nan null none nil missing unknown undefined s/d sd n/d nd n/c nc ns/nc ns nr
    desconocido desconocida vacio vacío ninguno ninguna
"""
_PHRASES = ("sin datos", "sin dato", "no consta", "no sabe", "no contesta", "not available", "not known", "no data")


def without_missing(values: pl.Series) -> tuple[pl.Series, tuple[str, ...]]:
    """Return distinct texts without those that mean "no value", and the latter as they are spelt.

    Examples
    --------
    >>> kept, missing = without_missing(pl.Series(["4", "N/A", "7"]))
    >>> kept.to_list(), missing
    (['4', '7'], ('N/A',))
    """
    if values.dtype != pl.String:
        return values, ()
    is_word = values.str.to_lowercase().is_in([*_WORDS.split(), *_PHRASES])
    return values.filter(~is_word), tuple(values.filter(is_word).sort())
