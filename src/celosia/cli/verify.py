"""``celosia verify``: a recipient's check of a release."""

from __future__ import annotations

import hashlib
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid
from rich.text import Text

from celosia.cli.console import answer, screen
from celosia.cli.options import json_of

if TYPE_CHECKING:
    from celosia.audit import Verdict


def verify(
    data: Annotated[
        Path | None, typer.Argument(help="The published file, or the folder of a release.", show_default=False)
    ] = None,
    claim: Annotated[
        Path | None, typer.Argument(help="Its claim; otherwise claim.json beside the data.", show_default=False)
    ] = None,
    claim_sha256: Annotated[
        str | None, typer.Option("--claim-sha256", help="The claim's SHA-256, as its publisher tells it elsewhere.")
    ] = None,
    original: Annotated[
        Path | None, typer.Option("--original", help="The original file: whether published values are true.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="The private record: row by row, and people instead of rows.")
    ] = None,
    population: Annotated[Path | None, typer.Option("--population", help="The file of all people, for k-map.")] = None,
    hierarchy: Annotated[
        list[str] | None, typer.Option("--hierarchy", help="A tree that a claim rests on: COLUMN=FILE.")
    ] = None,
    write_verifier: Annotated[
        Path | None,
        typer.Option("--write-verifier", help="Write the verifier itself to this file, for a recipient with Python."),
    ] = None,
    as_json: Annotated[bool, json_of("the verdict")] = False,
) -> None:
    """Judge a published file and its claim without trusting either; end with code 1 unless the claim is confirmed."""
    from celosia import audit
    from celosia.base.errors import InputError, OptionError

    if (data is None) == (write_verifier is None):
        raise OptionError(
            "either DATA or --write-verifier must be given.",
            hint="celosia verify release/, or celosia verify --write-verifier audit.py.",
        )
    if write_verifier is not None:
        _write(write_verifier, as_json=as_json)
        return
    assert data is not None
    try:
        verdict = audit.verify(
            data,
            claim,
            original=original,
            record=record,
            hierarchies=audit.read_hierarchies(hierarchy or []),
            population=population,
            claim_sha256=claim_sha256,
        )
    except audit.AuditInputError as error:
        raise InputError(str(error), hint="nothing was confirmed; see celosia verify --help.") from None
    show = partial(_show, verdict, has_original=original is not None)
    answer(verdict.to_dict(), show, as_json=as_json, code=int(not verdict.holds))


def _show(verdict: Verdict, *, has_original: bool) -> None:
    found = [check.status for check in verdict.checks]
    if verdict.holds:
        screen.print("[bold green]The claim holds.[/]")
    elif "failed" in found:
        screen.print("[bold red]The claim does NOT hold.[/]")
    else:
        screen.print("[bold yellow]The claim could NOT be confirmed.[/]")
    counts = [f"{found.count(status)} {status}" for status in _SHOWN if status in found]
    screen.print(f"Of {len(found)} checks: {', '.join(counts)}.\n", markup=False)
    table = Grid(show_header=False, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in sorted(verdict.checks, key=lambda one: list(_SHOWN).index(one.status)):
        style, word = _SHOWN[check.status]
        table.add_row(Text(word, style=style), Text.assemble((check.name, "bold"), f": {check.detail}"))
    screen.print(table)
    if verdict.holds and not has_original:
        screen.print(f"\n{_UNSEEN}", markup=False)


_SHOWN = {
    "failed": ("bold red", "FAILED"),
    "could not run": ("yellow", "could not run"),
    "passed": ("green", "passed"),
    "not applicable": ("dim", "does not apply"),
}
"""The style and the word of each status; what needs attention comes first."""
_UNSEEN = (
    "Judged is what is claimed, on the published rows. Whether values are true, only the original can show; whether "
    "the right columns are called quasi-identifiers, only you."
)


def _write(path: Path, *, as_json: bool) -> None:
    """Write the verifier, whole or not at all; a file that is there is not replaced."""
    from celosia.base.errors import OptionError
    from celosia.data.io.durable import fresh_file

    source = files("celosia").joinpath("audit.py").read_bytes()
    if path.exists():
        raise OptionError(f"{path.name} already exists.", hint="choose another name, or delete it first.")
    with fresh_file(path) as file:
        file.write(source)
    digest = hashlib.sha256(source).hexdigest()
    said = (
        f"Written to {path}; its SHA-256 is\n{digest}\n"
        f"Python 3.9 or newer runs it, without any package: python {path.name} DATA CLAIM"
    )
    answer({"path": str(path), "sha256": digest}, lambda: screen.print(said, markup=False), as_json=as_json)
