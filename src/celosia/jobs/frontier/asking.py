"""A frontier as the command line asks for it: by a plan, by names of searches, within a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celosia.base.errors import OptionError
from celosia.jobs.plan import Plan
from celosia.jobs.registry import build

_SECONDS = 60.0


def asked_for(
    plan: Plan, k: Sequence[int], algorithms: Sequence[str], shares: Sequence[str] | None, time_limit: float | None
) -> dict[str, Any]:
    """Return the options of a frontier; what it chooses itself is left out, the share left out is the plan's.

    Raises
    ------
    OptionError
        A search or a share is none.

    Examples
    --------
    >>> from celosia.models import KAnonymity
    >>> asked_for(Plan([KAnonymity(2)]), [2, 5], [], ["0.02"], None)
    {'time_limit': 60.0, 'max_suppression': [0.02], 'k': [2, 5]}
    """
    options: dict[str, Any] = {"time_limit": _SECONDS if time_limit is None else time_limit}
    try:
        options["max_suppression"] = [plan.max_suppression] if shares is None else [float(one) for one in shares]
    except ValueError:
        raise OptionError("--suppression must list shares.", hint="write --suppression 0,0.02,0.05.") from None
    if k:
        options["k"] = k
    if algorithms:
        options["algorithms"] = [build("algorithms", name) for name in algorithms]
    return options


def check_asked(*, why_not: bool, frontier: bool) -> None:
    """Refuse to explain a plan and to vary it at once."""
    if why_not and frontier:
        raise OptionError(
            "--why-not is about the plan as it stands; --k, --algorithms, --suppression, --bearable-loss and --out are "
            "about the frontier.",
            hint="ask for one of them at a time.",
        )
