"""The folder of an exam: placed whole, private where it must be, nobody's name outside the cards; both languages."""

from __future__ import annotations

import json
import re
import stat

import polars as pl
import pytest
from leaks import leaks

import celosia as cl
from celosia.apps.exam import exam
from celosia.apps.exam.file_names import card_name
from celosia.audit import verify
from celosia.report.pdf_nodes import unknown_in

PUBLISHED = {"data.csv", "data.xlsx", "claim.json", "table.json", "table.es.html", "table.es.pdf"}


@pytest.fixture(scope="module")
def sheet(make_marks):
    return make_marks(30, seed=2, absent=0.2)


@pytest.fixture(scope="module")
def written(sheet, tmp_path_factory):
    folder = tmp_path_factory.mktemp("written") / "exam"
    exam(sheet, k=4, lang="es", title="Álgebra <1>", seed=1).write(folder)
    return folder


def test_the_folder_holds_table_cards_and_record(written):
    assert {path.name for path in written.iterdir()} == PUBLISHED | {"cards", "internal"}
    cards = sorted(path.name for path in (written / "cards").iterdir())
    assert len(cards) == 60
    assert cards[:2] == ["01-canaria000-perez.html", "01-canaria000-perez.pdf"]
    assert {path.name for path in (written / "internal").iterdir()} == {"report.html", "record.json", "exam.json"}


def test_private_parts_are_private(written):
    for folder in ("cards", "internal"):
        assert stat.S_IMODE((written / folder).stat().st_mode) == 0o700
        assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in (written / folder).iterdir())


def test_the_claim_says_k_and_one(written):
    claim = json.loads((written / "claim.json").read_text())
    assert claim["models"] == [{"k_anonymity": {"k": 5}}]
    assert [column["name"] for column in claim["columns"]] == ["practicals", "test", "exam", "essay", "final"]
    assert verify(written / "data.csv", claim).holds


def test_nobody_s_name_or_number_is_in_what_is_published(written, sheet):
    secrets = [*sheet["student"], *sheet["dni"], "Canaria"]
    for path in [*(written / name for name in PUBLISHED), *(written / "internal").iterdir()]:
        assert leaks(path, secrets) == []
    assert leaks(next((written / "cards").glob("*.html")), secrets)  # the scan can find them


def test_a_card_names_its_owner_and_nobody_else(written, sheet):
    for row, path in enumerate(sorted((written / "cards").glob("*.html"))):
        page = path.read_text()
        assert sheet["student"][row] in page
        assert set(re.findall(r"Canaria\d+ Pérez", page)) == {sheet["student"][row]}
        assert sheet["dni"][row] not in page


def test_pages_are_whole_and_need_nothing_from_outside(written):
    for path in [written / "table.es.html", *(written / "cards").glob("*.html")]:
        page = path.read_text()
        assert page.startswith("<!DOCTYPE html>")
        assert '<html lang="es">' in page
        assert "<script" not in page
        assert "http://" not in page.replace("http://www.w3.org", "")
        assert "{" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
        assert unknown_in(page) == []
        assert "Álgebra &lt;1&gt;" in page
    assert all(path.read_bytes().startswith(b"%PDF-") for path in (written / "cards").glob("*.pdf"))


def test_the_page_for_the_board_shows_the_published_rows_and_no_other(written):
    rows = pl.read_csv(written / "data.csv", null_values=[""])
    page = (written / "table.es.html").read_text()
    body = re.findall(r"<tr><th scope=\"row\".*?</tr>", page, flags=re.DOTALL)
    counts = [int(re.search(r'<td class="figure">(\d+)</td>', row)[1]) for row in body]
    assert sum(counts) == rows.height == 30
    assert min(counts) >= 5
    assert len(body) == len(rows.unique())


def test_spanish_and_english(sheet):
    words = {"es": ("suspenso", "aprobado", "Cómo leerla", "privado"), "en": ("fail", "pass", "How to read", "private")}
    for lang, said in words.items():
        made = exam(sheet, k=4, lang=lang, seed=1)
        pages = made.pages.of_table() + made.pages.of_card(made.cards[0])
        assert all(word in pages for word in said)
        other = words["en" if lang == "es" else "es"]
        assert not any(word in pages for word in other[2:])
        labels = {text for row in made.release.rows.iter_rows() for text in row if text and " [" in text}
        assert all(label.split(" [")[0] in ("suspenso", "aprobado", "notable", "sobresaliente", "superado")
                   if lang == "es" else label.split(" [")[0] in ("fail", "pass", "notable", "outstanding", "passed")
                   for label in labels)  # fmt: skip


