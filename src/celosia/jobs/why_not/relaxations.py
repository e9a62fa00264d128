"""Relaxation: a change of a plan that makes its demand reachable, and its price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from celosia.jobs.plan import Plan

Kind = Literal[
    "smaller_k",
    "more_suppression",
    "weaker_model",
    "drop_model",
    "drop_column",
    "wider_levels",
    "other_algorithm",
    "several",
]


@dataclass(frozen=True)
class Relaxation:
    """A change that makes a demand reachable, and its price by a quick search.

    Attributes
    ----------
    kind
        ``smaller_k``, ``more_suppression``, ``weaker_model``, ``drop_model``, ``drop_column``, ``wider_levels``,
        ``other_algorithm`` or ``several``.
    message
        The change in words.
    change
        The change for programs: the model, its option and the new value; the column; the share of rows.
    plan
        The changed plan: ``relaxation.plan.run(table)`` gives a release.
    gcp
        The information lost; a dropped column is lost whole.
    k, n_suppressed, n_rows, n_classes
        The people in the smallest class, the rows left out of all rows, the classes.
    """

    kind: Kind
    message: str
    change: Mapping[str, Any]
    plan: Plan = field(repr=False)
    gcp: float
    k: int
    n_suppressed: int
    n_rows: int
    n_classes: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the plan, as ``--json`` prints it."""
        return {
            "kind": self.kind,
            "message": self.message,
            "change": dict(self.change),
            "gcp": self.gcp,
            "k": self.k,
            "n_suppressed": self.n_suppressed,
            "n_rows": self.n_rows,
            "n_classes": self.n_classes,
        }


def priced(kind: Kind, message: str, change: Mapping[str, Any], plan: Plan, figures: Mapping[str, Any]) -> Relaxation:
    """Return a change with its price."""
    return Relaxation(
        kind=kind,
        message=message,
        change=change,
        plan=plan,
        gcp=figures["gcp"],
        k=figures["k"],
        n_suppressed=figures["n_suppressed"],
        n_rows=figures["n_rows"],
        n_classes=figures["n_classes"],
    )
