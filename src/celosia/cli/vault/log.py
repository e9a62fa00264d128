"""``celosia vault log``: who did what, and whether somebody meddled with the answer."""

from __future__ import annotations

from typing import Annotated

import typer

from celosia.cli.console import print_json, rows_table, screen
from celosia.cli.vault.access import opened
from celosia.cli.vault.listing import shown
from celosia.cli.vault.options import AsJson, Key, Vault


def log(
    vault: Vault,
    expect: Annotated[
        str | None, typer.Option("--expect", help="A seal that was noted earlier; it must still fit.", metavar="SEAL")
    ] = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Show what was done with the vault, and its seal; a log that was changed or cut ends with code 2."""
    found = opened(vault, key).log(expect)
    if as_json:
        print_json(found.to_dict())
        return
    rows_table(
        "Log",
        ["", "when (UTC)", "action", "who", "scope", "how many"],
        [
            [
                str(line.number),
                line.when.replace("T", " ").removesuffix("Z"),
                line.action,
                shown(line.who),
                shown(line.scope or ""),
                ", ".join(f"{name.removeprefix('n_')} {n}" for name, n in line.counts.items()),
            ]
            for line in found.lines
        ],
    )
    if expect is not None:
        screen.print("The seal that was noted fits: all up to it is as it was.")
    screen.print(f"No line was changed. Seal: {found.seal}", markup=False, soft_wrap=True)
    screen.print("Note the seal elsewhere: --expect SEAL shows later whether the log was written anew.", soft_wrap=True)
