"""Codes that stand for people: drawn from an alphabet or from a list, each given once."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.masks.vault.identities import is_storable

ALPHABETS = {
    "readable": "0123456789BCDFGHJKMNPQRSTVWXYZ",
    "digits": "0123456789",
    "hex": "0123456789abcdef",
    "letters": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
}
"""Alphabets by their names; ``readable`` has no vowel (no words, no 1E5) and no letter that looks like a digit."""

_LONGEST = 64
_FORMULAS = ("=", "+", "-", "@")
"""What a spreadsheet takes for the beginning of a formula."""

_ENUMERATED = 1 << 21
"""Up to so many codes are listed whole when more than half of them are wanted or taken."""

_ROUNDS = 100
_MOST_SPARE = 1 << 14
_WORD_LIMIT = 1 << 44
"""Characters are taken from a 64-bit word while their number of combinations is below this: no code is more likely than
another by more than one part in 2^20."""

Taken = Callable[[Sequence[str]], Iterable[str]]
"""Which of some codes may not be given: those that ever were, and those that are somebody's true value."""


class Codes(Protocol):
    """Where codes come from."""

    @property
    def size(self) -> int:
        """How many codes there are."""
        ...

    def draw(self, n: int, taken: Taken, randomness: Randomness) -> list[str]:
        """Return ``n`` different codes that are not taken.

        Raises
        ------
        InputError
            So many are not left.
        """
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file."""
        ...


@dataclass(frozen=True)
class CodeSpace:
    """All texts of one length over an alphabet, behind a prefix.

    Parameters
    ----------
    alphabet
        ``readable``, ``digits``, ``hex``, ``letters``, or different letters and digits, from 2 to 256 of them.
    length
        How many characters follow the prefix, from 1 to 64.
    prefix
        What every code begins with.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.

    Examples
    --------
    >>> CodeSpace("digits", 6).size
    1000000
    >>> codes = CodeSpace("digits", 3, prefix="P").draw(2, lambda asked: (), Randomness(seed=1))
    >>> [len(code) for code in codes], len(set(codes))
    ([4, 4], 2)
    """

    alphabet: str = "readable"
    length: int = 16
    prefix: str = ""

    def __post_init__(self) -> None:
        _check_alphabet(self.alphabet)
        if isinstance(self.length, bool) or not isinstance(self.length, int) or not 1 <= self.length <= _LONGEST:
            raise OptionError(
                f"length must be a whole number from 1 to {_LONGEST}.", hint="write length: 16.", about="length"
            )
        _check_prefix(self.prefix)
        object.__setattr__(self, "prefix", unicodedata.normalize("NFC", self.prefix))

    @property
    def characters(self) -> str:
        """The characters that codes are made of."""
        return ALPHABETS.get(self.alphabet, self.alphabet)

    @property
    def size(self) -> int:
        """How many codes there are: characters ^ length."""
        return int(len(self.characters) ** self.length)

    def draw(self, n: int, taken: Taken, randomness: Randomness) -> list[str]:
        """Return ``n`` different codes that are not taken, all such choices equally likely.

        Raises
        ------
        InputError
            So many are not left.
        """
        if n > self.size:
            raise self._used_up(n)
        found: dict[str, None] = {}
        for turn in range(_ROUNDS):
            n_open = n - len(found)
            if 2 * n_open > self.size <= _ENUMERATED:
                break
            # Where few are left most of what is drawn is taken: more and more is drawn.
            n_drawn = n_open if turn == 0 else max(n_open, min(n_open << turn, _MOST_SPARE))
            fresh = dict.fromkeys(self._independent(n_drawn, randomness))
            gone = set(taken(list(fresh)))
            # In the order drawn, which a seed repeats; sets have another one in every process.
            found |= {code: None for code in fresh if code not in gone} if gone else fresh
            if len(found) >= n:
                return list(found)[:n]
        if self.size > _ENUMERATED:
            raise self._used_up(n)
        return self._listed(n, taken, randomness)

    def of_words(self, words: NDArray[np.uint64]) -> list[str]:
        """Return the code that each row of random 64-bit words stands for (four words: a digest of 256 bits).

        Raises
        ------
        OptionError
            The codes are too long for so many words.

        Examples
        --------
        >>> CodeSpace("digits", 6).of_words(np.array([[1234567, 0, 0, 0]], dtype=np.uint64))
        ['765432']
        """
        base = len(self.characters)
        per_word = 1
        while base ** (per_word + 1) <= _WORD_LIMIT:
            per_word += 1
        if self.length > per_word * words.shape[1]:
            raise OptionError(
                f"length is {self.length}; keyed codes over {base} characters have at most "
                f"{per_word * words.shape[1]}.",
                hint=f"write length: {per_word * words.shape[1]}, or less.",
                about="length",
            )
        digits = np.empty((len(words), self.length), dtype=np.uint8)
        left = words[:, 0]
        for place in range(self.length):
            if place % per_word == 0:
                left = words[:, place // per_word].copy()
            left, digits[:, place] = np.divmod(left, np.uint64(base))
        return self._spelt(digits)

    def to_dict(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        own = {"alphabet": self.alphabet, "length": self.length, "prefix": self.prefix}
        return {name: value for name, value in own.items() if value != type(self).__dataclass_fields__[name].default}

    def _independent(self, n: int, randomness: Randomness) -> list[str]:
        """Return ``n`` codes, each equally likely; some may be equal."""
        base = len(self.characters)
        limit = 256 - 256 % base
        digits = np.empty(0, dtype=np.uint8)
        while len(digits) < n * self.length:  # bytes from the limit on would make some characters likelier
            n_more = -(-(n * self.length - len(digits)) * 9 // 64) + 1
            more = randomness.keys(n_more).view(np.uint8)
            digits = np.concatenate([digits, more[more < limit] if limit < 256 else more])
        drawn = digits[: n * self.length].reshape(n, self.length)
        return self._spelt(drawn % base if base < 256 else drawn)

    def _listed(self, n: int, taken: Taken, randomness: Randomness) -> list[str]:
        every = self.of_words(np.arange(self.size, dtype=np.uint64)[:, None])
        gone = set(taken(every))
        free = [code for code in every if code not in gone]
        if len(free) < n:
            raise self._used_up(n)
        return [free[place] for place in randomness.permutation(len(free))[:n]]

    def _spelt(self, digits: NDArray[np.uint8]) -> list[str]:
        points = np.array([ord(one) for one in self.characters], dtype="<u4")
        codes: list[str] = points[digits].view(f"<U{self.length}")[:, 0].tolist()
        return [self.prefix + code for code in codes] if self.prefix else codes

    def _used_up(self, n: int) -> InputError:
        return InputError(
            f"{n} codes are wanted; of the {self.size} of this alphabet and length not so many are left, or they "
            "cannot be found.",
            hint="take a greater length.",
            about="length",
        )


@dataclass(frozen=True)
class CodeList:
    """Codes that were made beforehand.

    Parameters
    ----------
    values
        Different texts, none empty.
    shuffle
        Whether they are given in random order; otherwise in theirs.

    Raises
    ------
    OptionError
        There are none, two are equal, or a spreadsheet would take one for a formula.

    Examples
    --------
    >>> CodeList(["543456", "094532"]).draw(1, lambda asked: ["543456"], Randomness())
    ['094532']
    """

    values: Sequence[str]
    shuffle: bool = True

    def __post_init__(self) -> None:
        is_list = isinstance(self.values, list | tuple) and bool(self.values)
        if not is_list or not all(isinstance(one, str) and one.strip() for one in self.values):
            raise OptionError(
                "values must be a list of codes, each a text that is not empty.",
                hint='quote codes of digits: ["094532"], or a leading zero is lost.',
                about="values",
            )
        if not all(map(is_storable, self.values)):
            raise OptionError(
                "some of the codes in values hold a character that no file keeps: 0, or half of one.",
                hint="take letters and digits.",
                about="values",
            )
        n_odd = sum(one.strip().startswith(_FORMULAS) for one in self.values)
        if n_odd:
            raise OptionError(
                f"{n_odd} of the {len(self.values)} codes in values begin with one of = + - @: a CSV file would not "
                "keep them as they are.",
                hint="take letters and digits.",
                about="values",
            )
        named = tuple(unicodedata.normalize("NFC", one.strip()) for one in self.values)
        if len(set(named)) < len(named):
            raise OptionError(
                f"{len(named) - len(set(named))} of the {len(named)} codes in values are repeated.",
                hint="list each code once.",
                about="values",
            )
        object.__setattr__(self, "values", named)

    @property
    def size(self) -> int:
        """How many codes there are."""
        return len(self.values)

    def draw(self, n: int, taken: Taken, randomness: Randomness) -> list[str]:
        """Return ``n`` codes of the list that are not taken.

        Raises
        ------
        InputError
            So many are not left.
        """
        gone = set(taken(self.values))
        free = [code for code in self.values if code not in gone]
        if len(free) < n:
            raise InputError(
                f"{n} codes are wanted; of the {self.size} in the list {len(free)} are left.",
                hint="make the list longer.",
                about="values",
            )
        order = randomness.permutation(len(free)) if self.shuffle else range(len(free))
        return [free[place] for place in order[:n]]

    def to_dict(self) -> dict[str, Any]:
        """Return the options as they stand in a plan file."""
        return {"values": list(self.values)} | ({} if self.shuffle else {"shuffle": False})


def _check_alphabet(alphabet: object) -> None:
    if isinstance(alphabet, str) and alphabet in ALPHABETS:
        return
    is_text = isinstance(alphabet, str) and alphabet.isalnum() and _stays_apart(alphabet)
    if not is_text or not isinstance(alphabet, str) or not 2 <= len(set(alphabet)) == len(alphabet) <= 256:
        raise OptionError(
            "alphabet must be a name or from 2 to 256 different letters and digits.",
            hint=f"names: {', '.join(ALPHABETS)}.",
            about="alphabet",
        )


def _stays_apart(alphabet: str) -> bool:
    """Whether no two characters, in any order, are written as one in normal form (NFC), as parts of syllables are."""
    return alphabet.isascii() or all(
        unicodedata.is_normalized("NFC", one + other) for one in alphabet[:257] for other in alphabet[:257]
    )


def _check_prefix(prefix: object) -> None:
    is_text = isinstance(prefix, str) and prefix.isprintable() and len(prefix) <= _LONGEST
    if not is_text or not isinstance(prefix, str) or prefix != prefix.strip() or prefix.startswith(_FORMULAS):
        raise OptionError(
            f"prefix must be up to {_LONGEST} printable characters, no blank at an end, and none of = + - @ first.",
            hint="write prefix: P.",
            about="prefix",
        )
