"""``celosia vault init``: a new, empty vault."""

from __future__ import annotations

from typing import Annotated

import typer

from celosia.cli.console import print_json, screen
from celosia.cli.vault.access import new_key_of, place_of
from celosia.cli.vault.options import AsJson, Key, Vault


def init(
    vault: Vault,
    key: Key = None,
    limit: Annotated[int, typer.Option("--limit", help="How many look-ups a day (UTC) allows.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Make an empty vault; an existing one is refused."""
    from celosia.masks import vault as vaults

    place, source = place_of(vault), new_key_of(key, "--key")
    made = vaults.Vault.create(place, source, limit=limit)
    if as_json:
        print_json(made.summary())
        return
    screen.print(f"The vault is made. It allows {made.limit} look-ups a day.")
    screen.print(
        "Keep its key apart from it, and copies of both: without the key nobody gets a name back.", soft_wrap=True
    )
