"""Many who write to one vault at once: nobody gets two pseudonyms, no pseudonym gets two people, no limit is passed."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from vault_writers import KEY, OTHER_KEY, names, result, started

from celosia.base.errors import InputError, VaultError
from celosia.masks.vault.codes import CodeList, CodeSpace
from celosia.masks.vault.vault import Vault

N_THREADS = 8


def at_once(*actions: Callable[[], None]) -> None:
    """Run actions in a thread each, all of which begin at the same moment; raise what any of them raises."""
    gate = threading.Barrier(len(actions))

    def begin(action: Callable[[], None]) -> None:
        gate.wait()
        action()

    with ThreadPoolExecutor(len(actions)) as pool:
        for done in [pool.submit(begin, action) for action in actions]:
            done.result()


def check_one_to_one(vault: Vault, given: list[dict[str, str]], people: list[str]) -> None:
    """Check that all who wrote agree with each other and with the vault."""
    agreed: dict[str, str] = {}
    for each in given:
        for person, pseudonym in each.items():
            assert agreed.setdefault(person, pseudonym) == pseudonym, "one person, two pseudonyms"
    assert agreed.keys() == set(people)
    assert len(set(agreed.values())) == len(people), "one pseudonym, two persons"
    again = vault.add(people, scope="name")
    assert again.n_new == 0
    assert again.pseudonyms == [agreed[person] for person in people]
    assert vault.summary()["n_identities"] == len(people)
    lines = vault.log().lines
    assert sum(line.counts["n_new"] for line in lines if line.action == "add") == len(people)


def test_eight_threads_and_two_processes_agree(place: str) -> None:
    n = 400
    vault = Vault.create(place, KEY)
    given: list[dict[str, str]] = [{} for _ in range(N_THREADS)]
    processes = [started("add_shuffled", place, n, 100 + number, 50) for number in range(2)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"

    def add_all(number: int) -> None:
        randoms = random.Random(number)
        people = names(0, n)
        randoms.shuffle(people)
        # Some threads share one object, some have their own.
        mine = vault if number % 2 else Vault.open(place, KEY)
        for start in range(0, n, 50):
            batch = people[start : start + 50]
            pairs = zip(batch, mine.add(batch, scope="name", codes=CodeSpace("digits", 4)).pseudonyms, strict=True)
            given[number] |= pairs

    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    at_once(*(lambda number=number: add_all(number) for number in range(N_THREADS)))
    given += [result(process) for process in processes]
    check_one_to_one(vault, given, names(0, n))


def test_a_list_of_codes_is_used_up_exactly(place: str) -> None:
    """Eight threads want 20 codes each of a list of 100: five get them, and three are told that none are left."""
    vault = Vault.create(place, KEY)
    codes = CodeList([f"{number:06d}" for number in range(100)])
    given: list[str] = []
    refused: list[str] = []

    def take(number: int) -> None:
        try:
            given.extend(vault.add([f"{number} of {one}" for one in range(20)], scope="name", codes=codes).pseudonyms)
        except InputError as error:
            refused.append(str(error))

    at_once(*(lambda number=number: take(number) for number in range(N_THREADS)))
    assert sorted(given) == sorted(codes.values)
    assert ["0 are left" in told for told in refused] == [True] * 3


@pytest.mark.parametrize("limit", [0, 37])
def test_look_ups_at_once_never_pass_the_limit(place: str, limit: int) -> None:
    vault = Vault.create(place, KEY, limit=limit)
    pseudonyms = vault.add(names(0, 100), scope="name").pseudonyms
    whose = dict(zip(pseudonyms, names(0, 100), strict=True))
    n_shown: list[int] = []
    refused: list[str] = []

    def look_up(number: int) -> None:
        mine = vault if number % 2 else Vault.open(place, KEY)
        for one in pseudonyms[number::N_THREADS]:
            try:
                assert mine.lookup([one]) == {one: whose[one]}
                n_shown.append(1)
            except VaultError as error:
                refused.append(str(error))

    at_once(*(lambda number=number: look_up(number) for number in range(N_THREADS)))
    assert (len(n_shown), len(refused)) == (limit, 100 - limit)
    assert all(f"the limit is {limit}" in told for told in refused)
    lines = vault.log().lines
    assert sum(line.counts["n_asked"] for line in lines if line.action == "lookup") == limit
    assert sum(line.counts["n_asked"] for line in lines if line.action == "refused") == 100 - limit
    assert vault.summary()["n_lookups_today"] == limit
    with pytest.raises(VaultError):
        vault.lookup(["never given"])


def test_look_ups_of_many_at_once_count_all_or_nothing(place: str) -> None:
    """Each asks for 5 of a limit of 32: six succeed, and the 2 that are left are given to nobody who asks for 5."""
    vault = Vault.create(place, KEY, limit=32)
    pseudonyms = vault.add(names(0, 80), scope="name").pseudonyms
    n_shown: list[int] = []

    def look_up(number: int) -> None:
        for start in (number * 10, number * 10 + 5):
            try:
                n_shown.append(len(vault.lookup(pseudonyms[start : start + 5])))
            except VaultError:
                continue

    at_once(*(lambda number=number: look_up(number) for number in range(N_THREADS)))
    assert n_shown == [5] * 6
    assert vault.summary()["n_lookups_today"] == 30


def test_readers_see_sound_states_while_others_write(place: str) -> None:
    vault = Vault.create(place, KEY)
    is_over = threading.Event()

    def write(number: int) -> None:
        try:
            for start in range(0, 300, 30):
                vault.add(names(number * 300 + start, number * 300 + start + 30), scope="name")
        finally:
            is_over.set()

    def read() -> None:
        seals: list[str] = []
        while not is_over.is_set():
            seals.append(vault.log(expect=seals[-1] if seals else None).seal)
            vault.summary()

    at_once(lambda: write(0), lambda: write(1), read, read)
    assert vault.summary()["n_identities"] == 600


def test_forgetting_and_adding_at_once_keeps_pseudonyms_apart(place: str) -> None:
    vault = Vault.create(place, KEY)
    given: list[list[str]] = [[] for _ in range(4)]

    def add_and_forget(number: int) -> None:
        for _ in range(15):
            (pseudonym,) = vault.add(["Ana"], scope="name", codes=CodeSpace("digits", 3)).pseudonyms
            given[number].append(pseudonym)
            vault.forget([pseudonym])

    at_once(*(lambda number=number: add_and_forget(number) for number in range(4)))
    summary = vault.summary()
    assert summary["n_identities"] == 0
    assert summary["n_forgotten"] == len({pseudonym for each in given for pseudonym in each})
    (last,) = vault.add(["Ana"], scope="name", codes=CodeSpace("digits", 3)).pseudonyms
    assert all(last not in each for each in given)


def test_a_rotation_among_writers_loses_nobody(place: str) -> None:
    vault = Vault.create(place, KEY)
    vault.add(names(0, 50), scope="name")
    added: list[str] = []
    refused: list[str] = []

    def write() -> None:
        for start in range(50, 150, 10):
            try:
                vault.add(names(start, start + 10), scope="name")
                added.extend(names(start, start + 10))
            except VaultError as error:
                refused.append(str(error))

    at_once(write, lambda: vault.rotate(OTHER_KEY) and None)
    assert all("another key" in told for told in refused)
    opened = Vault.open(place, OTHER_KEY)
    everybody = [*names(0, 50), *added]
    assert opened.add(everybody, scope="name").n_known == len(everybody)
    opened.log()


def test_copies_made_while_others_write_are_whole(place: str, tmp_path: Path) -> None:
    vault = Vault.create(place, KEY)
    vault.add(names(0, 50), scope="name")

    def write() -> None:
        for start in range(50, 100, 5):
            vault.add(names(start, start + 5), scope="name")

    at_once(write, lambda: vault.export(tmp_path / "copy.vault", OTHER_KEY) and None)
    copied = Vault.open(tmp_path / "copy.vault", OTHER_KEY)
    n = copied.summary()["n_identities"]
    assert n in range(50, 101, 5)
    assert copied.add(names(0, n), scope="name").pseudonyms == vault.add(names(0, n), scope="name").pseudonyms
