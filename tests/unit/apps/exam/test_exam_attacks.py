"""Attacks on tables of marks and cards by plain brute force: participants, coalitions, intersections."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import networkx as nx
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

from celosia.apps.exam import Exam, exam
from celosia.apps.exam.earlier import Earlier
from celosia.apps.exam.published import read_table
from celosia.apps.exam.scales import Scale

RANGE = re.compile(r"\[(-?[\d.]+), (-?[\d.]+)([\])])$")


def ends(text):
    """The ends of a published range, and whether the upper one belongs to it; plainly."""
    low, high, bracket = RANGE.search(text).groups()
    return Fraction(low), Fraction(high), bracket == "]"


def holds(text, mark):
    """Whether a published cell may be that of somebody with this mark; plainly."""
    if text == "*":
        return True
    if text is None or mark is None:
        return text is None and mark is None
    low, high, is_closed = ends(text)
    return low <= mark < high or (is_closed and mark == high)


def candidates(rows, marks):
    """The published rows that somebody with these marks may be behind."""
    return [place for place, row in enumerate(rows) if all(holds(row[name], mark) for name, mark in marks.items())]


@pytest.fixture(scope="module")
def made(make_marks):
    return exam(make_marks(absent=0.1), k=5, seed=3)


@pytest.fixture(scope="module")
def rows(made):
    return list(made.release.rows.iter_rows(named=True))


def test_everybody_is_behind_at_least_k_and_one_rows(made, rows):
    for student in made.sheet.students:
        assert len(candidates(rows, student.marks)) >= 6


def test_a_participant_faces_at_least_k_candidates_for_anybody_else(made, rows):
    """Worst case: the attacker knows all marks of the victim, and even which row is the attacker's own."""
    labels = made.release.classes.labels
    own_row = _rows_of_students(made, rows)
    fitting = [set(candidates(rows, student.marks)) for student in made.sheet.students]
    for attacker, victim in itertools.permutations(range(len(made.sheet.students)), 2):
        left = fitting[victim] - {own_row[attacker]}
        assert len(left) >= 5
        assert own_row[victim] in left
    assert min(Counter(labels.tolist()).values()) >= 6


def test_a_coalition_leaves_k_and_one_less_its_members(made, rows):
    own_row, chance = _rows_of_students(made, rows), random.Random(1)
    everybody = range(len(made.sheet.students))
    labels = made.release.classes.labels
    fitting = [set(candidates(rows, student.marks)) for student in made.sheet.students]
    for c in (2, 3, 5):
        for victim in everybody:
            mates = [one for one in everybody if labels[one] == labels[victim] and one != victim]
            for pool in (mates, [one for one in everybody if one != victim]):  # the worst coalition, and any
                coalition = chance.sample(pool, c)
                assert len(fitting[victim] - {own_row[one] for one in coalition}) >= 6 - c


def _rows_of_students(made, rows):
    """The published row of each student: any assignment of the classes to the published rows that fit them."""
    free, classes = {}, {}
    for place, row in enumerate(rows):
        free.setdefault(tuple(row.values()), []).append(place)
    for number, label in enumerate(made.release.classes.labels.tolist()):
        classes.setdefault(label, []).append(number)
    fits = nx.Graph()
    for (label, members), (cells, places) in itertools.product(classes.items(), free.items()):
        marks = [made.sheet.students[number].marks for number in members]
        assert all(one.keys() == rows[0].keys() for one in marks)
        if len(places) == len(members) and all(all(map(holds, cells, one.values())) for one in marks):
            fits.add_edge(label, cells)
    assigned = nx.bipartite.hopcroft_karp_matching(fits, classes)
    return {
        number: place
        for label, members in classes.items()
        for number, place in zip(members, free[assigned[label]], strict=True)
    }


def published_only(made):
    """All that anybody may read of a release: its rows and its claim."""
    return SimpleNamespace(rows=made.release.rows, claim=made.release.claim)


def moved(made, rows, own_row, chance, still):
    """The sheet with other marks, each within its published cells, for all students but one."""
    students = []
    for number, student in enumerate(made.sheet.students):
        marks = dict(student.marks)
        if number != still:
            for name in marks:
                text, scale = rows[own_row[number]][name], made.sheet.scales[name]
                if text is not None:
                    low, high, _ = (scale.low, scale.high, True) if text == "*" else ends(text)
                    marks[name] = low + (high - low) * Fraction(chance.randrange(1000), 1000)
        students.append(replace(student, marks=marks, name=student.name if number == still else f"other {number}"))
    return replace(made.sheet, students=tuple(students))


def test_a_card_follows_from_its_owner_s_row_and_published_tables_alone(made, rows):
    own_row, chance = _rows_of_students(made, rows), random.Random(2)
    for still in range(0, 60, 7):
        other = Exam(moved(made, rows, own_row, chance, still), published_only(made), k=5)
        assert other.cards[still - 1].student.marks != made.cards[still - 1].student.marks
        assert other.pages.of_card(other.cards[still]) == made.pages.of_card(made.cards[still])
        assert other.pages.of_table() == made.pages.of_table()


