"""Categories that may be one value in two spellings, such as Jana and Jane."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from celosia.data.schema.detectors.headers import plain_text

_LEAST_LENGTH = 4


def n_alike(values: Iterable[str]) -> int:
    """Return how many pairs of values differ in case, accents and punctuation only, or in one letter.

    Values with digits, and words of fewer than four letters, differ in one sign on purpose and do not count.

    Examples
    --------
    >>> n_alike(["Jana", "Jane", "jane", "Luis", "prof1", "prof2"])
    3
    """
    forms: dict[str, set[str]] = defaultdict(set)
    for value in values:
        plain = plain_text(value)
        if len(plain) >= _LEAST_LENGTH and not any(sign.isdigit() for sign in plain):
            for form in _forms(plain):
                forms[form].add(value)
    return len({pair for group in forms.values() for pair in combinations(sorted(group), 2)})


def _forms(text: str) -> Iterator[str]:
    """Give texts that two words share if and only if they are equal or one letter apart.

    With a sign in place of a letter two words of equal length meet; with that sign between two letters the shorter one
    of unequal words meets the longer one.
    """
    for place in range(len(text)):
        yield f"{text[:place]}\0{text[place + 1 :]}"
    for place in range(len(text) + 1):
        yield f"{text[:place]}\0{text[place:]}"
