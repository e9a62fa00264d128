"""Where vaults lie: a SQLite file, or a PostgreSQL database; never in the folder of a release."""

from __future__ import annotations

import os
import re
from pathlib import Path

from celosia.base.errors import OptionError, VaultError
from celosia.masks.vault.sqlite_store import SqliteStore
from celosia.masks.vault.store import Store

_POSTGRES = re.compile(r"postgres(?:ql)?(?:\+psycopg)?://", re.IGNORECASE)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def store_at(place: str | Path) -> Store:
    """Return the store of a place: a path is a SQLite file, an address of PostgreSQL a database.

    Raises
    ------
    VaultError
        The driver for PostgreSQL is not installed.
    OptionError
        It is neither a path nor an address of PostgreSQL; the message does not repeat it.

    Examples
    --------
    >>> store_at("people.vault").shown
    'people.vault'
    """
    if isinstance(place, str) and _POSTGRES.match(place):
        from celosia.masks.vault.postgres_store import PostgresStore

        return PostgresStore(place)
    return file_store_at(place)


def file_store_at(place: str | Path) -> SqliteStore:
    """Return the store of a SQLite file.

    Raises
    ------
    OptionError
        It is no path; the message does not repeat it, since it could hold a password.
    """
    is_path = isinstance(place, Path) or (isinstance(place, str) and bool(place.strip()) and "\0" not in place)
    if not is_path or _ADDRESS.match(str(place)):
        raise OptionError(
            "this is no place for a vault: neither a path nor an address of PostgreSQL.",
            hint="write a path such as people.vault, or postgresql://user@host/database.",
            about="vault",
        )
    return SqliteStore(Path(place).absolute())


def refuse_release_folder(path: Path) -> None:
    """Raise if a path lies in the folder of a release: what is published must not carry the way back.

    A folder looks like a release if it holds ``data.*`` beside ``claim.json`` or ``internal/record.json``.

    Raises
    ------
    VaultError
        One of the folders above the path looks like a release.

    Examples
    --------
    >>> refuse_release_folder(Path("people.vault"))
    """
    for folder in path.resolve().parents:
        if _looks_like_release(folder):
            raise VaultError(
                f"'{path.name}' would lie in the folder '{folder.name}', which holds a release: who gets the folder "
                "would get the vault.",
                hint="keep the vault in a folder of its own, which is never handed on.",
                about="vault",
            )


def _looks_like_release(folder: Path) -> bool:
    told = (folder / "claim.json", folder / "internal" / "record.json")
    if not any(map(os.path.exists, told)):  # os.path: a folder that may not be searched is no reason to fail
        return False
    try:
        return any(name.startswith("data.") for name in os.listdir(folder))
    except OSError:
        return True
