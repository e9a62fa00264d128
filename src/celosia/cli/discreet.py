"""Commands whose complaints about their arguments repeat none of them: one may be a secret in the wrong place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from celosia.base.errors import OptionError
from celosia.cli.console import print_error

# Typer brings its own copy of click from some version on; only this class is public in all of them.
_UsageError: Any = typer.BadParameter.__mro__[1]

_SECRET = re.compile(r"--?(key|new-?key|pass|pwd|secret)", re.IGNORECASE)
_HOW = (
    "give --key env:NAME or --key file:PATH, or set CELOSIA_VAULT_KEY, or leave it out and type a passphrase when "
    "asked; 'celosia vault key FILE' makes a file with a new key."
)
_WHERE = (
    "name the environment variable or the file that holds it: 'key: {env: NAME}' or 'key: {file: PATH}' in a mask, "
    "--key env:NAME or --key file:PATH for a vault."
)


def given_openly(hint: str = _HOW) -> OptionError:
    """Return the error about a secret on the command line; it does not repeat it.

    Examples
    --------
    >>> given_openly().exit_code
    2
    """
    return OptionError(
        "a secret must not be given on the command line: everybody on the machine could see it, and it stands in the "
        "shell's history. If it was a true one, it is no secret any more: make another.",
        hint=hint,
        about="key",
    )


class Wary(TyperCommand):
    """A command that refuses options for secrets: it has none, since plans name where keys are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments."""
        if not ctx.resilient_parsing:
            _refuse_secrets(self, list(args))
        return super().parse_args(ctx, args)


class Discreet(Wary):
    """A command that refuses secrets among its arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; what is wrong with them is told by position, never by their text."""
        return _discreetly(super().parse_args, ctx, args)


class DiscreetGroup(TyperGroup):
    """A group of commands that refuses secrets among its arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; what is wrong with them is told by position, never by their text."""
        return _discreetly(super().parse_args, ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; a name that is none is not repeated."""
        try:
            return super().resolve_command(ctx, args)
        except _UsageError:
            pass
        raise _UsageError(f"There is no such command. There are: {', '.join(self.list_commands(ctx))}.", ctx)


def _discreetly(parse: Callable[[Any, list[str]], list[str]], ctx: Any, args: list[str]) -> list[str]:
    given = list(args)
    try:
        return parse(ctx, args)
    except _UsageError as error:
        complaint = error
    _complain(complaint, ctx, given)


def _refuse_secrets(command: TyperCommand, given: list[str]) -> None:
    """End with a message where an option looks like the place of a secret, and the command has no such option."""
    options = {name for parameter in command.params for name in parameter.opts}
    for word in given:
        if word == "--":
            return
        if _SECRET.match(word) and word.partition("=")[0] not in options:
            raise SystemExit(print_error(given_openly(_HOW if "--key" in options else _WHERE)))


def _complain(error: Any, ctx: Any, given: list[str]) -> NoReturn:
    kind = type(error).__name__
    if kind in ("NoArgsIsHelpError", "MissingParameter", "BadOptionUsage"):  # these speak of the command's own options
        raise error
    message = "There are more arguments than this command takes. Put what holds blanks or braces between quotes."
    if kind == "NoSuchOption":
        place = next((at for at, word in enumerate(given, 1) if word.startswith(error.option_name)), 1)
        message = f"Argument {place} is no option of this command."
    elif kind == "BadParameter":
        message = f"{error.format_message().partition(': ')[0]}: it is of another type."
    raise _UsageError(message, ctx)
