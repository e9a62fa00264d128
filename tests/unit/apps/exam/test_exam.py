"""exam: refusals, findings, odd groups, kept columns, the search."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.apps.exam import exam
from celosia.base.errors import InputError


def codes(made):
    return {finding.code: finding for finding in made.findings}


def test_sixty_students_with_five_marks(make_marks):
    made = exam(make_marks(), seed=1)
    assert made.release.k >= 6
    assert made.release.plan.models[0].k == 6
    assert len(made.cards) == 60
    assert made.table.n_students == 60
    assert made.release.rows.columns == ["practicals", "test", "exam", "essay", "final"]
    assert made.summary["left_out"] == ["group"]
    assert made.summary["identifiers"] == ["student", "dni"]


def test_twelve_students_are_refused_with_reason_and_advice(make_marks):
    with pytest.raises(cl.UnreachableError) as caught:
        exam(make_marks(12))
    told = str(caught.value)
    assert "12" in told
    assert "18" in told
    assert "--k 3" in told
    assert caught.value.exit_code == 3
    made = exam(make_marks(12), k=3, seed=1)
    assert made.release.k >= 4


@pytest.mark.parametrize("n_students", [1, 2, 5, 8])
def test_no_smaller_k_is_offered_where_none_would_do(make_marks, n_students):
    with pytest.raises(cl.UnreachableError) as caught:
        exam(make_marks(n_students), scale="0-10")
    assert "--k" not in str(caught.value)


@pytest.mark.parametrize("n_students", range(9, 40, 3))
def test_the_k_that_is_offered_does(make_marks, n_students):
    try:
        exam(make_marks(n_students), k=13, scale="0-10")
    except cl.UnreachableError as error:
        k = int(str(error).split("--k ")[1].split(" ")[0])
    assert 3 * (k + 1) <= n_students < 3 * (k + 2)
    assert exam(make_marks(n_students), k=k, scale="0-10", seed=1).release.k > k


@pytest.mark.parametrize("k", [1, 0, -3, True, 2.5, "5"])
def test_fewer_than_two_others_are_refused(make_marks, k):
    with pytest.raises(cl.OptionError):
        exam(make_marks(), k=k)


@pytest.mark.parametrize(
    "options",
    [{"lang": "fr"}, {"scale": "ten"}, {"scale": "10-0"}, {"pass_mark": 11}, {"seed": -1}, {"marks": ["x"]}],
)
def test_wrong_options_are_refused(make_marks, options):
    with pytest.raises(cl.InputError):
        exam(make_marks(), **options)


def test_all_equal_marks():
    made = exam(pl.DataFrame({"name": [f"s{n}" for n in range(20)], "exam": ["7"] * 20}), seed=1)
    assert set(made.release.rows["exam"]) == {"[7, 8)"}
    assert made.release.loss.gcp == 0
    assert made.cards[0].final.standing.n_alike == 20


def test_everybody_failed():
    frame = pl.DataFrame({"name": [f"s{n}" for n in range(24)], "exam": [f"{n % 4}.5" for n in range(24)]})
    made = exam(frame, scale="0-10", seed=1)
    finding = codes(made)["EXAM_ALL_FAILED"]
    assert finding.severity == "warning"
    assert finding.n_rows == 24
    assert "24 students" in finding.message


def test_everybody_was_absent_once():
    frame = pl.DataFrame(
        {"name": [f"s{n}" for n in range(24)], "test": ["NP"] * 24, "exam": [n % 10 for n in range(24)]}
    )
    made = exam(frame, marks=["test", "exam"], scale="0-10", seed=1)
    assert set(made.release.rows["test"]) == {None}
    assert "–" in made.pages.of_table()
    assert made.cards[0].places[0].standing is None


def test_a_group_that_mixes_absent_and_present_tells_nothing_there():
    frame = pl.DataFrame({"name": [f"s{n}" for n in range(18)], "exam": ["NP", *["7"] * 17]})
    made = exam(frame, seed=1)
    counted = Counter(made.release.rows["exam"])
    assert None not in counted
    assert counted["*"] >= 6


def test_findings_count_and_name_no_mark(make_marks):
    made = exam(make_marks(), seed=1)
    found = codes(made)
    assert found["EXAM_SCALE_GUESSED"].severity == "note"
    assert "group" in found["EXAM_LEFT_OUT"].message
    assert "GENERALISE_STANDS_OUT" not in found
    low = ("fail", "[0", "[1, ", "[2", "[3", "[4")
    n_failed = sum(group.n_students for group in made.table.groups if group.texts["final"].startswith(low))
    told = [one for one in made.findings if one.code == "EXAM_ALL_FAILED" and one.column == "final"]
    assert [one.n_rows for one in told] == ([n_failed] if n_failed else [])


def test_a_table_that_tells_little_is_told_so():
    generator = np.random.default_rng(1)
    frame = pl.DataFrame({f"mark {n}": generator.integers(0, 11, 30) for n in range(8)})
    finding = codes(exam(frame, scale="0-10", seed=1))["EXAM_COARSE"]
    assert finding.severity == "warning"
    assert "%" in finding.message


def test_no_student_column_is_told(make_marks):
    made = exam(make_marks().drop("student", "dni"), seed=1)
    assert "EXAM_NO_STUDENT" in codes(made)
    assert "Row 3 of the sheet" in made.pages.of_card(made.cards[2])


def test_a_doubtful_scale_is_asked_for(make_marks):
    frame = make_marks().with_columns(quiz=pl.Series([f"{n % 5}" for n in range(60)]))
    with pytest.raises(InputError, match="the scale of 'quiz' cannot be guessed"):
        exam(frame)


def test_a_kept_column_counts_in_every_group(make_marks):
    made = exam(make_marks(), keep=["group"], marks=["final"], seed=1)
    assert made.release.rows.columns == ["group", "final"]
    assert min(Counter(made.release.rows.iter_rows()).values()) >= 6
    for card in made.cards:
        assert card.groups
        assert all(card.student.kept["group"] in group.texts["group"] for group in card.groups)
        assert sum(group.n_students for group in card.groups) >= 6


def test_the_same_seed_gives_the_same_table(make_marks):
    first, second = (exam(make_marks(), seed=5) for _ in range(2))
    assert first.release.rows.equals(second.release.rows)
    assert first.pages.of_table() == second.pages.of_table()


def test_the_search_with_least_loss_is_taken(make_marks):
    made = exam(make_marks(), seed=5)
    for algorithm in (cl.Weave(), cl.KMembers(), cl.LGreedy(), cl.Mondrian(), cl.Lattice()):
        other = replace(made.release.plan, algorithm=algorithm).run(made.release.masked.given)
        assert made.release.loss.gcp <= other.loss.gcp


def test_pandas_frames_and_typed_columns(make_marks):
    frame = make_marks().with_columns(pl.col("exam").cast(pl.Float64), pl.col("final").cast(pl.Float64))
    made = exam(frame.to_pandas(), seed=1)
    assert made.release.k >= 6
    assert made.sheet.columns.marks == ("practicals", "test", "exam", "essay", "final")
