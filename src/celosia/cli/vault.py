"""``celosia vault``: the store of identities behind reversible pseudonyms."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from celosia.base.errors import InputError, OptionError
from celosia.cli.console import answer, figures, progress_bar, rows_table, say
from celosia.cli.options import DataTable, Sheet, json_of
from celosia.cli.vault_access import asked_for, heed_ctrl_c, lines_of, new_key_of, opened, place_of, shown

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
AsJson = Annotated[bool, json_of("the result")]


def key(
    file: Annotated[Path, typer.Argument(help="The file to make; it must not exist.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Make a file with a new random key, readable by you alone. The key is not shown."""
    from celosia.masks.vault import new_key_file

    new_key_file(file)
    said = (
        f"A new key is in {file}. Name it by --key file:{file}.",
        "Keep a copy elsewhere, in a password manager or a safe: without the key nobody opens the vault again.",
        "Keep it apart from the vault: whoever has both knows everybody.",
    )
    answer({"file": str(file)}, lambda: say(*said), as_json=as_json)


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
    said = (
        f"The vault is made. It allows {made.limit} look-ups a day.",
        "Keep its key apart from it, and copies of both: without the key nobody gets a name back.",
    )
    answer(made.summary(), lambda: say(*said), as_json=as_json)


def add(
    vault: Vault,
    data: DataTable,
    column: Annotated[
        str, typer.Option("--column", help="The column that names the people, such as dni.", show_default=False)
    ],
    scope: Scope = None,
    dataset: Dataset = None,
    alphabet: Annotated[
        str | None,
        typer.Option("--alphabet", help="readable, digits, hex, letters, or the characters.", show_default="readable"),
    ] = None,
    length: Annotated[
        int | None, typer.Option("--length", help="How many characters a pseudonym has.", show_default="16")
    ] = None,
    prefix: Annotated[str | None, typer.Option("--prefix", help="What every pseudonym begins with.")] = None,
    values: Annotated[
        str | None, typer.Option("--values", help="A file of pseudonyms to draw from, one in a line.")
    ] = None,
    sheet: Sheet = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Give everybody in a column a pseudonym, unless they have one. Prints counts, neither names nor pseudonyms."""
    from celosia.jobs.people import give

    shape = {"alphabet": alphabet, "length": length, "prefix": prefix, "values": values}
    kept = opened(vault, key)
    with progress_bar() as bar:
        told = give(kept, data, column, scope=scope, dataset=dataset, sheet=sheet, shape=shape, progress=bar)
    rows = [("new pseudonyms", str(told["n_new"])), ("known before", str(told["n_known"])), ("scope", told["scope"])]
    rows += [] if told["dataset"] is None else [("data set", told["dataset"])]
    answer(told, lambda: figures("People", rows), as_json=as_json)


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

    def show() -> None:
        width = max(len(pseudonym) for pseudonym in found)
        for pseudonym, identity in found.items():  # plain lines: a table would break long names in two
            told = "(unknown or forgotten)" if identity is None else shown(identity)
            sys.stdout.write(f"{shown(pseudonym):<{width}}  {told}\n")
        sys.stdout.write(f"Look-ups left today: {n_left} of {summary['limit']}.\n")

    answer({"identities": found, "n_lookups_left": n_left}, show, as_json=as_json)


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
    from celosia.jobs.people import check_forgetting, scope_of

    by_identity = identities_from is not None
    by_pseudonym = bool(pseudonyms) or source is not None
    check_forgetting(
        by_pseudonym=by_pseudonym, by_identity=by_identity, scope=scope, dataset=dataset, all_scopes=all_scopes
    )
    wanted = _listed_identities(identities_from) if identities_from is not None else asked_for(pseudonyms, source)
    within = scope_of(scope, dataset)
    if not yes:
        _confirm(len(wanted))
    kept = opened(vault, key)
    n_forgotten = kept.forget(identities=wanted, scope=within) if by_identity else kept.forget(wanted)
    said = (
        f"Pseudonyms whose person was forgotten: {n_forgotten}. Asked for: {len(wanted)}.",
        "Copies and exports of the vault still know them: delete or treat those too.",
    )
    answer({"n_asked": len(wanted), "n_forgotten": n_forgotten}, lambda: say(*said), as_json=as_json)
    if not n_forgotten:  # a wrong scope must not pass for a person forgotten
        where = "in this scope of the vault" if scope else "in the vault"
        typer.echo(f"Nobody was forgotten: none of them is {where}, or all were forgotten before.", err=True)
        raise typer.Exit(1)


def _listed_identities(source: str) -> list[str]:
    found = lines_of(source)
    if not found:
        raise InputError("the list of identities is empty.", hint="write one in a line.")
    return found


def _confirm(n_people: int) -> None:
    """Ask on the terminal; where nobody can be asked, nothing is forgotten."""
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


def rotate(vault: Vault, new_key: NewKey = None, key: Key = None, as_json: AsJson = False) -> None:
    """Seal everything anew under another key; pseudonyms stay as they are, and the old key opens nothing any more."""
    kept = opened(vault, key)
    wanted = new_key_of(new_key)
    with progress_bar() as bar:
        bar.stage("Sealing anew")
        n_sealed = kept.rotate(wanted)
    said = (
        f"Identities sealed anew: {n_sealed}. The vault opens with the new key only.",
        "Copies made before still open with the old one: if it was stolen, delete them.",
    )
    answer({"n_sealed": n_sealed}, lambda: say(*said), as_json=as_json)


def limit(
    vault: Vault,
    n: Annotated[int, typer.Argument(metavar="N", help="How many look-ups a day allows.", show_default=False)],
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Set how many look-ups a day (UTC) allows; the log tells of the change."""
    kept = opened(vault, key)
    kept.set_limit(n)
    answer({"limit": kept.limit}, lambda: say(f"Look-ups a day: {kept.limit}."), as_json=as_json)


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
    rows = [
        [
            str(line.number),
            line.when.replace("T", " ").removesuffix("Z"),
            line.action,
            shown(line.who),
            shown(line.scope or ""),
            ", ".join(f"{name.removeprefix('n_')} {n}" for name, n in line.counts.items()),
        ]
        for line in found.lines
    ]

    def show() -> None:
        rows_table("Log", ["", "when (UTC)", "action", "who", "scope", "how many"], rows)
        if expect is not None:
            say("The seal that was noted fits: all up to it is as it was.")
        say(
            f"No line was changed. Seal: {found.seal}",
            "Note the seal elsewhere: --expect SEAL shows later whether the log was written anew.",
        )

    answer(found.to_dict(), show, as_json=as_json)


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
    said = f"Identities copied: {n_copied}. {file} is a vault of its own and opens with the new key."
    answer({"file": str(file), "n_copied": n_copied}, lambda: say(said), as_json=as_json)


def status(vault: Vault, key: Key = None, as_json: AsJson = False) -> None:
    """Show how many people a vault knows, by scope, and how many look-ups are left today."""
    found = opened(vault, key).summary()
    answer(found, lambda: _show_status(found), as_json=as_json)


def _show_status(found: dict[str, Any]) -> None:
    rows = [
        ("people", str(found["n_identities"])),
        ("forgotten", str(found["n_forgotten"])),
        ("look-ups today (UTC)", f"{found['n_lookups_today']} of {found['limit']}"),
    ]
    figures("Vault", rows)
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


COMMANDS: Mapping[str, Callable[..., None]] = {
    command.__name__: command for command in (key, init, add, lookup, forget, rotate, limit, log, export, status)
}
"""The commands by their names, in the order of ``--help``."""
