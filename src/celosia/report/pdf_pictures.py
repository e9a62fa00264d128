"""Pictures on their own: an SVG of a page with the page's style in it, as the type-setter wants it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html import escape, unescape
from typing import Any

from celosia.base.errors import InputError
from celosia.report.html_tree import Element
from celosia.report.print_style import SERIF, PrintStyle, style_of

_ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|apos;|#)\w+;")
_SIZES = re.compile(r"""\s(?:xmlns|width|height)=(?:"[^"]*"|'[^']*')""")
_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style>", re.DOTALL)
_TAG = re.compile(r"<([A-Za-z][\w-]*)")
_CLASSES = re.compile(r"""\sclass=["']([^"']*)["']""")
_TOLD = re.compile(r"<(title|desc)\b[^>]*>(.*?)</\1>", re.DOTALL)
_ENDLESS = 2040
"""How wide an ornament is that fills whatever width there is; the template cuts it."""


def picture_of(element: Element, style: PrintStyle) -> dict[str, Any]:
    """Return the node of a picture: its source with its style, its size, and its words for those who do not see it.

    Raises
    ------
    InputError
        The picture is not well-formed, or does not tell its size.

    Examples
    --------
    >>> source = '<svg class="chart" viewBox="0 0 20 10" aria-label="a bar"><rect class="after"/></svg>'
    >>> chart = Element("svg", {"class": "chart", "viewbox": "0 0 20 10", "aria-label": "a bar"}, source=source)
    >>> node = picture_of(chart, style_of(":root { --accent: #123 } .after { fill: var(--accent) }"))
    >>> node["width"], node["tall"], node["alt"], ".after{fill:#123}" in node["source"]
    (20.0, 10.0, 'a bar', True)
    """
    source = _ENTITY.sub(lambda found: unescape(found[0]), element.source)
    _check(source)
    width, height = _size(element)
    own_style = "\n".join(_STYLE.findall(source))
    css = PrintStyle(style.rules + style_of(own_style).rules).of_picture(element.classes, _names(source))
    told = " ".join(unescape(words) for _, words in _TOLD.findall(source))
    end = source.index(">")
    start, inside = _SIZES.sub("", source[:end]), _STYLE.sub("", source[end + 1 :])
    made = (
        f'{start} xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}">'
        f'<style>text{{font-family:"{SERIF}"}}{escape(css, quote=False)}</style>{inside}'
    )
    node = {"tag": "svg", "source": made, "width": width, "tall": height}
    if element.attributes.get("aria-hidden") != "true":
        node["alt"] = element.attributes.get("aria-label") or told
    return node


def _names(source: str) -> frozenset[str]:
    """Return the tags in a picture, and its classes with a dot in front."""
    classes = (name for names in _CLASSES.findall(source) for name in names.split())
    return frozenset([*_TAG.findall(source), *(f".{name}" for name in classes)])


def _check(source: str) -> None:
    try:
        ET.fromstring(source)
    except ET.ParseError as error:
        place = f"line {error.position[0]}, column {error.position[1]} of it"
        raise InputError("a picture of the page is not well-formed SVG.", hint=f"look at {place}.") from None


def _size(element: Element) -> tuple[float, float]:
    box = element.attributes.get("viewbox", "").replace(",", " ").split()
    width, height = (element.attributes.get(name, "").removesuffix("px") for name in ("width", "height"))
    try:
        if len(box) == 4:
            return float(box[2]), float(box[3])
        return (_ENDLESS if width == "100%" else float(width)), float(height)
    except ValueError:
        raise InputError("a picture of the page does not tell its size.", hint="give it a viewBox.") from None
