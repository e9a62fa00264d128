"""Accepted findings written into the people's part of a project file, line by line, so that all else stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from celosia.apps.dossier.case import Acceptance, StepName
from celosia.apps.project.canonical import plain
from celosia.apps.project.file import Stored
from celosia.base.errors import InputError
from celosia.base.yaml import laid_out

_EMPTY = re.compile(r"^(\s*accepted[ \t]*:)[ \t]*(?:\[[ \t]*\]|~|null)?([ \t]*(?:#.*)?)$")


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
        _put(lines, stored, step, section, f"- {flow(entry)}")
        text = "\n".join(lines)
        if _steps_in(text) == _expected(stored, step, entry):
            return text
    except (AttributeError, KeyError, IndexError, ValueError, TypeError):
        pass
    raise InputError(
        f"step '{step}' is written in a way into which no line can be put.",
        hint=f"write it by hand, under 'accepted:' of the step: - {flow(entry)}",
    )


def flow(value: Any) -> str:
    """Spell a value in one line of YAML, quoted where it needs to be.

    Examples
    --------
    >>> flow({"by": "Ana: DPO", "n": 2})
    '{by: "Ana: DPO", n: 2}'
    """
    writer = YAML(typ="rt")
    writer.default_flow_style = True
    writer.width = 2**30
    stream = StringIO()
    writer.dump({"": laid_out(plain(value), 0)}, stream)
    return stream.getvalue().strip().removeprefix("{'': ").removesuffix("}")


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
    return plain(YAML(typ="rt").load(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")))


def _expected(stored: Stored, step: StepName, entry: Mapping[str, Any]) -> Any:
    """Return what the file must say with the entry in its place."""
    told: dict[str, Any] = plain(stored.top.content)
    steps = told["steps"] = told.get("steps") or CommentedMap()
    own = steps[step] = steps.get(step) or {}
    own["accepted"] = [dict(entry), *(own.get("accepted") or [])]
    return told
