"""Digests of many candidates by the algorithms that are recognised."""

from __future__ import annotations

import hashlib
import zlib

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.measure.unhashing.candidates import Candidates
from celosia.measure.unhashing.shapes import CRC32

_KERNELS = {"MD5": kernels.md5, "SHA-1": kernels.sha1, "SHA-256": kernels.sha256, "SHA-512": kernels.sha512}
_NAMES = {"SHA-224": "sha224", "SHA-384": "sha384"}


def digests_of(algorithm: str, candidates: Candidates) -> NDArray[np.uint8]:
    """Return the digest of each candidate, a row each.

    MD5, SHA-1, SHA-256 and SHA-512 run in kernels, here on one core each time, since the attack calls from several
    threads; SHA-224, SHA-384 and CRC32 run in the standard library, which hashes about a million a second in all.

    Examples
    --------
    >>> digests_of("MD5", Candidates.of([b"a"])).tobytes().hex()
    '0cc175b9c0f1b6a831c399e269772661'
    """
    if algorithm in _KERNELS:
        return _KERNELS[algorithm](candidates.data, candidates.offsets, 1)
    if algorithm == CRC32:
        sums = np.array([zlib.crc32(value) for value in candidates.values], dtype=">u4")
        return sums.view(np.uint8).reshape(-1, 4)
    digest = getattr(hashlib, _NAMES[algorithm])
    joined = b"".join([digest(value, usedforsecurity=False).digest() for value in candidates.values])
    return np.frombuffer(joined, dtype=np.uint8).reshape(len(candidates), -1)


def is_fast(algorithm: str) -> bool:
    """Tell whether a kernel makes the digests.

    Examples
    --------
    >>> is_fast("MD5"), is_fast("CRC32")
    (True, False)
    """
    return algorithm in _KERNELS
