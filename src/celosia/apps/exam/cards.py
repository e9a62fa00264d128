"""Card: where one student is, worked out from the student's own row and from published tables alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from celosia.apps.exam.published import Group, PublishedTable
from celosia.apps.exam.scales import Scale
from celosia.apps.exam.standings import Standing, n_failed, standing
from celosia.apps.exam.students import Student


@dataclass(frozen=True)
class Place:
    """One mark of a student, and where it lies.

    Attributes
    ----------
    column, mark, scale
        The mark; ``None`` where the student has none.
    standing
        Where it lies in the student's own group; ``None`` without a mark.
    earlier
        Where it would lie in the tables of earlier courses, by their names.
    """

    column: str
    mark: Fraction | None
    scale: Scale
    standing: Standing | None
    earlier: tuple[tuple[str, Standing], ...]


@dataclass(frozen=True)
class Card:
    """What one student is told.

    Attributes
    ----------
    student
        Whose it is.
    places
        One per mark, in the order of the sheet.
    final
        That of the final mark.
    groups
        The groups of the published table that the student's marks fit; the table does not tell which of them it is.
    n_failed
        How many students are published below the pass mark of the final mark.
    """

    student: Student
    places: tuple[Place, ...]
    final: Place
    groups: tuple[Group, ...]
    n_failed: int

    @property
    def best(self) -> Place | None:
        """The passed part, other than the final mark, in which most students surely have less; ``None`` without one."""
        parts = [
            (place.standing.n_lower, place)
            for place in self.places
            if place is not self.final
            and place.mark is not None
            and place.scale.is_passed(place.mark)
            and place.standing is not None
            and place.standing.n_lower
        ]
        return max(parts, key=lambda part: part[0])[1] if parts else None


def card_of(
    student: Student,
    table: PublishedTable,
    scales: Mapping[str, Scale],
    final: str,
    earlier: Sequence[PublishedTable] = (),
) -> Card:
    """Return the card of a student.

    Guarantee
    ---------
    Nothing goes in but the student's own row and what everybody may read: published tables and the scales of their
    marks. So all cards together tell no more than the rows of their owners and the tables do.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.apps.exam.published import read_table
    >>> rows = pl.DataFrame({"exam": ["[7, 8)", "[7, 8)", "[9, 10]"]})
    >>> table = read_table(rows, {"columns": [{"name": "exam"}]}, ["exam"], "2024")
    >>> card = card_of(Student(1, "Ana", {"exam": Fraction(15, 2)}), table, {"exam": Scale.of(0, 10)}, "exam")
    >>> card.final.standing.n_higher, [group.n_students for group in card.groups]
    (1, [2])
    """
    places = []
    for column in table.marks:
        mark = student.marks[column]
        places.append(
            Place(
                column=column,
                mark=mark,
                scale=scales[column],
                standing=None if mark is None else standing(table.cells[column], mark),
                earlier=tuple(
                    (course.name, standing(course.cells[column], mark))
                    for course in earlier
                    if mark is not None and column in course.marks
                ),
            )
        )
    return Card(
        student=student,
        places=tuple(places),
        final=next(place for place in places if place.column == final),
        groups=tuple(group for group in table.groups if table.may_be(group, student.marks, student.kept)),
        n_failed=n_failed(table.cells[final], scales[final]),
    )
