"""The SQLite file of a vault: private, whole, and without what was forgotten."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from celosia.base.errors import VaultError
from celosia.masks.vault import Vault
from celosia.masks.vault.sqlite_store import SqliteStore
from celosia.masks.vault.sqlite_transaction import failure
from celosia.masks.vault.store import Entry

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))


def rows_of(path: Path) -> dict[str, tuple[bytes, bytes]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT pseudonym, token, sealed FROM entries").fetchall()
    connection.close()
    return {pseudonym: (token, sealed) for pseudonym, token, sealed in rows}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_a_vault_is_for_its_owner_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        vault = Vault.create(tmp_path / "v", KEY)
        vault.add(["Ana"], scope="s")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "v").stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["v"]


def test_an_existing_file_is_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"something else")
    with pytest.raises(VaultError, match="there is a file v already; it was not touched"):
        Vault.create(path, KEY)
    assert path.read_bytes() == b"something else"
    assert [one.name for one in tmp_path.iterdir()] == ["v"]
    with pytest.raises(VaultError, match="cannot be made"):
        Vault.create(tmp_path / "nowhere" / "v", KEY)


def test_a_file_that_another_made_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "v")
    with pytest.raises(VaultError, match="already"), store.create():
        store.path.write_bytes(b"something else")
    assert store.path.read_bytes() == b"something else"
    assert [one.name for one in tmp_path.iterdir()] == ["v"]


def test_a_file_system_without_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_link(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_link)
    vault = Vault.create(tmp_path / "v", KEY)
    assert vault.limit == 20
    with pytest.raises(VaultError, match="already"):
        Vault.create(tmp_path / "v", KEY)
    assert [one.name for one in tmp_path.iterdir()] == ["v"]


def test_what_is_no_vault_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "v"
    with pytest.raises(VaultError, match="there is no vault v"):
        Vault.open(path, KEY)
    assert not path.exists()
    with pytest.raises(VaultError, match="there is no vault"):
        Vault.open(tmp_path, KEY)
    for content in (b"", b"name;mark\nAna;5\n" * 100):
        path.write_bytes(content)
        with pytest.raises(VaultError, match="v is no vault"):
            Vault.open(path, KEY)
        assert path.read_bytes() == content
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE entries (pseudonym TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(VaultError, match="v is no vault"):
        Vault.open(path, KEY)


def test_another_version_and_changed_tables_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "v"
    Vault.create(path, KEY)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 2")
    connection.commit()
    with pytest.raises(VaultError, match="made by another version"):
        Vault.open(path, KEY)
    connection.execute("PRAGMA user_version = 1")
    connection.execute(
        "CREATE TRIGGER keep BEFORE UPDATE ON entries BEGIN INSERT INTO meta VALUES (old.pseudonym, old.sealed); END"
    )
    connection.commit()
    connection.close()
    with pytest.raises(VaultError, match="the tables of v were changed"):
        Vault.open(path, KEY)


@pytest.mark.parametrize("step", [1, 7, 100, 511, 3000])
def test_a_truncated_file_is_an_error_and_never_a_wrong_answer(tmp_path: Path, step: int) -> None:
    path = tmp_path / "v"
    names = Vault.create(path, KEY, limit=10**6).add([f"person {n}" for n in range(200)], scope="s").pseudonyms
    whole = path.read_bytes()
    for size in {len(whole) * part // 5 for part in range(5)} | {len(whole) - step}:
        path.write_bytes(whole[:size])
        with pytest.raises(VaultError) as refused:
            Vault.open(path, KEY).lookup(names)
        assert refused.value.__context__ is None
        assert not any(secret in str(refused.value) for secret in ("person", *names))
    path.write_bytes(whole)
    assert Vault.open(path, KEY).lookup(names[:1]) == {names[0]: "person 0"}


def test_flipped_bytes_anywhere_give_an_error_or_the_truth(tmp_path: Path) -> None:
    path = tmp_path / "v"
    people = [f"person {n}" for n in range(30)]
    names = Vault.create(path, KEY, limit=10**6).add(people, scope="s").pseudonyms
    whole = path.read_bytes()
    truth = dict(zip(names, people, strict=True))
    randoms = random.Random(8)
    n_noticed = 0
    for _ in range(150):
        flipped = bytearray(whole)
        flipped[randoms.randrange(len(whole))] ^= 1 << randoms.randrange(8)
        path.write_bytes(flipped)
        try:
            vault = Vault.open(path, KEY)
            found = vault.lookup(names)
            added = vault.add(people, scope="s").pseudonyms
            vault.summary()
            vault.log()
        except VaultError:
            n_noticed += 1
        else:
            assert found == truth
            assert added == names
    assert n_noticed > 10


def test_a_vault_in_use_for_too_long_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celosia.masks.vault.sqlite_store.BUSY_SECONDS", 0.05)
    vault = Vault.create(tmp_path / "v", KEY)
    connection = sqlite3.connect(tmp_path / "v", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(VaultError, match="v is in use by another program"):
        vault.add(["Ana"], scope="s")
    assert vault.limit == 20  # readers need not wait for a writer that has not begun to commit
    connection.execute("ROLLBACK")
    connection.close()
    assert vault.add(["Ana"], scope="s").n_new == 1


def test_a_full_file_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    [name] = vault.add(["Ana"], scope="s").pseudonyms
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        pragmas = ("synchronous = EXTRA", "secure_delete = ON", f"max_page_count = {len(before) // 8192 + 1}")
        patched.setattr("celosia.masks.vault.sqlite_store._PRAGMAS", pragmas)
        for n in (500, 20_000):
            with pytest.raises(VaultError, match="the disk is full; nothing was changed; what was"):
                vault.add([f"person {number}" for number in range(n)], scope="s")
    assert path.read_bytes() == before
    assert vault.lookup([name]) == {name: "Ana"}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("SQLITE_BUSY_SNAPSHOT", "in use by another program"),
        ("SQLITE_FULL", "the disk is full"),
        ("SQLITE_IOERR_WRITE", "the disk is full or fails"),
        ("SQLITE_READONLY_DIRECTORY", "may not be written"),
        ("SQLITE_CANTOPEN", "cannot be opened"),
        ("SQLITE_CORRUPT", "is damaged"),
        ("SQLITE_NOTADB", "is no vault"),
        ("SQLITE_ERROR", "is damaged"),
        (None, "is damaged"),
    ],
)
def test_each_complaint_has_a_sentence_and_none_of_sqlites_words(name: str | None, told: str) -> None:
    error = sqlite3.OperationalError("Could not decode to UTF-8 column 'pseudonym' with text 'K7Q2'")
    if name is not None:
        error.sqlite_errorname = name
    said = failure(error, "people.vault")
    assert told in said.message
    assert said.hint
    assert "K7Q2" not in str(said)


def test_forgotten_bytes_are_not_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    randoms = random.Random(3)
    names: list[str] = []
    for batch in range(25):  # many small batches split pages, and SQLite leaves copies on those
        people = [f"{batch}-{n}" + "x" * randoms.choice([0, 40, 9000]) for n in range(randoms.choice([1, 5, 150]))]
        names += vault.add(people, scope="s").pseudonyms
    held = rows_of(path)
    randoms.shuffle(names)
    gone = names[: len(names) // 2]
    assert vault.forget(gone[:1]) == 1
    assert vault.forget(gone) == len(gone) - 1
    file = path.read_bytes()
    assert all(held[name][0] in file and held[name][1][:16] in file for name in names[len(names) // 2 :])
    assert not any(held[name][0] in file or held[name][1][:16] in file for name in gone)
    assert [one.name for one in tmp_path.iterdir()] == ["v"]


def test_nothing_of_the_old_key_is_in_the_file_after_a_rotation(tmp_path: Path) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    for batch in range(25):
        vault.add([f"{batch}-{n}" for n in range(37)], scope="s")
    held = rows_of(path)
    connection = sqlite3.connect(path)
    settings = dict(connection.execute("SELECT name, content FROM meta").fetchall())
    connection.close()
    assert vault.rotate(OTHER_KEY) == 25 * 37
    file = path.read_bytes()
    assert not any(token in file or sealed[:16] in file for token, sealed in held.values())
    assert settings["key"] not in file
    assert settings["state"] not in file


@pytest.mark.parametrize("many", [2, 10**9])
def test_many_rows_are_found_and_written_as_few_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    monkeypatch.setattr("celosia.masks.vault.sqlite_transaction._MANY", many)
    monkeypatch.setattr("celosia.masks.vault.sqlite_transaction._BATCH", 7)
    monkeypatch.setattr("celosia.masks.vault.sqlite_transaction._ASKED_AT_ONCE", 4)
    vault = Vault.create(tmp_path / "v", KEY, limit=1000)
    people = [f"person {n}" for n in range(60)]
    names = vault.add(people, scope="s").pseudonyms
    more = vault.add([f"other {n}" for n in range(9)] + people[:5], scope="s").pseudonyms
    assert more[9:] == names[:5]
    assert vault.add(people[10:20], scope="s").pseudonyms == names[10:20]
    assert vault.lookup(names) == dict(zip(names, people, strict=True))
    assert vault.rotate(OTHER_KEY) == 69
    assert vault.forget(identities=people[::2]) == 30
    assert vault.lookup(names) == {
        name: None if n % 2 == 0 else person for n, (name, person) in enumerate(zip(names, people, strict=True))
    }
    with SqliteStore(tmp_path / "v").transaction(writing=False) as rows:
        walked = [entry.pseudonym for batch in rows.entries() for entry in batch]
    assert walked == sorted({*names, *more})


def test_a_token_given_twice_is_noticed_also_when_the_index_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("celosia.masks.vault.sqlite_transaction._MANY", 2)
    store = SqliteStore(tmp_path / "v")
    with store.create():
        pass
    twice = [Entry(name, "s", bytes(16), b"sealed") for name in ("A", "B")]
    with pytest.raises(VaultError, match="without the key"), store.transaction(writing=True) as rows:
        rows.insert(twice)
    with store.transaction(writing=False) as rows:
        assert list(rows.entries()) == []


def test_a_pseudonym_that_is_no_text_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "v"
    vault = Vault.create(path, KEY)
    vault.forget(vault.add(["Ana"], scope="s").pseudonyms)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE entries SET pseudonym = X'FF00'")
    connection.commit()
    connection.close()
    with pytest.raises(VaultError, match="a pseudonym is no text"):
        vault.rotate(OTHER_KEY)


def test_paths_with_odd_characters_are_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "a b?c#d%41&mode=ro ñ"
    folder.mkdir()
    monkeypatch.chdir(folder)
    vault = Vault.create("v?x=1#y", KEY)
    monkeypatch.chdir(tmp_path)
    assert vault.limit == 20
    assert [one.name for one in folder.iterdir()] == ["v?x=1#y"]
    assert [one.name for one in tmp_path.iterdir()] == [folder.name]


def test_every_connection_is_closed_also_where_the_block_fails(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "v")
    with pytest.raises(ZeroDivisionError), store.create():
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
    Vault.create(store.path, KEY)
    with pytest.raises(ZeroDivisionError), store.transaction(writing=True) as rows:  # noqa: PT012
        rows.insert([Entry("P", "s", bytes(16), b"sealed")])
        raise ZeroDivisionError
    done = threading.Event()

    def write() -> None:
        with store.transaction(writing=True) as rows:
            assert rows.taken(["P"]) == set()
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    thread.join()
    assert done.is_set()
