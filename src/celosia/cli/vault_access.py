"""How a vault, its keys and people in it are named on the command line, and how a passphrase is asked for."""

from __future__ import annotations

import getpass
import os
import re
import signal
import sys
import unicodedata
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from celosia.base.errors import InputError, OptionError
from celosia.cli.discreet import given_openly

if TYPE_CHECKING:
    from celosia.base.keys import KeySource
    from celosia.masks.vault import Vault

DEFAULT_KEY = "CELOSIA_VAULT_KEY"
"""The environment variable that holds the key where no option names another place."""

_WAYS = (
    f"set {DEFAULT_KEY}, or give {{option}} env:NAME or {{option}} file:PATH; "
    "'celosia vault key FILE' makes a file with a new key."
)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Broken addresses are meant as well: none may be taken for a path, which messages name.
_WITH_PASSWORD = re.compile(
    r"://.*:.*@|^postgres[^:]*:(?!//).*@|^[^/\\]+:[^/\\]+@|(?:passw(?:or)?d|pwd)\s*=", re.IGNORECASE | re.DOTALL
)


def opened(vault: str, key: str | None) -> Vault:
    """Return an existing vault."""
    from celosia.masks.vault import Vault

    place = place_of(vault)
    return Vault.open(place, key_of(key))


def place_of(vault: str) -> str:
    """Return the path or address that VAULT stands for.

    Raises
    ------
    OptionError
        It is an address with a password in it; the message repeats nothing of it.
    InputError
        The environment variable is not set.
    """
    from celosia.data.io.sql import is_address

    if _WITH_PASSWORD.search(vault):
        raise given_openly("put the address into an environment variable and name that: env:NAME in place of VAULT.")
    if not vault.startswith("env:"):
        return vault
    held = os.environ.get(vault.removeprefix("env:"), "")
    if not is_address(held):
        state = "no address of a database" if held else "not set, or empty"
        raise InputError(
            f"the environment variable that VAULT names is {state}.",
            hint="set it to postgresql://user:password@host/base; a file is named by its path.",
        )
    return held


def key_of(given: str | None) -> KeySource:
    """Return where the key of a vault is: what --key names, $CELOSIA_VAULT_KEY, or what is typed now.

    Raises
    ------
    InputError
        It is nowhere, and there is no terminal to ask at.
    """
    from celosia.base.keys import KeySource

    if given is None and os.environ.get(DEFAULT_KEY):
        return KeySource(env=DEFAULT_KEY)
    return _asked("--key", twice=False) if given is None else _named(given, "--key")


def new_key_of(given: str | None, option: str = "--new-key") -> KeySource:
    """Return where a new key is: what the option names, or a passphrase that is typed now, twice.

    $CELOSIA_VAULT_KEY counts only where a vault is made; a second key is never the first by mistake.
    """
    from celosia.base.keys import KeySource

    if given is None and option == "--key" and os.environ.get(DEFAULT_KEY):
        return KeySource(env=DEFAULT_KEY)
    return _asked(option, twice=True) if given is None else _named(given, option)


def _named(given: str, option: str) -> KeySource:
    """Return the source that ``env:NAME`` or ``file:PATH`` names; what is neither is taken for a secret."""
    from celosia.base.keys import KeySource

    kind, _, name = given.partition(":")
    if kind == "env" and _VARIABLE.fullmatch(name):
        variable = KeySource.of({"env": name})
        if not os.environ.get(name):  # its name is not repeated: it may be the secret itself
            raise InputError(f"the environment variable that {option} names is not set, or empty.", hint=_ways(option))
        return variable
    if kind == "file" and name:
        source = KeySource.of({"file": name})
        if not Path(name).is_file():
            raise InputError(f"{option} names no file that is there.", hint="check its path.", about="key")
        if source.is_open_to_others:
            typer.echo(f"Warning: others may read the key file. Let it be yours alone: chmod 600 {name}", err=True)
        return source
    raise given_openly()


def _asked(option: str, *, twice: bool) -> KeySource:
    """Ask for a passphrase on the terminal, without echo."""
    from celosia.base.keys import KeySource, Secret

    if not _has_terminal():
        raise InputError("there is no key, and no terminal to ask for a passphrase.", hint=_ways(option), about="key")
    words = "New passphrase (12 characters or more): " if twice else "Passphrase of the vault: "
    typed = _typed(words, option)
    if twice and typed != _typed("The same again: ", option):
        raise InputError("the two passphrases differ.", hint="try again.", about="key")
    return KeySource(given=Secret.of_text(typed, "what was typed"))


def heed_ctrl_c() -> None:
    """Let Ctrl-C end a question at once; Polars restarts whatever waits for input, so that it would wait for Enter."""
    if hasattr(signal, "siginterrupt"):
        signal.siginterrupt(signal.SIGINT, True)


def _typed(words: str, option: str) -> str:
    heed_ctrl_c()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", getpass.GetPassWarning)  # it would go on, and show what is typed
            return getpass.getpass(words)
    except (EOFError, getpass.GetPassWarning):
        pass
    raise InputError("no passphrase was typed.", hint=_ways(option), about="key")


def _has_terminal() -> bool:
    """Return whether somebody can be asked; standard input may be a file meanwhile."""
    return sys.stdin.isatty() or (os.name == "posix" and sys.stderr.isatty())


def _ways(option: str) -> str:
    return _WAYS.format(option=option)


def lines_of(source: str) -> list[str]:
    """Return the different lines of a file (``-``: standard input), trimmed and normalised as cells are; no empty ones.

    Raises
    ------
    InputError
        It cannot be read, or is no text.
    """
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        data = None
    if data is None:
        raise InputError(f"the list cannot be read: {reason}.", hint="check its path.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = None
    if text is None:
        raise InputError("the list is not UTF-8 text.", hint="save it as UTF-8, one in a line.")
    return _clean(re.split(r"\r\n|\r|\n", text))


def asked_for(pseudonyms: Sequence[str] | None, source: str | None) -> list[str]:
    """Return the different pseudonyms of the command line and of a list.

    Raises
    ------
    OptionError
        There are none.
    """
    wanted = _clean([*(pseudonyms or []), *([] if source is None else lines_of(source))])
    if not wanted:
        raise OptionError("no pseudonym was given.", hint="name some, or a file of them: --from FILE.")
    return wanted


def shown(text: str) -> str:
    r"""Return a text that cannot steer the terminal it is printed on.

    Examples
    --------
    >>> shown("Ana\x1b[2J")
    'Ana\\x1b[2J'
    """
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def _clean(lines: Sequence[str]) -> list[str]:
    trimmed = (unicodedata.normalize("NFC", line.strip()) for line in lines)
    return list(dict.fromkeys(line for line in trimmed if line))
