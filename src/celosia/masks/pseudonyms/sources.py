"""What every source of pseudonyms does, and random codes: those that nobody keeps, and those that a vault keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import polars as pl

from celosia.base.chance import Randomness
from celosia.base.errors import InputError
from celosia.base.findings import Finding
from celosia.masks.pseudonyms.findings import guessable_finding
from celosia.masks.vault.codes import Codes

if TYPE_CHECKING:
    from celosia.masks.vault.vault import Vault


class CodeSource(Protocol):
    """Gives each identity a code of its own."""

    def codes(self, identities: pl.Series, scope: str, columns: Sequence[str]) -> pl.Series:
        """Return the code of each identity, in their order.

        Parameters
        ----------
        identities
            Different texts, none missing.
        scope
            What kind of identity they are: equal identities of one scope have equal codes.
        columns
            The columns that hold them, for messages.

        Raises
        ------
        InputError
            They cannot all have a code of their own.
        """
        ...

    def findings(self, column: str, n_identities: int) -> Iterable[Finding]:
        """Return what there is to know about the codes of a column."""
        ...


def quoted(columns: Sequence[str]) -> str:
    """Return names of columns as messages show them.

    Examples
    --------
    >>> quoted(["sender", "receiver"])
    "'sender', 'receiver'"
    """
    return ", ".join(f"'{column}'" for column in columns)


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


@dataclass(frozen=True, eq=False)
class VaultCodes:
    """The code of an identity is the one that the vault has for it, or gives it now.

    Attributes
    ----------
    space
        Where new codes come from.
    vault
        Keeps identities and codes.
    dataset
        The data set to which codes are confined; empty for codes that are the same in all of them.
    """

    space: Codes
    vault: Vault = field(repr=False)
    dataset: str = ""

    def codes(self, identities: pl.Series, scope: str, columns: Sequence[str]) -> pl.Series:
        """Return the codes; those of identities that the vault did not know are drawn and kept."""
        added = self.vault.add(identities, scope=scope_of_dataset(scope, self.dataset), codes=self.space)
        codes = pl.Series(added.pseudonyms, dtype=pl.String)
        n_equal = int(codes.is_in(identities.implode()).sum())
        if n_equal:
            raise InputError(
                f"pseudonymise: {n_equal} of the {len(codes)} codes that the vault has for {quoted(columns)} are equal "
                "to a true value there.",
                hint="name a scope or dataset of its own, with a prefix by which codes differ from true values.",
                about="scope",
            )
        return codes

    def findings(self, column: str, n_identities: int) -> Iterator[Finding]:
        """Return the finding that codes can be guessed, if they can."""
        n_kept = int(self.vault.summary()["n_identities"])
        yield from guessable_finding(column, max(n_identities, n_kept), self.space)


def scope_of_dataset(scope: str, dataset: str) -> str:
    """Return the name by which a vault knows a scope within a data set; neither of them holds an @ itself.

    Examples
    --------
    >>> scope_of_dataset("student", "exams-2026"), scope_of_dataset("student", "")
    ('student@exams-2026', 'student')
    """
    return f"{scope}@{dataset}" if dataset else scope
