"""Sealing: how a vault encrypts and finds identities.

All keys come from one data key of 32 random bytes, which stands in the vault wrapped by the user's key. With
K(label, ...) = HMAC-SHA-256(data key, label, ...):

    token  = HMAC-SHA-256(K("index", scope), identity), its first 16 bytes
    sealed = AES-256-SIV(K("seal"), identity || 0x80 || 0x00 ... to a multiple of 32 bytes; scope, pseudonym)

AES-SIV needs no nonce, so that none can be repeated; it encrypts and authenticates, and scope and pseudonym are
authenticated with the identity: a changed, moved or swapped record does not open. The padding hides all of a length but
its multiple of 32.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from numpy.typing import NDArray

from celosia.base.keys import derived
from celosia.kernels import hmac_sha256
from celosia.masks.vault.store import Entry

_BLOCK = 32
_PADDING = [bytes(n) for n in range(_BLOCK)]
_TOKEN_BYTES = 16


@dataclass(frozen=True)
class Sealer:
    """What a data key does.

    Parameters
    ----------
    data_key
        32 random bytes; they are never shown.

    Examples
    --------
    >>> sealer = Sealer.new()
    >>> [sealed] = sealer.sealed("dni", ["K7Q2"], ["12345678Z"])
    >>> sealer.opened([Entry("K7Q2", "dni", b"", sealed), Entry("X3B9", "dni", b"", sealed)])
    ['12345678Z', None]
    """

    data_key: bytes = field(repr=False)
    _seals: AESSIV = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_seals", wrapping(self.data_key, "seal"))

    @classmethod
    def new(cls) -> Sealer:
        """Return one with a new random data key."""
        return cls(secrets.token_bytes(32))

    def tokens(self, scope: str, identities: Sequence[str]) -> list[bytes]:
        """Return the 16 bytes by which each identity is found again."""
        made = hashes(derived(self.data_key, "index", scope), [identity.encode() for identity in identities])
        cut = np.ascontiguousarray(made[:, :_TOKEN_BYTES]).tobytes()
        return [cut[start : start + _TOKEN_BYTES] for start in range(0, len(cut), _TOKEN_BYTES)]

    def sealed(self, scope: str, pseudonyms: Sequence[str], identities: Sequence[str]) -> list[bytes]:
        """Return identities encrypted, each bound to the scope and to its pseudonym."""
        encrypt, bound = self._seals.encrypt, scope.encode()
        plain = [identity.encode() + b"\x80" for identity in identities]
        return [
            encrypt(one + _PADDING[-len(one) % _BLOCK], [bound, pseudonym.encode()])
            for one, pseudonym in zip(plain, pseudonyms, strict=True)
        ]

    def entries(
        self, scope: str, pseudonyms: Sequence[str], identities: Sequence[str], tokens: Sequence[bytes]
    ) -> list[Entry]:
        """Return what is stored of some pseudonyms and the identities behind them."""
        sealed = self.sealed(scope, pseudonyms, identities)
        if not len(pseudonyms) == len(tokens) == len(sealed):
            raise ValueError("pseudonyms, tokens and seals are not equally many")
        return list(map(Entry._make, zip(pseudonyms, repeat(scope), tokens, sealed, strict=False)))

    def opened(self, entries: Iterable[Entry]) -> list[str | None]:
        """Return the identity of each entry, or ``None`` where it is damaged or of another key."""
        return [self._opened(entry) for entry in entries]

    def _opened(self, entry: Entry) -> str | None:
        try:
            padded = self._seals.decrypt(entry.sealed or b"", [entry.scope.encode(), entry.pseudonym.encode()])
            return padded.rstrip(b"\0")[:-1].decode()
        except (InvalidTag, ValueError, TypeError, AttributeError):  # the last two: a doctored row of other types
            return None


def hashes(key: bytes, messages: Sequence[bytes]) -> NDArray[np.uint8]:
    """Return HMAC-SHA-256 of each message, a row of 32 bytes each.

    Examples
    --------
    >>> hashes(bytes(32), [b"Ana", b"Luis"]).shape
    (2, 32)
    """
    offsets = np.zeros(len(messages) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, messages), dtype=np.int64, count=len(messages)), out=offsets[1:])
    return hmac_sha256(key, np.frombuffer(b"".join(messages), dtype=np.uint8), offsets)


def decrypted(key: AESSIV, sealed: bytes, bound: list[bytes]) -> bytes | None:
    """Return what was encrypted, or ``None`` where it was changed: callers say so, where no traceback carries it."""
    with suppress(InvalidTag, ValueError, TypeError):
        return key.decrypt(sealed, bound)
    return None


def wrapping(key: bytes, label: str) -> AESSIV:
    """Return AES-256-SIV under the two keys that a label derives from a key.

    Examples
    --------
    >>> cipher = wrapping(bytes(32), "settings")
    >>> cipher.decrypt(cipher.encrypt(b"limit", [b"1"]), [b"1"])
    b'limit'
    """
    return AESSIV(derived(key, label, "1") + derived(key, label, "2"))
