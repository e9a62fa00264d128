"""Slow, plain definitions of keyed codes and of FF1, written from the standards."""

from __future__ import annotations

import hashlib
import hmac
import math

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def derived_key(master: bytes, *labels: str) -> bytes:
    """HMAC-SHA-256 over all labels, each behind its length of four bytes."""
    message = b""
    for label in ("celosia", "1", *labels):
        message += len(label.encode()).to_bytes(4, "big") + label.encode()
    return hmac.new(master, message, hashlib.sha256).digest()


def keyed_code(key: bytes, value: str, characters: str, length: int, prefix: str = "") -> str:
    """Spell the four little-endian words of a digest, least significant character first, as many as fit in 44 bits."""
    digest = hmac.new(key, value.encode(), hashlib.sha256).digest()
    words = [int.from_bytes(digest[start : start + 8], "little") for start in range(0, 32, 8)]
    base = len(characters)
    per_word = max(count for count in range(1, 45) if base**count <= 2**44)
    spelt = ""
    for word in words:
        for _ in range(per_word):
            word, digit = divmod(word, base)
            spelt += characters[digit]
    return prefix + spelt[:length]


def ff1_encrypt(key: bytes, tweak: bytes, numerals: list[int], radix: int) -> list[int]:
    """NIST SP 800-38G, algorithm 7."""
    n, t = len(numerals), len(tweak)
    u = n // 2
    v = n - u
    a, b = numerals[:u], numerals[u:]
    n_bytes = math.ceil(math.ceil(v * math.log2(radix)) / 8)
    d = 4 * math.ceil(n_bytes / 4) + 4
    p = bytes([1, 2, 1]) + radix.to_bytes(3, "big") + bytes([10, u % 256]) + n.to_bytes(4, "big") + t.to_bytes(4, "big")
    for i in range(10):
        q = tweak + bytes((-t - n_bytes - 1) % 16) + bytes([i]) + _number(b, radix).to_bytes(n_bytes, "big")
        r = _prf(key, p + q)
        s = r
        for j in range(1, math.ceil(d / 16)):
            s += _aes(key, bytes(x ^ y for x, y in zip(r, j.to_bytes(16, "big"), strict=True)))
        y = int.from_bytes(s[:d], "big")
        m = u if i % 2 == 0 else v
        c = _numerals((_number(a, radix) + y) % radix**m, radix, m)
        a, b = b, c
    return a + b


def _aes(key: bytes, block: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def _prf(key: bytes, message: bytes) -> bytes:
    state = bytes(16)
    for start in range(0, len(message), 16):
        state = _aes(key, bytes(x ^ y for x, y in zip(state, message[start : start + 16], strict=True)))
    return state


def _number(numerals: list[int], radix: int) -> int:
    total = 0
    for numeral in numerals:
        total = total * radix + numeral
    return total


def _numerals(number: int, radix: int, length: int) -> list[int]:
    found: list[int] = []
    for _ in range(length):
        number, numeral = divmod(number, radix)
        found.insert(0, numeral)
    return found
