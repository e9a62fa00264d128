"""The page as a whole: self-contained, well-formed, accessible, bilingual, and silent about what must not be said."""

from __future__ import annotations

import re
import stat
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.report import render
from celosia.report.language import LANGUAGES
from celosia.report.sections import SECTIONS

VOID = {"meta", "br", "img", "link", "input", "hr"}


def table(n_rows=400, **changes):
    generator = np.random.default_rng(2)
    frame = pl.DataFrame(
        {
            "dni": [f"CANARYdni{row}" for row in range(n_rows)],
            "gone": [f"CANARYgone{row}" for row in range(n_rows)],
            "age": generator.normal(40, 12, n_rows).round(1),
            "zip": [f"{code:05d}" for code in generator.integers(28001, 28030, n_rows)],
            "job": [f"job{code}" for code in generator.integers(0, 4, n_rows)],
            "ill": generator.choice(["flu", "cold", "gout"], n_rows, p=[0.8, 0.1, 0.1]),
        }
    ).with_columns(**changes)
    schema = cl.Schema(
        identifiers=["dni"],
        quasi_identifiers={"age": "number", "zip": cl.Prefix(keep=[5, 3]), "job": "category"},
        sensitive=["ill"],
    )
    return cl.Table(frame, schema, name="patients.csv")


def release(k=5, made=None, **options):
    masks = [cl.Drop(columns=["gone"])]
    plan = cl.Plan(models=[cl.KAnonymity(k)], masks=masks, algorithm=cl.Mondrian(), **options)
    return plan.run(table() if made is None else made)


