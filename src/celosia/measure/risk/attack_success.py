"""Attack-based risk: how much better an attack fares on the people in the data than on people who are not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from celosia.base.errors import OptionError
from celosia.base.wording import Said

_Z = NormalDist().inv_cdf(0.975)
"""Of a normal distribution 95 % lie within so many standard deviations."""


@dataclass(frozen=True)
class Rate:
    """A rate of success with Wilson's interval: ``rate - error`` to ``rate + error``, 95 %.

    With s successes of n and z = 1.959964: ``rate = (s + z^2 / 2) / (n + z^2)``,
    ``error = z / (n + z^2) * sqrt(s (n - s) / n + z^2 / 4)``.

    Examples
    --------
    >>> found = Rate.of(100, 500)
    >>> round(found.rate, 6), round(found.error, 6)
    (0.202287, 0.035002)
    """

    rate: float
    error: float

    @classmethod
    def of(cls, n_hits: int, n_attacks: int) -> Rate:
        """Return the rate of so many hits in so many attacks."""
        whole = n_attacks + _Z**2
        spread = n_hits * (n_attacks - n_hits) / n_attacks + _Z**2 / 4
        return cls((n_hits + _Z**2 / 2) / whole, _Z / whole * math.sqrt(spread))


@dataclass(frozen=True)
class AttackRisk:
    """What an attack says about a release.

    Attributes
    ----------
    risk, error
        The excess over the control, ``(attack - control) / (1 - control)`` cut to [0, 1], and its error; ``None`` where
        nothing can be concluded.
    attack, control, naive
        The rates of success on people in the data, on people who are not, and of guessing without the data.
    reason
        Why nothing can be concluded; ``None`` otherwise.
    """

    risk: float | None
    error: float | None
    attack: Rate
    control: Rate
    naive: Rate | None
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as ``--json`` would print them."""
        return {
            "risk": self.risk,
            "error": self.error,
            "attack": self.attack.rate,
            "control": self.control.rate,
            "naive": None if self.naive is None else self.naive.rate,
            "reason": self.reason,
        }


def attack_success(
    n_hits: int,
    n_attacks: int,
    *,
    n_control_hits: int,
    n_control_attacks: int | None = None,
    n_naive_hits: int | None = None,
) -> AttackRisk:
    """Return the risk that an attack shows: what it achieves beyond what the data tell about people who are not in it.

    ``R = (r_attack - r_control) / (1 - r_control)``, rates and intervals by Wilson; its error is
    ``sqrt((e_attack / (1 - r_control))^2 + ((r_attack - 1) e_control / (1 - r_control)^2)^2)``. Whoever attacks
    (singling out, linking, inferring) counts the hits; the people of the control must be held out before the data are
    anonymised.

    An attack that is no better than guessing is too weak to conclude anything: that is not the same as safe.

    Parameters
    ----------
    n_hits, n_attacks
        Successes and attempts against people in the data.
    n_control_hits, n_control_attacks
        The same against people who are not; as many attempts where it is not said.
    n_naive_hits
        Successes in ``n_attacks`` attempts of guessing without the data.

    Raises
    ------
    OptionError
        A number is no count, or there are more hits than attempts.

    References
    ----------
    Giomi, M. et al. (2023). A unified framework for quantifying privacy risk in synthetic data.

    Examples
    --------
    >>> found = attack_success(100, 500, n_control_hits=50)
    >>> round(found.risk, 6), round(found.error, 6)
    (0.110639, 0.046974)
    >>> attack_success(100, 500, n_control_hits=50, n_naive_hits=120).risk is None
    True
    """
    n_control = n_attacks if n_control_attacks is None else n_control_attacks
    _check(n_hits, n_attacks, "attacks")
    _check(n_control_hits, n_control, "attacks on the control")
    attack, control = Rate.of(n_hits, n_attacks), Rate.of(n_control_hits, n_control)
    naive = None
    if n_naive_hits is not None:
        _check(n_naive_hits, n_attacks, "naive attacks")
        naive = Rate.of(n_naive_hits, n_attacks)
    if naive is not None and attack.rate <= naive.rate:
        reason = Said("The attack is no better than guessing without the data: it is too weak to conclude anything.")
        return AttackRisk(None, None, attack, control, naive, reason)
    left = 1 - control.rate  # above 0: Wilson's rate of all hits lies below 1
    risk = min(max((attack.rate - control.rate) / left, 0.0), 1.0)
    error = math.hypot(attack.error / left, (attack.rate - 1) * control.error / left**2)
    return AttackRisk(risk, error, attack, control, naive, None)


def _check(n_hits: object, n_attacks: object, what: str) -> None:
    counts = (n_hits, n_attacks)
    if not all(isinstance(count, int) and not isinstance(count, bool) for count in counts):
        raise OptionError(f"hits and {what} must be whole numbers.")
    if not 0 <= n_hits <= n_attacks or n_attacks < 1:  # type: ignore[operator]
        raise OptionError(f"of {what} there must be at least one, and no more hits than {what}.")
