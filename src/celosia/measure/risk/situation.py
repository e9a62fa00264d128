"""Situation: a threshold and the scenarios in which a table's risk is judged against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from celosia.base.errors import OptionError
from celosia.base.wording import Said
from celosia.measure.risk.assessment import Assessment, ScenarioResult
from celosia.measure.risk.base import class_counts, exact_probability, exact_sum
from celosia.measure.risk.grid import Grid
from celosia.measure.risk.minimal_k import smallest_people
from celosia.measure.risk.prosecutor import people_left
from celosia.measure.risk.reading import choice, flag, options_in, spelt, whole, within
from celosia.measure.risk.scenarios import Acquaintance, Breach, Insider, PublicRelease, Scenario
from celosia.measure.risk.thresholds import HARMS, Thresholds

_FLOOR = 3
_KEYS = (
    *("threshold", "harm", "thresholds", "insider", "grid", "acquaintance", "breach", "public"),
    *("strict", "floor", "insiders"),
)


@dataclass(frozen=True)
class Situation:
    """The risk that is accepted, and who might try: what a table or release is judged by.

    In each scenario the risk is ``P(attempt) * 1 / people in the smallest class``; the overall risk is the greatest of
    them. It is accepted if it is at most the threshold (below it under ``strict``) and the smallest class has at least
    ``floor`` people. Everything is compared exactly.

    Parameters
    ----------
    scenarios
        Some of ``Insider``, ``Acquaintance`` and ``Breach``, at most one of each; or ``PublicRelease`` alone.
    threshold
        The risk that is accepted, in (0, 1]. It includes the probability of an attempt, and so the controls.
    harm
        Instead of a threshold: low, medium or high, looked up in ``thresholds``.
    thresholds
        The accepted risk by harm.
    strict
        Whether the risk must lie below the threshold.
    floor
        The fewest people that a class may have, however improbable an attempt is; from 2 on.
    insiders
        How many people in the data act together, each knowing their own row: they are counted out of every class.

    Raises
    ------
    OptionError
        An option is not in its range, or two exclude each other.

    Examples
    --------
    >>> from celosia.data.classes import Classes
    >>> situation = Situation([Insider("medium", "high")], harm="medium")
    >>> situation.minimal_k, situation.assess(Classes([0, 0, 1, 1, 1])).holds
    (3, False)
    """

    scenarios: Sequence[Scenario]
    threshold: float | str | Fraction | None = None
    harm: str | None = None
    thresholds: Thresholds = field(default_factory=Thresholds)
    strict: bool = False
    floor: int = _FLOOR
    insiders: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "scenarios", _checked(self.scenarios))
        accepted = accepted_risk(self.threshold, self.harm, self.thresholds)
        if self.threshold is not None:
            object.__setattr__(self, "threshold", accepted)
        flag(self.strict, "strict")
        object.__setattr__(self, "floor", check_floor(self.floor))
        object.__setattr__(self, "insiders", whole(self.insiders, "insiders", least=0))

    @classmethod
    def of(cls, given: object) -> Situation:
        """Return the situation that the key ``risk`` of a plan file describes.

        An error's ``about`` says where it is, such as ``insider.controls``.

        Raises
        ------
        OptionError
            A key is unknown or lacks, or has a value that is not allowed.

        Examples
        --------
        >>> Situation.of({"harm": "high", "public": True}).minimal_k
        100
        """
        if isinstance(given, Situation):
            return given
        found = {key: value for key, value in options_in(given, "risk", _KEYS).items() if value is not None}
        if "thresholds" in found and "harm" not in found:
            raise OptionError(
                "thresholds by harm are given, but no harm.", hint="add harm: low, medium or high.", about="thresholds"
            )
        options: dict[str, Any] = {
            key: found[key] for key in ("threshold", "harm", "strict", "floor", "insiders") if key in found
        }
        if "thresholds" in found:
            with within("thresholds"):
                options["thresholds"] = Thresholds.of(found["thresholds"])
        return cls(_scenarios_of(found), **options)

    @property
    def accepted(self) -> Fraction:
        """The threshold, exact, whether it was given or looked up by the harm."""
        return accepted_risk(self.threshold, self.harm, self.thresholds)

    @property
    def attempt(self) -> Fraction:
        """The probability of an attempt in the scenario where it is greatest."""
        return max(scenario.attempt for scenario in self.scenarios)

    @property
    def minimal_k(self) -> int:
        """The fewest people in the smallest class with which the situation is met; never below the floor."""
        needed = self._needed
        return max(self.floor, needed + self.insiders if needed > 1 else 1)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the result takes for granted, to be shown beside it; in English, for the catalogue to translate."""
        is_public = any(isinstance(scenario, PublicRelease) for scenario in self.scenarios)
        said = [
            Said("The release is public: that somebody tries to re-identify a person is taken as certain.")
            if is_public
            else Said("The release is not public: it goes to known recipients only."),
            Said(
                "The attack is to link a person to a row: somebody looks for the row of a person whom they know to be "
                "in the data."
            ),
            Said(
                "The content of the data is not considered: the risk is the same whatever the rows tell, and a secret "
                "that a whole class shares is known without finding the row."
            ),
            Said(
                "The risk is that of the worst single record in at most one attempt; it is not the chance that at "
                "least one of many attempts succeeds."
            ),
            Said("A risk equal to the threshold is too great: it must lie below.")
            if self.strict
            else Said("A risk equal to the threshold is accepted."),
        ]
        if self.insiders:
            said.append(
                Said("People in the data who know their own rows and act together are counted out of every class.")
            )
        return tuple(said)

    def assess(self, table_or_release: Any) -> Assessment:
        """Judge a table, a release or classes.

        Raises
        ------
        InputError
            It is none of them.
        """
        counts = class_counts(table_or_release)
        if not counts.n_rows:
            none = [ScenarioResult(one.kind, one.label, one.attempt, None, None) for one in self.scenarios]
            return Assessment(self, None, None, None, tuple(none))
        hidden = people_left(counts.people, self.insiders)
        data_risk = Fraction(1, int(hidden.min()))
        results = []
        for scenario in self.scenarios:
            risk = scenario.attempt * data_risk
            results.append(ScenarioResult(scenario.kind, scenario.label, scenario.attempt, risk, self.accepts(risk)))
        return Assessment(
            self,
            data_risk,
            exact_sum(counts.rows, hidden) / counts.n_rows,
            int(counts.people.min()),
            tuple(results),
            n_rows=counts.n_rows,
            n_rows_above=int(counts.rows[hidden < self._needed].sum()),
            n_rows_below_floor=int(counts.rows[counts.people < self.floor].sum()),
        )

    def accepts(self, risk: Fraction) -> bool:
        """Tell whether a risk is accepted: at most the threshold, below it under ``strict``."""
        return risk < self.accepted or (not self.strict and risk == self.accepted)

    def to_dict(self) -> dict[str, Any]:
        """Return the situation as it stands under ``risk`` in a plan file; what is left out has its default."""
        found: dict[str, Any] = {"threshold": spelt(self.accepted)} if self.harm is None else {"harm": self.harm}
        if self.harm is not None and self.thresholds != Thresholds():
            found["thresholds"] = self.thresholds.to_dict()
        for scenario in self.scenarios:
            found[scenario.kind] = scenario.to_dict() or True
            if isinstance(scenario, Insider) and scenario.grid != Grid():
                found["grid"] = scenario.grid.to_dict()
        defaults = {"strict": False, "floor": _FLOOR, "insiders": 0}
        return found | {key: getattr(self, key) for key, usual in defaults.items() if getattr(self, key) != usual}

    @property
    def _needed(self) -> int:
        """How many people must be left in every class once insiders are counted out."""
        return smallest_people(self.accepted, self.attempt, strict=self.strict)


