"""The record: what Celosía saw and what people signed, chained and sealed so that a change by hand shows."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any, Literal, cast, get_args

from celosia.apps.dossier.case import STEPS, Event, Round, Signature, StepName
from celosia.base.errors import PlanError

Outcome = Literal["feasible", "not feasible"]
_KEYS = ("evidence", "rounds", "rounds_of", "outcome", "signatures", "history", "seal")


@dataclass(frozen=True)
class Entry:
    """An event of the history, with digests that it vouches for, chained to the event before.

    Attributes
    ----------
    event
        What happened.
    vouched
        Names of things to their digests, such as ``release`` to the hash of the data file.
    digest
        The digest of all that and of the entry before.

    Examples
    --------
    >>> len(Entry.after([], Event("made", "2026-01-31T12:00:00+00:00"), {}).digest)
    64
    """

    event: Event
    vouched: Mapping[str, str]
    digest: str

    @classmethod
    def after(cls, earlier: Sequence[Entry], event: Event, vouched: Mapping[str, str]) -> Entry:
        """Return the entry that follows others."""
        return cls(event, dict(vouched), _chained(earlier[-1].digest if earlier else "", event, vouched))

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as it stands in the file; what is empty is left out."""
        told = {name: own for name, own in vars(self.event).items() if own}
        return told | ({"vouched": dict(self.vouched)} if self.vouched else {}) | {"digest": self.digest}


