"""Terms: what is asked of a release, as data. ``celosia.jobs.plan`` adds the doing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from celosia.base.chance import Randomness
from celosia.base.entries import describe
from celosia.base.errors import OptionError
from celosia.base.progress import is_time, plain_time
from celosia.data.schema import Table
from celosia.masks import DropRows
from celosia.masks.base import Mask
from celosia.masks.hiding import shown_options
from celosia.measure.risk.situation import Situation
from celosia.models.base import Model
from celosia.search import Weave
from celosia.search.base import Algorithm


@dataclass(frozen=True)
class Terms:
    """What is asked of a release: models to satisfy, the search that finds classes, masks, limits.

    Parameters
    ----------
    models, algorithm, masks, masks_after, max_suppression, seed, range_style, keep_order, risk, bound
        As for ``celosia.Plan``, which adds the doing.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    """

    models: Sequence[Model]
    algorithm: Algorithm = field(default_factory=Weave)
    masks: Sequence[Mask] = ()
    masks_after: Sequence[DropRows] = ()
    max_suppression: float = 0.0
    seed: int | None = None
    range_style: Literal["bracket", "dash"] = "bracket"
    keep_order: bool = False
    risk: Situation | None = None
    bound: float | Literal[False] | None = None

    def __post_init__(self) -> None:
        if not _are(self.models, Model) or not self.models:
            raise OptionError("a plan needs at least one privacy model, in a list.", about="models")
        if not _are([self.algorithm], Algorithm):
            raise OptionError("algorithm must be a search such as Weave().", about="algorithm")
        if not _are(self.masks, Mask):
            raise OptionError("masks must be a list of masks such as Drop(columns=[...]).", about="masks")
        if not _are(self.masks_after, DropRows):
            raise OptionError(
                "masks_after must be a list of DropRows: after the search only rows can go.",
                hint="apply other masks before it, under masks.",
                about="masks_after",
            )
        share = self.max_suppression
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise OptionError(
                "max_suppression must be a share of the rows in [0, 1].",
                hint="0.02 allows 2 %.",
                about="max_suppression",
            )
        if self.range_style not in ("bracket", "dash"):
            raise OptionError("range_style must be 'bracket' or 'dash'.", about="range_style")
        if self.risk is not None and not isinstance(self.risk, Situation):
            raise OptionError(
                "risk must be a Situation.", hint="write Situation([PublicRelease()], harm='medium').", about="risk"
            )
        if self.bound is not False and self.bound is not None and not is_time(self.bound):
            raise OptionError(
                "bound must be a number of seconds above 0, or false.",
                hint="10 looks for ten seconds how near the release is to the best possible.",
                about="bound",
            )
        Randomness(self.seed)
        if self.bound is not False:
            object.__setattr__(self, "bound", plain_time(self.bound))
        object.__setattr__(self, "models", tuple(self.models))
        object.__setattr__(self, "masks", tuple(self.masks))
        object.__setattr__(self, "masks_after", tuple(self.masks_after))

    @property
    def demanded(self) -> int:
        """The least number of people that the models allow in a class, as far as they ask for one."""
        return max(model.smallest_class for model in self.models)

    @property
    def least(self) -> int:
        """Nothing about fewer people is told: what the models demand of a class, and never one person."""
        return max(2, self.demanded)

    def budget(self, table: Table) -> int:
        """Return how many rows may be suppressed; exact, so that 0.1 of 30 rows are 3."""
        return math.floor(Fraction(str(self.max_suppression)) * table.n_rows)

    def to_dict(self, *, values: bool = True) -> dict[str, Any]:
        """Return the plan as it stands in a plan file; the seed, which would undo the shuffle, is left out.

        Parameters
        ----------
        values
            Whether options of masks that spell out cells are told; otherwise ``...`` stands for them.
        """

        def described(masks: Sequence[Mask]) -> list[dict[str, Any]]:
            return [describe(mask) if values else {mask.name: shown_options(mask)} for mask in masks]

        return {
            "masks": described(self.masks),
            "masks_after": described(self.masks_after),
            "models": [describe(model) for model in self.models],
            "algorithm": describe(self.algorithm),
            "max_suppression": self.max_suppression,
            "range_style": self.range_style,
            "keep_order": self.keep_order,
            **({} if self.risk is None else {"risk": self.risk.to_dict()}),
            **({} if self.bound is None else {"bound": self.bound}),
        }


def _are(things: object, kind: type) -> bool:
    """Whether all things of a list are objects (not classes) of a kind."""
    return isinstance(things, list | tuple) and all(
        isinstance(thing, kind) and not isinstance(thing, type) for thing in things
    )
