"""The project file: what people wrote, kept to the letter, and the record that Celosía writes below it."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, ScalarEvent

from celosia.apps.project.canonical import plain
from celosia.base.errors import InputError, PlanError
from celosia.base.yaml import Section, laid_out
from celosia.data.io.durable import fresh_file

if sys.platform != "win32":
    import fcntl

_RECORD = re.compile(r"^record[ \t]*:", re.MULTILINE)
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
_BRACKETS = re.compile(r"[][{}]")
_MOST_BYTES = 8_000_000
_DEEPEST = 100
_WAIT_SECONDS = 3.0
_LOOK_EVERY = 0.05
_BLOCK_LEVELS = 4
"""So many levels of the record have a line of their own for every entry; what lies deeper shares one line."""


@dataclass(frozen=True)
class Stored:
    """A project file as it was read.

    Attributes
    ----------
    top
        What people wrote.
    people, record_text
        The text of both parts, as it stands in the file.
    record
        What Celosía wrote; empty in a file that a person began by hand.
    """

    top: Section
    people: str
    record_text: str
    record: Mapping[str, Any]


def read_file(path: Path) -> Stored:
    """Read a project file.

    Raises
    ------
    PlanError
        It is not there, or is no project file; with the line where there is one.
    """
    return stored_text(_content(path), path.name)


def stored_text(text: str, name: str) -> Stored:
    """Return what the text of a project file holds; ``name`` is the file's, for messages."""
    people, own = split_text(text)
    top = Section(_parsed(people, name), name, "the project")
    if "record" in top or top.content.fa.flow_style():
        raise PlanError(
            "'record', which Celosía writes, must stand at the start of a line of its own, after all other keys.",
            hint="write one key per line, and leave 'record' as it was.",
            where=top.place("record"),
        )
    return Stored(top, people, own, _record(own, name))


def split_text(text: str) -> tuple[str, str]:
    r"""Return what people wrote and the text of the record.

    Examples
    --------
    >>> split_text("title: Adult\nrecord:\n  rounds: []\n")
    ('title: Adult\n', 'record:\n  rounds: []\n')
    """
    found = _RECORD.search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.start() :])


def record_text(record: Mapping[str, Any]) -> str:
    r"""Return the text of a record: a line for every round, signature and event, so that two versions compare well.

    Examples
    --------
    >>> print(record_text({"rounds": [{"k": 5, "verdict": "accepted"}]}), end="")
    record:
      rounds:
        - {k: 5, verdict: accepted}
    """
    writer = YAML(typ="rt")
    writer.width = 2**30
    writer.indent(mapping=2, sequence=4, offset=2)
    writer.allow_unicode = True
    stream = StringIO()
    writer.dump(CommentedMap({"record": laid_out(plain(record), _BLOCK_LEVELS)}), stream)
    return stream.getvalue()


