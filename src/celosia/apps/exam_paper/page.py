"""The results as files: a page, two pictures and everything as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from celosia.apps.exam_paper import paper
from celosia.apps.exam_paper.charts import Curve, Panel, line_chart
from celosia.apps.exam_paper.experiment import ALGORITHMS, Marks, Reproduction
from celosia.apps.exam_paper.verdicts import verdicts
from celosia.apps.exam_paper.words import Language, localised, sentence, status_word, word
from celosia.data import io

_COLOURS = {"k_members": "#0072b2", "l_greedy": "#d55e00"}
_BOUND_COLOUR, _PRINTED_COLOUR = "#555555", "#b0003a"
_FEW_POINTS = 12


def write_results(found: Reproduction, target: str | Path, language: Language = "en") -> Path:
    """Write ``results.md``, ``results.json``, ``gcp.svg`` and ``time.svg`` into a new folder.

    Raises
    ------
    OptionError
        The folder exists.
    InputError
        The folder cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from celosia.apps.exam_paper import reproduce_exam_paper
    >>> found = reproduce_exam_paper([2], n_seeds=1, marks=["real"])
    >>> folder = write_results(found, Path(tempfile.mkdtemp(), "results"))
    >>> sorted(path.name for path in folder.iterdir())
    ['gcp.svg', 'results.json', 'results.md', 'time.svg']
    """
    path = Path(target)
    with io.placing(path) as folder:
        texts = {
            "results.md": _page(found, language),
            "results.json": json.dumps(results(found, language), ensure_ascii=False, indent=2, allow_nan=False) + "\n",
            "gcp.svg": gcp_chart(found, language),
            "time.svg": time_chart(found, language),
        }
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    return path


def results(found: Reproduction, language: Language = "en") -> dict[str, Any]:
    """Return what was measured and the verdicts with their sentences, as ``--json`` prints them."""
    judged = [
        verdict.to_dict() | {"status_text": status_word(verdict.status, language), "text": sentence(verdict, language)}
        for verdict in verdicts(found)
    ]
    return found.to_dict() | {"verdicts": judged}


def table_header(language: Language) -> list[str]:
    """Return the heads of the columns that ``table_rows`` fills."""
    return [
        word("k", language),
        *(word("gcp", language, algorithm=word(name, language)) for name in ALGORITHMS),
        word("bound", language),
        word("printed", language),
        word("time", language),
    ]


def table_rows(
    found: Reproduction, marks: Marks, ks: tuple[int, ...], language: Language, *, between: str = " "
) -> list[list[str]]:
    """Return a row per k: loss of both searches (mean, least..greatest), bound, printed loss, time of both.

    ``between`` stands between mean and range.
    """
    rows = []
    for k in ks:
        losses = [found.loss(marks, name, k) for name in ALGORITHMS]
        milliseconds = [1000 * found.seconds(marks, name, k).mean for name in ALGORITHMS]
        printed = paper.LOSS_AT.get(k)
        cells = [
            f"{k} ({_short(100 / k)}%)",
            *(f"{loss.mean:.4f}{between}{loss.min:.4f}..{loss.max:.4f}" for loss in losses),
            f"{found.bound(marks, k).mean:.4f}",
            "" if printed is None else f"{printed:.4f}",
            " / ".join(_short(one) for one in milliseconds),
        ]
        rows.append([localised(cell, language) for cell in cells])
    return rows


def _short(value: float) -> str:
    """Spell a figure with one decimal below 10, and none above or where it is whole."""
    return f"{value:.1f}" if value < 10 and not value.is_integer() else f"{value:.0f}"


def gcp_chart(found: Reproduction, language: Language = "en") -> str:
    """Draw GCP over k: both searches, the lower bound and the paper's two printed ends."""
    return line_chart(
        [_gcp_panel(found, marks, language) for marks in found.marks],
        title=word("title", language),
        x_label=word("k_axis", language),
        y_label=word("gcp_axis", language),
        comma=language == "es",
    )


