"""delta-disclosure privacy: a class changes the odds of no secret much, neither up nor down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.data.classes import Classes
from celosia.data.schema import Table
from celosia.models.base import Monotone
from celosia.models.exact import NEAR, exact_number, log_excess, power_excess
from celosia.models.secrets import AboutSecret, Histograms, numbered


@dataclass(frozen=True)
class DeltaDisclosure(AboutSecret):
    """In every class the share of each value is near its share in the whole release, as a ratio.

    It holds just if ``|log(q_js / p_s)| < delta`` (strictly) for every class j and value s, where q_js is the share of
    s in class j and p_s that in all published rows. A missing secret is a value of its own.

    Parameters
    ----------
    delta
        A number above 0.
    on
        The sensitive column. One that is a quasi-identifier as well is judged over the others.
    kind
        ``strict``: every value of the release must stand in every class, since a value that is absent from a class
        has the ratio 0, whose logarithm no delta bounds. ``present``: values absent from a class are passed over.
    base
        The base of the logarithm, a number above 1; e unless given.

    Guarantee
    ---------
    Whoever knows the distribution of the secret in the release and a person's quasi-identifiers, and nothing else,
    sees the odds of any value change by a factor of less than base^delta, up or down. With ``present`` this is only
    said of values that the class holds: that a person does not have an absent value is then given away. It takes the
    distribution of the whole release for public, does not see that values mean much the same, and does not protect
    against a second release of the same rows. Where a person has several rows, shares are of rows, not of people.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.

    References
    ----------
    Brickell, J. & Shmatikov, V. (2008). The cost of privacy: destruction of data-mining utility in anonymized data
    publishing.

    Examples
    --------
    >>> import celosia as cl
    >>> import polars as pl
    >>> wards = pl.DataFrame({"age": [30, 31, 32, 70, 71, 72], "ill": ["flu", "flu", "cold", "flu", "cold", "cold"]})
    >>> table = cl.Table(wards, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    >>> classes = Classes([0, 0, 0, 1, 1, 1])
    >>> [DeltaDisclosure(delta, on="ill").broken(classes, table).tolist() for delta in (0.4, 0.41)]
    [[0, 1], []]
    """

    delta: float
    on: str
    kind: Literal["strict", "present"] = "strict"
    base: float | None = None
    name: ClassVar[str] = "delta_disclosure"

    def __post_init__(self) -> None:
        self.settle_number("delta", above=0, hint="delta = 0.69 lets no share double or fall to a half.")
        self.check_on("{delta_disclosure: {delta: 1, on: diagnosis}}")
        self.check_one_of("kind", ["strict", "present"], "strict demands every value of the release in every class.")
        if self.base is not None:
            self.settle_number("base", above=1, hint="leave it out for natural logarithms.")

    @property
    def monotone(self) -> Monotone:
        """Shares of a united class lie between those of its parts, a share of 0 included; suppressing moves p."""
        return Monotone(generalising=self.kind == "strict", merging=False, suppressing=False)

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand shares within a factor of base^delta of those in the rows given."""
        own, shares, _ = numbered(self.secret(table).codes[rows])
        # Half of a tiny delta must be left, or the shares of all rows would themselves be out of bounds.
        width = self._width - min(NEAR, self._width / 2)
        with np.errstate(over="ignore"):
            most = shares * np.exp(width)
        # A lower bound is positive even for a huge delta: the kernels' tolerance must not let a value be absent.
        least = np.maximum(shares * np.exp(-width), 0.5 / max(len(rows), 1))
        demands.add_shares(own, least, most, self.kind == "present", shares)

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes in which a share is too far from that in all published rows."""
        found = self.histograms(classes, table)
        is_broken = np.zeros(classes.n_classes, dtype=np.bool_)
        is_broken[found.labels[self._too_far(found)]] = True
        if self.kind == "strict":
            n_present = np.bincount(found.labels, minlength=classes.n_classes)
            is_broken |= n_present < np.count_nonzero(found.totals)
        return np.flatnonzero(is_broken)

    @property
    def _width(self) -> float:
        """The bound on the natural logarithm of the ratio."""
        return float(self.delta) * (1.0 if self.base is None else math.log(self.base))

    def _too_far(self, found: Histograms) -> NDArray[np.bool_]:
        """Whether each value that a class holds breaks the bound there."""
        parts = found.counts * found.n_rows
        wholes = found.totals[found.values] * found.sizes[found.labels]
        distance = np.abs(np.log(parts / wholes))
        too_far = distance >= self._width
        near = np.flatnonzero(np.abs(distance - self._width) <= NEAR * max(1.0, self._width))
        for entry, part, whole in zip(near.tolist(), parts[near].tolist(), wholes[near].tolist(), strict=True):
            too_far[entry] = not self._is_within(Fraction(max(part, whole), min(part, whole)))
        return too_far

    def _is_within(self, ratio: Fraction) -> bool:
        """Whether the logarithm of a ratio from 1 is below delta, exactly."""
        if self.base is None:
            return log_excess(exact_number(self.delta), ratio) > 0
        return power_excess(ratio, exact_number(self.base), exact_number(self.delta)) < 0
