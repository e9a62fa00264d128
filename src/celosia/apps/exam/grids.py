"""The published grid of a mark: its tree with readable labels, and the mask that puts marks into cells."""

from __future__ import annotations

from collections.abc import Sequence

from celosia.apps.exam.scales import BandName, Scale
from celosia.data.hierarchies import Tree
from celosia.data.hierarchies.domains import ANYTHING
from celosia.masks import Generalise
from celosia.report.language import Language


def band_word(name: BandName, language: Language) -> str:
    """Return what a band is called.

    Examples
    --------
    >>> band_word("outstanding", Language("en"))
    'outstanding'
    """
    words = {
        "fail": language.text("fail"),
        "pass": language.text("pass"),
        "notable": language.text("notable"),
        "outstanding": language.text("outstanding"),
    }
    return words[name]


def passed_word(language: Language) -> str:
    """Return what all bands from the pass mark on are called together.

    Examples
    --------
    >>> passed_word(Language("en"))
    'passed'
    """
    return language.text("passed")


def mark_tree(scale: Scale, language: Language) -> Tree:
    """Return the tree over the cells of a scale: cell, band, fail or passed, ``*``.

    Labels end in their range with decimal points whatever the language, so that programs read them.

    Examples
    --------
    >>> mark_tree(Scale.of(0, 10), Language("en")).rows[-1]
    ('[6, 7)', 'pass [5, 7)', 'passed [5, 10]', '*')
    """
    rows = []
    for cell in scale.cells:
        assert cell.low is not None
        band = scale.band_of(cell.low)
        is_passed = scale.is_passed(cell.low)
        side = scale.passed if is_passed else scale.failed
        word = passed_word(language) if is_passed else band_word("fail", language)
        rows.append([cell.text, f"{band_word(band.name, language)} {band.range.text}", f"{word} {side.text}", ANYTHING])
    return Tree(rows, source="the grid of marks")


def cell_mask(scale: Scale, columns: Sequence[str]) -> Generalise:
    """Return the mask that puts the marks of columns into the cells of their scale.

    Examples
    --------
    >>> import polars as pl
    >>> cell_mask(Scale.of(0, 5, 3), ["exam"]).apply(pl.DataFrame({"exam": [2.9, 3.0, 5.0]}))["exam"].to_list()
    ['[2.5, 3)', '[3, 3.5)', '[4.5, 5]']
    """
    return Generalise(columns=list(columns), ranges=[cell.text for cell in scale.cells])
