"""Whether a column looks like digests, and of which algorithm."""

from __future__ import annotations

import re
import string
from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.data.schema.columns import as_text

CRC32 = "CRC32"
_N_BYTES = {"MD5": 16, "SHA-1": 20, "SHA-224": 28, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64}
_BY_HEX_LENGTH = {8: CRC32} | {2 * n: name for name, n in _N_BYTES.items()}
_PADDED = {-(-n // 3) * 4: name for name, n in _N_BYTES.items() if n % 3}
_UNPADDED = {-(-n * 4 // 3): name for name, n in _N_BYTES.items()}
_PREFIX = re.compile(
    r"(?i)0x|\\x|\{(?:md5|sha-?(?:1|224|256|384|512)|crc-?32)\}|(?:md5|sha-?(?:1|224|256|384|512)|crc-?32)[:=$]"
)
_HEX = re.compile(r"[0-9A-Fa-f]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+(={0,2})")
_BASE64_DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
_STANDARD = str.maketrans("-_", "+/")
_N_SAMPLED = 200
_LEAST_SHARE = 0.95
"""Cells such as "unknown" may stand among digests."""
_LEAST_CHECKSUMS = 16
"""Fewer cells of 8 characters are more likely something else."""


@dataclass(frozen=True)
class Shape:
    """How digests are spelt.

    Attributes
    ----------
    algorithm
        ``MD5``, ``SHA-1``, ``SHA-224``, ``SHA-256``, ``SHA-384``, ``SHA-512`` or ``CRC32``.
    spelling
        ``hex``, ``base64`` or, for checksums alone, ``decimal``.
    prefix
        What stands before every digest, such as ``sha256:``.
    length
        How many characters follow it; 0 for decimal numbers, whose length varies.

    Examples
    --------
    >>> Shape("MD5", "hex", "", 32).pattern
    '^[0-9A-Fa-f]{32}$'
    """

    algorithm: str
    spelling: Literal["hex", "base64", "decimal"]
    prefix: str
    length: int

    @property
    def pattern(self) -> str:
        """The regular expression of a cell."""
        if self.spelling == "decimal":
            return r"^[0-9]{1,10}$"
        if self.spelling == "hex":
            return f"^{re.escape(self.prefix)}[0-9A-Fa-f]{{{self.length}}}$"
        return f"^{re.escape(self.prefix)}[A-Za-z0-9+/_-]{{{self.length}}}={{0,2}}$"


def shape_of(column: pl.Series) -> Shape | None:
    """Return how the digests of a column are spelt, or ``None`` if it does not look like digests.

    A sample is looked at first, so that an ordinary column costs next to nothing. UUIDs without dashes are told from
    MD5 by their fixed digits.

    Examples
    --------
    >>> import hashlib
    >>> shape_of(pl.Series([hashlib.md5(text).hexdigest().upper() for text in (b"a", b"b")])).algorithm
    'MD5'
    >>> shape_of(pl.Series(["#ff0000", "red"])) is None
    True
    """
    is_whole = column.dtype.is_integer()
    if not is_whole and column.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return None
    sample = column.gather_every(max(1, len(column) // _N_SAMPLED)).drop_nulls()
    if sample.is_empty():  # a column that is known here and there only
        sample = column.drop_nulls().head(_N_SAMPLED)
    cells = [cell.strip() for cell in as_text(sample).to_list()]
    shape = _checksum_shape(cells) if is_whole else _common_shape([cell for cell in cells if cell])
    return shape if shape is not None and _fits(shape, column) else None


def decoded(shape: Shape, column: pl.Series) -> tuple[pl.Series, NDArray[np.uint8]]:
    """Return the distinct cells that are digests of this shape (hex in lower case), and their bytes, a row each.

    Examples
    --------
    >>> cells, digests = decoded(Shape("CRC32", "hex", "", 8), pl.Series(["0000ff01", "0000ff01", "unknown"]))
    >>> cells.to_list(), digests.tolist()
    (['0000ff01'], [[0, 0, 255, 1]])
    """
    texts = as_text(column).drop_nulls().str.strip_chars()
    texts = texts.filter(texts.str.contains(shape.pattern))
    texts = (texts.str.to_lowercase() if shape.spelling == "hex" else texts).unique()
    if shape.spelling == "decimal":
        numbers = texts.cast(pl.UInt64)
        texts, numbers = texts.filter(numbers < 2**32), numbers.filter(numbers < 2**32)
        return texts, numbers.to_numpy().astype(">u4").view(np.uint8).reshape(-1, 4)
    n_bytes = 4 if shape.algorithm == CRC32 else _N_BYTES[shape.algorithm]
    bodies = texts.str.slice(len(shape.prefix))
    if shape.spelling == "hex":
        digests = bytes.fromhex("".join(bodies.to_list()))
        return texts, np.frombuffer(digests, dtype=np.uint8).reshape(-1, n_bytes)
    plain = bodies.str.strip_chars_end("=").str.replace_all("-", "+", literal=True).str.replace_all("_", "/")
    found = (plain + "=" * (-shape.length % 4)).str.decode("base64", strict=False)
    is_whole = (found.bin.size() == n_bytes).fill_null(False)
    joined = b"".join(found.filter(is_whole).to_list())
    return texts.filter(is_whole), np.frombuffer(joined, dtype=np.uint8).reshape(-1, n_bytes)


def _common_shape(cells: list[str]) -> Shape | None:
    """Return the shape that nearly all sampled cells have."""
    shapes = Counter(_shape_of_cell(cell) for cell in cells)
    shape, count = shapes.most_common(1)[0] if shapes else (None, 0)
    if shape is None:
        return _checksum_shape(cells)
    own = [cell[len(shape.prefix) :] for cell in cells if _shape_of_cell(cell) == shape]
    looks_so = count >= _LEAST_SHARE * len(cells) * 0.95 and _is_random(shape, own)
    return shape if looks_so else None


def _shape_of_cell(cell: str) -> Shape | None:
    found = _PREFIX.match(cell)
    prefix = found.group() if found else ""
    body = cell[len(prefix) :]
    if _HEX.fullmatch(body) and len(body) in _BY_HEX_LENGTH:
        return Shape(_BY_HEX_LENGTH[len(body)], "hex", prefix, len(body))
    coded = _BASE64.fullmatch(body)
    if coded is None:
        return None
    length = len(body) - len(coded.group(1))
    by_length = _PADDED if coded.group(1) else _UNPADDED
    algorithm = by_length.get(len(body))
    return None if algorithm is None else Shape(algorithm, "base64", prefix, length)


def _is_random(shape: Shape, bodies: list[str]) -> bool:
    """Tell whether cells mix the characters of their alphabet as digests do, and numbers, words and UUIDs do not."""
    if shape.spelling == "base64":
        coded = [body.rstrip("=") for body in bodies]
        mixed = [any(map(str.isupper, body)) and any(map(str.islower, body)) for body in coded]
        return sum(mixed) > 0.8 * len(mixed) and sum(map(_is_whole, coded)) >= _LEAST_SHARE * len(coded)
    with_letters = sum(not body.isdigit() for body in bodies)
    if shape.algorithm == CRC32:
        return len(set(bodies)) >= _LEAST_CHECKSUMS and with_letters > 0.8 * len(bodies)
    is_uuid = len(bodies[0]) == 32 and all(body[12] in "12345678" and body[16] in "89abAB" for body in bodies)
    return with_letters > 0.8 * len(bodies) and not is_uuid


def _is_whole(coded: str) -> bool:
    """Tell whether the bits of the last character beyond whole bytes are zero: so it is in base64, not in words."""
    value = _BASE64_DIGITS.index(coded[-1].translate(_STANDARD))
    return value % (1 << 6 * len(coded) % 8) == 0


def _checksum_shape(cells: list[str]) -> Shape | None:
    """Return the shape of decimal checksums: numbers that fill all of 32 bits evenly."""
    if len(set(cells)) < _LEAST_CHECKSUMS or not all(cell.isascii() and cell.isdigit() for cell in cells):
        return None
    numbers = [int(cell) for cell in set(cells)]
    if max(numbers) >= 2**32:
        return None
    eighths = Counter(number >> 29 for number in numbers)
    fair = len(numbers) / 8
    is_even = all(abs(eighths[part] - fair) <= 4 * fair**0.5 for part in range(8))
    return Shape(CRC32, "decimal", "", 0) if is_even and max(numbers) > 2**31 else None


def _fits(shape: Shape, column: pl.Series) -> bool:
    """Tell whether nearly all known cells have the shape."""
    if shape.spelling == "decimal" and column.dtype.is_integer():
        return bool((column.min() or 0) >= 0 and (column.max() or 0) < 2**32)  # type: ignore[operator]
    texts = as_text(column).drop_nulls().str.strip_chars()
    n_known = int((texts != "").sum())
    return int(texts.str.contains(shape.pattern).sum()) >= _LEAST_SHARE * n_known
