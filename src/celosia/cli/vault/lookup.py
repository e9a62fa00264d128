"""``celosia vault lookup``: who is behind a pseudonym."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from celosia.cli.console import print_json
from celosia.cli.vault.access import opened
from celosia.cli.vault.listing import asked_for, shown
from celosia.cli.vault.options import AsJson, From, Key, Vault


def lookup(
    vault: Vault,
    pseudonyms: Annotated[
        list[str] | None, typer.Argument(metavar="PSEUDONYM", help="Whom to look up.", show_default=False)
    ] = None,
    source: From = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Show who is behind pseudonyms. Each counts against the day's limit, known or not; the log tells how many."""
    wanted = asked_for(pseudonyms, source)
    kept = opened(vault, key)
    found = kept.lookup(wanted)
    summary = kept.summary()
    n_left = max(0, summary["limit"] - summary["n_lookups_today"])
    if as_json:
        print_json({"identities": found, "n_lookups_left": n_left})
        return
    width = max(len(pseudonym) for pseudonym in found)
    for pseudonym, identity in found.items():  # plain lines: a table would break long names in two
        told = "(unknown or forgotten)" if identity is None else shown(identity)
        sys.stdout.write(f"{shown(pseudonym):<{width}}  {told}\n")
    sys.stdout.write(f"Look-ups left today: {n_left} of {summary['limit']}.\n")