def time_chart(found: Reproduction, language: Language = "en") -> str:
    """Draw the search time over k, with the paper's limit of one second."""
    return line_chart(
        [_time_panel(found, marks, language) for marks in found.marks],
        title=word("title", language),
        x_label=word("k_axis", language),
        y_label=word("time_axis", language),
        logarithmic=True,
        comma=language == "es",
    )


def _gcp_panel(found: Reproduction, marks: Marks, language: Language) -> Panel:
    few = len(found.ks) <= _FEW_POINTS
    curves = []
    for name in ALGORITHMS:
        losses = [(k, found.loss(marks, name, k)) for k in found.ks]
        band = [(k, loss.min, loss.max) for k, loss in losses]
        points = [(k, loss.mean) for k, loss in losses]
        curves.append(Curve(_curve_name(name, language), _COLOURS[name], points, band, markers=few))
    bounds = [(k, found.bound(marks, k).mean) for k in found.ks]
    curves.append(Curve(word("bound_line", language), _BOUND_COLOUR, bounds, dashes="2 3", markers=few))
    printed = Curve(
        word("printed_line", language),
        _PRINTED_COLOUR,
        list(paper.LOSS_AT.items()),
        dashes="7 4",
        markers=True,
        labels=[localised(f"{loss:.4f}", language) for loss in paper.LOSS_AT.values()],
    )
    return Panel(word(marks, language), [*curves, printed])


def _curve_name(algorithm: str, language: Language) -> str:
    return word("curve", language, algorithm=word(algorithm, language))


def _time_panel(found: Reproduction, marks: Marks, language: Language) -> Panel:
    curves = []
    for name in ALGORITHMS:
        times = [(k, found.seconds(marks, name, k)) for k in found.ks]
        band = [(k, 1000 * time.min, 1000 * time.max) for k, time in times]
        points = [(k, 1000 * time.mean) for k, time in times]
        few = len(found.ks) <= _FEW_POINTS
        curves.append(Curve(_curve_name(name, language), _COLOURS[name], points, band, markers=few))
    limit = [(paper.SMALLEST_K, 1000 * paper.SECONDS), (paper.LARGEST_K, 1000 * paper.SECONDS)]
    return Panel(
        word(marks, language), [*curves, Curve(word("limit_line", language), _PRINTED_COLOUR, limit, dashes="7 4")]
    )


def _page(found: Reproduction, language: Language) -> str:
    lines = [f"# {word('title', language)}", "", word("definition", language), "", word("method", language), ""]
    lines += [f"![{word('gcp_axis', language)}](gcp.svg)", "", word("bound_why", language), ""]
    lines += [f"![{word('time_axis', language)}](time.svg)", "", f"## {word('verdicts', language)}", ""]
    lines += [
        f"- **{status_word(verdict.status, language).capitalize()}.** {sentence(verdict, language)}"
        for verdict in verdicts(found)
    ]
    for marks in found.marks:
        header = table_header(language)
        lines += ["", f"## {table_title(found, marks, language)}", ""]
        lines += [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
        lines += [f"| {' | '.join(row)} |" for row in table_rows(found, marks, found.ks, language)]
    return "\n".join([*lines, "", f"## {word('repeat', language)}", "", "```", _command(found, language), "```", ""])


def table_title(found: Reproduction, marks: Marks, language: Language) -> str:
    """Return the title over the table of one kind of marks."""
    named = word(marks, language).capitalize()
    return word("table_title", language, marks=named, n_seeds=found.n_seeds, n_students=paper.N_STUDENTS)


def _command(found: Reproduction, language: Language) -> str:
    marks = found.marks[0] if len(found.marks) == 1 else "both"
    first, last = found.ks[0], found.ks[-1]
    ks = f"{first}..{last}" if len(found.ks) == last - first + 1 else ",".join(map(str, found.ks))
    return f"celosia reproduce exam-paper --k {ks} --seeds {found.n_seeds} --marks {marks} --lang {language}"
