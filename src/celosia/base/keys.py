"""Keys: where a secret comes from, and the keys that are derived from it.

A secret stands in no plan, record, message or command line: these name the environment variable or the file that holds
it, and it is read when it is needed.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import hmac
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from celosia.base.errors import InputError, OptionError

KEY_BYTES = 32
"""How many bytes a random key has at least."""

_FEWEST_DIFFERENT = 12
"""Fewer different bytes than this are no random key (a random one has them but once in 10^9 times)."""

_SHORTEST_PASSPHRASE = 12
_LONGEST_FILE = 1 << 16
_FIXED_SALT = b"celosia: pseudonyms, version 1"
_HOW = (
    "name an environment variable or a file that holds it: {env: CELOSIA_KEY} or {file: PATH}; "
    "'celosia vault key PATH' makes a file with a new key."
)


@dataclass(frozen=True)
class Secret:
    """A secret that was read: a random key, or a passphrase that people can remember.

    Attributes
    ----------
    content
        The key, or the passphrase in UTF-8. It is never shown.
    is_passphrase
        Whether it must be stretched before use.
    """

    content: bytes = field(repr=False)
    is_passphrase: bool

    @classmethod
    def of_text(cls, text: str, where: str) -> Secret:
        """Return the key that a text spells in hexadecimal or base64, or the text as a passphrase.

        Raises
        ------
        InputError
            It is too short, or no random key; the message does not repeat it.

        Examples
        --------
        >>> Secret.of_text("00112233445566778899aabbccddeeff" * 2, "$KEY")
        Secret(is_passphrase=False)
        >>> Secret.of_text("correct horse battery staple", "$KEY")
        Secret(is_passphrase=True)
        """
        found = _understood(text, where)
        del text  # no traceback shows it, however detailed
        return found.or_raise()

    def or_raise(self) -> Secret:
        """Return itself: what a text was found to be is a secret or a refusal."""
        return self

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, _: object) -> Secret:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a secret is not pickled; name an environment variable or a file that holds it.")

    def master(self) -> bytes:
        """Return bytes from which keys of columns are derived; a passphrase is stretched by scrypt."""
        return stretched(self.content, _FIXED_SALT) if self.is_passphrase else self.content


@dataclass(frozen=True)
class KeySource:
    """Where a key comes from.

    Attributes
    ----------
    env
        The environment variable that holds it.
    file
        The file that holds it.
    given
        The secret itself, for programs; it is never shown, and a plan file cannot hold it.

    Examples
    --------
    >>> KeySource.of({"env": "CELOSIA_KEY"})
    KeySource(env='CELOSIA_KEY')
    """

    env: str | None = None
    file: str | None = None
    given: Secret | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        shown = f"env={self.env!r}" if self.env else f"file={self.file!r}" if self.file else "..."
        return f"KeySource({shown})"

    @classmethod
    def of(cls, given: object, *, folder: Path | None = None) -> KeySource:
        """Return the source that a plan or a program names.

        Parameters
        ----------
        given
            ``{"env": NAME}``, ``{"file": PATH}``, or in programs the key as ``bytes``, random or spelt as in a file;
            never a text, since it would stand in a file or a list of processes.
        folder
            Where a relative path starts; the working folder by default.

        Raises
        ------
        OptionError
            It is nothing of these; the message does not repeat it.
        """
        if isinstance(given, KeySource):
            return given
        if isinstance(given, bytes):
            found = _of_program(given, "the value of key")
            del given
            return cls(given=found.or_raise())
        if isinstance(given, Mapping) and len(given) == 1:
            kind, named = next(iter(given.items()))
            if isinstance(named, str) and "/" not in named and _spelt_key(named) is not None:
                raise _written_here()
            if kind == "env" and isinstance(named, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", named):
                return cls(env=named)
            if kind == "file" and isinstance(named, str | Path) and str(named) and "\0" not in str(named):
                return cls(file=str((folder or Path()) / named))
        if isinstance(given, str):
            raise _written_here()
        raise OptionError("key is neither {env: NAME} nor {file: PATH}.", hint=_HOW, about="key")

    def read(self) -> Secret:
        """Return the secret.

        Raises
        ------
        InputError
            The variable is not set, the file cannot be read, or what it holds is no key.
        """
        if self.given is not None:
            return self.given
        if self.env is not None:
            if not os.environ.get(self.env):
                raise InputError(
                    f"the environment variable '{self.env}' holds no key: it is "
                    f"{'empty' if self.env in os.environ else 'not set'}.",
                    hint=f"set it before the run, such as by: read -rs {self.env} && export {self.env}.",
                    about="key",
                )
            return _understood(os.environ[self.env], f"the environment variable '{self.env}'").or_raise()
        return _of_file(Path(self.file or "")).or_raise()

    @property
    def is_open_to_others(self) -> bool:
        """Whether the key lies in a file that other users of the machine may read."""
        if self.file is None or os.name == "nt" or not Path(self.file).is_file():
            return False
        return bool(Path(self.file).stat().st_mode & 0o077)

    def to_dict(self) -> dict[str, Any] | str:
        """Return it as it stands in a plan file; ``...`` for a secret that a program gave."""
        return {"env": self.env} if self.env else {"file": self.file} if self.file else "..."


def derived(master: bytes, *labels: str) -> bytes:
    """Return the 32-byte key of some labels: HMAC-SHA-256(master, labels, each behind its length).

    Keys of different labels tell nothing about each other or about the master key.

    Examples
    --------
    >>> derived(bytes(32), "column", "dni") == derived(bytes(32), "column", "name")
    False
    """
    parts = [label.encode() for label in ("celosia", "1", *labels)]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.digest(master, message, "sha256")


def stretched(passphrase: bytes, salt: bytes, *, log2_n: int = 17) -> bytes:
    """Return the 32-byte key that scrypt (N = 2^``log2_n``, r = 8, p = 1; 128 MB at 17) makes of a passphrase.

    Examples
    --------
    >>> len(stretched(b"correct horse battery staple", b"salt", log2_n=4))
    32
    """
    n = 1 << log2_n
    return hashlib.scrypt(passphrase, salt=salt, n=n, r=8, p=1, maxmem=132 * 8 * n + (1 << 20), dklen=32)


def _written_here() -> OptionError:
    return OptionError(
        "a key must not be written here: plans are kept and shown, and everybody on the machine sees a command line. "
        "If this was a true key, it is no secret any more: make another.",
        hint=_HOW,
        about="key",
    )


def _spelt_key(text: str) -> bytes | None:
    """Return the bytes that a text spells, if it looks like a key of enough bytes."""
    if re.fullmatch(r"(?:[0-9a-fA-F]{2}){32,}", text):
        return bytes.fromhex(text)
    # Words written together are a passphrase, however long; of random base64 but one in a thousand has no digit.
    is_mixed = all(re.search(kind, text) for kind in ("[A-Z]", "[a-z]", "[0-9]"))
    if is_mixed and re.fullmatch(r"[A-Za-z0-9+/_-]{43,}={0,2}", text):
        standard = text.rstrip("=").translate(str.maketrans("-_", "+/"))
        try:
            return base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
        except binascii.Error:
            return None
    return None


@dataclass(frozen=True)
class _Refusal:
    """Why something is no secret. It is raised where nothing that was read is at hand, for the sake of tracebacks."""

    message: str
    hint: str

    def or_raise(self) -> Secret:
        raise InputError(self.message, hint=self.hint, about="key")


def _understood(text: str, where: str) -> Secret | _Refusal:
    spelt = _spelt_key(text.strip())
    if spelt is not None:
        return _checked_key(spelt, where)
    passphrase = text.strip("\r\n")
    if len(passphrase) < _SHORTEST_PASSPHRASE:
        return _Refusal(
            f"the secret in {where} has {len(passphrase)} characters: it is neither a key nor a passphrase of at "
            f"least {_SHORTEST_PASSPHRASE}.",
            "a key has 64 hexadecimal digits; 'celosia vault key PATH' makes one.",
        )
    return Secret(passphrase.encode(), True)


def _checked_key(key: bytes, where: str) -> Secret | _Refusal:
    if len(key) < KEY_BYTES or len(set(key)) < _FEWEST_DIFFERENT:
        short = f"has {len(key)} bytes, {KEY_BYTES} are the fewest" if len(key) < KEY_BYTES else "is not random"
        return _Refusal(
            f"{where} holds a key that can be guessed: it {short}.",
            "'celosia vault key PATH' makes a file with a random key.",
        )
    return Secret(key, False)


def _of_file(file: Path) -> Secret | _Refusal:
    where = f"the key file '{file.name}'"
    try:
        with file.open("rb") as opened:
            held = opened.read(_LONGEST_FILE + 1)
    except OSError as error:
        return _Refusal(f"{where} cannot be read: {error.strerror or type(error).__name__}.", "check its path.")
    if len(held) > _LONGEST_FILE:
        return _Refusal(f"{where} is longer than any key.", "check its path.")
    text = _decoded(held)
    return _checked_key(held, where) if text is None else _understood(text, where)


def _of_program(given: bytes, where: str) -> Secret | _Refusal:
    text = _decoded(given)
    spelt = None if text is None else _spelt_key(text.strip())
    if text is None or spelt is not None or len(given) < KEY_BYTES:
        return _checked_key(spelt or given, where)
    return _Refusal(
        f"{where} holds a key that can be guessed: it is a text, not random.",
        "give secrets.token_bytes(32); a passphrase is read from {env: NAME} or {file: PATH}, and stretched.",
    )


def _decoded(held: bytes) -> str | None:
    """Return bytes as text, if people or editors wrote them: a passphrase is never taken for a random key."""
    try:
        text = held.decode("utf-16" if held.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return text if all(one.isprintable() or one.isspace() for one in text) else None
