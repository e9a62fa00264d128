"""PRAM, the post-randomisation method: categories changed at random, by known chances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.base.findings import Finding
from celosia.data.hierarchies.options import check_number
from celosia.data.masked import Change
from celosia.data.schema.columns import as_text, codes_of
from celosia.masks.base import Leaves, Sheet
from celosia.masks.draws import uniforms
from celosia.masks.options import OnColumns, check_flag, strata_columns, strata_of, told

_KEEP = 0.8

Chances = tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
"""A matrix as it is kept: value, then each value that it may become, with its chance."""


@dataclass(frozen=True)
class Pram(OnColumns):
    """Replace each category by one drawn with known chances: P(published = b | true = a) = M[a][b].

    ``matrix_of`` returns M. With ``keep`` = p a cell is left alone with the chance p, else its value is drawn anew: if
    ``invariant`` from the frequencies f of the column, the true value among them, so that a value stays with the chance
    M[a][a] = p + (1 - p) f(a) and becomes b with M[a][b] = (1 - p) f(b); if not, from the other categories, all alike,
    so that it stays with M[a][a] = p and becomes b with M[a][b] = (1 - p) / (categories - 1).
    Missing cells stay missing. Cells are drawn independently of each other.

    Parameters
    ----------
    column, columns
        The column of categories to change, or several, each on its own; one of the two.
    keep
        The chance p that a cell is left alone, from 0 and below 1, read as its decimal text. 0.8 unless ``matrix`` is
        given.
    matrix
        M itself: ``{value: {value: chance}}``; chances are read as decimal texts, and each row must sum to exactly 1.
    invariant
        With ``keep``: the expected frequencies stay as they are, f M = f. True unless given.
    within
        With ``keep``: a column, or several: values are drawn from the frequencies, or the categories, of the rows that
        are equal there. Missing is a value of its own.

    Guarantee
    ---------
    No published category is surely the true one: with an invariant M that of a cell is true with the chance M[a][a]. An
    analyst who knows M corrects for it (true frequencies = published ones times the inverse of M); an invariant M keeps
    f M = f, so that expected frequencies are right as they stand, within strata too, and published ones scatter around
    them. There is no bound for a single person: a rare category that stayed still stands out (finding PRAM_RARE).

    Raises
    ------
    OptionError
        An option has a value that is not allowed, or a row of the matrix does not sum to 1.
    InputError
        Cells hold values that the matrix does not know, or a column has one category only (PRAM_NO_EFFECT).

    Examples
    --------
    >>> Pram("job", keep=0.8).matrix_of({"clerk": 3, "nurse": 1})["nurse"]
    {'clerk': Fraction(3, 20), 'nurse': Fraction(17, 20)}
    >>> jobs = pl.DataFrame({"job": ["clerk", "clerk", "nurse", "clerk"]})
    >>> Pram("job", keep=0.5, invariant=False).apply(jobs, Randomness(seed=3))["job"].to_list()
    ['clerk', 'clerk', 'clerk', 'nurse']
    """

    name: ClassVar[str] = "pram"
    leaves: ClassVar[Leaves] = Leaves(
        "perturbed",
        "Most cells may still hold their true category, and nobody can tell which: a rare one remains a hint at its "
        "owner. Columns that were not changed identify as before.",
    )

    keep: float | None = None
    matrix: Mapping[str, Mapping[str, float]] | Chances | None = None
    invariant: bool | None = None
    within: str | Sequence[str] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(within=strata_columns(self.name, self.within, self.columns))
        if self.invariant is not None:
            check_flag("pram: invariant", self.invariant)
        if self.matrix is not None:
            if self.keep is not None or self.invariant or self.within:
                raise OptionError(
                    "pram: a matrix is used as it stands; keep, invariant and within are for those made of the data.",
                    hint="give the matrix alone, or leave it out.",
                    about="matrix",
                )
            self._set(matrix=_checked_matrix(self.matrix), invariant=False)
            return
        self._set(keep=_KEEP if self.keep is None else self.keep, invariant=self.invariant is not False)
        check_number("pram: keep", self.keep)
        if not 0 <= (self.keep or 0) < 1:
            raise OptionError(
                f"pram: keep is {self.keep}; it must be from 0 and below 1.",
                hint="write 0.8 to leave four cells of five alone.",
                about="keep",
            )

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it changes, and those that bound what is drawn."""
        return (*self.columns, *(self.within or ()))

    def matrix_of(self, frequencies: Mapping[str, int]) -> dict[str, dict[str, Fraction]]:
        """Return the matrix used on a column (or stratum) with these frequencies: true value, then published one.

        Analysts need it to correct what they estimate; it tells nobody's category. An invariant matrix tells the true
        frequencies, so that it may be published where these may.

        Examples
        --------
        >>> Pram("job", matrix={"a": {"a": 0.9, "b": 0.1}, "b": {"b": 1}}).matrix_of({})["a"]
        {'a': Fraction(9, 10), 'b': Fraction(1, 10)}
        """
        if self.matrix is not None:
            return {value: {to: Fraction(str(chance)) for to, chance in row} for value, row in self._chances}
        keep, values, total = Fraction(str(self.keep)), list(frequencies), sum(frequencies.values())
        if len(values) == 1:
            return {values[0]: {values[0]: Fraction(1)}}
        if self.invariant:
            anew = {value: (1 - keep) * Fraction(frequencies[value], total) for value in values}
            return {true: {value: anew[value] + keep * (value == true) for value in values} for true in values}
        other = (1 - keep) / (len(values) - 1)
        return {true: {value: keep if value == true else other for value in values} for true in values}

    @property
    def _chances(self) -> Chances:
        return self.matrix  # type: ignore[return-value]  # normalised by the constructor

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with categories changed at random."""
        strata = strata_of(sheet, self.within or (), self.name)
        for name in self.columns:
            column = sheet.column(name, self.name)
            if column.null_count() == len(column):
                sheet = sheet.with_column(column, Change(name, "perturbed"))
                continue
            codes, values = _categories(column)
            rows = np.flatnonzero(codes >= 0) if column.null_count() else slice(None)
            true = codes[rows]
            if self.matrix is None:
                drawn = self._by_keep(sheet.randomness, true, strata[rows], name)
            else:
                true, values = self._in_matrix(true, values)
                drawn = _by_chances(sheet.randomness, true, self.matrix_of({}))
            found = list(_rare(name, true, drawn, sheet.k))
            codes[rows] = drawn
            places = pl.Series(codes).cast(pl.UInt32, strict=False)  # -1, a missing cell, becomes missing
            sheet = sheet.with_column(values.gather(places), Change(name, "perturbed")).noting(*found)
        return sheet

    def _by_keep(
        self, randomness: Randomness, true: NDArray[np.int32], strata: NDArray[np.int32], name: str
    ) -> NDArray[np.int32]:
        """Leave cells alone with the chance ``keep``, and draw the values of the others anew."""
        n_pairs = len(np.unique(strata.astype(np.int64) * (int(true.max()) + 1) + true)) if self.within else 0
        if (true.max() == true.min()) or (self.within and n_pairs == len(np.unique(strata))):
            raise InputError(
                f"PRAM_NO_EFFECT: '{name}' has one category only, or one in each stratum: there is no other to draw.",
                hint="name fewer or coarser columns under within, or leave the mask out.",
                about="pram",
            )
        again = np.flatnonzero(randomness.keys(len(true)) >= np.uint64(int(Fraction(str(self.keep)) * 2**64)))
        chances = uniforms(randomness, len(again))
        drawn = true.copy()
        drawn[again] = (_anew if self.invariant else _others)(true, strata, again, chances)
        return drawn

    def _in_matrix(self, true: NDArray[np.int32], values: pl.Series) -> tuple[NDArray[np.int32], pl.Series]:
        """Return codes as places in the matrix, and its values in the type of the column."""
        texts = as_text(values).to_list()
        known = {text: place for place, (text, _) in enumerate(self._chances)}
        is_out = np.array([text not in known for text in texts])
        if is_out.any():
            raise InputError(
                f"pram: {int(is_out[true].sum())} of the {len(true)} cells of '{values.name}' hold {int(is_out.sum())} "
                f"values that the matrix does not know (it knows {len(known)}).",
                hint="add a row for each of them; values are withheld here.",
                about="matrix",
            )
        spelt = pl.Series(values.name, list(known))
        if values.dtype != pl.String:
            # Only values of the data are sure to have a spelling that leads back to them.
            place_of = {text: place for place, text in enumerate(texts)}
            reachable = {to for value, row in self._chances if value in place_of for to, chance in row if chance}
            if not reachable <= set(place_of):
                raise InputError(
                    f"pram: {len(reachable - set(place_of))} values of the matrix are not in '{values.name}', whose "
                    f"cells are {values.dtype}: they cannot be written there.",
                    hint="leave them out of the matrix, or make the column text first.",
                    about="matrix",
                )
            spelt = values.gather(pl.Series([place_of.get(text) for text in known], dtype=pl.UInt32))
        return np.array([known[text] for text in texts], dtype=np.int32)[true], spelt

    def to_dict(self) -> dict[str, Any]:
        """Return the options."""
        if self.matrix is not None:
            return {"columns": list(self.columns), "matrix": {value: dict(row) for value, row in self._chances}}
        return told(self, keep=_KEEP, invariant=True)


def _checked_matrix(matrix: object) -> Chances:
    """Return a matrix as nested tuples, every value as the text by which cells are known."""
    pairs = list(matrix.items()) if isinstance(matrix, Mapping) else []
    if not pairs or not all(isinstance(row, Mapping) and row for _, row in pairs):
        raise OptionError(
            "pram: matrix must give for each value the chances of the values that it may become.",
            hint="write matrix: {yes: {yes: 0.9, no: 0.1}, no: {yes: 0.1, no: 0.9}}.",
            about="matrix",
        )
    made = tuple((_text(value), tuple((_text(to), chance) for to, chance in row.items())) for value, row in pairs)
    names = {value for value, _ in made}
    for place, (_, row) in enumerate(made, start=1):
        for to, chance in row:
            check_number(f"pram: a chance in row {place} of matrix", chance)
            if chance < 0 or to not in names:
                raise OptionError(
                    f"pram: row {place} of matrix has a chance below 0, or for a value without a row of its own.",
                    hint="give every value a row; {value: {value: 1}} leaves it alone.",
                    about="matrix",
                )
        total = sum((Fraction(str(chance)) for _, chance in row), Fraction(0))
        if total != 1:
            raise OptionError(
                f"pram: the chances in row {place} of matrix sum to {float(total):.6g}; they must sum to exactly 1.",
                hint="mind the last decimal: 0.33, 0.33 and 0.34, not 0.33 three times.",
                about="matrix",
            )
    if all(dict(row).get(value) == 1 for value, row in made):
        raise OptionError("pram: matrix leaves every value alone.", hint="lower the chances to stay.", about="matrix")
    return made


def _text(value: object) -> str:
    """Spell a value of a plan file as ``as_text`` spells a cell."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _categories(column: pl.Series) -> tuple[NDArray[np.int32], pl.Series]:
    """Return the category of each cell (-1 = missing), and one cell of each category."""
    codes = np.array(codes_of(column)[0], dtype=np.int32)
    places = np.zeros(int(codes.max()) + 1, dtype=np.uint32)
    known = np.flatnonzero(codes >= 0)
    places[codes[known]] = known
    return codes, column.gather(pl.Series(places))


