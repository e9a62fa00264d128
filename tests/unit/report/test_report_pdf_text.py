"""No word of a page is lost on paper, whatever it says and wherever it stands."""

from __future__ import annotations

import io
import re
import unicodedata
from functools import lru_cache
from html import escape, unescape
from pathlib import Path

import numpy as np
import polars as pl
import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia.jobs.negotiate import negotiate
from celosia.measure.risk.scenarios import Acquaintance, Insider
from celosia.measure.risk.situation import Situation
from celosia.report import render
from celosia.report.pdf import pdf_of
from celosia.report.pdf_nodes import CLASSES, PLAIN_CLASSES, TAGS, unknown_in

ROOMS = Path(cl.__file__).parent
INVISIBLE = re.compile(
    r"""<head>.*?</head>|<nav.*?</nav>|<span class="hidden">.*?</span>|<(title|desc|style)>.*?</\1>""", re.DOTALL
)


@lru_cache
def pages() -> dict[str, str]:
    """The kinds of pages, with all that their sections can hold."""
    generator = np.random.default_rng(3)
    n_rows = 400
    frame = pl.DataFrame(
        {
            "patient_number_of_the_whole_hospital": [f"p{row}" for row in range(n_rows)],
            "age": generator.normal(40, 12, n_rows).round(),
            "zip": [f"{code:05d}" for code in generator.integers(28001, 28030, n_rows)],
            "job": generator.choice(["nurse", "teacher", "driver"], n_rows),
            "diagnosis": generator.choice(["flu", "cold", "gout"], n_rows, p=[0.8, 0.1, 0.1]),
        }
    )
    schema = cl.Schema(
        identifiers=["patient_number_of_the_whole_hospital"],
        quasi_identifiers={"age": "number", "zip": cl.Prefix(keep=[5, 3]), "job": "category"},
        sensitive=["diagnosis"],
    )
    table = cl.Table(frame, schema, name="hospital_visits.csv")
    situation = Situation([Insider("medium", "high"), Acquaintance(q=0.001)], harm="high")
    models = [cl.KAnonymity(5), cl.TCloseness(0.7, on="diagnosis")]
    judged = cl.Plan(models=models, algorithm=cl.Mondrian(), max_suppression=0.05, risk=situation).run(table)
    plain = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Mondrian(), seed=1).run(table)
    searches = [cl.Mondrian(), cl.HilbertOrder()]
    found = cl.frontier(table, k=[2, 5, 9, 500], algorithms=searches, max_suppression=[0.0, 0.1], seed=1)
    from celosia.jobs.frontier.page import render as render_frontier

    frontier = render_frontier(found, "en", 0.3)
    picture = negotiate(harm="medium", k=5).picture("es")
    return {
        "report, judged": render(judged, "es"),
        "report, plain": render(plain, "en"),
        "frontier": frontier,
        "negotiation": re.sub(
            r"<main.*</main>", lambda _: f"<main><figure>{picture}</figure></main>", frontier, flags=re.S
        ),
    }


def plain(text: str) -> str:
    """Text without what setting may change: spaces, hyphens, ligatures."""
    return re.sub(r"[\s\-\u00ad\u2010\u200b]", "", unicodedata.normalize("NFKC", text))


def visible(page: str) -> list[str]:
    """The pieces of text that a reader sees, read as plainly as can be."""
    shown = INVISIBLE.sub(" ", page)
    shown = re.sub(r'<figure class="narrow">.*?</figure>', " ", shown, flags=re.S)
    return [text for piece in re.split(r"<[^>]*>", shown) if (text := plain(unescape(piece)))]


def on_paper(page: str) -> str:
    """The text of the file, without what stands at the top and the bottom of sheets."""
    title = re.search("<title>(.*?)</title>", page)[1]
    stamp = re.search('class="stamp">(.*?)<', page)
    top = plain(unescape(title + (stamp[1] if stamp else "")))
    sheets = pypdf.PdfReader(io.BytesIO(pdf_of(page))).pages
    texts = []
    for number, sheet in enumerate(sheets, 1):
        text = plain(sheet.extract_text())
        texts.append(text.removeprefix(top if number > 1 else "").removesuffix(f"{number}/{len(sheets)}"))
    return "".join(texts)


@pytest.mark.parametrize("name", ["report, judged", "report, plain", "frontier", "negotiation"])
def test_all_words_of_our_pages_are_on_paper(name):
    page = pages()[name]
    text = on_paper(page)
    pieces = visible(page)
    assert len(pieces) > 60 or name == "negotiation"
    lost = {piece for piece in pieces if text.count(piece) < pieces.count(piece)}
    assert lost == set()


@pytest.mark.parametrize("name", ["report, judged", "report, plain", "frontier", "negotiation"])
def test_our_pages_hold_nothing_that_the_type_setter_does_not_know(name):
    assert unknown_in(pages()[name]) == []


def templates() -> list[Path]:
    return sorted(path for path in ROOMS.rglob("templates/**/*.html"))


