"""The plan file that holds suggestions, with the reasons as comments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from celosia.base.yaml import in_one_line
from celosia.data.schema import Role
from celosia.jobs.suggest.suggestion import Suggestion, shown_name, spec_of

_MANY_QUASI_IDENTIFIERS = 10
_LONGEST_PLAIN_KEY = 1000
"""YAML allows 1024 characters before the colon of a key; longer ones need a question mark in front."""

_HEAD = """\
# Suggested by 'celosia init'. Every role and kind below is a guess from column names, patterns and counts: someone who
# knows the data must check each line before anything is published. Move a column to another list to change its role.
# Then: celosia run THIS_FILE
#
# Ask of each column: is it the same wherever the person turns up, does it differ between people, can others know it?
# All three make a quasi-identifier. A measurement that tells every row apart is none if nobody else can know it; a
# column that tells few rows apart still is one if others know it.
"""
_MOST_KEYS_SHOWN = 5
_ALGORITHM = """\
algorithm: {weave: {}}  # ends by itself; Ctrl-C ends it sooner, with the best so far
# algorithm: {weave: {effort: fast}}  # quickest
# algorithm: {weave: {effort: best, time_limit: 60}}  # loses least, within 60 seconds"""
_ROLES = (
    (Role.IDENTIFIER, "identifiers", "name people or rows: removed"),
    (Role.QUASI_IDENTIFIER, "quasi_identifiers", "may be known to others: made coarser until k people share them"),
    (Role.SENSITIVE, "sensitive", "the secrets: published as they are"),
)


def to_plan_text(suggestions: Sequence[Suggestion], *, input: str, k: int = 5) -> str:
    """Return a plan file with these suggestions, the reasons as comments beside the columns.

    Parameters
    ----------
    suggestions
        What ``suggest`` found.
    input
        The data file as the plan names it: relative to the plan's folder, or absolute.
    k
        How many people share every published row, from 2.

    Examples
    --------
    >>> from celosia.data.hierarchies import Category
    >>> age = Suggestion("age", Role.QUASI_IDENTIFIER, Category(), ("header word 'age'",))
    >>> print(to_plan_text([age], input="people.csv").splitlines()[11])
        age: category  # header word 'age'
    """
    keys = key_lines(suggestions)
    return "\n".join(
        [
            _HEAD + "".join(f"# {line}".rstrip() + "\n" for line in ["", *keys] if keys) + "version: 1",
            f"input: {in_one_line(input)}",
            "schema:",
            *_schema_lines(suggestions),
            "models:",
            f"  - k_anonymity: {{k: {k}}}  # every published row is shared by at least {k} people",
            _ALGORITHM,
            "max_suppression: 0  # the share of rows that may be left out",
            "output: {path: release/, format: csv}",
            "",
        ]
    )


def key_lines(suggestions: Sequence[Suggestion]) -> list[str]:
    """Return which columns tell rows apart together, by their names alone; nothing where none were found.

    Examples
    --------
    >>> keys = (("age", "zip"),)
    >>> key_lines([Suggestion(name, Role.QUASI_IDENTIFIER, None, (), keys=keys) for name in ("age", "zip")])
    ['Each of these sets of columns tells apart all rows that differ in anything but identifiers:', "  'age' + 'zip'"]
    """
    places = {one.column: place for place, one in enumerate(suggestions)}
    keys = sorted({key for one in suggestions for key in one.keys}, key=lambda key: (len(key), [*map(places.get, key)]))
    if not keys:
        return []
    lines = ["Each of these sets of columns tells apart all rows that differ in anything but identifiers:"]
    lines += [f"  {' + '.join(shown_name(name) for name in key)}" for key in keys[:_MOST_KEYS_SHOWN]]
    if len(keys) > _MOST_KEYS_SHOWN:
        lines.append("  and more, as large or larger.")
    return lines


def _schema_lines(suggestions: Sequence[Suggestion]) -> list[str]:
    lines = []
    for role, key, meaning in _ROLES:
        own = [one for one in suggestions if one.role == role]
        if own:
            lines.append(f"  {key}:  # {meaning}")
            lines += [_column_line(one) for one in own]
        if role == Role.QUASI_IDENTIFIER and len(own) > _MANY_QUASI_IDENTIFIERS:
            lines.append(
                f"    # {len(own)} at once cost much: move what nobody outside can know to sensitive or identifiers."
            )
    lines += [
        f"  subject: {in_one_line(one.column)}  # rows with the same value are about the same person: k counts people"
        for one in suggestions
        if one.is_subject
    ]
    missing = sorted({text for one in suggestions for text in one.missing})
    if missing:
        lines.append(f"  missing: {in_one_line(missing)}  # mean 'no value', in every column")
    return lines


def _column_line(suggestion: Suggestion) -> str:
    name = in_one_line(suggestion.column)
    comment = f"  # {'; '.join(suggestion.reasons)}"
    if suggestion.kind is None:
        return f"    - {name}{comment}"
    spec = in_one_line(spec_of(suggestion.kind))
    if len(name) > _LONGEST_PLAIN_KEY:
        return f"    ? {name}\n    : {spec}{comment}"
    return f"    {name}: {spec}{comment}"


def seen_from(folder: Path, data: Path) -> str:
    """Return the path of the data as a file in a folder names it: from there, or absolute on another drive.

    Examples
    --------
    >>> seen_from(Path("projects"), Path("data/exams.csv"))
    '../data/exams.csv'
    """
    place = data.parent.resolve() / data.name
    try:
        return Path(os.path.relpath(place, folder.resolve())).as_posix()
    except ValueError:
        return place.as_posix()
