"""Both stores against a plain model of dictionaries."""

from __future__ import annotations

import copy
import random
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from leaks import leaks

from celosia.base.errors import VaultError
from celosia.masks.vault import postgres_store
from celosia.masks.vault.postgres_store import PostgresStore
from celosia.masks.vault.sqlite_store import SqliteStore
from celosia.masks.vault.store import Entry, LogRow, Store, Transaction

ODD_TEXTS = ["094532", "ñandú", "e\u0301", "\u00e9", "'; DROP TABLE", '"', "%s", "a b", "\U0001f600", "{x}", "\\N", "z"]


class UndoneError(Exception):
    """Raised inside a transaction, so that it is undone."""


@dataclass
class Model:
    """What a store should hold, written down plainly."""

    meta: dict[str, bytes] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)
    log: dict[int, LogRow] = field(default_factory=dict)

    def counts(self) -> list[tuple[str, int, int]]:
        kept = [(one.scope, one.sealed is not None) for one in self.entries.values()]
        scopes = sorted({scope for scope, _ in kept})
        return [(scope, kept.count((scope, True)), kept.count((scope, False))) for scope in scopes]


@pytest.fixture
def store(place: str) -> Store:
    return PostgresStore(place) if "://" in place else SqliteStore(Path(place))


def check_equal(transaction: Transaction, model: Model, randoms: random.Random) -> None:
    assert transaction.meta() == model.meta
    assert transaction.log() == [model.log[number] for number in sorted(model.log)]
    assert sorted(transaction.counts()) == model.counts()
    batches = list(transaction.entries())
    assert [one for batch in batches for one in batch] == [model.entries[name] for name in sorted(model.entries)]
    asked = [*randoms.sample(sorted(model.entries), len(model.entries) // 2), "never given", "Never Given"] * 2
    randoms.shuffle(asked)
    assert transaction.by_pseudonyms(asked) == {name: model.entries[name] for name in asked if name in model.entries}
    assert transaction.taken(asked) == model.entries.keys() & set(asked)
    by_token = {one.token: one for one in model.entries.values() if one.token is not None}
    tokens = [*randoms.sample(sorted(by_token), len(by_token) // 2), randoms.randbytes(16)] * 2
    assert transaction.by_tokens(tokens) == {token: by_token[token] for token in tokens if token in by_token}
    for groups in (set(range(256)), set(), {0, 255}, set(randoms.sample(range(256), randoms.randrange(1, 100)))):
        pairs = [pair for batch in transaction.tokens(groups) for pair in batch]
        assert sorted(pairs) == sorted((token, one.pseudonym) for token, one in by_token.items() if token[0] in groups)
    assert transaction.by_tokens([]) == {} == transaction.by_pseudonyms([])
    assert transaction.taken([]) == set()


def insert_some(transaction: Transaction, model: Model, randoms: random.Random) -> None:
    names = {randoms.choice(ODD_TEXTS) + str(randoms.randrange(10**6)) for _ in range(randoms.randrange(9))}
    new = [
        Entry(name, randoms.choice(["dni", "número", ""]), randoms.randbytes(16), randoms.randbytes(32))
        for name in names - model.entries.keys()
    ]
    randoms.shuffle(new)
    transaction.insert(new)
    model.entries |= {one.pseudonym: one for one in new}


def replace_some(transaction: Transaction, model: Model, randoms: random.Random) -> None:
    chosen = randoms.sample(sorted(model.entries), len(model.entries) // 3)
    new = [
        Entry(
            name, model.entries[name].scope, *randoms.choice([(None, None), (bytes(8) + randoms.randbytes(8), b"\0")])
        )
        for name in chosen
    ]
    transaction.replace(iter(new))
    model.entries |= {one.pseudonym: one for one in new}


def set_some(transaction: Transaction, model: Model, randoms: random.Random) -> None:
    changes = {randoms.choice(["limit", "head", "tamaño"]): randoms.randbytes(randoms.randrange(40))}
    transaction.set_meta(changes)
    model.meta |= changes


def append_line(transaction: Transaction, model: Model, randoms: random.Random) -> None:
    row = LogRow(len(model.log) + 1, randoms.randbytes(randoms.randrange(50)), randoms.randbytes(32))
    transaction.append_log(row)
    model.log[row.number] = row


def replace_lines(transaction: Transaction, model: Model, randoms: random.Random) -> None:
    rows = [LogRow(number, row.content, randoms.randbytes(32)) for number, row in model.log.items()]
    transaction.replace_log(rows)
    model.log = {row.number: row for row in rows}


STEPS: list[Callable[[Transaction, Model, random.Random], None]] = [
    insert_some, insert_some, replace_some, set_some, append_line, append_line, replace_lines,
]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_a_store_does_what_dictionaries_do(store: Store, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_store, "_BATCH", 3)
    randoms = random.Random(seed)
    model = Model()
    with store.create() as transaction:
        insert_some(transaction, model, randoms)
        set_some(transaction, model, randoms)
    for _ in range(12):
        tried = copy.deepcopy(model)
        is_undone = randoms.random() < 0.3
        try:
            with store.transaction(writing=True) as transaction:
                for _ in range(randoms.randrange(5)):
                    randoms.choice(STEPS)(transaction, tried, randoms)
                check_equal(transaction, tried, randoms)
                if is_undone:
                    raise UndoneError
        except UndoneError:
            assert is_undone
        else:
            model = tried
        with store.transaction(writing=False) as transaction:
            check_equal(transaction, model, randoms)


def test_entries_may_be_replaced_while_they_are_walked_through(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_store, "_BATCH", 3)
    with store.create() as transaction:
        transaction.insert([Entry(f"P{n}", "dni", bytes([n]) * 16, b"old") for n in range(20)])
    with store.transaction(writing=True) as transaction:
        transaction.replace(
            Entry(one.pseudonym, one.scope, bytes([ord(one.pseudonym[1]), 7]) + one.pseudonym.encode(), b"new")
            for batch in transaction.entries()
            for one in batch
        )
    with store.transaction(writing=False) as transaction:
        walked = [one for batch in transaction.entries() for one in batch]
    assert [one.pseudonym for one in walked] == sorted(f"P{n}" for n in range(20))
    assert {one.sealed for one in walked} == {b"new"}


@pytest.mark.parametrize("doubled", ["pseudonym", "token"])
def test_nothing_is_given_twice_and_the_message_holds_no_value(store: Store, doubled: str) -> None:
    code, token = secrets.token_hex(8), secrets.token_hex(7)
    with store.create() as transaction:
        transaction.insert([Entry(f"{code}-1", "dni", f"{token}-1".encode(), b"sealed")])
    second = {
        "pseudonym": Entry(f"{code}-1", "dni", f"{token}-2".encode(), b"sealed"),
        "token": Entry(f"{code}-2", "dni", f"{token}-1".encode(), b"sealed"),
    }[doubled]
    third = Entry(f"{code}-3", "dni", f"{token}-3".encode(), b"sealed")
    with pytest.raises(VaultError) as refused, store.transaction(writing=True) as transaction:  # noqa: PT012
        transaction.set_meta({"changed": b"1"})
        transaction.insert([third, second])
    assert leaks(refused.value, [code, token, token.encode().hex()]) == []
    with store.transaction(writing=False) as transaction:
        assert transaction.meta() == {}
        assert [[one.pseudonym for one in batch] for batch in transaction.entries()] == [[f"{code}-1"]]


def test_a_failed_step_cannot_be_committed(store: Store) -> None:
    with store.create() as transaction:
        transaction.insert([Entry("P1", "dni", bytes(16), b"sealed")])
    with pytest.raises(VaultError), store.transaction(writing=True) as transaction:  # noqa: PT012
        transaction.set_meta({"changed": b"1"})
        try:
            transaction.insert([Entry("P1", "dni", bytes(16), b"sealed")])
        except VaultError:
            # Whether a store goes on after a failed step is its own affair; that it commits half of it is not.
            raise VaultError("the second time") from None
    with store.transaction(writing=False) as transaction:
        assert transaction.meta() == {}


def test_a_second_vault_in_one_place_is_refused(store: Store) -> None:
    with store.create() as transaction:
        transaction.set_meta({"first": b"1"})
    with pytest.raises(VaultError, match="already"), store.create() as transaction:
        transaction.set_meta({"second": b"1"})
    with store.transaction(writing=False) as transaction:
        assert transaction.meta() == {"first": b"1"}


def test_nothing_is_left_of_a_vault_that_could_not_be_made(store: Store) -> None:
    with pytest.raises(UndoneError), store.create():
        raise UndoneError
    with pytest.raises(VaultError), store.transaction(writing=False):
        pass
    with store.create() as transaction:
        transaction.set_meta({"first": b"1"})


def test_where_no_vault_is_the_error_says_so(store: Store) -> None:
    for writing in (False, True):
        with pytest.raises(VaultError, match="no vault"), store.transaction(writing=writing):
            pass


def test_of_many_who_create_one_succeeds(store: Store) -> None:
    made: list[int] = []
    refused: list[VaultError] = []

    def create(number: int) -> None:
        try:
            with store.create() as transaction:
                transaction.set_meta({"who": bytes([number])})
            made.append(number)
        except VaultError as error:
            refused.append(error)

    in_threads(create, range(6))
    assert len(made) == 1
    assert all("already" in str(error) for error in refused)
    assert len(refused) == 5
    with store.transaction(writing=False) as transaction:
        assert transaction.meta() == {"who": bytes(made)}


def in_threads(action: Callable[[Any], None], given: Any) -> None:
    threads = [threading.Thread(target=action, args=(one,)) for one in given]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_writers_wait_for_each_other_and_readers_do_not(store: Store) -> None:
    with store.create() as transaction:
        transaction.set_meta({"n": bytes([0])})

    def count_up(_: int) -> None:
        for _ in range(5):
            with store.transaction(writing=True) as transaction:
                n = transaction.meta()["n"][0]
                time.sleep(0.002)
                transaction.set_meta({"n": bytes([n + 1])})

    with store.transaction(writing=True) as transaction:
        transaction.set_meta({"n": bytes([100])})
        with store.transaction(writing=False) as reader:
            assert reader.meta() == {"n": bytes([0])}
        transaction.set_meta({"n": bytes([0])})
    in_threads(count_up, range(6))
    with store.transaction(writing=False) as transaction:
        assert transaction.meta()["n"][0] == 30
