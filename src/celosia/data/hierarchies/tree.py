"""Trees that the user draws: one row per leaf with all its ancestors, from a file or from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from celosia.base.errors import HierarchyError, OptionError
from celosia.base.fields import Options
from celosia.data.hierarchies.base import ValueType
from celosia.data.hierarchies.domains import ANYTHING, Level, Levels, Style, assemble, leaf_share, number_groups
from celosia.data.hierarchies.options import OnMissing, check_choice, check_list
from celosia.data.hierarchies.text import clean_label, keep_known, refuse_reserved
from celosia.data.hierarchies.tree_files import read_amnesia_rows, read_csv_rows, write_amnesia_rows, write_csv_rows

Rows: TypeAlias = tuple[tuple[str, ...], ...]

MAX_LISTED = 5
"""How many rows one message names."""


@dataclass(frozen=True)
class Tree(Options):
    """A drawn tree: loss = (leaves of the tree under the node - 1) / (leaves of the tree - 1), 0 for a leaf.

    Parameters
    ----------
    rows
        One row per leaf: the leaf, then its ancestors, the root last. All rows are equally long. If the last column is
        not one single label, ``*`` is added as the root. A label may repeat along its path.
    on_missing
        ``error`` refuses values of the data that are not leaves, ``suppress`` leaves their rows out.
    source
        Where the rows come from, for messages.

    Raises
    ------
    HierarchyError
        If rows differ in length, a cell is empty, or a label stands under two different parents.

    Examples
    --------
    >>> lecturers = Tree([["Ana", "informatics"], ["Luis", "informatics"], ["Eva", "statistics"]])
    >>> domain = lecturers.fit(["Ana", "Eva"], "lecturer")
    >>> [domain.spell(node, Style()) for node in domain.nodes[1]], domain.share.tolist()
    (['informatics', 'statistics'], [0.0, 0.0, 0.5, 0.0, 1.0])
    """

    name: ClassVar[str] = "tree"
    value_type: ClassVar[ValueType] = "text"

    rows: Sequence[Sequence[str]]
    on_missing: OnMissing = "error"
    source: str = field(default="the tree", compare=False)

    def __post_init__(self) -> None:
        check_choice("tree: on_missing", self.on_missing, ["error", "suppress"])
        rows = _clean(check_list("tree: rows", self.rows))
        _check(rows, range(1, len(rows) + 1), "row", self.source)
        object.__setattr__(self, "rows", _ordered(_rooted(rows)))

    @classmethod
    def read_csv(cls, path: str | PathLike[str], delimiter: str | None = None) -> Self:
        r"""Read a file in ARX's form: one line per leaf, ``leaf;level1;...;*``, no header.

        Parameters
        ----------
        path
            The file, in UTF-8.
        delimiter
            By default the first of ``;``, tab and ``,`` that the first line holds.

        Raises
        ------
        FormatError
            If the file cannot be read.
        HierarchyError
            If it holds no tree, with the numbers of the lines.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "sex.csv")
        ...     _ = file.write_text("Male;*\nFemale;*\n")
        ...     Tree.read_csv(file).rows
        (('Female', '*'), ('Male', '*'))
        """
        rows, lines = read_csv_rows(path, delimiter)
        return cls._from_file(rows, lines, path)

    @classmethod
    def read_amnesia(cls, path: str | PathLike[str]) -> Self:
        r"""Read a ``distinct`` hierarchy of Amnesia: a header, then ``parent has child child``, finest level first.

        Raises
        ------
        FormatError
            If the file cannot be read, or holds a ``range`` hierarchy.
        HierarchyError
            If it holds no tree.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "sex.txt")
        ...     _ = file.write_text("distinct\nname sex\ntype string\nheight 2\n\n* has Male Female \n\n")
        ...     Tree.read_amnesia(file).rows
        (('Female', '*'), ('Male', '*'))
        """
        rows, lines = read_amnesia_rows(path)
        return cls._from_file(rows, lines, path)

    @classmethod
    def _from_file(cls, rows: list[list[str]], lines: list[int], path: str | PathLike[str]) -> Self:
        source = Path(path).name
        _check(_clean(rows), lines, "line", source)
        return cls(rows, source=source)

    @classmethod
    def from_dict(cls, tree: Mapping[str, Any]) -> Self:
        """Build a tree from ``{leaf: [ancestors]}`` or from nested mappings, root or top level outermost.

        In the nested form the innermost entries are leaves: a list of them, or keys with ``None``. A mapping whose
        entries are all lists is read as ``{leaf: [ancestors]}``.

        Raises
        ------
        OptionError
            If an entry is neither a mapping, a list nor ``None``.
        HierarchyError
            As for the class.

        Examples
        --------
        >>> nested = Tree.from_dict({"staff": {"informatics": ["Ana", "Luis"], "statistics": ["Eva"]}})
        >>> flat = Tree.from_dict({leaf: path for leaf, *path in nested.rows})
        >>> nested.rows[0], nested == flat
        (('Ana', 'informatics', 'staff'), True)
        """
        if tree and all(isinstance(entry, list | tuple) for entry in tree.values()):
            rows: list[list[Any]] = [[leaf, *ancestors] for leaf, ancestors in tree.items()]
        else:
            rows = _unfolded(tree, [])
        return cls(rows)

    def with_missing(self, on_missing: OnMissing) -> Self:
        """Return the same tree with another answer to values that are no leaves.

        Examples
        --------
        >>> Tree([["Male"], ["Female"]]).with_missing("suppress").on_missing
        'suppress'
        """
        return replace(self, on_missing=on_missing)

    def fit(self, values: Sequence[str], column: str) -> Levels:
        """Return the part of the tree that these values need; leaves are counted in the whole tree.

        Raises
        ------
        HierarchyError
            If a value is ``*``, or if a value is no leaf and ``on_missing`` is ``error``.
        """
        refuse_reserved(values, f"column {column!r}")
        places = {row[0]: place for place, row in enumerate(self.rows)}
        known = keep_known(values, places.keys(), column, self.source, self.on_missing)
        held = np.array(sorted(places[value] for value in known), dtype=np.int64)
        leaves = [self.rows[place][0] for place in held.tolist()]
        columns: list[tuple[str, ...]] = list(zip(*self.rows, strict=True))
        levels = [_level(labels, held) for labels in columns[1:-1]]
        return assemble("tree", leaves, lambda code, style: leaves[code], levels, columns[-1][0], len(self.rows))

    def to_csv(self, path: str | PathLike[str]) -> None:
        r"""Write the tree in ARX's form, which ``read_csv`` reads back.

        Raises
        ------
        FormatError
            If the file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Tree([["Male"], ["Female"]]).to_csv(Path(folder, "sex.csv"))
        ...     Path(folder, "sex.csv").read_text()
        'Female;*\nMale;*\n'
        """
        write_csv_rows(path, self.rows)

    def to_amnesia(self, path: str | PathLike[str]) -> None:
        """Write the tree in Amnesia's form, which ``read_amnesia`` reads back.

        Amnesia parts labels by blanks and knows a node by its label alone.

        Raises
        ------
        FormatError
            If labels hold blanks, if two nodes share one label, or if the file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Tree([["Male"], ["Female"]]).to_amnesia(Path(folder, "sex.txt"))
        ...     Path(folder, "sex.txt").read_text().splitlines()
        ['distinct', 'name sex', 'type string', 'height 2', '', '* has Female Male', '']
        """
        write_amnesia_rows(path, self.rows)


def _clean(rows: Sequence[Any]) -> Rows:
    return tuple(tuple(clean_label(label, "tree: rows") for label in check_list("tree: each row", row)) for row in rows)


def _check(rows: Rows, numbers: Sequence[int], word: str, source: str) -> None:
    """Refuse rows that are no tree; ``numbers`` are the rows' own numbers in their source."""
    length = len(rows[0])
    uneven = [number for row, number in zip(rows, numbers, strict=True) if len(row) != length]
    if uneven:
        raise HierarchyError(
            f"{source}: {_listed(uneven, word)} differ in length from {word} {numbers[0]}, which has {length} columns.",
            hint="give every leaf the same number of ancestors; a label may be repeated along its path.",
        )
    empty = [number for row, number in zip(rows, numbers, strict=True) if "" in row]
    if empty:
        raise HierarchyError(f"{source}: {_listed(empty, word)} hold an empty cell.", hint="fill it with a label.")
    for level in range(length - 1):
        _check_parents(rows, numbers, level, word, source)


