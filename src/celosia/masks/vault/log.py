"""The log of a vault: who did what and when, without a value, and so chained that tampering shows.

With h(0) = SHA-256(vault id) and line i as JSON:

    h(i)    = SHA-256(h(i - 1) || i || line i)
    mark(i) = HMAC-SHA-256(K("log"), i || h(i))

The number and hash of the last line stand sealed in the settings. Without the key nobody can write a mark, so that a
line changed, removed, added or moved shows, and so does an end cut off. The seal (number and hash of the last line)
does not change when the key does: noted elsewhere, it shows even a log that was written anew with the key, or a vault
set back to an earlier copy.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from celosia.base.errors import VaultError
from celosia.base.keys import derived
from celosia.masks.vault.sealing import Sealer
from celosia.masks.vault.settings import State
from celosia.masks.vault.store import LogRow

if sys.platform == "win32":
    import getpass
else:
    import pwd

TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
"""How a line writes its time (UTC)."""

_SEAL_DIGITS = 32
_TAMPERED = "somebody wrote in the store without the vault's key: compare it with a copy, and ask who had access."


@dataclass(frozen=True)
class LogLine:
    """One thing that was done.

    Attributes
    ----------
    number
        1, 2, ... without a gap.
    when
        The time (UTC, ISO 8601).
    action
        ``create``, ``add``, ``lookup``, ``refused``, ``forget``, ``rotate``, ``set_limit``, ``export`` or ``copy``.
    who
        The operating system's name of the user.
    scope
        The scope, where there is one.
    counts
        How many of what; never a value.

    Examples
    --------
    >>> LogLine(1, "2026-01-31T12:00:00Z", "lookup", "ana", None, {"n_asked": 2}).to_dict()["counts"]
    {'n_asked': 2}
    """

    number: int
    when: str
    action: str
    who: str
    scope: str | None
    counts: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the line as plain values."""
        return {**self.__dict__, "counts": dict(self.counts)}


@dataclass(frozen=True)
class VaultLog:
    """A log that was verified.

    Attributes
    ----------
    lines
        All lines, the oldest first.
    seal
        Number and hash of the last line: a short text to be noted elsewhere.

    Examples
    --------
    >>> VaultLog((), "0-00").to_dict()
    {'lines': [], 'seal': '0-00'}
    """

    lines: tuple[LogLine, ...]
    seal: str

    def to_dict(self) -> dict[str, Any]:
        """Return the log as plain values."""
        return {"lines": [line.to_dict() for line in self.lines], "seal": self.seal}


def next_line(
    state: State, sealer: Sealer, now: datetime, action: str, counts: Mapping[str, int], scope: str | None = None
) -> tuple[LogRow, State]:
    """Return the next line of the log and the state after it."""
    when = now.strftime(TIME_FORMAT)
    line = {"when": when, "action": action, "who": _who(), "scope": scope, "counts": dict(counts)}
    content = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
    number = state.n_lines + 1
    chained = _chained(_beginning(state) if number == 1 else bytes.fromhex(state.head), number, content)
    after = replace(state, n_lines=number, head=chained.hex(), latest=max(state.latest, when))
    return LogRow(number, content, _mark(_log_key(sealer), number, chained)), after


def verified(rows: Sequence[LogRow], state: State, sealer: Sealer, expect: str | None = None) -> VaultLog:
    """Return the log, if it is what was written.

    Raises
    ------
    VaultError
        A line was changed, removed or added, the end is cut off, or a seal noted earlier is not on the chain.
    """
    key, chained, hashes = _log_key(sealer), _beginning(state), []
    for number, row in enumerate(rows, start=1):
        is_whole = isinstance(row.content, bytes) and isinstance(row.mark, bytes)
        chained = _chained(chained, number, row.content if is_whole else b"")
        if not is_whole or row.number != number or not hmac.compare_digest(row.mark, _mark(key, number, chained)):
            raise VaultError(
                f"the log was changed: line {number} or one before it is not as it was written.", hint=_TAMPERED
            )
        hashes.append(chained.hex())
    if len(rows) != state.n_lines or (hashes and hashes[-1] != state.head):
        raise VaultError(f"the log was cut: of {state.n_lines} lines {len(rows)} are there.", hint=_TAMPERED)
    _check_noted(expect, hashes)
    return VaultLog(
        tuple(LogLine(number=row.number, **json.loads(row.content)) for row in rows), _seal(len(rows), state.head)
    )


def remarked(rows: Sequence[LogRow], state: State, new: Sealer) -> list[LogRow]:
    """Return verified lines with the marks of another data key; their chain, and so every seal, stays."""
    key, chained, marked = _log_key(new), _beginning(state), []
    for row in rows:
        chained = _chained(chained, row.number, row.content)
        marked.append(LogRow(row.number, row.content, _mark(key, row.number, chained)))
    return marked


def _check_noted(expect: str | None, hashes: Sequence[str]) -> None:
    if expect is None:
        return
    parts = re.fullmatch(rf"([1-9][0-9]{{0,17}})-([0-9a-f]{{{_SEAL_DIGITS}}})", str(expect).strip().lower())
    if parts is None:
        raise VaultError(
            f"what is expected is no seal: a number, a hyphen and {_SEAL_DIGITS} hexadecimal digits.",
            hint="give a seal that 'celosia vault log' showed.",
            about="expect",
        )
    number = int(parts[1])
    if number > len(hashes):
        raise VaultError(
            f"the vault was set back: the seal is that of line {number}, and the log has {len(hashes)} lines.",
            hint=_TAMPERED,
        )
    if hashes[number - 1][:_SEAL_DIGITS] != parts[2]:
        raise VaultError(
            f"the seal is not that of line {number}: the log was written anew, or it is another vault's seal.",
            hint=_TAMPERED,
        )


def _seal(number: int, head: str) -> str:
    return f"{number}-{head[:_SEAL_DIGITS]}"


def _log_key(sealer: Sealer) -> bytes:
    return derived(sealer.data_key, "log")


def _beginning(state: State) -> bytes:
    return hashlib.sha256(bytes.fromhex(state.vault_id)).digest()


def _chained(before: bytes, number: int, content: bytes) -> bytes:
    return hashlib.sha256(before + number.to_bytes(8, "big") + content).digest()


def _mark(key: bytes, number: int, chained: bytes) -> bytes:
    return hmac.digest(key, number.to_bytes(8, "big") + chained, "sha256")


def _who() -> str:
    """Return the name of the account that the process runs as: by its number, since variables say what one likes."""
    if sys.platform == "win32":
        name = getpass.getuser()
    else:
        try:
            name = pwd.getpwuid(os.geteuid()).pw_name
        except KeyError:  # a number without a name, as in some containers
            name = f"user {os.geteuid()}"
    return name.encode(errors="replace").decode()
