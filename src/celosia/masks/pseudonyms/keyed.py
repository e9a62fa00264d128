"""Keyed codes: HMAC-SHA-256 of the identity, the same in every data set without any store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia.base.errors import InputError
from celosia.base.findings import Finding
from celosia.base.keys import derived
from celosia.kernels import hmac_sha256
from celosia.masks.pseudonyms.findings import enough_length, guessable_finding, space_finding
from celosia.masks.pseudonyms.sources import quoted
from celosia.masks.vault.codes import CodeSpace

N_WORDS = 4
"""How many 64-bit words a digest has."""

_SLICE = 1 << 17
"""How many identities are joined at once: the bytes in between are small beside the column."""


@dataclass(frozen=True, eq=False)
class KeyedCodes:
    """The code of an identity is spelt by HMAC-SHA-256(key of its scope and data set, identity).

    Attributes
    ----------
    space
        Alphabet, length and prefix of codes.
    master
        The key from which those of scopes are derived.
    dataset
        The data set to which codes are confined; empty for codes that are the same in all of them.

    Examples
    --------
    >>> source = KeyedCodes(CodeSpace("hex", 8), bytes(range(32)))
    >>> source.codes(pl.Series(["Ana", "Luis"]), "name", ["name"]).to_list()
    ['1e0c544f', 'b375eed9']
    """

    space: CodeSpace
    master: bytes = field(repr=False)
    dataset: str = ""

    def codes(self, identities: pl.Series, scope: str, columns: Sequence[str]) -> pl.Series:
        """Return the codes; two equal ones, or one that is an identity, are refused, never silently changed."""
        codes = self._spelt(identities, scope)
        self._check_different(codes, columns)
        self._check_no_identity(codes, identities, columns)
        return codes

    def findings(self, column: str, n_identities: int) -> Iterator[Finding]:
        """Return the findings that codes can be guessed, and that later data sets may not fit, if so."""
        yield from guessable_finding(column, n_identities, self.space)
        yield from space_finding(column, n_identities, self.space)

    def _spelt(self, identities: pl.Series, scope: str) -> pl.Series:
        """Return the codes, checked or not: the key is at hand here alone, where nothing is raised on purpose."""
        key = derived(self.master, "pseudonym", scope, self.dataset)
        pieces = [
            pl.Series(self.space.of_words(_words(key, piece.to_series())), dtype=pl.String)
            for piece in identities.to_frame().iter_slices(_SLICE)
        ]
        return pl.concat(pieces) if pieces else pl.Series(dtype=pl.String)

    def _check_different(self, codes: pl.Series, columns: Sequence[str]) -> None:
        if codes.hash().n_unique() == len(codes) or codes.n_unique() == len(codes):
            return  # hashes are quicker, and where they all differ so do the codes
        enough = enough_length(len(codes), self.space)
        way = f"length: {enough} is enough" if enough else "take an alphabet of more characters"
        raise InputError(
            f"pseudonymise: {int(codes.is_duplicated().sum())} of the {len(codes)} different values of "
            f"{quoted(columns)} would share a keyed code with another: {self.space.size} codes are too few.",
            hint=f"{way}; or keep the codes in a vault, or draw them without a key, where none is given twice.",
            about="length",
        )

    def _check_no_identity(self, codes: pl.Series, identities: pl.Series, columns: Sequence[str]) -> None:
        alike = identities.filter(identities.str.len_chars() == self.space.length + len(self.space.prefix))
        n_equal = int(codes.is_in(alike.implode()).sum()) if len(alike) else 0
        if n_equal:
            raise InputError(
                f"pseudonymise: {n_equal} of the {len(codes)} keyed codes of {quoted(columns)} are equal to a true "
                "value there.",
                hint="write a prefix or another length, by which codes differ from true values.",
                about="length",
            )


def _words(key: bytes, identities: pl.Series) -> NDArray[np.uint64]:
    """Return four words per identity, the same on every machine."""
    offsets = np.zeros(len(identities) + 1, dtype=np.int64)
    np.cumsum(identities.str.len_bytes().to_numpy(), out=offsets[1:])
    data = np.frombuffer(identities.str.join("").item().encode(), dtype=np.uint8)
    return hmac_sha256(key, data, offsets).view("<u8").astype(np.uint64)
