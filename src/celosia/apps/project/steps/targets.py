"""Steps 1 and 2: who gets the release; which risk is accepted and which utility wanted, before any result is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from celosia.apps.project.steps.base import (
    Answered,
    Lack,
    Seen,
    flag_of,
    lacks,
    mapping_of,
    share_of,
    text_of,
    texts_of,
)
from celosia.base.errors import OptionError, PlanError, nearest
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.base.yaml import Section
from celosia.measure.risk.scenarios import Insider
from celosia.measure.risk.situation import Situation
from celosia.measure.risk.thresholds import Thresholds

Kind = Literal["public", "non_public"]
_KINDS: tuple[Kind, ...] = ("public", "non_public")


@dataclass(frozen=True)
class ReleaseModel(Answered):
    """Everybody, or named recipients.

    Examples
    --------
    >>> ReleaseModel.read(Section({"kind": "public"}, "p.yaml")).is_public
    True
    """

    kind: Kind | None
    recipients: tuple[str, ...]
    fixed_number: bool | None

    @classmethod
    def read(cls, section: Section) -> ReleaseModel:
        """Return what stands in the file.

        Raises
        ------
        PlanError
            A key or value is not allowed, or speaks of recipients of a public release.
        """
        section.allow(("kind", "recipients", "fixed_number", "accepted"))
        kind = text_of(section, "kind")
        if kind and kind not in _KINDS:
            raise PlanError(
                "'kind' must be public or non_public.", hint=nearest(kind, _KINDS), where=section.place("kind")
            )
        recipients, fixed = texts_of(section, "recipients"), flag_of(section, "fixed_number")
        if kind == "public" and (recipients or fixed is not None):
            key = "recipients" if recipients else "fixed_number"
            raise PlanError(
                f"a public release has no list of recipients, but '{key}' is given.",
                hint="leave it out, or write kind: non_public.",
                where=section.place(key),
            )
        return cls(next((one for one in _KINDS if one == kind), None), recipients, fixed)

    @property
    def is_public(self) -> bool:
        """Whether anybody may have the release."""
        return self.kind == "public"

    def lacking(self, seen: Seen) -> list[Lack]:
        """Return what is still to be answered."""
        named = self.kind == "non_public"
        return lacks(
            (Said("Say who gets the release: kind is public or non_public."), self.kind is None),
            (Said("Name the recipients of a release that is not public."), named and not self.recipients),
            (Said("Say whether the list of recipients is fixed (fixed_number)."), named and self.fixed_number is None),
        )


Covers = Literal["data", "data and controls"]
_DATA: Covers = "data"
_WITH_CONTROLS: Covers = "data and controls"
_SCENARIOS = ("insider", "acquaintance", "breach")


@dataclass(frozen=True)
class TargetAnswers(Answered):
    """The threshold with what it covers, and the utility below which the release is of no use.

    Attributes
    ----------
    covers
        ``data``: the threshold is for the data's risk alone, and an attempt is taken as certain; ``data and controls``:
        the scenarios count. Mixing both is refused.
    situation
        The threshold and the scenarios; ``None`` while something lacks.
    empty
        What is still to be written under ``risk``.
    max_loss, max_suppression
        The utility that is wanted.

    Examples
    --------
    >>> found = TargetAnswers.read(Section({"risk": {"threshold": 0.01}}, "p.yaml"), is_public=True)
    >>> found.situation.minimal_k, found.lacking(Seen())[0].names
    (100, ('max_loss', 'max_suppression'))
    """

    covers: Covers | None
    situation: Situation | None
    empty: tuple[str, ...]
    max_loss: float | None
    max_suppression: float | None
    why: str

    @classmethod
    def read(cls, section: Section, *, is_public: bool) -> TargetAnswers:
        """Return what stands in the file.

        Raises
        ------
        PlanError, OptionError
            A key or value is not allowed, or the threshold is taken with scenarios that it does not cover.
        """
        section.allow(("covers", "risk", "utility", "why", "accepted"))
        covers = _covers(section, is_public=is_public)
        risk = mapping_of(section, "risk")
        utility = mapping_of(section, "utility")
        utility.allow(("max_loss", "max_suppression"))
        empty = _empty(risk.content)
        situation = None
        if covers is not None:
            _refuse_mixing(risk, covers, is_public=is_public)
            scenarios = [key for key in _SCENARIOS if risk.get(key) is not None]
            if covers == _WITH_CONTROLS and not scenarios:
                empty = (*empty, "insider, acquaintance or breach")
            if not empty:
                situation = _situation(risk, covers, is_public=is_public)
        return cls(
            covers,
            situation,
            empty,
            share_of(utility, "max_loss"),
            share_of(utility, "max_suppression"),
            text_of(section, "why"),
        )

    def lacking(self, seen: Seen) -> list[Lack]:
        """Return what is still to be answered."""
        uncovered = Said("Say what the threshold covers: 'data', or 'data and controls' if the scenarios count.")
        missing = tuple(name for name in ("max_loss", "max_suppression") if getattr(self, name) is None)
        return lacks(
            (uncovered, self.covers is None),
            (Said("Write down the accepted risk and who might try."), self.empty),
            (Said("Write down the utility that is wanted."), missing),
        )

    def findings(self, seen: Seen) -> list[Finding]:
        """Tell where targets were moved after a result had been seen, or ask for less than the usual tables do."""
        found = [] if self.situation is None else _lenient(self.situation)
        if seen.n_moves:
            moved = Finding(
                "TARGETS_MOVED",
                "warning",
                "The loop was run with other targets before: these were set when results could already be seen. Say "
                "why they may be trusted all the same.",
                values={"times": seen.n_moves},
            )
            found.insert(0, moved)
        return found


def _lenient(situation: Situation) -> list[Finding]:
    """Return warnings of a threshold or a floor that protects less than the manual's tables do at their mildest."""
    found = []
    mildest, floor = Thresholds().of_harm("low"), Situation.floor
    if situation.accepted > mildest:
        found.append(
            Finding(
                "THRESHOLD_LENIENT",
                "warning",
                "The accepted risk is {threshold}, more than the {mildest} of the table for the lowest harm. Say why "
                "people can be asked to bear it.",
                values={
                    "threshold": f"{float(100 * situation.accepted):.4g} %",
                    "mildest": f"{float(100 * mildest):.4g} %",
                },
            )
        )
    if situation.floor < floor:
        found.append(
            Finding(
                "FLOOR_LOWERED",
                "warning",
                "Classes of {floor} people are allowed, where {usual} are the least by default: whoever is in one can "
                "tell who the other is. Say why that is enough.",
                values={"floor": situation.floor, "usual": floor},
            )
        )
    return found


