"""``celosia project``: the eight steps of a release, walked, measured and signed."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from celosia.cli.console import answer, note_placed, progress_bar, rows_table, screen, share
from celosia.cli.options import json_of, replacing

if TYPE_CHECKING:
    from celosia.apps.project import Project

_DEFAULT = Path("project.yaml")
_STATES = {
    "signed": ("✓ signed", "green"),
    "ready": ("● ready", "cyan"),
    "open": ("○ open", "yellow"),
    "waiting": ("· waiting", "dim"),
    "changed": ("! changed", "bold red"),
}

File = Annotated[Path, typer.Argument(metavar="FILE", help="The project file.")]
StepOf = Annotated[str, typer.Argument(metavar="STEP", help="Its name or its number.", show_default=False)]
By = Annotated[str, typer.Option("--by", help="The name of the person.", show_default=False)]
Reason = Annotated[str, typer.Option("--reason", help="Why.", show_default=False)]
AsJson = Annotated[bool, json_of("the result")]


def new(
    data: Annotated[Path, typer.Argument(help="The data file.", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The project file.")] = _DEFAULT,
    title: Annotated[str, typer.Option("--title", help="What the data are called.")] = "",
    controller: Annotated[str, typer.Option("--controller", help="Who answers for them.")] = "",
    contact: Annotated[str, typer.Option("--contact", help="How to reach them.")] = "",
    public: Annotated[bool, typer.Option("--public", help="Anybody may have the release.")] = False,
    recipient: Annotated[
        list[str] | None, typer.Option("--recipient", help="Who gets it, if not everybody; may be repeated.")
    ] = None,
    threshold: Annotated[str | None, typer.Option("--threshold", help="The accepted risk, in (0, 1].")] = None,
    harm: Annotated[
        str | None, typer.Option("--harm", help="Instead: the harm of a re-identification: low, medium or high.")
    ] = None,
    overwrite: Annotated[bool, replacing("project")] = False,
    as_json: AsJson = False,
) -> None:
    """Look at a table and write a project file: guesses with their reasons, and questions to answer."""
    from celosia.apps.project import Project

    made = Project.new(
        data,
        output,
        title=title,
        controller=controller,
        contact=contact,
        public=public,
        recipients=recipient or [],
        threshold=threshold,
        harm=harm,
        overwrite=overwrite,
    )
    found = made.status()

    def show() -> None:
        screen.print(f"Written to {output}: guesses, and questions to answer.", markup=False)
        _show_next(found["next"], output)

    answer(found, show, as_json=as_json)


def status(file: File = _DEFAULT, as_json: AsJson = False) -> None:
    """Show where the eight steps stand: who signed, what lacks, which warnings are open."""
    found = _loaded(file).status()
    answer(found, lambda: _show_all(found, file, _show_status), as_json=as_json)


def next_(file: File = _DEFAULT, as_json: AsJson = False) -> None:
    """Tell what to do now."""
    found = _loaded(file).next().to_dict()
    answer(found, lambda: _show_next(found, file), as_json=as_json)


def run(
    file: File = _DEFAULT,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a release that is not the project's own.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Anonymise and measure until the targets hold; write the release and its documents.

    A run that was cut off goes on where it was. Ends with code 3 where the targets cannot be met: that is a result.
    """
    project = _loaded(file)
    with progress_bar() as bar:
        outcome = project.run(bar, overwrite=overwrite)
    note_placed(file)
    found = project.status()
    code = 3 if outcome == "not feasible" else 0
    answer(found, lambda: _show_all(found, file, _show_rounds, _show_outcome), as_json=as_json, code=code)


def sign(
    step: StepOf,
    file: File = _DEFAULT,
    by: By = "",
    role: Annotated[str, typer.Option("--role", help="In which function they sign.", show_default=False)] = "",
    note: Annotated[str, typer.Option("--note", help="What they add.")] = "",
    as_json: AsJson = False,
) -> None:
    """Sign a step as it stands now; a later change to it shows."""
    project = _loaded(file)
    project.sign(step, by=by, role=role, note=note)
    _after(project, file, as_json=as_json)


def unsign(step: StepOf, file: File = _DEFAULT, by: By = "", reason: Reason = "", as_json: AsJson = False) -> None:
    """Take the signature off a step, and off all later ones; the history keeps who, when and why."""
    project = _loaded(file)
    project.unsign(step, by=by, reason=reason)
    _after(project, file, as_json=as_json)


