"""``celosia mask``: techniques on a file, without a search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli.console import figures, print_findings, print_json, progress_bar, screen
from celosia.cli.options import AsJson, DataTable, Sheet, Strict, replacing

if TYPE_CHECKING:
    from celosia.jobs.masked import Masked


def mask(
    data: DataTable,
    masks: Annotated[
        list[str], typer.Option("--mask", help="A technique, such as '{round: {column: salary, to: 100}}'; repeatable.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file, or table of a database, to write.", show_default=False)
    ],
    format: Annotated[str | None, typer.Option("--format", help="Its format; by its suffix by default.")] = None,
    sheet: Sheet = None,
    k: Annotated[int, typer.Option("--k", help="How many rows must share a value to single nobody out.")] = 2,
    seed: Annotated[int | None, typer.Option(help="Make the run repeatable (for tests; warned of).")] = None,
    shuffle: Annotated[bool, typer.Option("--shuffle", help="Write the rows in random order.")] = False,
    overwrite: Annotated[bool, replacing("file")] = False,
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """Apply techniques to a table and say what they leave behind. The result is not called anonymous."""
    from celosia.cli.console import note_placed
    from celosia.jobs.masked import MaskRequest

    request = MaskRequest(data, tuple(masks), output, format, sheet, k, seed, shuffle, overwrite)
    with progress_bar() as bar:
        found = request.run(bar)
        note_placed(_place(output))
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found, _place(output))
    if strict and any(finding.severity == "warning" for finding in found.findings):
        raise typer.Exit(1)


def _place(output: str) -> Path:
    """Return what may be shown of where the result is: of a database, its table alone."""
    from celosia.data.io.sql import is_address, split_address

    return Path(split_address(output)[1]) if is_address(output) else Path(output)


def _show(found: Masked, output: Path) -> None:
    figures(
        "Masked",
        [
            ("rows written", f"{found.n_rows} of {found.n_given}"),
            ("columns", str(len(found.columns))),
            ("the result is called", f"{' and '.join(found.called)} data; not anonymous"),
            ("masks", f"{found.seconds:.2f} s"),
        ],
    )
    figures("What remains", [(mask.name, mask.leaves.remains) for mask in found.masks])
    print_findings(found.findings)
    screen.print(f"Written to {output}.", markup=False)
