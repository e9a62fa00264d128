"""The tally: by which a vault knows that an identity it does not find was never there.

Without it, a record taken away, or one flipped bit of a token, would make a known person look new, and give them a
second pseudonym. Tokens fall into 256 groups by their first byte; of each group the vault keeps, sealed,

    XOR over the group of HMAC-SHA-256(K("tally"), token || pseudonym), its first 16 bytes.

Before a new identity gets a pseudonym, its group is read and compared. Nobody without the key can change a group and
keep its sum, since the sums and what they are made of are not known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from cryptography.exceptions import InvalidTag
from numpy.typing import NDArray

from celosia.base.errors import VaultError
from celosia.base.keys import derived
from celosia.masks.vault.sealing import Sealer, hashes, wrapping

GROUPS = 256
"""How many groups of tokens there are: as many as first bytes."""

_TOKEN_BYTES = 16
_WORDS = 2


@dataclass(frozen=True)
class Tally:
    """The sums of all groups.

    Parameters
    ----------
    sums
        128 bits for each group.

    Examples
    --------
    >>> sealer, pair = Sealer(bytes(32)), (bytes(16), "K7Q2")
    >>> one = Tally().toggled(sealer, [pair])
    >>> one.differs(Tally(), [0]), one.toggled(sealer, [pair]).differs(Tally(), [0])
    (True, False)
    """

    sums: NDArray[np.uint64] = field(
        default_factory=lambda: np.zeros((GROUPS, _WORDS), dtype=np.uint64), repr=False, compare=False
    )

    def toggled(self, sealer: Sealer, pairs: Iterable[tuple[bytes, str]]) -> Tally:
        """Return the tally with some pairs of token and pseudonym put in, or taken out if they are in."""
        listed = list(pairs)
        if not listed:
            return self
        made = hashes(derived(sealer.data_key, "tally"), [token + pseudonym.encode() for token, pseudonym in listed])
        groups = np.fromiter((token[0] for token, _ in listed), dtype=np.intp, count=len(listed))
        sums = self.sums.copy()
        np.bitwise_xor.at(sums, groups, np.ascontiguousarray(made[:, : 8 * _WORDS]).view(np.uint64))
        return Tally(sums)

    def differs(self, other: Tally, groups: Iterable[int]) -> bool:
        """Whether another tally has other sums for some groups."""
        places = list(groups)
        return not np.array_equal(self.sums[places], other.sums[places])

    @property
    def mark(self) -> str:
        """What the sealed state says of the tally, so that none can be put in its place."""
        return hashlib.sha256(self.sums.astype("<u8").tobytes()).hexdigest()

    def sealed(self, sealer: Sealer) -> dict[str, bytes]:
        """Return it as a setting."""
        return {"tally": wrapping(sealer.data_key, "tally").encrypt(self.sums.astype("<u8").tobytes(), [b"tally"])}

    @classmethod
    def opened(cls, sealed: bytes, mark: str, sealer: Sealer) -> Tally:
        """Return the tally that the state speaks of.

        Raises
        ------
        VaultError
            It was changed.
        """
        if not mark:
            return cls()
        with suppress(InvalidTag, ValueError, TypeError):  # told below, where no traceback carries it
            plain = wrapping(sealer.data_key, "tally").decrypt(sealed, [b"tally"])
            tally = cls(np.frombuffer(plain, dtype="<u8").astype(np.uint64).reshape(GROUPS, _WORDS))
            if tally.mark == mark:
                return tally
        raise VaultError(
            "the vault's settings were changed or are damaged; nothing was done.", hint="restore it from a copy."
        )


def is_token(held: object) -> bool:
    """Whether what a row holds can be a token.

    Examples
    --------
    >>> is_token(bytes(16)), is_token("K7Q2"), is_token(None)
    (True, False, False)
    """
    return isinstance(held, bytes) and len(held) == _TOKEN_BYTES
