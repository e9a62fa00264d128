"""The options that commands share: each with its names and its help, once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def json_of(what: str) -> Any:
    """Return the option ``--json``."""
    return typer.Option("--json", help=f"Print {what} as JSON.")


def replacing(what: str) -> Any:
    """Return the option ``--overwrite``."""
    return typer.Option("--overwrite", help=f"Replace an existing {what}.")


def language_of(what: str = "") -> Any:
    """Return the option ``--lang``."""
    return typer.Option("--lang", help=f"The language{f' of {what}' if what else ''}: en or es.")


def listed(text: str) -> list[str]:
    """Return names that are parted by commas.

    Examples
    --------
    >>> listed("a, b,")
    ['a', 'b']
    """
    return [part.strip() for part in text.split(",") if part.strip()]


def whole_numbers(text: str, dash: str, hint: str) -> list[int]:
    """Return the numbers that ``--k`` lists, ranges among them.

    Examples
    --------
    >>> whole_numbers("2,5-7", "-", "write --k 2-100.")
    [2, 5, 6, 7]
    """
    from celosia.base.errors import OptionError

    values: list[int] = []
    for part in text.split(","):
        first, between, last = part.strip().partition(dash)
        if not first.isdecimal() or (between and not last.isdecimal()):
            raise OptionError("--k must list whole numbers.", hint=hint, about="k")
        if between and int(last) < int(first):
            raise OptionError("a range of --k must go upwards.", hint=f"write --k 2{dash}100.", about="k")
        values.extend(range(int(first), int(last or first) + 1))
    return values


AsJson = Annotated[bool, json_of("the figures")]
Strict = Annotated[bool, typer.Option("--strict", help="End with code 1 if there is a warning.")]
PlanFile = Annotated[Path, typer.Argument(help="The plan file (YAML).", show_default=False)]
DataTable = Annotated[str, typer.Argument(help="The data file, or a table of a database.", show_default=False)]
Sheet = Annotated[str | None, typer.Option("--sheet", help="The sheet of a workbook.")]
Subject = Annotated[str | None, typer.Option("--subject", help="The column that tells whose row it is.")]
Seed = Annotated[int | None, typer.Option(help="Make the run repeatable (for tests; marked in the result).")]

GraphFile = Annotated[
    str | None, typer.Argument(metavar="GRAPH", help="The graph's file; the plan's input if left out.")
]
GraphPlanFile = Annotated[
    Path | None,
    typer.Option("--plan", help="A plan of the graph (YAML); options given here take the place of the plan's."),
]
GraphModels = Annotated[
    list[str] | None,
    typer.Option("--model", help="A model that must hold: '{kl_anonymity: {k: 2, l: 2, view: neighbours}}'."),
]
GraphFormat = Annotated[str | None, typer.Option("--format", help="The format, if the suffix does not tell it.")]
Directed = Annotated[bool | None, typer.Option("--directed/--undirected", help="Whether edges have a direction.")]
Multigraph = Annotated[bool | None, typer.Option("--multigraph/--simple", help="Whether parallel edges count.")]
Weight = Annotated[str | None, typer.Option("--weight", help="The attribute of edges that is their weight.")]
Bipartite = Annotated[
    bool | None, typer.Option("--bipartite/--one-mode", help="Whether the two ends are two sets of vertices.")
]
Vertices = Annotated[Path | None, typer.Option("--vertices", help="A table of vertices: names and attributes.")]
Attributes = Annotated[str, typer.Option("--attributes", help="Attributes of vertices that may be known: a,b.")]
GraphMasks = Annotated[
    list[str] | None,
    typer.Option("--mask", help="Done to attributes first: '{generalise: {column: age, intervals: {width: 5}}}'."),
]
Delimiter = Annotated[str | None, typer.Option("--delimiter", help="What separates cells of a text file.")]
Header = Annotated[
    bool | None, typer.Option("--header/--no-header", help="Whether the first line of a text file names its columns.")
]
GraphPage = Annotated[Path | None, typer.Option("--out", help="Write a page to this file: .html or .pdf.")]
PageLang = Annotated[str, language_of("the page")]
PageOverwrite = Annotated[bool, replacing("page")]
