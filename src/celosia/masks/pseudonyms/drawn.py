"""Random codes that nobody keeps: fresh in every run, and irreversible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from celosia.base.chance import Randomness
from celosia.base.findings import Finding
from celosia.masks.pseudonyms.findings import guessable_finding
from celosia.masks.vault.codes import Codes


@dataclass(frozen=True, eq=False)
class DrawnCodes:
    """Codes drawn at random for this run alone.

    Examples
    --------
    >>> from celosia.masks.vault.codes import CodeSpace
    >>> people = pl.Series(["1", "2", "3"])
    >>> drawn = DrawnCodes(CodeSpace("digits", 1), Randomness()).codes(people, "id", ["id"])
    >>> drawn.n_unique(), bool(drawn.is_in(people.to_list()).any())
    (3, False)
    """

    space: Codes
    randomness: Randomness

    def codes(self, identities: pl.Series, scope: str, columns: Sequence[str]) -> pl.Series:
        """Return different codes, none of them an identity itself."""
        own = frozenset(identities.to_list())
        return pl.Series(self.space.draw(len(own), own.intersection, self.randomness), dtype=pl.String)

    def findings(self, column: str, n_identities: int) -> Iterator[Finding]:
        """Return the finding that codes can be guessed, if they can."""
        yield from guessable_finding(column, n_identities, self.space)
