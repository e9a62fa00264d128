"""What was measured or found for a step, as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from celosia.apps.dossier.case import Step
from celosia.apps.dossier.spelling import Row, label_of, lines_of
from celosia.measure.risk.scenarios import Acquaintance, Breach, Insider, PublicRelease
from celosia.report.language import Language
from celosia.report.sections.naming import called_words

_SAID = frozenset(
    {
        *(("targets", key) for key in ("threshold", "attempt", "minimal_k", "floor")),
        ("attributes", "differs"),
        ("anonymisation", "models"),
        *(("risk", key) for key in ("threshold", "holds")),
        *(("evaluation", key) for key in ("gcp", "max_loss", "share_suppressed", "max_suppression", "holds")),
    }
)
"""What a document says already with the answers, the rounds or the findings."""
_SCENARIOS = {one.kind: one.label for one in (Insider, Acquaintance, Breach, PublicRelease)}


def evidence_of(step: Step, language: Language) -> list[Row]:
    """Return what was measured for a step, in the order in which it stands in the record.

    Examples
    --------
    >>> step = Step("attributes", "open", evidence={"input": {"name": "a.csv", "n_rows": 12000, "n_columns": 3}})
    >>> evidence_of(step, Language("en"))
    [('input', ['a.csv, 12,000 rows, 3 columns'])]
    """
    rows: list[Row] = []
    for key, value in step.evidence.items():
        if (step.name, key) in _SAID or value in (None, [], {}):
            continue
        speller = _SPELLERS.get((step.name, key))
        rows.append((label_of(key, language), speller(value, language) if speller else lines_of(value, language, key)))
    return rows


def _file(value: Mapping[str, Any], language: Language) -> list[str]:
    """Return a file by name, size and hash."""
    words = [str(value[key]) for key in ("name", "format") if key in value]
    if "n_rows" in value:
        words.append(language.plural("{n} row", "{n} rows", int(value["n_rows"])))
    if "n_columns" in value:
        words.append(language.plural("{n} column", "{n} columns", int(value["n_columns"])))
    return [", ".join(words), *([f"SHA-256 {value['sha256']}"] if value.get("sha256") else [])]


def _guesses(value: Mapping[str, Any], language: Language) -> list[str]:
    """Return what columns seemed to be when the input was looked at."""
    _ = language.text
    roles = {
        "identifier": _("Look like identifiers: {columns}."),
        "quasi_identifier": _("Look like quasi-identifiers: {columns}."),
        "sensitive": _("Look sensitive: {columns}."),
        "insensitive": _("Look insensitive: {columns}."),
    }
    columns = {role: [str(name) for name, own in value.items() if own.get("suggested") == role] for role in roles}
    return [said.format(columns=language.listed(columns[role])) for role, said in roles.items() if columns[role]]


def _masks(value: Sequence[Mapping[str, Any]], language: Language) -> list[str]:
    _ = language.text
    lines = []
    for one in value:
        columns = language.listed([str(name) for name in one["columns"]])
        done = (
            _("{mask} on {columns}.", mask=one["mask"], columns=columns)
            if columns
            else _("{mask} on whole rows.", mask=one["mask"])
        )
        lines.append(f"{done} {language.text(one['remains'])}")
    return lines


def _called(value: Sequence[str], language: Language) -> list[str]:
    return [called_words(value, language)]


def _scenarios(value: Sequence[Mapping[str, Any]], language: Language) -> list[str]:
    _ = language.text
    lines = []
    for one in value:
        label = language.text(_SCENARIOS.get(one["scenario"], one["scenario"]))
        lines.append(
            _(
                "{scenario}: an attempt has a chance of {attempt}; risk {before} before, {after} after.",
                scenario=label[:1].upper() + label[1:],
                attempt=language.percent(one["attempt"]),
                before=language.share(one["risk_before"]),
                after=language.share(one["risk_after"]),
            )
        )
    return lines


def _audit(value: Mapping[str, Any], language: Language) -> list[str]:
    passed = [name for name, status in value["checks"].items() if status == "passed"]
    return [language.plural("{n} check passed, none failed.", "{n} checks passed, none failed.", len(passed))]


def _versions(value: Mapping[str, str], language: Language) -> list[str]:
    names = {"celosia": "Celosía", "python": "Python", "polars": "Polars", "numpy": "NumPy"}
    return [", ".join(f"{names.get(name, name)} {version}" for name, version in value.items())]


def _losses(value: Mapping[str, float], language: Language) -> list[str]:
    """Return how much of each column is lost."""
    return [", ".join(f"{column} {language.percent(loss)}" for column, loss in value.items())]


_SPELLERS: dict[tuple[str, str], Callable[[Any, Language], list[str]]] = {
    ("attributes", "input"): _file,
    ("attributes", "columns"): _guesses,
    ("anonymisation", "masks"): _masks,
    ("anonymisation", "called"): _called,
    ("risk", "input"): _file,
    ("risk", "output"): _file,
    ("risk", "scenarios"): _scenarios,
    ("risk", "audit"): _audit,
    ("risk", "versions"): _versions,
    ("evaluation", "columns"): _losses,
    ("evaluation", "called"): _called,
}
