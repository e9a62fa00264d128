"""The attack: digests of a column are compared with those of candidates, for a few seconds."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from celosia.schema.detectors import read_header
from celosia.unhashing.candidates import Candidates
from celosia.unhashing.digesting import digests_of
from celosia.unhashing.domains import Domain, usual_domains
from celosia.unhashing.shapes import CRC32, Shape, decoded, shape_of
from celosia.unhashing.targets import Targets

__all__ = ["Reversal", "attacked", "reverse"]

_FIRST_SLICE, _LARGEST_SLICE = 2**10, 2**21
_BATCH = {"SHA-256": 2**17}
_SLOW_BATCH = 2**14
"""How many candidates are hashed between two looks at the clock."""
_CHANCE = 1e-9
"""Hits that chance alone would bring about with this probability, or a greater one, show nothing."""
_HINTED = 8
_HINTS = {
    "identity number": ("dni", "nie", "number"),
    "contact": ("phone",),
    "birth": ("date", "year"),
    "date": ("date", "year"),
    "postcode": ("postcode",),
}
"""What a header says that the values are, which is then tried sooner."""


@dataclass(frozen=True, eq=False)
class Reversal:
    """What a bounded attack on the digests of a column has shown.

    Attributes
    ----------
    column, shape
        The column, and how its digests are spelt.
    n_digests
        How many distinct digests it holds.
    n_found
        How many of them were reversed.
    n_tried, seconds
        How many candidates were tried, and how long that took.
    domain
        Where most of what was found comes from; ``None`` if nothing was found.

    Examples
    --------
    >>> import hashlib
    >>> hashed = pl.Series("year", [hashlib.sha256(str(year).encode()).hexdigest() for year in (1969, 1984)])
    >>> shown = reverse(hashed)
    >>> shown.n_found, shown.domain.kind, shown.algorithm
    (2, 'year', 'SHA-256')
    """

    column: str
    shape: Shape
    n_digests: int
    n_found: int
    n_tried: int
    seconds: float
    domain: Domain | None
    _cells: pl.Series = field(repr=False)
    _found: Mapping[int, bytes] = field(repr=False)

    @property
    def algorithm(self) -> str:
        """The algorithm of the digests, by their length."""
        return self.shape.algorithm

    @property
    def values(self) -> dict[str, str]:
        """The digests that were reversed, as cells (hex in lower case), with their values: for the owner's eyes."""
        cells = self._cells.gather(list(self._found)).to_list()
        return {cell: value.decode() for cell, value in zip(cells, self._found.values(), strict=True)}

    @property
    def seconds_for_all(self) -> float:
        """About how long the whole domain would take at the speed of this attack; 0 if nothing was found."""
        return 0.0 if self.domain is None else self.domain.size * self.seconds / max(self.n_tried, 1)


def reverse(
    column: pl.Series,
    *,
    given: Sequence[Domain] = (),
    domains: Sequence[Domain] | None = None,
    seconds: float = 2.0,
) -> Reversal | None:
    """Try to reverse the digests of a column by hashing candidates; return ``None`` if it holds no digests.

    Every domain gives a few candidates, then twice as many, and so on. As soon as one hits more often than chance
    would, it is tried alone to its end. The attack ends when all digests are reversed, when there are no candidates
    left or when the time is over.

    Parameters
    ----------
    given
        Domains tried beside the usual ones: a roster, other columns.
    domains
        What is tried in place of the usual domains.
    seconds
        How long candidates may be tried, from 0; checksums (CRC32) a quarter of it.

    Examples
    --------
    >>> reverse(pl.Series("town", ["Sevilla", "Cádiz"])) is None
    True
    """
    shape = shape_of(column)
    tried = (*given, *(usual_domains() if domains is None else domains))
    return None if shape is None else attacked(column, shape, tried, seconds)


def attacked(column: pl.Series, shape: Shape, domains: Sequence[Domain], seconds: float) -> Reversal:
    """Attack a column whose shape is known.

    Examples
    --------
    >>> from celosia.unhashing.domains import numbers
    >>> column = pl.Series("x", ["81dc9bdb52d04dc20036dbd8313ed055"])
    >>> attacked(column, Shape("MD5", "hex", "", 32), [numbers(4)], 60.0).n_found
    1
    """
    started = time.perf_counter()
    cells, digests = decoded(shape, column)
    attack = _Attack(shape.algorithm, Targets(digests), time.perf_counter() + _budget(shape, seconds))
    attack.run([_Trial(domain, _weight(domain, column.name)) for domain in domains])
    found = attack.found()
    return Reversal(
        column.name,
        shape,
        len(digests),
        len(found),
        attack.n_tried,
        time.perf_counter() - started,
        attack.best(),
        cells,
        found,
    )


