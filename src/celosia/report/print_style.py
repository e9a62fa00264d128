"""The style of a page on paper: what its own CSS hides, and how it colours pictures.

The type-setter knows neither a page's CSS nor ``var()``: what pictures need of it is spelt out in each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

SERIF = "Libertinus Serif"
"""The font of text and pictures; it comes with the type-setter."""
_MONO = "DejaVu Sans Mono"

_OF_PICTURES = re.compile(
    r"fill|fill-opacity|stroke|stroke-.+|opacity|color|display|visibility|paint-order|text-anchor|dominant-baseline"
    r"|letter-spacing|font-(family|size|style|weight)"
)
_NAME = re.compile(r"\.?[A-Za-z][\w-]*")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]*))?\)")
_REM = re.compile(r"(\d*\.?\d+)rem\b")
_ROOT_SIZE = 16
_SIZE = re.compile(r"(\d*\.?\d+)px")
_LARGER = 1.14
"""The letters of a serif look smaller than those that pictures are drawn for, and are narrower."""
_PAPER = {"--paper": "#ffffff"}
"""Paper is white, whatever the screen has."""


@dataclass(frozen=True)
class _Rule:
    selector: str
    declarations: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PrintStyle:
    """The rules of a style sheet that hold on paper, in their order.

    Examples
    --------
    >>> style = style_of(":root { --ink: #222 } .chart text { fill: var(--ink) } .phone { display: none }")
    >>> style.colours, style.hidden, style.of_picture([], frozenset({".chart", "text"}))
    ({'ink': '#222'}, frozenset({'phone'}), '.chart text{fill:#222}')
    """

    rules: tuple[_Rule, ...]

    @property
    def colours(self) -> dict[str, str]:
        """The page's variables that are colours, by their names, and the colour of its stamp."""
        known = _variables(self.rules)
        colours = {name[2:]: value for name, value in known.items() if value.startswith("#")}
        for rule in self.rules:
            if rule.selector == ".stamp" and "color" in dict(rule.declarations):
                colours["stamp"] = _resolved(dict(rule.declarations)["color"], known)
        return colours

    @property
    def hidden(self) -> frozenset[str]:
        """The classes whose elements are not shown on paper."""
        shown: dict[str, str] = {}
        for rule in self.rules:
            if re.fullmatch(r"\.[\w-]+", rule.selector):
                shown.update((rule.selector[1:], value) for name, value in rule.declarations if name == "display")
        return frozenset(name for name, value in shown.items() if value == "none")

    def of_picture(self, classes: list[str], names: frozenset[str]) -> str:
        """Return the style of a picture with these classes: no variables, and fonts that the type-setter has.

        Parameters
        ----------
        names
            The tags in it, and the classes with a dot in front: rules about others are left out, as reading them would
            take a third of the time that a page takes.
        """
        return _of_picture(self.rules, tuple(classes), names)


@lru_cache(maxsize=32)
def style_of(css: str) -> PrintStyle:
    """Return what of a style sheet holds on paper: rules for every medium and for print.

    Examples
    --------
    >>> style_of("a { color: red } @media print { a { color: blue } } @media (max-width: 9rem) { a { color: gray } }")
    PrintStyle(rules=(_Rule(selector='a', declarations=(('color', 'red'),)),
        _Rule(selector='a', declarations=(('color', 'blue'),))))
    """
    return PrintStyle(tuple(_rules(_COMMENT.sub("", css))))


@lru_cache(maxsize=32)
def _of_picture(rules: tuple[_Rule, ...], classes: tuple[str, ...], names: frozenset[str]) -> str:
    known = {**_variables(rules, classes), **_PAPER}
    meant = (rule for rule in rules if ":" not in rule.selector and names.issuperset(_NAME.findall(rule.selector)))
    return "".join(_spelt(rule, known) for rule in meant)


def _variables(rules: tuple[_Rule, ...], classes: tuple[str, ...] = ()) -> dict[str, str]:
    selectors = {":root", *(f".{name}" for name in classes)}
    return {
        name: value
        for rule in rules
        if rule.selector in selectors
        for name, value in rule.declarations
        if name.startswith("--")
    }


def _spelt(rule: _Rule, known: Mapping[str, str]) -> str:
    said = ";".join(
        f"{name}:{_on_paper(name, _resolved(value, known))}"
        for name, value in rule.declarations
        if _OF_PICTURES.fullmatch(name)
    )
    return f"{rule.selector}{{{said}}}" if said else ""


def _rules(css: str) -> Iterator[_Rule]:
    for head, body in _blocks(css):
        if head.startswith("@media") and "print" in head:
            yield from _rules(body)
        elif not head.startswith("@"):
            declarations = tuple(_declarations(body))
            for selector in head.split(","):
                yield _Rule(" ".join(selector.split()), declarations)


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """Give what stands before and within each pair of outer braces."""
    depth, start, head = 0, 0, ""
    for brace in re.finditer(r"[{}]", css):
        if brace[0] == "{":
            if depth == 0:
                head, start = css[start : brace.start()].strip(), brace.end()
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                yield head, css[start : brace.start()]
                start = brace.end()


def _declarations(body: str) -> Iterator[tuple[str, str]]:
    for declaration in body.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            yield name.strip(), value.strip()


def _resolved(value: str, known: Mapping[str, str]) -> str:
    while found := _VARIABLE.search(value):
        value = value.replace(found[0], known.get(found[1], found[2] or "none"))
    return _REM.sub(lambda size: f"{float(size[1]) * _ROOT_SIZE:g}px", value)


def _on_paper(name: str, value: str) -> str:
    if name == "font-family":
        return f'"{_MONO if "mono" in value else SERIF}"'
    if name == "font-size":
        return _SIZE.sub(lambda size: f"{float(size[1]) * _LARGER:g}px", value)
    return value
