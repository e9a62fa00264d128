"""Where a vault is and where its key comes from, as plans and masks name them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from celosia.base.errors import InputError, OptionError
from celosia.base.keys import KeySource

if TYPE_CHECKING:
    from celosia.masks.vault.vault import Vault

_HOW = "write {path: FILE, key: {env: NAME}}, or {url: {env: NAME}, key: {file: PATH}} for a database."


@dataclass(frozen=True)
class VaultSource:
    """A vault that a plan or a mask names; it is opened when it is needed.

    Attributes
    ----------
    path
        The file of an SQLite vault.
    url
        The address of a PostgreSQL database, without a password.
    env
        The environment variable that holds such an address.
    key
        Where its key comes from.

    Examples
    --------
    >>> VaultSource.of({"path": "people.vault", "key": {"env": "CELOSIA_KEY"}})
    VaultSource(path='people.vault', url=None, env=None, key=KeySource(env='CELOSIA_KEY'))
    """

    path: str | None = None
    url: str | None = None
    env: str | None = None
    key: KeySource = field(kw_only=True)

    @classmethod
    def of(cls, given: object, folder: Path | None = None) -> VaultSource:
        """Return the source that a plan or a program names.

        Parameters
        ----------
        given
            ``{"path": FILE, "key": KEY}`` or ``{"url": ADDRESS or {"env": NAME}, "key": KEY}``; keys as ``KeySource``
            takes them.
        folder
            Where relative paths start; the working folder by default.

        Raises
        ------
        OptionError
            It is nothing of these, or the address holds a password; the message repeats neither.
        """
        if isinstance(given, VaultSource):
            return given
        if not isinstance(given, Mapping) or set(given) not in ({"path", "key"}, {"url", "key"}):
            raise OptionError("vault needs a path or url, and a key.", hint=_HOW, about="vault")
        key = KeySource.of(given["key"], folder=folder)
        if "path" in given:
            return cls(path=_checked_path(given["path"], folder), key=key)
        url = given["url"]
        if isinstance(url, Mapping) and set(url) == {"env"} and _is_variable(url["env"]):
            return cls(env=url["env"], key=key)
        return cls(url=_checked_url(url), key=key)

    def open(self) -> Vault:
        """Return the vault.

        Raises
        ------
        InputError
            The variable of the address, or the key, is not there.
        VaultError
            It cannot be opened, or not by this key.
        """
        from celosia.masks.vault.vault import Vault

        return Vault.open(self._place(), self.key)

    @property
    def file(self) -> Path | None:
        """The file of an SQLite vault."""
        return None if self.path is None else Path(self.path)

    def to_dict(self) -> dict[str, Any]:
        """Return it as it stands in a plan file."""
        place: dict[str, Any] = {"path": self.path} if self.path else {"url": self.url or {"env": self.env}}
        return place | {"key": self.key.to_dict()}

    def _place(self) -> str:
        if self.env is None:
            return self.path or self.url or ""
        held = os.environ.get(self.env)
        if not held:
            raise InputError(
                f"the environment variable '{self.env}' holds no address of a vault: it is "
                f"{'not set' if held is None else 'empty'}.",
                hint=f"set it before the run: export {self.env}='postgresql://user:password@host/base'.",
                about="vault",
            )
        return held


def _is_variable(name: object) -> bool:
    return isinstance(name, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None


def _checked_path(path: object, folder: Path | None) -> str:
    if not isinstance(path, str | Path) or not str(path).strip() or "://" in str(path):
        raise OptionError("the path of a vault must be that of a file.", hint=_HOW, about="vault")
    return str((folder or Path()) / path)


def _checked_url(url: object) -> str:
    if not isinstance(url, str) or not re.match(r"postgresql(\+psycopg)?://", url):
        raise OptionError(
            "the url of a vault must be an address such as postgresql://user@host/base.", hint=_HOW, about="vault"
        )
    # All up to the last @ may be user and password: an unquoted / or @ in a password does not hide it from this.
    user = url.partition("://")[2].rpartition("@")[0]
    if ":" in user or re.search(r"password\s*=", unquote(url), re.IGNORECASE):
        raise OptionError(
            "the url of a vault must not hold a password: plans are kept and shown, and everybody on the machine sees "
            "a command line.",
            hint="write {url: {env: NAME}} with the name of an environment variable that holds the whole address.",
            about="vault",
        )
    return url
