"""Which vertex of the edited graph is which of the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import InputError, OptionError
from celosia.graphs.graph import Graph

_HINT = 'give "order", "names", "none", a mapping of names, or a place in the edited graph per vertex (-1: gone).'


def matched(before: Graph, after: Graph, matching: Any = None) -> tuple[NDArray[np.int64] | None, str]:
    """Return the place in ``after`` of every vertex of ``before`` (-1: gone) or ``None``, and how it is known.

    Parameters
    ----------
    matching
        ``None``: by what a graph that ``run`` made knows of its original; otherwise by order if the names are the same
        in the same order; otherwise not at all. ``"order"``, ``"names"``
        (a name that is in one graph alone has no partner) or ``"none"``. A mapping from names before to names after. Or
        a whole number per vertex.

    Raises
    ------
    InputError
        Vertices do not agree with the matching.
    OptionError
        The matching is none of these.

    Examples
    --------
    >>> path = Graph.of_edges([0, 1], [1, 2])
    >>> matched(path, path)
    (array([0, 1, 2]), 'order')
    """
    if matching is None and after.origin is not None and set(after.origin) == set(before.names):
        matching = dict(zip(after.origin, after.names, strict=True))
    if matching is None:
        matching = "order" if before.names.equals(after.names, check_dtypes=True) else "none"
    if isinstance(matching, str):
        return _by_word(before, after, matching)
    if isinstance(matching, Mapping):
        return _checked(_by_names(before, after, matching), before, after), "given"
    if isinstance(matching, Sequence | np.ndarray):
        return _checked(np.asarray(matching), before, after), "given"
    raise OptionError("the matching is none that is known.", hint=_HINT, about="matching")


def _by_word(before: Graph, after: Graph, word: str) -> tuple[NDArray[np.int64] | None, str]:
    if word == "none":
        return None, word
    if word == "names":
        there = set(after.names.to_list())
        same = {name: name for name in before.names.to_list() if name in there}
        return _checked(_by_names(before, after, same), before, after), word
    if word != "order":
        raise OptionError("the matching is none that is known.", hint=_HINT, about="matching")
    if before.n_vertices != after.n_vertices:
        raise InputError(
            f"the graphs have {before.n_vertices} and {after.n_vertices} vertices; by order they cannot be matched.",
            hint=_HINT,
        )
    return np.arange(before.n_vertices, dtype=np.int64), word


def _by_names(before: Graph, after: Graph, mapping: Mapping[Any, Any]) -> NDArray[np.int64]:
    """Return places by names; names without a partner are gone."""
    place = {name: i for i, name in enumerate(after.names.to_list())}
    known = set(before.names.to_list())
    n_strange = sum(name not in known for name in mapping) + sum(name not in place for name in mapping.values())
    if n_strange:
        raise InputError(f"the matching has {n_strange} names that are no vertices.", hint=_HINT)
    return np.array(
        [place[mapping[name]] if name in mapping else -1 for name in before.names.to_list()], dtype=np.int64
    )


def _checked(places: NDArray[Any], before: Graph, after: Graph) -> NDArray[np.int64]:
    there = places[places >= 0] if np.issubdtype(places.dtype, np.integer) else None
    if (
        there is None
        or places.shape != (before.n_vertices,)
        or int(places.min(initial=-1)) < -1
        or int(there.max(initial=-1)) >= after.n_vertices
        or len(np.unique(there)) < len(there)
    ):
        if not before.n_vertices and not len(places):
            return np.zeros(0, dtype=np.int64)
        raise InputError("the matching does not give every vertex a place of its own, or -1.", hint=_HINT)
    return places.astype(np.int64)
