"""Standing: where a mark lies among those of a published table, as far as the table tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from celosia.apps.exam.published import Cell, Untold
from celosia.apps.exam.scales import Scale
from celosia.data.hierarchies.ranges import Range


@dataclass(frozen=True)
class Standing:
    """How many students of a table surely have less, surely more, or neither for sure.

    Attributes
    ----------
    n_lower, n_higher
        Students whose whole published range lies below or above the mark: at least so many have less or more.
    n_alike
        Students whose published range holds the mark; the owner of the mark may be one of them.
    n_hidden
        Students of whose mark the table tells nothing; the owner of the mark may be one of them.
    n_absent
        Students who are published as having no mark.
    """

    n_lower: int
    n_alike: int
    n_hidden: int
    n_higher: int
    n_absent: int

    @property
    def n_open(self) -> int:
        """Students who may have less, as much or more."""
        return self.n_alike + self.n_hidden

    @property
    def n_students(self) -> int:
        """All students of the table."""
        return self.n_lower + self.n_open + self.n_higher + self.n_absent


def standing(cells: Iterable[Cell], mark: Fraction) -> Standing:
    """Return where a mark lies among published cells.

    Examples
    --------
    >>> from celosia.apps.exam.published import read_cell
    >>> standing(map(read_cell, ["fail [0, 5)", "[7, 8)", "passed [5, 10]", "*", None]), Fraction(7))
    Standing(n_lower=1, n_alike=2, n_hidden=1, n_higher=0, n_absent=1)
    """
    counts = {"lower": 0, "alike": 0, "higher": 0, Untold.HIDDEN: 0, Untold.ABSENT: 0}
    for cell in cells:
        counts[_place(cell, mark) if isinstance(cell, Range) else cell] += 1
    return Standing(
        n_lower=counts["lower"],
        n_alike=counts["alike"],
        n_hidden=counts[Untold.HIDDEN],
        n_higher=counts["higher"],
        n_absent=counts[Untold.ABSENT],
    )


def n_failed(cells: Iterable[Cell], scale: Scale) -> int:
    """Return how many cells are published wholly below the pass mark.

    Examples
    --------
    >>> from celosia.apps.exam.published import read_cell
    >>> cells = [read_cell(text) for text in ("fail [0, 5)", "[5, 6)", "*")]
    >>> n_failed(cells, Scale.of(0, 10)), n_passed(cells, Scale.of(0, 10))
    (1, 1)
    """
    return sum(isinstance(cell, Range) and cell.stop <= (scale.pass_mark, 0) for cell in cells)


def n_passed(cells: Iterable[Cell], scale: Scale) -> int:
    """Return how many cells are published wholly from the pass mark on."""
    return sum(isinstance(cell, Range) and cell.start >= (scale.pass_mark, 0) for cell in cells)


def _place(cell: Range, mark: Fraction) -> str:
    if cell.stop <= (mark, 0):
        return "lower"
    return "higher" if cell.start > (mark, 0) else "alike"
