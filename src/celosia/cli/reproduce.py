"""``celosia reproduce``: a published experiment, with the corrected figures."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from celosia.cli.console import answer, progress_bar, rows_table, screen
from celosia.cli.options import json_of, whole_numbers

if TYPE_CHECKING:
    from celosia.apps.exam_paper import Language, Reproduction
    from celosia.apps.exam_paper.experiment import Marks

_MOST_ROWS = 12
_SHOWN = (2, 3, 5, 10, 15, 20, 25, 30, 35, 40)
_COLOURS = {"holds": "green", "partly": "green", "out_of_reach": "red", "fails": "red"}


class Experiment(StrEnum):
    """What can be repeated."""

    exam_paper = "exam-paper"


class MarksOption(StrEnum):
    """Marks as drawn, marks clipped and rounded, or both."""

    real = "real"
    integer = "integer"
    both = "both"


class LanguageOption(StrEnum):
    """English or Spanish."""

    en = "en"
    es = "es"


def reproduce(
    experiment: Annotated[Experiment, typer.Argument(help="The published experiment.", show_default=False)],
    k: Annotated[str, typer.Option("--k", help="The values of k: 2..40, or 2,3,5,10.")] = "2..40",
    seeds: Annotated[int, typer.Option("--seeds", help="How many tables of 500 students are made.")] = 5,
    marks: Annotated[
        MarksOption, typer.Option("--marks", help="Marks as drawn, clipped and rounded, or both.")
    ] = MarksOption.both,
    out: Annotated[
        Path | None, typer.Option("--out", help="A new folder for a page, two pictures and all figures.")
    ] = None,
    as_json: Annotated[bool, json_of("all figures and verdicts")] = False,
    lang: Annotated[LanguageOption, typer.Option("--lang", help="The language.")] = LanguageOption.en,
) -> None:
    """Repeat the exam paper's experiment and say which of its printed figures hold."""
    from celosia.apps.exam_paper import reproduce_exam_paper, write_results
    from celosia.apps.exam_paper.experiment import KINDS_OF_MARKS
    from celosia.apps.exam_paper.page import results
    from celosia.base.errors import OptionError
    from celosia.data.io import check_target

    language: Language = "es" if lang is LanguageOption.es else "en"
    if out is not None and out.exists():
        raise OptionError(f"the folder {out.name} already exists.", hint="choose another.")
    if out is not None:
        check_target(out)
    chosen: list[Marks] = [kind for kind in KINDS_OF_MARKS if marks in (kind, MarksOption.both)]
    ks = whole_numbers(k, "..", "write --k 2..40 or --k 2,3,5,10.")
    with progress_bar() as bar:
        found = reproduce_exam_paper(ks, n_seeds=seeds, marks=chosen, progress=bar)
    if out is not None:
        write_results(found, out, language)
    answer(results(found, language), lambda: _show(found, language, out), as_json=as_json)


def _show(found: Reproduction, language: Language, out: Path | None) -> None:
    from celosia.apps.exam_paper import verdicts
    from celosia.apps.exam_paper.page import table_header, table_rows, table_title
    from celosia.apps.exam_paper.words import sentence, status_word, word

    few = len(found.ks) <= _MOST_ROWS
    ks = found.ks if few else tuple(k for k in found.ks if k in {*_SHOWN, found.ks[0], found.ks[-1]})
    for marks in found.marks:
        # Two lines per cell: all columns then fit a terminal of 80.
        header = [name.replace(" ", "\n") for name in table_header(language)]
        rows = table_rows(found, marks, ks, language, between="\n")
        rows_table(table_title(found, marks, language), header, rows)
    if len(ks) < len(found.ks):
        screen.print(word("all_k", language, n_left=len(found.ks) - len(ks)), markup=False)
    screen.print(f"{word('definition', language)} {word('method', language)}\n", style="dim", markup=False)
    screen.print(word("verdicts", language), style="bold")
    for verdict in verdicts(found):
        colour = _COLOURS.get(verdict.status, "yellow")
        fares = status_word(verdict.status, language).capitalize()
        screen.print(Text.assemble((f"{fares}. ", f"bold {colour}"), sentence(verdict, language)))
    screen.print(f"\n{word('bound_why', language)}", style="dim", markup=False)
    if out is not None:
        screen.print(f"{word('written', language)} {out}", markup=False)
