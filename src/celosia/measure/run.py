"""Run: an outcome with what was asked, what is promised, and what the verifier said.

It lies here and not in ``jobs/`` because findings and the report take one, and a room imports only from rooms above.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from celosia.data.outcome import Judged, TableOutcome

if TYPE_CHECKING:
    from celosia.measure.utility.lower_bound import LowerBound


@dataclass(frozen=True, eq=False, kw_only=True)
class Run(TableOutcome, Judged):
    """What came of a plan on a table, and how it was judged.

    Attributes
    ----------
    plan
        What was asked: ``celosia.measure.terms.Terms``.
    looked_for
        The lower bound of the loss that was looked for or proved; ``unasked`` where the plan left it open.
    """

    plan: Any  # Terms; not said so, since sections of the report read options that only some models have
    looked_for: LowerBound | Literal["unasked"] | None = "unasked"
