"""The attack: digests of a column are compared with those of candidates, for a few seconds."""

from __future__ import annotations

import hashlib
import math
import os
import time
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia import kernels
from celosia.data.schema.detectors import read_header
from celosia.measure.unhashing.candidates import Candidates
from celosia.measure.unhashing.domains import Domain, usual_domains
from celosia.measure.unhashing.shapes import CRC32, Shape, decoded, shape_of

SECONDS = 6.0
"""How long candidates may be tried on one column."""
_PIECE, _SLOW_PIECE = 2**15, 2**11
_PIECES_PER_THREAD = 4
"""How many candidates a thread hashes, and how often, between two looks at the clock."""
_CHANCE = 1e-9
"""Hits that chance alone would bring about with this probability, or a greater one, show nothing."""
_SMALL = 10**6
"""Domains up to this size are tried first and whole: that takes some hundredths of a second."""
_MOST_FOR_SMALL = 0.5
"""The part of the time that small domains may take, where no kernel hashes them."""


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
    seconds: float = SECONDS,
    after_proof: float = 1.0,
) -> Reversal | None:
    """Try to reverse the digests of a column by hashing candidates; return ``None`` if it holds no digests.

    Domains of up to 10^6 values are tried first, each to its end. If they reverse less than half of the digests, the
    large ones follow in turns, the most probable most often. As soon as one of those hits more often than chance would,
    it is tried alone. The attack ends ``after_proof`` seconds later, or when all digests are reversed, when there are
    no candidates left or when the time is over.

    Parameters
    ----------
    given
        Domains tried beside the usual ones: a roster, other columns.
    domains
        What is tried in place of the usual domains.
    seconds
        How long candidates may be tried, from 0; checksums (CRC32) a twelfth of it.
    after_proof
        How long to go on, from 0, once a large domain has hit; ``math.inf`` for as long as ``seconds`` allow.

    Examples
    --------
    >>> reverse(pl.Series("town", ["Sevilla", "Cádiz"])) is None
    True
    """
    shape = shape_of(column)
    tried = (*given, *(usual_domains() if domains is None else domains))
    return None if shape is None else attacked(column, shape, tried, seconds, after_proof)


def attacked(
    column: pl.Series, shape: Shape, domains: Sequence[Domain], seconds: float, after_proof: float = 1.0
) -> Reversal:
    """Attack a column whose shape is known.

    Examples
    --------
    >>> from celosia.measure.unhashing.domains import numbers
    >>> column = pl.Series("x", ["81dc9bdb52d04dc20036dbd8313ed055"])
    >>> attacked(column, Shape("MD5", "hex", "", 32), [numbers(4)], 60.0).n_found
    1
    """
    started = time.perf_counter()
    cells, digests = decoded(shape, column)
    trials = [_Trial(domain, share) for domain, share in zip(domains, shares(domains, column.name), strict=True)]
    attack = _Attack(shape.algorithm, Targets(digests), trials)
    attack.run(_budget(shape, seconds), after_proof)
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
    return seconds / 12 if shape.algorithm == CRC32 else seconds


class _Trial:
    """How far one domain has been tried, and what it gave."""

    def __init__(self, domain: Domain, share: float) -> None:
        self.domain = domain
        self.share = share
        self.n_tried = 0
        self.values: dict[int, bytes] = {}

    @property
    def is_over(self) -> bool:
        return self.n_tried >= self.domain.size

    def take(self, n: int) -> tuple[int, int]:
        """Return the next places to try, from the first to the one after the last."""
        begin = self.n_tried
        self.n_tried = min(begin + n, self.domain.size)
        return begin, self.n_tried

    def is_beyond_chance(self, chance_of_a_hit: float) -> bool:
        """Tell whether so many hits are too many for chance, by Chernoff's bound of Poisson's distribution."""
        n_hits, expected = len(self.values), self.n_tried * chance_of_a_hit
        if n_hits <= expected:
            return False
        return n_hits - expected - n_hits * math.log(n_hits / expected) < math.log(_CHANCE)


