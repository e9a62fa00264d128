"""Where a vault keeps its rows: what SQLite and PostgreSQL do alike.

A store knows nothing of keys: it keeps what the vault has sealed. All that a vault does is one transaction, committed
whole or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from celosia.masks.vault.postgres_store import PostgresStore, PostgresTransaction
    from celosia.masks.vault.sqlite_store import SqliteStore
    from celosia.masks.vault.sqlite_transaction import SqliteTransaction

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


Transaction: TypeAlias = "SqliteTransaction | PostgresTransaction"
"""What can be asked of and done to a store, all of it together or nothing. Both have the same methods."""

Store: TypeAlias = "SqliteStore | PostgresStore"
"""A place for one vault: ``create`` makes its tables, and ``transaction`` opens what commits when its block ends well.

Writing transactions wait for each other, so that of two that add one identity the second finds it.
"""


def ordered(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries in the order of their pseudonyms' bytes, in which a table takes them up fastest.

    It also hides in which order people came.

    Examples
    --------
    >>> [entry.pseudonym for entry in ordered([Entry("X3B9", "s", b"", b""), Entry("K7Q2", "s", b"", b"")])]
    ['K7Q2', 'X3B9']
    """
    return sorted(entries, key=_PSEUDONYM)  # not polars: its threads stand still in a forked process