@pytest.mark.parametrize("path", templates(), ids=lambda path: path.name)
def test_templates_hold_nothing_that_the_type_setter_does_not_know(path):
    source = re.sub(r"\{%.*?%\}|\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.S)
    tags = set(re.findall(r"<([a-zA-Z][\w-]*)", re.sub(r"\{\{.*?\}\}", "", source, flags=re.S)))
    classes = set()
    for value in re.findall(r'class="([^"]*)"', source):
        said = re.findall(r"'([^']*)'", " ".join(re.findall(r"\{\{(.*?)\}\}", value)))
        classes |= set(" ".join([re.sub(r"\{\{.*?\}\}", "", value), *said]).split())
    assert tags - TAGS == set()
    assert {name for name in classes if "==" not in name} - CLASSES - PLAIN_CLASSES - {"SHA-256"} == set()


def test_the_type_setters_template_minds_the_classes_that_it_is_said_to_mind():
    template = (ROOMS / "report" / "typst" / "page.typ").read_text(encoding="utf-8")
    assert {name for name in CLASSES if f'"{name}"' not in template} == set()
    assert CLASSES.isdisjoint(PLAIN_CLASSES)


NASTY = (
    '#read("/etc/passwd")', "$x^2$", "]", "[", "\\", "\\n", "*a*", "_b_", "@c", "<d>", "'", '"', "`e`", "// f", "/* g",
    "~", "= h", "+ i", "&amp;", "</svg>", "#set page()", "https://example.org/a/b?c=d&e=f", "x" * 70, "a_b_" * 20,
    "½ fi", "ñandú", "→ ≤ 5", "deadbeef" * 8, "{{ j }}", "#pagebreak()", "100 %",
)  # fmt: skip
INLINE = ("span", "strong", "em", "code", "a", "time", "sub", "sup", "blink")
LEAVES = ("p", "h1", "h2", "h3", "pre", "dt", "dd", "figcaption", "summary", "li", "caption", "unknown")
BOXES = (
    "div", "section", "ul", "ol", "dl", "li", "figure", "details", "header", "footer", "main", "dd", "article", "table",
)  # fmt: skip
STYLES = sorted(CLASSES - {"meter", "lattice", "chart"})
WORD = "\0"


@st.composite
def tags(draw, names, inside):
    name = draw(st.sampled_from(names))
    classes = " ".join(draw(st.lists(st.sampled_from(STYLES), max_size=2, unique=True)))
    return f'<{name} class="{classes}">{inside}</{name}>'


words = st.lists(st.sampled_from((WORD, " ", f"{WORD} {WORD}", "<br>", "\n")), min_size=1, max_size=3).map("".join)
lines = st.recursive(words, lambda inner: inner.flatmap(lambda text: tags(INLINE, text)), max_leaves=4)
leaves = lines.flatmap(lambda text: tags(LEAVES, text))


@st.composite
def tables(draw):
    n_columns = draw(st.integers(1, 4))
    cell = st.one_of(lines, leaves)

    def row() -> str:
        if draw(st.booleans()) and n_columns > 1:
            span = draw(st.integers(2, n_columns))
            return f'<tr class="group"><th colspan="{span}">{draw(cell)}</th>{"<td></td>" * (n_columns - span)}</tr>'
        cells = [draw(tags(("td", "th"), draw(cell))) for _ in range(n_columns)]
        return f"<tr>{''.join(cells)}</tr>"

    head = f"<thead>{row()}</thead>" if draw(st.booleans()) else ""
    caption = f"<caption>{draw(lines)}</caption>" if draw(st.booleans()) else ""
    kind = draw(st.sampled_from(("", "risks", "measures", "steps", "bars")))
    wanted = {"steps": 2, "bars": 3}.get(kind, n_columns)
    kind = kind if wanted == n_columns else ""
    rows = "".join(row() for _ in range(draw(st.integers(1, 3))))
    return f'<table class="{kind}">{caption}{head}<tbody>{rows}</tbody></table>'


def boxes(inner):
    several = st.lists(inner, min_size=0, max_size=3).map("".join)
    return several.flatmap(lambda inside: tags([name for name in BOXES if name != "table"], inside))


bodies = st.lists(st.recursive(st.one_of(lines, leaves, tables()), boxes, max_leaves=8), min_size=1, max_size=4)


@tries(40)
@given(parts=bodies, nasty=st.lists(st.sampled_from(NASTY), min_size=1, max_size=5))
def test_no_word_of_any_page_is_lost_or_taken_for_code(parts, nasty):
    body = "".join(parts)
    told = [f"{nasty[place % len(nasty)]}#{place}!" for place in range(body.count(WORD))]
    for word in told:
        body = body.replace(WORD, escape(word), 1)
    text = on_paper(f'<html lang="en"><head><title>T</title></head><body>{body}</body></html>')
    assert [word for word in told if plain(word) not in text] == []
