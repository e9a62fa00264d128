r"""Regular expressions whose groups say what is hidden.

Polars tells what groups match, not where. So the pattern is written anew with every stretch between its groups a
group of its own, and anchored at both ends: ``([^@]+)@.*`` becomes ``\A(?P<part_0>[^@]+)(?P<part_1>@.*)\z``. The parts
then add up to the value. Its engine has no backtracking: the time is linear in the length of the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl
from polars.exceptions import PolarsError

from celosia.base.errors import OptionError
from celosia.masks.characters.visible_places import LEAST_SYMBOLS, Piece

_OPENING = re.compile(r"\((?:\?P?<[^>]+>|\?(?P<flags>[A-Za-z-]*)(?P<end>[:)])|(?!\?))")
_EXAMPLE = "to hide what stands before the @ of an e-mail address write ([^@]+)@.*"


@dataclass(frozen=True)
class HidingPattern:
    """A pattern of whole values, taken apart.

    Attributes
    ----------
    regex
        The pattern with every part a group ``part_0``, ``part_1`` ...
    is_hidden
        For each part whether it is hidden.

    Examples
    --------
    >>> parse_pattern("([^@]+)@.*").is_hidden
    (True, False)
    """

    regex: str
    is_hidden: tuple[bool, ...]

    @property
    def hides_all(self) -> bool:
        """Whether nothing stays visible of any text."""
        return all(self.is_hidden)

    @property
    def least_length(self) -> int:
        """The least number of symbols for a group."""
        return LEAST_SYMBOLS

    def frame(self, texts: pl.Series) -> pl.DataFrame:
        """Return the texts as the column ``text``, and their parts; a text that does not match has none."""
        if self.hides_all:
            return texts.to_frame("text")
        parts = texts.str.extract_groups(self.regex).struct.unnest().select(self._names)
        return parts.with_columns(texts.alias("text"))

    def fits(self) -> pl.Expr:
        """Return whether a text matches."""
        return pl.col("part_0").is_not_null()

    def pieces(self, length: int | None) -> list[Piece]:
        """Return the parts; with a fixed length each hidden one gets that many symbols."""
        return [
            Piece(pl.col(name), None if not hidden else _n_symbols(name, length))
            for name, hidden in zip(self._names, self.is_hidden, strict=True)
        ]

    @property
    def _names(self) -> list[str]:
        return [f"part_{number}" for number in range(len(self.is_hidden))]


def parse_pattern(pattern: object) -> HidingPattern:
    r"""Take a pattern apart.

    Its groups must stand side by side: not in other groups, not repeated and not in alternatives, because what such a
    group matched on an earlier turn would stay visible.

    Raises
    ------
    OptionError
        It is no valid pattern of Rust's engine, has no group, or one that does not stand at its top level.

    Examples
    --------
    >>> print(parse_pattern("(?i)ES([0-9]+)").regex)
    \A(?i)(?P<part_0>ES)(?P<part_1>[0-9]+)\z
    """
    if not isinstance(pattern, str) or not pattern:
        raise OptionError("mask_characters: pattern must be a regular expression.", hint=_EXAMPLE)
    _compile(pattern)
    flags, parts = _parts(pattern)
    named = "".join(f"(?P<part_{number}>{text})" for number, (_, text) in enumerate(parts))
    regex = rf"\A{flags}{named}\z"
    _compile(regex)
    return HidingPattern(regex, tuple(hidden for hidden, _ in parts))


def _n_symbols(name: str, length: int | None) -> pl.Expr:
    return pl.col(name).str.len_chars() if length is None else pl.lit(length)


def _compile(regex: str) -> None:
    try:
        pl.Series([""]).str.contains(regex)
    except PolarsError as error:
        reason = str(error).strip().splitlines()[-1].removeprefix("error: ").removeprefix("regex error: ").rstrip(".")
        raise OptionError(
            f"mask_characters: pattern is not a valid regular expression: {reason}.",
            hint="patterns follow Rust's regex crate: no look-around, no back-references.",
        ) from None


def _parts(pattern: str) -> tuple[str, list[tuple[bool, str]]]:
    """Return the flags at the start, and the parts in order with whether each is hidden."""
    flags, part, depth, is_hidden = "", "", 0, False
    parts: list[tuple[bool, str]] = []
    for token in _tokens(pattern):
        if token.is_flags and not depth:
            if parts or part:
                raise _refused("sets flags in its middle")
            flags += token.text
            continue
        if token.is_group and not depth:
            parts.append((False, part))
            part, depth, is_hidden = "", 1, True
            continue
        depth += token.is_opening - (token.text == ")")
        if is_hidden and not depth:
            parts.append((True, part))
            part, is_hidden = "", False
            continue
        _refuse_misplaced(token, depth, is_hidden, is_after_group=bool(parts) and parts[-1][0] and not part)
        part += token.text
    parts.append((False, part))
    if not any(hidden for hidden, _ in parts):
        raise _refused("has no group")
    return flags, [(hidden, text) for hidden, text in parts if hidden or text]


def _refuse_misplaced(token: _Token, depth: int, is_hidden: bool, *, is_after_group: bool) -> None:
    if token.is_group and not is_hidden:
        raise _refused("has a group inside another")
    if token.text == "|" and not depth:
        raise _refused("has alternatives outside of groups")
    if is_after_group and not is_hidden and token.text in ("*", "+", "?", "{"):
        raise _refused("repeats a group")


@dataclass(frozen=True)
class _Token:
    """Characters of a pattern that belong together."""

    text: str
    is_opening: bool = False
    is_group: bool = False
    is_flags: bool = False


def _tokens(pattern: str) -> Iterator[_Token]:
    """Yield openings of groups, flags, escapes, classes in brackets, and all other characters one by one."""
    place = 0
    while place < len(pattern):
        opening = _OPENING.match(pattern, place)
        if opening is None:
            end = place + _n_together(pattern, place)
            yield _Token(pattern[place:end])
        else:
            end = opening.end()
            if "x" in (opening["flags"] or ""):
                raise _refused("ignores blanks by the flag x")
            is_flags = opening["end"] == ")"
            yield _Token(opening[0], not is_flags, opening["end"] is None, is_flags)
        place = end


def _n_together(pattern: str, place: int) -> int:
    """Return how many characters belong together here: an escape, a class in brackets, or one character."""
    if pattern[place] == "\\":
        return 2
    if pattern[place] != "[":
        return 1
    end = place + 1
    end += pattern[end] == "^"
    end += pattern[end] == "]"
    while pattern[end] != "]":
        end += _n_together(pattern, end)
    return end + 1 - place


def _refused(what: str) -> OptionError:
    return OptionError(
        f"mask_characters: pattern {what}; what is hidden must stand in groups side by side.", hint=_EXAMPLE
    )
