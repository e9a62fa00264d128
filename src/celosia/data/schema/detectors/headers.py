"""What a column's name says about the column."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import product

from celosia.data.schema.detectors.vocabulary import CONCEPTS, Concept
from celosia.data.schema.roles import Role

_SMALL_WORDS = re.compile(
    "a|al|con|d|de|del|e|el|en|i|la|las|lo|los|o|para|por|su|sus|u|un|una|y|the|of|in|on|at|for|to|and|or|an|your"
)
_PLURALS = (("s", ""), ("es", ""), ("ies", "y"))
_LONGEST_PHRASE = 4


@dataclass(frozen=True)
class Header:
    """What the words of a header say.

    Attributes
    ----------
    concept
        What decides: the longest phrase found; a weak one only where no other stands beside it, and among weak ones a
        name or a number only where nothing says of what.
    word
        The phrase of the vocabulary that was found.
    weak
        A weak concept that was found beside the one that decides.

    Examples
    --------
    >>> read_header("Fecha de nacimiento").word
    'fecha nacimiento'
    """

    concept: Concept
    word: str
    weak: Concept | None = None


def plain_text(text: str) -> str:
    """Return a text in lower case without accents, marks other than letters and digits as single blanks.

    Examples
    --------
    >>> plain_text(" Código-Postal ")
    'codigo postal'
    """
    parted = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in parted if not unicodedata.combining(sign))
    return " ".join(re.findall(r"[^\W_]+\+?", bare))


def header_words(name: str) -> tuple[str, ...]:
    """Return the words of a column name, small words left out; ``camelCase`` and digits at the end are parted.

    Examples
    --------
    >>> header_words("FechaDeNacimiento"), header_words("nota_final2")
    (('fecha', 'nacimiento'), ('nota', 'final', '2'))
    """
    parted = re.sub(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])|(?<=[^\W\d_])(?=[0-9])", " ", name)
    words = plain_text(parted).split()
    kept = [word for word in words if not _SMALL_WORDS.fullmatch(word)]
    return tuple(kept or words)


def read_header(name: str) -> Header | None:
    """Return what a column name says, or ``None`` where it holds no known word.

    Examples
    --------
    >>> read_header("Apellidos").concept.role, read_header("town name").word, read_header("x7") is None
    (<Role.IDENTIFIER: 'identifier'>, 'town', True)
    """
    # As one word first: "D.N.I." is no single letters.
    found = _matches((plain_text(name).replace(" ", ""),)) or _matches(header_words(name))
    if not found:
        return None
    strong = {phrase: concept for phrase, concept in found.items() if not concept.is_weak}
    telling = {phrase: concept for phrase, concept in found.items() if concept.role != Role.IDENTIFIER}
    deciding = strong or telling or found
    # The longest phrase says most. Among equals the vocabulary's order decides: names, then what others may know, then
    # secrets, since secrets are published as they are and a wrong guess costs most there.
    word = max(deciding, key=lambda phrase: (phrase.count(" "), -_rank(deciding[phrase])))
    weak = next((concept for concept in found.values() if concept.is_weak and concept != deciding[word]), None)
    return Header(deciding[word], word, weak)


def _rank(concept: Concept) -> int:
    return CONCEPTS.index(concept)


def _matches(words: tuple[str, ...]) -> dict[str, Concept]:
    """Return the phrases of the vocabulary that stand in these words, one after another."""
    known = _phrases()
    found = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST_PHRASE, len(words)) + 1):
            for phrase in _spellings(words[start:end]):
                if phrase in known and (not known[phrase][1].is_whole or len(words) == end - start):
                    found[known[phrase][0]] = known[phrase][1]
    return found


def _spellings(words: tuple[str, ...]) -> list[str]:
    return [" ".join(chosen) for chosen in product(*(_forms(word) for word in words))]


def _forms(word: str) -> list[str]:
    """Return a word and what it may be the plural of."""
    return [
        word,
        *(word.removesuffix(end) + single for end, single in _PLURALS if word.endswith(end) and len(word) > 3),
    ]


@cache
def _phrases() -> dict[str, tuple[str, Concept]]:
    """Return every phrase, also written as one word, with its spelling in the vocabulary and its concept."""
    known: dict[str, tuple[str, Concept]] = {}
    for concept in CONCEPTS:
        for phrase in concept.words:
            known.setdefault(phrase, (phrase, concept))
            known.setdefault(phrase.replace(" ", ""), (phrase, concept))
    return known
