"""Grid: how probable an insider's attempt is, by controls and by motivation and resources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from celosia.base.errors import OptionError
from celosia.measure.risk.base import exact_probability
from celosia.measure.risk.reading import choice, options_in, spelt, within

CONTROLS = ("high", "medium", "low", "none")
"""The extent of mitigating controls, the most first."""

MOTIVATIONS = ("low", "medium", "high")
"""The motivation and resources of whoever might try, ascending."""

_MANUAL = {
    "high": ("0.03", "0.05", "0.1"),
    "medium": ("0.2", "0.25", "0.3"),
    "low": ("0.4", "0.5", "0.6"),
    "none": ("1", "1", "1"),
}
_HINT = "0.25 is one chance in four; 1 is certain."


@dataclass(frozen=True)
class Grid:
    """P(attempt) of a deliberate insider, by extent of controls and by motivation and resources.

    Fewer controls and more motivation never make an attempt less probable: the grid does not fall to the right or
    downwards.

    Parameters
    ----------
    cells
        Controls (high, medium, low, none) to motivation and resources (low, medium, high) to a probability in (0, 1];
        what is left out keeps the manual's example value. Kept whole, as exact numbers.

    Raises
    ------
    OptionError
        A name is unknown, a value is no probability, or the grid falls to the right or downwards.

    Examples
    --------
    >>> Grid().attempt("medium", "high"), Grid({"high": {"low": 0.01}}).attempt("high", "low")
    (Fraction(3, 10), Fraction(1, 100))
    """

    cells: Mapping[str, Mapping[str, float | str | Fraction]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        given = options_in(self.cells, "grid", CONTROLS)
        object.__setattr__(self, "cells", {controls: _row(controls, given.get(controls, {})) for controls in CONTROLS})
        for controls in CONTROLS:
            for less, more in pairwise(MOTIVATIONS):
                if self.attempt(controls, less) > self.attempt(controls, more):
                    raise OptionError(
                        f"the grid falls to the right: with controls '{controls}' an attempt is less probable for "
                        f"{more} than for {less} motivation and resources.",
                        hint="more motivation and resources cannot make an attempt less probable.",
                        about=f"{controls}.{more}",
                    )
        for motivation in MOTIVATIONS:
            for more, fewer in pairwise(CONTROLS):
                if self.attempt(more, motivation) > self.attempt(fewer, motivation):
                    raise OptionError(
                        f"the grid falls downwards: with {motivation} motivation and resources an attempt is less "
                        f"probable with controls '{fewer}' than with controls '{more}'.",
                        hint="fewer controls cannot make an attempt less probable.",
                        about=f"{fewer}.{motivation}",
                    )

    @classmethod
    def of(cls, given: object) -> Grid:
        """Return the grid of a plan file.

        Examples
        --------
        >>> Grid.of({"high": {"low": 0.01}}) == Grid({"high": {"low": "0.01"}})
        True
        """
        return given if isinstance(given, Grid) else cls(given)  # type: ignore[arg-type]

    def attempt(self, controls: str, motivation: str) -> Fraction:
        """Return how probable an attempt is."""
        choice(controls, "controls", CONTROLS)
        choice(motivation, "motivation", MOTIVATIONS)
        return Fraction(self.cells[controls][motivation])

    def to_dict(self) -> dict[str, Any]:
        """Return the whole grid as it stands in a plan file."""
        return {
            controls: {motivation: spelt(self.attempt(controls, motivation)) for motivation in MOTIVATIONS}
            for controls in CONTROLS
        }


def _row(controls: str, given: object) -> dict[str, Fraction]:
    with within(controls):
        own = options_in(given, f"the row '{controls}' of the grid", MOTIVATIONS)
        return {
            motivation: exact_probability(own.get(motivation, default), motivation, hint=_HINT)
            for motivation, default in zip(MOTIVATIONS, _MANUAL[controls], strict=True)
        }
