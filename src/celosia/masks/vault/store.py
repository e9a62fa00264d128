"""Where a vault keeps its rows: what SQLite and PostgreSQL do alike.

A store knows nothing of keys: it keeps what the vault has sealed. All that a vault does is one transaction, committed
whole or not at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple, Protocol

_PSEUDONYM = itemgetter(0)


class Entry(NamedTuple):
    """A pseudonym and the sealed identity behind it.

    Attributes
    ----------
    pseudonym
        The code, unique in the vault for ever.
    scope
        What kind of identity it stands for, such as the name of the column.
    token
        By which the identity is found again: a keyed hash of 16 bytes, unique; ``None`` once it is forgotten.
    sealed
        The identity, encrypted and authenticated; ``None`` once it is forgotten.
    """

    # A tuple, because there may be millions: a frozen dataclass takes three times as long to make.

    pseudonym: str
    scope: str
    token: bytes | None
    sealed: bytes | None

    def __repr__(self) -> str:
        return f"Entry(pseudonym={self.pseudonym!r}, scope={self.scope!r})"


@dataclass(frozen=True, slots=True)
class LogRow:
    """A line of the log as it is stored.

    Attributes
    ----------
    number
        1, 2, ... without a gap.
    content
        The line, as JSON in UTF-8.
    mark
        The keyed mark that chains it to all lines before it.
    """

    number: int
    content: bytes
    mark: bytes


class Transaction(Protocol):
    """What can be asked of and done to a store, all of it together or nothing."""

    def meta(self) -> dict[str, bytes]:
        """Return the settings."""
        ...

    def set_meta(self, changes: Mapping[str, bytes]) -> None:
        """Set some settings."""
        ...

    def by_tokens(self, tokens: Sequence[bytes]) -> dict[bytes, Entry]:
        """Return the entries that have one of these tokens."""
        ...

    def tokens(self, first_bytes: Collection[int]) -> Iterator[list[tuple[bytes, str]]]:
        """Return token and pseudonym where the token begins with one of these bytes; from where `by_tokens` looks."""
        ...

    def by_pseudonyms(self, pseudonyms: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of these pseudonyms, forgotten ones included."""
        ...

    def taken(self, pseudonyms: Sequence[str]) -> set[str]:
        """Return which of these pseudonyms were ever given."""
        ...

    def insert(self, entries: Sequence[Entry]) -> None:
        """Add new entries."""
        ...

    def replace(self, entries: Iterable[Entry]) -> None:
        """Give the entries of these pseudonyms other tokens and seals."""
        ...

    def entries(self) -> Iterator[list[Entry]]:
        """Return all entries in batches, in the order of their pseudonyms."""
        ...

    def counts(self) -> list[tuple[str, int, int]]:
        """Return for every scope how many identities are kept, and how many are forgotten."""
        ...

    def log(self) -> list[LogRow]:
        """Return the log."""
        ...

    def append_log(self, row: LogRow) -> None:
        """Add a line to the log."""
        ...

    def replace_log(self, rows: Sequence[LogRow]) -> None:
        """Replace the whole log; for new keys only."""
        ...


class Store(Protocol):
    """A place for one vault."""

    @property
    def shown(self) -> str:
        """What messages may say of the place: a file's name, or ``the database``; never a password."""
        ...

    def create(self) -> AbstractContextManager[Transaction]:
        """Make the tables of a new vault and open its first transaction; on failure nothing is left behind.

        Raises
        ------
        VaultError
            There is a vault already, or the place cannot be written.
        """
        ...

    def transaction(self, *, writing: bool) -> AbstractContextManager[Transaction]:
        """Open a transaction; it commits when the block ends well, and is undone on any exception.

        Writing ones wait for each other, so that of two that add one identity the second finds it.

        Raises
        ------
        VaultError
            There is no vault, it is damaged, the disk is full, or it is in use for too long.
        """
        ...


def ordered(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries in the order of their pseudonyms' bytes, in which a table takes them up fastest.

    It also hides in which order people came.

    Examples
    --------
    >>> [entry.pseudonym for entry in ordered([Entry("X3B9", "s", b"", b""), Entry("K7Q2", "s", b"", b"")])]
    ['K7Q2', 'X3B9']
    """
    return sorted(entries, key=_PSEUDONYM)  # not polars: its threads stand still in a forked process
