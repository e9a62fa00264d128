"""The measures of utility in the terminal: each with how to read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import typer

from celosia.cli.console import figures, rows_table, screen, share

_WORTH_NOTING = 2.0
_MOST_PAIRS = 10


def note_seconds(work: str, seconds: float) -> None:
    """Say on standard error about how long something will take, unless it is over at once."""
    if seconds > _WORTH_NOTING:
        typer.echo(f"{work}: about {seconds:.0f} s.", err=True)


def show_measures(found: Mapping[str, Any], *, show_values: bool) -> None:
    """Print what was measured beyond the summary; nothing where nothing was asked for."""
    if "shares" in found:
        _show_utility(found)
    for groups in found.get("by", []):
        _show_groups(groups, show_values=show_values)
    if "classification" in found:
        _show_classification(found["classification"])


def _show_utility(found: Mapping[str, Any]) -> None:
    size, query = found["average_class_size"], found["query_error"]
    half = f"{share(query['lower_quartile'])} to {share(query['upper_quartile'])}"
    multiple = "" if size["c_avg"] is None else f" = {size['c_avg']:.4g} k"
    rows_table(
        "Utility",
        ["measure", "figure", "how to read it"],
        [
            ("average class size", f"{_figure(size['mean'])} rows{multiple}", "smaller is better, 1 k at best"),
            ("discernibility", _figure(found["discernibility"]), "smaller: rows that rows look like, summed"),
            ("precision", share(found["precision"]["precision"]), "larger; 100 % = no cell above its lowest level"),
            ("information hidden (entropy)", share(found["non_uniform_entropy"]["loss"]), "smaller; 0 % = untouched"),
            ("ambiguity", _power(found["ambiguity"]["log10"]), "smaller: rows that a published one may stand for"),
            ("KL divergence", _figure(found["kl_divergence"]), "smaller; 0 = the same distribution, in nats"),
            ("error of counts (median)", share(query["median"]), f"smaller; half of them: {half}"),
        ],
    )
    for measure, reason in found["left_out"].items():
        screen.print(f"Left out: {measure}: {reason}", markup=False)
    _show_statistics(found["statistics"])
    _show_correlations(found["correlations"]["pairs"])
    if found["shares"]:
        moved = [(column, share(own["total_variation"])) for column, own in found["shares"].items()]
        rows_table("Shares of values", ["column", "rows that would have to move to get back"], moved)
        for column, own in found["shares"].items():
            _show_shares(column, own.get("values", []))


_NAMES = {"mean": "mean", "sd": "sd", "lower_quartile": "1st quartile", "median": "median", "upper_quartile": "3rd"}


def _show_statistics(columns: Mapping[str, Any]) -> None:
    known = {column: own for column, own in columns.items() if own is not None}
    rows = [
        [column, *(_change(own["before"][name], own["after"][name]) for name in _NAMES)]
        for column, own in known.items()
    ]
    if rows:
        rows_table("Statistics, before → after", ["column", *_NAMES.values()], rows)
    if any("rounded_to" in own for own in known.values()):
        screen.print(
            "Statistics are rounded, so that none of them points at fewer than k people; --show-values has them exact.",
            markup=False,
        )
    if len(known) < len(columns):
        missing = ", ".join(column for column in columns if column not in known)
        screen.print(f"Not told, since too few people have a number: {missing}.", markup=False)


def _show_correlations(pairs: Sequence[Mapping[str, Any]]) -> None:
    known = sorted((pair for pair in pairs if pair["change"] is not None), key=lambda pair: -pair["change"])
    if known:
        rows_table(
            "Correlations",
            [f"columns, most changed first ({min(len(known), _MOST_PAIRS)} of {len(pairs)})", "before", "after"],
            [
                (f"{pair['first']}, {pair['second']}", f"{pair['before']:.3f}", f"{pair['after']:.3f}")
                for pair in known[:_MOST_PAIRS]
            ],
        )


def _show_shares(column: str, values: Sequence[Mapping[str, Any]]) -> None:
    """Print the shares of single values, which are there only if they were asked for."""
    if values:
        rows = [(_value(own["value"]), share(own["before"]), share(own["after"])) for own in values]
        rows_table(f"Shares of {column}", ["value", "before", "after"], rows)


def _show_groups(found: Mapping[str, Any], *, show_values: bool) -> None:
    rows_table(
        f"Whose data lost most? Groups of {found['by']}",
        ["group", "rows", "lost (GCP)", "suppressed", "class size", "looks like", "precision", "hidden"],
        [
            (
                _value(own["value"]) if show_values else f"group {own['group']}",
                share(own["share_of_rows"]),
                share(own["gcp"]),
                share(own["suppressed"]),
                _figure(own["class_size"]),
                _figure(own["alike"]),
                share(own["precision"]),
                share(own["entropy"]),
            )
            for own in found["groups"]
        ],
    )
    if show_values:
        return
    screen.print("Groups have numbers, since their names are values of the data: --show-values names them.")
    if found["n_groups_of_few"]:
        screen.print(f"Groups of fewer than {found['fewer_than']} people, not shown: {found['n_groups_of_few']}.")


def _show_classification(found: Mapping[str, Any]) -> None:
    figures(
        f"Predicting {found['target']} of people held out",
        [
            ("right after learning from the release", share(found["accuracy"])),
            ("right after learning from the raw rows", share(found["accuracy_raw"])),
            ("right by always naming the most frequent value", share(found["accuracy_majority"])),
            ("kept of what can be learnt", share(found["relative"])),
            ("time", f"{found['seconds']:.1f} s for {found['folds'] * found['repeats']} runs"),
        ],
    )
    if found["reason"]:
        screen.print(f"Not defined: {found['reason']}", markup=False)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _power(log10: float | None) -> str:
    if log10 is None:
        return "-"
    return f"{10**log10:.4g}" if log10 < 6 else f"10^{log10:.1f}"


def _change(before: float | None, after: float | None) -> str:
    return " → ".join("-" if one is None else f"{one:.6g}" for one in (before, after))


def _value(value: str | None) -> str:
    return "(missing)" if value is None else value
