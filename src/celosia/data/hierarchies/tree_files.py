"""Trees in files: ARX's CSV form, and the text form of Amnesia.

Amnesia's form is that which its own source reads and writes (``hierarchy/distinct/HierarchyImplString.java`` in
github.com/dTsitsigkos/Amnesia)::

    distinct
    name job
    type string
    height 3

    Technical has Tech-support Craft-repair
    Other has Priv-house-serv

    * has Technical Other

``height`` counts the levels, values and root included. Each blank line ends a level; the finest level comes first.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import pairwise
from os import PathLike
from pathlib import Path

from celosia.base.errors import FormatError, HierarchyError

DELIMITERS = (";", "\t", ",")

QUOTED = re.compile('"(?:[^"]|"")*"')
"""A quoted cell: what it holds does not tell the delimiter."""

LINK = "has"
"""What stands between a parent and its children in Amnesia's form."""


def read_csv_rows(path: str | PathLike[str], delimiter: str | None = None) -> tuple[list[list[str]], list[int]]:
    r"""Return the rows of a file in ARX's form and the numbers of their lines; blank lines are passed over.

    Raises
    ------
    FormatError
        If the file cannot be read, is empty, or its quotes do not match.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "sex.csv")
    ...     _ = file.write_text("Male;*\n\nFemale;*\n")
    ...     read_csv_rows(file)
    ([['Male', '*'], ['Female', '*']], [1, 3])
    """
    text = _read(path)
    first = next((line for line in QUOTED.sub("", text).splitlines() if line.strip()), "")
    chosen = delimiter or next((candidate for candidate in DELIMITERS if candidate in first), DELIMITERS[0])
    rows: list[list[str]] = []
    lines: list[int] = []
    n_read = 0
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=chosen, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append(row)
                lines.append(n_read + 1)
            n_read = reader.line_num
    except csv.Error:
        raise FormatError(
            f"{Path(path).name}: the quotes of line {n_read + 1} do not match.", hint='write " as "" inside quotes.'
        ) from None
    return rows, lines


def write_csv_rows(path: str | PathLike[str], rows: Sequence[Sequence[str]]) -> None:
    """Write rows in ARX's form: ``;`` between cells, no header.

    Raises
    ------
    FormatError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_csv_rows(Path(folder, "sex.csv"), [["Male", "*"]])
    """
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=DELIMITERS[0], lineterminator="\n").writerows(rows)
    _write(path, buffer.getvalue())


def read_amnesia_rows(path: str | PathLike[str]) -> tuple[list[list[str]], list[int]]:
    r"""Return one row per leaf of a hierarchy in Amnesia's form, and the line that names the leaf.

    A leaf that stands above the lowest level is repeated down to it, so that all leaves are equally deep.

    Raises
    ------
    FormatError
        If the file cannot be read or is not a ``distinct`` hierarchy.
    HierarchyError
        If a label stands under two parents, or under none.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "sex.txt")
    ...     _ = file.write_text("distinct\nname sex\ntype string\nheight 2\n\n* has Male Female \n\n")
    ...     read_amnesia_rows(file)
    ([['Male', '*'], ['Female', '*']], [6, 6])
    """
    source = Path(path).name
    # Java's readLine ends a line at these only; splitlines() would also split inside labels.
    lines = _read(path).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    header_end = next((i for i, line in enumerate(lines) if not line.strip()), len(lines))
    height, is_number = _read_header(lines[:header_end], source)
    sections = _read_sections(lines, header_end + 1, height, source)
    parents = [_read_parents(section, is_number, source) for section in sections]
    return _trace_leaves(parents, source)


def _read_header(lines: list[str], source: str) -> tuple[int, bool]:
    words = [line.split() for line in lines]
    header = {entry[0].lower(): entry[1] if len(entry) > 1 else "" for entry in words}
    if "range" in header:
        raise FormatError(
            f"{source} is a range hierarchy of Amnesia; only distinct ones can be read.",
            hint="list its ranges in intervals: ranges.",
        )
    height = header.get("height", "")
    if "distinct" not in header or not height.isdecimal() or int(height) < 2:
        raise FormatError(
            f"{source} does not begin as a hierarchy of Amnesia: 'distinct', then name, type and height (from 2 on).",
            hint="files with one line per leaf are read by Tree.read_csv.",
        )
    return int(height), header.get("type", "").lower() in ("int", "decimal", "double")


def _read_sections(lines: list[str], start: int, height: int, source: str) -> list[list[tuple[int, str]]]:
    """Return the numbered lines of each level, finest first; a blank line ends a level."""
    sections: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(lines[start:], start=start + 1):
        if line.strip():
            sections[-1].append((number, line))
        else:
            sections.append([])
    while sections and not sections[-1]:
        sections.pop()
    filled = [section for section in sections if section]
    # Amnesia lets a level be empty; people let a blank line slip in.
    for found in (filled, sections):
        if len(found) == height - 1:
            return found
    raise FormatError(
        f"{source}: height {height} asks for {height - 1} levels of '{LINK}' lines; the file has {len(filled)}.",
        hint="part the levels by one blank line each, the finest level first.",
    )


