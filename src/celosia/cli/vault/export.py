"""``celosia vault export``: a copy under another key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from celosia.cli.console import print_json, progress_bar, screen
from celosia.cli.vault.access import new_key_of, opened
from celosia.cli.vault.options import AsJson, Key, NewKey, Vault


def export(
    vault: Vault,
    file: Annotated[Path, typer.Argument(help="The file to make; it must not exist.", show_default=False)],
    new_key: NewKey = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Copy the vault, encrypted, to a new file that opens with a key of its own; both logs tell of it."""
    kept = opened(vault, key)
    wanted = new_key_of(new_key)
    with progress_bar() as bar:
        bar.stage("Copying")
        n_copied = kept.export(file, wanted)
    if as_json:
        print_json({"file": str(file), "n_copied": n_copied})
    else:
        screen.print(
            f"Identities copied: {n_copied}. {file} is a vault of its own and opens with the new key.",
            markup=False,
            soft_wrap=True,
        )
