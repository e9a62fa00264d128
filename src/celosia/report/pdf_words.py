"""Words in a line: text without the white space that nobody sees, and with places where long names may break."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from celosia.report.html_tree import Element

Words = list[Any]
"""Texts, and nodes of elements within the line."""

_SPACE = re.compile(r"([ \t\n\r\f]+)")
_LONG = 16
"""From so many signs on, a name without spaces gets places where it may break: a browser breaks it anywhere."""
_LONGEST_WORD = 32
_STEP = 8
_AFTER_SIGNS = re.compile(r"[^_/.,:;=&?@\\)\]}+-]*[_/.,:;=&?@\\)\]}+-]+|[^_/.,:;=&?@\\)\]}+-]+")
_BREAK = {"tag": "wbr"}


def plain_text(element: Element) -> str:
    """Return the text of an element as a reader sees it in one line.

    Examples
    --------
    >>> plain_text(Element("p", children=[" a ", Element("em", children=["b "])]))
    'a b'
    """
    return " ".join(part for part in re.split(r"[ \t\n\r\f]+", element.text) if part)


def words_of(children: Sequence[Element | str], node_of: Callable[[Element], dict[str, Any] | None]) -> Words:
    """Return what stands in a line; the caller says what node an element becomes, or that it is not shown.

    Examples
    --------
    >>> words_of([" a  ", Element("em", children=[" b"]), " "], lambda element: {"tag": element.tag})
    ['a ', {'tag': 'em', 'words': ['b']}]
    """
    line = _Line(node_of)
    made = line.read(children, is_code=False)
    line.end()
    return [word for word in made if word != ""]


def longest_piece(words: Words) -> str:
    """Return the longest text that cannot be broken over lines, but by a hyphen.

    Examples
    --------
    >>> longest_piece(["a few ", {"tag": "em", "words": ["words"]}, " more"])
    'words'
    """
    pieces = [""]
    for word in words:
        if isinstance(word, str):
            pieces += _SPACE.split(word)
        else:
            pieces.append(longest_piece(word.get("words", [])))
    return max(pieces, key=len)


class _Line:
    """A line while it is read: a space stands only between two words, whatever elements they are in."""

    def __init__(self, node_of: Callable[[Element], dict[str, Any] | None]) -> None:
        self._node_of = node_of
        self._after_word = False
        self._last_space: tuple[Words, int] | None = None

    def read(self, children: Sequence[Element | str], *, is_code: bool) -> Words:
        made: Words = []
        for child in children:
            if isinstance(child, str):
                self._text(child, made, is_code)
                continue
            node = self._node_of(child)
            if node is None:
                continue
            words = self.read(child.children, is_code=is_code or child.tag == "code")
            made.append({**node, "words": words} if words else node)
            if child.tag == "br" or (child.classes and not child.children):  # a line's end, or a sign such as a swatch
                self._after_word, self._last_space = child.tag != "br", None
        return made

    def end(self) -> None:
        """Take away the space after the last word."""
        if self._last_space is not None:
            words, place = self._last_space
            words[place] = words[place].removesuffix(" ")

    def _text(self, text: str, made: Words, is_code: bool) -> None:
        for part in _SPACE.split(text):
            if not part:
                continue
            if not _SPACE.fullmatch(part):
                for place, piece in enumerate(_pieces(part, is_code)):
                    if place:
                        made.append(_BREAK)
                    _add(piece, made)
                self._after_word, self._last_space = True, None
            elif self._after_word:
                _add(" ", made)
                self._after_word, self._last_space = False, (made, len(made) - 1)


def _add(text: str, made: Words) -> None:
    if made and isinstance(made[-1], str):
        made[-1] += text
    else:
        made.append(text)


def _pieces(word: str, is_code: bool) -> list[str]:
    """Return the parts of a long name: after each sign, and within what no hyphen can break."""
    if len(word) < _LONG:
        return [word]
    pieces = []
    for part in _AFTER_SIGNS.findall(word):
        longest = _LONGEST_WORD if part.isalpha() and not is_code else _LONG
        is_short = len(part) < longest or not any(sign.isalnum() for sign in part)  # a dotted line stays whole
        step = len(part) if is_short else _STEP
        pieces += [part[start : start + step] for start in range(0, len(part), step)]
    return pieces
