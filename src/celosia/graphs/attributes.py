"""Attributes of vertices, masked as the columns of a table are: made coarser by hierarchies, dropped, recoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from celosia.base.errors import InputError, OptionError
from celosia.base.findings import Finding
from celosia.graphs.graph import Graph
from celosia.masks.base import Mask

_SHARE_ALONE = 0.9
_FEWEST_WITH_TEXTS, _FEWEST_WITH_NUMBERS = 3, 20
"""Vertices. Of few, measures such as ages may all be different, and name nobody."""


def masked(graph: Graph, masks: Sequence[Mask]) -> Graph:
    """Return the graph with masks applied to the attributes of its vertices, in their order.

    So attributes are known at a level of a hierarchy: ``Generalise`` takes every kind that tables have. Models that
    name the attribute then count vertices equal in what is left of it and in structure.

    Raises
    ------
    OptionError
        It is no list of masks.
    InputError
        A mask would remove vertices, or an attribute is not there.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.masks import Generalise
    >>> from celosia.graphs.models import DegreeAnonymity
    >>> square = Graph.of_edges([0, 1, 2, 3], [1, 2, 3, 0], vertices=pl.DataFrame({"age": [31, 34, 38, 36]}))
    >>> model = DegreeAnonymity(2, attributes=("age",))
    >>> coarser = masked(square, [Generalise(column="age", intervals={"width": 5})])
    >>> model.judge(square).strongest_k, model.judge(coarser).strongest_k
    (1, 2)
    """
    if not isinstance(masks, list | tuple) or not all(isinstance(mask, Mask) for mask in masks):
        raise OptionError("masks must be a list of masks.", hint="such as [Generalise(column='age', ...)].")
    vertices = graph.vertices
    for mask in masks:
        vertices = mask.apply(vertices)
        if vertices.height != graph.n_vertices:
            raise InputError(
                f"{mask.name} would remove vertices.", hint="mask attributes only; take vertices out of the file."
            )
    findings = tuple(found for found in graph.findings if not _is_mended(found, vertices))
    return replace(graph, vertices=vertices, findings=findings)


def identifying(graph: Graph) -> list[Finding]:
    """Tell of attributes of vertices that are as good as a name.

    Examples
    --------
    >>> people = pl.DataFrame({"dni": ["1A", "2B", "3C"], "sex": ["f", "m", "f"]})
    >>> [found.column for found in identifying(Graph.of_edges([0, 1], [1, 2], vertices=people))]
    ['dni']
    """
    return [
        Finding(
            "IDENTIFYING_ATTRIBUTE",
            "warning",
            "The attribute '{column}' has a value of its own on {n_alone} of {n_vertices} vertices: it names them. "
            "Drop it before you publish.",
            column.name,
            {"n_alone": _n_alone(column), "n_vertices": graph.n_vertices},
        )
        for column in graph.vertices.get_columns()
        if _is_name(column)
    ]


def _is_name(column: pl.Series) -> bool:
    """Say whether nearly all vertices have a text of their own, or a whole number where they are not few."""
    n_least = _FEWEST_WITH_TEXTS if column.dtype == pl.String else _FEWEST_WITH_NUMBERS
    if len(column) < n_least or column.dtype == pl.Boolean or column.dtype.is_nested():
        return False
    if column.dtype.is_float() and not column.drop_nulls().map_elements(float.is_integer, pl.Boolean).all():
        return False  # measured
    return _n_alone(column) >= _SHARE_ALONE * len(column)


def _n_alone(column: pl.Series) -> int:
    return int(column.drop_nulls().is_unique().sum())


def _is_mended(finding: Finding, vertices: pl.DataFrame) -> bool:
    """Say whether a finding tells of an attribute that named vertices, and no longer does."""
    if finding.code != "IDENTIFYING_ATTRIBUTE" or finding.column is None:
        return False
    return finding.column not in vertices.columns or not _is_name(vertices[finding.column])