def _anew(
    true: NDArray[np.int32], strata: NDArray[np.int32], again: NDArray[np.intp], chances: NDArray[np.float64]
) -> NDArray[np.int32]:
    """Draw from the frequencies of the stratum: the value of any of its rows, all alike."""
    if strata.max() == strata.min():
        return true[(chances * len(true)).astype(np.intp)]
    sizes = np.bincount(strata)
    starts = np.cumsum(sizes) - sizes
    own = strata[again]
    sources: NDArray[np.intp] = np.argsort(strata, kind="stable")[starts[own] + (chances * sizes[own]).astype(np.intp)]
    return true[sources]


def _others(
    true: NDArray[np.int32], strata: NDArray[np.int32], again: NDArray[np.intp], chances: NDArray[np.float64]
) -> NDArray[np.int32]:
    """Draw from the other categories of the stratum, all alike; a value without others stays."""
    n_values = int(true.max()) + 1
    if strata.max() == strata.min():
        steps = 1 + (chances * (n_values - 1)).astype(np.int32)
        return (true[again] + steps) % n_values
    pairs, places = np.unique(strata.astype(np.int64) * n_values + true, return_inverse=True)
    own = places[again]
    owner = pairs // n_values
    starts = np.searchsorted(owner, owner)[own]
    sizes = np.searchsorted(owner, owner, side="right")[own] - starts
    steps = 1 + (chances * np.maximum(sizes - 1, 1)).astype(np.intp)
    drawn: NDArray[np.int32] = (pairs[starts + (own - starts + steps) % sizes] % n_values).astype(np.int32)
    return drawn