class _Attack:
    """One run over all domains."""

    def __init__(self, algorithm: str, targets: Targets, trials: list[_Trial]) -> None:
        self.algorithm = algorithm
        self.targets = targets
        self.trials = trials
        self.until = math.inf
        self.n_threads = os.cpu_count() or 1
        self.piece = _PIECE if is_fast(algorithm) else _SLOW_PIECE
        self.chance_of_a_hit = len(targets) / 2.0 ** min(8 * targets.n_bytes, 1000)

    @property
    def n_tried(self) -> int:
        return sum(trial.n_tried for trial in self.trials)

    def run(self, seconds: float, after_proof: float) -> None:
        started = time.perf_counter()
        with ThreadPoolExecutor(self.n_threads) as pool:
            self.until = started + _MOST_FOR_SMALL * seconds
            self._exhaust_small(pool)
            self.until = started + seconds
            if 2 * len(self.found()) < len(self.targets):
                self._search_large(pool, after_proof)

    def found(self) -> dict[int, bytes]:
        """Return the values of the targets that were hit in domains that hit more often than chance."""
        return {target: value for trial in self._telling() for target, value in trial.values.items()}

    def best(self) -> Domain | None:
        """Return the domain with most hits, the first of those."""
        return max(self._telling(), key=lambda trial: len(trial.values)).domain if self._telling() else None

    def _telling(self) -> list[_Trial]:
        return [trial for trial in self.trials if trial.is_beyond_chance(self.chance_of_a_hit)]

    def _exhaust_small(self, pool: ThreadPoolExecutor) -> None:
        for trial in self.trials:
            while trial.domain.size <= _SMALL and not (trial.is_over or self._is_done()):
                self._try(pool, trial)

    def _search_large(self, pool: ThreadPoolExecutor, after_proof: float) -> None:
        while not self._is_done():
            left = [trial for trial in self.trials if not trial.is_over]
            if not left:
                return
            trial = min(left, key=lambda trial: trial.n_tried / trial.share)
            self._try(pool, trial)
            if trial.is_beyond_chance(self.chance_of_a_hit):
                self.until = min(self.until, time.perf_counter() + after_proof)
                while not (trial.is_over or self._is_done()):
                    self._try(pool, trial)

    def _try(self, pool: ThreadPoolExecutor, trial: _Trial) -> None:
        """Try the next candidates of a domain, on all cores: what a thread does here, it does without Python's lock."""
        pieces = [trial.take(self.piece) for _ in range(_PIECES_PER_THREAD * self.n_threads) if not trial.is_over]
        for hits in pool.map(lambda piece: self._hits(trial.domain, *piece), pieces):
            trial.values |= hits

    def _hits(self, domain: Domain, begin: int, end: int) -> dict[int, bytes]:
        candidates = domain.spell(domain.places(begin, end))
        places, targets = self.targets.hits(digests_of(self.algorithm, candidates))
        return {
            target: candidates.value(place) for place, target in zip(places.tolist(), targets.tolist(), strict=True)
        }

    def _is_done(self) -> bool:
        if time.perf_counter() >= self.until:
            return True
        # Domains overlap, so that the sum may be too high; it is quick, and spares the exact count nearly always.
        n_most = sum(len(trial.values) for trial in self._telling())
        return n_most >= len(self.targets) and len(self.found()) == len(self.targets)


_KERNELS = {"MD5": kernels.md5, "SHA-1": kernels.sha1, "SHA-256": kernels.sha256, "SHA-512": kernels.sha512}
_NAMES = {"SHA-224": "sha224", "SHA-384": "sha384"}


def digests_of(algorithm: str, candidates: Candidates) -> NDArray[np.uint8]:
    """Return the digest of each candidate, a row each.

    MD5, SHA-1, SHA-256 and SHA-512 run in kernels, here on one core each time, since the attack calls from several
    threads; SHA-224, SHA-384 and CRC32 run in the standard library, which hashes about a million a second in all.

    Examples
    --------
    >>> digests_of("MD5", Candidates.of([b"a"])).tobytes().hex()
    '0cc175b9c0f1b6a831c399e269772661'
    """
    if algorithm in _KERNELS:
        return _KERNELS[algorithm](candidates.data, candidates.offsets, 1)
    if algorithm == CRC32:
        sums = np.array([zlib.crc32(value) for value in candidates.values], dtype=">u4")
        return sums.view(np.uint8).reshape(-1, 4)
    digest = getattr(hashlib, _NAMES[algorithm])
    joined = b"".join([digest(value, usedforsecurity=False).digest() for value in candidates.values])
    return np.frombuffer(joined, dtype=np.uint8).reshape(len(candidates), -1)


def is_fast(algorithm: str) -> bool:
    """Tell whether a kernel makes the digests.

    Examples
    --------
    >>> is_fast("MD5"), is_fast("CRC32")
    (True, False)
    """
    return algorithm in _KERNELS


_FEWEST_SLOTS, _MOST_SLOTS = 2**16, 2**26
_SLOTS_PER_DIGEST = 16


