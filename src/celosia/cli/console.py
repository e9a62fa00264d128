"""What the terminal shows: tables, progress, findings, errors."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from celosia.base.errors import CelosiaError
from celosia.base.findings import Finding

screen = Console(highlight=False)
_messages = Console(stderr=True, highlight=False, soft_wrap=True)

_BAR_WIDTH = 24
"""A line of progress fits a terminal of 80 columns."""

_STAGES = {
    "read": "Reading",
    "mask": "Masking",
    "search": "Searching classes",
    "improve": "Improving classes",
    "bound": "Bounding the loss",
    "prove": "Proving what is best",
    "recode": "Recoding",
    "audit": "Auditing",
    "write": "Writing",
    "frontier": "Searching points",
    "why_not": "Trying what would help",
    "edit": "Editing edges",
    "cluster": "Growing clusters",
    "perturb": "Changing edges by chance",
    "search degrees": "Searching degrees",
    "search for twins": "Searching twins",
    "try all edits": "Trying all edits",
    "measure": "Measuring",
    "alternatives": "Trying other models",
}


_HINTS = {
    "improve": "Ctrl-C ends the search with the best classes so far, and the run goes on.",
    "prove": "Ctrl-C ends the search with the best classes so far, and the run goes on.",
    "search for twins": "Ctrl-C ends the search with the best graph so far, and the run goes on.",
}


class _Hinted(Progress):
    """A progress bar with a line below for what one can do meanwhile."""

    hint = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        if self.hint:
            yield Text(self.hint, style="dim")


class Bar:
    """A progress bar on standard error; nothing where that is not a terminal."""

    def __init__(self, bar: _Hinted) -> None:
        self._bar = bar
        self._task: TaskID | None = None

    def stage(self, name: str) -> None:
        """Start a new line for a new stage."""
        if self._task is not None:
            self._bar.update(self._task, visible=False)
        self._bar.hint = _HINTS.get(name, "")
        self._task = self._bar.add_task(_STAGES.get(name, name), total=None, found="")

    def advance(self, share: float) -> None:
        """Show how much of the stage is done."""
        if self._task is not None:
            self._bar.update(self._task, total=1.0, completed=share)

    def found(self, loss: float) -> None:
        """Show the least loss so far."""
        if self._task is not None:
            self._bar.update(self._task, found=f"loss {100 * loss:.3f} %")


@contextmanager
def progress_bar() -> Iterator[Bar]:
    """Show a progress bar while the block runs."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=_BAR_WIDTH),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[found]}"),
    )
    with _Hinted(*columns, console=_messages, transient=True, disable=not _messages.is_terminal) as bar:
        yield Bar(bar)


def print_json(result: Mapping[str, Any] | Sequence[Any]) -> None:
    """Print a result for programs."""
    sys.stdout.write(json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def answer(
    result: Mapping[str, Any] | Sequence[Any], show: Callable[[], object], *, as_json: bool, code: int = 0
) -> None:
    """Print what a command found, for programs or for people, and end with a code unless it is 0."""
    if as_json:
        print_json(result)
    else:
        show()
    if code:
        raise typer.Exit(code)


def warned(findings: Iterable[Finding], *, strict: bool) -> bool:
    """Tell whether a warning must end the command with code 1.

    Examples
    --------
    >>> warned([Finding("SEED_FIXED", "warning", "The seed is fixed.")], strict=True)
    True
    """
    return strict and any(finding.severity == "warning" for finding in findings)


def say(*lines: str) -> None:
    """Print sentences as they stand: nothing in them is markup, and the terminal breaks long ones."""
    for line in lines:
        screen.print(line, markup=False, soft_wrap=True)


def share(value: float | None) -> str:
    """Spell a share of one for people: ``12.5 %``; a dash where it is undefined.

    Examples
    --------
    >>> share(0.125), share(None)
    ('12.5 %', '-')
    """
    return "-" if value is None else f"{100 * value:.4g} %"


def recoding_words(recoding: Mapping[str, Any] | None) -> str:
    """Name the kind of recoding and say what it means.

    Examples
    --------
    >>> recoding_words({"scope": "full-domain", "columns": {}}), recoding_words(None)
    ('full-domain (one level per column)', 'not known without the order of the rows')
    """
    if recoding is None:
        return "not known without the order of the rows"
    return f"{recoding['scope']} ({_MEANINGS[recoding['scope']]})"


_MEANINGS = {
    "full-domain": "one level per column",
    "value-global": "each value always alike, on several levels",
    "cell-local": "one value in two ways",
}


def figures(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Print names and figures side by side."""
    table = Table(
        title=Text(title), title_justify="left", title_style="bold", show_header=False, box=None, pad_edge=False
    )
    table.add_column(style="dim")
    table.add_column()
    for name, figure in rows:
        table.add_row(Text(name), Text(figure))
    screen.print(table)


def rows_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table with a header."""
    table = Table(title=Text(title), title_justify="left", title_style="bold", header_style="bold")
    for name in header:
        table.add_column(Text(name))
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    screen.print(table)


def print_findings(findings: Sequence[Finding]) -> None:
    """Print findings, warnings first."""
    for finding in sorted(findings, key=lambda one: one.severity != "warning"):
        colour = "yellow" if finding.severity == "warning" else "cyan"
        screen.print(f"[{colour}]{finding.severity}[/] {finding.code}: ", end="")
        screen.print(finding.message, markup=False)


_placed: list[Path] = []


def note_placed(target: Path | None) -> None:
    """Remember that a release is in its place (or, at the start, none), so that a later failure does not deny it."""
    _placed[:] = [] if target is None else [target]


def print_error(error: BaseException) -> int:
    """Print an error on standard error and return the exit code.

    The message of an error that Celosía did not raise itself may hold a cell value, so that only its kind and place
    are shown unless CELOSIA_DEBUG is set.
    """
    if isinstance(error, CelosiaError):
        _messages.print(f"[bold red]{type(error).__name__}[/]: ", end="")
        _messages.print(str(error), markup=False)
        return error.exit_code
    if isinstance(error, BrokenPipeError):
        # Whoever read our output has gone; what is left in the buffer must not raise once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    written = f"The release was written to {_placed[-1]}." if _placed else "Nothing was written."
    if isinstance(error, KeyboardInterrupt):
        _messages.print(f"Interrupted. {written}")
        return 130
    last = traceback.extract_tb(error.__traceback__)[-1]
    _messages.print(
        f"[bold red]Internal error[/]: {type(error).__name__} in {Path(last.filename).name}:{last.lineno}. "
        "Its message is withheld, since it could hold data.\n"
        f"  Hint: {written} Set CELOSIA_DEBUG=1 to see the message, and report it."
    )
    if os.environ.get("CELOSIA_DEBUG"):
        raise error
    return 70
