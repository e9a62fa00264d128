"""Attributes of vertices, masked as the columns of a table are: made coarser by hierarchies, dropped, recoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from celosia.errors import InputError, OptionError
from celosia.findings import Finding
from celosia.graphs.graph import Graph
from celosia.masks.base import Mask

__all__ = ["identifying", "masked"]


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
            "The attribute '{column}' is different on every vertex: it names them. Drop it before you publish.",
            column.name,
        )
        for column in graph.vertices.get_columns()
        if column.dtype == pl.String
        and graph.n_vertices > 2
        and column.n_unique() == graph.n_vertices
        and not column.null_count()
    ]


def _is_mended(finding: Finding, vertices: pl.DataFrame) -> bool:
    """Say whether a finding tells of an attribute that named every vertex, and no longer does."""
    if finding.code != "IDENTIFYING_ATTRIBUTE" or finding.column is None:
        return False
    return finding.column not in vertices.columns or vertices[finding.column].n_unique() < vertices.height
