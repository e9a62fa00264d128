"""``celosia check``: what any file gives away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli.console import answer, figures, print_findings, rows_table, screen, share, warned
from celosia.cli.options import AsJson, Strict, Subject, listed

if TYPE_CHECKING:
    from celosia.jobs.check import Check


def check(
    data: Annotated[str, typer.Argument(help="The data file.", show_default=False)],
    quasi_identifiers: Annotated[
        str, typer.Option("--quasi-identifiers", help="The columns an attacker may know: a,b,c.", show_default=False)
    ],
    sensitive: Annotated[str, typer.Option("--sensitive", help="The columns that hold secrets: s,t.")] = "",
    subject: Subject = None,
    model: Annotated[
        list[str] | None, typer.Option("--model", help="A model that must hold: '{k_anonymity: {k: 3}}'.")
    ] = None,
    threshold: Annotated[str, typer.Option("--threshold", help="Above which a row counts as at risk.")] = "0.2",
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Print the secret of classes that share one; for your eyes only.")
    ] = False,
    roster: Annotated[
        str | None,
        typer.Option(
            "--roster",
            help="Values that may have been hashed, such as e-mails: a text file with one in each line, or a table's "
            "first column.",
        ),
    ] = None,
    original: Annotated[
        str | None,
        typer.Option("--original", help="The data file it was made from: whether rows keep its order is judged by it."),
    ] = None,
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """Measure k, the risk and what classes tell, and find what else gives people away; code 1 if a model fails."""
    from celosia.data import io
    from celosia.jobs.check import check as measure
    from celosia.jobs.plan_file import model_of
    from celosia.measure.unhashing import read_roster

    found = measure(
        io.read(data),
        quasi_identifiers=listed(quasi_identifiers),
        sensitive=listed(sensitive),
        subject=subject,
        models=[model_of(text) for text in model or []],
        threshold=threshold,
        show_values=show_values,
        roster=None if roster is None else read_roster(roster),
        original=None if original is None else io.read(original),
    )
    answer(
        found.to_dict(),
        lambda: _show(found, show_values=show_values),
        as_json=as_json,
        code=int(not found.holds or warned(found.findings, strict=strict)),
    )


def _show(found: Check, *, show_values: bool) -> None:
    _show_figures(found.figures)
    if show_values:
        _show_values(found.figures["sensitive"])
    for judged in found.models:
        _show_model(judged)
    print_findings(found.findings)


def _show_figures(found: dict[str, Any]) -> None:
    risk = found["risk"]["prosecutor"]
    rows = [
        ("rows", str(found["n_rows"])),
        ("classes", str(found["n_classes"])),
        ("k (people in the smallest class)", "-" if found["k"] is None else str(found["k"])),
        ("greatest re-identification risk", share(risk["max"])),
        ("mean re-identification risk", share(risk["mean"])),
        ("rows at risk", share(risk["share_at_risk"])),
        ("rows alone in their class", share(found["risk"]["sample_uniqueness"])),
    ]
    if "k_rows" in found:
        rows.insert(3, ("rows in the smallest class", str(found["k_rows"])))
    figures("Table", rows)
    if found["sensitive"]:
        secrets = [_strongest(measures) for measures in found["sensitive"].values()]
        names = dict.fromkeys(name for secret in secrets for name in secret)
        rows_table(
            "What classes tell about each secret",
            ["strongest parameter that holds", *found["sensitive"]],
            [[name, *(secret.get(name, "-") for secret in secrets)] for name in names],
        )


_NAMES = {
    "alpha": "alpha (largest share of one value)",
    "l_distinct": "l distinct, p-sensitive",
    "l_entropy": "l entropy",
    "t_equal": "t equal",
    "t_ordered": "t ordered",
    "t_numeric": "t numeric",
    "t_hierarchical": "t hierarchical",
    "delta_strict": "delta strict, above",
    "delta_present": "delta present, above",
    "beta_basic": "beta basic",
    "beta_enhanced": "beta enhanced",
}
"""How people call the measures; a bound that a parameter must exceed says so."""


def _strongest(measures: dict[str, Any]) -> dict[str, str]:
    """Return readable names and figures of one secret."""
    shown: dict[str, str] = {}
    for name, value in measures.items():
        if name == "l_recursive":
            shown |= {f"c of recursive (c, {length}), above": _short(c) for length, c in value.items()}
        elif name == "p_levels":
            shown |= {f"p-sensitive on level {level}": _short(p) for level, p in (value or {}).items()}
        elif name == "homogeneous":
            shown["classes that share one value"] = f"{value['n_classes']} ({value['n_rows']} rows)"
        else:
            shown[_NAMES[name]] = _short(value)
    return shown


def _show_values(sensitive: dict[str, Any]) -> None:
    for column, measures in sensitive.items():
        alike = measures["homogeneous"]["classes"]
        if alike:
            rows = [[str(one["first_row"]), str(one["n_rows"]), one["value"]] for one in alike]
            rows_table(f"Classes that share one '{column}'", ["first row", "rows", column], rows)


def _show_model(judged: dict[str, Any]) -> None:
    name, options = next(iter(judged["model"].items()))
    words = {True: "holds", False: "does NOT hold", None: "could not be judged"}
    screen.print(f"{name} {options}: {words[judged['holds']]} ({judged['reason']})", markup=False)
    if judged["classes"]:
        firsts = ", ".join(str(one["first_row"]) for one in judged["classes"])
        rest = " ..." if judged["n_classes"] > len(judged["classes"]) else ""
        screen.print(f"  classes that break it begin in rows {firsts}{rest}", markup=False)


def _short(value: float | str | None) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.4g}"
