"""Files that a step refers to, by their hashes: who changes one changes the step, though its text stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from celosia.apps.project.looking import file_hash

_NAMING = ("tree", "population", "mapping", "values")
"""Options that name a file where they are a text. Keys and vaults are left out: a hash would help to guess a key, and
a vault grows with every run."""


def files_in(section: object, folder: Path) -> dict[str, str | None]:
    """Return the files that plain values of a step name, with their hashes; ``None`` for one that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "job.csv").write_bytes(b"")
    >>> {name: own[:8] for name, own in files_in({"job": {"tree": "job.csv"}}, folder).items()}
    {'job.csv': 'e3b0c442'}
    """
    return {name: _hash(folder / name) for name in _named(section)}


def _named(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for own in value:
            yield from _named(own)
    if not isinstance(value, Mapping):
        return
    for key, own in value.items():
        path = own.get("path") if isinstance(own, Mapping) else own
        if key in _NAMING and isinstance(path, str):
            yield path
        yield from _named(own)


def _hash(path: Path) -> str | None:
    try:
        return file_hash(path)
    except (OSError, ValueError):  # not there, or no name that a file could have
        return None