def accepted_risk(threshold: float | str | Fraction | None, harm: str | None, thresholds: Thresholds) -> Fraction:
    """Return the risk that is accepted, given just one of a threshold and a harm.

    Examples
    --------
    >>> accepted_risk(None, "low", Thresholds())
    Fraction(1, 5)
    """
    if not isinstance(thresholds, Thresholds):
        raise OptionError("thresholds must be Thresholds.", hint="write Thresholds(medium='0.05').", about="thresholds")
    if (threshold is None) == (harm is None):
        raise OptionError(
            "name the accepted risk once: by a threshold, or by the harm that a re-identification would do.",
            hint="threshold: 0.1, or harm: low, medium or high.",
            about="harm" if harm is not None else "threshold",
        )
    if threshold is not None:
        return exact_probability(threshold)
    return thresholds.of_harm(choice(harm, "harm", HARMS))


def check_floor(floor: object) -> int:
    """Return the fewest people that a class may have, or raise ``OptionError``.

    Examples
    --------
    >>> check_floor(3)
    3
    """
    return whole(floor, "floor", least=2, hint="a class of one names its person; 3 is the default.")


def _checked(scenarios: object) -> tuple[Scenario, ...]:
    if not isinstance(scenarios, list | tuple) or not all(
        isinstance(one, Scenario) and not isinstance(one, type) for one in scenarios
    ):
        raise OptionError("scenarios must be a list of scenarios such as Insider('medium', 'low').", about="scenarios")
    kinds = [one.kind for one in scenarios]
    if not kinds:
        raise OptionError(
            "there must be at least one scenario.", hint="name insider, acquaintance or breach; or public alone."
        )
    if len(set(kinds)) < len(kinds):
        raise OptionError("a scenario is named twice.", hint="take the worse of the two.", about="scenarios")
    if PublicRelease.kind in kinds and len(kinds) > 1:
        raise OptionError(
            "a public release makes an attempt certain: other scenarios say nothing more.",
            hint="leave them out, or do not publish to everybody.",
            about=PublicRelease.kind,
        )
    return tuple(scenarios)


def _scenarios_of(found: Mapping[str, Any]) -> list[Scenario]:
    """Return the scenarios that a plan file names."""
    scenarios: list[Scenario] = []
    grid = Grid()
    if "grid" in found:
        if "insider" not in found:
            raise OptionError("a grid is given, but no insider.", hint="add insider, or leave it out.", about="grid")
        with within("grid"):
            grid = Grid.of(found["grid"])
    if "insider" in found:
        with within("insider"):
            own = options_in(
                found["insider"], "insider", ("controls", "motivation", "answers"), ("controls", "motivation")
            )
            scenarios.append(Insider(grid=grid, **own))
    if "acquaintance" in found:
        with within("acquaintance"):
            scenarios.append(_acquaintance(found["acquaintance"]))
    if "breach" in found:
        with within("breach"):
            keys = ("rate", "source", "date")
            scenarios.append(Breach(**options_in(found["breach"], "breach", keys, keys)))
    if flag(found.get("public", False), "public"):
        scenarios.append(PublicRelease())
    return scenarios


def _acquaintance(given: object) -> Acquaintance:
    """Return the scenario whose q and m a plan file calls ``share`` and ``known``."""
    own = options_in(given, "acquaintance", ("share", "known"), ("share",))
    names = {"share": "q", "known": "m"}
    try:
        return Acquaintance(**{names[key]: value for key, value in own.items() if value is not None})
    except OptionError as error:
        spoken = {name: key for key, name in names.items()}
        option = spoken.get(error.about or "", "share")
        raise OptionError(
            f"{option}{error.message.removeprefix(error.about or '')}", hint=error.hint, about=option
        ) from None
