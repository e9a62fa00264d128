"""From a page to what the type-setter gets: the tree, words and their spaces, the style on paper, pictures."""

from __future__ import annotations

import io
import re

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.base.errors import InputError
from celosia.report.html_tree import Element, tree_of
from celosia.report.pdf import pdf_of
from celosia.report.pdf_nodes import nodes_of
from celosia.report.pdf_pictures import picture_of
from celosia.report.pdf_words import words_of
from celosia.report.print_style import style_of

STYLE = """
:root { --ink: #111111; --paper: #fdfcf9; --sans: system-ui, sans-serif; --mono: Menlo, monospace }
/* a comment with { braces } */
.chart { width: 100% }
.chart text, .other text { font-family: var(--sans); font-size: 10px; fill: var(--ink) }
.chart .code { font-family: var(--mono); stroke: var(--nowhere, red); stroke-width: 0.5rem }
.chart a:hover { fill: blue }
.wide { display: none } .phone { display: block }
@media (prefers-color-scheme: dark) { :root { --ink: #eeeeee } .phone { display: none } }
@media print { :root { --ink: #222222 } .wide { display: block } .screen { display: none } }
@page { size: A4 }
"""


def blocks_of(body: str):
    (made,) = nodes_of(f"<html><body>{body}</body></html>")["blocks"]
    return made["blocks"]


def seen(words) -> str:
    """What a reader sees of words: their text, with a line's end for br."""
    text = ""
    for word in words:
        if isinstance(word, str):
            text += word
        else:
            text += "\n" if word["tag"] == "br" else seen(word.get("words", []))
    return text


@pytest.mark.parametrize("page", ["<p>a", "<p>a</b></p>", "</p>", "<p><em>a</p></em>", "<svg viewBox='0 0 1 1'>"])
def test_a_page_that_is_not_well_formed_is_refused(page):
    with pytest.raises(InputError, match="not well-formed"):
        tree_of(page)


def test_lines_in_complaints_are_those_of_the_page():
    page = "<body>\n<svg viewBox='0 0 1 1'>\n<rect/>\n\n</svg>\n</p></body>"
    with pytest.raises(InputError, match=r"line 6 closes p, open is body"):
        tree_of(page)


def test_pictures_keep_their_source_with_its_capitals():
    source = '<svg class="chart" viewBox="0 0 4 2"><linearGradient id="a"/><text>b &lt; c</text></svg>'
    (root,) = tree_of(f"<p>{source}</p>").children
    (picture,) = root.children
    assert (picture.source, picture.classes, picture.children) == (source, ["chart"], [])


@given(
    st.recursive(
        st.text("ab \n\t\u00a0", max_size=6).map(lambda text: [text]),
        lambda inner: st.lists(st.one_of(inner, inner.map(lambda one: [Element("em", children=one)])), max_size=4).map(
            lambda lists: [one for part in lists for one in part]
        ),
        max_leaves=8,
    )
)
def test_spaces_are_those_that_a_browser_shows(children):
    text = seen(words_of(children, lambda element: {"tag": element.tag}))
    whole = Element("p", children=children).text
    assert text == re.sub("[ \n\t]+", " ", whole).strip(" ")


def test_long_names_may_break_after_signs_and_hashes_anywhere():
    def pieces(words):
        return [word if isinstance(word, str) else word["tag"] for word in words]

    (name,) = blocks_of("<p>a column_with_a_long_name b</p>")
    assert pieces(name["words"]) == ["a column_", "wbr", "with_", "wbr", "a_", "wbr", "long_", "wbr", "name b"]
    (digest,) = blocks_of(f"<p>{'0a1b' * 16}</p>")
    assert pieces(digest["words"])[::2] == ["0a1b0a1b"] * 8
    (line,) = blocks_of(f"<p>{'_' * 40}</p>")
    assert line["words"] == ["_" * 40]


def test_long_names_do_not_leave_their_column():
    name, digest = "column_of_" * 30, "0a1b2c3d" * 40
    head = '<head><title>T</title><meta name="celosia-page" content="a5"></head>'
    body = (
        f"<h1>{name}</h1><p>{digest}</p><pre><code>{digest}\nkey: {name}</code></pre><p><code>{name}</code></p>"
        f"<table><tbody><tr><th>{name}</th><td class='figure'>1</td><td class='hash'>{digest}</td></tr></tbody></table>"
        f"<ul class='findings'><li><p>{name}</p></li></ul>"
    )
    reader = pypdf.PdfReader(io.BytesIO(pdf_of(f"<html lang='en'>{head}<body>{body}</body></html>")))
    lines = [line for sheet in reader.pages for line in sheet.extract_text().splitlines()]
    assert len(lines) > 25
    assert max(len(line) for line in lines) < 90


