"""What there is to know about pseudonyms: how easily they are guessed, and what their order or length gives away."""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from celosia.base.findings import Finding
from celosia.base.keys import KeySource, Secret
from celosia.base.wording import Said
from celosia.masks.characters.findings import n_lengths_alone
from celosia.masks.vault.codes import Codes, CodeSpace

RARE = 1e-6
"""The chance of a collision below which nobody need think of it."""

GROWTH = 10
"""Later data sets may hold so many times as many people as this one."""

_LONGEST = 64


_DENSE = 100
"""One code in so many may be in use before guesses are too easy."""
_GUESSABLE = Said(
    "One guess in {n} at a pseudonym of '{column}' hits somebody: {count} of {size} possible codes are in use; take a "
    "greater length."
)
_SPACE = Said(
    "The keyed codes of '{column}' are short: with ten times as many people in later data sets two of them would get "
    "one code with a chance of {chance}, and the run would be refused; length: {enough} makes that less than one in a "
    "million."
)
_SPACE_OF_ALPHABET = Said(
    "The keyed codes of '{column}' are short: with ten times as many people in later data sets two of them would get "
    "one code with a chance of {chance}, and the run would be refused; take an alphabet of more characters."
)
_IN_ORDER = Said(
    "The pseudonyms of '{column}' are given in the order of the list to people as they first appear: whoever knows "
    "both orders knows who is who; leave shuffle out."
)
_LENGTH = Said(
    "{count} of {rows} pseudonyms of '{column}' have a number of digits that fewer than {k} rows share: as many as the "
    "true value had, which gives them away; set length."
)
_PASSPHRASE = Said(
    "The key of the pseudonyms is a passphrase: whoever knows one person's pseudonym can try passphrases on it; a key "
    "file made by 'celosia vault key' cannot be guessed."
)
_OPEN_FILE = Said("Other users of this machine may read the key file of the pseudonyms; close it to them by chmod 600.")


def collision_chance(n: int, size: int) -> float:
    """Return the chance that two of ``n`` random codes are equal: 1 - exp(-n (n - 1) / (2 size)).

    Examples
    --------
    >>> round(collision_chance(23, 365), 2)
    0.5
    """
    return -math.expm1(-n * (n - 1) / (2 * size))


def enough_length(n: int, space: CodeSpace) -> int | None:
    """Return the least length at which that is rare for ``GROWTH`` times ``n`` people; ``None`` if no length will do.

    Examples
    --------
    >>> enough_length(2000, CodeSpace("digits", 6))
    15
    """
    base = len(space.characters)
    fits = (length for length in range(1, _LONGEST + 1) if collision_chance(GROWTH * n, base**length) < RARE)
    return next(fits, None)


def guessable_finding(column: str, n_in_use: int, codes: Codes) -> Iterator[Finding]:
    """Give the finding that more than one in a hundred codes of an alphabet and length is in use, if so.

    Examples
    --------
    >>> [found.values["n"] for found in guessable_finding("id", 250, CodeSpace("digits", 3))]
    [4]
    """
    if isinstance(codes, CodeSpace) and _DENSE * n_in_use > codes.size:
        counts: dict[str, int | str] = {"n": max(codes.size // n_in_use, 1), "count": n_in_use, "size": codes.size}
        yield Finding("PSEUDONYMS_GUESSABLE", "warning", _GUESSABLE, column, counts)


def space_finding(column: str, n_identities: int, space: CodeSpace) -> Iterator[Finding]:
    """Give the finding that keyed codes are too short for ten times as many people, if they are."""
    chance = collision_chance(GROWTH * n_identities, space.size)
    if chance <= RARE:
        return
    enough = enough_length(n_identities, space)
    values: dict[str, int | str] = {"chance": f"{chance:.1g}" if chance < 0.5 else f"{chance:.2f}"}
    if enough is None:
        yield Finding("PSEUDONYM_SPACE", "note", _SPACE_OF_ALPHABET, column, values)
    else:
        yield Finding("PSEUDONYM_SPACE", "note", _SPACE, column, values | {"enough": enough})


def order_finding(column: str) -> Finding:
    """Return the finding that a list is given out in its order."""
    return Finding("PSEUDONYMS_IN_ORDER", "warning", _IN_ORDER, column)


def length_finding(codes: pl.Series, k: int) -> Iterator[Finding]:
    """Give the finding that lengths of digits single rows out, if they do; one length for all tells nothing.

    Examples
    --------
    >>> [found.values["count"] for found in length_finding(pl.Series("id", ["11", "12", "345"]), 2)]
    [1]
    """
    count = n_lengths_alone(codes.str.len_bytes(), k)
    if count:
        counts: dict[str, int | str] = {"count": count, "rows": len(codes) - codes.null_count(), "k": k}
        yield Finding("DIGITS_LENGTH", "warning", _LENGTH, codes.name, counts)


def key_findings(key: KeySource | Secret) -> Iterator[Finding]:
    """Give the findings that a key can be read by others, or guessed, if it can."""
    if isinstance(key, Secret) and key.is_passphrase:
        yield Finding("KEY_IS_PASSPHRASE", "note", _PASSPHRASE)
    if isinstance(key, KeySource) and key.is_open_to_others:
        yield Finding("KEY_FILE_OPEN", "warning", _OPEN_FILE)
