"""``celosia vault status``: what a vault holds, in numbers."""

from __future__ import annotations

from celosia.cli.console import figures, print_json, rows_table
from celosia.cli.vault.access import opened
from celosia.cli.vault.listing import shown
from celosia.cli.vault.options import AsJson, Key, Vault


def status(vault: Vault, key: Key = None, as_json: AsJson = False) -> None:
    """Show how many people a vault knows, by scope, and how many look-ups are left today."""
    found = opened(vault, key).summary()
    if as_json:
        print_json(found)
        return
    figures(
        "Vault",
        [
            ("people", str(found["n_identities"])),
            ("forgotten", str(found["n_forgotten"])),
            ("look-ups today (UTC)", f"{found['n_lookups_today']} of {found['limit']}"),
        ],
    )
    if found["scopes"]:
        rows_table(
            "Scopes",
            ["scope", "data set", "people", "forgotten"],
            [
                [*_parted(name), str(own["n_identities"]), str(own["n_forgotten"])]
                for name, own in found["scopes"].items()
            ],
        )


def _parted(name: str) -> tuple[str, str]:
    scope, _, dataset = name.partition("@")
    return shown(scope), shown(dataset)
