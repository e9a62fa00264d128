"""What the terminal shows of models and risks of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from celosia.cli.console import rows_table, screen, share

if TYPE_CHECKING:
    from celosia.graphs.checking import Result
    from celosia.graphs.judging import GraphModel, Judgement
    from celosia.graphs.risk import GraphRisk, KnowledgeRisk

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


def show_models(result: Result, title: str) -> None:
    """Show the verdict of every model."""
    rows_table(
        title,
        ["model", "verdict", "strongest", "break it"],
        [_model_row(*pair) for pair in zip(result.models, result.judgements, strict=True)],
    )


def show_risk(risk: GraphRisk) -> None:
    """Show the risk by knowledge, and why a figure is missing."""
    from celosia.report.graphs.page_words import left_out
    from celosia.report.language import Language

    rows_table(
        "Risk by what is known",
        ["known", "unique", f"< {risk.k}", "fewest", "max", "mean", "links"],
        [_risk_row(known) for known in risk.known],
    )
    screen.print("links: pairs of vertices whose link is certain from the sets alone.", style="dim")
    missing = [f"{known_words(known)}: {known.reason}" for known in risk.known if known.reason is not None]
    for said in [*missing, left_out(risk, Language("en"))]:
        if said:
            screen.print(f"– {said}", markup=False)


def known_words(known: KnowledgeRisk) -> str:
    """Name a kind of knowledge so shortly that the table fits a terminal."""
    return _SHORT.get(known.name, known.title)


def options_of(model: GraphModel) -> str:
    """Return the options of a model as they stand in a plan."""
    return ", ".join(f"{name}: {_option(value)}" for name, value in model.to_dict().items())


def _model_row(model: GraphModel, judgement: Judgement) -> list[str]:
    from celosia.report.graphs.page_words import strongest_words, verdict_words
    from celosia.report.language import Language

    english = Language("en")
    strongest = [
        f"{parameter} {strongest_words(judgement, parameter, english)}"
        for parameter in ("k", "l")
        if getattr(judgement, f"strongest_{parameter}") is not None
    ]
    n_undecided = f"\nundecided: {len(judgement.undecided):,}" if len(judgement.undecided) else ""
    return [
        f"{model.name}\n  {options_of(model)}",
        verdict_words(judgement, english),
        "\n".join(strongest),
        f"{len(judgement.breaking):,}{n_undecided}",
    ]


def _option(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _risk_row(known: KnowledgeRisk) -> list[str]:
    counts = [known.n_unique, known.n_below_k, known.smallest]
    return [
        known_words(known),
        *("-" if count is None else f"{count:,}" for count in counts),
        share(known.max),
        share(known.mean),
        "-" if known.links is None else f"{known.links.n_certain_links:,}",
    ]
