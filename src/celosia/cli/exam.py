"""``celosia exam``: a table of marks for the group, and a private card for each student."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli.console import answer, figures, note_placed, print_findings, progress_bar, screen, share
from celosia.cli.options import AsJson, Seed, language_of, listed, replacing

if TYPE_CHECKING:
    from celosia.apps.exam import Exam


def exam(
    data: Annotated[
        Path, typer.Argument(metavar="MARKS", help="The sheet of marks: a row per student.", show_default=False)
    ],
    earlier: Annotated[
        list[Path] | None,
        typer.Option("--earlier", help="Folder of an earlier course's release, or of several; may be repeated."),
    ] = None,
    k: Annotated[int, typer.Option("--k", help="How many others each student is hidden among, from 2.")] = 5,
    scale: Annotated[
        str | None, typer.Option("--scale", help="The scale: 0-10, 0-5, 0-20, 1-7.", show_default="guessed")
    ] = None,
    pass_mark: Annotated[
        float | None,
        typer.Option("--pass-mark", help="The lowest mark that is passed.", show_default="the middle of the scale"),
    ] = None,
    marks: Annotated[
        str, typer.Option("--marks", help="The columns of marks: exam,practicals,final.", show_default="guessed")
    ] = "",
    student: Annotated[
        str | None, typer.Option("--student", help="The column that tells students apart.", show_default="guessed")
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", help="Another column to publish, made coarser; may be repeated.")
    ] = None,
    sheet: Annotated[
        str | None, typer.Option("--sheet", help="The sheet of a workbook.", show_default="the first visible one")
    ] = None,
    title: Annotated[str, typer.Option("--title", help="The heading of the table, such as the course.")] = "",
    lang: Annotated[str, language_of("table and cards")] = "en",
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder to make.", show_default="exam, beside the marks")
    ] = None,
    no_pdf: Annotated[bool, typer.Option("--no-pdf", help="Write pages as HTML only.")] = False,
    seed: Seed = None,
    overwrite: Annotated[bool, replacing("folder")] = False,
    as_json: AsJson = False,
) -> None:
    """Publish marks as a table that names nobody, and tell each student privately where they are in it."""
    from celosia.apps.exam import exam as make
    from celosia.base.errors import InputError
    from celosia.jobs.places import check_release

    target = data.parent / "exam" if out is None else out
    within = "the marks lie in the folder that would be replaced."
    refused = InputError(within, hint="move them, or choose --out.")
    check_release(target, data, refused, overwrite=overwrite)
    with progress_bar() as bar:
        made = make(
            data,
            earlier=earlier or [],
            k=k,
            scale=scale,
            pass_mark=pass_mark,
            marks=listed(marks),
            student=student,
            keep=keep or [],
            sheet=sheet,
            lang=lang,
            title=title,
            seed=seed,
            progress=bar,
        )
        bar.stage("write")
        made.write(target, overwrite=overwrite, pdf=not no_pdf)
        note_placed(target)
    answer(made.summary, lambda: _show(made, target), as_json=as_json)


def _show(made: Exam, target: Path) -> None:
    columns, scale = made.sheet.columns, made.sheet.scale
    figures(
        "Marks, published as ranges",
        [
            ("students", str(len(made.sheet.students))),
            ("each hidden among", f"{made.release.k - 1} others or more ({made.release.k}-anonymous)"),
            ("groups", str(len(made.table.groups))),
            ("information lost", share(made.release.loss.gcp)),
            ("marks", ", ".join(columns.marks)),
            ("final mark", columns.final),
            ("scale, pass mark", f"{scale.text}, {float(scale.pass_mark):g}"),
            ("dropped: they name students", ", ".join(columns.identifiers) or "none"),
        ],
    )
    print_findings(made.findings)
    screen.print(f"Written to {target}. The table may be published; cards/ and internal/ are private.", markup=False)
