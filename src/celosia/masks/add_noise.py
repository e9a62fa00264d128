"""Noise: random amounts added to numbers, or numbers multiplied by random factors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.base.findings import Finding
from celosia.data.hierarchies.options import check_choice, check_number
from celosia.data.masked import Change
from celosia.masks.base import Leaves, Sheet
from celosia.masks.decimals import as_column, check_decimals, shown_decimals
from celosia.masks.draws import normals, uniforms
from celosia.masks.options import OnColumns, check_flag, told

Numbers = NDArray[np.float64]

_AT_ONCE = 1 << 17
_SHARE = 0.1
_LEAST_CONTRACTION = 0.8
_TELLING_SHIFT = 0.05
_WHOLE_LIMIT = 2.0**63 - 1024
"""The greatest number that is both of double precision and a whole number of 64 bits."""


@dataclass(frozen=True)
class AddNoise(OnColumns):
    """Make numbers untrue by a random amount: x + s e (additive) or x |1 + s e| (multiplicative), e of mean 0 and sd 1.

    What falls out of the domain is reflected at its ends (a mark of 10.3 becomes 9.7): cut-off values would pile up
    there and show. Additive noise sums to 0, and where reflection moves the mean, values are drawn together towards an
    end, by a fifth at most, until the mean is what it was. Missing cells stay missing. Results are rounded.

    Parameters
    ----------
    column, columns
        The column of numbers to change, or several; one of the two.
    kind
        ``additive``, or ``multiplicative``: the noise is in proportion to the value, and zeros stay zeros.
    sd
        The standard deviation of additive noise, above 0, in the unit of the column; or
    share
        that of the noise as a share of the column's own standard deviation; for multiplicative noise, as a share of
        each value. Above 0; 0.1 unless ``sd`` is given.
    distribution
        Of e: ``normal``, ``uniform`` (never beyond 1.74 sd) or ``laplace`` (more often far away).
    correlated
        Several columns get normal noise with the correlations that the columns have themselves. With ``share`` the
        noise then has s^2 times their covariances, so that correlations stay what they are; independent noise makes
        them weaker. Correlations are taken from the rows that hold all the columns.
    within
        The domain: ``[low, high]``, one of which may be ``None`` (no bound). Left out: from the least to the greatest
        number of the column, since nothing else is known to be allowed; but then no value beyond the published ones
        is far from the true extremes, so name the true domain where you know it.
    decimals
        How many the results have, 0 to 12. Left out: as many as the column shows.

    Guarantee
    ---------
    Every result lies in the domain and has no more decimals than the column. The mean of an additive column stays up to
    rounding, unless values lie so near an end that the domain forbids it (finding NOISE_MEAN); of a multiplicative one
    it stays in expectation, apart from reflection. The variance grows by about s^2. There is no bound on what an
    attacker learns: who knows the true values links each row to the nearest result, and outliers stay outliers. Two
    releases with fresh noise average it out.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        A cell is no number or lies out of ``within``, or the column leaves no room for noise (NOISE_NO_EFFECT).

    Examples
    --------
    >>> marks = pl.DataFrame({"mark": [4.5, 3.5, 3.8, 2.5, 5.0]})
    >>> noisy = AddNoise("mark", sd=0.5, within=[0, 10]).apply(marks, Randomness(seed=1))
    >>> noisy["mark"].is_between(0, 10).all(), round(marks["mark"].mean(), 1), round(noisy["mark"].mean(), 1)
    (True, 3.9, 3.9)
    """

    name: ClassVar[str] = "add_noise"
    leaves: ClassVar[Leaves] = Leaves(
        "perturbed",
        "Published numbers are near the true ones: who knows a true one finds the rows near it, and a number far from "
        "all others is still recognised. Columns without noise identify as before.",
    )

    kind: Literal["additive", "multiplicative"] = "additive"
    sd: float | None = None
    share: float | None = None
    distribution: Literal["normal", "uniform", "laplace"] = "normal"
    correlated: bool = False
    within: Sequence[float | None] | None = None
    decimals: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("add_noise: kind", self.kind, ["additive", "multiplicative"])
        check_choice("add_noise: distribution", self.distribution, ["normal", "uniform", "laplace"])
        check_flag("add_noise: correlated", self.correlated)
        self._check_amount()
        if self.correlated and (len(self.columns) < 2 or self.distribution != "normal"):
            raise OptionError(
                "add_noise: correlated noise is normal, and for two columns or more.",
                hint="name the columns under columns, and leave distribution out.",
                about="correlated",
            )
        if self.within is not None:
            self._set(within=_checked_domain(self.within))
        check_decimals(self.name, self.decimals)

    def _check_amount(self) -> None:
        for option in ("sd", "share"):
            if getattr(self, option) is not None:
                check_number(f"add_noise: {option}", getattr(self, option), positive=True)
        if self.sd is not None and self.share is not None:
            raise OptionError("add_noise: sd and share are given both.", hint="give one of the two.", about="sd")
        if self.sd is not None and self.kind == "multiplicative":
            raise OptionError(
                "add_noise: sd is an amount in the unit of the column; multiplicative noise is a share of each value.",
                hint="give share instead: 0.1 changes values by about a tenth.",
                about="sd",
            )
        if self.sd is None and self.share is None:
            self._set(share=_SHARE)

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with noise in the columns."""
        numbers = [sheet.numbers(name, self.name) for name in self.columns]
        shared = _correlated(sheet.randomness, numbers) if self.correlated else None
        for place, (name, column) in enumerate(zip(self.columns, numbers, strict=True)):
            known = column.drop_nulls()
            if not len(known):
                sheet = sheet.with_column(sheet.frame[name], Change(name, "perturbed"))
                continue
            if shared is None:
                noise = _drawn(sheet.randomness, len(known), self.distribution)
            else:
                noise = shared[place][column.is_not_null().to_numpy()] if column.null_count() else shared[place]
            sheet = self._changed(sheet, name, column, known, noise)
        return sheet

    def _changed(self, sheet: Sheet, name: str, column: pl.Series, known: pl.Series, noise: Numbers) -> Sheet:
        """Return the sheet with one column changed; the array ``noise`` is used up."""
        true = known.cast(pl.Float64).to_numpy()
        decimals = shown_decimals(sheet.frame[name], column) if self.decimals is None else self.decimals
        spread = float(true.std(ddof=1)) if true.min() < true.max() else 0.0
        low, high = self._domain(name, true, decimals)
        is_measured_by_spread = self.kind == "additive" and self.sd is None
        if len(true) < 2 or not low < high or (is_measured_by_spread and not spread):
            raise InputError(
                f"NOISE_NO_EFFECT: '{name}' leaves no room for noise: it holds fewer than two numbers, or only equal "
                "ones, or its domain a single number.",
                hint="give sd and a wider domain under within, or drop the column.",
                about="add_noise",
            )
        made = self._perturbed(true, noise, spread, low, high)
        if not np.isfinite(made).all():
            raise OptionError(
                f"add_noise: the noise or the domain of '{name}' is too large to be calculated with.",
                hint="give a smaller sd or share, or a narrower domain under within.",
                about="add_noise",
            )
        if decimals is not None:
            np.round(made, decimals, out=made)
        made += 0.0  # -0.0 becomes 0.0
        findings = self._findings(name, true, made, spread)
        like = sheet.frame[name] if sheet.frame.schema[name] != pl.String else column
        series = as_column(made, like, decimals, column.dtype.is_integer())
        return sheet.with_numbers(series, Change(name, "perturbed")).noting(*findings)

    def _perturbed(self, true: Numbers, noise: Numbers, spread: float, low: float, high: float) -> Numbers:
        """Return the numbers with noise, inside the domain, in the array ``noise``; infinite or NaN where too large."""
        with np.errstate(over="ignore", invalid="ignore"):
            noise -= noise.mean()
            if self.kind == "additive":
                noise *= self.sd if self.sd is not None else float(self.share or 0) * spread
                noise += true
                return _with_mean(_reflected(noise, low, high), float(true.mean()), low, high)
            noise *= float(self.share or 0)
            noise += 1
            np.abs(noise, out=noise)
            noise *= true
            return _reflected(noise, low, high)

    def _domain(self, name: str, true: Numbers, decimals: int | None) -> tuple[float, float]:
        """Return the least and the greatest number that may come out, with no more decimals than allowed."""
        least, greatest = float(true.min()), float(true.max())
        low, high = (least, greatest) if self.within is None else self.within
        n_out = int((true < low).sum() if low is not None else 0) + int((true > high).sum() if high is not None else 0)
        if n_out:
            raise InputError(
                f"add_noise: {n_out} of the {len(true)} numbers of '{name}' lie out of the domain given under within.",
                hint="widen it, or mend the numbers.",
                about="within",
            )
        if decimals is not None:
            unit = 10**decimals
            low = low if low is None else math.ceil(Fraction(str(low)) * unit) / unit
            high = high if high is None else math.floor(Fraction(str(high)) * unit) / unit
        is_whole = max(abs(least), abs(greatest)) > 2**53  # whole numbers this long need care at the end of 64 bits
        limit = _WHOLE_LIMIT if is_whole and decimals == 0 else math.inf
        return (-limit if low is None else max(low, -limit)), (limit if high is None else min(high, limit))

    def _findings(self, name: str, true: Numbers, made: Numbers, spread: float) -> Iterator[Finding]:
        if self.within is None:
            yield Finding(
                "NOISE_RANGE",
                "note",
                "No domain was given for '{column}', so that noise stays between its least and greatest number: "
                "the published ones are a hint at those. Give the true domain under within.",
                name,
            )
        same = float((true == made).mean())
        if same > 0.5:
            yield Finding(
                "NOISE_SMALL",
                "warning",
                "{share} of the numbers of '{column}' are the same after rounding: the noise is too small to hide "
                "them. Raise sd or share.",
                name,
                {"share": f"{same:.1%}"},
            )
        shift = abs(float(made.mean()) - float(true.mean())) / spread if spread else 0.0
        if shift > _TELLING_SHIFT:
            yield Finding(
                "NOISE_MEAN",
                "note",
                "The mean of '{column}' moved by {share} of its standard deviation. Give less noise or a wider "
                "domain where the mean matters.",
                name,
                {"share": f"{shift:.1%}"},
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the options."""
        return told(self, share=_SHARE)


def _checked_domain(within: object) -> tuple[float | None, float | None]:
    ends = list(within) if isinstance(within, list | tuple) else []
    if len(ends) == 2 and ends != [None, None]:
        for end in ends:
            if end is not None:
                check_number("add_noise: an end of within", end)
        if None in ends or ends[0] < ends[1]:
            return ends[0], ends[1]
    raise OptionError(
        "add_noise: within must be the least and the greatest number allowed, the least first.",
        hint="write within: [0, 10], or within: [0, null] without an upper end.",
        about="within",
    )


def _drawn(randomness: Randomness, n: int, distribution: str) -> Numbers:
    """Return independent draws of mean 0 and standard deviation 1."""
    if distribution == "normal":
        return normals(randomness, n)
    made = uniforms(randomness, n)
    made *= 2
    made -= 1
    if distribution == "uniform":
        made *= math.sqrt(3)
        return made
    # For u uniform in [-1, 1) the number -sign(u) ln(1 - |u|) / sqrt(2) is of Laplace; |u| = 1 would be infinite.
    size = np.abs(made)
    np.minimum(size, 1 - 2.0**-53, out=size)
    np.log1p(-size, out=size)
    return np.copysign(size, made) / math.sqrt(2)


def _correlated(randomness: Randomness, columns: Sequence[pl.Series]) -> list[Numbers]:
    """Return normal draws for each column, of mean 0 and sd 1, with the correlations of the columns.

    With C = V diag(w) V' the correlation matrix, z V' sqrt(w) has it too, for z independent: also where C is singular.
    """
    factor = _factor(columns)
    made = [np.empty(len(columns[0])) for _ in columns]
    for start in range(0, len(columns[0]), _AT_ONCE):
        n = min(_AT_ONCE, len(columns[0]) - start)
        parts = factor @ normals(randomness, n * len(columns)).reshape(len(columns), n)
        for whole, part in zip(made, parts, strict=True):
            whole[start : start + n] = part
    return made


def _factor(columns: Sequence[pl.Series]) -> Numbers:
    """Return V diag(sqrt(w)) of the correlation matrix of the rows that hold all the columns."""
    names = [str(place) for place in range(len(columns))]
    table = pl.DataFrame([column.alias(name) for name, column in zip(names, columns, strict=True)])
    if any(column.null_count() for column in columns):
        table = table.drop_nulls()
    if table.height < 2 or any(column.min() == column.max() for column in table):
        raise InputError(
            f"NOISE_NO_EFFECT: correlations need two rows or more that hold all {len(columns)} columns and differ in "
            "each.",
            hint="leave correlated out, or name other columns.",
            about="add_noise",
        )
    correlations = np.eye(len(columns))
    for place, other in combinations(range(len(columns)), 2):
        found = float(table.select(pl.corr(names[place], names[other])).item())
        correlations[place, other] = correlations[other, place] = found
    values, vectors = np.linalg.eigh(correlations)
    factor: Numbers = vectors * np.sqrt(np.maximum(values, 0))
    return factor


def _reflected(values: Numbers, low: float, high: float) -> Numbers:
    """Fold numbers into [low, high] by reflection at the ends, in place."""
    if math.isinf(low) and math.isinf(high):
        return values
    end, sign = (low, 1) if not math.isinf(low) else (high, -1)
    values -= end
    values *= sign
    if math.isinf(low) or math.isinf(high):
        np.abs(values, out=values)
    else:
        width = high - low
        np.mod(values, 2 * width, out=values)
        values -= width
        np.abs(values, out=values)
        np.subtract(width, values, out=values)
    values *= sign
    values += end
    return np.clip(values, low, high, out=values)  # against the last bit of a sum


def _with_mean(values: Numbers, mean: float, low: float, high: float) -> Numbers:
    """Draw numbers together towards an end of the domain until they have the mean, by a fifth at most, in place."""
    excess = float(values.mean()) - mean
    end = low if excess > 0 else high
    if math.isinf(end):
        values -= excess
        return values
    factor = (mean - end) / (mean + excess - end) if excess else 1.0
    values -= end
    values *= max(factor, _LEAST_CONTRACTION)
    values += end
    return np.clip(values, low, high, out=values)
