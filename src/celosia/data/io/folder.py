"""A release folder that is placed whole, or not at all."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from celosia.base.errors import InputError, OptionError
from celosia.data.io.durable import current_umask, sync

if sys.platform != "win32":
    import fcntl

_AT_THE_WORKING_DIRECTORY = -100
_NO_REPLACE, _EXCHANGE = 1, 2
_EARLIER = "earlier-"
_SYNCS_AT_ONCE = 8
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


@contextmanager
def placing(target: Path | str, overwrite: bool = False) -> Iterator[Path]:
    r"""Give a private folder to write a release into, and put it in the target's place when the block ends well.

    The folder is a hidden sibling ``.NAME.celosia-<random>`` of mode 0700. At the end all is synced to the disk, the
    folder gets the usual mode (``internal/`` keeps 0700) and is renamed; an earlier release is exchanged in one step
    where the system can (Linux), and then deleted. On any exception, Ctrl-C included, the hidden folder is
    removed and an earlier release stays as it was. A process that is killed leaves only the hidden folder; the next
    placing at the same target removes it, as its lock is gone.

    Parameters
    ----------
    target
        The folder to make; its parent must exist.
    overwrite
        Whether an earlier release may be replaced. Anything that is no release is refused all the same.

    Raises
    ------
    OptionError
        When the target exists and ``overwrite`` is not set.
    InputError
        When the target is a link, no folder, or holds files that are no part of a release; or when the system refuses.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp(), "release")
    >>> with placing(target) as temporary:
    ...     _ = (temporary / "data.csv").write_text("age\n39\n")
    >>> sorted(path.name for path in target.iterdir())
    ['data.csv']
    """
    path = _absolute(Path(target))
    _recover_earlier(path)
    check_target(path, overwrite=overwrite)
    _remove_stale(path)
    temporary, lock = _make_temporary(path)
    try:
        yield temporary
        with _refusals_of_the_system(path):
            _settle(temporary)
            check_target(path, overwrite=overwrite)
            earlier = _put_in_place(temporary, path)
        if earlier is not None:
            _remove_earlier(earlier, path)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if temporary.exists():
            error.add_note(f"The unfinished folder {temporary} could not be removed.")
        raise
    finally:
        if lock is not None:
            os.close(lock)


def _absolute(target: Path) -> Path:
    """Resolve the parent only: a link at the target itself must be seen."""
    if target.name in ("", ".."):
        raise InputError("the release folder needs a name of its own.", hint="give a path such as release/.")
    return target.parent.resolve() / target.name


def check_target(target: Path | str, *, overwrite: bool = False) -> None:
    """Refuse a target at which a release cannot be placed, before any work is done.

    Parameters
    ----------
    target
        The folder to make.
    overwrite
        Whether an earlier release may be replaced.

    Raises
    ------
    OptionError
        When the target exists and ``overwrite`` is not set.
    InputError
        When the parent is missing or not writable; when the target is a link, no folder, or holds files that are no
        part of a release.

    Examples
    --------
    >>> import tempfile
    >>> check_target(Path(tempfile.mkdtemp(), "release"))
    """
    path = _absolute(Path(target))
    if not path.parent.is_dir():
        raise InputError(
            f"the parent folder of {path.name} does not exist.", hint="make it first, or correct the path."
        )
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise InputError(f"the parent folder of {path.name} is not writable.", hint="choose another folder.")
    if path.is_symlink():
        raise InputError(
            f"{path.name} is a symbolic link; a release is placed in a real folder.", hint="delete the link."
        )
    if not path.exists():
        return
    if not path.is_dir():
        raise InputError(f"{path.name} exists and is not a folder.", hint="choose another name.")
    if not overwrite:
        raise OptionError(f"the folder {path.name} already exists.", hint="choose another, or add --overwrite.")
    with os.scandir(path) as entries:
        n_foreign = sum(1 for entry in entries if not _is_part_of_release(entry))
    if n_foreign:
        raise InputError(
            f"the folder {path.name} holds {n_foreign} entries that are no part of a release; it is not replaced.",
            hint="allowed are data.*, graph.*, vertices.*, claim.json, statement.*, table.*, cards/ and internal/; "
            "choose another.",
        )
    if any(path.iterdir()) and not (path / "internal" / "record.json").is_file():
        raise InputError(
            f"the folder {path.name} is not a release: it has no internal/record.json; it is not replaced.",
            hint="choose another folder, or move it away.",
        )


def _is_part_of_release(entry: os.DirEntry[str]) -> bool:
    if entry.name in ("internal", "cards"):
        return entry.is_dir(follow_symlinks=False)
    starts = ("data.", "graph.", "vertices.", "statement.", "table.")
    is_named_so = entry.name == "claim.json" or entry.name.startswith(starts)
    return is_named_so and entry.is_file(follow_symlinks=False)


@contextmanager
def _refusals_of_the_system(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
    else:
        return
    raise InputError(f"cannot place the folder {path.name}: {reason}.", hint="check the disk and the permissions.")


def _make_temporary(path: Path) -> tuple[Path, int | None]:
    """Make and lock the hidden folder; the lock, which dies with the process, tells others that it is in use."""
    while True:
        temporary = path.parent / f".{path.name}.celosia-{secrets.token_hex(8)}"
        with _refusals_of_the_system(path):
            temporary.mkdir(mode=0o700)
        # Between mkdir and lock another process may take the folder for a stale one and remove it: then again.
        with suppress(BlockingIOError, FileNotFoundError):
            lock = _lock(temporary)
            if temporary.exists():
                return temporary, lock
            if lock is not None:
                os.close(lock)


def _lock(folder: Path) -> int | None:
    """Return a descriptor that holds the folder's lock, or None where the system has no locks.

    Raises BlockingIOError when another process holds the lock, FileNotFoundError when the folder is gone.
    """
    if sys.platform == "win32":
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _remove_earlier(earlier: Path, path: Path) -> None:
    try:
        shutil.rmtree(earlier)
    except OSError as error:
        reason = error.strerror or type(error).__name__
    else:
        return
    raise InputError(
        f"{path.name} is in place, but the earlier release could not be deleted: {reason}.",
        hint=f"delete {earlier} by hand.",
    )


def _hidden_siblings(path: Path, middle: str) -> list[Path]:
    pattern = re.compile(re.escape(f".{path.name}.celosia-{middle}") + "[0-9a-f]{16}")
    return [
        sibling
        for sibling in path.parent.iterdir()
        if pattern.fullmatch(sibling.name) and sibling.is_dir() and not sibling.is_symlink()
    ]


def _remove_stale(path: Path) -> None:
    """Remove what killed processes left; a folder whose lock is held, or cannot be asked for, stays."""
    for folder in _hidden_siblings(path, ""):
        with suppress(BlockingIOError, FileNotFoundError, PermissionError):
            lock = _lock(folder)
            if lock is not None:
                try:
                    shutil.rmtree(folder)
                finally:
                    os.close(lock)


def _recover_earlier(path: Path) -> None:
    """Finish or undo an exchange in two steps that was killed between them."""
    if not path.parent.is_dir():
        return
    for earlier in _hidden_siblings(path, _EARLIER):
        with _refusals_of_the_system(path):
            if os.path.lexists(path):
                shutil.rmtree(earlier)
            else:
                os.rename(earlier, path)


def _settle(folder: Path) -> None:
    # The disk takes a few milliseconds for each, and many at once: a hundred cards would else take half a second.
    with ThreadPoolExecutor(_SYNCS_AT_ONCE) as workers:
        for parent, _, files in os.walk(folder, topdown=False):
            list(workers.map(sync, (Path(parent, name) for name in files)))
            sync(Path(parent))
    internal = folder / "internal"
    if internal.is_dir():
        internal.chmod(0o700)
    folder.chmod(0o755 & ~current_umask())


def _put_in_place(temporary: Path, path: Path) -> Path | None:
    """Rename the folder; return where the earlier release is now, if there was one."""
    if not path.exists():
        if not _rename_with(_NO_REPLACE, temporary, path):
            os.rename(temporary, path)
        earlier = None
    elif _rename_with(_EXCHANGE, temporary, path):
        earlier = temporary
    else:
        earlier = _exchange_in_two_steps(temporary, path)
    sync(path.parent)
    return earlier


def _exchange_in_two_steps(temporary: Path, path: Path) -> Path:
    earlier = path.parent / f".{path.name}.celosia-{_EARLIER}{secrets.token_hex(8)}"
    try:
        os.rename(path, earlier)
        os.rename(temporary, path)
    except BaseException:
        if earlier.exists() and not path.exists():
            os.rename(earlier, path)
        raise
    return earlier


def _rename_with(flag: int, source: Path, target: Path) -> bool:
    """Rename by renameat2, which alone can exchange two folders in one step; False where it does not exist."""
    function = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    if function is None:
        return False
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    here = _AT_THE_WORKING_DIRECTORY
    if function(here, os.fsencode(source), here, os.fsencode(target), flag) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code))