def test_decimal_marks_follow_the_language_on_pages_but_not_in_data(make_marks):
    frame = make_marks(30, seed=4, high=5)
    made = exam(frame, scale="0-5", pass_mark=3, lang="es", seed=1)
    assert "[3,5;\N{NO-BREAK SPACE}4,5)" in made.pages.of_table()
    assert not any("," in (text or "").split(", ")[0] for row in made.release.rows.iter_rows() for text in row)


def test_a_release_is_replaced_only_when_asked(sheet, tmp_path):
    made = exam(sheet, k=4, seed=1)
    made.write(tmp_path / "exam", pdf=False)
    with pytest.raises(cl.OptionError):
        made.write(tmp_path / "exam", pdf=False)
    exam(sheet, k=4, lang="es", seed=1).write(tmp_path / "exam", pdf=False, overwrite=True)
    assert {path.name for path in (tmp_path / "exam").glob("table.*")} == {"table.json", "table.es.html"}
    assert [path.name for path in tmp_path.iterdir()] == ["exam"]


def test_foreign_files_in_the_folder_are_not_lost(sheet, tmp_path):
    made = exam(sheet, k=4, seed=1)
    made.write(tmp_path / "exam", pdf=False)
    (tmp_path / "exam" / "thesis.docx").write_text("my only copy")
    with pytest.raises(cl.InputError):
        made.write(tmp_path / "exam", pdf=False, overwrite=True)
    assert (tmp_path / "exam" / "thesis.docx").read_text() == "my only copy"


def test_what_fails_on_the_way_leaves_nothing_behind(sheet, tmp_path, monkeypatch):
    made = exam(sheet, k=4, seed=1)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(made.pages), "of_card", full)
    with pytest.raises(OSError, match="space"):
        made.write(tmp_path / "exam", pdf=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [
        *("../../etc/passwd", "..", "a/b\\c", "CON", "x" * 300, "", " ", "王小明", "O'Neill; rm -rf /", "Ana\nGil"),
        *("<script>alert(1)</script>", "Núñez, Ana", "💥", "مريم", "name\u202egpj.exe", "%2e%2e%2f", "-rf"),
    ],
)
def test_names_of_files_do_no_harm(name):
    made = card_name(7, name, 60)
    assert re.fullmatch(r"07(-[a-z0-9]+)*", made)
    assert len(made) <= 50


def test_odd_names_give_safe_unique_files_and_escaped_pages(make_marks, tmp_path):
    odd = [
        "../../evil",
        "../../evil ",
        "<b>Ana</b> & co",
        "王小明",
        "a/b",
        "A-B",
        "{{ 7*7 }}",
        "x" * 300,
        "Ana\u202eGil",
    ]
    frame = make_marks(27, seed=5)
    names = [*odd, *frame["student"][len(odd) :]]
    frame = frame.with_columns(student=pl.Series(names))
    exam(frame, seed=1, k=4).write(tmp_path / "exam", pdf=False)
    files = sorted((tmp_path / "exam" / "cards").iterdir())
    assert len(files) == 27
    assert [path.name for path in tmp_path.iterdir()] == ["exam"]
    assert "&lt;b&gt;Ana&lt;/b&gt; &amp; co" in files[2].read_text()
    assert "{{ 7*7 }}" in files[6].read_text()


def test_the_worst_and_the_absent_get_kind_cards(make_marks):
    frame = make_marks(30, seed=6).with_columns(
        final=pl.Series(["1.0", "NP", *make_marks(30, seed=6)["final"][2:]]),
        exam=pl.Series(["8.0", *make_marks(30, seed=6)["exam"][1:]]),
    )
    made = exam(frame, k=4, seed=1)
    worst, absent = (made.pages.of_card(card) for card in made.cards[:2])
    assert re.search("You have passed: [^.]*exam", worst)
    assert "4 to go" in worst
    assert "surely have more" not in worst.split("<main")[0]
    assert "You have no final mark" in absent


def test_a_mark_just_below_the_pass_mark_never_shows_as_passed(make_marks):
    frame = make_marks(30, seed=6)
    made = exam(frame.with_columns(final=pl.Series(["4.99999999", *frame["final"][1:]])), k=4, seed=1)
    card = made.pages.of_card(made.cards[0])
    assert "4.9999 of 10" in card
    assert "below the pass mark" in card
