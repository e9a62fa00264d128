"""``celosia run``: from a plan to an audited release."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from celosia.data.schema import Table
    from celosia.jobs.plan import Plan
    from celosia.jobs.plan_file import Config
    from celosia.jobs.release import Release


def run(
    plan: Annotated[Path, typer.Argument(help="The plan file (YAML).", show_default=False)],
    input: Annotated[str | None, typer.Option("--input", help="Another data file than the plan's.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Another release folder than the plan's.")] = None,
    seed: Annotated[int | None, typer.Option(help="Make the run repeatable (for tests; marked in the result).")] = None,
    keep_order: Annotated[bool, typer.Option("--keep-order", help="Do not shuffle the rows (warned of).")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing release.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Search, measure and audit, but write nothing.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="End with code 1 if there is a warning.")] = False,
    lang: Annotated[str, typer.Option("--lang", help="The language of the report: en or es.")] = "en",
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
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Anonymise a table as a plan file says, audit the result and write it."""
    from dataclasses import replace

    from celosia.base.errors import PlanError
    from celosia.jobs.plan_file import load
    from celosia.report.language import check_language

    check_language(lang)
    config = load(plan)
    target = out or config.output
    if target is None and not dry_run:
        raise PlanError("the plan names no output.", hint="add 'output: FOLDER', or run with --out FOLDER.")
    if target is not None and not dry_run:
        _check_place(target, config, config.input if input is None else Path(input), overwrite=overwrite)
    changes: dict[str, Any] = {"keep_order": keep_order}
    if seed is not None:
        changes["seed"] = seed
    if bound is not None:
        changes["bound"] = bound
    with progress_bar() as bar:
        bar.stage("read")
        table = config.table(input)
        wanted = replace(config.plan, **changes)
        _check_asked(wanted, table, by or [], classify)
        with config.locating(), _pointing_to_why_not(plan, input):
            release = wanted.run(table, bar, rehearsal=dry_run)
        if target is not None and not dry_run:
            bar.stage("write")
            release.write(
                target, format=config.format, claim=config.claim, overwrite=overwrite, lang=lang, database=config.target
            )
            note_placed(target)
    measured = _measured(release, table, utility=utility, by=by or [], classify=classify, show_values=show_values)
    if as_json:
        summary = release.summary
        print_json(summary | {"utility": summary["utility"] | measured})
    else:
        _show(release.summary, is_bound_asked=release.plan.bound is not None)
        show_measures(measured, show_values=show_values)
        print_findings(release.findings)
        screen.print("Nothing was written (dry run)." if dry_run else f"Written to {target}.", markup=False)
    if strict and any(finding.severity == "warning" for finding in release.findings):
        raise typer.Exit(1)


@contextmanager
def _pointing_to_why_not(plan: Path, source: str | None) -> Iterator[None]:
    """Let a demand out of reach say how to learn what would help."""
    from celosia.base.errors import UnreachableError

    try:
        yield
    except UnreachableError as error:
        command = f"celosia frontier {plan} --why-not" + ("" if source is None else f" --input {source}")
        error.hint = " ".join(filter(None, (error.hint, f"What would help, and at what price: {command}")))
        raise


def _check_place(target: Path, config: Config, source: Path | None, *, overwrite: bool) -> None:
    """Refuse a folder that must not be replaced, or is too near to a key, before the search and not after it."""
    from celosia.base.errors import PlanError
    from celosia.data.io.folder import check_target
    from celosia.masks.apart import check_apart

    with config.locating():
        check_apart(config.plan.masks, folder=target, database=None if config.target is None else config.target.url)
    check_target(target, overwrite=overwrite)
    if source is not None and source.resolve().is_relative_to(target.resolve()):
        raise PlanError("the input lies in the output folder, which the release would replace.", hint="move it away.")


def _check_asked(plan: Plan, table: Table, by: list[str], classify: str | None) -> None:
    """Refuse a column that cannot be asked for before the search, and not after it."""
    if not by and classify is None:
        return
    from celosia.measure.overall import check_group_column, check_target

    masked = plan.masked(table)
    for column in by:
        check_group_column(masked, column)
    if classify is not None:
        check_target(masked, classify)


def _measured(
    release: Release, table: Table, *, utility: bool, by: list[str], classify: str | None, show_values: bool
) -> dict[str, Any]:
    """Return what was asked for beyond the summary."""
    from celosia.measure.overall import expected_seconds, learnt, losses_by

    found: dict[str, Any] = {}
    with progress_bar() as bar:
        if utility:
            bar.stage("Measuring utility")
            found |= release.utility.to_dict(show_values=show_values, progress=bar)
        for column in by:
            bar.stage(f"Measuring groups of {column}")
            found.setdefault("by", []).append(losses_by(release, column, bar).to_dict(show_values=show_values))
        if classify is not None:
            seconds = expected_seconds(release.seconds)
            note_seconds("Learning from the release again and again", seconds)
            bar.stage(f"Learning ({seconds:.0f} s or so)")
            found["classification"] = learnt(table, release.plan, classify, bar)
    return found


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
