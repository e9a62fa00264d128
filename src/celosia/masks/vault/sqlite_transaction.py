"""What is asked of and done to the SQLite file of a vault, all of it together or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from celosia.base.errors import VaultError
from celosia.masks.vault.store import Entry, LogRow, ordered

BUSY_SECONDS = 60
"""How long a connection waits for others."""

_STAYS = "nothing was changed; what was there stays readable"
_DAMAGED = (
    "{shown} is damaged: it was cut short or changed",
    "restore it from a copy; do not write to it any more.",
)

# The first that begins SQLite's name of an error tells.
_REASONS: dict[str, tuple[str, str]] = {
    "SQLITE_BUSY": (f"{{shown}} is in use by another program for more than {BUSY_SECONDS} s; {_STAYS}", "try again."),
    "SQLITE_LOCKED": (f"{{shown}} is in use by another program; {_STAYS}", "try again."),
    "SQLITE_CANTOPEN": ("{shown} or its folder cannot be opened", "check the path and the permissions."),
    "SQLITE_PERM": ("{shown} cannot be opened", "check the permissions."),
    "SQLITE_READONLY": (
        f"{{shown}} or its folder may not be written; {_STAYS}",
        "look-ups are written down, too: give yourself the right to write the file and its folder.",
    ),
    "SQLITE_FULL": (f"the disk is full; {_STAYS}", "make room and try again."),
    "SQLITE_IOERR": (f"the disk is full or fails; {_STAYS}", "make room, check the disk and try again."),
    "SQLITE_TOOBIG": (f"something is too long for {{shown}}; {_STAYS}", "give shorter identities."),
    "SQLITE_CONSTRAINT": (
        f"somebody wrote in {{shown}} without the key: a record or a line of the log stands where none may; {_STAYS}",
        "restore it from a copy, and ask who had access.",
    ),
    "SQLITE_NOTADB": ("{shown} is no vault", "check the path; 'celosia vault init' makes a vault."),
}


_APPLICATION = 0x43454C56  # "CELV"
_VERSION = 1
_INDEX = "CREATE UNIQUE INDEX tokens ON entries (token)"
_SCHEMA = (
    "CREATE TABLE entries (pseudonym TEXT PRIMARY KEY NOT NULL, scope TEXT NOT NULL, token BLOB, sealed BLOB) "
    "WITHOUT ROWID",
    "CREATE TABLE log (number INTEGER PRIMARY KEY, content BLOB NOT NULL, mark BLOB NOT NULL)",
    "CREATE TABLE meta (name TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL) WITHOUT ROWID",
    _INDEX,
)
_COLUMNS = "pseudonym, scope, token, sealed"
_BY_TOKEN = "entries INDEXED BY tokens"
_BEHIND_ALL = b"\xff" * 17
_ASKED_AT_ONCE = 500
_INSERTED_AT_ONCE = 200
"""So many rows are one statement: half the time of a statement a row. SQLite takes 999 values at least."""
_BATCH = 20_000
_MANY = 10_000
"""From so many rows on it is looked whether the whole table is cheaper to read, or its index to build anew."""
_Result = TypeVar("_Result")


def failure(error: Exception, shown: str) -> VaultError:
    """Return the error that tells what happened to a file; raise it where SQLite's own is gone.

    Examples
    --------
    >>> import sqlite3
    >>> error = sqlite3.OperationalError("no such table")
    >>> print(failure(error, "people.vault"))
    people.vault is damaged: it was cut short or changed.
      Hint: restore it from a copy; do not write to it any more.
    """
    name = getattr(error, "sqlite_errorname", None) or ""
    reason, hint = next((told for beginning, told in _REASONS.items() if name.startswith(beginning)), _DAMAGED)
    return VaultError(reason.format(shown=shown) + ".", hint=hint)


class SqliteTransaction:
    """The statements of one transaction.

    Parameters
    ----------
    connection
        An open connection.
    shown
        What messages may say of the file.
    """

    def __init__(self, connection: sqlite3.Connection, shown: str) -> None:
        self._connection = connection
        self._shown = shown
        self._has_index = True
        self._is_unswept = False
        self._n_inserted = 0

    def do(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows.

        Raises
        ------
        VaultError
            SQLite refused.
        """
        return guarded(self._shown, lambda: self._connection.execute(statement, values).fetchall())

    def make_tables(self) -> None:
        """Make the tables of a new vault, and mark the file as one."""
        for statement in _SCHEMA:
            self.do(statement)
        self.do(f"PRAGMA application_id = {_APPLICATION}")
        self.do(f"PRAGMA user_version = {_VERSION}")

    def check_tables(self) -> None:
        """Raise unless the file is a vault with the tables of a vault and nothing else, such as triggers."""
        if self.do("PRAGMA application_id") != [(_APPLICATION,)]:
            raise VaultError(
                f"{self._shown} is no vault.", hint="check the path; 'celosia vault init' makes a vault.", about="vault"
            )
        if self.do("PRAGMA user_version") != [(_VERSION,)]:
            raise VaultError(
                f"{self._shown} was made by another version of celosia.", hint="use that version, or a newer one."
            )
        found = self.do("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        if sorted(str(sql) for (sql,) in found) != sorted(_SCHEMA):
            raise VaultError(f"the tables of {self._shown} were changed.", hint="restore it from a copy.")

    def check_length(self, n_bytes: int) -> None:
        """Raise if the file is shorter than its pages: SQLite itself takes half a page at the end for a whole one."""
        [(n_pages,)], [(page_bytes,)] = self.do("PRAGMA page_count"), self.do("PRAGMA page_size")
        if n_bytes < n_pages * page_bytes:
            raise self._damaged("its end was cut off")

    def commit(self) -> None:
        """Put on disk what was done."""
        if self._is_unswept:
            self._sweep()
        self._need_index()
        self.do("COMMIT")

    def meta(self) -> dict[str, bytes]:
        """Return the settings."""
        return dict(self.do("SELECT name, content FROM meta"))

    def set_meta(self, changes: Mapping[str, bytes]) -> None:
        """Set some settings."""
        self._many("INSERT OR REPLACE INTO meta (name, content) VALUES (?, ?)", changes.items())

    def by_tokens(self, tokens: Sequence[bytes]) -> dict[bytes, Entry]:
        """Return the entries that have one of these tokens."""
        self._need_index()
        found = {name: token for token, name in self._found("token, pseudonym", _BY_TOKEN, "token", tokens)}
        self._check_texts(found)
        entries = self.by_pseudonyms(list(found))
        return {found[name]: entry for name, entry in entries.items()}

    def tokens(self, first_bytes: Collection[int]) -> Iterator[list[tuple[bytes, str]]]:
        """Return token and pseudonym where the token begins with one of these bytes; from where `by_tokens` looks."""
        self._need_index()
        for first in sorted(first_bytes):
            next_one = bytes([first + 1]) if first < 255 else _BEHIND_ALL
            rows = self.do(
                f"SELECT token, pseudonym FROM {_BY_TOKEN} WHERE token >= ? AND token < ?", [bytes([first]), next_one]
            )
            self._check_texts(name for _, name in rows)
            yield [(token, name) for token, name in rows]

    def by_pseudonyms(self, pseudonyms: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of these pseudonyms, forgotten ones included."""
        found = {row[0]: Entry._make(row) for row in self._found(_COLUMNS, "entries", "pseudonym", pseudonyms)}
        self._check_absent(set(pseudonyms).difference(found))
        return found

    def taken(self, pseudonyms: Sequence[str]) -> set[str]:
        """Return which of these pseudonyms were ever given."""
        found = {row[0] for row in self._found("pseudonym", "entries", "pseudonym", pseudonyms)}
        self._check_absent(set(pseudonyms).difference(found))
        return found

    def insert(self, entries: Sequence[Entry]) -> None:
        """Add new entries."""
        self._n_inserted += len(entries)
        self._drop_index(self._has_index and self._is_most(self._n_inserted))
        rows, marks = ordered(entries), "(?, ?, ?, ?)"
        n_whole = len(rows) - len(rows) % _INSERTED_AT_ONCE
        self._many(
            f"INSERT INTO entries ({_COLUMNS}) VALUES {', '.join([marks] * _INSERTED_AT_ONCE)}",
            (list(chain(*rows[start : start + _INSERTED_AT_ONCE])) for start in range(0, n_whole, _INSERTED_AT_ONCE)),
        )
        self._many(f"INSERT INTO entries ({_COLUMNS}) VALUES {marks}", rows[n_whole:])

    def replace(self, entries: Iterable[Entry]) -> None:
        """Give the entries of these pseudonyms other tokens and seals."""
        rows = [(entry.token, entry.sealed, entry.pseudonym) for entry in entries]
        if not rows:
            return
        self._drop_index(True)
        self._is_unswept = True
        self._many("UPDATE entries SET token = ?, sealed = ? WHERE pseudonym = ?", rows)

    def entries(self) -> Iterator[list[Entry]]:
        """Return all entries in batches, in the order of their pseudonyms."""
        last = ""
        while rows := self.do(
            f"SELECT {_COLUMNS} FROM entries WHERE pseudonym > ? ORDER BY pseudonym LIMIT {_BATCH}", [last]
        ):
            last = rows[-1][0]
            self._check_texts(row[0] for row in rows)
            yield list(map(Entry._make, rows))

    def counts(self) -> list[tuple[str, int, int]]:
        """Return for every scope how many identities are kept, and how many are forgotten."""
        return [
            (scope, n_kept, n_forgotten)
            for scope, n_kept, n_forgotten in self.do(
                "SELECT CAST(scope AS TEXT), count(token), count(*) - count(sealed) FROM entries "
                "GROUP BY scope ORDER BY scope"
            )
        ]

    def log(self) -> list[LogRow]:
        """Return the log."""
        return [LogRow(*row) for row in self.do("SELECT number, content, mark FROM log ORDER BY number")]

    def append_log(self, row: LogRow) -> None:
        """Add a line to the log."""
        self._add_lines([row])

    def replace_log(self, rows: Sequence[LogRow]) -> None:
        """Replace the whole log; for new keys only."""
        self.do("DELETE FROM log")
        self._add_lines(rows)

    def _add_lines(self, rows: Sequence[LogRow]) -> None:
        lines = ((row.number, row.content, row.mark) for row in rows)
        self._many("INSERT INTO log (number, content, mark) VALUES (?, ?, ?)", lines)

    def _many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        guarded(self._shown, lambda: self._connection.executemany(statement, rows))

    def _found(self, columns: str, source: str, key: str, asked: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        """Return the rows whose key, the first column, is asked for: one by one, or of all where most are asked for."""
        select = f"SELECT {columns} FROM {source}"
        if self._is_most(len(asked)):
            wanted = set(asked)
            cursor = guarded(self._shown, lambda: self._connection.execute(f"{select} WHERE {key} IS NOT NULL"))
            while rows := guarded(self._shown, lambda: cursor.fetchmany(_BATCH)):
                yield from [row for row in rows if row[0] in wanted]
            return
        for part in _parts(asked):
            yield from self.do(f"{select} WHERE {key} IN ({', '.join('?' * len(part))})", part)

    def _check_absent(self, pseudonyms: Collection[str]) -> None:
        """Raise if the index names what the table seems not to have: with a flipped bit a pseudonym is not found."""
        if not pseudonyms:
            return
        self._need_index()
        select = f"SELECT pseudonym FROM {_BY_TOKEN}"
        if len(pseudonyms) <= _ASKED_AT_ONCE:
            named = self.do(f"{select} WHERE pseudonym IN ({', '.join('?' * len(pseudonyms))})", list(pseudonyms))
        else:
            named = [row for row in self.do(select) if row[0] in pseudonyms]
        if named:
            raise self._damaged("its index names records that are not there")

    def _check_texts(self, pseudonyms: Iterable[object]) -> None:
        if not all(isinstance(one, str) for one in pseudonyms):
            raise self._damaged("a pseudonym is no text")

    def _damaged(self, why: str) -> VaultError:
        return VaultError(f"{self._shown} is damaged: {why}.", hint="restore it from a copy.")

    def _is_most(self, n: int) -> bool:
        """Whether so many rows are many, and more than a third of those that are there."""
        return n >= _MANY and 3 * n > int(self.do("SELECT count(*) FROM entries")[0][0])

    def _sweep(self) -> None:
        """Write what is kept anew, in place of all that was.

        ``secure_delete`` overwrites a record that is deleted, but not the copies that SQLite left behind where it once
        split a full page in two.
        """
        self._drop_index(True)
        for table in ("entries", "meta"):
            self.do(f"CREATE TEMP TABLE kept AS SELECT * FROM {table}")
            self.do(f"DELETE FROM {table}")
            self.do(f"INSERT INTO {table} SELECT * FROM temp.kept")
            self.do("DROP TABLE temp.kept")

    def _drop_index(self, is_worth_it: bool) -> None:
        """Drop the index of tokens until it is needed: sorting it whole is far faster than row by row."""
        if is_worth_it and self._has_index:
            self.do("DROP INDEX tokens")
            self._has_index = False

    def _need_index(self) -> None:
        if not self._has_index:
            self.do(_INDEX)
            self._has_index = True


def _parts(asked: Collection[Any]) -> Iterator[list[Any]]:
    """Return what is asked for in order, so much at a time as one statement takes."""
    ordered = sorted(asked)
    return (ordered[start : start + _ASKED_AT_ONCE] for start in range(0, len(ordered), _ASKED_AT_ONCE))


def guarded(shown: str, action: Callable[[], _Result]) -> _Result:
    """Return what an action gives; raise what SQLite complains about where its own error is gone.

    Examples
    --------
    >>> guarded("people.vault", lambda: 3)
    3
    """
    try:
        return action()
    except (sqlite3.Error, UnicodeError) as error:  # the latter: SQLite's own words, of a damaged file
        told = failure(error, shown)
    raise told
