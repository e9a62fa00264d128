"""Ways to publish a graph other than edits that meet models: super-graphs, and perturbation by chance."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from celosia.base.entries import parted
from celosia.base.errors import OptionError, nearest
from celosia.graphs.models.base import checked_attributes, checked_number
from celosia.jobs.graphs.perturbation import checked_share, perturbed
from celosia.jobs.graphs.super_graphs import checked_weights, super_graph
from celosia.jobs.plan_file import hierarchy_from

METHODS: Mapping[str, Callable[..., Any]] = {"super_graph": super_graph, "perturbation": perturbed}
"""What makes a release of a graph, by the name it has in plans."""
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "super_graph": ("k", "attributes", "weights"),
    "perturbation": ("share", "keep_edges"),
}


@dataclass(frozen=True)
class Method:
    """A method and its options, as a plan names them.

    Examples
    --------
    >>> from celosia.graphs.graph import Graph
    >>> Method("super_graph", {"k": 2}).run(Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0])).n_clusters
    2
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def run(self, graph: Any, **more: Any) -> Any:
        """Publish a graph; ``more`` is what is not the method's own: masks, drop, seed, progress."""
        return METHODS[self.name](graph, **self.options, **more)


def method_from(spec: object, folder: Path = Path()) -> Method:
    """Return the method that an entry of a plan stands for: ``{name: options}``.

    Raises
    ------
    OptionError
        The name or an option is unknown, or an option has a value that is not allowed.

    Examples
    --------
    >>> method_from({"perturbation": {"share": 0.1}})
    Method(name='perturbation', options={'share': 0.1})
    """
    name, options = parted("methods", spec)
    if name not in METHODS:
        raise OptionError("this is not a method of graphs.", hint=nearest(name, METHODS), about="method")
    signature = inspect.signature(METHODS[name]).parameters
    for option in options:
        if option not in _OPTIONS[name]:
            raise OptionError(
                f"{name} has no option of this name.", hint=nearest(option, _OPTIONS[name]), about="method"
            )
    for option in _OPTIONS[name]:
        if signature[option].default is inspect.Parameter.empty and option not in options:
            raise OptionError(
                f"{name} needs the option '{option}'.", hint=f"options: {', '.join(_OPTIONS[name])}.", about="method"
            )
    return Method(name, {option: _checked(option, value, folder) for option, value in options.items()})


def _checked(option: str, value: Any, folder: Path) -> Any:
    if option == "k":
        return checked_number(value, "k", 2, "k = 1 hides nobody.")
    if option == "share":
        return checked_share(value)
    if option == "weights":
        return checked_weights(value)
    if option == "attributes":
        return _attributes(value, folder)
    if not isinstance(value, bool):
        raise OptionError(f"{option} must be true or false.", hint="write true or false.", about=option)
    return value


def _attributes(value: Any, folder: Path) -> Any:
    """Return names of attributes, or names with their kinds and hierarchies."""
    if not isinstance(value, Mapping):
        return checked_attributes(value)
    return {str(name): hierarchy_from(kind, folder) for name, kind in value.items()}
