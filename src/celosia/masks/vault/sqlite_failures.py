"""What SQLite complains about, told without its own words, which may hold what stands in a record."""

from __future__ import annotations

from celosia.base.errors import VaultError

BUSY_SECONDS = 60
"""How long a connection waits for others."""

_STAYS = "nothing was changed; what was there stays readable"
_DAMAGED = (
    "{shown} is damaged: it was cut short or changed",
    "restore it from a copy; do not write to it any more.",
)

# The first that begins SQLite's name of an error tells.
_REASONS: dict[str, tuple[str, str]] = {
    "SQLITE_BUSY": (f"{{shown}} is in use by another program for more than {BUSY_SECONDS} s; {_STAYS}", "try again."),
    "SQLITE_LOCKED": (f"{{shown}} is in use by another program; {_STAYS}", "try again."),
    "SQLITE_CANTOPEN": ("{shown} or its folder cannot be opened", "check the path and the permissions."),
    "SQLITE_PERM": ("{shown} cannot be opened", "check the permissions."),
    "SQLITE_READONLY": (
        f"{{shown}} or its folder may not be written; {_STAYS}",
        "look-ups are written down, too: give yourself the right to write the file and its folder.",
    ),
    "SQLITE_FULL": (f"the disk is full; {_STAYS}", "make room and try again."),
    "SQLITE_IOERR": (f"the disk is full or fails; {_STAYS}", "make room, check the disk and try again."),
    "SQLITE_TOOBIG": (f"something is too long for {{shown}}; {_STAYS}", "give shorter identities."),
    "SQLITE_CONSTRAINT": (
        f"somebody wrote in {{shown}} without the key: a record or a line of the log stands where none may; {_STAYS}",
        "restore it from a copy, and ask who had access.",
    ),
    "SQLITE_NOTADB": ("{shown} is no vault", "check the path; 'celosia vault init' makes a vault."),
}


def failure(error: Exception, shown: str) -> VaultError:
    """Return the error that tells what happened to a file; raise it where SQLite's own is gone.

    Examples
    --------
    >>> import sqlite3
    >>> error = sqlite3.OperationalError("no such table")
    >>> print(failure(error, "people.vault"))
    people.vault is damaged: it was cut short or changed.
      Hint: restore it from a copy; do not write to it any more.
    """
    name = getattr(error, "sqlite_errorname", None) or ""
    reason, hint = next((told for beginning, told in _REASONS.items() if name.startswith(beginning)), _DAMAGED)
    return VaultError(reason.format(shown=shown) + ".", hint=hint)
