"""Which pseudonyms were forgotten: a sealed list, so that no row put back from an old copy brings a person back.

A forgotten row has neither token nor identity, which everybody who can write there could undo with an old row, or do to
another. Therefore the settings hold

    AES-256-SIV(K("forgotten"), the pseudonyms in order, with a zero byte between them),

and the sealed state its SHA-256.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from contextlib import suppress

from cryptography.exceptions import InvalidTag

from celosia.base.errors import VaultError
from celosia.masks.vault.sealing import Sealer, wrapping


def sealed_forgotten(names: Collection[str], sealer: Sealer) -> tuple[dict[str, bytes], str]:
    """Return a list of pseudonyms as a setting, and the mark by which the state knows it; of none both are empty.

    Examples
    --------
    >>> sealer = Sealer.new()
    >>> setting, mark = sealed_forgotten(["K7Q2", "X3B9"], sealer)
    >>> sorted(opened_forgotten(setting["forgotten"], mark, sealer))
    ['K7Q2', 'X3B9']
    """
    if not names:
        return {}, ""
    plain = "\0".join(sorted(names)).encode()
    sealed = wrapping(sealer.data_key, "forgotten").encrypt(plain, [b"forgotten"])
    return {"forgotten": sealed}, hashlib.sha256(plain).hexdigest()


def opened_forgotten(sealed: bytes, mark: str, sealer: Sealer) -> frozenset[str]:
    """Return the pseudonyms that the state speaks of.

    Raises
    ------
    VaultError
        The list was changed.
    """
    if not mark:
        return frozenset()
    plain = b""
    with suppress(InvalidTag, ValueError, TypeError):  # told below, where no traceback carries it
        plain = wrapping(sealer.data_key, "forgotten").decrypt(sealed, [b"forgotten"])
    if hashlib.sha256(plain).hexdigest() != mark:
        raise VaultError(
            "the vault's settings were changed or are damaged; nothing was done.", hint="restore it from a copy."
        )
    return frozenset(plain.decode().split("\0"))
