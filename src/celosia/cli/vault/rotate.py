"""``celosia vault rotate``: another key."""

from __future__ import annotations

from celosia.cli.console import print_json, progress_bar, screen
from celosia.cli.vault.access import new_key_of, opened
from celosia.cli.vault.options import AsJson, Key, NewKey, Vault


def rotate(vault: Vault, new_key: NewKey = None, key: Key = None, as_json: AsJson = False) -> None:
    """Seal everything anew under another key; pseudonyms stay as they are, and the old key opens nothing any more."""
    kept = opened(vault, key)
    wanted = new_key_of(new_key)
    with progress_bar() as bar:
        bar.stage("Sealing anew")
        n_sealed = kept.rotate(wanted)
    if as_json:
        print_json({"n_sealed": n_sealed})
        return
    screen.print(f"Identities sealed anew: {n_sealed}. The vault opens with the new key only.")
    screen.print(
        "Copies made before still open with the old one: if it was stolen, delete them.",
        soft_wrap=True,
    )