def _covers(section: Section, *, is_public: bool) -> Covers | None:
    given = text_of(section, "covers")
    if given not in ("", _DATA, _WITH_CONTROLS):
        raise PlanError("'covers' must be 'data' or 'data and controls'.", where=section.place("covers"))
    if is_public and given == _WITH_CONTROLS:
        raise PlanError(
            "a public release is under no controls: its threshold covers 'data'.",
            hint="write covers: data, or let step 1 be non_public.",
            where=section.place("covers"),
        )
    return _DATA if is_public else (given or None)  # type: ignore[return-value]


def _refuse_mixing(risk: Section, covers: Covers, *, is_public: bool) -> None:
    """Refuse scenarios beside a threshold that does not cover them (R-W2)."""
    for key in (*_SCENARIOS, "grid"):
        if covers == _DATA and key in risk:
            reason = (
                "a public release makes an attempt certain"
                if is_public
                else "the threshold covers the data's risk alone, so that an attempt is taken as certain"
            )
            raise PlanError(
                f"{reason}: '{key}' has no place here.",
                hint="leave it out." if is_public else "leave it out, or write covers: data and controls.",
                where=risk.place(key),
            )
    if not is_public and risk.get("public") is not None:
        raise PlanError(
            "step 1 says that the release is not public.",
            hint="leave 'public' out, or write kind: public in step 1.",
            where=risk.place("public"),
        )
    if is_public and risk.get("public") is False:
        raise PlanError("step 1 says that the release is public.", hint="leave it out.", where=risk.place("public"))


def _situation(risk: Section, covers: Covers, *, is_public: bool) -> Situation:
    """Return what the release is judged by; an attempt is certain where the threshold covers the data alone."""
    given = {key: own for key, own in risk.content.items() if own is not None and key != "public"}
    try:
        if covers == _WITH_CONTROLS:
            return Situation.of(given)
        stated = Situation.of({**given, "public": True})
    except OptionError as error:
        raise error.located(risk.innermost(error.about)) from None
    if is_public:
        return stated
    certain = Insider("none", "high")  # by the grid: whoever has the data and is under no control tries for certain
    options = {"threshold": stated.threshold} if stated.harm is None else {"harm": stated.harm}
    return Situation(
        [certain],
        thresholds=stated.thresholds,
        strict=stated.strict,
        floor=stated.floor,
        insiders=stated.insiders,
        **options,
    )


def _empty(risk: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the options that stand there without a value; one of threshold and harm is enough."""
    found = [] if any(risk.get(key) is not None for key in ("threshold", "harm")) else ["threshold or harm"]
    for key in _SCENARIOS:
        own = risk.get(key)
        if isinstance(own, Mapping):
            found += [f"{key}.{option}" for option, value in own.items() if value is None]
    return tuple(found)