def _check_parents(rows: Rows, numbers: Sequence[int], level: int, word: str, source: str) -> None:
    first: dict[str, tuple[str, int]] = {}
    for row, number in zip(rows, numbers, strict=True):
        parent, earlier = first.setdefault(row[level], (row[level + 1], number))
        if parent != row[level + 1]:
            what = "the same leaf" if level == 0 else f"the same label in column {level + 1}"
            raise HierarchyError(
                f"{source}: {word}s {earlier} and {number} put {what} under two different parents.",
                hint="rename one of the two labels, or give both the same parent.",
            )


def _listed(numbers: list[int], word: str) -> str:
    shown = ", ".join(map(str, numbers[:MAX_LISTED]))
    more = f" and {len(numbers) - MAX_LISTED} more" if len(numbers) > MAX_LISTED else ""
    return f"{len(numbers)} {word}(s) ({shown}{more})"


def _rooted(rows: Rows) -> Rows:
    if len(rows[0]) > 1 and len({row[-1] for row in rows}) == 1:
        return rows
    return tuple((*row, ANYTHING) for row in rows)


def _ordered(rows: Rows) -> Rows:
    """Return each leaf once, depth first, children by label: the values under any node are then neighbours."""
    return tuple(sorted(set(rows), key=lambda row: row[::-1]))


def _unfolded(tree: Mapping[str, Any], ancestors: list[str]) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for label, below in tree.items():
        path = [label, *ancestors]
        if below is None:
            rows.append(path)
        elif isinstance(below, Mapping):
            rows += _unfolded(below, path)
        elif isinstance(below, list | tuple):
            rows += [[leaf, *path] for leaf in below]
        else:
            got = type(below).__name__
            raise OptionError(f"tree: an entry of the nested mapping is of type {got}; allowed: mapping, list, None.")
    return rows


def _level(labels: tuple[str, ...], held: NDArray[np.int64]) -> Level:
    groups_of_tree = number_groups(labels)
    leaves_of_tree = np.bincount(groups_of_tree)
    kept, groups = np.unique(groups_of_tree[held], return_inverse=True)
    starts: list[int] = np.flatnonzero(np.diff(groups_of_tree, prepend=-1))[kept].tolist()
    leaves = leaves_of_tree[kept]

    def spell(group: int, style: Style) -> str:
        return labels[starts[group]]

    return Level(groups, leaf_share(leaves, len(labels)), leaves, spell)
