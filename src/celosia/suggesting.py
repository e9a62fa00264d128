"""suggest: a role and a kind for every column with reasons, and a plan of them that a person has to check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from ruamel.yaml import YAML

from celosia.errors import InputError, UnreachableError
from celosia.hierarchies import Category
from celosia.hierarchies.base import Hierarchy
from celosia.hierarchies.domains import ANYTHING
from celosia.io import to_polars
from celosia.models import KAnonymity
from celosia.schema import Role
from celosia.schema.columns import as_text, cleaned, encoded
from celosia.schema.detectors import (
    Clue,
    Header,
    KindClue,
    Look,
    find_code,
    find_dates,
    find_decorated_numbers,
    find_free_text,
    find_identifier,
    find_near_unique,
    find_numbers,
    find_order,
    find_person_names,
    find_postcodes,
    find_unread_dates,
    look_at,
    n_alike,
    percent,
    read_header,
)
from celosia.unhashing import Reversal, in_short, reversals

__all__ = ["Suggestion", "check_enough", "spec_of", "suggest", "to_plan_text"]

_SINGLE_SHARE = 0.3
_NAMED_SINGLE_SHARE = 0.9
"""From these shares of rows with a text of their own on texts name rows; under a known header they may come closer."""
_NAMED_AFTER_PEOPLE = ("a third person", "place", "birthplace", "nationality or origin", "organisation", "work")
_HASHED_PEOPLE = ("dni", "nie", "phone")
_LEAST_PEOPLE = 20
_MOST_CATEGORIES_COMPARED = 2000
_ADULT = 18
_MANY_QUASI_IDENTIFIERS = 10
_LONGEST_PLAIN_KEY = 1000
"""YAML allows 1024 characters before the colon of a key; longer ones need a question mark in front."""

_HEAD = """\
# Suggested by 'celosia init'. Every role and kind below is a guess from column names, patterns and counts: someone who
# knows the data must check each line before anything is published. Move a column to another list to change its role.
# Then: celosia run THIS_FILE
"""
_ALGORITHM = """\
algorithm: {weave: {}}  # ends by itself; Ctrl-C ends it sooner, with the best so far
# algorithm: {weave: {effort: fast}}  # quickest
# algorithm: {weave: {effort: best, time_limit: 60}}  # loses least, within 60 seconds"""
_ROLES = (
    (Role.IDENTIFIER, "identifiers", "name people or rows: removed"),
    (Role.QUASI_IDENTIFIER, "quasi_identifiers", "may be known to others: made coarser until k people share them"),
    (Role.SENSITIVE, "sensitive", "the secrets: published as they are"),
)


