"""``celosia vault limit``: how many look-ups a day allows."""

from __future__ import annotations

from typing import Annotated

import typer

from celosia.cli.console import print_json, screen
from celosia.cli.vault.access import opened
from celosia.cli.vault.options import AsJson, Key, Vault


def limit(
    vault: Vault,
    n: Annotated[int, typer.Argument(metavar="N", help="How many look-ups a day allows.", show_default=False)],
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Set how many look-ups a day (UTC) allows; the log tells of the change."""
    kept = opened(vault, key)
    kept.set_limit(n)
    if as_json:
        print_json({"limit": kept.limit})
    else:
        screen.print(f"Look-ups a day: {kept.limit}.")