def accept(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code of the warning.", show_default=False)],
    file: File = _DEFAULT,
    column: Annotated[str | None, typer.Option("--column", help="The column that it is about.")] = None,
    by: By = "",
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Accept an open warning by name, with the reason; some cannot be accepted by anybody."""
    project = _loaded(file)
    project.accept(code, column=column, by=by, reason=reason)
    _after(project, file, as_json=as_json)


COMMANDS: Mapping[str, Callable[..., None]] = {
    "new": new,
    "status": status,
    "next": next_,
    "run": run,
    "sign": sign,
    "unsign": unsign,
    "accept": accept,
}
"""The commands by their names, in the order of ``--help``."""


def _loaded(file: Path) -> Project:
    from celosia.apps.project import Project

    return Project.load(file)


def _after(project: Project, file: Path, *, as_json: bool) -> None:
    found = project.status()
    answer(found, lambda: _show_all(found, file, _show_steps), as_json=as_json)


def _show_all(found: dict[str, Any], file: Path, *parts: Callable[[dict[str, Any]], None]) -> None:
    """Show parts of where a project stands, and what comes next."""
    for show in parts:
        show(found)
    _show_next(found["next"], file)


def _show_status(found: dict[str, Any]) -> None:
    _show_steps(found)
    if not found["intact"]:
        screen.print(f"The record was changed by hand: {found['why_not_intact']}.", style="bold red", markup=False)
    if found["input"] == "not there":
        screen.print("The input is not there: whether it is still the same cannot be seen.", markup=False)
    for step in found["steps"]:
        for warning in step["open"]:
            mark = "" if warning["can_be_accepted"] else " (cannot be accepted)"
            screen.print(f"[yellow]warning[/] step {step['number']}, {warning['code']}{mark}: ", end="")
            screen.print(warning["message"], markup=False)
    _show_outcome(found)
    review = found["review"]
    if review is not None and review["has_passed"]:
        screen.print(f"The day of the review, {review['date']}, has come.", style="bold yellow", markup=False)
    elif review is not None:
        screen.print(f"Next review: {review['date']}, in {review['days']} days.", markup=False)


def _show_steps(found: dict[str, Any]) -> None:
    table = Table(title=Text(found["title"] or found["file"]), title_justify="left", title_style="bold")
    for name in ("", "step", "state", "signed by", "what lacks"):
        table.add_column(Text(name, style="bold"))
    for step in found["steps"]:
        said, style = _STATES[step["state"]]
        table.add_row(
            str(step["number"]),
            Text(step["name"]),
            Text(said, style=style),
            Text(_signed(step["signed"])),
            Text(_lacks(step), style="dim" if step["state"] == "waiting" else ""),
        )
    screen.print(table)


def _signed(signed: dict[str, str] | None) -> str:
    return "" if signed is None else f"{signed['by']}, {signed['role']}\n{signed['at'][:10]}"


def _lacks(step: dict[str, Any]) -> str:
    if step["state"] == "changed":
        return "\n".join([*step["lacking"], "not what was signed any more"])
    if step["state"] == "signed":
        return ""
    return "\n".join([*step["lacking"], *(f"open warning: {one['code']}" for one in step["open"])])


def _show_rounds(found: dict[str, Any]) -> None:
    rows_table(
        "What was tried",
        ["k", "search", "may leave out", "risk", "loss (GCP)", "left out", "verdict"],
        [
            [
                str(one["k"]),
                one["algorithm"],
                share(one["max_suppression"]),
                share(float(Fraction(one["risk"])) if "risk" in one else None),
                share(one.get("gcp")),
                share(one.get("share_suppressed")),
                one["verdict"] + (" ← chosen" if one.get("chosen") else ""),
            ]
            for one in found["rounds"]
        ],
    )


def _show_outcome(found: dict[str, Any]) -> None:
    if found["outcome"] is not None and not found["is_current"]:
        screen.print("The loop was run on other answers or on another input; its result is not of these.", markup=False)
    elif found["release"] == "not as it was made":
        screen.print("What the loop made is not in the output folder as it was made.", style="bold red", markup=False)
    elif found["outcome"] == "feasible":
        screen.print("Feasible: a release keeps to the targets of step 2.", style="green", markup=False)
    elif found["outcome"] == "not feasible":
        screen.print("Not feasible: no release of these data keeps to the targets of step 2.", style="bold yellow")
        for reason in dict.fromkeys(one["reason"] for one in found["rounds"] if one.get("reason")):
            screen.print(f"  {reason}", markup=False)
        for note in found["steps"][5]["notes"]:
            screen.print(f"  - {note['message']}", markup=False)


def _show_next(found: dict[str, Any], file: Path) -> None:
    screen.print("Next", style="bold")
    for said in found["what"]:
        screen.print(f"  {said}", markup=False)
    if found["command"]:
        named = "" if file == _DEFAULT else f" {shlex.quote(str(file))}"
        screen.print(f"  {found['command']}{named}", style="cyan", markup=False, soft_wrap=True)
