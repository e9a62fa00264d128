"""How a ``Levels`` domain is put together from the groups that each level forms."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.data.hierarchies.domains import Levels, Style


@dataclass(frozen=True, eq=False)
class Level:
    """One level between the values and the root.

    Attributes
    ----------
    groups
        Per value the number of its group, counted from 0 in the order of the values.
    share
        Per group its loss.
    leaves
        Per group how many values of the hierarchy lie under it, or -1 where widths are measured.
    spell
        ``spell(group, style)``: the text of a group.

    Examples
    --------
    >>> Level(np.array([0, 0]), np.array([1.0]), np.array([2]), lambda group, style: "a / b").spell(0, Style())
    'a / b'
    """

    groups: NDArray[np.int64]
    share: NDArray[np.float64]
    leaves: NDArray[np.int64]
    spell: Callable[[int, Style], str] = field(repr=False)


def number_groups(keys: Sequence[Any]) -> NDArray[np.int64]:
    """Return the runs of equal neighbours, numbered from 0.

    Examples
    --------
    >>> number_groups(["a", "a", "b"]).tolist()
    [0, 0, 1]
    """
    starts = np.fromiter((left != right for left, right in pairwise(keys)), dtype=np.int64)
    return np.concatenate([np.zeros(min(len(keys), 1), dtype=np.int64), np.cumsum(starts)])


def leaf_share(leaves: NDArray[np.int64], n_leaves: int) -> NDArray[np.float64]:
    """Return the loss of nodes by what lies under them: (leaves - 1) / (n_leaves - 1), and 0 for a single leaf.

    Examples
    --------
    >>> leaf_share(np.array([1, 2, 3]), 3).tolist()
    [0.0, 0.5, 1.0]
    """
    return (leaves - 1) / max(n_leaves - 1, 1)


def assemble(
    kind: str,
    values: Sequence[Any],
    spell_value: Callable[[int, Style], str],
    levels: Sequence[Level],
    root: str,
    n_leaves: int = 0,
) -> Levels:
    """Stack the values, the levels above them (finest first) and the root into one domain.

    A column of fewer than two distinct values has nothing to lose: all its nodes cost 0.

    Parameters
    ----------
    kind
        The name of the hierarchy kind.
    values
        The distinct values in leaf order.
    spell_value
        ``spell_value(code, style)``: the text of a value.
    levels
        The levels between values and root.
    root
        The text of the root.
    n_leaves
        How many values the hierarchy has; 0 where widths are measured.

    Examples
    --------
    >>> pair = Level(np.array([0, 0, 1]), np.array([0.5, 0.0]), np.array([2, 1]), lambda group, style: "ab"[group])
    >>> domain = assemble("tree", "xyz", lambda code, style: "xyz"[code], [pair], "*", 3)
    >>> domain.nodes.tolist(), domain.share.tolist()
    ([[0, 1, 2], [3, 3, 4], [5, 5, 5]], [0.0, 0.0, 0.0, 0.5, 0.0, 1.0])
    """
    n_values = len(values)
    n_roots = min(n_values, 1)
    one = 1 if n_leaves else -1
    codes = np.arange(n_values)
    stack = [
        Level(codes, np.zeros(n_values), np.full(n_values, one), spell_value),
        *levels,
        Level(np.zeros_like(codes), np.ones(n_roots), np.full(n_roots, n_leaves or -1), lambda group, style: root),
    ]
    offsets = np.cumsum([0] + [len(level.share) for level in stack]).tolist()

    def spell(node: int, style: Style) -> str:
        depth = bisect_right(offsets, node) - 1
        return stack[depth].spell(node - offsets[depth], style)

    share = np.concatenate([level.share for level in stack])
    return Levels(
        kind=kind,
        values=values,
        nodes=np.stack([level.groups + offset for level, offset in zip(stack, offsets, strict=False)]).astype(np.int32),
        share=share if n_values > 1 else np.zeros_like(share),
        leaves=np.concatenate([level.leaves for level in stack]).astype(np.int64),
        n_leaves=n_leaves,
        spell=spell,
    )


def ancestors_of(domain: Levels, style: Style = Style()) -> dict[str, list[str]]:
    """Return for each value's text the labels of its nodes from level 1 up to the root.

    Examples
    --------
    >>> from celosia.data.hierarchies import Prefix
    >>> ancestors_of(Prefix(keep=[2]).fit(["37003"], "zipcode"))
    {'37003': ['37***', '*****']}
    """
    labels = [domain.spell(node, style) for node in range(len(domain.share))]
    return {labels[path[0]]: [labels[node] for node in path[1:]] for path in domain.nodes.T.tolist()}
