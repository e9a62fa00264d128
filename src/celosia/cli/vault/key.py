"""``celosia vault key``: a file with a new key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from celosia.cli.console import print_json, screen
from celosia.cli.vault.options import AsJson


def key(
    file: Annotated[Path, typer.Argument(help="The file to make; it must not exist.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Make a file with a new random key, readable by you alone. The key is not shown."""
    from celosia.masks.vault import new_key_file

    new_key_file(file)
    if as_json:
        print_json({"file": str(file)})
        return
    screen.print(f"A new key is in {file}. Name it by --key file:{file}.", markup=False, soft_wrap=True)
    screen.print(
        "Keep a copy elsewhere, in a password manager or a safe: without the key nobody opens the vault again.",
        soft_wrap=True,
    )
    screen.print("Keep it apart from the vault: whoever has both knows everybody.", soft_wrap=True)
