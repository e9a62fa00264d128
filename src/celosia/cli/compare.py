"""``celosia compare``: an original and a released file side by side."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli.console import figures, print_json, recoding_words, screen, share

if TYPE_CHECKING:
    from celosia.data.io import Source


def compare(
    original: Annotated[str, typer.Argument(help="The original file.", show_default=False)],
    released: Annotated[str, typer.Argument(help="The released file.", show_default=False)],
    plan: Annotated[Path, typer.Option("--plan", help="The plan that says what the columns are.", show_default=False)],
    keep_order: Annotated[
        bool, typer.Option("--keep-order", help="Row i of the release is row i of the original.")
    ] = False,
    record: Annotated[Path | None, typer.Option("--record", help="The private record (internal/record.json).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure what a release lost, what it gives away and whether it is true; end with code 1 if it is not."""
    from celosia.data import io
    from celosia.data.io.formulas import restored
    from celosia.jobs.compare import compare as measure
    from celosia.jobs.plan_file import load

    source = io.read(released)
    order = list(range(source.frame.height)) if keep_order else _order(record)
    config = load(plan)
    found = measure(
        config.table(original),
        restored(source.frame),
        order=order,
        models=config.plan.models,
        masks=config.plan.masks,
        decimal=_decimal(source),
    )
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found.to_dict())
    if not found.holds:
        raise typer.Exit(1)


def _decimal(source: Source) -> str:
    """Return the decimal mark of a release: Celosía parts the ends of a range by ``;`` where the mark is a comma."""
    import polars as pl

    for column in source.frame.get_columns():
        if column.dtype == pl.String and column.str.contains(r"^\[[^\]]*; ").any():
            return ","
    return source.dialect.decimal if source.dialect is not None else "."


def _order(record: Path | None) -> list[int] | None:
    if record is None:
        return None
    from celosia.base.errors import FormatError
    from celosia.jobs.record import unpacked

    try:
        order: list[int] = unpacked(json.loads(record.read_text(encoding="utf-8"))["order"]).tolist()
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        raise FormatError(
            f"{record.name} is not a record of a release.", hint="it is written as internal/record.json."
        ) from None
    return order


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