@dataclass(frozen=True)
class Suggestion:
    """What a column seems to be.

    Attributes
    ----------
    column
        Its name.
    role
        The suggested role; never ``insensitive``, which no look at the data can show.
    kind
        How it becomes coarser; only for quasi-identifiers.
    reasons
        Why, in words, counts and shares; never with a cell value.
    missing
        Texts of the column that mean "no value".
    is_subject
        Whether it tells which person a row is about, several rows being about one person.

    Examples
    --------
    >>> Suggestion("dni", Role.IDENTIFIER, None, ("header word 'dni'",)).to_dict()["role"]
    'identifier'
    """

    column: str
    role: Role
    kind: Hierarchy | None
    reasons: tuple[str, ...]
    missing: tuple[str, ...] = ()
    is_subject: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the suggestion as ``celosia init --json`` prints it."""
        return {
            "column": self.column,
            "role": str(self.role),
            "kind": spec_of(self.kind),
            "reasons": list(self.reasons),
            "missing": list(self.missing),
            "is_subject": self.is_subject,
        }


def spec_of(kind: Hierarchy | None) -> str | dict[str, Any] | None:
    """Return a kind as it stands in a plan file: its name, or its name with options.

    Examples
    --------
    >>> spec_of(Category())
    'category'
    """
    if kind is None:
        return None
    options = kind.to_dict()
    return {kind.name: options} if options else kind.name


def suggest(frame: Any, *, decimal: str = ".") -> list[Suggestion]:
    """Look at a table and suggest a role for each column, and a kind for each quasi-identifier.

    Every kind suggested fits every value of its column. What names a row is an identifier, which is removed; an unknown
    column is a quasi-identifier, which is made coarser; nothing is ever called insensitive. Patterns are sought in a
    sample of 20,000 rows, uniqueness is counted on all.

    Parameters
    ----------
    frame
        A pandas, Polars or Arrow table.
    decimal
        The decimal mark of its texts, ``.`` or ``,``.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"dni": ["12345678Z", "00000000T"], "edad": ["31", "44"]})
    >>> [(one.column, str(one.role)) for one in suggest(people)]
    [('dni', 'identifier'), ('edad', 'quasi_identifier')]
    """
    native, _ = to_polars(frame)
    found = []
    has_subject = False
    hashed = {shown.column: shown for shown in reversals(native)}
    for column in native.get_columns():
        look = look_at(column, decimal)
        suggestion = _Column(look, has_subject=has_subject, hashed=hashed.get(column.name)).suggestion()
        has_subject |= suggestion.is_subject
        found.append(suggestion)
    return found


def check_enough(frame: Any, suggestions: Sequence[Suggestion], k: int) -> None:
    """Raise unless a plan with these suggestions can be met by this table.

    Raises
    ------
    OptionError
        k is below 2.
    UnreachableError
        The table has fewer than k rows, or is about fewer than k people.
    InputError
        Every column is an identifier, so that nothing would be published.

    Examples
    --------
    >>> import polars as pl
    >>> check_enough(pl.DataFrame({"age": range(5)}), [Suggestion("age", Role.QUASI_IDENTIFIER, None, ())], 5)
    """
    model = KAnonymity(k)
    native, _ = to_polars(frame)
    subject = next((one.column for one in suggestions if one.is_subject), None)
    n_people = native.height if subject is None else cleaned(native[subject])[0].n_unique()
    if n_people < model.k:
        whose = "" if subject is None else f" about {n_people} people (by '{subject}')"
        raise UnreachableError(
            f"{k}-anonymity needs at least {k} people; the table has {native.height} rows{whose}.",
            hint=f"--k {n_people} is the most that this table allows."
            if n_people >= 2
            else "no k can hide one person.",
        )
    if all(one.role == Role.IDENTIFIER for one in suggestions):
        raise InputError(
            f"all {len(suggestions)} columns look like identifiers: nothing would be published.",
            hint="write the plan by hand, and give the columns that must stay another role; --json prints the reasons.",
        )


class _Column:
    """The weighing of one column's clues."""

    def __init__(self, look: Look, *, has_subject: bool, hashed: Reversal | None = None) -> None:
        self.look = look
        self.has_subject = has_subject
        self.hashed = hashed
        self.header: Header | None = read_header(look.name)
        self.reasons: list[str] = []
        if self.header:
            self.reasons.append(f"header word '{self.header.word}' ({self.header.concept.name})")

    def suggestion(self) -> Suggestion:
        """Return what the column seems to be."""
        if not self.look.n_known:
            return self.identifier(Clue("empty: there is nothing to publish"))
        clue = self.digests() or find_identifier(self.look)
        if clue:
            return self.identifier(clue)
        kind = self.kind()
        if self.is_named_identifier(kind):
            return self.identifier(None)
        clue = self.row_name(kind)
        if clue:
            return self.identifier(clue)
        return self.sensitive() if self.is_secret(kind) else self.quasi_identifier(kind)

    def digests(self) -> Clue | None:
        """Return what an attack on the column's digests has shown, or ``None``: there are none."""
        if self.hashed is None:
            return None
        kind = self.hashed.domain.kind if self.hashed.domain else None
        return Clue(in_short(self.hashed), per_person=kind in _HASHED_PEOPLE)

    def says(self, *concepts: str) -> bool:
        """Tell whether the header is about one of these concepts."""
        return self.header is not None and self.header.concept.name in concepts

    def kind(self) -> KindClue | None:
        """Return the kind that the cells allow other than a plain category, or ``None``."""
        look = self.look
        if look.n_distinct < 2:
            return None
        found = find_dates(look) or find_postcodes(look, is_named_so=self.says("postcode")) or find_order(look)
        if found is None and not (self.header and self.header.concept.is_category):
            found = find_numbers(look)
        return found

    def is_named_identifier(self, kind: KindClue | None) -> bool:
        """Tell whether the header says that the column names people; the date of a person's file does not."""
        if self.header is None or self.header.concept.role != Role.IDENTIFIER:
            return False
        is_dated = self.header.weak is not None and self.header.weak.name == "date"
        return not (is_dated and kind is not None and kind.kind.name == "dates")

    def row_name(self, kind: KindClue | None) -> Clue | None:
        """Return why the cells name rows or people, or ``None``."""
        look = self.look
        is_typed = kind is not None and kind.kind.name != "number"
        if look.n_distinct < 2 or is_typed:
            return None
        clue = find_code(look, is_measured=self.is_measured())
        if clue is None and look.numbers is None:
            limit = _NAMED_SINGLE_SHARE if self.header else _SINGLE_SHARE
            clue = self.people() or find_free_text(look) or find_near_unique(look, limit)
        note = (find_unread_dates(look) or find_decorated_numbers(look)) if clue else None
        return Clue(note) if note else clue

    def is_measured(self) -> bool:
        """Tell whether the header says what the numbers measure, so that they need not name rows to be unique."""
        concept = self.header.concept if self.header else None
        return concept is not None and not (
            concept.is_weak or concept.is_category or (self.header and self.header.weak)
        )

    def people(self) -> Clue | None:
        """Return why the cells are names of people, or ``None``; towns and schools are named after people too."""
        if self.says(*_NAMED_AFTER_PEOPLE):
            return None
        is_known = self.header is not None and self.header.concept.role == Role.QUASI_IDENTIFIER and self.is_measured()
        return None if is_known else find_person_names(self.look)

    def is_secret(self, kind: KindClue | None) -> bool:
        """Tell whether the header names a secret; dates and places that go with one may be known to others."""
        if kind is not None and kind.kind.name in ("dates", "prefix"):
            return False
        return self.header is not None and self.header.concept.role == Role.SENSITIVE

    def identifier(self, clue: Clue | None) -> Suggestion:
        """Return the suggestion to remove the column, and to count people by it where it repeats."""
        look = self.look
        named_so = self.header is not None and self.header.concept.per_person and look.n_distinct >= _LEAST_PEOPLE
        is_per_person = named_so or (clue is not None and clue.per_person)
        repeats = not look.n_missing and 1 < look.n_distinct < look.n_rows
        is_subject = is_per_person and repeats and not self.has_subject
        reasons = [*self.reasons, *([clue.reason] if clue else []), *self.facts()]
        if is_subject:
            reasons.append("it repeats, so that k counts people by it and not rows")
        return Suggestion(look.name, Role.IDENTIFIER, None, tuple(reasons), is_subject=is_subject)

    def sensitive(self) -> Suggestion:
        """Return the suggestion to publish the column as the secret."""
        reasons = [*self.reasons, *self.facts()]
        if self.look.single_share >= 0.5:
            reasons.append("published as it is: list it under quasi_identifiers too if others may know it")
        return Suggestion(self.look.name, Role.SENSITIVE, None, tuple(reasons))

    def quasi_identifier(self, kind: KindClue | None) -> Suggestion:
        """Return the suggestion to make the column coarser, with a kind that fits all its values."""
        look = self.look
        fitted, missing = _fitting(look, kind)
        if fitted is None:
            return self.identifier(Clue("its values can be published neither as ranges nor as sets"))
        reasons = list(self.reasons) or ["unknown header: a quasi-identifier is the safe guess"]
        if kind is not None:
            reasons.append(kind.reason)
        reasons += [*self.facts(), *self.notes(fitted)]
        if missing:
            reasons.append("some texts in it mean 'no value'; see missing")
        return Suggestion(look.name, Role.QUASI_IDENTIFIER, fitted, tuple(reasons), missing)

    def facts(self) -> list[str]:
        """Return the counts that every comment ends with."""
        look = self.look
        facts = []
        if look.n_distinct == 1:
            facts.append("1 distinct value" if look.n_missing else "constant")
        elif look.n_distinct:
            single = f"unique in {percent(look.single_share)} of rows" if look.n_single else "each in several rows"
            facts.append(f"{look.n_distinct} distinct values, {single}")
        if 0 < look.n_missing < look.n_rows:
            facts.append(f"{percent(look.n_missing / look.n_rows)} missing")
        return facts

    def notes(self, kind: Hierarchy) -> list[str]:
        """Return what else a person should know: minors, third persons, spelling variants, unread dates and numbers."""
        look = self.look
        notes = []
        if self.says("age") and look.numbers is not None and (look.numbers < _ADULT).any():
            notes.append("holds ages below 18: data of children")
        if self.says("a third person"):
            notes.append("third persons are data subjects too: remove it if it names them and is not needed")
        if kind.name == "category":
            notes += [note for note in (find_unread_dates(look), find_decorated_numbers(look)) if note]
            n_pairs = n_alike(as_text(look.distinct)) if look.n_distinct <= _MOST_CATEGORIES_COMPARED else 0
            if n_pairs:
                notes.append(f"pairs of values that differ in one letter or in case only (variants?): {n_pairs}")
        return notes


