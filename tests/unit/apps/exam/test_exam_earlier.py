"""Earlier courses: read from published files alone, refused where they are not what they claim."""

from __future__ import annotations

import json
import shutil

import polars as pl
import pytest

import celosia as cl
from celosia.apps.exam import exam
from celosia.apps.exam.earlier import read_earlier
from celosia.apps.exam.scales import Scale

SCALES = {name: Scale.of(0, 10) for name in ("practicals", "test", "exam", "essay", "final")}


@pytest.fixture(scope="module")
def courses(make_marks, tmp_path_factory):
    """A folder with the releases of two earlier courses."""
    folder = tmp_path_factory.mktemp("earlier")
    exam(make_marks(40, seed=7), seed=1).write(folder / "2022", pdf=False)
    exam(make_marks(50, seed=8, high=20), scale="0-20", seed=1).write(folder / "2023", pdf=False)
    return folder


@pytest.fixture
def broken(courses, tmp_path):
    """A copy of a course that a test may break."""
    return shutil.copytree(courses / "2022", tmp_path / "broken")


def test_a_folder_of_folders_and_scales_that_differ(courses):
    first, second = read_earlier([courses], SCALES)
    assert (first.table.name, first.n_students, first.skipped) == ("2022", 40, ())
    assert first.table.marks == tuple(SCALES)
    assert (second.table.name, second.table.marks, second.skipped) == ("2023", (), tuple(SCALES))


def test_only_published_files_are_needed(courses, tmp_path):
    for name in ("data.csv", "claim.json"):
        shutil.copy(courses / "2022" / name, tmp_path / name)
    (found,) = read_earlier([tmp_path], SCALES)
    assert found.table.marks == tuple(SCALES)
    assert found.table.n_students == 40


def test_names_are_matched_without_case_and_accents(tmp_path):
    exam(pl.DataFrame({"Práctica": [float(n % 11) for n in range(40)]}), seed=1).write(tmp_path / "old", pdf=False)
    (found,) = read_earlier([tmp_path / "old"], {"practica": Scale.of(0, 10)})
    assert found.table.marks == ("practica",)


@pytest.mark.parametrize(
    "break_it",
    [
        lambda folder: (folder / "claim.json").write_text("{"),
        lambda folder: (folder / "claim.json").write_text("[]"),
        lambda folder: (folder / "claim.json").write_text("{}"),
        lambda folder: (folder / "claim.json").unlink(),
        lambda folder: (folder / "data.csv").unlink(),
        lambda folder: (folder / "data.csv").write_text("final\n[7, 8)\n"),
        lambda folder: (folder / "data.csv").write_text((folder / "data.csv").read_text() + "*,*,*,*,*\n"),
        lambda folder: (folder / "table.json").write_text('{"marks": 7}'),
        lambda folder: (folder / "table.json").write_text("nothing"),
        lambda folder: shutil.rmtree(folder),
    ],
)
def test_broken_folders_are_refused(broken, break_it):
    break_it(broken)
    with pytest.raises(cl.InputError):
        read_earlier([broken], SCALES)


def test_a_table_without_these_marks_is_refused(courses):
    with pytest.raises(cl.InputError, match="none of the 1 columns"):
        read_earlier([courses / "2022"], {"oral": Scale.of(0, 10)})


def _released(frame, kinds, folder, **options):
    schema = cl.Schema(quasi_identifiers=kinds, sensitive=[name for name in frame.columns if name not in kinds])
    options = {"models": [cl.KAnonymity(3)], "seed": 1} | options
    release = cl.Plan(**options).run(cl.Table(frame, schema))
    release.write(folder)
    return folder


MARKS = pl.DataFrame({"final": [float(n % 11) for n in range(30)], "oral": [n % 7 + 3 for n in range(30)]})


def test_tables_of_other_plans(tmp_path):
    scales = {"final": Scale.of(0, 10), "oral": Scale.of(0, 10)}
    (found,) = read_earlier([_released(MARKS, {"final": "number"}, tmp_path / "a")], scales)
    assert found.table.marks == ("final", "oral")
    true = sorted(MARKS["oral"].to_list())
    assert sorted(int(cell.low) for cell in found.table.cells["oral"]) == true
    (found,) = read_earlier([_released(MARKS, {"final": cl.Number(publish="pair")}, tmp_path / "b")], scales)
    for cell in found.table.cells["final"]:
        assert 0 <= cell.low <= cell.high <= 10
        assert not cell.high_open


def test_what_is_not_true_of_every_row_is_not_compared(tmp_path):
    scales = {"final": Scale.of(0, 10), "oral": Scale.of(0, 10)}
    folder = _released(MARKS, {"final": cl.Number(publish="centroid")}, tmp_path / "a")
    (found,) = read_earlier([folder], scales)
    assert (found.table.marks, found.skipped) == (("oral",), ("final",))
    noise = [cl.AddNoise(column="oral", sd=1)]
    (found,) = read_earlier([_released(MARKS, {"final": "number"}, tmp_path / "b", masks=noise)], scales)
    assert (found.table.marks, found.skipped) == (("final",), ("oral",))


def test_cards_and_findings(make_marks, courses):
    made = exam(make_marks(41, seed=9), earlier=courses, seed=1)
    codes = [finding.code for finding in made.findings]
    assert codes.count("EXAM_SAME_STUDENTS") == 1  # 40 students with the same marks; of 50 it is not likely
    assert codes.count("EXAM_NOT_COMPARED") == 1
    assert {name for card in made.cards for place in card.places for name, _ in place.earlier} == {"2022"}
    assert "2022" in made.pages.of_card(made.cards[0])
    assert made.summary["earlier"] == ["2022", "2023"]


def test_table_json_says_how_to_read_the_table(courses):
    told = json.loads((courses / "2023" / "table.json").read_text())
    assert (told["k"], told["final"]) == (5, "final")
    assert {one["name"]: one["scale"] for one in told["marks"]} == {name: [0, 20] for name in SCALES}
