"""exam: from a sheet of marks to a table for the group and a private card for each student."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from celosia.apps.exam.earlier import read_earlier
from celosia.apps.exam.grids import cell_mask, mark_tree
from celosia.apps.exam.result import Exam
from celosia.apps.exam.scales import Scale
from celosia.apps.exam.sheets import MarkSheet, read_sheet
from celosia.base.errors import OptionError, UnreachableError
from celosia.base.progress import Progress, Quiet
from celosia.data.hierarchies import Category
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.schema import Schema, Table
from celosia.jobs.plan import Plan
from celosia.jobs.release import Release
from celosia.jobs.tables import TableSubject
from celosia.jobs.way import judged, made
from celosia.masks.base import Mask
from celosia.models import KAnonymity
from celosia.report.language import Language, check_language
from celosia.search import KMembers, Lattice, LGreedy, Mondrian, Weave
from celosia.search.base import Algorithm

_LEAST_GROUPS = 3
_LEAST_OTHERS = 2
_SEARCHES: tuple[Algorithm, ...] = (Lattice(time_limit=1.0), Mondrian(), KMembers(), LGreedy(), Weave())
"""Among equals the first is taken: one level per column gives least away."""


def exam(
    data: Any,
    *,
    earlier: str | Path | Sequence[str | Path] = (),
    k: int = 5,
    scale: str | tuple[float, float] | None = None,
    pass_mark: float | None = None,
    marks: Sequence[str] = (),
    student: str | None = None,
    keep: Sequence[str] = (),
    sheet: str | None = None,
    lang: str = "en",
    title: str = "",
    seed: int | None = None,
    progress: Progress | None = None,
) -> Exam:
    """Make a k-anonymous table of marks for a group, and a private card for each student.

    Parameters
    ----------
    data
        The path of a sheet of marks, or a pandas, Polars or Arrow table: a row per student.
    earlier
        Folders of earlier releases to compare with.
    k
        How many other people each student is hidden among, from 2. All of the group know their own row, so that the
        table is (k + 1)-anonymous.
    scale, pass_mark
        ``0-10`` or the two ends, and the lowest mark that is passed; guessed, and the middle, where not given.
    marks, student, keep
        The columns of marks, the one that tells students apart, and others to publish; guessed, and none.
    sheet
        The sheet of a workbook.
    lang
        ``en`` or ``es``.
    title
        What the table is about, for its heading.
    seed
        For tests only.

    Guarantee
    ---------
    Against whoever knows their own row, their own card and the table: at least k others may be behind any row of the
    table, and k + 1 - c others against c people who put theirs together. Cards add nothing: each is worked out from its
    owner's row and from published tables. Marks are published on a grid that no mark has shaped, and no range holds
    marks on both sides of the pass mark. It does not hide that somebody failed who is known to be in a group of which
    everybody did (a finding tells), and holds for one table: two of the same students tell more.

    Raises
    ------
    UnreachableError
        The group is too small to publish anything.
    InputError
        The sheet cannot be read as marks.

    Examples
    --------
    >>> import polars as pl
    >>> sheet = pl.DataFrame({"name": [f"s{n}" for n in range(40)], "exam": [n % 10 for n in range(40)]})
    >>> made = exam(sheet, scale="0-10", seed=1)
    >>> made.release.k >= 6, made.cards[9].final.standing.n_higher
    (True, 0)
    """
    check_language(lang)
    _check_k(k)
    shown = progress or Quiet()
    shown.stage("read")
    read = read_sheet(data, scale=scale, pass_mark=pass_mark, marks=marks, student=student, keep=keep, sheet=sheet)
    _check_size(len(read.students), k)
    folders = [earlier] if isinstance(earlier, str | Path) else list(earlier)
    courses = read_earlier(folders, read.scales)
    release = _published(read, k, lang, seed, shown)
    return Exam(read, release, earlier=courses, k=k, lang=lang, title=title)


def _check_k(k: int) -> None:
    if isinstance(k, bool) or not isinstance(k, int) or k < _LEAST_OTHERS:
        raise OptionError(
            f"k must be a whole number from {_LEAST_OTHERS}: whoever knows their own mark would know the other's.",
            hint="k = 5 hides each student among five others.",
            about="k",
        )


def _check_size(n_students: int, k: int) -> None:
    """Refuse a group in which fewer than three classes would be possible."""
    needed = _LEAST_GROUPS * (k + 1)
    if n_students >= needed:
        return
    largest = n_students // _LEAST_GROUPS - 1
    smaller = f"; where a smaller k can be justified, --k {largest} would do" if largest >= _LEAST_OTHERS else ""
    raise UnreachableError(
        f"the group is too small (students: {n_students}): a table that hides each among {k} others and still tells "
        f"something needs {needed} ({_LEAST_GROUPS} groups of {k + 1}).",
        hint=f"put groups or courses together, or publish the share of passes alone{smaller}. Nothing was written.",
        about="k",
    )


def _published(sheet: MarkSheet, k: int, lang: str, seed: int | None, progress: Progress) -> Release:
    """Return the release that loses least among those of several searches; they are quick on so few rows."""
    columns, language = sheet.columns, Language(lang)
    kinds: dict[str, Hierarchy] = {name: mark_tree(sheet.scales[name], language) for name in columns.marks}
    schema = Schema(
        identifiers=[*columns.identifiers, *columns.left_out],
        quasi_identifiers=kinds | {name: Category() for name in columns.kept},
        missing=sheet.absences,
    )
    table = Table(sheet.frame, schema, name=sheet.name)
    if sheet.source is not None:
        table.hidden, table.dialect = sheet.source.hidden, sheet.source.dialect
    masks = _masks(sheet)
    subjects = [
        TableSubject(Plan(models=[KAnonymity(k + 1)], algorithm=algorithm, masks=masks, seed=seed), table)
        for algorithm in _SEARCHES
    ]
    found = [made(subject, progress) for subject in subjects]
    best = min(range(len(found)), key=lambda one: found[one].loss.gcp)
    return judged(subjects[best], found[best])


def _masks(sheet: MarkSheet) -> list[Mask]:
    columns: dict[Scale, list[str]] = {}
    for name in sheet.columns.marks:
        columns.setdefault(sheet.scales[name], []).append(name)
    return [cell_mask(scale, names) for scale, names in columns.items()]
