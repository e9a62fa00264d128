"""``celosia vault forget``: a person's identity goes for good."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from celosia.cli.console import print_json, screen
from celosia.cli.vault.access import heed_ctrl_c, opened
from celosia.cli.vault.listing import asked_for, lines_of
from celosia.cli.vault.options import AsJson, Dataset, From, Key, Scope, Vault


def forget(
    vault: Vault,
    pseudonyms: Annotated[
        list[str] | None, typer.Argument(metavar="PSEUDONYM", help="Whom to forget.", show_default=False)
    ] = None,
    source: From = None,
    identities_from: Annotated[
        str | None,
        typer.Option("--identities-from", help="A file of identities, one in a line; - is standard input."),
    ] = None,
    scope: Scope = None,
    dataset: Dataset = None,
    all_scopes: Annotated[
        bool, typer.Option("--all-scopes", help="Forget these identities in every scope and data set.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether you mean it.")] = False,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Delete who is behind pseudonyms, for good. The pseudonyms stay in use, and are never given to anybody else."""
    by_identity = identities_from is not None
    _check(bool(pseudonyms) or source is not None, by_identity, scope, dataset, all_scopes)
    wanted = _identities(identities_from) if identities_from is not None else asked_for(pseudonyms, source)
    within = _scope(scope, dataset)
    if not yes:
        _confirm(len(wanted))
    kept = opened(vault, key)
    n_forgotten = kept.forget(identities=wanted, scope=within) if by_identity else kept.forget(wanted)
    if as_json:
        print_json({"n_asked": len(wanted), "n_forgotten": n_forgotten})
    else:
        screen.print(f"Pseudonyms whose person was forgotten: {n_forgotten}. Asked for: {len(wanted)}.")
        screen.print("Copies and exports of the vault still know them: delete or treat those too.", soft_wrap=True)
    if not n_forgotten:  # a wrong scope must not pass for a person forgotten
        where = "in this scope of the vault" if scope else "in the vault"
        typer.echo(f"Nobody was forgotten: none of them is {where}, or all were forgotten before.", err=True)
        raise typer.Exit(1)


def _check(by_pseudonym: bool, by_identity: bool, scope: str | None, dataset: str | None, all_scopes: bool) -> None:
    from celosia.base.errors import OptionError

    if by_pseudonym and by_identity:
        raise OptionError("people are named by pseudonyms or by identities, not by both.", hint="leave one out.")
    if by_identity and (scope is None) is not all_scopes:
        raise OptionError(
            "--identities-from needs --scope or --all-scopes.",
            hint="a scope is the column's name, unless another was chosen; celosia vault status lists them.",
        )
    if dataset is not None and scope is None:
        raise OptionError("--dataset needs --scope.", hint="a scope is the column's name, unless another was chosen.")
    if scope is not None and not by_identity:
        raise OptionError("--scope is for --identities-from: a pseudonym has one scope.", hint="leave it out.")


def _scope(scope: str | None, dataset: str | None) -> str | None:
    from celosia.masks.pseudonymise import label
    from celosia.masks.pseudonyms.sources import scope_of_dataset

    named = label("scope", scope)
    return None if named is None else scope_of_dataset(named, label("dataset", dataset) or "")


def _identities(source: str) -> list[str]:
    from celosia.base.errors import InputError

    found = lines_of(source)
    if not found:
        raise InputError("the list of identities is empty.", hint="write one in a line.")
    return found


def _confirm(n_people: int) -> None:
    """Ask on the terminal; where nobody can be asked, nothing is forgotten."""
    from celosia.base.errors import OptionError

    heed_ctrl_c()
    if not _can_be_asked():
        raise OptionError("forgetting cannot be undone, and there is no terminal to ask at.", hint="add --yes.")
    asked = f"Forget {n_people} {'person' if n_people == 1 else 'people'}? It cannot be undone."
    try:
        is_meant = typer.confirm(asked, err=True)
    except typer.Abort:  # Ctrl-C or Ctrl-D in place of an answer
        typer.echo(err=True)
        is_meant = False
    if not is_meant:
        typer.echo("Nobody was forgotten.", err=True)
        raise typer.Exit(1)


def _can_be_asked() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()
