"""What people hash: domains of values that are small enough to be tried."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from celosia.data.io import read
from celosia.data.io.durable import content_of
from celosia.data.io.encodings import decode
from celosia.data.schema.columns import as_text
from celosia.measure.unhashing.candidates import Candidates, beside, digits, stripped

_LETTERS = np.frombuffer(b"TRWAGMYFPDXBNJZSQVHLCKE", dtype=np.uint8)
_N_LETTERS = 23
_GOLDEN = 0.6180339887498949
_FIRST_DAY, _LAST_DAY = date(1900, 1, 1), date(2030, 12, 31)
_N_DAYS = (_LAST_DAY - _FIRST_DAY).days + 1
_DATE_SPELLINGS = (
    *("Y-m-d", "d/m/Y", "d-m-Y", "Ymd", "dmY", "d.m.Y", "Y/m/d", "m/d/Y", "d/m/y"),
    *("Y-m-d 00:00:00", "Y-m-dT00:00:00"),
)


@dataclass(frozen=True)
class Domain:
    """Values of one kind in one spelling.

    Attributes
    ----------
    kind
        What they are: ``dni``, ``nie``, ``phone``, ``date``, ``postcode``, ``year``, ``number``, ``column`` or
        ``roster``.
    size
        How many there are.
    spell
        Gives the values at some places, 0 to ``size`` - 1.
    weight
        How much oftener than others it is tried.
    names
        The kind that a header names for it, if not its own: digits alone may be a DNI without its letter.
    column
        The column that they come from, for the kind ``column``.

    Examples
    --------
    >>> domain = numbers(3)
    >>> domain.size, domain.spell(np.array([7])).values
    (1000, [b'007'])
    """

    kind: str
    size: int
    spell: Callable[[NDArray[np.int64]], Candidates] = field(repr=False, compare=False)
    weight: int = 1
    column: str | None = None
    names: str | None = None

    def places(self, begin: int, end: int) -> NDArray[np.int64]:
        """Return places ``begin`` to ``end`` of an order that visits each once and is everywhere soon.

        Steps by the golden ratio of the size: any stretch of them lies evenly over the domain, whatever part of it the
        values come from.
        """
        step = _step(self.size)
        places = _steps(self.size, min(end, self.size) - begin) + begin * step % self.size
        return np.subtract(places, self.size, out=places, where=places >= self.size)


def dni(
    n_numbers: int = 10**8,
    *,
    width: int = 8,
    mark: bytes = b"",
    dots: bool = False,
    lower: bool = False,
    weight: int = 1,
) -> Domain:
    """Return the DNI numbers below ``n_numbers`` with their letter: number modulo 23.

    Examples
    --------
    >>> dni().spell(np.array([12345678])).values, dni(mark=b"-", lower=True).spell(np.array([0])).values
    ([b'12345678Z'], [b'00000000-t'])
    >>> dni(mark=b"-", dots=True).spell(np.array([12345678])).values
    [b'12.345.678-Z']
    """

    def spell(at: NDArray[np.int64]) -> Candidates:
        rows = digits(at, width)
        parts = (rows[:, :-6], b".", rows[:, -6:-3], b".", rows[:, -3:]) if dots else (rows,)
        return beside(*parts, mark, _letters(at, lower))

    return Domain("dni", n_numbers, spell, weight)


def nie(n_numbers: int = 3 * 10**7, *, mark: bytes = b"", lower: bool = False, weight: int = 1) -> Domain:
    """Return the NIE numbers: X, Y or Z, which counts as 0, 1 or 2, seven digits and the letter.

    Examples
    --------
    >>> nie().spell(np.array([1234567, 11234567])).values
    [b'X1234567L', b'Y1234567X']
    """

    def spell(at: NDArray[np.int64]) -> Candidates:
        first = (at // 10**7 + ord("x" if lower else "X")).astype(np.uint8)
        return beside(first[:, None], mark, digits(at % 10**7, 7), mark, _letters(at, lower))

    return Domain("nie", n_numbers, spell, weight)


def numbers(
    width: int,
    *,
    first: int = 0,
    last: int | None = None,
    kind: str = "number",
    weight: int = 1,
    names: str | None = None,
) -> Domain:
    """Return the numbers from ``first`` to ``last`` with ``width`` digits, leading zeros included.

    Examples
    --------
    >>> numbers(5, first=1000, last=52999, kind="postcode").spell(np.array([0, 51999])).values
    [b'01000', b'52999']
    """
    highest = 10**width - 1 if last is None else last
    return Domain(kind, highest - first + 1, lambda at: beside(digits(at + first, width)), weight, names=names)


def whole_numbers(n_numbers: int = 10**6) -> Domain:
    """Return the numbers below ``n_numbers`` without leading zeros.

    Examples
    --------
    >>> whole_numbers().spell(np.array([7, 41])).values
    [b'7', b'41']
    """
    return Domain("number", n_numbers, lambda at: stripped(at, len(str(n_numbers - 1))))


def phones(first: int, prefix: bytes = b"", *, groups: Sequence[int] = (9,), weight: int = 1) -> Domain:
    """Return the Spanish telephone numbers whose first digit is ``first``, their nine digits in groups with blanks.

    Examples
    --------
    >>> phones(6, b"+34").spell(np.array([1])).values, phones(8, groups=(3, 3, 3)).spell(np.array([0])).values
    ([b'+34600000001'], [b'800 000 000'])
    """

    def spell(at: NDArray[np.int64]) -> Candidates:
        rows = digits(at + first * 10**8, 9)
        begins = [0, *np.cumsum(groups).tolist()]
        parted = [part for begin, end in pairwise(begins) for part in (b" ", rows[:, begin:end])]
        return beside(prefix, *parted[1:])

    return Domain("phone", 10**8, spell, weight)


def dates() -> list[Domain]:
    """Return the days from 1900 to 2030 in the usual spellings.

    Examples
    --------
    >>> dates()[0].spell(np.array([0, 1])).values
    [b'1900-01-01', b'1900-01-02']
    """
    return [*(_days(spelling) for spelling in _DATE_SPELLINGS), _days_without_zeros()]


def texts(values: Iterable[str], kind: str, column: str | None = None) -> list[Domain]:
    """Return given texts as they are, trimmed, in lower case, in upper case and capitalised; only what differs.

    Examples
    --------
    >>> [domain.spell(np.array([0])).values for domain in texts(["Ana@x.es ", "b@x.es"], "roster")]
    [[b'Ana@x.es '], [b'Ana@x.es'], [b'ana@x.es'], [b'ANA@X.ES'], [b'Ana@X.Es']]
    """
    return list(_spellings([text for text in dict.fromkeys(values) if text], kind, column))


@cache
def usual_domains() -> tuple[Domain, ...]:
    """Return what is tried on every column, the special before the general and each kind's first spelling first.

    The weights are guesses of how people spell such values.

    Examples
    --------
    >>> sorted({domain.kind for domain in usual_domains()})
    ['date', 'dni', 'nie', 'number', 'phone', 'postcode', 'year']
    """
    return (
        numbers(4, first=1900, last=2030, kind="year"),
        numbers(5, first=1000, last=52999, kind="postcode"),
        *dates(),
        whole_numbers(),
        *(numbers(width) for width in (4, 5, 6)),
        *_identity_numbers(),
        *_phone_numbers(),
        numbers(7, weight=2),
        numbers(9, last=6 * 10**8 - 1, weight=2),  # those above are telephone numbers
        numbers(10, first=10**9, last=12 * 10**8 - 1, weight=2),  # identity cards of Colombia since 2003
        numbers(10),
    )


def _identity_numbers() -> list[Domain]:
    return [
        dni(weight=30),
        numbers(8, weight=12, names="dni"),
        dni(lower=True, weight=8),
        dni(mark=b"-", weight=8),
        dni(mark=b"-", lower=True, weight=2),
        dni(mark=b" ", weight=4),
        dni(dots=True, weight=3),
        dni(mark=b"-", dots=True, weight=4),
        dni(10**7, width=7, weight=2),
        nie(weight=10),
        nie(lower=True, weight=3),
        nie(mark=b"-", weight=3),
    ]


def _phone_numbers() -> list[Domain]:
    return [
        phones(6, weight=20),
        phones(7, weight=6),
        phones(6, b"+34", weight=20),
        phones(7, b"+34", weight=3),
        phones(6, b"0034", weight=4),
        phones(6, b"34", weight=4),
        phones(6, b"+34 ", weight=4),
        phones(6, groups=(3, 3, 3), weight=4),
        phones(6, groups=(3, 2, 2, 2), weight=4),
        phones(6, b"+34 ", groups=(3, 3, 3), weight=4),
        phones(9, weight=4),
        phones(8),
        phones(9, b"+34"),
    ]


@cache
def _step(size: int) -> int:
    step = max(1, int(size * _GOLDEN))
    while math.gcd(step, size) != 1:
        step += 1
    return step


@lru_cache(maxsize=64)
def _steps(size: int, n: int) -> NDArray[np.int64]:
    """Return the first steps; those after them are the same, begun elsewhere, without a division for each."""
    return (np.arange(n, dtype=np.uint64) * np.uint64(_step(size)) % np.uint64(size)).astype(np.int64)


def _letters(at: NDArray[np.int64], lower: bool) -> NDArray[np.uint8]:
    letters = _LETTERS.take(at.astype(np.uint32) % np.uint32(_N_LETTERS))[:, None]
    return letters | np.uint8(0x20) if lower else letters


def _days(spelling: str) -> Domain:
    def spell(at: NDArray[np.int64]) -> Candidates:
        parts = {letter: digits(values[at], width) for letter, values, width in _calendar()}
        return beside(*(parts.get(part, part.encode()) for part in spelling))

    return Domain("date", _N_DAYS, spell)


def _days_without_zeros() -> Domain:
    def spell(at: NDArray[np.int64]) -> Candidates:
        year, month, day = (values[at].tolist() for letter, values, _ in _calendar() if letter != "y")
        return Candidates.of([b"%d/%d/%d" % parts for parts in zip(day, month, year, strict=True)])

    return Domain("date", _N_DAYS, spell)


@cache
def _calendar() -> tuple[tuple[str, NDArray[np.int64], int], ...]:
    """Return the parts of every day: how a spelling names them, their numbers, their digits."""
    days = np.datetime64(_FIRST_DAY) + np.arange(_N_DAYS)
    months = days.astype("datetime64[M]")
    year = months.astype("datetime64[Y]").astype(np.int64) + 1970
    month = months.astype(np.int64) % 12 + 1
    day = (days - months).astype(np.int64) + 1
    return ("Y", year, 4), ("y", year % 100, 2), ("m", month, 2), ("d", day, 2)


def _spellings(values: list[str], kind: str, column: str | None) -> Iterator[Domain]:
    trimmed = [value.strip() for value in values]
    seen: set[str] = set()
    for spelt in (
        values,
        trimmed,
        [value.lower() for value in trimmed],
        [value.upper() for value in trimmed],
        [value.title() for value in trimmed],
    ):
        new = [value for value in dict.fromkeys(spelt) if value not in seen]
        seen.update(new)
        if new:
            yield _given([value.encode() for value in new], kind, column)


def _given(values: list[bytes], kind: str, column: str | None) -> Domain:
    return Domain(kind, len(values), lambda at: Candidates.of([values[place] for place in at.tolist()]), 1, column)


def read_roster(path: str) -> list[str]:
    r"""Read a text file (``.txt``) with a value in each line, or the first column of a table.

    The first line of a table counts as a value too, since a list may have no header.

    Raises
    ------
    InputError
        The file cannot be read.
    FormatError
        It is no text, or no table of a known format.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "class.txt").write_text("ana@x.es\nluis@x.es\n")
    ...     read_roster(f"{folder}/class.txt")
    ['ana@x.es', 'luis@x.es']
    """
    file = Path(path)
    if file.suffix.lower() != ".txt":
        frame = read(path).frame
        return [frame.columns[0], *as_text(frame.to_series()).drop_nulls().to_list()]
    return [line for line in decode(content_of(file), file.name).data.decode().splitlines() if line]
