"""``celosia list``: what there is to choose from."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from celosia.cli.console import answer, rows_table
from celosia.cli.options import json_of


class Room(StrEnum):
    """What can be listed."""

    models = "models"
    masks = "masks"
    algorithms = "algorithms"
    utility = "utility"
    risk = "risk"
    hierarchies = "hierarchies"


def list_(
    room: Annotated[Room, typer.Argument(help="What to list.", show_default=False)],
    as_json: Annotated[bool, json_of("the list")] = False,
) -> None:
    """List the models, masks, algorithms, measures or hierarchies, with their options."""
    from celosia.jobs.registry import entries

    found = entries(room.value)
    rows = [[entry.name, entry.python, ", ".join(entry.options), entry.summary] for entry in found]
    header = ["name", "in Python", "options", "what it is"]
    answer(
        [entry.to_dict() for entry in found],
        lambda: rows_table(room.value.capitalize(), header, rows),
        as_json=as_json,
    )
