"""The columns, their roles, and what became of each."""

from __future__ import annotations

from celosia.data.hierarchies import Category, Number, Order, Tree
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.schema import Role
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section


def roles(facts: Facts, language: Language) -> Section:
    """Return a row per column: role, how it is published, weight where weights are given."""
    _ = language.text
    schema = facts.table.schema
    rows = []
    for column in facts.table.frame.columns:
        hierarchy = schema.quasi_identifiers.get(column)
        rows.append(
            {
                "column": column,
                "role": _role(facts, column, language),
                "published": _published(facts, column, hierarchy, language),
                "weight": "" if hierarchy is None else language.number(schema.weights.get(column, 1)),
            }
        )
    rows += [
        {"column": column, "role": _("none"), "published": _("removed by a mask"), "weight": ""}
        for column in dropped(facts)
    ]
    return Section("roles", _("The columns and their roles"), {"rows": rows, "weighted": bool(schema.weights)})


def dropped(facts: Facts) -> list[str]:
    """Return the columns that a mask removed before anything else looked at them."""
    return [change.column for change in facts.release.masked.changes if change.verb == "removed"]


def _role(facts: Facts, column: str, language: Language) -> str:
    _ = language.text
    words = {
        Role.IDENTIFIER: _("identifier"),
        Role.QUASI_IDENTIFIER: _("quasi-identifier"),
        Role.SENSITIVE: _("sensitive"),
        Role.INSENSITIVE: _("insensitive"),
    }
    schema = facts.table.schema
    if column == schema.subject:
        return _("subject (an identifier)")
    return language.listed([word for role, word in words.items() if role in schema.roles(column)])


def _published(facts: Facts, column: str, hierarchy: Hierarchy | None, language: Language) -> str:
    _ = language.text
    if Role.IDENTIFIER in facts.table.schema.roles(column):
        return _("removed")
    if hierarchy is None or column == facts.release.recoding.kept:
        return _("as masks left it") if column in facts.release.masked.changed else _("as it is")
    if isinstance(hierarchy, Number):
        return _number(hierarchy, language)
    if isinstance(hierarchy, Category) and hierarchy.publish == "centroid":
        return _("the most frequent value of the class")
    if isinstance(hierarchy, Tree):
        return language.plural(
            "a value or group of a tree with {n} leaf",
            "a value or group of a tree with {n} leaves",
            len(hierarchy.rows),
        )
    if isinstance(hierarchy, Order):
        return language.plural(
            "neighbours in an order of {n} value", "neighbours in an order of {n} values", len(hierarchy.values)
        )
    words = {
        "category": _("the set of the values in the class"),
        "intervals": _("intervals of a fixed grid"),
        "prefix": _("the first characters, the rest hidden by *"),
        "dates": _("calendar periods: month, quarter, year, decade"),
    }
    return words.get(hierarchy.name, hierarchy.name)


def _number(hierarchy: Number, language: Language) -> str:
    _ = language.text
    if hierarchy.publish == "centroid":
        return _("the mean of the class")
    if hierarchy.grid is not None:
        return _("a range whose ends are multiples of {grid}", grid=language.number(float(hierarchy.grid)))
    if hierarchy.publish == "pair":
        return _("two columns: lowest and highest value of the class")
    return _("the range from the lowest to the highest value of the class")
