"""Point: what one search gives for one k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Point:
    """What one search loses and risks for one k, or why it does not reach it. Nothing was published or audited.

    Attributes
    ----------
    k
        How many people were asked for in every class; 1 where a plan asks for no k.
    algorithm
        The search, as it stands in a plan file: ``{name: options}``.
    max_suppression
        The share of the rows that might be suppressed.
    reached_k
        The number of people in the smallest class.
    gcp, gcp_published
        The information lost, suppressed rows counted as lost; and over the published rows alone.
    suppressed
        The share of the rows that was suppressed.
    n_classes
        How many classes there are.
    risk
        The prosecutor risk: ``max``, ``mean``, ``share_at_risk``.
    seconds
        The search alone.
    reason
        Why the demand is out of reach, or ``None``; all figures are ``None`` then.

    Examples
    --------
    >>> point = Point(5, {"mondrian": {}}, 0.0, reason="the table has 3 rows.")
    >>> point.name, point.is_reached
    ('mondrian', False)
    """

    k: int
    algorithm: Mapping[str, Any]
    max_suppression: float
    reached_k: int | None = None
    gcp: float | None = None
    gcp_published: float | None = None
    suppressed: float | None = None
    n_classes: int | None = None
    risk: Mapping[str, float | None] | None = None
    seconds: float | None = None
    reason: str | None = None

    @property
    def name(self) -> str:
        """The name of the search."""
        return next(iter(self.algorithm))

    @property
    def is_reached(self) -> bool:
        """Whether the demand is met."""
        return self.reason is None

    @property
    def loss(self) -> float:
        """The information lost; everything where the demand is out of reach."""
        return 1.0 if self.gcp is None else self.gcp

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as ``--json`` prints them."""
        return asdict(self)
