"""``celosia graph``: what a graph gives away, and what an edited one has kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli.console import figures, print_findings, print_json, progress_bar, rows_table, screen, share

if TYPE_CHECKING:
    from celosia.graphs.checking import Result
    from celosia.graphs.graph import Graph
    from celosia.graphs.judging import GraphModel, Judgement
    from celosia.graphs.risk import GraphRisk, KnowledgeRisk

__all__ = ["COMMANDS"]

_TWINS = ("neighbourhood_anonymity", "closed_twin_anonymity")
_MOST_NAMES = 20
_COUNTS = ("n_vertices", "n_edges", "n_isolated", "n_loops")
_SHORT = {
    "degree": "degree (H1)",
    "neighbour_degrees": "neighbours' (H2)",
    "refinement": "and theirs (H3)",
    "neighbourhood": "neighbours N(v)",
    "neighbours_1": "1 neighbour",
    "neighbours_2": "2 neighbours",
    "attributes": "attributes",
    "attributes_and_degree": "attributes, degree",
}

Directed = Annotated[bool | None, typer.Option("--directed/--undirected", help="Whether edges have a direction.")]
Format = Annotated[str | None, typer.Option("--format", help="The format, if the suffix does not tell it.")]
Delimiter = Annotated[str | None, typer.Option("--delimiter", help="What separates cells of a text file.")]
Header = Annotated[
    bool | None, typer.Option("--header/--no-header", help="Whether the first line of a text file names its columns.")
]
Out = Annotated[Path | None, typer.Option("--out", help="Write a page to this file: .html or .pdf.")]
Lang = Annotated[str, typer.Option("--lang", help="The language of the page: en or es.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an existing page.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]


def check(
    graph: Annotated[str, typer.Argument(metavar="GRAPH", help="The graph's file.", show_default=False)],
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="A model that must hold: '{kl_anonymity: {k: 2, l: 2, view: neighbours}}'."),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            help="Look at neighbourhood, closed twins and degree with this k; one of the first two must hold: no graph "
            "without loops satisfies both.",
        ),
    ] = None,
    directed: Directed = None,
    multigraph: Annotated[
        bool | None, typer.Option("--multigraph/--simple", help="Whether parallel edges count.")
    ] = None,
    weight: Annotated[str | None, typer.Option("--weight", help="The attribute of edges that is their weight.")] = None,
    bipartite: Annotated[
        bool | None, typer.Option("--bipartite/--one-mode", help="Whether the two ends are two sets of vertices.")
    ] = None,
    vertices: Annotated[
        Path | None, typer.Option("--vertices", help="A table of vertices: names and attributes.")
    ] = None,
    attributes: Annotated[
        str, typer.Option("--attributes", help="Attributes of vertices that may be known: a,b.")
    ] = "",
    mask: Annotated[
        list[str] | None,
        typer.Option("--mask", help="Done to attributes first: '{generalise: {column: age, intervals: {width: 5}}}'."),
    ] = None,
    format: Format = None,
    delimiter: Delimiter = None,
    header: Header = None,
    out: Out = None,
    lang: Lang = "en",
    overwrite: Overwrite = False,
    strict: Annotated[bool, typer.Option("--strict", help="End with code 1 if there is a warning.")] = False,
    show_names: Annotated[
        bool, typer.Option("--show-names", help="Name the vertices that break a model; for your eyes only.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say which models hold, with which parameters at most, and what the graph gives away; code 1 if a model fails.

    Without a model everything is measured.
    """
    from celosia.config import mask_of
    from celosia.graphs.attributes import masked
    from celosia.graphs.checking import check as judge
    from celosia.graphs.files import read

    _check_page(out, lang, overwrite=overwrite)
    models = _models(model or [], k, tuple(_listed(attributes)))
    with progress_bar() as bar:
        bar.stage("read")
        own = read(
            graph,
            format=format,
            directed=directed,
            multigraph=multigraph,
            weight=weight,
            bipartite=bipartite,
            vertices=vertices,
            delimiter=delimiter,
            header=header,
        )
        result = judge(masked(own, [mask_of(text) for text in mask or []]), models, bar)
    holds = _holds(result, len(model or []), k)
    if out is not None:
        from celosia.graphs.page import render

        _write(out, render(result, lang, holds), overwrite=overwrite)
    if as_json:
        print_json({"holds": holds, **result.to_dict(show_names=show_names)})
    else:
        _show(result, holds, show_names=show_names)
        _show_written(out)
    if holds is False or (strict and any(finding.severity == "warning" for finding in result.findings)):
        raise typer.Exit(1)


