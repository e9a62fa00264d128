"""A vault in PostgreSQL: what a server can do wrong, and the vault itself in both places."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import psycopg
import pytest
from leaks import leaks

from celosia.base.errors import VaultError
from celosia.masks.vault import postgres_store
from celosia.masks.vault.codes import CodeList, CodeSpace
from celosia.masks.vault.postgres_store import PostgresStore
from celosia.masks.vault.store import Entry, LogRow
from celosia.masks.vault.vault import Vault

KEY = bytes(range(100, 132))
OTHER_KEY = bytes(range(32))
PASSWORD, RIGHT = "battery-staple", "right-Horse%41"


def test_postgresql_refuses_to_commit_after_a_swallowed_failure(postgres_place: str) -> None:
    store = PostgresStore(postgres_place)
    with store.create() as transaction:
        transaction.insert([Entry("P1", "dni", bytes(16), b"sealed")])
    with pytest.raises(VaultError, match="nothing was done"), store.transaction(writing=True) as transaction:  # noqa: PT012
        transaction.set_meta({"changed": b"1"})
        with pytest.raises(VaultError):
            transaction.insert([Entry("P1", "dni", bytes(16), b"sealed")])


@pytest.mark.parametrize("text", ["null\0", "half\ud800"])
def test_postgresql_refuses_texts_it_cannot_hold(postgres_place: str, text: str) -> None:
    store = PostgresStore(postgres_place)
    with pytest.raises(VaultError, match="a character that the database has no room for") as refused:  # noqa: SIM117
        with store.create() as transaction:
            transaction.insert([Entry(text, "dni", bytes(16), b"sealed")])
    assert leaks(refused.value, [text[:4]]) == []


def test_a_reader_sees_one_state_through_all_its_statements(postgres_place: str) -> None:
    store = PostgresStore(postgres_place)
    with store.create() as transaction:
        transaction.set_meta({"head": b"1"})
        transaction.append_log(LogRow(1, b"line", b"mark"))
    with store.transaction(writing=False) as reader:
        assert reader.meta() == {"head": b"1"}
        with store.transaction(writing=True) as transaction:
            transaction.set_meta({"head": b"2"})
            transaction.append_log(LogRow(2, b"line", b"mark"))
        assert [row.number for row in reader.log()] == [1]
    with store.transaction(writing=False) as reader:
        assert [row.number for row in reader.log()] == [1, 2]


# What PostgreSQL alone can do wrong -----------------------------------------------------------------------------------


@contextmanager
def administrator(place: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(place.replace("+psycopg", ""), autocommit=True) as connection:
        yield connection


def test_a_vault_in_use_for_too_long_is_an_error(postgres_place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = PostgresStore(postgres_place)
    with store.create():
        pass
    monkeypatch.setattr(postgres_store, "_DURABLE", postgres_store._DURABLE.replace("60s", "100ms"))
    assert "100ms" in postgres_store._DURABLE
    with store.transaction(writing=True):  # noqa: SIM117
        with pytest.raises(VaultError, match="in use for too long"), store.transaction(writing=True):
            pass


def test_schemas_of_one_database_hold_vaults_of_their_own(server: str, postgres_place: str) -> None:
    schema = postgres_place.rpartition("%3D")[2]
    other = f'Odd "{schema}" %s; schema'
    with administrator(server) as connection:
        connection.execute(psycopg.sql.SQL("CREATE SCHEMA {}").format(psycopg.sql.Identifier(other)))
        connection.execute("CREATE ROLE reacher LOGIN")
        connection.execute(
            psycopg.sql.SQL("ALTER ROLE reacher SET search_path = {}, {}").format(
                psycopg.sql.Identifier(other), psycopg.sql.Identifier(schema)
            )
        )
        connection.execute("ALTER ROLE reacher SUPERUSER")
    with PostgresStore(postgres_place).create() as transaction:
        transaction.set_meta({"whose": b"first"})
    store = PostgresStore(server.replace("celosia@", "reacher@"))
    with pytest.raises(VaultError, match="no vault"), store.transaction(writing=True):
        pass
    with store.create() as transaction:
        transaction.set_meta({"whose": b"second"})
    with store.transaction(writing=False) as transaction:
        assert transaction.meta() == {"whose": b"second"}
    with PostgresStore(postgres_place).transaction(writing=False) as transaction:
        assert transaction.meta() == {"whose": b"first"}


def test_a_missing_schema_is_an_error(server: str) -> None:
    store = PostgresStore(f"{server}&options=-csearch_path%3Dnowhere")
    with pytest.raises(VaultError, match="no such schema"), store.create():
        pass


def test_without_rights_nothing_is_done(server: str, postgres_place: str) -> None:
    with administrator(postgres_place) as connection:
        connection.execute("DROP ROLE IF EXISTS visitor")
        connection.execute("CREATE ROLE visitor LOGIN")
    visitor = PostgresStore(postgres_place.replace("celosia@", "visitor@"))
    schema = postgres_place.rpartition("%3D")[2]
    with administrator(postgres_place) as connection:
        connection.execute(f"GRANT USAGE ON SCHEMA {schema} TO visitor".encode())
    with pytest.raises(VaultError, match="lacks the right"), visitor.create():
        pass
    vault = Vault.create(postgres_place, KEY)
    (pseudonym,) = vault.add(["Ana"], scope="name").pseudonyms
    for writing in (False, True):
        with pytest.raises(VaultError, match="lacks the right"), visitor.transaction(writing=writing):
            pass
    with administrator(postgres_place) as connection:
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO visitor".encode())
    reading = Vault.open(postgres_place.replace("celosia@", "visitor@"), KEY)
    assert reading.summary()["n_identities"] == 1
    for refused in (lambda: reading.lookup([pseudonym]), lambda: reading.add(["Eva"], scope="name")):
        with pytest.raises(VaultError, match="lacks the right"):
            refused()
    with administrator(postgres_place) as connection:
        connection.execute("DROP OWNED BY visitor; DROP ROLE visitor")


def data_folder(server: str) -> Path:
    return Path(parse_qs(urlsplit(server).query)["host"][0], "data")


@pytest.fixture
def guarded_user(server: str) -> Iterator[str]:
    """A user whom the server asks for the password ``RIGHT``."""
    rules = data_folder(server) / "pg_hba.conf"
    before = rules.read_text()
    with administrator(server) as connection:
        connection.execute(f"CREATE ROLE guarded LOGIN SUPERUSER PASSWORD '{RIGHT}'".encode())
        rules.write_text(f"local all guarded scram-sha-256\nlocal all banned reject\n{before}")
        connection.execute("SELECT pg_reload_conf()")
        time.sleep(0.3)
        yield "guarded"
        rules.write_text(before)
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("DROP OWNED BY guarded CASCADE; DROP ROLE guarded")


def test_passwords_open_and_are_never_shown(postgres_place: str, guarded_user: str) -> None:
    right = postgres_place.replace("celosia@", f"{guarded_user}:{quote(RIGHT)}@")
    vault = Vault.create(right, KEY)
    assert vault.add(["Ana"], scope="name").n_new == 1
    for address in (
        postgres_place.replace("celosia@", f"{guarded_user}:{PASSWORD}@"),
        postgres_place.replace("celosia@", f"{guarded_user}@"),
    ):
        with pytest.raises(VaultError, match="the user or the password") as refused:
            Vault.open(address, KEY)
        assert leaks(refused.value, [PASSWORD, RIGHT]) == []
    with pytest.raises(VaultError, match="server refused"):
        Vault.open(postgres_place.replace("celosia@", f"banned:{PASSWORD}@"), KEY)
    assert RIGHT not in repr(vault) + repr(PostgresStore(right)) + str(vars(vault))


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (f"postgresql://ana:{PASSWORD}@/base?host=/nonexistent", "no server answers"),
        (f"postgresql+psycopg://ana:{PASSWORD}@127.0.0.1:1/base", "no server answers"),
        (f"postgresql://ana:{PASSWORD}@/base?no_such_option=1", "cannot be understood"),
        (f"postgresql://ana:{PASSWORD}@127.0.0.1:port/base", "no server answers"),
        (f"postgresql://ana:{PASSWORD}@[127.0.0.1/base", "cannot be understood"),
        (f"postgresql://ana:%zz{PASSWORD}@127.0.0.1/base", "cannot be understood"),
        (f"postgresql://ana:{PASSWORD}\0@127.0.0.1/base", "not that of a PostgreSQL database"),
    ],
    ids=["no socket", "no port", "option", "port", "bracket", "escape", "nul"],
)
def test_wrong_addresses_are_told_without_the_password(address: str, told: str) -> None:
    for action in (lambda: Vault.open(address, KEY), lambda: Vault.create(address, KEY)):
        with pytest.raises(VaultError, match=told) as refused:
            action()
        assert leaks(refused.value, [PASSWORD]) == []


def test_other_addresses_are_refused_without_being_repeated() -> None:
    with pytest.raises(VaultError, match="not that of a PostgreSQL database") as refused:
        PostgresStore(f"mysql://ana:{PASSWORD}@host/base")
    assert leaks(refused.value, [PASSWORD]) == []


def test_a_missing_database_is_an_error(server: str) -> None:
    with pytest.raises(VaultError, match="refused"):
        Vault.open(server.replace("/postgres?", "/nowhere?"), KEY)


def test_a_missing_driver_is_an_error_with_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(VaultError, match="psycopg") as refused:
        PostgresStore(f"postgresql://ana:{PASSWORD}@host/base")
    assert 'pip install "celosia[sql]"' in str(refused.value)
    assert leaks(refused.value, [PASSWORD]) == []


FAILING = """
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'no space left: %', NEW USING ERRCODE = '{code}'; END $$;
CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON celosia_vault_{table} DEFERRABLE INITIALLY {when}
FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION fail();
"""


@pytest.mark.parametrize("when", ["IMMEDIATE", "DEFERRED"])
@pytest.mark.parametrize(
    ("code", "told"), [("53100", "disk is full"), ("53200", "no memory"), ("58030", "its files"), ("XX001", "damaged")]
)
def test_a_full_disk_of_the_server_leaves_nothing_half_done(
    postgres_place: str, code: str, told: str, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "celosia.masks.vault.postgres_store._PLAIN", "SELECT 3::bigint"
    )  # else the trigger itself is refused
    vault = Vault.create(postgres_place, KEY, limit=5)
    (pseudonym,) = vault.add(["Ana Belén"], scope="name").pseudonyms
    before = vault.summary(), vault.log().seal
    failing = {"code": code, "when": when}
    with administrator(postgres_place) as connection:
        connection.execute(FAILING.format(table="entries", condition="NEW.pseudonym > 'M'", **failing).encode())
    with pytest.raises(VaultError, match=told) as refused:
        vault.add(names(0, 500), scope="name")
    assert leaks(refused.value, ["person", "no space left"]) == []
    assert (vault.summary(), vault.log().seal) == before
    with administrator(postgres_place) as connection:
        connection.execute("DROP TRIGGER fail ON celosia_vault_entries; DROP FUNCTION fail")
        connection.execute(FAILING.format(table="log", condition="true", **failing).encode())
    with pytest.raises(VaultError, match=told) as refused:
        vault.lookup([pseudonym])
    assert leaks(refused.value, ["Ana Belén"]) == []
    assert (vault.summary(), vault.log().seal) == before
    with administrator(postgres_place) as connection:
        connection.execute("DROP TRIGGER fail ON celosia_vault_log; DROP FUNCTION fail")
    assert vault.lookup([pseudonym]) == {pseudonym: "Ana Belén"}


def test_a_lost_connection_leaves_nothing_half_done(postgres_place: str) -> None:
    store = PostgresStore(postgres_place)
    with store.create() as transaction:
        transaction.insert([Entry("P1", "dni", bytes(16), b"sealed")])
    for at_commit in (False, True):
        with pytest.raises(VaultError, match=r"broke off|connection was lost"):  # noqa: SIM117, PT012
            with store.transaction(writing=True) as transaction:
                transaction.insert([Entry("P2", "dni", bytes(15) + b"2", b"sealed")])
                with administrator(postgres_place) as connection:
                    connection.execute(
                        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                        "WHERE application_name = 'celosia'"
                    )
                if not at_commit:
                    transaction.set_meta({"changed": b"1"})
        with store.transaction(writing=False) as transaction:
            assert transaction.taken(["P1", "P2"]) == {"P1"}
            assert transaction.meta() == {}


@pytest.mark.skipif(os.name == "nt", reason="no signals")
def test_what_was_committed_outlives_a_crash_of_the_server(server: str, postgres_place: str) -> None:
    vault = Vault.create(postgres_place, KEY)
    kept = dict(zip(names(0, 2000), vault.add(names(0, 2000), scope="name").pseudonyms, strict=True))
    with administrator(postgres_place) as connection:
        pid = connection.info.backend_pid
        os.kill(pid, signal.SIGKILL)  # a killed process makes the server stop them all and recover from its journal
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    deadline = time.monotonic() + 30
    while True:
        try:
            added = vault.add(names(1000, 3000), scope="name")
            break
        except VaultError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    assert (added.n_known, added.n_new) == (1000, 1000)
    now = dict(zip(names(1000, 3000), added.pseudonyms, strict=True))
    assert all(now[name] == kept[name] for name in names(1000, 2000))
    assert len(set(kept.values()) | set(now.values())) == 3000
    vault.log()


def names(start: int, stop: int) -> list[str]:
    return [f"person {n}" for n in range(start, stop)]


# The vault on both stores ---------------------------------------------------------------------------------------------


def test_a_vault_works_alike_in_both_places(place: str) -> None:
    vault = Vault.create(place, KEY, limit=3)
    people = ["Luis", "Eduardo", "Tatiana", "Pedro", "Amparo", "Luis", "José ñ", "名前"]
    added = vault.add(people, scope="name", codes=CodeSpace("digits", 6))
    assert (added.n_new, added.n_known) == (7, 0)
    assert added.pseudonyms[0] == added.pseudonyms[5]
    assert len(set(added.pseudonyms)) == 7
    again = Vault.open(place, KEY).add([*people, "Eva"], scope="name", codes=CodeSpace("digits", 6))
    assert (again.n_new, again.n_known) == (1, 7)
    assert again.pseudonyms[:-1] == added.pseudonyms
    asked = [added.pseudonyms[6], "never given"]
    assert vault.lookup(asked) == {added.pseudonyms[6]: "José ñ", "never given": None}
    assert vault.forget([added.pseudonyms[6]]) == 1
    assert vault.lookup([added.pseudonyms[6]]) == {added.pseudonyms[6]: None}
    with pytest.raises(VaultError):
        vault.lookup([added.pseudonyms[7]])
    seal = vault.log().seal
    assert vault.rotate(OTHER_KEY) == 7
    with pytest.raises(VaultError):
        Vault.open(place, KEY)
    vault = Vault.open(place, OTHER_KEY)
    assert vault.add(["名前"], scope="name").pseudonyms == [added.pseudonyms[7]]
    assert vault.log(expect=seal).lines[0].action == "create"
    summary = vault.summary()
    assert (summary["n_identities"], summary["n_forgotten"], summary["n_lookups_today"]) == (7, 1, 3)


def test_a_forgotten_pseudonym_is_never_given_again(place: str) -> None:
    vault = Vault.create(place, KEY)
    given = vault.add(["Ana", "Eva"], scope="name", codes=CodeList(["1", "2", "3"])).pseudonyms
    assert vault.forget(identities=["Ana"], scope="name") == 1
    (third,) = vault.add(["Ana"], scope="name", codes=CodeList(["1", "2", "3"])).pseudonyms
    assert {third, *given} == {"1", "2", "3"}


def test_an_export_leaves_the_database_for_a_file(postgres_place: str, tmp_path: Path) -> None:
    vault = Vault.create(postgres_place, KEY)
    pseudonyms = vault.add(names(0, 50), scope="name").pseudonyms
    assert vault.export(tmp_path / "copy.vault", OTHER_KEY) == 50
    copied = Vault.open(tmp_path / "copy.vault", OTHER_KEY)
    assert copied.add(names(0, 50), scope="name").pseudonyms == pseudonyms
    assert leaks(tmp_path / "copy.vault", ["person 1"]) == []


def test_the_server_never_sees_an_identity(server: str, postgres_place: str) -> None:
    vault = Vault.create(postgres_place, KEY)
    secret = ["Tatiana-Pérez-Ñúñez-04", "12345678Z-canary"]
    pseudonyms = vault.add(secret, scope="name").pseudonyms
    vault.lookup(pseudonyms)
    vault.forget(identities=secret[:1], scope="name")
    with administrator(server) as connection:
        connection.execute("CHECKPOINT")
    folder = data_folder(server)
    found = [path for path in folder.rglob("*") if path.is_file() and b"12345678Z-canary" in path.read_bytes()]
    found += [path for path in folder.rglob("*") if path.is_file() and b"Tatiana-P" in path.read_bytes()]
    assert found == []
    held = [path for path in folder.rglob("*") if path.is_file() and pseudonyms[0].encode() in path.read_bytes()]
    assert held, "the search looks in the wrong place"


def test_the_password_stands_in_no_list_of_processes(postgres_place: str, guarded_user: str) -> None:
    store = PostgresStore(postgres_place.replace("celosia@", f"{guarded_user}:{quote(RIGHT)}@"))
    with store.create():
        shown = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "guarded" in shown
    assert RIGHT not in shown
