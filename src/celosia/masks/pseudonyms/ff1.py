"""FF1 of NIST SP 800-38G: a keyed permutation of all numbers of so many digits, for many numbers at once.

Ten rounds of a Feistel network: X = A B, u = n // 2 and v = n - u digits. In round i, with m = u if i is even and v
otherwise, (A, B) becomes (B, (A + y) mod 10^m), where y are the first 8 bytes of AES(AES(P) xor Q); P tells radix,
length and tweak (there is none), Q tells i and B. Up to 18 digits Q is one block and 8 bytes of the result are used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FEWEST_DIGITS, MOST_DIGITS = 7, 18
"""The standard asks for a million numbers at least; beyond 18 digits a number does not fit in 64 bits."""

_ROUNDS = 10
_BLOCK_ROWS = 1 << 15
"""How many numbers go through the rounds together: their blocks stay in the processor's cache."""


def ff1(numbers: NDArray[np.uint64], n_digits: int, key: bytes) -> NDArray[np.uint64]:
    """Return the numbers to which FF1 with AES-256, radix 10 and no tweak sends these.

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