@dataclass(frozen=True)
class Record:
    """Everything that Celosía writes into a project file.

    Attributes
    ----------
    evidence
        What was seen, by step.
    rounds, rounds_of
        What the loop has measured, and the fingerprint of what it was measured on.
    outcome
        How the loop ended.
    signatures
        Who stands for which step; at most one for each.
    history
        What happened.
    broken
        Why it cannot be trusted any more; ``None`` where it is as Celosía left it.

    Examples
    --------
    >>> told = Record().with_event(Event("made", "2026-01-31T12:00:00+00:00")).to_dict()
    >>> Record.of(told, "p.yaml").broken, Record.of(told | {"outcome": "feasible"}, "p.yaml").broken
    (None, 'it is not what was written last')
    """

    evidence: Mapping[StepName, Mapping[str, Any]] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    rounds_of: str = ""
    outcome: Outcome | None = None
    signatures: tuple[Signature, ...] = ()
    history: tuple[Entry, ...] = ()
    broken: str | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any], name: str) -> Record:
        """Return the record that a file holds; one that was changed by hand says so in ``broken``.

        Raises
        ------
        PlanError
            It is no record any more.
        """
        if not given:
            return cls()
        try:
            found = cls(
                evidence={_step(step): dict(own) for step, own in given["evidence"].items()},
                rounds=tuple(_round(one) for one in given["rounds"]),
                rounds_of=str(given["rounds_of"]),
                outcome=_outcome(given["outcome"]),
                signatures=tuple(Signature(**{**one, "step": _step(one["step"])}) for one in given["signatures"]),
                history=tuple(_entry(one) for one in given["history"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
            raise PlanError(
                f"the record of {name} is none any more: it was changed by hand.",
                hint="put the file back as it was, from a copy or from version control.",
            ) from None
        return replace(found, broken=found._broken(given))

    def signature(self, step: StepName) -> Signature | None:
        """Return who signed a step, or ``None``."""
        return next((one for one in self.signatures if one.step == step), None)

    def with_event(self, event: Event, **vouched: str) -> Record:
        """Return the record with a further event."""
        return replace(self, history=(*self.history, Entry.after(self.history, event, vouched)))

    def with_evidence(self, step: StepName, evidence: Mapping[str, Any]) -> Record:
        """Return the record with other evidence for a step."""
        return replace(self, evidence={**self.evidence, step: plain(evidence)})

    def vouched(self, name: str) -> frozenset[str]:
        """Return all digests of a name that events vouch for."""
        return frozenset(self.told(name))

    def told(self, name: str) -> list[str]:
        """Return the digests of a name that events vouch for, oldest first."""
        return [entry.vouched[name] for entry in self.history if name in entry.vouched]

    def to_dict(self) -> dict[str, Any]:
        """Return the record as it stands in the file, sealed."""
        told = self._unsealed()
        return told | {"seal": digest(told)}

    def _unsealed(self) -> dict[str, Any]:
        told: dict[str, Any] = plain(
            {
                "evidence": {step: self.evidence[step] for step in STEPS if step in self.evidence},
                "rounds": [_told(one) for one in self.rounds],
                "rounds_of": self.rounds_of,
                "outcome": self.outcome,
                "signatures": [dict(vars(one)) for one in self.signatures],
                "history": [entry.to_dict() for entry in self.history],
            }
        )
        return told

    def _broken(self, given: Mapping[str, Any]) -> str | None:
        """Return what was changed by hand, as far as that can be told."""
        earlier = ""
        for place, entry in enumerate(self.history, 1):
            if _chained(earlier, entry.event, entry.vouched) != entry.digest:
                return f"entry {place} of its history does not follow from the one before"
            earlier = entry.digest
        unsealed = {key: own for key, own in given.items() if key != "seal"}
        if any(key not in _KEYS for key in given) or given.get("seal") != digest(unsealed):
            return "it is not what was written last"
        return None


def plain(value: object) -> Any:
    """Return a value of a YAML file as mappings, lists, texts, numbers, truth values and nothing else.

    Comments, quotes and the order of keys are gone; dates are texts.

    Raises
    ------
    PlanError
        The value is of another kind, such as a tagged one, or a number that is not finite; or two keys are spelt
        alike, such as 1 and '1'.

    Examples
    --------
    >>> plain({2020: (1, date(2027, 1, 31))})
    {'2020': [1, '2027-01-31']}
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise PlanError("a number of the project is not finite.", hint="write it in digits.")
        return float(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        made = {_plain_key(key): plain(own) for key, own in value.items()}
        if len(made) < len(value):  # one of them would be used, and not be signed
            raise PlanError(
                "a key of the project stands there twice, as a number and as a text.", hint="leave one out."
            )
        return made
    if isinstance(value, list | tuple):
        return [plain(own) for own in value]
    if type(value).__name__ == "ScalarBoolean":  # of ruamel: a truth value that remembers how it was written
        return bool(value)
    raise PlanError("the project holds a value that is no text, number, date, list or mapping.", hint="leave out tags.")


def digest(content: object) -> str:
    """Return the SHA-256 of a value's canonical JSON.

    Examples
    --------
    >>> digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    True
    """
    text = json.dumps(plain(content), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain_key(key: object) -> str:
    if isinstance(key, str):
        return str(key)
    if isinstance(key, int) and not isinstance(key, bool):
        return str(int(key))
    raise PlanError("a key of the project is no text.", hint="put it between quotes.")


def now() -> str:
    """Return the moment as it stands in the record.

    Examples
    --------
    >>> now().endswith("+00:00")
    True
    """
    return datetime.now(UTC).isoformat(timespec="seconds")


def _chained(earlier: str, event: Event, vouched: Mapping[str, str]) -> str:
    return digest({"earlier": earlier, "event": vars(event), "vouched": dict(vouched)})


def _entry(given: Mapping[str, Any]) -> Entry:
    told = {key: _text(own) for key, own in given.items() if key not in ("vouched", "digest", "step")}
    step = None if given.get("step") is None else _step(given["step"])
    vouched = {str(name): _text(own) for name, own in given.get("vouched", {}).items()}
    return Entry(Event(**told, step=step), vouched, _text(given["digest"]))


def _round(given: Mapping[str, Any]) -> Round:
    risk = given.get("risk")
    return Round(**{**given, "risk": None if risk is None else Fraction(risk)})


def _told(one: Round) -> dict[str, Any]:
    """Return a round as it stands in the file; what was not measured is left out."""
    told = {name: own for name, own in vars(one).items() if not (own is None or own is False or own == "")}
    return told | ({} if one.risk is None else {"risk": str(one.risk)})


def _step(given: object) -> StepName:
    if given not in STEPS:
        raise ValueError
    return given


def _outcome(given: object) -> Outcome | None:
    if given is not None and given not in get_args(Outcome):
        raise ValueError
    return cast(Outcome | None, given)


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError
    return given