def _by_chances(
    randomness: Randomness, true: NDArray[np.int32], matrix: Mapping[str, Mapping[str, Fraction]]
) -> NDArray[np.int32]:
    """Draw each cell from the row of the matrix that its value has; ``true`` are places in the matrix."""
    place_of = {value: place for place, value in enumerate(matrix)}
    order = np.argsort(true, kind="stable")
    ends = np.cumsum(np.bincount(true, minlength=len(matrix)))
    drawn = np.empty(len(true), dtype=np.int32)
    for code, row in enumerate(matrix.values()):
        cells = order[ends[code - 1] if code else 0 : ends[code]]
        likely = [(place_of[value], chance) for value, chance in row.items() if chance]
        sums = list(accumulate(chance for _, chance in likely))[:-1]
        limits = np.array([int(total * 2**64) for total in sums], dtype=np.uint64)
        chosen = np.searchsorted(limits, randomness.keys(len(cells)), side="right")
        drawn[cells] = np.array([place for place, _ in likely], dtype=np.int32)[chosen]
    return drawn


def _rare(name: str, true: NDArray[np.int32], drawn: NDArray[np.int32], k: int) -> Iterator[Finding]:
    n_kept = int((np.bincount(true)[true[true == drawn]] < k).sum())
    if n_kept:
        yield Finding(
            "PRAM_RARE",
            "warning",
            "{rows} rows hold a category of '{column}' that fewer than {k} rows had, and hold it still: they stand out "
            "as before. Merge rare categories first, or blank them.",
            name,
            {"rows": n_kept, "k": k},
        )
