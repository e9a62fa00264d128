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
from celosia.masks.pseudonyms.base import quoted
from celosia.masks.pseudonyms.ff1 import FEWEST_DIGITS, MOST_DIGITS, ff1


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
            permuted = pl.Series(_permuted(numbers, n_digits, key))
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


def _permuted(numbers: NDArray[np.uint64], n_digits: int, key: bytes) -> NDArray[np.uint64]:
    return ff1(numbers, n_digits, key) if n_digits >= FEWEST_DIGITS else _table(n_digits, key)[numbers]


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
