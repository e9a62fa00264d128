"""A file with a new random key."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from celosia.base.errors import VaultError
from celosia.base.keys import KEY_BYTES


def new_key_file(path: str | Path) -> None:
    """Write 32 random bytes as 64 hexadecimal digits to a new file that only its owner may read (mode 0600).

    Parameters
    ----------
    path
        The file; an existing one is never replaced, since the vaults under its key would be lost.

    Raises
    ------
    VaultError
        There is such a file, or it cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     new_key_file(Path(folder) / "vault.key")
    ...     len((Path(folder) / "vault.key").read_text().strip())
    64
    """
    file = Path(path)
    made = None
    try:
        made = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(made, "w", encoding="ascii") as opened:
            opened.write(secrets.token_hex(KEY_BYTES) + "\n")
            opened.flush()
            os.fsync(opened.fileno())
        return
    except FileExistsError:
        reason = "there is such a file already; it was not touched"
    except OSError as error:
        reason = error.strerror or type(error).__name__
        if made is not None:
            file.unlink(missing_ok=True)
    raise VaultError(
        f"the key file '{file.name}' was not made: {reason}.", hint="choose another name or folder.", about="key"
    )