class Page(HTMLParser):
    """Reads a page strictly: every tag is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def named(self, *names: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag in names]


@pytest.fixture(scope="module", params=LANGUAGES)
def page(request) -> tuple[str, str]:
    return request.param, render(release(seed=987654321), request.param)


def test_it_is_one_file_without_script_network_or_outside_fonts(page):
    _, text = page
    read = Page(text)
    assert read.named("script", "link", "img", "iframe", "object", "embed", "form") == []
    assert not re.search(r"(?i)https?:|//[a-z]|@import|@font-face|javascript:|\son[a-z]+=", text)
    assert set(re.findall(r"url\(([^)]*)\)", text)) <= {"#lattice"}
    policy = next(one["content"] for one in read.named("meta") if "http-equiv" in one)
    assert policy.startswith("default-src 'none'")


def test_it_is_accessible(page):
    lang, text = page
    read = Page(text)
    assert read.named("html")[0]["lang"] == lang
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    assert all(one.get("scope") in ("row", "col", "rowgroup") for one in read.named("th"))
    for picture in read.named("svg"):
        assert picture.get("aria-hidden") == "true" or (picture["role"] == "img" and len(picture["aria-label"]) > 20)
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    anchors = [one["href"] for one in read.named("a")]
    assert anchors
    assert all(anchor.startswith("#") and anchor[1:] in ids for anchor in anchors)


def test_every_section_is_there(page):
    _, text = page
    assert len(Page(text).named("section")) == len(SECTIONS)
    assert text.count("<tr>") > 20


def test_no_seed_key_or_hidden_value_is_in_it(page):
    _, text = page
    assert "987654321" not in text.replace(",", "").replace("\xa0", "")
    assert "CANARY" not in text


def test_it_claims_nothing_about_the_law(page):
    lang, text = page
    assert not re.search(r"(?i)complian|complies|GDPR|RGPD|LOPD|cumpl|conforme a", text)
    wording = {
        "en": "evidence for the controller&#39;s assessment",
        "es": "elementos para la evaluación del responsable",
    }
    assert wording[lang] in text


def test_figures_are_spelt_in_the_language(page):
    lang, text = page
    made = release(seed=987654321)
    gcp = f"{made.loss.gcp:.4f}"
    assert (gcp if lang == "en" else gcp.replace(".", ",")) in text
    assert ("20%" if lang == "en" else "20\xa0%") in text


def test_spanish_leaves_no_english_sentence():
    text = render(release(), "es")
    words = set(re.findall(r"[a-z]+", re.sub(r"<style>.*?</style>|<pre>.*?</pre>|<[^>]*>", " ", text, flags=re.S)))
    assert words & {"the", "rows", "people", "every", "published", "whoever", "before", "after", "class"} == set()


@pytest.mark.parametrize(
    ("k", "english", "spanish"), [(2, "1/2 = 50%", "1/2 = 50 %"), (3, "1/3 ≈ 33.3%", "1/3 ≈ 33,3 %")]
)
def test_the_bound_stands_beside_k(k, english, spanish):
    made = release(k=k)
    assert f"chance above {english}" in render(made, "en").replace("\xa0", " ")
    assert f"probabilidad mayor que {spanish}" in render(made, "es").replace("\xa0", " ")


def test_forty_means_two_and_a_half_per_cent():
    text = render(release(k=40), "en").replace("\xa0", " ")
    assert "Nobody can be linked to a row with a chance above 1/40 = 2.5%." in text
    assert "This holds for linking on the declared quasi-identifiers alone" in text


def test_texts_of_the_data_are_escaped():
    names = {"job": pl.Series(["<script>alert(1)</script>", 'a"b&c'] * 200)}
    text = render(release(made=table(**names)), "en")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    Page(text)


def test_a_column_name_with_braces_is_only_a_name():
    frame = pl.DataFrame({"{k}": [1, 2, 3, 4], "{x": [" a", "a", "a", "a"]})
    schema = cl.Schema(quasi_identifiers={"{k}": "number"}, sensitive=["{x"])
    made = cl.Plan(models=[cl.KAnonymity(2)]).run(cl.Table(frame, schema))
    assert {finding.code for finding in made.findings} >= {"TRIMMED_BLANKS", "HOMOGENEOUS"}
    for lang in LANGUAGES:
        assert "{x" in render(made, lang)


def test_write_puts_it_beside_the_record_for_the_owner_alone(tmp_path):
    release().write(tmp_path / "out", lang="es")
    report = tmp_path / "out" / "internal" / "report.html"
    assert report.read_text(encoding="utf-8").startswith('<!DOCTYPE html>\n<html lang="es">')
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert "comprobaciones superadas" in report.read_text(encoding="utf-8")


def test_an_unknown_language_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(cl.OptionError, match="no report in 'fr'"):
        release().write(tmp_path / "out", lang="fr")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_odd_tables_have_a_report_too(lang):
    cases = {
        "no quasi-identifier": (pl.DataFrame({"x": ["a", "b"]}), cl.Schema(sensitive=["x"])),
        "all missing": (
            pl.DataFrame({"n": [None] * 4, "c": [None] * 4}, schema={"n": pl.Float64, "c": pl.String}),
            cl.Schema(quasi_identifiers={"n": "number", "c": "category"}),
        ),
        "one value": (pl.DataFrame({"n": [7.5] * 4}), cl.Schema(quasi_identifiers={"n": "number"})),
        "huge": (pl.DataFrame({"n": [-1e300, 1e300] * 4}), cl.Schema(quasi_identifiers={"n": "number"})),
        "dense": (
            pl.DataFrame({"n": [10**17 + row for row in range(8)]}),
            cl.Schema(quasi_identifiers={"n": "number"}),
        ),
        "sparse": (
            pl.DataFrame({"n": [1e17 + 16 * row for row in range(8)]}),
            cl.Schema(quasi_identifiers={"n": "number"}),
        ),
        "tiny": (pl.DataFrame({"n": [0.0, 1e-300] * 4}), cl.Schema(quasi_identifiers={"n": "number"})),
        "long": (
            pl.DataFrame({"n": [2**80 + row for row in range(8)]}),
            cl.Schema(quasi_identifiers={"n": "category"}),
        ),
    }
    for name, (frame, schema) in cases.items():
        made = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Mondrian()).run(cl.Table(frame, schema, name=name))
        Page(render(made, lang))
