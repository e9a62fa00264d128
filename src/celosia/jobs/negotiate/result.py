"""Negotiation: the smallest k in every cell of the grid, and the least controls that make a given k acceptable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from celosia.base.errors import OptionError
from celosia.data.io.durable import fresh_file
from celosia.measure.risk.grid import CONTROLS, MOTIVATIONS, Grid
from celosia.measure.risk.minimal_k import smallest_people
from celosia.measure.risk.reading import choice, flag, fraction_text, whole
from celosia.measure.risk.situation import accepted_risk, check_floor
from celosia.measure.risk.thresholds import Thresholds


@dataclass(frozen=True)
class Negotiation:
    """What k a threshold asks for, by controls and by motivation and resources. Made by ``negotiate``.

    Attributes
    ----------
    threshold, harm
        The accepted risk, exact; and the harm it was looked up by, if so.
    grid
        How probable an attempt is.
    strict
        Whether the risk must lie below the threshold; at the threshold is enough otherwise.
    floor
        The fewest people that a class may have, whatever the formula says.
    k
        The k that one has or can bear, where it was given.
    """

    threshold: Fraction
    harm: str | None = None
    grid: Grid = field(default_factory=Grid)
    strict: bool = False
    floor: int = 3
    k: int | None = None

    @cached_property
    def ks(self) -> Mapping[str, Mapping[str, int]]:
        """The smallest k by controls, then by motivation and resources; never below the floor."""
        return {
            controls: {motivation: max(self.floor, self._formula(controls, motivation)) for motivation in MOTIVATIONS}
            for controls in CONTROLS
        }

    @property
    def floored(self) -> list[tuple[str, str]]:
        """The cells in which the formula alone would allow less than the floor."""
        return [
            (controls, motivation)
            for controls in CONTROLS
            for motivation in MOTIVATIONS
            if self._formula(controls, motivation) < self.floor
        ]

    @property
    def acceptable(self) -> list[tuple[str, str]] | None:
        """The cells in which the given k is enough; ``None`` where none was given."""
        if self.k is None:
            return None
        return [
            (controls, motivation)
            for controls in CONTROLS
            for motivation in MOTIVATIONS
            if self.ks[controls][motivation] <= self.k
        ]

    def cheapest(self, motivation: str) -> str | None:
        """Return the least controls that make the given k acceptable against a motivation; ``None`` where none do.

        Controls cost the more the greater their extent: none, low, medium, high.

        Raises
        ------
        OptionError
            No k was given, or there is no such motivation.
        """
        choice(motivation, "motivation", MOTIVATIONS)
        if self.k is None:
            raise OptionError(
                "the cheapest controls depend on k, and none was given.", hint="negotiate(..., k=5).", about="k"
            )
        k = self.k
        return next((controls for controls in reversed(CONTROLS) if self.ks[controls][motivation] <= k), None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as ``--json`` prints it."""
        acceptable = self.acceptable
        return {
            "threshold": float(self.threshold),
            "exact": {"threshold": fraction_text(self.threshold)},
            "harm": self.harm,
            "strict": self.strict,
            "floor": self.floor,
            "k": self.k,
            "attempts": self.grid.to_dict(),
            "ks": {controls: dict(row) for controls, row in self.ks.items()},
            "floored": [list(cell) for cell in self.floored],
            "acceptable": None if acceptable is None else [list(cell) for cell in acceptable],
            "cheapest": None if self.k is None else {one: self.cheapest(one) for one in MOTIVATIONS},
        }

    def picture(self, lang: str = "en") -> str:
        """Return the grid as a picture: SVG without script or outside fonts, for light and dark screens.

        Parameters
        ----------
        lang
            ``en`` or ``es``.
        """
        from celosia.jobs.negotiate.picture import draw  # here: a picture is no part of the figures

        return draw(self, lang)

    def write(self, path: str | Path, lang: str = "en") -> Path:
        """Write the picture to a file. An existing one is replaced.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        drawn, target = self.picture(lang), Path(path)
        with fresh_file(target) as file:
            file.write(drawn.encode())
        return target

    def _formula(self, controls: str, motivation: str) -> int:
        return smallest_people(self.threshold, self.grid.attempt(controls, motivation), strict=self.strict)


def negotiate(
    threshold: float | str | Fraction | None = None,
    harm: str | None = None,
    *,
    k: int | None = None,
    thresholds: Thresholds | None = None,
    grid: Grid | None = None,
    strict: bool = False,
    floor: int = 3,
) -> Negotiation:
    """Return the smallest k for every combination of controls and motivation, so that a threshold can be talked over.

    In each cell it is the smallest k with ``P(attempt) / k <= threshold``, but never less than the floor.

    Parameters
    ----------
    threshold
        The risk that is accepted, in (0, 1].
    harm
        Instead of a threshold: low, medium or high, looked up in ``thresholds``.
    k
        The k that one has or can bear, from 2 on: the answer then says with which controls it is acceptable.
    thresholds, grid
        The manual's by default.
    strict
        Whether the risk must lie below the threshold.
    floor
        The fewest people that a class may have; from 2 on.

    Raises
    ------
    OptionError
        An option is not in its range, or both or neither of threshold and harm are given.

    Examples
    --------
    >>> found = negotiate(harm="medium", k=5)
    >>> found.ks["low"], found.cheapest("high")
    ({'low': 4, 'medium': 5, 'high': 6}, 'medium')
    """
    used = Grid() if grid is None else grid
    if not isinstance(used, Grid):
        raise OptionError("grid must be a Grid.", hint="write Grid({'high': {'low': 0.01}}).", about="grid")
    accepted = accepted_risk(threshold, harm, Thresholds() if thresholds is None else thresholds)
    return Negotiation(
        accepted,
        harm,
        used,
        flag(strict, "strict"),
        check_floor(floor),
        None if k is None else whole(k, "k", least=2, hint="k = 2 is the least that hides anybody."),
    )
