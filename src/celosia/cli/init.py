"""``celosia init``: a commented plan from a look at the data."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli.console import print_json, rows_table, screen
from celosia.cli.options import json_of, replacing

if TYPE_CHECKING:
    from celosia.jobs.suggest import Suggestion


def init(
    data: Annotated[Path, typer.Argument(help="The data file.", show_default=False)],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The plan file; the screen by default.")] = None,
    k: Annotated[int, typer.Option("--k", help="How many people share every published row, from 2.")] = 5,
    overwrite: Annotated[bool, replacing("plan")] = False,
    as_json: Annotated[bool, json_of("the suggestions")] = False,
) -> None:
    """Look at a table, guess roles and kinds with reasons, and write a plan for a person to check."""
    from celosia.data import io
    from celosia.data.io.durable import fresh_file
    from celosia.jobs.places import check_file
    from celosia.jobs.suggest import check_enough, seen_from, suggest, to_plan_text

    if output is not None:
        hint = "name a file in it, such as plan.yaml."
        check_file(output, "plan file", hint, overwrite=overwrite, data=data)
    source = io.read(data)
    found = suggest(source.frame, decimal=source.dialect.decimal if source.dialect else ".")
    if as_json:
        print_json([one.to_dict() for one in found])
    check_enough(source.frame, found, k)
    folder = output.parent if output is not None else Path()
    text = to_plan_text(found, input=seen_from(folder, data), k=k)
    if output is not None:
        with fresh_file(output) as file:
            file.write(text.encode())
    if as_json:
        return
    if output is None:
        sys.stdout.write(text)
        return
    _show(found)
    screen.print(f"Written to {output}: guesses. Check each, then: celosia run {output}", markup=False)


def _show(found: Sequence[Suggestion]) -> None:
    from celosia.jobs.suggest import key_lines, spec_of

    rows_table(
        "Suggested",
        ["column", "role", "kind", "why"],
        [[one.column, str(one.role), _short(spec_of(one.kind)), "; ".join(one.reasons)] for one in found],
    )
    for line in key_lines(found):
        screen.print(line, markup=False)


def _short(spec: object) -> str:
    if spec is None:
        return ""
    return spec if isinstance(spec, str) else next(iter(dict(spec)))  # type: ignore[call-overload]
