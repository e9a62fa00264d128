"""Vault writers killed at random moments: what was acknowledged is there, and nothing is given twice.

A process that has everything imported forks a writer, which adds batches of new and known identities and writes each
answer of the vault to a file of acknowledgements; after a random time it is killed with SIGKILL and the next one is
forked. At the end every acknowledged pair is compared with the vault.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import psycopg
import pytest
from vault_writers import KEY, N_PEOPLE, OTHER_KEY, names, result, started

from celosia.base.errors import VaultError
from celosia.masks.vault.vault import Vault

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs fork and SIGKILL")


def check_nothing_lost(place: str, acknowledged: Path) -> int:
    """Compare all acknowledged pairs with the vault; return how many people they name."""
    given: dict[str, str] = {}
    whose: dict[str, str] = {}
    text = acknowledged.read_text()
    for line in text[: text.rfind("\n") + 1].splitlines():
        person, pseudonym = line.split(";")
        assert given.setdefault(person, pseudonym) == pseudonym, "one person, two pseudonyms"
        assert whose.setdefault(pseudonym, person) == person, "one pseudonym, two persons"
    vault = Vault.open(place, KEY)
    people = list(given)
    added = vault.add(people, scope="name")
    assert (added.n_known, added.n_new) == (len(people), 0), "an acknowledged pair is lost"
    assert added.pseudonyms == list(given.values())
    assert len(set(vault.add(names(0, N_PEOPLE), scope="name").pseudonyms)) == N_PEOPLE
    asked = people[:20]
    assert vault.lookup([given[person] for person in asked]) == {given[person]: person for person in asked}
    lines = vault.log().lines
    assert sum(line.counts["n_new"] for line in lines if line.action == "add") == N_PEOPLE
    assert vault.summary()["n_identities"] == N_PEOPLE
    return len(people)


def kill_and_check(place: str, tmp_path: Path, n_kills: int, seed: int) -> None:
    Vault.create(place, KEY)
    acknowledged = tmp_path / "acknowledged"
    n_after_first = result(started("kill_often", place, str(acknowledged), n_kills, seed))
    assert n_after_first > n_kills / 5, "most writers were killed before they wrote anything: this shows nothing"
    assert check_nothing_lost(place, acknowledged) > 100


def test_three_hundred_kills_lose_nothing_in_sqlite(tmp_path: Path) -> None:
    kill_and_check(str(tmp_path / "people.vault"), tmp_path, 300, 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["acknowledged", "people.vault"]


def test_fifty_kills_lose_nothing_in_postgresql(postgres_place: str, tmp_path: Path) -> None:
    kill_and_check(postgres_place, tmp_path, 50, 2)


@pytest.mark.slow
def test_a_thousand_kills_lose_nothing_in_sqlite(tmp_path: Path) -> None:
    kill_and_check(str(tmp_path / "people.vault"), tmp_path, 1000, 3)


@pytest.mark.slow
def test_three_hundred_kills_lose_nothing_in_postgresql(postgres_place: str, tmp_path: Path) -> None:
    kill_and_check(postgres_place, tmp_path, 300, 4)


def kill_after(name: str, place: str, n: int, seconds: float) -> bool:
    """Start a function and kill it so long after it is ready; return whether it had ended before."""
    with started(name, place, n) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(seconds)
        process.kill()
        is_done = process.wait() == 0
    wait_for_server(place)
    return is_done


def wait_for_server(place: str) -> None:
    """Wait until PostgreSQL has ended what a killed client began: a commit that it was sent goes on without it."""
    if not place.startswith("postgresql"):
        return
    busy = (
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()"
    )
    with psycopg.connect(place.replace("+psycopg", ""), autocommit=True) as connection:
        for _ in range(1000):
            row = connection.execute(busy).fetchone()
            if row == (0,):
                return
            time.sleep(0.01)
    raise AssertionError("the server is still busy with what a killed client began")


@pytest.mark.parametrize("share", [0.1, 0.35, 0.6, 0.8, 0.95])
def test_a_great_batch_is_added_whole_or_not_at_all(place: str, share: float) -> None:
    vault = Vault.create(place, KEY)
    (first,) = vault.add(["Ana"], scope="name").pseudonyms
    began = time.monotonic()
    vault.add([f"other {n}" for n in range(20_000)], scope="name")
    is_done = kill_after("add_once", place, 20_000, (time.monotonic() - began) * share)
    added = vault.add(names(0, 20_000), scope="name")
    assert added.n_new in ((0,) if is_done else (0, 20_000))
    assert vault.lookup([first]) == {first: "Ana"}
    assert vault.summary()["n_identities"] == 40_001
    vault.log()


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_killed_rotation_leaves_the_vault_under_one_of_the_keys(place: str, share: float) -> None:
    vault = Vault.create(place, KEY)
    pseudonyms = vault.add(names(0, 5000), scope="name").pseudonyms
    seal = vault.log().seal
    began = time.monotonic()
    vault.rotate(KEY)
    kill_after("rotate_once", place, 5000, (time.monotonic() - began) * share)
    opened = []
    for key in (KEY, OTHER_KEY):
        try:
            opened.append(Vault.open(place, key))
        except VaultError:
            continue
    (vault,) = opened
    assert vault.add(names(0, 5000), scope="name").pseudonyms == pseudonyms
    vault.log(expect=seal)


def test_kills_of_server_and_client_lose_nothing(postgres_place: str, tmp_path: Path) -> None:
    """Between kills of the client the server crashes, and recovers from its journal each time."""
    Vault.create(postgres_place, KEY)
    acknowledged = tmp_path / "acknowledged"
    for seed in range(5, 9):
        result(started("kill_often", postgres_place, str(acknowledged), 5, seed))
        crash(postgres_place)
    assert check_nothing_lost(postgres_place, acknowledged) > 20


def wait_for_end(connection: psycopg.Connection, deadline: float) -> None:
    """Use a connection until the server breaks it off, which is an error of the driver's."""
    while time.monotonic() < deadline:
        connection.execute("SELECT 1")
        time.sleep(0.01)


def crash(place: str) -> None:
    """Kill a process of the server, upon which it stops them all at once; wait until it has recovered.

    A server takes connections until it has noticed that one of its processes died: only when it has broken off another
    one as well is it recovering, and only then does a new connection mean that it has recovered.
    """
    address = place.replace("+psycopg", "")
    with psycopg.connect(address) as killed, psycopg.connect(address) as witness:
        os.kill(killed.info.backend_pid, signal.SIGKILL)
        deadline = time.monotonic() + 60
        with pytest.raises(psycopg.OperationalError):
            wait_for_end(witness, deadline)
    while True:
        try:
            psycopg.connect(address).close()
            return
        except psycopg.OperationalError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
