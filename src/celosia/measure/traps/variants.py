"""Variants: one value in two spellings, such as Jana and Jane, splits a category and its classes (T-P4)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import polars as pl

from celosia.base.findings import Finding
from celosia.data.schema.detectors import Look, find_order
from celosia.data.schema.detectors.headers import plain_text
from celosia.measure.traps.base import Published
from celosia.measure.traps.third_persons import members

_MOST_VALUES = 2_000
"""A column of more is no column of categories."""
_MOST_SURE = 100
"""Among more values than these some are a letter apart by chance: it is worth a look, and no more."""
_MOST_SHORT = 30
_LEAST_LENGTH = 4
_LEAST_CAPITALS = 3
_LONGEST = 60
_NUMERAL = re.compile(r"[ivxlcdm]+")
_NO_VARIANTS = frozenset(
    frozenset(pair.split())
    for pair in (
        "junio julio",
        "noreste noroeste",
        "nordeste noroeste",
        "sureste suroeste",
        "iran iraq",
        "ireland iceland",
    )
)
"""Words a letter apart that many tables hold side by side."""

Pairs = list[tuple[int, int]]
"""The places of two values each."""


def variants(published: Published) -> list[Finding]:
    """Find columns in which two values may be one in two spellings.

    In columns of up to 100 values it is a warning, and in larger ones where nothing but case, accents and marks
    differs; a letter more or less among hundreds of names is a note. Columns of more than 2,000 values are passed over,
    as are scales such as the months of the year.

    Examples
    --------
    >>> table = pl.DataFrame({"lecturer": ["Jana Doe", "Jane Doe", "Luis Mora"]})
    >>> [(one.code, one.values["count"], one.n_rows) for one in variants(Published(table))]
    [('VARIANTS', 1, 2)]
    """
    return [finding for column in published.kept for finding in _of_column(published, column)]


def _of_column(published: Published, column: str) -> Iterator[Finding]:
    values = published.values(column)
    if published.frame.schema[column] != pl.String or not 2 <= len(values.texts) <= _MOST_VALUES:
        return
    if not values.texts.str.contains(r"^\P{N}*\p{L}\P{N}*\p{L}").any() or _is_scale(column, values.texts):
        return
    parts = members(values.texts)
    names = parts["text"].unique(maintain_order=True)
    same, near = alike(names.to_list())
    pairs = [*same, *near]
    if not pairs or len(names) > _MOST_VALUES:
        return
    doubtful = names.gather(sorted({place for pair in pairs for place in pair}))
    held = parts.filter(pl.col("text").is_in(doubtful.implode()))["place"].unique()
    n_rows = int(values.counts[held.to_numpy()].sum())
    yield Finding(
        "VARIANTS",
        "warning" if same or len(names) <= _MOST_SURE else "note",
        "{count} pairs of values of '{column}' ({n_rows} rows) differ in case, accents or marks only, in one "
        "letter, or in two letters that changed places: one value may stand in two spellings, which splits its "
        "classes. Give each value one spelling.",
        column,
        {"count": len(pairs), "n_rows": n_rows},
        n_rows,
    )


def _is_scale(column: str, texts: pl.Series) -> bool:
    look = Look(column, len(texts), 0, texts, 0, texts, pl.repeat(1, len(texts), eager=True))
    return find_order(look) is not None


def alike(values: Sequence[str]) -> tuple[Pairs, Pairs]:
    """Return the pairs of values that differ in case, accents and marks only, and those that differ in one letter.

    One letter more, less or another, or two neighbours that changed places, in one word from four letters on; not its
    first letter, which is seldom wrong (este and oeste, Doe and Roe); not a last *o* or *a*, which make Spanish words
    male and female; no numerals (XVII and XVIII). Abbreviations of three capitals, among up to 30 values, count where
    two neighbours changed places. Values with digits differ on purpose, and so do those with + and - at their end.

    Examples
    --------
    >>> alike(["Cádiz", "Cadiz", "Jana", "Jane", "NPC", "NCP", "casado", "casada", "A1", "A2"])
    ([(0, 1)], [(2, 3), (4, 5)])
    """
    plain = {place: _folded(value) for place, value in enumerate(values) if _is_word(value)}
    by_text: dict[str, list[int]] = defaultdict(list)
    for place, text in plain.items():
        by_text[text].append(place)
    same = sorted(pair for places in by_text.values() for pair in combinations(places, 2))
    firsts = [places[0] for text, places in by_text.items() if len(text) >= _LEAST_LENGTH]
    close = {pair for pair in _close_pairs(plain, firsts) if _is_slip(plain[pair[0]], plain[pair[1]])}
    if len(values) <= _MOST_SHORT:
        short = [place for place in plain if values[place].isupper() and len(values[place]) == _LEAST_CAPITALS]
        close |= {pair for pair in combinations(short, 2) if _are_swapped(values[pair[0]], values[pair[1]])}
    return same, sorted(close)


def _is_word(value: str) -> bool:
    return len(value) <= _LONGEST and not any(sign.isdigit() for sign in value) and plain_text(value) != ""


def _folded(value: str) -> str:
    """Return a value without case, accents and marks, but for those at the end of grades and blood groups."""
    bare = value.rstrip("+-−")
    return plain_text(bare) + value[len(bare) :]


def _close_pairs(plain: dict[int, str], places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Give the pairs at most one edit apart: such words share what is left when a letter is taken from either."""
    by_rest: dict[str, set[int]] = defaultdict(set)
    for place in places:
        text = plain[place]
        for rest in {text, *(text[:cut] + text[cut + 1 :] for cut in range(len(text)))}:
            by_rest[rest].add(place)
    for group in by_rest.values():
        for left, right in combinations(sorted(group), 2):
            if _is_one_edit(plain[left], plain[right]):
                yield left, right


def _is_one_edit(left: str, right: str) -> bool:
    if len(left) != len(right):
        shorter, longer = sorted((left, right), key=len)
        return any(longer[:cut] + longer[cut + 1 :] == shorter for cut in range(len(longer)))
    return sum(a != b for a, b in zip(left, right, strict=True)) == 1 or _are_swapped(left, right)


def _are_swapped(left: str, right: str) -> bool:
    apart = [place for place, (a, b) in enumerate(zip(left, right, strict=False)) if a != b]
    if len(left) != len(right) or len(apart) != 2 or apart[1] != apart[0] + 1:
        return False
    return left[apart[0]] == right[apart[1]] and left[apart[1]] == right[apart[0]]


def _is_slip(left: str, right: str) -> bool:
    """Tell whether values one edit apart may be one: a blank differs, or a letter of one word, and not its first."""
    if left.replace(" ", "") == right.replace(" ", ""):
        return True
    apart = [pair for pair in zip(left.split(), right.split(), strict=False) if pair[0] != pair[1]]
    if left.count(" ") != right.count(" ") or len(apart) != 1:
        return False
    one, other = apart[0]
    if min(len(one), len(other)) < _LEAST_LENGTH or one[0] != other[0] or frozenset(apart[0]) in _NO_VARIANTS:
        return False
    return not (_is_gender(one, other) or (_NUMERAL.fullmatch(one) and _NUMERAL.fullmatch(other)))


def _is_gender(left: str, right: str) -> bool:
    """Tell whether words differ in the ending of their gender: casado and casada, Juan and Juana."""
    shorter, longer = sorted((left, right), key=len)
    if len(left) == len(right):
        return left[:-1] == right[:-1] and {left[-1], right[-1]} == {"o", "a"}
    return longer == shorter + "a"