class Targets:
    """Distinct digests, a row each.

    Nearly every candidate hits nothing: one look into a table of a bit per digest tells so, and the few others are
    sought by halving and compared in full.

    Examples
    --------
    >>> targets = Targets(np.array([[1, 2, 3, 4], [9, 9, 9, 9]], dtype=np.uint8))
    >>> candidates, found = targets.hits(np.array([[0, 0, 0, 0], [9, 9, 9, 9]], dtype=np.uint8))
    >>> candidates.tolist(), found.tolist()
    ([1], [1])
    """

    def __init__(self, digests: NDArray[np.uint8]) -> None:
        keys = _keys(digests)
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        self._digests = digests
        wanted = len(digests) * _SLOTS_PER_DIGEST
        n_slots = min(max(1 << max(wanted - 1, 1).bit_length(), _FEWEST_SLOTS), _MOST_SLOTS)
        self._last_slot = np.uint32(n_slots - 1)
        self._slots = np.zeros(n_slots, dtype=np.bool_)
        self._slots[_first_words(digests) & self._last_slot] = True

    def __len__(self) -> int:
        return len(self._digests)

    @property
    def n_bytes(self) -> int:
        """How long a digest is."""
        return int(self._digests.shape[1])

    def hits(self, digests: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the places of the candidates that hit, and which target each of them hits."""
        candidates = np.flatnonzero(self._slots.take(_first_words(digests) & self._last_slot))
        hitting = digests[candidates]
        places = np.minimum(np.searchsorted(self._keys, _keys(hitting)), len(self) - 1)
        found = self._order[places]
        equal = (self._digests[found] == hitting).all(axis=1)
        return candidates[equal], found[equal]


def _first_words(digests: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return the first four bytes of each digest as a number, without a copy: every length is a multiple of four."""
    words: NDArray[np.uint32] = digests.reshape(-1).view(np.uint32)[:: digests.shape[1] // 4]
    return words


def _keys(digests: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the first bytes of each digest as a number, for the order."""
    size = min(8, digests.shape[1])
    return np.ascontiguousarray(digests[:, :size]).view(f"u{size}").reshape(len(digests)).astype(np.uint64)


_FIRST, _OTHERS = 0.5, 0.45
"""What the first spelling of a kind that the header names gets, and what its others; the rest goes to other kinds."""
_KINDS = {
    "identity number": ("dni", "nie"),
    "birth": ("date", "year"),
    "date": ("date", "year"),
    "postcode": ("postcode",),
}
_PHONES = {
    *("phone", "telephone", "mobile", "cell phone", "fax", "phone number"),
    *("telefono", "tfno", "tlf", "tel", "movil", "celular", "whatsapp"),
}
_EMAILS = {"email", "e mail", "mail", "correo", "correo electronico", "email address"}


def kinds_named(column: str) -> tuple[str, ...]:
    """Return which kinds of small domains a header names, the most probable first.

    Examples
    --------
    >>> kinds_named("dni_hash"), kinds_named("móvil (MD5)"), kinds_named("correo"), kinds_named("token")
    (('dni', 'nie'), ('phone',), ('email',), ())
    """
    header = read_header(column)
    if header is None:
        return ()
    if header.word == "nie":
        return ("nie", "dni")
    if header.word in _PHONES:
        return ("phone",)
    if header.word in _EMAILS:
        return ("email",)
    return _KINDS.get(header.concept.name, ())


def shares(domains: Sequence[Domain], column: str) -> list[float]:
    """Return how large a part of the candidates each domain gives.

    Examples
    --------
    >>> from celosia.measure.unhashing.domains import dni, phones
    >>> domains = [phones(6, weight=3), dni(), dni(lower=True)]
    >>> shares(domains, "x")
    [0.6, 0.2, 0.2]
    >>> [round(share, 2) for share in shares(domains, "dni")]
    [0.05, 0.5, 0.45]
    """
    kinds = kinds_named(column)
    named = [domain for domain in domains if (domain.names or domain.kind) in kinds]
    if not named:
        return _by_weight(domains, 1.0)
    first = min(named, key=lambda domain: kinds.index(domain.names or domain.kind))
    others = [domain for domain in named if domain is not first]
    rest = [domain for domain in domains if not any(domain is one for one in named)]
    parts = {
        id(domain): share
        for group, part in (([first], _FIRST), (others, _OTHERS), (rest, 1 - _FIRST - _OTHERS))
        for domain, share in zip(group, _by_weight(group, part), strict=True)
    }
    return [parts[id(domain)] for domain in domains]


def _by_weight(domains: Sequence[Domain], part: float) -> list[float]:
    whole = sum(domain.weight for domain in domains)
    return [part * domain.weight / whole for domain in domains]
