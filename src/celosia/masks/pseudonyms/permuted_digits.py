"""Digits to digits: a keyed permutation of all numbers of each length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import InputError
from celosia.base.findings import Finding
from celosia.base.keys import derived
from celosia.masks.pseudonyms.sources import quoted

FEWEST_DIGITS, MOST_DIGITS = 7, 18
"""The standard asks for a million numbers at least; beyond 18 digits a number does not fit in 64 bits."""
_ROUNDS = 10
_BLOCK_ROWS = 1 << 15
"""How many numbers go through the rounds together: their blocks stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class PermutedDigits:
    """The code of a number is another one of as many digits: all 10^d numbers of d digits change places.

    From 7 to 18 digits by FF1, up to 6 by a table of the whole domain, since FF1 is weak on small ones.

    Attributes
    ----------
    master
        The key from which those of scopes are derived.
    dataset
        The data set to which codes are confined; empty for codes that are the same in all of them.

    Examples
    --------
    >>> source = PermutedDigits(bytes(range(32)))
    >>> everything = pl.Series([f"{number:02}" for number in range(100)])
    >>> sorted(source.codes(everything, "room", ["room"])) == everything.to_list()
    True
    """

    master: bytes = field(repr=False)
    dataset: str = ""

    def codes(self, identities: pl.Series, scope: str, columns: Sequence[str]) -> pl.Series:
        """Return the codes, of as many digits as the identities."""
        _check_digits(identities, columns)
        key = derived(self.master, "digits", scope, self.dataset)
        lengths = identities.str.len_bytes()
        places, codes = [], []
        for n_digits in lengths.unique().sort():
            rows = (lengths == n_digits).arg_true()
            numbers = identities.gather(rows).cast(pl.UInt64).to_numpy()
            is_small = n_digits < FEWEST_DIGITS
            permuted = pl.Series(_table(n_digits, key)[numbers] if is_small else ff1(numbers, n_digits, key))
            places.append(rows.to_numpy())
            codes.append(permuted.cast(pl.String).str.zfill(n_digits))
        if len(codes) < 2:
            return codes[0] if codes else pl.Series(dtype=pl.String)
        return pl.concat(codes).gather(np.argsort(np.concatenate(places)))

    def findings(self, column: str, n_identities: int) -> Sequence[Finding]:
        """Return nothing: the domain is as large as the user's own numbers are long."""
        return ()


def padded(column: pl.Series, length: int) -> pl.Series:
    """Return digits with zeros before them up to a length, as they were before a program took them for numbers.

    Raises
    ------
    InputError
        Some are longer.

    Examples
    --------
    >>> padded(pl.Series("dni", ["1234567", None]), 8).to_list()
    ['01234567', None]
    """
    n_longer = int((column.str.len_chars() > length).sum())
    if n_longer:
        raise InputError(
            f"pseudonymise: {n_longer} of the {len(column)} cells of '{column.name}' are longer than length: {length}.",
            hint="take the length of the longest one, or leave length out: each then keeps its own.",
            about="length",
        )
    return column.str.zfill(length)


def _table(n_digits: int, key: bytes) -> NDArray[np.uint64]:
    """Return where each number goes: the order of as many words of a keystream (AES-256 in counter mode)."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    own = derived(key, "table", str(n_digits))
    stream = Cipher(algorithms.AES(own), modes.CTR(bytes(16))).encryptor().update(bytes(8 * 10**n_digits))
    return np.argsort(np.frombuffer(stream, dtype="<u8"), kind="stable").astype(np.uint64)


def _check_digits(identities: pl.Series, columns: Sequence[str]) -> None:
    n_other = int((~identities.str.contains(r"^[0-9]+$")).sum())
    if n_other:
        raise InputError(
            f"pseudonymise: form digits takes digits alone, but {n_other} of the {len(identities)} different values of "
            f"{quoted(columns)} hold something else.",
            hint="leave form out, or bring the values to digits first.",
            about="form",
        )
    n_longer = int((identities.str.len_bytes() > MOST_DIGITS).sum())
    if n_longer:
        raise InputError(
            f"pseudonymise: form digits takes up to {MOST_DIGITS} digits, but {n_longer} of the {len(identities)} "
            f"different values of {quoted(columns)} have more.",
            hint="leave form out: codes of an alphabet and length take values of any length.",
            about="form",
        )


def ff1(numbers: NDArray[np.uint64], n_digits: int, key: bytes) -> NDArray[np.uint64]:
    """Return the numbers to which FF1 of NIST SP 800-38G with AES-256, radix 10 and no tweak sends these.

    Ten rounds of a Feistel network: X = A B, u = n // 2 and v = n - u digits. In round i, with m = u if i is even and v
    otherwise, (A, B) becomes (B, (A + y) mod 10^m), where y are the first 8 bytes of AES(AES(P) xor Q); P tells radix,
    length and tweak (there is none), Q tells i and B. Up to 18 digits Q is one block and 8 bytes of the result are
    used.

    Parameters
    ----------
    numbers
        Below 10^``n_digits``.
    n_digits
        From 7 to 18.
    key
        32 bytes.

    Examples
    --------
    >>> key = bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94")
    >>> ff1(np.array([123456789], dtype=np.uint64), 10, key)  # NIST's sample 7
    array([6657667009], dtype=uint64)
    """
    result = np.empty_like(numbers)
    for start in range(0, len(numbers), _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        result[rows] = _permuted(numbers[rows], n_digits, key)
    return result


def _permuted(numbers: NDArray[np.uint64], n_digits: int, key: bytes) -> NDArray[np.uint64]:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    # One call enciphers blocks one by one: each is the last of a chain of two, whose first is the same for all rows.
    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    n_left = n_digits // 2
    n_right = n_digits - n_left
    first, second = np.frombuffer(cipher.update(_about(n_digits)), dtype=">u8").astype(np.uint64)
    shift = 8 * _n_bytes(n_right)
    powers = np.uint64(10**n_left), np.uint64(10**n_right)
    left, right = np.divmod(numbers, powers[1])
    blocks = np.empty((len(numbers), 2), dtype=">u8")
    blocks[:, 0] = first
    for turn in range(_ROUNDS):
        blocks[:, 1] = right ^ (second ^ np.uint64(turn << shift))
        drawn = np.frombuffer(cipher.update(blocks.data.cast("B")), dtype=">u8")[::2].astype(np.uint64)
        power = powers[turn % 2]
        left, right = right, (left + drawn % power) % power
    return left * powers[1] + right


def _about(n_digits: int) -> bytes:
    """Return the block P: version, method, addition, radix, rounds, split, length, length of the tweak."""
    return bytes([1, 2, 1, 0, 0, 10, _ROUNDS, n_digits // 2]) + n_digits.to_bytes(4, "big") + bytes(4)


def _n_bytes(n_digits: int) -> int:
    """Return how many bytes any number of so many digits needs."""
    greatest: int = 10**n_digits - 1
    return -(-greatest.bit_length() // 8)
