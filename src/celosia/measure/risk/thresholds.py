"""Thresholds: the risk that is accepted, by the harm that a re-identification would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from celosia.base.errors import OptionError
from celosia.measure.risk.base import exact_probability
from celosia.measure.risk.reading import choice, options_in, spelt

HARMS = ("low", "medium", "high")
"""The harm that a re-identification would do, ascending."""


@dataclass(frozen=True)
class Thresholds:
    """The accepted risk for low, medium and high harm: the manual's by default, to be edited.

    The greater the harm, the smaller the risk that can be accepted. (The manual's text says the opposite of its table.)

    Parameters
    ----------
    low, medium, high
        Probabilities in (0, 1], none greater than the one before; kept as exact numbers.

    Raises
    ------
    OptionError
        One is no probability, or grows with the harm.

    Examples
    --------
    >>> Thresholds().of_harm("medium"), Thresholds(high="0.005").to_dict()
    (Fraction(1, 10), {'low': 0.2, 'medium': 0.1, 'high': 0.005})
    """

    low: float | str | Fraction = "0.2"
    medium: float | str | Fraction = "0.1"
    high: float | str | Fraction = "0.01"

    def __post_init__(self) -> None:
        for harm in HARMS:
            object.__setattr__(self, harm, exact_probability(getattr(self, harm), harm))
        for lesser, greater in pairwise(HARMS):
            if self.of_harm(lesser) < self.of_harm(greater):
                raise OptionError(
                    f"the threshold for {greater} harm is greater than the one for {lesser} harm.",
                    hint="the greater the harm, the smaller the risk that can be accepted.",
                    about=greater,
                )

    @classmethod
    def of(cls, given: object) -> Thresholds:
        """Return the thresholds of a plan file; what is left out keeps the manual's value.

        Examples
        --------
        >>> Thresholds.of({"medium": 0.05}).of_harm("medium")
        Fraction(1, 20)
        """
        return given if isinstance(given, Thresholds) else cls(**options_in(given, "thresholds", HARMS))

    def of_harm(self, harm: str) -> Fraction:
        """Return the risk that is accepted where a re-identification would do this harm."""
        exact: Fraction = getattr(self, choice(harm, "harm", HARMS))
        return exact

    def to_dict(self) -> Mapping[str, Any]:
        """Return them as they stand in a plan file."""
        return {harm: spelt(self.of_harm(harm)) for harm in HARMS}
