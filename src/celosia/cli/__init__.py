"""The command line: one file per command, no logic of its own."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from celosia.cli import check, compare, demo, list_, run
from celosia.cli.console import print_error, screen

__all__ = ["app", "main"]

app = typer.Typer(
    name="celosia",
    help="Anonymise tables, measure what risk remains and what was lost, and prove it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.run)
app.command("check")(check.check)
app.command("compare")(compare.compare)
app.command("list")(list_.list_)
app.command("demo")(demo.demo)


def _version(wanted: bool) -> None:
    if wanted:
        from celosia import __version__

        screen.print(f"celosia {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Anonymise tables, measure what risk remains and what was lost, and prove it."""


def main() -> None:
    """Run the command line; every error becomes a message and an exit code."""
    try:
        app()
    except BaseException as error:  # shown without cell values; SystemExit carries typer's own codes
        if isinstance(error, SystemExit):
            raise
        sys.exit(print_error(error))
