"""Lazy names: what a package offers is loaded when it is first asked for, so that importing it takes no time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["lazy"]


def lazy(
    package: str, names_in: Mapping[str, Sequence[str]], rooms: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package whose names lie in other modules.

    Parameters
    ----------
    package
        The package.
    names_in
        The modules of Celosía, and the names that each of them offers here.
    rooms
        Whole modules, by the name that they have here.

    Examples
    --------
    >>> get, names, _ = lazy("celosia.data", {"base.errors": ["InputError"]})
    >>> names(), get("InputError").__name__
    (['InputError'], 'InputError')
    """
    module_of = {name: f"celosia.{module}" for module, names in names_in.items() for name in names}
    rooms = rooms or {}
    public = sorted([*module_of, *rooms])

    def get(name: str) -> Any:
        if name in rooms:
            return import_module(f"celosia.{rooms[name]}")
        if name not in module_of:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        found = getattr(import_module(module_of[name]), name)
        setattr(import_module(package), name, found)
        return found

    return get, lambda: list(public), public
