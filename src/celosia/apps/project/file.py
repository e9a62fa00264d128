"""The project file: what people wrote, kept to the letter, and the record that Celosía writes below it."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.events import AliasEvent, ScalarEvent

from celosia.apps.dossier.case import Acceptance, StepName
from celosia.apps.project.record import plain
from celosia.base.errors import InputError, PlanError
from celosia.base.yaml import Section, events, in_lines, in_one_line, loaded, telling, unreadable
from celosia.data.io.durable import fresh_file

if sys.platform != "win32":
    import fcntl

_RECORD = re.compile(r"^record[ \t]*:", re.MULTILINE)
_EMPTY = re.compile(r"^(\s*accepted[ \t]*:)[ \t]*(?:\[[ \t]*\]|~|null)?([ \t]*(?:#.*)?)$")
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
    return in_lines({"record": plain(record)}, _BLOCK_LEVELS + 1)


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
    except (OSError, UnicodeDecodeError) as error:
        absent = "check the path, or make one: celosia project new."
        raise unreadable(error, path.name, "project", path.name, absent) from None


def _parsed(text: str, name: str) -> Any:
    """Return what a YAML text holds, with its lines; without anchors, so that all that is signed stands in its place.

    Raises
    ------
    PlanError
        It is no YAML, has anchors or aliases, or is nested too deeply.
    """
    text = text.removeprefix(_BOM)
    usual, odd = "indentation, colons and repeated keys", "control characters and odd dates"
    try:
        with telling(name, usual, odd, _without_quoted):
            _refuse_depth(text, name)
            if any(sign in text for sign in ("&", "*", "<<")):
                _refuse_anchors(text, name)
            return loaded(text)
    except RecursionError:
        raise _too_deep(name) from None


def _without_quoted(problem: str) -> str:
    """Return a parser's words up to where they repeat what stands in the file."""
    return re.split("[\"']", problem)[0].strip()


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
    for event in events(text):
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


def with_acceptance(stored: Stored, step: StepName, acceptance: Acceptance) -> str:
    """Return the people's part of a file with a further accepted finding in a step.

    Raises
    ------
    InputError
        The step is written in a way into which no line can be put; the message tells what to write by hand.
    """
    told = {"finding": acceptance.code, "column": acceptance.column, "by": acceptance.by, "reason": acceptance.reason}
    entry = {key: own for key, own in told.items() if own is not None}
    lines = stored.people.split("\n")
    section = (stored.top.get("steps") or {}).get(step)
    try:
        _put(lines, stored, step, section, f"- {in_one_line(entry)}")
        text = "\n".join(lines)
        if _steps_in(text) == _expected(stored, step, entry):
            return text
    except (AttributeError, KeyError, IndexError, ValueError, TypeError):
        pass
    raise InputError(
        f"step '{step}' is written in a way into which no line can be put.",
        hint=f"write it by hand, under 'accepted:' of the step: - {in_one_line(entry)}",
    )


def _put(lines: list[str], stored: Stored, step: StepName, section: Any, entry: str) -> None:
    """Put an entry under the step's list, which is begun where there is none."""
    end = "\r" if lines[0].endswith("\r") else ""
    if section is None or not len(section):
        line, column = stored.top.get("steps").lc.key(step)
        if lines[line].split("#")[0].rstrip().endswith((":", "{}")):
            lines[line] = lines[line].replace("{}", "", 1)
        indent = " " * (column + 2)
        lines[line + 1 : line + 1] = [f"{indent}accepted:{end}", f"{indent}  {entry}{end}"]
    elif "accepted" not in section:
        line, column = section.lc.key(next(iter(section)))
        indent = " " * column
        lines[line:line] = [f"{indent}accepted:{end}", f"{indent}  {entry}{end}"]
    else:
        line, column = section.lc.key("accepted")
        bare = _EMPTY.match(lines[line].removesuffix("\r"))
        if section["accepted"]:
            line, place = section["accepted"].lc.item(0)
            indent = " " * lines[line][:place].rindex("-")
        elif bare:
            lines[line] = f"{bare[1]}{bare[2]}{end}"
            line, indent = line + 1, " " * (column + 2)
        else:
            raise ValueError
        lines.insert(line, f"{indent}{entry}{end}")


def _steps_in(text: str) -> Any:
    return plain(loaded(text.removeprefix(_BOM)))


def _expected(stored: Stored, step: StepName, entry: Mapping[str, Any]) -> Any:
    """Return what the file must say with the entry in its place."""
    told: dict[str, Any] = plain(stored.top.content)
    steps = told["steps"] = told.get("steps") or CommentedMap()
    own = steps[step] = steps.get(step) or {}
    own["accepted"] = [dict(entry), *(own.get("accepted") or [])]
    return told
