"""What the terminal shows of a published graph, or of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celosia.cli.console import figures, rows_table, screen, share
from celosia.cli.graph.screens import known_words, options_of, show_models

if TYPE_CHECKING:
    from celosia.graphs.alternatives import Alternative
    from celosia.jobs.graphs.release import GraphRelease
    from celosia.jobs.graphs.super_release import SuperGraph


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
            known_words(known),
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
    name = f"{one.model.name}\n  {options_of(one.model)}"
    if one.n_edits is None:
        return [name, "cannot be met", "-", "-"]
    unique = ", ".join(share(value) for value in (one.unique or {}).values())
    return [name, f"{one.n_edits:,} ({share(one.edit_ratio)})", f"{one.n_edges:,}", unique]