def test_cards_of_all_but_one_and_the_table_tell_no_more_of_the_last_than_the_table(made, rows):
    """Whatever marks within their published cells the last student has, all others hold the same cards."""
    own_row, chance = _rows_of_students(made, rows), random.Random(3)
    others = [made.pages.of_card(card) for card in made.cards]
    for last in (0, 17, 42):
        seen = Counter(tuple(row.values()) for row in rows)
        seen -= Counter(tuple(rows[own_row[one]].values()) for one in range(60) if one != last)
        assert sum(seen.values()) == 1  # those who put 59 rows together know the last one's published cells ...
        (cells,) = seen
        for _ in range(2):  # ... and nothing within them
            marks = {}
            for (name, scale), text in zip(made.sheet.scales.items(), cells, strict=True):
                low, high = (scale.low, scale.high) if text in ("*", None) else ends(text)[:2]
                marks[name] = None if text is None else low + (high - low) * Fraction(chance.randrange(1000), 1000)
            students = list(made.sheet.students)
            students[last] = replace(students[last], marks=marks)
            other = Exam(replace(made.sheet, students=tuple(students)), published_only(made), k=5)
            assert [other.pages.of_card(card) for card in other.cards if card.student.row != last + 1] == [
                page for number, page in enumerate(others) if number != last
            ]
            assert other.pages.of_card(other.cards[last]) != others[last]


def test_the_order_of_the_published_rows_tells_nothing(made):
    shuffled = SimpleNamespace(
        rows=made.release.rows.sample(fraction=1, shuffle=True, seed=5), claim=made.release.claim
    )
    other = Exam(made.sheet, shuffled, k=5)
    assert other.pages.of_table() == made.pages.of_table()
    assert [other.pages.of_card(card) for card in other.cards] == [made.pages.of_card(card) for card in made.cards]


def test_standings_are_true_bounds(made):
    """At least so many have less and more, counted on the true marks."""
    for card in made.cards:
        for place in card.places:
            if place.mark is None:
                assert place.standing is None
                continue
            marks = made.sheet.marks_of(place.column)
            assert place.standing.n_lower <= sum(mark < place.mark for mark in marks)
            assert place.standing.n_higher <= sum(mark > place.mark for mark in marks)
            assert place.standing.n_students == 60
            assert place.standing.n_open >= 1


def test_cards_show_every_group_that_fits_and_no_other(made, rows):
    for card in made.cards:
        fitting = {tuple(rows[place].values()) for place in candidates(rows, card.student.marks)}
        assert {tuple(group.texts.values()) for group in card.groups} == fitting
        assert sum(group.n_students for group in card.groups) == len(candidates(rows, card.student.marks))


def test_earlier_tables_count_as_published_tables(made):
    earlier = read_table(
        pl.DataFrame({"final": ["fail [0, 5)", "[7, 8)", "*", None]}), {"columns": []}, ["final"], "2023"
    )
    other = Exam(made.sheet, published_only(made), earlier=[Earlier(earlier, 4)], k=5)
    for card in other.cards:
        ((name, found),) = card.final.earlier
        mark = card.final.mark
        assert name == "2023"
        assert found.n_lower == (mark >= 5) + (mark >= 8)
        assert found.n_higher == (mark < 7)
        assert (found.n_hidden, found.n_absent) == (1, 1)


@st.composite
def sheets(draw):
    low, high, pass_mark = draw(
        st.sampled_from([(0, 10, 5), (0, 5, 3), (0, 5, 2.5), (0, 20, 10), (0, 20, 9.5), (0, 100, 60), (1, 7, 4)])
    )
    n_students = draw(st.integers(9, 30))
    steps = st.one_of(st.none(), st.integers(0, 40))
    columns = {
        f"mark {number}": [
            None if step is None else low + (high - low) * step / 40
            for step in draw(st.lists(steps, min_size=n_students, max_size=n_students))
        ]
        for number in range(draw(st.integers(1, 3)))
    }
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Float64))
    names = pl.Series("student", [f"Canaria {number}" for number in range(n_students)])
    return frame.with_columns(names), (low, high), pass_mark


@given(sheets())
@tries(15)
def test_on_any_sheet_the_table_is_true_k_and_one_anonymous_and_straddles_no_pass_mark(given_sheet):
    frame, scale, pass_mark = given_sheet
    made = exam(frame, scale=scale, pass_mark=pass_mark, k=2, marks=frame.columns[:-1], seed=1)
    rows = list(made.release.rows.iter_rows(named=True))
    assert len(rows) == frame.height
    assert min(Counter(tuple(row.values()) for row in rows).values()) >= 3
    grid = Scale.of(*scale, pass_mark)
    cuts = {end for cell in grid.cells for end in (cell.low, cell.high)}
    for text in {text for row in rows for text in row.values()} - {None, "*"}:
        low, high, _ = ends(text)
        assert {low, high} <= cuts  # no end of a range comes from the data
        assert high <= Fraction(str(pass_mark)) or low >= Fraction(str(pass_mark))
    for student in made.sheet.students:
        assert len(candidates(rows, student.marks)) >= 3


@pytest.mark.parametrize("scale", [(0, 5), (0, 10), (0, 20), (0, 100)])
def test_marks_at_the_very_borders(scale):
    top = scale[1]
    shares = (0, 0.5, 0.7, 0.9, 1, 0.499, 0.699, 0.899)
    marks = [float(top * share) for share in shares] * 6
    made = exam(pl.DataFrame({"exam": marks}), scale=scale, k=5, marks=["exam"], seed=1)
    found = {student.marks["exam"]: card for student, card in zip(made.sheet.students, made.cards, strict=True)}
    for mark, card in found.items():
        (group,) = card.groups
        assert holds(group.texts["exam"], mark)
        assert group.n_students in (6, 12)  # each border value has a cell of its own, two of them share the last
