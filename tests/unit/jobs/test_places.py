"""Places: what must not be written over is refused before any work."""

from __future__ import annotations

import pytest

from celosia.base.errors import InputError, PlanError
from celosia.jobs.places import check_file, check_page, check_release, write_page


def refused(path, **options):
    with pytest.raises(InputError) as raised:
        check_file(path, "plan file", "name a file in it.", **{"overwrite": False, **options})
    return raised.value


def test_folders_data_and_earlier_files_are_refused(tmp_path):
    data = tmp_path / "exams.csv"
    data.write_text("a\n1\n")
    assert refused(tmp_path).hint == "name a file in it."
    assert refused(data, data=data, overwrite=True).hint == "give the plan a name of its own."
    assert "replace it with --overwrite" in refused(data).hint
    check_file(data, "plan file", "", overwrite=True)
    missing = tmp_path / "none" / "plan.yaml"
    assert refused(missing, in_folder=True).message == "the folder of 'plan.yaml' does not exist."
    check_file(missing, "plan file", "", overwrite=False)  # whoever writes it says so


def test_a_page_is_html_or_pdf(tmp_path):
    with pytest.raises(InputError, match="is no page"):
        check_page(tmp_path / "page.txt", overwrite=False)
    page = tmp_path / "page.html"
    write_page(page, "<p>one</p>", overwrite=False)
    with pytest.raises(InputError, match="exists"):
        write_page(page, "<p>two</p>", overwrite=False)
    assert page.read_text() == "<p>one</p>"


def test_the_input_never_lies_in_the_release(tmp_path):
    target = tmp_path / "release"
    check_release(target, tmp_path / "exams.csv", PlanError("it lies within."), overwrite=False)
    with pytest.raises(PlanError, match="within"):
        check_release(target, target / "exams.csv", PlanError("it lies within."), overwrite=False)
