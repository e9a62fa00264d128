"""Free text: sentences that people wrote."""

from __future__ import annotations

from celosia.data.schema.detectors.base import Clue, Look

_LEAST_WORDS = 5.0
_LEAST_CHARACTERS = 40.0
_LEAST_DISTINCT_SHARE = 0.2


def find_free_text(look: Look) -> Clue | None:
    """Return why a column holds free text, or ``None``.

    The mean cell has five words or forty characters, and at least every fifth cell differs from the others: answers
    chosen from a list are long at times, but they repeat.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema.detectors.base import look_at
    >>> look = look_at(pl.Series("x", ["came late because of the bus", "asked for a second exam in May"]))
    >>> find_free_text(look).reason
    'free text can hold anything (6.5 words in the mean cell)'
    """
    if not look.is_text or look.n_distinct < 2 or look.distinct_share < _LEAST_DISTINCT_SHARE:
        return None
    n_cells = int(look.counts.sum())
    words = float((look.texts.str.count_matches(r"\S+") * look.counts).sum()) / n_cells
    characters = float((look.texts.str.len_chars() * look.counts).sum()) / n_cells
    has_blanks = look.share_matching(r"\s") >= 0.5
    if words >= _LEAST_WORDS or (has_blanks and characters >= _LEAST_CHARACTERS):
        return Clue(f"free text can hold anything ({words:.2g} words in the mean cell)")
    return None
