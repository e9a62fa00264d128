"""A look at files, by their hashes: which input it is, what its columns seem to be, and what else a step refers to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from celosia.base.errors import CelosiaError
from celosia.data import io
from celosia.data.io import Source
from celosia.data.io.files import sha256_of
from celosia.data.io.sql import read_sql
from celosia.jobs.plan_file import Config
from celosia.jobs.suggest import Suggestion, suggest

_NAMING = ("tree", "population", "mapping", "values")
"""Options that name a file where they are a text. Keys and vaults are left out: a hash would help to guess a key, and
a vault grows with every run."""


def hash_of(config: Config) -> str | None:
    """Return the SHA-256 of the input: of its bytes, or of the rows of a database; ``None`` if it cannot be read."""
    try:
        if config.source is not None:
            return _of_rows(read_sql(**config.source))
        if config.input is None:
            return None
        return sha256_of(config.input)
    except (OSError, CelosiaError):
        return None


def source_of(config: Config) -> Source:
    """Read the input, untyped."""
    if config.source is not None:
        return read_sql(**config.source)
    assert config.input is not None  # a project without an input is told so before
    return io.read(config.input, **config.read_options)


def looked_at(source: Source, sha256: str) -> tuple[dict[str, Any], list[Suggestion]]:
    """Return what step 3 records of an input, and the suggestions behind it; no cell, no path."""
    found = suggest(source.frame, decimal=source.dialect.decimal if source.dialect else ".")
    return {
        "input": {
            "name": source.name,
            "sha256": sha256,
            "n_rows": source.frame.height,
            "n_columns": source.frame.width,
        },
        "columns": {one.column: {"suggested": str(one.role), "reasons": list(one.reasons)} for one in found},
    }, found


def _of_rows(source: Source) -> str:
    return hashlib.sha256(source.frame.write_csv().encode()).hexdigest()


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
        return sha256_of(path)
    except (OSError, ValueError):  # not there, or no name that a file could have
        return None
