"""Names and objects: ``{name: options}`` in plan files, classes in Python.

A room's ``__all__`` is the whole list: a new model, mask, algorithm or hierarchy that is named there is known here, in
the command line and in the contract tests.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from celosia import masks, models
from celosia import search as algorithms
from celosia.base.entries import parted
from celosia.base.errors import OptionError, nearest
from celosia.data import hierarchies
from celosia.measure import risk, utility

ROOMS: Mapping[str, ModuleType] = {
    "models": models,
    "masks": masks,
    "algorithms": algorithms,
    "utility": utility,
    "risk": risk,
    "hierarchies": hierarchies,
}


def classes_in(room: str) -> dict[str, type]:
    """Return the classes of a room by their names in plan files.

    Examples
    --------
    >>> sorted(classes_in("models"))[:4]
    ['alpha_k', 'average_risk', 'beta_likeness', 'delta_disclosure']
    """
    if room not in ROOMS:
        raise OptionError(f"there is no room '{room}'.", hint=nearest(room, ROOMS))
    members = (getattr(ROOMS[room], name) for name in ROOMS[room].__all__)
    return {member.name: member for member in members if isinstance(member, type) and hasattr(member, "name")}


@dataclass(frozen=True)
class Entry:
    """One thing of a room: its name in plan files and in Python, its options, and the sentence that says what it is."""

    name: str
    python: str
    options: tuple[str, ...]
    summary: str

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dict."""
        return {"name": self.name, "python": self.python, "options": list(self.options), "summary": self.summary}


def entries(room: str) -> list[Entry]:
    """Return everything a room offers: classes by their plan names, measures by their function names.

    Examples
    --------
    >>> [entry.name for entry in entries("risk")][-3:]
    ['suda', 'weighted', 'zayatz']
    """
    things: dict[str, Callable[..., Any]] = dict(classes_in(room)) or {
        name: member for name in ROOMS[room].__all__ if inspect.isfunction(member := getattr(ROOMS[room], name))
    }
    return [
        Entry(
            name,
            thing.__name__,
            tuple(inspect.signature(thing).parameters),
            (inspect.getdoc(thing) or "").split("\n")[0],
        )
        for name, thing in things.items()
    ]


def build(room: str, spec: object) -> Any:
    """Return the object that ``name`` or ``{name: options}`` stands for.

    Raises
    ------
    OptionError
        The name or an option is unknown, or an option has a value that is not allowed.

    Examples
    --------
    >>> build("models", {"k_anonymity": {"k": 5}})
    KAnonymity(k=5)
    """
    name, options = parted(room, spec)
    known = classes_in(room)
    if name not in known:
        _check_name(name, f"the name of one of the {room}")
        raise OptionError(f"'{name}' is not one of the {room}.", hint=nearest(name, known))
    kind = known[name]
    allowed = list(inspect.signature(kind).parameters)
    for option in options:
        if option not in allowed:
            _check_name(option, f"an option of {name}")
            raise OptionError(
                f"{name} has no option '{option}'.",
                hint=nearest(option, allowed) if allowed else f"{name} takes no options.",
            )
    required = [
        key
        for key, parameter in inspect.signature(kind).parameters.items()
        if parameter.default is parameter.empty and key not in options
    ]
    if required:
        raise OptionError(f"{name} needs the option '{required[0]}'.", hint=f"options: {', '.join(allowed)}.")
    return kind(**options)


def _check_name(written: str, wanted: str) -> None:
    """Refuse what is no name without repeating it: ``key:SECRET`` without a blank is all one name to YAML."""
    if not re.fullmatch(r"[\w-]+", written):
        raise OptionError(
            f"what stands in the place of {wanted} is no name; it is not repeated here, since it may hold a secret.",
            hint="write a blank after each colon: {name: {option: value}}.",
        )
