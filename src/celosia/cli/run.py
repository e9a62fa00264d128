"""``celosia run``: from a plan to an audited release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from celosia.cli.console import (
    figures,
    note_placed,
    print_findings,
    print_json,
    progress_bar,
    recoding_words,
    screen,
    share,
)
from celosia.cli.measures import note_seconds, show_measures
from celosia.cli.options import AsJson, PlanFile, Seed, Strict, language_of, replacing


def run(
    plan: PlanFile,
    input: Annotated[str | None, typer.Option("--input", help="Another data file than the plan's.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Another release folder than the plan's.")] = None,
    seed: Seed = None,
    keep_order: Annotated[bool, typer.Option("--keep-order", help="Do not shuffle the rows (warned of).")] = False,
    overwrite: Annotated[bool, replacing("release")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Search, measure and audit, but write nothing.")] = False,
    strict: Strict = False,
    lang: Annotated[str, language_of("the report")] = "en",
    bound: Annotated[
        float | None,
        typer.Option("--bound", help="Look so many seconds for how near the release is to the best possible."),
    ] = None,
    utility: Annotated[
        bool, typer.Option("--utility", help="Measure how useful the release still is, in every way.")
    ] = False,
    by: Annotated[
        list[str] | None, typer.Option("--by", help="Ask whose data lost most: the loss by groups of this column.")
    ] = None,
    classify: Annotated[
        str | None, typer.Option("--classify", help="Predict this column by learning from the release (ten runs).")
    ] = None,
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Name groups, show exact statistics; for your eyes only.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Anonymise a table as a plan file says, audit the result and write it."""
    from celosia.jobs.learn import expected_seconds
    from celosia.jobs.request import Request

    request = Request(
        str(plan),
        input=input,
        out=None if out is None else str(out),
        seed=seed,
        keep_order=keep_order,
        bound=bound,
        overwrite=overwrite,
        dry_run=dry_run,
        lang=lang,
        utility=utility,
        by=tuple(by or ()),
        classify=classify,
    )
    with progress_bar() as bar:
        done = request.run(bar)
        note_placed(done.folder)
    release = done.release
    with progress_bar() as bar:
        if classify is not None:
            note_seconds("Learning from the release again and again", expected_seconds(release.seconds))
        measured = request.measured(release, bar, show_values=show_values)
    summary = release.summary
    if as_json:
        print_json(summary | {"utility": summary["utility"] | measured})
    else:
        _show(summary, is_bound_asked=release.plan.bound is not None)
        show_measures(measured, show_values=show_values)
        print_findings(release.findings)
        written = "Nothing was written (dry run)." if done.folder is None else f"Written to {done.folder}."
        screen.print(written, markup=False)
    if strict and any(finding.severity == "warning" for finding in release.findings):
        raise typer.Exit(1)


_NONE_OTHER = (
    "no release of these rows by these models and hierarchies that suppresses no more rows than the plan allows"
)


def _bound_words(bound: dict[str, Any] | None, *, is_asked: bool) -> list[tuple[str, str]]:
    """Say how near the loss is to the best possible, if that is known or was asked."""
    if bound is None:
        return [("best possible", "not known: no bound above 0 was found for these models in time")] if is_asked else []
    if bound["is_best"]:
        return [("best possible", f"this is it: {_NONE_OTHER} loses less")]
    if bound["above"] is None and bound["kind"] == "exact":
        return [("best possible (GCP)", "0, proved: these rows can be released by these models without loss")]
    if bound["above"] is None:
        return [("best possible", "at least 0: how near this is to it is not known")]
    said = f"at most {share(bound['above'])} above the best possible ({share(bound['gap'])} of this loss)"
    at_least = f"at least {bound['value']:.5f}"
    if bound["kind"] == "estimate":
        low, high = bound["interval"]
        at_least = (
            f"about {bound['value']:.5f}, estimated from a sample of {bound['n_sampled']} of {bound['n_rows']} rows; "
            f"95 % interval {low:.5f} to {high:.5f}"
        )
        said = f"by an estimate {said}"
    return [("how near to the best", said), ("best possible (GCP)", at_least)]


def _show(summary: dict[str, Any], *, is_bound_asked: bool) -> None:
    risk = summary["risk"]["prosecutor"]
    suppressed = share(summary["n_suppressed"] / summary["n_rows"])
    figures(
        "Release",
        [
            ("k (people in the smallest class)", str(summary["k"])),
            ("rows published", f"{summary['n_published']} of {summary['n_rows']} ({suppressed} suppressed)"),
            ("classes", str(summary["n_classes"])),
            ("information lost (GCP)", f"{summary['gcp']:.5f} ({share(summary['gcp'])})"),
            *_bound_words(summary["bound"], is_asked=is_bound_asked),
            ("recoding", recoding_words(summary["recoding"])),
            ("greatest re-identification risk", share(risk["max"])),
            ("mean re-identification risk", share(risk["mean"])),
            ("search", f"{summary['search_seconds']:.2f} s"),
            ("whole run, audit included", f"{summary['seconds']:.2f} s"),
        ],
    )
    figures("Loss per column", [(column, share(value)) for column, value in summary["columns"].items()])
