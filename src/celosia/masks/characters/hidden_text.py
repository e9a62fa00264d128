"""Texts of which pieces are replaced by symbols, and when nothing of a text may be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import polars as pl

_TELLS = r"[\p{L}\p{N}]"
"""A letter or digit. Where nothing but blanks and marks would be hidden, the value can be read."""

LEAST_SYMBOLS = 2
"""A single ``*`` is reserved for 'anything' in every release."""


@dataclass(frozen=True)
class Piece:
    """A stretch of each text.

    Attributes
    ----------
    text
        The stretch itself.
    n_symbols
        By how many symbols it is replaced; ``None`` where it stays visible.
    """

    text: pl.Expr
    n_symbols: pl.Expr | None = None


class Rule(Protocol):
    """What stays visible of texts."""

    @property
    def hides_all(self) -> bool:
        """Whether nothing stays visible of any text."""
        ...

    def frame(self, texts: pl.Series) -> pl.DataFrame:
        """Return the texts as the column ``text``, beside others that the pieces read."""
        ...

    def fits(self) -> pl.Expr:
        """Return whether a text is of the form that the rule asks for; others are hidden whole."""
        ...

    def pieces(self, length: int | None) -> list[Piece]:
        """Return the pieces of which a fitting text is made, in their order."""
        ...


def hide(texts: pl.Series, rule: Rule, symbol: str, length: int | None) -> tuple[pl.Series, int]:
    """Return the masked texts, and how many of them are hidden whole although something should stay visible.

    A text stays visible in part only if it fits the rule and at least one letter or digit of it is hidden; otherwise
    it is hidden whole, by ``length`` symbols or as many as it has characters (but two at least).

    Parameters
    ----------
    texts
        A column of text; missing cells stay missing.
    rule
        What stays visible.
    symbol
        One character.
    length
        The fixed length, or ``None``.
    """
    frame = rule.frame(texts)
    n_characters = pl.col("text").str.len_chars()
    longest = max(frame.select(n_characters.max()).item() or 0, length or 0, LEAST_SYMBOLS)
    symbols = pl.lit(symbol * longest)
    n_whole = n_characters.clip(LEAST_SYMBOLS) if length is None else pl.lit(length)
    whole = pl.when(pl.col("text").is_not_null()).then(symbols.str.slice(0, n_whole))
    if rule.hides_all:
        return frame.select(whole.alias(texts.name)).to_series(), 0
    pieces = rule.pieces(length)
    hidden = [piece.text.str.contains(_TELLS) for piece in pieces if piece.n_symbols is not None]
    visible = [piece.text.str.len_bytes() > 0 for piece in pieces if piece.n_symbols is None]
    may_show = (rule.fits() & pl.any_horizontal(hidden)).fill_null(False)
    checked = frame.select(may_show.alias("may_show"), (may_show & pl.any_horizontal(visible)).alias("is_shown"))
    shown = pl.concat_str(
        [piece.text if piece.n_symbols is None else symbols.str.slice(0, piece.n_symbols) for piece in pieces]
    )
    is_shown = checked["is_shown"]
    chosen = shown if is_shown.all() else pl.when(is_shown).then(shown).otherwise(whole)
    n_refused = len(texts) - texts.null_count() - int(checked["may_show"].sum())
    return frame.select(chosen.alias(texts.name)).to_series(), n_refused
