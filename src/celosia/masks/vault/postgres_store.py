"""A vault in PostgreSQL: three tables in the schema that the connection has by default, one vault per schema."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, LiteralString, TypeVar

from celosia.base.errors import VaultError
from celosia.masks.vault.store import Entry, LogRow, ordered

if TYPE_CHECKING:
    from psycopg import Connection

_Result = TypeVar("_Result")

_SCHEME = re.compile(r"postgres(?:ql)?(?:\+psycopg)?://", re.IGNORECASE)
_CONNECT_SECONDS = 15
_ASK_SECONDS = 3
_BATCH = 250_000
"""So many rows are asked for, changed or handed out at once: one pass over the table serves them all."""

_MANY_GROUPS = 64
"""From so many groups of tokens on the table is read in a few passes; fewer are found one by one in the index."""

_CREATING = 0x43656C6F  # the number of the lock that lets only one create at a time; any would do

# Collation "C" compares bytes: what is equal, and in which order, depends on no language and no version of one.
_CREATE: tuple[LiteralString, ...] = (
    'CREATE TABLE celosia_vault_settings (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL)',
    'CREATE TABLE celosia_vault_entries (pseudonym text COLLATE "C" PRIMARY KEY, scope text COLLATE "C" NOT NULL, '
    "token bytea UNIQUE, sealed bytea)",
    "CREATE TABLE celosia_vault_log (number bigint PRIMARY KEY, content bytea NOT NULL, mark bytea NOT NULL)",
    "REVOKE ALL ON celosia_vault_settings, celosia_vault_entries, celosia_vault_log FROM PUBLIC",
)
# Ordinary tables that a crash does not empty, that show all their rows, and on which nothing else happens.
_PLAIN: LiteralString = (
    "SELECT count(*) FROM pg_class AS found JOIN pg_namespace AS space ON space.oid = relnamespace "
    "WHERE nspname = current_schema() AND relname IN "
    "('celosia_vault_settings', 'celosia_vault_entries', 'celosia_vault_log') AND relkind = 'r' "
    "AND relpersistence = 'p' AND NOT relrowsecurity "
    "AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = found.oid) "
    "AND NOT EXISTS (SELECT FROM pg_rewrite WHERE ev_class = found.oid) "
    "AND NOT EXISTS (SELECT FROM pg_inherits WHERE found.oid IN (inhparent, inhrelid))"
)
# A server may be set to say "committed" before it is on the disk; then a crash would lose pseudonyms in use.
_DURABLE = (
    "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'; "
    "SET LOCAL lock_timeout = '60s'"
)

# From the longest code to the shortest: the first that begins the server's code tells.
_REASONS: Mapping[str, tuple[str, str]] = {
    "23505": ("an entry of that kind is there already", "try again; if it stays so, somebody changed the tables."),
    "25006": ("the server may only be read", "write to the main server, not to its copy."),
    "3D": ("there is no such database on the server", "check the address."),
    "3F": ("there is no such schema in the database", "check the address."),
    "42501": ("the user lacks the right to it", "ask the database's owner for the right, or use another user."),
    "42P01": ("there is no vault", "check the address, or create one: 'celosia vault init'."),
    "42P07": ("there is a vault already", "open it, or choose another schema or database."),
    "53100": ("the server's disk is full", "make room there and try again."),
    "53200": ("the server has no memory left", "try again later, or with fewer identities at a time."),
    "53300": ("the server has too many connections", "try again later."),
    "55P03": ("the vault is in use for too long: others have been writing for a minute", "try again later."),
    "08": ("the connection was lost", "check that the server is running, and try again."),
    "22": ("a text has a character that the database has no room for", "use other pseudonyms, or a vault in a file."),
    "28": ("the server refused the user or the password", "check the address."),
    "42": ("the vault's tables were changed", "restore them from a copy."),
    "53": ("the server has no room left", "make room there and try again."),
    "57": ("the server broke off", "check that it is running, and try again."),
    "58": ("the server cannot read or write its files", "ask who looks after the server."),
    "XX": ("the server found its files damaged", "restore them from a copy."),
}
_NO_ADDRESS = (
    "the address cannot be understood",
    "write postgresql://user:password@host/database with '@', ':', '/' and '#' of a password as %40, %3A, %2F and %23.",
)


class PostgresStore:
    """The tables ``celosia_vault_settings``, ``celosia_vault_entries`` and ``celosia_vault_log`` of a database.

    What is forgotten or sealed anew lies on in the server's files, encrypted, until it cleans them (``VACUUM``), and in
    its journal and backups as long as those are kept.

    Parameters
    ----------
    url
        ``postgresql://user:password@host/database``, or the same with ``postgresql+psycopg``; it is never shown.

    Raises
    ------
    VaultError
        The address is of another kind, or the driver is not installed.

    Examples
    --------
    >>> PostgresStore("postgresql://ana:secret@localhost/school")
    PostgresStore(...)
    """

    def __init__(self, url: str) -> None:
        scheme = _SCHEME.match(url)
        if scheme is None or "\0" in url:  # there the driver would cut it
            del url  # no traceback shows it, however detailed
            raise VaultError(
                "the address is not that of a PostgreSQL database.",
                hint="write postgresql://user:password@host/database.",
                about="url",
            )
        _check_driver()
        self._url = "postgresql://" + url[scheme.end() :]

    def __repr__(self) -> str:
        return "PostgresStore(...)"

    @property
    def shown(self) -> str:
        """What messages may say of the place."""
        return "the database"

    @contextmanager
    def create(self) -> Iterator[PostgresTransaction]:
        """Make the tables of a new vault and open its first transaction; on failure nothing is left behind.

        Raises
        ------
        VaultError
            There is a vault already, or the place cannot be written.
        """
        with self._connected(writing=True) as transaction:
            transaction.make_tables()
            yield transaction
            transaction.commit()

    @contextmanager
    def transaction(self, *, writing: bool) -> Iterator[PostgresTransaction]:
        """Open a transaction; it commits when the block ends well, and is undone on any exception.

        Raises
        ------
        VaultError
            There is no vault, the server cannot be reached or refuses, its disk is full, or it is in use for too long.
        """
        with self._connected(writing=writing) as transaction:
            transaction.check_tables()
            if writing:
                transaction.wait_for_others()
            yield transaction
            transaction.commit()

    @contextmanager
    def _connected(self, *, writing: bool) -> Iterator[PostgresTransaction]:
        connection = self._connect(writing)
        try:
            yield PostgresTransaction(connection)
        finally:
            connection.close()  # without a commit the server undoes everything

    def _connect(self, writing: bool) -> Connection[Any]:
        import psycopg

        try:
            connection = psycopg.connect(prepare_threshold=None, **self._parameters())
        except (psycopg.Error, ValueError, OSError) as error:
            refused = error
        else:
            # A writer takes the lock first (wait_for_others) and then sees, statement by statement, all that those
            # before it committed: READ COMMITTED is enough, since nobody else writes before it ends. A stricter level
            # would see the state before the wait. A reader waits for nobody, so that it needs one state for all its
            # statements: without it the log and its sealed end could be of two moments.
            level = psycopg.IsolationLevel
            connection.isolation_level = level.READ_COMMITTED if writing else level.REPEATABLE_READ
            connection.read_only = not writing
            return connection
        told = self._why_refused(refused)
        del refused
        raise _cannot("open", told)

    def _parameters(self) -> dict[str, Any]:
        from psycopg.conninfo import conninfo_to_dict

        common = {"connect_timeout": _CONNECT_SECONDS, "application_name": "celosia"}
        return common | conninfo_to_dict(self._url) | {"client_encoding": "utf8"}

    def _why_refused(self, error: Exception) -> tuple[str, str]:
        """Return why no connection came about; the driver says it in words only, in the server's language."""
        from psycopg import ProgrammingError, pq
        from psycopg.conninfo import make_conninfo

        if isinstance(error, ProgrammingError | ValueError):
            return _NO_ADDRESS
        used = getattr(error, "pgconn", None)
        if used is not None and (used.needs_password or used.used_password):
            return _REASONS["28"]
        answer = pq.PGconn.ping(make_conninfo(**(self._parameters() | {"connect_timeout": _ASK_SECONDS})).encode())
        if answer == pq.Ping.OK:
            return (
                "the server refused: user, database or kind of connection are not allowed, or it is crowded",
                "check the address, and ask who looks after the server.",
            )
        if answer == pq.Ping.REJECT:
            return "the server is starting or stopping", "try again in a moment."
        if answer == pq.Ping.NO_ATTEMPT:
            return _NO_ADDRESS
        return "no server answers", "check the address, and that the server is running."


