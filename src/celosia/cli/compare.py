"""``celosia compare``: an original and a released file side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from celosia.cli.console import answer, figures, recoding_words, screen, share
from celosia.cli.options import AsJson


def compare(
    original: Annotated[str, typer.Argument(help="The original file.", show_default=False)],
    released: Annotated[str, typer.Argument(help="The released file.", show_default=False)],
    plan: Annotated[Path, typer.Option("--plan", help="The plan that says what the columns are.", show_default=False)],
    keep_order: Annotated[
        bool, typer.Option("--keep-order", help="Row i of the release is row i of the original.")
    ] = False,
    record: Annotated[Path | None, typer.Option("--record", help="The private record (internal/record.json).")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure what a release lost, what it gives away and whether it is true; end with code 1 if it is not."""
    from celosia.jobs.compare import compare_files

    found = compare_files(original, released, plan, record, keep_order=keep_order)
    answer(found.to_dict(), lambda: _show(found.to_dict()), as_json=as_json, code=int(not found.holds))


def _show(found: dict[str, Any]) -> None:
    risk = found["risk"]["prosecutor"]
    truth = {True: "yes", False: "NO", None: "could not be judged"}[found["truthful"]]
    figures(
        "Original and release",
        [
            ("rows published", f"{found['n_published']} of {found['n_rows']}"),
            ("k of the release", str(found["k"])),
            ("information lost (GCP)", share(found["gcp"])),
            ("  published rows alone", share(found["gcp_published"])),
            ("recoding", recoding_words(found["recoding"])),
            ("greatest re-identification risk", share(risk["max"])),
            (f"true (by {found['truthful_by']})", truth),
        ],
    )
    screen.print(found["reason"], markup=False)
    for judged in found["models"]:
        (name, options), word = next(iter(judged["model"].items())), "holds" if judged["holds"] else "does NOT hold"
        screen.print(f"{name} {options}: {word} ({judged['reason']})", markup=False)
    figures("Loss per column", [(column, share(value)) for column, value in found["columns"].items()])
