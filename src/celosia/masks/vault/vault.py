"""The vault: pseudonyms that can be undone, by who has the key, as often as the limit allows, and written down.

Guarantee: whoever holds the file or the database without the key learns how many identities there are, in which scopes,
their lengths to the next multiple of 32 bytes, their pseudonyms and the log, and no identity, not even by trying all
that there may be. Whoever changes it without the key is noticed: records, settings and log are authenticated. It does
not hold against who has the key, nor does it notice that the whole file was set back to an earlier copy, unless a seal
of the log was noted elsewhere.
"""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from celosia.base.errors import VaultError
from celosia.base.keys import KeySource
from celosia.masks.vault.codes import Codes, CodeSpace
from celosia.masks.vault.identities import (
    checked_identities,
    checked_limit,
    checked_pseudonyms,
    checked_scope,
)
from celosia.masks.vault.log import VaultLog, verified
from celosia.masks.vault.places import file_store_at, refuse_release_folder, store_at
from celosia.masks.vault.resealing import copy, rotate
from celosia.masks.vault.sealing import Sealer
from celosia.masks.vault.session import Session, damaged
from celosia.masks.vault.settings import State, unwrapped, wrapped
from celosia.masks.vault.sqlite_store import SqliteStore
from celosia.masks.vault.store import Store


@dataclass(frozen=True)
class Added:
    """What `Vault.add` gave.

    Attributes
    ----------
    pseudonyms
        One for each identity, in their order.
    n_new, n_known
        How many different identities the vault got, and how many it had.

    Examples
    --------
    >>> Added(["K7Q2", "X3B9"], 2, 0)
    Added(n_new=2, n_known=0)
    """

    pseudonyms: list[str] = field(repr=False)
    n_new: int
    n_known: int


