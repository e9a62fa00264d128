"""Entries of plan files: a thing is written as ``{name: options}``, or as its name alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celosia.base.errors import OptionError


def describe(thing: Any) -> dict[str, dict[str, Any]]:
    """Return an object as ``{name: options}``, as it stands in a plan file.

    Examples
    --------
    >>> from celosia.models import KAnonymity
    >>> describe(KAnonymity(5))
    {'k_anonymity': {'k': 5}}
    """
    return {thing.name: thing.to_dict()}


def parted(room: str, spec: object) -> tuple[str, dict[str, Any]]:
    """Return name and options of an entry ``{name: options}``, or of a name alone; ``room`` is said in the error.

    Examples
    --------
    >>> parted("models", {"k_anonymity": {"k": 5}})
    ('k_anonymity', {'k': 5})
    """
    if isinstance(spec, str):
        return spec, {}
    if isinstance(spec, Mapping) and len(spec) == 1:
        name, options = next(iter(spec.items()))
        if options is None:
            return str(name), {}
        if isinstance(options, Mapping):
            return str(name), {str(key): value for key, value in options.items()}
    raise OptionError(f"an entry of {room} must be one name with its options.", hint="write {name: {option: value}}.")
