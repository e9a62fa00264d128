"""Keys and vaults stay away from what is handed on."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, unquote

from celosia.base.errors import InputError
from celosia.data.io.sql import is_address
from celosia.masks.base import Mask
from celosia.masks.pseudonymise import Pseudonymise
from celosia.masks.vault.source import VaultSource

_POSTGRESQL = ("postgresql://", "postgresql+psycopg://", "postgres://")
_SQLITE = ("sqlite:///", "sqlite+pysqlite:///")


def check_apart(
    masks: Sequence[Mask], *, folder: Path | None = None, file: Path | None = None, database: str | None = None
) -> None:
    """Refuse an output that would lie together with a key or a vault: whoever gets the one would get the other.

    Parameters
    ----------
    masks
        Whose keys and vaults.
    folder
        A folder that is handed on whole.
    file
        A file that is handed on: all that lies in its folder, or below, is too near.
    database
        The address of a database; a vault in the same one is too near, and so is what lies beside a file of SQLite.

    Raises
    ------
    InputError
        A key or a vault is too near; the message names files by their names alone, and no address.

    Examples
    --------
    >>> sealed = Pseudonymise("dni", vault={"path": "release/people.vault", "key": {"env": "CELOSIA_KEY"}})
    >>> check_apart([sealed], folder=Path("elsewhere"))
    >>> check_apart([sealed], folder=Path("release"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    celosia.base.errors.InputError: 'people.vault', which leads back ... lies in the output folder 'release'.
      Hint: keep keys and vaults in a folder of their own, which is never handed on.
    """
    found = [error for mask in masks if isinstance(mask, Pseudonymise) for error in _near(mask, folder, file, database)]
    del database  # it may hold a password, which no traceback shows then, however detailed
    if found:
        raise found[0]


def _near(mask: Pseudonymise, folder: Path | None, file: Path | None, database: str | None) -> Iterator[InputError]:
    """Give an error for everything of a mask that is too near."""
    place = _vault_place(mask)
    in_file = [Path(place)] if place and not is_address(place) else []
    for kept in dict.fromkeys([*mask.kept_apart, *in_file]):
        if folder is not None and _lies_in(kept, folder):
            yield _too_near(f"'{kept.name}'", f"lies in the output folder '{_real(folder).name}'", _AWAY)
        for written in (file, _file_of(database)):
            if written is not None and _lies_in(kept, written.parent):
                where = f"lies in the folder of the output '{written.name}', or below it"
                yield _too_near(f"'{kept.name}'", where, _AWAY)
    if place and database is not None and _same_database(database, place):
        yield _too_near("the vault", "is in the very database that the output goes to", _OF_ITS_OWN)


_AWAY = "keep keys and vaults in a folder of their own, which is never handed on."
_OF_ITS_OWN = "keep the vault in a database of its own, which other people may not read."


def _too_near(what: str, where: str, hint: str) -> InputError:
    return InputError(f"{what}, which leads back from pseudonyms to people, {where}.", hint=hint, about="masks")


def _vault_place(mask: Pseudonymise) -> str:
    """Return the path or the address of a mask's vault; empty where there is none, or where it cannot be told yet."""
    vault = mask.vault
    if isinstance(vault, VaultSource):
        return vault.path or vault.url or os.environ.get(vault.env or "", "")
    return "" if vault is None or isinstance(vault, Mapping) else str(vault.place)


def _lies_in(path: Path, folder: Path) -> bool:
    """Whether a file is in a folder or below it: by its name, through links, or as the system knows folders.

    A link in the folder itself at the file counts; folders below it are not searched for links.
    """
    root = _real(folder)
    return _is_linked(path, root) or any(
        one == root or root in one.parents or _holds(root, one) for one in _places(path)
    )


def _places(path: Path) -> Iterator[Path]:
    """Give where a file is by its name, where a link at it lies, and where links lead."""
    yield Path(os.path.abspath(path))
    yield _real(path.parent) / path.name
    yield _real(path)


def _real(path: Path) -> Path:
    """Follow links, as far as they lead anywhere: one in a circle is no reason to fail here."""
    return Path(os.path.realpath(path))


def _holds(root: Path, path: Path) -> bool:
    """Whether a folder above the path is the root under another name, such as one in other letters."""
    return root.exists() and any(above.exists() and above.samefile(root) for above in path.parents)


def _is_linked(path: Path, folder: Path) -> bool:
    """Whether a link in a folder, a hard or a symbolic one, leads to a file."""
    try:
        with os.scandir(folder) as entries:
            return path.is_file() and any(_is_same(path, Path(entry.path)) for entry in entries)
    except OSError:  # there is no such folder yet, or nobody may look into it
        return False


def _is_same(one: Path, other: Path) -> bool:
    try:
        return other.samefile(one)
    except OSError:  # a link to nowhere
        return False


def _file_of(database: str | None) -> Path | None:
    """Return the file of an SQLite database."""
    for start in _SQLITE:
        if database is not None and database.startswith(start):
            path = unquote(database[len(start) :].partition("?")[0])
            return Path(path) if path and path != ":memory:" else None
    return None


def _same_database(one: str, other: str) -> bool:
    first, second = _Server.of(one), _Server.of(other)
    return first is not None and second is not None and first.is_same(second)


@dataclass(frozen=True)
class _Server:
    """A database of PostgreSQL, by whichever of the names it has."""

    hosts: frozenset[str]
    port: str
    name: str

    @classmethod
    def of(cls, url: str) -> _Server | None:
        if not url.lower().startswith(_POSTGRESQL):
            return None
        address, _, query = url.partition("://")[2].partition("?")
        options = {name: values[-1] for name, values in parse_qs(query).items()}
        login, _, rest = address.rpartition("@")
        place, _, name = rest.partition("/")
        host, port = _host_and_port(unquote(place))
        host = options.get("hostaddr") or options.get("host") or host or os.environ.get("PGHOST", "")
        user = options.get("user") or unquote(login.partition(":")[0]) or os.environ.get("PGUSER", "")
        return cls(
            frozenset(map(_named, host.split(","))),
            options.get("port") or port or os.environ.get("PGPORT") or "5432",
            options.get("dbname") or unquote(name) or os.environ.get("PGDATABASE") or user,
        )

    def is_same(self, other: _Server) -> bool:
        return (self.port, self.name) == (other.port, other.name) and not self.hosts.isdisjoint(other.hosts)


def _host_and_port(place: str) -> tuple[str, str]:
    """Part ``host:port``; the colons of an address in brackets are none that part."""
    closing = place.rfind("]")
    colon = place.find(":", closing + 1)
    host, port = (place, "") if colon < 0 else (place[:colon], place[colon + 1 :])
    return host.strip("[]"), port


def _named(host: str) -> str:
    """Return one name for all that mean this machine, sockets included."""
    own = {"", "localhost", "127.0.0.1", "::1", "0.0.0.0", socket.gethostname().lower()}
    lowered = host.lower().rstrip(".")
    return "localhost" if lowered in own or lowered.startswith(("/", "@")) else lowered
