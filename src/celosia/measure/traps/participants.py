"""Participants: whoever is in the table knows one row of it already (A18)."""

from __future__ import annotations

import numpy as np

from celosia.base.findings import Finding
from celosia.measure.traps.base import Published, looked_at


def participants(published: Published) -> list[Finding]:
    """Find classes of two people, in which each learns from their own row what the other's says.

    To c people who pool their rows a class of f people is one of f - c. It is a warning where anything is published
    besides quasi-identifiers.

    Examples
    --------
    >>> import polars as pl
    >>> marks = pl.DataFrame({"lecturer": ["Milena"] * 3 + ["José"] * 2, "mark": [4.5, 3.5, 3.8, 2.5, 5.0]})
    >>> [(one.code, one.n_rows) for one in participants(Published(marks, ("lecturer",), ("mark",)))]
    [('PARTICIPANT_LEARNS', 2)]
    """
    told = [column for column in looked_at(published) if column not in published.quasi_identifiers]
    pairs = published.people == 2
    if not told or not published.quasi_identifiers or not pairs.any():
        return []
    n_rows = int(published.classes.sizes[pairs].sum())
    return [
        Finding(
            "PARTICIPANT_LEARNS",
            "warning",
            "{n_classes} classes ({n_rows} rows) hold two people: each of them, who knows their own row, learns what "
            "the other's says. To c people who pool what they know a class of f is one of f - c: ask for a larger k.",
            None,
            {"n_classes": int(np.count_nonzero(pairs)), "n_rows": n_rows},
            n_rows=n_rows,
        )
    ]
