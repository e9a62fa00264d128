"""The command line: one file per command, no logic of its own. Read ``run.py`` first."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any

import typer

from celosia.cli import (
    check,
    compare,
    demo,
    exam,
    frontier,
    graph,
    init,
    list_,
    mask,
    negotiate,
    project,
    reproduce,
    risk,
    run,
    vault,
    verify,
)
from celosia.cli.console import note_placed, print_error, screen
from celosia.cli.discreet import Discreet, DiscreetGroup, Wary

__all__ = ["app", "main"]

app = typer.Typer(
    name="celosia",
    help="Anonymise tables, measure what risk remains and what was lost, and prove it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Turn whatever a command raises into a message and an exit code, before typer can print it."""

    @wraps(command)
    def run_guarded(*arguments: Any, **options: Any) -> None:
        note_placed(None)
        try:
            command(*arguments, **options)
        except (typer.Exit, SystemExit):
            raise
        except BaseException as error:  # shown without cell values
            sys.exit(print_error(error))

    return run_guarded


app.command("init", cls=Wary)(_guarded(init.init))
app.command("run", cls=Wary)(_guarded(run.run))
app.command("check", cls=Wary)(_guarded(check.check))
app.command("risk", cls=Wary)(_guarded(risk.risk))
app.command("negotiate", cls=Wary)(_guarded(negotiate.negotiate))
app.command("compare", cls=Wary)(_guarded(compare.compare))
app.command("list")(_guarded(list_.list_))
app.command("mask", cls=Discreet)(_guarded(mask.mask))
app.command("frontier", cls=Wary)(_guarded(frontier.frontier))
app.command("demo")(_guarded(demo.demo))
app.command("reproduce", cls=Wary)(_guarded(reproduce.reproduce))
app.command("verify", cls=Wary)(_guarded(verify.verify))
app.command("exam", cls=Wary)(_guarded(exam.exam))


def _group(name: str, help: str, commands: Mapping[str, Callable[..., None]], kind: type[Wary] = Wary) -> None:
    """Add a group of commands; complaints about secret arguments repeat none of them."""
    group = typer.Typer(help=help, cls=DiscreetGroup if kind is Discreet else None)
    for command, function in commands.items():
        group.command(command, cls=kind)(_guarded(function))
    app.add_typer(group, name=name, no_args_is_help=True)


_group("project", "Walk the eight steps of a release: measured, signed, documented.", project.COMMANDS)
_group("graph", "Measure what a graph gives away, and what an edited one has kept.", graph.COMMANDS)
_group("vault", "Keep who is behind pseudonyms: encrypted, counted, logged.", vault.COMMANDS, Discreet)


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
    """Run the command line; a polite request to end (SIGTERM) cleans up like Ctrl-C, and odd terminals get escapes."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
