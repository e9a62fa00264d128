"""``celosia list``: what there is to choose from."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from celosia.cli.console import print_json, rows_table


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
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the models, masks, algorithms, measures or hierarchies, with their options."""
    from celosia.jobs.registry import entries

    found = entries(room.value)
    if as_json:
        print_json([entry.to_dict() for entry in found])
        return
    rows_table(
        room.value.capitalize(),
        ["name", "in Python", "options", "what it is"],
        [[entry.name, entry.python, ", ".join(entry.options), entry.summary] for entry in found],
    )