def compare(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The original's file.", show_default=False)],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The edited graph's file.", show_default=False)],
    matching: Annotated[
        str | None,
        typer.Option(
            "--matching",
            help="Which vertex is which: order, names, none, or a table whose first two columns are names before and "
            "after. Names 0, 1, ... in both files match by order unless you say none.",
        ),
    ] = None,
    directed: Directed = None,
    format: Format = None,
    delimiter: Delimiter = None,
    header: Header = None,
    seed: Annotated[int | None, typer.Option("--seed", help="For repeatable samples and communities.")] = None,
    out: Out = None,
    lang: Lang = "en",
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Measure what an edited graph has kept of the original."""
    from celosia.graphs.comparison import render_comparison, rows_of
    from celosia.graphs.files import read
    from celosia.graphs.utility import utility
    from celosia.report.language import Language

    _check_page(out, lang, overwrite=overwrite)
    with progress_bar() as bar:
        bar.stage("read")
        first, second = (
            read(file, format=format, directed=directed, delimiter=delimiter, header=header) for file in (before, after)
        )
        found = utility(first, second, _matching(matching, first, second), seed=seed, progress=bar)
    if out is not None:
        _write(out, render_comparison(found, (first.name, second.name), lang), overwrite=overwrite)
    if as_json:
        print_json(found.to_dict())
        return
    rows = rows_of(found, Language("en"))
    rows_table("Graphs", ["measure", "before", "after"], [[row.name, row.before, row.after] for row in rows])
    for reason in dict.fromkeys(row.reason for row in rows if row.reason):
        names = ", ".join(row.name for row in rows if row.reason == reason)
        screen.print(f"– {names}: {reason}", markup=False)
    _show_written(out)


COMMANDS: Mapping[str, Callable[..., None]] = {"check": check, "compare": compare}
"""The commands by their names, in the order of ``--help``."""


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _models(texts: list[str], k: int | None, attributes: tuple[str, ...]) -> list[GraphModel]:
    """Return the models of ``--model``, then those of ``--k``; all of them where neither is given."""
    from celosia.graphs.naming import every_model, model_of, models_at

    asked = [_knowing(model_of(text), attributes) for text in texts]
    if k is not None:
        asked += models_at(k, attributes)
    return asked or every_model(attributes)


def _knowing(model: GraphModel, attributes: tuple[str, ...]) -> GraphModel:
    """Return a model against those who know these attributes too, unless it names its own."""
    if model.attributes or not attributes:
        return model
    made: GraphModel = replace(model, attributes=attributes)  # type: ignore[type-var]
    return made


def _holds(result: Result, n_asked: int, k: int | None) -> bool | None:
    """Say whether what was asked holds; nothing was without ``--model`` and ``--k``."""
    if not n_asked and k is None:
        return None
    named = all(judgement.satisfied for judgement in result.judgements[:n_asked])
    rest = zip(result.models[n_asked:], result.judgements[n_asked:], strict=True)
    return named and (k is None or any(judgement.satisfied for model, judgement in rest if model.name in _TWINS))


def _matching(text: str | None, before: Graph, after: Graph) -> Any:
    """Return how vertices are matched; names in a file are compared as texts."""
    if text is None or text in ("order", "names", "none"):
        return text
    import polars as pl

    from celosia.errors import FormatError
    from celosia.io import read

    frame = read(text).frame
    if frame.width < 2:
        raise FormatError(
            f"{Path(text).name} has one column.", hint="the first names vertices before, the second after."
        )
    told = [frame.to_series(place).cast(pl.String).to_list() for place in (0, 1)]
    known = [{str(name): name for name in graph.names.to_list()} for graph in (before, after)]
    firsts, seconds = ([names.get(name, name) for name in column] for names, column in zip(known, told, strict=True))
    found = [(one, two) for one, two in zip(firsts, seconds, strict=True) if one is not None and two is not None]
    if len({one for one, _ in found}) < len(found):
        raise FormatError(f"{Path(text).name} names a vertex twice.", hint="keep one row per vertex.")
    return dict(found)


def _check_page(out: Path | None, lang: str, *, overwrite: bool) -> None:
    from celosia.errors import InputError
    from celosia.report.language import check_language
    from celosia.report.pdf import check_pdf

    check_language(lang)
    if out is None:
        return
    if out.suffix.lower() not in (".html", ".pdf"):
        raise InputError(f"'{out.name}' is no page.", hint="name a file that ends in .html or .pdf.")
    if not out.parent.is_dir():
        raise InputError(f"the folder of '{out.name}' does not exist.", hint="make it first.")
    if out.exists() and not overwrite:
        raise InputError(f"'{out.name}' exists.", hint="choose another name, or replace it with --overwrite.")
    if out.suffix.lower() == ".pdf":
        check_pdf()


def _write(out: Path, page: str, *, overwrite: bool) -> None:
    from celosia.io.durable import fresh_file
    from celosia.report.pdf import pdf_of

    _check_page(out, "en", overwrite=overwrite)  # a file may have come meanwhile
    with fresh_file(out) as file:
        file.write(pdf_of(page) if out.suffix.lower() == ".pdf" else page.encode())


def _show_written(out: Path | None) -> None:
    if out is not None:
        screen.print(f"Written to {out}. It is for the house.", markup=False)


def _show(result: Result, holds: bool | None, *, show_names: bool) -> None:
    from celosia.graphs.page import told_findings

    graph = result.graph
    told = graph.to_dict()
    counts = [(name.removeprefix("n_"), f"{told[name]:,}") for name in _COUNTS]
    figures("Graph", [("file", graph.name), ("kind", graph.kind), *counts])
    rows_table(
        "Models" if holds is not None else "Models, with their least parameters: nothing was demanded",
        ["model", "verdict", "strongest", "break it"],
        [_model_row(*pair) for pair in zip(result.models, result.judgements, strict=True)],
    )
    if show_names:
        _show_names(result)
    _show_risk(result.risk)
    print_findings(told_findings(result, holds))
    if holds is not None:
        said, style = ("What was asked holds.", "green") if holds else ("What was asked does NOT hold.", "bold red")
        screen.print(said, style=style)


def _show_risk(risk: GraphRisk) -> None:
    from celosia.graphs.page_words import left_out
    from celosia.report.language import Language

    rows_table(
        "Risk by what is known",
        ["known", "unique", f"< {risk.k}", "fewest", "max", "mean", "links"],
        [_risk_row(known) for known in risk.known],
    )
    screen.print("links: pairs of vertices whose link is certain from the sets alone.", style="dim")
    missing = [f"{_known(known)}: {known.reason}" for known in risk.known if known.reason is not None]
    for said in [*missing, left_out(risk, Language("en"))]:
        if said:
            screen.print(f"– {said}", markup=False)


def _model_row(model: GraphModel, judgement: Judgement) -> list[str]:
    from celosia.graphs.page_words import strongest_words, verdict_words
    from celosia.report.language import Language

    english = Language("en")
    options = ", ".join(f"{name}: {_option(value)}" for name, value in model.to_dict().items())
    strongest = [
        f"{parameter} {strongest_words(judgement, parameter, english)}"
        for parameter in ("k", "l")
        if getattr(judgement, f"strongest_{parameter}") is not None
    ]
    n_undecided = f"\nundecided: {len(judgement.undecided):,}" if len(judgement.undecided) else ""
    return [
        f"{model.name}\n  {options}",
        verdict_words(judgement, english),
        "\n".join(strongest),
        f"{len(judgement.breaking):,}{n_undecided}",
    ]


def _option(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _show_names(result: Result) -> None:
    for one in result.results:
        if one.breaking:
            names = ", ".join(map(str, one.breaking[:_MOST_NAMES]))
            more = f" and {len(one.breaking) - _MOST_NAMES} more: --json" if len(one.breaking) > _MOST_NAMES else ""
            screen.print(f"{one.models[0].name} is broken by {names}{more}", markup=False)


def _risk_row(known: KnowledgeRisk) -> list[str]:
    counts = [known.n_unique, known.n_below_k, known.smallest]
    return [
        _known(known),
        *("-" if count is None else f"{count:,}" for count in counts),
        share(known.max),
        share(known.mean),
        "-" if known.links is None else f"{known.links.n_certain_links:,}",
    ]


def _known(known: KnowledgeRisk) -> str:
    """Name a kind of knowledge so shortly that the table fits a terminal."""
    return _SHORT.get(known.name, known.title)