def _guarded(doing: str, action: Callable[[], _Result]) -> _Result:
    """Return what an action gives; where it fails, say so and nothing of what the server said.

    Its words hold keys and values: the error is raised after the server's own is gone, so that no traceback, however
    detailed, can show it.
    """
    import psycopg

    try:
        return action()
    except (psycopg.Error, UnicodeError) as error:
        told = _reason(error)
    raise _cannot(doing, told)


def _cannot(doing: str, told: tuple[str, str]) -> VaultError:
    return VaultError(f"cannot {doing} the vault in the database: {told[0]}.", hint=told[1])


class PostgresTransaction:
    """What can be asked of and done to the tables, all of it together or nothing.

    Parameters
    ----------
    connection
        The driver's connection, with nothing done on it yet.
    """

    def __init__(self, connection: Connection[Any]) -> None:
        self._connection = connection

    def make_tables(self) -> None:
        """Create the tables; two who do it at once wait for each other."""
        _guarded("create", lambda: self._connection.execute(_DURABLE))
        self._run("SELECT pg_advisory_xact_lock(%s)", [_CREATING], doing="create")
        self._keep_to_schema("create")
        for statement in _CREATE:
            self._run(statement, doing="create")

    def check_tables(self) -> None:
        """Refuse a schema without a vault, or with tables that do something of their own, such as triggers."""
        self._keep_to_schema("open")
        self._run("SELECT FROM celosia_vault_settings LIMIT 0", doing="open")
        if self._rows(_PLAIN, doing="open") != [(3,)]:
            raise _cannot("open", _REASONS["42"])

    def wait_for_others(self) -> None:
        """Wait until nobody else writes, and keep others from it; readers go on."""
        _guarded("write to", lambda: self._connection.execute(_DURABLE))
        self._run("LOCK TABLE celosia_vault_settings IN EXCLUSIVE MODE")

    def commit(self) -> None:
        """Make everything done so far last."""
        from psycopg.pq import TransactionStatus

        # After an error the server takes a commit for an undo, and says so by no error.
        if self._connection.info.transaction_status == TransactionStatus.INERROR:
            raise VaultError("the vault in the database: a step failed, so that nothing was done.", hint="try again.")
        _guarded("write to", self._connection.commit)

    def meta(self) -> dict[str, bytes]:
        """Return the settings."""
        return dict(self._rows("SELECT name, value FROM celosia_vault_settings"))

    def set_meta(self, changes: Mapping[str, bytes]) -> None:
        """Set some settings."""
        for change in changes.items():
            self._run(
                "INSERT INTO celosia_vault_settings (name, value) VALUES (%s, %b) "
                "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                change,
            )

    def by_tokens(self, tokens: Sequence[bytes]) -> dict[bytes, Entry]:
        """Return the entries that have one of these tokens."""
        rows = self._asked(
            "SELECT pseudonym, scope, token, sealed FROM celosia_vault_entries "
            "JOIN unnest(%b::bytea[]) AS asked (token) USING (token)",
            tokens,
        )
        return {row[2]: Entry(*row) for row in rows}

    def tokens(self, first_bytes: Collection[int]) -> Iterator[list[tuple[bytes, str]]]:
        """Return token and pseudonym where the token begins with one of these bytes; from where `by_tokens` looks."""
        groups = sorted(first_bytes)
        size = _MANY_GROUPS if len(groups) >= _MANY_GROUPS else 1
        for start in range(0, len(groups), size):
            yield self._beginning_with(groups[start : start + size])

    def by_pseudonyms(self, pseudonyms: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of these pseudonyms, forgotten ones included."""
        rows = self._asked(
            "SELECT pseudonym, scope, token, sealed FROM celosia_vault_entries "
            'JOIN unnest(%b::text[] COLLATE "C") AS asked (pseudonym) USING (pseudonym)',
            pseudonyms,
        )
        return {row[0]: Entry(*row) for row in rows}

    def taken(self, pseudonyms: Sequence[str]) -> set[str]:
        """Return which of these pseudonyms were ever given."""
        rows = self._asked(
            'SELECT pseudonym FROM celosia_vault_entries JOIN unnest(%b::text[] COLLATE "C") AS asked (pseudonym) '
            "USING (pseudonym)",
            pseudonyms,
        )
        return {pseudonym for (pseudonym,) in rows}

    def insert(self, entries: Sequence[Entry]) -> None:
        """Add new entries.

        They go in by order of their pseudonyms: the index grows three times as fast, and the order of the rows does not
        tell in which order people came.
        """
        self._copy(
            "COPY celosia_vault_entries (pseudonym, scope, token, sealed) FROM STDIN WITH (FORMAT binary)",
            ["text", "text", "bytea", "bytea"],
            ordered(entries),
        )

    def replace(self, entries: Iterable[Entry]) -> None:
        """Give the entries of these pseudonyms other tokens and seals."""
        left = iter(entries)
        while batch := list(itertools.islice(left, _BATCH)):
            columns = [[one.pseudonym for one in batch], [one.token for one in batch], [one.sealed for one in batch]]
            n_changed = self._run(
                "UPDATE celosia_vault_entries AS kept SET token = new.token, sealed = new.sealed "
                'FROM unnest(%b::text[] COLLATE "C", %b::bytea[], %b::bytea[]) AS new (pseudonym, token, sealed) '
                "WHERE kept.pseudonym = new.pseudonym",
                columns,
            ).rowcount
            if n_changed != len(batch):
                raise VaultError(
                    f"{len(batch) - n_changed} entries that are to be changed are not in the vault; nothing was done.",
                    hint=_REASONS["42"][1],
                )

    def entries(self) -> Iterator[list[Entry]]:
        """Return all entries in batches, in the order of their pseudonyms."""
        batch = self._page(None)
        while batch:
            yield batch
            batch = self._page(batch[-1].pseudonym)

    def counts(self) -> list[tuple[str, int, int]]:
        """Return for every scope how many identities are kept, and how many are forgotten."""
        return self._rows(
            "SELECT scope, count(token), count(*) - count(sealed) FROM celosia_vault_entries "
            "GROUP BY scope ORDER BY scope"
        )

    def log(self) -> list[LogRow]:
        """Return the log."""
        return [
            LogRow(*row) for row in self._rows("SELECT number, content, mark FROM celosia_vault_log ORDER BY number")
        ]

    def append_log(self, row: LogRow) -> None:
        """Add a line to the log."""
        self._add_lines([row])

    def replace_log(self, rows: Sequence[LogRow]) -> None:
        """Replace the whole log; for new keys only."""
        self._run("DELETE FROM celosia_vault_log")
        self._add_lines(rows)

    def _beginning_with(self, groups: list[int]) -> list[tuple[bytes, str]]:
        behind = bytes([groups[-1] + 1]) if groups[-1] < 255 else b"\xff" * 17
        return self._rows(
            "SELECT token, pseudonym FROM celosia_vault_entries "
            "WHERE token >= %b AND token < %b AND get_byte(token, 0) = ANY(%b)",
            [bytes(groups[:1]), behind, groups],
        )

    def _add_lines(self, rows: Sequence[LogRow]) -> None:
        self._copy(
            "COPY celosia_vault_log (number, content, mark) FROM STDIN WITH (FORMAT binary)",
            ["int8", "bytea", "bytea"],
            ((row.number, row.content, row.mark) for row in rows),
        )

    def _page(self, after: str | None) -> list[Entry]:
        rows = self._rows(
            "SELECT pseudonym, scope, token, sealed FROM celosia_vault_entries "
            'WHERE %s::text IS NULL OR pseudonym > %s COLLATE "C" ORDER BY pseudonym LIMIT %s',
            [after, after, _BATCH],
        )
        return [Entry(*row) for row in rows]

    def _keep_to_schema(self, doing: str) -> None:
        """Keep to the schema in which the connection makes tables; a vault in others on its path is not this one."""
        kept = self._rows(
            "SELECT set_config('search_path', quote_ident(current_schema()), true) WHERE current_schema() IS NOT NULL",
            doing=doing,
        )
        if not kept:
            raise _cannot("open", _REASONS["3F"])

    def _run(self, statement: LiteralString, given: Sequence[Any] | None = None, doing: str = "write to") -> Any:
        return _guarded(doing, lambda: self._connection.cursor(binary=True).execute(statement, given))

    def _rows(self, statement: LiteralString, given: Sequence[Any] | None = None, doing: str = "read") -> list[Any]:
        rows: list[Any] = _guarded(doing, lambda: self._run(statement, given, doing).fetchall())
        return rows

    def _asked(self, statement: LiteralString, asked: Sequence[Any]) -> Iterator[Any]:
        """Return the rows of what is asked for, each once, in batches."""
        unique = list(dict.fromkeys(asked))
        for start in range(0, len(unique), _BATCH):
            yield from self._rows(statement, [unique[start : start + _BATCH]])

    def _copy(self, statement: LiteralString, types: list[str], rows: Iterable[Sequence[Any]]) -> None:
        def copied() -> None:
            with self._connection.cursor().copy(statement) as copy:
                copy.set_types(types)
                for row in rows:
                    copy.write_row(row)

        _guarded("write to", copied)


def _check_driver() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        pass
    else:
        return
    raise VaultError(
        "a vault in PostgreSQL needs the package psycopg, which is not installed.", hint='pip install "celosia[sql]"'
    )


def _reason(error: Exception) -> tuple[str, str]:
    code = getattr(error, "sqlstate", None)
    if isinstance(error, UnicodeError):
        code = "22"
    if code is None:
        code = "08" if type(error).__name__ == "OperationalError" else "22"
    for beginning, told in _REASONS.items():
        if code.startswith(beginning):
            return told
    return f"the server refused (code {code})", "look the code up in the manual of PostgreSQL."