def _budget(shape: Shape, seconds: float) -> float:
    """Return how long to try candidates: not long where the column may well be something else."""
    return seconds / 4 if shape.algorithm == CRC32 else seconds


def _weight(domain: Domain, column: str) -> int:
    header = read_header(column)
    kinds = _HINTS.get(header.concept.name, ()) if header else ()
    return domain.weight * (_HINTED if domain.kind in kinds else 1)


class _Trial:
    """How far one domain has been tried, and what it gave."""

    def __init__(self, domain: Domain, weight: int) -> None:
        self.domain = domain
        self.weight = weight
        self.n_tried = 0
        self.values: dict[int, bytes] = {}

    @property
    def is_over(self) -> bool:
        return self.n_tried >= self.domain.size

    def take(self, n: int) -> Candidates:
        places = self.domain.places(self.n_tried, self.n_tried + n)
        self.n_tried += len(places)
        return self.domain.spell(places)

    def is_beyond_chance(self, chance_of_a_hit: float) -> bool:
        """Tell whether so many hits are too many for chance, by Chernoff's bound of Poisson's distribution."""
        n_hits, expected = len(self.values), self.n_tried * chance_of_a_hit
        if n_hits <= expected:
            return False
        return n_hits - expected - n_hits * math.log(n_hits / expected) < math.log(_CHANCE)


class _Attack:
    """One run over all domains."""

    def __init__(self, algorithm: str, targets: Targets, until: float) -> None:
        self.algorithm = algorithm
        self.targets = targets
        self.until = until
        self.trials: list[_Trial] = []
        self.batch = _BATCH.get(algorithm, _SLOW_BATCH)
        self.chance_of_a_hit = len(targets) / 2.0 ** min(8 * targets.n_bytes, 1000)

    @property
    def n_tried(self) -> int:
        return sum(trial.n_tried for trial in self.trials)

    def run(self, trials: list[_Trial]) -> None:
        self.trials = trials
        for trial, n in self._slices():
            self._try(trial, n)
            if trial.is_beyond_chance(self.chance_of_a_hit):
                while not (trial.is_over or self._is_done()):
                    self._try(trial, _LARGEST_SLICE)
            if self._is_done():
                return

    def found(self) -> dict[int, bytes]:
        """Return the values of the targets that were hit in domains that hit more often than chance."""
        return {target: value for trial in self._telling() for target, value in trial.values.items()}

    def best(self) -> Domain | None:
        """Return the domain with most hits, the first of those."""
        return max(self._telling(), key=lambda trial: len(trial.values)).domain if self._telling() else None

    def _telling(self) -> list[_Trial]:
        return [trial for trial in self.trials if trial.is_beyond_chance(self.chance_of_a_hit)]

    def _slices(self) -> Iterator[tuple[_Trial, int]]:
        n = _FIRST_SLICE
        while any(not trial.is_over for trial in self.trials):
            for trial in self.trials:
                if not trial.is_over:
                    yield trial, min(n * trial.weight, _LARGEST_SLICE)
            n *= 2

    def _try(self, trial: _Trial, n: int) -> None:
        end = trial.n_tried + n
        while trial.n_tried < min(end, trial.domain.size) and time.perf_counter() < self.until:
            candidates = trial.take(min(self.batch, end - trial.n_tried))
            places, targets = self.targets.hits(digests_of(self.algorithm, candidates))
            if len(places):
                values = candidates.values
                trial.values |= zip(targets.tolist(), [values[place] for place in places.tolist()], strict=True)

    def _is_done(self) -> bool:
        # Domains overlap, so that the sum may be too high; it is quick, and spares the exact count nearly always.
        n_most = sum(len(trial.values) for trial in self._telling())
        is_all = n_most >= len(self.targets) and len(self.found()) == len(self.targets)
        return is_all or time.perf_counter() >= self.until
