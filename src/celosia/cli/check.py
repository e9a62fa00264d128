"""``celosia check``: what any file gives away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from celosia.cli.console import figures, print_findings, print_json, rows_table, screen, share

__all__ = ["check"]


def check(
    data: Annotated[Path, typer.Argument(help="The data file.", show_default=False)],
    quasi_identifiers: Annotated[
        str, typer.Option("--quasi-identifiers", help="The columns an attacker may know: a,b,c.", show_default=False)
    ],
    sensitive: Annotated[str, typer.Option("--sensitive", help="The columns that hold secrets: s,t.")] = "",
    subject: Annotated[str | None, typer.Option("--subject", help="The column that tells whose row it is.")] = None,
    model: Annotated[
        list[str] | None, typer.Option("--model", help="A model that must hold: '{k_anonymity: {k: 3}}'.")
    ] = None,
    threshold: Annotated[str, typer.Option("--threshold", help="Above which a row counts as at risk.")] = "0.2",
    strict: Annotated[bool, typer.Option("--strict", help="End with code 1 if there is a warning.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure k, the risk and what classes tell about each secret; end with code 1 if a demanded model fails."""
    from celosia import io
    from celosia.checking import check as measure
    from celosia.config import model_of

    found = measure(
        io.restored(io.read(data).frame),
        quasi_identifiers=_columns(quasi_identifiers),
        sensitive=_columns(sensitive),
        subject=subject,
        models=[model_of(text) for text in model or []],
        threshold=threshold,
    )
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found.figures)
        for judged in found.models:
            (name, options), word = next(iter(judged["model"].items())), "holds" if judged["holds"] else "does NOT hold"
            screen.print(f"{name} {options}: {word} ({judged['reason']})", markup=False)
        print_findings(found.findings)
    if not found.holds or (strict and any(finding.severity == "warning" for finding in found.findings)):
        raise typer.Exit(1)


def _columns(text: str) -> list[str]:
    return [column.strip() for column in text.split(",") if column.strip()]


def _show(found: dict[str, Any]) -> None:
    risk = found["risk"]["prosecutor"]
    rows = [
        ("rows", str(found["n_rows"])),
        ("classes", str(found["n_classes"])),
        ("k (people in the smallest class)", "-" if found["k"] is None else str(found["k"])),
        ("greatest re-identification risk", share(risk["max"])),
        ("mean re-identification risk", share(risk["mean"])),
        ("rows at risk", share(risk["share_at_risk"])),
    ]
    if "k_rows" in found:
        rows.insert(3, ("rows in the smallest class", str(found["k_rows"])))
    figures("Table", rows)
    if found["sensitive"]:
        measures = [name for name in next(iter(found["sensitive"].values())) if name != "l_recursive"]
        rows_table(
            "What classes tell about each secret",
            ["measure", *found["sensitive"]],
            [[name, *(_short(values[name]) for values in found["sensitive"].values())] for name in measures],
        )


def _short(value: float | str | None) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.4g}"
