"""Assessment: what a table's risk is in every scenario, against the threshold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from celosia.base.fields import Result
from celosia.base.findings import Finding
from celosia.measure.risk.reading import fraction_text
from celosia.models.secrets import percent

if TYPE_CHECKING:
    from celosia.measure.risk.situation import Situation


@dataclass(frozen=True)
class ScenarioResult(Result):
    """One scenario: ``risk = attempt * the data's risk``, and whether that is accepted; ``None`` if undefined."""

    name: str
    label: str
    attempt: Fraction
    risk: Fraction | None
    holds: bool | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` prints them."""
        exact = {"attempt": fraction_text(self.attempt), "risk": fraction_text(self.risk)}
        return super().to_dict() | {"exact": exact}


@dataclass(frozen=True)
class Assessment:
    """The risk of a table or release in a situation. Made by ``Situation.assess``; ``None`` is undefined, not zero.

    Attributes
    ----------
    situation
        What it was judged by.
    data_risk
        The worst single record: 1 / people in the smallest class, insiders counted out (``max_record_risk``).
    mean
        The mean of 1 / people over the rows, insiders counted out. It is shown and never decides.
    k
        The people in the smallest class.
    results
        Each scenario.
    n_rows, n_rows_above, n_rows_below_floor
        The rows; those whose own risk is not accepted in the worst scenario; those in classes below the floor.
    """

    situation: Situation
    data_risk: Fraction | None
    mean: Fraction | None
    k: int | None
    results: tuple[ScenarioResult, ...]
    n_rows: int = 0
    n_rows_above: int = 0
    n_rows_below_floor: int = 0

    @property
    def overall(self) -> Fraction | None:
        """The greatest risk of all scenarios."""
        return None if self.data_risk is None else self.situation.attempt * self.data_risk

    @property
    def threshold(self) -> Fraction:
        """The risk that is accepted."""
        return self.situation.accepted

    @property
    def strict(self) -> bool:
        """Whether the risk must lie below the threshold; at the threshold is enough otherwise."""
        return self.situation.strict

    @property
    def minimal_k(self) -> int:
        """The fewest people in the smallest class with which the situation is met."""
        return self.situation.minimal_k

    @property
    def holds(self) -> bool | None:
        """Whether the overall risk is accepted and the smallest class is not below the floor."""
        if self.overall is None or self.k is None:
            return None
        return self.situation.accepts(self.overall) and self.k >= self.situation.floor

    @property
    def reasons(self) -> list[str]:
        """Why it does not hold, in English."""
        return [finding.message for finding in risk_findings(self)]

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the result takes for granted, to be shown beside it."""
        return self.situation.assumptions

    def to_dict(self) -> dict[str, Any]:
        """Return everything as ``--json`` prints it: numbers, and under ``exact`` the fractions behind them."""
        figures = {"max_record_risk": self.data_risk, "mean": self.mean, "overall": self.overall}
        return {
            **{name: None if figure is None else float(figure) for name, figure in figures.items()},
            "threshold": float(self.threshold),
            "exact": {name: fraction_text(one) for name, one in (figures | {"threshold": self.threshold}).items()},
            "harm": self.situation.harm,
            "strict": self.strict,
            "k": self.k,
            "minimal_k": self.minimal_k,
            "floor": self.situation.floor,
            "insiders": self.situation.insiders,
            "scenarios": [result.to_dict() for result in self.results],
            "holds": self.holds,
            "n_rows": self.n_rows,
            "n_rows_above": self.n_rows_above,
            "n_rows_below_floor": self.n_rows_below_floor,
            "reasons": self.reasons,
            "assumptions": list(self.assumptions),
        }


def risk_findings(assessment: Assessment) -> list[Finding]:
    """Return what is to be said where a situation is not met: nothing if it is, or if the risk is undefined.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> from celosia.measure.risk.situation import Situation
    >>> found = Situation([PublicRelease()], threshold="0.2").assess(Classes([0, 0, 0, 0]))
    >>> [finding.code for finding in risk_findings(found)]
    ['RISK_ABOVE_THRESHOLD']
    """
    overall, k = assessment.overall, assessment.k
    found: list[Finding] = []
    if overall is None or k is None:
        return found
    if not assessment.situation.accepts(overall):
        found.append(
            Finding(
                "RISK_ABOVE_THRESHOLD",
                "warning",
                "The greatest risk of re-identification over all scenarios is {risk}; the threshold is {threshold}, "
                "and {count} rows do not keep to it. Classes of at least {k} people would do. Ask for that k, or put "
                "more controls in place so that an attempt is less probable.",
                values={
                    "risk": percent(float(overall)),
                    "threshold": percent(float(assessment.threshold)),
                    "count": assessment.n_rows_above,
                    "k": assessment.minimal_k,
                },
                n_rows=assessment.n_rows_above,
            )
        )
    if k < assessment.situation.floor:
        found.append(
            Finding(
                "K_BELOW_FLOOR",
                "warning",
                "The smallest class has k = {k}, below the floor of {floor}. An improbable attempt makes the product "
                "of the risk formula small enough for any class, but whoever does try finds a person alone at once, "
                "and of two people each knows the other. Ask for k = {floor} or more.",
                values={"k": k, "floor": assessment.situation.floor},
                n_rows=assessment.n_rows_below_floor,
            )
        )
    return found