def test_what_css_hides_on_paper_is_not_set_and_what_it_shows_is():
    page = f"<html><head><style>{STYLE}</style></head><body>"
    page += '<p class="wide">a</p><p class="phone">b</p><p class="screen">c</p><p hidden>d</p>'
    (body,) = nodes_of(page + '<p><span class="hidden">e</span> f</p></body></html>')["blocks"]
    assert [seen(block["words"]) for block in body["blocks"]] == ["a", "b", "f"]


def test_style_of_pictures_has_no_variables_and_fonts_of_the_type_setter():
    style = style_of(STYLE)
    assert style.colours == {"ink": "#222222", "paper": "#fdfcf9"}
    assert style.hidden == {"screen"}
    css = style.of_picture(["chart"], frozenset({".chart", ".code", "text"}))
    assert '.chart text{font-family:"Libertinus Serif";font-size:11.4px;fill:#222222}' in css
    assert '.chart .code{font-family:"DejaVu Sans Mono";stroke:red;stroke-width:8px}' in css
    assert ".code" not in style.of_picture(["chart"], frozenset({".chart", "text"}))
    assert not {part for part in ("var(", "@", ":hover", "width:100%", "eeeeee") if part in css}


def test_a_picture_with_variables_of_its_own_gets_those_and_paper_is_white():
    own = ".mine { --ink: #333333; --paper: #fdfcf9 } .mine .edge { stroke: var(--ink); fill: var(--paper) }"
    told = "<title>A</title><desc>b &amp; c</desc>"
    source = f'<svg class="mine" viewBox="0 0 88 44" width="9">{told}<style>{own}</style><path class="edge"/></svg>'
    picture = Element("svg", {"class": "mine", "viewbox": "0 0 88 44"}, source=source)
    node = picture_of(picture, style_of(STYLE))
    assert ".mine .edge{stroke:#333333;fill:#ffffff}" in node["source"]
    assert (node["width"], node["tall"], node["alt"]) == (88, 44, "A b & c")
    assert node["source"].count("<style>") == 1


def test_an_ornament_has_no_words_and_a_width_of_its_own():
    ornament = Element(
        "svg",
        {"class": "lattice", "aria-hidden": "true", "width": "100%", "height": "34"},
        source='<svg class="lattice" aria-hidden="true" width="100%" height="34"></svg>',
    )
    node = picture_of(ornament, style_of(""))
    assert "alt" not in node
    assert 'width="100%"' not in node["source"]
    assert node["tall"] == 34


@pytest.mark.parametrize(
    ("source", "told"),
    [('<svg viewBox="0 0 1 1"><g></svg>', "not well-formed SVG"), ("<svg></svg>", "does not tell its size")],
)
def test_pictures_that_cannot_be_drawn_are_refused(source, told):
    with pytest.raises(InputError, match=told):
        nodes_of(f"<body><figure>{source}</figure></body>")


def test_links_lead_to_places_on_paper_and_others_are_words():
    body = '<p><a href="#there">a</a> <a href="#nowhere">b</a> <a href="https://example.org">c</a></p>'
    body += '<section id="there"><h2>d</h2></section>'
    reader = pypdf.PdfReader(
        io.BytesIO(pdf_of(f"<html lang='en'><head><title>T</title></head><body>{body}</body></html>"))
    )
    (sheet,) = reader.pages
    links = [one.get_object() for one in sheet["/Annots"]]
    assert len(links) == 2
    assert [link["/A"]["/URI"] for link in links if "/A" in link and "/URI" in link["/A"]] == ["https://example.org"]
    assert sheet.extract_text().startswith("a b c")


def test_text_of_a_table_outside_its_cells_is_refused_not_lost():
    with pytest.raises(InputError, match="<tr> outside its cells"):
        nodes_of("<body><table><tbody><tr>a<td>b</td></tr></tbody></table></body>")


def test_rows_without_a_body_and_spans():
    (table,) = blocks_of("<table><tr><th>a</th><td>b</td></tr><tr><td colspan='2'>c</td></tr></table>")
    assert table["columns"] == 2
    assert [[cell["span"] for cell in row["cells"]] for body in table["bodies"] for row in body] == [[1, 1], [2]]
    assert table["longest"] == ["a", "b"]
