"""Third persons: a column of names names people, students and lecturers alike (R-A6)."""

from __future__ import annotations

import numpy as np
import polars as pl

from celosia.base.findings import Finding
from celosia.data.hierarchies.text import SEPARATORS
from celosia.data.schema.detectors import Look, find_person_names, read_header
from celosia.measure.traps.base import Published

_LOOK = 1_000
"""In so many distinct values names are sought."""
_LEAST_UNDER_HEADER = 0.05
"""Under a header such as lecturer so few known names are enough."""


def third_persons(published: Published) -> list[Finding]:
    """Find columns of names of people, alone or in published sets such as ``Doe / Roe``.

    A column holds names where at least 30 % of its cells hold a frequent one, or 5 % under a header that speaks of a
    third person, such as lecturer or doctor.

    Examples
    --------
    >>> table = pl.DataFrame({"age": ["20-29"] * 2, "lecturer": ["John Doe / Richard Roe"] * 2})
    >>> [(one.code, one.column, one.n_rows) for one in third_persons(Published(table, ("age", "lecturer")))]
    [('PERSON_NAME_KEPT', 'lecturer', 2)]
    """
    return [
        Finding(
            "PERSON_NAME_KEPT",
            "warning",
            "'{column}' holds names of people ({n_rows} rows). Whoever is named in a table, a lecturer or a "
            "doctor too, is a person whose data it holds. Drop the column, or put pseudonyms in place of the "
            "names.",
            column,
            {"n_rows": n_rows},
            n_rows,
        )
        for column in published.kept
        if (n_rows := _n_named(published, column))
    ]


def members(texts: pl.Series) -> pl.DataFrame:
    """Return the values that stand in published sets, with the place of the set that each comes from.

    Examples
    --------
    >>> members(pl.Series(["Doe / Roe", "Poe"])).rows()
    [(0, 'Doe'), (0, 'Roe'), (1, 'Poe')]
    """
    parted = texts.alias("text").to_frame().with_row_index("place")
    for separator in SEPARATORS:
        if parted["text"].str.contains(separator, literal=True).any():
            parted = parted.with_columns(pl.col("text").str.split(separator)).explode("text")
    return parted.with_columns(pl.col("text").str.strip_chars())


def _n_named(published: Published, column: str) -> int:
    """Return how many rows have a known cell in a column of names; 0 where it is none."""
    if published.frame.schema[column] != pl.String:
        return 0
    values = published.values(column)
    places = np.arange(0, len(values.texts), max(1, -(-len(values.texts) // _LOOK)))
    drawn = members(values.texts.gather(places))
    if not drawn["text"].str.contains(r"^\p{L}+[\p{L} .,'’\-]*$").any():
        return 0
    texts, counts = drawn["text"], pl.Series(values.counts[places]).gather(drawn["place"])
    look = Look(column, published.n_rows, 0, texts, 0, texts, counts)
    header = read_header(column)
    is_third = header is not None and header.concept.name == "a third person"
    is_named = find_person_names(look, _LEAST_UNDER_HEADER) if is_third else find_person_names(look)
    return int(values.counts.sum()) if is_named else 0
