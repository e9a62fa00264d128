"""The formats of graph files, and which one a file has by its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from celosia.base.errors import FormatError, OptionError, nearest

GraphFormat = Literal["csv", "tsv", "edgelist", "matrix", "graphml", "gexf", "gml", "pajek", "parquet", "arrow"]
"""``csv``, ``tsv`` and ``edgelist`` (separated by blanks) hold an edge per line, ``matrix`` an adjacency matrix."""

_SUFFIXES: Mapping[GraphFormat, tuple[str, ...]] = {
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "edgelist": (".edgelist", ".edges", ".el", ".txt", ".dat", ".data", ".ncol"),
    "matrix": (".adj", ".matrix"),
    "graphml": (".graphml", ".xml"),
    "gexf": (".gexf",),
    "gml": (".gml",),
    "pajek": (".net", ".pajek"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
}
_PACKINGS = (".gz", ".bz2", ".xz", ".zip")


def without_packing(name: str) -> tuple[str, str]:
    """Return a file's name without the suffix of its compression, and that suffix; empty where there is none.

    Examples
    --------
    >>> without_packing("edges.txt.GZ"), without_packing("edges.csv")
    (('edges.txt', '.gz'), ('edges.csv', ''))
    """
    suffix = Path(name).suffix.lower()
    return (name[: -len(suffix)], suffix) if suffix in _PACKINGS else (name, "")


def format_of(name: str, given: str | None = None) -> GraphFormat:
    """Return the format of a file: the given one, or the one its suffix names; compression does not count.

    Raises
    ------
    OptionError
        The given format is none of those in ``GraphFormat``.
    FormatError
        No format is given and the suffix is unknown.

    Examples
    --------
    >>> format_of("friends.graphml"), format_of("edges.txt.gz"), format_of("links.csv", "matrix")
    ('graphml', 'edgelist', 'matrix')
    """
    formats: tuple[GraphFormat, ...] = get_args(GraphFormat)
    if given is not None:
        for known in formats:
            if given == known:
                return known
        raise OptionError(f"'{given}' is not a format of graphs.", hint=nearest(given, formats), about="format")
    plain, _ = without_packing(name)
    suffix = Path(plain).suffix
    for known, suffixes in _SUFFIXES.items():
        if suffix.lower() in suffixes:
            return known
    allowed = ", ".join(one for suffixes in _SUFFIXES.values() for one in suffixes)
    raise FormatError(
        f"the suffix '{suffix}' of {name} names no known format of graphs; allowed: {allowed}, "
        f"and any of them with {', '.join(_PACKINGS)}.",
        hint=f"rename the file, or say the format: {', '.join(formats)}.",
    )