def write_file(path: Path, seen: Stored, record: Mapping[str, Any], people: str | None = None) -> Stored:
    """Put a new record below what people wrote, and the whole in the file's place at once.

    What people changed in their part since it was read stays. The lock must be held.

    Parameters
    ----------
    seen
        The file as it was read or written last.
    people
        Another text of the people's part, made from the one that was seen.

    Raises
    ------
    InputError
        Somebody else has changed the record since, or the system refuses to write.
    """
    text = _content(path)
    current, own = split_text(text)
    if own != seen.record_text or (people is not None and current != seen.people):
        raise InputError(
            f"{path.name} was changed by somebody else in the meantime; nothing was written to it.",
            hint="look at it, and call again.",
        )
    kept = current if people is None else people
    kept += "" if kept.endswith("\n") else "\n"
    newline = "\r\n" if "\r\n" in kept else "\n"
    made = record_text(record)
    told = _record(made, path.name)
    if told != plain(record):
        raise InputError("the record cannot be spelt in YAML.", hint="nothing was written; please report it.")
    made = made.replace("\n", newline)
    mode = path.stat().st_mode & 0o777
    with fresh_file(path) as file:
        file.write((kept + made).encode())
    if path.stat().st_mode & 0o777 != mode:
        path.chmod(mode)
    top = seen.top if kept == seen.people else stored_text(kept, path.name).top
    return Stored(top, kept, made, told)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other Celosías away from a project file while the block runs; a killed one leaves no lock behind.

    Raises
    ------
    InputError
        Another one is at work on it, or the folder cannot be written to.
    """
    if sys.platform == "win32":
        yield
        return
    lock = path.parent / f".{path.name}.lock"
    held = _take(lock, path.name)
    try:
        _remove_unfinished(path)
        yield
    finally:
        with suppress(OSError):
            lock.unlink()
        os.close(held)


def _take(lock: Path, name: str) -> int:
    """Return the descriptor of the lock file, locked; it is the one that lies there, not one that was removed."""
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise InputError(
                f"the folder of {name} cannot be written to ({error.strerror}).", hint="check its permissions."
            ) from None
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(held), os.stat(lock)):
                return held
        except FileNotFoundError:
            pass  # whoever had it has just removed it: take a new one
        except OSError:
            if time.monotonic() > deadline:
                os.close(held)
                raise InputError(
                    f"another Celosía is at work on {name}.", hint="wait until it has ended, and call again."
                ) from None
            time.sleep(_LOOK_EVERY)
        os.close(held)


def _remove_unfinished(path: Path) -> None:
    """Remove what one that was killed has left of a file that it was writing; nobody else writes under the lock."""
    for entry in path.parent.iterdir():
        if entry.name.startswith(f".{path.name}.celosia-"):
            entry.unlink(missing_ok=True)


def _content(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise PlanError(f"{path.name} is too large for a project file.", hint="check the path.")
        return path.read_bytes().decode()
    except FileNotFoundError:
        raise PlanError(
            f"there is no project file '{path.name}' here.", hint="check the path, or make one: celosia project new."
        ) from None
    except IsADirectoryError:
        raise PlanError(f"'{path.name}' is a folder, not a project file.", hint="name the YAML file in it.") from None
    except UnicodeDecodeError:
        raise PlanError(f"{path.name} is not UTF-8 text.", hint="save the project as UTF-8.") from None
    except OSError as error:
        raise PlanError(f"{path.name} cannot be read ({error.strerror}).", hint="check its permissions.") from None


def _parsed(text: str, name: str) -> Any:
    """Return what a YAML text holds, with its lines; without anchors, so that all that is signed stands in its place.

    Raises
    ------
    PlanError
        It is no YAML, has anchors or aliases, or is nested too deeply.
    """
    text = text.removeprefix(_BOM)
    try:
        _refuse_depth(text, name)
        if any(sign in text for sign in ("&", "*", "<<")):
            _refuse_anchors(text, name)
        return YAML(typ="rt").load(text)
    except RecursionError:
        raise _too_deep(name) from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = name if mark is None else f"{name}:{mark.line + 1}"
        problem = (error.problem or "it cannot be parsed").split("\n")[0]
        if '"' in problem or "'" in problem:  # a message that repeats what stands there
            problem = problem.split('"')[0].split("'")[0].strip() or "it cannot be parsed"
        raise PlanError(
            f"this is not valid YAML: {problem}.", hint="check indentation, colons and repeated keys.", where=where
        ) from None
    except (YAMLError, ValueError, TypeError):  # ruamel does not always raise errors of its own
        raise PlanError(f"{name} is not valid YAML.", hint="check for control characters and odd dates.") from None


def _refuse_depth(text: str, name: str) -> None:
    """Refuse more brackets within each other than anybody writes, before a parser wears itself out on them."""
    depth = 0
    for bracket in _BRACKETS.findall(text):
        depth = max(0, depth + (1 if bracket in "[{" else -1))
        if depth > _DEEPEST:
            raise _too_deep(name)


def _too_deep(name: str) -> PlanError:
    return PlanError("this is nested too deeply for a project file.", where=name)


def _refuse_anchors(text: str, name: str) -> None:
    """Refuse what lets a few lines stand for a great many, or for others that nobody sees there."""
    for event in YAML(typ="rt").parse(StringIO(text)):
        is_merge = isinstance(event, ScalarEvent) and event.value == "<<" and event.style is None
        if is_merge or isinstance(event, AliasEvent) or getattr(event, "anchor", None) is not None:
            raise PlanError(
                "anchors, aliases and merges ('&', '*' and '<<') have no place in a project file.",
                hint="write out what is meant, or put quotes around the text.",
                where=f"{name}:{event.start_mark.line + 1}",
            )


def _record(text: str, name: str) -> Mapping[str, Any]:
    if not text:
        return {}
    found = _parsed(text, name)
    if not isinstance(found, Mapping) or list(found) != ["record"] or not isinstance(found["record"], Mapping):
        raise PlanError(
            "'record', which Celosía writes, must be the last part of the file.",
            hint="move what stands below it to above it, and leave 'record' as it was.",
            where=name,
        )
    told: Mapping[str, Any] = plain(found["record"])
    return told
