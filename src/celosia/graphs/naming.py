"""Graph models by their names: what a piece of YAML on the command line stands for."""

from __future__ import annotations

import inspect
import re

from celosia.base.entries import parted
from celosia.base.errors import OptionError, nearest
from celosia.graphs import models
from celosia.graphs.judging import GraphModel
from celosia.graphs.models import ClosedTwinAnonymity, DegreeAnonymity, KLAnonymity, NeighbourhoodAnonymity

_HINT = "such as '{kl_anonymity: {k: 2, l: 2, view: neighbours}}'."


def graph_models() -> dict[str, type]:
    """Return the models by their names: all that ``celosia.graphs.models`` lists.

    Examples
    --------
    >>> sorted(graph_models())
    ['closed_twin_anonymity', 'degree_anonymity', 'kl_anonymity', 'neighbourhood_anonymity']
    """
    members = (getattr(models, name) for name in models.__all__)
    return {member.name: member for member in members if isinstance(member, type) and hasattr(member, "name")}


def model_of(text: str) -> GraphModel:
    """Return the graph model that a piece of YAML stands for.

    Raises
    ------
    OptionError
        The name or an option is unknown, or an option has a value that is not allowed.

    Examples
    --------
    >>> model_of("{degree_anonymity: {k: 3}}")
    DegreeAnonymity(k=3, attributes=())
    """
    from celosia.base.yaml import piece  # here: only the command line writes models as text

    return model_from(piece(text, OptionError("a model of graphs is a piece of YAML.", hint=_HINT)))


def model_from(spec: object) -> GraphModel:
    """Return the graph model that an entry of a plan stands for: ``{name: options}``.

    Raises
    ------
    OptionError
        The name or an option is unknown, or an option has a value that is not allowed.

    Examples
    --------
    >>> model_from({"degree_anonymity": {"k": 3}})
    DegreeAnonymity(k=3, attributes=())
    """
    name, options = parted("graph models", spec)
    known = graph_models()
    if name not in known:
        raise OptionError(f"{_repeated(name)} is not a model of graphs.", hint=nearest(name, known))
    signature = inspect.signature(known[name]).parameters
    for option in options:
        if option not in signature:
            raise OptionError(f"{name} has no option {_repeated(option)}.", hint=nearest(option, signature))
    for option, parameter in signature.items():
        if parameter.default is parameter.empty and option not in options:
            raise OptionError(f"{name} needs the option '{option}'.", hint=f"options: {', '.join(signature)}.")
    made: GraphModel = known[name](**options)
    return made


def models_at(k: int, attributes: tuple[str, ...] = ()) -> list[GraphModel]:
    """Return the models that have no parameter but k: neighbourhood, closed twins and degree.

    Examples
    --------
    >>> [model.name for model in models_at(3)]
    ['neighbourhood_anonymity', 'closed_twin_anonymity', 'degree_anonymity']
    """
    kinds: tuple[type, ...] = (NeighbourhoodAnonymity, ClosedTwinAnonymity, DegreeAnonymity)
    return [kind(k, attributes) for kind in kinds]


def every_model(attributes: tuple[str, ...] = ()) -> list[GraphModel]:
    """Return every model with its least parameters, to measure a graph of which nothing is demanded.

    Known vertices are no candidates: only so the strongest k bounds the chance to be found.

    Examples
    --------
    >>> [model.to_dict() for model in every_model()][-1]
    {'k': 2, 'l': 1, 'view': 'neighbours', 'exclude_known': True}
    """
    kind: type = KLAnonymity
    views = [kind(2, 1, view, exclude_known=True, attributes=attributes) for view in ("rows", "neighbours")]
    return [*models_at(2, attributes), *views]


def _repeated(written: str) -> str:
    """Return what was written in quotes; what is no name is not repeated."""
    return f"'{written}'" if re.fullmatch(r"[\w-]+", written) else "what was written"
