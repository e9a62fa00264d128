"""(alpha, k)-anonymity: no secret is too frequent in a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.errors import InputError, OptionError, UnreachableError
from celosia.base.numbers import plain_number
from celosia.data.classes import Classes
from celosia.data.hierarchies.text import clean_label
from celosia.data.schema import Table
from celosia.models.base import Monotone
from celosia.models.exact import exact_number, excess
from celosia.models.secrets import AboutSecret, Histograms, Secret, percent, water_level


@dataclass(frozen=True)
class AlphaK(AboutSecret):
    """No value of a sensitive column stands in more than a share alpha of the rows of a class.

    It holds just if ``max_{j, s} n_js / f_j <= alpha``, where class j has f_j rows and n_js of them hold the value s; s
    runs over all values, or over the declared ones. A missing secret is a value of its own. This is the part about the
    secret: demand ``KAnonymity(k)`` beside it for the k.

    Parameters
    ----------
    alpha
        A number between 0 and 1, both excluded.
    on
        The sensitive column. One that is a quasi-identifier as well is judged over the others.
    values
        The values that must be hidden, where not all need it (``hiv``, but not ``flu``), spelt as in the data.

    Guarantee
    ---------
    Whoever knows a person's quasi-identifiers, and nothing else, can name one of the guarded values with a chance of
    at most alpha of being right. It says nothing of values that were not declared, does not see that values mean much
    the same, and does not keep the share near that of the whole table: a rare value may become alpha likely. It does
    not withstand knowledge that rules values or rows out, nor a second release of the same rows. Where a person has
    several rows, shares are of rows, not of people.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.

    References
    ----------
    Wong, R. C.-W., Li, J., Fu, A. W.-C. & Wang, K. (2006). (alpha, k)-anonymity: an enhanced k-anonymity model for
    privacy preserving data publishing.

    Examples
    --------
    >>> import celosia as cl
    >>> import polars as pl
    >>> wards = pl.DataFrame({"age": [30, 31, 70, 71], "ill": ["flu", "cold", "flu", "flu"]})
    >>> table = cl.Table(wards, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    >>> AlphaK(0.5, on="ill").broken(Classes([0, 0, 1, 1]), table).tolist()
    [1]
    >>> AlphaK(0.5, on="ill", values=["cold"]).broken(Classes([0, 0, 1, 1]), table).tolist()
    []
    """

    alpha: float
    on: str
    values: Sequence[str] | None = None
    name: ClassVar[str] = "alpha_k"
    monotone: ClassVar[Monotone] = Monotone(generalising=True, merging=False, suppressing=True)
    """Shares of a united class lie between those of its parts; a broken part may lift them."""

    def __post_init__(self) -> None:
        alpha = plain_number(self.alpha)
        if alpha is None or not 0 < alpha < 1:
            raise OptionError(
                "alpha must be a number between 0 and 1, both excluded.",
                hint="0.5 lets no secret stand in more than half of the rows of a class.",
                about="alpha",
            )
        object.__setattr__(self, "alpha", alpha)
        self.check_on("{alpha_k: {alpha: 0.5, on: diagnosis}}")
        if self.values is not None:
            if not isinstance(self.values, list | tuple) or not self.values:
                raise OptionError(
                    "values must be a list of values of the sensitive column.",
                    hint="leave it out to guard all values.",
                    about="values",
                )
            labels = dict.fromkeys(clean_label(value, "alpha_k: values") for value in self.values)
            object.__setattr__(self, "values", tuple(labels))

    def check_reachable(self, table: Table, n_spare: int = 0) -> None:
        """Raise ``UnreachableError`` if even one class of all rows holds too many of a value.

        Of the ``n_spare`` rows that may go, the best are those of the most frequent guarded values.

        Raises
        ------
        InputError
            A declared value stands in no row.
        """
        secret = self.secret(table)
        guarded = self._guarded(secret)
        counts = np.bincount(secret.codes[~table.unplaced], minlength=secret.n_codes)
        self._check_declared(secret)
        others = int(counts[~guarded].sum())
        level = water_level(counts[guarded], n_spare, lowest=0 if others else 1)
        left = np.minimum(counts[guarded], level)
        highest, n_left = int(left.max(initial=0)), others + int(left.sum())
        if not n_left or highest <= exact_number(self.alpha) * n_left:
            return
        kind = "declared value" if self.values else "value"
        gone = f" once {n_spare} rows are suppressed in the best way" if n_spare else ""
        raise UnreachableError(
            f"the most frequent {kind} of '{self.on}' stands in {percent(highest / n_left)} of the rows of "
            f"{table.name} that can be published{gone}; alpha is {self.alpha}.",
            hint=f"alpha = {_rounded_up(highest, n_left)} is the least that these rows can meet. Nothing was written."
            if highest < n_left
            else "no alpha can be met on this column: drop the demand, or gather more rows. Nothing was written.",
            about="models",
        )

    def add_demand(self, demands: kernels.Demands, table: Table, rows: NDArray[np.intp]) -> None:
        """Demand that no guarded value exceeds its share."""
        secret = self.secret(table)
        most = np.where(self._guarded(secret), float(self.alpha), 1.0)
        demands.add_shares(np.ascontiguousarray(secret.codes[rows]), np.zeros(len(most)), most, False)

    def broken(self, classes: Classes, table: Table) -> NDArray[np.int64]:
        """Return the labels of the classes in which a guarded value exceeds its share."""
        secret = self.secret(table)
        found = Histograms.of(classes, secret.codes, secret.n_codes)
        counts = np.where(self._guarded(secret)[found.values], found.counts, 0)
        highest = np.maximum.reduceat(counts, found.starts) if len(found.starts) else counts
        return np.flatnonzero(excess(highest, found.sizes, exact_number(self.alpha)) > 0)

    def _guarded(self, secret: Secret) -> NDArray[np.bool_]:
        """Whether each code of the secret stands for a guarded value."""
        if self.values is None:
            return np.ones(secret.n_codes, dtype=np.bool_)
        declared = frozenset(self.values)
        known = [value in declared for value in secret.values]
        return np.array([False] * (secret.n_codes - len(known)) + known, dtype=np.bool_)

    def _check_declared(self, secret: Secret) -> None:
        n_absent = len(set(self.values or ()) - set(secret.values))
        if n_absent:
            raise InputError(
                f"alpha_k declares {n_absent} value(s) that no row of '{self.on}' holds.",
                hint="spell them as in the data; a value misspelt would not be guarded.",
                about="models",
            )


def _rounded_up(part: int, whole: int) -> str:
    """Spell a share with at most three decimals, rounded up, so that the share meets it; exact at 1 - 1/1000 and on."""
    thousandths = -(-1000 * part // whole)
    return f"{thousandths / 1000:g}" if thousandths < 1000 else f"{part / whole:.12g}"
