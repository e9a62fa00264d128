"""Words that stand where a student has no mark."""

from __future__ import annotations

import polars as pl

from celosia.data.schema.detectors.base import without_missing
from celosia.data.schema.detectors.headers import plain_text

_WORDS = frozenset(
    {
        "",  # signs alone, such as a dash
        *("np", "n p", "nsp", "ns", "abs", "absent", "ausente", "ausencia", "falta", "falto"),
        *("no presentado", "no presentada", "no presentat", "no presenta", "no se presenta", "no asiste", "no asistio"),
        *("not presented", "did not sit", "not sat", "no show", "not graded"),
        *("sin nota", "sin calificar", "no evaluado", "no evaluada"),
    }
)
"""As ``plain_text`` spells them."""


def absence_words(cells: pl.Series) -> tuple[str, ...]:
    """Return those of the texts, as they are spelt, that say that there is no mark.

    Examples
    --------
    >>> absence_words(pl.Series(["7,5", "N.P.", "no presentado", "-", "n/a", "ten"]))
    ('-', 'N.P.', 'n/a', 'no presentado')
    """
    if cells.dtype != pl.String:
        return ()
    texts = cells.drop_nulls().unique()
    general = without_missing(texts)[1]
    own = [text for text in texts if plain_text(text) in _WORDS]
    return tuple(sorted({*general, *own}))
