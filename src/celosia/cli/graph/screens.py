"""What the terminal shows of a graph: models and risks, a release or clusters, and where a page is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from celosia.cli.console import figures, rows_table, screen, share

if TYPE_CHECKING:
    from pathlib import Path

    from celosia.graphs.alternatives import Alternative
    from celosia.graphs.checking import Result
    from celosia.graphs.judging import GraphModel, Judgement
    from celosia.graphs.risk import GraphRisk, KnowledgeRisk
    from celosia.jobs.graphs.release import GraphRelease
    from celosia.jobs.graphs.super_release import SuperGraph

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


def show_written(out: Path | None) -> None:
    """Say where the page is."""
    if out is not None:
        screen.print(f"Written to {out}. It is for the house.", markup=False)


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
    missing = [f"{_known_words(known)}: {known.reason}" for known in risk.known if known.reason is not None]
    for said in [*missing, left_out(risk, Language("en"))]:
        if said:
            screen.print(f"– {said}", markup=False)


def _known_words(known: KnowledgeRisk) -> str:
    """Name a kind of knowledge so shortly that the table fits a terminal."""
    return _SHORT.get(known.name, known.title)


def _options_of(model: GraphModel) -> str:
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
        f"{model.name}\n  {_options_of(model)}",
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
        _known_words(known),
        *("-" if count is None else f"{count:,}" for count in counts),
        share(known.max),
        share(known.mean),
        "-" if known.links is None else f"{known.links.n_certain_links:,}",
    ]


def show_super_graph(made: SuperGraph) -> None:
    """Show sizes, counts and losses of clusters."""
    before = made.original
    losses = [
        ("structure lost", f"{share(made.structural_loss)} (with one cluster: {share(made.loss_of_one)})"),
        ("inside clusters, between", f"{share(made.intra_loss)}, {share(made.inter_loss)}"),
    ]
    if made.attribute_loss is not None:
        losses.append(("attributes lost (GCP)", share(made.attribute_loss)))
    figures(
        "Super-graph",
        [
            ("graph", f"{before.name} ({before.kind}, {before.n_vertices:,} vertices, {before.n_edges:,} edges)"),
            ("clusters", f"{made.n_clusters:,} of {int(made.sizes.min()):,} to {int(made.sizes.max()):,} vertices"),
            ("edges inside, between", f"{int(made.inner.sum()):,}, {int(made.between.sum()):,}"),
            ("risk, greatest and mean", f"{share(made.max_risk)}, {share(made.mean_risk)}"),
            *losses,
            ("whole run, audit included", f"{made.seconds:.2f} s"),
        ],
    )


def show_release(release: GraphRelease) -> None:
    """Show edits, models, risk before and after, and what other models would cost."""
    before, after = release.original, release.graph
    figures(
        "Release",
        [
            ("graph", f"{before.name} ({before.kind}, {before.n_vertices:,} vertices)"),
            ("edges", f"{before.n_edges:,} before, {after.n_edges:,} after"),
            ("added, deleted", f"{release.n_added:,}, {release.n_deleted:,}"),
            ("edits, of the edges", share(release.edit_ratio)),
            *([("least possible", _least(release))] if release.promised else []),
            ("search", f"{release.search_seconds:.2f} s"),
            ("whole run, audit included", f"{release.seconds:.2f} s"),
        ],
    )
    show_models(
        release.result, "Models" if release.promised else "Models, with their least parameters: nothing was demanded"
    )
    _show_risk(release)
    _show_alternatives(release)


def _least(release: GraphRelease) -> str:
    if release.is_optimal:
        return f"{release.n_edits:,} edits: fewer cannot do it"
    if release.lower_bound is None:
        return "not known"
    above = "" if release.gap is None else f"; at most {share(release.gap)} above it"
    return f"at least {release.lower_bound:,} edits{above}"


def _show_risk(release: GraphRelease) -> None:
    """Show the risk by knowledge, before and after."""
    was = {known.name: known for known in release.before.risk.known}
    rows = [
        [
            _known_words(known),
            *(_change(getattr(was[known.name], name), getattr(known, name)) for name in ("n_unique", "n_below_k")),
            _change(was[known.name].smallest, known.smallest),
            f"{share(was[known.name].mean)} -> {share(known.mean)}",
        ]
        for known in release.result.risk.known
        if known.name in was
    ]
    title = "Risk by what is known, before -> after"
    rows_table(title, ["known", "unique", f"< {release.result.risk.k}", "fewest", "mean"], rows)


def _change(before: int | None, after: int | None) -> str:
    return " -> ".join("-" if figure is None else f"{figure:,}" for figure in (before, after))


def _show_alternatives(release: GraphRelease) -> None:
    found = release.alternatives
    if found is None:
        screen.print("Other models were not tried: --alternatives.", style="dim")
        return
    rows_table(
        "What other models would cost",
        ["model", "edits", "edges left", "unique by H1, H2, N(v)"],
        [_alternative_row(one) for one in found],
    )


def _alternative_row(one: Alternative) -> list[str]:
    name = f"{one.model.name}\n  {_options_of(one.model)}"
    if one.n_edits is None:
        return [name, "cannot be met", "-", "-"]
    unique = ", ".join(share(value) for value in (one.unique or {}).values())
    return [name, f"{one.n_edits:,} ({share(one.edit_ratio)})", f"{one.n_edges:,}", unique]
