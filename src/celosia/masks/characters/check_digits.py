"""How many numbers fit what a mask leaves visible, where a check digit or letter is among it.

The check characters are decided by the sum of residues of the body modulo ``m``. With h hidden characters the numbers
that fit are counted residue by residue, one hidden character after the other:

    ways(0) = [1, 0, ..., 0]
    ways(i)[r] = sum over the characters c that may stand in place i of ways(i - 1)[r - residue(c)]

and those residues count whose check characters agree with the visible ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import polars as pl

from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.data.schema.detectors.check_digits import SCHEMES, Reading, Scheme

Tables = tuple[tuple[int, ...], ...]
"""For each hidden place the residues of the characters that may stand there."""

_MOST_FORMS = 100
"""Columns of one kind of number have a few forms of hidden places; accounts with letters anywhere have any number."""

_ONE_LEFT = Said(
    "'{column}' follows the check rule {scheme}: for {count} of {checked} values looked at what stays visible leaves a "
    "single candidate, so that the hidden characters can be computed; hide more characters."
)
_FEW_LEFT = Said(
    "'{column}' follows the check rule {scheme} and its check character stays visible: whoever knows the rule is left "
    "with {candidates} candidates instead of {space}; hide the check character."
)


@dataclass(frozen=True)
class Residual:
    """What is left of a masked number.

    Attributes
    ----------
    candidates
        How many numbers fit the visible characters and the check.
    space
        How many fit the visible characters of the body alone.
    """

    candidates: int
    space: int


def n_candidates(scheme: Scheme, reading: Reading, is_visible: Sequence[bool]) -> Residual:
    """Count the numbers that fit the visible characters of one, exactly.

    Whoever looks is taken to know the scheme and for each hidden place whether a digit or a letter stands there.

    Parameters
    ----------
    scheme
        The rule of the check characters.
    reading
        How the scheme reads the number.
    is_visible
        For each character of the text whether it can be seen.

    Examples
    --------
    >>> dni = SCHEMES[0]
    >>> seen = [False] * 5 + [True] * 4  # *****678Z
    >>> n_candidates(dni, dni.read("12345678Z"), seen)
    Residual(candidates=4348, space=100000)
    """
    parts = reading.parts
    hidden = _hidden(reading, is_visible)
    shown = parts.fixed + sum(own for place, own in zip(parts.places, parts.own, strict=True) if is_visible[place])
    ways = _ways(hidden, scheme.modulus)
    seen = [
        (at, sign) for at, (place, sign) in enumerate(zip(parts.check, reading.check, strict=True)) if is_visible[place]
    ]
    fitting = (residue for residue, check in enumerate(scheme.checks) if all(check[at] == sign for at, sign in seen))
    return Residual(sum(ways[(residue - shown) % scheme.modulus] for residue in fitting), _space(hidden))


def scheme_of(texts: Sequence[str]) -> Scheme | None:
    """Return the check scheme that the values of a column follow, if one.

    Examples
    --------
    >>> scheme_of(["12345678Z", "00000000T", "unknown"]).name
    'DNI/NIE'
    >>> scheme_of(["red", "blue"]) is None
    True
    """
    for scheme in SCHEMES:
        right = {text for text in texts if scheme.fits(text)}
        n_right = sum(text in right for text in texts)
        if len(right) >= scheme.least_values and n_right >= scheme.least_share * len(texts):
            return scheme
    return None


def check_digit_finding(column: str, texts: pl.Series, aligned: pl.Series, filler: str) -> Iterator[Finding]:
    """Give what a check character gives away in these rows, if it does.

    It gives something away if it is visible beside hidden characters. A hidden one gives nothing away, unless
    it is the only one that is hidden.

    Parameters
    ----------
    column
        The name of the column.
    texts
        Original values, none missing.
    aligned
        The same with ``filler`` in the place of each hidden character.
    filler
        A character that no value holds.
    """
    values = texts.to_list()
    scheme = scheme_of(values)
    if scheme is None:
        return
    residuals = _residuals(scheme, values, [[sign != filler for sign in seen] for seen in aligned])
    n_alone = sum(residual.candidates == 1 for residual in residuals)
    leaking = [residual for residual in residuals if residual.candidates < residual.space]
    if n_alone:
        counts: dict[str, int | str] = {"scheme": scheme.name, "count": n_alone, "checked": len(values)}
        yield Finding("MASK_CHECK_DIGIT", "warning", _ONE_LEFT, column, counts)
    elif leaking:
        worst = min(leaking, key=lambda residual: (residual.candidates, -residual.space))
        counts = {"scheme": scheme.name, "candidates": worst.candidates, "space": worst.space}
        yield Finding("MASK_CHECK_DIGIT", "warning", _FEW_LEFT, column, counts)


def _residuals(scheme: Scheme, texts: Sequence[str], visible: Sequence[Sequence[bool]]) -> list[Residual]:
    """Return what is left of the right numbers; of many forms of hidden places those that leave the least space."""
    readings = [(scheme.read(text), is_visible) for text, is_visible in zip(texts, visible, strict=True)]
    right = [(reading, is_visible) for reading, is_visible in readings if reading is not None and reading.is_right]
    forms = {_hidden(reading, is_visible) for reading, is_visible in right}
    counted = set(sorted(forms, key=_space)[:_MOST_FORMS])
    return [
        n_candidates(scheme, reading, is_visible)
        for reading, is_visible in right
        if _hidden(reading, is_visible) in counted
    ]


def _hidden(reading: Reading, is_visible: Sequence[bool]) -> Tables:
    """Return the tables of the hidden places; their order is no matter."""
    parts = reading.parts
    return tuple(
        sorted(table for place, table in zip(parts.places, parts.tables, strict=True) if not is_visible[place])
    )


def _space(tables: Tables) -> int:
    return prod(len(table) for table in tables)


@lru_cache(maxsize=256)
def _ways(tables: Tables, modulus: int) -> tuple[int, ...]:
    """Return for each residue in how many ways characters of the hidden places add up to it.

    The counts of all residues stand side by side in one long integer: a shift by a slot adds one to every residue.
    """
    slot = _space(tables).bit_length()
    ring = modulus * slot
    ways = 1
    for table in tables:
        ways = sum(ways << (step * slot) for step in table)
        ways = (ways & ((1 << ring) - 1)) + (ways >> ring)
    return tuple((ways >> (residue * slot)) & ((1 << slot) - 1) for residue in range(modulus))
