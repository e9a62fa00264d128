"""Files that are whole or not there at all, and on the disk when the call returns."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from celosia.base.errors import InputError


@contextmanager
def fresh_file(path: Path) -> Iterator[IO[bytes]]:
    r"""Give an empty binary file that takes its place only once it is complete and on the disk.

    It is written under a hidden name beside the path with mode 0600, synced, given the usual mode and renamed. On any
    exception, Ctrl-C included, it is removed and an earlier file stays as it was.

    Raises
    ------
    InputError
        When the folder is missing or the system refuses to write.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "data.csv")
    >>> with fresh_file(path) as file:
    ...     _ = file.write(b"age\n39\n")
    >>> path.read_bytes()
    b'age\n39\n'
    """
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path.name}: its folder does not exist.", hint="make the folder first.")
    hidden = path.parent / f".{path.name}.celosia-{secrets.token_hex(8)}"
    reason = None
    try:
        with open(hidden, "xb", opener=_open_private) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        hidden.chmod(0o666 & ~current_umask())
        os.replace(hidden, path)
        sync(path.parent)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hidden.unlink(missing_ok=True)
    except BaseException:
        hidden.unlink(missing_ok=True)
        raise
    if reason is not None:
        raise InputError(
            f"cannot write {path.name}: {reason}.", hint="nothing was written; check the disk and the path."
        )


def content_of(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises
    ------
    InputError
        When the system refuses to read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     content_of(Path(file.name))
    b''
    """
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
    raise InputError(f"cannot read {path.name}: {reason}.", hint="check the path and the permissions.")


def write_text_file(path: Path, text: str) -> None:
    """Write a new private file (mode 0600) in UTF-8 and sync it.

    Raises
    ------
    InputError
        When the file exists or the system refuses to write.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "record.json")
    >>> write_text_file(path, "{}")
    >>> path.read_text()
    '{}'
    """
    try:
        with open(path, "x", encoding="utf-8", newline="\n", opener=_open_private) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        reason = error.strerror or type(error).__name__
    else:
        return
    raise InputError(f"cannot write {path.name}: {reason}.", hint="check the disk and the path.")


def sync(path: Path) -> None:
    """Have the system put a file or folder on the disk.

    Examples
    --------
    >>> import tempfile
    >>> sync(Path(tempfile.mkdtemp()))
    """
    if os.name == "nt" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def current_umask() -> int:
    """Return the permissions that new files do not get.

    Examples
    --------
    >>> 0 <= current_umask() <= 0o777
    True
    """
    # There is no way to ask without setting; the strictest value is set for that moment, other threads may be writing.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)
