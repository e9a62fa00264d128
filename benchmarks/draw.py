"""Pictures of the results: loss over time and loss over k. Matplotlib is needed here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any

from benchmarks.results import Results

__all__ = ["can_draw", "draw"]

_PER_ROW = 2
_MARKERS = "osD^vP*<>hpd"
_Draw = Callable[[Any, Results, str, dict[str, dict[str, Any]]], None]


def can_draw() -> bool:
    """Whether Matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw(results: Results, folder: Path) -> list[Path]:
    """Draw both pictures into a folder and return their paths."""
    tables = [name for name in results.tables if results.done(name)]
    swept = [name for name in tables if len(results.ks(name)) > 1]
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    if tables:
        drawn.append(_picture(results, tables, _loss_over_time, folder / "benchmarks_time.svg"))
    if swept:
        drawn.append(_picture(results, swept, _loss_over_k, folder / "benchmarks_k.svg"))
    return drawn


def _picture(results: Results, tables: Sequence[str], panel: _Draw, path: Path) -> Path:
    """Draw one panel per table and one legend below all."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    n_rows = ceil(len(tables) / _PER_ROW)
    settings = {"svg.fonttype": "none", "svg.hashsalt": "celosia", "font.family": "sans-serif"}
    with plt.rc_context(settings):
        figure, axes = plt.subplots(
            n_rows, min(len(tables), _PER_ROW), squeeze=False, figsize=(11, 4.2 * n_rows + 1.2), layout="constrained"
        )
        styles = _styles(results)
        for place in axes.flat[len(tables) :]:
            place.set_visible(False)
        for place, table in zip(axes.flat, tables, strict=False):
            panel(place, results, table, styles)
            place.grid(color="#e4e4e4", linewidth=0.6)
            place.set_yscale("log")
            _plain_ticks(place.yaxis)
            place.set_ylabel("GCP")
        entries = {
            name: handle for place in axes.flat for handle, name in zip(*place.get_legend_handles_labels(), strict=True)
        }
        figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=3, frameon=False)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)
    return path


def _plain_ticks(axis: Any) -> None:
    """Mark 1, 2 and 5 of every power of ten, in plain figures."""
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FormatStrFormatter("%g"))
    axis.set_minor_locator(NullLocator())


def _styles(results: Results) -> dict[str, dict[str, Any]]:
    """Return colour and marker of every search and peer, the same in all panels; peers are hollow."""
    import matplotlib

    colours = matplotlib.colormaps["tab20"].colors
    ours = list(dict.fromkeys(run["title"] for run in results.runs))
    peers = list(dict.fromkeys(run["title"] for run in results.peers))
    styles = {
        title: {"color": colours[2 * place % 20 + place // 10 % 2], "marker": _MARKERS[place % len(_MARKERS)]}
        for place, title in enumerate([*ours, *peers])
    }
    for title in peers:
        styles[title]["markerfacecolor"] = "none"
    return styles


def _loss_over_time(place: Any, results: Results, table: str, styles: dict[str, dict[str, Any]]) -> None:
    k = results.reference_k(table)
    for run in results.done(table, k):
        style, history = styles[run["title"]], run["history"]
        if len(history) > 1:
            seconds, losses = zip(*history, strict=True)
            place.step(seconds, losses, where="post", color=style["color"], linewidth=1.4)
            place.plot(seconds[-1], losses[-1], linestyle="none", label=run["title"], **style)
        else:
            place.plot(run["search_seconds"], run["gcp"], linestyle="none", label=run["title"], **style)
    for run in results.peers_done(table, k):
        place.plot(run["seconds"], run["gcp"], linestyle="none", label=run["title"], **styles[run["title"]])
    place.set_xscale("log")
    place.set_title(f"{results.tables[table]['title']}, k = {k}", fontsize=10)
    place.set_xlabel("seconds of search (peers: of the call)")


def _loss_over_k(place: Any, results: Results, table: str, styles: dict[str, dict[str, Any]]) -> None:
    lines: dict[str, list[tuple[int, float]]] = {}
    for run in [*results.done(table), *results.peers_done(table)]:
        lines.setdefault(run["title"], []).append((run["k"], run["gcp"]))
    for title, points in lines.items():
        ks, losses = zip(*sorted(points), strict=True)
        place.plot(ks, losses, label=title, linewidth=1, markersize=4, **styles[title])
    place.set_xscale("log")
    place.set_xticks(results.ks(table), [str(k) for k in results.ks(table)], minor=False)
    place.xaxis.minorticks_off()
    place.set_title(results.tables[table]["title"], fontsize=10)
    place.set_xlabel("k")
