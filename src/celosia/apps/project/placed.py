"""What lies in the output folder: whether it is the project's own, and what the loop made last."""

from __future__ import annotations

import hashlib
import json
import secrets
import shutil
from pathlib import Path

from celosia.apps.project.desk import Desk
from celosia.apps.project.record import Record, digest
from celosia.base.errors import InputError
from celosia.data.io.durable import write_text_file
from celosia.data.io.files import sha256_of

_REFUSAL = Path("internal", "refusal.json")
"""What tells a folder of documents without a release: nothing in it may be published."""
_DOCUMENTS = ("dossier.", _REFUSAL.name)


_KEPT = ("claim.json", "internal/record.json", "internal/report.html", "internal/fragments.json")
"""What a release stands on beside its data; its documents are made anew from it with every signature."""


def is_ours(folder: Path, record: Record) -> bool:
    """Whether a folder is what an earlier run of the project made."""
    return bool(_hashes(folder) & record.vouched("release"))


def release_stands(desk: Desk) -> bool:
    """Whether the loop has ended on what the file says now, and what came of it is in its place."""
    if desk.record.outcome is None or not desk.standing.seen.is_measured or desk.places.output is None:
        return False
    folder, last = desk.places.output, desk.record.told("release")[-1:]
    if last != list(_hashes(folder)) or len(list(folder.glob("data.*"))) > 1:
        return False
    if desk.record.outcome == "not feasible":
        return True
    measured = desk.record.evidence.get("risk", {}).get("output", {}).get("sha256")
    return last == [measured] and desk.record.told("files")[-1:] == [kept_digest(folder)]


def kept_digest(folder: Path) -> str:
    """Return the digest of what a release stands on beside its data: its claim, its record, what documents are made of.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> before = kept_digest(folder)
    >>> _ = (folder / "claim.json").write_text("{}")
    >>> before == kept_digest(folder)
    False
    """
    return digest({name: sha256_of(folder / name) for name in _KEPT if (folder / name).is_file()})


def withdraw_documents(folder: Path) -> None:
    """Remove the documents of a release that is not of what the project says now; they can be made anew.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "statement.en.html").write_text("x")
    >>> withdraw_documents(folder)
    >>> list(folder.iterdir())
    []
    """
    for document in [*folder.glob("statement.*"), *folder.glob("internal/dossier.*")]:
        document.unlink()


def mark_refusal(folder: Path, at: str) -> str:
    """Write into a folder that there is no release, and return the hash by which it is known again.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "internal").mkdir()
    >>> mark_refusal(folder, "2026-01-31T12:00:00+00:00") == sha256_of(folder / "internal" / "refusal.json")
    True
    """
    text = json.dumps({"celosia": "refusal", "version": 1, "made": at}, indent=2) + "\n"
    write_text_file(folder / _REFUSAL, text)
    return hashlib.sha256(text.encode()).hexdigest()


def is_refusal(folder: Path, record: Record) -> bool:
    """Whether a folder holds documents of the project without a release."""
    return (folder / _REFUSAL).is_file() and sha256_of(folder / _REFUSAL) in record.vouched("release")


def clear_refusal(folder: Path, record: Record) -> None:
    """Make room where documents without a release lie, at once: a folder that is cleared by half would be nobody's.

    Raises
    ------
    InputError
        Something else lies there as well.
    """
    if not is_refusal(folder, record):
        return
    others = [entry for entry in folder.iterdir() if entry.name != _REFUSAL.parent.name]
    others += [entry for entry in (folder / _REFUSAL.parent).iterdir() if not entry.name.startswith(_DOCUMENTS)]
    if others:
        raise InputError(
            f"the folder {folder.name} holds {len(others)} entries that are not the project's; it is not replaced.",
            hint="move them away.",
        )
    hidden = folder.with_name(f".{folder.name}.celosia-{secrets.token_hex(8)}")  # named so, the next run removes it
    folder.rename(hidden)
    shutil.rmtree(hidden)


def _hashes(folder: Path) -> set[str]:
    """Return the hashes of what tells a folder from others: its data, or the note that there are none."""
    return {sha256_of(file) for file in [*folder.glob("data.*"), folder / _REFUSAL] if file.is_file()}