class Vault:
    """A store of identities behind pseudonyms; made by `create` or `open`.

    It holds no connection: every call opens one and closes it, so that threads may share a vault.

    Examples
    --------
    >>> import secrets, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     vault = Vault.create(Path(folder) / "people.vault", secrets.token_bytes(32), limit=2)
    ...     first = vault.add(["Luis", "Amparo", "Luis"], scope="student")
    ...     again = vault.add(["Amparo"], scope="student")
    ...     found = vault.lookup(again.pseudonyms)
    >>> first, again.pseudonyms[0] == first.pseudonyms[1], list(found.values())
    (Added(n_new=2, n_known=0), True, ['Amparo'])
    """

    def __init__(self, place: str | Path, store: Store, meta: dict[str, bytes], sealer: Sealer) -> None:
        self.place = place
        """Where it was opened; an address may hold a password: do not show it."""
        self._store = store
        self._sealers = {meta["key"]: sealer}

    def __repr__(self) -> str:
        return f"Vault({self._store.shown!r})"

    def __reduce__(self) -> Any:
        raise TypeError("a vault is not pickled, since it holds its key; open it where it is needed.")

    @classmethod
    def create(cls, place: str | Path, key: object, *, limit: int = 20) -> Vault:
        """Make a new vault.

        Parameters
        ----------
        place
            A path for a SQLite file, or ``postgresql://...`` for a database.
        key
            ``{"env": NAME}``, ``{"file": PATH}`` or ``bytes``; see `KeySource.of`.
        limit
            How many look-ups a UTC day may have, from 0.

        Raises
        ------
        VaultError
            There is a vault already, it cannot be written, or it would lie in the folder of a release.
        """
        state, store = State.new(checked_limit(limit)), store_at(place)
        if isinstance(store, SqliteStore):
            refuse_release_folder(store.path)
        sealer = Sealer.new()
        settings = wrapped(sealer, KeySource.of(key).read())
        with store.create() as rows:
            rows.set_meta(settings)
            Session(rows, sealer, state).write_down("create", {"limit": limit})
        return cls(place, store, settings, sealer)

    @classmethod
    def open(cls, place: str | Path, key: object) -> Vault:
        """Open a vault.

        Raises
        ------
        VaultError
            There is none, the key is wrong, or it is damaged.
        """
        store = store_at(place)
        secret = KeySource.of(key).read()
        with store.transaction(writing=False) as rows:
            meta = rows.meta()
        sealer = unwrapped(meta, secret)
        State.opened(meta, sealer)
        return cls(place, store, meta, sealer)

    def add(
        self,
        identities: Sequence[str] | pl.Series,
        *,
        scope: str,
        codes: Codes = CodeSpace(),
        reserved: Collection[str] = (),
    ) -> Added:
        """Give each identity its pseudonym: the one it has, or a new random one.

        Parameters
        ----------
        identities
            Texts of 1 to 10,000 characters; repeats are allowed. They are compared as they are: trim them before.
        scope
            What kind of identity it is; one text has another pseudonym in another scope.
        codes
            What new pseudonyms look like.
        reserved
            Codes that are not given, besides those ever given and the identities themselves.

        Raises
        ------
        InputError
            An identity is blank or too long, or not enough codes are left.
        VaultError
            The store refused, or a record is damaged; nothing was added.
        """
        scope, listed = checked_scope(scope), checked_identities(identities)
        if not listed:
            return Added([], 0, 0)
        distinct = list(dict.fromkeys(listed))
        with self._session(writing=True) as session:
            given, n_new = session.pseudonyms(scope, distinct, codes, reserved)
            n_known = len(distinct) - n_new
            session.write_down("add", {"n_new": n_new, "n_known": n_known}, scope)
        return Added([given[identity] for identity in listed], n_new, n_known)

    def lookup(self, pseudonyms: Sequence[str]) -> dict[str, str | None]:
        """Return the identities behind some pseudonyms; ``None`` where there is none or it was forgotten.

        Every different pseudonym counts as one look-up, found or not; they are counted, written down and on disk before
        anything is shown.

        Raises
        ------
        VaultError
            The limit of the day is reached, the clock went back, or a record is damaged; nothing is shown.
        """
        asked = checked_pseudonyms(pseudonyms)
        if not asked:
            return {}
        with self._session(writing=True) as session:
            found = session.looked_up(asked)
        if isinstance(found, VaultError):  # raised only now: the refusal is on disk
            raise found
        opened = dict(zip(found, session.sealer.opened(found.values()), strict=True))
        n_damaged = sum(identity is None for identity in opened.values())
        if n_damaged:
            raise damaged(n_damaged, len(found))
        return {name: opened.get(name) for name in asked}

    def forget(
        self,
        pseudonyms: Sequence[str] = (),
        *,
        identities: Sequence[str] | pl.Series = (),
        scope: str | None = None,
    ) -> int:
        """Forget the identities behind some pseudonyms, and return how many; the pseudonyms are never given again.

        Parameters
        ----------
        pseudonyms
            Whose identity is forgotten; unknown ones are passed over.
        identities
            What is forgotten itself.
        scope
            Where the identities are looked for; in every scope by default.

        Raises
        ------
        VaultError
            The store refused, or a record found by its identity is damaged; nothing was forgotten.
        """
        named = checked_pseudonyms(pseudonyms)
        people = list(dict.fromkeys(checked_identities(identities)))
        if scope is not None:
            checked_scope(scope)
        if not named and not people:
            return 0
        with self._session(writing=True) as session:
            return session.forget(named, people, scope)

    def rotate(self, new_key: object) -> int:
        """Seal everything anew under a new data key and a new key, and return how many identities.

        From then on the old key opens nothing here, though it still opens older copies. Seals of the log stay valid.

        Raises
        ------
        VaultError
            The store refused, or a record or the log is damaged; nothing was changed.
        """
        new = Sealer.new()
        settings = wrapped(new, KeySource.of(new_key).read())
        with self._session(writing=True) as session:
            n = rotate(session, new, settings)
            self._sealers[settings["key"]] = new  # before the commit: other threads may begin right after it
        return n

    def export(self, path: str | Path, key: object) -> int:
        """Write a copy as a new SQLite vault under another key, and return how many identities it has.

        Both logs say so, that of this vault before the copy appears. Nothing is ever exported in plain text.

        Raises
        ------
        VaultError
            There is such a file, it cannot be written, or a record is damaged; no copy is left behind.
        """
        store, new = file_store_at(path), Sealer.new()
        refuse_release_folder(store.path)
        settings = wrapped(new, KeySource.of(key).read())
        with store.create() as rows, self._session(writing=True) as session:  # this log is on disk before the copy
            return copy(session, rows, new, settings)

    def set_limit(self, n: int) -> None:
        """Set how many look-ups a UTC day may have; it is written down.

        Raises
        ------
        OptionError
            It is no whole number from 0 to 10^9.
        """
        limit = checked_limit(n)
        with self._session(writing=True) as session:
            session.state = replace(session.state, limit=limit)
            session.write_down("set_limit", {"limit": limit})

    @property
    def limit(self) -> int:
        """How many look-ups a UTC day may have."""
        with self._session(writing=False) as session:
            return session.state.limit

    def log(self, expect: str | None = None) -> VaultLog:
        """Return the log, verified.

        Parameters
        ----------
        expect
            A seal noted earlier, which must still lie on the chain.

        Raises
        ------
        VaultError
            A line was changed, removed or added, the end was cut off, or the seal is not on the chain.
        """
        with self._session(writing=False) as session:
            lines = session.rows.log()
        return verified(lines, session.state, session.sealer, expect)

    def summary(self) -> dict[str, Any]:
        """Return how many identities there are and were forgotten, in all and per scope, the limit and its use today.

        Raises
        ------
        VaultError
            Records were removed or added without the key.
        """
        with self._session(writing=False) as session:
            return session.summary()

    @contextmanager
    def _session(self, *, writing: bool) -> Iterator[Session]:
        with collection_paused(), self._store.transaction(writing=writing) as rows:
            meta = rows.meta()
            sealer = self._sealers.get(meta.get("key", b""))
            if sealer is None:
                raise VaultError(
                    "the vault was given another key since it was opened, or its settings were changed.",
                    hint="open it again, with the new key.",
                    about="key",
                )
            yield Session(rows, sealer, State.opened(meta, sealer))


@contextmanager
def collection_paused() -> Iterator[None]:
    """Look for no cycles of objects within the block.

    Every million of entries the collector would walk through all of them again and again: a quarter of the time, and a
    vault makes no cycles. Threads may overlap: whoever found it running starts it again.

    Examples
    --------
    >>> with collection_paused():
    ...     gc.isenabled()
    False
    """
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()
