"""The weighing of what detectors see in one column."""

from __future__ import annotations

from celosia.base.errors import InputError
from celosia.data.hierarchies import Category
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.domains import ANYTHING
from celosia.data.schema import Role, detectors
from celosia.data.schema.columns import as_text, cleaned, encoded
from celosia.data.schema.detectors import Clue, Header, KindClue, Look, percent
from celosia.jobs.suggest.suggestion import Suggestion
from celosia.measure.unhashing import Reversal, in_short

_SINGLE_SHARE = 0.3
_NAMED_SINGLE_SHARE = 0.9
"""From these shares of rows with a text of their own on texts name rows; under a known header they may come closer."""
_NAMED_AFTER_PEOPLE = ("a third person", "place", "birthplace", "nationality or origin", "organisation", "work")
_HASHED_PEOPLE = ("dni", "nie", "phone")
_LEAST_PEOPLE = 20
_MOST_CATEGORIES_COMPARED = 2000
_ADULT = 18


class Column:
    """The weighing of one column's clues."""

    def __init__(self, look: Look, *, has_subject: bool, hashed: Reversal | None = None) -> None:
        self.look = look
        self.has_subject = has_subject
        self.hashed = hashed
        self.header: Header | None = detectors.read_header(look.name)
        self.reasons: list[str] = []
        if self.header:
            self.reasons.append(f"header word '{self.header.word}' ({self.header.concept.name})")

    def suggestion(self) -> Suggestion:
        """Return what the column seems to be."""
        if not self.look.n_known:
            return self.identifier(Clue("empty: there is nothing to publish"))
        clue = self.digests() or detectors.find_identifier(self.look, is_measured=self.is_measured())
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
        found = (
            detectors.find_dates(look)
            or detectors.find_postcodes(look, is_named_so=self.says("postcode"))
            or detectors.find_order(look)
        )
        if found is None and not (self.header and self.header.concept.is_category):
            found = detectors.find_numbers(look)
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
        clue = detectors.find_code(look, is_measured=self.is_measured())
        if clue is None and look.numbers is None:
            limit = _NAMED_SINGLE_SHARE if self.header else _SINGLE_SHARE
            clue = self.people() or detectors.find_free_text(look) or detectors.find_near_unique(look, limit)
        note = (detectors.find_unread_dates(look) or detectors.find_decorated_numbers(look)) if clue else None
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
        return None if is_known else detectors.find_person_names(self.look)

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
        if kind.name == "dates" and self.says("birth"):
            notes.append("dates of birth are what others know best")
        elif kind.name == "dates" and (births := detectors.find_births(look)):
            notes.append(births)
        if self.says("a third person"):
            notes.append("third persons are data subjects too: remove it if it names them and is not needed")
        if kind.name == "category":
            notes += [
                note for note in (detectors.find_unread_dates(look), detectors.find_decorated_numbers(look)) if note
            ]
            n_pairs = detectors.n_alike(as_text(look.distinct)) if look.n_distinct <= _MOST_CATEGORIES_COMPARED else 0
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
