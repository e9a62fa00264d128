"""The risk of vertices against one kind of knowledge, from how many candidates it leaves for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.graphs.risk.links import LinkRisk
from celosia.measure.risk.base import figures_of


@dataclass(frozen=True)
class KnowledgeRisk:
    """The risk of the vertices of a graph against whoever knows one kind of thing about each of them.

    A figure that could not be had is ``None``, and ``reason`` says why.

    Attributes
    ----------
    name
        For programs: ``degree``, ``neighbours_2`` ...
    template, values
        What is known, a title for people in English with places such as ``{l}``, and what fills them.
    smallest
        The fewest candidates that are left for anybody.
    n_unique, share_unique
        Vertices for whom a single candidate is left.
    n_below_k, share_below_k
        Vertices for whom fewer than k are left.
    max, mean
        A vertex's risk is 1 / candidates.
    share_at_risk
        The share of vertices whose risk lies strictly above the threshold.
    links
        What the sets of candidates tell about links; ``None`` where knowledge does not part vertices into sets.
    reason
        Why a figure is missing: a sentence in English.
    """

    name: str
    template: str
    smallest: int | None = None
    n_unique: int | None = None
    share_unique: float | None = None
    n_below_k: int | None = None
    share_below_k: float | None = None
    max: float | None = None
    mean: float | None = None
    share_at_risk: float | None = None
    links: LinkRisk | None = None
    reason: str | None = None
    values: dict[str, int] = field(default_factory=dict, hash=False)

    @property
    def title(self) -> str:
        """What is known, in English."""
        return self.template.format(**self.values)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` prints them."""
        figures = {name: value for name, value in self.__dict__.items() if name not in ("template", "values", "links")}
        return figures | {"title": self.title, "links": None if self.links is None else self.links.to_dict()}


def risk_of_counts(
    name: str,
    template: str,
    candidates: NDArray[np.int64],
    n_vertices: NDArray[np.int64],
    k: int,
    threshold: Fraction,
    *,
    links: LinkRisk | None = None,
    values: dict[str, int] | None = None,
) -> KnowledgeRisk:
    """Return the figures where ``n_vertices[i]`` vertices are left with ``candidates[i]`` each. Sums are exact.

    Examples
    --------
    >>> sizes = np.array([1, 3])
    >>> found = risk_of_counts("degree", "Degree (H1)", sizes, sizes, 2, Fraction(1, 5))
    >>> found.n_unique, found.share_below_k, found.max, found.mean
    (1, 0.25, 1.0, 0.5)
    """
    figures = figures_of(n_vertices, candidates, threshold)
    if figures is None:
        return KnowledgeRisk(name, template, n_unique=0, n_below_k=0, links=links, values=values or {})
    n = int(n_vertices.sum())
    n_unique, n_below_k = (int(n_vertices[candidates < limit].sum()) for limit in (2, k))
    return KnowledgeRisk(
        name,
        template,
        smallest=int(candidates.min()),
        n_unique=n_unique,
        share_unique=n_unique / n,
        n_below_k=n_below_k,
        share_below_k=n_below_k / n,
        max=float(figures.max),
        mean=float(figures.mean),
        share_at_risk=float(figures.share_at_risk),
        links=links,
        values=values or {},
    )
