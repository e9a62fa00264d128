"""The arguments that the commands of the vault share."""

from __future__ import annotations

from typing import Annotated

import typer

Vault = Annotated[
    str,
    typer.Argument(
        metavar="VAULT",
        help="The vault: a file; or env:NAME, a variable that holds the address of a PostgreSQL database.",
        show_default=False,
    ),
]
Key = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="env:NAME|file:PATH",
        help="Where its key is; $CELOSIA_VAULT_KEY if it is set, else a passphrase is asked for.",
        show_default=False,
    ),
]
NewKey = Annotated[
    str | None,
    typer.Option(
        "--new-key",
        metavar="env:NAME|file:PATH",
        help="Where the new key is; else a new passphrase is asked for.",
        show_default=False,
    ),
]
From = Annotated[str | None, typer.Option("--from", help="A file of pseudonyms, one in a line; - is standard input.")]
Scope = Annotated[str | None, typer.Option("--scope", help="What kind of person it is, such as student.")]
Dataset = Annotated[str | None, typer.Option("--dataset", help="The data set that has pseudonyms of its own.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