def _fitting(look: Look, kind: KindClue | None) -> tuple[Hierarchy | None, tuple[str, ...]]:
    """Return a kind that fits every value, and the texts that must mean "no value" for that."""
    if kind is not None:
        return kind.kind, kind.missing
    missing = (ANYTHING,) if look.is_text and ANYTHING in look.distinct else ()
    values, _ = cleaned(look.distinct, missing)
    try:
        encoded(values, Category(), 1.0, look.decimal)
    except InputError:
        return None, ()
    return Category(), missing


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
    >>> age = Suggestion("age", Role.QUASI_IDENTIFIER, Category(), ("header word 'age'",))
    >>> print(to_plan_text([age], input="people.csv").splitlines()[7])
        age: category  # header word 'age'
    """
    return "\n".join(
        [
            f"{_HEAD}version: 1",
            f"input: {_flow(input)}",
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
        f"  subject: {_flow(one.column)}  # rows with the same value are about the same person: k counts people"
        for one in suggestions
        if one.is_subject
    ]
    missing = sorted({text for one in suggestions for text in one.missing})
    if missing:
        lines.append(f"  missing: {_flow(missing)}  # mean 'no value', in every column")
    return lines


def _column_line(suggestion: Suggestion) -> str:
    name = _flow(suggestion.column)
    comment = f"  # {'; '.join(suggestion.reasons)}"
    if suggestion.kind is None:
        return f"    - {name}{comment}"
    spec = _flow(spec_of(suggestion.kind))
    if len(name) > _LONGEST_PLAIN_KEY:
        return f"    ? {name}\n    : {spec}{comment}"
    return f"    {name}: {spec}{comment}"


def _flow(value: Any) -> str:
    """Spell a value in one line of YAML, quoted where it needs to be."""
    writer = YAML(typ="rt")
    writer.default_flow_style = True
    writer.width = 2**30
    stream = StringIO()
    writer.dump({"": value}, stream)
    return stream.getvalue().strip().removeprefix("{'': ").removesuffix("}")
