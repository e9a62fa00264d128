"""Targets and candidates: what the loop must reach, and what it may try."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

from celosia.base.errors import OptionError
from celosia.measure.risk.situation import Situation
from celosia.search import Weave
from celosia.search.base import Algorithm


@dataclass(frozen=True)
class Targets:
    """What a release must keep to; fixed before any result is seen.

    Parameters
    ----------
    situation
        The accepted risk, and who might try.
    max_loss
        The greatest loss (GCP) with which the release is still of use, in [0, 1].
    max_suppression
        The greatest share of the rows that may be left out, by masks or by the search, in [0, 1].
    counts_controls
        Whether the threshold takes the probability of an attempt in, so that more controls may help. Where it is for
        the data's risk alone, controls are no advice.

    Raises
    ------
    OptionError
        One of them has a value that is not allowed.

    Examples
    --------
    >>> from celosia.measure.risk.scenarios import PublicRelease
    >>> targets = Targets(Situation([PublicRelease()], harm="medium"), max_loss=0.4, max_suppression=0.02)
    >>> targets.is_useful(0.38, 2 / 100), targets.is_useful(0.38, 3 / 100)
    (True, False)
    """

    situation: Situation
    max_loss: float
    max_suppression: float
    counts_controls: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.situation, Situation):
            raise OptionError(
                "the targets need a Situation.",
                hint="write Situation([PublicRelease()], harm='medium').",
                about="situation",
            )
        _check_share(self.max_loss, "max_loss", "0.5 is half of the information.")
        _check_share(self.max_suppression, "max_suppression", "0.02 is 2 % of the rows.")

    def is_useful(self, gcp: float, share_left_out: float) -> bool:
        """Tell whether a loss and the share of rows left out are both within the targets."""
        return self.keeps_enough(gcp) and self.keeps_rows(share_left_out)

    def keeps_enough(self, gcp: float) -> bool:
        """Tell whether a loss is within the target."""
        return gcp <= self.max_loss

    def keeps_rows(self, share_left_out: float) -> bool:
        """Tell whether the share of rows left out is within the target."""
        return share_left_out <= self.max_suppression


@dataclass(frozen=True)
class Candidates:
    """What the loop may try: each search with each share of rows that may be suppressed.

    Parameters
    ----------
    algorithms
        The searches, at least one.
    suppressions
        Shares of the rows in [0, 1], at least one. They are tried in ascending order.
    k
        The k to begin with, from 2; ``None`` for the smallest with which the threshold is kept.

    Raises
    ------
    OptionError
        One of them has a value that is not allowed.

    Examples
    --------
    >>> Candidates(suppressions=(0.02, 0)).suppressions
    (0.0, 0.02)
    """

    algorithms: Sequence[Algorithm] = (Weave(),)
    suppressions: Sequence[float] = (0.0,)
    k: int | None = None

    def __post_init__(self) -> None:
        chosen = self.algorithms
        if not _is_list(chosen) or not all(isinstance(one, Algorithm) and not isinstance(one, type) for one in chosen):
            raise OptionError(
                "algorithms must be a list of searches such as Weave(), at least one.", about="algorithms"
            )
        if not _is_list(self.suppressions):
            raise OptionError(
                "max_suppression must be a list of shares, at least one.",
                hint="write [0, 0.02].",
                about="max_suppression",
            )
        for share in self.suppressions:
            _check_share(share, "max_suppression", "0.02 is 2 % of the rows.")
        if self.k is not None and (isinstance(self.k, bool) or not isinstance(self.k, Integral) or self.k < 2):
            raise OptionError(
                "k must be a whole number from 2, or left out.",
                hint="without it the smallest k is taken with which the threshold is kept.",
                about="k",
            )
        object.__setattr__(self, "algorithms", tuple(chosen))
        object.__setattr__(self, "suppressions", tuple(sorted({float(share) for share in self.suppressions})))
        object.__setattr__(self, "k", None if self.k is None else int(self.k))


def _is_list(given: object) -> bool:
    return isinstance(given, list | tuple) and bool(given)


def _check_share(given: object, name: str, hint: str) -> None:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise OptionError(f"{name} must be a share in [0, 1].", hint=hint, about=name)
