"""Processes that write to a vault, for tests that kill them or let them write at once.

Run as ``python vault_writers.py NAME ARGUMENTS``; the arguments are a JSON list, and the result is printed as JSON.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from celosia.base.errors import VaultError
from celosia.masks.vault.vault import Vault

KEY = bytes(range(100, 132))
OTHER_KEY = bytes(range(32))
N_PEOPLE = 4000


def names(start: int, stop: int) -> list[str]:
    return [f"person {n}" for n in range(start, stop)]


def started(name: str, *arguments: Any) -> subprocess.Popen[str]:
    """Start one of the functions below in a process of its own."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "POLARS_MAX_THREADS": "1"}
    command = [sys.executable, __file__, name, json.dumps(arguments)]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def result(process: subprocess.Popen[str]) -> Any:
    """Return what a started function printed last, once it has ended well."""
    told, _ = process.communicate()
    assert process.returncode == 0, "the process failed; what it said stands above"
    return json.loads(told.splitlines()[-1])


def kill_often(place: str, acknowledged: str, n_kills: int, seed: int) -> int:
    """Fork and kill so many writers; return how many of them were killed after their first acknowledgement.

    Each is killed after a random time of up to four times what one call takes here, counted from the moment at which it
    has opened the vault, or for every fifth from its start.
    """
    randoms = random.Random(seed)
    vault = Vault.open(place, KEY)  # so that every fork finds all modules imported
    began = time.monotonic()
    vault.add(names(0, 20), scope="name")
    longest = 4 * (time.monotonic() - began)
    n_after_first = 0
    opened = os.open(acknowledged, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    for number in range(n_kills):
        before = os.fstat(opened).st_size
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                _add_for_ever(place, opened, writing, seed * 10_000 + number)
            finally:
                os._exit(3)  # only a failure of the vault leads here
        os.close(writing)
        if number % 5:
            os.read(reading, 1)
        time.sleep(randoms.random() * longest)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(reading)
        assert os.WIFSIGNALED(status), "the writer failed by itself"
        n_after_first += os.fstat(opened).st_size > before
    os.close(opened)
    return n_after_first


def _add_for_ever(place: str, acknowledgements: int, ready: int, seed: int) -> None:
    """Add batches of people, some known and some new, until killed; acknowledge each batch by one write."""
    randoms = random.Random(seed)
    vault = Vault.open(place, KEY)
    os.write(ready, b".")
    while True:
        people = [f"person {randoms.randrange(N_PEOPLE)}" for _ in range(randoms.choice([1, 5, 60]))]
        pseudonyms = vault.add(people, scope="name").pseudonyms
        lines = "".join(f"{person};{pseudonym}\n" for person, pseudonym in zip(people, pseudonyms, strict=True))
        os.write(acknowledgements, lines.encode())


def add_once(place: str, n: int) -> int:
    """Say that all is ready, then add so many people at once."""
    people = names(0, n)
    vault = Vault.open(place, KEY)
    print("ready", flush=True)
    return vault.add(people, scope="name").n_new


def rotate_once(place: str, n: int) -> int:
    """Say that all is ready, then rotate from one key to the other."""
    vault = Vault.open(place, KEY)
    print("ready", flush=True)
    return vault.rotate(OTHER_KEY)


def add_shuffled(place: str, n: int, seed: int, size: int) -> dict[str, str]:
    """Wait for a line of input, then add all of so many people, in random order and small batches."""
    people = names(0, n)
    random.Random(seed).shuffle(people)
    vault = Vault.open(place, KEY)
    print("ready", flush=True)
    sys.stdin.readline()
    given: dict[str, str] = {}
    for start in range(0, n, size):
        batch = people[start : start + size]
        given |= zip(batch, vault.add(batch, scope="name").pseudonyms, strict=True)
    return given


def add_with_little_room(place: str, n: int, n_bytes: int) -> str:
    """Add so many people where no file may have more than so many bytes; return the refusal."""
    vault = Vault.open(place, KEY)
    _let_files_grow_to(n_bytes)
    try:
        vault.add(names(0, n), scope="name")
    except VaultError as error:
        return str(error)
    return "there was room enough"


def create_with_little_room(place: str, n_bytes: int) -> str:
    """Create a vault where no file may have more than so many bytes; return the refusal."""
    _let_files_grow_to(n_bytes)
    try:
        Vault.create(place, KEY)
    except VaultError as error:
        return str(error)
    return "there was room enough"


def _let_files_grow_to(n_bytes: int) -> None:
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, resource.RLIM_INFINITY))


if __name__ == "__main__":
    functions = (kill_often, add_once, rotate_once, add_shuffled, add_with_little_room, create_with_little_room)
    by_name: dict[str, Callable[..., Any]] = {function.__name__: function for function in functions}
    print(json.dumps(by_name[sys.argv[1]](*json.loads(sys.argv[2]))))
