"""A vault in a SQLite file.

The file keeps a rollback journal, not a write-ahead log: that would be a second file, in which forgotten identities
stand until somebody happens to empty it, and which people leave behind when they copy a vault. ``secure_delete``
overwrites what is forgotten; ``synchronous = EXTRA`` puts on disk also that the journal is gone, so that what was
committed stays so.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from celosia.base.errors import VaultError
from celosia.masks.vault.sqlite_transaction import BUSY_SECONDS, SqliteTransaction, guarded

_PRAGMAS = (
    "page_size = 8192",
    "journal_mode = DELETE",
    "synchronous = EXTRA",
    "secure_delete = ON",
    "temp_store = MEMORY",
    "cache_size = -262144",
)


class SqliteStore:
    """A place for one vault: a file.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> SqliteStore(Path("folder/people.vault")).shown
    'people.vault'
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def shown(self) -> str:
        """The file's name."""
        return self.path.name

    @contextmanager
    def create(self) -> Iterator[SqliteTransaction]:
        """Make the tables of a new vault and open its first transaction; the file appears whole or not at all.

        Raises
        ------
        VaultError
            There is such a file already, or it cannot be written.
        """
        if os.path.lexists(self.path):
            raise self._exists()
        made = self.path.with_name(f".{self.shown}.{secrets.token_hex(8)}.new")
        self._system(lambda: os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)))
        try:
            with self._connected(made) as connection:
                transaction = SqliteTransaction(connection, self.shown)
                transaction.do("BEGIN IMMEDIATE")
                transaction.make_tables()
                yield transaction
                transaction.commit()
            self._put_in_place(made)
        finally:
            for left in (made, made.with_name(f"{made.name}-journal")):
                with suppress(OSError):  # there is none, or it may not be removed: then it is an empty or sealed file
                    left.unlink()

    @contextmanager
    def transaction(self, *, writing: bool) -> Iterator[SqliteTransaction]:
        """Open a transaction; it commits when the block ends well, and is undone on any exception.

        Raises
        ------
        VaultError
            There is no vault, it is damaged, the disk is full, or it is in use for too long.
        """
        if not os.path.isfile(self.path):
            raise VaultError(
                f"there is no vault {self.shown}.",
                hint="check the path; 'celosia vault init' makes a vault.",
                about="vault",
            )
        with self._connected(self.path) as connection:
            transaction = SqliteTransaction(connection, self.shown)
            transaction.do("BEGIN IMMEDIATE" if writing else "BEGIN")
            transaction.check_tables()
            transaction.check_length(os.path.getsize(self.path))
            yield transaction
            transaction.commit()

    @contextmanager
    def _connected(self, path: Path) -> Iterator[sqlite3.Connection]:
        """Open a connection; closing it undoes what was not committed."""
        address = f"{path.absolute().as_uri()}?mode=rw"
        connection = guarded(
            self.shown, lambda: sqlite3.connect(address, uri=True, isolation_level=None, timeout=BUSY_SECONDS)
        )
        try:
            setting = SqliteTransaction(connection, self.shown)
            for pragma in _PRAGMAS:
                setting.do(f"PRAGMA {pragma}")
            yield connection
        finally:
            connection.close()

    def _put_in_place(self, made: Path) -> None:
        """Give a file its name, unless another has it."""
        try:
            os.link(made, self.path)
            is_there = False
        except FileExistsError:
            is_there = True
        except OSError:  # a file system without links
            is_there = os.path.lexists(self.path)
            if not is_there:
                self._system(lambda: os.rename(made, self.path))
        if is_there:
            raise self._exists()
        if os.name != "nt":
            self._system(lambda: _sync_folder(self.path.absolute().parent))

    def _exists(self) -> VaultError:
        return VaultError(
            f"there is a file {self.shown} already; it was not touched.", hint="choose another name.", about="vault"
        )

    def _system(self, action: Callable[[], None]) -> None:
        try:
            action()
            return
        except OSError as error:
            reason = error.strerror or type(error).__name__
        raise VaultError(f"{self.shown} cannot be made: {reason}.", hint="check the folder, its permissions and room.")


def _sync_folder(folder: Path) -> None:
    """Put on disk that a file has its name."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
