"""The situation that the options of ``celosia risk`` describe, over that of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from celosia.measure.risk.situation import Situation

_WHO = frozenset({"insider", "grid", "acquaintance", "breach", "public"})
_ACCEPTED = frozenset({"threshold", "harm", "thresholds"})


def situation_of(
    planned: Situation | None, scenarios: Sequence[str], threshold: str | None, harm: str | None, insiders: int | None
) -> Situation | None:
    """Return the situation that the options describe; what they leave open is as the plan has it."""
    from celosia.base.errors import OptionError
    from celosia.measure.risk.situation import Situation

    given = _scenarios(scenarios)
    options: dict[str, Any] = {} if planned is None else planned.to_dict()
    if given:
        kept = {"grid"} if "insider" in given else set()
        options = {key: own for key, own in options.items() if key not in _WHO - kept} | given
    elif planned is None:
        if harm is None:
            return None
        raise OptionError(
            "a harm is given, but no scenario.",
            hint="add --scenario public, or --scenario '{insider: {controls: medium, motivation: medium}}'.",
        )
    if threshold is not None or harm is not None:
        kept = set() if harm is None else {"thresholds"}
        options = {key: own for key, own in options.items() if key not in _ACCEPTED - kept}
        options |= {"threshold": threshold, "harm": harm}
    elif not _ACCEPTED & options.keys():
        raise OptionError("a scenario needs the accepted risk.", hint="add --threshold 0.1, or --harm medium.")
    return Situation.of(options if insiders is None else options | {"insiders": insiders})


def _scenarios(texts: Sequence[str]) -> dict[str, Any]:
    """Return the scenarios that the options name, with their own options."""
    from celosia.base.errors import OptionError

    found: dict[str, Any] = {}
    for text in texts:
        for kind, own in _scenario(text).items():
            if kind in found:
                raise OptionError(f"scenario '{kind}' is named twice.", about="scenario")
            found[kind] = own
    return found


def _scenario(text: str) -> dict[str, Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    from celosia.base.errors import OptionError

    try:
        given = YAML(typ="safe", pure=True).load(text)
    except YAMLError:
        given = None
    if given == "public":
        return {"public": True}
    if not isinstance(given, dict) or not all(isinstance(key, str) for key in given):
        raise OptionError(
            "a scenario must be one name with its options.",
            hint="write --scenario '{insider: {controls: medium, motivation: low}}', or --scenario public.",
        )
    return given
