"""What detectors look at: one column, counted on all rows and sampled for patterns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.exact import LARGEST
from celosia.data.io.numbers import parse_numbers
from celosia.data.schema.columns import as_text, cleaned

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


_SAMPLE_ROWS = 20_000
"""A column of fewer distinct values is looked at whole."""
_LARGEST_WHOLE = 2**63 - 1


@dataclass(frozen=True)
class Clue:
    """A sign that a column names people, with the reason in words; never with a cell value.

    Attributes
    ----------
    reason
        What was seen.
    per_person
        Whether equal values mean the same person, so that people can be counted by this column.
    share
        The share of cells that have the sign.

    Examples
    --------
    >>> Clue("all cells are e-mail addresses").per_person
    False
    """

    reason: str
    per_person: bool = False
    share: float = 1.0


@dataclass(frozen=True)
class KindClue:
    """How a column can become coarser, with the reason in words.

    Attributes
    ----------
    kind
        A hierarchy that every value of the column fits.
    reason
        What was seen.
    missing
        Texts of the column that mean "no value"; the kind fits once they are declared so.

    Examples
    --------
    >>> from celosia.data.hierarchies import Number
    >>> KindClue(Number(), "numbers").missing
    ()
    """

    kind: Hierarchy
    reason: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Look:
    """One column as detectors see it.

    Attributes
    ----------
    name
        The column's name.
    n_rows, n_missing
        All rows, and those without a value.
    distinct
        Every distinct value once, in the column's own type.
    n_single
        How many rows have a value that no other row has.
    texts, counts
        The distinct values as text, and how many rows hold each; above 20,000 values those of 20,000 rows.
    decimal
        The decimal mark of the file.
    n_words
        How many rows hold a word that means "no value".

    Examples
    --------
    >>> look = look_at(pl.Series("town", ["Sevilla", "Sevilla ", "Cádiz", None]))
    >>> look.n_missing, look.n_distinct, look.n_single
    (1, 2, 1)
    """

    name: str
    n_rows: int
    n_missing: int
    distinct: pl.Series = field(repr=False)
    n_single: int
    texts: pl.Series = field(repr=False)
    counts: pl.Series = field(repr=False)
    decimal: str = "."
    n_words: int = 0

    @property
    def n_known(self) -> int:
        """How many rows have a value."""
        return self.n_rows - self.n_missing

    @property
    def n_distinct(self) -> int:
        """How many distinct values there are on all rows."""
        return len(self.distinct)

    @property
    def is_text(self) -> bool:
        """Whether the cells came as text, as they do from CSV files and workbooks."""
        return self.distinct.dtype == pl.String

    @cached_property
    def missing_words(self) -> tuple[str, ...]:
        """The texts among the values that mean "no value"."""
        return without_missing(self.distinct)[1]

    @cached_property
    def numbers(self) -> pl.Series | None:
        """The distinct values, but for words that mean "no value", as numbers; ``None`` where others are among them.

        Texts with leading zeros are codes, not numbers.
        """
        dtype = self.distinct.dtype
        if not (dtype.is_numeric() or self.is_text) or (dtype == pl.UInt64 and (self.distinct > _LARGEST_WHOLE).any()):
            return None
        values, _ = without_missing(self.distinct)
        if values.is_empty() or (self.is_text and values.str.contains(r"^[+-]?0[0-9]").any()):
            return None
        numbers, n_failed = parse_numbers(values, self.decimal)
        return None if n_failed or (numbers.abs() > LARGEST).any() else numbers

    @property
    def is_fractional(self) -> bool:
        """Whether the values are numbers with fractions; whole ones count as whole, also where they came as floats."""
        return self.numbers is not None and bool((self.numbers != self.numbers.round()).any())

    @property
    def single_share(self) -> float:
        """The share of known rows that have a value of their own."""
        return self.n_single / max(self.n_known, 1)

    @property
    def distinct_share(self) -> float:
        """Distinct values per known row: the distinction of the column."""
        return self.n_distinct / max(self.n_known, 1)

    def share(self, holds: pl.Series) -> float:
        """Return the share of sampled cells for which a mask over ``texts`` holds."""
        return float(self.counts.filter(holds).sum()) / max(int(self.counts.sum()), 1)

    def share_matching(self, pattern: str) -> float:
        """Return the share of sampled cells in which a regular expression is found."""
        return self.share(self.texts.str.contains(pattern))

    def share_where(self, holds: Callable[[str], bool]) -> float:
        """Return the share of sampled cells for whose text ``holds`` is true."""
        return self.share(pl.Series([holds(text) for text in self.texts], dtype=pl.Boolean))


def look_at(column: pl.Series, decimal: str = ".") -> Look:
    """Count a column on all rows and draw the texts in which patterns are sought.

    Parameters
    ----------
    column
        One column of the table; text is trimmed and normalised first.
    decimal
        The decimal mark of the file, ``.`` or ``,``.

    Examples
    --------
    >>> look_at(pl.Series("age", [40, 41, 40])).distinct.to_list()
    [40, 41]
    """
    clean, _ = cleaned(column)
    known = clean.drop_nulls().alias("value")
    counted = known.value_counts(name="n")
    drawn = counted if len(counted) <= _SAMPLE_ROWS else known.sample(_SAMPLE_ROWS, seed=0).value_counts(name="n")
    words = without_missing(counted["value"])[1]
    return Look(
        name=column.name,
        n_rows=len(column),
        n_missing=clean.null_count(),
        distinct=counted["value"].sort().alias(column.name),
        n_single=int((counted["n"] == 1).sum()),
        texts=as_text(drawn["value"]).str.replace(r"^([0-9]+)\.0$", "$1"),
        counts=drawn["n"],
        decimal=decimal,
        n_words=int(counted.filter(pl.col("value").is_in(words))["n"].sum()) if words else 0,
    )


def percent(share: float) -> str:
    """Spell a share for a comment; only a share of exactly one is called 100 %, only zero 0 %.

    Examples
    --------
    >>> percent(1.0), percent(0.9999), percent(0.25), percent(0.0001)
    ('100 %', '99.9 %', '25 %', '0.1 %')
    """
    if share in (0, 1):
        return f"{share:.0%}".replace("%", " %")
    return f"{min(max(100 * share, 0.1), 99.9):.3g} %"
