"""Findings, warnings first; and what a shared secret lets anybody conclude, by example."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from celosia.base.findings import Finding
from celosia.data.classes import Classes
from celosia.data.hierarchies.domains import Bag, Levels
from celosia.data.recode import Cells
from celosia.data.schema.columns import as_text, codes_of
from celosia.report.crowd import Crowd
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section

_MOST_EXAMPLES = 3
_MOST_TRIED = 200
_LONGEST = 60


def findings(facts: Facts, language: Language) -> Section:
    """Return every finding in the report's language."""
    found = findings_in_words(facts.findings, language, lambda one: _examples(one, facts, language))
    return Section("findings", language.text("Findings"), {"findings": found})


def findings_in_words(
    told: Sequence[Finding], language: Language, examples: Callable[[Finding], list[str]] = lambda _: []
) -> list[dict[str, Any]]:
    """Return findings as a template pours them in, warnings first.

    Examples
    --------
    >>> findings_in_words([Finding("NO_EDGES", "note", "There is no edge.")], Language("en"))[0]["word"]
    'Note'
    """
    words = {"warning": language.text("Warning"), "note": language.text("Note")}
    return [
        {
            "code": one.code,
            "severity": one.severity,
            "word": words[one.severity],
            "message": message_of(one, language),
            "examples": examples(one),
        }
        for one in sorted(told, key=lambda one: one.severity != "warning")
    ]


def message_of(finding: Finding, language: Language) -> str:
    """Return the sentence of a finding in the report's language.

    Examples
    --------
    >>> message_of(Finding("SAMPLED", "note", "{count} rows are left.", values={"count": 12000}), Language("en"))
    '12,000 rows are left.'
    """
    spelt = {name: language.whole(value) if isinstance(value, int) else value for name, value in finding.places.items()}
    return language.text(finding.template, **spelt)


def _examples(finding: Finding, facts: Facts, language: Language) -> list[str]:
    if finding.code != "HOMOGENEOUS" or finding.column is None:
        return []
    return list(islice(_inferences(finding.column, facts, language), _MOST_EXAMPLES))


def _inferences(column: str, facts: Facts, language: Language) -> Iterator[str]:
    """Say what anybody learns about the members of a class, for the largest classes whose values may be named."""
    secrets = as_text(facts.table.frame[column])
    cells = facts.release.recoding.cells
    people = [_people(one, facts) for one in cells]
    for rows in _alike(codes_of(secrets)[0], facts.classes):
        secret = secrets[int(rows[0])]
        named = all(_may_be_named(one, rows, n, facts.k) for one, n in zip(cells, people, strict=True))
        if secret is None or not cells or not named:
            continue
        known = [f"{one.column.name} = {_clipped(_text(one, int(rows[0]), facts, language))}" for one in cells]
        yield language.text(
            "Whoever knows that somebody is in these data with {known} learns with certainty: {column} = {secret} "
            "({n_rows} rows).",
            known=language.listed(known),
            column=column,
            secret=_clipped(secret),
            n_rows=language.whole(len(rows)),
        )


def _alike(codes: NDArray[np.int32], classes: Classes) -> Iterator[NDArray[np.intp]]:
    """Give the rows of each class that shares one secret, the largest classes first."""
    alike = np.flatnonzero(classes.distinct(codes) == 1)
    tried = alike[np.argsort(-classes.sizes[alike], kind="stable")][:_MOST_TRIED]
    is_tried = np.zeros(classes.n_classes + 1, dtype=np.bool_)  # the last is for suppressed rows, whose label is -1
    is_tried[tried] = True
    rows = np.flatnonzero(is_tried[classes.labels])
    for label in tried.tolist():
        yield rows[classes.labels[rows] == label]


def _text(cells: Cells, row: int, facts: Facts, language: Language) -> str:
    place = int(cells.of_class[facts.release.recoding.searched.labels[row]])
    texts = [texts[place] for texts in cells.texts]
    if texts[0] is None:
        return language.text("missing")
    return " .. ".join(text for text in texts if text is not None)


def _people(cells: Cells, facts: Facts) -> NDArray[np.int64]:
    """Return how many people have each value of a column."""
    n_values = len(cells.column.domain.values)
    return Crowd(np.maximum(cells.column.codes, -1) + 1, n_values + 1, facts.table.subjects).people[1:]


def _may_be_named(cells: Cells, rows: NDArray[np.intp], people: NDArray[np.int64], least: int) -> bool:
    """Tell whether a class's cell names no value of fewer than ``least`` people, and no extreme of the column."""
    held = np.unique(cells.column.codes[rows])
    domain = cells.column.domain
    if held[0] < 0:
        return True
    if cells.column.hierarchy.value_type == "number":
        coarse = isinstance(domain, Levels) and len(held) > 1
        return coarse or (int(held[0]) > 0 and int(held[-1]) < len(domain.values) - 1)
    if isinstance(domain, Bag):
        return bool((people[held] >= least).all())
    if domain.kind == "order":
        return bool((people[held[0] : held[-1] + 1] >= least).all())
    return True


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
