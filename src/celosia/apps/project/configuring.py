"""The plan that a project's steps amount to: read as plan files are, so that errors keep their lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from celosia.apps.project.answers import Answers
from celosia.apps.project.steps.base import mapping_of
from celosia.base.errors import PlanError
from celosia.base.yaml import Section
from celosia.data.schema import Table
from celosia.jobs.plan_file import Config, config_of
from celosia.masks import Drop

_LEAST_K = 2
"""The loop puts the k that the threshold asks for in its place."""


def places_in(top: Section, file: Path) -> Config:
    """Return where a project's input and output are; nothing else in it is looked at.

    Raises
    ------
    PlanError, OptionError, FormatError
        They are not written as in a plan.
    """
    return config_of(_assembled(top, {"schema": (top, CommentedMap()), "models": (top, _models(None))}), file)


def roles_in(top: Section, file: Path) -> Config:
    """Return the roles and hierarchies of step 3, and where the input is; techniques are not looked at.

    Raises
    ------
    PlanError, OptionError, HierarchyError, FormatError
        As a plan file does, with the line.
    """
    attributes = mapping_of(mapping_of(top, "steps"), "attributes")
    schema = attributes.get("schema") or CommentedMap()
    return config_of(_assembled(top, {"schema": (attributes, schema), "models": (attributes, _models(None))}), file)


def config_in(top: Section, file: Path, answers: Answers) -> Config:
    """Return the plan that the steps amount to: roles, masks, dropped columns, further models, the accepted risk.

    Raises
    ------
    PlanError, OptionError, HierarchyError, FormatError
        As a plan file does, with the line.
    """
    steps = mapping_of(top, "steps")
    attributes, anonymisation = mapping_of(steps, "attributes"), mapping_of(steps, "anonymisation")
    parts = {"schema": (attributes, attributes.get("schema") or CommentedMap())}
    parts["models"] = (anonymisation, _models(anonymisation.get("models")))
    for key in ("masks", "masks_after", "range_style"):
        if anonymisation.get(key) is not None:
            parts[key] = (anonymisation, anonymisation.get(key))
    config = config_of(_assembled(top, parts), file)
    published = [name for name in answers.purposes.drop if not answers.attributes.is_identifier(name)]
    masks = (*config.plan.masks, Drop(columns=published)) if published else config.plan.masks
    return replace(config, plan=replace(config.plan, masks=masks, risk=answers.targets.situation))


def refuse_purposeless(config: Config, table: Table, answers: Answers) -> tuple[str, ...]:
    """Return the columns that would be published, or refuse where step 4 says something else.

    Raises
    ------
    PlanError
        A mask keeps an identifier, or makes a column, of which step 4 knows nothing; or a kept one would be gone.
    """
    with config.locating():
        schema = config.plan.masked(table).schema
    named = [*schema.quasi_identifiers, *schema.sensitive, *schema.insensitive]
    published = tuple(name for name in dict.fromkeys(named) if name != schema.subject)
    for column in answers.purposes.keep:
        if column not in published:
            raise PlanError(
                f"step 4 keeps '{column}' for a purpose, but it would not be published.",
                hint="unsign purposes and drop it, or have no mask remove it; identifiers are removed by their role.",
                where=config.places.get("masks"),
            )
    for column in published:
        if not answers.purposes.keep.get(column):
            raise PlanError(
                f"'{column}' would be published, and step 4 gives no purpose for it.",
                hint="unsign purposes and write one under keep, or have no mask keep it.",
                where=config.places.get("masks"),
            )
    return published


def _models(given: Any) -> CommentedSeq:
    """Return further models with k-anonymity behind them."""
    models = CommentedSeq([*(given or []), {"k_anonymity": {"k": _LEAST_K}}])
    if isinstance(given, CommentedSeq):
        models.lc.data = given.lc.data
    return models


def _assembled(top: Section, parts: dict[str, tuple[Section, Any]]) -> Section:
    """Return the mapping of a plan whose keys know where they stand in the project file."""
    found = {key: (top, top.get(key)) for key in ("input", "output") if top.get(key) is not None} | parts
    plan = CommentedMap({key: own for key, (_, own) in found.items()})
    for key, (section, _) in found.items():
        line = int(section.place(key).rpartition(":")[2]) - 1
        plan.lc.add_kv_line_col(key, [line, 0, line, 0])
    return Section(plan, top.name, "the project")
