"""The settings of a vault: how its key is wrapped, and what is sealed about it as a whole.

Plain, and bound to the wrapped key: the format and how a passphrase is stretched. Sealed under the data key: the limit
of look-ups, how many there were today, the end of the log, and which pseudonyms were given and forgotten. Whoever
writes in the store without the key cannot raise the limit, cut the log or take records away unnoticed.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import VaultError
from celosia.base.keys import Secret, derived, stretched
from celosia.masks.vault.sealing import Sealer, decrypted, hashes, wrapping

_FORMAT = b"1"
_LOG2_N = 17
_LOG2_N_RANGE = range(14, 21)
_SALT_BYTES = 16
_RESTORE = "restore it from a copy."


GROUPS = 256
"""How many groups of tokens there are: as many as first bytes."""
_TOKEN_BYTES = 16
_WORDS = 2


@dataclass(frozen=True)
class State:
    """What is sealed about the vault as a whole.

    Attributes
    ----------
    vault_id
        32 random bytes in hexadecimal: the beginning of the log's chain, never shown.
    limit
        How many look-ups a UTC day may have.
    day, n_lookups
        The last day with look-ups, and how many it had.
    latest
        The latest time of any line of the log (UTC, ISO).
    n_lines, head
        How many lines the log has, and the chain's hash after the last in hexadecimal.
    n_given, n_forgotten
        How many pseudonyms were ever given, and of how many the identity was forgotten.
    tally
        The mark of the tally of all tokens; empty before the first.
    forgotten
        The mark of the list of forgotten pseudonyms; empty before the first.
    scopes
        All scopes that ever had an identity.
    """

    vault_id: str = field(repr=False)
    limit: int
    day: str = ""
    n_lookups: int = 0
    latest: str = ""
    n_lines: int = 0
    head: str = ""
    n_given: int = 0
    n_forgotten: int = 0
    tally: str = ""
    forgotten: str = ""
    scopes: tuple[str, ...] = ()

    @classmethod
    def new(cls, limit: int) -> State:
        """Return the state of a new vault."""
        return cls(vault_id=secrets.token_hex(32), limit=limit)

    def sealed(self, sealer: Sealer) -> dict[str, bytes]:
        """Return it as a setting."""
        plain = json.dumps(asdict(self), separators=(",", ":")).encode()
        return {"state": wrapping(sealer.data_key, "settings").encrypt(plain, [b"state", _FORMAT])}

    @classmethod
    def opened(cls, meta: Mapping[str, bytes], sealer: Sealer) -> State:
        """Return the state that stands in the settings.

        Raises
        ------
        VaultError
            It was changed.
        """
        plain = decrypted(wrapping(sealer.data_key, "settings"), meta.get("state", b""), [b"state", _FORMAT])
        if plain is None:
            raise _changed()
        held = json.loads(plain)
        return cls(**held | {"scopes": tuple(held["scopes"])})


def sealed_marked(name: str, plain: bytes, sealer: Sealer) -> tuple[dict[str, bytes], str]:
    """Return what is too long for the state as a setting of its own, and the mark by which the state knows it.

    Examples
    --------
    >>> sealer = Sealer.new()
    >>> setting, mark = sealed_marked("forgotten", b"K7Q2", sealer)
    >>> opened_marked("forgotten", setting, mark, sealer)
    b'K7Q2'
    """
    sealed = wrapping(sealer.data_key, name).encrypt(plain, [name.encode()])
    return {name: sealed}, hashlib.sha256(plain).hexdigest()


def opened_marked(name: str, meta: Mapping[str, bytes], mark: str, sealer: Sealer) -> bytes:
    """Return the content of such a setting, the one that the state speaks of.

    Raises
    ------
    VaultError
        It was changed.
    """
    plain = decrypted(wrapping(sealer.data_key, name), meta.get(name, b""), [name.encode()])
    if plain is None or hashlib.sha256(plain).hexdigest() != mark:
        raise _changed()
    return plain


def _changed() -> VaultError:
    return VaultError("the vault's settings were changed or are damaged; nothing was done.", hint=_RESTORE)


def wrapped(sealer: Sealer, secret: Secret) -> dict[str, bytes]:
    """Return the settings that give the data key to whoever has the secret.

    The key that wraps is scrypt(passphrase, salt) or, of a random key, HMAC-SHA-256(key, "vault", salt).
    """
    salt = secrets.token_hex(_SALT_BYTES)
    kdf = {"kind": "scrypt", "log2_n": _LOG2_N, "salt": salt} if secret.is_passphrase else {"kind": "key", "salt": salt}
    plain = json.dumps(kdf, separators=(",", ":")).encode()
    wrap = wrapping(_wrapping_key(secret, kdf), "wrap")
    return {"format": _FORMAT, "kdf": plain, "key": wrap.encrypt(sealer.data_key, [b"data key", _FORMAT, plain])}


def unwrapped(meta: Mapping[str, bytes], secret: Secret) -> Sealer:
    """Return what the data key does, if the secret opens it.

    Raises
    ------
    VaultError
        The secret is wrong, or the settings were changed or are of another version.
    """
    if meta.get("format") != _FORMAT:
        raise VaultError(
            "the vault is damaged, or was made by another version of celosia.",
            hint="use that version, or restore the vault from a copy.",
        )
    kdf = _checked_kdf(meta.get("kdf", b""))
    data_key: bytes | None = None
    if (kdf["kind"] == "scrypt") == secret.is_passphrase:
        wrap = wrapping(_wrapping_key(secret, kdf), "wrap")
        data_key = decrypted(wrap, meta.get("key", b""), [b"data key", _FORMAT, meta["kdf"]])
    if data_key is None:
        kind = "a passphrase" if kdf["kind"] == "scrypt" else "a random key (64 hexadecimal digits)"
        raise VaultError(
            "the key does not open the vault: it is the wrong one, or the settings were changed.",
            hint=f"this vault was closed with {kind}; name the variable or the file that holds it.",
            about="key",
        )
    return Sealer(data_key)


def _wrapping_key(secret: Secret, kdf: Mapping[str, object]) -> bytes:
    salt = str(kdf["salt"])
    if secret.is_passphrase:
        return stretched(secret.content, bytes.fromhex(salt), log2_n=int(str(kdf["log2_n"])))
    return derived(secret.content, "vault", salt)


def _checked_kdf(plain: bytes) -> dict[str, object]:
    """Return how the key is stretched; bounded, so that a doctored file cannot ask for a terabyte of memory."""
    try:
        kdf = json.loads(plain)
        is_sound = isinstance(kdf, dict) and len(bytes.fromhex(kdf["salt"])) == _SALT_BYTES
        is_sound = is_sound and (kdf["kind"] == "key" or (kdf["kind"] == "scrypt" and kdf["log2_n"] in _LOG2_N_RANGE))
    except (ValueError, TypeError, KeyError, RecursionError):  # told below, where no traceback carries it
        is_sound = False
    if not is_sound:
        raise VaultError("the vault's settings were changed or are damaged.", hint=_RESTORE)
    return dict(kdf)


@dataclass(frozen=True)
class Tally:
    """The tally: by which a vault knows that an identity it does not find was never there.

    Without it, a record taken away, or one flipped bit of a token, would make a known person look new, and give them a
    second pseudonym. Tokens fall into 256 groups by their first byte; of each group the vault keeps, sealed,

        XOR over the group of HMAC-SHA-256(K("tally"), token || pseudonym), its first 16 bytes.

    Before a new identity gets a pseudonym, its group is read and compared. Nobody without the key can change a group
    and keep its sum, since the sums and what they are made of are not known.

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

    def to_bytes(self) -> bytes:
        """Return the sums as they stand in the settings."""
        return self.sums.astype("<u8").tobytes()

    @classmethod
    def of_bytes(cls, plain: bytes) -> Tally:
        """Return the tally of which these are the sums."""
        return cls(np.frombuffer(plain, dtype="<u8").astype(np.uint64).reshape(GROUPS, _WORDS))


def is_token(held: object) -> bool:
    """Whether what a row holds can be a token.

    Examples
    --------
    >>> is_token(bytes(16)), is_token("K7Q2"), is_token(None)
    (True, False, False)
    """
    return isinstance(held, bytes) and len(held) == _TOKEN_BYTES
