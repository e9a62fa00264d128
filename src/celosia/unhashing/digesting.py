"""Digests of many candidates by the algorithms that are recognised."""

from __future__ import annotations

import hashlib
import zlib

import numpy as np
from numpy.typing import NDArray

from celosia import kernels
from celosia.unhashing.candidates import Candidates
from celosia.unhashing.shapes import CRC32

__all__ = ["digests_of"]

_NAMES = {"MD5": "md5", "SHA-1": "sha1", "SHA-224": "sha224", "SHA-384": "sha384", "SHA-512": "sha512"}


def digests_of(algorithm: str, candidates: Candidates) -> NDArray[np.uint8]:
    """Return the digest of each candidate, a row each.

    SHA-256 runs in a kernel on all cores; the others in the standard library, some ten times more slowly.

    Examples
    --------
    >>> digests_of("MD5", Candidates.of([b"a"])).tobytes().hex()
    '0cc175b9c0f1b6a831c399e269772661'
    """
    if algorithm == "SHA-256":
        return kernels.sha256(candidates.data, candidates.offsets)
    if algorithm == CRC32:
        sums = np.array([zlib.crc32(value) for value in candidates.values], dtype=">u4")
        return sums.view(np.uint8).reshape(-1, 4)
    digest = getattr(hashlib, _NAMES[algorithm])
    joined = b"".join([digest(value, usedforsecurity=False).digest() for value in candidates.values])
    return np.frombuffer(joined, dtype=np.uint8).reshape(len(candidates), -1)
