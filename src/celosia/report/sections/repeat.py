"""How to repeat the run: plan, commands, versions; no seed, no values of trees."""

from __future__ import annotations

import platform
import shlex
from importlib.metadata import version
from pathlib import Path
from typing import Any

from celosia.base.entries import describe
from celosia.base.version import __version__
from celosia.base.yaml import in_few_lines
from celosia.data.hierarchies import Order, Tree
from celosia.data.hierarchies.base import Hierarchy
from celosia.masks.hiding import HIDDEN
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections.base import Section


def repeat(facts: Facts, language: Language) -> Section:
    """Return the plan as it stands in a plan file, the command lines, and the versions that made the release."""
    _ = language.text
    notes = []
    if _has_hidden(facts):
        notes.append(
            _(
                "Trees, orders, populations and declared values are named, but what is in them is not shown: put your "
                "own files and lists there."
            )
        )
    if facts.release.plan.seed is None:
        notes.append(
            _(
                "No seed was fixed: a repeated run breaks ties differently and shuffles anew, so that rows and figures "
                "may differ a little."
            )
        )
    elif facts.release.was_stopped or "time_limit" in facts.release.plan.algorithm.to_dict():
        notes.append(
            _(
                "A seed was fixed, and is not written here; but the search ended by the clock or by hand, so that a "
                "repeated run may find other classes."
            )
        )
    else:
        notes.append(_("A seed was fixed. It is not written here; add it with --seed to get the same release."))
    return Section(
        "repeat",
        _("How to repeat it"),
        {
            "plan": in_few_lines(_plan(facts)),
            "commands": _commands(facts, language),
            "notes": notes,
            "versions": [
                ("Celosía", __version__),
                ("Python", platform.python_version()),
                ("NumPy", version("numpy")),
                ("Polars", version("polars")),
            ],
            "data": _data(facts, language),
        },
    )


def _has_hidden(facts: Facts) -> bool:
    """Whether the plan names something whose values are not shown."""
    plan, hierarchies = facts.release.plan, facts.release.given.schema.quasi_identifiers.values()
    return (
        any(isinstance(one, Tree | Order) for one in hierarchies)
        or any(describe(model) != _model(model) or "population" in model.needs for model in plan.models)
        or plan.to_dict() != plan.to_dict(values=False)
    )


def _plan(facts: Facts) -> dict[str, Any]:
    plan = facts.release.plan.to_dict(values=False) | {"models": [_model(model) for model in facts.release.plan.models]}
    keep_order = plan.pop("keep_order")
    given = facts.release.given.schema
    schema = given.to_dict(values=False)
    if "quasi_identifiers" in schema:
        schema["quasi_identifiers"] = {
            column: _without_values(column, hierarchy, schema["quasi_identifiers"][column])
            for column, hierarchy in given.quasi_identifiers.items()
        }
    del keep_order  # an option of the command line, not of plan files
    return {"version": 1, "input": facts.table.name, "schema": schema, **{key: one for key, one in plan.items() if one}}


def _model(model: Any) -> dict[str, Any]:
    """Return a model as it stands in a plan file, files named and values hidden."""
    ((name, options),) = describe(model).items()
    hierarchy = getattr(model, "hierarchy", None)
    if hierarchy is not None:
        options = options | {"hierarchy": _without_values(options["on"], hierarchy, describe(hierarchy))}
    if options.get("population") == "given":
        source = model.population.name
        options = options | {"population": source if Path(source).suffix else "population.csv"}
    if "values" in options:
        options = options | {"values": [HIDDEN]}
    return {name: options}


def _without_values(column: str, hierarchy: Hierarchy, described: Any) -> Any:
    if isinstance(hierarchy, Tree):
        file = hierarchy.source if hierarchy.source.endswith((".csv", ".txt")) else f"{column}.csv"
        if hierarchy.on_missing == "error":
            return {"tree": file}
        return {"tree": {"path": file, "on_missing": hierarchy.on_missing}}
    if isinstance(hierarchy, Order):
        return {"order": described["order"] | {"values": [HIDDEN]}}
    return described


def _commands(facts: Facts, language: Language) -> list[str]:
    run = "celosia run plan.yaml --out release"
    if facts.release.plan.keep_order:
        run += " --keep-order"
    if language.code != "en":
        run += f" --lang {language.code}"
    suffix = str(facts.data["format"]) if facts.data else "csv"
    compared = shlex.join(["celosia", "compare", facts.table.name, f"release/data.{suffix}", "--plan", "plan.yaml"])
    return [run, f"python -m celosia.audit release/data.{suffix} release/claim.json", compared]


def _data(facts: Facts, language: Language) -> list[tuple[str, str]]:
    if facts.data is None:
        return []
    _ = language.text
    return [
        (_("format"), str(facts.data["format"])),
        (_("rows"), language.whole(int(facts.data["n_rows"]))),
        ("SHA-256", str(facts.data["sha256"])),
    ]
