"""beta-likeness: a class makes no secret much more likely than it is in the whole release."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.models.base import Monotone
from celosia.models.exact import NEAR, exact_number, excess, log_excess
from celosia.models.secrets import AboutSecret, Histograms, numbered


@dataclass(frozen=True)
class BetaLikeness(AboutSecret):
    """No value is relatively more frequent in a class than in the whole release by more than beta.

    It holds just if ``(q_js - p_s) / p_s <= beta`` for every class j and value s, where q_js is the share of s in class
    j and p_s that in all published rows; the enhanced kind asks for ``<= min(beta, -ln p_s)``, which no beta loosens
    for frequent values. A missing secret is a value of its own. Values that become less likely do not matter.

    Parameters
    ----------
    beta
        A number above 0: 1 lets a share double.
    on
        The sensitive column. One that is a quasi-identifier as well is judged over the others.
    kind
        ``basic`` or ``enhanced``.

    Guarantee
    ---------
    Whoever knows the distribution of the secret in the release and a person's quasi-identifiers, and nothing else,
    finds no value more than 1 + beta times as likely as before, rare values included; with ``enhanced`` the gain for a
    value of share p is at most -ln p as well. It does not bound what is learnt by values that become less likely or
    are ruled out, takes the distribution of the whole release for public, does not see that values mean much the same,
    and does not protect against a second release of the same rows. Where a person has several rows, shares are of
    rows, not of people.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.

    References
    ----------
    Cao, J. & Karras, P. (2012). Publishing microdata with a robust privacy guarantee.

    Examples
    --------
    >>> import celosia as cl
    >>> import polars as pl
    >>> wards = pl.DataFrame({"age": [30, 31, 32, 70, 71, 72], "ill": ["flu", "flu", "cold", "flu", "cold", "cold"]})
    >>> table = cl.Table(wards, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    >>> classes = Classes([0, 0, 0, 1, 1, 1])
    >>> [BetaLikeness(beta, on="ill").broken(classes, table).tolist() for beta in (0.33, 0.34)]
    [[0, 1], []]
    """

    beta: float
    on: str
    kind: Literal["basic", "enhanced"] = "basic"
    name: ClassVar[str] = "beta_likeness"
    monotone: ClassVar[Monotone] = Monotone(generalising=True, merging=False, suppressing=False)
    """Shares of a united class lie between those of its parts; suppressing moves what they are compared with."""

    def __post_init__(self) -> None:
        self.settle_number("beta", above=0, hint="beta = 1 lets no share more than double.")
        self.check_on("{beta_likeness: {beta: 1, on: diagnosis}}")
        self.check_one_of("kind", ["basic", "enhanced"], "enhanced also bounds how likely frequent values become.")

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand shares of at most 1 + beta (or less, of the enhanced kind) times those in the rows given."""
        own, shares, _ = numbered(self.secret(table).codes[rows])
        gain = np.full(len(shares), float(self.beta))
        if self.kind == "enhanced":
            gain = np.minimum(gain, -np.log(shares))
        # Enhanced bounds are not in proportion to the shares, so that kernels cannot move them with these.
        reference = shares if self.kind == "basic" else None
        demands.add_shares(own, np.zeros(len(shares)), shares * (1.0 + gain), False, reference)

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes in which a value is too frequent beside all published rows."""
        found = self.histograms(classes, table)
        parts = found.counts * found.n_rows
        wholes = found.totals[found.values] * found.sizes[found.labels]
        too_frequent = excess(parts, wholes, 1 + exact_number(self.beta)) > 0
        if self.kind == "enhanced":
            too_frequent |= _beyond_logarithm(parts, wholes, found)
        return np.unique(found.labels[too_frequent])


def _beyond_logarithm(parts: NDArray[np.int64], wholes: NDArray[np.int64], found: Histograms) -> NDArray[np.bool_]:
    """Whether the relative gain of each value in a class, parts / wholes - 1, exceeds -ln of its share in all rows."""
    n_rows = found.n_rows
    totals = found.totals[found.values]
    gains = (parts - wholes) / wholes
    bounds = np.log(n_rows / totals)
    beyond = gains > bounds
    near = np.flatnonzero(np.abs(gains - bounds) <= NEAR * np.maximum(1.0, bounds))
    for entry, part, whole, total in zip(
        near.tolist(), parts[near].tolist(), wholes[near].tolist(), totals[near].tolist(), strict=True
    ):
        beyond[entry] = log_excess(Fraction(part - whole, whole), Fraction(n_rows, total)) > 0
    return beyond
