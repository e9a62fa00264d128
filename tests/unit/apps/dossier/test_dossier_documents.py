"""The files: written with a release, made anew from fragments, and left as they were where that fails."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from cases import case_of, release_of, signed, written

from celosia import audit
from celosia.apps.dossier import assemble, write_refusal
from celosia.apps.dossier import documents as module
from celosia.apps.dossier.fragments import Fragments
from celosia.base.errors import FormatError, InputError
from celosia.report import pdf

INTERNAL = [f"internal/dossier.{lang}.{suffix}" for lang in ("en", "es") for suffix in ("html", "pdf")]
OUTWARD = [f"statement.{lang}.{suffix}" for lang in ("en", "es") for suffix in ("html", "pdf")]


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def release():
    return release_of()


@pytest.fixture(scope="module")
def real(tmp_path_factory, release) -> Path:
    """A release with real PDFs, which no test changes."""
    return written(tmp_path_factory.mktemp("real"), release, case_of(release))


def stand_ins(pages: list[str]) -> list[bytes]:
    """Return for each page what stands for its PDF and tells it from others."""
    return [b"%PDF-" + hashlib.sha256(page.encode()).digest() for page in pages]


@pytest.fixture(scope="module")
def quickly(tmp_path_factory, release) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdf, "pdfs_of", stand_ins)
        return written(tmp_path_factory.mktemp("quickly"), release, case_of(release))


@pytest.fixture
def quick(monkeypatch) -> None:
    """Set no page for real."""
    monkeypatch.setattr(pdf, "pdfs_of", stand_ins)


@pytest.fixture
def folder(tmp_path, quickly, quick) -> Path:
    """A release of its own for each test."""
    return Path(shutil.copytree(quickly, tmp_path / "release"))


def test_a_release_comes_with_all_documents(real):
    folder = real
    assert {*INTERNAL, *OUTWARD, "internal/fragments.json"} <= set(contents(folder))
    assert all(contents(folder)[name].startswith(b"%PDF-") for name in [*INTERNAL, *OUTWARD] if name.endswith("pdf"))
    assert audit.verify(folder / "data.csv", folder / "claim.json").holds


def test_what_is_internal_is_for_its_owner_alone(real):
    folder = real
    assert stat.S_IMODE((folder / "internal").stat().st_mode) == 0o700
    for name in [*INTERNAL, "internal/fragments.json"]:
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    for name in OUTWARD:
        assert stat.S_IMODE((folder / name).stat().st_mode) & 0o400


def test_made_anew_of_the_same_case_they_are_the_same(real, release):
    before = contents(real)
    assemble(case_of(release), real)
    assert contents(real) == before


def test_a_signature_changes_the_dossiers_and_nothing_else(folder, release):
    before = contents(folder)
    made = assemble(signed(case_of(release), "evaluation", by="Luis Gil"), folder)
    after = contents(folder)
    assert {name for name in after if after[name] != before.get(name)} == set(INTERNAL)
    assert set(after) == set(before)
    assert {str(path.relative_to(folder)) for path in made} == {*INTERNAL, *OUTWARD}
    assert "Luis Gil" in (folder / "internal/dossier.en.html").read_text(encoding="utf-8")


def test_a_new_review_date_changes_every_document_and_not_the_release(folder, release):
    before = contents(folder)
    assemble(replace(case_of(release), review=date(2031, 1, 2)), folder)
    after = contents(folder)
    assert {name for name in after if after[name] != before[name]} == {*INTERNAL, *OUTWARD}
    assert "2 January 2031" in (folder / "statement.en.html").read_text(encoding="utf-8")


def test_without_a_typesetter_there_is_no_pdf_and_no_stale_one(folder, release, monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    made = assemble(signed(case_of(release), "evaluation"), folder)
    assert {path.suffix for path in made} == {".html"}
    assert not [name for name in contents(folder) if name.endswith("pdf")]


def test_where_a_page_cannot_be_set_all_documents_stay_as_they_were(folder, release, monkeypatch):
    before = contents(folder)

    def broken(pages):
        raise InputError("the page is not well-formed.")

    monkeypatch.setattr(pdf, "pdfs_of", broken)
    with pytest.raises(InputError):
        assemble(signed(case_of(release), "evaluation"), folder)
    assert contents(folder) == before


def test_fragments_are_read_as_they_were_written(folder):
    path = folder / "internal" / "fragments.json"
    assert Fragments.read(path).to_json() == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"celosia": "fragments", "version": 2}', '{"celosia": "claim"}', "\x00"]
)
def test_broken_fragments_are_refused(folder, release, text):
    (folder / "internal" / "fragments.json").write_text(text)
    before = contents(folder)
    with pytest.raises(FormatError, match=r"cannot read fragments\.json") as caught:
        assemble(case_of(release), folder)
    assert caught.value.hint
    assert contents(folder) == before


def test_fragments_that_lack_a_part_are_refused(folder, release):
    path = folder / "internal" / "fragments.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    for key in whole:
        path.write_text(json.dumps({name: own for name, own in whole.items() if name != key}))
        with pytest.raises(FormatError):
            assemble(case_of(release), folder)


def test_fragments_that_are_not_there_are_refused(folder, release):
    (folder / "internal" / "fragments.json").unlink()
    with pytest.raises(FormatError):
        assemble(case_of(release), folder)


def test_without_a_claim_file_the_statement_names_none(tmp_path, release, quick):
    folder = written(tmp_path, release, case_of(release), claim=False)
    assert "claim.json" not in (folder / "statement.en.html").read_text(encoding="utf-8")


# Not feasible ---------------------------------------------------------------------------------------------------------


def test_a_refusal_is_a_dossier_alone(tmp_path, quick):
    made = write_refusal(case_of(None), tmp_path / "new" / "release")
    assert set(contents(tmp_path / "new" / "release")) == set(INTERNAL)
    assert len(made) == 4
    assert stat.S_IMODE((tmp_path / "new" / "release" / "internal").stat().st_mode) == 0o700


def test_a_refusal_is_made_anew_when_it_is_signed(tmp_path, quick):
    case = case_of(None, n_signed=5)
    write_refusal(case, tmp_path)
    before = contents(tmp_path)
    assemble(signed(case, "risk", by="Luis Gil"), tmp_path)
    assert set(contents(tmp_path)) == set(before)
    assert all(own != before[name] for name, own in contents(tmp_path).items())


def test_a_refusal_never_takes_the_place_of_a_release(folder):
    before = contents(folder)
    with pytest.raises(InputError, match="holds a release"):
        write_refusal(case_of(None), folder)
    assert contents(folder) == before


def test_a_refusal_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot make the folder"):
        write_refusal(case_of(None), tmp_path / "file")