def _read_parents(section: list[tuple[int, str]], is_number: bool, source: str) -> dict[str, tuple[str, int]]:
    """Return for each child of one level its parent and its line."""
    parents: dict[str, tuple[str, int]] = {}
    for number, line in section:
        words = [word for word in line.split(" ") if word]
        if len(words) < 3 or words[1] != LINK:
            raise FormatError(f"{source}: line {number} is not of the form 'parent {LINK} child child'.")
        # Amnesia writes whole numbers as 39.0.
        labels = [word.removesuffix(".0") if is_number else word for word in words]
        for child in labels[2:]:
            parent, earlier = parents.setdefault(child, (labels[0], number))
            if parent != labels[0]:
                raise HierarchyError(
                    f"{source}: lines {earlier} and {number} put the same label under two different parents."
                )
    return parents


def _trace_leaves(parents: list[dict[str, tuple[str, int]]], source: str) -> tuple[list[list[str]], list[int]]:
    rows: list[list[str]] = []
    lines: list[int] = []
    inner: set[str] = set()
    for level, children in enumerate(parents):
        for child, (_, number) in children.items():
            if child not in inner:
                rows.append([child] * (level + 1) + _path(child, level, parents, number, source))
                lines.append(number)
        inner |= {parent for parent, _ in children.values()}
    return rows, lines


def _path(label: str, level: int, parents: list[dict[str, tuple[str, int]]], number: int, source: str) -> list[str]:
    """Return the ancestors above ``level``; one that is missing on a level but stands on a higher one is repeated."""
    path = []
    for height in range(level, len(parents)):
        if label in parents[height]:
            label = parents[height][label][0]
        elif not any(label in above for above in parents[height:]):
            raise HierarchyError(f"{source}: an ancestor of line {number} has no parent and is not on the top level.")
        path.append(label)
    return path


def write_amnesia_rows(path: str | PathLike[str], rows: Sequence[Sequence[str]]) -> None:
    """Write rows, leaf first, in Amnesia's form; a label that repeats along its path is written once.

    Raises
    ------
    FormatError
        If labels hold blanks or are ``has``, if two nodes share one label, if a label repeats above children on
        several levels, or if the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_amnesia_rows(Path(folder, "sex.txt"), [["Male", "*"], ["Female", "*"]])
    """
    _check_amnesia(rows)
    sections = _sections(rows)
    parents = [parent for section in sections for parent in section]
    n_split = len(parents) - len(set(parents))
    if n_split or not sections[-1]:
        raise FormatError(
            f"{n_split or 1} labels repeat above children on several levels, which Amnesia's form cannot spell.",
            hint="give the repetitions labels of their own, or use to_csv.",
        )
    name = "_".join(Path(path).stem.split()) or "hierarchy"
    lines = ["distinct", f"name {name}", "type string", f"height {len(rows[0])}", ""]
    for section in sections:
        lines += [f"{parent} {LINK} {' '.join(children)}" for parent, children in section.items()]
        lines.append("")
    _write(path, "\n".join(lines) + "\n")


def _sections(rows: Sequence[Sequence[str]]) -> list[dict[str, dict[str, None]]]:
    """Return for each level, finest first, the parents with their children; repetitions of a label are left out."""
    sections: list[dict[str, dict[str, None]]] = []
    for level in range(len(rows[0]) - 1):
        children: dict[str, dict[str, None]] = {}
        for row in rows:
            if row[level] != row[level + 1]:
                children.setdefault(row[level + 1], {})[row[level]] = None
        sections.append(children)
    return sections


def _check_amnesia(rows: Sequence[Sequence[str]]) -> None:
    labels = {label for row in rows for label in row}
    n_blank = sum(len(label.split()) != 1 or label == LINK for label in labels)
    if n_blank:
        raise FormatError(
            f"{n_blank} labels hold blanks or are '{LINK}', which Amnesia's form cannot spell.",
            hint="rename them, or use to_csv.",
        )
    paths: dict[str, tuple[str, ...]] = {}
    shared = set()
    for row in rows:
        for level, label in enumerate(row):
            # A node is what lies above the last repetition of its label.
            above = tuple(row[level:])
            while len(above) > 1 and above[1] == label:
                above = above[1:]
            if paths.setdefault(label, above) != above:
                shared.add(label)
    inner = {label for row in rows for below, label in pairwise(row) if below != label}
    shared |= inner & {row[0] for row in rows}
    if shared:
        raise FormatError(
            f"{len(shared)} labels belong to more than one node; Amnesia knows a node by its label alone.",
            hint="rename them, or use to_csv.",
        )


def _read(path: str | PathLike[str]) -> str:
    name = Path(path).name
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise FormatError(f"{name} cannot be read: {error.strerror}.", hint="check the path.") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        # The cause would quote the bytes.
        raise FormatError(f"{name}: line {line} is not UTF-8.", hint="save the file as UTF-8.") from None
    if not text.strip():
        raise FormatError(f"{name} is empty.", hint="write one line per value: value;group;*")
    return text


def _write(path: str | PathLike[str], text: str) -> None:
    name = Path(path).name
    try:
        Path(path).write_bytes(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise FormatError(f"{name} cannot be written: a label is not valid Unicode.") from None
    except OSError as error:
        raise FormatError(f"{name} cannot be written: {error.strerror}.", hint="check the path.") from None
