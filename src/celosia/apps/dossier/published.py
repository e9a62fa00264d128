"""How to read each published column, in words for whoever receives the data. Taken from the claim, which is public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celosia.report.language import Language


def readings(claim: Mapping[str, Any], language: Language) -> list[tuple[str, str]]:
    """Return the name of every published column, and what its cells mean.

    Examples
    --------
    >>> claim = {"columns": [{"name": "age", "role": "quasi_identifier", "kind": "number", "style": "bracket"}]}
    >>> readings(claim, Language("en"))
    [('age', "A range: the person's value lies in it, ends included.")]
    """
    return [(_names(entry), _reading(entry, language)) for entry in claim["columns"]]


def _names(entry: Mapping[str, Any]) -> str:
    return ", ".join(entry["columns"]) if entry.get("style") == "pair" else str(entry["name"])


def _reading(entry: Mapping[str, Any], language: Language) -> str:
    _ = language.text
    if entry.get("pseudonyms"):
        return _("A code in place of the original: a pseudonym.")
    changed = _("The column was changed on purpose before: its values are not the original ones.")
    if "kind" not in entry:
        return changed if entry.get("masked") else _("Kept: the value as it was recorded.")
    said = _coarse(entry, language)
    return f"{said} {changed}" if entry.get("masked") else said


def _coarse(entry: Mapping[str, Any], language: Language) -> str:
    _ = language.text
    style, kind = entry["style"], entry["kind"]
    if style == "centroid":
        return _("A typical value that stands for a group of people: it need not be the person's own.")
    if style == "pair":
        return _("Two columns, the lower and the upper end of a range: the person's value lies in it, ends included.")
    if style == "set":
        return _(
            "One value, or several parted by '{separator}': the person's is one of them.",
            separator=str(entry.get("separator", " / ")).strip(),
        )
    words = {
        "number": _("A range: the person's value lies in it, ends included."),
        "intervals": _("A range: the person's value lies in it; a round bracket leaves that end out."),
        "prefix": _("The first characters; each * hides one."),
        "dates": _("A day, or the month, quarter, year or decade in which it lies."),
        "category": _("A value, or the name of a group to which the person's value belongs."),
        "order": _("A value, or the name of a group to which the person's value belongs."),
        "tree": _("A value, or the name of a group to which the person's value belongs."),
    }
    return words.get(kind, _("A value, or something wider that contains it."))
